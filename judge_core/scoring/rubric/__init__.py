"""Rubrics: reading, writing, presets."""
