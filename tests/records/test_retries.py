"""Which judgments count where a retry asked the same again, be it for the run or for the page."""

from __future__ import annotations

from judge_core.modes.rank.book import Book
from judge_core.records.item_verdict import ItemJudgment, PointVerdict
from judge_core.records.retries import answered, counting
from judge_core.records.verdict import Judgment, MatchResult
from judge_core.views.matches import MatchView, retried
from tests.engine.toy import spec

FAILED = Judgment(judge=0, outcome="failed")
DRAWN = Judgment(judge=0, outcome="failed", result=0.5)
"""What a run's policy makes of a failed one."""
WON = Judgment(judge=0, outcome="won", result=1.0)
LOST = Judgment(judge=0, outcome="lost", result=0.0)


def test_a_verdict_once_given_stays_and_any_other_attempt_gives_way():
    for attempts, kept in (
        ((FAILED, WON), 2), ((WON, FAILED), 1), ((WON, LOST), 1), ((FAILED, FAILED), 2), ((DRAWN, WON), 2),
        ((WON, DRAWN), 1), ((FAILED, WON, DRAWN), 2),
    ):  # fmt: skip
        found = counting(enumerate(attempts, start=1))
        assert found.places == (kept,) and found.judgments == (attempts[kept - 1],)
        assert sorted(place for place, _ in found.replaced) == [n for n in range(1, len(attempts) + 1) if n != kept]


def test_a_draw_by_policy_is_no_answer_of_the_judge():
    assert answered(WON) and not answered(FAILED) and not answered(DRAWN) and DRAWN.decided
    assert answered(ItemJudgment(judge=0, outcome="judged", verdict=PointVerdict(scores={}, total=0.5)))
    assert not answered(ItemJudgment(judge=0, outcome="failed"))


def test_judges_stand_in_the_order_of_the_panel_each_by_itself():
    other = WON.model_copy(update={"judge": 1})
    found = counting([(1, other), (1, FAILED), (2, WON)])
    assert found.kept == ((2, WON), (1, other)) and found.replaced == ((1, FAILED),)


def test_the_run_and_the_page_keep_the_same_verdict_when_a_retry_ends_in_a_draw_by_policy():
    book, meeting = Book(spec(2)), (1, ("E-001", "E-002"))
    for judgment in (WON, DRAWN):
        book.judged_pair(meeting, MatchResult(a="E-001", b="E-002", judgments=(judgment,)))
    views = [
        MatchView(place, 1, "E-001", "E-002", (judgment,), (place,), judgment.result, {}, {}, place)
        for place, judgment in ((1, WON), (2, DRAWN))
    ]
    shown = retried(*views, book.spec.judges)
    assert shown.judgments == book.pairs[meeting] == (WON,)
    assert shown.places == (1,) and shown.replaced == ((2, DRAWN),)
