"""Can you trust this? The checks of a run of items, and what stands behind them."""
