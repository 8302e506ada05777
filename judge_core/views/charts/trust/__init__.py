"""Charts of how far a ranking can be trusted: reliability by round, the probability of each rank, the favour for a place."""
