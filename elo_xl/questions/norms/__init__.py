"""Who made a norm for a title, and what is missing."""
