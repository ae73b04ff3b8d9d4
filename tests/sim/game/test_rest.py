"""Every verdict hands on a table at rest; pieces are let go one after the other; what cannot stand
is set right.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from rules import record as records
from rules.errors import InputError, RecordError
from rules.game import game
from sim import referee
from sim.assets import asset
from sim.bodies import Pose, SettleResult
from sim.game import replay
from sim.game.attempts import reading
from sim.game.attempts.hand import SKILLS, draw
from sim.game.attempts.posing import bodies
from sim.game.ply import Attempt, attempt, judge_checked, perform
from sim.game.rest import check_layout
from sim.game.sources import Simulated
from sim.game.verify import verify
from sim.physics import engines
from sim.physics.neighbours import overlaps, structures
from sim.physics.unsettled import load
from sim.referee.placement import CarSpot, Entrance
from tests.tables import build, lay_out, moved, stock

HERE = engines.available()
GAME = records.read(asset("records", "two-cars.jsonl"))


@cache
def early(engine: str) -> replay.Step:
    """A ply of a shipped game, on a table of 9 pieces that this engine has brought to rest."""
    step = next(one for one in replay.trusted(GAME) if one.entry.ply == 3)
    rested = Simulated(engines.engine(engine))
    table = step.before
    for _ in range(12):
        came = rested.let_go_again(bodies(table), table.piece_ids, set())
        if not came.moved:
            return replace(step, before=table)
        table = replace(table, poses={**table.poses, **came.moved})
    raise AssertionError("the shipped table does not come to rest")


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("engine", HERE)
def test_whatever_a_clumsy_hand_does_the_table_is_at_rest(engine: str, seed: int) -> None:
    step = early(engine)
    made = perform(
        step.before, step.placement, 12, engine, SKILLS["clumsy"], np.random.default_rng(seed)
    )
    assert sim.at_rest(made.after, engine).holds
    again = replay.judged(GAME, made.entry, step.before)
    assert again.after.digest() == made.after.digest()  # also from the record alone


@pytest.mark.parametrize("engine", HERE)
def test_a_failed_try_leaves_a_table_at_rest(engine: str) -> None:
    step = early(engine)
    checked = referee.check(step.before, step.placement)
    wild = replace(SKILLS["clumsy"], shift=9.0, tilt=6.0, jerk=12.0)
    failed = 0
    for seed in range(2):
        hand = draw(np.random.default_rng(seed), checked, wild)
        verdict, after, _ = judge_checked(
            checked, [Attempt(Simulated(engines.engine(engine)), hand)]
        )
        failed += verdict.built is False
        assert sim.at_rest(after, engine).holds
    assert failed


@dataclass(slots=True)
class Watched:
    """An engine that keeps the bodies with which each run began, and which of them could move."""

    inner: object
    begun: list[tuple[object, frozenset[str]]] = field(default_factory=list)

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)

    def run(self, bodies, free, settle, path=None, watch=None, speeds=None):
        self.begun.append((bodies, free))
        return self.inner.run(bodies, free, settle, path, watch, speeds)


@pytest.mark.parametrize("engine", HERE)
def test_a_ramp_is_judged_where_it_lies_not_where_an_old_contact_holds_it(engine: str) -> None:
    """Bullet holds this one 0.4 mm over its disc at first; let go again, it lies."""
    hand = [
        {"piece": "A-P0.1", "shift": [-2.1, -2.03, 0.53], "turn": [3.3, -0.59, -0.56]},
        {"piece": "A-R0", "shift": [0.43, 4.13, 1.19], "turn": [4.47, 2.02, -1.58]},
    ]
    table = game("tokyo-highway", players=3).start().table
    asked = Entrance((0.0, -63.51), 270.0, CarSpot(0.5))
    for brief in (True, False):
        source = Simulated(engines.engine(engine), brief=brief)
        made = attempt(referee.check(table, asked), Attempt(source, hand))
        assert made.built, made.breaches


@pytest.mark.parametrize("engine", HERE)
def test_no_new_piece_begins_inside_another(engine: str) -> None:
    step = early(engine)
    checked, new = referee.check(step.before, step.placement), set[str]()
    for seed in range(4):
        hand = draw(np.random.default_rng(seed), checked, SKILLS["clumsy"])
        watched = Watched(engines.engine(engine))
        judge_checked(checked, [Attempt(Simulated(watched, brief=True), hand)])
        new = {item["piece"] for item in hand if "piece" in item}
        for there, _ in watched.begun:
            assert [pair for pair in overlaps(there, 0.05) if new & set(pair[:2])] == []
        first, *_ = watched.begun
        assert len({body.id for body in first[0]} & new) == 1  # one piece after the other
    assert new


def test_structures_are_what_hangs_together_and_the_table_connects_nothing() -> None:
    table = lay_out(
        {"A-P0": (0, 0, 2), "A-P1": (100, 0, 1), "B-P0": (0, 60, 1)}, {"A-R0": ("A-P0", "A-P1")}
    )
    found = sorted(map(sorted, structures(bodies(table))))
    assert found == [["A-P0.1", "A-P0.2", "A-P1.1", "A-R0"], ["B-P0.1"]]


@pytest.mark.parametrize("engine", HERE)
def test_a_road_a_hair_above_its_pillars_is_let_go_together_with_them(engine: str) -> None:
    """It hangs together with neither, but it meets them at once."""
    table = lay_out({"A-P0": (0, 0, 1), "A-P1": (100, 0, 1)}, {"A-R0": ("A-P0", "A-P1")})
    raised = [body.at(moved(body.pose, 0, 0, 0.15 * (body.id == "A-R0"))) for body in bodies(table)]
    came = Simulated(engines.engine(engine)).let_go_again(raised, {"A-R0"}, set())
    assert came.moved["A-R0"].at[2] == pytest.approx(raised[-1].pose.at[2] - 0.15, abs=0.05)


@pytest.mark.parametrize("engine", HERE)
def test_a_road_that_hangs_in_the_air_is_not_at_rest(engine: str) -> None:
    table = lay_out({"A-P0": (0, 0, 1), "A-P1": (100, 0, 1)}, {"A-R0": ("A-P0", "A-P1")})
    road = next(body for body in bodies(table) if body.id == "A-R0")
    x, y, z = road.pose.at
    rest = sim.at_rest(
        replace(table, poses={"A-R0": Pose((x, y, z + 5.9), road.pose.quat)}), engine
    )
    assert (rest.piece, rest.holds, bool(rest)) == ("A-R0", False, False)
    assert rest.mm == pytest.approx(5.9, abs=0.3)
    assert rest.to_json()["piece"] == "A-R0"
    assert "not at rest" in str(rest)
    assert (sim.at_rest(table, engine).fell, rest.inside) == ((), ())


@pytest.mark.parametrize("engine", HERE)
@pytest.mark.parametrize(
    ("sunk", "one", "other", "said"),
    [
        (
            ("A-P0.1", "A-P0.2", "A-P0.3"),
            "A-P0.1",
            "table",
            "A-P0.1 lies 0.080 mm inside the table",
        ),
        (("A-P0.2", "A-P0.3"), "A-P0.1", "A-P0.2", "A-P0.1 lies 0.080 mm inside A-P0.2"),
    ],
)
def test_what_lies_deeper_than_it_may_in_something_else_is_told(
    engine: str, sunk: tuple[str, ...], one: str, other: str, said: str
) -> None:
    table = lay_out({"A-P0": (0, 0, 3)}, {})
    assert sim.at_rest(table, engine).inside == ()
    there = {body.id: body.pose for body in bodies(table)}
    for deep, inside in ((0.04, ()), (0.08, ((one, other, pytest.approx(0.08)),))):
        poses = there | {piece: moved(there[piece], 0, 0, -deep) for piece in sunk}
        rest = sim.at_rest(replace(table, poses=poses), engine)
        assert rest.inside == inside
        assert (said in str(rest)) == bool(inside)
    assert rest.to_json()["inside"] == [[one, other, pytest.approx(0.08)]]


def with_layout(folder: Path, **start: Any) -> records.Record:
    """A record of no ply, read from a file, that starts from a layout."""
    path = folder / "layout.jsonl"
    header = records.Header("tokyo-highway", ("a", "b"), start={"to_move": 0, **start})
    records.write(records.Record(header, ()), path)
    return records.read(path)


@pytest.mark.parametrize(
    ("cars", "said"),
    [
        ([{"id": "A-C1", "on": "A-R1", "along": 0.5, "side": 30}], "let go, A-C1 falls"),
        (
            [
                {"id": "A-C1", "on": "A-R1", "along": 0.5},
                {"id": "A-C2", "on": "A-R1", "along": 0.5, "side": 1},
            ],
            "A-C1 is 6.0 mm inside A-C2; give one of them another place",
        ),
    ],
)
@pytest.mark.parametrize("how", ["steps", "verify"])
def test_a_start_layout_that_cannot_stand_is_refused_with_file_and_line(
    tmp_path: Path, cars: list[dict[str, object]], said: str, how: str
) -> None:
    pillars = [{"id": f"A-P{n}", "at": [0, 110 * n - 165], "discs": 2} for n in (1, 2)]
    roads = [{"id": "A-R1", "from": "A-P1", "to": "A-P2"}]
    record = with_layout(tmp_path, pillars=pillars, roads=roads, cars=cars)
    with pytest.raises(RecordError, match=re.escape(said)) as error:
        verify(record, "physics") if how == "verify" else list(replay.steps(record))
    assert str(error.value).startswith(f"{record.path}:1: start: ")
    assert list(replay.steps(record, "none")) == []  # geometry alone judges it all the same


def test_a_layout_that_falls_is_told_by_its_pillars_in_order_and_the_way_out_of_each_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stands = {"A-P10": (0, 0, 30), "A-P2": (100, 0, 3), "A-P1": (200, 0, 20)}
    table = lay_out(stands, {})
    discs = (*sorted(table.pillars[0].disc_ids), "A-P1.10", "A-P1.2", "A-P2.2", "A-P2.3")
    monkeypatch.setattr("sim.game.rest.at_rest", lambda *_: sim.AtRest({}, discs))
    told = re.escape("let go, A-P1.2, A-P1.10, A-P2 (2 of 3 discs), A-P10 (all 30 discs) fall; put")
    with pytest.raises(InputError, match=told) as error:
        check_layout(table)
    assert "(verify: --mode rules, other commands: --engine none)" in str(error.value)


_A = {"id": "A-P1", "at": [0, -55], "discs": 2}
_ACROSS = [{"id": f"B-P{n}", "at": [110 * n - 165, 0], "discs": 2} for n in (1, 2)]


@pytest.mark.parametrize(
    ("pillars", "roads", "said"),
    [
        (
            [{"id": "A-P2", "at": [0, 200], "discs": 2}],
            [("A-R1", "A-P1", "A-P2")],
            "A-R1 does not lie on A-P1: A-P1 and A-P2 are 255.0 mm apart, and a road between them",
        ),
        (
            [],
            [("A-R1", "A-P1", {"table": [300, -55]})],
            "A-R1 does not lie on A-P1: its ends are 300.0 mm apart, and a road is 110 mm long",
        ),
        (
            [{"id": "A-P2", "at": [0, 55], "discs": 2}, *_ACROSS],
            [("A-R1", "A-P1", "A-P2"), ("B-R1", "B-P1", "B-P2")],
            "B-R1 does not lie on B-P1: it lies on something else",
        ),
    ],
)
def test_a_start_layout_with_a_road_that_misses_its_pillars_is_refused(
    tmp_path: Path, pillars: list[Any], roads: list[tuple[str, str, Any]], said: str
) -> None:
    named = [{"id": road, "from": base, "to": to} for road, base, to in roads]
    record = with_layout(tmp_path, pillars=[_A, *pillars], roads=named)
    with pytest.raises(RecordError, match=re.escape(said)):
        list(replay.steps(record))


# --- what does not stand once it is put back ------------------------------------------------------


class Scripted(Simulated):
    """Physics as a test has it: `laid` and `again` give the poses of what moves, by id, the one as
    `new` pieces are let go among those that are there, the other as all is let go again. `runs` are
    the ids that were asked for in the latter. Without `quiet` no run ends.
    """

    def __init__(self, laid, again, quiet=True) -> None:
        super().__init__(None)
        for name, value in {"laid": laid, "again": again, "quiet": quiet, "runs": []}.items():
            object.__setattr__(self, name, value)

    def settle(self, standing, new, path):
        lie = {piece.lying.id: piece.lying.pose for piece in new}
        return SettleResult(lie | self.laid({b.id: b.pose for b in standing} | lie, lie))

    def let_go_again(self, standing, seeds, known, *, patient=False):
        self.runs.append(seeds)
        came = self.again({body.id: body.pose for body in standing})
        return SettleResult(came, restless=() if self.quiet else tuple(came))


GONE = Pose((300.0, 0.0, 5.0))
BESIDE = {"A-P0": (0, 0, 1), "B-P0": (0, 200, 1), "B-P1": (0, 260, 1)}
LAID = sim.Placement.parse(build("A-P0", 100, 0, 2).to_json())


def stubborn(table: sim.Table, *, falls: bool) -> Scripted:
    """A neighbour falls and, put back, falls again, until all stands where it stood before."""
    left = {body.id: body.pose for body in bodies(table)}["B-P1.1"]
    return Scripted(
        lambda *_: {"B-P0.1": GONE, "B-P1.1": moved(left, 2.0, 0, 0)},
        lambda there: {"B-P0.1": GONE} if falls and there["B-P1.1"] != left else {},
    )


def test_what_falls_again_when_put_back_is_set_right_and_the_verdict_says_so() -> None:
    table = lay_out(BESIDE)
    checked = referee.check(table, LAID)
    verdict, after, _ = judge_checked(checked, [Attempt(stubborn(table, falls=True))])
    assert (verdict.built, verdict.fallen) == (True, ("B-P0.1",))
    assert verdict.mended == ("B-P0.1", "B-P1.1")
    assert "B-P0.1" not in after.poses
    assert "B-P1.1" not in after.poses  # both stand where they stood
    assert "set right" in str(verdict)
    got = verdict.got()
    assert got["x-mended"] == ["B-P0.1", "B-P1.1"]
    entry = records.Entry(0, 0, checked.placement.to_json(), got=json.loads(json.dumps(got)))
    header = records.Header("tokyo-highway", ("a", "b"))
    told = replay.judged(records.Record(header, (entry,)), entry, table)
    assert (told.verdict.mended, told.after.digest()) == (verdict.mended, after.digest())


def test_what_stands_when_put_back_keeps_where_the_others_were_nudged_to() -> None:
    table = lay_out(BESIDE)
    source = stubborn(table, falls=False)
    verdict, after, _ = judge_checked(referee.check(table, LAID), [Attempt(source)])
    assert (verdict.mended, verdict.fallen) == ((), ("B-P0.1",))
    assert after.poses["B-P1.1"].at[0] == pytest.approx(2.0)


def restless(
    *, alone: bool, falls: bool = False, knocks: bool = False, quiet: bool = True, shakes: float = 0
) -> Scripted:
    """B-P0.1 comes to rest elsewhere each time it is let go, or only where new pieces lie beside
    it; or it falls each time. The new pieces fall if it `knocks`; B-P1.1 `shakes` by so many mm.
    """

    def elsewhere(there, new=()):
        mm = 0.3 if len(physics.runs) % 2 else -0.2
        gone = {piece: GONE for piece in new if knocks}
        return gone | {"B-P0.1": GONE if falls else moved(there["B-P0.1"], mm, 0, 0)}

    def again(there):
        if there["B-P0.1"].at[0] == 0.0 and not (alone or "A-R0" in there):
            return {}
        shaken = {"B-P1.1": moved(there["B-P1.1"], shakes, 0, 0)} if shakes else {}
        return elsewhere(there) | shaken

    physics = Scripted(elsewhere, again, quiet)
    return physics


@pytest.mark.parametrize(
    ("physics", "built", "still_moves", "mended", "breaches"),
    [
        pytest.param(restless(alone=True), True, ["B-P0.1"], ["B-P0.1"], [],
                     id="it moves on beside the new pieces, and is told"),
        pytest.param(restless(alone=False), True, ["B-P0.1"], ["B-P0.1"], [],
                     id="it moves only beside the new pieces"),
        pytest.param(restless(alone=True, shakes=0.02), True, ["B-P0.1"], ["B-P0.1", "B-P1.1"], [],
                     id="what moves by less than the tolerances is not told"),
        pytest.param(restless(alone=False, knocks=True), False, [], ["B-P0.1"], [],
                     id="after a failed try it is set right where it stood"),
        pytest.param(restless(alone=False, quiet=False), False, [], ["B-P0.1"],
                     [("never rests", "B-P0.1")],
                     id="a build beside which no run ends comes off"),
    ],
)  # fmt: skip
def test_what_moves_however_often_it_is_let_go_is_set_right_and_costs_nobody_a_ply(
    physics: Scripted,
    built: bool,
    still_moves: list[str],
    mended: list[str],
    breaches: list[tuple[str, str]],
) -> None:
    checked = referee.check(lay_out(BESIDE), LAID)
    verdict, after, _ = judge_checked(checked, [Attempt(physics)])
    found = (verdict.built, [*verdict.restless], [*verdict.mended])
    assert found == (built, still_moves, mended)
    assert [(one.kind, one.piece) for one in verdict.breaches] == breaches
    assert ("never comes to rest beside what is new" in str(verdict)) is bool(breaches)
    assert [piece for piece in verdict.fallen if piece.startswith("B")] == []
    assert ("A-R0" in after.road_by_id, "B-P0.1" in after.poses) == (built, built)
    assert abs(after.poses.get("B-P0.1", Pose((0.0, 0.0, 0.0))).at[0]) < 1.0
    assert len(physics.runs) < 40


def test_what_moves_round_after_round_is_lifted_clear_of_what_it_lies_inside() -> None:
    """As a car that a run left a little inside its road, where it crept for ever."""
    physics = Scripted(
        lambda there, _: {"B-P0.2": moved(there["B-P0.2"], 0, 0, -0.2)},  # into the disc below
        lambda there: {
            piece: moved(there[piece], 0.1, 0, 0)
            for piece in ("B-P0.2",)
            if there[piece].at[2] < 15.0
        },
    )
    checked = referee.check(lay_out({**BESIDE, "B-P0": (0, 200, 2)}), LAID)
    verdict, after, _ = judge_checked(checked, [Attempt(physics)])
    assert (verdict.built, verdict.restless, verdict.mended) == (True, (), ())
    assert len(physics.runs) == 5
    assert after.poses["B-P0.2"].at[2] >= 15.0


@pytest.fixture
def undone() -> tuple[sim.Table, sim.Verdict, records.Record]:
    """A build beside which a piece that was put back falls again: the table before it, the verdict,
    and the record.
    """
    table = lay_out(BESIDE)
    source = restless(alone=False, falls=True)
    verdict, after, _ = judge_checked(referee.check(table, LAID), [Attempt(source)])
    got = json.loads(json.dumps(verdict.got(after.digest())))
    entry = records.Entry(0, 0, LAID.to_json(), got=got)
    pillars = [
        {"id": name, "at": list(at), "discs": discs} for name, (*at, discs) in BESIDE.items()
    ]
    header = records.Header("tokyo-highway", ("a", "b"), start={"to_move": 0, "pillars": pillars})
    return table, verdict, records.Record(header, (entry,))


def test_a_build_beside_which_an_older_piece_falls_again_is_undone_and_stays_so(
    undone, tmp_path: Path
) -> None:
    table, verdict, record = undone
    assert (verdict.built, verdict.fallen) == (False, ("B-P0.1",))
    assert [(one.kind, one.piece) for one in verdict.breaches] == [("falls again", "B-P0.1")]
    records.write(record, tmp_path / "undone.jsonl")
    (entry,) = records.read(tmp_path / "undone.jsonl").entries
    assert entry.got["x-breaches"] == [
        {"piece": "B-P0.1", "breach": "falls again", "other": None, "mm": 0.0}
    ]
    told = replay.judged(record, entry, table)
    assert told.verdict.breaches == verdict.breaches
    assert told.after.digest() == entry.got["digest"]
    assert "A-R0" not in told.after.road_by_id
    assert "B-P0.1, put back where it stood, falls again" in " ".join(told.told())
    for language in ("fr", "ko"):
        assert "B-P0.1" in " ".join(told.told(language))


@pytest.mark.parametrize(
    "told",
    [
        "x",
        [1],
        [{"piece": "A-R0"}],
        [{"piece": "A-R0", "breach": "so", "other": None, "mm": 0}],
        [{"piece": "A-R0", "breach": "touches", "other": 3, "mm": 0}],
        [{"piece": "A-R0", "breach": "touches", "other": "X0", "mm": "far"}],
    ],
)
def test_breaches_that_cannot_be_read_are_refused_with_their_place(undone, told) -> None:
    table, _, record = undone
    entry = replace(record.entries[0], got={**record.entries[0].got, "x-breaches": told})
    with pytest.raises(RecordError, match="x-breaches must be a list") as error:
        replay.judged(record, entry, table)
    assert "ply 0" in str(error.value)


def test_what_lost_its_support_is_let_go_though_it_lies_where_it_lay() -> None:
    """The road under a car sinks by a millimetre; the car, put back where it was, hangs over it."""
    table = lay_out(
        {"A-P0": (0, 0, 1), "B-P0": (0, 200, 1), "B-P1": (105, 200, 1)},
        roads={"B-R1": ("B-P0", "B-P1")},
        cars={"B-C0": ("B-R1", 0.5)},
    )
    source = Scripted(lambda there, _: {"B-R1": moved(there["B-R1"], 0, 0, -1.0)}, lambda _: {})
    judge_checked(referee.check(table, LAID), [Attempt(source)])
    assert "B-C0" in source.runs[0]


# --- pieces that roll or chatter on ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "road"), [("road-that-rolls", "A-R6"), ("road-that-chatters", "B-R3")]
)
def test_what_would_rock_on_contact_points_for_ever_comes_to_rest(name: str, road: str) -> None:
    """Scenes cut out of games of clumsy hands: on contact points without extent these roads move
    each time they are let go.
    """
    scene = load(Path(__file__).parents[2] / "data" / f"{name}.json")
    if scene.engine["name"] not in HERE:
        pytest.skip(f"{scene.engine['name']} is not installed")
    source = Simulated(engines.engine(scene.engine["name"]))
    bodies = list(scene.bodies)
    for _ in range(4):
        came = source.let_go_again(bodies, {road}, set())
        if not came.moved:
            return
        bodies = [body.at(came.moved.get(body.id, body.pose)) for body in bodies]
    pytest.fail(f"{', '.join(came.moved)} still move in the fourth round")


# --- cars that come and go ------------------------------------------------------------------------

ALONE = {"A-P0": (0, 0, 3), "B-P0": (0, 300, 1)}
ACROSS = {**ALONE, "B-P1": (60, -55, 2), "B-P2": (60, 55, 2)}
ACROSS_ROAD = {"B-R1": ("B-P1", "B-P2")}
JUMP = sim.Placement.parse(build("A-P0", 105, 0, 5, True).to_json())  # over B-R1: one car
LOW = 42.18046579927549  # mm: where the middle of A's road lies at rest


def leaning(*, high: float = 0.0) -> Scripted:
    """B's lone disc stands only beside A's new car. A's new road knocks B-P1.2 over, and lies
    `high` (mm) until all is let go again.
    """

    def laid(there, new):
        knocked = {"B-P1.2": GONE, "A-R0": moved(there["A-R0"], 0, 0, high)}
        return knocked if "A-R0" in new else {}

    def again(there):
        road, found = there.get("A-R0"), {}
        if road is not None and "A-C0" not in there and there["B-P0.1"].at[0] == 0.0:
            found["B-P0.1"] = moved(there["B-P0.1"], 2.0, 0, 0)
        if road is not None and is_high(road):
            found["A-R0"] = Pose((*road.at[:2], LOW), road.quat)
        return found

    return Scripted(laid, again)


def is_high(road: Pose) -> bool:
    return road.at[2] > LOW + 0.01


def recorded(table, verdict, after) -> replay.Step:
    """The ply judged again from its record."""
    got = json.loads(json.dumps(verdict.got(after.digest())))
    entry = records.Entry(0, 0, JUMP.to_json(), got=got)
    return replay.judged(
        records.Record(records.Header("tokyo-highway", ("a", "b")), (entry,)), entry, table
    )


def test_the_table_comes_to_rest_without_the_car_that_clean_win_sends_back() -> None:
    stocks = [stock(cars=1), stock()]
    table = lay_out(ACROSS, ACROSS_ROAD, stocks=stocks, clean_win=True)
    source = leaning()
    verdict, after, _ = judge_checked(referee.check(table, JUMP), [Attempt(source)])
    assert (verdict.built, verdict.returned, after.stocks[0].cars) == (True, True, 1)
    assert "A-C0" not in after.piece_ids
    assert after.poses["B-P0.1"].at[0] == pytest.approx(2.0)
    assert not source.let_go_again(bodies(after), after.piece_ids, set()).moved
    told = recorded(table, verdict, after)
    assert (told.verdict.returned, told.after.digest()) == (True, after.digest())


@pytest.mark.parametrize("crosses_high", [False, True])
def test_the_road_has_as_many_cars_as_it_earns_where_all_lies_at_rest(
    monkeypatch: pytest.MonkeyPatch, crosses_high: bool
) -> None:
    """Where the road crosses only at rest a car is added, where it did before it comes off."""
    count = reading.crossings_of

    def seen(table, road, placement):
        crosses = is_high(table.poses[road.id]) is crosses_high
        return count(table, road, placement) if crosses else ()

    monkeypatch.setattr(reading, "crossings_of", seen)
    table, source = lay_out(ACROSS, ACROSS_ROAD), leaning(high=0.1)
    verdict, after, _ = judge_checked(referee.check(table, JUMP), [Attempt(source)])
    earned = 0 if crosses_high else 1
    assert (verdict.built, verdict.earned, len(after.cars)) == (True, earned, earned)
    assert not source.let_go_again(bodies(after), after.piece_ids, set()).moved
    assert after.poses["B-P0.1"].at[0] == pytest.approx(2.0)  # it stood by the car alone
    told = recorded(table, verdict, after)
    assert (told.verdict.earned, told.after.digest()) == (earned, after.digest())


# --- pieces inside others -------------------------------------------------------------------------


@pytest.mark.parametrize("low", [0.0, 8.0])
def test_what_is_put_back_is_let_go_clear_of_what_lies_there_by_now(low: float) -> None:
    """A's road lay so many mm lower than it does on its pillars, which is in B's road."""
    table = lay_out({**ACROSS, "A-P1": (105, 0, 2)}, {**ACROSS_ROAD, "A-R0": ("A-P0", "A-P1")})
    there = moved({body.id: body.pose for body in bodies(table)}["A-R0"], 0, 0, -low)
    table = replace(table, poses={"A-R0": there})
    assert bool(overlaps(bodies(table), 1.0)) is (low > 0)
    checked = referee.check(table, build("A-P1", 205, 0, 3))
    source = Scripted(lambda *_: {"A-R0": Pose((500.0, 0.0, 1.5))}, lambda _: {})
    verdict, after, _ = judge_checked(checked, [Attempt(source)])
    assert verdict.fallen == ("A-R0",)
    assert [pair for pair in overlaps(bodies(after), 0.05) if "A-R0" in pair[:2]] == []
    assert after.poses["A-R0"].at[:2] == there.at[:2]
    assert set(verdict.restored) == ({"A-R0"} if low else set())
    assert (after.poses["A-R0"] == there) is (low == 0)  # where it is clear it stays to the bit


@pytest.mark.parametrize("given", [5, None, game("tokyo-highway", engine="none").start()])
def test_what_is_no_table_cannot_be_asked_whether_it_is_at_rest(given) -> None:
    with pytest.raises(InputError, match="at_rest: takes a table, not "):
        sim.at_rest(given)
