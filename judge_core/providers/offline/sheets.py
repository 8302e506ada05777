"""What a prompt's sheet shows, by role, and the label that every reason of the demo judge ends with."""

from __future__ import annotations

from collections.abc import Mapping

from judge_core.records.errors import RefusedCallError
from judge_core.records.item import PartRole
from judge_core.records.prompt import AskMode, Sheet

LABEL = "Offline demo judge, not an LLM."

_DEFAULT: Mapping[AskMode, tuple[PartRole, ...]] = {
    "pairwise": ("text", "text"),
    "pairwise_levels": ("text", "text"),
    "pointwise": ("text",),
    "gate": ("text",),
    "refine_judge": ("version", "version", "version"),
}
"""What the texts are where the sheet does not say."""
_SCORED: Mapping[AskMode, PartRole] = {
    "pairwise": "text",
    "pairwise_levels": "text",
    "gate": "text",
    "listwise": "candidate",
    "refine_judge": "version",
}
_FEWEST: Mapping[AskMode, Mapping[PartRole, int]] = {
    "pairwise": {"text": 2},
    "pairwise_levels": {"text": 2},
    "gate": {"text": 1},
    "listwise": {"candidate": 2},
    "rag_claims": {},
    "rag_labels": {"question": 1, "answer": 1},
    "rag_coverage": {"answer": 1},
    "agent": {"goal": 1, "step": 1},
    "agent_patterns": {"step": 1},
    "refine_critic": {"text": 1},
    "refine_author": {"text": 1, "critique": 1},
    "refine_synthesizer": {"version": 2},
    "refine_judge": {"version": 3},
}
_EXACTLY: tuple[AskMode, ...] = (
    "pairwise", "pairwise_levels", "gate", "refine_critic", "refine_author", "refine_synthesizer", "refine_judge",
)  # fmt: skip


class Shown:
    """The pieces of a sheet by role. Raises RefusedCallError where they are not what the mode judges."""

    def __init__(self, sheet: Sheet):
        self.sheet = sheet
        self.roles = sheet.roles or _DEFAULT.get(sheet.mode, ())
        self._check()

    def of(self, role: PartRole) -> tuple[str, ...]:
        """The texts of a role, in the order shown."""
        return tuple(text for text, own in zip(self.sheet.texts, self.roles, strict=True) if own == role)

    def first(self, role: PartRole) -> str:
        """The first text of a role; '' where there is none."""
        return next(iter(self.of(role)), "")

    @property
    def scored(self) -> tuple[str, ...]:
        """The texts that are measured; () where the mode asks for labels."""
        if self.sheet.mode == "pointwise":
            return (*self.of("text"), *self.of("answer"))
        role = _SCORED.get(self.sheet.mode)
        return self.of(role) if role else ()

    @property
    def claims(self) -> tuple[str, ...]:
        """The claims that the data give, then those of an earlier step."""
        return (*self.of("claim"), *self.sheet.claims)

    def _check(self) -> None:
        mode, count = self.sheet.mode, len(self.sheet.texts)
        if len(self.roles) != count:
            raise RefusedCallError(f"A {mode} prompt needs {len(self.roles)} text(s); this one has {count}.")
        if mode == "pointwise" and len(self.scored) != 1:
            raise RefusedCallError(f"A pointwise prompt needs one text or answer to score, not {len(self.scored)}.")
        for role, fewest in _FEWEST.get(mode, {}).items():
            held = self.roles.count(role)
            if held < fewest or (mode in _EXACTLY and held > fewest):
                raise RefusedCallError(f"A {mode} prompt needs {fewest} piece(s) of the role {role!r}, not {held}.")
