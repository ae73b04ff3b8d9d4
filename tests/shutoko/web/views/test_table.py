"""The piles beside the table hold exactly what the referee counts, apart from each other and from
what stands; the plate of a player says what is left, and the place of whoever is done.
"""

import itertools
import math
import re

import pytest

from rules import record
from shutoko.web.views.table import Plate, piles
from shutoko.web.wording import words
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
        near = [at for body in bodies(step.after) if abs((at := body.pose.at)[0]) < 700]
        assert all(abs(at[0] - x) > wide / 2 for x, _, wide, _, _ in trays for at in near)
        for body in pieces:
            bx, by, _ = body.pose.at
            assert any(abs(bx - x) < w / 2 and abs(by - y) < d / 2 for x, y, w, d, _ in trays)


@pytest.mark.parametrize(
    ("plate", "said", "drawn"),
    [
        (Plate(3, 10, 7, 1, 2), "3 7 grey · 1 yellow · 2 roads", 'aria-label="3 cars left"'),
        (Plate(4, 10, 0, 0, 0, out=True), "out 4 0 grey · 0 yellow · 0 roads", "4 cars left"),
        (
            Plate(0, 10, 7, 1, 2, 1),
            "1 7 grey · 1 yellow · 2 roads",
            'class="medal" title="place 1"',
        ),
        (Plate(0, 10, 7, 1, 2, 3), "3 7 grey · 1 yellow · 2 roads", "0 cars left, place 3"),
    ],
)
def test_a_plate_says_what_is_left_or_the_place_of_whoever_is_done(plate, said, drawn):
    shown = plate.drawn(words("en"))
    assert " ".join(re.sub(r"<[^>]*>", " ", shown).split()) == said
    assert drawn in shown
    assert shown.count('class="car gone"') == plate.of - plate.cars
