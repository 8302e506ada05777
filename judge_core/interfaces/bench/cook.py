"""Cooks prompts for the desk: the mode's pure parts with the run's secret, rubric and texts."""

from __future__ import annotations

from collections.abc import Mapping

from judge_core.modes.asking.fences import token_for
from judge_core.modes.asking.prompts import key_material, render
from judge_core.records.prompt import Ask, Message, Prompt
from judge_core.records.spec import RunSpec


class PromptCook:
    """Recipes to prompts for one run."""

    def __init__(self, spec: RunSpec, secret: bytes, texts: Mapping[str, str]):
        self._spec, self._secret, self._texts = spec, secret, texts

    def key_material(self, ask: Ask) -> dict[str, object]:
        """All that can change the reply; the fence token is not part of it."""
        return key_material(ask, self._spec.rubric, self._spec.judges[ask.judge])

    def prompt(self, ask: Ask, place: int, turn: int, previous: str | None) -> tuple[Prompt, str]:
        """The prompt, fenced with this request's own token, and that token."""
        shown = [self._texts[sha] for sha in ask.texts]
        token = token_for(self._secret, place, turn, [*shown, *ask.claims, self._spec.rubric.source_extract])
        return render(ask, self._spec.rubric, self._texts, token, previous), token

    def messages(
        self, ask: Ask, place: int, turn: int, previous: str | None, token: str | None = None
    ) -> tuple[Message, ...]:
        """The messages as they were sent: with the token they were sent with, or the one they would be sent with."""
        if not token:
            return self.prompt(ask, place, turn, previous)[0].messages
        return render(ask, self._spec.rubric, self._texts, token, previous).messages
