"""The compiled playouts play the game that the referee judges: the cars that a road earns, the
sides that it takes and whose turn it is then are the referee's, under every option.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rules.errors import InputError
from sim.bots import playouts
from sim.bots.sketch import Sketch
from sim.referee.checks import earned
from sim.referee.crossings import Network, Road, judge
from sim.referee.judgement import next_table
from sim.referee.placement import Build, Exit
from sim.referee.ruleset import OPTIONS
from sim.referee.table import Table
from sim.referee.verdict import AttemptResult, Verdict

# Playouts see roads as lines, lay every road straight and never knock anything over. So these
# options are none of theirs; what they may propose is judged by the referee before it is played.
BEYOND = {
    "entrance_reach": "set-up",
    "may_pass": "a policy that builds whenever it can",
    "freeze": "no adjustments",
    "own_pillar_shadow": "no road passes over a pillar",
    "pillar_under_road": "no pillar stands under a road",
    "touch_cars": "no cars on the roads",
    "over_building": "no road passes over a building",
    "loop": "no rings are looked for",
    "crossing_scope": "lines: a side is taken all along",
    "crossing_test": "lines cross where they meet",
    "penalty_unit": "nothing falls",
    "penalty_currency": "nothing falls",
    "fall_mode": "nothing falls",
    "fall_distance": "nothing falls",
    "redo": "nothing falls",
    "hand_on_building": "no hand",
    "clean_win": "nothing falls",
    "continue_after_win": "the first win is what counts",
}
HELD = {
    "base_point",
    "turn_end",
    "self_cross",
    "exit_height",
    "crossing_memory",
    "own_roads_occlude",
    "own_cross_voids",
    "ramps_count",
    "inactive_roads_count",
    "elimination",
}
SEATS = 3


def options(rng: np.random.Generator) -> dict[str, Any]:
    return {name: OPTIONS[name].values[rng.integers(len(OPTIONS[name].values))] for name in HELD}


def random_table(rng: np.random.Generator) -> Table:
    """Pillars and roads of three seats thrown together, some ramps, and perhaps a seat that is
    out.
    """
    pillars, roads = [], []
    for seat in "ABC":
        count = int(rng.integers(3, 7))
        for n in range(count):
            at = [round(float(x), 2) for x in rng.uniform(-110.0, 110.0, 2)]
            discs = int(rng.integers(1, 6))
            junction = bool(discs > 1 and rng.random() < 0.3)
            pillars.append({"id": f"{seat}-P{n}", "at": at, "discs": discs, "junction": junction})
            if n and rng.random() < 0.8:
                roads.append(
                    {"id": f"{seat}-R{n}", "from": f"{seat}-P{n - 1}", "to": f"{seat}-P{n}"}
                )
        if rng.random() < 0.4:
            end = {"table": [round(float(x), 2) for x in rng.uniform(-110.0, 110.0, 2)]}
            roads.append({"id": f"{seat}-R9", "from": f"{seat}-P{count - 1}", "to": end})
    rng.shuffle(roads)
    stocks = [
        {
            "cars": 5,
            "grey": int(rng.integers(0, 12)),
            "yellow": int(rng.integers(0, 2)),
            "roads": int(rng.integers(0, 3)),
        }
        for _ in range(SEATS)
    ]
    layout = {"to_move": 0, "pillars": pillars, "roads": roads, "stocks": stocks}
    table = Table.from_layout(layout, SEATS, **options(rng))
    if rng.random() < 0.3:
        table = replace(table, turns=table.turns.put_out(int(rng.integers(1, SEATS))))
    return replace(table, turn=5)


def tables(count: int, seed: int) -> Iterator[tuple[Table, np.random.Generator]]:
    rng = np.random.default_rng(seed)
    made = 0
    while made < count:
        try:
            table = random_table(rng)
        except InputError:  # two pillars in one place
            continue
        made += 1
        yield table, rng


def compared(table: Table, rng: np.random.Generator) -> int:
    """Compares roads from every own pillar of a table; returns how many cars were compared."""
    sketch, seen = Sketch.of_table(table), 0
    for row, base in enumerate(table.pillars):
        if base.owner != table.to_move:
            continue
        for height in (0, 1, 3, 5):
            angle, away = rng.uniform(0.0, 2 * np.pi), rng.uniform(60.0, 108.0)
            end = (base.at[0] + away * np.cos(angle), base.at[1] + away * np.sin(angle))
            found = sketch.earned(table.to_move, row, end, height)
            if found < 0:
                continue
            new = Road(
                table.to_move,
                base.at,
                end,
                (base.discs, height),
                "new",
                pillars=(base.id, "new-pillar" if height else None),
            )
            network = Network(table.lines, table.ruleset, table.components, table.inactive)
            kind = Build(base.id, end, height) if height else Exit(base.id, end)
            cars = earned(table, kind, judge(new, network))
            assert found == cars, (table.ruleset.differing("standard"), base, end, height)
            seen += 1
    return seen


def test_every_option_is_held_to_the_referee_or_named_as_beyond_the_playouts() -> None:
    assert HELD | set(BEYOND) == set(OPTIONS)
    assert not HELD & set(BEYOND)


def test_the_cars_of_a_road_in_a_playout_are_those_that_the_referee_counts_under_every_option():
    assert sum(compared(table, rng) for table, rng in tables(300, 1)) > 1000


@pytest.mark.slow
def test_the_cars_of_a_road_in_a_playout_are_the_referees_on_many_tables() -> None:
    assert sum(compared(table, rng) for table, rng in tables(5000, 2)) > 20000


def test_a_seat_is_unable_in_a_playout_where_the_referee_says_so() -> None:
    answers = []
    for table, _ in tables(600, 3):
        sketch = Sketch.of_table(table)
        for seat in table.turns.active:
            unable = sketch.unable(seat)
            assert unable == table.unable(seat), (seat, table.ruleset.differing("standard"))
            answers.append(unable)
    assert {True, False} <= set(answers)


def test_after_a_ply_the_same_seats_are_in_the_game_and_the_same_one_moves() -> None:
    """Of plies that build: a ply that finds nothing is a miss by the policy, not by the rules."""
    compared = out = 0
    for table, rng in tables(500, 4):
        seat, stock = table.to_move, table.stocks[table.to_move]
        base = next((b for b in table.base_points(seat) if not b.pillar.junction), None)
        if base is None or stock.roads == 0 or stock.grey < base.pillar.discs + 1:
            continue
        if table.ruleset.elimination == "kr":  # there a seat is out when its turn comes to it
            continue
        if rng.random() < 0.5 and len(table.turns.active) == SEATS:  # seat 1 waits for seat 0 alone
            table = replace(table, watch=(None, (0,), None))
        place = Build(base.pillar.id, tuple(rng.uniform(300, 400, 2).tolist()), base.pillar.discs)
        after = next_table(
            table, place, Verdict(legal=True, last=AttemptResult(built=True), owed=())
        )
        row = [pillar.id for pillar in table.pillars].index(base.pillar.id)
        sketch = Sketch.of_table(table).after(row, place.at, place.discs, junction=False, cars=0)
        gone = [seat for seat in range(SEATS) if sketch.seats[seat, playouts._GONE]]
        assert gone == sorted(after.inactive)
        if after.outcome() is None:
            assert sketch.counts[playouts._MOVER] == after.to_move
        out += len(gone) > len(table.inactive)
        compared += 1
    assert compared > 30
    assert out
