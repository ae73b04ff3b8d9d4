"""Where the referee and physics meet: laying pieces, the hand, one ply, replay, risk, and the game itself."""
