"""What an event, or a period of several, makes of the ratings."""
