"""The script about a retrieval answer: what is asked when, what a verdict rests on, and what a lost reply costs."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from judge_core.modes.asking.prompts import render
from judge_core.modes.rag.form import RAG_LABELS
from judge_core.modes.rag.reading import read_labels
from judge_core.records.errors import ReplyError
from judge_core.records.item_verdict import RagVerdict
from judge_core.records.prompt import Ask, Failure
from judge_core.records.record import text_hash
from judge_core.records.spec import JudgeSpec
from tests.modes.rag_play import (
    JUDGE,
    LOST,
    RUBRIC,
    Answer,
    Game,
    claims_reply,
    item_of,
    labels_reply,
    play,
    score_reply,
)

QUESTION = ("question", "When does the library open?")
ANSWER = ("answer", "At ten, and it closes at four.")
PASSAGES = (("passage", "Open from 10 to 16."), ("passage", "Dogs stay outside."))
REFERENCE = ("reference", "From 10 to 16, Sundays excepted.")
PLAIN = item_of(QUESTION, ANSWER, *PASSAGES)
GIVEN = item_of(QUESTION, ANSWER, *PASSAGES, ("claim", "It opens at ten."), ("claim", "It closes at five."))
COMPARED = item_of(QUESTION, ANSWER, *PASSAGES, REFERENCE)
REPLIES: Mapping[str, str | Failure] = {
    "rag_claims": claims_reply("It opens at ten.", "It closes at four."),
    "rag_labels": labels_reply([("supported", [1]), ("supported", [1])], [True, False]),
    "rag_coverage": labels_reply([("supported", []), ("not_found", [])]),
    "pointwise": score_reply(4),
}


def says(**replies: str | Failure) -> Answer:
    return lambda ask: (REPLIES | replies)[ask.mode]


def verdict_of(game: Game) -> RagVerdict:
    verdict = game.opinion.verdict
    assert isinstance(verdict, RagVerdict)
    return verdict


def shape(game: Game) -> list[list[str]]:
    return [[ask.mode for ask in asks] for asks in game.rounds]


def test_claims_and_scores_are_asked_together_then_labels() -> None:
    game = play(PLAIN, says())
    assert shape(game) == [["rag_claims", "pointwise"], ["rag_labels"]]
    labels = game.rounds[1][0]
    assert labels.claims == ("It opens at ten.", "It closes at four.")
    assert labels.roles == ("question", "answer", "passage", "passage")
    metrics = verdict_of(game).metrics
    assert (metrics.faithfulness, metrics.context_precision, metrics.context_utilisation) == (1.0, 1.0, 1.0)
    assert metrics.answer_relevance == 0.75
    assert verdict_of(game).scores == {"Answer relevance": 4}
    assert metrics.coverage is None
    assert game.codes == []


def test_claims_that_the_data_gives_are_not_asked_for() -> None:
    game = play(GIVEN, says(rag_labels=labels_reply([("supported", [1]), ("contradicted", [1])], [True, False])))
    assert shape(game) == [["pointwise"], ["rag_labels"]]
    assert game.rounds[1][0].roles[-2:] == ("claim", "claim")
    assert game.rounds[1][0].claims == ()
    assert (verdict_of(game).metrics.faithfulness, verdict_of(game).metrics.contradiction) == (0.5, 0.5)


def test_a_reference_answer_is_taken_apart_and_its_claims_are_looked_for_in_the_answer() -> None:
    def answer(ask: Ask) -> str | Failure:
        if ask.mode == "rag_claims" and "reference" in ask.roles:
            return claims_reply("It opens at ten.", "It is closed on Sundays.")
        return REPLIES[ask.mode]

    game = play(COMPARED, answer)
    assert shape(game) == [["rag_claims", "rag_claims", "pointwise"], ["rag_labels", "rag_coverage"]]
    coverage = game.rounds[1][1]
    assert coverage.claims == ("It opens at ten.", "It is closed on Sundays.")
    assert coverage.texts == (text_hash(QUESTION[1]), text_hash(ANSWER[1]))
    assert verdict_of(game).metrics.coverage == 0.5
    assert [claim.verdict for claim in verdict_of(game).reference_claims] == ["supported", "not_found"]


def test_j_089_a_refusal_has_no_faithfulness_and_says_so() -> None:
    """No claim: None, neither 0 nor 1; the passages are labelled all the same."""
    game = play(PLAIN, says(rag_claims='{"claims": []}', rag_labels=labels_reply([], [False, True])))
    metrics = verdict_of(game).metrics
    assert (metrics.faithfulness, metrics.contradiction, metrics.context_utilisation) == (None, None, None)
    assert metrics.context_precision == 0.5
    assert metrics.answer_relevance == 0.75
    assert game.codes == ["no_claims"]


def test_without_claims_and_passages_there_is_nothing_to_label() -> None:
    game = play(item_of(QUESTION, ANSWER), says(rag_claims='{"claims": []}'))
    assert shape(game) == [["rag_claims", "pointwise"]]
    assert verdict_of(game).metrics.faithfulness is None
    assert verdict_of(game).metrics.answer_relevance == 0.75


def test_without_passages_no_claim_is_supported_whatever_a_judge_would_say() -> None:
    """I-020: nobody is asked where there is nothing to find a claim in; claims given and claims found alike."""
    for item in (item_of(QUESTION, ANSWER), item_of(QUESTION, ANSWER, ("claim", "It opens at ten."))):
        game = play(item, says())
        assert all("rag_labels" not in modes for modes in shape(game))
        verdict = verdict_of(game)
        assert verdict.claims and {claim.verdict for claim in verdict.claims} == {"not_found"}
        assert verdict.metrics.faithfulness == 0.0 and game.codes == ["no_passages"]


def test_support_without_a_passage_is_warned_of() -> None:
    bare = labels_reply([("supported", [1]), ("supported", [])], [True, False])
    game = play(PLAIN, says(rag_labels=bare))
    assert game.codes == ["no_evidence"] and verdict_of(game).metrics.faithfulness == 1.0


@pytest.mark.parametrize("lost", [LOST, "I would rather not say."])
def test_without_the_claims_nothing_more_is_asked_and_there_is_no_verdict(lost: str | Failure) -> None:
    game = play(PLAIN, says(rag_claims=lost))
    assert game.opinion.verdict is None
    assert all("rag_labels" not in modes for modes in shape(game))


def test_j_088_labels_that_do_not_fit_are_asked_for_once_more_and_then_there_is_no_verdict() -> None:
    short = labels_reply([("supported", [1])], [True, False])
    game = play(PLAIN, says(rag_labels=short))
    assert shape(game) == [["rag_claims", "pointwise"], ["rag_labels"], ["rag_labels"]]
    assert game.rounds[2][0].repair is not None and "claim 2" in game.rounds[2][0].repair.problem
    assert game.opinion.verdict is None
    assert game.panel.played[0].unread


def test_labels_that_are_mended_on_repair_count() -> None:
    short = labels_reply([("supported", [1])], [True, False])
    game = play(PLAIN, lambda ask: short if ask.mode == "rag_labels" and ask.repair is None else REPLIES[ask.mode])
    assert verdict_of(game).metrics.faithfulness == 1.0
    assert game.codes == ["repaired"]


@pytest.mark.parametrize("lost", [LOST, "No."])
def test_missing_scores_leave_the_other_figures(lost: str | Failure) -> None:
    game = play(PLAIN, says(pointwise=lost))
    metrics = verdict_of(game).metrics
    assert (metrics.faithfulness, metrics.answer_relevance, verdict_of(game).scores) == (1.0, None, {})
    assert game.codes == ["part_missing"]


@pytest.mark.parametrize("lost", [LOST, "No."])
def test_missing_coverage_leaves_the_other_figures(lost: str | Failure) -> None:
    game = play(COMPARED, says(rag_coverage=lost))
    assert (verdict_of(game).metrics.faithfulness, verdict_of(game).metrics.coverage) == (1.0, None)
    assert game.codes == ["part_missing"]


def test_a_reference_that_was_not_taken_apart_leaves_the_other_figures() -> None:
    game = play(COMPARED, lambda ask: LOST if "reference" in ask.roles else REPLIES[ask.mode])
    assert shape(game)[1] == ["rag_labels"]
    assert (verdict_of(game).metrics.faithfulness, verdict_of(game).metrics.coverage) == (1.0, None)
    assert game.codes == ["part_missing"]


def test_passages_that_were_not_shown_warn_beside_the_verdict() -> None:
    game = play(PLAIN, says(rag_labels=labels_reply([("supported", [1]), ("supported", [7])], [True, False])))
    assert verdict_of(game).claims[1].passages == ()
    assert game.codes == ["unknown_passage", "no_evidence"]


def test_claims_far_longer_than_the_answer_are_asked_for_again() -> None:
    game = play(PLAIN, says(rag_claims=claims_reply(*["x" * 1500] * 3)))
    assert game.opinion.verdict is None
    assert game.panel.played[0].unread


def test_the_judges_of_a_panel_each_work_on_their_own_claims() -> None:
    def answer(ask: Ask) -> str | Failure:
        if ask.judge == 1 and ask.mode == "rag_claims":
            return claims_reply("It opens at ten.")
        if ask.judge == 1 and ask.mode == "rag_labels":
            return labels_reply([("not_found", [])], [True, True])
        return REPLIES[ask.mode]

    other = JudgeSpec(name="k", provider="openai_compatible", model="n")
    game = play(PLAIN, answer, (JUDGE, other))
    assert shape(game) == [["rag_claims", "pointwise"] * 2, ["rag_labels"] * 2]
    verdicts = [played.verdict.verdict for played in game.panel.played if played.verdict]
    assert [verdict.metrics.faithfulness for verdict in verdicts if isinstance(verdict, RagVerdict)] == [1.0, 0.0]


WORDS = {text_hash(text): text for _, text in (QUESTION, ANSWER, *PASSAGES, REFERENCE)}


def prompts(game: Game) -> dict[str, str]:
    rendered = [render(ask, RUBRIC, WORDS, "4f0c") for asks in game.rounds for ask in asks]
    return {prompt.sheet.mode: prompt.messages[-1].content for prompt in rendered}


def test_the_judge_sees_question_answer_passages_and_claims_under_neutral_names() -> None:
    shown = prompts(play(PLAIN, says()))
    for name in ("QUESTION", "ANSWER", "PASSAGE 1", "PASSAGE 2", "CLAIM 1", "CLAIM 2"):
        assert f"<<< {name} begins | 4f0c >>>" in shown["rag_labels"]
    assert '{"id":"2","verdict":"<supported, contradicted or not_found>"' in shown["rag_labels"]
    assert '{"id":"2","relevant":<true or false>}' in shown["rag_labels"]
    assert "<<< QUESTION begins" in shown["pointwise"] and "<<< ANSWER begins" in shown["pointwise"]
    assert "<<< PASSAGE" not in shown["pointwise"] + shown["rag_claims"]
    assert "Criteria:" not in shown["rag_labels"]


def test_coverage_shows_the_answer_and_the_claims_but_not_the_reference() -> None:
    shown = prompts(play(COMPARED, says()))["rag_coverage"]
    assert ANSWER[1] in shown and "<<< CLAIM 2 begins" in shown
    assert REFERENCE[1] not in shown and "PASSAGE" not in shown


def test_the_schema_of_labels_asks_for_every_number_once() -> None:
    ask = play(PLAIN, says()).rounds[1][0]
    schema = RAG_LABELS.schema(ask, RUBRIC)["properties"]
    assert (schema["claims"]["minItems"], schema["claims"]["maxItems"]) == (2, 2)
    assert schema["claims"]["items"]["properties"]["id"]["enum"] == ["1", "2"]
    assert schema["passages"]["items"]["properties"]["id"]["enum"] == ["1", "2"]


def test_a_form_that_is_filled_in_by_nobody_is_refused() -> None:
    """The skeleton of the prompt is not a reply."""
    ask = play(PLAIN, says()).rounds[1][0]
    with pytest.raises(ReplyError):
        read_labels(RAG_LABELS.skeleton(ask, RUBRIC), 2, 2)
