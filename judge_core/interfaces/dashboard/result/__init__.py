"""The result page in parts: which run is shown, its header and controls, the live view, the sections, the match drawer."""
