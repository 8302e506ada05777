"""The page "New ranking": its steps, and the draft that they write to."""
