"""Agent trajectories: goal, steps and tool calls are labelled, figures are computed from the labels."""
