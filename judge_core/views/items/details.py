"""The labels behind the figures, a row each: claims and passages of answers, steps of agent runs, with every judge's own label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge_core.records.item import Item
from judge_core.records.item_verdict import StepLabel
from judge_core.records.spec import ItemSpec
from judge_core.scoring.trajectory.corrections import corrections, merge_patterns
from judge_core.views.exports.cells import Cell, distinct_headers
from judge_core.views.exports.ranked import Table, warning_words
from judge_core.views.items.state import ItemState
from judge_core.views.items.tables import has_demo, yes_no
from judge_core.views.items.verdicts.agent import StepPanel, agent_panel, judged_patterns
from judge_core.views.items.verdicts.rag import ClaimPanel, rag_panel

GIVEN = "data"
"""Who found a claim that came with the data."""
AFTER = ("warnings", "alias")


def detail_tables(state: ItemState) -> dict[str, Table]:
    """The label tables of the run's mode, by file name without its ending."""
    match state.spec.mode:
        case "rag":
            return {"claims": claims_table(state), "passages": passages_table(state)}
        case "agent":
            return {"steps": steps_table(state), "corrections": corrections_table(state)}
        case "review" | "gate" | "listwise":
            return {}


def claims_table(state: ItemState) -> Table:
    """A row a claim of the answer or of the reference: the panel's label, then each judge's with the passages it points to.

    `found_by` is the judge that found the claim: numbers of two judges' own claims do not mean the same claim.
    """
    spec = state.spec
    header = _header(("id", "claim", "of", "found_by", "verdict"), spec, ("verdict", "passages"))
    rows = []
    for item in spec.items:
        panel = rag_panel(state, item.alias)
        for of, claims in (("answer", panel.claims), ("reference", panel.reference_claims)) if panel else ():
            rows += [(item.id, *_claim(claim, of, spec), *_end(item, spec)) for claim in claims]
    return Table(header, tuple(rows))


def _claim(claim: ClaimPanel, of: str, spec: ItemSpec) -> Iterator[Cell]:
    found_by = GIVEN if claim.found_by is None else spec.judges[claim.found_by].name
    yield from (claim.claim, of, found_by, claim.verdict)
    for judge in range(len(spec.judges)):
        vote = claim.votes.get(judge)
        yield vote.verdict if vote else None
        yield " ".join(map(str, vote.passages)) if vote else None


def passages_table(state: ItemState) -> Table:
    """A row a passage: whether the panel takes it for relevant (empty where it is split), then each judge's word."""
    spec = state.spec
    header = _header(("id", "passage", "name", "relevant"), spec, ("relevant",))
    rows = []
    for item in spec.items:
        panel = rag_panel(state, item.alias)
        known = {passage.passage: passage for passage in panel.passages} if panel else {}
        for number, part in enumerate(item.of("passage"), start=1):
            passage = known.get(number)
            votes = [yes_no(passage.votes.get(judge)) if passage else None for judge in range(len(spec.judges))]
            relevant = yes_no(passage.relevant) if passage else None
            rows.append((item.id, number, part.name, relevant, *votes, *_end(item, spec)))
    return Table(header, tuple(rows))


def steps_table(state: ItemState) -> Table:
    """A row a step, those without a label included: the panel's labels, then each judge's. Twin of the strip of steps."""
    spec = state.spec
    header = _header(("id", "step", "call", "label", "call_correct"), spec, ("label", "call_correct"))
    rows = []
    for item in spec.items:
        calls = [part.call for part in item.of("step")]
        for step in step_panels(state, item):
            call = calls[step.step - 1] if step.step <= len(calls) else None
            cells = (step.step, yes_no(call), step.label, yes_no(step.call_correct))
            votes = [cell for judge in range(len(spec.judges)) for cell in _vote(step.votes.get(judge))]
            rows.append((item.id, *cells, *votes, *_end(item, spec)))
    return Table(header, tuple(rows))


def corrections_table(state: ItemState) -> Table:
    """A row a pattern of a run: what could be said to the agent before its next step, once for each pattern."""
    header = ("id", "pattern", "taxonomy", "steps", "correction", *AFTER)
    rows: list[tuple[Cell, ...]] = []
    for item in state.spec.items:
        for found in corrections(merge_patterns(item.patterns, judged_patterns(state, item.alias))):
            steps = " ".join(map(str, found.steps))
            rows.append((item.id, found.name, found.taxonomy, steps, found.text, *_end(item, state.spec)))
    return Table(header, tuple(rows))


def step_panels(state: ItemState, item: Item) -> tuple[StepPanel, ...]:
    """The steps of a run with the panel's labels; without labels where no judge brought a verdict."""
    panel = agent_panel(state, item.alias)
    if panel is not None:
        return panel.steps
    return tuple(StepPanel(number, None, None, {}) for number in range(1, len(item.of("step")) + 1))


def _vote(vote: StepLabel | None) -> tuple[Cell, Cell]:
    return (vote.label, yes_no(vote.call_correct)) if vote else (None, None)


def _header(fixed: tuple[str, ...], spec: ItemSpec, said: Sequence[str]) -> tuple[str, ...]:
    """The fixed columns with a column for each judge and kind of label between them."""
    named = [("judge", f"{kind}: {judge.name}") for judge in spec.judges for kind in said]
    return (*fixed, *distinct_headers((*fixed, *AFTER), named), *AFTER)


def _end(item: Item, spec: ItemSpec) -> tuple[Cell, Cell]:
    return warning_words({}, demo=has_demo(spec)), item.alias
