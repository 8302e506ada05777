"""Brackets of rounds of pairs: the Swiss one, and the tree of a knock-out."""
