"""The mathematics of ranking: pairing, Elo, Bradley-Terry. Pure functions of data."""
