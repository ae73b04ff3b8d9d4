"""Equal starts: would the verdict be the same if the scene began in another, equal way?

Turned, mirrored or shifted as a whole, or with every new piece a millionth of a millimetre
elsewhere, a scene is the same scene. Where a stack was struck, or a piece bears at its limit, an
engine may still give another verdict. Such a verdict says so. It remains that of the canonical
start.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

import numpy as np

from sim.bodies import (
    Body,
    Pose,
    Quaternion,
    Vector,
    compose,
    rotate,
    shift_between,
    turn,
    turn_between,
)
from sim.game.attempts.attempt import Attempt, attempt
from sim.game.attempts.posing import bodies, jitters, lay
from sim.game.attempts.touching import nearly_touches
from sim.game.sources import Simulated
from sim.physics.engine import Engine, HandPath, Run, SettleParams
from sim.referee.judgement import PoseChange, falls
from sim.referee.reach import tilt
from sim.referee.table import Table
from sim.referee.verdict import AttemptResult, Checked, Close
from sim.settling import StateListener

STARTS = 8
"""The number of equal starts."""

_FEW = 2  # starts: if nothing is near a limit and these agree, so do the others
_NEAR = (0.5, 2.0)  # shares of a limit: what moved by more than one, but not the other, is near it
_LABOUR = 150.0  # piece-seconds of falling, after which starts that differ are asked no further
_NOISE = 1e-6  # mm
_FAR = 1.0  # mm, and
_TURNED = 3.0  # degrees: what stood before, or a new road, and went further may as well fall
_NEAR_LIMIT = 1.5  # degrees: a car on a road less far from where friction ends may as well slide


@dataclass(frozen=True, slots=True)
class EqualStart:
    """A scene turned by `degrees` about the vertical axis after it was mirrored (or not) and before
    it is `shifted`; every new piece is let go a hair beside its place, by numbers drawn from
    `seed`.
    """

    degrees: float
    shifted: tuple[float, float]
    mirrored: bool
    seed: int

    @classmethod
    def number(cls, n: int, series: int = 0) -> EqualStart:
        """The n-th equal start, from 0; another `series` has other ones."""
        rng = np.random.default_rng((series, n))
        degrees, x, y = rng.uniform(0.0, 360.0), *rng.uniform(-40.0, 40.0, 2)
        return cls(float(degrees), (float(x), float(y)), n % 2 == 1, int(rng.integers(1 << 31)))

    def there(self, pose: Pose) -> Pose:
        """The pose in the equal scene."""
        quat = _mirror(pose.quat) if self.mirrored else pose.quat
        return Pose(self.point(pose.at), compose(turn((0.0, 0.0, 1.0), self.degrees), quat))

    def back(self, pose: Pose) -> Pose:
        """The pose in the scene itself."""
        x, y, z = pose.at
        around = turn((0.0, 0.0, 1.0), -self.degrees)
        x, y, z = rotate(around, (x - self.shifted[0], y - self.shifted[1], z))
        quat = compose(around, pose.quat)
        return Pose((x, -y, z), _mirror(quat)) if self.mirrored else Pose((x, y, z), quat)

    def point(self, at: Vector) -> Vector:
        """The point in the equal scene."""
        x, y, z = self.along(at)
        return (x + self.shifted[0], y + self.shifted[1], z)

    def along(self, way: Vector) -> Vector:
        """A direction or velocity in the equal scene."""
        x, y, z = way
        return rotate(turn((0.0, 0.0, 1.0), self.degrees), (x, -y if self.mirrored else y, z))

    def beside(self, released: Mapping[str, Pose]) -> dict[str, Pose]:
        """The poses at which a hand lets go of new pieces, each a hair beside its own."""
        rng = np.random.default_rng(self.seed)
        off = _NOISE * rng.standard_normal((len(released), 3))
        return {
            piece: Pose((x + dx, y + dy, z + dz), pose.quat)
            for (piece, pose), (dx, dy, dz) in zip(released.items(), off.tolist(), strict=True)
            for x, y, z in (pose.at,)
        }

    def source(self, ground: Simulated, released: Mapping[str, Pose]) -> Simulated:
        """Settles the scene as it is in this start, from where a hand `released` pillar and
        road.
        """
        return Simulated(
            _EqualEngine(ground.engine, self),
            ground.params,
            brief=True,
            released=self.beside(released),
        )


class _EqualEngine:
    """An engine that gets every scene as in an equal start, and says where the pieces of the scene
    itself came to rest.
    """

    def __init__(self, engine: Engine, start: EqualStart) -> None:
        self._engine, self._start = engine, start
        self.name, self.version, self.params = engine.name, engine.version, engine.params

    def run(
        self,
        bodies: Sequence[Body],
        free: frozenset[str],
        settle: SettleParams,
        path: HandPath | None = None,
        watch: StateListener | None = None,
        speeds: Mapping[str, Vector] | None = None,
    ) -> Run:
        start = self._start
        there = [body.at(start.there(body.pose)) for body in bodies]
        way = path and replace(path, points=tuple(start.point(at) for at in path.points))
        fast = {piece: start.along(speed) for piece, speed in (speeds or {}).items()}
        run = self._engine.run(there, free, settle, way, watch, fast)
        return replace(run, poses={piece: start.back(pose) for piece, pose in run.poses.items()})


def ask_equal_starts(
    checked: Checked, one: Attempt, result: AttemptResult, starts: int = STARTS, series: int = 0
) -> Close | None:
    """What equal starts say of an attempt that an engine settled; None if they agree, or if it is
    clear that they would.

    If something is near a limit, all are tried. Else the first ones are, and the others only if
    these do not agree. Where much falls for long, fewer say how often the verdict would be another.
    """
    ground = one.ground
    if not isinstance(ground, Simulated) or ground.brief or ground.once:
        return None
    enough = worth_asking(checked, one, result)
    return compared(checked, one, ground, result, starts, series, enough) if enough else None


def compared(
    checked: Checked,
    one: Attempt,
    ground: Simulated,
    result: AttemptResult,
    starts: int,
    series: int = 0,
    enough: int = STARTS,
) -> Close | None:
    """What equal starts say of an attempt with this result, whether that is likely to matter or
    not. If the first ones agree, `enough` of them are asked.
    """
    first, known, outcomes = _outcome(checked, result), False, list[_Outcome]()
    labour, released = 0.0, result.settled.released if result.settled is not None else {}
    for n in range(starts):
        agree = all(other == first for other in outcomes)
        if n >= enough and agree:
            return None
        if n >= _FEW and labour > _LABOUR and not agree:
            break
        source = EqualStart.number(n, series).source(ground, released)
        came = attempt(checked, Attempt(source, one.hand))
        labour += came.settled.work if came.settled is not None else 0.0
        outcomes.append(_outcome(checked, came))
        if not known and outcomes[-1] != first:
            # no start is brought to rest, so the canonical one to compare with is not either
            brief = replace(ground, brief=True, watched=False)
            first, known = _outcome(checked, attempt(checked, Attempt(brief, one.hand))), True
    differ = [other for other in outcomes if other != first]
    fell = first.fallen | first.new
    pieces = frozenset[str]().union(*((other.fallen | other.new) ^ fell for other in differ))
    return Close(len(outcomes), len(differ), tuple(sorted(pieces))) if differ else None


def worth_asking(checked: Checked, one: Attempt, result: AttemptResult) -> int:
    """How many equal starts are worth asking, if they agree: none where little moved; all where a
    piece all but touches what it may not, or moved about as far as it may without falling; else a
    few.
    """
    table, grown = checked.table, checked.grown
    assert grown is not None
    put = {piece.lying.id: piece.lying for piece in lay(table, grown, jitters(one.hand))}
    if result.laid is not None and nearly_touches(
        result.laid, result.laid.piece_ids - table.piece_ids
    ):
        return STARTS
    road = grown.roads[-1].id
    stood = {body.id: body.pose for body in bodies(table)}
    if not (
        result.falls
        or result.put_back
        or result.breaches
        # the new road may have rolled off what it lay on
        or _went_far({**table.poses, road: put[road].pose}, result)
        or _car_may_slide(checked, road, result)
    ):
        return 0
    before = {**stood, **{piece: body.pose for piece, body in put.items()}}
    return STARTS if _near_limit(grown, put.keys(), before, result) else _FEW


def _went_far(before: Mapping[str, Pose], result: AttemptResult) -> bool:
    """Whether a piece moved so far that it may as well have fallen."""
    return any(
        shift_between(before[piece], pose) > _FAR or turn_between(before[piece], pose) > _TURNED
        for piece, pose in (result.moved or {}).items()
        if piece in before
    )


def _car_may_slide(checked: Checked, road: str, result: AttemptResult) -> bool:
    """Whether cars stand on a new road (id) about as steep as friction allows."""
    if result.laid is None or not result.cars:
        return False
    pose = result.laid.poses.get(road)
    limit = math.degrees(math.atan(checked.table.components.friction_of("car", "road")))
    return pose is not None and abs(limit - tilt(pose)) < _NEAR_LIMIT


def _near_limit(
    grown: Table, new: AbstractSet[str], before: Mapping[str, Pose], result: AttemptResult
) -> bool:
    """Whether a piece moved about as far as it may without falling. New pieces all come off if one
    of them fell: they are near a limit only if none of them fell clearly.
    """
    moved = {piece: pose for piece, pose in (result.moved or {}).items() if piece in before}
    change = PoseChange(before, moved)
    tight, loose = ({fall.piece for fall in falls(grown, change, by)} for by in _NEAR)
    near = tight - loose
    return bool(near - new if loose & new else near)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a verdict says of an attempt: whether the build stands, how many cars stand on it, and
    which pieces fell that stood before.

    If the build does not stand, all `new` pieces come off again: it does not matter which of them
    fell.
    """

    built: bool
    cars: int
    fallen: frozenset[str]
    new: frozenset[str] = field(compare=False)


def _outcome(checked: Checked, result: AttemptResult) -> _Outcome:
    old = result.fallen & checked.table.piece_ids
    return _Outcome(bool(result.built), len(result.cars), old, result.fallen - old)


def _mirror(quat: Quaternion) -> Quaternion:
    """The orientation seen in a mirror along y; every piece is its own mirror image."""
    x, y, z, w = quat
    return (-x, y, -z, w)
