"""The verbs of refinement tournaments: `refine`, and what a person can do while one goes on."""
