"""Two texts compared: the reading, the match in one or both orders, cautions, reasons."""
