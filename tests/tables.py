"""Small tables for the tests of the rules: a layout in a line or two, a ply without physics, the
codes of its faults.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

import sim
from sim import referee
from sim.bodies import Pose
from sim.game.ply import Attempt, judge
from sim.game.sources import Nominal, Observed, PoseSource
from sim.referee.explain import Reason, explain
from sim.referee.placement import Build, CarSpot, Exit, Placement
from sim.referee.ruleset import OPTIONS, PRESETS, Preset
from sim.referee.table import Table
from sim.referee.verdict import Verdict

FULL = {"cars": 9, "grey": 20, "yellow": 3, "roads": 10}

ALONE = {"A-P0": (0, 0, 1), "B-P0": (0, 500, 1)}
ACROSS = {**ALONE, "B-P1": (60, -55, 2), "B-P2": (60, 55, 2)}
THREE = {**ACROSS, "C-P0": (0, 900, 1)}
CROSSED = {"B-R1": ("B-P1", "B-P2")}
"""Base pillars far apart, and a road of B that A's builds can cross."""

Spot = tuple[float, float]


def stock(cars: int = 9, grey: int = 20, yellow: int = 3, roads: int = 10) -> dict[str, int]:
    return {"cars": cars, "grey": grey, "yellow": yellow, "roads": roads}


def lay_out(
    pillars: Mapping[str, tuple[Any, ...]],
    roads: Mapping[str, tuple[str, str | Spot]] | None = None,
    *,
    cars: Mapping[str, tuple[str, float]] | None = None,
    buildings: Sequence[tuple[str, Spot]] = (),
    stocks: Sequence[Mapping[str, int]] | None = None,
    players: int = 2,
    to_move: int = 0,
    **options: Any,
) -> Table:
    """A pillar is (x, y, discs) or (x, y, discs, True) for a junction; a road ends on a pillar or
    at a point of the table.
    """
    start = {
        "to_move": to_move,
        "pillars": [
            {"id": name, "at": list(spec[:2]), "discs": spec[2], "junction": len(spec) > 3}
            for name, spec in pillars.items()
        ],
        "roads": [
            {"id": name, "from": base, "to": end if isinstance(end, str) else {"table": list(end)}}
            for name, (base, end) in (roads or {}).items()
        ],
        "cars": [
            {"id": name, "on": road, "along": along} for name, (road, along) in (cars or {}).items()
        ],
        "buildings": [
            {"id": f"X{n}", "kind": kind, "at": list(at)} for n, (kind, at) in enumerate(buildings)
        ],
        "stocks": list(stocks) if stocks is not None else [FULL] * players,
    }
    return sim.Table.from_layout(start, players, **options)


def crowded(apart: float) -> Table:
    """Two chains of roads whose pillars A-P1 and B-P1, of two discs each, stand so many mm
    apart.
    """
    b = [(60.0, 90.0), (100.0, 0.0), (140.0, 90.0), (240.0, 90.0)]
    stands = {f"A-P{n}": (100.0 * n, 0.0, 1 + n % 2) for n in range(5)}
    stands |= {f"B-P{n}": (x, y + apart, 1 + n % 2) for n, (x, y) in enumerate(b)}
    roads = {f"A-R{n}": (f"A-P{n}", f"A-P{n + 1}") for n in range(4)}
    return lay_out(stands, {**roads, **{f"B-R{n}": (f"B-P{n}", f"B-P{n + 1}") for n in range(3)}})


def _spots(cars: Sequence[float | CarSpot] | None) -> tuple[CarSpot, ...] | None:
    return (
        None
        if cars is None
        else tuple(car if isinstance(car, CarSpot) else CarSpot(car) for car in cars)
    )


def build(
    base: str,
    x: float,
    y: float,
    discs: int,
    junction: bool = False,
    cars: Sequence[float | CarSpot] | None = None,
) -> Build:
    return Build(base, (x, y), discs, junction, _spots(cars))


JUMP = build("A-P0", 105, 0, 5, True)
"""Over B-R1 by far."""

AWAY = build("A-P0", -105, 0, 2)
"""Crosses nothing."""


def entrances(players: int = 2, ruleset: str = "standard") -> Table:
    """The table after the usual entrances."""
    table = Table.start(players, ruleset)
    return plays(table, *map(table.default_entrance, range(players)))


def exit_to(base: str, x: float, y: float, cars: Sequence[float | CarSpot] | None = None) -> Exit:
    return Exit(base, (x, y), _spots(cars))


def codes(table: Table, placement: Placement) -> list[str]:
    return [fault.code for fault in referee.before(table, placement)]


def ply(
    table: Table,
    placement: Placement | str,
    *fallen: str,
    pay: Any = None,
    tries: Sequence[PoseSource] = (),
    accepted: bool = False,
) -> Verdict:
    """The verdict of a legal or accepted ply, told what fell (nothing: nominal poses stand)."""
    return _judged(table, placement, fallen, pay, tries, accepted=accepted)[0]


def play(
    table: Table,
    placement: Placement | str,
    *fallen: str,
    pay: Any = None,
    tries: Sequence[PoseSource] = (),
    accepted: bool = False,
) -> Table:
    """The table after a legal or accepted ply."""
    return _judged(table, placement, fallen, pay, tries, accepted=accepted)[1]


def plays(table: Table, *moves: Placement | str | tuple[Any, ...]) -> Table:
    """The table after several legal plies; a tuple is a move and what fell in it."""
    for move in moves:
        table = play(table, *move) if isinstance(move, tuple) else play(table, move)
    return table


def told(table: Table, placement: Placement, *sources: PoseSource) -> tuple[Reason, ...]:
    """Why the verdict on a ply is what it is, legal or not."""
    attempts = [Attempt(source) for source in sources or (Nominal(),)]
    return explain(table, placement, judge(table, placement, attempts)[0])


def ending(table: Table) -> tuple[tuple[tuple[int, ...], ...], str] | None:
    """The ranks and the reason of a game that is over."""
    outcome = table.outcome()
    return None if outcome is None else (outcome.ranks, str(outcome.reason))


def refused(
    table: Table, placement: Placement, *fallen: str, pay: Any, accepted: bool = False
) -> str:
    """Why a ply that is paid for so is refused."""
    sources = [Attempt(Observed(tuple(fallen)))]
    verdict, after, _ = judge(table, placement, sources, pay, accepted=accepted)
    assert not verdict.legal
    assert after is table
    return verdict.refusal


def _judged(
    table: Table,
    placement: Placement | str,
    fallen: Sequence[str],
    pay: Any,
    tries: Sequence[PoseSource],
    *,
    accepted: bool,
) -> tuple[Verdict, Table]:
    move = table.parse(placement) if isinstance(placement, str) else placement
    sources = tries or [Observed(tuple(fallen)) if fallen else Nominal()]
    attempts = [Attempt(source) for source in sources]
    verdict, after, _ = judge(table, move, attempts, pay, accepted=accepted)
    assert verdict.legal, [fault.text for fault in verdict.faults]
    return verdict, after


def option_sets(rng: np.random.Generator, count: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every preset for each number of players that it allows, then random options."""
    for name in PRESETS:
        for players in Preset.named(name).players:
            yield players, {"ruleset": name}
    for _ in range(count):
        options: dict[str, Any] = {"entrance_reach": float(rng.choice([0.6, 1.0, 2.0]))}
        for name, option in OPTIONS.items():
            known = option.values if option.number is None else (*option.values, 2)
            options.setdefault(name, known[int(rng.integers(len(known)))])
        yield int(rng.integers(2, 5)), options


def at_rest(table: Table, placement: Placement | None = None) -> dict[str, Pose]:
    """Where geometry puts every piece, those of the placement included: what a record's `moved`
    would say of a calm ply.
    """
    from sim.game.attempts.posing import bodies, lay

    poses = {body.id: body.pose for body in bodies(table)}
    if placement is not None:
        poses |= {
            laid.lying.id: laid.lying.pose for laid in lay(table, table.with_pieces(placement), {})
        }
    return poses


def new_at_rest(table: Table, placement: Placement) -> dict[str, Pose]:
    """Where geometry puts the pieces of the placement alone."""
    there = at_rest(table, placement)
    return {piece: pose for piece, pose in there.items() if piece not in table.piece_ids}


def moved(pose: Pose, dx: float = 0.0, dy: float = 0.0, dz: float = 0.0) -> Pose:
    x, y, z = pose.at
    return Pose((x + dx, y + dy, z + dz), pose.quat)
