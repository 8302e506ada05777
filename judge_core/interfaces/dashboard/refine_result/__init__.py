"""The result of a refinement tournament: how it stands, the text, every pass, what changed."""
