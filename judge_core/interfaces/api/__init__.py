"""The REST API, served by the dashboard's process under /api/v1."""

from __future__ import annotations

from fastapi import FastAPI

from judge_core import __version__

api = FastAPI(title="Podium", version=__version__, docs_url=None, redoc_url=None)


@api.get("/health")
def health() -> dict[str, str]:
    """Whether the server answers, and which version it is."""
    return {"status": "ok", "version": __version__}
