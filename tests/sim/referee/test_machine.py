"""Random games without physics, under every preset and random options: no piece is lost, every road
lies on its pillars, what fell is where it was, and the record of the game says all.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

import rules.record
from rules.record import Entry, Header, Record
from sim.bots.players import Random
from sim.game import replay
from sim.game.highway import Position
from sim.game.ply import Attempt, judge
from sim.game.sources import Observed
from sim.game.verify import verify
from sim.referee.placement import Resign
from sim.referee.ruleset import OPTIONS, presets_for
from sim.referee.table import Table
from tests.tables import stock

PAYABLE = ("grey", "yellow", "roads")
VARIED = ("base_point", "turn_end", "may_pass", "self_cross", "exit_height", "own_cross_voids")
VARIED += ("penalty_unit", "penalty_currency", "clean_win", "elimination", "continue_after_win")
VARIED += ("crossing_scope", "crossing_memory", "own_roads_occlude", "freeze", "pillar_under_road")


def some_header(rng: np.random.Generator, players: int) -> Header:
    """A junction and a pillar for everybody, close enough for crossings, and so few pieces that the
    game ends within a few turns; one game in five begins with the entrances.
    """
    pillars = []
    for seat, name in enumerate("ABCD"[:players]):
        for n, (far, turned) in enumerate(((40.0, 0.0), (80.0, 0.6))):
            angle = math.tau * seat / players + turned
            at = [round(far * math.cos(angle), 2), round(far * math.sin(angle), 2)]
            pillars.append({"id": f"{name}-P{n}", "at": at, "discs": 1 + n, "junction": n == 1})
    few = (int(rng.integers(1, 3)), int(rng.integers(4, 9)), 1, int(rng.integers(1, 4)))
    start = {"to_move": int(rng.integers(players)), "stocks": [stock(*few)] * players}
    known, changed = presets_for(players), rng.choice(VARIED, int(rng.integers(4)), replace=False)
    return Header(
        "tokyo-highway",
        tuple("abcd"[:players]),
        ruleset=known[int(rng.integers(len(known)))],
        options={name: OPTIONS[name].values[1] for name in changed.tolist()},
        start={**start, "pillars": pillars} if rng.random() < 0.8 else None,
    )


def owned(table: Table) -> list[dict[str, int]]:
    """What every seat has in stock and on the table."""
    found = [{kind: getattr(left, kind) for kind in ("cars", *PAYABLE)} for left in table.stocks]
    for pillar in table.pillars:
        found[pillar.owner]["grey"] += pillar.discs - pillar.junction
        found[pillar.owner]["yellow"] += pillar.junction
    for piece in (*table.roads, *table.cars):
        found[piece.owner]["roads" if piece in table.roads else "cars"] += 1
    return found


def check_supports(table: Table) -> None:
    arriving = Counter(road.target for road in table.roads)
    for road in table.roads:
        for name, end in zip(road.pillars, (road.start, road.end), strict=False):
            pillar = table.pillar_by_id[name]
            assert pillar.owner == road.owner
            assert math.dist(pillar.at, end) < table.components.disc_radius + 0.1
    for pillar in table.pillars:
        assert (arriving[pillar.id] <= 1, table.leaving(pillar) <= 1 + pillar.junction) == (1, 1)
    assert all(table.road_by_id[car.road].owner == car.owner for car in table.cars)


@pytest.mark.parametrize(("players", "seed"), [(n, seed) for n in (2, 3, 4) for seed in range(2)])
def test_random_games_keep_every_piece_and_replay_to_the_same_digests(
    players: int, seed: int
) -> None:
    rng, seen = np.random.default_rng((players, seed)), Counter[str]()
    for _ in range(12):
        header, entries = some_header(rng, players), list[Entry]()
        table = replay.begin(Record(header))
        supply = owned(table)
        while table.outcome() is None and len(entries) < 30:
            move: Any = Resign()
            if rng.random() > 0.02:
                move = Random().choose(Position(table, "none"), rng)
            there = sorted(piece for piece in table.piece_ids if piece[0] != "X")
            fell = rng.choice(there, min(len(there), int(rng.choice([0, 0, 1, 3]))), replace=False)
            fallen = (*fell.tolist(), *[table.next_id(table.to_move, "R")] * (rng.random() < 0.1))
            if not hasattr(move, "base"):
                fallen = ()
            verdict, after, attempts = judge(table, move, [Attempt(Observed(fallen))])
            assert verdict.legal, verdict
            got = verdict.got(after.digest())
            seen.update([move.kind, *got.keys()])
            observed = {"fallen": list(fallen)} if attempts else None
            do = move.to_json()
            entries.append(Entry(len(entries), table.to_move, do, got=got, observed=observed))
            for payment in verdict.paid:
                for kind in PAYABLE:
                    supply[table.to_move][kind] -= getattr(payment, kind)
                    supply[payment.to][kind] += getattr(payment, kind)
            assert owned(after) == supply
            assert after.pillars[: len(table.pillars)] == table.pillars
            check_supports(after)
            table = after
        record = rules.record.loads(rules.record.dumps(Record(header, tuple(entries))))
        report = verify(record, "rules")
        assert (report.ok, report.plies) == (True, len(entries)), report
        seen["ended"] += table.outcome() is not None
    assert min(seen[what] for what in ("build", "exit", "pass", "paid", "out", "ended")) > 0, seen
