"""One ply of any game, for rooms and replays: from a record to positions with their words, and from a move to an entry.

A `Step` is a ply with the positions around it. The grid games are played here at once; a placement of Tokyo Highway takes a
physics engine up to a second, so `perform` is a plain function of plain data that runs in a worker process.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rules.record import Entry, Header, Record

if TYPE_CHECKING:
    from shutoko.export.packed import Film
    from sim.game.highway import Highway
    from sim.game.step import JudgedStep
    from sim.referee.explain import Reason
    from sim.referee.table import Table
    from sim.referee.verdict import Verdict

__all__ = [
    "TABLE",
    "MoveJob",
    "Step",
    "adjusts",
    "bare",
    "begin",
    "filmed",
    "header_of",
    "judged",
    "steps",
    "perform",
    "played",
]

TABLE = "tokyo-highway"
"""The one game that asks physics."""


@dataclass(frozen=True, slots=True)
class Step:
    """A ply: its entry, the positions before and after it, and what the referee has to say about it, one sentence a line.

    The positions are states of a grid game or tables. `verdict` is the referee's for Tokyo Highway, `refusal` why a move that
    was taken back is illegal. `film` shows how a ply that was just made came about.
    """

    entry: Entry
    before: Any
    after: Any
    lines: tuple[Reason, ...] = ()
    verdict: Verdict | None = None
    refusal: str | None = None
    film: Film | None = None


@dataclass(frozen=True, slots=True)
class MoveJob:
    """A placement to be judged by physics: the table, the move's text, the hand, and the numbers that chance comes from.

    `hand` is the name of a skill of `sim.game.hand`, or None for a steady hand.
    """

    table: Table
    text: str
    ply: int
    engine: str
    hand: str | None = None
    seed: tuple[int, ...] = (0,)
    extra: Mapping[str, Any] = field(default_factory=dict)


def begin(record: Record) -> Any:
    """The position before ply 0: a state of a grid game or a table. Raises RecordError."""
    if record.header.game == TABLE:
        from sim.game import replay

        return replay.begin(record)
    from rules.record.replay import begin as begin_grid

    return begin_grid(record)[1]


def steps(record: Record) -> Iterator[Step]:
    """A record ply by ply on its own poses (no engine is asked). Raises what replaying raises."""
    if record.header.game == TABLE:
        from sim.game import replay
        from sim.referee.explain import explain

        for judged in replay.trusted(record):
            lines = explain(judged.before, judged.placement, judged.verdict, record.header.players)
            table = judged.before if judged.entry.taken_back else judged.after
            yield Step(judged.entry, judged.before, table, lines, judged.verdict)
        return
    from rules.record import replay as grid

    for one in grid.steps(record):
        after = one.before if one.entry.taken_back else one.after
        yield Step(one.entry, one.before, after, (), None, one.refusal)


def played(before: Any, text: str, ply: int, extra: Mapping[str, Any]) -> Step:
    """A move of a grid game. Raises NotationError and IllegalMoveError."""
    move = before.parse(text)
    after = before.after(move)
    entry = Entry(ply, before.to_move, str(move), got={"legal": True, "digest": after.digest()}, extra=extra)
    return Step(entry, before, after)


def adjusts(text: str) -> bool:
    """Whether a move of Tokyo Highway puts the last build right."""
    from rules.errors import NotationError
    from sim.referee.placement import Adjust, Placement

    try:
        return isinstance(Placement.parse(text), Adjust)
    except NotationError:
        return False


def judged(before: Table, performed: JudgedStep[Table], film: Film | None, names: Sequence[str]) -> Step:
    """A placement that a worker performed, with its explanation and its film; `names` are the players by seat."""
    from sim.referee.explain import explain

    lines = explain(before, performed.placement, performed.verdict, names)
    return Step(performed.entry, before, performed.after, lines, performed.verdict, film=film)


def perform(deed: MoveJob) -> tuple[JudgedStep[Table], Film | None]:
    """A placement made by a hand, settled by an engine and judged, and the film of it; see `sim.game.ply.perform`.

    Raises NotationError, and IllegalMoveError with every fault.
    """
    from shutoko.export.film import ply_frames
    from shutoko.export.packed import film
    from sim.game.hand import skill
    from sim.game.ply import perform as made

    hand = None if deed.hand is None else skill(deed.hand)
    placement, rng = deed.table.parse(deed.text), np.random.default_rng(deed.seed)
    done = made(deed.table, placement, deed.ply, deed.engine, hand, rng, deed.extra, watched=True)
    shown = film(ply_frames(deed.table, placement, done.verdict, done.after, done.attempts))
    return replace(done, after=bare(done.after), attempts=()), shown


def filmed(header: Header | None, step: Step) -> Film | None:
    """The film of a ply of a record: what physics did if the engine of the header does it again, else a blend of the poses.

    Without a header nothing but the poses is asked.
    """
    from shutoko.export.film import ply_frames
    from shutoko.export.packed import film
    from sim.game import replay
    from sim.referee.adjusting import meant

    if step.verdict is None:
        return None
    resettled = None
    if header is not None and step.verdict.built is not None:
        resettled = replay.watched(Record(header), step.entry, step.before)
    placement, attempts = meant(step.entry.do, step.entry.by), () if resettled is None else resettled.attempts
    return film(ply_frames(step.before, placement, step.verdict, step.after, attempts))


def bare(table: Table) -> Table:
    """The table without what was worked out from it: what travels between processes."""
    return replace(table)


def header_of(game: str, names: Sequence[str], options: Mapping[str, Any], **given: Any) -> Header:
    """The header of a game that begins; `given` are further fields. Raises InputError for options that cannot be."""
    from rules.game import game as make

    if game == TABLE:
        chosen = {key: given.pop(key) for key in ("ruleset", "components") if key in given}
        return cast("Highway", make(game, players=len(names), **chosen, **options)).header(names, **given)
    made = make(game, **options)
    return Header(game, tuple(names), options=dict(made.options), **given)
