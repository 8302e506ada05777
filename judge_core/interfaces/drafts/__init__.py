"""Drafts: a ranking that is being prepared, kept in the data folder so that a refresh or a second tab loses nothing."""

from judge_core.interfaces.drafts.examples import add_examples
from judge_core.interfaces.drafts.plan import Blocker, blockers, concurrency_of, spec_of
from judge_core.interfaces.drafts.records import Draft, JudgeDraft, Plan, RubricDraft, Upload
from judge_core.interfaces.drafts.store import change, discard, load, unfinished

__all__ = [
    "Blocker",
    "Draft",
    "JudgeDraft",
    "Plan",
    "RubricDraft",
    "Upload",
    "add_examples",
    "blockers",
    "change",
    "concurrency_of",
    "discard",
    "load",
    "spec_of",
    "unfinished",
]
