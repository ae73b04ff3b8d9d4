"""The positions of Tokyo Highway with known best moves, in tests/data/positions.json: from games of
players, and composed. Tests and `benchmarks/strength.py positions` share them.

What is right was proved by the referee, on geometry, among 240 bearings and 5 distances around
every base point, for every height (`sim.problems.every`):

    win       a move that places the last car; few of the legal places do
    exit      the same, and only exits do
    most      a build that earns as many cars as any can, two or more; few places do. An exit that
              earns as much is no position: whether to keep the base point instead cannot be proved
    deny      the next player could win by force of one move; after a right move no place is left
              that does

A position is a game with a number of plies, or a layout as in a record's `start`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sim.game.ply import play
from sim.problems import threat
from sim.referee.placement import Placement
from sim.referee.table import Table

FILE = Path(__file__).resolve().parents[1] / "tests" / "data" / "positions.json"
KINDS = ("win", "exit", "most", "deny")


def positions() -> list[dict[str, Any]]:
    """The positions of the file, each with the plies before it."""
    whole = json.loads(FILE.read_text(encoding="utf-8"))
    games = whole["games"]
    return [
        one | ({"plies": games[one["game"]][: one["ply"]]} if "game" in one else {})
        for one in whole["positions"]
    ]


def begun(position: Mapping[str, Any]) -> Table:
    """The table of a position."""
    if "start" in position:
        return Table.from_layout(position["start"])
    table = Table.start(2)
    for text in position["plies"]:
        _, table = play(table, Placement.parse(text), "none")
    return table


def is_right(position: Mapping[str, Any], table: Table, move: Placement) -> bool:
    """Whether a move does what the position asks for, by the referee's verdict."""
    verdict, after = play(table, move, "none")
    if not verdict.legal:
        return False
    outcome, kind = after.outcome(), position["kind"]
    if kind in ("win", "exit"):
        return outcome is not None and outcome.winners == (table.to_move,)
    if kind == "deny":
        return outcome is None and threat(after, after.to_move) is None
    return verdict.earned >= int(position["cars"])
