"""The films of a record for one page. A worker makes them ahead of time: the next one while the visitor looks at this ply."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rules.errors import ShutokoError
from rules.record import Record
from rules.record.replay import Step
from shutoko.export.packed import Film
from shutoko.web.work import tables
from shutoko.web.work.kinds import FILM
from shutoko.web.work.workers import Workers

__all__ = ["Films"]

_KEPT = 8  # films
_PATIENCE = 2.0  # seconds that a visitor waits for physics; then the poses are blended


class Films:
    """`await films.of(n)` is the film of `steps[n]`, None where no pieces move in space; `who` looks at them."""

    def __init__(self, workers: Workers, record: Record, steps: Sequence[Step], who: str = "") -> None:
        self._workers, self._header, self._steps, self._who = workers, record.header, steps, who
        self._wanted: dict[int, asyncio.Task[Film | None]] = {}

    def soon(self, n: int) -> None:
        """Starts on the film of a ply that may be wanted soon, and gives up films of other plies that no worker has begun."""
        for other in [other for other, task in self._wanted.items() if abs(other - n) > 1 and not task.done()]:
            _ = self._wanted.pop(other).cancel()
        if 0 <= n < len(self._steps):
            _ = self._want(n)

    async def of(self, n: int) -> Film | None:
        """The film of a ply: what physics did, if a worker works it out in time, else a blend of the poses."""
        wanted = self._want(n)
        done, _ = await asyncio.wait([wanted], timeout=_PATIENCE)
        return wanted.result() if done and not wanted.cancelled() else self._blended(self._steps[n])

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
        if not tables.is_filmed(step):  # physics has nothing to say
            return self._blended(step)
        try:
            return await self._workers.run(tables.settled_film, self._header, step.entry, step.before, kind=FILM, who=self._who)
        except ShutokoError:
            return self._blended(step)

    def _blended(self, step: Step) -> Film | None:
        return tables.blended_film(self._header, step)
