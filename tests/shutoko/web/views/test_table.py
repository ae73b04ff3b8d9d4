"""The piles beside the table hold exactly what the referee counts, apart from each other and from
what stands.
"""

import itertools
import math

import pytest

from rules import record
from shutoko.web.views.table import piles
from sim.assets import asset
from sim.game.attempts.posing import bodies
from sim.game.replay import trusted

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["two-cars", "three-players"])
def test_the_trays_hold_what_each_player_still_has(name):
    steps = list(trusted(record.read(asset("records", f"{name}.jsonl"))))
    for step in (steps[0], steps[-1]):
        pieces, trays = piles(step.after)
        assert len(trays) == len(step.after.stocks)
        for seat, stock in enumerate(step.after.stocks):
            own = [(body.kind, body.junction) for body in pieces if body.owner == seat]
            found = [
                own.count(one)
                for one in (("disc", False), ("disc", True), ("road", False), ("car", False))
            ]
            assert found == [stock.grey, stock.yellow, stock.roads, stock.cars]
        for one, other in itertools.pairwise(sorted(pieces, key=lambda body: body.id)):
            assert math.dist(one.pose.at, other.pose.at) > 3
        for x, _, wide, _, _ in trays:
            assert all(
                abs(body.pose.at[0] - x) > wide / 2
                for body in bodies(step.after)
                if abs(body.pose.at[0]) < 700
            )
        inside = [
            any(
                abs(b.pose.at[0] - x) < w / 2 and abs(b.pose.at[1] - y) < d / 2
                for x, y, w, d, _ in trays
            )
            for b in pieces
        ]
        assert all(inside)
