"""Positions of Tokyo Highway with known best moves: how many does a player get right?

    python benchmarks/positions.py ["planner:seconds=3,clock=cpu"] [--seed 1]
    python benchmarks/positions.py --make tests/data/positions.json

Positions are taken from games of other players and composed. What is right was proved by the
referee, on geometry, among 240 bearings and 5 distances around every base point, for every height
(`sim.problems.tables.every`):

    win       a move that places the last car; few of the legal places do
    exit      the same, and only exits do
    most      a build that earns as many cars as any can, two or more; few places do. An exit that
              earns as much is no position:
              whether to keep the base point instead cannot be proved
    junction  the same, and only junctions do
    deny      the next player could win by force of one move; after a right move no place is left
              that does

A position is a game with a number of plies, or a layout as in a record's `start`. `--make` plays
the games anew and writes the file; the composed positions are in this module.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from rules import arena
from rules.arena.players import player
from rules.game import game
from sim.bots.outlook import look_ahead
from sim.bots.proposals import Proposals, stuck
from sim.game.highway import Highway, Position
from sim.game.ply import play
from sim.problems.tables import every, threat
from sim.referee.placement import Placement
from sim.referee.table import Table

__all__ = ["FILE", "asked_by", "begun", "is_right", "main", "positions"]

FILE = Path(__file__).resolve().parents[1] / "tests" / "data" / "positions.json"
KINDS = ("win", "exit", "most", "junction", "deny")
_PLAYED = (
    *(("planner:version=1", "planner:version=1", seed) for seed in range(300, 307)),
    *(("planner:version=1", "greedy", seed) for seed in range(320, 323)),
    *(("greedy", "planner:level=hard", seed) for seed in range(340, 343)),
)
_FEW = 0.06  # of all legal places; more of them are no test
_EACH = 3  # positions of a kind from a game at most
_TURNED = (0, 52, 141)  # degrees: no player should depend on how its fan of bearings lies
_COMPOSED: dict[
    str, tuple[dict[str, tuple[float, float, int]], tuple[tuple[str, str], ...], int]
] = {
    "out with the last car": ({"A-P0": (0, 0, 1), "B-P0": (300, 0, 1)}, (), 1),
    "out with the last two cars": (
        {"A-P0": (0, 0, 1), "B-P0": (55, -45, 3), "B-P1": (55, 45, 3)},
        (("B-P0", "B-P1"),),
        2,
    ),
    "under two roads": (
        {
            "A-P0": (0, 0, 1),
            "B-P0": (40, -55, 3),
            "B-P1": (40, 45, 4),
            "B-P2": (68, -55, 4),
            "B-P3": (68, 45, 3),
        },
        (("B-P0", "B-P1"), ("B-P2", "B-P3")),
        6,
    ),
    "over two roads": (
        {
            "A-P0": (0, 0, 4),
            "B-P0": (40, -55, 2),
            "B-P1": (40, 45, 1),
            "B-P2": (68, -55, 1),
            "B-P3": (68, 45, 2),
        },
        (("B-P0", "B-P1"), ("B-P2", "B-P3")),
        6,
    ),
    "the last two cars under two roads": (
        {
            "A-P0": (0, 0, 1),
            "B-P0": (40, -55, 3),
            "B-P1": (40, 45, 4),
            "B-P2": (68, -55, 4),
            "B-P3": (68, 45, 3),
        },
        (("B-P0", "B-P1"), ("B-P2", "B-P3")),
        2,
    ),
    "out under two roads with the last three cars": (
        {
            "A-P0": (0, 0, 1),
            "B-P0": (40, -55, 3),
            "B-P1": (40, 45, 4),
            "B-P2": (68, -55, 4),
            "B-P3": (68, 45, 3),
        },
        (("B-P0", "B-P1"), ("B-P2", "B-P3")),
        3,
    ),
    "over one and under one": (
        {
            "A-P0": (0, 0, 3),
            "B-P0": (40, -55, 1),
            "B-P1": (40, 45, 1),
            "B-P2": (68, -55, 5),
            "B-P3": (68, 45, 5),
        },
        (("B-P0", "B-P1"), ("B-P2", "B-P3")),
        6,
    ),
    "a jump over two roads": (
        {
            "A-P0": (0, 0, 1),
            "B-P0": (58, -55, 1),
            "B-P1": (58, 45, 2),
            "B-P2": (72, -55, 2),
            "B-P3": (72, 45, 1),
        },
        (("B-P0", "B-P1"), ("B-P2", "B-P3")),
        6,
    ),
}
"""Pillars, roads of B and cars of A, who is to move."""


def main(argv: Sequence[str] | None = None) -> None:
    """Asks a player about every position, or makes the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("player", nargs="?", default="planner:seconds=3,clock=cpu")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--make", type=Path, metavar="FILE", help="write the positions instead")
    given = parser.parse_args(argv)
    if given.make is not None:
        given.make.write_text(
            json.dumps(made(), separators=(",", ":")).replace("}},{", "}},\n{") + "\n",
            encoding="utf-8",
        )
        return
    asked = player(given.player, game("tokyo-highway", engine="none"))
    right, of = Counter[str](), Counter[str]()
    for number, one in enumerate(positions()):
        table = begun(one)
        move = asked.choose(Position(table, "none"), np.random.default_rng([given.seed, number]))
        assert isinstance(move, Placement)
        good = is_right(one, table, move)
        right[one["kind"]] += good
        of[one["kind"]] += 1
        if not good:
            print(f"  wrong: {one['kind']}, {one['name']}: {move}", flush=True)
    for kind in KINDS:
        print(f"{kind:<9} {right[kind]} of {of[kind]}")
    print(
        f"{given.player}: {right.total()} of {of.total()} right, {right.total() / of.total():.0%}"
    )


# --- what is right --------------------------------------------------------------------------------


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


# --- the file -------------------------------------------------------------------------------------


def positions(path: Path = FILE) -> list[dict[str, Any]]:
    """The positions of the file, each with the plies before it."""
    whole = json.loads(path.read_text(encoding="utf-8"))
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


def made() -> dict[str, Any]:
    """The file anew: positions from games, then composed ones."""
    games, found = dict[str, Any](), list[dict[str, Any]]()
    for first, second, seed in _PLAYED:
        name = f"{first} against {second}, seed {seed}"
        plies, here = list[Any](), list[dict[str, Any]]()
        for table, move in followed((first, second), seed):
            if table.phase == "play" and len(plies) > 5 and (asks := asked_by(table)) is not None:
                here.append(
                    {"game": name, "ply": len(plies), "name": f"{name}, ply {len(plies)}"} | asks
                )
            plies.append(move.to_json())
        kinds = Counter[str]()
        for one in reversed(here):  # the end of a game decides more
            kinds[one["kind"]] += 1
            if kinds[one["kind"]] <= _EACH:
                found.append(one)
                games[name] = plies
        print(f"{name}: {dict(kinds)}", file=sys.stderr, flush=True)
    return {"games": games, "positions": [*found, *composed()]}


def followed(names: tuple[str, str], seed: int) -> Iterator[tuple[Table, Placement]]:
    """A game on geometry, ply by ply: the table and the move made there."""
    made = game("tokyo-highway", engine="none")
    assert isinstance(made, Highway)
    players = [player(name, made) for name in names]
    record = arena.play_game(made, players, made.header(names, seed=seed))
    table = Table.start(2)
    for entry in record.entries:
        move = Placement.parse(entry.do)
        yield table, move
        _, table = play(table, move, "none")


def asked_by(table: Table, few: float = _FEW) -> dict[str, Any] | None:
    """What a table asks its player for, None if nothing that can be proved, or if more than a `few`
    of the places do it.
    """
    found, stock = every(table), table.stocks[table.to_move].cars
    if not len(found):
        return None
    wins = found.cars >= stock
    if wins.any():
        return (
            {"kind": "exit" if (found.discs[wins] == 0).all() else "win"}
            if wins.mean() < few
            else None
        )
    (other,) = table.turns.clockwise(table.to_move)
    if threat(table, other) is not None:
        return {"kind": "deny"} if _can_deny(table, found) else None
    builds = found.take(np.flatnonzero(found.discs > 0))
    best = int(builds.cars.max(initial=0))
    rows = builds.cars == best
    if best < 2 or rows.mean() >= few or (found.cars - stuck(table, found) > best).any():
        return None
    return {"kind": "junction" if builds.junction[rows].all() else "most", "cars": best}


def _can_deny(table: Table, found: Proposals) -> bool:
    """Whether some moves prevent the next player's win and most do not."""
    some = found.take(np.arange(0, len(found), max(len(found) // 300, 1)))
    replies = look_ahead(table, some).replies[:, 0]
    (other,) = table.turns.clockwise(table.to_move)
    safe = np.flatnonzero(replies < table.stocks[other].cars)
    if not 0 < len(safe) < len(some) / 3:
        return False
    return any(
        is_right({"kind": "deny"}, table, some.placement(int(row)))
        for row in safe[:: max(len(safe) // 8, 1)]
    )


def composed() -> list[dict[str, Any]]:
    """Positions laid out by hand, by what they ask for."""
    found = []
    for (name, (pillars, roads, cars)), degrees in product(_COMPOSED.items(), _TURNED):
        start = {
            "pillars": [
                {"id": pillar, "at": turned(x, y, degrees), "discs": discs}
                for pillar, (x, y, discs) in pillars.items()
            ],
            "roads": [
                {"id": f"B-R{n}", "from": one, "to": two} for n, (one, two) in enumerate(roads, 1)
            ],
            "stocks": [
                {"cars": cars, "grey": 12, "yellow": 2, "roads": 6},
                {"cars": 5, "grey": 12, "yellow": 2, "roads": 6},
            ],
        }
        asks = asked_by(Table.from_layout(start), few=0.3)
        assert asks is not None, name
        found.append({"start": start, "name": f"{name}, turned by {degrees} degrees"} | asks)
    return found


def turned(x: float, y: float, degrees: float) -> list[float]:
    """A point of the table turned about the middle, to 0.01 mm."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [round(x * cos - y * sin, 2) + 0.0, round(x * sin + y * cos, 2) + 0.0]


if __name__ == "__main__":
    main()
