"""Specs as this version makes them, and texts as a run knows them."""

from __future__ import annotations

from collections.abc import Sequence

from judge_core import __version__
from judge_core.modes.asking.prompts import PROMPT_VERSION
from judge_core.records.artifact import Artifact
from judge_core.records.spec import ItemSpec, JudgeSpec, Spec, TextRef


def text_refs(artifacts: Sequence[Artifact]) -> tuple[TextRef, ...]:
    """Artifacts as texts of a run, in the order of their content hashes: E-001, E-002, ..."""
    ordered = sorted(artifacts, key=lambda a: (a.sha256, a.id))
    width = max(3, len(str(len(ordered))))
    return tuple(
        TextRef(
            alias=f"E-{number:0{width}d}", id=a.id, title=a.title, sha256=a.sha256, words=a.words,
            characters=a.characters, columns=a.columns, notices=tuple(dict.fromkeys(n.code for n in a.warnings)),
        )
        for number, a in enumerate(ordered, start=1)
    )  # fmt: skip


def new_spec(**fields: object) -> Spec:
    """The spec of a ranking with this version's prompts; see `Spec` for the fields.

    Where the rating is to rest on probabilities, every judge is asked for those of its tokens.
    """
    spec = Spec.model_validate({"prompt_version": PROMPT_VERSION, "app_version": __version__, **fields})
    if spec.evidence != "probabilities":
        return spec
    asked = {name: tuple(_asked_for_tokens(judge) for judge in getattr(spec, name)) for name in ("judges", "fallbacks")}
    return spec.model_copy(update=asked)


def _asked_for_tokens(judge: JudgeSpec) -> JudgeSpec:
    return judge.model_copy(update={"log_probabilities": True})


def new_item_spec(**fields: object) -> ItemSpec:
    """The spec of a run that judges items, with this version's prompts; see `ItemSpec` for the fields."""
    return ItemSpec.model_validate({"prompt_version": PROMPT_VERSION, "app_version": __version__, **fields})
