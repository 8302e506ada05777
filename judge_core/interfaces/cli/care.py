"""The verbs that look after an installation: the cache, the check of judges and settings, and the dashboard."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from judge_core.interfaces.cli.terminal.output import say, show, write_json
from judge_core.interfaces.cli.terminal.verb import DONE, NOT_DONE, verb, workbench
from judge_core.records.errors import InputError, PodiumError

if TYPE_CHECKING:
    from judge_core.interfaces.settings import Settings
    from judge_core.interfaces.workbench import Workbench

APP = Path(__file__).parents[3] / "app.py"
OLDEST_PYTHON = (3, 11)
KEYS = ("OPENAI_API_KEY", "GROQ_API_KEY", "MINIMAX_API_KEY", "LLM_JUDGE_API_KEY")


# fmt: off
@dataclass(frozen=True)
class CacheArguments:
    """What `cache stats` takes."""

    json: Annotated[bool, typer.Option("--json", help="JSON on the standard output.")] = False


@dataclass(frozen=True)
class ClearArguments:
    """What `cache clear` takes."""

    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False
    json: Annotated[bool, typer.Option("--json", help="JSON on the standard output.")] = False


@dataclass(frozen=True)
class DoctorArguments:
    """What `doctor` takes."""

    judge: Annotated[list[str] | None, typer.Option("--judge", "-j", help="Ask this judge once; several are possible.", show_default=False)] = None
    json: Annotated[bool, typer.Option("--json", help="JSON on the standard output.")] = False


@dataclass(frozen=True)
class ServeArguments:
    """What `serve` takes."""

    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1"
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen at.")] = 8501
# fmt: on


@dataclass(frozen=True)
class Check:
    """One line of the doctor's report; the message says what to do where something is wrong."""

    name: str
    ok: bool
    message: str
    note: bool = False
    """Whether it is merely worth knowing: not in use, or used up for now."""


def add_verbs(app: typer.Typer, cache: typer.Typer) -> None:
    """Adds `doctor` and `serve`, and the verbs of the group `cache`."""
    verb(app, "doctor")(doctor)
    verb(app, "serve")(serve)
    verb(cache, "stats")(cache_stats)
    verb(cache, "clear")(cache_clear)


def cache_stats(arguments: CacheArguments) -> int:
    """Show how many replies are kept, and how much room they take.

    \b
    Example:
      podium cache stats
    """
    with workbench() as bench:
        stats = bench.cache.stats()
    if arguments.json:
        write_json({key: value for key, value in stats.items() if key not in ("hits", "misses")})
    else:
        show(
            f"{stats['cached']:,} of at most {stats['max']:,} replies, {stats['bytes']:,} of at most {stats['max_bytes']:,} bytes."
        )
    return DONE


def cache_clear(arguments: ClearArguments) -> int:
    """Remove all kept replies. Runs and their figures stay; asking the same again costs again.

    \b
    Example:
      podium cache clear --yes
    """
    if not arguments.yes and not (sys.stdin.isatty() and typer.confirm("Remove all kept replies?", err=True)):
        raise InputError("Nothing was removed. Say --yes to remove all kept replies.", field="yes")
    with workbench() as bench:
        removed = bench.cache.clear()
    if arguments.json:
        write_json({"removed": removed})
    else:
        show(f"{removed} replies removed.")
    return DONE


def doctor(arguments: DoctorArguments) -> int:
    """Check Python, settings, data folder, judges and quotas at no cost; with --judge also ask judges, by one real call each.

    Keys are tried on lists of models alone. The exit status is 1 where something is at fault.

    \b
    Examples:
      podium doctor
      podium doctor --judge openai:gpt-4.1-mini --judge offline
    """
    checks = list(_checks(arguments))
    if arguments.json:
        write_json({"ok": all(check.ok for check in checks), "checks": [vars(check) for check in checks]})
    else:
        for check in checks:
            sign = "FAULT" if not check.ok else "note " if check.note else "ok   "
            show(f"{sign}  {check.name}: {check.message}")
    return DONE if all(check.ok for check in checks) else NOT_DONE


def _checks(arguments: DoctorArguments) -> Iterator[Check]:
    from judge_core import __version__
    from judge_core.interfaces.settings import Settings

    version = ".".join(map(str, sys.version_info[:3]))
    wanted = ".".join(map(str, OLDEST_PYTHON))
    yield Check("Python", sys.version_info >= OLDEST_PYTHON, f"{version}; {wanted} or newer is needed.")
    yield Check("Podium", True, __version__)
    try:
        settings = Settings.load()
    except PodiumError as error:
        yield Check("settings", False, str(error))
        return
    yield from _setting_checks(settings)
    try:
        with workbench() as bench:
            yield from _folder_checks(bench)
            yield from _kind_checks(bench)
            for name in arguments.judge or ():
                yield _judge_check(bench, name)
    except PodiumError as error:
        yield Check("data folder", False, str(error))


def _setting_checks(settings: Settings) -> Iterator[Check]:
    yield Check("settings", not settings.remarks, " ".join(settings.remarks) or "All can be used.")
    hosts = settings.allowed_hosts
    yield Check("allowed hosts", True, "any" if hosts is None else ", ".join(hosts) or "none")
    known = settings.environ()
    keys = [name for name in KEYS if name in known]
    yield Check(
        "keys", True, f"Set: {', '.join(keys)}." if keys else "None is set; only the offline judge works without one."
    )


def _folder_checks(bench: Workbench) -> Iterator[Check]:
    yield Check("data folder", True, f"{bench.home.root} can be written.")
    yield Check("database", True, f"{len(bench.runs())} runs.")
    stats = bench.cache.stats()
    trouble = bench.cache.trouble
    yield Check("cache", trouble is None, trouble or f"{stats['cached']} replies.")
    yield _tried("prices", lambda: f"{len(bench.prices())} entries.")


def _kind_checks(bench: Workbench) -> Iterator[Check]:
    """Judges that are set up, those that stand in, and quotas; nothing here costs."""
    from judge_core.interfaces.bench.health import check_judges, check_quotas

    for found in (*check_judges(bench), *check_quotas(bench)):
        yield Check(found.what, found.result != "fault", found.message, found.result == "note")


def _tried(name: str, look: Callable[[], str]) -> Check:
    try:
        return Check(name, True, look())
    except PodiumError as error:
        return Check(name, False, str(error))


def _judge_check(bench: Workbench, name: str) -> Check:
    from judge_core.interfaces.library.options import RunOptions, judges_of

    label = f"judge {name}"
    try:
        [judge] = judges_of(bench, RunOptions(judges=(name,)))
        probe = bench.test_judge(judge)
    except PodiumError as error:
        return Check(label, False, str(error))
    if not probe.ok:
        return Check(label, False, probe.error)
    price = "price unknown: cap its runs by calls" if judge.price is None else "price known"
    notices = "".join(f" {notice.message}" for notice in probe.notices)
    return Check(label, True, f"answered in {probe.seconds:.1f} s as {probe.model or judge.model}; {price}.{notices}")


def serve(arguments: ServeArguments) -> int:
    """Start the dashboard and the REST API. Ctrl-C ends it; runs that are going on pause and can be resumed.

    \b
    Examples:
      podium serve
      podium serve --port 8600
    """
    from judge_core.interfaces.settings import Settings
    from judge_core.providers.hosts import is_loopback

    if not APP.is_file():
        raise InputError(
            f"The dashboard's {APP.name} is not beside the package ({APP.parent}). Start it from a checkout."
        )
    if importlib.util.find_spec("streamlit") is None:
        raise InputError("Streamlit is not installed. Install what requirements.txt names.")
    Settings.load()  # a setting that cannot be used is said here and not on the first page
    if not is_loopback(arguments.host):
        say(f"Warning: whoever can reach {arguments.host} can see and start runs here; there is no log-in.")
    command = [sys.executable, "-m", "streamlit", "run", str(APP)]
    command += ["--server.address", arguments.host, "--server.port", str(arguments.port)]
    _served(command)


def _served(command: list[str]) -> NoReturn:
    """Becomes the server: a child would go on, and go on asking, after this process was killed."""
    os.chdir(APP.parent)
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(command[0], command)
