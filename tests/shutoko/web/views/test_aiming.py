"""From a point on the table to a placement: what is left open is filled in, and the referee has the
last word.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import rules
import sim
from shutoko.web.views.aiming import (
    OPENS,
    TAKES,
    AimRequest,
    Change,
    RoadSide,
    aim,
    changed,
    margin,
    moved,
    passing,
    request_for,
    risk_of,
    slot_bars,
)
from shutoko.web.views.table import told_placement
from shutoko.web.wording import words as texts
from sim import referee
from sim.assets import asset
from sim.game import replay
from sim.referee.explain import slots
from sim.referee.placement import Build, CarSpot, Entrance, Exit, Pass, SetBuilding
from sim.referee.room import reach
from sim.referee.table import Table
from tests.sim.game.test_touching import LOW_BRIDGE, ROADS
from tests.tables import build, lay_out

GAME = rules.record.read(asset("records", "two-cars.jsonl"))
STEPS = list(replay.trusted(GAME))


def test_an_entrance_leads_outwards_unless_it_is_turned():
    table, outwards = Table.start(2), math.degrees(math.atan2(-40, 30)) % 360
    aimed = aim(table, AimRequest((30.0, -40.0)))
    assert aimed.legal
    assert aimed.placement == Entrance(
        (30.0, -40.0), pytest.approx(outwards, abs=0.01), CarSpot(0.5)
    )
    assert aim(table, AimRequest((30.0, -40.0), turn=12.0)).placement.toward == 12.0
    assert {body.kind for body in aimed.pieces} == {"disc", "road", "car"}


def test_only_buildings_that_stand_nowhere_yet_are_offered():
    table = Table.start(3)
    for _ in range(3):
        _, table = sim.play(table, table.default_entrance(table.to_move), engine="none")
    first = aim(table, AimRequest((300.0, 0.0))).placement
    assert first == SetBuilding(table.buildings_left[0], (300.0, 0.0), 0.0)
    _, table = sim.play(table, first, engine="none")
    second = aim(table, AimRequest((-300.0, 0.0), building=first.building))
    assert second.placement.building == table.buildings_left[0] != first.building
    assert second.legal


def within_reach(table, placement, base):
    least, most = reach(table.components, placement.discs - base.discs)
    return placement.base == base.id and least <= math.dist(table.top(base), placement.at) <= most


def test_pointing_anywhere_gives_a_pillar_within_reach_of_a_road():
    table = STEPS[2].before
    base = table.base_points(table.to_move)[0].pillar
    for at in ((0.0, 0.0), (400.0, 300.0), table.top(base)):
        assert within_reach(table, aim(table, AimRequest(at, base=base.id)).placement, base)


@pytest.mark.parametrize(
    "step", [step for step in STEPS if step.placement.kind == "build"], ids=str
)
def test_a_place_that_a_road_reaches_is_taken_to_the_hundredth_of_a_millimetre(step):
    request = replace(request_for(step.placement), exact=None)
    assert aim(step.before, request).placement.at == step.placement.at


def test_left_to_itself_the_height_is_legal_and_earns_most():
    step = next(m for m in STEPS if m.verdict.earned and isinstance(m.placement, Build))
    request = replace(request_for(step.placement), exact=None, discs=None)
    aimed = aim(step.before, request)
    assert aimed.legal
    assert aimed.cars >= step.verdict.earned
    assert len(aimed.scoring) >= 1


def test_an_illegal_request_tells_every_fault_of_the_referee_and_still_shows_the_pieces():
    table = STEPS[4].before
    foreign = next(pillar for pillar in table.pillars if pillar.owner != table.to_move)
    aimed = aim(table, AimRequest(foreign.at, fixed=True))
    faults = referee.before(table, aimed.placement)
    assert [line.text for line in aimed.lines] == [fault.text for fault in faults]
    assert (aimed.legal, bool(faults), bool(aimed.pieces)) == (False, True, True)


def test_a_car_that_may_slide_is_told_before_the_pieces_are_placed():
    table = lay_out(
        {"A-P0": (0, 0, 1), "B-P0": (0, 500, 1), "B-P1": (60, -55, 2), "B-P2": (60, 55, 2)},
        {"B-R1": ("B-P1", "B-P2")},
    )
    steep, gentle = (
        aim(table, request_for(build("A-P0", 105, 0, *pillar)))
        for pillar in ((5, True), (5, True, []))
    )
    assert steep.lines[-1].text.startswith("A-C0 stands at 2")
    assert all(line.data["kind"] != "doubt" for line in gentle.lines)


def test_an_exit_ends_where_a_road_comes_down():
    table = STEPS[6].before
    aimed = aim(table, AimRequest((300.0, 0.0), kind="exit"))
    base, box = table.pillar_by_id[aimed.placement.base], table.components
    length = math.sqrt(box.road_length**2 - (base.discs * box.disc_height) ** 2)
    assert math.dist(table.top(base), aimed.placement.to) == pytest.approx(length, abs=0.02)


def test_a_building_is_set_where_it_is_pointed_at():
    four = replay.branch(rules.record.read(asset("records", "four-players.jsonl")), 4)
    *_, last = replay.trusted(four)
    aimed = aim(last.after, AimRequest((220.0, 160.0), building="tower", turn=15.0))
    assert (aimed.placement, aimed.legal) == (SetBuilding("tower", (220.0, 160.0), 15.0), True)
    bad = aim(last.after, AimRequest(last.after.pillars[0].at, building="tower"))
    assert (bad.legal, [body.kind for body in bad.pieces]) == (False, ["building"])


def test_statics_says_how_much_more_a_build_bears():
    step, engine = STEPS[2], GAME.header.physics["engine"]
    assert "g sideways" in str(margin(step.before, str(step.placement), engine))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("A-R1 touches B-R0", "A-R1 touches B-R0 in 2 of 2 tries")),
        (
            "fr",
            (
                "la route A-R1 touche la route B-R0",
                "la route A-R1 touche la route B-R0 (2 essais sur 2)",
            ),
        ),
        (
            "ko",
            ("A-R1 도로가 B-R0 도로에 닿습니다", "2번 중 2번: A-R1 도로가 B-R0 도로에 닿습니다"),
        ),
    ],
)
def test_a_build_that_does_not_stand_is_told_with_what_it_touches(language, said):
    table, engine = lay_out(LOW_BRIDGE, ROADS), GAME.header.physics["engine"]
    move = str(Build("A-P1", (100.0, 0.0), 3))
    assert said[0] in margin(table, move, engine).told(language)
    assert said[1] in risk_of(table, move, "expert", 2, engine).told(language)


def test_free_sides_are_marked_as_the_referee_counts_them():
    table = STEPS[-1].before
    sides = [(slot, side) for slot in slots(table) for side in (slot.over, slot.under)]
    free = sum(not slot.nobody and table.to_move in side.free_for for slot, side in sides)
    assert sum(bar[5] == "#2fae66" for bar in slot_bars(table, table.to_move)) == free > 0


@pytest.mark.parametrize(
    "step", [s for s in STEPS[4:12] if isinstance(s.placement, (Build, Exit))], ids=str
)
def test_the_sides_that_a_placement_takes_and_opens_are_those_that_the_referee_counts_after_it(
    step,
):
    aimed = aim(step.before, request_for(step.placement))
    change = changed(step.before, aimed)
    was, now = ({slot.road: slot for slot in slots(table)} for table in (step.before, aimed.after))
    for one in (*change.taken, *change.own):
        before, after = (getattr(slots_of[one.road], one.side).free_for for slots_of in (was, now))
        assert (bool(before), bool(after)) == (True, False)
    scored = {(c.road.id, c.side) for c in step.verdict.crossings if c.scores}
    assert scored <= {(one.road, one.side) for one in change.taken}
    assert {one.road for one in change.opened} <= now.keys() - was.keys()
    bars = [bar[5] for bar in slot_bars(step.before, None, aimed)]
    assert bars.count(TAKES) == len(change.taken) + len(change.own)
    assert bars.count(OPENS) == len(change.opened) > 0


def test_a_road_above_an_own_one_closes_its_free_side_to_the_others():
    layout = {
        "pillars": [
            {"id": "A-P0", "at": [0, 0], "discs": 1},
            {"id": "A-P1", "at": [100, 0], "discs": 2},
            {"id": "A-P2", "at": [50, -52], "discs": 5},
        ],
        "roads": [
            {"id": "A-R0", "from": {"table": [-108, 0]}, "to": "A-P0"},
            {"id": "A-R1", "from": "A-P0", "to": "A-P1"},
        ],
    }
    header = replace(rules.game("tokyo-highway").header(("Ann", "Bo")), start=layout)
    table = replay.begin(rules.record.Record(header))
    aimed = aim(table, AimRequest((50.0, 50.0), base="A-P2"))
    assert changed(table, aimed) == Change(
        own=(RoadSide("A-R1", "over"),), opened=(RoadSide("A-R2", "over"),)
    )
    beside = aim(table, AimRequest((150.0, -90.0), base="A-P2"))
    assert changed(table, beside).own == ()


def test_the_request_for_a_placement_is_exactly_that_placement_until_it_is_moved():
    four = replay.branch(rules.record.read(asset("records", "four-players.jsonl")), 12)
    kinds = set()
    for step in replay.trusted(four):
        kinds.add(step.placement.kind)
        assert aim(step.before, request_for(step.placement)).placement == step.placement
    assert kinds >= {"entrance", "building", "build"}
    assert request_for(Pass()) is None


@pytest.mark.parametrize(("ruleset", "passes"), [("standard", Pass("no room")), ("fr", Pass())])
def test_a_player_who_may_not_pass_says_no_room(ruleset, passes):
    assert (
        passing(
            Table.from_layout({"pillars": [{"id": "A-P0", "at": [0, 0], "discs": 1}]}, 2, ruleset)
        )
        == passes
    )
    assert passing(Table.from_layout({}, 2, ruleset)) == Pass()  # no base point: unable
    words = {name: told_placement(str(passes), texts(name)) for name in ("en", "ko", "fr")}
    assert words["en"] == ("Pass the turn" if passes == Pass() else "No room: pass")
    assert len(set(words.values())) == 3


def test_a_typed_place_is_taken_as_it_is_and_judged_there():
    table = STEPS[2].before
    base = table.base_points(table.to_move)[0].pillar
    x, y = table.top(base)
    far = AimRequest((x + 300.0, y), base=base.id, fixed=True)
    aimed = aim(table, far)
    assert (aimed.placement.at, aimed.legal) == (far.at, False)


def test_an_arrow_moves_the_pillar_by_its_step_and_along_the_rim_where_the_road_ends():
    table = STEPS[2].before
    base = table.base_points(table.to_move)[0].pillar
    centre = table.top(base)
    for at in ((400.0, 300.0), (-300.0, 40.0), (20.0, -400.0)):
        aimed = aim(table, AimRequest(at, base=base.id))
        x, y = aimed.placement.at
        for step in ((-5.0, 0.0), (5.0, 0.0), (0.0, -5.0), (0.0, 1.0)):
            request = moved(table, aimed.placement, AimRequest(at), step)
            placement = aim(table, request).placement
            assert within_reach(table, placement, base)
            kept = 0 if step[0] else 1
            most = reach(table.components, placement.discs - base.discs)[1]
            if abs((x, y)[kept] + step[kept] - centre[kept]) < most - 0.5:
                assert placement.at[kept] - (x, y)[kept] == pytest.approx(step[kept], abs=0.02)


def test_an_arrow_moves_an_entrance_and_an_exit_too():
    table = Table.start(2)
    request = AimRequest((30.0, -40.0))
    placed = aim(table, moved(table, aim(table, request).placement, request, (0.0, 5.0))).placement
    assert placed.pillar == (30.0, -35.0)
    step = next(m for m in STEPS if isinstance(m.placement, Exit))
    request = request_for(step.placement)
    before = aim(step.before, request).placement
    after = aim(step.before, moved(step.before, before, request, (5.0, 0.0))).placement
    assert isinstance(after, Exit)
    assert after.to != before.to
