"""The page to improve a text: the text, task and criteria, roles and judges, price and data."""
