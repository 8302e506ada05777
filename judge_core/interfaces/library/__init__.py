"""The library door: `Judge` and what it gives back, the options of a ranking, a run as files and as a zip."""
