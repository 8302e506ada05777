"""What was judged at a place, opened in a drawer: a match, a list, or a text scored by itself."""

from judge_core.interfaces.dashboard.result.drawer.frame import show_drawer as show_drawer
from judge_core.interfaces.dashboard.result.drawer.match import show_match as show_match
