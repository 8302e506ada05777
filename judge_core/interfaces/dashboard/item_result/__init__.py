"""The result of a run that judges items one by one: reviews, gates, lists, answers with passages, agent runs."""
