"""Charts of a refinement tournament: the way of its incumbent, and how each pass was decided."""
