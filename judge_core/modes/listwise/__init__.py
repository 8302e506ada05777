"""Many candidates ranked at once: one list, best first, shown in one order or in two."""
