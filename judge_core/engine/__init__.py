"""Runs a mode's dialogues against judges: pool, cache, budget, replay."""
