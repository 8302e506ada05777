"""Texts by their content hash, and drafts of rankings that are being prepared."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from judge_core.records.errors import StoreError
from judge_core.records.record import text_hash
from judge_core.store import schema
from judge_core.store.database import insert_new, reading, writing
from judge_core.store.journal import now_text

AT_ONCE = 500
"""Hashes in one query: well below every database's limit of parameters."""


class Archive:
    """Content-addressed blobs in the same database as the runs that use them."""

    def __init__(self, engine: Engine):
        self._engine = engine

    def keep_text(self, text: str) -> str:
        """Stores a text and returns its content hash."""
        self.keep({text_hash(text): text.encode("utf-8", "surrogatepass")})
        return text_hash(text)

    def keep_all(self, texts: Mapping[str, str]) -> None:
        """Stores texts under their content hashes."""
        self.keep({sha: text.encode("utf-8", "surrogatepass") for sha, text in texts.items()})

    def keep(self, blobs: dict[str, bytes]) -> None:
        """Stores bytes under their own SHA-256; what is there already stands."""
        with writing(self._engine) as connection:
            insert_new(connection, schema.blobs, [dict(sha256=sha, body=body) for sha, body in blobs.items()])

    def read(self, sha256: str) -> bytes:
        """The bytes of a hash; StoreError when they are not, or no longer, there."""
        with reading(self._engine) as connection:
            body = connection.scalar(sa.select(schema.blobs.c.body).where(schema.blobs.c.sha256 == sha256))
        if body is None:
            raise StoreError(f"The text {sha256[:12]} is not in this data folder; it was erased or never stored here.")
        return bytes(body)

    def text(self, sha256: str) -> str:
        """The text of a hash; StoreError when it is not there."""
        return self.read(sha256).decode("utf-8", "surrogatepass")

    def texts(self, hashes: Iterable[str]) -> dict[str, str]:
        """The texts of many hashes; StoreError naming the first that is missing."""
        wanted = list(dict.fromkeys(hashes))
        found: dict[str, str] = {}
        with reading(self._engine) as connection:
            for start in range(0, len(wanted), AT_ONCE):
                part = schema.blobs.c.sha256.in_(wanted[start : start + AT_ONCE])
                for row in connection.execute(sa.select(schema.blobs).where(part)):
                    found[row.sha256] = bytes(row.body).decode("utf-8", "surrogatepass")
        return {sha: found[sha] if sha in found else self.text(sha) for sha in wanted}

    # drafts

    def new_draft(self, body: str) -> str:
        """Stores a new draft (JSON) and returns its id."""
        draft = uuid.uuid4().hex
        with writing(self._engine) as connection:
            connection.execute(schema.drafts.insert().values(id=draft, updated_at=now_text(), body=body))
        return draft

    def save_draft(self, draft: str, body: str) -> None:
        with writing(self._engine) as connection:
            wanted = schema.drafts.update().where(schema.drafts.c.id == draft)
            connection.execute(wanted.values(updated_at=now_text(), body=body))

    def draft(self, draft: str) -> str | None:
        """A draft's JSON, None where there is none of that id."""
        with reading(self._engine) as connection:
            return connection.scalar(sa.select(schema.drafts.c.body).where(schema.drafts.c.id == draft))

    def drafts(self) -> list[tuple[str, str]]:
        """Ids and last changes, newest first."""
        table = schema.drafts
        with reading(self._engine) as connection:
            rows = connection.execute(sa.select(table.c.id, table.c.updated_at).order_by(table.c.updated_at.desc()))
            return [(row.id, row.updated_at) for row in rows]

    def delete_draft(self, draft: str) -> None:
        with writing(self._engine) as connection:
            connection.execute(schema.drafts.delete().where(schema.drafts.c.id == draft))
