"""Finding the pieces of a table in a photo without a tap."""
