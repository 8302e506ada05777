"""The page "Settings and help": checks of the set-up, prices, and the words that Podium uses."""
