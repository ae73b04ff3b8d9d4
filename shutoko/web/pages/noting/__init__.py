"""The page on which people note a game that they play at a real table."""
