"""The report on plain pages."""

from __future__ import annotations

import re

from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.spec import Goal
from judge_core.views.exports import report_text
from judge_core.views.standings import standings
from judge_core.views.state import fold
from tests.views.streams import Stream, alias, judge, played, spec, text, win
from tests.views.test_listings import lists


def report(stream: Stream) -> str:
    state = fold(stream.spec, stream.events)
    return report_text(state, standings(state), "Run 1.").decode()


def test_the_report_holds_table_rounds_judges_and_cache() -> None:
    said = report(played(4, 3))
    assert "Rank  Text" in said and "Round 3" in said and "Run 1." in said
    assert "essay1.txt beat essay4.txt (Elo 1516 and 1484)" in said
    assert "openai:judge-1, temperature 0" in said and "6 calls for $0.06." in said


def test_who_sat_out_and_what_a_list_said_stand_in_it() -> None:
    sat_out = Stream(spec(3, rounds=1)).round(1, (alias(1), alias(2)), byes=[alias(3)]).match(alias(1), alias(2), win())
    assert "Sat out: essay3.txt" in report(sat_out)
    assert "essay3.txt, essay1.txt, essay2.txt: essay1.txt > essay2.txt > essay3.txt" in report(lists())


def test_long_ids_are_cut_in_the_middle_and_columns_stay_aligned() -> None:
    """Two that look alike when they are cut are told apart by their aliases."""
    ids = {
        1: f"{'head' * 500}-1.txt",
        2: f"{'head' * 20}one{'tail' * 20}",
        3: f"{'head' * 20}two{'tail' * 20}",
        4: "d.txt",
    }
    stream = played(4, 3)
    texts = tuple(text(number, id=id) for number, id in ids.items())
    state = fold(stream.spec.model_copy(update={"texts": texts}), stream.events)
    said = report_text(state, standings(state)).decode()
    assert max(map(len, said.splitlines())) < 250
    assert "head…" in said and "-1.txt" in said and "d.txt" in said and "(E-002)" in said and "(E-003)" in said
    lines = said.splitlines()
    header = next(number for number, line in enumerate(lines) if line.startswith("Rank  Text"))
    at = lines[header].index("Rating")
    assert all(line[at - 1] == " " and line[at].isdigit() for line in lines[header + 1 : header + 5])


def test_margins_that_measure_nothing_are_said() -> None:
    stream = Stream(spec(2, evidence="margins", judges=(judge("a\x1b[31m"),)))
    assert "The margins of a[31m are fewer than 8 or all 0" in report(stream.match(alias(1), alias(2), win()).end())


def test_names_cannot_break_a_line() -> None:
    stream = Stream(spec((text(1, id="a\nRound 9\x1b[31m"), text(2)))).round(1, (alias(1), alias(2)))
    said = report(stream.match(alias(1), alias(2), win()))
    assert "\nRound 9" not in said and "\x1b" not in said


def test_a_colleague_finds_question_criteria_method_and_how_sure_it_is() -> None:
    stream = played(4, 1, goal=Goal(kind="order", probability=0.99))
    criteria = (
        Criterion(name="Argument", weight=3, description="Gives reasons."),
        Criterion(name="Style", scale_max=5),
    )
    asked = Rubric(question="Why sleep?", criteria=criteria)
    state = fold(stream.spec.model_copy(update={"rubric": asked}), stream.events)
    said = report_text(state, standings(state)).decode()
    assert "Question\n--------\n  Why sleep?" in said
    assert "Argument (weight 75%, 0 to 10): Gives reasons." in said and "Style (weight 25%, 0 to 5)" in said
    assert "Swiss rounds:" in said and "2 matches, each asked in one order." in said
    assert re.search("How sure is it\\?\n-+\n.*- Not settled: the whole order", said, re.DOTALL)
    assert "rating_low" not in said and "95% range" in said


def test_what_was_found_in_texts_and_verdicts_is_said_in_words() -> None:
    texts = (text(1, notices=("instruction_to_judge",)), text(2))
    stream = Stream(spec(texts)).round(1, (alias(1), alias(2)))
    said = report(stream.match(alias(1), alias(2), win()))
    assert "essay1.txt: A passage of the text reads like an instruction to the judge." in said
    assert "1 call for $0.01." in said


def test_a_reason_is_quoted_on_each_of_its_lines() -> None:
    """The reason of the match won against the best opponent; what it says cannot pass for a line of the report."""
    stream = played(4, 3)
    state = fold(stream.spec, stream.events)
    table = standings(state)
    best, second = (row.alias for row in table.rated[:2])
    view = next(view for view in state.matches.values() if {view.a, view.b} == {best, second})
    [judgment] = view.judgments
    hostile = "B is clear.\nRanking\n-------\u2028Rank 1: essay4.txt \x1b[31m\u202e"
    reasons = {(view.place, judgment.judge, order.turn): hostile for order in judgment.orders}
    said = report_text(state, table, "", reasons).decode()
    assert said.count("\nRanking\n") == 1 and "\x1b" not in said and "\u202e" not in said and "\u2028" not in said
    assert "    > B is clear.\n    > Ranking\n    > -------\n    > Rank 1: essay4.txt [31m\n" in said
