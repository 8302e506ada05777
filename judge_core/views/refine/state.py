"""The fold of a refinement tournament: events in, passes with their steps, votes and winners out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from judge_core.records.event import Event, RunExtended, Stored
from judge_core.records.refinement.events import NoteGiven, PassComplete, RefinementEnded, StepTaken, VoteCast
from judge_core.records.refinement.nouns import ATTEMPTS, STEPS, VERSIONS, StepRole, Version, Vote, Writing, Written
from judge_core.records.spec import RefineSpec
from judge_core.scoring.convergence import kendall_w
from judge_core.views.folding import Folded, Folding

Stage = Literal["initialized", "critic", "author_b", "synthesizer", "judges", "converged", "ended"]
"""What is being done: the step that is awaited, the judges' votes, or nothing any more."""
AskClass = Literal["written", "ranked", "unparseable", "failed"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A step or vote at its place; the last attempt counts, earlier ones are kept."""

    place: int
    share: Writing | Vote


@dataclass(frozen=True, slots=True)
class PassView:
    """One pass."""

    number: int
    before: Written
    """Its incumbent, version A."""
    began_at: str | None = None
    ended_at: str | None = None
    steps: Mapping[StepRole, tuple[Asked, ...]] = field(default_factory=dict)
    """All attempts, the last one last."""
    votes: Mapping[int, tuple[Asked, ...]] = field(default_factory=dict)
    """By seat, all attempts."""
    decision: PassComplete | None = None
    """None while it is going on. One without a winner is inconclusive so far."""
    notes: tuple[Written, ...] = ()
    """Of a person, given before its critic was asked."""

    def written(self, role: StepRole) -> Written | None:
        """What a role wrote; None where nothing came yet."""
        attempts = self.steps.get(role, ())
        share = attempts[-1].share if attempts else None
        return share.written if isinstance(share, Writing) else None

    def version(self, label: Version) -> Written | None:
        """A version of this pass; None where it is not written yet."""
        if label == "A":
            return self.before
        return self.written("author_b" if label == "B" else "synthesizer")

    @property
    def ballots(self) -> dict[int, Vote]:
        """The vote that counts, by seat."""
        found = {seat: attempts[-1].share for seat, attempts in sorted(self.votes.items())}
        return {seat: vote for seat, vote in found.items() if isinstance(vote, Vote)}

    @property
    def decided(self) -> bool:
        """Whether it has a winner."""
        return self.decision is not None and self.decision.winner is not None

    @property
    def agreement(self) -> float | None:
        """Kendall's W of the judges' rankings; None for fewer than two of them.

        Versions with the same words are one: how judges order what is equal tells nothing. None where all three are.
        """
        first: dict[str, Version] = {}
        for label in VERSIONS:
            if (version := self.version(label)) is not None:
                first.setdefault(version.sha256, label)
        differ = set(first.values())
        ballots = [vote.ranking for vote in self.ballots.values() if vote.ranking is not None]
        return kendall_w([_of_differing(ranking, self, first) for ranking in ballots]) if len(differ) > 1 else None


def _of_differing(ranking: Iterable[Version], view: PassView, first: Mapping[str, Version]) -> tuple[Version, ...]:
    """A ranking of the versions that differ in words: equal ones stand where the best placed of them stands."""
    shas = [version.sha256 for label in ranking if (version := view.version(label)) is not None]
    return tuple(first[sha] for sha in dict.fromkeys(shas))


@dataclass(frozen=True, slots=True, kw_only=True)
class RefineState(Folded):
    """All that the events say about a tournament. Never changed: `extended` gives a new one."""

    spec: RefineSpec
    passes: Mapping[int, PassView] = field(default_factory=dict)
    ended: RefinementEnded | None = None
    """None while passes are to come."""
    more_passes: int = 0
    """Allowed beyond those of the spec, by extensions."""
    notes: tuple[Written, ...] = ()
    """Given, and not yet shown to a critic."""
    outcomes: Mapping[tuple[int, AskClass], int] = field(default_factory=dict)
    """(judge, class) -> answers, each attempt by itself."""

    def extended(self, events: Iterable[Stored]) -> RefineState:
        """The state after further events; those already folded are passed over. StoreError where one is missing."""
        folding = _Folding(self)
        for stored in events:
            folding.take(stored)
        return folding.state()

    @property
    def first(self) -> Written:
        """The text that was to be improved."""
        text = self.spec.text
        return Written(sha256=text.sha256, words=text.words, characters=text.characters)

    @property
    def incumbent(self) -> Written:
        """The version that stands now."""
        decided = [view.decision for view in self.passes.values() if view.decided and view.decision]
        return decided[-1].after if decided else self.first

    @property
    def decided(self) -> tuple[PassView, ...]:
        """The passes that have a winner."""
        return tuple(view for view in self.passes.values() if view.decided)

    @property
    def streak(self) -> int:
        """The incumbent's wins in a row."""
        last = [view.decision.streak for view in self.decided if view.decision]
        return last[-1] if last else 0

    @property
    def stage(self) -> Stage:
        """What is being done now."""
        if self.ended is not None:
            return "converged" if self.ended.outcome == "converged" else "ended"
        if not self.passes:
            return "critic" if self.started_at else "initialized"
        view = self.passes[max(self.passes)]
        if view.decided:
            return "critic"
        return next((role for role in STEPS if view.written(role) is None), "judges")

    @property
    def agreement(self) -> float | None:
        """Mean of the passes' Kendall's W; None where none has one."""
        found = [value for view in self.decided if (value := view.agreement) is not None]
        return sum(found) / len(found) if found else None

    @property
    def silent(self) -> bool:
        """Whether what is awaited was asked in vain as often as it is asked without a person's doing."""
        if self.ended is not None or not self.passes:
            return False
        view = self.passes[max(self.passes)]
        role = next((role for role in STEPS if view.written(role) is None), None)
        if role is not None:
            tried = len(view.steps.get(role, ()))
            return tried > 0 and tried % ATTEMPTS == 0
        silent = [attempts for attempts in view.votes.values() if not attempts[-1].share.decided]
        undecided = view.decision is not None and view.decision.winner is None
        return undecided and all(len(attempts) % ATTEMPTS == 0 for attempts in silent)

    @property
    def calls_planned(self) -> int:
        """Steps and votes of all passes that may come, retries and repairs aside: 3 + N a pass."""
        return self.most_passes * (len(STEPS) + len(self.spec.panel))

    @property
    def most_passes(self) -> int:
        """How many passes there may be, extensions included."""
        return self.spec.stopping.max_rounds + self.more_passes


def fold_refinement(spec: RefineSpec, events: Iterable[Stored]) -> RefineState:
    """The state of a tournament after its events, which come in their sequence from the first."""
    return RefineState(spec=spec, caps=spec.caps).extended(events)


class _Folding(Folding):
    """A state under construction."""

    def __init__(self, state: RefineState) -> None:
        super().__init__(state)
        self.base = state
        self.passes = dict(state.passes)
        self.ended, self.notes, self.more_passes = state.ended, state.notes, state.more_passes
        self.incumbent = state.incumbent
        self.at: str | None = None

    def take(self, stored: Stored) -> None:
        """Folds an event."""
        self.at = stored.at
        super().take(stored)

    def own(self, event: Event) -> None:
        """The events of tournaments."""
        match event:
            case StepTaken():
                self._step(event)
            case VoteCast():
                view = self.passes[event.pass_num]
                attempts = (*view.votes.get(event.seat, ()), Asked(event.place, event.vote))
                self.passes[event.pass_num] = replace(view, votes={**view.votes, event.seat: attempts})
                self._count(event.vote)
            case PassComplete():
                self.passes[event.pass_num] = replace(
                    self.passes[event.pass_num], decision=event, ended_at=self.at if event.winner else None
                )
                self.incumbent = event.after
            case RunExtended():
                self._extend(event.rounds)
            case NoteGiven():
                self.notes = (*self.notes, event.note)
            case RefinementEnded():
                self.ended = event
            case _:
                pass

    def _extend(self, passes: int) -> None:
        """Passes that an early end left over lapse: after the end, so many are allowed as are asked for."""
        if self.ended is None:
            self.more_passes += passes
        else:
            decided = sum(view.decided for view in self.passes.values())
            self.more_passes, self.ended = decided + passes - self.base.spec.stopping.max_rounds, None

    def _step(self, event: StepTaken) -> None:
        view = self.passes.get(event.pass_num) or PassView(event.pass_num, self.incumbent, began_at=self.at)
        if self.ended is not None and event.pass_num not in self.passes:
            self.ended = None  # it was extended
        if event.role == "critic" and event.replicate == 0:
            view, self.notes = replace(view, notes=self.notes), ()
        attempts = (*view.steps.get(event.role, ()), Asked(event.place, event.writing))
        self.passes[event.pass_num] = replace(view, steps={**view.steps, event.role: attempts})
        self._count(event.writing)

    def _count(self, share: Writing | Vote) -> None:
        self.pay([share])
        self.outcomes[share.judge, share.outcome] += 1

    def state(self) -> RefineState:
        return replace(
            self.base,
            **self.shared(),
            passes=self.passes,
            ended=self.ended,
            notes=self.notes,
            more_passes=self.more_passes,
        )
