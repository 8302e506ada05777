"""Every recorded reply is read as its case demands, in every mode."""

from __future__ import annotations

from typing import Any

import pytest

from judge_core.modes.pairs.pairwise import read_pairwise
from judge_core.modes.shown.read_reply import read_reply
from judge_core.records.criteria import OVERALL, Criterion
from tests.modes.case_files import CASES

MODES = {
    "pairwise_criteria": "pairwise",
    "pointwise_criteria": "pointwise",
    "verdict_text": "pairwise",
    "listwise": "listwise",
    "ranking_line": "refine",
    "rag_claims": "rag",
}
WARNED = {
    "Clarity A was 11": "Clarity A was 11",
    "Evidence B was -1": "Evidence B was -1",
    "unknown criterion Overall ignored": "unknown criterion",
    "stated winner A differs from the scores": "judge named text A as the winner, but its own scores give text B",
    "verdict taken from the reasoning field": "stood in the judge's reasoning",
}
"""What a case wants to be warned of: the words that must stand in a warning."""
SHOWN = {
    "J-005": ("max_tokens",),
    "J-015": ("cut", "max_tokens"),
    "J-030": ("'Evidence'",),
    "J-055": ("no answer text", "used up by reasoning"),
}
"""Words that an error must hold."""


RANKED = {"J-074": ["2", "1", "3"], "J-076": ["2", "3", "1"]}
"""The only cases whose ranking counts: in all others something is missing, named twice or tied."""


def variants() -> list[Any]:
    found = []
    for ident, case in CASES.items():
        given = case.get("input")
        if not isinstance(given, dict) or given.get("mode") not in MODES:
            continue
        raws = given.get("raw_variants") or [given.get("raw_text", given.get("message"))]
        found += [pytest.param(case, raw, id=f"{ident}-{number}") for number, raw in enumerate(raws)]
    return found


def criteria_of(case: dict[str, Any]) -> tuple[Criterion, ...]:
    return tuple(Criterion(**criterion) for criterion in case["input"].get("criteria", [])) or (OVERALL,)


def read(case: dict[str, Any], raw: Any) -> dict[str, Any]:
    given = case["input"]
    return read_reply(
        MODES[given["mode"]],
        raw,
        criteria_of(case),
        given.get("finish_reason"),
        labels=given.get("labels", given.get("valid_labels")),
        claims=given.get("claims_given"),
    )


def test_the_cases_are_all_here() -> None:
    recorded = {ident for ident, case in CASES.items() if case["kind"] == "judge_output"}
    assert len(recorded) == 44 and recorded <= {param.values[0]["id"] for param in variants()}


@pytest.mark.parametrize(("case", "raw"), variants())
def test_a_reply_is_read_as_its_case_demands(case: dict[str, Any], raw: Any) -> None:
    expect, got = case["expect"], read(case, raw)
    allowed = [expect["result"], *(other.split()[0] for other in expect.get("also_ok", []))]
    assert got["status"] in allowed
    if got["status"] == "ok":
        check_numbers(case, got)
        check_warnings(expect, got)
    else:
        assert (got["scores"], got["totals"], got["winner"], got["ranking"]) == ({}, None, None, None)
        assert all(word in got["error"] for word in SHOWN.get(case["id"], ("",)))


def check_numbers(case: dict[str, Any], got: dict[str, Any]) -> None:
    if case["id"] == "J-042":
        assert got["scores"] == {"Clarity": [8, 6], "Evidence": [7, 5]}, "the last object counts"
        return
    expect = case["expect"]
    assert got["winner"] == expect.get("winner")
    assert got["ranking"] == RANKED.get(case["id"])
    if "scores" in expect:
        assert got["scores"] == expect["scores"]
    if "totals_norm" in expect:
        assert got["totals"] == pytest.approx(expect["totals_norm"], abs=1e-9)
    if "total_norm" in expect:
        assert got["totals"] == pytest.approx(expect["total_norm"], abs=1e-9)


def check_warnings(expect: dict[str, Any], got: dict[str, Any]) -> None:
    messages = " ".join(warning["message"] for warning in got["warnings"])
    assert all(WARNED[words] in messages for words in expect.get("warnings_about", []))
    if "totals_norm" in expect and expect["result"] == "ok":
        assert not any(warning["code"] == "parse_fallback" for warning in got["warnings"])


@pytest.mark.parametrize("ident", [ident for ident, case in CASES.items() if "rationale_exact" in case["expect"]])
def test_reasons_stand_exactly_as_the_judge_wrote_them(ident: str) -> None:
    case = CASES[ident]
    reading = read_pairwise(case["input"]["raw_text"], criteria_of(case))
    reasons = {reason.name: reason.text for reason in reading.reasons}
    assert {name: reasons[name] for name in case["expect"]["rationale_exact"]} == case["expect"]["rationale_exact"]


@pytest.mark.parametrize("ident", ["J-011", "J-014"])
def test_a_mended_reply_says_so(ident: str) -> None:
    assert [w["code"] for w in read(CASES[ident], CASES[ident]["input"]["raw_text"])["warnings"]] == ["json_mended"]


def test_a_reply_cut_after_all_scores_says_so() -> None:
    case = CASES["J-016"]
    assert [w["code"] for w in read(case, case["input"]["raw_text"])["warnings"]] == ["truncated"]


def test_prose_is_flagged() -> None:
    case = CASES["J-051"]
    assert [w["code"] for w in read(case, case["input"]["raw_text"])["warnings"]] == ["parse_fallback"]


@pytest.mark.parametrize("ident", ["J-079", "J-082", "J-084"])
def test_a_ballot_that_is_no_whole_ranking_abstains(ident: str) -> None:
    given = CASES[ident]["input"]
    for raw in given.get("raw_variants") or [given["raw_text"]]:
        assert (read(CASES[ident], raw)["status"], read(CASES[ident], raw)["ranking"]) == ("abstain", None)


def test_an_answer_without_claims_has_no_figure_and_says_so() -> None:
    got = read(CASES["J-089"], CASES["J-089"]["input"]["raw_text"])
    assert (got["claims"], set(got["metrics"].values())) == ([], {None})
    assert [warning["code"] for warning in got["warnings"]] == ["no_claims"]
