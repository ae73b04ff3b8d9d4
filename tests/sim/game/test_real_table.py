"""What a real table does (record format 1.1): pieces put elsewhere, hands on buildings, more cars
than there are, ends slid under older ones.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import rules.record as records
from rules.errors import RecordError
from rules.record import Entry, Header, Record
from rules.record.replay import IllegalPlyError
from shutoko.cli import main
from sim.game import replay
from sim.game.replay import Step
from sim.game.verify import verify

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


def refused(*given: dict[str, Any], **header: Any) -> str:
    with pytest.raises(RecordError) as caught:
        last(*given, **header)
    return str(caught.value)


# --- the version ----------------------------------------------------------------------------------


def test_a_record_is_written_as_version_1_1_only_where_a_key_of_it_is_used():
    header = Header("tokyo-highway", PLAYERS, observed=True)
    plain = Entry(0, 0, ENTRANCES[0], observed={"fallen": []})
    assert b'"version":[1,0]' in records.dumps(Record(header, (plain,)))
    for observed in ({"put": [{"gone": "A-C0"}]}, {"touched": []}, {"cars": 1}):
        entry = replace(plain, observed=observed)
        assert b'"version":[1,1]' in records.dumps(Record(header, (entry,)))
    under = {"build": {"from": "A-P0", "pillar": [1, 2], "discs": 2, "road": {"under": ["A-R1"]}}}
    assert b'"version":[1,1]' in records.dumps(Record(header, (Entry(0, 0, under),)))


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
    told = refused(seen(cars=1), version=(1, 0))
    assert "g.jsonl:4" in told
    assert (
        'the key observed.cars is one of version 1.1, but the header says 1.0: write "ver' in told
    )


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


def test_a_pillar_put_elsewhere_takes_its_discs_and_the_end_of_its_road_along():
    table = last(seen(put=[{"pillar": "A-P1", "at": [30, 39]}])).after
    assert table.pillar_by_id["A-P1"].at == (30.0, 39.0)
    road = table.road_by_id["A-R1"]
    assert (road.start, road.end) == ((0.0, -55.0), (30.0, 39.0))


def test_both_ends_of_a_ramp_go_with_its_pillar():
    table = last(seen(put=[{"pillar": "B-P0", "at": [2, 57]}])).after
    was = last({}).after.road_by_id["B-R0"]
    road = table.road_by_id["B-R0"]
    assert road.start == (2.0, 57.0)
    assert road.end == pytest.approx((was.end[0] + 2, was.end[1] + 2))


def test_a_road_put_elsewhere_lies_there_and_decides_the_next_crossing():
    lies = [{"road": "A-R1", "start": [4, -55], "end": [31, 38]}]
    road = last(seen(put=lies)).after.road_by_id["A-R1"]
    assert (road.start, road.end) == ((4.0, -55.0), (31.0, 38.0))
    before, after = last({}, {}), last(seen(put=lies), {})
    one, two = before.verdict.crossings[0], after.verdict.crossings[0]
    assert one.meeting.at != two.meeting.at


def test_a_car_can_be_turned_and_put_on_another_road():
    put = [{"car": "A-C0", "on": "A-R1", "along": 0.4, "side": 1, "turn": 450}]
    table = last(seen(fallen=["A-C0"], put=put)).after
    car = next(car for car in table.cars if car.id == "A-C0")
    assert (car.road, car.along, car.side, car.turn) == ("A-R1", 0.4, 1.0, 90.0)


def test_a_turned_car_lies_across_its_road_for_physics_and_for_the_referee():
    from sim.bodies import rotate
    from sim.game.attempts.posing import bodies
    from sim.referee.obstacles import obstacles_of

    def along(turn: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
        put = [{"car": "A-C0", "on": "A-R0", "along": 0.5, "turn": turn}]
        table = last(seen(put=put)).after
        body = next(body for body in bodies(table) if body.id == "A-C0")
        field = obstacles_of(table)
        _, _, *axis = field.cars[field.car_ids.index("A-C0")][:4]
        return rotate(body.pose.quat, (1.0, 0.0, 0.0))[:2], tuple(axis)

    straight, across = along(0), along(90)
    for one, two in zip(straight, across, strict=True):
        assert one[0] * two[0] + one[1] * two[1] == pytest.approx(0.0, abs=0.02)


def test_a_gone_piece_goes_to_no_stock_and_its_number_is_not_used_again():
    plain, gone = last({}, {}), last(seen(put=[{"gone": "B-C0"}]), {})
    assert gone.after.stocks == plain.after.stocks
    assert [car.id for car in gone.after.cars] == ["A-C0", "B-C1"]


def test_a_gone_entrance_does_not_bring_the_set_up_back():
    gone = [{"gone": "B-P0"}, {"gone": "B-R0"}, {"gone": "B-C0"}]
    table = last(seen(put=gone)).after
    assert table.phase == "play"
    assert table.next_id(1, "P") == "B-P1"


def test_the_top_disc_of_a_pillar_can_go_and_its_roads_lie_lower():
    table = last(seen(put=[{"gone": "A-P1.2"}])).after
    assert table.pillar_by_id["A-P1"].discs == 1
    assert table.road_by_id["A-R1"].levels == (1, 1)


def beside_a_tower(put):
    start = {"buildings": [{"id": "X0", "kind": "tower", "at": [150, 90], "turn": 15}]}
    start |= {"pillars": [{"id": "A-P1", "at": [0, -55], "discs": 2}], "to_move": 0}
    header = Header("tokyo-highway", PLAYERS, observed=True, start=start)
    record = Record(header, (Entry(0, 0, "resign", observed={"put": [put]}),))
    *_, step = replay.steps(record, "none")
    return step.after


def test_buildings_can_be_pushed():
    (tower,) = beside_a_tower({"building": "X0", "at": [152, 91]}).buildings
    assert (tower.at, tower.turn) == ((152.0, 91.0), 15.0)


def test_a_building_can_go_and_its_name_is_not_used_again():
    after = beside_a_tower({"gone": "X0"})
    assert after.buildings == ()
    assert [name for name, _ in after.gone] == ["X0"]


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


def touching(rule: str) -> Step:
    start = {
        "to_move": 0,
        "pillars": [{"id": "A-P1", "at": [0, -55], "discs": 2}],
        "buildings": [{"id": "X0", "kind": "tower", "at": [150, 90]}],
    }
    header = Header(
        "tokyo-highway", PLAYERS, observed=True, start=start, options={"hand_on_building": rule}
    )
    do = {"build": {"from": "A-P1", "pillar": [28, 36], "discs": 3, "junction": False}}
    *_, step = replay.steps(
        Record(header, (Entry(0, 0, do, observed={"touched": ["X0"]}),)), "none"
    )
    return step


def test_a_hand_on_a_building_is_reported():
    step = touching("report")
    assert step.verdict.built
    assert "the hand touches the building X0" in str(step)


def test_a_hand_on_a_building_undoes_the_build_under_redo():
    step = touching("redo")
    assert step.verdict.built is False
    assert step.got()["x-touched"] == ["X0"]
    assert [pillar.id for pillar in step.after.pillars] == ["A-P1"]


# --- cars -----------------------------------------------------------------------------------------


def cars_of(step: Step) -> tuple[int, int, int]:
    got = step.got()
    return got["cars"], got["placed"], step.after.stocks[step.entry.by].cars


def test_people_may_put_down_fewer_cars_than_they_earned():
    step = last({}, seen(cars=0))
    assert cars_of(step) == (1, 0, 9)
    assert "wants to place no more" in str(step)


def test_more_cars_than_were_earned_are_against_the_rules():
    with pytest.raises(IllegalPlyError, match="3 cars are put down, but 1 is earned"):
        last({}, seen(cars=3))


def test_accepted_cars_beyond_those_earned_stand_and_the_surplus_is_told():
    step = last({}, {**seen(cars=3), "accepted": True})
    assert cars_of(step) == (1, 3, 6)
    assert [fault["code"] for fault in step.got()["faults"]] == ["cars-earned"]
    assert len([car for car in step.after.cars if car.road == "B-R1"]) == 3


@pytest.mark.parametrize("tolerance", [0, 3])
def test_accepted_cars_beyond_the_stock_leave_it_at_nothing(tolerance):
    start = {
        "to_move": 1,
        "pillars": [
            {"id": "A-P1", "at": [0, -55], "discs": 2},
            {"id": "A-P2", "at": [0, 55], "discs": 2},
            {"id": "B-P1", "at": [-55, 0], "discs": 4},
        ],
        "roads": [{"id": "A-R1", "from": "A-P1", "to": "A-P2"}],
        "stocks": [
            {"cars": 9, "grey": 20, "yellow": 2, "roads": 10},
            {"cars": 1, "grey": 20, "yellow": 2, "roads": 10},
        ],
    }
    header = Header("tokyo-highway", PLAYERS, observed=True, start=start, tolerance=tolerance)
    do = {"build": {"from": "B-P1", "pillar": [49, 0], "discs": 3, "junction": False}}
    entry = Entry(0, 1, do, observed={"cars": 2}, accepted=True)
    *_, step = replay.steps(Record(header, (entry,)), "none")
    assert cars_of(step) == (1, 2, 0)
    assert [fault["code"] for fault in step.got()["faults"]] == ["cars-earned", "stock-cars"]
    assert "2 cars are put down, but Ben has 1 left" in str(step).replace("B has", "Ben has")
    assert step.after.outcome() is not None


@pytest.mark.rule("FR 9", "KR 9")
def test_a_new_car_that_fell_was_put_back_on_its_road():
    step = last({}, seen(fallen=["B-C1"], cars=1))
    assert cars_of(step) == (1, 1, 8)
    assert step.verdict.fallen == ("B-C1",)
    assert step.verdict.paid == ()
    assert "B-C1 slid off B-R1 and is put back on it" in str(step)
    assert [car.id for car in step.after.cars] == ["A-C0", "B-C0", "B-C1"]


@pytest.mark.rule("FR 9", "KR 9")
def test_the_car_of_an_entrance_that_fell_was_put_back_too():
    lines = game(version=(1, 1)).splitlines()
    entry = json.loads(lines[2]) | {"observed": {"fallen": ["B-C0"], "cars": 1}}
    data = b"\n".join([*lines[:2], json.dumps(entry).encode()]) + b"\n"
    *_, step = replay.steps(records.loads(data), "none")
    assert step.got()["placed"] == 1
    assert [car.id for car in step.after.cars] == ["A-C0", "B-C0"]


def test_the_place_to_which_a_new_car_went_back_can_be_named():
    put = [{"car": "B-C1", "on": "B-R1", "along": 0.4}]
    step = last({}, seen(fallen=["B-C1"], put=put))
    assert cars_of(step) == (1, 1, 8)
    assert [car.along for car in step.after.cars if car.id == "B-C1"] == [0.4]


def test_people_may_say_that_a_new_car_did_not_go_back():
    step = last({}, {**seen(fallen=["B-C1"]), "claim": {"placed": 0}})
    assert cars_of(step) == (1, 0, 9)
    assert "B-C1 did not stay on B-R1 and goes back to Ben's stock" in str(step)


def two_new_cars(put: list[Any], placed: int) -> list[str]:
    observed = {"fallen": ["B-C1", "B-C2"], "cars": 2, "put": put}
    given = {"observed": observed, "claim": {"placed": placed}, "accepted": True}
    return [car.id for car in last({}, given).after.cars if car.road == "B-R1"]


def test_of_two_new_cars_the_one_whose_place_is_named_went_back():
    named = [{"car": "B-C2", "on": "B-R1", "along": 0.4}]
    assert two_new_cars([], 2) == ["B-C1", "B-C2"]
    assert two_new_cars([], 1) == ["B-C1"]
    assert two_new_cars(named, 1) == ["B-C2"]
    assert two_new_cars([{"gone": "B-C2"}], 2) == ["B-C1"]


@pytest.mark.rule("FR 10.1", "KR 10.1")
def test_the_win_stands_if_the_last_car_fell_and_was_put_back():
    start = {
        "to_move": 1,
        "pillars": [
            {"id": "A-P1", "at": [0, -55], "discs": 2},
            {"id": "A-P2", "at": [0, 55], "discs": 2},
            {"id": "B-P1", "at": [-55, 0], "discs": 4},
        ],
        "roads": [{"id": "A-R1", "from": "A-P1", "to": "A-P2"}],
        "stocks": [{"cars": cars, "grey": 9, "yellow": 1, "roads": 9} for cars in (9, 1)],
    }
    do = {"build": {"from": "B-P1", "pillar": [49, 0], "discs": 3, "junction": False}}
    header = Header("tokyo-highway", PLAYERS, observed=True, start=start)
    for claim, winners in (({}, (1,)), ({"placed": 0}, None)):
        entry = Entry(0, 1, do, observed={"fallen": ["B-C0"]}, claim=claim)
        *_, step = replay.steps(Record(header, (entry,)), "none")
        outcome = step.after.outcome()
        assert (outcome and outcome.winners) == winners


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


def knocked(do: Any, fallen: list[str], start: Any = PASSES, players: int = 2, **keys: Any) -> Step:
    header = Header(
        "tokyo-highway", PLAYERS + ("Cleo",) * (players - 2), observed=True, start=start
    )
    entry = Entry(0, start["to_move"], do, observed={"fallen": fallen}, **keys)
    *_, step = replay.steps(Record(header, (entry,)), "none")
    return step


def greys(step: Step) -> list[int]:
    return [stock.grey for stock in step.after.stocks]


@pytest.mark.rule("FR 9", "KR 9")
@pytest.mark.parametrize("do", ["pass", "resign"])
def test_what_fell_in_a_turn_without_a_build_is_told_paid_and_put_back(do):
    step = knocked(do, ["B-P5.3", "A-P0.2"])
    assert step.verdict.fallen == ("A-P0.2", "B-P5.3")
    assert greys(step) == [4, 6]
    assert step.got()["paid"] == [{"to": 1, "grey": 1, "yellow": 0}]
    assert step.after.pillars == step.before.pillars
    assert "Aiko owes Ben 1 disc for 1 fallen piece and pays 1 grey disc" in str(step)
    assert [reason.data["kind"] for reason in step.reasons()].count("fall") == 2


def test_a_calm_pass_says_nothing_of_falls():
    assert knocked("pass", []).got().keys() == {"legal", "digest"}


@pytest.mark.rule("FR 9", "KR 9")
def test_a_payment_that_people_noted_for_a_pass_happens():
    step = knocked("pass", ["B-P5.3"], pay=[{"to": 1, "grey": 0, "yellow": 1}])
    assert greys(step) == [5, 5]
    assert [stock.yellow for stock in step.after.stocks] == [0, 2]


def test_a_payment_that_differs_needs_to_be_accepted_and_is_told_by_verify(tmp_path, capsys):
    wrong = {"pay": [{"to": 1, "grey": 2, "yellow": 0}]}
    with pytest.raises(IllegalPlyError, match="Aiko pays Ben 2 pieces, but 1 is due"):
        knocked("pass", ["B-P5.3"], **wrong)
    header = Header("tokyo-highway", PLAYERS, observed=True, start=PASSES)
    entry = Entry(0, 0, "pass", observed={"fallen": ["B-P5.3"]}, accepted=True, **wrong)
    path = tmp_path / "g.jsonl"
    records.write(Record(header, (entry,)), path)
    assert greys(next(replay.steps(records.read(path), "none"))) == [3, 7]
    assert main(["verify", "--mode", "rules", str(path)]) == 0
    assert "against the rules, but noticed too late" in capsys.readouterr().out


READY = {
    "to_move": 0,
    "pillars": [
        {"id": "A-P0", "at": [0, 0], "discs": 1},
        {"id": "B-P5", "at": [300, 0], "discs": 3},
    ],
}


@pytest.mark.parametrize(
    ("start", "do"),
    [
        (PASSES, "pass"),
        (PASSES, "resign"),
        (READY, {"build": {"from": "A-P0", "pillar": [105, 0], "discs": 2}}),
        (READY, {"exit": {"from": "A-P0", "to": [109, 0]}}),
    ],
)
def test_a_piece_that_is_not_there_falls_in_no_turn(start, do):
    assert knocked(do, ["B-P5.3"], start).verdict.owed == ((1, 1),)
    with pytest.raises(RecordError, match="observed names B-C99, but there is no such piece"):
        knocked(do, ["B-C99"], start)


def set_up(*plies: dict[str, Any]) -> list[Step]:
    """A noted game of three up to and with the buildings, `plies` being the further keys of all."""
    from sim.referee.table import Table

    header = Header("tokyo-highway", (*PLAYERS, "Cleo"), observed=True)
    table = Table.start(3)
    moves = [(seat, table.default_entrance(seat).to_json()) for seat in range(3)]
    places = (("tower", [200, 200]), ("slab", [-200, 200]), ("block", [0, 300]))
    for seat, (kind, at) in zip((2, 1, 0), places, strict=True):
        moves.append((seat, {"building": {"kind": kind, "at": at, "turn": 0}}))
    entries = [
        Entry(n, seat, do, **more)
        for n, ((seat, do), more) in enumerate(zip(moves, plies, strict=False))
    ]
    return list(replay.steps(Record(header, tuple(entries)), "none"))


@pytest.mark.rule("FR 9", "KR 9")
def test_a_knock_while_a_building_or_an_entrance_is_set_is_paid():
    *_, entrance = set_up({}, seen(fallen=["A-C0"]))
    assert greys(entrance) == [25, 23, 25]
    *_, building = set_up({}, {}, {}, seen(fallen=["A-P0.1", "A-R0", "B-C0", "C-C0"]))
    assert building.entry.by == 2
    assert greys(building) == [26, 25, 21]
    with pytest.raises(RecordError, match="observed names X7, but there is no such piece"):
        set_up({}, {}, {}, seen(fallen=["X7"]))
    assert building.after.buildings[-1].kind == "tower"
    *_, touched = set_up({}, {}, {}, {}, seen(touched=["X0"]))
    assert "the hand touches the building X0" in str(touched)


@pytest.mark.rule("FR 10.2")
def test_a_knock_on_a_pass_rescues_who_waits_to_go_out():
    start = {**PASSES, "to_move": 1, "stocks": [PASSES["stocks"][0], PASSES["stocks"][1]]}
    header = Header(
        "tokyo-highway",
        PLAYERS,
        observed=True,
        start=start,
        options={"elimination": "fr", "may_pass": True},
    )
    watched = []
    for fallen in ([], ["A-P0.2"]):
        entries = (
            Entry(0, 1, "pass"),
            Entry(1, 0, "pass"),
            Entry(2, 1, "pass", observed={"fallen": fallen}),
        )
        *_, step = replay.steps(Record(header, entries), "none")
        watched.append(step.verdict.out)
    assert watched == [(0,), ()]


def test_who_passed_and_then_paid_the_last_disc_did_not_pass_as_unable():
    pillars = [{"id": "A-P0", "at": [0, 0], "discs": 2}, *PASSES["pillars"][1:]]
    stocks = [{"cars": 5, "grey": 1, "yellow": 0, "roads": 3}, PASSES["stocks"][1]]
    start = {**PASSES, "pillars": pillars, "stocks": stocks}
    header = Header(
        "tokyo-highway", PLAYERS, observed=True, start=start, options={"may_pass": True}
    )
    entry = Entry(0, 0, "pass", observed={"fallen": ["B-P5.3"]})
    *_, step = replay.steps(Record(header, (entry,)), "none")
    assert step.after.unable(0)
    assert step.after.turns.misses == (0, 0)


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


def branched(under: list[str] | None, **header: Any) -> Step:
    road = {} if under is None else {"road": {"under": under}}
    do = {"build": {"from": "A-P1", "pillar": [80, 65], "discs": 3, "junction": False, **road}}
    record = Record(
        Header("tokyo-highway", PLAYERS, start=JUNCTION, **({"observed": True} | header)),
        (Entry(0, 0, do),),
    )
    *_, step = replay.steps(record, "none")
    return step


def levels(step: Step) -> dict[str, float]:
    return {line.id: line.levels[0] for line in step.after.lines}


def test_an_end_slid_under_an_older_one_lies_on_the_disc_and_lifts_it():
    on_top, under = levels(branched(None)), levels(branched(["A-R1"]))
    assert on_top["A-R1"] == pytest.approx(2.0, abs=1e-6)
    assert on_top["A-R2"] > 2.1
    assert under["A-R1"] > 2.1
    assert under["A-R2"] < on_top["A-R2"] - 0.1


def test_an_end_can_be_slid_only_under_ends_on_its_own_pillars():
    with pytest.raises(IllegalPlyError, match="cannot lie under B-R7: B-R7 has no end on its pil"):
        branched(["B-R7"])


def test_an_end_slid_under_another_changes_the_digest():
    assert branched(["A-R1"]).after.digest() != branched(None).after.digest()


def test_no_engine_slides_an_end_under_another():
    do = branched(["A-R1"]).entry.do
    record = Record(Header("tokyo-highway", PLAYERS, start=JUNCTION), (Entry(0, 0, do),))
    with pytest.raises(RecordError, match=r"road\.under is for games noted by hand"):
        list(replay.steps(record, "bullet"))


def test_under_must_be_a_list_of_roads():
    do = branched(["A-R1"]).entry.do
    text = json.dumps(do).replace('["A-R1"]', '"A-R1"')
    record = Record(
        Header("tokyo-highway", PLAYERS, start=JUNCTION, observed=True),
        (Entry(0, 0, json.loads(text)),),
    )
    with pytest.raises(RecordError, match=r"build\.road\.under must be a list of roads by id"):
        list(replay.steps(record, "none"))
