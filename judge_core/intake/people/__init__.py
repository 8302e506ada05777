"""Whose texts they are: rosters, joined for the export only, and names, masked before a judge sees a text."""
