"""Whose roads they are: by paint, by cars, by the chain, and else by turns."""

from __future__ import annotations

import numpy as np
import pytest

from sim.photo.finding.owners import AHEAD, SeenCar, owned, tied
from sim.photo.finding.standing import Stand, Standing

COLOURS = {
    "R": (200.0, 30.0, 30.0), "r": (165.0, 114.0, 114.0), "B": (30.0, 70.0, 180.0),
    "b": (114.0, 126.0, 159.0), "O": (230.0, 120.0, 30.0), "w": (235.0, 235.0, 235.0),
    "k": (32.0, 32.0, 34.0), ".": (120.0, 120.0, 120.0), "?": (np.nan,) * 3,
}  # fmt: skip
"""Colours of roads and cars: full, and half hidden as small letters; plain, and unseen."""


def asked(
    paints: str, cars: str, chains: str, said: dict[int, int] | None = None
) -> tuple[list[int], list[bool]]:
    """Owners and whether the picture tells them: `cars` as "0R 3B", `chains` the roads on each
    pillar as "01 12".
    """
    stands = [
        Stand(None, None, bears=[(int(road), 0) for road in on.rstrip("Y")], junction=on[-1] == "Y")
        for on in chains.split()
    ]
    standing = Standing([None] * len(paints), [], stands)  # type: ignore[list-item]  # only their number counts
    seen = [SeenCar((0.0, 0.0), np.array(COLOURS[car[1]]), int(car[0])) for car in cars.split()]
    colours = np.array([COLOURS[one] for one in paints])
    made = owned(tied(standing), colours, seen)
    if said is not None:
        made = owned(tied(standing), colours, seen, made.seats, said)
    return made.owners, [bool(lead > AHEAD) for lead in made.ahead]


@pytest.mark.parametrize(
    ("rule", "paints", "cars", "chains", "owners", "untold"),
    [
        ("paint tells", "RRRBB", "", "01 12", "00011", ""),
        ("paint also against the chain", "RRBB", "", "12", "0011", ""),
        ("hidden paint: the nearest of its chain", "R?R?BB", "", "01 12 34 45", "000111", ""),
        ("plain roads: the cars next to them", "......", "0R 0R 5B 5B", "01 12 23 34 45", "000111",
         "23"),
        ("nothing tells: who has the fewest roads", "......", "0R 0R 3B 3B", "01 12 45", "000111",
         "45"),
        ("a single car of its colour tells little", "..", "0R 0R 1B", "", "01", "1"),
        ("half hidden stripes go with full ones", "RBrbRB", "", "", "010101", ""),
        ("paint says more than a car and a chain", "RRBB", "1B", "12", "0011", ""),
        ("two white cars are a seat", "..", "0R 0R 1w 1w", "", "01", ""),
        ("white and black are two seats", "...", "0R 0R 1w 1w 2k 2k", "", "012", ""),
        ("red and orange are two seats", "....", "0R 1R 2O 3O", "01 23", "0011", ""),
        ("a car beside the table votes for nothing", "...", "0R 0R 1R 2B 2B", "01", "001", ""),
        ("a junction ties many roads", "....", "0R 0R", "0123Y", "0000", ""),
    ],
)  # fmt: skip
def test_the_owner_is_told_by(
    rule: str, paints: str, cars: str, chains: str, owners: str, untold: str
) -> None:
    found, told = asked(paints, cars, chains)
    assert "".join(map(str, found)) == owners, rule
    assert [n for n, sure in enumerate(told) if not sure] == [int(n) for n in untold], rule


@pytest.mark.parametrize(
    ("said", "owners"),
    [({}, "000111"), ({4: 0}, "000000"), ({0: 1}, "100111"), ({1: 2}, "222111")],
)
def test_what_a_person_says_goes_along_the_chain_and_seats_keep_their_numbers(
    said: dict[int, int], owners: str
) -> None:
    found, told = asked("......", "1R 1R 5B", "01 12 34 45", said)
    assert "".join(map(str, found)) == owners
    assert all(told[road] for road in said)
