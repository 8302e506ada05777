"""How it went, one part at a time: brackets, lists, scores, Elo, who beat whom, and what became of every judgment."""

from judge_core.interfaces.dashboard.result.sections.course.section import live_parts as live_parts
from judge_core.interfaces.dashboard.result.sections.course.section import show_course as show_course
