"""The result page of a refinement tournament: how it ended, the text, what changed, its passes, steering."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from judge_core.interfaces.library.judge import Judge
from tests.pages.stored_runs import bench

FAULTY = "Trees are very very important  for the the city. In order to plant them we need need money <img src=x> $x^2$."


def improved(app: AppTest, home: Path, section: str | None = None, **options: object) -> AppTest:
    """The page of a tournament that the demo judge has played."""
    with Judge(home=home) as judge:
        run = judge.refine(FAULTY, task="Say why trees matter.", **options).run_id  # type: ignore[arg-type]
    app.query_params["run"] = run
    if section:
        app.session_state["refine_section"] = section
    app.run().switch_page("result.py").run()
    assert not app.exception
    return app


def words(app: AppTest) -> str:
    return "\n".join(
        str(one.value) for kind in ("markdown", "header", "caption", "code", "text") for one in app.get(kind)
    )


def test_the_page_says_how_it_ended_how_far_judges_agree_and_shows_the_text(app: AppTest, home: Path) -> None:
    improved(app, home)
    page = words(app)
    assert "Converged after" in page and "Kendall" in page
    assert any("Trees are important for the city" in str(one.value) for one in app.get("code"))
    assert "never to be graded as its author" in page
    assert [metric.label for metric in app.metric][:3] == ["Passes", "Streak", "Agreement"]


def test_hostile_words_reach_no_markdown(app: AppTest, home: Path) -> None:
    for section in ("The text", "What changed", "Passes", "Take away"):
        improved(app, home, section)
        assert not any("<img" in str(one.value) for kind in ("markdown", "caption", "header") for one in app.get(kind))


def test_any_two_versions_stand_side_by_side(app: AppTest, home: Path) -> None:
    improved(app, home, "What changed")
    before, after = app.selectbox(key="refine_before"), app.selectbox(key="refine_after")
    assert before.value == "First version" and after.value == "The text as it stands"
    after.select("First version").run()
    assert "Both are the same word for word." in words(app)


def test_a_pass_shows_critique_rankings_and_versions(app: AppTest, home: Path) -> None:
    improved(app, home, "Passes")
    app.selectbox(key="refine_pass").select(1).run()
    page = words(app)
    assert "What the critic found" in page and "wins" in page
    assert any("RANKING:" in str(one.value) for one in app.get("code"))


def test_a_finished_tournament_can_be_given_further_passes(app: AppTest, home: Path) -> None:
    improved(app, home)
    app.number_input(key="refine_more").set_value(1).run()
    app.button(key="extend_refinement").click().run()
    assert not app.exception
    value = app.query_params["run"]
    run = value if isinstance(value, str) else value[0]
    other = bench()
    other.wait(run, 30)
    assert len(other.refine_state(run).decided) >= 3
