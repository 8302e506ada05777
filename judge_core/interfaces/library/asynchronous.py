"""The library's methods for programs with an event loop: each waits in a thread, and the same engine does the work."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from judge_core.interfaces.library.evaluations import Rows, Score
    from judge_core.interfaces.library.item_results import ItemResults
    from judge_core.interfaces.library.judge import Judge
    from judge_core.interfaces.library.pair import PairVerdict
    from judge_core.interfaces.library.refine.result import Refinement
    from judge_core.interfaces.library.results import Ranking
    from judge_core.interfaces.library.texts import Texts


class AsyncSiblings:
    """`await judge.arank(...)` and so on: the arguments and results are those of the method without the a.

    >>> import asyncio, tempfile
    >>> from judge_core import Judge
    >>> home = tempfile.TemporaryDirectory()
    >>> async def both():
    ...     with Judge(home=home.name) as judge:
    ...         return await asyncio.gather(judge.ascore("Wind."), judge.acompare("Wind.", "Because days grow short."))
    >>> score, verdict = asyncio.run(both())
    >>> score.total is not None, verdict.winner
    (True, 'b')
    >>> home.cleanup()
    """

    async def arank(self: Judge, texts: Texts, **options: Any) -> Ranking:  # type: ignore[misc]
        """`rank`."""
        return await asyncio.to_thread(self.rank, texts, **options)

    async def acompare(self: Judge, a: str, b: str, **options: Any) -> PairVerdict:  # type: ignore[misc]
        """`compare`."""
        return await asyncio.to_thread(self.compare, a, b, **options)

    async def ascore(self: Judge, text: str, **options: Any) -> Score:  # type: ignore[misc]
        """`score`."""
        return await asyncio.to_thread(self.score, text, **options)

    async def areview(self: Judge, texts: Texts, **options: Any) -> ItemResults:  # type: ignore[misc]
        """`review`."""
        return await asyncio.to_thread(self.review, texts, **options)

    async def agate(self: Judge, texts: Texts, **options: Any) -> ItemResults:  # type: ignore[misc]
        """`gate`."""
        return await asyncio.to_thread(self.gate, texts, **options)

    async def arank_list(self: Judge, texts: Texts, **options: Any) -> ItemResults:  # type: ignore[misc]
        """`rank_list`."""
        return await asyncio.to_thread(self.rank_list, texts, **options)

    async def arefine(self: Judge, text: str | Path, **options: Any) -> Refinement:  # type: ignore[misc]
        """`refine`."""
        return await asyncio.to_thread(self.refine, text, **options)

    async def aevaluate_rag(self: Judge, rows: Rows, **options: Any) -> ItemResults:  # type: ignore[misc]
        """`evaluate_rag`."""
        return await asyncio.to_thread(self.evaluate_rag, rows, **options)

    async def aevaluate_agent(self: Judge, rows: Rows, **options: Any) -> ItemResults:  # type: ignore[misc]
        """`evaluate_agent`."""
        return await asyncio.to_thread(self.evaluate_agent, rows, **options)
