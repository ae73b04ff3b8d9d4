"""Named situations, each a fault that was found once: what has to come of them, in every engine and
whatever else is free.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rules.errors import InputError
from sim.bodies import Pose, shift_between, turn
from sim.physics import engines
from sim.physics.engine import Run
from sim.physics.engines.ending import EDGE, RESISTANCE, Outcome, Rollers, braked
from sim.physics.world import Settled
from sim.pieces import Components
from tools.situations import NAMES, Situation, situation

ENGINES = engines.available()


def moved(what: Situation, settled: Settled, piece: str) -> float:
    """How far a piece went, in mm."""
    return shift_between(
        next(body.pose for body in (*what.standing, *what.new) if body.id == piece),
        settled.poses[piece],
    )


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("name", "everything", "piece", "least", "most"),
    [
        *(
            pytest.param("car-held-past-its-friction", everything, "A-C6", 20, np.inf,
                         marks=pytest.mark.slow, id=f"it slides, {everything} free")
            for everything in (False, True)
        ),
        pytest.param("car-on-free-slabs", False, "A-C0", 20, np.inf, id="on slabs, too"),
        pytest.param("rolling-disc", False, "A-P1.1", 0, EDGE, id="what rolls stops on the table"),
        # a finger with a place but no speed, as MuJoCo's was, moves the road by 4.6 mm
        pytest.param("flicked-road", False, "B-R0", 20, np.inf, id="a finger gives its speed"),
        # in MuJoCo these turn to and fro by tenths of a degree for ever
        *(
            pytest.param(name, everything, piece, 0, 0.5, id=f"{piece} rocks, {everything} free")
            for name, piece in (("disc-that-leans", "C-P5.1"), ("road-that-rocks", "A-R3"))
            for everything in (False, True)
        ),
    ],
)  # fmt: skip
def test_a_piece_goes_as_far_as_it_has_to_in_every_engine(
    engine: str, name: str, everything: bool, piece: str, least: float, most: float
) -> None:
    what = situation(name)
    settled = what.world(engine).settle(everything=everything)
    assert settled.quiet
    assert least <= moved(what, settled, piece) < most
    assert settled.touched == (("B-R0",) if name == "flicked-road" else ())
    assert settled.seconds < 2.0 or "rocks" not in name


@pytest.mark.parametrize("speed", [-460.0, 100.0])
def test_what_rolls_freely_stops_after_the_way_that_its_resistance_allows(speed: float) -> None:
    radius, seconds, way = 10.0, 0.008, 0.0
    state = np.array(Pose((0.0, 0.0, radius), turn((1.0, 0.0, 0.0), 90.0)).to_list())
    linear, angular = np.array((speed, 0.0, 0.0)), np.array((0.0, speed / radius, 0.0))
    while abs(linear[0]) > 0:
        way += linear[0] * seconds
        linear, angular = braked(state, linear, angular, radius, seconds)
        assert angular[1] * radius == pytest.approx(linear[0])
    assert abs(way) == pytest.approx(speed**2 / (2 * RESISTANCE * 9810.0 / 1.5), rel=0.05)


def test_only_discs_on_their_rims_on_the_table_roll() -> None:
    box = Components.named("estimate-2018")
    on_edge, half = turn((1.0, 0.0, 0.0), 90.0), turn((1.0, 0.0, 0.0), 40.0)
    bodies = [
        box.body("rolls", "disc", Pose((0.0, 0.0, 10.0), on_edge)),
        box.body("lies", "disc", Pose((0.0, 0.0, 5.0))),
        box.body("leans", "disc", Pose((0.0, 0.0, 10.2), half)),
        box.body("in the air", "disc", Pose((0.0, 0.0, 40.0), on_edge)),
        box.body("car", "car", Pose((0.0, 0.0, 3.5))),
    ]
    assert Rollers(bodies).among(np.array([body.pose.to_list() for body in bodies])) == [0]


def test_a_run_is_over_when_only_what_has_fallen_moves_and_can_strike_nothing() -> None:
    box = Components.named("estimate-2018")
    on_edge = turn((1.0, 0.0, 0.0), 90.0)
    start = [
        box.body("A-P1.1", "disc", Pose((0.0, 0.0, 5.0))),
        box.body("A-P2.1", "disc", Pose((300.0, 0.0, 5.0))),
    ]
    outcome = Outcome(start, [])
    moving = np.array([True, False])

    def decided(disc: Pose, speed: float) -> bool:
        now = np.array([disc.to_list(), start[1].pose.to_list()])
        before = now.copy()
        before[0, 0] -= speed * 0.1
        return outcome.decided(moving, before, now, 0.1)

    rolling = Pose((50.0, 0.0, 10.0), on_edge)
    assert decided(rolling, 100.0)  # it stops after 19 mm
    assert not decided(rolling, 400.0)  # it comes as far as the disc that stands
    assert decided(Pose((265.0, 0.0, 10.0), on_edge), 20.0)  # near, but too slow to do anything
    assert not decided(Pose((2.0, 0.0, 5.0)), 20.0)  # it stands, and may go on to fall
    assert decided(Pose((EDGE + 700.0, 0.0, 5.0)), 400.0)  # over the edge


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_a_knock_in_a_full_game_is_over_once_all_that_stands_is_at_rest(engine: str) -> None:
    what = situation("knock-in-a-full-game")
    settled = what.world(engine).settle()
    assert settled.quiet
    assert settled.seconds < 3.0  # of which the hand takes 0.75
    for disc in ("A-P3.3", "A-P3.4", "A-P3.5", "C-P2.3", "C-P2.4"):
        assert moved(what, settled, disc) > 10, disc
    for disc in ("A-P3.1", "C-P2.1", "B-P2.2", "A-P5.1"):
        assert moved(what, settled, disc) < 5, disc


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_a_knock_is_not_begun_anew_for_each_piece_that_is_struck(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    what = situation("knock-in-a-full-game")
    inner, runs = engines.engine(engine), list[Run]()
    plain = inner.run

    def noted(*given: Any, **more: Any) -> Run:
        runs.append(plain(*given, **more))
        return runs[-1]

    monkeypatch.setattr(inner, "run", noted)
    settled = what.world(inner).settle()
    assert len(runs) == 1
    still = [body.id for body in what.standing if body.mass > 0 and body.id not in settled.awake]
    assert len(still) > 10  # what nothing has met was never free


def test_an_unknown_situation_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match=f"there is no situation 'flood'; available: {NAMES[0]}"):
        situation("flood")
