"""What a position looks like on a page, and its words: a board of cells, or pieces on a table."""
