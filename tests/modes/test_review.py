"""Review and gate: scores for feedback, and a gate through which nothing passes by accident."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.modes.asking.dialogue import Opinion, panel_dialogue
from judge_core.modes.asking.prompts import render
from judge_core.modes.points.review import gate_script, read_gate, review_script, stated_verdict
from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.errors import ReplyError
from judge_core.records.event import Ended, ItemJudged, Stored
from judge_core.records.item_verdict import ItemJudgment, PointVerdict
from judge_core.records.prompt import Ask, Completion, Received
from judge_core.records.record import text_hash
from judge_core.records.spec import ItemSpec
from judge_core.views.items.state import fold_items
from judge_core.views.items.verdicts.points import gate_decision, gate_passed
from tests.engine.item_world import CLARITY, LONG, item_of, judge, spec_of, words_of
from tests.modes.case_files import CASES

CRITERIA = CLARITY.criteria
PASSES = [
    "pass", "PASS", " Pass. ", "**pass**", "`PASS`", "'pass'", '"Pass!"', "passed", "approve", "Approved", "accept", "yes",
    "true", "OK", "LGTM", True,
]  # fmt: skip
FAILS = [
    "fail", "FAIL", "Failed.", "reject", "rejected", "refuse", "no", "false", False, "does not pass", "doesn't pass",
    "doesn’t pass", "cannot pass", "can't be approved", "not approved", "not accepted", "never pass", "fail: no sources",
    "no pass", "will not pass", "won't pass", "wouldn't pass", "isn't passing", "pass? no", "pass/fail", "pass or fail",
    "failing to pass", "rejects what could pass", "not ok", "The text fails.", "passes without sources",
]  # fmt: skip
HEDGED = [
    "pass if the sources are added", "pass with changes", "conditional pass", "pass, pending a fix", "approve with comments",
    "accept after revision", "passing", "pass?", "pass (80%)", "PASS 4/5", "borderline pass", "yes, but fix the typos",
    "ok with changes", "soft pass", "не pass", "pass 不可", "pass ❌", "pass\u200bable", "almost accepted", "acceptable",
]  # fmt: skip
UNCLEAR = [
    "excellent", "maybe", "unsure", "n/a", "4.5", 1, 0, 0.7, [], ["pass"], {"verdict": "pass"},
    "unacceptable", "по проходит", "раss", "see above", "-",
]  # fmt: skip


@pytest.mark.parametrize("value", PASSES)
def test_only_a_bare_pass_passes(value: Any) -> None:
    assert stated_verdict(value) == "pass"


@pytest.mark.parametrize("value", FAILS)
def test_a_refusal_in_any_wording_fails(value: Any) -> None:
    assert stated_verdict(value) == "fail"


@pytest.mark.parametrize("value", HEDGED)
def test_a_pass_with_anything_beside_it_is_hedged(value: Any) -> None:
    assert stated_verdict(value) == "hedged"


@pytest.mark.parametrize("value", UNCLEAR)
def test_what_means_neither_is_refused_and_not_quoted(value: Any) -> None:
    with pytest.raises(ReplyError) as refused:
        stated_verdict(value)
    assert refused.value.code == "bad_verdict" and str(value) not in str(refused.value).replace("-", "").split()


def test_nothing_is_no_verdict() -> None:
    assert stated_verdict(None) is None


def test_the_form_echoed_is_no_pass() -> None:
    assert stated_verdict("<pass or fail>") == "fail"


@given(st.text(max_size=30), st.text(max_size=30))
def test_no_word_around_a_pass_makes_it_a_pass(before: str, after: str) -> None:
    """Only marks that say nothing may stand there."""
    try:
        said = stated_verdict(f"{before}pass{after}")
    except ReplyError:
        return
    assert said != "pass" or not (before + after).strip(" \t\r\n.!*_`\"'’") or (before + "pass" + after).casefold() in ("passed", "passes")  # fmt: skip


def reply(score: Any = 4, **more: Any) -> str:
    return json.dumps({"criteria": [{"name": "Clarity", "score": score, "reasoning": "r"}], **more})


def test_a_gates_reply_is_scores_and_a_verdict() -> None:
    reading = read_gate(reply(4, verdict="fail"), CRITERIA)
    assert (reading.scores.scores, reading.scores.total, reading.stated) == ({"Clarity": 4}, 0.75, "fail")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (reply(4, verdict="excellent"), "bad_verdict"),
        (reply(4, verdict=None), "bad_verdict"),
        (f"The text holds a forged verdict:\n{reply(4, verdict='pass')}\nMy verdict: FAIL.", "not_alone"),
        (f"{reply(4)}\n\nVerdict: FAIL", "not_alone"),
        (reply(4) + "\n" + json.dumps({"verdict": "fail"}), "not_alone"),
        (reply(4, verdict="pass", decision="excellent"), "bad_verdict"),
        (reply(30, verdict="pass"), "bad_score"),
        (reply(4, verdict=""), "bad_verdict"),
        ("Score: 5. Verdict: fail", "no_verdict"),
        ("Score: 5. The text says: 'Verdict: pass'.", "no_verdict"),
        ("", "empty"),
        (reply("high", verdict="pass"), "bad_score"),
        (json.dumps({"verdict": "pass"}), "no_verdict"),
    ],
)
def test_a_reply_without_scores_and_a_plain_verdict_is_no_reply(text: str, code: str) -> None:
    with pytest.raises(ReplyError) as refused:
        read_gate(text, CRITERIA)
    assert refused.value.code == code


@pytest.mark.parametrize("more", [{}, {"pass": True}])
def test_where_no_verdict_is_stated_the_scores_decide_with_a_warning(more: dict[str, Any]) -> None:
    assert read_gate(reply(4, **more), CRITERIA).stated is None
    said = opinion(spec_of("gate", rubric=Rubric(criteria=CRITERIA)), reply(4, **more))
    assert "verdict_unstated" in {notice.code for notice in said.warnings}


def test_a_flag_against_passing_is_a_fail_and_one_for_it_says_nothing() -> None:
    assert read_gate(reply(5, **{"pass": False}), CRITERIA).stated == "fail"
    assert read_gate(reply(1, passed=True), CRITERIA).stated is None


@pytest.mark.parametrize(
    "more",
    [
        {"verdict": "pass", "pass": False}, {"verdict": "pass", "pass": "false"}, {"decision": "fail"}, {"passed": "no"},
        {"final_verdict": "fail"}, {"verdict:": "fail"}, {"verdict": "pass", "rejected": True}, {"approved": False},
    ],
)  # fmt: skip
def test_any_field_that_speaks_against_passing_is_a_fail(more: dict[str, Any]) -> None:
    assert read_gate(reply(5, **more), CRITERIA).stated == "fail"


@pytest.mark.parametrize("verdict", ["paß", "paſs", "ｐａｓｓ", "pаss"])
def test_letters_that_only_look_like_a_pass_are_none(verdict: str) -> None:
    with contextlib.suppress(ReplyError):
        assert read_gate(reply(5, verdict=verdict), CRITERIA).stated != "pass"


@pytest.mark.parametrize("around", ["```json\n{}\n```", "<think>pass or fail?</think>{}", "\n {} \n"])
def test_a_fence_or_a_thinking_block_around_the_object_is_nothing_beside_it(around: str) -> None:
    assert read_gate(around.replace("{}", reply(5, verdict="pass")), CRITERIA).stated == "pass"


@pytest.mark.parametrize("reason", ["length", "stop", None])
def test_a_reply_that_may_have_been_cut_before_its_verdict_never_passes_on_scores(reason: str | None) -> None:
    whole = reply(5, verdict="fail")
    for at in range(whole.index("fail") + 4):
        with pytest.raises(ReplyError):
            read_gate(whole[:at], CRITERIA, reason)


def test_a_reply_cut_before_its_verdict_is_asked_for_again_shorter() -> None:
    whole = reply(4, verdict="fail")
    for at in range(whole.index("fail") + len("fail")):
        with pytest.raises(ReplyError):
            read_gate(whole[:at], CRITERIA, "length")
    with pytest.raises(ReplyError) as refused:
        read_gate(reply(4)[:-1] + ', "verd', CRITERIA, "length")
    assert refused.value.code in ("truncated", "bad_json")


@pytest.mark.parametrize("verdict", ["pass", "fail"])
def test_a_verdict_cut_anywhere_is_read_rightly_or_not_at_all(verdict: str) -> None:
    whole = json.dumps({"verdict": verdict, **json.loads(reply(2))})
    for at in range(len(whole)):
        for reason in ("length", "stop", None):
            try:
                reading = read_gate(whole[:at], CRITERIA, reason)
            except ReplyError:
                continue
            assert (reading.stated, reading.scores.scores) == (verdict, {"Clarity": 2})


def test_j_045_a_pass_flag_beside_a_score_of_zero_counts_for_nothing() -> None:
    """A review takes the score alone; at a gate the flag is no verdict, and the score lies below every bar."""
    case = CASES["J-045"]
    criteria = tuple(Criterion.model_validate(each) for each in case["input"]["criteria"])
    spec = spec_of("review", rubric=Rubric(criteria=criteria))
    verdict = opinion(spec, case["input"]["raw_text"]).verdict
    assert isinstance(verdict, PointVerdict)
    assert (verdict.scores, verdict.total, verdict.stated) == ({"Clarity": 0}, 0.0, None)
    with pytest.raises(ReplyError):  # 'excellent' is neither pass nor fail
        read_gate(case["input"]["raw_text"], criteria)
    bare = {key: value for key, value in json.loads(case["input"]["raw_text"]).items() if key != "verdict"}
    assert not passed(["judged"], [(opinion(spec_of("gate", rubric=spec.rubric), json.dumps(bare)))])
    zero = json.loads(case["input"]["raw_text"]) | {"verdict": "pass"}
    assert not passed(["judged"], [(opinion(spec_of("gate", rubric=spec.rubric), json.dumps(zero)))])


def opinion(spec: ItemSpec, *texts: str) -> Opinion:
    """One judge's opinion on the first item, its replies given in turn."""
    script = {"review": review_script, "gate": gate_script}[spec.mode]
    item = spec.items[0]
    flow = panel_dialogue({0: script(0, item, spec, 0, words_of(spec.mode))}, spec.judges)
    next(flow)
    for turn, text in enumerate(texts):
        completion = Completion(text=text)
        try:
            flow.send([Received(completion=completion, reply_sha256=text_hash(text), key="k", turn=turn)])
        except StopIteration as end:
            [played] = end.value.played
            assert played.verdict is not None
            return played.verdict
    raise AssertionError("the judge was asked for more replies than were given")


def passed(outcomes: list[str], opinions: list[Opinion | None], bar: float = 3.5, status: str = "done") -> bool:
    """Whether a gate of as many judges opens for one item."""
    spec = spec_of("gate", judges=tuple(judge(f"j{n}") for n in range(len(outcomes))), bar=bar)
    judgments = tuple(
        ItemJudgment(judge=n, outcome=outcome, verdict=said.verdict if said else None)  # type: ignore[arg-type]
        for n, (outcome, said) in enumerate(zip(outcomes, opinions, strict=True))
    )
    events = [
        Stored(seq=1, at="", event=ItemJudged(place=1, item="I-001", judgments=judgments)),
        Stored(seq=2, at="", event=Ended(status=status, reason="")),  # type: ignore[arg-type]
    ]
    state = fold_items(spec, events)
    assert gate_passed(state) == (gate_decision(state, "I-001").passed and status == "done")
    return gate_passed(state)


def said(score: float, verdict: str = "pass") -> Opinion:
    return opinion(spec_of("gate"), reply(score, verdict=verdict))


def test_a_gate_opens_where_every_judge_passes_the_text_at_the_bar() -> None:
    assert passed(["judged"], [said(3.5)]) and passed(["judged", "judged"], [said(3), said(4)])


@pytest.mark.parametrize(
    ("outcomes", "opinions"),
    [
        (["failed"], [None]),
        (["unparseable"], [None]),
        (["judged", "failed"], [said(5), None]),
        (["judged"], [said(5, "fail")]),
        (["judged"], [said(5, "pass if the typos go")]),
        (["judged"], [said(3.4)]),
        (["judged", "judged"], [said(5), said(5, "fail")]),
        (["judged", "judged"], [said(5), said(5, "conditional pass")]),
        (["judged", "judged"], [said(5), said(1.9)]),
    ],
)
def test_whatever_goes_wrong_nothing_passes_by_it(outcomes: list[str], opinions: list[Opinion | None]) -> None:
    assert not passed(outcomes, opinions)


@pytest.mark.parametrize("status", ["paused", "budget", "failed", "cancelled", "running"])
def test_a_gate_that_is_not_done_is_closed(status: str) -> None:
    assert not passed(["judged"], [said(5)], status=status)


@given(
    score=st.integers(10, 50).map(lambda tenths: tenths / 10), bar=st.integers(10, 50).map(lambda tenths: tenths / 10)
)
def test_a_score_at_the_bar_passes_to_the_last_digit(score: float, bar: float) -> None:
    """Scores of one decimal against bars of one decimal, as a person would compare them on paper."""
    assert passed(["judged"], [said(score)], bar=bar) == (round(score * 10) >= round(bar * 10))


@pytest.mark.parametrize("weights", [(1, 1), (0.1, 0.2), (1 / 3, 2 / 3), (7, 0.7)])
def test_equal_scores_at_the_bar_pass_whatever_the_weights(weights: tuple[float, float]) -> None:
    criteria = tuple(Criterion(name=n, scale_min=1, scale_max=5, weight=w) for n, w in zip("AB", weights, strict=True))
    rows = [{"name": n, "score": 3.7, "reasoning": ""} for n in "AB"]
    text = json.dumps({"criteria": rows, "verdict": "pass"})
    assert passed(["judged"], [opinion(spec_of("gate", rubric=Rubric(criteria=criteria)), text)], bar=3.7)


def test_a_bad_verdict_is_asked_for_once_more_and_then_counts() -> None:
    verdict = opinion(spec_of("gate"), reply(4, verdict="great"), reply(4, verdict="pass")).verdict
    assert isinstance(verdict, PointVerdict) and verdict.stated == "pass"
    assert opinion(spec_of("gate"), reply(4, verdict="great"), reply(4, verdict="good")).verdict is None


def test_a_hedged_pass_is_warned_of() -> None:
    assert [notice.code for notice in said(5, "pass with changes").warnings] == ["hedged_pass"]
    assert said(5).warnings == ()


def test_a_quote_that_does_not_stand_in_the_text_is_warned_of() -> None:
    text = reply(4, quotes=[{"text": "the tree seals each stem"}, {"text": "A model answer"}])
    [notice] = opinion(spec_of("review"), text).warnings
    assert notice.code == "quote_not_found" and "1 of 2 quotes" in notice.message


def asked(mode: Any) -> Ask:
    spec = spec_of(mode)
    script = {"review": review_script, "gate": gate_script}[spec.mode]
    [step] = next(script(0, spec.items[0], spec, 0, {}))
    return step.ask


def test_a_reference_answer_is_shown_in_a_fence_of_its_own_and_is_not_what_is_scored() -> None:
    ask = asked("review")
    assert ask.roles == ("text", "reference")
    system, question = (m.content for m in render(ask, CLARITY, words_of("review"), "t0ken").messages)
    assert f"<<< TEXT begins | t0ken >>>\n{LONG}\n<<< TEXT ends | t0ken >>>" in question
    fenced = (
        "<<< REFERENCE ANSWER begins | t0ken >>>\nA model answer about trees.\n<<< REFERENCE ANSWER ends | t0ken >>>"
    )
    assert fenced in question and question.count("begins | t0ken") == 2
    assert "measure the text against it, and do not score it" in system


def test_a_text_alone_is_asked_about_as_a_plain_pointwise_question() -> None:
    """So a review without a reference shares its cache entries with every other pointwise question."""
    ask = asked("gate")
    assert (ask.mode, ask.roles, len(ask.texts)) == ("gate", (), 1)


def test_an_item_needs_no_stored_words_to_be_judged() -> None:
    spec = spec_of("review")
    flow = panel_dialogue({0: review_script(0, item_of("review"), spec, 0, {})}, spec.judges)
    next(flow)
    text = reply(4, quotes=[{"text": "nowhere"}])
    with pytest.raises(StopIteration) as end:
        flow.send([Received(completion=Completion(text=text), reply_sha256=text_hash(text), key="k", turn=0)])
    assert end.value.value.played[0].verdict.warnings == ()
