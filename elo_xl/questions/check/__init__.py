"""How good ratings are: how well they predict, and what those beside the games are like."""
