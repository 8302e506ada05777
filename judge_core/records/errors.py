"""What can go wrong, drawn as one tree and split by what the reader can do about it.

PodiumError
├── InputError            fix the input: the message names the value, what is allowed and the remedy
├── ReplyError            ask the judge again: its reply could not be read
├── CallError             the call to the judge did not bring an answer
│   ├── TransientCallError    the same call may work later (rate limit, time-out, broken connection)
│   ├── RefusedCallError      this one call will fail again (text too long, content filter)
│   └── JudgeUnusableError    every call to this judge will fail (key, balance, model, host): stop the run
└── StoreError            the data folder or the database cannot be used
    ├── LeaseLostError        another process has taken this run over
    └── ReplayMismatchError   the recorded run was made by another version: it opens, but cannot go on
"""

from __future__ import annotations

from typing import Literal

FailureKind = Literal["transient", "refused", "unusable", "failed"]


class PodiumError(Exception):
    """Base of all errors that Podium raises on purpose; its text is fit to be shown to a user."""


class InputError(PodiumError):
    """What a person gave cannot be used as it stands."""

    def __init__(self, message: str, *, field: str | None = None):
        super().__init__(message)
        self.field = field
        """The field, file or criterion that the message is about, where there is one."""


class ReplyError(PodiumError):
    """A judge's reply that cannot be read. `code` is a short fixed name, the text is for people."""

    def __init__(self, code: str, message: str):
        super().__init__(message)
        self.code = code


class CallError(PodiumError):
    """A call to a judge that brought no answer. `status` is the HTTP status, where there was one."""

    kind: FailureKind = "failed"
    calls = 1
    """HTTP requests that the call took, retries included."""
    uncertain = False
    """Whether the judge may have done, and charged for, the work: a time-out, an answer broken on the way."""

    def __init__(self, message: str, *, status: int | None = None):
        super().__init__(message)
        self.status = status


class TransientCallError(CallError):
    """The same call may work later; `retry_after` is the wait in seconds that the judge asked for."""

    kind: FailureKind = "transient"

    def __init__(self, message: str, *, status: int | None = None, retry_after: float | None = None):
        super().__init__(message, status=status)
        self.retry_after = retry_after


class RefusedCallError(CallError):
    """The judge refuses this very prompt; another prompt may do."""

    kind: FailureKind = "refused"


class JudgeUnusableError(CallError):
    """No call to this judge can work until a person mends something (key, balance, model, host)."""

    kind: FailureKind = "unusable"


class StoreError(PodiumError):
    """The data folder or the database cannot be read or written."""


class LeaseLostError(StoreError):
    """Another process writes this run now; this one must ask nothing more."""


class ReplayMismatchError(StoreError):
    """The recorded events differ from what this version makes of them."""
