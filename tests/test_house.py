"""The rooms of the house: who may import whom, and which rooms touch the outside world."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "judge_core"
MAY_IMPORT: dict[str, set[str]] = {
    "records": set(),
    "ranking": {"records"},
    "scoring": {"records"},
    "modes": {"records", "ranking", "scoring"},
    "providers": {"records"},
    "engine": {"records"},
    "store": {"records"},
    "intake": {"records", "scoring"},
    "views": {"records", "ranking", "scoring"},
    "interfaces": {"records", "ranking", "scoring", "modes", "providers", "engine", "store", "intake", "views"},
}
PURE = ("records", "ranking", "scoring", "modes", "views")
"""Rooms without network, disk, clock, environment, threads or chance that is not seeded."""
WORLD = {
    "asyncio", "builtins", "diskcache", "fastapi", "glob", "http", "httpx", "multiprocessing", "os", "pathlib", "queue",
    "random", "requests", "secrets", "shutil", "signal", "socket", "sqlalchemy", "sqlite3", "ssl", "streamlit",
    "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip
VENDORS = {"groq", "ollama", "openai"}
"""Client packages of vendors: no room needs one."""
CALLS = {"open", "print", "input", "eval", "exec", "__import__"}


def imports(source: str) -> Iterator[str]:
    """The dotted names that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide the room"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def breaches(room: str, source: str) -> list[str]:
    """What a module of that room does that it may not."""
    found = []
    for name in imports(source):
        parts = name.split(".")
        if parts[0] == "judge_core" and len(parts) > 1 and parts[1] in MAY_IMPORT:
            if parts[1] != room and parts[1] not in MAY_IMPORT[room]:
                found.append(f"imports {name}")
        elif (
            parts[0] in VENDORS
            or room in PURE
            and parts[0] in WORLD
            or room != "interfaces"
            and parts[0] == "streamlit"
        ):
            found.append(f"imports {name}")
    if room in PURE:
        found += [f"calls {name}()" for name in called(source) if name in CALLS]
    return found


def called(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


MODULES = [(room, path) for room in MAY_IMPORT for path in sorted((PACKAGE / room).rglob("*.py"))]


@pytest.mark.parametrize(("room", "path"), MODULES, ids=[str(path.relative_to(PACKAGE)) for _, path in MODULES])
def test_a_room_imports_only_what_it_may(room: str, path: Path) -> None:
    assert breaches(room, path.read_text("utf-8")) == []


def test_every_folder_of_the_package_is_a_known_room() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert rooms == set(MAY_IMPORT)


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("records", "from judge_core.ranking import elo"),
        ("views", "from judge_core.store.journal import Journal"),
        ("engine", "import judge_core.interfaces.workbench"),
        ("ranking", "import random"),
        ("modes", "def f():\n    import time\n"),
        ("scoring", "open('x')"),
        ("providers", "import streamlit as st"),
        ("store", "from judge_core import views"),
        ("providers", "from openai import OpenAI"),
        ("interfaces", "def f():\n    import groq\n"),
        ("engine", "import ollama"),
    ],
)
def test_a_planted_breach_is_found(room: str, source: str) -> None:
    assert breaches(room, source)


def test_only_pages_and_the_server_import_the_interfaces() -> None:
    for room, path in MODULES:
        if room != "interfaces":
            assert not any(name.startswith("judge_core.interfaces") for name in imports(path.read_text("utf-8"))), path
