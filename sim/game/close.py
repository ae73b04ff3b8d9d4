"""Equal starts: would the verdict be the same if the scene began in another, equal way?

Turned, mirrored or shifted as a whole, or with every new piece a millionth of a millimetre
elsewhere, a scene is the same scene. Where a stack was struck, or a piece bears at its limit, an
engine may still give another verdict: a close call. Nobody asks for it until somebody wants to
know, and the verdict stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rules.errors import InputError
from sim import referee
from sim.bodies import (
    Body,
    Pose,
    Quaternion,
    SettleResult,
    StateListener,
    Vector,
    compose,
    on_the_way,
    rotate,
    turn,
)
from sim.game.attempts.posing import bodies
from sim.game.ply import Attempt, Hand, JudgedStep, attempt, left_by
from sim.game.sources import Recorded, Simulated
from sim.physics.engine import Engine, HandPath, NotSettledError, Run, SettleParams
from sim.referee import AttemptResult, Checked, Close, Table, holds, tilt

STARTS = 8  # of a try in which nothing fell, if the first two are not enough
_AFTER_A_FALL = 16  # starts of a try in which something fell: what it takes along is chance
_WIDER = 3.0  # times as far as they do: so far eight starts spread where two do, and more
_NOISE = 1e-6  # mm
_LABOUR = 300.0  # piece-seconds of moving, after which no more starts are asked


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

    def settling(self, source: Simulated, released: Mapping[str, Pose]) -> Simulated:
        """Settles the scene as it is in this start, from where a hand `released` pillar and
        road.
        """
        return Simulated(
            _EqualEngine(source.engine, self), source.params, released=self.beside(released)
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


def close_call(step: JudgedStep[Table], starts: int | None = None, series: int = 0) -> Close | None:
    """Whether a ply that an engine settled is a close call: what equal starts say of its first try
    that they do not all share; None if they share all.

    All starts count against what came of the try itself, from where its hand let go. Two are enough
    if nothing fell, they agree, and no limit is near, for how far their poses spread; else there
    are eight, sixteen if something fell, and fewer where much moves for long. With `starts` it
    asks so many; another `series` has other ones. Raises InputError for a step that no engine
    settled.
    """
    if step.source is None:
        raise InputError(
            f"ply {step.ply}: no engine settled it, so no equal start can end otherwise; replay it "
            "with bullet or mujoco"
        )
    checked, failed = referee.check(step.before, step.placement), list[AttemptResult]()
    hands = [*(one.get("hand") for one in step.entry.tries or ()), step.entry.hand]
    for hand, made in zip(hands, step.attempts, strict=False):
        checked = left_by(checked, failed[-1]) if failed else checked
        said = _Doubt(checked, step.source, hand or (), made, tuple(failed)).asked(starts, series)
        if said is not None:
            return said
        failed.append(made)
    return None


@dataclass(frozen=True, slots=True)
class _Doubt:
    """A try by a `hand` after those that `failed`, and what came of it, `made`: would an equal
    start end otherwise?
    """

    checked: Checked
    source: Simulated
    hand: Hand
    made: AttemptResult
    failed: tuple[AttemptResult, ...]

    def asked(self, starts: int | None, series: int) -> Close | None:
        """What equal starts say; None if they end alike."""
        came, labour = list[AttemptResult | None](), 0.0
        few = starts or (_AFTER_A_FALL if self.made.fallen else 2)
        for n in range(max(few, STARTS)):
            if labour > _LABOUR or (n == few and all(map(self._agrees, came))):
                break
            came.append(one := self._started(EqualStart.number(n, series)))
            settled = None if one is None else one.settled
            labour += _LABOUR if settled is None else settled.work
        first = self._outcome(self.made)
        differ = [one for one in came if one is None or self._outcome(one) != first]
        if not differ:
            return None
        fell = [frozenset() if one is None else one.fallen ^ self.made.fallen for one in differ]
        pieces = sorted(frozenset[str]().union(*fell)) if all(fell) else ()
        return Close(len(came), len(differ), tuple(pieces))

    def _started(self, start: EqualStart) -> AttemptResult | None:
        """What comes of an equal start; None if its table never rests."""
        settling = start.settling(self.source, (self.made.settled or SettleResult({})).released)
        try:
            return attempt(self.checked, Attempt(settling, self.hand), self.failed)
        except NotSettledError:
            return None

    def _agrees(self, other: AttemptResult | None) -> bool:
        """Whether a start ends as the try does, and would if its poses lay several times as far
        from those of the try, either way.
        """
        if other is None or self._outcome(other) != self._outcome(self.made):
            return False
        every = (self.made, *(self._judged(other, share) for share in (-_WIDER, _WIDER)))
        return len({(self._outcome(one), self._steep(one)) for one in every}) == 1

    def _judged(self, other: AttemptResult, share: float) -> AttemptResult:
        """The try, judged on poses on the way to those of another, or beyond them."""
        stood = {body.id: body.pose for body in bodies(self.checked.table)}

        def between(one: Mapping[str, Pose], two: Mapping[str, Pose]) -> dict[str, Pose]:
            there, here = stood | dict(one), stood | dict(two)
            return {
                piece: on_the_way(there[piece], here[piece], share)
                for piece in sorted(one.keys() | two.keys())
                if piece in there and piece in here
            }

        made = self.made
        came = SettleResult(
            between(made.moved or {}, other.moved or {}),
            made.touched,
            restored=between(made.restored, other.restored),
            mended=made.mended,
        )
        source = Recorded(came, made.chosen, breaches=made.breaches if made.told else ())
        return attempt(self.checked, Attempt(source, self.hand))

    def _steep(self, one: AttemptResult) -> frozenset[str]:
        """The cars on roads that are steeper than friction holds."""
        table = one.laid if one.laid is not None else left_by(self.checked, one).table
        poses = ((car.id, table.poses.get(car.road)) for car in table.cars)
        most = holds(table)
        return frozenset(car for car, pose in poses if pose is not None and tilt(pose) > most)

    def _outcome(self, one: AttemptResult) -> tuple[bool, int, frozenset[str]]:
        """What a verdict says of an attempt: whether the build stands, how many cars stand on it,
        and which pieces fell that stood before. If it does not stand, all new pieces come off
        again: it does not matter which of them fell.
        """
        return bool(one.built), len(one.cars), one.fallen & self.checked.table.piece_ids


def _mirror(quat: Quaternion) -> Quaternion:
    """The orientation seen in a mirror along y; every piece is its own mirror image."""
    x, y, z, w = quat
    return (-x, y, -z, w)
