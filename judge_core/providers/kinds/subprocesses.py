"""Runs a program to its end within bounds of time and size. Whatever it started ends with it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

MOST_ERRORS = 65_536
"""Bytes of its messages that are kept; the rest is read and dropped, so that it never waits."""
CHUNK = 65_536
LAST_WORDS_S = 2.0
"""Seconds that the pipes of a program that has ended may take to close."""
LOOK_S = 0.1
"""Seconds between two looks at whether a program has ended while its pipes are still open."""


class Ended(NamedTuple):
    """How a program ended."""

    status: int
    """Its exit status; minus the signal's number where one ended it."""
    output: bytes
    errors: bytes
    why: Literal["itself", "time", "size"] = "itself"


async def ended(
    line: Sequence[str],
    text: bytes,
    *,
    environment: Mapping[str, str],
    timeout_s: float,
    most: int,
    folder: str | None = None,
) -> Ended:
    """Starts a program without a shell, gives it the text, and waits for its end.

    On a time-out, too much output or cancellation it is killed with all of its process group, and waited for. Where it
    has ended by itself, but left something behind that holds its output open, what was printed until `LAST_WORDS_S` later
    is its output, and what it left behind is killed. Raises OSError or ValueError where it cannot be started.
    """
    process = await _started(line, environment, folder)
    output, errors = bytearray(), bytearray()
    work = asyncio.gather(
        _write(process, text), _read(process.stdout, output, most), _read(process.stderr, errors, None), process.wait()
    )
    why: Literal["itself", "time", "size"] = "itself"
    over = False
    try:
        async with asyncio.timeout(timeout_s):
            over = await _finished(process, work)
    except TimeoutError:
        why = "time" if process.returncode is None else "itself"
    except OverflowError:
        why = "size"
    finally:
        if not over:  # it may have ended, and left behind a child that holds its output open
            _kill(process)
        await _end(process, work)
    return Ended(process.returncode if process.returncode is not None else -1, bytes(output), bytes(errors), why)


async def _finished(process: asyncio.subprocess.Process, work: asyncio.Future[Any]) -> bool:
    """Waits for the end of the program; whether its pipes have closed as well, at most `LAST_WORDS_S` later.

    Its state is looked at, since some versions of asyncio let `wait` return only when the pipes are closed.
    Raises OverflowError where it prints too much.
    """
    while process.returncode is None and not work.done():
        await asyncio.wait({work}, timeout=LOOK_S)
    if not work.done():
        await asyncio.wait({work}, timeout=LAST_WORDS_S)
    if work.done():
        work.result()
    return work.done()


async def _started(
    line: Sequence[str], environment: Mapping[str, str], folder: str | None
) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *line,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=dict(environment),
        cwd=folder,
        start_new_session=True,  # its own process group, so that what it starts can be ended with it
    )


async def _write(process: asyncio.subprocess.Process, text: bytes) -> None:
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it need not read all, or anything
        process.stdin.write(text)
        await process.stdin.drain()
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.close()
        await process.stdin.wait_closed()


async def _read(pipe: asyncio.StreamReader | None, into: bytearray, most: int | None) -> None:
    """Reads to the end. Raises OverflowError beyond `most` bytes; None keeps the first ones and drops the rest."""
    assert pipe is not None
    while part := await pipe.read(CHUNK):
        if most is not None and len(into) + len(part) > most:
            raise OverflowError
        into += part if most is not None else part[: max(0, MOST_ERRORS - len(into))]


async def _end(process: asyncio.subprocess.Process, work: asyncio.Future[Any]) -> None:
    """Leaves no zombie and no open pipe behind."""
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LAST_WORDS_S):
            await process.wait()
    process._transport.close()  # type: ignore[attr-defined]  # a grandchild may hold the pipes open for ever


def _kill(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
