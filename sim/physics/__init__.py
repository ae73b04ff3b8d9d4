"""Bodies at rest and in motion: engines behind one interface, contacts, statics. Knows no rule of
the game.
"""
