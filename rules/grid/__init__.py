"""The games on boards of cells, Thruway and Meridians: rules, notation, compiled kernels and players."""
