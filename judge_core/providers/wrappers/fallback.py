"""Judges that stand in for one that cannot answer, in the order chosen. Nobody stands in unless that was asked for.

The reply says who answered in whose place; what a stand-in costs is its own price.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Sequence

from judge_core.providers.protocol import Provider
from judge_core.providers.replies import reason_of
from judge_core.records.errors import CallError, JudgeUnusableError
from judge_core.records.prompt import Completion, Prompt
from judge_core.records.record import Notice


class Fallback:
    """The first judge, and those that are asked in its place when it brings no answer after its own retries."""

    def __init__(self, providers: Sequence[tuple[str, Provider]], may_repeat: Callable[[], bool] | None = None):
        """`providers` with their judges' names; `may_repeat` is asked before each further judge: False at a cap on calls."""
        self._providers = tuple(providers)
        self._may_repeat = may_repeat or (lambda: True)
        self._unusable: dict[int, JudgeUnusableError] = {}

    async def complete(self, prompt: Prompt) -> Completion:
        """The first answer. Raises the first judge's error where nobody answers, with all calls counted.

        A judge that proved unusable is not asked again. Only failures of calls are covered: a fault of ours is not.
        """
        failures: list[CallError] = []
        for number, (name, provider) in enumerate(self._providers):
            if number in self._unusable:
                failures.append(_uncalled(self._unusable[number]))
                continue
            if (
                _calls(failures) and not self._may_repeat()
            ):  # the first request of all was counted where it was asked for
                break
            try:
                completion = await provider.complete(prompt)
            except CallError as error:
                failures.append(error)
                if isinstance(error, JudgeUnusableError):
                    self._unusable[number] = _uncalled(error)
                continue
            return completion if number == 0 else self._in_place(name, completion, failures)
        raise self._nobody(failures)

    async def aclose(self) -> None:
        """Closes all judges."""
        await asyncio.gather(*(provider.aclose() for _, provider in self._providers))

    def _in_place(self, name: str, completion: Completion, failures: Sequence[CallError]) -> Completion:
        asked = self._providers[0][0]
        words = f"{asked} could not answer ({reason_of(failures[0])}); {name} answered in its place."
        notice = Notice(code="provider_fallback", message=words)
        calls = _calls(failures) + completion.calls
        found = {"answered_by": name, "notices": (*completion.notices, notice), "calls": calls}
        return completion.model_copy(update=found)

    def _nobody(self, failures: Sequence[CallError]) -> CallError:
        """The first judge's error, which says what happened to the others."""
        error, others = copy.copy(failures[0]), len(failures) - 1
        if others:
            error.args = (f"{error} {_others(others)}",)
        error.calls = _calls(failures)
        error.uncertain = any(failure.uncertain for failure in failures)
        error.__cause__ = failures[0].__cause__
        return error


def _others(count: int) -> str:
    """What is said of the stand-ins.

    >>> _others(2)
    'The 2 judges that may stand in could not answer either.'
    """
    who = "judge that may stand in" if count == 1 else f"{count} judges that may stand in"
    return f"The {who} could not answer either."


def _calls(failures: Sequence[CallError]) -> int:
    return sum(failure.calls for failure in failures)


def _uncalled(error: JudgeUnusableError) -> JudgeUnusableError:
    """The same error for a call that was not made."""
    again = copy.copy(error)
    again.calls, again.uncertain = 0, False
    return again
