"""Pose sources: they say where pieces come to rest. An engine, a record's `moved`, what people saw, or geometry alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sim.bodies import Body
from sim.game.attempts.posing import Laid
from sim.game.attempts.skipping import shortened
from sim.physics.engine import Engine, HandPath, SettleParams
from sim.physics.world import World
from sim.poses import Pose
from sim.referee.placement import CarSpot
from sim.settling import SettleResult

__all__ = ["PoseSource", "Nominal", "Observed", "Recorded", "Simulated", "pose_source"]


class PoseSource(Protocol):
    """Says where the pieces come to rest."""

    def settle(self, standing: Sequence[Body], new: Sequence[Laid], path: HandPath | None) -> SettleResult | None:
        """The poses after laying `new` on a table with `standing`, or None if geometry alone is trusted."""
        ...


@dataclass(frozen=True, slots=True)
class Nominal:
    """Engine "none": nominal poses stand and nothing falls."""

    def settle(self, standing: Sequence[Body], new: Sequence[Laid], path: HandPath | None) -> SettleResult | None:  # noqa: ARG002
        """Nothing to say."""
        return None


@dataclass(frozen=True, slots=True)
class Observed:
    """What people saw at a real table: what fell and, if they noted it, how many cars were placed. Nominal poses stand.
    `stands` is false for a try that people say failed. `placed` is how many new cars stood in the end: of the fallen ones, so
    many were put back.
    """

    fallen: tuple[str, ...]
    stands: bool = True
    cars: int | None = None
    placed: int | None = None

    def settle(self, standing: Sequence[Body], new: Sequence[Laid], path: HandPath | None) -> SettleResult | None:  # noqa: ARG002
        """Nothing to say about poses."""
        return None


@dataclass(frozen=True, slots=True)
class Recorded:
    """The poses of a record (`moved`), taken on trust.

    If the record says so, `chosen` is where cars were put (`x-cars`), `touched` the buildings that the hand touched
    (`x-touched`), and `restless` the pieces that still moved at the end of the time limit.
    """

    moved: Mapping[str, Pose]
    chosen: tuple[CarSpot, ...] | None = None
    touched: tuple[str, ...] = ()
    restless: tuple[str, ...] = ()

    def settle(self, standing: Sequence[Body], new: Sequence[Laid], path: HandPath | None) -> SettleResult | None:  # noqa: ARG002
        """The recorded poses of the pieces that are there."""
        there = {body.id for body in standing} | {laid.rest.id for laid in new}
        moved = {piece: pose for piece, pose in self.moved.items() if piece in there}
        return SettleResult(moved, self.touched, tuple(piece for piece in self.restless if piece in there))


@dataclass(frozen=True, slots=True)
class Simulated:
    """The poses to which an engine settles, each time in a fresh world. If `watched`, the paths to rest are kept too.

    `brief` is for attempts that go into no record. The parts of the hand's path on which it passes nothing then take no time,
    so the hand meets pieces earlier that still rock, and the attempt is not judged a second time on its poses at the end.
    """

    engine: Engine
    params: SettleParams = field(default_factory=SettleParams)
    watched: bool = False
    brief: bool = False

    def settle(self, standing: Sequence[Body], new: Sequence[Laid], path: HandPath | None) -> SettleResult | None:
        """Lets everything come to rest."""
        world = World(standing, self.engine, self.params)
        speeds = {laid.release.id: laid.speed for laid in new if any(laid.speed)}
        world.place(*(laid.release for laid in new), landing=[laid.rest for laid in new], speeds=speeds)
        if path is not None and self.brief:
            path = shortened(path, [*standing, *(laid.rest for laid in new)])
        if path is not None:
            world.sweep(path)
        settled = world.settle(watched=self.watched)
        moved = {piece: settled.poses[piece] for piece in settled.moved}
        return SettleResult(moved, settled.touched, settled.restless, settled.track, settled.seconds * len(settled.awake))


def pose_source(engine: str | Engine | None, *, watched: bool = False) -> PoseSource:
    """The source of an engine by name; `none` is geometry alone, None the best engine that is installed.

    If `watched`, attempts keep their trajectories for films. Raises UnavailableError if the engine is not installed.
    """
    if engine == "none":
        return Nominal()
    if engine is None or isinstance(engine, str):
        from sim.physics import engines  # only a game with physics needs an engine

        engine = engines.engine(engine or engines.default())
    return Simulated(engine, watched=watched)
