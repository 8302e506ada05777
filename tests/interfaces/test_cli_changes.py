"""The verbs that change a ranking: `runs add`, `runs withdraw`, `runs extend`; and the report."""

from __future__ import annotations

import json
import os
import pty
import re
from pathlib import Path

import pytest

from tests.interfaces.doors import EXAMPLES, Cli, write_texts


def run_of(cli: Cli, *options: str) -> str:
    result = cli.run("rank", EXAMPLES, "--json", *options)
    return str(json.loads(result.stdout.splitlines()[-1])["run"])


def last_of(stdout: str) -> dict[str, object]:
    record: dict[str, object] = json.loads(stdout.splitlines()[-1])
    return record


def test_a_late_text_is_added_and_ranked(cli: Cli, tmp_path: Path) -> None:
    run = run_of(cli, "--rounds", "2")
    late = tmp_path / "late.txt"
    late.write_text("Sleep helps, because studies show that it does. Therefore schools should start later.", "utf-8")
    result = cli.run("runs", "add", run, str(late), "--json")
    assert result.exit_code == 0
    standings = last_of(result.stdout)["standings"]
    assert isinstance(standings, list) and any(row["id"] == "late.txt" and row["rank"] for row in standings)
    again = cli.run("runs", "add", run, str(late))
    assert again.exit_code == 2 and "nothing to add" in again.stderr


def test_a_withdrawn_text_keeps_no_rank(cli: Cli) -> None:
    run = run_of(cli, "--rounds", "2")
    shown = last_of(cli.run("runs", "show", run, "--json").stdout)["standings"]
    assert isinstance(shown, list)
    name = shown[0]["id"]
    assert cli.run("runs", "withdraw", run, name).exit_code == 0
    after = last_of(cli.run("runs", "show", run, "--json").stdout)["standings"]
    assert isinstance(after, list)
    assert [row for row in after if row["id"] == name][0]["status"] == "withdrawn" and after[0]["id"] != name
    assert cli.run("runs", "withdraw", run, "nobody.txt").exit_code == 2


def test_a_text_that_is_withdrawn_by_its_alias_is_named_by_its_id(cli: Cli) -> None:
    run = run_of(cli, "--rounds", "1")
    rows = cli.json("runs", "show", run, "--json")["standings"]
    name = next(row["id"] for row in rows if row["alias"] == "E-005")
    assert f"Withdrawn: {name} (E-005)" in cli.run("runs", "withdraw", run, "E-005").stdout


@pytest.mark.parametrize(("answer", "status"), [("n", 1), ("y", 0)])
def test_at_a_terminal_a_withdrawal_is_asked_about_first(cli: Cli, answer: str, status: int) -> None:
    run = run_of(cli, "--rounds", "1")
    there, here = pty.openpty()
    process = cli.start("runs", "withdraw", run, "E-005", stdin=here)
    os.write(there, f"{answer}\n".encode())
    _, said = process.communicate(timeout=60)
    assert process.returncode == status and "To be withdrawn: essay-" in said and "(E-005)" in said
    os.close(there)
    os.close(here)
    assert len(cli.json("runs", "show", run, "--json")["withdrawn"]) == (answer == "y")


def test_further_rounds_go_on_until_the_goal(cli: Cli) -> None:
    run = run_of(cli, "--rounds", "1")
    result = cli.run("runs", "extend", run, "--rounds", "8", "--until", "order@0.6", "--json")
    assert result.exit_code == 0
    record = last_of(result.stdout)
    assert record["goal_reached"] is True and "Settled" in str(record["reason"])


def test_rounds_that_were_judged_before_are_not_told_again(cli: Cli, tmp_path: Path) -> None:
    run = run_of(cli, "--rounds", "2")
    told = cli.run("runs", "extend", run, "--rounds", "1").stderr
    assert "Round 3 is judged" in told and "Round 1" not in told and "Round 2" not in told
    late = tmp_path / "late.txt"
    late.write_text("Sleep helps, because studies show that it does.", "utf-8")
    told = cli.run("runs", "add", run, late).stderr
    assert "Round 4" in told and "Round 3" not in told


def test_the_same_command_goes_on_with_a_run_at_its_cap_and_tells_new_rounds_alone(cli: Cli) -> None:
    command = ("rank", EXAMPLES, "--max-calls", "7")
    assert "Round 1 of 3 is judged" in cli.run(*command).stderr
    again = cli.run(*command).stderr
    assert "This goes on with run" in again and "Round 1" not in again


def test_a_goal_that_is_not_settled_stays_the_goal_of_further_rounds(cli: Cli) -> None:
    run = run_of(cli, "--rounds", "1", "--until", "top:3@0.99")
    result = cli.run("runs", "extend", run, "--rounds", "1")
    assert "The goal is the same as before" in result.stderr and "top 3" in result.stderr
    assert cli.json("runs", "show", run, "--json")["goal"]["ranks"] == [3]
    result = cli.run("runs", "extend", run, "--rounds", "1", "--until", "none")
    assert "The former goal holds no more: the top 3" in result.stderr
    assert cli.json("runs", "show", run, "--json")["goal"] is None


def test_a_goal_that_was_reached_stops_no_further_round_and_that_is_said(cli: Cli) -> None:
    run = run_of(cli, "--rounds", "4", "--until", "order@0.51")
    assert "The former goal holds no more" in cli.run("runs", "extend", run, "--rounds", "1").stderr


def test_an_extension_that_is_refused_leaves_the_goal_alone(cli: Cli, tmp_path: Path) -> None:
    texts = write_texts(tmp_path / "three", 3)
    cli.run("rank", texts, "--task", "?", "--until", "top:1@0.999")
    refused = cli.run("runs", "extend", "last", "--until", "none")
    assert refused.exit_code == 2 and "have met" in refused.stderr
    state = cli.json("runs", "show", "last", "--json")
    assert state["goal"]["ranks"] == [1] and "Every two texts have met" in state["reason"]


def test_the_report_is_written_as_plain_text(cli: Cli, tmp_path: Path) -> None:
    run = run_of(cli)
    target = tmp_path / "report.txt"
    assert cli.run("runs", "export", run, "--format", "report", "--out", str(target)).exit_code == 0
    report = target.read_text("utf-8")
    assert "Round 3" in report and "Should schools start later" in report
    assert re.search(
        r"What the judges said of the first\n-+\n  essay-\d+\.txt, against essay-\d+\.txt, by offline:\n    > ", report
    )
