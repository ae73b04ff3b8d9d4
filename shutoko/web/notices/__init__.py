"""*Your turn* by push; off until the server's settings say so."""
