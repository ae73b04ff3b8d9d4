"""Tokyo Highway as a game: glues table, referee and physics together, one ply at a time.

The flow of a turn: the referee's `before`; the new pieces are laid where the hand lets go of them; a ground truth says
where everything comes to rest (an engine, a record's `moved`, or nothing but geometry); the referee counts crossings on
those poses; the cars are set and come to rest too; the referee's `after` gives the verdict, and the table goes on from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rules.errors import IllegalMoveError
from rules.game import Outcome
from rules.record import Entry, Header, Record
from rules.verify import Report
from sim import adjusting, referee
from sim.attempt import Hand, Try, attempt, standing_poses
from sim.ground import Came, Ground, Nominal, Observed, Recorded, Simulated, ground_of
from sim.hand import Skill, draw
from sim.placement import Adjust, Pass, Placement, Resign, SetBuilding
from sim.referee import Attempt
from sim.ruleset import Preset, Ruleset
from sim.table import Table
from sim.verdict import Verdict
from sim.world import Engine

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
    "ground_of",
    "judge",
    "perform",
    "play",
]


# --- one ply -----------------------------------------------------------------------------------------------------------------


def judge(
    table: Table,
    placement: Placement,
    tries: Sequence[Try],
    pay: Sequence[Mapping[str, Any]] | None = None,
    *,
    accepted: bool = False,
) -> tuple[Verdict, Table, tuple[Attempt, ...]]:
    """The verdict on a placement by the seat to move, the table after it, and the attempts one by one.

    An illegal placement leaves the table as it is and makes no attempt, unless people `accepted` it. Tries after the first that
    stands are not made.
    """
    refused = referee.illegal(table, placement, accepted=accepted)
    if refused is not None:
        return refused, table, ()
    if isinstance(placement, Adjust):
        verdict, after, anew = judge(*adjusting.resolved(table, placement), tries, pay, accepted=accepted)
        return *adjusting.rejoined(table, placement, verdict, after), anew
    if isinstance(placement, (Pass, Resign, SetBuilding)):
        return _closed(referee.after(table, placement, (), accepted=accepted), table, placement, ())
    attempts: list[Attempt] = []
    now = table
    for n, one in enumerate(tries):
        made = attempt(now, placement, one)
        attempts.append(made)
        if made.built or n == len(tries) - 1:
            break
        # the new pieces are taken off again before the next try: only what stood before keeps where it was nudged to
        nudged = {piece: pose for piece, pose in (made.moved or {}).items() if piece in table.piece_ids}
        now = replace(now, poses=standing_poses(now, nudged, made.fallen))
    return _closed(referee.after(now, placement, attempts, pay, accepted=accepted), now, placement, tuple(attempts))


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
    is steady, and so is every hand with the engine `none`. `watched` attempts know their takes. Raises IllegalMoveError with
    every fault.
    """
    refused = referee.illegal(table, placement)
    if refused is not None:
        raise _refusal(table, placement, refused)
    ground = ground_of(engine, watched=watched)
    hands: list[Hand] = [()]
    if skill is not None and isinstance(ground, Simulated):
        rng = rng or np.random.default_rng(0)
        hands = [draw(rng, *adjusting.resolved(table, placement), skill) for _ in range(1 + table.ruleset.redo)]
    verdict, after, attempts = judge(table, placement, [Try(ground, hand) for hand in hands])
    failed = [{"hand": list(hand), "got": one.got()} for hand, one in zip(hands, attempts[:-1], strict=False)]
    entry = Entry(
        ply=ply,
        by=adjusting.adjuster(table, placement),
        do=json.loads(str(placement)),
        hand=hands[max(len(attempts) - 1, 0)] or None,
        got=verdict.got(after.digest()),
        tries=failed or None,
        extra=extra or {},
    )
    return Performed(entry, verdict, after, attempts)


def _refusal(table: Table, placement: Placement, verdict: Verdict) -> IllegalMoveError:
    return IllegalMoveError(str(placement), table.digest(), verdict.refusal, [fault.text for fault in verdict.faults])


def _closed(
    verdict: Verdict, table: Table, placement: Placement, attempts: tuple[Attempt, ...]
) -> tuple[Verdict, Table, tuple[Attempt, ...]]:
    after = table.after(placement, verdict)
    return referee.with_out(verdict, table, after), after, attempts


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
        """The position after a move by a steady hand. Raises IllegalMoveError with every fault."""
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
