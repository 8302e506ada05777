"""A judgment, opened: the exact prompts and raw replies behind it, and what was read out of them."""
