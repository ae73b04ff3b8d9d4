"""What the referee does and says under every value of every rule option: a scene for each, and a
test that names an option without one.

Who adds an option adds a scene, and reads whether the sentences are true under each of its values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import pytest

from sim.bodies import SettleResult
from sim.game.sources import Nominal, Observed, PoseSource, Recorded
from sim.referee.placement import Adjust, Entrance, Pass, Placement, Resign
from sim.referee.ruleset import OPTIONS
from sim.referee.table import Table
from tests.tables import (
    ACROSS,
    ALONE,
    AWAY,
    CROSSED,
    JUMP,
    THREE,
    at_rest,
    build,
    exit_to,
    lay_out,
    moved,
    new_at_rest,
    play,
    stock,
    told,
)

RING = {**ALONE, "A-P1": (60, -55, 5), "A-P2": (60, 55, 6)}
STACK = ("B-P1.1", "B-P1.2", "B-R1")

Source = Callable[[Table, Placement], PoseSource]


def steady(_table: Table, _move: Placement) -> PoseSource:
    return Nominal()


def fell(*pieces: str) -> Source:
    return lambda _table, _move: Observed(pieces)


def nudged(table: Table, move: Placement) -> PoseSource:
    """B-P0's only disc came to lie 8 mm away."""
    away = moved(at_rest(table, move)["B-P0.1"], dx=8.0)
    return Recorded(SettleResult({**new_at_rest(table, move), "B-P0.1": away}))


@dataclass(frozen=True)
class Scene:
    """The sections of the rulebooks that an option is about, a move on a table, and by each value
    of the option what the referee says under this value alone.
    """

    sections: str
    table: Callable[..., Table]
    move: Placement
    says: Mapping[Any, tuple[str, ...]]
    source: Source = steady


def on(
    pillars: Mapping[str, tuple[Any, ...]], roads: Mapping[str, Any] | None = None, **more: Any
) -> Callable[..., Table]:
    return partial(lay_out, pillars, roads, **more)


def b_has_left(**options: Any) -> Table:
    return play(
        play(lay_out(THREE, CROSSED, players=3, to_move=1, **options), Resign()),
        build("C-P0", 105, 900, 2),
    )


def an_exit_later(**options: Any) -> Table:
    table = lay_out({**ALONE, "B-P1": (200, 500, 1)}, **options)
    return play(play(table, build("A-P0", 105, 0, 2)), exit_to("B-P1", 310, 500))


def a_has_no_road(**options: Any) -> Table:
    pillars = {"A-P0": (0, 0, 1), "B-P0": (0, 500, 1), "C-P0": (0, 900, 1)}
    table = lay_out(pillars, stocks=[stock(roads=1), stock(), stock()], players=3, **options)
    return play(play(table, AWAY), build("B-P0", 105, 500, 2))


BUILT = "A builds A-P1 of 2 discs at (-105.0, 0.0) and lays A-R0 from A-P0"
EARNS = (
    "A earns 1 car and places 1",
    "A-C0 stands at 20.9 degrees; friction holds to 19.3: it may slide",
)
NOTHING = "A earns 0 cars and places 0"
SCORES = "over B-R1 at (60.0, 0.0) with 10.9 mm to spare: scores (no other road is above it)"
TAKEN = (
    "over B-R1 at (60.0, 0.0) with 10.9 mm to spare: earns nothing, {} is 52.7 mm above it at "
    "(60.0, -40.0)"
)
OVER_OWN = (
    "under A-R1 of the same player at (60.0, 0.0) with 37.3 mm to spare: crossing one's own "
    "road earns nothing"
)

SCENES: Mapping[str, Scene] = {
    "entrance_reach": Scene(
        "FR 2.2, KR 3.2",
        partial(Table.start, 2),
        Entrance((0.0, -200.0), 270.0),
        {
            2.0: ("A builds A-P0 of 1 disc at (0.0, -200.0) and lays A-R0, the entrance ramp",),
            0.5: (
                (
                    "illegal: the entrance disc at (0.0, -200.0) stands 200.00 mm from the middle "
                    "of the table; 55 mm is the "
                    "most (entrance_reach)"
                ),
            ),
        },
    ),
    "base_point": Scene(
        "FR 4.1, KR 4.1",
        on({**ALONE, "A-P1": (0, 200, 2)}),
        AWAY,
        {
            "any_open_end": (
                "A builds A-P2 of 2 discs at (-105.0, 0.0) and lays A-R0 from A-P0",
                "it crosses no road",
                NOTHING,
            ),
            "last_built": (
                (
                    "illegal: A-P0 is no base point: it is not the pillar built last (base_point = "
                    "last_built); base points of "
                    "A: A-P1"
                ),
            ),
        },
    ),
    "turn_end": Scene(
        "FR 4.3, KR 4",
        on(ALONE),
        AWAY,
        {"one_road": (), "until_car": ("A goes on: no car was placed yet (turn_end = until_car)",)},
    ),
    "may_pass": Scene(
        "FR 4",
        on(ALONE),
        Pass(),
        {
            False: (
                (
                    "illegal: no pass while one can build from A-P0; if no place is left, pass "
                    "with "
                    '"no room"'
                ),
            ),
            True: ("A misses the turn: a turn may be passed (may_pass)",),
        },
    ),
    "freeze": Scene(
        "FR 4.3, KR 4.3",
        an_exit_later,
        Adjust((103.0, 2.0), by=0),
        {
            "next_turn": (
                (
                    "illegal: nothing to adjust: A-P1 is frozen since B's turn began (freeze = "
                    "next_turn)"
                ),
            ),
            "next_pillar": (
                "A adjusts A-P1 at (103.0, 2.0); it is judged as if it had been built like that",
                "A builds A-P1 of 2 discs at (103.0, 2.0) and lays A-R0 from A-P0",
                "it crosses no road",
                NOTHING,
            ),
        },
    ),
    "own_pillar_shadow": Scene(
        "FR 5.3, KR 5.3",
        on({**ALONE, "A-P0": (0, 0, 4), "A-P1": (55, 0, 1)}),
        build("A-P0", 105, 0, 5),
        {
            "forbid": (
                (
                    "illegal: A-R0 overlaps the pillar A-P1 at (55.0, 0.0) seen from above: 4.50 "
                    "mm from its axis; "
                    "at least 14.55 mm is needed"
                ),
            ),
            "allow": (
                "A builds A-P2 of 5 discs at (105.0, 0.0) and lays A-R0 from A-P0",
                "it crosses no road",
                NOTHING,
            ),
        },
    ),
    "pillar_under_road": Scene(
        "FR 5.3, KR 5.3",
        on({**ALONE, "B-P1": (105, -55, 9), "B-P2": (105, 55, 9)}, CROSSED),
        build("A-P0", 105, 0, 2),
        {
            "forbid": (
                (
                    "illegal: the pillar at (105.0, 0.0) overlaps road B-R1 by 10.00 mm in plan; "
                    "no "
                    "pillar is set under a road"
                ),
            ),
            "allow": (
                "A builds A-P1 of 2 discs at (105.0, 0.0) and lays A-R0 from A-P0",
                (
                    "under B-R1 at (105.0, 0.0) with 68.0 mm to spare: scores (no other road is "
                    "below "
                    "it)"
                ),
                EARNS[0],
            ),
        },
    ),
    "touch_cars": Scene(
        "FR 5.4, KR 5.4",
        on({**ACROSS, "A-P0": (0, 0, 2)}, CROSSED, cars={"B-C0": ("B-R1", 0.5)}),
        build("A-P0", 105, 0, 3),
        {
            "illegal": ("illegal: A-R0 cuts 3.62 mm into the car B-C0",),
            "legal": (
                "A builds A-P1 of 3 discs at (105.0, 0.0) and lays A-R0 from A-P0",
                "over B-R1 at (60.0, 0.0) with 3.7 mm to spare: scores (no other road is above it)",
                EARNS[0],
            ),
        },
    ),
    "over_building": Scene(
        "FR 2.3, KR 3.3",
        on({"A-P0": (0, 0, 6), "B-P0": (0, 500, 1)}, buildings=[("block", (52, 0))]),
        build("A-P0", 105, 0, 7),
        {
            "allow": (
                "A builds A-P1 of 7 discs at (105.0, 0.0) and lays A-R0 from A-P0",
                "it crosses no road",
                NOTHING,
            ),
            "forbid": (
                "illegal: A-R0 passes 17.57 mm over the building X0 (over_building = forbid)",
            ),
        },
    ),
    "loop": Scene(
        "FR 5.4, KR 5.4",
        on(RING, {"A-R1": ("A-P1", "A-P2")}),
        build("A-P0", 105, 0, 2),
        {
            "graph": (
                "A builds A-P3 of 2 discs at (105.0, 0.0) and lays A-R2 from A-P0",
                OVER_OWN,
                NOTHING,
            ),
            "planar": (
                (
                    "illegal: the new road crosses A-R1 of the same player: "
                    "roads of one player may not enclose a ring (loop = planar)"
                ),
            ),
        },
    ),
    "self_cross": Scene(
        "FR 6 Attention, KR 6 Important",
        on(RING, {"A-R1": ("A-P1", "A-P2")}),
        build("A-P0", 105, 0, 2),
        {
            True: (
                "A builds A-P3 of 2 discs at (105.0, 0.0) and lays A-R2 from A-P0",
                OVER_OWN,
                NOTHING,
            ),
            False: (
                (
                    "illegal: the new road crosses A-R1 of the same player: these rules forbid "
                    "that "
                    "(self_cross = false)"
                ),
            ),
        },
    ),
    "exit_height": Scene(
        "FR 8, KR 8",
        on({**ALONE, "A-P0": (0, 0, 3)}),
        exit_to("A-P0", 105.8, 0),
        {
            1: (
                "illegal: an exit starts from a pillar of height 1; A-P0 has 3 discs (exit_height)",
            ),
            "any": (
                "A lays A-R0, an exit from A-P0 to the table at (105.8, 0.0)",
                "it crosses no road",
                "the exit earns 1 car as a bonus (FR 8, KR 8)",
                EARNS[0],
            ),
        },
    ),
    "crossing_scope": Scene(
        "FR 6 Example 2, KR 6 Example 2",
        on(
            {**THREE, "C-P1": (20, -40, 7), "C-P2": (105, -40, 8)},
            {**CROSSED, "C-R5": ("C-P1", "C-P2")},
            players=3,
        ),
        JUMP,
        {
            "road": (TAKEN.format("C-R5"), NOTHING),
            "point": (SCORES.replace("above it", "above it within 13.5 mm"), *EARNS),
        },
    ),
    "crossing_memory": Scene(  # C-R5 is above B-R1, but was there before it
        "FR 6, KR 6",
        on(
            {**THREE, "C-P1": (20, -40, 7), "C-P2": (105, -40, 8)},
            {"C-R5": ("C-P1", "C-P2"), **CROSSED},
            players=3,
        ),
        JUMP,
        {
            "state": (TAKEN.format("C-R5"), NOTHING),
            "history": (
                SCORES.replace("is above it", "has passed over it since it was built"),
                *EARNS,
            ),
        },
    ),
    "own_roads_occlude": Scene(
        "FR 6, KR 6",
        on(
            {**ACROSS, "A-P1": (20, -40, 7), "A-P2": (105, -40, 8)},
            {**CROSSED, "A-R5": ("A-P1", "A-P2")},
        ),
        JUMP,
        {
            True: (TAKEN.format("A-R5"), NOTHING),
            False: (SCORES.replace("no other road", "no opponent's road"), *EARNS),
        },
    ),
    "own_cross_voids": Scene(
        "FR 6 Attention, KR 6 Important",
        on(
            {**ACROSS, "A-P1": (30, -55, 1), "A-P2": (30, 55, 1)},
            {**CROSSED, "A-R1": ("A-P1", "A-P2")},
        ),
        JUMP,
        {
            False: (SCORES, *EARNS),
            True: (
                (
                    "over B-R1 at (60.0, 0.0) with 10.9 mm to spare: earns nothing, "
                    "the new road crosses A-R1 of the same player (own_cross_voids)"
                ),
                NOTHING,
            ),
        },
    ),
    "ramps_count": Scene(
        "FR 8, KR 8",
        on({**ALONE, "B-P1": (60, -55, 1)}, {"B-R1": ("B-P1", (60, 54))}),
        JUMP,
        {
            True: (SCORES.replace("10.9", "25.9"), *EARNS),
            False: (
                (
                    "over B-R1 at (60.0, 0.0) with 25.9 mm to spare: earns nothing, it is a ramp "
                    "(ramps_count = false)"
                ),
                NOTHING,
            ),
        },
    ),
    "inactive_roads_count": Scene(
        "FR 10.2, KR 10.2",
        b_has_left,
        JUMP,
        {
            True: (SCORES, *EARNS),
            False: (
                SCORES.partition(":")[0]
                + ": earns nothing, B is out or done (inactive_roads_count = false)",
                NOTHING,
            ),
        },
    ),
    "crossing_test": Scene(  # the centre lines meet 2.5 mm before the end of the exit
        "FR 6, KR 6",
        on({**ALONE, "B-P1": (107, -55, 9), "B-P2": (107, 55, 9)}, CROSSED),
        exit_to("A-P0", 109.5, 0),
        {
            "centreline": (
                (
                    "under B-R1 at (107.0, 0.0) with 87.8 mm to spare: scores (no other road is "
                    "below "
                    "it)"
                ),
                "A-R0 ends 2.5 mm past the middle of B-R1",
                "A earns 2 cars and places 2",
            ),
            "footprint": ("it crosses no road", EARNS[0]),
        },
    ),
    "penalty_unit": Scene(
        "FR 9, KR 9",
        on(ACROSS, CROSSED),
        AWAY,
        {
            "disc": ("A owes B 3 discs for 3 fallen pieces and pays 3 grey discs",),
            "stack": (
                "A owes B 2 discs for 2 fallen pieces (a pillar counts once) and pays 2 grey discs",
            ),
        },
        fell(*STACK),
    ),
    "penalty_currency": Scene(
        "FR 9, KR 9",
        on(ACROSS, CROSSED, stocks=[stock(cars=5, grey=3, yellow=0, roads=2), stock()]),
        AWAY,
        {
            "discs": (
                "A owes B 3 discs for 3 fallen pieces and pays 1 grey disc: A has no more discs",
            ),
            "any": (
                (
                    "A owes B 3 discs for 3 fallen pieces and pays 1 grey disc and 1 road: A has "
                    "no "
                    "more discs and roads"
                ),
            ),
        },
        fell(*STACK),
    ),
    "fall_mode": Scene(
        "FR 9, KR 9",
        on(ACROSS, CROSSED),
        AWAY,
        {
            "structural": (
                "B-P0.1 fell: it moved 8.0 mm sideways, more than half its radius (5.0 mm)",
            ),
            "moved": ("B-P0.1 fell: it moved 8.0 mm, more than fall_distance = 5.0 mm",),
        },
        nudged,
    ),
    "fall_distance": Scene(
        "FR 9, KR 9",
        on(ACROSS, CROSSED, fall_mode="moved"),
        AWAY,
        {
            5.0: (
                "B-P0.1 fell: it moved 8.0 mm, more than fall_distance = 5.0 mm",
                "A owes B 1 disc for 1 fallen piece and pays 1 grey disc",
            ),
            8.5: (),
        },
        nudged,
    ),
    "hand_on_building": Scene(
        "KR 3.3",
        on(ALONE, buildings=[("tower", (300, 0))]),
        AWAY,
        {
            "report": (BUILT, "the hand touches the building X0", "it crosses no road", NOTHING),
            "redo": (
                "A's build is undone and the turn is lost: the hand touched X0 (KR 3.3)",
                "the hand touches the building X0, so the build does not count (KR 3.3)",
            ),
        },
        lambda _table, _move: Recorded(SettleResult({}, ("X0",))),
    ),
    "clean_win": Scene(
        "FR 10.1, KR 10.1",
        on(ACROSS, CROSSED, stocks=[stock(cars=1), stock()]),
        JUMP,
        {
            False: (
                *EARNS,
                "A has placed all cars and wins",
                "the game is over (all cars are placed): A wins",
            ),
            True: (
                (
                    "A earns 1 car and places 0 (the last one goes back, as something was knocked "
                    "over "
                    "in this turn (clean_win))"
                ),
            ),
        },
        fell("B-P1.2"),
    ),
    "elimination": Scene(
        "FR 10.2, KR 10.2",
        a_has_no_road,
        build("C-P0", 105, 900, 2),
        {
            "kr": (),
            "fr": (
                (
                    "A is out: no road is left, and all others had one more turn without a penalty "
                    "(FR "
                    "10.2)"
                ),
            ),
        },
    ),
    "continue_after_win": Scene(
        "FR 10.1, KR 10.1",
        on(THREE, CROSSED, stocks=[stock(cars=1), stock(), stock()], players=3),
        JUMP,
        {True: (), False: ("the game is over (all cars are placed): A wins",)},
    ),
}

SILENT = {
    "redo": (
        "bounds the tries that a record may hold; a record with more is refused before any verdict"
    )
}
"""Options that change no sentence, and why."""


@cache
def sentences(name: str, value: Any) -> tuple[str, ...]:
    """All sentences on the scene of an option under one of its values."""
    scene = SCENES[name]
    table = scene.table(**{name: value})
    return tuple(map(str, told(table, scene.move, scene.source(table, scene.move))))


@pytest.mark.parametrize("name", SCENES)
def test_what_is_said_under_each_value_is_true_of_it(name: str) -> None:
    says = SCENES[name].says
    common = set.intersection(*(set(sentences(name, value)) for value in says))
    for value, expected in says.items():
        assert tuple(text for text in sentences(name, value) if text not in common) == expected, (
            f"{name} = {value}"
        )
    assert len(set(says.values())) == len(says), f"{name}: the scene does not tell the values apart"


def test_every_value_of_every_option_has_a_scene_or_a_reason_why_it_changes_no_sentence() -> None:
    assert ({*SCENES} | {*SILENT}, {*SCENES} & {*SILENT}) == (set(OPTIONS), set())
    for name, scene in SCENES.items():
        values = [(type(value), value) for value in scene.says]
        lacking = [value for value in OPTIONS[name].values if (type(value), value) not in values]
        assert (lacking, len(values) > 1) == ([], True), name
