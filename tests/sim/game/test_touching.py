"""The settled table judges (rules 4d, 4h, 6b and 7n): what a new piece touches, ramps that hang,
cars that do not stay.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules import record as records
from sim.bodies import Pose, SettleResult
from sim.game import replay
from sim.game.attempts.posing import bodies, lay
from sim.game.attempts.reading import breaches
from sim.game.ply import Attempt, judge, play
from sim.game.sources import Recorded
from sim.physics import engines
from sim.physics.engine import NotSettledError, Run, SettleParams
from sim.physics.world import World
from sim.referee.placement import Build, CarSpot
from sim.referee.table import Table
from tests.tables import CROSSED, at_rest, build, exit_to, lay_out, moved

HERE = engines.available()

# A comes down the line y = 0; B crosses it some way behind A-P1, a thickness and a little above the
# straight line
LOW_BRIDGE = {"A-P0": (-100, 0, 1), "A-P1": (0, 0, 2), "B-P0": (30, -40, 3), "B-P1": (30, 60, 2)}
ROADS = {"A-R0": ("A-P0", "A-P1"), "B-R0": ("B-P0", "B-P1")}


def under(table, **options):
    return play(lay_out(table, ROADS, **options), build("A-P1", 100, 0, 3, cars=[]), HERE[0])[0]


# --- what touches what ----------------------------------------------------------------------------


@pytest.mark.rule("FR 5.4", "KR 5.4")
@pytest.mark.parametrize("engine", HERE)
def test_a_road_raised_by_its_predecessors_end_may_not_touch_the_road_it_passes(engine):
    table, placement = lay_out(LOW_BRIDGE, ROADS), build("A-P1", 100, 0, 3)
    straight, _ = play(table, placement, "none")
    assert (straight.built, straight.earned) == (True, 1)
    verdict, after = play(table, placement, engine)
    assert (verdict.built, verdict.earned, verdict.falls, verdict.owed) == (False, 0, (), ())
    assert [(breach.piece, breach.kind, breach.other) for breach in verdict.breaches] == [
        ("A-R1", "touches", "B-R0")
    ]
    assert after.roads == table.roads


def test_what_passes_clear_when_it_has_come_to_rest_is_no_breach():
    verdict = under({**LOW_BRIDGE, "B-P0": (30, -40, 4), "B-P1": (30, 60, 3)})
    assert (verdict.built, verdict.breaches) == (True, ())
    assert [(crossing.side, crossing.scores) for crossing in verdict.crossings] == [("under", True)]


ALONE = {"A-P0": (-100, 0, 1), "A-P1": (0, 0, 2), "B-P0": (0, 300, 1)}
LAID, ON = build("A-P1", 100, 0, 3), {"A-R0": ("A-P0", "A-P1")}
CROSSING = {**ALONE, "B-P1": (50, -55, 1), "B-P2": (50, 55, 1)}
ABOVE = {**ALONE, "A-P2": (40, -60, 4), "A-P3": (40, 44, 4), "A-P4": (-100, 80, 1)}
BOTH = {**ON, "B-R0": ("B-P1", "B-P2")}
LONE = lay_out({"A-P0": (0, 0, 1), "B-P0": (0, 300, 1)})
OUT = exit_to("A-P0", 109.5, 0)


def beside(gap: float) -> Table:
    return lay_out({**ALONE, "B-P1": (120 + gap, 0, 3)}, ON)


def with_car(**options: Any) -> Table:
    return lay_out(CROSSING, BOTH, cars={"B-C0": ("B-R0", 0.5)}, **options)


RAISED = {"B-C0": (0, 0, 10.5)}  # right against the underside of the new road
HANGS = {"A-R0": Pose((55.0, 0.0, 20.0), (0.0, 0.0, 0.0, 1.0))}


@pytest.mark.rule("FR 5.2", "KR 5.2", "FR 8", "KR 8")
@pytest.mark.parametrize(
    ("table", "placement", "others", "found"),
    [
        pytest.param(lay_out(ALONE, ON), LAID, {}, [], id="own roads touch at their pillar"),
        pytest.param(lay_out(ABOVE, {**ON, "A-R1": ("A-P2", "A-P3")}), LAID, {}, [],
                     id="an own road well above"),
        pytest.param(lay_out(ABOVE, {**ON, "A-R1": ("A-P2", "A-P3")}), LAID,
                     {"A-R1": (0, 0, -13.6)}, [("A-R2", "touches", "A-R1")],
                     id="an own road away from the shared pillar"),
        pytest.param(beside(0.04), LAID, {}, [("A-P2.1", "touches", "B-P1.1"),
                                              ("A-P2.2", "touches", "B-P1.2"),
                                              ("A-P2.3", "touches", "B-P1.3")],
                     id="a gap under a twentieth of a mm touches"),
        pytest.param(beside(0.06), LAID, {}, [], id="one above does not"),
        pytest.param(lay_out(ALONE, ON, buildings=[("tower", (127.52, 0.0))]), LAID, {},
                     [("A-P2.1", "touches", "X0")], id="a building"),
        pytest.param(with_car(), LAID, RAISED, [("A-R1", "touches", "B-C0")], id="a car"),
        pytest.param(with_car(touch_cars="legal"), LAID, RAISED, [],
                     id="a car where the rules let it (touch_cars)"),
        pytest.param(LONE, OUT, {}, [], id="a ramp on the table"),
        pytest.param(LONE, OUT, HANGS, [("A-R0", "off the table", None)], id="a hanging ramp"),
    ],
)  # fmt: skip
def test_what_a_new_piece_touches_where_it_lies_or_a_hanging_ramp_is_a_breach(
    table, placement, others, found
):
    """`others` lie so many mm elsewhere than geometry rests them, or at a pose."""
    grown, poses = table.with_pieces(placement), at_rest(table, placement)
    for piece, shift in others.items():
        poses[piece] = shift if isinstance(shift, Pose) else moved(poses[piece], *shift)
    new = set(grown.piece_ids) - set(table.piece_ids)
    told = breaches(replace(grown, poses=poses), new)
    assert {(one.piece, one.kind, one.other) for one in told} >= {*found}
    assert bool(told) is bool(found)
    assert {one.mm for one in told if one.kind == "off the table"} <= {19.0}


# --- cars -----------------------------------------------------------------------------------------

ACROSS = {"A-P0": (-50, 0, 2), "B-P0": (0, -50, 1), "B-P1": (0, 50, 1)}


def crossing(along: float = 0.3, **options):
    """A is about to cross B's low road and put a car down."""
    return lay_out(ACROSS, {"B-R0": ("B-P0", "B-P1")}, **options), build(
        "A-P0", 50, 0, 3, cars=[along]
    )


SLIP = ({"piece": "A-C0", "shift": [0.0, 6.0, 2.0], "turn": [0.0, 0.0, 0.0]},)


@pytest.mark.rule("FR 9", "KR 9")
@pytest.mark.parametrize("engine", HERE)
def test_a_new_car_that_falls_is_put_back_elsewhere_on_its_road(engine):
    table, placement = crossing()
    verdict, after = play(table, placement, engine, SLIP)
    assert (verdict.built, verdict.cars, verdict.owed) == (True, ("A-C0",), ())
    assert [fall.piece for fall in verdict.falls] == []
    (moved,) = verdict.put_back
    assert (moved.car, moved.was, moved.now) == ("A-C0", CarSpot(0.3), verdict.spots[0])
    assert moved.now != moved.was
    assert after.stocks[0].cars == table.stocks[0].cars - 1


@pytest.mark.parametrize("engine", HERE)
def test_a_car_that_stands_nowhere_goes_back_to_the_stock(engine):
    pillars = {"A-P0": (-48, 0, 2), "B-P0": (0, -50, 1), "B-P1": (0, 50, 1)}
    table = lay_out(pillars, {"B-R0": ("B-P0", "B-P1")})
    # 40 mm on 92: friction holds to 19 degrees
    steep = Build("A-P0", (44.0, 0.0), 6, True, (CarSpot(0.3),))
    verdict, after = play(table, steep, engine)
    assert (verdict.built, verdict.earned, verdict.spots) == (True, 1, ())
    assert [(one.car, one.now) for one in verdict.put_back] == [("A-C0", None)]
    assert verdict.fallen == ("A-C0",)
    assert after.stocks[0].cars == table.stocks[0].cars


def test_without_a_redo_a_fallen_car_is_not_put_back_elsewhere():
    table, placement = crossing(redo=0)
    verdict, _ = play(table, placement, HERE[0], SLIP)
    assert (verdict.spots, [one.now for one in verdict.put_back]) == ((), [None])


class Nudging:
    """An engine whose runs with the new road leave pieces so many mm further, run by run."""

    name, version, params = "nudging", "1", "0" * 16

    def __init__(self, *runs: dict[str, tuple[float, float, float]]) -> None:
        self.runs = iter(runs)

    def run(self, bodies, free, settle, path=None, watch=None, speeds=None):
        run = engines.engine(HERE[0]).run(bodies, free, settle, path, watch, speeds)
        there = {body.id: body.at(run.poses.get(body.id, body.pose)) for body in bodies}
        further = next(self.runs, {}) if "A-R0" in there else {}
        further = {piece: there[piece].moved(*by).pose for piece, by in further.items()}
        return replace(run, poses=run.poses | further)


def test_a_car_that_has_no_place_while_its_road_rocks_is_put_on_when_it_rests():
    table = lay_out({"A-P0": (0, 0, 1), "B-P1": (60, -55, 2), "B-P2": (60, 55, 2)}, CROSSED)
    rocking = Nudging({"A-R0": (0.0, 0.0, 0.15)})
    verdict, _ = play(table, build("A-P0", 105, 0, 4, junction=True), rocking)
    assert verdict.cars == ("A-C0",)


def test_new_pieces_come_off_where_room_for_them_would_make_old_ones_fall():
    """The new pillar comes to rest where B-P0 stood, which cannot be set right beneath its road."""
    table = lay_out(
        {"A-P0": (0, 0, 1), "B-P0": (121.5, 0, 1), "B-P1": (221.5, 0, 1)},
        {"B-R0": ("B-P0", "B-P1")},
    )
    crowding = {"A-P1.1": (3.0, 0.0, 0.0), "A-P1.2": (3.0, 0.0, 0.0), "B-P0.1": (4.0, 0.0, 0.0)}
    restless = [{"A-P0.1": (0.0, 0.1, 0.0)}, {"A-P0.1": (0.0, -0.1, 0.0)}]
    verdict, after = play(
        table, build("A-P0", 100, 0, 2, cars=[]), Nudging(crowding, *8 * restless)
    )
    assert (verdict.built, verdict.fallen, after.poses) == (False, (), table.poses)


# --- pieces that do not come to rest --------------------------------------------------------------


class Fidget:
    """An engine in which everything free creeps on and is never quiet."""

    name, version, params = "fidget", "1", "0" * 16

    def run(self, bodies, free, settle, path=None, watch=None, speeds=None):
        poses = {body.id: body.moved(0.2, 0.0, 0.0).pose for body in bodies if body.id in free}
        return Run(poses, (), settle.time_limit, False, tuple(sorted(free)))


def test_what_is_not_quiet_when_time_is_up_settles_on_from_there():
    table, placement = crossing()
    new = [one.release for one in lay(table, table.with_pieces(placement), {})]
    world = World(bodies(table), Fidget(), SettleParams(time_limit=6.0, patience=2.5))
    world.place(*new)
    found = world.settle()
    assert (found.quiet, found.seconds) == (False, 8.5)
    start = next(body.pose.at[0] for body in new if body.id == "A-R0")
    assert found.poses["A-R0"].at[0] == pytest.approx(start + 0.4)


def test_a_table_that_cannot_be_brought_to_rest_is_no_verdict():
    with pytest.raises(NotSettledError, match="never comes to rest"):
        play(*crossing(), Fidget())


def test_pieces_that_still_moved_by_the_record_are_told():
    table, placement = crossing()
    poses = at_rest(table, placement)
    came = SettleResult(
        {piece: poses[piece] for piece in ("A-P1.1", "A-P1.2", "A-P1.3", "A-R0")},
        restless=("A-R0",),
    )
    verdict, _, _ = judge(table, placement, [Attempt(Recorded(came))])
    assert verdict.restless == ("A-R0",)


# --- games that people watched --------------------------------------------------------------------


def test_tries_of_a_watched_game_failed_and_what_fell_in_each_is_paid(tmp_path):
    path = tmp_path / "watched.jsonl"
    path.write_text(
        """{"record":"shutoko","version":[1,0],"game":"tokyo-highway","players":["a","b"],"start":{"pillars":[\
{"id":"A-P0","at":[-50,0],"discs":2},{"id":"B-P0","at":[0,-50],"discs":1},{"id":"B-P1","at":[0,50],"discs":1}],\
"roads":[{"id":"B-R0","from":"B-P0","to":"B-P1"}],"cars":[{"id":"B-C0","on":"B-R0","along":0.1}]},"observed":true}
{"ply":0,"by":0,"do":{"build":{"from":"A-P0","pillar":[50,0],"discs":3}},"observed":{"fallen":["B-C0"]},\
"tries":[{"got":{"fallen":["B-R0","B-C0"]}}]}
""",
        encoding="utf-8",
    )
    (step,) = replay.steps(records.read(path))
    assert (step.verdict.built, step.verdict.owed, step.verdict.fallen) == (
        True,
        ((1, 3),),
        ("B-C0",),
    )
    assert [sorted(fall.piece for fall in one.falls) for one in step.verdict.failed] == [
        ["B-C0", "B-R0"]
    ]
