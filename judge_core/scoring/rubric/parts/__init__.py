"""The parts of reading a rubric: its faults, its fields and its weights."""
