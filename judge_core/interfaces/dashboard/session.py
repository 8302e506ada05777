"""The process's one workbench, and what a browser session remembers.

Runs belong to the process, not to a tab. Streamlit re-imports modules that change and lets users clear its caches; so
the workbenches are parked in a private module that neither of the two touches.
"""

from __future__ import annotations

import atexit
import sys
import threading
import types
from collections.abc import Mapping
from typing import Any, cast

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench

_PARKING = "_podium_workbenches"


def workbench() -> Workbench:
    """The workbench of this process's data folder, opened at the first call."""
    settings = Settings.load(_secrets())
    park = _park()
    with park.lock:
        key = (str(settings.home), settings.database_url or "")
        if key not in park.benches:
            park.benches[key] = Workbench(settings, commands_allowed=settings.allow_commands)
        return cast(Workbench, park.benches[key])


def close_workbenches() -> None:
    """Pauses all runs and closes all files; the next call of `workbench` opens them again."""
    park = _park()
    with park.lock:
        for bench in park.benches.values():
            bench.close()
        park.benches.clear()


def _park() -> Any:
    fresh: Any = types.ModuleType(_PARKING)
    fresh.benches, fresh.lock = {}, threading.Lock()
    park: Any = sys.modules.setdefault(_PARKING, fresh)
    if park is fresh:
        atexit.register(close_workbenches)
    return park


def _secrets() -> Mapping[str, str]:
    """The text secrets of `.streamlit/secrets.toml`; none where there is no such file."""
    try:
        return {name: value for name, value in st.secrets.to_dict().items() if isinstance(value, str)}
    except StreamlitSecretNotFoundError:
        return {}
