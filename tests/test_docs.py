"""README cannot lie: its commands run, its code runs, its names exist."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from judge_core.interfaces.settings import VARIABLES, WITHOUT_EFFECT

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
COMMANDS = [line for kind, block in BLOCKS if kind == "console" for line in block.splitlines() if line.strip()]
PODIUM = [line for line in COMMANDS if "-m judge_core" in line]


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PODIUM_HOME", str(tmp_path / "home"))


def test_there_is_something_to_check() -> None:
    assert len(PODIUM) >= 5 and any(kind == "python" for kind, _ in BLOCKS)


@pytest.mark.parametrize("command", PODIUM)
def test_a_command_of_readme_runs(command: str, bare: None, tmp_path: Path) -> None:
    words = shlex.split(command.replace("/tmp/", f"{tmp_path}/"))
    done = subprocess.run([sys.executable, *words[1:]], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@pytest.mark.parametrize("command", [line for line in COMMANDS if line.startswith("make")])
def test_a_make_target_of_readme_exists(command: str) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert re.search(rf"^{re.escape(command.split()[1])}:", makefile, re.MULTILINE)


@pytest.mark.parametrize("code", [block for kind, block in BLOCKS if kind == "python"])
def test_the_code_of_readme_runs(code: str, bare: None) -> None:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def verbs() -> set[str]:
    """The command line's own list of verbs."""
    done = subprocess.run([sys.executable, "-m", "judge_core", "--help"], cwd=ROOT, capture_output=True, text=True)
    return set(re.findall(r"^  ([a-z][a-z-]+)  ", done.stdout.split("Commands:")[1], re.MULTILINE))


def test_every_verb_stands_in_readme_and_every_verb_of_readme_exists(bare: None) -> None:
    section = README.split("## Command line")[1].split("## Library")[0]
    named = {match.split()[0] for match in re.findall(r"^\| `([^`]+)`", section, re.MULTILINE)}
    assert named == verbs()


def test_every_setting_is_named() -> None:
    named = set(re.findall(r"`((?:PODIUM|JUDGE|LLM_JUDGE|OPENAI|GROQ|MINIMAX|OLLAMA)_[A-Z_]+)`", README))
    assert named == set(VARIABLES) - set(WITHOUT_EFFECT)


def test_every_package_has_its_reason() -> None:
    table = README.split("## What it builds on")[1].split("Tests add")[0]
    wanted = re.findall(r"^([A-Za-z][\w-]*)", (ROOT / "requirements.txt").read_text("utf-8"), re.MULTILINE)
    assert [name for name in wanted if not re.search(rf"\b{re.escape(name)}\b", table)] == []


def test_the_house_of_readme_is_the_house_on_disk() -> None:
    named = set(re.findall(r"`judge_core/(\w+)/`", README.split("## The house")[1].split("##")[0]))
    rooms = {p.name for p in (ROOT / "judge_core").iterdir() if p.is_dir() and p.name != "__pycache__"}
    assert named == rooms


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#:]+)\)", README))
def test_a_link_of_readme_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


def test_the_formats_of_files_are_those_that_the_readers_state() -> None:
    from judge_core.intake.items.agent_files import AGENT_FORMAT
    from judge_core.intake.items.rag_files import RAG_FORMAT

    told = (ROOT / "docs" / "formats.md").read_text("utf-8")
    assert RAG_FORMAT.strip() in told and AGENT_FORMAT.strip() in told


def test_the_version_is_said_once() -> None:
    from judge_core import __version__

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == __version__
