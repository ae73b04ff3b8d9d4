"""Short films of a turn: frames of bodies in, an animated GIF or WebP or an MP4 out.

A film is derived, never recorded. Hands set pieces down in straight lines. Then pieces come to rest
as the physics engine moved them, if its trajectory is known, else by a blend of the poses before
and after. Physics runs at half speed, because small things fall too fast for the eye. Stretches in
which hardly anything moves run fast, and a long roll gets ever faster. A known trajectory also
shows the path of the hand, and every failed try.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from importlib import import_module
from io import BytesIO
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rules.errors import InputError, UnavailableError
from shutoko.export.picture import Studio
from shutoko.export.rendering.camera import Camera
from shutoko.export.rendering.rays import Pixels
from shutoko.export.rendering.scene import Colour
from shutoko.export.video import ffmpeg, mp4
from sim.bodies import Body, Bools, Cylinder, Floats, Pose, Tool
from sim.game import bodies
from sim.installing import install_package
from sim.physics.engine import TOOL_RADIUS
from sim.referee import resolved

if TYPE_CHECKING:
    from PIL.Image import Image

    from sim.bodies import Trajectory
    from sim.referee import AttemptResult, Placement, Table, Verdict

Frame = tuple[Body, ...]
SUFFIXES = (".gif", ".webp", ".mp4")
"""What a film can be written as."""

# seconds a hand takes to set a piece down
_LOWER = {
    "disc": 0.30,
    "road": 0.60,
    "car": 0.35,
    "building": 0.50,
}
_PAUSE = 0.10  # seconds between two pieces
_LOWERING = 2.0  # seconds at most for all the pieces of a turn: a tall pillar is built faster
_FALL = 0.70  # seconds in which pieces come to rest where the trajectory is not known
_LOOKING = 0.60  # seconds in which fallen pieces lie there before they are put back
_SLOW = 2.0  # seconds of film for a second of physics
_FALLING = 2.0  # times slower where something falls
_HANDS_OWN = 1.0  # seconds of film for a second in which a hand moves and pieces do not
_TOOL_SHOWN = {"finger": 70.0, "tweezers": 110.0}  # mm of the tool that are drawn
_HAND = "hand"  # the tool's id in frames
_LIVELY = 20.0  # mm/s: slower movements are shown faster, in proportion
_DULL = 0.05  # the least factor by which this shortens the time in the film
# seconds of film after which it gets faster, and those in which everything is at rest
_UNHURRIED, _SETTLING = (
    1.2,
    2.4,
)
_SEEN_MM, _SEEN_DEGREES = 0.15, 0.15  # what moved less counts as still
_ARM = 15.0  # mm: how far from its middle a piece that turns is looked at
_KINDS = ("building", "disc", "road", "car")  # the order in which a hand sets pieces
_STRETCH = 16  # frames that one worker draws, one after the other
_AROUND = 120.0  # mm around what stands that a film shows
MENDING = _LOOKING + _FALL
"""Seconds at the end of a film in which what fell lies there and is put back."""

_BAYER = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]) / 16 - 15 / 32


def film(
    frames: Sequence[Sequence[Body]],
    path: str | Path,
    fps: float = 20,
    size: tuple[int, int] = (640, 430),
    hold: float = 1.0,
    camera: Camera | None = None,
    samples: int = 1,
    colours: Mapping[str, Colour] | None = None,
    seed: int = 1,
    on_frame: Callable[[int, int], None] | None = None,
    executor: Executor | None = None,
    over: Callable[[list[Pixels]], list[Pixels]] = list,
) -> Path:
    """The frames as an animation at `path`, whose suffix says how: `.gif` or `.webp` (endless),
    `.mp4`. Returns the path.

    `fps` frames a second, the last one held for `hold` seconds; `size` is (width, height) in
    pixels; one camera for all, by default one that sees every body of the first and the last frame
    and what comes near them, while a piece that rolls away may leave the picture; `on_frame(drawn,
    total)` is called as frames are drawn, by the `executor` if there is one; `over` draws on the
    finished pictures; the other arguments are those of `picture`. Equal arguments give equal bytes,
    whoever draws.

    Raises InputError without frames, for another suffix or a speed that is not above 0,
    UnavailableError if `embreex` or Pillow is not installed.
    """
    path = Path(path)
    check_suffix(path)
    if not frames or not fps > 0 or not hold >= 0:
        raise InputError(
            f"a film needs frames and a speed: got {len(frames)} frames, fps={fps}, hold={hold}"
        )
    if camera is None:
        camera = Camera.fitting(in_sight(frames), size)
    pictures: list[Pixels] = []
    times: list[int] = []
    rest = set(frames[0]).intersection(*frames)
    moves = {body.id for frame in frames for body in frame if body not in rest}
    studio = partial(Studio, camera, size, samples, seed, moves)
    for i, shot in enumerate(_drawn(frames, studio, colours, executor)):
        if on_frame is not None:
            on_frame(i, len(frames))
        # A GIF counts in hundredths of a second; rounding the end of each frame keeps the whole in
        # time.
        shown = 10 * (round(100 * (i + 1) / fps) - round(100 * i / fps))
        if pictures and np.array_equal(shot, pictures[-1]):
            times[-1] += shown
        else:
            pictures.append(shot)
            times.append(shown)
    times[-1] += round(1000 * hold)
    path.write_bytes(encoded(path.suffix, over(pictures), times))
    return path


def film_data(kind: str, frames: Sequence[Sequence[Body]], **how: Any) -> bytes:
    """The film of that kind (a suffix without its dot) as bytes; arguments and errors are those of
    `film`.
    """
    with tempfile.TemporaryDirectory() as folder:
        return film(frames, Path(folder) / f"film.{kind}", **how).read_bytes()


def encoded(suffix: str, pictures: Sequence[Pixels], milliseconds: Sequence[int]) -> bytes:
    """The file with that suffix (of SUFFIXES) of RGB pictures of one size, each shown that long; a
    GIF has one palette for all.

    Raises UnavailableError without Pillow, or without ffmpeg for `.mp4`.
    """
    if suffix.lower() == ".mp4":
        return mp4(pictures, milliseconds)
    kind, how = "WEBP", {"quality": 82, "method": 4}
    if suffix.lower() == ".gif":
        kind, how = "GIF", {"disposal": 1, "optimize": False}
        first, *rest = _with_one_palette(_pillow(), pictures)
    else:
        first, *rest = map(_pillow().fromarray, pictures)
    out, times = BytesIO(), list(milliseconds)
    first.save(out, kind, save_all=True, append_images=rest, duration=times, loop=0, **how)
    return out.getvalue()


def _pillow() -> Any:
    try:
        return import_module("PIL.Image")
    except ImportError as error:
        raise UnavailableError(
            f"films need the package pillow, which cannot be imported: {install_package('pillow')}"
        ) from error


def _drawn(
    frames: Sequence[Sequence[Body]],
    studio: Callable[[], Studio],
    colours: Mapping[str, Colour] | None,
    executor: Executor | None,
) -> Iterator[Pixels]:
    """The pictures of the frames, in order; the executor gets stretches of frames, since a studio
    draws only what changed.
    """
    if executor is None:
        yield from map(partial(studio().shoot, colours=colours), frames)
        return
    stretches = [frames[i : i + _STRETCH] for i in range(0, len(frames), _STRETCH)]
    for shots in executor.map(_stretch, stretches, repeat(studio), repeat(colours)):
        yield from shots


def _stretch(
    frames: Sequence[Sequence[Body]],
    studio: Callable[[], Studio],
    colours: Mapping[str, Colour] | None,
) -> list[Pixels]:
    return list(map(partial(studio().shoot, colours=colours), frames))


def check_suffix(path: Path) -> None:
    """Raises InputError for a film that cannot be written, by its suffix, and UnavailableError if
    that needs ffmpeg.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"{path}: a film is written as {', '.join(SUFFIXES)}")
    if path.suffix.lower() == ".mp4":
        ffmpeg()


def turn_frames(
    before: Sequence[Body],
    after: Sequence[Body],
    new: Sequence[Body] | None = None,
    trajectory: Sequence[Mapping[str, Pose]] | None = None,
    fps: float = 20,
    lift: float = 70.0,
    tool: Tool | None = None,
) -> tuple[Frame, ...]:
    """The frames of one turn: pieces are set down one by one, then what moved goes where it came to
    rest.

    `new` are the pieces of the turn in the poses in which the hand lets go of them, in that order;
    by default those of `after` that are not in `before`, where they ended, discs from below first,
    then roads, then cars. Each comes down from `lift` mm above. Then every frame of `trajectory` is
    shown, a mapping of ids to poses in which pieces that stand still may be left out; without one,
    pieces are blended to their poses in `after`, falling ever faster. A `tool` is shown in the
    frames whose poses hold one of `hand`. Pieces that are not in `after` are lifted off at the end.
    The first frame is `before`, the last one `after`.

    Raises InputError if two bodies of one frame share an id.
    """
    start, end = _by_id(before), _by_id(after)
    if new is None:
        fresh = [body for name, body in end.items() if name not in start]
        new = sorted(
            fresh, key=lambda body: (_KINDS.index(body.kind), round(body.pose.at[2], 3), body.id)
        )
    _by_id(new)
    table = dict(start)
    frames = [_frame(table)]
    hurry = min(1.0, _LOWERING / max(sum(_LOWER[body.kind] + _PAUSE for body in new), _PAUSE))
    for body in new:
        steps = max(1, round(hurry * _LOWER[body.kind] * fps))
        for i in range(steps + 1):
            above = lift * (1 - _eased(i / steps))
            table[body.id] = body.at(
                Pose((body.pose.at[0], body.pose.at[1], body.pose.at[2] + above), body.pose.quat)
            )
            frames.append(_frame(table))
        frames += [frames[-1]] * round(hurry * _PAUSE * fps)
    if trajectory is not None:
        for poses in trajectory:
            table |= {name: table[name].at(pose) for name, pose in poses.items() if name in table}
            frames.append(_frame(table | _held(tool, poses.get(_HAND))))
    moved = {
        name: body for name, body in table.items() if name in end and body.pose != end[name].pose
    }
    gone = {name: body for name, body in table.items() if name not in end}
    if moved and trajectory is None:
        steps = max(1, round(_FALL * fps))
        for i in range(1, steps):
            table |= {
                name: body.at(_blended(body.pose, end[name].pose, i / steps))
                for name, body in moved.items()
            }
            frames.append(_frame(table))
    if gone:
        table |= {name: end[name] for name in moved}
        steps = max(1, round(_LOWER["road"] * fps))
        for i in range(1, steps):
            up = lift * _eased(i / steps)
            for name, body in gone.items():
                x, y, z = body.pose.at
                table[name] = body.at(Pose((x, y, z + up), body.pose.quat))
            frames.append(_frame(table))
    frames.append(_frame(end))
    return tuple(frames)


def ply_frames(
    before: Table,
    placement: Placement,
    verdict: Verdict,
    after: Table,
    attempts: Sequence[AttemptResult] = (),
    fps: float = 20,
) -> tuple[Frame, ...]:
    """The frames of one judged ply: the hand sets the pieces down, all comes to rest or falls, what
    fell is put back.

    Where the `attempts` were watched, physics is shown, try by try, first with pillar and road,
    then with the cars. A ply that lays nothing, or is illegal, is the one frame of the table after
    it.
    """
    if verdict.legal:
        before, placement = resolved(before, placement)
    start, end = bodies(before), bodies(after)
    if not verdict.legal or verdict.built is None:
        return turn_frames(start, end, fps=fps) if verdict.legal else (tuple(start),)
    if any(attempt.takes for attempt in attempts):
        return _watched(start, end, attempts, fps)
    moved = verdict.moved or {}
    frames: list[Frame] = []
    for failed in attempts[:-1]:
        frames += _failed(start, bodies(before.with_pieces(placement, (), ())), failed, fps)
        start = frames[-1]
    grown = before.with_pieces(placement, verdict.spots, verdict.cars)
    settled = [body.at(moved.get(body.id, body.pose)) for body in bodies(grown)]
    frames += turn_frames(start, settled, fps=fps)
    if not verdict.falls and verdict.built:
        return (*frames, tuple(end))
    return (*frames, *_put_back(settled, end, fps))


def trajectory_of(
    track: Trajectory, fps: float, slower: float = 1.0
) -> tuple[dict[str, Pose], ...]:
    """What physics went through as frames: the poses of the pieces that visibly moved on the way,
    and the hand's lowest point as `hand` while there is one; empty if nothing moved. `slower` is
    the factor by which all of it takes longer.
    """
    shift, turned = _movement(track.states[:1], track.states)
    seen = np.flatnonzero(((shift > _SEEN_MM) | (turned > _SEEN_DEGREES)).any(axis=0))
    states, names = track.states[:, seen], [track.names[k] for k in seen]
    shift, turned = _movement(states[-1:], states)
    hand = ~np.isnan(track.hand[:, 0])
    going = np.flatnonzero(((shift > _SEEN_MM) | (turned > _SEEN_DEGREES)).any(axis=1) | hand)
    if not len(going):
        return ()
    clock = slower * _clock(track.times, states, hand)[: going[-1] + 2]
    at = np.interp(np.arange(1, math.ceil(clock[-1] * fps) + 1) / fps, clock, np.arange(len(clock)))
    low = np.minimum(at.astype(int), len(clock) - 2)
    tips = track.hand[low] + (track.hand[low + 1] - track.hand[low]) * (at - low)[:, None]
    return tuple(
        {name: Pose.from_list(state) for name, state in zip(names, frame, strict=True)}
        | ({} if math.isnan(tip[0]) else {_HAND: Pose((tip[0], tip[1], tip[2]))})
        for frame, tip in zip(_between(states, at).tolist(), tips.tolist(), strict=True)
    )


def _clock(times: Floats, states: Floats, hand: Bools) -> Floats:
    """The time in the film of each look (k,): half speed, faster where little moves, and towards
    the end if it takes long. A hand is shown at its own speed at least.
    """
    shift, turned = _movement(states[:-1], states[1:])
    passed = np.diff(times)
    speed = (shift + _ARM * np.radians(turned)).max(axis=1, initial=0.0) / passed
    slow = np.maximum(_SLOW * np.clip(speed / _LIVELY, _DULL, 1.0), _HANDS_OWN * hand[1:])
    clock = np.concatenate([[0.0], np.cumsum(passed * slow)])
    gone = float(clock[hand].max(initial=0.0))
    late, most = np.maximum(clock - gone - _UNHURRIED, 0.0), _SETTLING - _UNHURRIED
    if late[-1] <= most:
        return clock
    # from here on time grows as a logarithm, without a jump in speed; bisection finds the bend with
    # which it ends in time
    low, high = 1e-6, 1e6
    for _ in range(100):
        bend = math.sqrt(low * high)
        low, high = (bend, high) if bend * math.log1p(late[-1] / bend) < most else (low, bend)
    return np.asarray(np.minimum(clock, gone + _UNHURRIED) + bend * np.log1p(late / bend))


def _between(states: Floats, at: Floats) -> Floats:
    """States (k, n, 7), interpolated at fractional indices (m,): (m, n, 7)."""
    low = np.minimum(at.astype(int), len(states) - 2)
    part = (at - low)[:, None, None]
    first, second = states[low], states[low + 1].copy()
    second[..., 3:] *= np.where(
        (first[..., 3:] * second[..., 3:]).sum(-1, keepdims=True) < 0, -1.0, 1.0
    )
    mixed: Floats = first + (second - first) * part
    mixed[..., 3:] /= np.sqrt((mixed[..., 3:] ** 2).sum(-1, keepdims=True))
    return mixed


def _movement(before: Floats, after: Floats) -> tuple[Floats, Floats]:
    """How far, in mm and in degrees, the states (..., 7) are from each other."""
    shift = np.sqrt(((after[..., :3] - before[..., :3]) ** 2).sum(-1))
    cosine = np.abs((after[..., 3:] * before[..., 3:]).sum(-1)).clip(0.0, 1.0)
    return shift, np.degrees(2 * np.arccos(cosine))


def _watched(
    start: Sequence[Body], end: Sequence[Body], attempts: Sequence[AttemptResult], fps: float
) -> tuple[Frame, ...]:
    """Every try as physics went through it; after each what fell is put back, and what was built if
    it does not stand.
    """
    table, frames = list(start), [_frame(_by_id(start))]
    for n, attempt in enumerate(attempts):
        stood = table
        for take in attempt.takes:
            again = {body.id for body in take.new}
            if again & {body.id for body in table}:  # a car that did not stay is put elsewhere
                kept = [body for body in table if body.id not in again]
                frames += _put_back(table, kept, fps)
                table = kept
            settled = [body.at(take.moved.get(body.id, body.pose)) for body in (*table, *take.new)]
            shown = trajectory_of(take.track, fps, _FALLING if attempt.falls else 1.0)
            frames += turn_frames(table, settled, take.new, shown, fps, tool=take.tool)
            table = settled
        stood = list(end) if n == len(attempts) - 1 else _put_right(stood, attempt)
        if attempt.falls or not attempt.built:
            frames += _put_back(table, stood, fps)
        table = stood
    return (*frames, _frame(_by_id(end)))


def _failed(
    start: Sequence[Body], grown: Sequence[Body], failed: AttemptResult, fps: float
) -> Sequence[Frame]:
    """A try that did not stand, blended; at the end the table as the players put it right."""
    settled = [body.at((failed.moved or {}).get(body.id, body.pose)) for body in grown]
    return [
        *turn_frames(start, settled, fps=fps),
        *_put_back(settled, _put_right(start, failed), fps),
    ]


def _put_right(stood: Sequence[Body], attempt: AttemptResult) -> list[Body]:
    """What stood before a try that failed: moved as it was left, but for what fell."""
    left = {} if attempt.moved is None else attempt.moved
    return [
        body if body.id in attempt.fallen else body.at(left.get(body.id, body.pose))
        for body in stood
    ]


def _held(tool: Tool | None, tip: Pose | None) -> dict[str, Body]:
    """The drawn lower end of a tool, by its id, with its lowest point at `tip`; empty without a
    tool or a tip.
    """
    if tool is None or tip is None:
        return {}
    (x, y, z), shape = tip.at, Cylinder(TOOL_RADIUS[tool], _TOOL_SHOWN[tool])
    return {_HAND: Body(_HAND, tool, shape, Pose((x, y, z + shape.height / 2)), 0.0, 0.0)}


def _put_back(fallen: Sequence[Body], stood: Sequence[Body], fps: float) -> tuple[Frame, ...]:
    """After a pause to see what happened."""
    pause = [_frame(_by_id(fallen))] * round(_LOOKING * fps)
    return (*pause, *turn_frames(fallen, stood, new=(), fps=fps))


def in_sight(frames: Sequence[Sequence[Body]]) -> list[Body]:
    """The bodies that a film has to show: those near what stands, not what rolls away."""
    every, still = [body for frame in frames for body in frame], [*frames[0], *frames[-1]]
    if not still:
        return every
    places = np.array([body.pose.at[:2] for body in still])
    low, high = places.min(axis=0) - _AROUND, places.max(axis=0) + _AROUND
    pieces = [body for body in every if body.id != _HAND]  # a tool may come from out of the picture
    return [
        body
        for body in pieces
        if (low <= body.pose.at[:2]).all() and (body.pose.at[:2] <= high).all()
    ]


def _by_id(pieces: Sequence[Body]) -> dict[str, Body]:
    table = {body.id: body for body in pieces}
    if len(table) < len(pieces):
        ids = [body.id for body in pieces]
        raise InputError(
            f"two bodies are both called {next(name for name in ids if ids.count(name) > 1)!r}"
        )
    return table


def _frame(table: Mapping[str, Body]) -> Frame:
    return tuple(table[name] for name in sorted(table))


def _eased(t: float) -> float:
    """0 to 1, slow at both ends."""
    return t * t * (3 - 2 * t)


def _blended(a: Pose, b: Pose, t: float) -> Pose:
    """Between two poses at time `t` of 0 to 1: what sinks falls ever faster, everything else
    eases.
    """
    even = _eased(t)
    sinking = t * t if b.at[2] < a.at[2] else even
    states = np.array([[(*pose.at, *pose.quat)] for pose in (a, b)])
    ((x, y, _, *quat),) = _between(states, np.array([even]))[0].tolist()
    return Pose.from_list([x, y, a.at[2] + (b.at[2] - a.at[2]) * sinking, *quat])


def _with_one_palette(image: Any, pictures: Sequence[Pixels]) -> list[Image]:
    """The pictures in 255 colours, the same for all, dithered by a pattern that stands still: so
    nothing flickers.
    """
    chosen = [
        pictures[i]
        for i in sorted({0, len(pictures) // 3, 2 * len(pictures) // 3, len(pictures) - 1})
    ]
    pixels = np.concatenate([shot.reshape(-1, 3) for shot in chosen])
    # Each colour weighs as the root of its share, or the wood of the table would leave none for a
    # small blue car.
    red, green, blue = (pixels >> 2).astype(np.int32).T
    packed, counts = np.unique(red << 12 | green << 6 | blue, return_counts=True)
    colours = np.stack([packed >> 12, packed >> 6 & 63, packed & 63], axis=1).astype(np.uint8)
    sample = np.repeat(colours << 2 | 2, np.ceil(np.sqrt(counts)).astype(int), axis=0)
    palette = image.fromarray(sample[None]).quantize(255, method=0, kmeans=1)
    return [
        image.fromarray(_dithered(shot)).quantize(palette=palette, dither=0) for shot in pictures
    ]


def _dithered(shot: Pixels) -> Pixels:
    height, width, _ = shot.shape
    pattern: Floats = np.tile(_BAYER, (height // 4 + 1, width // 4 + 1))[:height, :width, None]
    return np.asarray(np.clip(shot + 5 * pattern + 0.5, 0, 255)).astype(np.uint8)
