"""The server: the dashboard, and the REST API beside it under /api/v1. Start it with `streamlit run app.py`."""

from __future__ import annotations

# Before any page: two sessions that import these at the same moment can meet half-made modules.
import pandas  # noqa: F401
import plotly.graph_objects  # noqa: F401
import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Mount

from judge_core.interfaces.api import api
from judge_core.interfaces.guard import ContentSecurityPolicy

app = st.App("pages/main.py", routes=[Mount("/api/v1", app=api)], middleware=[Middleware(ContentSecurityPolicy)])
