"""What a layout may hold: as much as any box, and no more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules.errors import InputError
from shutoko.cli import main
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


HEADER = {"record": "shutoko", "version": [1, 0], "game": "tokyo-highway", "players": ["a", "b"]}
AT = {"A-P0": ([0, 0], 2), "B-P0": ([5, 0], 1)}
TWO = [{"id": name, "at": at, "discs": discs} for name, (at, discs) in AT.items()]
SUNK = {"legal": True, "moved": {"A-P0.1": [0, -55, -5, 0, 0, 0, 1]}}
ENTRANCE = {"entrance": {"pillar": [0, -55], "toward": 270}, "car": 0.5}


@pytest.mark.parametrize(
    ("lines", "place", "says"),
    [
        pytest.param([HEADER | {"start": {"pillars": TWO}}], ":1: ",
                     "start: A-P0 and B-P0 stand in one place, 5 mm apart; give one of them "
                     "another place, 20 mm away", id="two pillars in one place"),
        pytest.param([HEADER, {"ply": 0, "by": 0, "do": ENTRANCE, "got": SUNK}], ":2: ply 0: ",
                     "is 5 mm under the table: z is the height of a piece's middle, 0 or more",
                     id="a pose under the table"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_its_place_and_the_mend(
    lines: list[Any], place: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    assert main(["verify", "--mode", "rules", str(path)]) == 2
    err = capsys.readouterr().err
    assert f"{path}{place}" in err
    assert says in err
