"""What is kept: runs, events, raw replies and texts, in SQLite or PostgreSQL."""
