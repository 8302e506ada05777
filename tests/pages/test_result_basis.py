"""What a verdict counts for: the switches under Weights, each without a call and reported both ways."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from judge_core.interfaces.dashboard.result.sections.weights.kept import chosen
from judge_core.interfaces.dashboard.result.shown import AS_RUN
from judge_core.records.criteria import Criterion, Rubric
from judge_core.views.evidence import Basis
from judge_core.views.standings import standings
from tests.pages.stored_runs import METHODS, bench, example_run, opened, section, shown, stored
from tests.views.streams import Stream, judge, played, spec, text, win


def lengths() -> Stream:
    """The longer text wins nearly always; texts of 50 to 800 words, each seen first as often as second."""
    refs = [text(n, words=50 * 2 ** (n - 1)) for n in range(1, 6)]
    stream = Stream(spec(refs, rounds=5), planned=10)
    pairs = [(refs[i].alias, refs[j].alias) for i in range(5) for j in range(i + 1, 5)]
    stream.round(1, *pairs)
    for number, (a, b) in enumerate(pairs):
        stream.match(a, b, win(*((8, 4) if number == 4 else (4, 8)), first=(a, b)[number % 2]))
    return stream.close(1).end()


def margins() -> Stream:
    """E-001 wins sixteen times by a hair, E-002 eight times by far."""
    stream = Stream(spec(2, rounds=24), planned=24)
    for number, (a, b) in enumerate(8 * ((6, 5), (6, 5), (1, 10)), start=1):
        stream.round(number, ("E-001", "E-002")).match("E-001", "E-002", win(a, b), round=number).close(number)
    return stream.end()


def switches(run: str, name: str) -> str:
    return f"weights:{run}:{name}"


def test_margins_that_measure_nothing_are_said_at_the_verdict(app: AppTest) -> None:
    stream = Stream(spec(3, rounds=12, evidence="margins"), planned=12)
    for number in range(12):
        stream.match("E-001", f"E-00{2 + number % 2}", win(6, 6), round=number + 1)
    assert "are fewer than 8 or all 0" in shown(opened(app, stored(stream.end())))


def test_score_margins_rank_otherwise_than_winners_without_a_call(app: AppTest) -> None:
    run = stored(margins())
    section(opened(app, run), "Weights")
    before = bench().journal.last_seq(run)
    app.radio(key=switches(run, "evidence")).set_value("margins").run()
    assert not app.exception
    assert "the judges' own score margins (24 of 24 judgments)" in shown(app)
    section(app, "Ranking")
    expected = standings(bench().state(run), basis=Basis(evidence="margins"))
    assert list(app.dataframe[0].value["text"]) == [row.alias for row in expected.rows] == ["E-002", "E-001"]
    assert bench().journal.last_seq(run) == before


def test_only_evidence_that_the_run_has_is_offered(app: AppTest) -> None:
    run = stored(margins())
    section(opened(app, run), "Weights")
    assert len(app.radio(key=switches(run, "evidence")).options) == 2


def test_length_is_off_by_default_and_says_both_ways_what_it_would_move(app: AppTest) -> None:
    run = stored(lengths())
    section(opened(app, run), "Weights")
    toggle = app.toggle(key=switches(run, "length"))
    assert toggle.value is False
    effect = standings(bench().state(run), basis=Basis(length=True)).posterior.length_effect
    assert effect is not None and effect.logits > 0
    said = re.search(r"a text of twice the words gains \+(\d+) points \(95 % interval", shown(app))
    assert said and abs(int(said[1]) - effect.logits * 173.7) < 1
    assert "It takes out all that goes with length" in shown(app)
    assert "chosen_weights" not in app.session_state
    toggle.set_value(True).run()
    assert "What longer texts gain by their length is taken out" in shown(app)
    assert "These ranks rest on what you set under Weights" in shown(app)


def test_sharpness_is_only_a_switch_for_panels(app: AppTest) -> None:
    alone = stored(margins())
    section(opened(app, alone), "Weights")
    assert switches(alone, "discrimination") not in {toggle.key for toggle in app.toggle}


def test_sharpness_is_estimated_with_an_interval_for_each_judge(app: AppTest) -> None:
    of = spec(4, rounds=3, judges=(judge("one"), judge("two")))
    stream = Stream(of, planned=6)
    for number, (a, b) in enumerate(((1, 2), (3, 4), (1, 3), (2, 4), (1, 4), (2, 3))):
        pair = (f"E-00{a}", f"E-00{b}")
        stream.match(*pair, win(8, 4), win(*((8, 4) if number % 2 else (4, 8)), judge=1))
    run = stored(stream.end())
    section(opened(app, run), "Weights")
    assert re.search(r"one \d\.\d\d \(\d\.\d\d to \d+\.\d\d\), two \d\.\d\d \(", shown(app))
    app.toggle(key=switches(run, "discrimination")).set_value(True).run()
    assert "Judges who tell texts apart more sharply count for more." in shown(app)


def test_what_was_set_belongs_to_its_run_and_can_be_taken_back(app: AppTest) -> None:
    run, other = stored(lengths()), stored(played(4), name="Other")
    section(opened(app, run), "Weights")
    app.toggle(key=switches(run, "length")).set_value(True).run()
    app.query_params["run"] = other
    app.run()
    assert "These ranks rest on what you set" not in shown(app)
    app.query_params["run"] = run
    section(app, "Weights")
    assert "These ranks rest on what you set" in shown(app)
    app.button(key="weights_reset").click().run()
    assert app.toggle(key=switches(run, "length")).value is False
    assert "These ranks rest on what you set" not in shown(app)


@pytest.mark.parametrize("method", ["listwise", "pointwise", "scores first"])
def test_weights_are_offered_where_criteria_were_scored(app: AppTest, method: str) -> None:
    section(opened(app, example_run(**METHODS[method])), "Weights")
    fields = [field.label for field in app.number_input if field.label in ("Argument", "Evidence")]
    assert bool(fields) == (method != "listwise")
    if method == "listwise":
        assert "weights change nothing in them" in shown(app)


def test_weights_change_the_ranks_of_scored_texts(app: AppTest) -> None:
    rubric = Rubric(criteria=(Criterion(name="Argument", weight=3), Criterion(name="Style", weight=1)))
    stream = Stream(spec(3, method="pointwise", rubric=rubric), planned=3)
    stream.score("E-001", Argument=9.0, Style=1.0).score("E-002", Argument=5.0, Style=5.0)
    run = stored(stream.score("E-003", Argument=1.0, Style=9.0).end())
    section(opened(app, run), "Weights")
    next(field for field in app.number_input if field.label == "Style").set_value(95.0).run()
    section(app, "Ranking")
    assert list(app.dataframe[0].value["text"]) == ["E-003", "E-002", "E-001"]


def test_nothing_is_set_at_first() -> None:
    assert chosen("no-such-run") == AS_RUN


def test_what_the_judge_left_open_is_counted_alike_in_verdict_checks_and_weights(app: AppTest) -> None:
    """Ranked by overall choice: no judgment failed, and each place says the same number."""
    stream = Stream(spec(3, rounds=3), planned=3).round(1, ("E-001", "E-002"), ("E-001", "E-003"), ("E-002", "E-003"))
    stream.match("E-001", "E-002", win()).match("E-001", "E-003", win()).match("E-002", "E-003", win(stated=None))
    run = stored(stream.close(1).end())
    section(opened(app, run), "Weights")
    app.radio(key=switches(run, "choice")).set_value("overall").run()
    assert "(2 of 2 judgments); in 1 judgment the judge made no overall choice." in shown(app)
    section(app, "Can you trust this?")
    page = shown(app)
    assert "In 1 judgment the judge made no overall choice; they count for nothing." in page
    assert "No judgment failed" in page and "failed or could not be read" not in page
