"""Playing at a terminal: the session keeps the game and its record, a display shows it, the
dialogue talks with the persons.
"""
