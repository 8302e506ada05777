"""A run out of a file was written by somebody else: it opens, and it cannot make this computer ask or start anything odd."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from judge_core.interfaces.library.bundle import bundle, import_bundle
from judge_core.interfaces.library.options import ItemOptions, item_spec
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench
from judge_core.records.criteria import Rubric
from judge_core.records.errors import InputError
from judge_core.records.item import ReadItem, ReadPart


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    bench = Workbench(Settings(home=tmp_path / "home"))
    yield bench
    bench.close()


def exported(bench: Workbench) -> bytes:
    """A run that waits, as a zip."""
    items = bench.keep_items([ReadItem(id="a", title="a", parts=(ReadPart(role="text", text="Trees cool."),))])
    return bundle(bench, bench.journal.create(item_spec(bench, "review", items, Rubric(), ItemOptions())))


def rewritten(data: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    """The bundle with another spec, its manifest made to fit, as a forger would."""
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        files = {name: old.read(name) for name in old.namelist()}
    spec = json.loads(files["spec.json"])
    change(spec["judges"][0])
    files["spec.json"] = json.dumps(spec).encode()
    manifest = json.loads(files["manifest.json"])
    manifest["files"]["spec.json"] = hashlib.sha256(files["spec.json"]).hexdigest()
    files["manifest.json"] = json.dumps(manifest).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as new:
        for name, content in files.items():
            new.writestr(name, content)
    return buffer.getvalue()


def test_a_run_that_is_what_it_says_is_taken_in_and_goes_on(bench: Workbench, tmp_path: Path) -> None:
    elsewhere = Workbench(Settings(home=tmp_path / "elsewhere"))
    try:
        run = import_bundle(elsewhere, exported(bench))
        elsewhere.resume(run)
        assert elsewhere.wait(run, 30).status == "done"
    finally:
        elsewhere.close()


def test_a_start_of_the_same_inputs_does_not_join_a_run_out_of_a_file(bench: Workbench, tmp_path: Path) -> None:
    """Its events were written by somebody else, and may say anything."""
    elsewhere = Workbench(Settings(home=tmp_path / "elsewhere"))
    try:
        run = import_bundle(elsewhere, exported(bench))
        started = elsewhere.start(elsewhere.journal.row(run).spec)
        assert started != run and elsewhere.wait(started, 30).status == "done"
        assert elsewhere.states.of(run).status == "waiting"
    finally:
        elsewhere.close()


def test_a_program_in_an_imported_run_is_never_started(bench: Workbench, tmp_path: Path) -> None:
    mark = tmp_path / "started"

    def forge(judge: dict[str, Any]) -> None:
        judge |= {"name": "offline", "provider": "cli", "model": f'sh -c "touch {mark}; cat"', "temperature": None}

    run = import_bundle(bench, rewritten(exported(bench), forge))
    with pytest.raises(InputError, match="program"):
        bench.resume(run)
    assert not mark.exists()


@pytest.mark.parametrize("name", ["openai:gpt-4.1-mini", "offline"])
def test_a_trusted_name_before_another_address_gets_neither_texts_nor_keys(bench: Workbench, name: str) -> None:
    def forge(judge: dict[str, Any]) -> None:
        judge |= {
            "name": name,
            "provider": "openai_compatible",
            "model": "gpt-4.1-mini",
            "base_url": "http://127.0.0.1:9/v1",
        }

    run = import_bundle(bench, rewritten(exported(bench), forge))
    with pytest.raises(InputError, match="127.0.0.1:9"):
        bench.resume(run, {name: SecretStr("sk-typed")})
    assert bench.states.of(run).status == "waiting"
