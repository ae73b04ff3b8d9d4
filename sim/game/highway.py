"""Tokyo Highway as a `rules.game.Game`: its options, positions, headers, replay and verification."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rules.errors import InputError
from rules.game import Outcome
from rules.record import Entry, Header, Record
from rules.record.replay import Step
from rules.record.verify import Report
from sim.game import replay
from sim.game.ply import perform, play, refusal
from sim.game.verify import verify
from sim.referee.explain import explain
from sim.referee.placement import Placement
from sim.referee.ruleset import Preset, Ruleset
from sim.referee.table import Table
from sim.referee.verdict import Verdict

__all__ = ["Highway", "JudgedStep", "Position", "game"]


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """A table with the engine that plays it: the State that `rules.game` speaks of."""

    table: Table
    engine: str

    def __repr__(self) -> str:
        return f"<Position {self.table!r}, engine {self.engine}>"

    def __str__(self) -> str:
        """The table: whose turn it is, the stocks, the pillars, and the roads with their free sides."""
        return str(self.table)

    @property
    def to_move(self) -> int:
        """The seat to move."""
        return self.table.to_move

    def parse(self, text: str) -> Placement:
        """Reads a move. Raises NotationError; legality is judged by `after`, all faults at once."""
        return self.table.parse(text)

    def after(self, move: Placement | str) -> Position:
        """The position after a move, or the move that a text means, by a steady hand.

        Raises IllegalMoveError with every fault, and NotationError for a text that cannot be read.
        """
        if isinstance(move, str):
            move = self.parse(move)
        verdict, table = play(self.table, move, self.engine)
        if not verdict.legal:
            raise refusal(self.table, move, verdict)
        return replace(self, table=table)

    def outcome(self) -> Outcome | None:
        """None, or how the game ended."""
        return self.table.outcome()

    def digest(self) -> str:
        """Of the table."""
        return self.table.digest()


@dataclass(frozen=True, slots=True)
class JudgedStep(Step):
    """A step of a record with the verdict on it; it prints as the sentences that explain the verdict."""

    verdict: Verdict

    def got(self) -> dict[str, Any]:
        """The `got` of this ply as freshly judged."""
        return self.verdict.got(self.after.digest() if self.verdict.legal else None)

    def __str__(self) -> str:
        return f"ply {self.ply:>2}  {'; '.join(self._sentences())}"

    def _sentences(self) -> list[str]:
        if self.refusal is not None:
            return [f"{self.player}: taken back: {self.refusal}"]
        assert self.verdict.asked is not None, "`Highway.replay` gives the verdict its table and placement"
        return [reason.text for reason in explain(*self.verdict.asked, self.verdict, self.players)]


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

        A player with a `skill` (sim.game.hand.Skill) errs as that does, any other has a steady hand; see `perform`.
        """
        done = perform(state.table, move, ply, state.engine, getattr(player, "skill", None), rng)
        return replace(state, table=done.after), done.entry

    def replay(self, record: Record) -> Iterator[Step]:
        """A record ply by ply, on its own settled poses, nominal ones where it has none; see `sim.game.replay.trusted`.

        No engine is asked; going on from a step's position with `after` asks this game's.
        """
        for step in replay.trusted(record):
            before, after = Position(step.before, self.engine), Position(step.after, self.engine)
            verdict = replace(step.verdict, asked=(step.before, step.placement))
            refusal = None if verdict.legal else verdict.refusal
            yield JudgedStep(step.entry, step.placement, before, after, refusal, record.header.players, verdict)

    def verify(self, record: Record, *, mode: str = "physics", **how: Any) -> Report:
        """See `sim.game.verify.verify`."""
        return verify(record, mode, **how)


def game(
    players: int = 2, ruleset: str = "standard", components: str | None = None, engine: str | None = None, **changes: Any
) -> Highway:
    """The game for `rules.game.game("tokyo-highway", ...)`; `changes` are rule options, `engine` defaults to the best
    installed, `components` to the preset's own.

    Raises InputError for an unknown preset or option, and for a number of players that there is not in the preset.
    """
    for what, named in (("ruleset", ruleset), ("components", components), ("engine", engine)):
        if named is not None and not isinstance(named, str):
            raise InputError(f"{what} must be a name, not {str(named)[:60]}")
    Table.start(players, ruleset, components, **changes)  # every name is checked here, not at the first move
    if engine is None:
        from sim.physics import engines  # only a game with physics needs an engine

        engine = engines.default()
    box = Preset.named(ruleset).components if components is None else components
    return Highway(players, Ruleset.named(ruleset, **changes), box, engine, ruleset)
