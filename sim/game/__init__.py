"""The referee and physics together: laying pieces, the hand, one ply, replay, risk, and the game
itself.
"""
