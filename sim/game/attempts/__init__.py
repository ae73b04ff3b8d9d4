"""One attempt at a placement: the hand, the poses, what touches, where cars go."""
