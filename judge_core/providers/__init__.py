"""Judges behind one protocol, `complete(prompt)`: embedded and over the wire."""
