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

LEGAL = Rubric(
    name="Legal",
    criteria=(
        _levelled(
            "Issues", 0.20, "How far the questions that decide the matter are found and put precisely.",
            "The question that decides the matter is not seen.",
            "Some questions are seen, but the decisive one is vague or buried among others.",
            "The main questions are named; a secondary one is missing or loosely put.",
            "All questions that matter are named precisely and in a sensible order.",
            "All of them, with those that only look decisive set aside for a reason.",
        ),
        _levelled(
            "Law and authority", 0.25, "Whether the rules relied on are right, in force, and traceable to a source.",
            "Rules are wrong, made up, or repealed.",
            "Rules are partly right, but sources are missing or do not say what is claimed.",
            "The main rules are right and have a source; details or exceptions are missing.",
            "Rules and exceptions are right, with sources that carry them.",
            "Right throughout; ranks between sources and open points of law are made plain.",
        ),
        _levelled(
            "Application", 0.25, "How the rules are brought to bear on the facts at hand, step by step.",
            "A conclusion is asserted; facts and rules do not meet.",
            "Facts are retold beside the rules, with leaps between them.",
            "Each main rule is applied to the facts; some steps are left to the reader.",
            "Every element is matched with the fact that meets it, and missing facts are named.",
            "As before, and the reader sees which fact would turn the result.",
        ),
        _levelled(
            "Opposing view", 0.15, "How fairly the other side's best case is put and met.",
            "The other side does not occur.",
            "It occurs, but only in its weakest form.",
            "Its main argument is put fairly and met in part.",
            "Its best arguments are put fairly and met.",
            "They are met so that the remaining risk can be judged.",
        ),
        _levelled(
            "Wording and use", 0.15, "Whether a client or a court can work with the text: exact words, order, a clear outcome.",
            "One cannot tell what is advised or asked for.",
            "The outcome can be guessed; terms shift or are used wrongly.",
            "The outcome is clear; some passages are long or loose.",
            "Exact terms, a clear order, an outcome that says what to do.",
            "As before, and no sentence could be read in a second way.",
        ),
    ),
)  # fmt: skip

MEDICAL = Rubric(
    name="Medical",
    criteria=(
        _levelled(
            "Accuracy", 0.30, "Whether what is stated agrees with accepted medical knowledge.",
            "A statement is false in a way that could lead to harm.",
            "Several statements are false or outdated, though not dangerous.",
            "Mostly right; a detail is wrong or too sweeping.",
            "Right in all that matters for the question.",
            "Right throughout, with exceptions and numbers where they count.",
        ),
        _levelled(
            "Safety", 0.25, "Whether danger signs, interactions, limits of self-care and the way to help are dealt with.",
            "It advises something unsafe, or keeps silent on an emergency.",
            "A serious warning is missing.",
            "The main warnings are there; when and where to seek help stays vague.",
            "Warnings are complete, and it says when to seek which help.",
            "As before, fitted to the person: age, pregnancy, other illnesses, other medicines.",
        ),
        _levelled(
            "Evidence", 0.15, "What the statements rest on, and how honestly uncertainty is told.",
            "Claims of effect without any ground, or invented sources.",
            "Opinion and evidence cannot be told apart.",
            "The main claims have a ground; how strong it is stays open.",
            "Grounds are named, and strong ones told from weak ones.",
            "As before, with the size of benefit and harm, and what is not known.",
        ),
        _levelled(
            "Completeness", 0.15, "Whether everything needed for the decision at hand is there, and nothing that buries it.",
            "It passes by what was asked.",
            "An important part of the answer is missing.",
            "The question is answered; an alternative or a next step is missing.",
            "Causes, options and next steps are covered as far as the question needs them.",
            "As before, in the order of urgency, with nothing to spare.",
        ),
        _levelled(
            "Understanding and respect", 0.15, "Whether the reader it is meant for can follow it and is treated as a person who decides.",
            "Not to be understood by its reader, or belittling.",
            "Technical terms are left unexplained, or the tone blames or frightens.",
            "Can be understood for the most part; the tone is neutral.",
            "Plain words, explained terms, a considerate tone.",
            "As before, and the reader is helped to ask and to choose.",
        ),
    ),
)  # fmt: skip

PRESETS: dict[str, Rubric] = {
    "persuasive essay": PERSUASIVE_ESSAY,
    "writing": WRITING,
    "plan": PLAN,
    "code": CODE,
    "answer": ANSWER,
    "legal": LEGAL,
    "medical": MEDICAL,
}
"""By the name used in commands and settings; `Rubric.name` is what people see."""
