"""The pages of running games."""
