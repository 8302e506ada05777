"""Refinement tournaments: their specs as this version makes them, what cannot be run, and what one will cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from judge_core import __version__
from judge_core.engine.estimate import FRAME_TOKENS, REPLY_TOKENS_EACH, TooLong, Workload, too_long
from judge_core.modes.asking.prompts import PROMPT_VERSION
from judge_core.records.artifact import Artifact
from judge_core.records.errors import InputError
from judge_core.records.record import text_hash
from judge_core.records.refinement.nouns import STEPS
from judge_core.records.spec import JudgeSpec, RefineSpec
from judge_core.scoring.counting import count_characters

MOST_SEATS = 25
GROWTH = 1.35
"""How much longer than the first version the later ones are taken to be: authors are asked to stay within a third."""
CRITIQUE_TOKENS = 600
"""A critique, taken as long."""
ROOM = 500
"""Tokens that an author's reply may take beside the text."""


def new_refine_spec(**fields: object) -> RefineSpec:
    """The spec of a tournament with this version's prompts; see `RefineSpec` for the fields."""
    return RefineSpec.model_validate({"prompt_version": PROMPT_VERSION, "app_version": __version__, **fields})


def for_writing(judge: JudgeSpec, tokens: int) -> JudgeSpec:
    """A judge that may answer with a text of so many tokens, grown and with some room."""
    return judge.model_copy(update={"max_tokens": max(judge.max_tokens, round(2 * GROWTH * tokens) + ROOM)})


def first_version(artifact: Artifact) -> Artifact:
    """The text as a tournament begins with it: without empty lines about it, since no author gives these back.

    Only so is a version that is answered word for word known to be the same.
    """
    text = artifact.text.strip("\r\n")
    if text == artifact.text:
        return artifact
    return artifact.model_copy(update={"text": text, "sha256": text_hash(text), "characters": count_characters(text)})


def check_refinement(spec: RefineSpec) -> None:
    """Refuses a tournament that cannot be played: InputError with the value and the remedy."""
    known = range(len(spec.judges))
    for name, index in [*((role, getattr(spec, role)) for role in STEPS), *(("judge", s.judge) for s in spec.panel)]:
        if index not in known:
            raise InputError(f"The {name} is judge {index + 1} of {len(spec.judges)}.", field="judges")
    if len(spec.panel) > MOST_SEATS:
        raise InputError(f"{len(spec.panel)} judges are too many; at most {MOST_SEATS} can sit.", field="panel")
    if spec.veto_threshold > len(spec.panel):
        raise InputError(
            f"A veto that takes {spec.veto_threshold} of {len(spec.panel)} judges can never come about. "
            f"Give 1 to {len(spec.panel)}.",
            field="veto_threshold",
        )
    if not spec.text.words:
        raise InputError(f"{spec.text.id!r} holds no words to improve.", field="text")


def workloads(spec: RefineSpec, tokens: int, frame: int) -> tuple[Workload, ...]:
    """What each judge is asked if all passes are played: a critique, a revision, a synthesis and N votes a pass.

    `tokens`: of the first version; `frame`: of task and criteria.
    """
    passes, grown, each = spec.stopping.max_rounds, round(GROWTH * tokens), FRAME_TOKENS + frame
    asked: list[list[tuple[int, int]]] = [[] for _ in spec.judges]
    asked[spec.critic].append((each + grown, CRITIQUE_TOKENS))
    asked[spec.author_b].append((each + grown + CRITIQUE_TOKENS, grown))
    asked[spec.synthesizer].append((each + 2 * grown, grown))
    for seat in spec.panel:
        asked[seat.judge].append((each + 3 * grown, 3 * REPLY_TOKENS_EACH))
    return tuple(_load(calls, passes) for calls in asked)


def too_long_to_refine(spec: RefineSpec, tokens: int, frame: int) -> list[TooLong]:
    """The judges whose context the longest prompt of their roles does not fit, a text of so many tokens grown as usual."""
    found = []
    for judge, shown in sorted(_longest_prompts(spec, tokens).items()):
        alone = spec.model_copy(update={"judges": (spec.judges[judge],), "fallbacks": ()})
        found += too_long(alone, (spec.text.id,), shown, frame)
    return found


def _longest_prompts(spec: RefineSpec, tokens: int) -> Counter[int]:
    """By judge the tokens of texts in its longest prompt."""
    grown, longest = round(GROWTH * tokens), Counter[int]()
    for judge, shown in (
        (spec.critic, grown), (spec.author_b, grown + CRITIQUE_TOKENS), (spec.synthesizer, 2 * grown),
        *((seat.judge, 3 * grown) for seat in spec.panel),
    ):  # fmt: skip
        longest[judge] = max(longest[judge], shown)
    return longest


def _load(calls: Sequence[tuple[int, int]], passes: int) -> Workload:
    return Workload(
        units=passes, calls=passes * len(calls), prompt_tokens=passes * sum(prompt for prompt, _ in calls),
        reply_tokens=passes * sum(reply for _, reply in calls),
    )  # fmt: skip
