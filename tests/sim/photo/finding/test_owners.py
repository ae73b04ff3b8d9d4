"""Whose roads they are: by paint, by cars, by the chain, and else by turns."""

from __future__ import annotations

import numpy as np

from sim.photo.finding.owners import SeenCar, owned

RED, BLUE, GREY = (200.0, 30.0, 30.0), (30.0, 70.0, 180.0), (120.0, 120.0, 120.0)
UNSEEN = (np.nan, np.nan, np.nan)


def near(count: int, *pairs: tuple[int, int]) -> list[set[int]]:
    found: list[set[int]] = [set() for _ in range(count)]
    for a, b in pairs:
        found[a].add(b)
        found[b].add(a)
    return found


def car(road: int, colour: tuple[float, float, float]) -> SeenCar:
    return SeenCar((0.0, 0.0), np.array(colour), road)


def test_paint_tells_the_owner_of_a_road_also_against_its_chain() -> None:
    paints = np.array([RED, RED, RED, BLUE, BLUE])
    owners, seats, told = owned(near(5, (0, 1), (1, 2), (2, 3)), paints, [])
    assert owners == [0, 0, 0, 1, 1]
    assert seats == 2
    assert all(told)


def test_a_road_whose_paint_is_hidden_goes_with_the_nearest_roads_of_its_chain() -> None:
    paints = np.array([RED, UNSEEN, UNSEEN, BLUE, BLUE, RED, RED])
    owners, _, told = owned(near(7, (0, 1), (2, 3), (1, 2)), paints, [])
    assert owners[:4] == [owners[5], owners[5], owners[4], owners[4]]
    assert owners[4] != owners[5]
    assert all(told)


def test_on_plain_roads_cars_tell_the_owner_of_the_roads_next_to_them() -> None:
    cars = [car(0, RED), car(0, RED), car(5, BLUE), car(5, BLUE)]
    chain = near(6, *((n, n + 1) for n in range(5)))
    owners, _, told = owned(chain, np.array([GREY] * 6), cars)
    assert owners == [0, 0, 0, 1, 1, 1]
    assert all(told)


def test_a_chain_that_nothing_tells_goes_to_who_has_the_fewest_roads_and_is_not_told() -> None:
    cars = [car(0, RED), car(0, RED), car(3, BLUE), car(3, BLUE)]
    chains = near(6, (0, 1), (1, 2), (4, 5))
    owners, seats, told = owned(chains, np.array([GREY] * 6), cars)
    assert owners == [0, 0, 0, 1, 1, 1]
    assert seats == 2
    assert told == [True, True, True, True, False, False]


def test_one_car_of_a_colour_that_no_other_has_tells_nothing() -> None:
    cars = [car(0, RED), car(0, RED), car(1, BLUE)]
    _, _, told = owned(near(2), np.array([GREY] * 2), cars)
    assert told == [True, False]


def test_stripes_that_are_half_hidden_belong_to_the_seat_of_the_full_ones() -> None:
    mixed = [tuple(0.3 * a + 0.7 * 150.0 for a in colour) for colour in (RED, BLUE)]
    paints = np.array([RED, BLUE, mixed[0], mixed[1], RED, BLUE])
    owners, seats, told = owned(near(6), paints, [])
    assert owners[0] == owners[2] == owners[4] != owners[1]
    assert owners[1] == owners[3] == owners[5]
    assert seats == 2
    assert all(told)


def test_paint_says_more_than_a_car_and_a_road_at_one_pillar() -> None:
    paints = np.array([RED, RED, BLUE, BLUE])
    owners, _, _ = owned(near(4, (1, 2)), paints, [car(1, BLUE)])
    assert owners == [0, 0, 1, 1]


def test_three_white_cars_are_a_seat_and_fewer_tell_nothing() -> None:
    white = (235.0, 235.0, 235.0)
    coloured = [car(0, RED), car(0, RED)]
    for count in (2, 3):
        cars = [*coloured, *(car(1, white) for _ in range(count))]
        _, _, told = owned(near(2), np.array([GREY] * 2), cars)
        assert told == [True, count == 3]
