"""The panel of a draft: its rows as judges, which key each would use, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from judge_core.interfaces.drafts.records import JudgeDraft, JudgeKind
from judge_core.interfaces.settings import Settings
from judge_core.providers.hosts import check_host
from judge_core.providers.kinds.command import TIMEOUT_S
from judge_core.providers.registry import (
    ANY_KEY,
    PRESETS,
    judge_kinds,
    judge_spec,
    key_for,
    preset_of,
)
from judge_core.records.errors import InputError
from judge_core.records.spec import JudgeSpec, first_alike

OFFLINE, OLLAMA, LOCAL, COMMAND, ADDRESS = "offline", "ollama", "local", "cli", "address"
KINDS: dict[JudgeKind, str] = {
    OFFLINE: "Demo judge on this computer (free, not an AI)",
    "openai": "OpenAI",
    "groq": "Groq",
    "minimax": "MiniMax",
    OLLAMA: "Ollama",
    LOCAL: "Model file (GGUF)",
    COMMAND: "Program on this computer",
    ADDRESS: "Another service (OpenAI-compatible address)",
}
EXPLAINED: dict[JudgeKind, str] = {
    OLLAMA: "An AI model in the program Ollama, which you install and start yourself. It costs nothing.",
    LOCAL: "An AI model in a file that you downloaded. It runs inside Podium, costs nothing, and is slow on most computers.",
    COMMAND: "A program that is installed here and answers what it is asked, such as claude. What it costs is between you and its maker.",
    ADDRESS: "Any service that can be asked in the way of OpenAI, also a server of your own.",
}
"""What kinds of judges are, where the name does not say it."""
INSTALLED = "A kind of judge that was installed beside Podium."
NAMED: dict[JudgeKind, tuple[str, str, str]] = {
    OLLAMA: ("Model", "the name that ollama list shows", "Name the model."),
    LOCAL: ("Path of the file", "/models/judge.gguf", "Give the path of the model file; it ends in .gguf."),
    COMMAND: ("Program", "claude, or a program with its arguments", "Name the program, for example claude."),
    ADDRESS: ("Model", "the name that the service uses", "Name the model."),
}
"""What is asked for as the model: label, example, and what is said where it is missing."""
DEFAULT_TIMEOUT_S = 120.0


def kinds_offered(settings: Settings) -> dict[JudgeKind, str]:
    """The kinds of judges that can be chosen here: programs only where the settings allow them, installed kinds last."""
    own = {kind.name: kind.title for kind in judge_kinds() if kind.own}
    return {kind: title for kind, title in (KINDS | own).items() if kind != COMMAND or settings.allow_commands}


def known_models(kind: JudgeKind) -> list[str]:
    """Models of a vendor that are offered; any other may be typed."""
    return list(PRESETS[kind].contexts) if kind in PRESETS else []


def takes_key(kind: JudgeKind) -> bool:
    """Whether a key may be typed for a judge of that kind."""
    return kind in PRESETS or kind == ADDRESS


def patience(kind: JudgeKind) -> float:
    """The time limit of a call in seconds, where none was chosen: longer for what this computer does by itself."""
    return TIMEOUT_S if kind in (LOCAL, COMMAND) else DEFAULT_TIMEOUT_S


def judge_of(judge: JudgeDraft, settings: Settings) -> JudgeSpec:
    """The row as a judge, without a price where none was entered. InputError, naming the field, where it is not complete."""
    if not judge.model.strip() and (judge.kind in PRESETS or judge.kind in NAMED):
        raise InputError(NAMED.get(judge.kind, NAMED[ADDRESS])[2], field="model")
    if judge.kind == ADDRESS and not judge.base_url.strip():
        raise InputError("Enter the address, for example https://host/v1.", field="base_url")
    if judge.kind == COMMAND and not settings.allow_commands:
        raise InputError("Programs may not be judges here. Choose another judge.", field="kind")
    fields: dict[str, object] = {
        "temperature": judge.temperature,
        "max_tokens": judge.max_tokens,
        "timeout_s": judge.timeout_s,
    }
    fields |= {"weight": judge.weight, "price": judge.price}
    if judge.context_tokens is not None:
        fields["context_tokens"] = judge.context_tokens
    return judge_spec(_name(judge), api_base=settings.judge_api_base, ollama_host=settings.ollama_host, **fields)


def copies(judges: Sequence[JudgeDraft], settings: Settings) -> str:
    """A warning where the panel holds one judge more than once; '' where it does not. Rows that are not complete are no copies."""
    known: list[tuple[int, JudgeSpec]] = []
    for number, judge in enumerate(judges, start=1):
        try:
            known.append((number, judge_of(judge, settings)))
        except InputError:
            continue
    first = first_alike([spec for _, spec in known])
    same = [(known[one][0], known[at][0]) for at, one in enumerate(first) if one != at]
    if not same:
        return ""
    pairs = "; ".join(f"judge {later} is the same as judge {earlier}" for earlier, later in same)
    return (
        f"{pairs[0].upper()}{pairs[1:]}: one model with the same settings. It would be asked and paid for twice, and its agreement "
        "with itself tells nothing. Choose another model, or remove it."
    )


def _name(judge: JudgeDraft) -> str:
    model = judge.model.strip()
    if judge.kind == ADDRESS:
        return f"{judge.base_url.strip()}#{model}"
    return judge.kind if judge.kind == OFFLINE or not model else f"{judge.kind}:{model}"


def key_variable(judge: JudgeSpec, settings: Settings) -> str | None:
    """The variable whose key would be used; None where there is none. InputError where its value cannot be a key."""
    environ = settings.environ()
    if key_for(judge, environ) is None:
        return None
    preset = preset_of(judge)
    return preset.key_name if preset and preset.key_name in environ else ANY_KEY


def judge_faults(judge: JudgeDraft, settings: Settings, typed: Collection[str]) -> Iterator[str]:
    """What keeps this judge from being asked. `typed`: keys of the rows for which a person typed a key."""
    try:
        spec = judge_of(judge, settings)
        if spec.base_url:
            check_host(spec.base_url, settings.allowed_hosts)
        variable = key_variable(spec, settings)
    except InputError as error:
        yield str(error)
        return
    preset = preset_of(spec)
    if judge.key in typed:
        return
    if judge.keyed and spec.base_url:
        yield "Its key is gone: a key that you type is never saved, so a refresh forgets it. Type it again."
    elif preset and variable is None:
        yield f"There is no key for {preset.title}. Type one, or set {preset.key_name} and start Podium again."
