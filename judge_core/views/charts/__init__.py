"""Charts as pure functions of a run: a figure or its options, each with an `alt` in words and a table twin in `views.tables`.

Keys are given by the page, so that two equal runs can stand side by side. The charts of `trust`
are imported from their own modules: what they draw loads packages that most pages do without.
"""

from judge_core.views.charts.brackets.bracket import bracket_alt as bracket_alt
from judge_core.views.charts.brackets.bracket import bracket_figure as bracket_figure
from judge_core.views.charts.brackets.knockout import knockout_alt as knockout_alt
from judge_core.views.charts.brackets.knockout import knockout_columns as knockout_columns
from judge_core.views.charts.brackets.knockout import knockout_figure as knockout_figure
from judge_core.views.charts.elo import elo_alt as elo_alt
from judge_core.views.charts.elo import elo_options as elo_options
from judge_core.views.charts.ledger import ledger_alt as ledger_alt
from judge_core.views.charts.ledger import ledger_figure as ledger_figure
from judge_core.views.charts.listings.lists import lists_alt as lists_alt
from judge_core.views.charts.listings.lists import lists_figure as lists_figure
from judge_core.views.charts.listings.scores import scores_alt as scores_alt
from judge_core.views.charts.listings.scores import scores_figure as scores_figure
from judge_core.views.charts.results import ratings_alt as ratings_alt
from judge_core.views.charts.results import ratings_figure as ratings_figure
from judge_core.views.charts.results import win_matrix_alt as win_matrix_alt
from judge_core.views.charts.results import win_matrix_figure as win_matrix_figure
from judge_core.views.charts.style import Theme as Theme
