"""Bodies at rest and in motion: engines behind one seam, contacts, statics. Knows no rule of the game."""
