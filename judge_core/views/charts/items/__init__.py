"""Charts of runs that judge items: scores against the bar, metrics, steps, positions."""
