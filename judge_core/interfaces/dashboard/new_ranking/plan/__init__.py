"""The question "How much should be compared?": presets, methods, and what fits the method."""
