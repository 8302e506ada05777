"""The ways of judging: each with its prompt, its reading of the reply and its flow. No I/O."""
