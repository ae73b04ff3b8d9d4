"""A verdict that equal starts do not share is a close call, and says so; clear plies cost
nothing.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules import record as records
from rules.record import Entry, Header, Record
from sim import referee
from sim.bodies import Pose, compose, from_axes, shift_between, turn, turn_between
from sim.game import replay
from sim.game.attempts.attempt import Attempt, attempt
from sim.game.attempts.posing import bodies, lay
from sim.game.close import STARTS, EqualStart, ask_equal_starts, compared, worth_asking
from sim.game.ply import judge_checked
from sim.game.sources import Nominal, Recorded, Simulated
from sim.game.verify import verify
from sim.physics import engines
from sim.referee.verdict import AttemptResult, Close, Fall
from sim.settling import SettleResult
from tests.tables import build, lay_out

TABLE = lay_out({"A-P0": (0, 0, 1), "B-P0": (0, 200, 1)})
PLACEMENT = build("A-P0", 100, 0, 2)
HANDLESS = Attempt(Nominal())


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
    ground = Simulated(engines.engine(engines.default()))
    assert checked.grown is not None
    pieces = lay(table, checked.grown, {})
    first = ground.settle(bodies(table), pieces, None)
    assert first is not None
    assert set(first.released) == {piece.lying.id for piece in pieces}
    assert shift_between(first.released["A-P1.1"], pieces[0].release.pose) > 1.0
    for number in range(4):
        source = EqualStart.number(number).source(ground, first.released)
        again = source.settle(bodies(table), pieces, None)
        assert again is not None
        for piece, pose in first.released.items():
            assert 0 < shift_between(again.released[piece], pose) < 1e-5
            assert again.released[piece].quat == pose.quat


@pytest.mark.parametrize("engine", engines.available())
def test_a_clear_build_is_no_close_call_and_is_not_asked_again(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(*_: object) -> None:
        raise AssertionError("nothing fell or went far")

    monkeypatch.setattr("sim.game.close.compared", asked)
    checked = referee.check(TABLE, PLACEMENT)
    verdict, _, _ = judge_checked(checked, [Attempt(Simulated(engines.engine(engine)))])
    assert verdict.close is None
    assert "close" not in verdict.got()


class Toss:
    """Moves B's disc away if the scene lies in a mirror: then the new pillar is on the other side
    of A's.
    """

    name, version, params = "toss", "1", "0" * 16

    def run(self, bodies, free, settle, path=None, watch=None, speeds=None):
        from sim.physics.engine import Run

        there = {body.id: body.pose for body in bodies}
        base, other = there["A-P0.1"].at, there["B-P0.1"].at
        new = there.get("A-P1.1", there["A-P0.1"]).at
        ahead, aside = (
            (new[0] - base[0], new[1] - base[1]),
            (other[0] - base[0], other[1] - base[1]),
        )
        mirrored = ahead[0] * aside[1] - ahead[1] * aside[0] < -1.0
        poses = {name: there[name] for name in free}
        if mirrored and "A-P1.1" in there:
            x, y, z = other
            poses["B-P0.1"] = Pose((x + 20.0, y, z), there["B-P0.1"].quat)
        return Run(poses, (), 0.1, True, ())


def test_equal_starts_that_end_otherwise_are_counted_and_their_pieces_named() -> None:
    checked = referee.check(TABLE, PLACEMENT)
    source = Simulated(Toss())
    made = attempt(checked, Attempt(replace(source, brief=True)))
    close = compared(checked, Attempt(source), source, made, 8)
    assert close == Close(8, 4, ("B-P0.1",))
    # nothing says that it may differ
    assert ask_equal_starts(checked, Attempt(source), AttemptResult(True)) is None
    assert (
        compared(checked, Attempt(source), source, made, 1) is None
    )  # the first one is not mirrored


def test_what_went_far_may_as_well_have_fallen() -> None:
    checked = referee.check(TABLE, PLACEMENT)
    stood = {body.id: body.pose for body in bodies(TABLE)}
    checked = replace(checked, table=replace(TABLE, poses=stood))
    x, y, z = stood["B-P0.1"].at
    for way, far in ((0.5, False), (1.5, True)):
        moved = SettleResult({"B-P0.1": Pose((x + way, y, z), stood["B-P0.1"].quat)})
        assert (worth_asking(checked, HANDLESS, AttemptResult(True, (), moved)) > 0) is far


@pytest.mark.parametrize(("turned", "far"), [(1.0, False), (10.0, True)])
def test_a_new_road_that_turned_far_may_as_well_have_fallen(turned: float, far: bool) -> None:
    """It may have rolled off the end of another road."""
    checked = referee.check(TABLE, PLACEMENT)
    assert checked.grown is not None
    lying = next(piece.lying for piece in lay(TABLE, checked.grown, {}) if "-R" in piece.lying.id)
    rolled = Pose(lying.pose.at, compose(lying.pose.quat, turn((1.0, 0.0, 0.0), turned)))
    moved = SettleResult({lying.id: rolled})
    assert (worth_asking(checked, HANDLESS, AttemptResult(True, (), moved)) > 0) is far


@pytest.mark.parametrize(
    ("share", "built", "count"),
    [
        (0.4, True, 2),
        (0.9, True, STARTS),
        (1.1, True, STARTS),
        (2.2, True, 2),
        (0.4, False, 2),
        (0.9, False, STARTS),
        (1.1, False, STARTS),
    ],
)
def test_all_equal_starts_are_asked_only_where_a_piece_moved_about_as_far_as_it_may(
    share: float, built: bool, count: int
) -> None:
    """Sideways, by that share of what is allowed; a build that failed clearly changes nothing."""
    checked = referee.check(TABLE, PLACEMENT)
    assert checked.grown is not None
    stood = {body.id: body.pose for body in bodies(TABLE)}
    checked = replace(checked, table=replace(TABLE, poses=stood))
    x, y, z = stood["B-P0.1"].at
    way = share * TABLE.components.disc_radius / 2
    moved = {"B-P0.1": Pose((x + way, y, z), stood["B-P0.1"].quat)}
    if not built:
        new = next(piece.lying for piece in lay(TABLE, checked.grown, {}) if "-R" in piece.lying.id)
        moved[new.id] = Pose((0.0, 500.0, 0.0), new.pose.quat)
    fell = () if share <= 1 else (Fall("B-P0.1", "shifted"),)
    assert worth_asking(checked, HANDLESS, AttemptResult(built, fell, SettleResult(moved))) == count


def test_new_pieces_are_near_a_limit_only_if_none_of_them_fell_clearly() -> None:
    checked = referee.check(TABLE, PLACEMENT)
    assert checked.grown is not None
    put = {piece.lying.id: piece.lying.pose for piece in lay(TABLE, checked.grown, {})}
    disc, road = "A-P1.1", checked.grown.roads[-1].id
    x, y, z = put[disc].at
    near = {disc: Pose((x + TABLE.components.disc_radius / 2 * 0.9, y, z), put[disc].quat)}
    far = {road: Pose((0.0, 500.0, 0.0), put[road].quat)}
    for moved, count in ((near, STARTS), (near | far, 2)):
        made = AttemptResult(False, (Fall(disc, "shifted"),), SettleResult(moved))
        assert worth_asking(checked, HANDLESS, made) == count


@pytest.mark.parametrize(("gap", "near"), [(0.15, True), (0.4, False)])
def test_a_new_disc_beside_another_may_as_well_touch_it(gap: float, near: bool) -> None:
    apart = TABLE.components.disc_diameter + gap
    table = lay_out({"A-P0": (0, 0, 1), "B-P0": (100.0, apart, 1)})
    checked = referee.check(table, PLACEMENT)
    assert checked.grown is not None
    stood = {body.id: body.pose for body in bodies(checked.grown)}
    laid = replace(checked.grown, poses=stood)
    assert worth_asking(checked, HANDLESS, AttemptResult(True, laid=laid)) == (
        STARTS if near else 0
    )


def told(close: dict[str, object] | None) -> Record:
    """A game of one ply in which, the record says, B's disc fell."""
    got = {"legal": True, "fallen": ["B-P0.1"], **({"close": close} if close else {})}
    layout = {
        "pillars": [
            {"id": "A-P0", "at": [0, 0], "discs": 1},
            {"id": "B-P0", "at": [0, 200], "discs": 1},
        ]
    }
    return Record(
        Header("tokyo-highway", ("a", "b"), start=layout),
        (Entry(0, 0, PLACEMENT.to_json(), got=got),),
    )


def test_verify_takes_a_difference_at_a_close_call_as_a_remark() -> None:
    plain, close = (
        verify(told(said), "rules")
        for said in (None, {"starts": 8, "differs": 3, "pieces": ["B-P0.1"]})
    )
    assert not plain.ok
    assert close.ok
    assert len(close.remarks) == len(plain.mismatches)


def test_a_replay_from_the_record_keeps_what_equal_starts_said() -> None:
    said = Close(8, 3, ("B-P0.1",))
    checked = referee.check(TABLE, PLACEMENT)
    made, _, _ = judge_checked(
        checked, [Attempt(Simulated(engines.engine(engines.available()[0])))]
    )
    assert made.moved is not None
    verdict, _, _ = judge_checked(checked, [Attempt(Recorded(made.moved, close=said))])
    assert verdict.close == said
    assert verdict.got()["close"] == {"starts": 8, "differs": 3, "pieces": ["B-P0.1"]}
    assert "in 3 of 8 equal starts" in str(verdict)
    entry = Entry(0, 0, PLACEMENT.to_json(), got=verdict.got())
    step = replay.judged(Record(Header("tokyo-highway", ("a", "b")), (entry,)), entry, TABLE)
    assert step.verdict.close == said
    assert (
        records.loads(records.dumps(Record(Header("tokyo-highway", ("a", "b")), (entry,))))
        .entries[0]
        .got
        == verdict.got()
    )


@pytest.mark.parametrize(("enough", "asked"), [(2, 2), (STARTS, STARTS)])
def test_no_more_equal_starts_are_asked_than_are_enough_if_they_agree(
    enough: int, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, result = list[Attempt](), AttemptResult(True)

    def same(_: object, one: Attempt) -> AttemptResult:
        seen.append(one)
        return result

    monkeypatch.setattr("sim.game.close.attempt", same)
    checked = referee.check(TABLE, PLACEMENT)
    ground = Simulated(engines.engine(engines.default()))
    one = Attempt(ground)
    assert compared(checked, one, ground, result, STARTS, enough=enough) is None
    assert len(seen) == asked


@pytest.mark.parametrize(("work", "asked"), [(10.0, STARTS), (80.0, 2), (1000.0, 2)])
def test_where_much_falls_for_long_a_few_starts_say_that_they_differ(
    work: float, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that agree are asked all the same."""
    fell = AttemptResult(False, settled=SettleResult({}, (), (), work=work))
    stands = AttemptResult(True, settled=SettleResult({}, (), (), work=work))
    checked = referee.check(TABLE, PLACEMENT)
    ground = Simulated(engines.engine(engines.default()))
    one = Attempt(ground)

    def settled(_: object, one: Attempt) -> AttemptResult:
        return stands if type(one.ground.engine) is type(ground.engine) else fell

    monkeypatch.setattr("sim.game.close.attempt", settled)
    differing = compared(checked, one, ground, stands, STARTS)
    assert differing is not None
    assert (differing.starts, differing.differs) == (asked, asked)
    assert compared(checked, one, ground, fell, STARTS) is None


@pytest.mark.parametrize(
    ("piece", "close"), [("A-R0", None), ("B-P0.1", Close(8, 8, ("A-P1.1", "B-P0.1")))]
)
def test_which_new_pieces_fell_is_no_difference_as_all_come_off_again(
    piece: str, close: Close | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stood before and fell is one."""
    checked = referee.check(TABLE, PLACEMENT)
    ground = Simulated(engines.engine(engines.default()))

    def fell(piece: str) -> AttemptResult:
        return AttemptResult(False, (Fall(piece, "shifted", 9.0, 5.0),))

    def other(_: object, one: Attempt) -> AttemptResult:
        return fell("A-P1.1" if type(one.ground.engine) is type(ground.engine) else piece)

    monkeypatch.setattr("sim.game.close.attempt", other)
    assert compared(checked, Attempt(ground), ground, fell("A-P1.1"), 8) == close
