"""What an event is, its players, the files it comes in and goes out as, and its rating."""
