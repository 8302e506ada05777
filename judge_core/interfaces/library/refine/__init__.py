"""The library's refinement tournaments: what can be chosen, what comes of one, and its folder on the disk."""
