"""The page of a tournament under way, of one without a signal, and of one that failed; hostile words in all of them."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from judge_core.interfaces.dashboard.refine_result.live import steps_now
from judge_core.records.refinement.nouns import Version
from judge_core.views.refine.state import fold_refinement
from tests.modes.refine.script import Ranking, Script, spec
from tests.pages.stored_runs import bench, opened, shown, written
from tests.pages.stored_tournaments import better, live_tournament, stored_tournament

TURNS: tuple[Ranking, ...] = (("A", "B", "AB"), ("B", "AB", "A"), ("AB", "A", "B"))
"""Each version first, second and last once: agreement 0."""


def test_a_running_pass_shows_its_steps_the_way_so_far_and_the_text_that_stands(app: AppTest, home: Path) -> None:
    run = live_tournament(bench(), Script(["AB", "A", "A"], better), last=1 + 7 + 5)
    page = shown(opened(app, run))
    assert "Pass 2" in page and "Author revises: done" in page and "Judges rank, 2 of 3: now" in page.replace("*", "")
    assert "1 of at most 10 passes" in page and "How pass 1 was decided" in page
    assert len(app.get("plotly_chart")) == 2
    assert any("The second version" in str(one.value) for one in app.get("code"))


def test_steps_begin_with_the_critic() -> None:
    steps = steps_now(fold_refinement(spec(), []))
    assert [mark for _, mark in steps] == ["now", "next", "next", "next"] and steps[-1][0] == "Judges rank, 0 of 3"


def test_low_agreement_is_said_plainly(app: AppTest, home: Path) -> None:
    run = stored_tournament(bench(), Script([TURNS]))
    opened(app, run)
    assert "The judges hardly agree; who won may be chance." in app.warning[0].value
    assert "Kendall's W 0.00; drawing lots gives 0.33" in shown(app)


def test_judges_who_agree_raise_no_warning(app: AppTest, home: Path) -> None:
    opened(app, stored_tournament(bench(), Script(["AB", "A", "A"])))
    assert not app.warning and "The judges agree largely" in shown(app)


def test_an_outage_is_no_convergence_and_can_be_asked_again(app: AppTest, home: Path) -> None:
    winners: list[Version | list[Ranking | None]] = ["AB", [None, None, None]]
    run = stored_tournament(bench(), Script(winners, better), status="failed")
    page = shown(opened(app, run))
    assert "Failed after 1 pass" in page and "Converged after" not in page
    assert "Only 0 of 3 judges ranked" in app.error[0].value
    assert any(button.label.startswith("Ask again") for button in app.button)


def test_the_last_pass_without_a_streak_is_told_from_convergence(app: AppTest, home: Path) -> None:
    run = stored_tournament(bench(), Script(["AB", "B"]), spec(stopping={"max_rounds": 2}))
    page = shown(opened(app, run))
    assert "the last one allowed" in page and "Converged after" not in page


def test_hostile_versions_and_critiques_reach_no_markdown(app: AppTest, home: Path) -> None:
    run = stored_tournament(bench(), Script(["AB", "A", "A"], better))
    for section in ("The text", "What changed", "Passes", "Take away"):
        app.session_state["refine_section"] = section
        opened(app, run)
        assert "<img" not in written(app) and "x^2" not in written(app), section


def test_each_judge_says_what_it_saw_in_which_order(app: AppTest, home: Path) -> None:
    run = stored_tournament(bench(), Script(["AB", "A", "A"]))
    app.session_state["refine_section"] = "Passes"
    opened(app, run)
    order = bench().refine_state(run).passes[3].ballots[0].order
    said = ", ".join(f"version {at} is {label}" for at, label in enumerate(order, start=1))
    assert any(said in one.value for one in app.get("text"))
