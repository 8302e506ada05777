"""Podium's engine: ranks texts with LLM judges and shows why."""

__version__ = "0.1.0"
