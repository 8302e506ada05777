"""From files to items that are judged one by one: retrieval answers and agent runs, read row by row."""
