"""Search for the grid games: players, exact solvers, and what they share, in compiled code over
`rules.grid.kernels`.
"""
