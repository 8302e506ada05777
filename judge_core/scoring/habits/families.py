"""Families of models: which company's line a model belongs to, told from well-known parts of its name.

Judges have been seen to favour texts of their own family (Panickssery, Bowman and Feng 2024). A name is taken for a
model's only where it reads like one: "claude-3-opus" does, a person called "Claude Dupont" or "gptzero-student" do not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

_LONGEST = 200
_AUTHOR_HEADINGS = ("model", "author_model", "model_name", "author", "system", "generator", "llm")
_FAMILIES: dict[str, tuple[str, ...]] = {
    "OpenAI": (
        r"gpt[-_ .]?\d", r"gpt[-_ ](?:oss|image|turbo)", "chatgpt", r"(?:text|code)-davinci", "davinci", "openai",
        r"(?<![-_ a-z0-9])o[134](?:[-_ ](?:mini|preview|pro|high|low|medium|deep|\d))?(?=$|[-_: ])",
    ),
    "Anthropic": (r"claude[-_ .]?(?:v?\d|instant|sonnet|opus|haiku)", "anthropic"),
    "Google": (
        r"gemini[-_ .]?(?:\d|pro|ultra|nano|flash|advanced)", r"(?:code|med)?gemma[-_ ]?\d", r"palm[-_ ]?2(?![a-z])",
        "text-bison", "chat-bison", "flan-t5", "flan-ul2",
    ),
    "Meta": ("llama", r"llama[-_ .]?\d", "codellama", r"alpaca-\d", "vicuna", r"opt-(?:iml-)?\d", r"galactica-\d"),
    "Mistral": ("mistral", "mistralai", "mixtral", "codestral", "ministral", "magistral", "devstral", "pixtral", "mathstral"),
    "Qwen": ("qwen", r"qwen[-_ .]?\d", "qwq", "qvq"),
    "DeepSeek": ("deepseek",),
    "MiniMax": ("minimax", r"abab[-_ ]?\d"),
    "Zhipu": (r"glm[-_ ]?\d", "chatglm", r"chatglm\d", "zhipu", "zhipuai"),
    "xAI": (r"grok[-_ ]?\d", r"grok[-_ ](?:beta|mini|fast|code)", "xai"),
    "Cohere": (r"command[- ]r", r"command-(?:a|light|nightly|xlarge|medium)", "cohere", r"aya-(?:expanse|vision|\d)"),
    "Microsoft": (r"phi[-_ ]?\d", r"wizardlm", "orca-2"),
    "AI21": ("jamba", r"j2-(?:ultra|mid|light|jumbo)", "jurassic-[12]", "ai21"),
    "NVIDIA": ("nemotron", "nvidia"),
    "Hugging Face": ("smollm", r"smollm\d", r"zephyr-\d", "starchat"),
    "Moonshot": ("kimi-k", r"kimi[-_ ]k?\d", r"moonshot-v\d", "moonshotai"),
    "Amazon": (r"nova-(?:micro|lite|pro|premier)", r"titan-text"),
    "01.AI": (r"yi-(?:\d|large|medium|lightning)",),
    "TII": (r"falcon[-_ ]?\d",),
    "IBM": (r"granite[-_ ]?\d",),
    "Ai2": ("olmo", "tulu-[23]"),
    "BigScience": (r"bloom-\d", "bloomz"),
    "EleutherAI": (r"gpt-?neox?(?:-\d)?", r"gpt-?j(?:-\d)?", "pythia", r"pythia-\d"),
    "Cerebras": ("cerebras-gpt", r"cerebras-gpt-\d"),
    "Nomic": ("gpt4all",),
}  # fmt: skip
"""By family: patterns of name parts, each from the beginning to the end of a word or with the number that follows it."""
_WHOLE = {
    "gpt": "OpenAI", "claude": "Anthropic", "gemini": "Google", "gemma": "Google", "bard": "Google", "palm": "Google", "grok": "xAI",
    "glm": "Zhipu", "command": "Cohere", "phi": "Microsoft", "kimi": "Moonshot",
}  # fmt: skip
"""Names that are also words or people's names: they count only where nothing else stands beside them."""
_PATTERNS = tuple(
    (family, re.compile(rf"(?<![a-z0-9])(?:{part})(?:(?<=\d)|(?![a-z]))", re.ASCII))
    for family, parts in _FAMILIES.items()
    for part in parts
)


@lru_cache(maxsize=1024)
def family_of(name: str) -> str | None:
    """The family that a model's name tells of; None where it tells of none. The part that stands first counts.

    >>> family_of("gpt-4o-mini"), family_of("anthropic/claude-3-5-sonnet"), family_of("Qwen2.5-72B-Instruct")
    ('OpenAI', 'Anthropic', 'Qwen')
    >>> family_of("gptzero-student"), family_of("Claude Dupont"), family_of("")
    (None, None, None)
    """
    plain = unicodedata.normalize("NFKC", name[:_LONGEST]).casefold().strip()
    whole = _WHOLE.get(plain)
    if whole:
        return whole
    found = [(match.start(), -match.end(), family) for family, pattern in _PATTERNS if (match := pattern.search(plain))]
    return min(found)[2] if found else None


def author_of(columns: Mapping[str, str]) -> str:
    """The model or system that wrote a text, by the columns of its row; '' where no column says so.

    Headings are compared without case, blanks and hyphens; a heading that says it plainly goes before a vague one.

    >>> author_of({"Grade": "7", "Author Model": "gpt-4o"})
    'gpt-4o'
    """
    by_heading = {re.sub(r"[\s-]+", "_", heading.strip().casefold()): value for heading, value in columns.items()}
    return next((by_heading[name].strip() for name in _AUTHOR_HEADINGS if by_heading.get(name, "").strip()), "")
