"""The camera, the pillars and the roads that explain the marks of a photo best, and how well they
are known.
"""
