"""What a refinement tournament looks like: its state, its tables, its files."""
