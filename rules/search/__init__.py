"""Players and solvers for the grid games."""
