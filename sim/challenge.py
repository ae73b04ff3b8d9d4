"""The dexterity challenge of a day: one table, one placement by hand, three tries, the same for
everybody.

The date alone chooses the table, a ply of a shipped game, and how the hand trembles at each try. A
try counts what stands and what it earns; the best one counts for the day.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

import numpy as np

from rules.record import read
from sim.assets import asset
from sim.bots.proposals import Sampling, propose
from sim.game import Position, replay
from sim.physics import engines
from sim.referee import Verdict

FIRST = date(2020, 1, 1)
"""The first day with a challenge."""

TRIES = 3
"""Tries of a day."""

STANDS, CAR, FALLEN = 10, 10, -2
"""Points for a build that stands, for each car that it earns, for each piece that falls."""

_RECORDS = ("four-players", "junction-exit", "knock", "three-players", "two-cars")
_FIRST = 8  # the first ply after which a table is interesting
_SEED = 0x5107
_SOME = Sampling(96, 3)


@dataclass(frozen=True, slots=True)
class Challenge:
    """The challenge of a day: a position whose seat to move places once. A placement is tried once:
    its rules allow no further try.
    """

    day: date
    position: Position

    def seed(self, n: int) -> tuple[int, ...]:
        """What all chance in try `n` (from 0) comes from."""
        return _SEED, self.day.toordinal(), n


@lru_cache(maxsize=4)
def of_day(day: date) -> Challenge:
    """The challenge of a day. It takes a second or two, as a game is played again up to its
    table.
    """
    rng = np.random.default_rng((_SEED, day.toordinal()))
    record = read(asset("records", f"{_RECORDS[int(rng.integers(len(_RECORDS)))]}.jsonl"))
    count = len(record.entries)
    last = int(rng.integers(min(_FIRST, count - 2), count - 1))
    tables = [replay.begin(record)]
    for step in replay.trusted(record):
        if step.after.outcome() is None and step.after.phase == "play":
            tables.append(step.after)
        if step.entry.ply >= last:
            break
    # late in a game there may be nothing to earn, or no place at all
    earn = (one for one in reversed(tables) if (propose(one, _SOME).cars > 0).any())
    table = next(earn, tables[-1])
    once = replace(table, ruleset=replace(table.ruleset, redo=0))
    return Challenge(day, Position(once, engines.default()))


def points(verdict: Verdict) -> int:
    """What a try is worth: nothing if the build does not stand, and never less than nothing."""
    if not verdict.built:
        return 0
    return max(0, STANDS + CAR * verdict.earned + FALLEN * len(verdict.fallen))


@dataclass(frozen=True, slots=True)
class Try:
    """What a try came to, as numbers to show."""

    points: int
    built: bool
    earned: int
    fallen: int

    @classmethod
    def of(cls, verdict: Verdict) -> Try:
        """From the verdict of the referee."""
        return cls(points(verdict), bool(verdict.built), verdict.earned, len(verdict.fallen))

    def values(self) -> Mapping[str, int]:
        """For sentences."""
        return {"points": self.points, "earned": self.earned, "fallen": self.fallen}
