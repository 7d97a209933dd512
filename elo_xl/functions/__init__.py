"""The catalogue of worksheet functions, and the boundary between cell values and the engine."""
