"""The words of the project: games, players, turns, records and errors; no physics and no drawing.

    state = rules.game("meridians", size=7).start().after("d4")
    print(state)
    for step in rules.replay("game.jsonl"):
        print(step)

`rules.game(name, **options)` makes a game that is installed. `rules.record.read(path)` and
`rules.record.loads(data)` read one that was played; `rules.replay(path)` plays it again by the
rules of its game. A game that needs more than its rules brings a judge of its own: `help(sim)`
shows one that counts what a record holds. Every error that any part of the project raises is in
`rules.errors`.
"""

from rules import errors, record
from rules.game import Game, Outcome, State, game, known_games
from rules.record.replay import replay

__all__ = [
    "Game",
    "Outcome",
    "State",
    "__project__",
    "errors",
    "game",
    "known_games",
    "record",
    "replay",
]

__project__ = "shutoko"
"""Tells this package from an unrelated one of the same name; `sim` looks for it before anything
else.
"""
