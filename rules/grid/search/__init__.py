"""Search for the grid games: players, and what they share, in compiled code over
`rules.grid.kernels`.
"""
