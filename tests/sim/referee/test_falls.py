"""Falls (rules 8a to 8h): each test of a fall and its threshold, what they measure, who is paid for
how many, what is put back.

Poses are handed to the judge by hand where a threshold is asked for; the last part knocks things
over with the finger.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from sim.bodies import Pose, Vector, compose, turn
from sim.game.attempts.attempt import Attempt
from sim.game.ply import judge, play
from sim.game.sources import Recorded, Simulated
from sim.referee.judgement import PoseChange, falls, owed
from sim.referee.placement import Build, Exit
from sim.referee.table import Table
from sim.referee.verdict import Fall
from sim.settling import SettleResult
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


def of(found: list[Fall], piece: str) -> Fall | None:
    return next((fall for fall in found if fall.piece == piece), None)


# --- discs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("bearing", [0.0, 0.7, 2.1, 4.0])
def test_a_disc_that_moved_more_than_half_its_radius_sideways_fell(bearing):
    way = {"dx": math.cos(bearing), "dy": math.sin(bearing)}
    assert after(flat(), "A-P0.1", **{axis: 4.99 * share for axis, share in way.items()}) == []
    (fall,) = after(flat(), "A-P0.1", **{axis: 5.01 * share for axis, share in way.items()})
    assert (fall.piece, fall.test, fall.allowed) == ("A-P0.1", "shifted", 5.0)
    assert fall.measured == pytest.approx(5.01)


def test_a_disc_that_sank_more_than_half_its_height_fell():
    assert of(after(flat(), "B-P0.2", dz=-4.99), "B-P0.2") is None
    fall = of(after(flat(), "B-P0.2", dz=-5.01), "B-P0.2")
    assert fall is not None
    assert (fall.test, fall.allowed) == ("sank", 5.0)
    assert fall.measured == pytest.approx(5.01)


def test_a_disc_that_was_lifted_did_not_sink():
    assert after(flat(), "A-P0.1", dz=6.0) == []


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.6, -0.8, 0.0)])
def test_a_disc_that_tilted_by_more_than_ten_degrees_fell(axis):
    assert after(flat(), "A-P0.1", axis=axis, degrees=9.99) == []
    (fall,) = after(flat(), "A-P0.1", axis=axis, degrees=10.01)
    assert (fall.piece, fall.test, fall.allowed) == ("A-P0.1", "tipped", 10.0)
    assert fall.measured == pytest.approx(10.01)


def test_a_disc_may_turn_about_itself():
    assert after(flat(), "A-P0.1", degrees=90.0) == []


def test_each_disc_of_a_stack_is_judged_by_itself():
    """The upper disc went far, the lower a little: only the upper one fell."""
    table = flat()
    poses = at_rest(table)
    away = {
        "B-P0.2": moved(poses["B-P0.2"], dy=30.0, dz=-10.0),
        "B-P0.1": moved(poses["B-P0.1"], dy=4.0),
    }
    assert [fall.piece for fall in falls(table, PoseChange(poses, away))] == ["B-P0.2"]


# --- roads ----------------------------------------------------------------------------------------


def test_a_road_fell_when_an_end_no_longer_lies_over_its_disc():
    """Its ends stick out 3 mm past the discs' axes: pushed along itself, one is off the disc after
    3 mm and a radius.
    """
    assert of(after(flat(), "B-R0", dx=12.99), "B-R0") is None
    fall = of(after(flat(), "B-R0", dx=13.01), "B-R0")
    assert fall is not None
    assert (fall.test, fall.allowed) == ("off its disc", 0.0)
    assert fall.measured == pytest.approx(0.01)


def test_a_road_fell_when_it_went_off_sideways():
    """Half its own width and a radius from axis to axis."""
    assert of(after(flat(), "B-R0", dy=14.49), "B-R0") is None
    assert of(after(flat(), "B-R0", dy=14.51), "B-R0") is not None


def test_a_road_still_lies_on_a_disc_by_a_corner():
    """9 mm short and 6 mm aside: the middle of the end edge is further away than a radius, its near
    part is not.
    """
    assert of(after(flat(), "B-R0", dx=12.0, dy=6.0), "B-R0") is None
    assert of(after(flat(), "B-R0", dx=12.5, dy=8.0), "B-R0") is not None


def test_a_road_fell_when_an_end_hangs_below_its_disc_by_more_than_its_thickness():
    def tipped(sinks: float) -> Fall | None:
        """One end sinks below its disc's top, the other stays."""
        degrees = math.degrees(math.asin(sinks / 104.0))
        return of(
            after(flat(), "B-R0", axis=(0.0, 1.0, 0.0), degrees=degrees, dz=-sinks / 2), "B-R0"
        )

    assert tipped(1.9) is None
    fall = tipped(2.1)
    assert fall is not None
    assert (fall.test, fall.allowed) == ("off its disc", 2.0)
    assert fall.measured == pytest.approx(2.1, abs=0.05)


def test_a_road_fell_when_it_stands_on_end():
    assert (
        of(after(flat(), "B-R0", axis=(0.0, 1.0, 0.0), degrees=90.0, dz=35.0), "B-R0") is not None
    )


def test_a_road_that_lay_still_while_its_disc_left_did_not_fall():
    """The disc is put back under it."""
    assert [fall.piece for fall in after(flat(), "B-P0.2", dy=40.0, dz=-10.0)] == ["B-P0.2"]


def test_only_the_upper_end_of_a_ramp_has_a_disc_to_fall_off():
    table = lay_out({"A-P0": (0, 0, 1), "B-P0": (0, 300, 1)}, {"B-R0": ("B-P0", (109.5, 300.0))})
    poses = at_rest(table)

    def turned_about_its_top(degrees: float) -> list[str]:
        twist, road = turn((0.0, 0.0, 1.0), degrees), poses["B-R0"]
        far = road.at[0]
        at = (
            far * math.cos(math.radians(degrees)),
            300 + far * math.sin(math.radians(degrees)),
            road.at[2],
        )
        return [
            fall.piece
            for fall in falls(
                table, PoseChange(poses, {"B-R0": Pose(at, compose(twist, road.quat))})
            )
        ]

    assert turned_about_its_top(40.0) == []
    assert [fall.piece for fall in after(table, "B-R0", dx=20.0)] == ["B-R0"]


# --- cars -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("axis", "reach"), [("dx", 55.0), ("dy", 4.5)])
def test_a_car_fell_when_its_middle_left_its_road(axis, reach):
    assert after(flat(), "B-C0", **{axis: reach - 0.01}) == []
    (fall,) = after(flat(), "B-C0", **{axis: reach + 0.01})
    assert (fall.piece, fall.test, fall.allowed) == ("B-C0", "off its road", 0.0)
    assert fall.measured == pytest.approx(0.01)


def test_a_car_on_its_side_or_its_nose_is_still_on_its_road():
    assert after(flat(), "B-C0", axis=(1.0, 0.0, 0.0), degrees=90.0) == []
    assert after(flat(), "B-C0", axis=(0.0, 1.0, 0.0), degrees=90.0, dz=3.5) == []


def test_a_car_below_its_road_fell():
    (fall,) = after(flat(), "B-C0", dz=-9.0)
    assert (fall.piece, fall.test) == ("B-C0", "off its road")


def test_a_car_fell_when_its_middle_is_below_its_road_or_higher_than_on_end():
    box = flat().components
    lies = box.car_height / 2
    stands = max(box.car_length, box.car_width, box.car_height) / 2 + 1.0
    for inside, outside in (
        (0.01 - lies, -0.01 - lies),
        (stands - lies - 0.01, stands - lies + 0.01),
    ):
        assert after(flat(), "B-C0", dz=inside) == []
        assert [fall.piece for fall in after(flat(), "B-C0", dz=outside)] == ["B-C0"]


def test_a_car_that_rides_on_a_road_which_only_moved_did_not_fall():
    table = flat()
    poses = at_rest(table)
    both = {piece: moved(poses[piece], dy=8.0) for piece in ("B-R0", "B-C0")}
    assert falls(table, PoseChange(poses, both)) == ()
    assert [fall.piece for fall in falls(table, PoseChange(poses, {"B-R0": both["B-R0"]}))] == [
        "B-C0"
    ]


# --- fall_mode = moved ----------------------------------------------------------------------------


@pytest.mark.parametrize("piece", ["A-P0.1", "B-R0", "B-C0"])
def test_under_fall_mode_moved_only_the_distance_counts(piece):
    table = flat(fall_mode="moved", fall_distance=2.5)
    assert after(table, piece, dx=1.5, dy=1.99) == []
    (fall,) = after(table, piece, dx=1.5, dy=2.01)
    assert (fall.piece, fall.test, fall.allowed) == (piece, "moved", 2.5)
    assert fall.measured == pytest.approx(math.hypot(1.5, 2.01))
    assert after(table, piece, degrees=60.0) == []


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


def test_what_was_settled_by_physics_is_put_back_bit_for_bit():
    """Repaired from the record: the pose of an earlier verdict, not the nominal one."""
    table = flat()
    poses = at_rest(table, AWAY)
    lay = {piece: pose for piece, pose in poses.items() if piece not in table.piece_ids}
    nudged = moved(poses["B-P0.2"], dx=0.123456789)
    _, table, _ = judge(table, AWAY, [Attempt(Recorded({**lay, "B-P0.2": nudged}))])
    felled = moved(nudged, dy=40.0, dz=-10.0)
    back = Build("B-P1", (157.0, 0.0), 3)
    lay = {
        piece: pose for piece, pose in at_rest(table, back).items() if piece not in table.piece_ids
    }
    verdict, repaired, _ = judge(table, back, [Attempt(Recorded({**lay, "B-P0.2": felled}))])
    assert verdict.fallen == ("B-P0.2",)
    assert verdict.moved is not None
    assert verdict.moved["B-P0.2"] == felled  # the record says where it lay
    assert repaired.poses["B-P0.2"] == nudged  # the table goes on without the fall


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
    told, same, _ = judge(table, leave, [Attempt(Recorded(verdict.moved))])
    assert (told.fallen, told.paid, same.digest()) == (
        verdict.fallen,
        verdict.paid,
        repaired.digest(),
    )


def test_a_finger_that_passes_by_fells_nothing():
    verdict, _ = knocked(flat(), (-90.0, 40.0, 1.0), (-30.0, 40.0, 1.0))
    assert (verdict.fallen, verdict.touched, verdict.owed) == ((), (), ())
