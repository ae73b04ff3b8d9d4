"""What worker processes do besides looking for moves: plain functions of plain data, for any game
that is installed.

A game travels as its name and options, from which the worker makes an equal one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rules.defaults import hands, perform, table
from rules.errors import InputError, Refusal
from rules.game import Game, game
from rules.moments import Moment, moments, reviewer
from rules.record import dumps, loads
from rules.record.replay import Step, begin, replay
from rules.record.verify import Report, verify
from shutoko.web.limits import MAX_LINES, MAX_MEMORY, MAX_UPLOAD
from shutoko.web.work import tables
from shutoko.web.work.kinds import at_most
from shutoko.web.work.players import harmless, quick_player
from shutoko.web.work.workers import say
from sim.problems import Problem, games, problems
from sim.records import loads_from_outside

if TYPE_CHECKING:
    from shutoko.export.packed import Film
    from sim.game import Jitter


@dataclass(frozen=True, slots=True)
class MoveJob:
    """A move to be made: the game by its name and options, the position, the move's text, and the
    players by seat.

    `hand` is the name of a skill of `rules.defaults.hands`, None for a steady hand. All chance in
    the move comes from `seed`. `extra` goes into the entry. `let_go` says how a person let go of
    pieces, try by try; of these so many were `seen` before, and `only_led` makes no further ones.
    """

    name: str
    options: Mapping[str, Any]
    state: Any
    text: str
    ply: int
    players: tuple[str, ...]
    hand: str | None = None
    seed: tuple[int, ...] = (0,)
    extra: Mapping[str, Any] = field(default_factory=dict)
    let_go: tuple[Mapping[str, Jitter], ...] = ()
    seen: int = 0
    only_led: bool = False


@dataclass(frozen=True, slots=True)
class _Mover:
    """Whoever makes a move, as the game asks for it: how precise the hand is, None for a steady
    one.
    """

    skill: Any = None


def performed(job: MoveJob) -> tuple[Step, Film | None]:
    """Makes the move in a worker; returns its step, and a film where pieces moved in space.

    Raises NotationError, and IllegalMoveError with every fault.
    """
    made = game(job.name, **job.options)
    if table(made, job.state) is not None:
        skill = hands(made).get(job.hand) if job.hand is not None else None
        step, film = tables.performed(
            job.state,
            job.text,
            job.ply,
            skill,
            job.seed,
            job.players,
            job.let_go,
            job.seen,
            job.only_led,
        )
        return replace(step, entry=replace(step.entry, extra=job.extra)), film
    return made_move(made, job), None


def made_move(made: Game[Any], job: MoveJob) -> Step:
    """Makes the move in this process. Raises NotationError and IllegalMoveError."""
    skill = hands(made).get(job.hand) if job.hand is not None else None
    move = job.state.parse(job.text)
    after, entry = perform(
        made, job.state, move, _Mover(skill), np.random.default_rng(job.seed), job.ply
    )
    return Step(replace(entry, extra=job.extra), move, job.state, after, None, job.players)


def chosen(
    spec: str, name: str, options: Mapping[str, Any], state: Any, seed: tuple[int, ...]
) -> str:
    """The text of the move that a player chooses; `name` and `options` make the game. Raises what
    the player raises.
    """
    return str(harmless(spec, game(name, **options)).choose(state, np.random.default_rng(seed)))


def checked(spec: str, name: str, options: Mapping[str, Any]) -> None:
    """Raises InputError if the spec names no player of that game, or an option that the player does
    not have.
    """
    harmless(spec, game(name, **options))


def warm(name: str, *, plays: bool = False) -> None:
    """Loads what a game needs, so that its first move need not wait; if it `plays`, also what its
    quickest player needs for an answer.
    """
    made = game(name)
    state = made.start()
    quick = quick_player(made) if plays else None
    if quick is not None:
        _ = harmless(quick, made).choose(state, np.random.default_rng(0))


def verified(data: bytes, mode: str) -> Report:
    """Verifies a record; reports the number of plies done after each one. Raises what verifying
    raises.
    """
    return verify(loads(data), mode, on_ply=say)


def decided(data: bytes) -> list[Moment]:
    """The moments that decided the game of a record; reports the number of positions judged after
    each one.

    Raises what replaying raises, and InputError for a game whose players judge no positions.
    """
    record = loads(data)
    return moments(reviewer(begin(record)[0]), [*replay(record)], 0, on_ply=say)


def shared(data: bytes, kind: str, ply: int | None, language: str) -> bytes:
    """A record as a file of that kind (`shutoko.export.share`), its words in the language. Raises
    what sharing raises.
    """
    from shutoko.export.share import share

    return share(loads(data), kind, ply, language=language)


def taken_in(data: bytes, label: str) -> tuple[bytes, tuple[str, ...]]:
    """An uploaded record, read and written anew as it is kept, and what was left out. Messages call
    it `label`.

    Raises InputError for what is too long or takes too much memory, RecordError for what is no
    record of a game that is installed.
    """
    if len(data) > MAX_UPLOAD:
        mib = MAX_UPLOAD // 2**20
        told = f"{label}: {len(data)} bytes are too many; a record of {mib} MiB is read at most"
        raise InputError(Refusal(told, "upload-bytes", label=label, bytes=len(data), mib=mib))
    lines = data.count(b"\n") + 1
    if lines > MAX_LINES:
        told = f"{label}: {lines} lines are too many; a record of {MAX_LINES} lines is read at most"
        raise InputError(Refusal(told, "upload-lines", label=label, lines=lines, most=MAX_LINES))
    mib = MAX_MEMORY // 2**20
    told = f"{label}: reading it takes more than {mib} MiB of memory; a record takes far less"
    with at_most(MAX_MEMORY, Refusal(told, "upload-memory", label=label, mib=mib)):
        record = loads_from_outside(data, label)
    begin(record)
    return dumps(record), record.warnings


# --- problems -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Posed:
    """A problem's position, the position before its last move, and the one after its first
    answer.
    """

    before: Any
    state: Any
    solved: Any


def named(name: str) -> Problem | None:
    """The problem with that id, None if there is none."""
    return next((one for game in games() for one in problems(game) if one.id == name), None)


def posed(problem: Problem) -> Posed:
    """The positions of a problem."""
    _, before, state = problem.begin()
    return Posed(before, state, state.after(problem.answers[0]))
