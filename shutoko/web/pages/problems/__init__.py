"""The pages on which one position is solved, or tried by hand."""
