"""Questions asked of events, clubs and histories of games: a folder a question."""
