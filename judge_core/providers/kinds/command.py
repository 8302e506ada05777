"""A program of this computer as a judge: the prompt goes to its standard input, what it prints is the reply.

No shell is ever involved. The programs that are known by name stand in `COMMANDS`; any other is named with its
arguments, `cli:PROGRAM ARGS...`, where the whole arguments {system} and {model} are filled in. Without {system} the
instructions stand at the head of the input; {model} is what stands behind a `#` at the end of the name. Of our environment
a program gets only what is named here as harmless or as its own, so that no key, password or address of ours reaches it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from judge_core.providers.kinds.subprocesses import Ended, ended
from judge_core.providers.protocol import Access, Health, UncertainCallError
from judge_core.providers.replies import mend, notice, quotable
from judge_core.records.errors import CallError, InputError, JudgeUnusableError
from judge_core.records.prompt import Completion, Prompt
from judge_core.records.spec import JudgeSpec

ALLOW = "PODIUM_ALLOW_COMMANDS"
TIMEOUT_S = 300.0
"""The time limit of a call that this computer does by itself, where none was chosen."""
MOST_OUTPUT = 8_000_000
"""Bytes that a program may print."""
LONGEST_ARGUMENT = 100_000
"""Bytes of instructions that go as an argument (Linux takes 131,071); longer ones stand at the head of the input."""
SYSTEM, MODEL = "{system}", "{model}"
PASSED_ON = frozenset((
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TERM", "TZ", "TMPDIR", "TEMP", "TMP",
    "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "VIRTUAL_ENV",
    "SYSTEMROOT", "PATHEXT", "COMSPEC", "APPDATA", "LOCALAPPDATA", "USERPROFILE",
))  # fmt: skip
"""What any program gets of our environment: where things are, the language, the way to the network."""
PASSED_ON_BEGINNINGS = ("LC_", "XDG_")


class Command(NamedTuple):
    """How to start a program."""

    program: str
    arguments: tuple[tuple[str, ...], ...]
    """In groups; one with {model} is left out where no model was named."""
    install: str = "Check its name, or give its whole path."
    environment: Mapping[str, str] = {}
    keeps: tuple[str, ...] = ()
    """Beginnings of the names of variables that are its own: it gets them besides those that every program gets."""
    empty_folder: bool = False
    """Whether it runs in an empty folder, so that no file about is read as context."""


COMMANDS: dict[str, Command] = {
    "claude": Command(
        "claude",
        (("--print",), ("--model", MODEL), ("--system-prompt", SYSTEM), ("--tools", ""), ("--strict-mcp-config",),
         ("--no-session-persistence",)),  # no tools, built in or from servers; no copy of the texts left behind
        "Install Claude Code (npm install -g @anthropic-ai/claude-code) and log in once by starting it.",
        environment={"CLAUDE_NO_TIP": "1"}, keeps=("ANTHROPIC_", "CLAUDE_", "AWS_"), empty_folder=True,
    ),
}  # fmt: skip
"""The programs that are known by a short name: `cli:NAME` or `cli:NAME:MODEL`."""


class CommandJudge:
    """One judge that is a program: each prompt starts it anew."""

    def __init__(self, judge: JudgeSpec, access: Access):
        """Starts nothing. Raises InputError where programs may not be started here, or the line cannot be read."""
        if not access.commands_allowed:
            raise InputError(
                f"{judge.name}: programs may not be started as judges here. Whoever runs this server can allow it with "
                f"{ALLOW}=true; otherwise choose another judge.",
                field="judge",
            )
        self._judge = judge
        self._command, self._model = read_command(judge.model)

    async def complete(self, prompt: Prompt) -> Completion:
        """What the program printed. Raises JudgeUnusableError where it is missing, else a CallError naming what failed."""
        program = self._found()
        if program is None:
            raise JudgeUnusableError(self._missing())
        arguments, text = self._filled(prompt)
        began, asked_at = time.perf_counter(), datetime.now(UTC).isoformat(timespec="milliseconds")
        environment = {**kept(os.environ, self._command.keeps), **self._command.environment}
        with tempfile.TemporaryDirectory(prefix="podium-", ignore_cleanup_errors=True) as folder:
            try:
                result = await ended(
                    [program, *arguments], text.encode(), environment=environment, most=MOST_OUTPUT,
                    timeout_s=self._judge.timeout_s, folder=folder if self._command.empty_folder else None,
                )  # fmt: skip
            except (OSError, ValueError) as error:
                raise JudgeUnusableError(
                    f"{self._judge.name}: the program cannot be started ({_cause(error)})."
                ) from None
        return Completion(
            text=self._reply(result, prompt),
            model=self._model or self._command.program,
            notices=(notice("usage_missing"),),
            seconds=time.perf_counter() - began,
            asked_at=asked_at,
            temperature_sent=None,
        )

    async def aclose(self) -> None:
        """Nothing is kept open."""

    async def health(self) -> Health:
        """Whether the program is there. Raises nothing."""
        found = self._found() is not None
        return Health(ok=found, message=f"{self._judge.name}: the program is there." if found else self._missing())

    def _found(self) -> str | None:
        found = shutil.which(self._command.program)
        return os.path.abspath(found) if found else None

    def _missing(self) -> str:
        return f"{self._judge.name}: there is no program {self._command.program!r} here. {self._command.install}"

    def _filled(self, prompt: Prompt) -> tuple[list[str], str]:
        """The arguments, and what goes to the standard input."""
        system = mend("\n\n".join(said.content for said in prompt.messages if said.role == "system"))
        system = system.replace("\0", "\ufffd")  # no argument can carry it
        groups = [group for group in self._command.arguments if self._model or MODEL not in group]
        takes = any(SYSTEM in group for group in groups)
        apart = takes and len(system.encode()) <= LONGEST_ARGUMENT
        filled = {SYSTEM: system if apart else "", MODEL: self._model}
        text = _conversation(prompt)
        arguments = [filled.get(part, part) for group in groups for part in group]
        return arguments, text if apart or not system else f"{system}\n\n{text}"

    def _reply(self, result: Ended, prompt: Prompt) -> str:
        name, texts = self._judge.name, prompt.sheet.texts
        if result.why == "time":
            raise UncertainCallError(f"{name}: timed out after {self._judge.timeout_s:g} seconds; it was stopped.")
        if result.why == "size":
            raise CallError(f"{name}: it printed more than {MOST_OUTPUT // 1_000_000} MB; it was stopped.")
        if result.status != 0:
            how = f"status {result.status}" if result.status > 0 else f"signal {-result.status}"
            said = quotable(result.errors.decode("utf-8", "replace"), texts)
            raise CallError(f"{name}: it ended with {how}." + (f" It says: {said}" if said else ""))
        text = mend(result.output.decode("utf-8", "replace"))
        if not text.strip():
            raise CallError(f"{name}: it ended well, but printed nothing.")
        return text


def read_command(line: str) -> tuple[Command, str]:
    """The program and the model of what stands behind `cli:`. Raises InputError where it cannot be read.

    >>> read_command("claude:opus")[1], read_command("judge.sh --system {system}")[0].arguments
    ('opus', (('--system',), ('{system}',)))
    """
    name, colon, model = line.strip().partition(":")
    if name in COMMANDS and not (colon and not model.strip()):
        return COMMANDS[name], model.strip()
    model = ""
    if MODEL in line:
        line, _, model = (part.strip() for part in (line if "#" in line else f"{line}#").rpartition("#"))
    try:
        program, *arguments = shlex.split(line) or [""]
    except ValueError as error:
        raise InputError(f"The command cannot be read ({error}). Check its quotes.", field="judge") from None
    _check(program, arguments, model)
    return Command(program, tuple((argument,) for argument in arguments)), model


def _check(program: str, arguments: list[str], model: str) -> None:
    known = program.partition(":")[0]
    if not program or "\0" in program:
        raise InputError("The name has no program. Write cli:PROGRAM ARGS..., or cli:claude.", field="judge")
    if known in COMMANDS:
        raise InputError(
            f"Write cli:{known} or cli:{known}:MODEL; its arguments are fixed, so that it gets no tools.", field="judge"
        )
    if any(MODEL in argument for argument in arguments) and not model:
        raise InputError("The command has {model}, but no model is named. Write #MODEL at its end.", field="judge")
    for argument in arguments:
        if argument not in (SYSTEM, MODEL) and (SYSTEM in argument or MODEL in argument):
            raise InputError(f"{argument!r}: a place to fill in must be a whole argument by itself.", field="judge")


def kept(environ: Mapping[str, str], keeps: tuple[str, ...] = ()) -> dict[str, str]:
    """What a program gets of an environment: the names of `PASSED_ON`, and those that begin with one of `keeps`.

    Nothing else reaches it, since a secret may stand under any name.

    >>> kept({"PATH": "/bin", "LC_ALL": "C", "PGPASS": "p", "PODIUM_HOME": "x", "ANTHROPIC_API_KEY": "a"}, ("ANTHROPIC_",))
    {'PATH': '/bin', 'LC_ALL': 'C', 'ANTHROPIC_API_KEY': 'a'}
    """
    beginnings = (*PASSED_ON_BEGINNINGS, *keeps)
    return {name: value for name, value in environ.items() if name in PASSED_ON or name.startswith(beginnings)}


def _conversation(prompt: Prompt) -> str:
    """What is said besides the instructions: the question alone, or the turns with who spoke above each."""
    turns = [said for said in prompt.messages if said.role != "system"]
    if len(turns) == 1:
        return mend(turns[0].content)
    return "\n\n".join(f"[{said.role}]\n{mend(said.content)}" for said in turns)


def _cause(error: Exception) -> str:
    return error.strerror or "unknown" if isinstance(error, OSError) else "its name or arguments hold odd characters"
