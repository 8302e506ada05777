"""The verbs about recorded runs, and those that look after an installation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from judge_core.interfaces.cli import care
from tests.interfaces.doors import EXAMPLES, Cli, write_texts
from tests.judge_server import JudgeServer


def test_runs_are_listed_newest_first(cli: Cli) -> None:
    assert "podium rank examples" in cli.run("runs", "list").stdout
    first = cli.json("rank", EXAMPLES, "--json", "--name", "first [red]one")["run"]
    second = cli.json("rank", EXAMPLES, "--json", "--seed", 1)["run"]
    listed = cli.json("runs", "list", "--json")
    assert [row["run"] for row in listed] == [second, first]
    assert listed[1]["name"] == "first [red]one" and not listed[1]["live"]
    assert "first [red]one" in cli.run("runs", "list").stdout


def test_a_run_is_found_by_its_first_letters_or_as_last(cli: Cli) -> None:
    run = cli.json("rank", EXAMPLES, "--json")["run"]
    for name in (run, run[:6], run[:6].upper(), "last"):
        assert cli.json("runs", "show", name, "--json")["run"] == run
    for name in ("zzz", ""):
        assert "runs list" in cli.json("runs", "show", name, "--json", status=2)["error"]


def test_show_gives_the_folded_state(cli: Cli) -> None:
    end = cli.json("rank", EXAMPLES, "--json")
    state = cli.json("runs", "show", "last", "--json")
    assert state["standings"] == end["standings"] and state["status"] == "done"
    assert len(state["matches"]) == 18 and len(state["rounds"]) == 3
    assert state["elo"]["E-001"][0] == [0, 1500]
    assert end["verdict"].split(",")[0] not in ("", "So far")
    assert "Judgments: 18 planned" in cli.run("runs", "show", "last").stdout


def test_last_needs_a_run(cli: Cli) -> None:
    assert cli.run("runs", "show", "last").exit_code == 2


@pytest.mark.parametrize("format", ["csv", "xlsx", "judgments", "json"])
def test_tables_are_exported_the_same_each_time(cli: Cli, format: str) -> None:
    cli.json("rank", EXAMPLES, "--json")
    files = [cli.json("runs", "export", "last", "--format", format, "--out", name, "--json") for name in ("x", "y")]
    assert files[0]["bytes"] == Path("x").stat().st_size > 1000
    assert Path("x").read_bytes() == Path("y").read_bytes()


def test_a_run_is_exported_and_taken_in_elsewhere(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    end = cli.json("rank", EXAMPLES, "--json")
    file = cli.json("runs", "export", "last", "--json")["file"]
    assert file == f"podium-{end['run'][:8]}.zip"
    assert end["run"] in cli.json("runs", "import", file, "--json", status=2)["error"]
    monkeypatch.setenv("PODIUM_HOME", str(tmp_path / "elsewhere"))
    run = cli.json("runs", "import", file, "--json")["run"]
    assert cli.json("runs", "show", run, "--json")["standings"] == end["standings"]


@pytest.mark.parametrize(
    ("command", "word"),
    [
        (["export", "last", "--format", "pdf"], "Choose from"),
        (["export", "last", "--out", "no/such/x.zip"], "folder"),
        (["import", "gone.zip"], "gone.zip"),
        (["resume", "last"], "done"),
        (["cancel", "last"], "over already"),
    ],
)
def test_what_cannot_be_done_with_a_run_is_said(cli: Cli, command: list[str], word: str) -> None:
    cli.json("rank", EXAMPLES, "--json")
    assert word in cli.json("runs", *command, "--json", status=2)["error"]


def test_a_run_at_its_cap_goes_on_with_a_higher_one(cli: Cli) -> None:
    end = cli.json("rank", EXAMPLES, "--max-calls", 8, "--json", status=1)
    assert end["status"] == "budget" and end["judgments"]["held"] > 0
    assert "--max-calls" in cli.json("runs", "resume", "last", "--json", status=2)["error"]
    again = cli.json("runs", "resume", "last", "--max-calls", 100, "--json")
    assert again["status"] == "done" and again["run"] == end["run"]
    assert again["calls"] == 18


def test_failed_judgments_are_asked_again_on_demand(cli: Cli, server: JudgeServer) -> None:
    server.refuse = 400
    folder = write_texts(Path("texts"), 3)
    options = ["rank", folder, "--task", "?", "--judge", f"{server.url}#m", "--rounds", "1", "--json"]
    end = cli.json(*options, status=1)
    assert end["judgments"]["failed"] == 1
    server.refuse = None
    again = cli.json("runs", "resume", end["run"], "--retry", "--json")
    assert again["status"] == "done" and again["judgments"]["failed"] == 0


def test_a_run_is_cancelled_for_good(cli: Cli) -> None:
    end = cli.json("rank", EXAMPLES, "--max-calls", 8, "--json", status=1)
    assert cli.json("runs", "cancel", end["run"], "--json")["status"] == "cancelled"
    assert (
        "cancelled for good" in cli.json("runs", "resume", end["run"], "--max-calls", 100, "--json", status=2)["error"]
    )
    assert cli.json("runs", "show", end["run"], "--json")["judgments"]["cancelled"] > 0


def test_a_run_is_renamed(cli: Cli) -> None:
    cli.json("rank", EXAMPLES, "--json")
    cli.json("runs", "rename", "last", " Class 9b ", "--json")
    assert cli.json("runs", "show", "last", "--json")["name"] == "Class 9b"


def test_the_cache_is_counted_and_cleared_only_with_a_yes(cli: Cli) -> None:
    cli.json("rank", EXAMPLES, "--json")
    assert cli.json("cache", "stats", "--json")["cached"] == 18
    assert "--yes" in cli.json("cache", "clear", "--json", status=2)["error"]
    assert cli.json("cache", "clear", "--yes", "--json") == {"removed": 18}
    assert cli.json("cache", "stats", "--json")["cached"] == 0
    assert "0 of at most" in cli.run("cache", "stats").stdout


class Friendly(JudgeServer):
    """Answers whatever it is asked."""

    def answer(self, body: dict[str, Any]) -> str:
        return '{"criteria": [], "winner": "A"}'


def test_the_doctor_finds_a_sound_installation_sound(cli: Cli) -> None:
    with Friendly() as server:
        check_sound(cli, server)


def check_sound(cli: Cli, server: JudgeServer) -> None:
    said = cli.json("doctor", "--judge", "offline", "--judge", f"{server.url}#m", "--json")
    assert said["ok"] and all(check["ok"] for check in said["checks"])
    names = [check["name"] for check in said["checks"]]
    assert {"Python", "settings", "data folder", "database", "cache", "allowed hosts", "judge offline"} <= set(names)
    assert "price unknown" in said["checks"][-1]["message"]
    assert server.requests == 1


def test_the_doctor_names_the_fault_and_the_remedy(
    cli: Cli, server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.refuse = 401
    result = cli.run("doctor", "--judge", f"{server.url}#m", "--judge", "nobody")
    assert result.exit_code == 1
    assert result.stdout.count("FAULT") == 2 and "key" in result.stdout and "Known are" in result.stdout
    monkeypatch.setenv("PODIUM_CONCURRENCY", "many")
    said = cli.json("doctor", "--json", status=1)
    assert "PODIUM_CONCURRENCY" in said["checks"][-1]["message"]


def test_the_doctor_looks_at_judges_that_are_set_up_at_no_cost(
    cli: Cli, server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", server.host)
    monkeypatch.setenv("LLM_JUDGE_API_BASE", server.url)
    monkeypatch.setenv("JUDGE_FALLBACK_PROVIDERS", "ollama:small")
    said = {check["name"]: check for check in cli.json("doctor", "--json")["checks"]}
    assert "small:latest" in said["Ollama"]["message"] and not said["Ollama"]["note"]
    assert said["Stands in: ollama:small"]["ok"] and said["Address in LLM_JUDGE_API_BASE"]["ok"]
    assert said["OpenAI"]["note"] and "OPENAI_API_KEY" in said["OpenAI"]["message"], "not in use is no fault"
    assert server.requests == 0


def test_a_judge_that_is_set_up_and_cannot_be_used_is_a_fault_with_its_remedy(
    cli: Cli, server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", server.host)
    monkeypatch.setenv("JUDGE_FALLBACK_PROVIDERS", "ollama:gone")
    result = cli.run("doctor")
    assert result.exit_code == 1 and "FAULT  Stands in: ollama:gone" in result.stdout
    assert "ollama pull gone" in result.stdout and result.stdout.count("FAULT") == 1


def test_the_doctor_tells_what_is_left_of_each_quota(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODIUM_QUOTAS", "offline=1rpd; groq=30rpm")
    cli.run("doctor", "--judge", "offline")
    result = cli.run("doctor")
    assert result.exit_code == 0, "a quota that is used up comes back by itself"
    assert "note   Quota offline: 1 of 1 requests today. Free again at" in result.stdout
    assert "ok     Quota groq: 0 of 30 requests this minute. Free now." in result.stdout


def test_a_data_folder_that_cannot_be_made_is_a_message(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").write_text("x", "utf-8")
    monkeypatch.setenv("PODIUM_HOME", str(Path("file").absolute() / "home"))
    assert "PODIUM_HOME" in cli.json("rank", EXAMPLES, "--json", status=2)["error"]
    assert not cli.json("doctor", "--json", status=1)["ok"]


def test_a_file_that_is_no_database_is_a_message(cli: Cli) -> None:
    cli.home.mkdir()
    cli.home.joinpath("podium.db").write_bytes(b"This is no database, and long enough to be looked at." * 20)
    assert "cannot be opened" in cli.json("runs", "list", "--json", status=2)["error"]


def test_a_damaged_cache_is_set_aside_and_the_run_goes_on(cli: Cli) -> None:
    folder = cli.home / "cache"
    folder.mkdir(parents=True)
    folder.joinpath("cache.db").write_bytes(b"no database at all " * 100)
    result = cli.run("rank", EXAMPLES)
    assert result.exit_code == 0
    assert "set aside" in result.stderr


def test_serve_says_where_the_dashboard_is_missing(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(care, "APP", Path("nowhere/app.py"))
    result = cli.run("serve")
    assert result.exit_code == 2
    assert "app.py" in result.stderr


def test_the_version_is_told(cli: Cli) -> None:
    from judge_core import __version__

    assert cli.run("--version").stdout.strip() == __version__


@pytest.mark.parametrize(
    "verb",
    ["rank", "estimate", "inspect", "read-reply", "rate", "doctor", "serve", "cache stats", "cache clear"]
    + [f"runs {verb}" for verb in ("list", "show", "export", "import", "resume", "cancel", "rename")],
)
def test_every_verb_has_help_with_an_example(cli: Cli, verb: str) -> None:
    result = cli.run(*verb.split(), "--help")
    assert result.exit_code == 0
    assert f"podium {verb}" in result.stdout and "Example" in result.stdout
    assert "[bold" not in result.stdout
