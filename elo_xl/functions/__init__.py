"""What a cell can call: the catalogue of worksheet functions and the boundary of cell values."""
