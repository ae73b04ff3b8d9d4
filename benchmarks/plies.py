"""What does a verdict cost in whole games? Measures every build in games of bots whose hands err,
on each engine.

    python benchmarks/plies.py [--plies 200 | --games 12] [--seed 0] [--engine NAME] [--records DIR]
    [--at-rest]
    python benchmarks/plies.py --flips [--plies 500] [--first 12] [--seed 0] [--engine NAME]

Greedy bots with normal and with clumsy hands play games of two, three and four players to the end,
until that many plies have laid a road (`--plies`). Each try of a hand is one verdict. The script
measures its CPU seconds, with hand and referee, and how many pieces physics left free. Each engine
plays its own games. With `--records` the script judges the builds of the records in a folder
instead, with the hands and on the poses that they hold.

With `--at-rest` every table that a ply leaves is let go again, everything awake (`sim.at_rest`),
and every run of the engine, those of equal starts as well, is searched for pieces that begin more
than 0.05 mm inside each other. It exits with 1 if a table is not at rest, or if a piece that a hand
lets go of (new, or put back) begins inside another. Apart from these it counts the plies in which
pieces begin inside each other because a run before left them so.

With `--flips` it plays the `--first` plies of one game after another, until `--plies` of them have
laid a road. The first try of each ply whose verdict is no close call is made again from eight fresh
equal starts, which the verdict never asked. It counts the clear verdicts that one of them would
turn into another one, and exits with 1 if it is more than one in 500.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rules import record as records
from rules.arena.match import generators
from rules.arena.players import player
from rules.game import game
from sim import referee
from sim.bodies import Body, Vector, shift_between, turn_between
from sim.game.attempts.attempt import Attempt
from sim.game.attempts.hand import SKILLS
from sim.game.attempts.posing import bodies
from sim.game.close import STARTS, compared
from sim.game.highway import Highway
from sim.game.ply import JudgedStep, judge, perform
from sim.game.replay import trusted
from sim.game.rest import AtRest, at_rest
from sim.game.sources import Simulated
from sim.physics import engines
from sim.physics.engine import Engine, HandPath, Run, SettleParams
from sim.physics.neighbours import overlaps
from sim.referee.placement import Build, Entrance, Exit, Placement
from sim.referee.table import Table
from sim.referee.verdict import Close
from sim.settling import StateListener

LINEUPS = (
    ("normal", "clumsy"),
    ("clumsy", "normal", "clumsy"),
    ("normal", "clumsy", "normal", "clumsy"),
)
_FRESH = 1  # another series of equal starts than the one that verdicts ask
_RARE = 500  # clear verdicts, of which one may flip
_LEFT = 0.05  # mm: pieces deeper inside each other overlap; a pose may change by as much unnoticed
AIMS = (0.1, 0.4, 1.2)  # s of CPU for a try of a late ply: at the median, for 95 %, for all


Pair = tuple[str, str]


@dataclass(slots=True)
class Observed:
    """An engine that keeps what its runs gave back and, if it looks, the deepest overlap (mm) with
    which one began: of pieces that a hand let go of, and of pieces that a run `left` so, which
    holds by pair how deep.
    """

    inner: Engine
    name: str
    version: str
    params: str
    looks: bool = False
    runs: list[tuple[int, Run]] = field(default_factory=list)
    deepest: float = 0.0
    inherited: float = 0.0
    left: dict[Pair, list[float]] = field(default_factory=dict)
    spent: float = 0.0

    @classmethod
    def named(cls, name: str, *, looks: bool = False, table: Table | None = None) -> Observed:
        """The engine of that name, observed from a table on."""
        inner = engines.engine(name)
        found = cls(inner, inner.name, inner.version, inner.params, looks)
        if looks and table is not None:
            found.leave(bodies(table))
        return found

    def leave(self, there: Sequence[Body]) -> None:
        """Notes which pieces lie inside each other, and how deep."""
        for one, other, depth in overlaps(there, _LEFT / 2):
            self.left.setdefault(_pair(one, other), []).append(depth)

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
        begin = time.process_time()
        self.runs.append((len(free.union(run.poses)), run))
        if self.looks:
            for one, other, depth in overlaps(bodies, _LEFT):
                known = self.left.get(_pair(one, other), ())
                if any(abs(depth - was) <= _LEFT for was in known):
                    self.inherited = max(self.inherited, depth)
                else:
                    self.deepest = max(self.deepest, depth)
            ends = [body.at(run.poses.get(body.id, body.pose)) for body in bodies]
            self.leave(ends)
            # what moved less than the tolerance keeps its pose, bit for bit
            self.leave(
                [was if _kept(was, end) else end for was, end in zip(bodies, ends, strict=True)]
            )
        self.spent += time.process_time() - begin
        return run


def _kept(was: Body, end: Body) -> bool:
    tolerances = SettleParams()
    return (
        shift_between(was.pose, end.pose) <= tolerances.still_shift
        and turn_between(was.pose, end.pose) <= tolerances.still_turn
    )


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a ply cost: CPU seconds for each of its tries, how often the engine ran and with how
    many pieces free at most, the time simulated, how many pieces were on the table; whether it is a
    close call; how the table rests that it leaves (None: not asked), and the deepest overlap at the
    begin of a run: of what a hand let go of, and of what a run had left so.
    """

    what: str
    pieces: int
    cpu: float
    runs: int
    free: int
    simulated: float
    close: bool
    rest: AtRest | None
    deepest: float
    inherited: float


def played(engine: str, plies: int, games: int, seed: int, *, looks: bool) -> Iterator[Verdict]:
    """So many plies, or games, of bots whose hands err, settled by this engine."""
    number = found = 0
    while number < games:
        hands = LINEUPS[number % len(LINEUPS)]
        made = game("tokyo-highway", players=len(hands), engine=engine)
        assert isinstance(made, Highway)
        players: list[Any] = [player(f"greedy:hand={hand},samples=0", made) for hand in hands]
        state, ply = made.start(), 0
        while state.outcome() is None:
            choosing, doing = generators(seed + number, ply)
            move: Placement = players[state.to_move].choose(state, choosing)
            watched = Observed.named(engine, looks=looks, table=state.table)
            begin = time.process_time()
            step = perform(state.table, move, ply, watched, SKILLS[hands[state.to_move]], doing)
            cpu = time.process_time() - begin
            if step.attempts:
                yield _verdict(f"game {number} ply {ply}", cpu, watched, step)
                found += 1
                if found == plies:
                    return
            state = type(state)(step.after, engine)
            ply += 1
        number += 1


def flips(engine: str, plies: int, first: int, seed: int) -> Iterator[tuple[str, Close | None]]:
    """So many clear verdicts on the first tries of plies at the begin of games, each with what
    eight fresh equal starts say of it.
    """
    number = found = 0
    ground = Simulated(engines.engine(engine))
    while True:
        hands = LINEUPS[number % len(LINEUPS)]
        made = game("tokyo-highway", players=len(hands), engine=engine)
        assert isinstance(made, Highway)
        players: list[Any] = [player(f"greedy:hand={hand},samples=0", made) for hand in hands]
        state = made.start()
        for ply in range(first):
            if state.outcome() is not None:
                break
            choosing, doing = generators(seed + number, ply)
            move: Placement = players[state.to_move].choose(state, choosing)
            skill = SKILLS[hands[state.to_move]]
            step = perform(state.table, move, ply, engine, skill, doing)
            if step.attempts and step.verdict.close is None:
                tries, checked = step.entry.tries, referee.check(state.table, move)
                one = Attempt(ground, (tries[0]["hand"] if tries else step.entry.hand) or ())
                said = compared(checked, one, ground, step.attempts[0], STARTS, _FRESH)
                yield f"game {number} ply {ply}", said
                found += 1
                if found == plies:
                    return
            state = type(state)(step.after, engine)
        number += 1


def recorded(engine: str, folder: Path, *, looks: bool) -> Iterator[Verdict]:
    """The builds of records, judged by this engine."""
    for path in sorted(folder.glob("*.jsonl")):
        for step in trusted(records.read(path)):
            if isinstance(step.placement, (Build, Entrance, Exit)) and step.verdict.legal:
                watched = Observed.named(engine, looks=looks, table=step.before)
                begin = time.process_time()
                verdict, after, tries = judge(
                    step.before,
                    step.placement,
                    [Attempt(Simulated(watched), step.entry.hand or ())],
                )
                cpu = time.process_time() - begin
                judged = replace(step, verdict=verdict, after=after, attempts=tries)
                yield _verdict(f"{path.stem} ply {step.entry.ply}", cpu, watched, judged)


def _verdict(what: str, cpu: float, watched: Observed, step: JudgedStep[Table]) -> Verdict:
    rest = at_rest(step.after, watched.inner) if watched.looks else None
    return Verdict(
        what,
        len(step.before.piece_ids),
        (cpu - watched.spent) / max(1, len(step.attempts)),
        len(watched.runs),
        max((count for count, _ in watched.runs), default=0),
        sum(run.seconds for _, run in watched.runs),
        step.verdict.close is not None,
        rest,
        watched.deepest,
        watched.inherited,
    )


def main() -> int:
    """Print the table; 1 if a table is not at rest, or a piece is let go of inside another."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    much = parser.add_mutually_exclusive_group()
    much.add_argument("--plies", type=int, default=200)
    much.add_argument("--games", type=int, help="whole games instead")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--engine",
        choices=engines.available(),
        action="append",
        help="only this engine (may be repeated)",
    )
    parser.add_argument(
        "--records", type=Path, metavar="DIR", help="judge the builds of these records instead"
    )
    parser.add_argument(
        "--at-rest", action="store_true", help="let every table go again, and look for overlaps"
    )
    parser.add_argument(
        "--late",
        type=int,
        default=0,
        metavar="PIECES",
        help="leave out plies with fewer pieces on the table",
    )
    parser.add_argument("--worst", type=int, default=5, help="how many of the dearest to show")
    parser.add_argument(
        "--flips", action="store_true", help="do equal starts turn clear verdicts into others?"
    )
    parser.add_argument(
        "--first", type=int, default=12, metavar="PLIES", help="of each game, for --flips"
    )
    given = parser.parse_args()
    if given.flips:
        return _flipped(given)
    bad = 0
    for name in given.engine or engines.available():
        plies, games = (10**9, given.games) if given.games else (given.plies, 10**9)
        every = (
            recorded(name, given.records, looks=given.at_rest)
            if given.records
            else played(name, plies, games, given.seed, looks=given.at_rest)
        )
        found = [one for one in every if one.pieces >= given.late]
        cpus = sorted(one.cpu for one in found)
        high = cpus[math.floor(0.95 * len(cpus))]
        missed = (
            "" if median(cpus) < AIMS[0] and high < AIMS[1] and cpus[-1] < AIMS[2] else "  MISSED"
        )
        print(
            f"{name}: {len(found)} plies, {sum(one.close for one in found)} close calls; CPU a try "
            f"{median(cpus):.3f} s at the "
            f"median, 95 % under {high:.3f}, most {cpus[-1]:.2f}{missed}"
        )
        for one in sorted(found, key=lambda each: -each.cpu)[: given.worst]:
            print(
                f"  {one.what}: {one.cpu:.2f} s, {one.runs} runs of {one.simulated:.2f} s, "
                f"{one.free} free at most"
            )
        if given.at_rest:
            broken = [one for one in found if one.rest is not None and not one.rest.holds]
            deep = [one for one in found if one.deepest]
            mm, degrees = (
                max(getattr(one.rest, part) for one in found) for part in ("mm", "degrees")
            )
            print(
                f"  at rest {len(found) - len(broken)} of {len(found)}; at most {mm:.3f} mm, "
                f"{degrees:.3f} degrees"
            )
            left = [one.inherited for one in found if one.inherited]
            print(
                f"  plies in which a hand lets go of a piece inside another: {len(deep)}; in which "
                f"a run begins as one before left it, with pieces inside each other: {len(left)}, "
                f"by {max(left, default=0.0):.2f} mm at most"
            )
            for one in broken:
                print(f"  NOT AT REST {one.what}: {one.rest}")
            for one in deep:
                print(f"  OVERLAP {one.what}: {one.deepest:.2f} mm")
            bad += len(broken) + len(deep)
        sys.stdout.flush()
    return 1 if bad else 0


def _flipped(given: argparse.Namespace) -> int:
    clear = turned = 0
    for name in given.engine or engines.available():
        count = 0
        for what, close in flips(name, given.plies, given.first, given.seed):
            count += 1
            if close is not None:
                turned += 1
                print(f"  FLIPS {name} {what}: {close}", flush=True)
        clear += count
        print(f"{name}: {count} clear verdicts, {turned} flips so far", flush=True)
    print(f"{clear} clear verdicts, {STARTS} fresh equal starts each: {turned} flip")
    return 1 if turned * _RARE > clear else 0


if __name__ == "__main__":
    sys.exit(main())
