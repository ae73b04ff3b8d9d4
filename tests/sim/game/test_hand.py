"""The hand: what is drawn, where its path goes, what it touches and fells, and that a record needs
no generator.
"""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from rules.errors import InputError
from rules.record import canonical_json
from sim import referee
from sim.bodies import Cylinder, rotation_matrix
from sim.game.attempts.hand import MAX_DEVIATION, SKILLS, Skill, draw, skill
from sim.game.attempts.posing import bodies, jitters, lay
from sim.game.ply import play
from sim.physics.engine import HandPath
from sim.physics.world import World
from sim.records import MIN_SPEED, checked_hand
from sim.referee.placement import Build, Exit, Pass, Placement, SetBuilding
from sim.referee.table import Table

ENGINE = (
    pytest.importorskip("mujoco", reason="the hand is tested with the cheaper engine") and "mujoco"
)
BUILD = Build("A-P0", (55.0, 0.0), 3)
STEADY = Skill("steady", 0.0, 0.0, 0.0, 0.0, 0.0, 200.0)


def table(*, beside: float | None = None, cars: bool = False, **options: object) -> Table:
    """A base of A at (-55, 0); `beside` mm from a finger on the new pillar at (55, 0), a road of B
    runs across, higher up.
    """
    layout: dict[str, object] = {
        "to_move": 0,
        "pillars": [{"id": "A-P0", "at": [-55, 0], "discs": 2}],
    }
    if beside is not None:
        x = 55 + 7 + beside + 4.5
        layout["pillars"] += [  # type: ignore[operator]
            {"id": "B-P0", "at": [x, -55], "discs": 5},
            {"id": "B-P1", "at": [x, 55], "discs": 4},
        ]
        layout["roads"] = [{"id": "B-R0", "from": "B-P0", "to": "B-P1"}]
        layout["cars"] = [{"id": "B-C0", "on": "B-R0", "along": 0.5}] if cars else []
    return Table.from_layout(layout, **options)


def drawn_for(table: Table, placement: Placement):
    return draw(np.random.default_rng(1), referee.check(table, placement), SKILLS["normal"])


def path_of(hand):
    return hand[-1]["path"]


def test_a_hand_names_the_new_pieces_in_placing_order_and_then_its_path():
    hand = draw(np.random.default_rng(1), referee.check(table(), BUILD), SKILLS["normal"])
    assert [item["piece"] for item in hand[:-1]] == ["A-P1.1", "A-P1.2", "A-P1.3", "A-R0"]
    assert list(path_of(hand)) == ["points", "speed", "tool"]
    # come in, let go, jerk, leave: at the pillar and at the road
    assert len(path_of(hand)["points"]) == 8


def test_cars_that_geometry_earns_are_drawn_too():
    crossing = {
        "to_move": 0,
        "pillars": [
            {"id": "A-P0", "at": [-55, 0], "discs": 3},
            {"id": "B-P0", "at": [0, -55], "discs": 2},
            {"id": "B-P1", "at": [0, 55], "discs": 1},
        ],
        "roads": [{"id": "B-R0", "from": "B-P0", "to": "B-P1"}],
    }
    laid = Table.from_layout(crossing)
    drawn = [
        item.get("piece")
        for item in draw(
            np.random.default_rng(1),
            referee.check(laid, Build("A-P0", (55.0, 0.0), 2)),
            SKILLS["normal"],
        )
    ]
    assert drawn[-2] == "A-C0"
    none = Build("A-P0", (55.0, 0.0), 2, cars=())
    assert "A-C0" not in [
        item.get("piece")
        for item in draw(np.random.default_rng(1), referee.check(laid, none), SKILLS["normal"])
    ]


def test_an_entrance_draws_its_disc_its_ramp_and_its_car():
    start = Table.start()
    drawn = draw(
        np.random.default_rng(1), referee.check(start, start.default_entrance(0)), SKILLS["normal"]
    )
    assert [item.get("piece") for item in drawn] == ["A-P0.1", "A-R0", "A-C0", None]


def test_an_exit_has_no_pillar_to_visit():
    layout = {"to_move": 0, "pillars": [{"id": "A-P0", "at": [0, 0], "discs": 1}]}
    hand = draw(
        np.random.default_rng(1),
        referee.check(Table.from_layout(layout), Exit("A-P0", (109.0, 0.0))),
        SKILLS["normal"],
    )
    assert [item.get("piece") for item in hand] == ["A-R0", "A-C0", None]
    assert len(path_of(hand)["points"]) == 4


@pytest.mark.parametrize("placement", [Pass(), SetBuilding("tower", (0.0, 0.0))])
def test_what_lays_no_road_has_no_hand(placement):
    assert draw(np.random.default_rng(1), referee.check(table(), placement), SKILLS["normal"]) == []


def test_the_errors_drawn_have_the_spread_of_the_skill():
    rng, clumsy = np.random.default_rng(2), SKILLS["clumsy"]
    items = [
        item for _ in range(60) for item in draw(rng, referee.check(table(), BUILD), clumsy)[:-1]
    ]
    shifts, turns = (
        np.array([item["shift"] for item in items]),
        np.array([item["turn"] for item in items]),
    )
    assert shifts[:, :2].std() == pytest.approx(clumsy.shift, rel=0.15)
    assert turns[:, :2].std() == pytest.approx(clumsy.tilt, rel=0.15)
    assert turns[:, 2].std() == pytest.approx(clumsy.yaw, rel=0.15)
    assert shifts[:, 2].min() >= 0
    assert math.sqrt((shifts[:, 2] ** 2).mean()) == pytest.approx(clumsy.release, rel=0.15)


def test_all_randomness_comes_from_the_generator():
    one, two = (
        draw(np.random.default_rng(3), referee.check(table(), BUILD), SKILLS["normal"])
        for _ in range(2)
    )
    assert one == two
    assert one != draw(np.random.default_rng(4), referee.check(table(), BUILD), SKILLS["normal"])


def test_the_tool_lets_go_just_above_the_pieces_where_they_are_let_go():
    hand = draw(np.random.default_rng(5), referee.check(table(), BUILD), SKILLS["clumsy"])
    let_go = {
        laid.release.id: laid.release.pose.at
        for laid in lay(table(), table().with_pieces(BUILD), jitters(hand))
    }
    at_pillar, at_road = path_of(hand)["points"][1], path_of(hand)["points"][5]
    assert at_pillar[:2] == pytest.approx(let_go["A-P1.3"][:2])
    # the top face of a tilted stick is off its middle
    assert at_road[:2] == pytest.approx(let_go["A-R0"][:2], abs=0.2)
    assert 0 < at_road[2] - let_go["A-R0"][2] < 3
    assert 30 < at_pillar[2] < 42


@pytest.mark.parametrize("heading", [0.0, 50.0, 90.0, 200.0])
@pytest.mark.parametrize("axis", [0, 1])
def test_a_piece_let_go_askew_begins_clear_of_what_bears_it_whatever_way_it_heads(heading, axis):
    """It is lifted by no more than its turn needs: its lowest corner is where its underside would
    lie, or a hair above.
    """
    ahead = math.radians(heading)
    to = (round(-55 + 110 * math.cos(ahead), 6), round(110 * math.sin(ahead), 6))
    placement = Build("A-P0", to, 2)
    turn = [0.0, 0.0, 0.0]
    turn[axis] = 3.0
    hand = [{"piece": name, "shift": [0.0, 0.0, 0.0], "turn": turn} for name in ("A-R0", "A-P1.2")]
    for laid in lay(table(), table().with_pieces(placement), jitters(hand)):
        if laid.lying.id in ("A-R0", "A-P1.2"):
            assert lowest(laid.release) == pytest.approx(lowest(laid.lying), abs=0.01)


def lowest(body) -> float:
    """The z of a body's lowest point in mm."""
    up = rotation_matrix(body.pose.quat)[2]
    if isinstance(body.shape, Cylinder):
        return (
            body.pose.at[2]
            - body.shape.radius * math.hypot(*up[:2])
            - body.shape.height / 2 * abs(up[2])
        )
    return body.pose.at[2] - sum(
        size / 2 * abs(part) for size, part in zip(body.shape.size, up, strict=True)
    )


def test_a_steady_hand_touches_nothing_and_changes_nothing():
    steady = draw(np.random.default_rng(6), referee.check(table(beside=3.1), BUILD), STEADY)
    verdict, after = play(table(beside=3.1), BUILD, ENGINE, steady)
    assert (verdict.built, verdict.fallen, verdict.touched) == (True, (), ())
    assert after.top(after.pillar_by_id["A-P1"]) == (55.0, 0.0)


def test_the_hand_comes_in_where_there_is_room():
    """A wall of higher roads on one side: the tool leans away from it, at the pillar at least."""
    points = path_of(
        draw(np.random.default_rng(7), referee.check(table(beside=3.1), BUILD), STEADY)
    )["points"]
    assert points[0][0] < points[1][0] - 5


def test_a_road_is_held_where_nothing_is_above_it():
    """A's road passes under B's, which crosses over its middle: it is held elsewhere."""
    layout = {
        "to_move": 0,
        "pillars": [
            {"id": "A-P0", "at": [-55, 0], "discs": 2},
            {"id": "B-P0", "at": [0, -55], "discs": 5},
            {"id": "B-P1", "at": [0, 55], "discs": 5},
        ],
        "roads": [{"id": "B-R0", "from": "B-P0", "to": "B-P1"}],
    }
    under = Table.from_layout(layout)
    assert referee.before(under, BUILD) == ()
    hand = draw(np.random.default_rng(8), referee.check(under, BUILD), STEADY)
    x = path_of(hand)["points"][5][0]
    assert abs(x) > 4.5 + 7
    assert play(under, BUILD, ENGINE, hand)[0].touched == ()


@pytest.mark.parametrize("tool", ["finger", "tweezers"])
def test_an_expert_fells_nothing_in_a_free_place(tool):
    """A sample; benchmarks/agreement.py hand has more."""
    rng, free = np.random.default_rng(9), table()
    for _ in range(8):
        verdict, _ = play(
            free, BUILD, ENGINE, draw(rng, referee.check(free, BUILD), SKILLS["expert"], tool)
        )
        assert (verdict.built, verdict.fallen) == (True, ())


@pytest.mark.slow
def test_a_clumsy_hand_touches_a_road_three_millimetres_off_its_path_and_says_so():
    """The road's edge is 3.1 mm from the finger as it is meant to go; the engine says what the
    drawn path says.
    """
    rng, crowded = np.random.default_rng(10), table(beside=3.1)
    hands = [draw(rng, referee.check(crowded, BUILD), SKILLS["clumsy"]) for _ in range(60)]
    edge = 55 + 7 + 3.1
    deepest = sorted(
        hands, key=lambda hand: edge - 7 - max(x for x, _, z in path_of(hand)["points"] if z < 45)
    )
    for hand, through in ((deepest[0], True), (deepest[3], True), (deepest[-1], False)):
        assert ("B-R0" in play(crowded, BUILD, ENGINE, hand)[0].touched) is through


def test_a_sideways_push_fells_a_steep_road_that_bears_little_and_only_shifts_a_level_one():
    """Its friction works against the push and no longer holds it on the slope, so it slides down,
    off its upper disc.
    """

    def pushed(discs: tuple[int, int], apart: float) -> tuple[float, float]:
        ends = [
            {"id": f"B-P{k}", "at": [70, (k - 0.5) * apart], "discs": n}
            for k, n in enumerate(discs)
        ]
        road = {"id": "B-R0", "from": "B-P0", "to": "B-P1"}
        standing = Table.from_layout({"pillars": ends, "roads": [road]})
        before = {body.id: body.pose for body in bodies(standing)}["B-R0"]
        world = World(bodies(standing), ENGINE)
        # 5.5 mm into its edge
        world.sweep(HandPath(((55.0, 0.0, 24.0), (64.0, 0.0, 24.0), (40.0, 0.0, 60.0)), 200.0))
        moved = world.settle().poses["B-R0"].at
        return moved[0] - before.at[0], before.at[2] - moved[2]

    aside, down = pushed((3, 3), 107.0)
    glide = 200.0**2 / (2 * 0.35 * 9810.0)  # mm, after the finger has turned back
    assert 5.0 < aside < 5.5 + glide
    assert abs(down) < 0.5
    _, down = pushed((1, 6), 115.0)
    assert down > 5.0


def test_a_record_with_the_drawn_hand_replays_without_a_generator():
    crowded = table(beside=3.1, cars=True)
    hand = draw(np.random.default_rng(11), referee.check(crowded, BUILD), SKILLS["clumsy"])
    read_back = json.loads(canonical_json(hand))
    assert read_back == hand
    one, after = play(crowded, BUILD, ENGINE, hand)
    again, after_again = play(crowded, BUILD, ENGINE, read_back)
    assert one == again
    assert after.digest() == after_again.digest()


@pytest.mark.parametrize(("option", "built"), [("report", True), ("redo", False)])
def test_a_building_that_the_hand_touches_is_reported_or_makes_a_redo(option, built):
    layout = {
        "to_move": 0,
        "pillars": [{"id": "A-P0", "at": [-55, 0], "discs": 2}],
        "buildings": [{"id": "X0", "kind": "tower", "at": [120, 0], "turn": 0}],
    }
    beside = Table.from_layout(layout, hand_on_building=option)
    hand = [{"path": {"points": [[90, 0, 60], [100, 0, 60]], "speed": 200.0, "tool": "finger"}}]
    verdict, _ = play(beside, BUILD, ENGINE, hand)
    assert verdict.touched == ("X0",)
    assert verdict.built is built


@pytest.mark.parametrize(
    "numbers",
    [
        (-1.0, 0, 0, 0, 0, 100.0),
        (math.nan, 0, 0, 0, 0, 100.0),
        (1.0, 1, 1, 1, 1, 0.0),
        (1.0, MAX_DEVIATION + 1, 1, 1, 1, 100.0),
        (1.0, 1, 1, 1, 1, MIN_SPEED - 1),
        (1.0, 1, 1, 1, 1, math.inf),
    ],
)
def test_a_skill_that_makes_no_sense_is_refused(numbers):
    with pytest.raises(InputError, match="a skill has"):
        Skill("odd", *numbers)


WORST = (MAX_DEVIATION,) * 5


@pytest.mark.parametrize(
    "one", [*SKILLS.values(), Skill("worst", *WORST, MIN_SPEED)], ids=lambda one: one.name
)
@pytest.mark.parametrize("discs", [2, 29])
def test_whatever_a_skill_draws_a_record_can_hold(one, discs):
    high = {
        "to_move": 0,
        "pillars": [
            {"id": "A-P0", "at": [-55, 0], "discs": discs},
            {"id": "B-P0", "at": [90, 0], "discs": 30},
        ],
    }
    checked = referee.check(Table.from_layout(high), Build("A-P0", (55.0, 0.0), discs + 1))
    for seed in range(4):
        hand = draw(np.random.default_rng(seed), checked, one)
        assert checked_hand(hand) == hand
        assert path_of(hand)["speed"] >= one.speed


def test_a_slow_hand_hurries_only_if_a_record_could_not_hold_its_path():
    slow = Skill("slow", 0.0, 0.0, 0.0, 0.0, 0.0, MIN_SPEED)
    path = path_of(draw(np.random.default_rng(1), referee.check(table(), BUILD), slow))
    high = {"to_move": 0, "pillars": [{"id": "A-P0", "at": [-55, 0], "discs": 29}]}
    far = path_of(
        draw(
            np.random.default_rng(1),
            referee.check(Table.from_layout(high), Build("A-P0", (55.0, 0.0), 30)),
            slow,
        )
    )
    assert path["speed"] == MIN_SPEED
    assert far["speed"] >= MIN_SPEED


def test_a_hand_beyond_the_limits_is_refused_before_physics_is_asked():
    for item in (
        {"piece": "A-R0", "shift": [0, 0, 1e9]},
        {"path": {"points": [[0, 0, 1]], "tool": "hammer"}},
    ):
        with pytest.raises(InputError, match=r"hand\[0\]\."):
            play(table(), BUILD, ENGINE, [item])


def test_an_unknown_skill_or_tool_names_the_known_ones():
    with pytest.raises(InputError, match="expert, normal, clumsy"):
        skill("drunk")
    with pytest.raises(InputError, match="finger, tweezers"):
        draw(np.random.default_rng(1), referee.check(table(), BUILD), SKILLS["normal"], "glove")  # type: ignore[arg-type]


def test_a_path_frees_what_it_meets_and_nothing_beside_it():
    """A diagonal road is far from the corner of its own bounding box: what counts is the finger's
    touch.
    """
    layout = {
        "pillars": [
            {"id": "B-P0", "at": [-38, -38], "discs": 2},
            {"id": "B-P1", "at": [38, 38], "discs": 1},
        ],
        "roads": [{"id": "B-R0", "from": "B-P0", "to": "B-P1"}],
    }
    standing = bodies(Table.from_layout(layout))

    def awake(gap: float) -> tuple[str, ...]:
        away = (4.5 + 7.0 + gap) / math.sqrt(2)  # half the road, the finger, the air
        world = World(standing, ENGINE)
        world.sweep(HandPath(((away, -away, 60.0), (away, -away, 5.0)), 400.0))
        return world.settle().awake

    assert awake(38.0) == ()  # inside the road's bounding box all the same
    assert awake(1.0) == ()
    assert awake(0.15) == ()
    assert "B-R0" in awake(-2.0)
