"""The page of a report: its parts in the order in which a colleague asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge_core.ranking.bradley_terry.posterior import MEAN
from judge_core.views.exports.judgments import Reasons
from judge_core.views.exports.report.basis import (
    criteria_lines,
    judge_lines,
    method_lines,
    question_lines,
    spent_line,
)
from judge_core.views.exports.report.certainty import certainty_lines
from judge_core.views.exports.report.lines import one_line, report_names, wrapped
from judge_core.views.exports.report.places import ranking_lines, reason_lines
from judge_core.views.exports.report.rounds import round_lines
from judge_core.views.sentence import verdict
from judge_core.views.standings import Standings
from judge_core.views.state import RunState


def report_text(state: RunState, table: Standings, made: str = "", reasons: Reasons | None = None) -> bytes:
    """The report as UTF-8 text; `made` is when and by what the run was made, in our own words.

    `reasons` are the judges' own words, by (place, judge, turn), with the texts called as in `report_names`.
    """
    title = one_line(state.spec.name or "Ranking")
    lines = [title, "=" * len(title), *([made] if made else [])]
    for head, part in _parts(state, table, report_names(state), reasons or {}):
        body = list(part)
        while body and not body[-1]:
            body.pop()
        if body:
            lines += ["", head, "-" * len(head), *body]
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def _parts(
    state: RunState, table: Standings, names: Mapping[str, str], reasons: Reasons
) -> Iterator[tuple[str, Iterator[str] | list[str]]]:
    said = verdict(state, table, names)
    yield "Result", wrapped(said.sentence, "  ")
    yield "Question", question_lines(state)
    yield "Criteria", criteria_lines(state, table)
    yield "Judges", judge_lines(state)
    yield "Method", method_lines(state, table)
    yield "How sure is it?", certainty_lines(state, table, said, names)
    yield "Ranking", [*ranking_lines(state, table, names), "", *_scale(state)]
    yield "What the judges said of the first", reason_lines(state, table, names, reasons)
    yield "All rounds", (line for view in state.rounds.values() for line in round_lines(state, view, names))
    yield "What it took", wrapped(spent_line(state), "  ")


def _scale(state: RunState) -> list[str]:
    """What a rating means."""
    odds = "400 points more are odds of 10 to 1 to be preferred; level with others: not to be told apart from them"
    middle = "on the scale of the texts that are held" if _anchored(state) else f"{MEAN:.0f} is the mean"
    return wrapped(f"Ratings: {middle}, {odds}. These judges' opinion; whether people agree is another question.", "  ")


def _anchored(state: RunState) -> bool:
    return any(text.anchor is not None for text in state.spec.texts)
