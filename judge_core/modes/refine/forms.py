"""What the roles of a refinement tournament are asked: to find problems, to revise, to merge, to rank.

All answer in prose. A version is answered between two marks of its own, so that no remark becomes part of the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from judge_core.modes.asking.forms import Form
from judge_core.records.criteria import Rubric
from judge_core.records.prompt import Ask
from judge_core.records.refinement.nouns import JudgeRole

TEXT_BEGINS, TEXT_ENDS = "<text>", "</text>"
PURPOSE = "What the text is for:"
_WHOLE = (
    f"Answer with the whole text between {TEXT_BEGINS} and {TEXT_ENDS}, each on a line of its own, "
    "and nothing after it. Nothing of the text may be left out or cut short."
)
_FACTS = "Invent no facts, sources, names or figures that the material does not give."
_LENGTH = "Do not make the text longer without need: one that grows by more than a third must earn it."
_AGAIN_WHOLE = f"Answer once more: the whole text between {TEXT_BEGINS} and {TEXT_ENDS}"


def _critic_ends(_ask: Ask, _rubric: Rubric) -> str:
    return (
        "Answer with a numbered list of the problems, the gravest first. For each say where it stands and why it is one. "
        "If the text has no problem worth naming, answer: No problems."
    )


def _whole(_ask: Ask, _rubric: Rubric) -> str:
    return _WHOLE


def _ranks(_ask: Ask, _rubric: Rubric) -> str:
    return (
        "First give a sentence or two on each version. Then, as the last line of your answer, all three numbers, the best "
        "version first, in this form:\nRANKING: <best>, <second>, <worst>"
    )


CRITIC = Form(
    mode="refine_critic",
    version="1",
    task="You are a critic. You find the problems of a text; you do not mend them.",
    merit=False,
    rules=(
        "Name problems only: propose no wording, no remedy and no new version.",
        "A problem is what keeps the text from doing what it is for, by the given criteria. Taste is none.",
        "Where a NOTE is shown, it comes from the person in charge of the text: look at what it asks for first.",
    ),
    purpose=PURPOSE,
    roles=("text",),
    skeleton=_critic_ends,
    schema=None,
    again="Answer once more: the list of problems",
)
AUTHOR = Form(
    mode="refine_author",
    version="1",
    task="You are an author. You revise a text in answer to a critique.",
    merit=False,
    rules=(
        "Mend the problems that the CRITIQUE names, as far as they are real, and leave alone what is good.",
        "Keep the author's meaning and voice. " + _FACTS,
        _LENGTH,
        "If nothing needs to change, answer with the text word for word.",
    ),
    purpose=PURPOSE,
    roles=("text", "critique"),
    skeleton=_whole,
    schema=None,
    again=_AGAIN_WHOLE,
)
SYNTHESIZER = Form(
    mode="refine_synthesizer",
    version="1",
    task="You are an editor. You merge two versions of a text, X and Y, into one that has the best of both.",
    merit=False,
    rules=(
        "Take the better of the two wherever they differ, and make one text of it that reads as if written at once.",
        "The order in which the versions are shown says nothing about their quality. " + _FACTS,
        _LENGTH,
        "If one version is better throughout, answer with it word for word.",
    ),
    purpose=PURPOSE,
    roles=("version", "version"),
    labels=lambda _ask: ("VERSION X", "VERSION Y"),
    skeleton=_whole,
    schema=None,
    again=_AGAIN_WHOLE,
)
JUDGE = Form(
    mode="refine_judge",
    version="1",
    task="You are an impartial examiner. You rank three versions of a text, the best first.",
    rules=(
        "Weigh all criteria together; compare every version with every other before you rank.",
        "A version that says the same in fewer words is the better one.",
        "The numbers of the versions say nothing about their quality. There are no ties: where two are equally good, decide.",
    ),
    purpose=PURPOSE,
    roles=("version", "version", "version"),
    labels=lambda _ask: ("VERSION 1", "VERSION 2", "VERSION 3"),
    skeleton=_ranks,
    schema=None,
    again="Answer once more, and end with the line RANKING: and all three numbers, the best first",
)
SPECIALISTS: Mapping[JudgeRole, str] = {
    "judge": JUDGE.task,
    "critic": "You are a critic who looks for what fails. You rank three versions of a text by how few grave faults they "
    "have, the best first.",
    "reviewer": "You are a reviewer who must sign the text. You rank three versions by how ready they are to be used as they "
    "stand, the best first.",
    "test_engineer": "You are a test engineer. You rank three versions by how well what they claim or change can be checked, "
    "and is, the best first.",
    "domain_expert": "You are an expert in the subject of the text. You rank three versions by how right and complete they "
    "are in the matter, the best first.",
    "explorer": "You are a sceptical reader who looks for padding, made-up facts or interfaces, needless abstraction, copied "
    "rituals and drift from the task. You rank three versions by how free of these they are, the best first.",
    "minimality": "You are an editor who wants nothing superfluous. You rank three versions by how much they achieve with how "
    "little, the best first.",
}
"""By role the first sentence of what a judge of the panel is told."""


def seated(form: Form, seat: str) -> Form:
    """The form of a judge in a special role; every other form as it is."""
    task = next((words for role, words in SPECIALISTS.items() if role == seat), form.task)
    return replace(form, task=task) if form.mode == JUDGE.mode else form
