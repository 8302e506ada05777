"""The tables, and how an older database is brought up to date.

SQLite by default, any other database that SQLAlchemy Core speaks to by URL. The first schema is migration 1; a later
change is appended to `MIGRATIONS`, never edited in.
"""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from judge_core.records.errors import StoreError

metadata = sa.MetaData()

versions = sa.Table("schema_versions", metadata, sa.Column("version", sa.Integer, primary_key=True))

runs = sa.Table(
    "runs",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("identity", sa.String(64), nullable=False, index=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("created_at", sa.String(32), nullable=False),
    sa.Column("spec", sa.Text, nullable=False),
    sa.Column("secret", sa.LargeBinary, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("lease_owner", sa.Text),
    sa.Column("lease_epoch", sa.Integer, nullable=False, default=0),
    sa.Column("lease_until", sa.Float, nullable=False, default=0.0),
)

events = sa.Table(
    "events",
    metadata,
    sa.Column("run", sa.String(32), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("at", sa.String(32), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)

completions = sa.Table(
    "completions",
    metadata,
    sa.Column("run", sa.String(32), primary_key=True),
    sa.Column("place", sa.Integer, primary_key=True),
    sa.Column("turn", sa.Integer, primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("reply_sha256", sa.String(64), nullable=False),
)

inbox = sa.Table(
    "inbox",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("run", sa.String(32), nullable=False, index=True),
    sa.Column("body", sa.Text, nullable=False),
)

blobs = sa.Table(
    "blobs",
    metadata,
    sa.Column("sha256", sa.String(64), primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
)

drafts = sa.Table(
    "drafts",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("updated_at", sa.String(32), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)


quota_usage = sa.Table(
    "quota_usage",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("began", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("requests", sa.Integer, nullable=False),
    sa.Column("tokens", sa.BigInteger, nullable=False),
)
"""What judges with a quota were asked: `began` is a second of Unix time, and a whole minute once that is past."""


imported_runs = sa.Table("imported_runs", metadata, sa.Column("run", sa.String(32), primary_key=True))
"""Runs that came out of a file: what they say of their judges was written by somebody else."""


def _first_schema(connection: Connection) -> None:
    metadata.create_all(connection)


def _quota_usage(connection: Connection) -> None:
    quota_usage.create(connection, checkfirst=True)


def _imported_runs(connection: Connection) -> None:
    imported_runs.create(connection, checkfirst=True)


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_first_schema, _quota_usage, _imported_runs)


def migrate(engine: Engine) -> None:
    """Brings the database to the newest version; a database of a newer Podium is refused, not touched."""
    with engine.begin() as connection:
        versions.create(connection, checkfirst=True)
        at = connection.scalar(sa.select(sa.func.max(versions.c.version))) or 0
        if at > len(MIGRATIONS):
            raise StoreError(
                f"The database was written by a newer Podium (schema {at}, this one knows {len(MIGRATIONS)}): update Podium."
            )
        for number, step in enumerate(MIGRATIONS[at:], start=at + 1):
            step(connection)
            connection.execute(versions.insert().values(version=number))
