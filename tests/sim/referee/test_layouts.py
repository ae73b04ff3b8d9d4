"""What a layout may hold: as much as any box, and no more."""

from __future__ import annotations

from typing import Any

import pytest

from rules.errors import InputError
from sim.referee.table import Table

STOCK = {"cars": 1000, "grey": 1000, "yellow": 1000, "roads": 1000}


def pillars(count: int) -> list[dict[str, Any]]:
    return [{"id": f"A-P{n}", "at": [30 * n, 0], "discs": 30} for n in range(count)]


def test_a_layout_at_its_limits_is_read():
    table = Table.from_layout({"pillars": pillars(200), "stocks": [STOCK, STOCK]})
    assert len(table.pillars) == 200
    assert table.stocks[0].grey == 1000


@pytest.mark.parametrize(
    ("layout", "reason"),
    [
        ({"pillars": pillars(201)}, r"start\.pillars has 201 items; a layout has 200 at most"),
        (
            {"pillars": [{"id": "A-P0", "at": [0, 0], "discs": 31}]},
            r"A-P0: discs is 31; a pillar has 1 to 30",
        ),
        (
            {"stocks": [{**STOCK, "grey": 1001}, STOCK]},
            r"start\.stocks: grey is 1001; a seat has 1000 at most",
        ),
        (
            {"pillars": [{"id": "A-P0", "at": [10**400, 0], "discs": 1}]},
            "at must be a number no larger than 100000",
        ),
        ({"cars": [{"id": "A-C0", "on": [], "along": 0.5}]}, "but the layout has no such road"),
        ({"buildings": [{"id": "X0", "kind": ["tower"], "at": [0, 0]}]}, "there is no building"),
    ],
)
def test_what_is_beyond_the_limits_is_refused(layout, reason):
    with pytest.raises(InputError, match=reason):
        Table.from_layout(layout)
