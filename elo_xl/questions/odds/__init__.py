"""Who will finish where."""
