"""The hand: what is drawn, where its path goes, what it touches and fells, and that a record needs
no generator.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from rules.errors import InputError
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
from tests.tables import lay_out

ENGINE = (
    pytest.importorskip("mujoco", reason="the hand is tested with the cheaper engine") and "mujoco"
)
BUILD = Build("A-P0", (55.0, 0.0), 3)
STEADY = Skill("steady", 0.0, 0.0, 0.0, 0.0, 0.0, 200.0)


def table(*, beside: float | None = None, cars: bool = False, **options: Any) -> Table:
    """A base of A at (-55, 0); `beside` mm from a finger on the new pillar at (55, 0), a road of B
    runs across, higher up.
    """
    if beside is None:
        return lay_out({"A-P0": (-55, 0, 2)}, **options)
    x = 55 + 7 + beside + 4.5
    pillars = {"A-P0": (-55, 0, 2), "B-P0": (x, -55, 5), "B-P1": (x, 55, 4)}
    on = {"B-C0": ("B-R0", 0.5)} if cars else {}
    return lay_out(pillars, {"B-R0": ("B-P0", "B-P1")}, cars=on, **options)


def drawn(
    table: Table,
    placement: Placement,
    of: str | Skill = "normal",
    seed: int = 1,
    tool: Any = "finger",
) -> list[Any]:
    skilled = of if isinstance(of, Skill) else SKILLS[of]
    return draw(np.random.default_rng(seed), referee.check(table, placement), skilled, tool)


def path_of(hand: Any) -> Any:
    return hand[-1]["path"]


ACROSS = lay_out(
    {"A-P0": (-55, 0, 3), "B-P0": (0, -55, 2), "B-P1": (0, 55, 1)}, {"B-R0": ("B-P0", "B-P1")}
)
DISCS = ["A-P1.1", "A-P1.2", "A-P1.3"]


@pytest.mark.parametrize(
    ("table", "placement", "pieces", "points"),
    [
        # at each place the hand comes in, lets go, jerks and leaves
        pytest.param(table(), BUILD, [*DISCS, "A-R0"], 8, id="the new pieces in placing order"),
        pytest.param(ACROSS, Build("A-P0", (55.0, 0.0), 2), [*DISCS[:2], "A-R0", "A-C0"], 8,
                     id="cars that geometry earns"),
        pytest.param(ACROSS, Build("A-P0", (55.0, 0.0), 2, cars=()), [*DISCS[:2], "A-R0"], 8,
                     id="no declined car"),
        pytest.param(Table.start(), Table.start().default_entrance(0), ["A-P0.1", "A-R0", "A-C0"],
                     8, id="an entrance"),
        pytest.param(lay_out({"A-P0": (0, 0, 1)}), Exit("A-P0", (109.0, 0.0)), ["A-R0", "A-C0"], 4,
                     id="an exit has no pillar to visit"),
        pytest.param(table(), Pass(), [], 0, id="a pass"),
        pytest.param(table(), SetBuilding("tower", (0.0, 0.0)), [], 0, id="a building"),
    ],
)  # fmt: skip
def test_a_hand_names_the_new_pieces_and_then_its_path(table, placement, pieces, points):
    hand = drawn(table, placement)
    assert [item["piece"] for item in hand[:-1]] == pieces
    if points:
        assert list(path_of(hand)) == ["points", "speed", "tool"]
        assert len(path_of(hand)["points"]) == points


def test_the_errors_drawn_have_the_spread_of_the_skill():
    rng, clumsy, checked = np.random.default_rng(2), SKILLS["clumsy"], referee.check(table(), BUILD)
    items = [item for _ in range(60) for item in draw(rng, checked, clumsy)[:-1]]
    shifts, turns = (np.array([item[key] for item in items]) for key in ("shift", "turn"))
    found = (shifts[:, :2].std(), turns[:, :2].std(), turns[:, 2].std(), shifts[:, 2].min() >= 0)
    assert found == pytest.approx((clumsy.shift, clumsy.tilt, clumsy.yaw, True), rel=0.15)
    assert math.sqrt((shifts[:, 2] ** 2).mean()) == pytest.approx(clumsy.release, rel=0.15)


def test_the_tool_lets_go_just_above_the_pieces_where_they_are_let_go():
    hand = drawn(table(), BUILD, "clumsy", 5)
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
    """It comes in where there is room: a wall of higher roads stands on one side."""
    steady = drawn(table(beside=3.1), BUILD, STEADY, 6)
    verdict, after = play(table(beside=3.1), BUILD, ENGINE, steady)
    assert (verdict.built, verdict.fallen, verdict.touched) == (True, (), ())
    assert after.top(after.pillar_by_id["A-P1"]) == (55.0, 0.0)
    points = path_of(steady)["points"]
    assert points[0][0] < points[1][0] - 5


def test_a_road_is_held_where_nothing_is_above_it():
    """A's road passes under B's, which crosses over its middle: it is held elsewhere."""
    pillars = {"A-P0": (-55, 0, 2), "B-P0": (0, -55, 5), "B-P1": (0, 55, 5)}
    under = lay_out(pillars, {"B-R0": ("B-P0", "B-P1")})
    assert referee.before(under, BUILD) == ()
    hand = drawn(under, BUILD, STEADY, 8)
    assert abs(path_of(hand)["points"][5][0]) > 4.5 + 7
    assert play(under, BUILD, ENGINE, hand)[0].touched == ()


def test_a_sideways_push_fells_a_steep_road_that_bears_little_and_only_shifts_a_level_one():
    """Its friction works against the push and no longer holds it on the slope, so it slides down,
    off its upper disc.
    """

    def pushed(discs: tuple[int, int], apart: float) -> tuple[float, float]:
        ends = {f"B-P{k}": (70, (k - 0.5) * apart, n) for k, n in enumerate(discs)}
        standing = lay_out(ends, {"B-R0": ("B-P0", "B-P1")})
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
    """A slow hand hurries only if a record could not hold its path."""
    high = lay_out({"A-P0": (-55, 0, discs), "B-P0": (90, 0, 30)})
    for seed in range(4):
        hand = drawn(high, Build("A-P0", (55.0, 0.0), discs + 1), one, seed)
        assert checked_hand(hand) == hand
        assert path_of(hand)["speed"] >= one.speed
    slow = Skill("slow", 0.0, 0.0, 0.0, 0.0, 0.0, MIN_SPEED)
    assert path_of(drawn(table(), BUILD, slow))["speed"] == MIN_SPEED


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (lambda: play(table(), BUILD, ENGINE, [{"piece": "A-R0", "shift": [0, 0, 1e9]}]),
         r"hand\[0\]\."),
        (lambda: play(table(), BUILD, ENGINE, [{"path": {"points": [[0, 0, 1]], "tool": "saw"}}]),
         r"hand\[0\]\."),
        (lambda: skill("drunk"), "expert, normal, clumsy"),
        (lambda: drawn(table(), BUILD, tool="glove"), "finger, tweezers"),
    ],
)  # fmt: skip
def test_a_hand_that_cannot_be_is_refused_before_physics_is_asked(ask, why):
    with pytest.raises(InputError, match=why):
        ask()


def test_a_path_frees_what_it_meets_and_nothing_beside_it():
    """A diagonal road is far from the corner of its own bounding box: what counts is the finger's
    touch.
    """
    pillars = {"B-P0": (-38, -38, 2), "B-P1": (38, 38, 1)}
    standing = bodies(lay_out(pillars, {"B-R0": ("B-P0", "B-P1")}))

    def awake(gap: float) -> tuple[str, ...]:
        away = (4.5 + 7.0 + gap) / math.sqrt(2)  # half the road, the finger, the air
        world = World(standing, ENGINE)
        world.sweep(HandPath(((away, -away, 60.0), (away, -away, 5.0)), 400.0))
        return world.settle().awake

    # inside the road's bounding box all the same
    assert [awake(gap) for gap in (38.0, 1.0, 0.15)] == [()] * 3
    assert "B-R0" in awake(-2.0)
