"""*Your turn* by push, by mail and to a program; each is off until the server's settings say so."""
