"""A run that judges items one by one: its fold, the panel's verdicts, tables, files and sentence."""

from judge_core.views.items.state import ItemState as ItemState
from judge_core.views.items.state import ItemView as ItemView
from judge_core.views.items.state import fold_items as fold_items
