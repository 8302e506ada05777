"""Files and machine records of runs that judge items: fixed columns, formula-safe, the same each time."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.record import Notice
from judge_core.records.spec import ItemMode, Price
from judge_core.views.exports.cells import FORMULA_STARTS
from judge_core.views.items.exports import item_csv_files, item_tables, item_xlsx
from judge_core.views.items.machine import item_record
from judge_core.views.items.tables import frame, judges_table, ledger_table, screen_table, wide_table
from tests.views.item_streams import (
    MODES,
    ItemStream,
    asked,
    golden,
    item,
    item_spec,
    judged,
    panel,
    part,
    point,
    silent,
)
from tests.views.streams import case, judge

FIXED: dict[ItemMode, str] = {
    "review": "id,title,score,score_low,score_high,Argument,Style,judges,status,warnings,alias,author",
    "gate": "id,title,passed,score,bar,why,Argument,Style,status,warnings,alias,author",
    "listwise": (
        "id,title,candidate,number,place,position,openai:judge-1,openai:judge-2,agreement,judges,status,warnings,alias,author"
    ),
    "rag": (
        "id,title,faithfulness,contradiction,context_precision,context_utilisation,answer_relevance,coverage,"
        "claims,supported,contradicted,not_found,disputed,status,warnings,alias,author"
    ),
    "agent": (
        "id,title,goal,useful,redundant,harmful,call_correctness,efficiency,steps,patterns,success,"
        "status,warnings,alias,author"
    ),
}
FILES: dict[ItemMode, list[str]] = {
    "review": ["review.csv", "summary.csv", "judgments.csv"],
    "gate": ["gate.csv", "summary.csv", "judgments.csv"],
    "listwise": ["listwise.csv", "summary.csv", "judgments.csv"],
    "rag": ["rag.csv", "claims.csv", "passages.csv", "summary.csv", "judgments.csv"],
    "agent": ["agent.csv", "steps.csv", "corrections.csv", "summary.csv", "judgments.csv"],
}


def read(content: bytes) -> list[dict[str, str]]:
    header, *rows = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    assert len(set(header)) == len(header)
    return [dict(zip(header, row, strict=True)) for row in rows]


def rows_of(mode: ItemMode, name: str | None = None, **fields: Any) -> list[dict[str, str]]:
    return read(item_csv_files(golden(mode, **fields).state)[f"{name or mode}.csv"])


@pytest.mark.parametrize("mode", MODES)
def test_each_mode_has_its_files_and_fixed_columns(mode: ItemMode) -> None:
    files = item_csv_files(golden(mode).state)
    assert list(files) == FILES[mode]
    assert all(content.startswith(b"\xef\xbb\xbf") and content.endswith(b"\r\n") for content in files.values())
    own = ["class"] if mode == "review" else []
    assert list(read(files[f"{mode}.csv"])[0]) == [*FIXED[mode].split(","), *own]


def test_review_rows_stand_in_the_items_order_and_no_verdict_is_empty() -> None:
    first, second, third = rows_of("review")
    assert [row["id"] for row in (first, second, third)] == ["text1.txt", "text2.txt", "text3.txt"]
    assert (first["score"], first["score_low"], first["score_high"]) == ("3.6", "3.2", "3.8")
    assert (first["Argument"], first["judges"], first["status"]) == ("7.0", "2", "judged")
    assert (first["warnings"], first["author"], first["class"]) == ("repaired (1)", "m-1", "7b")
    empty = ("score", "score_low", "score_high", "Argument", "Style")
    assert {third[name] for name in empty} == {""}
    assert (third["judges"], third["status"], third["warnings"]) == ("0", "no verdict", "failed (2)")


def test_gate_rows_say_why() -> None:
    rows = rows_of("gate")
    assert [(row["passed"], row["why"]) for row in rows] == [
        ("yes", "passed"),
        ("no", "below_bar"),
        ("no", "hedged"),
        ("no", "judge_missing"),
    ]
    assert {row["bar"] for row in rows} == {"3.5"} and rows[3]["status"] == "partly judged"


def test_listwise_rows_are_candidates_with_each_judges_position() -> None:
    rows = rows_of("listwise")
    assert [row["candidate"] for row in rows] == ["cand-1", "cand-2", "cand-3"] * 2
    assert (rows[0]["place"], rows[0]["position"]) == ("1", "1.3333")
    assert (rows[0]["openai:judge-1"], rows[0]["openai:judge-2"]) == ("1.0", "2.0")
    assert [row["place"] for row in rows[3:]] == ["1", "1", "3"] and rows[3]["openai:judge-2"] == ""


def test_equal_judges_get_columns_of_their_own() -> None:
    header = list(rows_of("listwise", judges=(judge("j"), judge("j")))[0])
    assert header[6:8] == ["j", "judge: j"]


def test_rag_rows_and_their_labels() -> None:
    first, _, third = rows_of("rag")
    assert (first["faithfulness"], first["claims"], first["supported"], first["coverage"]) == ("0.8333", "2", "2", "")
    assert (third["faithfulness"], third["claims"]) == ("", "0")
    claims = rows_of("rag", "claims")
    assert [(row["id"], row["claim"], row["found_by"], row["verdict"]) for row in claims] == [
        ("text1.txt", "1", "data", "supported"),
        ("text1.txt", "2", "data", "supported"),
        ("text2.txt", "1", "openai:judge-1", "supported"),
        ("text2.txt", "2", "openai:judge-1", "not_found"),
        ("text2.txt", "1", "openai:judge-2", "contradicted"),
    ]
    second = claims[1]
    assert (second["verdict: openai:judge-1"], second["verdict: openai:judge-2"]) == ("supported", "contradicted")
    assert second["passages: openai:judge-2"] == "1"
    passages = rows_of("rag", "passages")
    assert [(row["name"], row["relevant"]) for row in passages[:2]] == [("doc-1", "yes"), ("doc-2", "no")]


def test_agent_rows_and_their_steps() -> None:
    first, second, third = rows_of("agent")
    assert (first["goal"], first["steps"], first["success"], first["patterns"]) == ("0.8333", "3", "yes", "")
    assert (second["patterns"], second["success"]) == ("repetition_loop (rules; 1 judge)", "no")
    assert (third["goal"], third["steps"], third["success"]) == ("", "3", "")
    steps = rows_of("agent", "steps")
    assert [row["label"] for row in steps] == [
        "useful",
        "useful",
        "redundant",
        "harmful",
        "redundant",
        "useful",
        "",
        "",
        "",
    ]
    assert (steps[0]["call"], steps[1]["label: openai:judge-2"], steps[3]["call_correct"]) == ("no", "redundant", "no")


def test_every_judgment_is_a_row_replaced_attempts_included() -> None:
    rows = rows_of("review", "judgments")
    assert ",".join(rows[0]) == (
        "item,judge,weight,outcome,values,reasons,warnings,error,calls,tokens,cost,cached,key,place,answered_by,alias,replaced"
    )
    assert [(row["item"], row["outcome"], row["replaced"]) for row in rows[:3]] == [
        ("text1.txt", "unparseable", "yes"),
        ("text1.txt", "judged", ""),
        ("text1.txt", "judged", ""),
    ]
    assert len(rows) == 9
    assert json.loads(rows[1]["values"])["scores"] == {"Argument": 8.0, "Style": 6.0}
    assert rows[0]["values"] == "" and rows[0]["error"] == "The judge did not answer."
    assert (rows[1]["calls"], rows[1]["tokens"], rows[1]["cost"], rows[1]["key"], rows[2]["place"]) == (
        "1", "110", "0.01", "k1", "4",
    )  # fmt: skip


def test_reasons_stand_beside_the_judgment_that_gave_them() -> None:
    files = item_csv_files(golden("review").state, {(1, 0, 0): "=Clear, and\nshort."})
    assert [row["reasons"] for row in read(files["judgments.csv"])[:3]] == ["", "'=Clear, and\nshort.", ""]


def test_an_unknown_cost_is_empty_and_a_substitute_is_named() -> None:
    turn = asked(cost=None, answered_by="openai:spare", usage=asked().usage.model_copy(update={"prompt_tokens": None}))
    state = ItemStream(item_spec("review", 1)).item(1, judged(point(5, 5), turns=(turn,))).state
    (row,) = read(item_csv_files(state)["judgments.csv"])
    assert (row["cost"], row["answered_by"], row["tokens"]) == ("", "openai:spare", "10")
    assert item_record("r", state)["cost"] is None


def hostile(words: str) -> ItemStream:
    criteria = (Criterion(name=words or "c"), Criterion(name="score"))
    given_item = item(
        1,
        [part("text"), part("candidate", name=words), part("passage", name=words)],
        id=words,
        title=words,
        author=words,
        columns={words: words, "score": "own"},
    )
    spec = item_spec("review", [given_item], rubric=Rubric(criteria=criteria), judges=(judge(words or "j"),))
    stream = ItemStream(spec)
    return stream.item(1, judged(point(5, 6, criteria=criteria), turns=(asked(error=words, key=words),)))


def harmless_cells(content: bytes) -> bool:
    for row in csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")):
        for cell in row:
            assert not cell.startswith(FORMULA_STARTS) or cell.lstrip("-").replace(".", "").isdigit()
            assert not any(unicodedata.category(c) == "Cc" and c not in "\n\r\t" for c in cell)
            assert not set(cell) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    return True


@pytest.mark.parametrize("words", [*FORMULA_STARTS, '=HYPERLINK("http://x.invalid","x")', "\x1b[2J\u202ex", "score"])
def test_no_file_holds_a_formula_or_what_a_terminal_obeys(words: str) -> None:
    state = hostile(f"{words}1").state
    assert all(harmless_cells(content) for content in item_csv_files(state, {(1, 0, 0): words}).values())
    book = openpyxl.load_workbook(io.BytesIO(item_xlsx(state)))
    assert "f" not in {cell.data_type for sheet in book for row in sheet.iter_rows() for cell in row}


@given(st.text())
@settings(deadline=None, max_examples=50)
def test_any_name_gives_files_and_a_record_that_can_be_read(words: str) -> None:
    state = hostile(words).state
    for content in item_csv_files(state).values():
        assert harmless_cells(content) and read(content)
    assert len(openpyxl.load_workbook(io.BytesIO(item_xlsx(state))).sheetnames) == 3
    json.dumps(item_record(words, state), allow_nan=False, ensure_ascii=False).encode()


def test_names_that_meet_fixed_columns_get_a_prefix() -> None:
    header = wide_table(hostile("why").state).header
    assert "criterion: score" in header and "column: score" in header and header.count("score") == 1


@pytest.mark.parametrize("mode", MODES)
def test_the_workbook_is_the_twin_of_the_files(mode: ItemMode) -> None:
    state = golden(mode).state
    book = openpyxl.load_workbook(io.BytesIO(item_xlsx(state)))
    for name, table in item_tables(state).items():
        values = [[cell.value for cell in row] for row in book[name].iter_rows()]
        assert values == [[None if cell == "" else cell for cell in row] for row in (table.header, *table.rows)]
    assert book.sheetnames == [name.removesuffix(".csv") for name in FILES[mode]]


@pytest.mark.parametrize("mode", MODES)
def test_the_same_run_gives_the_same_bytes(mode: ItemMode) -> None:
    assert item_csv_files(golden(mode).state) == item_csv_files(golden(mode).state)
    assert item_xlsx(golden(mode).state) == item_xlsx(golden(mode).state)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("provider", "named"), [("offline", True), ("openai_compatible", False)])
def test_every_row_of_every_file_says_whether_the_demo_judge_had_a_say(
    mode: ItemMode, provider: str, named: bool
) -> None:
    judges = (judge("one", provider=provider), judge("two", provider=provider))
    for content in item_csv_files(golden(mode, judges=judges).state).values():
        rows = read(content)
        assert rows and all(("Offline demo judge, not an LLM" in row["warnings"]) is named for row in rows)


@pytest.mark.parametrize("mode", MODES)
def test_a_run_that_has_not_begun_has_all_files(mode: ItemMode) -> None:
    stream = golden(mode)
    state = ItemStream(stream.spec).state
    rows = read(item_csv_files(state)[f"{mode}.csv"])
    assert {row["status"] for row in rows} == {"waiting"}
    assert item_record("r", state)["items"][0]["judgments"] == []
    item_xlsx(state)


@pytest.mark.parametrize("mode", MODES)
def test_on_the_page_no_item_is_named_but_by_its_alias(mode: ItemMode) -> None:
    state = golden(mode).state
    table = screen_table(state)
    assert table.header[0] == "item" and not set(table.header) & {
        "id",
        "title",
        "author",
        "class",
        "candidate",
        "alias",
    }
    said = {str(cell) for row in table.rows for cell in row}
    assert not said & {"text1.txt", "Text 1", "m-1", "7b", "cand-1"}
    assert screen_table(state, {"I-001": "Ann"}).rows[0][0] == "Ann"


def test_frames_have_numbers_where_the_table_has_them() -> None:
    table = frame(screen_table(golden("review").state))
    assert table["score"].dtype == "float64" and list(table["score"].isna()) == [False, False, True]
    assert table["judges"].dtype == "int64" and list(table["item"]) == ["I-001", "I-002", "I-003"]
    assert frame(ledger_table(golden("review").state))["judgments"].sum() == 6


def test_the_judges_table_counts_each_judges_judgments() -> None:
    rows = [
        dict(zip(judges_table(s).header, row, strict=True))
        for s in [golden("review").state]
        for row in judges_table(s).rows
    ]
    assert [(row["judge"], row["judged"], row["failed"], row["calls"]) for row in rows] == [
        ("openai:judge-1", 2, 1, 4),
        ("openai:judge-2", 2, 1, 5),
    ]


def test_the_record_names_run_status_cost_and_each_verdict() -> None:
    record = item_record(
        "run-1", golden("gate", judges=(judge("a", weight=2, price=Price(input=1, output=2)), judge("b"))).state
    )
    assert (record["type"], record["run"], record["mode"], record["schema_version"]) == ("ended", "run-1", "gate", 1)
    assert (record["status"], record["passed"], record["bar"], record["prompt_version"]) == ("done", False, 3.5, "2")
    assert (record["parameters"][0]["weight"], record["parameters"][0]["temperature"]) == (2.0, 0.0)
    assert record["counts"] == {
        "items": 4, "judged": 7, "unparseable": 0, "failed": 1, "held": 0, "cancelled": 0, "waiting": 0,
    }  # fmt: skip
    assert (record["calls"], record["usage"]["prompt_tokens"], record["cost"]) == (8, 800, 0.08)
    assert record["summary"]["share_passed"] == 0.25
    hedged = record["items"][2]
    assert (hedged["panel"]["why"], hedged["panel"]["passed"], hedged["status"]) == ("hedged", False, "judged")
    assert hedged["judgments"][1]["verdict"]["stated"] == "hedged"
    assert hedged["warnings"] == [
        {
            "code": "hedged_pass",
            "message": "The judge passed the text only under a condition; that is no pass.",
            "count": 1,
        }
    ]


def test_the_record_is_strict_json_that_reads_back_the_same() -> None:
    for mode in MODES:
        record = item_record("r", golden(mode).state)
        assert json.loads(json.dumps(record, allow_nan=False)) == record


def test_hostile_strings_of_the_cases_pass_through_as_text() -> None:
    """S-014, S-015: tags and line breaks in names do nothing in any file."""
    for words in [*case("S-015")["input"]["strings"], *case("S-014")["input"]["texts"]]:
        stream = hostile(words)
        stream.item(1, silent(warnings=(Notice(code="repaired", message="m"),)), replicate=1)
        assert all(harmless_cells(content) for content in item_csv_files(stream.state).values())


def test_judges_weights_are_written_as_given() -> None:
    rows = rows_of("review", "judgments", judges=panel(2, 0.5))
    assert [row["weight"] for row in rows[:3]] == ["0.5", "2.0", "0.5"]


def test_each_figure_of_an_answer_in_the_record_names_what_it_rests_on() -> None:
    """Faithfulness is the hits among the claims that stand there; other verdicts have no basis."""
    verdicts = [
        one for row in item_record("run", golden("rag").state)["items"] for one in row["judgments"] if one["verdict"]
    ]
    assert verdicts
    for one in verdicts:
        basis, metrics = one["basis"]["faithfulness"], one["verdict"]["metrics"]
        share = len(basis["hits"]) / len(basis["among"]) if basis["among"] else None
        assert basis["value"] == metrics["faithfulness"] == share
    reviewed = item_record("run", golden("review").state)["items"][0]["judgments"]
    assert [one["basis"] for one in reviewed] == [None] * len(reviewed)
