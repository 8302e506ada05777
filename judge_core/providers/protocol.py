"""What every judge can do, what it may use to do so, and how a call's number of HTTP requests is remembered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pydantic import ConfigDict, Field, SecretStr, field_validator

from judge_core.records.errors import InputError, TransientCallError
from judge_core.records.prompt import Completion, Prompt
from judge_core.records.record import Record

QUOTES = "\"'`“”‘’"


class Provider(Protocol):
    """A judge that can be asked. It belongs to the event loop that asks it first."""

    async def complete(self, prompt: Prompt) -> Completion:
        """The judge's raw reply. Raises a `CallError`: transient, refused, unusable, or plain where no answer came."""
        ...

    async def aclose(self) -> None:
        """Closes the connections; calls still in flight fail."""
        ...


class Health(Record):
    """What a look at a judge found, without a call that costs."""

    ok: bool | None
    """None: it cannot be told without a call."""
    message: str
    """A sentence for people, with the remedy where something is wrong."""


class Access(Record):
    """What a provider may use: the key, the hosts it may reach, and how many calls will be in flight."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    key: SecretStr | None = None
    """None, or empty: no Authorization header. A SecretStr shows only stars in repr, JSON and logs."""
    allowed_hosts: tuple[str, ...] | None = None
    """None: any host. See `hosts.check_host`."""
    concurrency: int = Field(default=8, ge=1)
    """Calls expected in flight. More are possible at any time; connections are added for them."""
    may_repeat: Callable[[], bool] | None = Field(default=None, exclude=True, repr=False)
    """Asked before a failed request is sent again; False where a cap on calls is used up. None: always."""
    commands_allowed: bool = True
    """Whether programs of this computer may be started as judges. A server for several people says no."""

    @field_validator("key")
    @classmethod
    def _clean(cls, key: SecretStr | None) -> SecretStr | None:
        return None if key is None else clean_key(key.get_secret_value())


class UncertainCallError(TransientCallError):
    """Worth another try, but the judge may have done (and charged for) the work: a time-out, a broken answer."""

    uncertain = True


def clean_key(raw: str, name: str = "the key") -> SecretStr | None:
    """The key without what copying adds (blanks, line ends, quotes, 'Bearer '); None when nothing is left.

    Raises InputError, which never shows the key, where a character is left that no key holds.

    >>> clean_key(' "sk-1"\\n').get_secret_value()
    'sk-1'
    >>> clean_key("") is None
    True
    """
    key = raw.strip().strip(QUOTES).strip().removeprefix("Bearer ").strip()
    if not key:
        return None
    if all("!" <= letter <= "~" for letter in key):
        return SecretStr(key)
    odd = "a blank or line break" if any(letter.isspace() for letter in key) else "a letter that no key holds"
    raise InputError(f"There is {odd} inside {name}. Copy the key again, without anything around it.", field=name)
