"""Games noted by hand with a ruler: what its errors may explain."""
