"""What every mode asks with: fences, forms, prompts, and the dialogue with a panel."""
