"""Pictures and films of a table, made without a screen and without a GPU."""
