"""Monte-Carlo tree search for the grid games, in compiled code, written once over `rules.grid.kernels.dispatch`.

UCT (Kocsis and Szepesvari 2006) with what `Settings` switches on: RAVE (Gelly and Silver 2011), a game's own guess at each move
as virtual games in the RAVE counts or as a progressive bias (Chaslot et al. 2008), first-play urgency, rollouts cut short by
the game's evaluation, and proven results (Winands et al. 2008), which end the search of a position as soon as they settle it.

Nothing here knows a game, and the players handle pie rules.
"""

from rules.grid.search.mcts.search import Mcts, RootMove
from rules.grid.search.mcts.tree import Settings

__all__ = ["Mcts", "RootMove", "Settings"]
