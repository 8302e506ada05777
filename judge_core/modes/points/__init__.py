"""One text scored: the reading, and review and gate on it."""
