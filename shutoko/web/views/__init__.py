"""What a position looks like: a board of cells, or pieces on a table."""
