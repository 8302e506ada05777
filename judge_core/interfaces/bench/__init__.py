"""What the workbench is made of: judges, prompts, items, folded states."""
