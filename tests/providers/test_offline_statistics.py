"""What the demo judge counts, and which of it speaks for which criterion."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.providers.offline.grades import ASPECTS, MEASURES, aspects_of, measures_of, reason, score
from judge_core.providers.offline.text_statistics import TextStatistics, guiraud, measure, sentences_of, words_of
from judge_core.records.criteria import OVERALL, Criterion

CRITERIA = [OVERALL, *(Criterion(name=aspect) for aspect in ASPECTS)]
WORDS = st.sampled_from(["rain", "sleep", "because", "8", "school", "however", "20%", "bed", "tired"])
SENTENCE = st.lists(WORDS, min_size=1, max_size=50).map(lambda words: " ".join(["The", *words]) + ".")
SCALES = st.sampled_from([(0, 10), (1, 5), (0, 1), (-3, 3), (0, 100), (0.05, 0.96)])


class TestCounting:
    def test_windows_keep_richness_from_growing_with_length(self) -> None:
        short = [f"w{number}" for number in range(200)]
        assert guiraud(short) == pytest.approx(guiraud(short * 10)) == pytest.approx(200 / 200**0.5)

    def test_no_words_have_no_richness(self) -> None:
        assert guiraud([]) == 0

    @pytest.mark.parametrize(
        ("text", "count"),
        [
            ("One. Two! Three?", 3),
            ("Mr. Smith came at 7.30 p.m. yesterday.", 1),
            ('"Go!" she said.', 1),
            ("“Go!” She left.", 2),
            ("我喜欢睡觉。你呢？", 2),
            ("क्या हाल है। ठीक।", 2),
            ("no end", 1),
            ("", 0),
        ],
    )
    def test_sentences_end_where_a_reader_would_end_them(self, text: str, count: int) -> None:
        assert len(sentences_of(text)) == count

    @settings(deadline=None)
    @given(st.text())
    def test_sentences_are_exact_parts_of_the_text(self, text: str) -> None:
        assert all(sentence in text for sentence in sentences_of(text))

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("don’t stop", ["don't", "stop"]),
            ("नींद अच्छी है", ["नींद", "अच्छी", "है"]),
            ("😀 ok", ["ok"]),
            ("ฉันชอบนอน", ["ฉันช", "อบนอ", "น"]),
        ],
    )
    def test_words_in_many_scripts(self, text: str, words: list[str]) -> None:
        assert words_of(text) == words

    def test_a_sentence_that_comes_again_is_counted_once(self) -> None:
        once, thrice = measure("It rains a lot."), measure("It rains a lot. It rains a lot! it rains a lot.")
        assert (thrice.words, thrice.fresh_words, thrice.sentences) == (12, 4, once.sentences)
        assert once.repetition == 0 < thrice.repetition
        assert thrice.slips == once.slips

    def test_markers_count_by_kind_and_not_by_number(self) -> None:
        counted = measure(
            "Because of rain, I stay. She stays because she is ill. For example, 12 of 30 did, said a study."
        )
        assert (counted.reasons, counted.evidence, counted.figures) == (1, 2, 2)

    def test_paragraphs_are_blocks_line_tags_and_list_items(self) -> None:
        assert measure("One thing.\n\nAnother thing.\n- a third\n- a fourth").paragraphs == 4
        assert measure("One thing.<br/><br/>Another thing.").paragraphs == 2

    def test_an_empty_text_has_zeros(self) -> None:
        assert measure(" \n…!? ") == measure("") == TextStatistics()

    def test_the_quote_is_a_sentence_of_the_text_that_carries_a_mark(self) -> None:
        assert (
            measure("We are all tired here now today. In 2014, 11 of 84 slept enough.").quote
            == "In 2014, 11 of 84 slept enough."
        )

    @settings(deadline=None)
    @given(st.text())
    def test_any_text_is_counted_and_quoted_exactly(self, text: str) -> None:
        counted = measure(text)
        assert counted.fresh_words <= counted.words
        assert 0 <= counted.repetition <= 1
        assert counted.quote in text


class TestSlips:
    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("We sleep. we wake up in the morning.", "sentences without a capital"),
            ("We saw the the cat in the garden.", "doubled words"),
            ("We saw the cat , and it ran.", "faulty spacing"),
            ("We saw the cat,and it ran.", "faulty spacing"),
            ("We saw the cat in the house!!", "repeated marks"),
            ("It is late and i am tired.", "small i"),
            ("It is late becuase of the rain.", "misspellings"),
            ("You should of gone to the house.", "wrong phrases"),
            ("THIS IS NOT fair to the people in the town.", "words in capitals"),
            ("It is late and we are in the house and it is not the time to be up", "missing end marks"),
            ("It is late and " * 15 + "that is all.", "run-on sentences"),
        ],
    )
    def test_each_kind_is_found(self, text: str, kind: str) -> None:
        assert measure(text).slips == {kind: 1}

    @pytest.mark.parametrize(
        "text",
        [
            'I had had enough, e.g. of the noise. "Why?" she asked... At 7.30 a.m. it cost $1,000!',
            "# A heading\n\n- the first item of the list.\n\nIt is an hour. It is a useful, one-off idea.",
            "Anna e i ragazzi dormono. Non è tardi.",
            "L'école commence tôt ! Pourquoi ?",
            "ძილი კარგია. სკოლა ადრე იწყება.",
            "השינה חשובה. النوم مهم.",
        ],
    )
    def test_sound_text_is_not_accused(self, text: str) -> None:
        assert measure(text).slips == {}


class TestHostileTexts:
    @pytest.mark.parametrize(
        "text",
        [
            "a" * 100_000, " " * 100_000, "\n" * 100_000, ". " * 50_000, "A A " * 25_000, '"a ' * 30_000, "AA " * 30_000,
            "\n \t" * 30_000 + "x", "我" * 100_000, "ก" * 100_000, "😀" * 50_000, "\ud800 x", "# " * 50_000, "“" * 50_000,
        ],
        ids=range(14),
    )  # fmt: skip
    def test_no_text_takes_long(self, text: str) -> None:
        begun = time.process_time()
        measure(text)
        assert time.process_time() - begun < 4

    def test_a_hundred_thousand_words_are_counted(self) -> None:
        assert measure(" ".join(f"word{number % 700}" for number in range(100_000))).words == 100_000


class TestCriteria:
    @pytest.mark.parametrize(
        ("name", "description", "first"),
        [
            ("Grammar & spelling", "", "mechanics"),
            ("Rechtschreibung", "", "mechanics"),
            ("Wortschatz", "", "vocabulary"),
            ("Structure", "Clear paragraphs.", "organisation"),
            ("Use of evidence", "Gives reasons and examples.", "evidence"),
            ("Argument", "Takes a clear position supported by facts.", "argument"),
            ("Dimension 3", "How varied the vocabulary is.", "vocabulary"),
            ("Merit", "", "overall"),
            ("", "", "overall"),
            (OVERALL.name, OVERALL.description, "overall"),
        ],
    )
    def test_the_name_decides_before_the_description(self, name: str, description: str, first: str) -> None:
        aspects = aspects_of(Criterion(name=name, description=description))
        assert next(iter(aspects)) == first
        assert sum(aspects.values()) == pytest.approx(1)

    @pytest.mark.parametrize("english", [True, False])
    @pytest.mark.parametrize("criterion", CRITERIA, ids=lambda criterion: criterion.name)
    def test_measures_share_out_one_whole(self, criterion: Criterion, english: bool) -> None:
        measures = measures_of(criterion, english)
        assert sum(measures.values()) == pytest.approx(1)
        assert english or not any(MEASURES[name].english for name in measures)

    @settings(deadline=None)
    @given(st.text(max_size=400), st.sampled_from(CRITERIA), SCALES)
    def test_a_score_lies_on_its_scale_and_has_a_reason(
        self, text: str, plain: Criterion, scale: tuple[float, float]
    ) -> None:
        criterion = plain.model_copy(update={"scale_min": scale[0], "scale_max": scale[1]})
        assert scale[0] <= score(measure(text), criterion) <= scale[1]
        assert reason(measure(text), criterion)

    @settings(deadline=None)
    @given(st.lists(SENTENCE, min_size=1, max_size=8), st.data(), st.sampled_from([" ", "\n\n"]))
    def test_padding_with_its_own_sentences_never_raises_a_text(
        self, sentences: list[str], data: st.DataObject, gap: str
    ) -> None:
        padding = data.draw(st.lists(st.sampled_from(sentences), min_size=1, max_size=20))
        text, padded = " ".join(sentences), gap.join([" ".join(sentences), *padding])
        for criterion in CRITERIA:
            assert score(measure(padded), criterion) <= score(measure(text), criterion)

    def test_much_padding_costs_much(self) -> None:
        text = "Schools should start later. Teenagers need nine hours of sleep because their clocks run behind."
        assert score(measure(text + " " + text), OVERALL) < 0.5 * score(measure(text), OVERALL)
