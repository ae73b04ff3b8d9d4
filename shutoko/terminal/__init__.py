"""Playing at a terminal: the game and its record, what is shown of it, and the conversation with whoever sits there."""
