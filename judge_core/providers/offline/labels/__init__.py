"""Replies that label: the claims and passages of a retrieval answer, the steps of an agent."""
