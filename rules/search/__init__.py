"""Players and solvers of the grid games."""
