"""What is judged next: one schedule for each method, none of which remembers anything."""
