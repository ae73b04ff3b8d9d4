"""Every ply of a playout is one that the referee allows, and leaves the table that the referee
leaves, under every option, from the entrances to the end.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sim.batch.arrays import MOVER, ND, NOW, NP, NR, Arrays
from sim.batch.tables import of_table, table_of
from sim.bots.playouts import POLICY, Ahead, may_wait
from sim.game.ply import play
from sim.pieces import Supply
from sim.referee import find_build
from sim.referee.placement import Build, CarSpot, Entrance, Exit, Pass, Placement, SetBuilding
from sim.referee.table import Table
from tests.tables import entrances as begun, option_sets

# what draws on every decision: it passes and declines often
LIVELY = POLICY._replace(noise=1.0, declines=0.3)


def ply_of(before: Table, after: Arrays) -> Placement:
    """The move that leads from a table to the arrays after one ply of a playout."""
    seat, now = before.to_move, table_of(after, before)
    if len(now.buildings) > len(before.buildings):
        new = now.buildings[-1]
        return SetBuilding(new.kind, new.at, new.turn)
    if len(now.roads) == len(before.roads):
        able = not before.unable(seat)
        missed = not before.ruleset.may_pass or now.turns.misses[seat] > 0
        return Pass("no room" if able and missed else None)
    road, pillar = now.roads[-1], now.pillars[-1]
    if before.phase == "entrances":
        angle = math.atan2(road.end[1] - pillar.at[1], road.end[0] - pillar.at[0])
        return Entrance(pillar.at, round(math.degrees(angle) % 360.0, 2) % 360.0, CarSpot(0.5))
    spent = before.stocks[seat].cars - now.stocks[seat].cars
    cars = None if spent else ()
    if road.kind == "exit":
        x, y = road.end
        return Exit(road.base, (round(x, 2) + 0.0, round(y, 2) + 0.0), cars)
    return Build(road.base, pillar.at, pillar.discs, pillar.junction, cars)


def same(mine: Arrays, theirs: Arrays) -> bool:
    """Whether two tables have the same pieces, stocks, turns and seats in the game."""
    told = True
    for name, count in (("roads", 0), ("of", 0), ("places", 1), ("pillars", 1), ("discs", 2)):
        n = int(theirs.counts[count])
        one, other = (getattr(some, name)[:n] for some in (mine, theirs))
        told = told and bool(np.allclose(one, other, atol=1e-6))
    counts = [NR, NP, ND, MOVER, NOW]
    return (
        told
        and bool((mine.counts[counts] == theirs.counts[counts]).all())
        and bool((mine.seats == theirs.seats).all())
    )


def followed(options: dict[str, Any], players: int, seed: int, plies: int) -> Counter[str]:
    """Plays plies of playouts from the start and holds each to the referee: what was played."""
    table, seen = Table.start(players, **options), Counter[str]()
    for number in range(plies):
        ahead = Ahead.of_table(table, LIVELY)
        ahead.play(table.to_move, times=1, seed=seed + number, most=1)
        move = ply_of(table, ahead.room)
        verdict, after = play(table, move, "none")
        assert verdict.legal, (options, table.digest(), str(move), verdict)
        told = table.ruleset.differing("standard"), table.digest(), str(move)
        waits = isinstance(move, Pass) and move.reason is None and not table.unable(table.to_move)
        assert not waits or may_wait(table), told
        seen[
            "waits"
            if waits
            else "declines"
            if isinstance(move, (Build, Exit)) and move.cars == () and verdict.earned
            else move.kind
        ] += 1
        outcome, finished = after.outcome(), after.turns.finished
        if outcome is not None or finished:  # the first win is what a playout asks for
            mine = [
                ahead.play(seat, times=1, seed=seed + number, most=1) for seat in range(players)
            ]
            best = finished[0] if outcome is None else outcome.winners
            assert mine == [(seat in best) / len(best) for seat in range(players)], told
            seen["ends"] += 1
            break
        assert same(ahead.room, of_table(replace(after, lasts=()))), told
        moved = Ahead.of_table(table).after(move, len(after.cars) - len(table.cars))
        moved.play(0, times=1, seed=0, most=0)
        assert same(moved.room, ahead.room), told
        table = after
    return seen


@pytest.mark.parametrize("sets", [2, pytest.param(60, marks=pytest.mark.slow)])
def test_the_plies_of_a_playout_are_the_referees_by_every_preset_and_by_random_options(
    sets: int,
) -> None:
    rng, seen = np.random.default_rng(6), Counter[str]()
    for number, (players, options) in enumerate(option_sets(rng, sets)):
        seen += followed(options, players, 1000 * number, 120)
    assert min(seen[what] for what in ("entrance", "building", "build", "exit", "pass")) > 0
    assert min(seen[what] for what in ("waits", "declines", "ends")) > 0


def test_a_playout_passes_for_want_of_room_only_where_the_referee_finds_none() -> None:
    """Pillars all around the only base point leave no room, or one gap of a few degrees."""
    for gap in (0, 30):
        ring = [
            {"id": f"B-P{k}", "at": [round(60 * math.cos(a), 2), round(60 * math.sin(a), 2)]}
            for k, a in enumerate(math.radians(step) for step in range(gap, 360, 20))
        ]
        pillars = [{"id": "A-P0", "at": [0, 0], "discs": 2}]
        pillars += [{**one, "discs": 6} for one in ring]
        table = Table.from_layout({"to_move": 0, "pillars": pillars}, 2, exit_height=1)
        ahead = Ahead.of_table(table)
        ahead.play(0, times=1, seed=1, most=1)
        found = find_build(table)
        assert (found is None) == (gap == 0)
        assert len(table_of(ahead.room, table).roads) == len(table.roads) + (found is not None)


def test_nobody_waits_once_every_player_has_had_a_turn_without_a_pillar() -> None:
    table = begun(2, "fr")
    waited = []
    for _ in range(4):
        waited.append(may_wait(table))
        table = play(table, Pass(), "none")[1]
    assert waited == [True, True, False, False]
    build = find_build(table)
    assert build is not None
    built = play(table, build, "none")[1]
    assert may_wait(replace(built, turn=table.turn + 1))
    assert not may_wait(Table.start(2, "fr"))
    poor = replace(built, stocks=(Supply(5, 0, 0, 0),) * 2)
    assert not may_wait(poor)
    never = POLICY._replace(waits=1.0, noise=0.0)
    for some in (table, built):
        ahead = Ahead.of_table(some, never)
        assert ahead.play(0, times=20, seed=1) + ahead.play(1, times=20, seed=1) == pytest.approx(
            20
        )
