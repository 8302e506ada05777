"""The page "Other jobs": one or two texts, reviews, gates, short lists, answers with sources, agent runs."""
