"""The verbs' ground: arguments, sources, output, a run before the eyes of its starter."""
