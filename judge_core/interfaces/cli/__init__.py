"""The command line: `python -m judge_core`, also installed as `podium`. Each verb loads only what it needs."""
