"""From a plan to what a run compares, and what can be said of that before it is paid for."""
