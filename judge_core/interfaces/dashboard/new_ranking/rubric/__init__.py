"""Step 2: the rubric, where it comes from, and how it is edited."""
