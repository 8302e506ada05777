"""A form's wording is held to its version: replies to other words are other replies, and must not be taken for these.

`prompt_versions.json` holds, by form and version, the digest of what a judge is sent for fixed samples; under `all`, by
`PROMPT_VERSION`, that of all forms' versions. After a change of the wording: raise the form's `version` and `PROMPT_VERSION`,
decide in `WORDED_SINCE` which runs still read the same, then record with `python -m tests.modes.test_prompt_versions`.
"""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import get_args

import pytest

from judge_core.modes.asking.forms import Form
from judge_core.modes.asking.prompts import FORMS, PROMPT_VERSION, WORDED_SINCE, render, same_wording
from judge_core.modes.refine.forms import SPECIALISTS
from judge_core.records.criteria import Criterion, Level, Rubric
from judge_core.records.item import PartRole
from judge_core.records.prompt import Ask, AskMode, Repair
from judge_core.records.record import digest, text_hash
from judge_core.records.spec import ItemMode

FILE = Path(__file__).with_name("prompt_versions.json")
RECORD = "python -m tests.modes.test_prompt_versions"
TOKEN = "0123456789abcdef0123"
ALL = "all"
Versions = dict[str, dict[str, str]]
"""Digest by form and version."""

PLAIN = Rubric(criteria=(Criterion(name="Clarity"),))
FULL = Rubric(
    name="Parks",
    question="Does the town need a park?",
    source_extract="A park of two hectares costs 40,000 a year.",
    word_limit=300,
    criteria=(
        Criterion(
            name="Use of evidence",
            description="Claims rest on the source.",
            weight=0.7,
            scale_min=1,
            scale_max=4.5,
            levels=(
                Level(score=1, label="weak", descriptor="no evidence"),
                Level(score=3, label="fair"),
                Level(score=4, descriptor="telling evidence"),
                Level(score=4.5),
            ),
        ),
        Criterion(name='"Voice" – é', weight=0.3),
    ),
)
SAMPLES: dict[AskMode, tuple[tuple[tuple[PartRole, ...], tuple[str, ...]], ...]] = {
    "pairwise": ((("text", "text"), ()),),
    "pairwise_levels": ((("text", "text"), ()),),
    "pointwise": ((("text",), ()), (("text", "reference"), ()), (("question", "answer"), ())),
    "gate": ((("text",), ()), (("text", "reference"), ())),
    "listwise": ((("candidate",) * 2, ()), (("candidate",) * 3, ()), (("candidate",) * 4, ())),
    "rag_claims": ((("question", "answer"), ()), (("question", "reference"), ())),
    "rag_labels": (
        (("question", "answer", "passage", "passage", "claim"), ("Parks cool.", "Parks cost.")),
        (("question", "answer"), ("Parks cool.",)),
    ),
    "rag_coverage": ((("question", "answer"), ("Parks cool.", "Parks cost.")),),
    "agent": (
        (("goal", "step"), ()),
        (("goal", "policy", "step", "step"), ()),
        (("goal", "policy", "step", "step", "step"), ()),
    ),
    "agent_patterns": ((("goal", "policy", "step", "step"), ()), (("goal", "step"), ())),
    "refine_critic": ((("text",), ()), (("text", "note", "note"), ())),
    "refine_author": ((("text", "critique"), ()),),
    "refine_synthesizer": ((("version", "version"), ()),),
    "refine_judge": ((("version",) * 3, ()),),
}
"""What is shown: the roles of the texts, and the claims of an earlier step."""


def asks(mode: AskMode) -> list[Ask]:
    """The samples of a mode, in all roles that its judges can have; the texts are named by their place."""
    samples = [
        Ask(judge=0, mode=mode, texts=tuple(text_hash(word(n)) for n in range(len(roles))), roles=roles, claims=claims)
        for roles, claims in SAMPLES[mode]
    ]
    seats = [role for role in SPECIALISTS if role != "judge"] if mode == "refine_judge" else []
    return samples + [ask.model_copy(update={"seat": seat}) for ask in samples for seat in seats]


def word(number: int) -> str:
    return f"Text number {number}.\nIt has two lines."


TEXTS = {text_hash(word(number)): word(number) for number in range(10)}
REPAIR = Repair(reply_sha256="0" * 64, problem="The reply holds no scores for: 'Clarity'.")


def wording(mode: AskMode) -> str:
    """Digest of all that a judge is sent for the samples, asked at first and asked again; the order of a schema counts."""
    sent: list[object] = []
    for ask in asks(mode):
        for rubric in (PLAIN, FULL):
            sent.append(FORMS[mode].skeleton(ask, rubric))
            for repair, previous in ((None, None), (REPAIR, '{"winner":'), (REPAIR, None)):
                prompt = render(ask.model_copy(update={"repair": repair}), rubric, TEXTS, TOKEN, previous)
                sent += [[(each.role, each.content) for each in prompt.messages], prompt.reply_schema]
    return sha256(json.dumps(sent, ensure_ascii=False).encode()).hexdigest()


def present() -> dict[str, tuple[str, str]]:
    """(version, digest) of each form as it is now, and of all of them together."""
    found: dict[str, tuple[str, str]] = {mode: (form.version, wording(mode)) for mode, form in FORMS.items()}
    return found | {ALL: (PROMPT_VERSION, digest({mode: form.version for mode, form in FORMS.items()}))}


def recorded() -> Versions:
    found: Versions = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    return found


def newest(versions: Versions, name: str) -> int:
    return max(map(int, versions.get(name, {})), default=0)


def fault(versions: Versions, name: str, version: str, now: str) -> str | None:
    """What to do where the present wording is not the one recorded for its version; None where it is."""
    what, last = "PROMPT_VERSION" if name == ALL else f"the version of the form {name!r}", newest(versions, name)
    if int(version) > last:
        return f"{what} is {version} and is not recorded yet: run `{RECORD}`."
    if int(version) < last:
        return f"{what} is {version}, but {last} is recorded: raise it to {last + 1}, then run `{RECORD}`."
    if versions[name][version] != now:
        return f"What is sent has changed, and {what} is still {version}: raise it to {last + 1}, then run `{RECORD}`."
    return None


def with_new(versions: Versions, now: dict[str, tuple[str, str]]) -> Versions:
    """The record with the versions that are newer than all recorded ones; ValueError for any other change."""
    added = {name: dict(known) for name, known in versions.items()}
    for name, (version, wanted) in now.items():
        if int(version) > newest(versions, name):
            added.setdefault(name, {})[version] = wanted
        elif problem := fault(versions, name, version, wanted):
            raise ValueError(problem)
    return added


@pytest.mark.parametrize("name", [*FORMS, ALL])
def test_the_wording_of_now_is_the_one_recorded_for_its_version(name: str) -> None:
    version, now = present()[name]
    problem = fault(recorded(), name, version, now)
    assert problem is None, problem


def test_every_form_is_recorded_and_nothing_else_is() -> None:
    assert set(recorded()) == {*get_args(AskMode), ALL} == {*SAMPLES, ALL}


def test_a_changed_wording_without_a_raised_version_is_refused_with_the_remedy() -> None:
    name, (version, _) = "gate", present()["gate"]
    told = fault(recorded(), name, version, "another digest") or ""
    assert f"raise it to {int(version) + 1}, then run `python -m tests.modes" in told and "'gate'" in told
    with pytest.raises(ValueError, match="What is sent has changed"):
        with_new(recorded(), {name: (version, "another digest")})


def test_a_raised_version_is_added_and_those_of_before_stay() -> None:
    before = recorded()
    after = with_new(before, {"gate": ("7", "new")})
    assert after["gate"] == {**before["gate"], "7": "new"} and before == recorded()
    assert {name: after[name] for name in after if name != "gate"} == {n: before[n] for n in before if n != "gate"}
    assert "is not recorded yet" in (fault(before, "gate", "7", "new") or "")


def test_a_version_never_falls_back() -> None:
    versions = {"gate": {"1": "x", "10": "y"}}
    assert "raise it to 11" in (fault(versions, "gate", "9", "x") or "")
    with pytest.raises(ValueError, match="but 10 is recorded"):
        with_new(versions, {"gate": ("1", "x")})


@pytest.mark.parametrize("field", ["task", "guide", "again", "rules"])
@pytest.mark.parametrize("mode", get_args(AskMode))
def test_every_sentence_of_a_form_is_part_of_its_wording(
    mode: AskMode, field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, form = wording(mode), FORMS[mode]
    monkeypatch.setitem(FORMS, mode, reworded(form, field))
    assert wording(mode) != before


def reworded(form: Form, field: str) -> Form:
    if field == "rules":
        return replace(form, rules=(*form.rules, "Be kind."))
    return replace(form, **{field: getattr(form, field) + " Be kind."})


@pytest.mark.parametrize("mode", get_args(AskMode))
def test_the_order_of_a_schema_is_part_of_the_wording(mode: AskMode, monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that is held to a schema writes its fields in that order."""
    before, form = wording(mode), FORMS[mode]
    if form.schema is None:
        pytest.skip("the answer is prose")
    turned = replace(form, schema=lambda ask, rubric: dict(reversed(form.schema(ask, rubric).items())))
    monkeypatch.setitem(FORMS, mode, turned)
    assert wording(mode) != before


def test_every_mode_of_a_run_says_since_when_its_prompts_read_the_same() -> None:
    assert set(WORDED_SINCE) == {"rank", "refine", *get_args(ItemMode)}
    assert all(1 <= since <= int(PROMPT_VERSION) for since in WORDED_SINCE.values())


@pytest.mark.parametrize(
    ("mode", "version", "same"),
    [
        ("rank", "1", True), ("rank", PROMPT_VERSION, True), ("review", "1", False), ("agent", PROMPT_VERSION, True),
        ("rank", "0", False), ("rank", "99", False), ("gate", "99", False), ("rank", "", False), ("rank", "01", False),
        ("rank", "toy", False), ("rank", "\u0661", False), ("rank", "9" * 5000, False), ("tournament", "2", False),
    ],
)  # fmt: skip
def test_a_run_of_other_words_is_known_by_its_version(mode: str, version: str, same: bool) -> None:
    assert same_wording(mode, version) is same


if __name__ == "__main__":
    FILE.write_text(json.dumps(with_new(recorded(), present()), indent=2) + "\n", "utf-8")
