"""What a physics engine is: the arguments of a run and its result. An engine sees nothing else of
the game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from rules.errors import InputError
from sim.bodies import Body, Pose, StateListener, Tool, Vector

HANDS = 2
"""Increased when hands let go of pieces in another way, which moves poses as well: part of every
engine's `params`.
"""

TOOL_RADIUS: Mapping[str, float] = {"finger": 7.0, "tweezers": 2.0}  # mm
TOOL_LENGTH: Mapping[str, float] = {"finger": 150.0, "tweezers": 150.0}  # mm, rounded ends included


class PhysicsError(InputError):
    """Physics cannot simulate these bodies: the message names the piece and what is wrong with it.

    `scene` is what was to be simulated, for a bug report (`sim.physics.unsettled`); None until a
    world has set it.
    """

    scene: object = None


class NotSettledError(PhysicsError):
    """At the end of a run a piece is out of the room, or its pose is not a number: such a result
    cannot be judged.
    """


@dataclass(frozen=True, slots=True)
class SettleParams:
    """When a world counts as at rest. Lengths in mm, angles in degrees, times in simulated seconds.

    Settling ends once every awake piece has stayed under `quiet_speed` (mm/s) and `quiet_turn`
    (degrees/s) for `quiet_time`. If that is not so after `time_limit`, the run goes on for up to
    `patience`; after that the poses are taken as they are and `Settled.quiet` is false. A piece
    that moved less than `still_shift` and `still_turn` keeps its pose bit for bit. A sleeping
    neighbour wakes when an awake piece that touches it has moved more than `border_shift` or
    `border_turn`; five times as much in Bullet. With `staying`, for runs that look whether pieces
    at rest stay there, a piece is at rest as well if for `quiet_time` it was never further than
    `still_shift` and `still_turn` from where it began, however it chatters there; all resist
    rocking, as pieces do that touch in more than points; and the run ends, not quiet, once a piece
    falls.
    """

    quiet_speed: float = 0.7
    quiet_turn: float = 0.8
    quiet_time: float = 0.2
    time_limit: float = 6.0
    patience: float = 6.0
    still_shift: float = 0.05
    still_turn: float = 0.05
    border_shift: float = 0.05
    border_turn: float = 0.1
    staying: bool = False


@dataclass(frozen=True, slots=True)
class HandPath:
    """The path of a fingertip or of tweezers: straight from point to point at a constant speed,
    then the tool is taken away.

    `points` are positions of the tool's lowest point in mm, `speed` in mm/s. `skipped` are the
    legs, counted from 0, on which the caller knows that the tool meets nothing: the tool jumps to
    their ends at once.
    """

    points: tuple[Vector, ...]
    speed: float = 100.0
    tool: Tool = "finger"
    skipped: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of an engine gives back to the world: the pose of every body that was free at
    any time in it, at rest.
    """

    poses: Mapping[str, Pose]
    touched: tuple[str, ...]
    seconds: float
    quiet: bool
    restless: tuple[str, ...]


class Engine(Protocol):
    """One physics engine: what the modules of `sim.physics.engines` implement.

    `name` and `version` go into a record's header, `params` (16 hex digits over every number that
    can change an outcome) too.
    """

    name: str
    version: str
    params: str

    def run(
        self,
        bodies: Sequence[Body],
        free: frozenset[str],
        settle: SettleParams,
        path: HandPath | None = None,
        watch: StateListener | None = None,
        speeds: Mapping[str, Vector] | None = None,
    ) -> Run:
        """Simulates bodies in canonical order, from their poses until quiet; only `free` ones may
        move.

        Those in `speeds` begin with that velocity (mm/s), all others at rest.

        The engine frees by itself whatever is hit by a piece that has moved more than the border
        tolerances, with what that can disturb. The same arguments give the same bits, in every
        process, whether anybody watches or not. Leaves nothing open, not even after an exception.
        """
        ...
