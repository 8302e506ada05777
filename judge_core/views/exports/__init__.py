"""Files and machine records of a run: ranked table, judgments, workbook, strict JSON."""

from judge_core.views.exports.judgments import judgments_csv as judgments_csv
from judge_core.views.exports.judgments import reasons_of as reasons_of
from judge_core.views.exports.machine import event_record as event_record
from judge_core.views.exports.machine import run_record as run_record
from judge_core.views.exports.machine import strict_json as strict_json
from judge_core.views.exports.ranked import ranked_csv as ranked_csv
from judge_core.views.exports.ranked import ranked_table as ranked_table
from judge_core.views.exports.ranked import standing_records as standing_records
from judge_core.views.exports.report import report_names as report_names
from judge_core.views.exports.report import report_text as report_text
from judge_core.views.exports.workbook import ranked_xlsx as ranked_xlsx
