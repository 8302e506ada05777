"""The server: the dashboard, and the REST API beside it under /api/v1. Start it with `streamlit run app.py`."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import judge_core  # noqa: F401  # before pandas: it says how numpy is to be loaded

# isort: split
# Before any page: two sessions that import these at the same moment can meet half-made modules.
import pandas  # noqa: F401
import plotly.graph_objects  # noqa: F401
import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Mount

from judge_core.interfaces.api import api
from judge_core.interfaces.dashboard.session import close_workbenches
from judge_core.interfaces.guard import ContentSecurityPolicy


@contextlib.asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """Closes runs in order when the server is told to stop: a signal may end the process before any exit handler runs."""
    yield
    await asyncio.to_thread(close_workbenches)


app = st.App(
    "pages/main.py",
    lifespan=lifespan,
    routes=[Mount("/api/v1", app=api)],
    middleware=[Middleware(ContentSecurityPolicy)],
)
