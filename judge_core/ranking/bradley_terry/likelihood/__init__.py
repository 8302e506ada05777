"""The verdicts as arrays, and what each kind of them tells of strengths and effects."""
