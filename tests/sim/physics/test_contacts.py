"""Contacts from geometry: the right points, normals and gaps, for the ways in which pieces of the
game touch.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from sim.bodies import (
    Body,
    Box,
    Cylinder,
    Pose,
    Quaternion,
    Vector,
    from_axes,
    rotate,
    rotation_matrix,
    turn,
)
from sim.physics.contacts import Contact, contacts
from sim.physics.drop import rest_car, rest_road
from sim.pieces import Components

BOX = Components.named("estimate-2018")
R, H, T = BOX.disc_radius, BOX.disc_height, BOX.road_thickness


def disc(name: str, x: float, y: float, bottom: float) -> Body:
    return BOX.body(name, "disc", Pose((x, y, bottom + H / 2)))


def block(name: str, size: Vector, pose: Pose, mass: float = 1.0) -> Body:
    return Body(name, "road", Box(size), pose, mass, 0.35)


def of(found: tuple[Contact, ...], upper: str, lower: str | None) -> list[Contact]:
    return [contact for contact in found if (contact.upper, contact.lower) == (upper, lower)]


def points(found: list[Contact]) -> npt.NDArray[np.float64]:
    return np.array([contact.point for contact in found])


def test_a_disc_touches_the_table_all_round_its_rim() -> None:
    found = contacts([disc("a", 3.0, 4.0, 0.0)])
    at = points(of(found, "a", None))
    assert len(found) == len(at) == 32
    assert np.hypot(at[:, 0] - 3, at[:, 1] - 4) == pytest.approx(R)
    assert all(
        contact.normal == (0.0, 0.0, 1.0) and contact.mu == BOX.friction for contact in found
    )


@pytest.mark.parametrize("degrees", [0.0, 11.0, 77.0, 200.0])
def test_discs_touch_in_the_lens_they_share(degrees: float) -> None:
    u = np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees))])
    found = contacts([disc("a", 0, 0, 0), disc("b", float(6 * u[0]), float(6 * u[1]), H)])
    at = points(of(found, "b", "a"))
    along = at[:, :2] @ u
    assert along.max() == pytest.approx(R, abs=1e-6), (
        "the rim of the lower disc, in the direction of the upper one"
    )
    assert along.min() == pytest.approx(6 - R, abs=1e-6)
    assert np.abs(at[:, :2] @ [-u[1], u[0]]).max() == pytest.approx(math.sqrt(R**2 - 9), abs=0.1)
    assert at[:, 2] == pytest.approx(H)


@pytest.mark.parametrize("yaw", [0.0, 30.0, 133.0])
def test_a_sloping_road_touches_the_rim_of_the_high_disc_in_one_place_and_the_low_one_with_its_edge(
    yaw: float,
) -> None:
    u = np.array([math.cos(math.radians(yaw)), math.sin(math.radians(yaw))])
    pillars = [
        disc("low", 0, 0, 0),
        *(disc(f"high{k}", float(112 * u[0]), float(112 * u[1]), k * H) for k in range(2)),
    ]
    road = BOX.body("road", "road", rest_road((56 * u[0], 56 * u[1]), yaw, pillars, BOX))
    found = contacts([*pillars, road])
    up = rotate(road.pose.quat, (0.0, 0.0, 1.0))
    rim, edge = of(found, "road", "high1"), of(found, "road", "low")
    near = points(rim)[:, :2] @ u
    assert near == pytest.approx(112 - R, abs=0.25)
    assert (
        min(math.dist(p, (*((112 - R) * u).tolist(), 2 * H)) for p in points(rim).tolist()) < 1e-3
    )
    assert all(contact.normal == pytest.approx(up, abs=1e-6) for contact in rim)
    assert 1.0 < np.ptp(points(rim)[:, :2] @ [-u[1], u[0]]) < 4.5, (
        "an arc, as wood gives way by hundredths of a millimetre"
    )
    across = points(edge)[:, :2] @ [-u[1], u[0]]
    assert [across.min(), across.max()] == pytest.approx(
        [-BOX.road_width / 2, BOX.road_width / 2], abs=1e-3
    )
    start = np.array(road.pose.at) - np.array(
        rotate(road.pose.quat, (BOX.road_length / 2, 0, T / 2))
    )
    assert points(edge)[:, :2] @ u == pytest.approx(start[:2] @ u, abs=0.25), (
        "0.02 mm high, a wedge of 5.6 degrees is 0.2 mm long"
    )
    assert all(contact.normal == pytest.approx((0, 0, 1), abs=1e-6) for contact in edge)


def test_a_car_stands_on_a_sloping_road_with_its_four_corners() -> None:
    pillars = [disc("low", 0, 0, 0), disc("high0", 112, 0, 0), disc("high1", 112, 0, H)]
    road = BOX.body("road", "road", rest_road((56, 0), 0, pillars, BOX))
    car = BOX.body("car", "car", rest_car(road, 0.4, 0.5, BOX))
    found = of(contacts([*pillars, road, car]), "car", "road")
    corners = [
        tuple(np.add(car.pose.at, rotate(car.pose.quat, (x, y, -BOX.car_height / 2))))
        for x in (-BOX.car_length / 2, BOX.car_length / 2)
        for y in (-BOX.car_width / 2, BOX.car_width / 2)
    ]
    assert sorted(contact.point for contact in found) == [
        pytest.approx(corner, abs=1e-6) for corner in sorted(corners)
    ]


def test_level_sticks_that_cross_share_a_rectangle() -> None:
    lower = block("lower", (110, 9, 2), Pose((0, 0, 1)))
    upper = block("upper", (110, 9, 2), Pose((0, 0, 3), turn((0, 0, 1), 90)))
    at = points(of(contacts([lower, upper]), "upper", "lower"))
    assert sorted(map(tuple, at.round(6).tolist())) == [
        (-4.5, -4.5, 2),
        (-4.5, 4.5, 2),
        (4.5, -4.5, 2),
        (4.5, 4.5, 2),
    ]


def test_a_stick_that_slopes_over_another_ones_edge_rests_on_that_edge() -> None:
    lower = block("lower", (110, 9, 2), Pose((0, 0, 1), turn((0, 0, 1), 90)))
    quat = from_axes(0, 10)
    up = np.array(rotate(quat, (0, 0, 1)))
    # rising from there, over the rest
    centre = np.array([-4.5, 0, 2]) + up + 20 * np.array(rotate(quat, (1, 0, 0)))
    upper = block("upper", (110, 9, 2), Pose(tuple(centre.tolist()), quat))
    found = of(contacts([lower, upper]), "upper", "lower")
    deepest = {
        tuple(np.round(contact.point, 6).tolist()) for contact in found if contact.gap < 1e-6
    }
    assert deepest == {(-4.5, -4.5, 2), (-4.5, 4.5, 2)}
    assert points(found)[:, 0] == pytest.approx(-4.5, abs=0.12), (
        "0.02 mm high, a wedge of 10 degrees is 0.11 mm long"
    )
    assert all(contact.normal == pytest.approx(up.tolist(), abs=1e-6) for contact in found)


def test_a_disc_beside_a_building_touches_along_a_line_and_the_building_is_below() -> None:
    building = BOX.building_body("X0", "tower", Pose((0, 0, 45)))
    found = of(contacts([disc("a", 17.5 + R, 3, 0), building]), "a", "X0")
    assert all(contact.normal == pytest.approx((1, 0, 0)) for contact in found)
    assert {round(contact.point[2], 6) for contact in found} == {0.0, H}
    assert points(found)[:, 1] == pytest.approx(3, abs=0.06)


def test_discs_side_by_side_touch_along_a_line() -> None:
    found = of(contacts([disc("a", 0, 0, 0), disc("b", 12, 16, 0)]), "a", "b")
    assert points(found)[:, :2] == pytest.approx(np.broadcast_to([6, 8], (len(found), 2)), abs=0.06)
    assert {round(contact.point[2], 6) for contact in found} == {0.0, H}


def test_a_stick_over_a_lying_disc_and_one_under_another_are_told_apart() -> None:
    # of a stick and the side of a disc either may be on top, also within one call
    lying = turn((1.0, 0.0, 0.0), 90.0)
    radius, half = BOX.disc_radius, BOX.road_thickness / 2
    under = [
        BOX.body("a", "disc", Pose((0.0, 0.0, radius), lying)),
        BOX.body("b", "road", Pose((0.0, 0.0, 2 * radius + half))),
    ]
    over = [
        BOX.body("c", "road", Pose((300.0, 0.0, half))),
        BOX.body("d", "disc", Pose((300.0, 0.0, 2 * half + radius), lying)),
    ]
    found = contacts([*under, *over])
    for upper, lower, alone in (("b", "a", under), ("d", "c", over)):
        assert of(found, upper, lower) == of(contacts(alone), upper, lower) != []


def test_a_tilted_disc_touches_the_table_at_its_lowest_point() -> None:
    quat = turn((0, 1, 0), 20)  # the +x side goes down
    height = H / 2 * math.cos(math.radians(20)) + R * math.sin(math.radians(20))
    found = contacts([BOX.body("a", "disc", Pose((0, 0, height), quat))])
    x = R * math.cos(math.radians(20)) - H / 2 * math.sin(math.radians(20))
    lowest = min(found, key=lambda contact: contact.gap)
    assert lowest.point == pytest.approx((x, 0, 0), abs=1e-6)
    assert all(contact.gap < 0.0201 and abs(contact.point[1]) < 1.1 for contact in found)


def test_the_tolerance_decides() -> None:
    pair = [disc("a", 0, 0, 0), disc("b", 0, 0, H + 0.04)]
    assert len(of(contacts(pair), "b", "a")) == 32
    assert of(contacts(pair, tolerance=0.03), "b", "a") == []
    assert all(contact.gap == pytest.approx(0.04) for contact in of(contacts(pair), "b", "a"))


@pytest.mark.parametrize(("sunk", "touches"), [(0.09, True), (0.11, False)])
def test_a_road_that_kept_its_pose_still_lies_on_a_road_end_that_sank_a_little(
    sunk: float, touches: bool
) -> None:
    # a world leaves what moved less than its tolerances where it was: a tenth of a millimetre at a
    # road's end
    lower = BOX.body("a", "road", Pose((0.0, 0.0, 1.0 - sunk)))
    upper = BOX.body("b", "road", Pose((100.0, 0.0, 3.0)))
    assert bool(of(contacts([lower, upper]), "b", "a")) is touches


def test_what_never_moves_is_not_asked() -> None:
    ground = [BOX.building_body(f"X{k}", "block", Pose((50.0 * k, 0, 22.5))) for k in range(2)]
    assert contacts(ground) == ()
    assert contacts([]) == ()


def support(body: Body, d: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """How far the body reaches along unit directions d (n, 3), measured from the origin."""
    local = d @ rotation_matrix(body.pose.quat)
    if isinstance(body.shape, Cylinder):
        reach = (
            np.hypot(local[:, 0], local[:, 1]) * body.shape.radius
            + np.abs(local[:, 2]) * body.shape.height / 2
        )
    else:
        reach = np.abs(local) @ np.array(body.shape.size) / 2
    return np.asarray(d @ np.array(body.pose.at) + reach)


def touching_height(lower: Body, upper: Body) -> float:
    """The height of `upper`'s centre at which it just touches `lower`, by brute force over
    directions, then refined.
    """
    rng = np.random.default_rng(7)
    d = rng.normal(size=(40_000, 3))
    for spread in (0.05, 0.01, 0.002, 4e-4, 1e-4, 2e-5, 5e-6, 0.0):
        d /= np.linalg.norm(d, axis=1)[:, None]
        d = d[d[:, 2] > 0.05]
        # apart along d as soon as height * d_z exceeds how far both reach towards each other
        needed = (support(lower, d) + support(upper, -d)) / d[:, 2]
        best = d[np.argsort(needed)[:20]]
        d = np.concatenate(
            [best, np.repeat(best, 200, axis=0) + spread * rng.normal(size=(200 * len(best), 3))]
        )
    return float(needed.min())


def lift(body: Body, by: float) -> Body:
    x, y, z = body.pose.at
    return body.at(Pose((x, y, z + by), body.pose.quat))


def some_quat(rng: np.random.Generator) -> Quaternion:
    x, y, z, w = (q := rng.normal(size=4)) / np.linalg.norm(q)
    return (float(x), float(y), float(z), float(w))


@pytest.mark.parametrize("case", range(12))
@pytest.mark.parametrize("shapes", ["box on box", "box on disc", "disc on box"])
def test_a_touch_is_found_whatever_the_orientation(shapes: str, case: int) -> None:
    rng = np.random.default_rng(case)
    kinds: dict[str, Box | Cylinder] = {"box": Box((40.0, 9.0, 5.0)), "disc": Cylinder(R, H)}
    top, bottom = (kinds[name] for name in shapes.split(" on "))
    lower = Body("lower", "road", bottom, Pose((0, 0, 0), some_quat(rng)), 1.0, 0.35)
    upper = Body(
        "upper",
        "road",
        top,
        Pose((*rng.uniform(-3, 3, 2).tolist(), 0.0), some_quat(rng)),
        1.0,
        0.35,
    )
    upper = lift(upper, touching_height(lower, Body("u", "road", top, upper.pose, 1.0, 0.35)))
    lower, upper = lift(lower, 100), lift(upper, 100)
    found = contacts([lower, upper])
    assert found, "they touch"
    assert min(contact.gap for contact in found) == pytest.approx(0.0, abs=0.03)
    n = np.array(found[0].normal)[None] * (1 if found[0].upper == "upper" else -1)
    assert support(lower, n)[0] + support(upper, -n)[0] == pytest.approx(0.0, abs=0.03), (
        "the normal separates them"
    )
    assert contacts([lower, lift(upper, 0.5)], tolerance=0.02) == ()
