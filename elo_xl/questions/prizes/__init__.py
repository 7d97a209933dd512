"""Who wins which prize, and what of it."""
