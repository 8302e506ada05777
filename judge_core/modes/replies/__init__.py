"""The parts of a judge's raw reply and how each is read: message objects, rows of scores, plain prose."""
