"""Replies read for people: one bare reply, and what a judge said about an item."""
