"""Commands for research: over many games (`rate`, `table`, `plot`, `learn`), all moves (`perft`),
for match runners (`gtp`).
"""
