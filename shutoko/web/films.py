"""The films of a record for one page: each is made in a worker when it is wanted, the next one while this one is watched."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from rules.errors import ShutokoError
from rules.record import Record
from shutoko.export.packed import Film
from shutoko.web import plies
from shutoko.web.work import Workers

__all__ = ["Films"]

_KEPT = 8  # films


class Films:
    """`await films.of(n)` is the film of `moments[n]`, None where nothing is to be seen."""

    def __init__(self, workers: Workers, record: Record, moments: Sequence[plies.Moment]) -> None:
        self._workers, self._header, self._moments = workers, record.header, moments
        self._wanted: dict[int, asyncio.Task[Film | None]] = {}

    async def of(self, n: int) -> Film | None:
        """Waits for the film of a ply, and has the one after it made as well."""
        wanted = self._want(n)
        if n + 1 < len(self._moments):
            _ = self._want(n + 1)
        return await asyncio.shield(wanted)

    def stop(self) -> None:
        """Nobody watches any more."""
        for task in self._wanted.values():
            task.cancel()
        self._wanted.clear()

    def _want(self, n: int) -> asyncio.Task[Film | None]:
        if n not in self._wanted:
            while len(self._wanted) >= _KEPT:
                _ = self._wanted.pop(next(iter(self._wanted)))
            self._wanted[n] = asyncio.get_running_loop().create_task(self._made(self._moments[n]))
        return self._wanted[n]

    async def _made(self, moment: plies.Moment) -> Film | None:
        if moment.verdict is None or moment.verdict.built is None:
            return None
        sent = replace(moment, before=plies.bare(moment.before), after=plies.bare(moment.after))
        try:
            return await self._workers.run(plies.filmed, self._header, sent)
        except ShutokoError:
            return None  # the page shows the table after the ply
