"""Podium's engine: ranks texts with LLM judges and shows why.

>>> import judge_core
>>> judge_core.Judge.__name__
'Judge'
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from judge_core.interfaces.library.item_results import ItemResults as ItemResults
    from judge_core.interfaces.library.judge import Judge as Judge
    from judge_core.interfaces.library.pair import PairVerdict as PairVerdict
    from judge_core.interfaces.library.refine.result import Refinement as Refinement
    from judge_core.interfaces.library.results import Ranking as Ranking
    from judge_core.interfaces.settings import Settings as Settings
    from judge_core.records.criteria import Criterion as Criterion
    from judge_core.records.criteria import Rubric as Rubric
    from judge_core.records.errors import InputError as InputError
    from judge_core.records.errors import PodiumError as PodiumError
    from judge_core.records.spec import JudgeSpec as JudgeSpec

__version__ = "0.1.0"

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# A rating solves many small systems, on which threads of the linear algebra wait for each other longer than they work: on two
# busy cores 60 ms with two threads, 0.9 ms with one. It is read when numpy is loaded; who has set it, or loaded numpy, is left alone.

_HOMES = {
    "Criterion": "records.criteria", "InputError": "records.errors", "ItemResults": "interfaces.library.item_results",
    "Judge": "interfaces.library.judge",
    "JudgeSpec": "records.spec", "PairVerdict": "interfaces.library.pair", "PodiumError": "records.errors",
    "Ranking": "interfaces.library.results", "Refinement": "interfaces.library.refine.result", "Rubric": "records.criteria", "Settings": "interfaces.settings",
}  # fmt: skip
"""Where each public name lives; it is imported when it is first used, so that no room loads the doors."""

__all__ = [
    "Criterion", "InputError", "ItemResults", "Judge", "JudgeSpec", "PairVerdict", "PodiumError", "Ranking",
    "Refinement", "Rubric", "Settings", "__version__",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """The public name, from its own module."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
