"""The report on plain pages."""

from __future__ import annotations

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
    assert "rank  id" in said and "Round 3" in said and "Run 1." in said
    assert "essay1.txt beat essay4.txt (Elo 1516 and 1484)" in said
    assert (
        "Judge: openai:judge-1, temperature 0" in said and "6 calls for $0.0600; 0 replies came from the cache." in said
    )


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
    header = next(number for number, line in enumerate(lines) if line.startswith("rank  id"))
    at = lines[header].index("rating")
    assert all(line[at - 1] == " " and line[at].isdigit() for line in lines[header + 1 : header + 5])


def test_margins_that_measure_nothing_are_said() -> None:
    stream = Stream(spec(2, evidence="margins", judges=(judge("a\x1b[31m"),)))
    assert "The margins of a[31m are fewer than 8 or all 0" in report(stream.match(alias(1), alias(2), win()).end())


def test_names_cannot_break_a_line() -> None:
    stream = Stream(spec((text(1, id="a\nRound 9\x1b[31m"), text(2)))).round(1, (alias(1), alias(2)))
    said = report(stream.match(alias(1), alias(2), win()))
    assert "\nRound 9" not in said and "\x1b" not in said
