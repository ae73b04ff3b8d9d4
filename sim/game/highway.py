"""Tokyo Highway as a `rules.game.Game`: its options, positions, headers, replay and
verification.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from rules.errors import InputError, NotationError, RecordError
from rules.game import Guide, Outcome, Setting
from rules.record import Entry, Header, Record
from rules.record.verify import Report
from rules.view import SceneView
from sim.assets import names
from sim.game import replay
from sim.game.attempts.hand import SKILLS, Skill
from sim.game.attempts.posing import bodies
from sim.game.ply import JudgedStep, perform, play, refusal
from sim.game.verify import verify
from sim.referee import Placement, Preset, Ruleset, Table, adjuster, presets_for

_GUIDE = Guide(
    title="Tokyo Highway",
    about=(
        "Build roads of sticks on pillars of discs, over and under those of the others. What "
        "stands and what falls is physics."
    ),
    rules=(
        "Build pillars of discs and lay a road from one of your open ends to each new pillar, "
        "which is one disc higher or lower than the last. With a yellow disc on top (a junction) "
        "it may have any height, and a second road may leave it. A road that passes over or under "
        "a road of another earns a car, unless another road has passed on that side of it already. "
        "An exit leads down to the table and earns a car by itself. What you knock over of others "
        "you pay for in discs. The first to put down all cars wins; who can build no more is out. "
        "`shutoko rules` tells every rule and option."
    ),
    notation='MOVE is an object as a record writes it, like {"build": {...}}, or pass, or resign',
)


NAME = "tokyo-highway"
"""What the game is called in records and commands."""


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """A table with the engine that plays it: the `State` of `rules.game`."""

    table: Table
    engine: str

    def __repr__(self) -> str:
        return f"<Position {self.table!r}, engine {self.engine}>"

    def __str__(self) -> str:
        """The table: whose turn it is, the stocks, the pillars, and the roads with their free
        sides.
        """
        return str(self.table)

    def _repr_png_(self) -> bytes | None:
        return self.table._repr_png_()

    @property
    def to_move(self) -> int:
        """The seat to move."""
        return self.table.to_move

    def parse(self, text: str) -> Placement:
        """Reads a move. Raises NotationError; legality is judged by `after`, all faults at once."""
        return self.table.parse(text)

    def after(self, move: Placement | str) -> Position:
        """The position after a move (or the text of a move), made by a hand that never errs.

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
        """The digest of the table."""
        return self.table.digest()


@dataclass(frozen=True, slots=True)
class Highway:
    """Tokyo Highway with its options chosen: a `rules.game.Game`."""

    seats: int
    ruleset: Ruleset
    components: str
    engine: str
    preset: str = "standard"
    name: str = NAME
    guide: ClassVar[Guide] = _GUIDE
    hands: ClassVar[Mapping[str, Skill]] = SKILLS
    advisers: ClassVar[tuple[str, ...]] = ("planner", "greedy")
    reviewer: ClassVar[str] = "planner:playouts=1000"

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The settings: the number of players, the rule sets that allow this number, and the
        shipped boxes.
        """
        return (
            Setting("players", (2, 3, 4), 2, "how many play"),
            Setting("ruleset", presets_for(self.seats), "standard", "the rule set"),
            Setting(
                "components",
                names("components"),
                Preset.named(self.preset).components,
                "the box: sizes and friction",
            ),
        )

    @property
    def options(self) -> Mapping[str, Any]:
        """The options from which `game` makes an equal game."""
        chosen = {
            "players": self.seats,
            "ruleset": self.preset,
            "components": self.components,
            "engine": self.engine,
        }
        return {**chosen, **self.ruleset.differing(self.preset)}

    def header(self, players: Sequence[str], **given: Any) -> Header:
        """The header of a record of this game; `given` are further fields of it.

        A box of somebody's own is named without its folder: its file belongs beside the record.
        """
        physics = None if self.engine == "none" else replay.physics_header(self.engine)
        options = self.ruleset.differing(self.preset)
        # left out if a header without components means the same pieces
        usual = self.components == Preset.named(self.preset).components == "estimate-2018"
        own = self.components.endswith(".toml")
        box = None if usual else Path(self.components).name if own else self.components
        return Header(
            self.name,
            tuple(players),
            self.preset,
            options,
            components=box,
            physics=physics,
            **given,
        )

    def start(self) -> Position:
        """The empty table before the entrances."""
        return Position(Table.start(self.seats, self.ruleset, self.components), self.engine)

    def view(
        self,
        state: Position,
        before: Position | None = None,  # noqa: ARG002
        last: str | None = None,  # noqa: ARG002
    ) -> SceneView:
        """The pieces where they lie. Nothing is marked, so the last ply does not matter."""
        return SceneView(bodies(state.table))

    def table(self, state: Position) -> Table:
        """The table, which the referee judges."""
        return state.table

    def mover(self, state: Position, move: str) -> int:
        """The seat that makes a move: the seat to move or, for an adjustment, the seat that built.
        An unreadable text counts for the seat to move.
        """
        try:
            placement = state.parse(move)
        except NotationError:
            return state.to_move
        return adjuster(state.table, placement)

    def perform(
        self, state: Position, move: Placement, player: object, rng: np.random.Generator, ply: int
    ) -> tuple[Position, Entry]:
        """The position after a move made by the hand of its player (a program or a person), and its
        entry.

        A player with a `skill` (sim.game.attempts.hand.Skill) errs accordingly; any other hand
        never errs; see `perform`.
        """
        done = perform(state.table, move, ply, state.engine, getattr(player, "skill", None), rng)
        return replace(state, table=done.after), done.entry

    def begin(self, record: Record) -> tuple[Highway, Position]:
        """The game of a record, with the engine of its header (`none` if it names none), and its
        table before ply 0.

        Raises RecordError, naming line 1, for a header that makes no table.
        """
        header, table = record.header, replay.opening(record)
        engine = str((header.physics or {}).get("engine", "none"))
        try:
            made = game(
                len(header.players), header.ruleset, replay.box_of(record), engine, **header.options
            )
        except InputError as error:
            raise RecordError(str(error), record.path, 1) from error
        return made, Position(table, engine)

    def replay(self, record: Record) -> Iterator[JudgedStep[Position]]:
        """A record ply by ply, on its own settled poses, nominal ones where it has none; see
        `sim.game.replay.trusted`.

        No engine runs for the replay. If you continue from a step's position with `after`, this
        game's engine does.
        """
        steps: Iterator[JudgedStep[Any]] = replay.trusted(record)
        for step in steps:
            before, after = Position(step.before, self.engine), Position(step.after, self.engine)
            yield replace(step, before=before, after=after)

    def fill(self, record: Record, engine: str | None = None) -> Record:
        """See `sim.game.replay.fill`."""
        return replay.fill(record, engine)

    def describe(self, step: JudgedStep[Position]) -> tuple[str, ...]:
        """The sentences that explain the verdict."""
        return step.told()

    def verify(
        self,
        record: Record,
        *,
        mode: str = "physics",
        on_ply: Callable[[int], None] | None = None,
        **how: Any,
    ) -> Report:
        """See `sim.game.verify.verify`."""
        return verify(record, mode, on_ply=on_ply, **how)


def game(
    players: int = 2,
    ruleset: str = "standard",
    components: str | None = None,
    engine: str | None = None,
    **changes: Any,
) -> Highway:
    """The game for `rules.game.game("tokyo-highway", ...)`; `changes` are rule options, `engine`
    defaults to the best installed, `components` to the preset's own.

    Raises InputError for an unknown preset or option, and for a number of players that the preset
    is not for.
    """
    for what, named in (
        ("ruleset", ruleset),
        ("components", "" if components is None else components),  # None: whatever is usual
        ("engine", "" if engine is None else engine),
    ):
        if not isinstance(named, str):
            raise InputError(f"{what} must be a name, not {str(named)[:60]}")
    # every name is checked here, not at the first move
    Table.start(players, ruleset, components, **changes)
    if engine is None:
        from sim.physics import engines  # only a game with physics needs an engine

        engine = engines.default()
    box = Preset.named(ruleset).components if components is None else components
    return Highway(players, Ruleset.named(ruleset, **changes), box, engine, ruleset)
