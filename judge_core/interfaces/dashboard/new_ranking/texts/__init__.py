"""Step 1: the texts, their list, and the names in and around them."""
