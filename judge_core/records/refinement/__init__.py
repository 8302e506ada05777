"""The nouns and events of refinement tournaments."""
