"""Opens the database: what is set on each connection, and what is said when it cannot be opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection, Engine

from judge_core.records.errors import StoreError
from judge_core.store.schema import migrate


def open_database(url: str | sa.URL) -> Engine:
    """An engine with the newest schema; StoreError with the remedy where that cannot be had.

    SQLite runs in WAL mode with synchronous=FULL, so that what was committed survives a power cut, and with
    secure_delete, so that an erased text leaves no bytes behind in free pages.
    """
    address = sa.make_url(url)
    remote = address.get_backend_name() != "sqlite"
    engine = sa.create_engine(address, pool_pre_ping=remote, hide_parameters=True)  # an error must not quote a text
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _sqlite_settings)
    try:
        migrate(engine)
    except (sa.exc.DBAPIError, OSError) as error:
        engine.dispose()
        raise StoreError(f"The database {engine.url.render_as_string()} cannot be opened: {_cause(error)}") from error
    except StoreError:
        engine.dispose()
        raise
    return engine


def sqlite_url(path: Path) -> sa.URL:
    """The address of a SQLite file, whatever characters its path holds."""
    return sa.URL.create("sqlite", database=str(path))


def insert_new(connection: Connection, table: sa.Table, rows: Sequence[dict[str, Any]]) -> None:
    """Inserts rows whose primary key is new; those already there stand as they are."""
    if not rows:
        return
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    connection.execute(dialect.insert(table).on_conflict_do_nothing(), list(rows))


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """One transaction; what the database refuses becomes a StoreError in words."""
    with _in_words(), engine.begin() as connection:
        yield connection


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A connection for reading; what the database refuses becomes a StoreError in words."""
    with _in_words(), engine.connect() as connection:
        yield connection


@contextmanager
def _in_words() -> Iterator[None]:
    try:
        yield
    except sa.exc.DBAPIError as error:
        raise StoreError(
            f"The database refused: {_cause(error)}. Check that its disk has room and that nothing else holds it, then resume."
        ) from error


def _sqlite_settings(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=30000", "secure_delete=ON", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _cause(error: Exception) -> str:
    return str(getattr(error, "orig", error))
