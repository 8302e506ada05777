"""Refinement tournaments: a text is challenged pass by pass until judges keep the one that stands."""
