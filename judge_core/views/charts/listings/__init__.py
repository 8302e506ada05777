"""What was judged without pairs: ranked lists, and texts scored by themselves."""
