"""What does a verdict cost in whole games? Measures every build in games of bots whose hands err, on each engine.

    python benchmarks/plies.py [--plies 200] [--seed 0] [--engine NAME] [--records DIR]

Greedy bots with normal and with clumsy hands play games of two, three and four players to the end, until that many plies have
laid a road (`--plies`). Each try of a hand is one verdict. The script measures its CPU seconds, with hand and referee, and how
many pieces physics left free. Each engine plays its own games. With `--records` the script judges the builds of the records in
a folder instead, with the hands and on the poses that they hold. It prints which verdicts were not at rest in time, and exits
with 1 if one of these does not name what still moved.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rules import record as records
from rules.arena.match import generators
from rules.arena.players import player
from rules.game import game
from sim.bodies import Body
from sim.game.attempts.attempt import Attempt
from sim.game.attempts.hand import SKILLS
from sim.game.highway import Highway
from sim.game.ply import judge, perform
from sim.game.replay import trusted
from sim.game.sources import Simulated
from sim.physics import engines
from sim.physics.engine import Engine, HandPath, Run, SettleParams
from sim.poses import Vector
from sim.referee.placement import Build, Entrance, Exit, Placement
from sim.trajectory import StateListener

__all__ = ["Verdict", "played", "recorded"]

LINEUPS = (("normal", "clumsy"), ("clumsy", "normal", "clumsy"), ("normal", "clumsy", "normal", "clumsy"))
AIMS = (0.4, 2.0)  # s of CPU: 95 % of the verdicts under the first, all under the second


@dataclass(slots=True)
class Observed:
    """An engine that keeps what its runs gave back."""

    inner: Engine
    name: str
    version: str
    params: str
    runs: list[tuple[int, Run]] = field(default_factory=list)

    @classmethod
    def named(cls, name: str) -> Observed:
        """The engine of that name, observed."""
        inner = engines.engine(name)
        return cls(inner, inner.name, inner.version, inner.params)

    def run(
        self,
        bodies: Sequence[Body],
        free: frozenset[str],
        settle: SettleParams,
        path: HandPath | None = None,
        watch: StateListener | None = None,
        speeds: Mapping[str, Vector] | None = None,
    ) -> Run:
        """As the engine itself."""
        run = self.inner.run(bodies, free, settle, path, watch, speeds)
        self.runs.append((len(free.union(run.poses)), run))
        return run


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the tries of a ply cost: CPU seconds each, how often the engine ran and with how many pieces free at most, the time
    simulated, whether the last runs came to rest, and whether the record names what did not.
    """

    what: str
    cpu: float
    runs: int
    free: int
    simulated: float
    quiet: bool
    named: bool


def played(engine: str, plies: int, seed: int) -> Iterator[Verdict]:
    """So many plies of whole games that this engine settles."""
    number = found = 0
    while True:
        hands = LINEUPS[number % len(LINEUPS)]
        made = game("tokyo-highway", players=len(hands), engine=engine)
        assert isinstance(made, Highway)
        players: list[Any] = [player(f"greedy:hand={hand},samples=0", made) for hand in hands]
        state, ply = made.start(), 0
        while state.outcome() is None:
            choosing, doing = generators(seed + number, ply)
            move: Placement = players[state.to_move].choose(state, choosing)
            watched = Observed.named(engine)
            begin = time.process_time()
            step = perform(state.table, move, ply, watched, SKILLS[hands[state.to_move]], doing)
            cpu = time.process_time() - begin
            if step.attempts:
                named = any(one.settled is not None and one.settled.restless for one in step.attempts)
                yield _verdict(f"game {number} ply {ply}", cpu, watched, len(step.attempts), named)
                found += 1
                if found == plies:
                    return
            state = type(state)(step.after, engine)
            ply += 1
        number += 1


def recorded(engine: str, folder: Path) -> Iterator[Verdict]:
    """The builds of records, judged by this engine."""
    for path in sorted(folder.glob("*.jsonl")):
        for step in trusted(records.read(path)):
            if isinstance(step.placement, (Build, Entrance, Exit)) and step.verdict.legal:
                watched = Observed.named(engine)
                begin = time.process_time()
                *_, tries = judge(step.before, step.placement, [Attempt(Simulated(watched), step.entry.hand or ())])
                cpu = time.process_time() - begin
                named = any(one.settled is not None and one.settled.restless for one in tries)
                yield _verdict(f"{path.stem} ply {step.entry.ply}", cpu, watched, len(tries), named)


def _verdict(what: str, cpu: float, watched: Observed, tries: int, named: bool) -> Verdict:
    runs = [run for _, run in watched.runs]
    late = [not run.quiet and not run.struck for run in runs]  # repeated after a strike, prolonged once if late
    quiet = not any(one and again for one, again in pairwise(late))
    free = max((count for count, _ in watched.runs), default=0)
    return Verdict(what, cpu / max(1, tries), len(runs), free, sum(run.seconds for run in runs), quiet, named)


def main() -> int:
    """Print the table; 1 if a verdict that was not at rest in time does not say so."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--plies", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--engine", choices=engines.available(), action="append", help="only this engine (may be repeated)")
    parser.add_argument("--records", type=Path, metavar="DIR", help="judge the builds of these records instead")
    parser.add_argument("--worst", type=int, default=5, help="how many of the dearest to show")
    given = parser.parse_args()
    silent = 0
    for name in given.engine or engines.available():
        found = list(recorded(name, given.records) if given.records else played(name, given.plies, given.seed))
        cpus = sorted(one.cpu for one in found)
        high, restless = cpus[math.floor(0.95 * len(cpus))], [one for one in found if not one.quiet]
        missed = "" if high < AIMS[0] and cpus[-1] < AIMS[1] else "  MISSED"
        print(
            f"{name}: {len(found)} plies, CPU {median(cpus):.3f} s at the median, 95 % under {high:.3f}, most {cpus[-1]:.2f}; "
            f"{len(restless)} not at rest in time{missed}"
        )
        for one in sorted(found, key=lambda each: -each.cpu)[: given.worst]:
            print(f"  {one.what}: {one.cpu:.2f} s, {one.runs} runs of {one.simulated:.2f} s, {one.free} free at most")
        for one in restless:
            print(f"  NOT AT REST {one.what}: {'what moves is named' if one.named else 'NOT NAMED'}", flush=True)
            silent += not one.named
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
