"""What the commands share: how they read their options and files, and how they print."""
