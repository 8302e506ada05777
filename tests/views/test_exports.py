"""Files and machine records: exact, formula-safe, the same each time."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from dataclasses import replace
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.event import RetryAsked, TakenOver
from judge_core.records.record import Notice
from judge_core.records.spec import Narrowing
from judge_core.records.verdict import CriterionReason, PairReading, PairScores
from judge_core.views import exports
from judge_core.views.exports.cells import FORMULA_STARTS, csv_bytes, distinct_headers, guarded
from judge_core.views.standings import Standings, standings
from judge_core.views.state import RunState, fold
from tests.views.streams import Stream, both_orders, case, decided, judge, lost, played, spec, text, turn, win

FIXED = (
    "rank,tied_with,id,title,rating,rating_low,rating_high,elo,wins,losses,ties,comparisons,status,"
    "Argument,Style,warnings,alias"
)


def read(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def records(content: bytes) -> list[dict[str, str]]:
    header, *rows = read(content)
    return [dict(zip(header, row, strict=True)) for row in rows]


def ranked(stream: Stream) -> tuple[RunState, Standings]:
    state = fold(stream.spec, stream.events)
    return state, standings(state)


def ranked_csv(stream: Stream) -> bytes:
    return exports.ranked_csv(*ranked(stream))


def test_the_ranked_csv_has_the_fixed_columns_a_mark_and_whole_lines() -> None:
    content = ranked_csv(played(4))
    assert content.startswith(b"\xef\xbb\xbf") and content.endswith(b"\r\n")
    header, *rows = read(content)
    assert ",".join(header) == FIXED
    assert len(rows) == 4
    first = dict(zip(header, rows[0], strict=True))
    assert (first["rank"], first["id"], first["alias"], first["wins"]) == ("1", "essay1.txt", "E-001", "3")
    assert first["tied_with"].split("; ")[0] == "essay2.txt", "ids, never aliases"
    assert len(first["rating"].split(".")[1]) == 1
    assert first["Argument"] == "8.0"


def test_the_roster_comes_last_and_group_only_where_the_run_narrowed() -> None:
    texts = [text(1, columns={"class": "7b"}), text(2, columns={"age": "12", "class": "7a"})]
    row = records(ranked_csv(Stream(spec(texts)).match("E-001", "E-002", win())))[0]
    assert list(row)[-3:] == ["alias", "class", "age"]
    assert (row["class"], row["age"]) == ("7b", "")
    kept = records(ranked_csv(played(8, narrowing=Narrowing(focus="class", k=3))))
    assert [line["group"] for line in kept] == ["kept"] * 3 + ["out"] * 5
    assert [line["rank"] for line in kept[:3]] == [""] * 3
    assert all(line["rating"] for line in kept)


def test_headers_are_guarded_like_cells() -> None:
    """X-003"""
    named = (Criterion(name=case("X-003")["input"]["criterion"]),)
    stream = Stream(spec([text(1, columns={"+cmd": "-1", "＝x": "@y"}), text(2)], rubric=Rubric(criteria=named)))
    for content in (ranked_csv(stream), exports.judgments_csv(ranked(stream)[0])):
        for row in read(content):
            assert not any(cell.startswith(FORMULA_STARTS) for cell in row)


@pytest.mark.parametrize("start", FORMULA_STARTS)
def test_each_formula_start_gets_an_apostrophe_and_numbers_stay_numbers(start: str) -> None:
    assert guarded(f"{start}1") == f"'{start}1"
    assert read(csv_bytes(["n"], [[-1.5], [None], [3]])) == [["n"], ["-1.5"], [""], ["3"]]


def test_reasons_with_commas_quotes_and_breaks_read_back_the_same() -> None:
    """X-004"""
    rows = case("X-004")["input"]["rows"]
    header, *back = read(csv_bytes(["id", "reason"], rows))
    assert back == rows
    stream = Stream(spec([text(n, id=row[0]) for n, row in enumerate(rows, 1)]))
    stream.match("E-001", "E-002", win())
    content = exports.judgments_csv(ranked(stream)[0], {(1, 0, 0): rows[0][1]})
    assert records(content)[0]["reasons"] == rows[0][1]


@settings(deadline=None)
@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, max_size=2), max_size=6))
def test_any_text_reads_back_with_no_more_than_the_apostrophe(rows: list[list[str]]) -> None:
    header, *back = read(csv_bytes(["a", "b"], rows))
    assert header == ["a", "b"]
    assert back == [[guarded(cell) for cell in row] for row in rows]


@settings(deadline=None)
@given(st.text())
def test_any_id_and_title_give_files_that_can_be_read(name: str) -> None:
    stream = Stream(spec([text(1, id=name, title=name, columns={name: name}), text(2)])).match("E-001", "E-002", win())
    state, table = ranked(stream)
    assert len(read(exports.ranked_csv(state, table))) == 3
    strict(exports.strict_json(exports.run_record("r", state, table)))


@given(st.text())
def test_no_cell_holds_what_a_terminal_obeys(words: str) -> None:
    for cell in sum(read(csv_bytes([f"{words}\x1b[2J\x9b"], [[f"{words}\u202e\u2066\x1b"]])), []):
        assert not any(unicodedata.category(c) == "Cc" and c not in "\n\r\t" for c in cell)
        assert not set(cell) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    reasons = {(1, 0, 0): "\x1b=A \x1b[31margues\u202e\nbetter\x07."}
    stream = Stream(spec([text(1), text(2)])).match("E-001", "E-002", win())
    assert records(exports.judgments_csv(ranked(stream)[0], reasons))[0]["reasons"] == "'=A [31margues\nbetter."


def test_ids_come_back_as_they_were_given() -> None:
    """X-006, X-014: 007 stays 007, NA stays NA, and there is no unnamed column."""
    names = ["007", "NA", "None", "N/A", "1e5", "true"]
    stream = Stream(spec([text(n, id=name) for n, name in enumerate(names, 1)])).match("E-001", "E-002", win())
    rows = records(ranked_csv(stream))
    assert [row["id"] for row in rows] == names
    assert all(rows[0])


def test_names_that_meet_fixed_columns_get_a_prefix() -> None:
    """X-008"""
    given_names = case("X-008")["input"]
    named = tuple(Criterion(name=name) for name in given_names["criteria"])
    columns = {name: f"own {name}" for name in given_names["uploaded_columns"]}
    stream = Stream(spec([text(1, columns=columns), text(2)], rubric=Rubric(criteria=named)))
    stream.match("E-001", "E-002", decided({name: (n, 0) for n, name in enumerate(given_names["criteria"], 1)}, named))
    content = ranked_csv(stream)
    header = read(content)[0]
    assert len(set(header)) == len(header)
    assert header[13:17] == ["criterion: rank", "Score", "winner", "criterion: id"]
    row = records(content)[0]
    assert (row["rank"], row["criterion: rank"], row["column: rank"]) == ("1", "1.0", "own rank")
    judged = read(exports.judgments_csv(ranked(stream)[0]))[0]
    assert len(set(judged)) == len(judged)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["rank", "Rank ", "x", "X", "", "column: rank", "criterion: rank", "=x", "'=x"])))
def test_headers_never_collide(names: list[str]) -> None:
    headers = distinct_headers(["rank"], [("criterion", name) for name in names])
    written = [guarded(name).strip().casefold() for name in headers]
    assert len({*written, "rank"}) == len(headers) + 1
    assert all(written)


def test_unrated_rows_are_empty_and_say_why() -> None:
    """X-010"""
    stream = Stream(spec(5)).round(1, ("E-001", "E-002"), ("E-003", "E-004"), byes=("E-005",))
    stream.match("E-001", "E-002", win()).match("E-003", "E-004", lost())
    rows = records(ranked_csv(stream))
    assert [row["status"] for row in rows[2:]] == ["all judgments failed", "all judgments failed", "bye only"]
    for row in rows[2:]:
        empty = ("rank", "rating", "rating_low", "rating_high", "elo", "Argument", "Style", "tied_with")
        assert {row[name] for name in empty} == {""}
        assert row["comparisons"] == "0"
    assert rows[2]["warnings"] == "failed (1)"
    assert b"nan" not in ranked_csv(stream).lower()


def strict(content: bytes) -> Any:
    def refuse(name: str) -> None:
        raise AssertionError(name)

    return json.loads(content, parse_constant=refuse)


def test_json_is_strict() -> None:
    """X-011"""
    totals = [float(value) for value in case("X-011")["input"]["totals"]]
    assert strict(exports.strict_json({"totals": totals})) == {"totals": [1.0, None, None]}
    assert strict(exports.strict_json({"a": {"b", "a"}, 1: True})) == {"a": ["a", "b"], "1": True}
    with pytest.raises(TypeError, match="object"):
        exports.strict_json({"a": object()})


def test_the_same_run_gives_the_same_bytes() -> None:
    """X-016: criteria stand in the order given, however they sort."""
    for make in (exports.ranked_csv, exports.ranked_xlsx):
        assert make(*ranked(played(6))) == make(*ranked(played(6)))
    state = ranked(played(6))[0]
    assert exports.judgments_csv(state) == exports.judgments_csv(state)
    named = (Criterion(name="Zeal"), Criterion(name="Art"))
    stream = Stream(spec(2, rubric=Rubric(criteria=named)))
    stream.match("E-001", "E-002", decided({"Art": (1, 2), "Zeal": (3, 4)}, named))
    assert read(ranked_csv(stream))[0][13:15] == ["Zeal", "Art"]


def test_the_workbook_is_the_twin_of_the_csv_with_text_as_text() -> None:
    evil = '=HYPERLINK("http://x.invalid","x")'
    stream = Stream(spec([text(1, id=evil, title="a\x00b"), text(2, id="007"), text(3)])).match("E-001", "E-002", win())
    state, table = ranked(stream)
    sheet = openpyxl.load_workbook(io.BytesIO(exports.ranked_xlsx(state, table))).active
    whole = exports.ranked_table(state, table)
    assert [cell.value for cell in sheet[1]] == list(whole.header)
    assert "f" not in {cell.data_type for row in sheet.iter_rows() for cell in row}
    first = {name: cell for name, cell in zip(whole.header, sheet[2], strict=True)}
    assert (first["id"].value, first["id"].data_type, first["id"].quotePrefix) == (evil, "s", True)
    assert (first["title"].value, first["rating"].data_type) == ("ab", "n")
    values = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=3)]
    assert values[0][2] == "007"
    assert values == [[None if cell == "" else cell for cell in row] for row in whole.rows[1:]]


def test_every_judgment_is_a_row_attempts_that_were_replaced_included() -> None:
    flip = both_orders(
        {"Argument": (8, 4), "Style": (8, 4)}, {"Argument": (4, 8), "Style": (4, 8)}, a="E-001", b="E-002"
    )
    stream = Stream(spec(3)).match("E-001", "E-002", flip).match("E-002", "E-003", lost())
    stream.add(RetryAsked()).match(
        "E-002", "E-003", win(first="E-003", turns=(turn(first="E-003", cost=None),)), replicate=1
    )
    state = ranked(stream)[0]
    rows = records(
        exports.judgments_csv(state, {(1, 0, 0): "first order", (1, 0, 1): "second order", (3, 0, 0): "again"})
    )
    assert [row["outcome"] for row in rows] == ["flipped", "failed", "won"]
    both, failed, retry = rows
    assert (both["shown_first"], both["result"], both["reasons"]) == (
        "both orders",
        "tie",
        "first order\n\nsecond order",
    )
    assert (both["a"], both["Argument (a)"], both["cost"], both["key"]) == ("essay1.txt", "6.0", "0.02", "k1 k1")
    assert (failed["result"], failed["winner"], failed["total_a"], failed["replaced"]) == ("", "", "", "yes")
    assert failed["error"] == "The judge did not answer."
    assert (retry["winner"], retry["shown_first"], retry["cost"]) == ("essay2.txt", "essay3.txt", "")
    assert (retry["pair"], retry["place"], retry["replaced"], retry["cached"]) == ("2", "3", "", "no")


def test_a_draw_by_policy_is_a_tie_that_names_its_class() -> None:
    stream = Stream(spec(2, on_error="draw"))
    stream.match("E-001", "E-002", lost(result=0.5, warnings=(Notice(code="draw_on_error", message="m"),)))
    state, table = ranked(stream)
    (row,) = records(exports.judgments_csv(state))
    assert (row["outcome"], row["result"], row["warnings"]) == ("failed", "tie", "draw_on_error")
    assert [line["warnings"] for line in records(exports.ranked_csv(state, table))] == [
        "draw_on_error (1); failed (1)"
    ] * 2


def test_reasons_of_a_reply_are_one_text() -> None:
    reading = PairReading(
        scores={},
        totals=PairScores(a=1, b=0),
        winner="A",
        overall="A is clearer.",
        reasons=(CriterionReason(name="Style", text="Plain words."),),
    )
    assert exports.reasons_of(reading) == "A is clearer.\nStyle: Plain words."


def test_an_event_is_one_flat_record_with_number_time_and_type() -> None:
    stream = played(4)
    back = [strict(exports.strict_json(exports.event_record(event))) for event in stream.events]
    assert [line["seq"] for line in back] == list(range(1, len(stream.events) + 1))
    assert (back[0]["type"], back[-1]["type"], back[2]["judgments"][0]["result"]) == ("started", "ended", 1.0)


def test_the_last_record_names_run_status_cost_and_standings() -> None:
    stream = Stream(spec(3), planned=3).match("E-001", "E-002", win()).add(TakenOver(calls_charged=2, cost_charged=0.2))
    state, table = ranked(stream.end("budget", "The cap was reached."))
    record = strict(exports.strict_json(exports.run_record("run-1", state, table)))
    assert (record["type"], record["run"], record["status"]) == ("ended", "run-1", "budget")
    assert (record["calls"], record["cached"], record["cost"], record["charged_calls"]) == (1, 0, 0.01, 2)
    assert record["judgments"]["held"] == 2
    first, last = record["standings"][0], record["standings"][-1]
    assert set(FIXED.split(",")) - {"Argument", "Style"} <= set(first)
    assert (first["rank"], first["tied_with"], first["criteria"]["Style"]) == (1, ["essay2.txt"], 8.0)
    assert (last["rank"], last["rating"], last["status"]) == (None, None, "no comparison yet")
    unknown = replace(state, spending={0: replace(state.spent, cost=replace(state.spent.cost, unknown=1))})
    assert exports.run_record("run-1", unknown, table)["cost"] is None


@pytest.mark.parametrize(("provider", "named"), [("offline", True), ("openai_compatible", False)])
def test_every_row_of_every_file_says_whether_the_demo_judge_had_a_say(provider: str, named: bool) -> None:
    stream = played(4, judges=(judge(provider=provider),))
    state, table = ranked(stream)
    for content in (exports.ranked_csv(state, table), exports.judgments_csv(state, {})):
        rows = records(content)
        assert rows and all(("Offline demo judge, not an LLM" in row["warnings"]) is named for row in rows)
