"""Going on with a ranking from its page: further rounds, texts that come late, texts that are withdrawn."""

from __future__ import annotations

import re

from streamlit.testing.v1 import AppTest

from judge_core.records.spec import Caps, Goal, Price
from tests.pages.stored_runs import METHODS, bench, example_run, example_spec, opened, section, shown, stored
from tests.views.streams import Stream, judge, played, spec, win


def popovers(app: AppTest) -> set[str]:
    return {block.proto.popover.label for block in app.get("popover")}


def with_outlook(app: AppTest, run: str) -> AppTest:
    """The page with "Go on" open."""
    app.session_state["extend_open"] = True
    return opened(app, run)


def test_further_rounds_are_played_at_a_press(app: AppTest) -> None:
    run = example_run(rounds=2)
    with_outlook(app, run)
    key = f"extend_rounds:{run}:{bench().state(run).last_seq}"
    app.number_input(key=key).set_value(2).run()
    assert "At most 12 calls, about $0." in shown(app).replace("**", "")
    app.button(key="extend").click().run()
    state = bench().wait(run, 30)
    assert not app.error and state.status == "done"
    assert len(state.rounds) == 4 and len(state.matches) == 24


def test_what_more_would_settle_is_said_with_its_price(app: AppTest) -> None:
    """Six judgments at a cent each; the goal is far."""
    judges = (judge(price=Price(input=1, output=1)),)
    stream = played(8, rounds=3, judges=judges, rematches=True, goal=Goal(kind="top", ranks=(2,), probability=0.8))
    with_outlook(app, stored(stream))
    said = re.search(r"About ([\d,]+) more judgments \(\$([\d.]+)\) would probably settle the top 2", shown(app))
    assert said, shown(app)
    number, money = int(said[1].replace(",", "")), float(said[2])
    assert abs(money - 0.01 * number) < 0.011


def test_a_price_that_is_unknown_is_never_said_to_be_nothing(app: AppTest) -> None:
    stream = Stream(spec(4, rounds=1), planned=2).round(1, ("E-001", "E-002"))
    with_outlook(app, stored(stream.match("E-001", "E-002", win(turns=())).close(1).end()))
    assert "about unknown" in shown(app).replace("**", "")


def test_a_run_in_which_everyone_has_met_offers_no_further_rounds(app: AppTest) -> None:
    goal = Goal(kind="order", probability=0.99)
    with_outlook(app, stored(played(4, rounds=3, goal=goal)))
    page = shown(app)
    assert page.count("Each two texts have met") == 2  # at the verdict and under "Go on"
    assert "Cannot be settled with these texts and this judge" in page
    assert not re.search(r"More rounds|more judgments would probably|are left", page)
    assert "extend" not in {button.key for button in app.button}
    section(app, "Can you trust this?")
    assert "More rounds" not in shown(app)


def test_a_goal_that_the_pairs_left_would_not_settle_is_said_to_be_beyond_them(app: AppTest) -> None:
    with_outlook(app, stored(played(6, rounds=4, goal=Goal(kind="order", probability=0.95))))
    assert re.search(r"Probably not settled by the \d+ judgments still possible", shown(app)), shown(app)
    assert "would probably settle" not in shown(app) and "More rounds may settle it" in shown(app)


def test_going_on_until_a_goal_is_settled_stops_there(app: AppTest) -> None:
    run = example_run(rounds=1)
    with_outlook(app, run)
    goals = next(box for box in app.selectbox if box.key and str(box.key).startswith("extend_goal"))
    whole = next(option for option in goals.options if option.startswith("the whole order"))
    goals.select(whole).run()
    app.number_input(key=f"extend_rounds:{run}:{bench().state(run).last_seq}").set_value(11).run()
    app.button(key="extend").click().run()
    state = bench().wait(run, 30)
    assert state.goal == Goal(kind="order", probability=0.85)
    assert (state.reached is not None) == state.reason.startswith("Settled")


def test_going_on_is_offered_for_lists_too(app: AppTest) -> None:
    run = example_run(**METHODS["listwise"])
    with_outlook(app, run)
    assert "one more list" in shown(app)
    app.number_input(key=f"extend_rounds:{run}:{bench().state(run).last_seq}").set_value(1).run()
    app.button(key="extend").click().run()
    assert len(bench().wait(run, 30).rounds) == 4


def test_a_run_that_waits_or_was_cancelled_offers_none_of_it(app: AppTest) -> None:
    run = bench().journal.create(example_spec())
    opened(app, run)
    assert not {"Go on", "Add texts", "Withdraw a text"} & popovers(app)
    bench().cancel(run)
    bench().wait(run, 30)
    app.run()
    assert not {"Go on", "Add texts", "Withdraw a text"} & popovers(app)


def test_a_run_at_its_cap_goes_on_by_a_higher_cap_first(app: AppTest) -> None:
    run = bench().start(example_spec(caps=Caps(max_calls=8)))
    bench().wait(run, 30)
    opened(app, run)
    assert "Raise the cap" in popovers(app) and "Go on" not in popovers(app)


def test_texts_that_are_added_are_judged_against_others_alone(app: AppTest) -> None:
    run = example_run(rounds=3)
    opened(app, run)
    before = bench().state(run)
    app.file_uploader(key="add_texts:0").set_value(
        [("late.txt", b"An essay that came late, in a few words.", "text/plain")]
    ).run()
    assert "late" in shown(app)
    app.button(key="add_texts").click().run()
    state = bench().wait(run, 30)
    assert not app.error
    [late] = state.late
    new = [view for view in state.matches.values() if view.place > max(before.matches)]
    assert new and all(late in (view.a, view.b) for view in new)
    app.run()
    assert app.file_uploader(key="add_texts:1").value in (None, [])


def test_a_file_without_a_text_is_told_and_not_added(app: AppTest) -> None:
    run = example_run(rounds=1)
    opened(app, run)
    app.file_uploader(key="add_texts:0").set_value([("empty.txt", b"", "text/plain")]).run()
    assert "No text was found" in shown(app)
    assert "add_texts" not in {button.key for button in app.button}


def test_a_text_is_withdrawn_only_after_it_was_confirmed(app: AppTest) -> None:
    run = example_run(rounds=2)
    opened(app, run)
    assert "withdraw" not in {button.key for button in app.button}
    app.selectbox(key=f"withdraw_text:{run}").select("E-002").run()
    assert "Withdraw E-002 for good?" in shown(app)
    assert not bench().state(run).withdrawn
    app.button(key="withdraw").click().run()
    assert bench().wait(run, 30).withdrawn == {"E-002"}
    app.run()
    assert "E-002" not in app.selectbox(key=f"withdraw_text:{run}").options


def test_two_texts_must_stay(app: AppTest) -> None:
    opened(app, example_run(rounds=1, texts=example_spec().texts[:2], warm_start=True))
    assert "Withdraw a text" not in popovers(app)
