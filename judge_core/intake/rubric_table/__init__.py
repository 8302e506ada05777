"""Importing a rubric from a table of a Word file, a workbook or a delimited file, by pointing at its columns."""

from judge_core.intake.rubric_table.table import ColumnChoice as ColumnChoice
from judge_core.intake.rubric_table.table import RubricTable as RubricTable
from judge_core.intake.rubric_table.table import guess_columns as guess_columns
from judge_core.intake.rubric_table.table import rubric_from_table as rubric_from_table
from judge_core.intake.rubric_table.table import rubric_tables as rubric_tables
