"""Commands for research: over many games (`rate`, `table`, `plot`), over all moves (`perft`), and for match runners (`gtp`)."""
