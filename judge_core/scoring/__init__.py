"""Weighing, voting and warnings: from scores to winners. Pure functions of data."""
