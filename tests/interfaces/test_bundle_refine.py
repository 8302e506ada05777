"""A refinement as a zip: the same run in another data folder, and what no tournament can be is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_core import InputError, Judge, Settings
from judge_core.interfaces.library.bundle import bundle, import_bundle
from judge_core.interfaces.library.refine.result import Refinement
from judge_core.interfaces.workbench import Workbench
from tests.interfaces.doors import Cli
from tests.interfaces.test_bundle import repacked, unpacked

BAD = "We walk to the the school. It is very far  away."
EVENTS = "journal/events.jsonl"


@pytest.fixture
def data(cli: Cli) -> bytes:
    with Judge() as judge:
        return bundle(judge.bench, judge.refine(BAD).run_id)


def test_it_is_the_same_in_another_data_folder_and_its_bundle_too(data: bytes, tmp_path: Path) -> None:
    bench = Workbench(Settings(home=tmp_path / "elsewhere"))
    found = Refinement.of(bench, import_bundle(bench, data))
    assert found.outcome == "converged" and found.layout().items() <= unpacked(data).items()
    again = unpacked(bundle(bench, found.run_id))
    assert {name for name, content in unpacked(data).items() if again.get(name) != content} <= {"manifest.json"}
    bench.close()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"seat":2', b'"seat":7'),
        (b'"scores":{"A":', b'"scores":{"C":'),
        (b'"type":"pass_complete","pass_num":1', b'"type":"pass_complete","pass_num":4'),
        (b'"winner":"AB"', b'"winner":"C"'),
        (b'"judge":0', b'"judge":9'),
    ],
)
def test_what_cannot_be_shown_is_not_taken_in(data: bytes, tmp_path: Path, old: bytes, new: bytes) -> None:
    files = unpacked(data)
    assert old in files[EVENTS]
    files[EVENTS] = files[EVENTS].replace(old, new)
    bench = Workbench(Settings(home=tmp_path / "elsewhere"))
    with pytest.raises(InputError):
        import_bundle(bench, repacked(files, mend=True))
    assert bench.runs() == []
    bench.close()
