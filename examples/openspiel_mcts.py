"""OpenSpiel's tree search, as it is, plays Meridians against itself: python
examples/openspiel_mcts.py [--size 5].
"""

from __future__ import annotations

import argparse

import numpy as np
from open_spiel.python.algorithms import mcts

from shutoko.envs import openspiel


def main() -> None:
    """Plays one game and prints the last position."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=4)
    parser.add_argument("--simulations", type=int, default=50)
    args = parser.parse_args()
    game = openspiel.load("meridians", size=args.size)
    chance = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    bots = [
        mcts.MCTSBot(game, 1.4, args.simulations, evaluator, random_state=chance) for _ in range(2)
    ]
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    print(state)
    print(f"player {int(np.argmax(state.returns()))} wins after {len(state.history())} actions")


if __name__ == "__main__":
    main()
