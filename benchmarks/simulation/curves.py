"""Means over many runs: what is reached after so many calls a text, and how many calls reach a target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]
STEPS_PER_CALL = 20


@dataclass(frozen=True)
class Curve:
    """The mean over runs at each point of a grid of calls a text. Beyond a run's end its last value stands."""

    calls: Vector
    mean: Vector
    error: Vector
    """Standard error of the mean."""
    end: float
    """Calls a text at which the longest run ended."""

    def at(self, calls: float) -> float:
        """The mean after so many calls a text."""
        return float(np.interp(calls, self.calls, self.mean))

    def reaches(self, target: float) -> float | None:
        """Calls a text from which on the mean has first reached the target; None where no run length did."""
        above = np.flatnonzero(self.mean >= target)
        if not above.size:
            return None
        place = int(above[0])
        if place == 0:
            return float(self.calls[0])
        low, high = self.mean[place - 1], self.mean[place]
        share = (target - low) / (high - low)
        return float(self.calls[place - 1] + share * (self.calls[place] - self.calls[place - 1]))

    def doubt(self, target: float) -> float:
        """Standard error of `reaches`, from that of the mean and the slope there; NaN where it is not reached."""
        calls = self.reaches(target)
        if calls is None:
            return float("nan")
        slope = (self.at(calls + 0.5) - self.at(calls - 0.5)) / 1.0
        return float(np.interp(calls, self.calls, self.error)) / max(slope, 1e-9)


def curve(runs: Sequence[Sequence[tuple[float, float]]]) -> Curve:
    """From the (calls a text, value) after each wave of each run, straight lines between; before the first wave 0."""
    end = max(points[-1][0] for points in runs)
    grid = np.linspace(0, end, max(2, round(end * STEPS_PER_CALL) + 1))
    values = np.array([np.interp(grid, [0.0, *(c for c, _ in run)], [0.0, *(v for _, v in run)]) for run in runs])
    spread = values.std(axis=0, ddof=1) if len(runs) > 1 else np.zeros(len(grid))
    return Curve(grid, values.mean(axis=0), spread / np.sqrt(len(runs)), end)
