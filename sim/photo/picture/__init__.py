"""What the pixels of a photo say of the taps on it: where the ends of sticks are seen, and which
taps sit on none.
"""
