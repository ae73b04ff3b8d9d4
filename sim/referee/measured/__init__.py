"""Games noted by hand with a ruler: what the errors of the ruler may explain."""
