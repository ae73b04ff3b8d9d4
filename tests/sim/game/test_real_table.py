"""What a real table does (record format 1.1): pieces put elsewhere, hands on buildings, more cars
than there are, ends slid under older ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import rules.record as records
from rules.errors import RecordError
from rules.record import Entry, Header, Record
from rules.record.replay import IllegalPlyError
from shutoko.cli import main
from sim.bodies import rotate
from sim.game import replay
from sim.game.attempts.posing import bodies
from sim.game.replay import Step
from sim.game.verify import verify
from sim.referee.obstacles import obstacles_of
from sim.referee.table import Table

PLAYERS = ("Aiko", "Ben")
ENTRANCES = (
    {"entrance": {"pillar": [0, -55], "toward": 270}, "car": 0.5},
    {"entrance": {"pillar": [0, 55], "toward": 90}, "car": 0.5},
)
BUILDS = (
    {"build": {"from": "A-P0", "pillar": [28, 36], "discs": 2, "junction": False}},
    {"build": {"from": "B-P0", "pillar": [24, -42], "discs": 3, "junction": True}},
    {"build": {"from": "A-P1", "pillar": [-67, 34], "discs": 1, "junction": False}},
)


def game(*given: dict[str, Any], version: tuple[int, int] = (1, 1), **header: Any) -> bytes:
    """A noted game of the two entrances and three builds; `given` are the further keys of the plies
    from ply 2 on.
    """
    first = {
        "record": "shutoko",
        "version": list(version),
        "game": "tokyo-highway",
        "players": list(PLAYERS),
        **{key: value for key, value in header.items() if key not in ("observed", "tolerance")},
        "observed": True,
        **{key: value for key, value in header.items() if key == "tolerance"},
    }
    lines = [first]
    for ply, do in enumerate((*ENTRANCES, *BUILDS)[: 2 + len(given)]):
        more = given[ply - 2] if ply >= 2 else {}
        lines.append({"ply": ply, "by": ply % 2, "do": do, **more})
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode()


def last(*given: dict[str, Any], **header: Any) -> Step:
    *_, step = replay.steps(records.loads(game(*given, **header), "g.jsonl"), "none")
    return step


def seen(**keys: Any) -> dict[str, Any]:
    return {"observed": keys}


def noted(
    *plies: tuple[int, Any, dict[str, Any]],
    start: Any,
    players: int = 2,
    engine: str = "none",
    **header: Any,
) -> Step:
    """The last step of a noted game from a layout: (seat, move, further keys) of each ply."""
    names = (*PLAYERS, "Cleo")[:players]
    told = Header("tokyo-highway", names, start=start, **({"observed": True} | header))
    entries = tuple(Entry(n, by, do, **keys) for n, (by, do, keys) in enumerate(plies))
    *_, step = replay.steps(Record(told, entries), engine)
    return step


# --- the version ----------------------------------------------------------------------------------


UNDER = {"build": {"from": "A-P0", "pillar": [1, 2], "discs": 2, "road": {"under": ["A-R1"]}}}


@pytest.mark.parametrize(
    ("do", "observed", "version"),
    [
        (ENTRANCES[0], {"fallen": []}, b"[1,0]"),
        (ENTRANCES[0], {"put": [{"gone": "A-C0"}]}, b"[1,1]"),
        (ENTRANCES[0], {"touched": []}, b"[1,1]"),
        (ENTRANCES[0], {"cars": 1}, b"[1,1]"),
        (UNDER, None, b"[1,1]"),
    ],
)
def test_a_record_is_written_as_version_1_1_only_where_a_key_of_it_is_used(do, observed, version):
    header = Header("tokyo-highway", PLAYERS, observed=True)
    written = records.dumps(Record(header, (Entry(0, 0, do, observed=observed),)))
    assert b'"version":' + version in written


def test_a_ply_with_a_new_key_makes_a_file_of_1_0_one_of_1_1(tmp_path):
    path = tmp_path / "g.jsonl"
    header = Header("tokyo-highway", PLAYERS, observed=True)
    records.write(Record(header, (Entry(0, 0, ENTRANCES[0]),)), path)
    records.append(path, Entry(1, 1, ENTRANCES[1]))
    assert records.read(path).header.version == (1, 0)
    put = Entry(2, 0, BUILDS[0], observed={"put": [{"gone": "B-C0"}]})
    records.append(path, put)
    read = records.read(path)
    assert (read.header.version, len(read.entries)) == ((1, 1), 3)
    assert records.dumps(read) == path.read_bytes()


def test_a_key_of_1_1_in_a_file_of_1_0_is_refused_by_name():
    why = r"g\.jsonl:4.*the key observed\.cars is one of version 1\.1, but the header says 1\.0: wr"
    with pytest.raises(RecordError, match=why):
        last(seen(cars=1), version=(1, 0))


def test_canonical_files_of_1_1_keep_their_bytes():
    puts = [
        {"pillar": "B-P0", "at": [2, 57]},
        {"road": "B-R0", "start": [2, 57], "end": [2, 170]},
        {"car": "B-C0", "on": "B-R0", "along": 0.3, "side": 1, "turn": 180},
        {"gone": "A-C0"},
    ]
    data = game(seen(fallen=[], put=puts, touched=[], cars=0))
    assert records.dumps(records.loads(data)) == data


def test_a_newer_minor_version_than_1_1_keeps_unknown_keys_with_a_warning():
    read = records.loads(game(seen(fallen=[], wind=3), version=(1, 2)), "g.jsonl")
    assert read.warnings == (
        "g.jsonl:4: the key observed.wind is not known to version 1.1; kept, not interpreted",
    )


def test_the_new_fields_change_no_digest_of_a_table_without_them():
    # digests as version 0.1 made them, before the record format had 1.1
    assert last({}, {}, version=(1, 0)).after.digest() == "8e83271c244a15a4"
    assert last({}, {}).after.digest() == last({}, {}, version=(1, 0)).after.digest()
    assert last({}, seen(put=[{"gone": "A-C0"}])).after.digest() != "8e83271c244a15a4"


@pytest.mark.parametrize(
    ("observed", "told"),
    [
        ({}, "the key observed.fallen is missing"),
        ({"put": [{"at": [1, 2]}]}, "observed.put[0] must name one piece, by one of the keys"),
        ({"put": [{"pillar": "A-P0", "car": "A-C0"}]}, "it has pillar and car"),
        ({"put": [{"pillar": "A-P0"}]}, "the key observed.put[0].at is missing"),
        ({"put": [{"car": "A-C0", "along": 0.5}]}, "the key observed.put[0].on is missing"),
        ({"put": [{"road": "A-R0", "start": [1, 2]}]}, "the key observed.put[0].end is missing"),
        ({"put": [{"pillar": "A-P0", "at": [1]}]}, "observed.put[0].at must be two numbers"),
        ({"put": [{"gone": "A-C0", "at": [1, 2]}]}, "the key observed.put[0].at is not known"),
        ({"put": {"gone": "A-C0"}}, "observed.put must be a list of pieces"),
        ({"touched": ["X0", 3]}, "observed.touched[1] must be a text"),
        ({"cars": -1}, "observed.cars must be a whole number"),
        ({"cars": 1.5}, "observed.cars must be a whole number"),
        ({"putt": []}, "the key observed.putt is not known in version 1.1"),
        ({"put": [{"gone": "A-C9"}]}, "observed.put names A-C9, but there is no such piece"),
        ({"put": [{"pillar": "A-R0", "at": [1, 2]}]}, "no such pillar on the table"),
        ({"put": [{"gone": "A-C0"}, {"gone": "A-C0"}]}, "observed.put names A-C0 twice"),
        ({"put": [{"pillar": "A-P0", "at": [0, 50]}]}, "A-P0 and B-P0 would stand in one place"),
        ({"put": [{"pillar": "A-P1", "at": [200, 36]}]}, "say where A-R1 lies now, too"),
        (
            {"put": [{"road": "A-R1", "start": [300, 0], "end": [300, 100]}]},
            "A-R1 would lie 300 mm from the middle of A-P0 and not rest on it; read the places",
        ),
        ({"put": [{"road": "A-R1", "start": [0, 0], "end": [0, 1]}]}, "are 1 mm apart"),
        ({"put": [{"gone": "A-R0"}]}, "A-R0 is gone, but A-C0 stands on it"),
        ({"put": [{"gone": "A-P0"}]}, "A-P0 is gone, but A-R0 lies on it"),
        ({"put": [{"car": "A-C0", "on": "A-R7", "along": 0.5}]}, "put on A-R7, but there is no"),
        ({"put": [{"car": "A-C0", "on": "A-R1", "along": 2}]}, "runs from 0 to 1"),
        (
            {"touched": ["X0"]},
            "observed.touched names X0, but the buildings on the table are: none",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_line_and_place(observed, told, tmp_path, capsys):
    path = tmp_path / "g.jsonl"
    path.write_bytes(game({"observed": observed}))
    assert main(["verify", str(path)]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert "g.jsonl:4: ply 2" in said


def ends(road: str) -> Callable[[Table], Any]:
    return lambda table: (table.road_by_id[road].start, table.road_by_id[road].end)


RAMP_END = last({}).after.road_by_id["B-R0"].end
CAR = {"car": "A-C0", "on": "A-R1", "along": 0.4, "side": 1, "turn": 450}
GONE = [{"gone": "B-P0"}, {"gone": "B-R0"}, {"gone": "B-C0"}]


@pytest.mark.parametrize(
    ("put", "asked", "answer"),
    [
        pytest.param([{"pillar": "A-P1", "at": [30, 39]}],
                     lambda table: (table.pillar_by_id["A-P1"].at, ends("A-R1")(table)),
                     ((30.0, 39.0), ((0.0, -55.0), (30.0, 39.0))),
                     id="a pillar takes its discs and the end of its road along"),
        pytest.param([{"pillar": "B-P0", "at": [2, 57]}], ends("B-R0"),
                     ((2.0, 57.0), pytest.approx((RAMP_END[0] + 2, RAMP_END[1] + 2))),
                     id="both ends of a ramp go with its pillar"),
        pytest.param([{"road": "A-R1", "start": [4, -55], "end": [31, 38]}], ends("A-R1"),
                     ((4.0, -55.0), (31.0, 38.0)), id="a road lies where it was put"),
        pytest.param([CAR],
                     lambda table: [(c.road, c.along, c.side, c.turn)
                                    for c in table.cars if c.id == "A-C0"],
                     [("A-R1", 0.4, 1.0, 90.0)], id="a car is turned and put on another road"),
        pytest.param(GONE, lambda table: (table.phase, table.next_id(1, "P")), ("play", "B-P1"),
                     id="a gone entrance does not bring the set-up back"),
        pytest.param([{"gone": "A-P1.2"}],
                     lambda table: (table.pillar_by_id["A-P1"].discs,
                                    table.road_by_id["A-R1"].levels),
                     (1, (1, 1)), id="the top disc of a pillar can go, its roads lie lower"),
    ],
)  # fmt: skip
def test_what_people_put_elsewhere_lies_there(put, asked, answer):
    assert asked(last(seen(put=put)).after) == answer


def test_a_road_put_elsewhere_decides_the_next_crossing():
    lies = seen(put=[{"road": "A-R1", "start": [4, -55], "end": [31, 38]}])
    one, two = (last(first, {}).verdict.crossings[0].meeting.at for first in ({}, lies))
    assert one != two


def test_a_turned_car_lies_across_its_road_for_physics_and_for_the_referee():
    def along(turn: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
        put = [{"car": "A-C0", "on": "A-R0", "along": 0.5, "turn": turn}]
        table = last(seen(put=put)).after
        body = next(body for body in bodies(table) if body.id == "A-C0")
        field = obstacles_of(table)
        _, _, *axis = field.cars[field.car_ids.index("A-C0")][:4]
        return rotate(body.pose.quat, (1.0, 0.0, 0.0))[:2], tuple(axis)

    for one, two in zip(along(0), along(90), strict=True):
        assert one[0] * two[0] + one[1] * two[1] == pytest.approx(0.0, abs=0.02)


def test_a_gone_piece_goes_to_no_stock_and_its_number_is_not_used_again():
    plain, gone = last({}, {}), last(seen(put=[{"gone": "B-C0"}]), {})
    assert gone.after.stocks == plain.after.stocks
    assert [car.id for car in gone.after.cars] == ["A-C0", "B-C1"]


@pytest.mark.parametrize(
    ("put", "left", "gone"),
    [
        ({"building": "X0", "at": [152, 91]}, [((152.0, 91.0), 15.0)], []),
        ({"gone": "X0"}, [], ["X0"]),
    ],
)
def test_buildings_can_be_pushed_or_go_for_good(put, left, gone):
    start = {"buildings": [{"id": "X0", "kind": "tower", "at": [150, 90], "turn": 15}]}
    start |= {"pillars": [{"id": "A-P1", "at": [0, -55], "discs": 2}], "to_move": 0}
    after = noted((0, "resign", seen(put=[put])), start=start).after
    assert [(one.at, one.turn) for one in after.buildings] == left
    assert [name for name, _ in after.gone] == gone


def test_what_was_put_elsewhere_is_told():
    step = last(
        seen(
            put=[
                {"pillar": "B-P0", "at": [2, 57]},
                {"road": "B-R0", "start": [2, 57], "end": [9, 170]},
                {"car": "B-C0", "on": "A-R1", "along": 0.3, "turn": 90},
                {"gone": "A-C0"},
            ]
        )
    )
    assert step.told("en")[-4:] == (
        "B-P0 now stands at (2.0, 57.0)",
        "B-R0 now lies from (2.0, 57.0) to (9.0, 170.0)",
        "B-C0 now stands on A-R1 at 0.30, turned by 90.0 degrees",
        "A-C0 is gone for good",
    )
    for language in ("fr", "ko"):
        assert len(step.told(language)) == len(step.told("en"))


def test_a_noted_place_is_kept_when_the_last_build_is_adjusted():
    lines = game(seen(put=[{"pillar": "B-P0", "at": [2, 57]}]))
    lines += b'{"ply":3,"by":0,"do":{"adjust":{"pillar":[29,37]}}}\n'
    *_, step = replay.steps(records.loads(lines), "none")
    assert step.after.pillar_by_id["B-P0"].at == (2.0, 57.0)


def test_verify_follows_the_table_as_people_left_it():
    put = seen(fallen=["A-C0"], put=[{"pillar": "A-P1", "at": [30, 39]}])
    record = records.loads(game(put, {"claim": {"cars": 1}}))
    for mode in ("rules", "physics"):
        report = verify(record, mode)
        assert not report.mismatches
        assert not report.claims
    filled = replay.fill(record, "none")
    assert not verify(filled, "rules").mismatches


# --- hands on buildings ---------------------------------------------------------------------------


@pytest.mark.parametrize(("rule", "built"), [("report", True), ("redo", False)])
def test_a_hand_on_a_building_is_reported_or_undoes_the_build(rule, built):
    start = {
        "to_move": 0,
        "pillars": [{"id": "A-P1", "at": [0, -55], "discs": 2}],
        "buildings": [{"id": "X0", "kind": "tower", "at": [150, 90]}],
    }
    do = {"build": {"from": "A-P1", "pillar": [28, 36], "discs": 3, "junction": False}}
    step = noted((0, do, seen(touched=["X0"])), start=start, options={"hand_on_building": rule})
    assert step.verdict.built is built
    assert "the hand touches the building X0" in str(step)
    assert len(step.after.pillars) == 1 + built


# --- cars -----------------------------------------------------------------------------------------

FELL = seen(fallen=["B-C1"])


@pytest.mark.rule("FR 9", "KR 9")
@pytest.mark.parametrize(
    ("keys", "cars", "there", "says"),
    [
        pytest.param(seen(cars=0), (1, 0, 9), [], "wants to place no more", id="fewer"),
        pytest.param({**seen(cars=3), "accepted": True}, (1, 3, 6), ["B-C1", "B-C2", "B-C3"],
                     "3 cars are put down, but 1 is earned", id="more, and all accept it"),
        pytest.param(seen(fallen=["B-C1"], cars=1), (1, 1, 8), ["B-C1"],
                     "B-C1 slid off B-R1 and is put back on it", id="one that fell"),
        pytest.param({**FELL, "claim": {"placed": 0}}, (1, 0, 9), [],
                     "B-C1 did not stay on B-R1 and goes back to Ben's stock",
                     id="one that fell and did not go back"),
    ],
)  # fmt: skip
def test_the_cars_that_people_put_down_stand(keys, cars, there, says):
    step = last({}, keys)
    got = step.got()
    assert (got["cars"], got["placed"], step.after.stocks[1].cars) == cars
    assert [car.id for car in step.after.cars if car.road == "B-R1"] == there
    assert step.verdict.paid == ()
    assert says in str(step)


def test_more_cars_than_were_earned_are_against_the_rules():
    with pytest.raises(IllegalPlyError, match="3 cars are put down, but 1 is earned"):
        last({}, seen(cars=3))


def test_the_place_to_which_a_new_car_went_back_can_be_named():
    put = [{"car": "B-C1", "on": "B-R1", "along": 0.4}]
    step = last({}, seen(fallen=["B-C1"], put=put))
    assert [car.along for car in step.after.cars if car.id == "B-C1"] == [0.4]


@pytest.mark.parametrize(
    ("put", "placed", "there"),
    [
        ([], 2, ["B-C1", "B-C2"]),
        ([], 1, ["B-C1"]),
        ([{"car": "B-C2", "on": "B-R1", "along": 0.4}], 1, ["B-C2"]),
        ([{"gone": "B-C2"}], 2, ["B-C1"]),
    ],
)
def test_of_two_new_cars_the_one_whose_place_is_named_went_back(put, placed, there):
    observed = {"fallen": ["B-C1", "B-C2"], "cars": 2, "put": put}
    given = {"observed": observed, "claim": {"placed": placed}, "accepted": True}
    assert [car.id for car in last({}, given).after.cars if car.road == "B-R1"] == there


@pytest.mark.rule("FR 9", "KR 9")
def test_the_car_of_an_entrance_that_fell_was_put_back_too():
    plies = [(0, ENTRANCES[0], {}), (1, ENTRANCES[1], seen(fallen=["B-C0"], cars=1))]
    step = noted(*plies, start=None)
    assert step.got()["placed"] == 1
    assert [car.id for car in step.after.cars] == ["A-C0", "B-C0"]


LAST_CAR = {
    "to_move": 1,
    "pillars": [
        {"id": "A-P1", "at": [0, -55], "discs": 2},
        {"id": "A-P2", "at": [0, 55], "discs": 2},
        {"id": "B-P1", "at": [-55, 0], "discs": 4},
    ],
    "roads": [{"id": "A-R1", "from": "A-P1", "to": "A-P2"}],
    "stocks": [{"cars": cars, "grey": 20, "yellow": 2, "roads": 10} for cars in (9, 1)],
}
WINS = {"build": {"from": "B-P1", "pillar": [49, 0], "discs": 3, "junction": False}}


@pytest.mark.rule("FR 10.1", "KR 10.1")
@pytest.mark.parametrize(("claim", "winners"), [(None, (1,)), ({"placed": 0}, None)])
def test_the_win_stands_if_the_last_car_fell_and_was_put_back(claim, winners):
    keys = {**seen(fallen=["B-C0"]), "claim": claim}
    outcome = noted((1, WINS, keys), start=LAST_CAR).after.outcome()
    assert (outcome and outcome.winners) == winners


@pytest.mark.parametrize("tolerance", [0, 3])
def test_accepted_cars_beyond_the_stock_leave_it_at_nothing(tolerance):
    keys = {**seen(cars=2), "accepted": True}
    step = noted((1, WINS, keys), start=LAST_CAR, tolerance=tolerance)
    assert (step.got()["placed"], step.after.stocks[1].cars) == (2, 0)
    assert [fault["code"] for fault in step.got()["faults"]] == ["cars-earned", "stock-cars"]
    assert "2 cars are put down, but Ben has 1 left" in str(step)
    assert step.after.outcome() is not None


# --- a knock in any turn --------------------------------------------------------------------------

PASSES = {
    "to_move": 0,
    "pillars": [
        {"id": "A-P0", "at": [0, 0], "discs": 2},
        {"id": "B-P5", "at": [300, 0], "discs": 3},
    ],
    "stocks": [
        {"cars": 5, "grey": 5, "yellow": 1, "roads": 0},
        {"cars": 5, "grey": 5, "yellow": 1, "roads": 3},
    ],
}


BUILT = {"build": {"from": "A-P0", "pillar": [105, 0], "discs": 2}}
READY = {
    "to_move": 0,
    "pillars": [
        {"id": "A-P0", "at": [0, 0], "discs": 1},
        {"id": "B-P5", "at": [300, 0], "discs": 3},
    ],
}


def knocked(do: Any, *fallen: str, start: Any = PASSES, **keys: Any) -> Step:
    return noted((start["to_move"], do, {**seen(fallen=list(fallen)), **keys}), start=start)


def left(step: Step) -> list[tuple[int, int]]:
    """The grey and yellow discs of every seat."""
    return [(stock.grey, stock.yellow) for stock in step.after.stocks]


@pytest.mark.rule("FR 9", "KR 9")
@pytest.mark.parametrize("do", ["pass", "resign"])
def test_what_fell_in_a_turn_without_a_build_is_told_paid_and_put_back(do):
    step = knocked(do, "B-P5.3", "A-P0.2")
    assert (step.verdict.fallen, left(step)) == (("A-P0.2", "B-P5.3"), [(4, 1), (6, 1)])
    assert step.after.pillars == step.before.pillars
    assert "Aiko owes Ben 1 disc for 1 fallen piece and pays 1 grey disc" in str(step)
    assert [reason.data["kind"] for reason in step.reasons()].count("fall") == 2
    assert knocked("pass").got().keys() == {"legal", "digest"}


@pytest.mark.rule("FR 9", "KR 9")
def test_a_payment_that_people_noted_for_a_pass_happens_and_another_total_must_be_accepted():
    yellow, wrong = ([{"to": 1, "grey": grey, "yellow": 1}] for grey in (0, 1))
    assert left(knocked("pass", "B-P5.3", pay=yellow)) == [(5, 0), (5, 2)]
    with pytest.raises(IllegalPlyError, match="Aiko pays Ben 2 pieces, but 1 is due"):
        knocked("pass", "B-P5.3", pay=wrong)
    accepted = knocked("pass", "B-P5.3", pay=wrong, accepted=True)
    assert left(accepted) == [(4, 0), (6, 2)]
    assert "against the rules, but noticed too late" in str(accepted)


@pytest.mark.parametrize(
    ("start", "do"),
    [
        (PASSES, "pass"),
        (PASSES, "resign"),
        (READY, BUILT),
        (READY, {"exit": {"from": "A-P0", "to": [109, 0]}}),
    ],
)
@pytest.mark.parametrize(
    ("piece", "why"),
    [
        ("B-C99", "observed names B-C99, but there is no such piece"),
        ("A-P0", r"names the pillar A-P0; name the discs that fell: A-P0\.1"),
    ],
)
def test_a_piece_that_is_not_there_falls_in_no_turn(start, do, piece, why):
    assert knocked(do, "B-P5.3", start=start).verdict.owed == ((1, 1),)
    with pytest.raises(RecordError, match=why):
        knocked(do, piece, start=start)


@pytest.mark.rule("FR 9", "KR 9")
@pytest.mark.parametrize(
    ("count", "keys", "greys", "says"),
    [
        pytest.param(2, seen(fallen=["A-C0"]), [25, 23, 25], "Ben owes Aiko 1", id="an entrance"),
        pytest.param(4, seen(fallen=["A-P0.1", "A-R0", "B-C0", "C-C0"]), [26, 25, 21],
                     "Cleo sets the tower", id="a building"),
        pytest.param(5, seen(touched=["X0"]), [24, 24, 24], "the hand touches the building X0",
                     id="a hand on a building"),
    ],
)  # fmt: skip
def test_a_knock_while_a_building_or_an_entrance_is_set_is_paid(count, keys, greys, says):
    table = Table.start(3)
    plies = [(seat, table.default_entrance(seat).to_json(), {}) for seat in range(3)]
    places = ((2, "tower", [200, 200]), (1, "slab", [-200, 200]))
    plies += [(by, {"building": {"kind": kind, "at": at}}, {}) for by, kind, at in places]
    *before, (by, do, _) = plies[:count]
    step = noted(*before, (by, do, keys), start=None, players=3)
    assert [stock.grey for stock in step.after.stocks] == greys
    assert says in str(step)


@pytest.mark.rule("FR 10.2")
@pytest.mark.parametrize(("fallen", "out"), [([], (0,)), (["A-P0.2"], ())])
def test_a_knock_on_a_pass_rescues_who_waits_to_go_out(fallen, out):
    plies = ((1, "pass", {}), (0, "pass", {}), (1, "pass", seen(fallen=fallen)))
    options = {"elimination": "fr", "may_pass": True}
    step = noted(*plies, start={**PASSES, "to_move": 1}, options=options)
    assert step.verdict.out == out


def test_who_passed_and_then_paid_the_last_disc_did_not_pass_as_unable():
    stocks = [{"cars": 5, "grey": 1, "yellow": 0, "roads": 3}, PASSES["stocks"][1]]
    keys, start = seen(fallen=["B-P5.3"]), {**PASSES, "stocks": stocks}
    after = noted((0, "pass", keys), start=start, options={"may_pass": True}).after
    assert (after.unable(0), after.turns.misses) == (True, (0, 0))


def test_a_claim_and_the_cars_put_down_are_two_things():
    record = records.loads(game({}, {"claim": {"cars": 2}, **seen(cars=1)}))
    (said,) = verify(record, "rules").claims
    assert said.text == "cars: the players claim 2, the referee says 1"


# --- an end slid under an older one ---------------------------------------------------------------

JUNCTION = {
    "to_move": 0,
    "pillars": [
        {"id": "A-P1", "at": [0, 0], "discs": 2, "junction": True},
        {"id": "A-P2", "at": [105, 0], "discs": 2},
        {"id": "B-P1", "at": [300, 300], "discs": 2},
    ],
    "roads": [{"id": "A-R1", "from": "A-P1", "to": "A-P2"}],
}


def branched(under: Any, **header: Any) -> Step:
    road = {} if under is None else {"road": {"under": under}}
    do = {"build": {"from": "A-P1", "pillar": [80, 65], "discs": 3, "junction": False, **road}}
    return noted((0, do, {}), start=JUNCTION, **header)


def test_an_end_slid_under_an_older_one_lies_on_the_disc_and_lifts_it():
    on_top, under = branched(None).after, branched(["A-R1"]).after
    (below, above), (lifted, slid) = (
        [line.levels[0] for line in one.lines] for one in (on_top, under)
    )
    assert below == pytest.approx(2.0, abs=1e-6)
    assert min(above, lifted) > 2.1
    assert slid < above - 0.1
    assert on_top.digest() != under.digest()


@pytest.mark.parametrize(
    ("under", "header", "why"),
    [
        (["B-R7"], {}, "cannot lie under B-R7: B-R7 has no end on its pil"),
        (
            ["A-R1"],
            {"observed": False, "engine": "bullet"},
            r"road\.under is for games noted by hand",
        ),
        ("A-R1", {}, r"build\.road\.under must be a list of roads by id"),
    ],
)
def test_an_end_can_be_slid_only_by_people_and_under_ends_on_its_own_pillars(under, header, why):
    with pytest.raises((RecordError, IllegalPlyError), match=why):
        branched(under, **header)
