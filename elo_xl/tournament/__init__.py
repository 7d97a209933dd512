"""An event: its players and games, the files it comes in, and its rating."""
