"""What a table of pieces in space needs beyond any game: moves made by a hand and settled by
physics, films of them, and the tries at the challenge of the day.

A worker makes the films of a record ahead of time: the next one while the visitor looks at this
ply.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np

from rules.errors import ShutokoError
from rules.record import Entry, Header, Record
from rules.record.replay import Step
from shutoko.export.packed import Film
from shutoko.web.limits import Recent
from shutoko.web.work.by_hand import OWN, Grip, skill_of, taken
from shutoko.web.work.kinds import FILM
from shutoko.web.work.workers import Workers
from sim.bodies import shift_between
from sim.challenge import TRIES, Challenge, Try
from sim.game import JudgedStep, Position, bodies, close_call, perform, pose_source, replay
from sim.game.attempts.hand import skill

_SLID = 1.0  # mm

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sim.bodies import Body
    from sim.game import Jitter, Skill
    from sim.physics.engine import Engine
    from sim.referee import Table


def table_of(state: Any) -> Table:
    """The table of a position in which pieces lie in space."""
    table: Table = state.table
    return table


def performed(
    state: Position,
    text: str,
    ply: int,
    skill: Skill | None,
    seed: tuple[int, ...],
    players: tuple[str, ...],
    let_go: Sequence[Mapping[str, Jitter]] = (),
    seen: int = 0,
    only_led: bool = False,
) -> tuple[JudgedStep[Position], Film | None]:
    """A placement made by a hand of that skill (None: a steady one), settled by the engine and
    judged, and the film of it without the tries that were `seen` before. What a person has `let_go`
    of, try by try, falls as that says; `only_led` makes no further tries.

    Raises NotationError, and IllegalMoveError with every fault.
    """
    placement, rng = state.parse(text), np.random.default_rng(seed)
    done = perform(
        state.table,
        placement,
        ply,
        state.engine,
        skill,
        rng,
        watched=True,
        let_go=let_go,
        only_led=only_led,
    )
    after = Position(done.after, state.engine)
    # the attempts with all that physics went through are in the film, and need not travel
    step = JudgedStep(done.entry, placement, state, after, None, players, done.verdict)
    return step, _film(replace(done, attempts=done.attempts[seen:]))


def settled_film(header: Header, entry: Entry, before: Position) -> Film | None:
    """The film of a ply of a record, on the position before it: what physics did, if the header's
    engine does the same again.

    Elsewhere the poses before and after are blended.
    """
    record = Record(header)
    return _film(
        replay.watched(record, entry, before.table) or replay.judged(record, entry, before.table)
    )


def as_here(header: Header, entry: Entry, before: Position) -> tuple[Body, ...]:
    """The pieces after a ply of a record as they come to rest here, with the header's engine if it
    is installed.
    """
    return bodies(_settled(header, entry, before, replay.engine_of(header)).after)


def _settled(
    header: Header, entry: Entry, before: Position, engine: str | Engine | None
) -> replay.Step:
    """The step of an entry as an engine settles it here."""
    record = Record(header)
    checked = replay.opened(record, entry, before.table)
    return replay.judge_entry(record, entry, checked, pose_source(engine))


def is_doubtful(step: Step) -> bool:
    """Whether something fell, slid or did not stand in a ply that physics settled: then it may be a
    close call.
    """
    if not isinstance(step, JudgedStep) or (moved := step.verdict.moved) is None:
        return False
    verdict, stood = step.verdict, bodies(table_of(step.before))
    fell = verdict.failed or verdict.fallen or verdict.put_back or not verdict.built
    return bool(fell) or any(
        shift_between(body.pose, moved.get(body.id, body.pose)) > _SLID for body in stood
    )


def doubted(header: Header, step: JudgedStep[Position]) -> JudgedStep[Position] | None:
    """A step of a game as that of a close call (`sim.close_call`), which its entry tells; None if
    it is none.
    """
    close = close_call(_settled(header, step.entry, step.before, step.before.engine))
    told = replace(step, verdict=replace(step.verdict, close=close))
    return replace(told, entry=replace(step.entry, got=told.got())) if close is not None else None


def blended_film(header: Header, step: Step) -> Film | None:
    """The film of a ply of a record that blends the poses before and after; None where no pieces
    move in space.
    """
    if not isinstance(step, JudgedStep):
        return None
    return _film(replay.judged(Record(header), step.entry, table_of(step.before)))


def _film(step: replay.Step) -> Film | None:
    from shutoko.export.film import ply_frames
    from shutoko.export.packed import film

    after = step.before if step.entry.taken_back else step.after
    return film(ply_frames(step.before, step.placement, step.verdict, after, step.attempts))


# --- the films of a record for one page -----------------------------------------------------------

_KEPT = 8  # films
_PATIENCE = 2.0  # seconds that a visitor waits for physics; then the poses are blended


class Films:
    """`await films.of(n)` is the film of `steps[n]`, None where no pieces move in space; `who`
    looks at them.
    """

    def __init__(
        self, workers: Workers, record: Record, steps: Sequence[Step], who: str = ""
    ) -> None:
        self._workers, self._header, self._steps, self._who = workers, record.header, steps, who
        self._wanted: dict[int, asyncio.Task[Film | None]] = {}

    def soon(self, n: int) -> None:
        """Starts on the film of a ply that may be wanted soon, and gives up films of other plies
        that no worker has begun.
        """
        for other in [
            other for other, task in self._wanted.items() if abs(other - n) > 1 and not task.done()
        ]:
            _ = self._wanted.pop(other).cancel()
        if 0 <= n < len(self._steps):
            _ = self._want(n)

    async def of(self, n: int) -> Film | None:
        """The film of a ply: what physics did, if a worker works it out in time, else a blend of
        the poses.
        """
        wanted = self._want(n)
        done, _ = await asyncio.wait([wanted], timeout=_PATIENCE)
        if done and not wanted.cancelled():
            return wanted.result()
        return blended_film(self._header, self._steps[n])

    def stop(self) -> None:
        """Gives up all films: nobody watches any more."""
        self.soon(-2)

    def _want(self, n: int) -> asyncio.Task[Film | None]:
        if n not in self._wanted:
            while len(self._wanted) >= _KEPT:
                _ = self._wanted.pop(next(iter(self._wanted)))
            self._wanted[n] = asyncio.get_running_loop().create_task(self._made(self._steps[n]))
        return self._wanted[n]

    async def _made(self, step: Step) -> Film | None:
        if not isinstance(step, JudgedStep) or step.verdict.built is None:
            return blended_film(self._header, step)  # physics has nothing to say
        try:
            return await self._workers.run(
                settled_film, self._header, step.entry, step.before, kind=FILM, who=self._who
            )
        except ShutokoError:
            return blended_film(self._header, step)


# --- the challenge of the day, and how often each visitor has tried it ----------------------------


def grip(challenge: Challenge, text: str, n: int) -> Grip:
    """The pieces of a placement in the hand of try `n`, which trembles for everybody in the same
    way. Raises NotationError and IllegalMoveError.
    """
    return taken(challenge.position, text, OWN, challenge.seed(n))


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a try, for a page: its worth, the position after it, its film, and the pieces
    that fell.
    """

    worth: Try
    after: Position
    film: Film | None
    fallen: tuple[str, ...]


def tried(challenge: Challenge, text: str, n: int, let_go: Mapping[str, Jitter]) -> Done:
    """Makes a try. Raises NotationError and IllegalMoveError."""
    state = challenge.position
    how = skill(skill_of(OWN) or "")
    step, film = performed(
        state, text, 0, how, challenge.seed(n), ("",) * 4, (let_go,), only_led=True
    )
    return Done(Try.of(step.verdict), step.after, film, tuple(step.verdict.fallen))


class Tries:
    """The tries of each visitor at the challenge of each day; the latest are remembered."""

    def __init__(self) -> None:
        self._of = Recent[tuple[str, date], tuple[Try, ...]]()

    def of(self, who: str, day: date) -> tuple[Try, ...]:
        """What a visitor has tried of the challenge of a day."""
        return self._of.get((who, day), ())

    def left(self, who: str, day: date) -> int:
        """How many tries a visitor has left."""
        return TRIES - len(self.of(who, day))

    def add(self, who: str, day: date, one: Try) -> None:
        """Counts a try."""
        self._of[who, day] = (*self.of(who, day), one)
