"""The methods in words: what each does, and what it is good for."""

from __future__ import annotations

from typing import NamedTuple

from judge_core.records.spec import Method


class Words(NamedTuple):
    """A method for people."""

    title: str
    line: str
    """What it does."""
    good_for: str


METHODS: dict[Method, Words] = {
    "swiss": Words("Swiss rounds", "In each round texts of like standing meet.", "Good for a whole order."),
    "adaptive": Words(
        "Adaptive",
        "Asks the pairs that tell most.",
        "Good for the best K or a cut line; for a whole order it saves little.",
    ),
    "listwise": Words(
        "Lists",
        "Several texts are ranked in one call, which is harder for a judge than a pair.",
        "Good for many texts and little money; no scores by criterion.",
    ),
    "round-robin": Words("Round robin", "Every pair meets once.", "Good for few texts, up to about 20."),
    "knockout": Words(
        "Knockout", "Who loses is out.", "Good for naming one winner; the others are hardly put in order."
    ),
    "pointwise": Words(
        "Scores only", "Each text is scored by itself, none are compared.", "Good for feedback; close texts stay equal."
    ),
}
