"""Whether ratings drift, spread or lag."""
