"""A gate lets nothing pass that was given and not judged; what no rule takes for a text does not hinder it."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judge_core import Judge
from judge_core.records.errors import InputError
from tests.engine.item_world import ItemServer
from tests.interfaces.doors import Cli, lines, write_texts

TEXT = "Because days grow short, the tree seals each stem, and the wind does the rest."


def empty_cells(folder: Path) -> None:
    (folder / "x.csv").write_text(f'id,text\na,"{TEXT}"\nb,\nc,\n', "utf-8")


def empty_rows(folder: Path) -> None:
    (folder / "x.csv").write_text(f'id,text\na,"{TEXT}"\n,\n"",""\n', "utf-8")


def wide_row(folder: Path) -> None:
    (folder / "x.csv").write_text(f'id,text\na,"{TEXT}"\nb,one,two\n', "utf-8")


def dangling_link(folder: Path) -> None:
    (folder / "x.txt").symlink_to(folder / "gone.txt")


def linked_file(folder: Path) -> None:
    (folder.parent / "other.txt").write_text(TEXT, "utf-8")
    (folder / "x.txt").symlink_to(folder.parent / "other.txt")


def linked_folder(folder: Path) -> None:
    write_texts(folder.parent / "others", 1)
    (folder / "x").symlink_to(folder.parent / "others")


def empty_file(folder: Path) -> None:
    (folder / "x.txt").write_text(" ", "utf-8")


def bad_entry(folder: Path) -> None:
    with zipfile.ZipFile(folder / "x.zip", "w") as archive:
        archive.writestr("good.txt", TEXT)
        archive.writestr("blank.txt", " ")


LOSSES = [empty_cells, empty_rows, wide_row, dangling_link, linked_file, linked_folder, empty_file, bad_entry]


@pytest.fixture
def folder(cli: Cli) -> Path:
    """A folder with two good texts, in the folder where the command is run."""
    return write_texts(Path.cwd() / "texts", 2)


@pytest.fixture
def generous() -> Iterator[str]:
    """The name of a judge that gives the best score to each text."""
    with ItemServer() as server:
        server.total = 10.0
        yield f"{server.url}#m"


@pytest.mark.parametrize("lose", LOSSES)
def test_a_gate_refuses_what_it_cannot_judge_in_full(cli: Cli, folder: Path, lose: Callable[[Path], None]) -> None:
    lose(folder)
    result = cli.run("gate", "texts", "--judge", "offline", "--json")
    assert result.exit_code == 2 and "so the gate cannot let it pass" in result.stderr, result.output
    assert "'x" in lines(result.stdout)[-1]["error"] and cli.json("runs", "list", "--json") == []
    with Judge() as judge, pytest.raises(InputError, match="'x.* was not read in full"):
        judge.gate([folder])


def test_the_refusal_names_the_first_loss_and_the_number(cli: Cli, folder: Path) -> None:
    empty_cells(folder)
    result = cli.run("gate", "texts/x.csv", "--judge", "offline")
    assert result.exit_code == 2 and "2 such things in all" in result.stderr
    assert "cannot let it pass. Row 3 has no text" in result.stderr
    assert "of 1 text" not in result.output


def test_what_is_left_out_of_a_folder_by_rule_does_not_hinder_a_gate(cli: Cli, folder: Path, generous: str) -> None:
    for name in ("README.md", "LICENSE", ".hidden", "rows.jsonl"):
        (folder / name).write_text("{}", "utf-8")
    (folder / "roster.csv").write_text("file,teacher\ntext-01.txt,Ann\n", "utf-8")
    (folder / "readme.txt").symlink_to(folder / "README.md")
    (folder / ".git").mkdir()
    end = cli.json("gate", "texts", "--judge", generous, "--json", status=0)
    assert end["passed"] is True and len(end["items"]) == 2


def test_a_remark_does_not_hinder_a_gate(cli: Cli, generous: str) -> None:
    Path("x.csv").write_text(f'id,text\na,"{TEXT}"\n\n\na,"{TEXT} Or not."\n', "utf-8")
    result = cli.run("gate", "x.csv", "--judge", generous)
    assert result.exit_code == 0 and "2 blank rows were skipped" in result.stderr, result.output
    with Judge(generous) as judge:
        assert judge.gate([Path("x.csv")]).passed


def test_other_verbs_judge_what_there_is(cli: Cli, folder: Path) -> None:
    empty_cells(folder)
    dangling_link(folder)
    end = cli.json("review", "texts", "--judge", "offline", "--json", status=0)
    assert len(end["items"]) == 3
