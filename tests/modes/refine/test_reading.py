"""What critics and authors answer, as it is read; and what the roles are told."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.modes.asking.prompts import render
from judge_core.modes.refine.dialogues import StepDialogue, VoteDialogue
from judge_core.modes.refine.forms import SPECIALISTS
from judge_core.modes.refine.lots import order_for
from judge_core.modes.refine.reading import read_critique, read_version
from judge_core.records.criteria import Rubric
from judge_core.records.errors import ReplyError
from judge_core.records.prompt import Completion, Received
from judge_core.records.record import text_hash
from judge_core.records.refinement.nouns import VERSIONS, Seat
from judge_core.scoring.voting import borda, veto
from tests.data_sets import data_folder
from tests.modes.refine.script import spec, written


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("<text>\nTrees cool.\n</text>", "Trees cool."),
        ("Here you are:\n<text>Trees cool.</text>\nI mended two faults.", "Trees cool."),
        ("<think>shorter?</think><text>\nA\n\nB\n</text>", "A\n\nB"),
        ("<text>\nIt says <text> in the middle.\n</text>", "It says <text> in the middle."),
        ("Trees cool.", "Trees cool."),
        ("<text>\n  indented\n</text>", "  indented"),
    ],
)
def test_a_version_stands_between_its_marks_or_is_the_whole_reply(reply: str, text: str) -> None:
    assert read_version(reply, "stop") == text


@pytest.mark.parametrize(
    ("reply", "finish", "code"),
    [
        ("", "stop", "empty"),
        ("<think>all thought</think>", "stop", "empty"),
        ("<text>\n\n</text>", "stop", "empty"),
        ("<text>\nTrees co", "length", "cut_text"),
        ("Trees co", "length", "cut_text"),
        ("<text>\nTrees cool.", "stop", "no_text"),
        ("Trees cool.\n</text>", "stop", "no_text"),
    ],
)
def test_a_version_that_is_empty_or_cut_is_no_version(reply: str, finish: str, code: str) -> None:
    with pytest.raises(ReplyError) as error:
        read_version(reply, finish)
    assert error.value.code == code


@given(st.text(min_size=1).filter(lambda text: text.strip() and text == text.strip("\r\n") and "<" not in text))
def test_any_text_between_its_marks_comes_back_unchanged(text: str) -> None:
    assert read_version(f"Sure.\n<text>\n{text}\n</text>\nDone.", "stop") == text


def test_a_critique_is_taken_as_it_stands() -> None:
    assert read_critique("<think>x</think>1. No examples.\n2. No end.", "length") == "1. No examples.\n2. No end."


def told(dialogue: StepDialogue | VoteDialogue, *words: str) -> tuple[str, str]:
    """System and user message of the dialogue's prompt; the texts shown are looked up among these words."""
    (ask,) = next(dialogue.open())
    texts = {text_hash(word): word for word in words}
    prompt = render(ask, Rubric(question="Why plant trees?"), texts, "t0ken")
    assert prompt.reply_schema is None
    return prompt.messages[0].content, prompt.messages[1].content


def test_the_critic_is_told_to_mend_nothing_and_sees_a_persons_note() -> None:
    shown = (written("Trees cool."), written("Mind the end."))
    system, user = told(StepDialogue(1, 1, "critic", shown, spec()), "Trees cool.", "Mind the end.")
    assert "do not mend" in system and "propose no wording" in system and "JSON" not in system + user
    assert "<<< TEXT begins | t0ken >>>\nTrees cool." in user and "<<< NOTE 1 begins | t0ken >>>\nMind the end." in user
    assert "What the text is for:\nWhy plant trees?" in user


def test_the_author_may_leave_the_text_as_it_is() -> None:
    shown = (written("Trees cool."), written("1. No reason."))
    system, user = told(StepDialogue(2, 1, "author_b", shown, spec()), "Trees cool.", "1. No reason.")
    assert "word for word" in system and "CRITIQUE begins" in user and "between <text> and </text>" in user


def test_the_synthesizer_sees_x_and_y_and_no_critique() -> None:
    shown = (written("One."), written("Two."))
    system, user = told(StepDialogue(3, 1, "synthesizer", shown, spec()), "One.", "Two.")
    assert user.index("VERSION X") < user.index("VERSION Y") and "CRITIQUE" not in user
    assert "says nothing about their quality" in system


@pytest.mark.parametrize("role", SPECIALISTS)
def test_a_judge_sees_the_versions_in_its_own_order_and_is_told_its_role(role: str) -> None:
    of = spec(panel=(Seat(judge=0), Seat(judge=0, role=role)))  # type: ignore[arg-type]
    versions = (written("A text."), written("B text."), written("AB text."))
    system, user = told(VoteDialogue(5, 1, 1, versions, of), "A text.", "B text.", "AB text.")
    assert system.startswith(SPECIALISTS[role])  # type: ignore[index]
    places = sorted(VERSIONS, key=lambda version: user.index(f"\n{version} text."))
    assert tuple(places) == order_for(of.seed, 1, 1)
    assert user.rstrip().endswith("RANKING: <best>, <second>, <worst>")


def test_a_vote_is_turned_back_to_the_versions() -> None:
    versions = (written("A text."), written("B text."), written("AB text."))
    dialogue = VoteDialogue(5, 1, 0, versions, spec())
    flow = dialogue.open()
    next(flow)
    completion = Completion(text="Good work.\nRANKING: 2, 3, 1", finish_reason="stop")
    try:
        flow.send([Received(completion=completion, reply_sha256="0", key="k", turn=0, cost=0.0)])
    except StopIteration as end:
        vote = end.value.vote
    order = dialogue.order
    assert vote.ranking == (order[1], order[2], order[0]) and vote.outcome == "ranked"


def test_peoples_rankings_of_three_have_the_published_winners() -> None:
    """316 real triples, each ranked by three people."""
    lines = (data_folder("expected") / "triples_3judges_borda.jsonl").read_text("utf-8").splitlines()
    triples, ties, total = [json.loads(line) for line in lines], 0, 0
    for triple in triples:
        rankings = list(triple["rankings"].values())
        plain, vetoed = borda(rankings, VERSIONS, "A"), veto(rankings, VERSIONS, "A")
        published = triple["conservative_winner"]
        assert plain.scores == triple["borda_n_minus_p"]
        assert plain.winner == published if isinstance(published, str) else plain.winner in published
        ties += len(triple["borda_winners"]) > 1
        total += vetoed.decided_by == "total_veto"
        assert sorted(vetoed.vetoed_by) == sorted(triple["vetoed"])
        assert vetoed.decided_by == "total_veto" or vetoed.winner in triple["veto_survivors"]
    assert (len(triples), ties, total) == (316, 3, 4)
