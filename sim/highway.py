"""Tokyo Highway as a game: glues table, referee and physics together, one ply at a time.

The flow of a turn: the referee's `before`; the new pieces are laid where the hand lets go of them; a ground truth says
where everything comes to rest (an engine, a record's `moved`, or nothing but geometry); the referee counts crossings on
those poses; the cars are set and come to rest too; the referee's `after` gives the verdict, and the table goes on from it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from rules.errors import IllegalMoveError, InputError
from rules.game import Outcome
from rules.record import Entry, Header, Record
from rules.verify import Report
from sim import referee
from sim.bodies import Body
from sim.hand import Skill, draw
from sim.judgement import Standing, crossings_of, falls
from sim.laying import Jitter, Laid, bodies, jitters, lay, lay_cars
from sim.placement import CarSpot, Entrance, Pass, Placement, Resign, SetBuilding
from sim.poses import Pose
from sim.referee import Attempt
from sim.ruleset import Preset, Ruleset
from sim.table import LaidRoad, Table
from sim.track import Take, Track
from sim.verdict import Fall, Verdict, buildings_among
from sim.world import Engine, HandPath, SettleParams, World

__all__ = [
    "Came",
    "Ground",
    "Highway",
    "Nominal",
    "Observed",
    "Performed",
    "Position",
    "Recorded",
    "Simulated",
    "Try",
    "game",
    "judge",
    "perform",
    "play",
]

Hand = Sequence[Mapping[str, Any]]


# --- where poses come from ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Came:
    """What a ground truth says after pieces were laid: the poses of the new pieces and of all that moved, and if it was
    watched the way there. `work` is what it took: simulated seconds times the pieces that were free.
    """

    moved: Mapping[str, Pose]
    touched: tuple[str, ...] = ()
    restless: tuple[str, ...] = ()
    track: Track | None = None
    work: float = 0.0

    def takes(self, laid: Sequence[Laid]) -> tuple[Take, ...]:
        """The settling as a film wants it, if it was watched."""
        return () if self.track is None else (Take(tuple(piece.release for piece in laid), self.track, self.moved),)


class Ground(Protocol):
    """Who says where the pieces come to rest."""

    def settle(self, standing: Sequence[Body], new: Sequence[Laid], path: HandPath | None) -> Came | None:
        """The poses after laying `new` on a table with `standing`, or None where only geometry is asked."""
        ...


@dataclass(frozen=True, slots=True)
class Nominal:
    """Engine "none": nominal poses stand and nothing falls."""

    def settle(self, standing: Sequence[Body], new: Sequence[Laid], path: HandPath | None) -> Came | None:  # noqa: ARG002
        """Nothing to say."""
        return None


@dataclass(frozen=True, slots=True)
class Observed:
    """What people saw fall at a real table; nominal poses stand."""

    fallen: tuple[str, ...]

    def settle(self, standing: Sequence[Body], new: Sequence[Laid], path: HandPath | None) -> Came | None:  # noqa: ARG002
        """Nothing to say about poses."""
        return None


@dataclass(frozen=True, slots=True)
class Recorded:
    """The `moved` of a record, taken on trust; if it says so, `chosen` is where cars were put (`x-cars`) and `touched` which
    buildings the hand touched (`x-touched`).
    """

    moved: Mapping[str, Pose]
    chosen: tuple[CarSpot, ...] | None = None
    touched: tuple[str, ...] = ()

    def settle(self, standing: Sequence[Body], new: Sequence[Laid], path: HandPath | None) -> Came | None:  # noqa: ARG002
        """The recorded poses of the pieces that are there."""
        there = {body.id for body in standing} | {laid.rest.id for laid in new}
        return Came({piece: pose for piece, pose in self.moved.items() if piece in there}, self.touched)


@dataclass(frozen=True, slots=True)
class Simulated:
    """An engine's settled poses: a fresh world for each verdict; `watched` with the way there."""

    engine: Engine
    params: SettleParams = field(default_factory=SettleParams)
    watched: bool = False

    def settle(self, standing: Sequence[Body], new: Sequence[Laid], path: HandPath | None) -> Came | None:
        """Lets everything come to rest."""
        world = World(standing, self.engine, self.params)
        world.place(*(laid.release for laid in new), landing=[laid.rest for laid in new])
        if path is not None:
            world.sweep(path)
        settled = world.settle(watched=self.watched)
        moved = {piece: settled.poses[piece] for piece in settled.moved}
        return Came(moved, settled.touched, settled.restless, settled.track, settled.seconds * len(settled.awake))


# --- one ply -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Try:
    """One attempt at a ply: who says what came of it, and what the hand added to the intention (a record's `hand`)."""

    ground: Ground
    hand: Hand = ()


def judge(
    table: Table, placement: Placement, tries: Sequence[Try], pay: Sequence[Mapping[str, Any]] | None = None
) -> tuple[Verdict, Table, tuple[Attempt, ...]]:
    """The verdict on a placement by the seat to move, the table after it, and the attempts one by one.

    An illegal placement leaves the table as it is and makes no attempt. Tries after the first that stands are not made.
    """
    refused = referee.illegal(table, placement)
    if refused is not None:
        return refused, table, ()
    if isinstance(placement, (Pass, Resign, SetBuilding)):
        return _closed(referee.after(table, placement, ()), table, placement, ())
    attempts: list[Attempt] = []
    now = table
    for n, one in enumerate(tries):
        attempt = _attempt(now, placement, one)
        attempts.append(attempt)
        if attempt.built or n == len(tries) - 1:
            break
        # the new pieces are taken off again before the next try: only what stood before keeps where it was nudged to
        nudged = {piece: pose for piece, pose in (attempt.moved or {}).items() if piece in table.piece_ids}
        now = replace(now, poses=_standing_poses(now, nudged, attempt.fallen))
    return _closed(referee.after(now, placement, attempts, pay), now, placement, tuple(attempts))


def play(
    table: Table,
    placement: Placement,
    engine: str | Engine | None = None,
    hand: Hand = (),
    pay: Sequence[Mapping[str, Any]] | None = None,
) -> tuple[Verdict, Table]:
    """Plays one ply with an engine: the verdict and the table after it.

    `engine` is `bullet`, `mujoco`, or `none` for geometry alone; left out, it is the best that is installed.
    """
    verdict, after, _ = judge(table, placement, [Try(ground_of(engine), hand)], pay)
    return verdict, after


@dataclass(frozen=True, slots=True)
class Performed:
    """A placement that was made: its entry, the verdict with the attempts that led to it, and the table after it."""

    entry: Entry
    verdict: Verdict
    after: Table
    attempts: tuple[Attempt, ...]


def perform(
    table: Table,
    placement: Placement,
    ply: int,
    engine: str | Engine | None = None,
    skill: Skill | None = None,
    rng: np.random.Generator | None = None,
    extra: Mapping[str, Any] | None = None,
    watched: bool = False,
) -> Performed:
    """A placement of the seat to move, made by a hand, settled by an engine and judged; `extra` goes into the entry.

    A hand with a `skill` errs as `rng` (seed 0 if there is none) has it, and tries again up to `redo` times; without one it
    is steady, and so is every hand with the engine `none`. `watched` attempts know their takes. Raises IllegalMoveError that
    lists every fault.
    """
    refused = referee.illegal(table, placement)
    if refused is not None:
        raise _refusal(table, placement, refused)
    ground = ground_of(engine, watched=watched)
    hands: list[Hand] = [()]
    if skill is not None and isinstance(ground, Simulated):
        rng = rng or np.random.default_rng(0)
        hands = [draw(rng, table, placement, skill) for _ in range(1 + table.ruleset.redo)]
    verdict, after, attempts = judge(table, placement, [Try(ground, hand) for hand in hands])
    failed = [{"hand": list(hand), "got": one.got()} for hand, one in zip(hands, attempts[:-1], strict=False)]
    entry = Entry(
        ply=ply,
        by=table.to_move,
        do=json.loads(str(placement)),
        hand=hands[max(len(attempts) - 1, 0)] or None,
        got=verdict.got(after.digest()),
        tries=failed or None,
        extra=extra or {},
    )
    return Performed(entry, verdict, after, attempts)


def _refusal(table: Table, placement: Placement, verdict: Verdict) -> IllegalMoveError:
    return IllegalMoveError(str(placement), table.digest(), "; ".join(fault.text for fault in verdict.faults))


def ground_of(engine: str | Engine | None, *, watched: bool = False) -> Ground:
    """The ground truth of an engine by name; `none` is geometry alone, None the best that is installed.

    `watched`: the attempts that it settles know their takes. Raises UnavailableError if it is not installed.
    """
    if engine == "none":
        return Nominal()
    if engine is None or isinstance(engine, str):
        from sim import engines  # only a game with physics needs an engine

        engine = engines.engine(engine or engines.default())
    return Simulated(engine, watched=watched)


def _closed(
    verdict: Verdict, table: Table, placement: Placement, attempts: tuple[Attempt, ...]
) -> tuple[Verdict, Table, tuple[Attempt, ...]]:
    after = table.after(placement, verdict)
    return referee.with_out(verdict, table, after), after, attempts


def _attempt(table: Table, placement: Placement, one: Try) -> Attempt:
    """What came of a try; of a simulated one as its record will tell."""
    made = _made(table, placement, one)
    if isinstance(one.ground, Recorded):
        return replace(made, chosen=one.ground.chosen)
    if not isinstance(one.ground, Simulated) or _hand_redo(table, made.touched):
        return replace(made, chosen=None)
    # Pieces come to rest twice, before the cars and with them, and a record holds the poses at the end. What follows from
    # those counts, so that whoever trusts the record goes on from the same table; it also says where the cars were put if
    # their weight has shifted the road so far that others would be chosen on it.
    assert made.moved is not None
    told = _made(table, placement, Try(Recorded(made.moved), one.hand))
    chosen = made.chosen if told.chosen != made.chosen else None
    if chosen is not None:
        told = _made(table, placement, Try(Recorded(made.moved, chosen), one.hand))
    return replace(told, touched=made.touched, restless=made.restless, chosen=chosen, takes=made.takes)


def _made(table: Table, placement: Placement, one: Try) -> Attempt:
    """Pillar and road first, then the cars that they earn; each comes to rest before it is judged."""
    jitter, grown = jitters(one.hand), table.with_pieces(placement)
    road = grown.roads[-1]
    if isinstance(one.ground, Observed):
        return _observed(table, grown, placement, road, one.ground)
    if isinstance(one.ground, Nominal):
        return _with_cars(table, grown, placement, road, one, jitter, None)
    laid = lay(table, placement, jitter)
    came = one.ground.settle(bodies(table), laid, _path(one.hand))
    assert came is not None
    fell = falls(grown, _standing(bodies(table), laid, came.moved))
    new = {piece.rest.id for piece in laid}
    failed = any(fall.piece in new for fall in fell) or _hand_redo(grown, came.touched)
    takes = came.takes(laid)
    if failed:
        return Attempt(False, fell, came.moved, touched=came.touched, restless=came.restless, takes=takes)
    grown = replace(grown, poses=_standing_poses(table, came.moved, {fall.piece for fall in fell}))
    first = Attempt(True, fell, came.moved, touched=came.touched, restless=came.restless, takes=takes)
    return _with_cars(table, grown, placement, road, one, jitter, first)


def _with_cars(
    table: Table,
    grown: Table,
    placement: Placement,
    road: LaidRoad,
    one: Try,
    jitter: Mapping[str, Jitter],
    first: Attempt | None,
) -> Attempt:
    """Counts the crossings of a road that lies, and puts its cars on it."""
    crossings, earned, spots = _cars_due(table, grown, placement, road, one.ground)
    cars = table.next_cars(table.to_move, len(spots))
    if first is None:
        return Attempt(True, (), None, crossings, earned, spots, cars)
    assert first.moved is not None
    if not spots:
        return replace(first, crossings=crossings, earned=earned)
    laid = lay_cars(grown, road, spots, cars, jitter)
    came = one.ground.settle(bodies(grown), laid, None)
    assert came is not None
    with_cars = table.with_pieces(placement, spots, cars)
    fell = falls(with_cars, _standing(bodies(grown), laid, came.moved))
    again = {fall.piece for fall in fell}
    moved = dict(first.moved)
    moved.update({piece: pose for piece, pose in came.moved.items() if piece in again or piece not in first.fallen})
    every = tuple(sorted({fall.piece: fall for fall in (*fell, *first.falls)}.values(), key=lambda fall: fall.piece))
    restless, takes = tuple(sorted({*first.restless, *came.restless})), (*first.takes, *came.takes(laid))
    if again & {road.id, *(disc for pillar in grown.pillars[len(table.pillars) :] for disc in pillar.disc_ids)}:
        return Attempt(False, every, moved, touched=first.touched, restless=restless, takes=takes)
    stand = [n for n, car in enumerate(cars) if car not in again]
    kept, ids = tuple(spots[n] for n in stand), tuple(cars[n] for n in stand)
    return Attempt(True, every, moved, crossings, earned, kept, ids, first.touched, restless, spots, takes)


def _cars_due(
    table: Table, grown: Table, placement: Placement, road: LaidRoad, ground: Ground | None
) -> tuple[tuple[Any, ...], int, tuple[CarSpot, ...]]:
    """The crossings, the cars they earn, and where the cars go: as placement or record say, else automatically."""
    if isinstance(placement, Entrance):
        return (), 1, (placement.car,)
    crossings = crossings_of(grown, road, None)
    earned = referee.earned(table, placement, crossings)
    count = min(earned, table.stocks[table.to_move].cars)
    wanted = getattr(placement, "cars", None)
    if wanted is not None:
        return crossings, earned, tuple(wanted[:count])
    if isinstance(ground, Recorded) and ground.chosen is not None:
        return crossings, earned, ground.chosen[:count]
    return crossings, earned, referee.free_spots(table, road, grown.poses.get(road.id), count)


def _observed(table: Table, grown: Table, placement: Placement, road: LaidRoad, ground: Observed) -> Attempt:
    """Section 8 judged on what people saw; new pieces among the fallen mean that the build did not stand."""
    crossings, earned, spots = _cars_due(table, grown, placement, road, ground)
    cars = table.next_cars(table.to_move, len(spots))
    known = table.with_pieces(placement, spots, cars).piece_ids
    for piece in ground.fallen:
        if piece not in known:
            raise InputError(f"observed names {piece}, but there is no such piece on the table")
    fell = tuple(Fall(piece, "observed") for piece in sorted(set(ground.fallen)))
    new = grown.piece_ids - table.piece_ids
    if any(fall.piece in new for fall in fell):
        return Attempt(False, fell)
    stand = [n for n, car in enumerate(cars) if car not in ground.fallen]
    return Attempt(True, fell, None, crossings, earned, tuple(spots[n] for n in stand), tuple(cars[n] for n in stand))


def _standing(standing: Sequence[Body], laid: Sequence[Laid], moved: Mapping[str, Pose]) -> Standing:
    before = {body.id: body.pose for body in standing} | {piece.rest.id: piece.rest.pose for piece in laid}
    return Standing(before, moved)


def _standing_poses(table: Table, moved: Mapping[str, Pose], fallen: Collection[str]) -> dict[str, Pose]:
    return dict(table.poses) | {piece: pose for piece, pose in moved.items() if piece not in fallen}


def _hand_redo(table: Table, touched: Sequence[str]) -> bool:
    """KR section 3.3 forbids that the hand touches a building; with hand_on_building = redo the build does not count."""
    return table.ruleset.hand_on_building == "redo" and bool(buildings_among(touched))


def _path(hand: Hand) -> HandPath | None:
    for item in hand:
        if "path" in item:
            path = item["path"]
            try:
                points = tuple((float(x), float(y), float(z)) for x, y, z in path["points"])
                return HandPath(points, float(path.get("speed", 100.0)), path.get("tool", "finger"))
            except (KeyError, TypeError, ValueError) as error:
                raise InputError(
                    'a path of the hand is {"points":[[x,y,z],...],"speed":mm/s,"tool":"finger"|"tweezers"}'
                ) from error
    return None


# --- the game ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Position:
    """A table with the engine that plays it: the State that `rules.game` speaks of."""

    table: Table
    engine: str

    @property
    def to_move(self) -> int:
        """The seat to move."""
        return self.table.to_move

    def parse(self, text: str) -> Placement:
        """Reads a move. Raises NotationError; legality is judged by `after`, all faults at once."""
        return self.table.parse(text)

    def after(self, move: Placement) -> Position:
        """The position after a move by a steady hand. Raises IllegalMoveError that lists every fault."""
        verdict, table = play(self.table, move, self.engine)
        if not verdict.legal:
            raise _refusal(self.table, move, verdict)
        return replace(self, table=table)

    def outcome(self) -> Outcome | None:
        """None, or how the game ended."""
        return self.table.outcome()

    def digest(self) -> str:
        """Of the table."""
        return self.table.digest()


@dataclass(frozen=True, slots=True)
class Highway:
    """Tokyo Highway with its options chosen: a `rules.game.Game`."""

    seats: int
    ruleset: Ruleset
    components: str
    engine: str
    preset: str = "standard"
    name: str = "tokyo-highway"

    @property
    def options(self) -> Mapping[str, Any]:
        """What `game` makes an equal game of."""
        chosen = {"players": self.seats, "ruleset": self.preset, "components": self.components, "engine": self.engine}
        return {**chosen, **self.ruleset.differing(self.preset)}

    def header(self, players: Sequence[str], **given: Any) -> Header:
        """The header of a record of this game; `given` are further fields of it."""
        from sim import replay  # replay is built on this module

        physics = None if self.engine == "none" else replay.physics_header(self.engine)
        options = self.ruleset.differing(self.preset)
        # left out where that has always meant the same pieces
        usual = self.components == Preset.named(self.preset).components == "estimate-2018"
        box = None if usual else self.components
        return Header(self.name, tuple(players), self.preset, options, components=box, physics=physics, **given)

    def start(self) -> Position:
        """The empty table before the entrances."""
        return Position(Table.start(self.seats, self.ruleset, self.components), self.engine)

    def perform(
        self, state: Position, move: Placement, player: object, rng: np.random.Generator, ply: int
    ) -> tuple[Position, Entry]:
        """A move made by the hand of its player (a program or a person): the position after it, and its entry.

        A player with a `skill` (sim.hand.Skill) errs as that does, any other has a steady hand; see `perform`.
        """
        done = perform(state.table, move, ply, state.engine, getattr(player, "skill", None), rng)
        return replace(state, table=done.after), done.entry

    def verify(self, record: Record, *, mode: str = "physics", **how: Any) -> Report:
        """See `sim.replay.verify`."""
        from sim import replay  # replay is built on this module

        return replay.verify(record, mode, **how)


def game(
    players: int = 2, ruleset: str = "standard", components: str | None = None, engine: str | None = None, **changes: Any
) -> Highway:
    """The game for `rules.game.game("tokyo-highway", ...)`; `changes` are rule options, `engine` defaults to the best
    installed, `components` to the preset's own.

    Raises InputError for an unknown preset or option, and for a number of players that there is not in the preset.
    """
    Table.start(players, ruleset, components, **changes)  # every name is checked here, not at the first move
    if engine is None:
        from sim import engines  # see ground_of

        engine = engines.default()
    box = Preset.named(ruleset).components if components is None else components
    return Highway(players, Ruleset.named(ruleset, **changes), box, engine, ruleset)
