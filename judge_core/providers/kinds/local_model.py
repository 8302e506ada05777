"""A model file (GGUF) on this computer as a judge, run by llama.cpp inside this process.

The package `xllamacpp`, an extra, brings llama.cpp's own OpenAI-compatible server. One is started on a free port of
loopback, for each model file and size of context, when the first call needs it; all judges of this process share it.
"""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path

from pydantic import SecretStr

from judge_core.providers.kinds.gguf_server import PACKAGE, Loan, Server, take_back
from judge_core.providers.openai_compatible import OpenAICompatible
from judge_core.providers.protocol import Access, Health
from judge_core.records.errors import InputError, JudgeUnusableError
from judge_core.records.prompt import Completion, Prompt
from judge_core.records.spec import JudgeSpec

ENDING = ".gguf"
MAGIC = b"GGUF"
CONTEXT = 8_192
"""Tokens of prompt and reply together, where no other number was chosen."""
INSTALL = "pip install -r requirements-local.txt"


class LocalModel:
    """One judge that is a model file. Calls are answered one after another: the time limit is each call's own."""

    def __init__(self, judge: JudgeSpec, access: Access):
        """Loads nothing yet. Raises InputError where the file or the extra is missing."""
        self._judge, self._access = judge, access
        self._path = checked(judge.model)
        self._server: Server | None = None
        self._client: OpenAICompatible | None = None
        self._starting = asyncio.Lock()
        self._turn = asyncio.Semaphore(1)

    async def complete(self, prompt: Prompt) -> Completion:
        """The model's reply. Raises a CallError; JudgeUnusableError where the model cannot be loaded."""
        client = await self._connected()
        async with self._turn:
            completion = await client.complete(prompt)
        return completion.model_copy(update={"model": self._path.stem})

    async def aclose(self) -> None:
        """Gives the server back; the last user's going stops it."""
        client, server = self._client, self._server
        self._client = self._server = None
        if client is not None:
            await client.aclose()
        if server is not None:
            await asyncio.to_thread(take_back, server)

    async def health(self) -> Health:
        """The file and the extra were found when the judge was opened. Raises nothing."""
        return Health(ok=True, message=f"{self._judge.name}: the model file and {PACKAGE} are there.")

    async def _connected(self) -> OpenAICompatible:
        async with self._starting:
            if self._client is None:
                context = self._judge.context_tokens or CONTEXT
                try:
                    self._server = await _lent(self._path, context)
                except Exception as error:
                    raise JudgeUnusableError(
                        f"{self._judge.name}: the model cannot be loaded ({type(error).__name__}). Check that the file "
                        f"is whole and that there is memory for it with a context of {context:,} tokens."
                    ) from error
                judge = self._judge.model_copy(update={"base_url": self._server.url, "model": self._path.stem})
                access = Access(key=SecretStr(self._server.key), concurrency=1)  # our own server: no list of hosts
                self._client = OpenAICompatible(judge, access)
            return self._client


async def _lent(path: Path, context: int) -> Server:
    """The server, waited for in a thread; one that comes after the caller was cancelled is given back."""
    loan = Loan(path, context)
    try:
        return await asyncio.to_thread(loan.take)
    except asyncio.CancelledError:
        loan.drop()
        raise


def checked(path: str) -> Path:
    """The whole path of a model file. Raises InputError where there is none, or the extra is not installed."""
    found = Path(path).expanduser().absolute()
    if found.suffix.lower() != ENDING or not _is_gguf(found):
        raise InputError(
            f"There is no model file {found.name!r} there. Write local:PATH{ENDING}, the whole path of a GGUF file.",
            field="judge",
        )
    if importlib.util.find_spec(PACKAGE) is None:
        raise InputError(f"Judges from model files need an extra that is not installed. Run: {INSTALL}", field="judge")
    return found


def _is_gguf(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        return False
