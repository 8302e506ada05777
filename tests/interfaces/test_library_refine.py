"""`Judge.refine` and what it gives back, its options, and the folder that it is written to."""

from __future__ import annotations

import asyncio
import io
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from judge_core import Judge
from judge_core.interfaces.library.refine.folder import check_folder, folder_zip, write_folder
from judge_core.interfaces.library.refine.options import (
    PRESETS,
    VETO_ROLES,
    RefineOptions,
    refine_spec,
    task_beside,
    with_task,
)
from judge_core.interfaces.library.refine.result import Refinement
from judge_core.providers.registry import judge_spec
from judge_core.records.criteria import Rubric
from judge_core.records.errors import InputError
from judge_core.records.record import text_hash
from judge_core.records.spec import RefineSpec, TextRef
from tests.interfaces.doors import Cli
from tests.refine_server import FIRST, RefineServer

BAD = "We walk to the the school. It is very far  away."
GOOD = "We walk to the school. It is far away."
FILES = {"initial_a.md": b"One.", "pass_01/version_a.md": b"One.", "history.json": b"[]\n"}


@pytest.fixture
def judge(cli: Cli) -> Any:
    with Judge() as judge:
        yield judge


def spec_of(judge: Judge, characters: int = 40, **options: Any) -> RefineSpec:
    ref = TextRef(alias="E-001", id="t", title="t", sha256=text_hash(BAD), words=8, characters=characters)
    return refine_spec(judge.bench, ref, Rubric(), RefineOptions(**options))


def test_a_refinement_has_both_texts_its_passes_and_what_it_took(judge: Judge) -> None:
    found = judge.refine(BAD, task="Say how far it is.")
    assert (found.initial, found.final, found.changed) == (BAD, GOOD, True)
    assert (found.status, found.outcome, len(found.passes), found.calls, found.cost) == ("done", "converged", 3, 18, 0)
    assert found.agreement == 1.0 and "agree largely" in found.sentence and "converged" in repr(found)
    assert found.state.spec.rubric.question == "Say how far it is."
    assert found.record()["final_hash"] == text_hash(GOOD) and judge.open_refinement(found.run_id).final == GOOD


def test_empty_lines_about_a_text_are_no_part_of_it(judge: Judge) -> None:
    found = judge.refine(f"\n\n{GOOD}\n\n", judges=1)
    assert found.final == found.initial == GOOD and not found.changed and len(found.passes) == 2


def test_a_file_is_read_with_the_task_beside_it(judge: Judge) -> None:
    Path("walk.md").write_text(BAD, "utf-8")
    Path("walk.spec.md").write_text("Tell where.", "utf-8")
    found = judge.refine(Path("walk.md"), preset="quick")
    assert (
        found.final == GOOD
        and found.state.spec.rubric.question == "Tell where."
        and found.state.spec.text.id == "walk.md"
    )


def test_the_folder_and_the_zip_hold_the_same(judge: Judge) -> None:
    found = judge.refine(BAD, folder="found", judges=1)
    assert found.save("found") == [], "every file was written when its pass was decided"
    with zipfile.ZipFile(io.BytesIO(found.zip())) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == found.layout()
    assert found.zip() == Refinement.of(judge.bench, found.run_id).zip()
    assert found.files()["final_output.md"].content(found) == GOOD.encode()


def test_every_pass_is_in_the_folder_when_its_event_is_told(judge: Judge) -> None:
    seen: list[int] = []

    def tell(stored: Any) -> None:
        if stored.event.type == "pass_complete":
            seen.append(stored.event.pass_num)
            assert (Path("found") / f"pass_{stored.event.pass_num:02d}" / "result.json").exists()

    judge.refine(BAD, folder="found", on_event=tell)
    assert seen == [1, 2, 3]


def test_it_is_awaited_like_its_siblings_and_estimated(judge: Judge) -> None:
    assert asyncio.run(judge.arefine(BAD, preset="quick")).final == GOOD
    assert (
        judge.estimate_refinement(BAD).calls == 60 and judge.estimate_refinement(BAD, judges=1, max_rounds=2).calls == 8
    )


def test_notes_acceptance_and_extension(cli: Cli) -> None:
    with RefineServer() as server, Judge(server.url + "#m") as judge:
        found = judge.refine(FIRST, max_calls=9)
        assert found.status == "budget" and found.outcome is None and "Not ended" in found.sentence
        judge.note(found, "Mind the shade.")
        found = judge.accept(found)
        assert found.outcome == "accepted"
        with pytest.raises(InputError, match="Extend it first"):
            judge.note(found, "Mind the shade.")


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_sets_judges_wins_and_passes_and_gives_way_to_numbers(judge: Judge, name: str) -> None:
    spec, preset = spec_of(judge, preset=name), PRESETS[name]
    assert (len(spec.panel), spec.stopping.k, spec.stopping.max_rounds) == preset
    own = spec_of(judge, preset=name, num_judges=4, k=5, max_rounds=6)
    assert (len(own.panel), own.stopping.k, own.stopping.max_rounds) == (4, 5, 6)


def test_equal_judges_are_one_and_all_roles_are_its_by_default(judge: Judge) -> None:
    spec = spec_of(judge)
    assert len(spec.judges) == 1 and (spec.critic, spec.author_b, spec.synthesizer) == (0, 0, 0)
    assert [seat.judge for seat in spec.panel] == [0, 0, 0] and spec.judges[0].temperature == 0


def test_who_writes_may_answer_with_the_whole_text(judge: Judge) -> None:
    spec = spec_of(judge, characters=100_000)
    judges = spec.judges
    assert judges[spec.panel[0].judge].max_tokens == judges[spec.critic].max_tokens == 4096
    assert judges[spec.author_b].max_tokens == judges[spec.synthesizer].max_tokens > 50_000


def test_roles_take_other_judges_and_temperatures(judge: Judge) -> None:
    critic = judge_spec("https://host.example/v1#critic")
    spec = spec_of(judge, critic=critic, author_temperature=0.8, judges=("offline", "https://host.example/v1#two"))
    assert spec.judges[spec.critic].model == "critic" and spec.judges[spec.author_b].temperature == 0.8
    assert spec.judges[spec.synthesizer].temperature == 0 and [seat.judge for seat in spec.panel] == [0, 1]


def test_with_vetoes_five_special_roles_sit_unless_somebody_said_who(judge: Judge) -> None:
    assert [seat.role for seat in spec_of(judge, voting="veto").panel] == list(VETO_ROLES)
    assert [seat.role for seat in spec_of(judge, voting="veto", num_judges=2).panel] == ["judge", "judge"]
    assert [seat.role for seat in spec_of(judge, voting="veto", roles=("reviewer",)).panel] == ["reviewer"]


def test_the_number_of_roles_is_that_of_the_panel(judge: Judge) -> None:
    spec = spec_of(judge, roles=("reviewer", "minimality:0.5"), preset="thorough")
    assert [(seat.role, seat.weight) for seat in spec.panel] == [("reviewer", 1.0), ("minimality", 0.5)]


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"rounds": 3}, "There is no option 'rounds'"),
        ({"judges": 0}, "only 0 are to rank"),
        ({"preset": "through"}, "Did you mean 'thorough'"),
        ({"critic_temperature": 9}, "temperature"),
        ({"veto_threshold": 9}, "can never come about"),
        ({"folder": "no/such/folder"}, "not there"),
    ],
)
def test_an_option_that_cannot_be_is_named_and_nothing_is_started(
    judge: Judge, options: dict[str, Any], word: str
) -> None:
    with pytest.raises(InputError, match=word):
        judge.refine(BAD, **options)
    assert judge.bench.runs() == []


def test_a_ranking_is_no_refinement(judge: Judge) -> None:
    ranking = judge.rank({"a": BAD, "b": GOOD})
    with pytest.raises(InputError, match="does not improve a text"):
        judge.open_refinement(ranking.run_id)


def test_the_task_comes_from_the_nearest_place(tmp_path: Path) -> None:
    asked = Rubric(question="Asked?")
    assert with_task(asked, "Given.", "# Head", "Beside.").question == "Given."
    assert with_task(asked, "", "# Head", "Beside.").question == "Beside."
    assert with_task(asked, "", "# Head").question == "Asked?"
    assert with_task(Rubric(), "", "Text.\n# Head ##\n").question == "Head"
    assert with_task(Rubric(), "", "#nothead").question == "Improve this text."
    (tmp_path / "a.md.spec.md").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InputError, match="UTF-8"):
        task_beside(tmp_path / "a.md")


# the folder


def test_only_files_with_other_bytes_are_written(tmp_path: Path) -> None:
    folder = tmp_path / "found"
    assert write_folder(folder, FILES) == list(FILES) and write_folder(folder, FILES) == []
    inode = (folder / "initial_a.md").stat().st_ino
    assert write_folder(folder, {**FILES, "history.json": b"[1]\n"}) == ["history.json"]
    assert (folder / "initial_a.md").stat().st_ino == inode


def test_files_of_an_earlier_tournament_go_and_those_of_others_stay(tmp_path: Path) -> None:
    write_folder(tmp_path, {**FILES, "pass_02/critic.md": b"Old.", "final_output.md": b"Old."})
    (tmp_path / "mine.md").write_text("Mine.")
    (tmp_path / "pass_02" / "mine.md").write_text("Mine.")
    write_folder(tmp_path, FILES)
    assert not (tmp_path / "final_output.md").exists() and not (tmp_path / "pass_02" / "critic.md").exists()
    assert (tmp_path / "mine.md").exists() and (tmp_path / "pass_02" / "mine.md").exists()


@pytest.mark.parametrize(
    "path", ["../x.md", "/etc/x.md", "pass_01/../../x.md", "pass_01/x.md", "x.md", "pass_1/critic.md", "a/initial_a.md"]
)
def test_no_path_leads_out_of_the_folder(tmp_path: Path, path: str) -> None:
    with pytest.raises(InputError, match="no file of a tournament"):
        write_folder(tmp_path / "found", {path: b"x"})
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []


def test_a_link_leads_nowhere(tmp_path: Path) -> None:
    folder, outside = tmp_path / "found", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (folder / "pass_01").symlink_to(outside)
    with pytest.raises(InputError, match="leads out of the folder"):
        write_folder(folder, FILES)
    assert list(outside.iterdir()) == []
    (folder / "pass_01").unlink()
    secret = outside / "secret"
    secret.write_text("One.")
    (folder / "initial_a.md").unlink()
    (folder / "initial_a.md").symlink_to(secret)
    write_folder(folder, {**FILES, "initial_a.md": b"Two."})
    assert secret.read_text() == "One." and not (folder / "initial_a.md").is_symlink()


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_folder(tmp_path, FILES)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InputError, match="No space left"):
        write_folder(tmp_path, {**FILES, "history.json": b"[1]\n"})
    assert (tmp_path / "history.json").read_bytes() == b"[]\n"
    assert sorted(file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*") if file.is_file()) == sorted(
        FILES
    )


def test_a_folder_is_looked_at_before_the_start(tmp_path: Path) -> None:
    check_folder(tmp_path / "new", text_hash("One."))
    (tmp_path / "file").write_text("x")
    for folder, word in ((tmp_path / "file", "is a file"), (tmp_path / "a" / "b", "not there")):
        with pytest.raises(InputError, match=word):
            check_folder(folder, "")
    write_folder(tmp_path / "found", FILES)
    check_folder(tmp_path / "found", text_hash("One."))
    with pytest.raises(InputError, match="another text"):
        check_folder(tmp_path / "found", text_hash("Two."))
    if os.geteuid():
        (tmp_path / "shut").mkdir(0o500)
        with pytest.raises(InputError, match="cannot be written"):
            check_folder(tmp_path / "shut", "")


def test_a_zip_of_equal_files_has_equal_bytes() -> None:
    assert folder_zip(FILES) == folder_zip(dict(FILES)) != folder_zip({**FILES, "history.json": b"[1]"})
