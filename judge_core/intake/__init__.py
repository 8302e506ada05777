"""From files to artifacts and rubrics: bytes in, records or named problems out."""

from judge_core.intake.options import ReadOptions
from judge_core.intake.people.masking import mask_names, names_in
from judge_core.intake.people.roster import Roster, RosterRow, attach_roster, read_roster
from judge_core.intake.reading import TableColumns, read_files, read_paste, read_paths, table_columns

__all__ = [
    "ReadOptions",
    "Roster",
    "RosterRow",
    "TableColumns",
    "attach_roster",
    "mask_names",
    "names_in",
    "read_files",
    "read_paste",
    "read_paths",
    "read_roster",
    "table_columns",
]
