"""Falls (rules 8a to 8h): each test of a fall and its threshold, what they measure, who is paid for
how many, what is put back.

Poses are handed to the judge by hand where a threshold is asked for; the last part knocks things
over with the finger.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from sim.bodies import Pose, SettleResult, Vector, compose, turn
from sim.game.ply import Attempt, judge, play
from sim.game.sources import Recorded, Simulated
from sim.referee.judgement import PoseChange, falls, owed
from sim.referee.placement import Build, Exit
from sim.referee.table import Table
from sim.referee.verdict import Fall
from tests.tables import at_rest, lay_out, moved

CAR_ON_TOP = {"B-C0": ("B-R0", 0.5)}


def flat(**options) -> Table:
    """A level road of B from (-52, 0) to (52, 0) on pillars of two discs, and a base pillar of A
    out of the way.
    """
    pillars = {"A-P0": (0, 300, 1), "B-P0": (-52, 0, 2), "B-P1": (52, 0, 2)}
    return lay_out(pillars, {"B-R0": ("B-P0", "B-P1")}, cars=CAR_ON_TOP, **options)


def after(
    table: Table,
    piece: str,
    *,
    axis: Vector = (0.0, 0.0, 1.0),
    degrees: float = 0.0,
    **shift: float,
) -> list[Fall]:
    """What fell when one piece is shifted and turned about an axis through its middle."""
    poses = at_rest(table)
    pose = moved(poses[piece], **shift)
    return list(
        falls(
            table,
            PoseChange(poses, {piece: Pose(pose.at, compose(turn(axis, degrees), pose.quat))}),
        )
    )


WAYS = (0.0, 0.7, 2.1, 4.0)
"""Bearings of a shift, in radians."""


# --- each test and its threshold ------------------------------------------------------------------

X, Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
BOX = flat().components
HIGHEST = max(BOX.car_length, BOX.car_width, BOX.car_height) / 2 + 1.0 - BOX.car_height / 2


def aside(mm: float, bearing: float) -> dict[str, float]:
    return {"dx": mm * math.cos(bearing), "dy": mm * math.sin(bearing)}


def tipped(sinks: float) -> dict[str, Any]:
    """How a road lies with one end so far below its disc's top."""
    return {"axis": Y, "degrees": math.degrees(math.asin(sinks / 104.0)), "dz": -sinks / 2}


@pytest.mark.rule("FR 9", "KR 9")
@pytest.mark.parametrize(
    ("piece", "change", "test", "measured", "allowed"),
    [
        # a disc: half its radius sideways, half its height down, ten degrees
        *(("A-P0.1", aside(4.99, bearing), None, 0, 0) for bearing in WAYS),
        *(("A-P0.1", aside(5.01, bearing), "shifted", 5.01, 5.0) for bearing in WAYS),
        ("B-P0.2", {"dz": -4.99}, None, 0, 0),
        ("B-P0.2", {"dz": -5.01}, "sank", 5.01, 5.0),
        ("A-P0.1", {"dz": 6.0}, None, 0, 0),
        *(("A-P0.1", {"axis": axis, "degrees": 9.99}, None, 0, 0) for axis in (X, Y)),
        *(("A-P0.1", {"axis": axis, "degrees": 10.01}, "tipped", 10.01, 10.0) for axis in (X, Y)),
        ("A-P0.1", {"degrees": 90.0}, None, 0, 0),
        # a road sticks out 3 mm past the axes of its discs: 3 mm and a radius along itself, half
        # its width and a radius aside; by a corner it still lies on its disc
        ("B-R0", {"dx": 12.99}, None, 0, 0),
        ("B-R0", {"dx": 13.01}, "off its disc", 0.01, 0.0),
        ("B-R0", {"dy": 14.49}, None, 0, 0),
        ("B-R0", {"dy": 14.51}, "off its disc", 0.01, 0.0),
        ("B-R0", {"dx": 12.0, "dy": 6.0}, None, 0, 0),
        ("B-R0", {"dx": 12.5, "dy": 8.0}, "off its disc", 0.124, 0.0),
        # an end below its disc by more than its thickness, or on end
        ("B-R0", tipped(1.9), None, 0, 0),
        ("B-R0", tipped(2.1), "off its disc", 2.1, 2.0),
        ("B-R0", {"axis": Y, "degrees": 90.0, "dz": 35.0}, "off its disc", 19.0, 2.0),
        # a car: its middle off the sides or an end of its road, below it, or higher than on end
        ("B-C0", {"dx": 54.99}, None, 0, 0),
        ("B-C0", {"dx": 55.01}, "off its road", 0.01, 0.0),
        ("B-C0", {"dy": 4.49}, None, 0, 0),
        ("B-C0", {"dy": 4.51}, "off its road", 0.01, 0.0),
        ("B-C0", {"axis": X, "degrees": 90.0}, None, 0, 0),
        ("B-C0", {"axis": Y, "degrees": 90.0, "dz": 3.5}, None, 0, 0),
        ("B-C0", {"dz": 0.01 - BOX.car_height / 2}, None, 0, 0),
        ("B-C0", {"dz": -0.01 - BOX.car_height / 2}, "off its road", -0.01, 8.0),
        ("B-C0", {"dz": HIGHEST - 0.01}, None, 0, 0),
        ("B-C0", {"dz": HIGHEST + 0.01}, "off its road", 8.01, 8.0),
    ],
)  # fmt: skip
def test_a_piece_fell_when_it_lost_its_role(
    piece: str, change: dict[str, Any], test: str | None, measured: float, allowed: float
) -> None:
    (fall,) = [one for one in after(flat(), piece, **change) if one.piece == piece] or [None]
    assert (fall is None) == (test is None)
    if fall is not None:
        assert (fall.test, fall.allowed) == (test, allowed)
        assert fall.measured == pytest.approx(measured, abs=0.05 if measured == 2.1 else 0.002)


@pytest.mark.rule("FR 9", "KR 9")
@pytest.mark.parametrize(
    ("shifts", "fell"),
    [
        pytest.param({"B-P0.2": {"dy": 30.0, "dz": -10.0}, "B-P0.1": {"dy": 4.0}}, ["B-P0.2"],
                     id="each disc of a stack is judged by itself"),
        pytest.param({"B-P0.2": {"dy": 40.0, "dz": -10.0}}, ["B-P0.2"],
                     id="a road that lay still while its disc left did not fall"),
        pytest.param({"B-R0": {"dy": 8.0}, "B-C0": {"dy": 8.0}}, [],
                     id="a car that rides on a road that only moved did not fall"),
        pytest.param({"B-R0": {"dy": 8.0}}, ["B-C0"], id="one that stayed behind fell"),
        pytest.param({"B-R0": {"dz": -12.0}, "B-C0": {"dz": -12.0}}, ["B-C0", "B-R0"],
                     id="a car that went down with its road fell with it"),
        pytest.param(
            {piece: {"dz": -10.0} for piece in ("B-P0.2", "B-P1.2", "B-R0", "B-C0")},
            ["B-C0", "B-P0.2", "B-P1.2", "B-R0"],
            id="and a road with its discs: else they would stay behind in the air",
        ),
    ],
)  # fmt: skip
def test_pieces_that_moved_together(shifts: dict[str, dict[str, float]], fell: list[str]) -> None:
    table = flat()
    poses = at_rest(table)
    there = {piece: moved(poses[piece], **shift) for piece, shift in shifts.items()}
    assert [fall.piece for fall in falls(table, PoseChange(poses, there))] == fell


@pytest.mark.parametrize(("degrees", "shift", "fell"), [(40.0, 0.0, []), (0.0, 20.0, ["B-R0"])])
def test_only_the_upper_end_of_a_ramp_has_a_disc_to_fall_off(
    degrees: float, shift: float, fell: list[str]
) -> None:
    """It may turn about its upper end."""
    table = lay_out({"A-P0": (0, 300, 1), "B-P0": (0, 0, 1)}, {"B-R0": ("B-P0", (109.5, 0.0))})
    (x, _, z), quat = at_rest(table)["B-R0"]
    angle = math.radians(degrees)
    at = (x * math.cos(angle) + shift, x * math.sin(angle), z)
    pose = Pose(at, compose(turn((0.0, 0.0, 1.0), degrees), quat))
    change = PoseChange(at_rest(table), {"B-R0": pose})
    assert [fall.piece for fall in falls(table, change)] == fell


@pytest.mark.parametrize("piece", ["A-P0.1", "B-R0", "B-C0"])
@pytest.mark.parametrize(
    ("change", "fell"),
    [({"dx": 1.5, "dy": 1.99}, False), ({"dx": 1.5, "dy": 2.01}, True), ({"degrees": 60.0}, False)],
)
def test_under_fall_mode_moved_only_the_distance_counts(
    piece: str, change: dict[str, float], fell: bool
) -> None:
    found = after(flat(fall_mode="moved", fall_distance=2.5), piece, **change)
    moved_by = pytest.approx(math.hypot(1.5, 2.01))
    assert [(one.piece, one.test, one.measured, one.allowed) for one in found] == [
        (piece, "moved", moved_by, 2.5)
    ] * fell


# --- who is paid for what -------------------------------------------------------------------------


def test_falls_are_counted_per_owner_clockwise_over_all_attempts_and_the_payers_own_are_free():
    pillars = {
        f"{seat}-P{n}": (60 * n, 200 * k, 2) for k, seat in enumerate("ABCD") for n in range(2)
    }
    table = lay_out(pillars, players=4, buildings=[("tower", (0, 900))])
    first = ["A-P0.1", "D-P0.1", "D-P0.2", "C-P1.2", "X0"]
    again = ["D-P0.2", "A-P1.1"]
    assert owed(table, 1, [first, again]) == ((2, 1), (3, 3), (0, 2))
    assert owed(table, 3, [first, again]) == ((0, 2), (2, 1))
    assert owed(table, 0, [["A-P0.1", "X0"]]) == ()


def test_a_stack_counts_once_an_attempt_under_penalty_unit_stack():
    table = lay_out(
        {"A-P0": (0, 0, 1), "B-P0": (60, 0, 3), "B-P1": (120, 0, 2)}, penalty_unit="stack"
    )
    assert owed(table, 0, [["B-P0.1", "B-P0.2", "B-P0.3", "B-P1.2"], ["B-P0.3"]]) == ((1, 3),)


# --- a knock, with physics ------------------------------------------------------------------------

AWAY = Build("A-P0", (105.0, 300.0), 2)


def knocked(table: Table, *points: Vector):
    pytest.importorskip("mujoco", reason="knocks are tested with the cheaper engine")
    return play(
        table,
        AWAY,
        "mujoco",
        [{"path": {"points": [list(point) for point in points], "speed": 250.0}}],
    )


def test_a_finger_through_a_pillar_fells_it_and_the_road_on_it_and_everything_is_put_back():
    table = flat()
    # as after plies that physics has judged: every pose is on record
    table = replace(table, poses=at_rest(table))
    verdict, repaired = knocked(table, (-90.0, 0.0, 1.0), (-30.0, 0.0, 1.0))
    assert verdict.built is True
    assert {fall.piece: fall.test for fall in verdict.falls}["B-R0"] == "off its disc"
    assert {"B-P0.1", "B-P0.2", "B-R0"} <= set(verdict.fallen)
    assert verdict.owed == ((1, len(verdict.fallen)),)
    assert sum(payment.total for payment in verdict.paid) == len(verdict.fallen)
    assert {piece: repaired.poses[piece] for piece in verdict.fallen} == {
        piece: table.poses[piece] for piece in verdict.fallen
    }


class Twice(Simulated):
    """Physics whose two settlings, before the cars of a road and with them, move standing pieces as
    told.
    """

    def __init__(self, *moved):
        object.__setattr__(self, "told", list(moved))
        object.__setattr__(self, "brief", False)

    def settle(self, standing, new, path):
        return SettleResult({piece.lying.id: piece.lying.pose for piece in new} | self.told.pop(0))

    def let_go_again(self, standing, seeds, known, *, patient=False):
        return SettleResult({})


def test_a_car_is_judged_on_its_road_as_a_record_has_both_at_the_end():
    """The car has slid off a road that was nudged, which then falls with the weight of a new car
    and is put back under it.
    """
    table, leave = flat(), Exit("A-P0", (0.0, 410.0))
    poses = at_rest(table)
    aside = {"B-R0": moved(poses["B-R0"], dy=3.0), "B-C0": moved(poses["B-C0"], dy=-3.0)}
    assert [fall.piece for fall in falls(table, PoseChange(poses, aside))] == ["B-C0"]
    down = {"B-R0": moved(poses["B-R0"], dy=30.0, dz=-15.0)}
    verdict, repaired, _ = judge(table, leave, [Attempt(Twice(aside, down))])
    assert verdict.fallen == ("B-R0",)
    assert verdict.moved is not None
    told, same, _ = judge(table, leave, [Attempt(Recorded(SettleResult(verdict.moved)))])
    assert (told.fallen, told.paid, same.digest()) == (
        verdict.fallen,
        verdict.paid,
        repaired.digest(),
    )
