"""Hostile text on the result page: as title, file name, essay, criterion, judge, model and reason."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from judge_core.interfaces.dashboard.safe import MARKED_STYLE, plain
from judge_core.records.event import RoundPaired
from judge_core.records.record import text_hash
from judge_core.scoring.quotes import Span, find_quote, pieces
from tests.pages.stored_runs import (
    COURSE,
    SECTIONS,
    TRUST,
    bench,
    opened,
    part,
    rubric,
    section,
    stored,
    written,
)
from tests.views.streams import Stream, case, decided, judge, spec, text

HOSTILE = [*case("S-014")["input"]["texts"], *case("S-015")["input"]["strings"]]


def hostile_stream() -> Stream:
    """Every hostile string as a title, a file name, a criterion and a judge; a cycle of matches with warnings."""
    texts = [
        text(n, id=f"{words}.txt", title=words, sha256=text_hash(words)) for n, words in enumerate(HOSTILE, start=1)
    ]
    names = {plain(words, 60): None for words in HOSTILE[:6] + HOSTILE[-5:]}
    of = spec(
        texts, rounds=1, rubric=rubric(*names), name=HOSTILE[7],
        judges=(judge(HOSTILE[6], model=HOSTILE[7]),),
    )  # fmt: skip
    scores = {criterion.name: (7.0, 4.0) for criterion in of.rubric.criteria}
    stream = Stream(of, planned=len(texts) // 2)
    pairs = [(texts[i].alias, texts[i + 1].alias) for i in range(0, len(texts) - 1, 2)]
    stream.round(1, *pairs)
    for a, b in pairs:
        stream.match(a, b, decided(scores, of.rubric.criteria, first=a))
    return stream.close(1).end("failed", HOSTILE[8])


def hostile_run() -> str:
    stream = hostile_stream()
    bench().archive.keep({text_hash(words): words.encode() for words in HOSTILE})
    return stored(stream, name=HOSTILE[7])


def listed_stream() -> Stream:
    """The same texts, criteria and judge, scored one by one and then ranked in lists whose rounds have hostile titles."""
    of = hostile_stream().spec.model_copy(update={"method": "listwise", "warm_start": True, "group_size": 5})
    names = tuple(ref.alias for ref in of.texts)
    stream = Stream(of, planned=len(names) + 2)
    stream.add(RoundPaired(round=1, pairs=(), band=(1, len(names)), singles=names, title=HOSTILE[0]))
    for number, name in enumerate(names):
        stream.score(name, **{criterion.name: 3.0 + number % 5 for criterion in of.rubric.criteria})
    lists = [names[:5], names[5:10]]
    stream.add(RoundPaired(round=2, pairs=(), band=(1, len(names)), groups=tuple(lists), title=HOSTILE[1]))
    for shown in lists:
        stream.group(shown, shown[::-1], round=2)
    return stream.close(2).end("paused", HOSTILE[8])


LISTED = ("Ranking", "Why is A above B?", "Can you trust this?", "Weights", "Lists", "How it went", "Take away")


@pytest.mark.parametrize("place", ["1", "last"])
@pytest.mark.parametrize("name", LISTED)
def test_no_hostile_string_of_lists_and_scores_reaches_a_sink_that_reads_markdown(
    app: AppTest, name: str, place: str
) -> None:
    stream = listed_stream()
    bench().archive.keep({text_hash(words): words.encode() for words in HOSTILE})
    app.session_state["show_names"], app.session_state["extend_open"] = True, True
    last = str(max(stored.event.place for stored in stream.events if stored.event.type == "group_judged"))
    section(opened(app, stored(stream, name=HOSTILE[7]), match=place if place == "1" else last), name)
    assert not app.error
    page = written(app)
    for words in HOSTILE:
        assert not re.search(rf"(?<!\\){re.escape(words)}", page), words


@pytest.mark.parametrize(("key", "names"), [("course_part", ("Lists", "Scores", *COURSE[1:])), ("trust_part", TRUST)])
def test_no_hostile_string_reaches_markdown_in_any_part(app: AppTest, key: str, names: tuple[str, ...]) -> None:
    app.session_state["show_names"] = True
    section(opened(app, stored(listed_stream())), "How it went" if key == "course_part" else "Can you trust this?")
    offered = next(radio for radio in app.radio if radio.key == key).options
    assert len(offered) == len(names)
    for name in offered:
        page = written(part(app, key, name))
        for words in HOSTILE:
            assert not re.search(rf"(?<!\\){re.escape(words)}", page), (name, words)


@pytest.mark.parametrize("name", SECTIONS)
def test_no_hostile_string_reaches_a_sink_that_reads_markdown(app: AppTest, name: str) -> None:
    """S-014, S-015: as title, file name, criterion, judge, model, run name, reason of the end."""
    app.session_state["show_names"] = True
    section(opened(app, hostile_run(), match="1"), name)
    page = written(app)
    for words in HOSTILE:
        assert not re.search(rf"(?<!\\){re.escape(words)}", page), words
    assert app.title[0].value.replace("\\", "").replace("\u2060", "") == HOSTILE[7]
    bodies = [html.proto.body for html in app.get("html")]
    assert all(re.fullmatch(r"<style>[^<>]*</style>", body) for body in bodies), "only our own style is HTML"
    assert not any(planted in body for body in bodies for planted in HOSTILE)


@pytest.mark.parametrize("part", COURSE)
def test_no_hostile_name_reaches_markdown_beside_a_chart(app: AppTest, part: str) -> None:
    app.session_state["show_names"], app.session_state["course_part"] = True, part
    page = written(section(opened(app, hostile_run()), "How it went"))
    for words in HOSTILE:
        assert not re.search(rf"(?<!\\){re.escape(words)}", page), words


def test_the_texts_of_a_match_are_shown_letter_by_letter(app: AppTest) -> None:
    """S-014: side by side, as they were written."""
    run = hostile_run()
    for place, view in bench().state(run).matches.items():
        opened(app, run, match=str(place))
        said = [element.value for element in app.text]
        for alias in (view.a, view.b):
            assert HOSTILE[int(alias[-3:]) - 1] in said


@pytest.mark.parametrize("words", HOSTILE, ids=range(len(HOSTILE)))
def test_a_marked_hostile_text_is_shown_letter_by_letter(words: str) -> None:
    """S-014: highlighted passages go through the same plain sink as the rest; nothing of a text is HTML."""
    text = f"Before. {words}\n after"
    found = find_quote(text, words)
    cut = pieces(text, {1: found or [Span(3, len(text) - 3)]})
    page = AppTest.from_function(_marked, args=(list(map(tuple, cut)),)).run()
    assert not page.exception
    said = "".join(element.value for element in page.text)
    assert said.replace("\u200b", "").replace("[1]\u00a0", "") == text.replace("\u200b", "")
    assert written(page) == f"<style>{MARKED_STYLE}</style>"


def _marked(cut: list[tuple[str, tuple[int, ...], tuple[int, ...]]]) -> None:
    from judge_core.interfaces.dashboard.safe import marked
    from judge_core.scoring.quotes import Piece

    marked([Piece(*piece) for piece in cut], "E-001")
