"""Typed settings: where they come from, what each may be, and the data folder that they name.

A setting is looked for in the environment, then in the secrets handed in (Streamlit's), then in a file `.env` in the
working folder; the first that holds anything counts. Keys are kept as given and checked when a judge needs them, so
that a bad key for one vendor does not stop a run with another.
"""

from __future__ import annotations

import difflib
import os
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from dotenv import dotenv_values
from pydantic import ByteSize, Field, PrivateAttr, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict, SettingsError

from judge_core.providers.hosts import read_allowed_hosts
from judge_core.providers.registry import judge_kinds, judge_spec
from judge_core.providers.wrappers.limits import Quota, read_quotas
from judge_core.records.errors import InputError
from judge_core.records.record import Record

ENV_FILE = ".env"
PREFIX = "PODIUM_"
LARGEST_CONCURRENCY = 256
LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]
REMEDIES = {
    "PODIUM_CONCURRENCY": f"Give a whole number from 1 to {LARGEST_CONCURRENCY}.",
    "PODIUM_LOG_LEVEL": "Give one of DEBUG, INFO, WARNING, ERROR.",
    "PODIUM_CACHE_BYTES": "Give a number of bytes, or a size such as 500MB or 2GB.",
    "JUDGE_CACHE_SIZE": "Give a whole number of entries; 0 keeps none.",
    "PODIUM_ALLOW_COMMANDS": "Give true or false.",
}
"""The variables whose values can be wrong in form, and may be shown. All others may hold secrets."""
KEY_FIELDS = ("judge_api_key", "judge_api_base", "openai_api_key", "groq_api_key", "minimax_api_key")
JUDGE_FIELDS = (*KEY_FIELDS, "ollama_host")
"""What `environ` passes on to the judges."""


class Settings(BaseSettings):
    """All settings. In code they may be given by field name; the variable's name stands beside each.

    Raises InputError, through `load`, naming the variable and the remedy; a value is shown only where it is no secret.
    """

    model_config = SettingsConfigDict(
        frozen=True, extra="ignore", env_prefix=PREFIX, case_sensitive=True, env_file=ENV_FILE,
        env_file_encoding="utf-8-sig", env_ignore_empty=True, populate_by_name=True, hide_input_in_errors=True,
    )  # fmt: skip

    home: Path = Field(default=Path("~/.podium"), validation_alias="PODIUM_HOME", validate_default=True)
    """The folder for everything that is written."""
    database_url: str | None = Field(default=None, validation_alias="PODIUM_DATABASE_URL", repr=False)
    """The database (it may hold a password); None: a SQLite file in the home."""
    allowed_hosts: Annotated[tuple[str, ...] | None, NoDecode] = Field(
        default=None, validation_alias="PODIUM_ALLOWED_HOSTS"
    )
    """Hosts that judges may have, comma-separated; None: no limit."""
    api_token: SecretStr | None = Field(default=None, validation_alias="PODIUM_API_TOKEN")
    """What callers of the REST API must send; None: no token is asked for."""
    dask: str | None = Field(default=None, validation_alias="PODIUM_DASK")
    """Address of a Dask scheduler that runs the prompts."""
    concurrency: int = Field(default=8, ge=1, le=LARGEST_CONCURRENCY, validation_alias="PODIUM_CONCURRENCY")
    """Calls at the same time."""
    log_level: LogLevel = Field(default="INFO", validation_alias="PODIUM_LOG_LEVEL")
    cache_entries: int = Field(default=1_000_000, ge=0, validation_alias="JUDGE_CACHE_SIZE")
    """The most replies that the cache keeps."""
    cache_bytes: ByteSize = Field(default=ByteSize(2_000_000_000), ge=0, validation_alias="PODIUM_CACHE_BYTES")
    """The most bytes that the cache takes."""
    fallback_judges: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), validation_alias="JUDGE_FALLBACK_PROVIDERS"
    )
    """Judges that are asked in this order where the chosen one cannot answer. Without it none is ever replaced."""
    quotas: Annotated[dict[str, Quota], NoDecode] = Field(default={}, validation_alias="PODIUM_QUOTAS")
    """What judges may be asked by the minute and by the day; see `limits.read_quotas`."""
    allow_commands: bool = Field(default=False, validation_alias="PODIUM_ALLOW_COMMANDS")
    """Whether a judge that is a program of this computer may be chosen in the dashboard."""
    judge_api_key: SecretStr | None = Field(default=None, validation_alias="LLM_JUDGE_API_KEY")
    judge_api_base: str | None = Field(default=None, validation_alias="LLM_JUDGE_API_BASE", repr=False)
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    groq_api_key: SecretStr | None = Field(default=None, validation_alias="GROQ_API_KEY")
    minimax_api_key: SecretStr | None = Field(default=None, validation_alias="MINIMAX_API_KEY")
    ollama_host: str | None = Field(default=None, validation_alias="OLLAMA_HOST", repr=False)
    """Where Ollama listens; None: its usual port on this computer."""

    _remarks: tuple[str, ...] = PrivateAttr(default=())

    @field_validator("home")
    @classmethod
    def _whole_path(cls, value: Path) -> Path:
        try:
            return value.expanduser().absolute()
        except RuntimeError:
            raise InputError(
                "PODIUM_HOME is not set and this account has no home folder. Set PODIUM_HOME to a folder.",
                field="PODIUM_HOME",
            ) from None

    @field_validator("allowed_hosts", mode="before")
    @classmethod
    def _hosts(cls, value: object) -> tuple[str, ...] | None:
        return read_allowed_hosts(None if value is None else _one_text(value))

    @field_validator("quotas", mode="before")
    @classmethod
    def _quotas(cls, value: object) -> object:
        return read_quotas(value) if isinstance(value, str) else value

    @field_validator("fallback_judges", mode="before")
    @classmethod
    def _names(cls, value: object) -> object:
        return tuple(dict.fromkeys(re.findall(r"[^,\s]+", value))) if isinstance(value, str) else value

    @field_validator("log_level", mode="before")
    @classmethod
    def _upper(cls, value: object) -> object:
        return value.strip().upper() if isinstance(value, str) else value

    @classmethod
    def load(cls, secrets: Mapping[str, object] | None = None) -> Settings:
        """The settings of this process. `secrets` stand below the environment and above `.env`.

        Raises InputError where a value cannot be used, or `.env` cannot be read.
        """
        given = {name: text for name, text in _secret_texts(secrets or {}).items() if not os.environ.get(name)}
        try:
            names = [*os.environ, *(secrets or {}), *dotenv_values(ENV_FILE, encoding="utf-8-sig")]
            settings = cls(**given)  # type: ignore[arg-type]
        except ValidationError as error:
            raise _refusal(error) from None
        except (OSError, UnicodeDecodeError, SettingsError):
            raise InputError(f"The file {ENV_FILE} cannot be read. Save it as UTF-8 text.", field=ENV_FILE) from None
        known, unknown = _known_judges(settings)
        settings = settings.model_copy(update={"fallback_judges": known})
        settings._remarks = (*_remarks(names), *unknown, *_idle_quotas(settings.quotas))
        return settings

    @property
    def remarks(self) -> tuple[str, ...]:
        """A sentence for each variable that looks misspelt or has no effect, and each judge in one that nobody knows."""
        return self._remarks

    def environ(self) -> dict[str, str]:
        """The judges' keys and addresses that are set, by variable, for the registry. Never log it."""
        found: dict[str, str] = {}
        for field in JUDGE_FIELDS:
            value = getattr(self, field)
            text = value.get_secret_value() if isinstance(value, SecretStr) else value
            if text and text.strip():
                found[_variable(field)] = text.strip()
        return found


def _variable(field: str) -> str:
    return str(Settings.model_fields[field].validation_alias)


VARIABLES = tuple(_variable(field) for field in Settings.model_fields)
"""Every variable that is read."""


def _secret_texts(secrets: Mapping[str, object]) -> dict[str, str]:
    """Our variables among the secrets, as the environment would give them."""
    found = {name: secrets[name] for name in VARIABLES if name in secrets}
    for name, value in found.items():
        if isinstance(value, Mapping):
            raise InputError(
                f"{name} is a section of the secrets. Give it a plain value above all sections.", field=name
            )
    texts = {name: _one_text(value) for name, value in found.items() if value is not None}
    return {name: text for name, text in texts.items() if text}


def _one_text(value: object) -> str:
    """A value as the environment would hold it: a list becomes comma-separated."""
    listed = isinstance(value, Sequence) and not isinstance(value, str)
    return ",".join(map(str, value)) if listed and isinstance(value, Sequence) else str(value)


def _refusal(error: ValidationError) -> InputError:
    """One error that names each variable; the value stands in it only where it cannot be a secret."""
    lines = []
    for fault in error.errors(include_url=False, include_context=False):
        name = str(fault["loc"][0])
        name = _variable(name) if name in Settings.model_fields else name
        shown = f" is {str(fault['input'])[:40]!r}, which cannot be used." if name in REMEDIES else " cannot be used."
        lines.append(f"{name}{shown} {REMEDIES.get(name, 'Set it to plain text, or leave it unset.')}")
    return InputError("\n".join(lines), field=lines[0].split()[0])


WITHOUT_EFFECT = {
    "PODIUM_DASK": "judges are asked from this process",
    "PODIUM_API_TOKEN": "the API only says whether the server is up, which needs no token",
}
"""Settings that are known and that this version does nothing with."""


def _remarks(names: Iterable[str]) -> Iterable[str]:
    names = set(names)
    yield from (f"{name} is set but has no effect: {why}." for name, why in WITHOUT_EFFECT.items() if name in names)
    ours = {name.removeprefix(PREFIX): name for name in VARIABLES if name.startswith(PREFIX)}
    for name in sorted({name for name in names if name.startswith(PREFIX) and name not in VARIABLES}):
        near = difflib.get_close_matches(name.removeprefix(PREFIX), ours, n=1, cutoff=0.75)
        if near:
            yield f"{name} is not a setting. Did you mean {ours[near[0]]}?"


def _known_judges(settings: Settings) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The judges that may stand in, and a remark for each name that is no judge."""
    known, remarks = [], []
    for name in settings.fallback_judges:
        try:
            judge_spec(name, api_base=settings.judge_api_base, ollama_host=settings.ollama_host)
            known.append(name)
        except InputError as error:
            remarks.append(f"JUDGE_FALLBACK_PROVIDERS: {error} It will not stand in for another.")
    return tuple(known), tuple(remarks)


def _idle_quotas(keys: Iterable[str]) -> Iterable[str]:
    """A remark for each quota under a plain word that is the short name of no kind of judge."""
    plain = [key for key in keys if re.fullmatch(r"[\w-]+", key) and key != "localhost"]
    kinds = {kind.name.lower() for kind in judge_kinds()} if plain else set()
    for key in plain:
        if key not in kinds:
            near = difflib.get_close_matches(key, kinds, n=1)
            yield f"PODIUM_QUOTAS: {key!r} is the short name of no judge." + (
                f" Did you mean {near[0]}?" if near else ""
            )


class Home(Record):
    """The data folder: what stands where in it."""

    root: Path
    database: Path
    """The SQLite file, where no database URL is set."""
    cache: Path
    """Folder of the reply cache."""
    prices: Path
    """The user's own price table; it need not exist."""


def prepare_home(settings: Settings) -> Home:
    """Creates the data folder, open to this account alone (0700); one that is there keeps its mode.

    Raises InputError with the remedy where it cannot be created or written.
    """
    root = settings.home
    try:
        root.parent.mkdir(parents=True, exist_ok=True)
        for folder in (root, root / "cache"):
            folder.mkdir(mode=0o700, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or "not a path"
        raise InputError(
            f"The data folder {str(root)!r} cannot be written ({cause}). Set PODIUM_HOME to a folder that this account may write.",
            field="PODIUM_HOME",
        ) from None
    return Home(root=root, database=root / "podium.db", cache=root / "cache", prices=root / "prices.json")
