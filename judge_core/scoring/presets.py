"""Ready-made rubrics to start from. Each is an ordinary rubric: a person may change every word and weight of it."""

from __future__ import annotations

from judge_core.records.criteria import Criterion, Level, Rubric

_STEPS = ("Weak", "Developing", "Sound", "Strong", "Excellent")


def _levels(*descriptors: str) -> tuple[Level, ...]:
    """Five levels, 1 to 5, from the weakest to the best."""
    steps = zip(_STEPS, descriptors, strict=True)
    return tuple(Level(score=score, label=label, descriptor=text) for score, (label, text) in enumerate(steps, start=1))


def _levelled(name: str, weight: float, description: str, *descriptors: str) -> Criterion:
    levels = _levels(*descriptors)
    return Criterion(name=name, description=description, scale_min=1, scale_max=5, weight=weight, levels=levels)


PERSUASIVE_ESSAY = Rubric(
    name="Persuasive essay",
    criteria=(
        Criterion(
            name="Position",
            weight=0.20,
            description="The essay takes a clear position on the question and keeps to it from beginning to end. "
            "A reader could repeat the position in one sentence.",
        ),
        Criterion(
            name="Reasoning",
            weight=0.30,
            description="Reasons follow from each other and really support the position. There are no leaps, no circles "
            "and no claims that merely repeat the position in other words.",
        ),
        Criterion(
            name="Evidence",
            weight=0.25,
            description="Claims rest on facts, examples or sources that are relevant, specific and correctly used. "
            "It is clear where they come from.",
        ),
        Criterion(
            name="Counterarguments",
            weight=0.15,
            description="The strongest objections are stated fairly and answered, instead of being left out or caricatured.",
        ),
        Criterion(
            name="Language",
            weight=0.10,
            description="The wording is precise and fits the readers. Errors of grammar or spelling do not get in the way. "
            "Length and rare words earn nothing by themselves.",
        ),
    ),
)

WRITING = Rubric(
    name="Writing",
    criteria=(
        _levelled(
            "Content", 0.30, "What the text has to say: how far it meets the task, and how much substance it has.",
            "Misses the task, or says next to nothing about it.",
            "Touches the task, but stays general or leaves out an important part.",
            "Meets the task with relevant points, most of them explained.",
            "Meets the task fully; the points are specific and well explained.",
            "Meets the task fully and with insight; every point adds something that matters.",
        ),
        _levelled(
            "Organisation", 0.25, "How the text is built: order of ideas, paragraphs, and the links between them.",
            "No order can be made out.",
            "Some order, but ideas jump, or paragraphs mix several of them.",
            "A clear order with beginning, middle and end; some links are missing.",
            "Well ordered; each paragraph has one idea and leads on to the next.",
            "The order itself helps to understand; the reader is guided without noticing.",
        ),
        _levelled(
            "Style", 0.25, "Choice of words and shape of sentences, measured against the purpose and the readers.",
            "Words are often wrong or too vague to tell what is meant.",
            "The meaning comes through, but wording is repetitive or does not fit the readers.",
            "Plain and fitting words; sentences read well for the most part.",
            "Precise words and varied sentences that suit purpose and readers.",
            "Precise, economical and with a voice of its own; nothing could be cut.",
        ),
        _levelled(
            "Conventions", 0.20, "Grammar, spelling, punctuation and layout.",
            "Errors make most sentences hard to understand.",
            "Errors are frequent and slow the reader down.",
            "There are errors, but they seldom get in the way.",
            "Few and small errors.",
            "Practically free of errors, also in difficult constructions.",
        ),
    ),
)  # fmt: skip

PLAN = Rubric(
    name="Plan",
    criteria=(
        Criterion(
            name="Correctness",
            weight=0.30,
            description="The steps would really reach the goal. Facts and assumptions are right, the order works, and each "
            "step has what it needs before it starts.",
        ),
        Criterion(
            name="Completeness",
            weight=0.25,
            description="Every part of the task is covered, also preparation, checking and what happens afterwards. "
            "It says how one will know that the goal is reached.",
        ),
        Criterion(
            name="Clarity",
            weight=0.20,
            description="Someone else could carry the plan out without asking: who does what, in which order, with what result.",
        ),
        Criterion(
            name="Maintainability",
            weight=0.15,
            description="The plan bears change: steps can be moved, replaced or undone without starting anew, and it is no "
            "bigger than the task.",
        ),
        Criterion(
            name="Edge cases",
            weight=0.10,
            description="What may go wrong is named, together with what to do then.",
        ),
    ),
)

CODE = Rubric(
    name="Code",
    criteria=(
        Criterion(
            name="Correctness",
            weight=0.30,
            description="The code does what the task asks, for ordinary input, without errors of logic.",
        ),
        Criterion(
            name="Completeness",
            weight=0.25,
            description="Every requirement is met; nothing is left as a stub, and tests show the behaviour that was asked for.",
        ),
        Criterion(
            name="Clarity",
            weight=0.20,
            description="Names, structure and comments let a reader follow the code at the first reading.",
        ),
        Criterion(
            name="Maintainability",
            weight=0.15,
            description="Parts have one task each and few ties to others; a likely change touches one place. "
            "The change is no larger than it has to be.",
        ),
        Criterion(
            name="Edge cases",
            weight=0.10,
            description="Empty, extreme and hostile input, failing calls and simultaneous use are handled on purpose.",
        ),
    ),
)

ANSWER = Rubric(
    name="Answer",
    criteria=(
        Criterion(
            name="Correctness",
            weight=0.40,
            description="What the answer states is true, and where it is uncertain it says so. An error that could mislead "
            "the asker weighs more than a small slip.",
        ),
        Criterion(
            name="Relevance",
            weight=0.25,
            description="It answers the question that was asked, and first the part that matters most.",
        ),
        Criterion(
            name="Completeness",
            weight=0.20,
            description="It holds everything needed to understand or to act, and no more. Length by itself earns nothing.",
        ),
        Criterion(
            name="Clarity",
            weight=0.15,
            description="The asker can understand it at once: plain words, a sensible order, terms explained.",
        ),
    ),
)

PRESETS: dict[str, Rubric] = {
    "persuasive essay": PERSUASIVE_ESSAY,
    "writing": WRITING,
    "plan": PLAN,
    "code": CODE,
    "answer": ANSWER,
}
"""By the name used in commands and settings; `Rubric.name` is what people see."""
