"""Events: their players and games, the files that hold them, and their rating."""
