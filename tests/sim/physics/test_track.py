"""Physics that is watched: the same bits as unwatched, and a film of what really happened."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise

import pytest

from rules import record
from sim import referee
from sim.assets import asset
from sim.bodies import (
    Body,
    Box,
    Cylinder,
    Pose,
    Tool,
    Trajectory,
    shift_between,
    turn,
    turn_between,
)
from sim.game import replay
from sim.game.attempts.posing import bodies
from sim.game.ply import Attempt, judge_checked
from sim.game.sources import Simulated
from sim.physics import engines
from sim.physics.engine import HandPath
from sim.physics.world import Settled, World
from sim.pieces import Components
from tools.scenes import scene

film = pytest.importorskip("shutoko.export.film")
KNOCK = record.read(asset("records", "knock.jsonl"))
TWO_TRIES = next(entry for entry in KNOCK.entries if entry.tries)


def settled(engine: str, *, swept: bool, watched: bool) -> tuple[tuple[Body, ...], Settled]:
    pieces = scene("junction").bodies
    world = World([body for body in pieces if body.kind == "disc"], engine)
    new = tuple(body for body in pieces if body.kind != "disc")
    world.place(*new)
    if swept:
        x, y, z = new[0].pose.at
        world.sweep(HandPath(((x, y, z + 60), (x, y, z + 2), (x + 20, y + 20, z + 2))))
    return new, world.settle(watched=watched)


@pytest.mark.slow
@pytest.mark.parametrize("swept", [False, True])
@pytest.mark.parametrize("engine", engines.available())
def test_a_world_comes_to_the_same_rest_whether_it_is_watched_or_not(
    engine: str, swept: bool
) -> None:
    new, seen = settled(engine, swept=swept, watched=True)
    _, unseen = settled(engine, swept=swept, watched=False)
    assert seen == unseen
    assert list(map(repr, seen.poses.values())) == list(map(repr, unseen.poses.values()))
    assert unseen.track is None
    track = seen.track
    assert set(track.names) == set(seen.awake)
    assert track.times[0] == 0
    assert (track.times[1:] > track.times[:-1]).all()
    assert track.times[-1] == pytest.approx(seen.seconds)
    for body in new:
        way = [
            Pose.from_list(state) for state in track.states[:, track.names.index(body.id)].tolist()
        ]
        assert shift_between(way[0], body.pose) < 1e-9
        assert shift_between(way[-1], seen.poses[body.id]) < 0.1
        assert turn_between(way[-1], seen.poses[body.id]) < 0.1


def rolled(engine: str) -> tuple[list[Body], Trajectory]:
    """A disc let go on its rim at the top of a road that slopes by 15 degrees."""
    slope = math.radians(15)
    road = Body(
        "A-R0",
        "road",
        Box((110.0, 9.0, 2.0)),
        Pose((0.0, 0.0, 20.0), turn((0, 1, 0), 15)),
        0.0,
        0.4,
        0,
    )
    at = (-40.0, 0.0, 20.2 + 11 / math.cos(slope) + 40 * math.tan(slope))
    disc = Body("B-P0.1", "disc", Cylinder(10.0, 10.0), Pose(at, turn((1, 0, 0), 90)), 4.0, 0.4, 1)
    # beside a wall the run goes on until the disc is slow: nobody knows that it will not turn
    wall = Body("X0", "building", Box((800.0, 10.0, 40.0)), Pose((300.0, 40.0, 20.0)), 0.0, 0.4)
    world = World([road, wall], engine)
    world.place(disc)
    found = world.settle(watched=True)
    return [road, disc.at(found.poses[disc.id])], found.track


@pytest.mark.parametrize("engine", engines.available())
def test_a_disc_that_rolls_on_is_seen_to_roll_in_less_and_ends_where_it_came_to_rest(
    engine: str,
) -> None:
    (_, last), track = rolled(engine)
    way = [frame["B-P0.1"] for frame in film.trajectory_of(track, 20)]
    assert track.times[-1] > 1.5
    assert 30 < len(way) <= 48
    assert shift_between(way[-1], last.pose) < 20
    on_the_road = [pose for pose in way if -35 < pose.at[0] < 40]
    assert len(on_the_road) > 8
    for one, two in pairwise(on_the_road):  # it turns as far as it comes: no gliding
        assert turn_between(one, two) == pytest.approx(
            math.degrees(shift_between(one, two) / 10), rel=0.15
        )
    steps = [shift_between(one, two) for one, two in pairwise(way[5:])]
    assert max(b / a for a, b in pairwise(steps)) < 1.5  # no jolt where it gets faster
    # where something falls
    assert len(film.trajectory_of(track, 20, slower=2.0)) == pytest.approx(2 * len(way), abs=2)


def test_what_does_not_visibly_move_makes_no_frames() -> None:
    _, track = rolled(engines.default())
    still = Trajectory(
        track.names, track.times[:20], track.states[:1].repeat(20, axis=0), track.hand[:20]
    )
    assert film.trajectory_of(still, 20) == ()


def before(entry: record.Entry) -> replay.Step:
    return next(step for step in replay.trusted(KNOCK) if step.entry is entry)


def test_a_ply_that_comes_to_other_poses_here_is_not_shown_as_if_physics_had_done_it() -> None:
    trusted = before(TWO_TRIES)
    piece, (x, *rest) = next(iter(TWO_TRIES.got["moved"].items()))
    moved = {**TWO_TRIES.got["moved"], piece: [x + 3.0, *rest]}
    other = replace(TWO_TRIES, got={**TWO_TRIES.got, "moved": moved})
    assert replay.watched(KNOCK, other, trusted.before) is None
    unknown = replace(KNOCK, header=replace(KNOCK.header, physics={"engine": "havok"}))
    assert replay.watched(unknown, TWO_TRIES, trusted.before) is None
    seen = replace(TWO_TRIES, observed={"fallen": []})
    assert replay.watched(KNOCK, seen, trusted.before) is None


@pytest.mark.skipif("bullet" not in engines.available(), reason="the film is of PyBullet")
def test_a_car_that_falls_is_lifted_off_before_it_is_put_elsewhere() -> None:
    entrance = next(iter(replay.trusted(KNOCK)))
    (car,) = entrance.before.next_cars(entrance.before.to_move, 1)
    beside = [{"piece": car, "shift": [20.0, 0.0, 6.0], "turn": [0.0, 0.0, 0.0]}]
    source = Simulated(engines.engine("bullet"), watched=True)
    verdict, after, attempts = judge_checked(
        referee.check(entrance.before, entrance.placement), [Attempt(source, beside)]
    )
    assert [(put.car, put.why) for put in attempts[0].put_back] == [(car, "fell")]
    frames = film.ply_frames(entrance.before, entrance.placement, verdict, after, attempts)
    assert appears(frames, car) == [False, True, False, True]
    assert {body.id: body for body in bodies(after)} == {body.id: body for body in frames[-1]}


def frames_of(step: replay.Step) -> tuple[film.Frame, ...]:
    return film.ply_frames(step.before, step.placement, step.verdict, step.after, step.attempts)


def appears(frames: Sequence[film.Frame], piece: str) -> list[bool]:
    """Whether a piece is there, each time that this changes."""
    return [there for there, _ in groupby(piece in {b.id for b in frame} for frame in frames)]


@pytest.mark.parametrize("watched", [False, True])
def test_a_film_shows_a_ply_try_by_try_and_ends_as_the_record_says(watched: bool) -> None:
    """Watched again, or blended where this machine comes to other bits."""
    step: replay.Step | None = before(TWO_TRIES)
    if watched:
        step = replay.watched(KNOCK, TWO_TRIES, step.before)
        if step is None:
            pytest.skip("no PyBullet, or this machine comes to other bits")
        assert [bool(attempt.takes) for attempt in step.attempts] == [True, True]
    frames = frames_of(step)
    assert appears(frames, step.after.roads[-1].id) == [False, True, False, True]
    lying = step.attempts[0].moved[min(step.attempts[0].fallen)]
    assert any(body.pose == lying for frame in frames for body in frame)
    for table, frame in ((step.before, frames[0]), (step.after, frames[-1])):
        assert {body.id: body for body in bodies(table)} == {body.id: body for body in frame}


@pytest.mark.parametrize("engine", engines.available())
@pytest.mark.parametrize("tool", ["finger", "tweezers"])
def test_a_film_shows_the_hand_on_its_way(engine: str, tool: Tool) -> None:
    box = Components.named("estimate-2018")
    start, end = (-40.0, 0.0, 60.0), (40.0, 0.0, 60.0)
    standing = [box.body("A-P0.1", "disc", Pose((0.0, 30.0, 5.0)))]
    world = World(standing, engine)
    world.sweep(HandPath((start, (0.0, 0.0, 20.0), end), 200.0, tool))
    track = world.settle(watched=True).track
    frames = film.turn_frames(standing, standing, (), film.trajectory_of(track, 20), tool=tool)
    shown = [body for frame in frames for body in frame if body.id == "hand"]
    tips = [(body.pose.at[0], body.pose.at[2] - body.shape.height / 2) for body in shown]
    assert {body.kind for body in shown} == {tool}
    assert 7 < len(tips) < 13  # half a second at its own speed, 20 frames a second
    assert [x for x, _ in tips] == sorted(x for x, _ in tips)
    assert all(z == pytest.approx(20.0 + abs(x), abs=0.5) for x, z in tips)
    assert all(body.id != "hand" for frame in (frames[0], frames[-1]) for body in frame)
