"""Trajectories of agents: what happened, the ways of going astray in it, and the figures of its steps."""
