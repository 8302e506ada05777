"""The verbs `pairwise`, `review`, `gate`, `list`, `rag`, `agent`: what is said, what machines get, with which exit status."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from tests.engine.item_world import ItemServer
from tests.interfaces.doors import ESSAYS, EXAMPLES, Cli, lines, write_texts

RAG = EXAMPLES / "rag" / "town_answers.jsonl"
AGENT = EXAMPLES / "agents" / "runs.json"
TASK = ("--task", "Which is richer?")
VERBS: dict[str, tuple[object, ...]] = {
    "pairwise": ("pairwise", ESSAYS / "essay-01.txt", ESSAYS / "essay-02.txt", *TASK),
    "review": ("review", ESSAYS, *TASK),
    "gate": ("gate", ESSAYS, "--bar", "1.5", *TASK),
    "list": ("list", "texts", *TASK),
    "rag": ("rag", RAG),
    "agent": ("agent", AGENT),
}
ITEM_VERBS = [verb for verb in VERBS if verb != "pairwise"]


@pytest.fixture(autouse=True)
def texts(cli: Cli) -> Path:
    return write_texts(Path("texts"), 3)


@pytest.fixture
def items() -> Iterator[ItemServer]:
    """A judge that gives 10, the best on the default criterion's scale of 0 to 10."""
    with ItemServer() as server:
        server.total = 10.0
        yield server


def judged(server: ItemServer) -> tuple[str, str]:
    return "--judge", server.url + "#m"


@pytest.mark.parametrize("verb", VERBS)
def test_with_json_each_line_is_strict_and_the_last_one_ends(cli: Cli, verb: str) -> None:
    result = cli.run(*VERBS[verb], "--json")
    events = lines(result.stdout)
    assert result.exit_code == (1 if verb == "gate" and not events[-1]["passed"] else 0), result.output
    assert [event["type"] for event in events].count("ended") == 1 and events[-1]["type"] == "ended"
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    end = events[-1]
    assert end["status"] == "done" and end["calls"] > 0 and end["cost"] == 0
    assert "Nothing leaves this computer." in result.stderr


@pytest.mark.parametrize("verb", VERBS)
def test_people_get_a_verdict_a_table_and_the_ledger(cli: Cli, verb: str) -> None:
    result = cli.run(*VERBS[verb])
    assert result.exit_code in (0, 1) and "Traceback" not in result.output
    assert "calls, 0 cached, $0.00" in result.stdout and "Run: " in result.stdout
    assert "demo judge" in result.stdout.casefold()


@pytest.mark.parametrize("verb", VERBS)
def test_a_rerun_asks_nothing_and_says_the_same(cli: Cli, verb: str) -> None:
    first, again = (lines(cli.run(*VERBS[verb], "--json").stdout)[-1] for _ in range(2))
    assert again["calls"] == 0 and again["cached"] == first["calls"]
    assert again["verdict"] == first["verdict"] and again["run"] != first["run"]


@pytest.mark.parametrize(
    ("verb", "kind"),
    [*((verb, "xlsx") for verb in ITEM_VERBS), ("rag", "csv"), ("list", "csv"), ("gate", "json"), ("agent", "json")],
)
def test_out_writes_the_results_in_the_form_of_its_ending(cli: Cli, verb: str, kind: str) -> None:
    end = lines(cli.run(*VERBS[verb], "--json", "--out", f"found.{kind}").stdout)[-1]
    content = Path(f"found.{kind}").read_bytes()
    if kind == "json":
        written = json.loads(content)
        assert {**written, "seq": 0, "at": 0} == {**end, "seq": 0, "at": 0}
        return
    if kind == "csv":
        rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    else:
        book = load_workbook(io.BytesIO(content))
        assert {"summary", "judgments"} < set(book.sheetnames)
        rows = [list(row) for row in book[book.sheetnames[0]].iter_rows(values_only=True)]
    assert len(rows) - 1 == (3 if verb == "list" else len(end["items"]))


@pytest.mark.parametrize(
    ("verb", "out"), [*((verb, "x.pdf") for verb in ITEM_VERBS), ("rag", "no/such/folder/x.csv"), ("review", ".")]
)
def test_an_output_that_cannot_be_written_is_said_before_the_run(cli: Cli, verb: str, out: str) -> None:
    result = cli.run(*VERBS[verb], "--out", out)
    assert result.exit_code == 2 and "Error: " in result.stderr
    assert cli.json("runs", "list", "--json") == []


@pytest.mark.parametrize(
    ("verb", "options", "word"),
    [
        *((verb, ["--judge", "opnai:gpt-4o"], "Did you mean openai?") for verb in VERBS),
        ("review", ["--max-calls", "-1"], "max_calls"),
        ("agent", ["--temperature", "3"], "temperature"),
        ("rag", ["--concurrency", "0"], "concurrency"),
        ("list", ["--max-cost", "nan"], "max_cost"),
        ("pairwise", ["--criteria", "no/such/file.json"], "neither a file that can be read nor a preset"),
    ],
)
def test_a_choice_that_cannot_be_is_named_and_nothing_is_started(
    cli: Cli, verb: str, options: list[str], word: str
) -> None:
    result = cli.run(*VERBS[verb], "--json", *options)
    assert result.exit_code == 2 and word in result.stderr and "Traceback" not in result.output
    [said] = lines(result.stdout)
    assert said["type"] == "error" and word in said["error"]
    assert cli.json("runs", "list", "--json") == []


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("gate", "texts", "--bar", "6"), "bar"),
        (("gate", "texts", "--bar", "nan"), "bar"),
        (("gate", "texts", "--on-error", "draw"), "Choose skip or abort"),
        (("review", "texts", "--on-error", "hope"), "on_error"),
        (("review", "gone.txt"), "No text could be read"),
        (("review", "empty.txt"), "No text could be read"),
        (("review", "texts", "--reference", "gone.txt"), "must be a file with one text"),
        (("review", "texts", "--reference", "texts"), "must be a file with one text"),
        (("gate", "texts", "gone.txt"), "'gone.txt' was not read in full, so the gate cannot let it pass"),
        (("gate", "empty.txt", "texts"), "'empty.txt' was not read in full"),
        (("list", "texts/text-01.txt"), "2 to 20"),
        (("list", "many"), "2 to 20"),
        (("pairwise", "texts/text-01.txt", "gone.txt"), "must be a file with one text"),
        (("pairwise", "texts/text-01.txt", "texts"), "must be a file with one text"),
        (("rag", "gone.jsonl"), "'gone.jsonl' cannot be read"),
        (("rag", "texts"), "cannot be read"),
        (("rag", "empty.jsonl"), "Nothing can be judged"),
        (("agent", "gone.jsonl"), "cannot be read"),
        (("agent", "empty.jsonl"), "Nothing can be judged"),
        (("agent", "faulty.jsonl"), "Nothing can be judged"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_with_its_name_and_the_remedy(cli: Cli, arguments: tuple[str, ...], word: str) -> None:
    Path("empty.txt").write_text("", "utf-8")
    Path("empty.jsonl").write_text("", "utf-8")
    Path("faulty.jsonl").write_text('{"goal": 1}\nnot json\n', "utf-8")
    write_texts(Path("many"), 21)
    result = cli.run(*arguments, "--json")
    assert result.exit_code == 2 and word in result.stderr and "Traceback" not in result.output, result.output
    assert lines(result.stdout)[-1]["type"] == "error"
    assert cli.json("runs", "list", "--json") == []


def test_faulty_lines_are_named_and_the_others_are_judged(cli: Cli) -> None:
    rows = [
        '{"question": "When?", "answer": "At ten.", "passages": ["It opens at ten."]}',
        "not json",
        '{"question": "Who?"}',
    ]
    Path("rows.jsonl").write_text("\n".join(rows), "utf-8")
    result = cli.run("rag", "rows.jsonl", "--json")
    assert result.exit_code == 0
    assert "rows.jsonl: " in result.stderr and "2" in result.stderr and "'answer'" in result.stderr
    assert len(lines(result.stdout)[-1]["items"]) == 1


# the gate's exit status


def test_a_gate_opens_only_if_all_pass(cli: Cli, items: ItemServer) -> None:
    end = cli.json("gate", "texts", "--json", *judged(items), status=0)
    assert end["passed"] is True and end["summary"]["share_passed"] == 1


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "fail"}, {"verdict": "pass with changes"}, {"verdict": "excellent"}, {"verdict": ""},
        {"total": 3.0}, {"refuse": 400}, {"refuse": 401},
    ],
)  # fmt: skip
def test_whatever_goes_wrong_a_gate_ends_with_1(cli: Cli, items: ItemServer, change: dict[str, Any]) -> None:
    for name, value in change.items():
        setattr(items, name, value)
    result = cli.run("gate", "texts", "--json", *judged(items))
    assert result.exit_code == 1
    assert lines(result.stdout)[-1]["passed"] is False


def test_one_text_that_fails_closes_the_gate_and_is_named(cli: Cli, items: ItemServer) -> None:
    items.say = lambda mode, prompt: "no idea" if "Text 2 says" in prompt else None
    result = cli.run("gate", "texts", *judged(items))
    assert result.exit_code == 1 and "text-02.txt" in result.stdout


def test_a_judge_of_the_panel_that_is_silent_closes_the_gate(cli: Cli, items: ItemServer) -> None:
    with ItemServer() as silent:
        silent.say = lambda mode, prompt: "I would rather not."
        end = cli.json("gate", "texts", "--json", *judged(items), *judged(silent), status=1)
    assert {item["panel"]["why"] for item in end["items"]} == {"judge_missing"}


def test_a_gate_at_its_cap_is_closed(cli: Cli, items: ItemServer) -> None:
    end = cli.json("gate", "texts", "--json", "--max-calls", "3", *judged(items), status=1)
    assert (end["status"], end["passed"]) == ("budget", False) and items.requests <= 3


# pairwise


def test_the_better_of_two_is_named_by_its_file(cli: Cli, items: ItemServer) -> None:
    end = cli.json("pairwise", "texts/text-01.txt", "texts/text-03.txt", *TASK, "--json", *judged(items))
    assert (end["a"], end["b"], end["winner"], end["better"]) == ("text-01.txt", "text-03.txt", "b", "text-03.txt")
    assert items.requests == 2
    turned = cli.json("pairwise", "texts/text-03.txt", "texts/text-01.txt", *TASK, "--json", *judged(items))
    assert (turned["winner"], turned["better"]) == ("a", "text-03.txt")
    assert turned["scores"] == [{name: pair[::-1] for name, pair in scores.items()} for scores in end["scores"]]


def test_one_order_is_half_the_calls(cli: Cli, items: ItemServer) -> None:
    cli.run("pairwise", "texts/text-01.txt", "texts/text-03.txt", *TASK, "--one-order", *judged(items))
    assert items.requests == 1


def test_files_of_one_name_are_told_apart_and_equal_texts_are_level(cli: Cli) -> None:
    write_texts(Path("other"), 1)
    end = cli.json("pairwise", "texts/text-01.txt", "other/text-01.txt", *TASK, "--json")
    assert (end["a"], end["b"], end["winner"], end["better"]) == ("A", "B", "tie", None)


def test_a_comparison_without_a_verdict_says_so_and_ends_with_1(cli: Cli, items: ItemServer) -> None:
    items.refuse = 400
    result = cli.run("pairwise", "texts/text-01.txt", "texts/text-03.txt", *TASK, *judged(items))
    assert result.exit_code == 1 and "No judge gave a verdict" in result.stdout


# recorded runs


@pytest.mark.parametrize("verb", ITEM_VERBS)
def test_a_run_of_items_is_listed_shown_exported_and_taken_in_elsewhere(
    cli: Cli, verb: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    end = lines(cli.run(*VERBS[verb], "--json", "--name", "Mine").stdout)[-1]
    [listed] = cli.json("runs", "list", "--json")
    assert (listed["run"], listed["name"], listed["mode"]) == (end["run"], "Mine", end["mode"])
    assert listed["texts"] == len(end["items"])
    shown = cli.json("runs", "show", "last", "--json")
    assert shown["type"] == "state" and shown["items"] == end["items"]
    assert end["run"][:8] in cli.run("runs", "list").stdout and "Mine" in cli.run("runs", "show", "last").stdout
    for kind in ("csv", "xlsx", "json", "judgments", "zip"):
        assert cli.json("runs", "export", "last", "--format", kind, "--out", f"run.{kind}", "--json")["bytes"] > 100
    monkeypatch.setenv("PODIUM_HOME", str(tmp_path / "elsewhere"))
    new = cli.json("runs", "import", "run.zip", "--json")["run"]
    again = cli.json("runs", "show", new, "--json")
    assert again["items"] == shown["items"] and again["summary"] == shown["summary"]
    assert "is here already" in cli.run("runs", "import", "run.zip").stderr


def test_a_run_at_its_cap_goes_on_and_pays_nothing_twice(cli: Cli, items: ItemServer) -> None:
    cli.json("gate", "texts", "--json", "--max-calls", "3", *judged(items), status=1)
    assert "Give --max-cost or --max-calls" in cli.run("runs", "resume", "last").stderr
    end = cli.json("runs", "resume", "last", "--max-calls", "50", "--json", status=0)
    assert (end["status"], end["passed"], items.requests) == ("done", True, 3)


def test_a_retry_mends_what_failed(cli: Cli, items: ItemServer) -> None:
    items.say = lambda mode, prompt: "no idea" if "Text 2 says" in prompt else None
    cli.json("gate", "texts", "--json", *judged(items), status=1)
    items.say = lambda mode, prompt: None
    end = cli.json("runs", "resume", "last", "--retry", "--json", status=0)
    assert end["passed"] is True and items.requests == 2 + 2 + 1


def test_a_run_of_items_has_no_ranking_and_a_ranking_no_items(cli: Cli) -> None:
    cli.run("gate", "texts")
    assert cli.run("runs", "export", "last", "--format", "no").exit_code == 2
    cli.run("rank", "texts", *TASK)
    shown = cli.json("runs", "show", "last", "--json")
    assert "standings" in shown and "items" not in shown


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_says_what_it_does_with_an_example(cli: Cli, verb: str) -> None:
    result = cli.run(verb, "--help")
    assert result.exit_code == 0 and f"podium {verb} " in result.stdout and "--json" in result.stdout


@pytest.mark.parametrize("path", [".", "./"])
def test_the_working_folder_gives_a_run_its_name(cli: Cli, path: str) -> None:
    end = lines(cli.run("list", path, *TASK, "--json").stdout)[-1]
    assert end["name"] == Path.cwd().name and end["items"][0]["id"] == Path.cwd().name
