"""Functions of a run's events: state, tables, charts, sentences, files."""
