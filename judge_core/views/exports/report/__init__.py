"""The whole run on plain pages, for a colleague to read: plain text, so nothing in it can act."""

from judge_core.views.exports.report.lines import report_names as report_names
from judge_core.views.exports.report.page import report_text as report_text
