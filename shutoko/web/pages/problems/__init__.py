"""The pages of problems: the list, and one to solve each."""
