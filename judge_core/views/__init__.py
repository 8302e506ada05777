"""What people see of a run: its folded state, the standings, sentences, tables, charts and files. Pure functions of the events."""
