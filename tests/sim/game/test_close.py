"""A close call is asked for, and says how many equal starts end otherwise than the verdict."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

import sim
from rules import record as records
from rules.errors import InputError
from rules.record import Entry, Header, Record
from shutoko.cli import main
from sim import referee
from sim.assets import asset
from sim.bodies import (
    Pose,
    compose,
    from_axes,
    on_the_way,
    shift_between,
    turn,
    turn_between,
)
from sim.game import replay
from sim.game.attempts.posing import bodies, lay
from sim.game.close import EqualStart
from sim.game.ply import perform
from sim.game.sources import Simulated
from sim.game.verify import verify
from sim.physics import engines
from sim.physics.engine import Run
from sim.referee.room import tilt
from sim.referee.verdict import Close
from tests.tables import build, lay_out

TABLE = lay_out({"A-P0": (0, 0, 1), "B-P0": (0, 200, 1)})
PLACEMENT = build("A-P0", 100, 0, 2)


@pytest.mark.parametrize("number", range(4))
def test_an_equal_start_leads_there_and_back(number: int) -> None:
    start = EqualStart.number(number)
    pose = Pose((12.0, -34.0, 56.0), from_axes(33.0, 12.0))
    back = start.back(start.there(pose))
    assert shift_between(pose, back) < 1e-9
    assert turn_between(pose, back) < 1e-6
    assert start.mirrored is (number % 2 == 1)
    assert EqualStart.number(number) == start != EqualStart.number(number, series=1)


def test_an_equal_start_begins_where_the_hand_let_go() -> None:
    """Between two discs there is a hair too little room: the hand sets the new one aside, and an
    equal start does not look for another place.
    """
    table = lay_out({"A-P0": (0, 0, 1), "B-P0": (100, 19.9, 1), "B-P1": (100, -19.9, 1)})
    checked = referee.check(table, PLACEMENT)
    source = Simulated(engines.engine(engines.default()))
    pieces = lay(table, checked.grown, {})
    first = source.settle(bodies(table), pieces, None)
    assert set(first.released) == {piece.lying.id for piece in pieces}
    assert shift_between(first.released["A-P1.1"], pieces[0].release.pose) > 1.0
    for number in range(4):
        equal = EqualStart.number(number).settling(source, first.released)
        again = equal.settle(bodies(table), pieces, None)
        for piece, pose in first.released.items():
            assert 0 < shift_between(again.released[piece], pose) < 1e-5
            assert again.released[piece].quat == pose.quat


@pytest.mark.parametrize("engine", engines.available())
def test_a_verdict_asks_no_equal_start_and_a_clear_build_is_no_close_call(engine: str) -> None:
    step = perform(TABLE, PLACEMENT, 0, engine)
    assert step.verdict.close is None
    assert sim.close_call(step) is None


@dataclass
class Pushing:
    """An engine in which one piece ends so many mm nearer to another, or without one tilted by so
    many degrees, once the road is laid: `by` the number of the start (None: the scene itself), and
    whether the run is hasty.
    """

    by: Callable[[int | None, bool], float]
    piece: str = "B-P0.1"
    to: str = "A-P1.1"
    asked: set[int | None] = field(default_factory=set)
    name, version, params = "pushing", "1", "0" * 16

    def run(self, bodies, free, settle, path=None, watch=None, speeds=None) -> Run:
        there = {body.id: body.pose for body in bodies}
        poses = {name: there[name] for name in free}
        if "A-R0" in there and not settle.staying:
            middle = there["A-P0.1"].at
            starts = ((n, EqualStart.number(n).point((0, 0, 5))) for n in range(16))
            start = next((n for n, at in starts if math.dist(at, middle) < 1), None)
            self.asked.add(start)
            far, one = self.by(start, settle.quiet_time > 0.15), there[self.piece]
            if self.to:
                two = there[self.to]
                poses[self.piece] = on_the_way(one, two, far / math.dist(one.at, two.at))
            else:
                poses[self.piece] = Pose(one.at, compose(one.quat, turn((0.0, 1.0, 0.0), far)))
        return Run(poses, (), 0.1, True, ())


def test_starts_count_against_the_verdict_itself() -> None:
    """Not against a hasty attempt, which may end otherwise than the verdict: then one start of
    sixteen that differs would be fifteen.
    """
    step = perform(
        TABLE,
        PLACEMENT,
        0,
        Pushing(lambda n, hasty: 0.0 if n == 0 or (n, hasty) == (None, True) else 20.0),
    )
    assert step.verdict.fallen == ("B-P0.1",)
    assert sim.close_call(step) == Close(16, 1, ("B-P0.1",))


def asked_of(engine: Pushing, table: sim.Table = TABLE) -> int:
    """How many equal starts are asked of a build that is no close call."""
    assert sim.close_call(perform(table, PLACEMENT, 0, engine)) is None
    return len(engine.asked - {None})


@pytest.mark.parametrize(
    ("at", "spread", "asked"),
    [(0, 0, 2), (4.0, 0.2, 2), (4.8, 0.1, 8), (5.1, 0.1, 16), (5.6, 0.1, 16), (4.8, 0.06, 2)],
)
def test_more_starts_are_asked_where_something_fell_or_their_spread_nears_a_limit(
    at: float, spread: float, asked: int
) -> None:
    """A disc falls if it goes further than half its radius, 5 mm."""
    engine = Pushing(lambda n, _: at + {0: spread, 1: -spread / 2}.get(n, 0.0))
    assert asked_of(engine) == asked


@pytest.mark.parametrize(("gap", "asked"), [(0.2, 8), (0.4, 2)])
def test_a_touch_is_a_limit_like_a_fall(gap: float, asked: int) -> None:
    table = lay_out({"A-P0": (0, 0, 1), "B-P0": (100.0, 20.0 + gap, 1)})
    engine = Pushing(lambda n, _: 0.06 * (n == 0), "A-P1.1", "B-P0.1")
    assert asked_of(engine, table) == asked


@pytest.mark.parametrize(("left", "asked"), [(0.2, 8), (0.5, 2)])
def test_a_slope_that_friction_hardly_holds_is_a_limit(left: float, asked: int) -> None:
    """So many degrees are left to a road with a car, which tilts by a tenth in one start."""
    table = lay_out(
        {"A-P0": (0, 0, 1), "B-P0": (0, 200, 1), "B-P1": (95, 200, 2)},
        {"B-R0": ("B-P0", "B-P1")},
        cars={"B-C0": ("B-R0", 0.5)},
    )
    road = next(body for body in bodies(table) if body.id == "B-R0")
    mu = math.tan(math.radians(tilt(road.pose) + left))
    box = replace(table.components, road_friction=mu, car_friction=mu)
    engine = Pushing(lambda n, _: 0.1 * (n == 1), "B-R0", "")
    assert asked_of(engine, replace(table, components=box)) == asked


def test_which_new_pieces_fell_is_no_difference_as_all_come_off_again() -> None:
    engine = Pushing(lambda n, _: 30.0 if n is None else 60.0, "A-P1.2", "A-P0.1")
    step = perform(TABLE, PLACEMENT, 0, engine)
    assert step.verdict.built is False
    assert sim.close_call(step) is None


@pytest.mark.parametrize("move", [PLACEMENT, sim.Resign()])
def test_a_step_that_no_engine_settled_is_refused_by_name(move) -> None:
    with pytest.raises(InputError, match="ply 4: no engine settled it"):
        sim.close_call(perform(TABLE, move, 4, "none"))


@pytest.mark.parametrize(("differs", "ok"), [(3, True), (0, False)])
def test_verify_asks_equal_starts_where_a_ply_differs(
    differs: int, ok: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game of one ply in which, the record says, B's disc fell."""
    entry = Entry(0, 0, PLACEMENT.to_json(), got={"legal": True, "fallen": ["B-P0.1"]})
    stand = {"A-P0": [0, 0], "B-P0": [0, 200]}
    pillars = [{"id": name, "at": at, "discs": 1} for name, at in stand.items()]
    header = Header("tokyo-highway", ("a", "b"), start={"pillars": pillars})
    engine = Pushing(lambda n, _: 20.0 * (n is not None and n < differs))
    monkeypatch.setattr("sim.game.verify.pose_source", lambda _: Simulated(engine))
    report = verify(Record(header, (entry,)))
    assert report.ok is ok
    assert [one.text[:22] for one in report.remarks] == ["a close call (3 of 8 e"] * ok


def test_a_replay_from_the_record_keeps_what_equal_starts_said() -> None:
    said, step = Close(8, 3, ("B-P0.1",)), perform(TABLE, PLACEMENT, 0, engines.available()[0])
    told = replace(step, verdict=replace(step.verdict, close=said))
    assert told.got()["close"] == {"starts": 8, "differs": 3, "pieces": ["B-P0.1"]}
    assert "in 3 of 8 equal tries B-P0.1 falls" in str(told)
    game = Record(Header("tokyo-highway", ("a", "b")), (replace(step.entry, got=told.got()),))
    assert records.loads(records.dumps(game)).entries[0].got == told.got()
    assert replay.judged(game, game.entries[0], TABLE).verdict.close == said


@pytest.mark.parametrize(
    ("name", "option", "why"),
    [
        ("two-cars", "--recorded", "here none runs"),
        ("two-cars", "--engine=none", "here none runs"),
        ("noted-by-hand", "--slots", "people saw what came of its plies"),
    ],
)
def test_a_close_call_is_refused_where_no_engine_settles_the_plies(capsys, name, option, why):
    assert main(["replay", str(asset("records", f"{name}.jsonl")), "--close", option]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f"{name}.jsonl: --close asks an engine for equal starts, but {why}" in err


def test_replay_says_which_plies_are_close_calls(capsys, monkeypatch):
    said = Close(8, 3, ("A-C0",))
    monkeypatch.setattr("sim.game.close_call", lambda step: said if step.ply else None)
    play = ["replay", str(asset("records", "two-cars.jsonl")), "--close", "--ply", "1"]
    assert main(play) == 0
    out = capsys.readouterr().out
    assert out.count("a close call: in 3 of 8 equal tries A-C0 falls") == 1
    assert "\nclose calls: 1\n" in out
    assert main([*play, "--json"]) == 0
    out = capsys.readouterr().out
    got = [json.loads(line)["got"].get("close") for line in out.splitlines()]
    assert got == [None, {"starts": 8, "differs": 3, "pieces": ["A-C0"]}]
