"""Pointwise: each text is scored once by itself, and no two are compared."""

from __future__ import annotations

from dataclasses import dataclass

from judge_core.ranking.schedules.wave import Planned, Progress, Wave


@dataclass(frozen=True)
class Pointwise:
    """One wave of singles."""

    def next(self, progress: Progress) -> Wave | None:
        """All texts, if nothing was asked yet."""
        return None if progress.round or not progress.texts else Wave(singles=progress.texts)

    def planned(self, n: int) -> Planned:
        """One score a text."""
        return Planned(singles=n)
