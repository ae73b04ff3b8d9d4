"""What verdicts cost in whole games, whether the tables that they leave lie still, and whether
games still verify as people note them.

    python benchmarks/plies.py [--plies 200 | --games 12] [--at-rest] [--seed 0] [--engine NAME ...]
    python benchmarks/plies.py --against CHECKOUT [--games 12] [--late 57] [--engine NAME ...]
    python benchmarks/plies.py --flips [--plies 500] [--first 12] [--seed 0] [--engine NAME ...]
    python benchmarks/plies.py rounded [--games 12] [--seed 0] [--engine NAME ...]

Greedy bots with normal and with clumsy hands play games of two, three and four players; each engine
plays its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rules.arena.match import generators, play_game
from rules.arena.players import player
from rules.errors import InputError, RecordError
from rules.game import game
from rules.record import Entry, Record, write
from sim.bodies import Body, StateListener, Vector
from sim.game.attempts.hand import SKILLS
from sim.game.attempts.posing import bodies
from sim.game.close import STARTS, close_call
from sim.game.highway import Highway
from sim.game.ply import JudgedStep, perform
from sim.game.replay import trusted
from sim.game.rest import at_rest as at_rest_
from sim.game.verify import verify
from sim.physics import engines
from sim.physics.engine import Engine, HandPath, Run, SettleParams
from sim.physics.neighbours import overlaps
from sim.physics.world import stays
from sim.referee.placement import Placement
from sim.referee.table import Table
from tools.measuring import note, run, table

LINEUPS = (
    ("normal", "clumsy"),
    ("clumsy", "normal", "clumsy"),
    ("normal", "clumsy", "normal", "clumsy"),
)
_FRESH = 1  # another series of equal starts than the one that is asked first
_COSTS = ("CPU s a try: median", "95 %", "most")
_RARE = 500  # clear verdicts, of which one may flip
_LEFT = 0.05  # mm: pieces deeper inside each other overlap; a pose may change by as much unnoticed
AIMS = (0.1, 0.4, 1.2)  # s of CPU for a try of a late ply: at the median, for 95 %, for all


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
    left: dict[frozenset[str], list[float]] = field(default_factory=dict)
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
            self.left.setdefault(frozenset((one, other)), []).append(depth)

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
                known = self.left.get(frozenset((one, other)), ())
                if any(abs(depth - was) <= _LEFT for was in known):
                    self.inherited = max(self.inherited, depth)
                else:
                    self.deepest = max(self.deepest, depth)
            ends = [body.at(run.poses.get(body.id, body.pose)) for body in bodies]
            self.leave(ends)
            # what moved less than the tolerance keeps its pose, bit for bit
            self.leave(
                [
                    was if stays(settle, was, end.pose) else end
                    for was, end in zip(bodies, ends, strict=True)
                ]
            )
        self.spent += time.process_time() - begin
        return run


def game_of(engine: str, number: int) -> tuple[Highway, tuple[str, ...], list[Any]]:
    """The game of that number, the hands of its seats, and their players."""
    hands = LINEUPS[number % len(LINEUPS)]
    made = game("tokyo-highway", players=len(hands), engine=engine)
    assert isinstance(made, Highway)
    return made, hands, [player(f"greedy:hand={hand},samples=0", made) for hand in hands]


@dataclass(frozen=True, slots=True)
class Seen:
    """A ply that lays a road: what it is called, how it was judged, the CPU seconds of all its
    tries, and the engine that judged it.
    """

    what: str
    step: JudgedStep[Table]
    spent: float
    watched: Observed

    @property
    def cpu(self) -> float:
        """CPU seconds of a try, without those of the observer."""
        return (self.spent - self.watched.spent) / max(1, len(self.step.attempts))

    def __str__(self) -> str:
        runs = self.watched.runs
        free = max((count for count, _ in runs), default=0)
        simulated = sum(run.seconds for _, run in runs)
        return (
            f"{self.what}: {self.cpu:.2f} s, {len(runs)} runs of {simulated:.2f} s, "
            f"{free} pieces free at most"
        )


def played(
    engine: str, seed: int, *, games: int = 0, first: int = 1000, looks: bool = False
) -> Iterator[Seen]:
    """The `first` plies of so many games (0: without end) that lay a road, settled by this
    engine.
    """
    for number in range(games) if games else count():
        made, hands, players = game_of(engine, number)
        state = made.start()
        for ply in range(first):
            if state.outcome() is not None:
                break
            choosing, doing = generators(seed + number, ply)
            move: Placement = players[state.to_move].choose(state, choosing)
            watched = Observed.named(engine, looks=looks, table=state.table)
            begin = time.process_time()
            step = perform(state.table, move, ply, watched, SKILLS[hands[state.to_move]], doing)
            spent = time.process_time() - begin
            if step.attempts:
                yield Seen(f"game {number} ply {ply}", step, spent, watched)
            state = type(state)(step.after, engine)


def verdicts(
    *,
    plies: int = 200,
    games: int = 0,
    seed: int = 0,
    engine: tuple[str, ...] = (),
    at_rest: bool = False,
    late: int = 0,
    worst: int = 5,
    flips: bool = False,
    first: int = 12,
    against: Path | None = None,
) -> int:
    """CPU seconds of every try of a hand, with hand and referee: of `--plies` builds, or of whole
    `--games`.

    `--late` leaves out plies with fewer pieces on the table; the `--worst` are named.

    With `--against` another checkout of the project, with its own `.venv` if it has one, judges the
    last try of the same plies side by side: of 12 games, and late from 57 pieces on, if nothing
    else is said. The shares are of its CPU.

    With `--at-rest` every table that a ply leaves is let go again, everything awake
    (`sim.at_rest`), and every run of the engine is searched for pieces that begin more than 0.05 mm
    inside each other. Exit code 1 if a table is not at rest, or if a piece that a hand lets go of
    (new, or put back) begins inside another. Apart from these it counts the plies in which pieces
    begin inside each other because a run before left them so.

    With `--flips` it plays the `--first` plies of one game after another, until `--plies` of them
    have laid a road. The tries of each ply that is no close call (`sim.close_call`) are made again
    from eight fresh equal starts, which nobody asked before. Exit code 1 if one of them would turn
    more than one in 500 of these clear verdicts into another one.
    """
    names = engine or engines.available()
    if flips:
        return _flipped(names, plies, first, seed)
    if against:
        return _beside(names, against.resolve(), games or 12, late or 57, seed)
    rest = ("at rest", "mm", "degrees", "let go of inside another", "left inside another, mm")
    row, bad = table("engine", "plies", *_COSTS, "aims", *(rest if at_rest else ())), 0
    for name in names:
        every = played(name, seed, games=games, looks=at_rest)
        late_ones = (one for one in every if len(one.step.before.piece_ids) >= late)
        found = list(islice(late_ones, None if games else plies))
        if not found:
            raise InputError(f"{name}: there is no such ply")
        costs = np.quantile([one.cpu for one in found], (0.5, 0.95, 1.0)).tolist()
        missed = any(cost >= aim for cost, aim in zip(costs, AIMS, strict=True))
        cells = [name, len(found), *costs, "MISSED" if missed else "met"]
        for one in sorted(found, key=lambda each: -each.cpu)[:worst]:
            note(f"{name} {one}")
        if at_rest:
            more, wrong = _rested(found)
            cells, bad = [*cells, *more], bad + wrong
        row(*cells)
    return int(bad > 0)


def _rested(found: Sequence[Seen]) -> tuple[list[object], int]:
    """Whether the tables are at rest after these plies, as cells, and how many are not or had a
    piece let go of inside another; notes these.
    """
    tables = [(one, at_rest_(one.step.after, one.watched.inner)) for one in found]
    broken = [(one, rest) for one, rest in tables if not rest.holds]
    deep = [one for one in found if one.watched.deepest]
    left = [one.watched.inherited for one in found if one.watched.inherited]
    for one, rest in broken:
        note(f"NOT AT REST {one.what}: {rest}")
    for one in deep:
        note(f"OVERLAP {one.what}: {one.watched.deepest:.2f} mm")
    most = [max(getattr(rest, part) for _, rest in tables) for part in ("mm", "degrees")]
    return [
        f"{len(found) - len(broken)} of {len(found)}",
        *most,
        len(deep),
        f"{len(left)}, {max(left, default=0.0):.2f} at most",
    ], len(broken) + len(deep)


_TIMED = """
import sys, time
from pathlib import Path
from rules.record import read
from sim.game.ply import Attempt
from sim.game.ply import judge
from sim.game.replay import trusted
from sim.game.sources import pose_source

folder, engine, late = sys.argv[1:]
source = pose_source(engine)
for path in sorted(Path(folder).glob("*.jsonl")):
    for step in trusted(read(path)):
        if step.verdict.built is not None and len(step.before.piece_ids) >= int(late):
            hand = Attempt(source, step.entry.hand or ())
            begin = time.process_time()
            judge(step.before, step.placement, [hand])
            print(time.process_time() - begin)
"""
"""What a checkout does to judge the last tries of recorded plies, by what it has had for long."""


def _beside(names: Sequence[str], other: Path, games: int, late: int, seed: int) -> int:
    if not (other / "sim" / "game").is_dir():
        raise InputError(f"{other} is no checkout of the project; name the folder that has sim/")
    row, here = table("engine", "checkout", "plies", *_COSTS), Path(__file__).resolve().parents[1]
    for name in names:
        with TemporaryDirectory() as folder:
            for number in range(games):
                made, hands, players = game_of(name, number)
                header = made.header(hands, seed=seed + number)
                write(play_game(made, players, header), Path(folder) / f"{number:02}.jsonl")
            came = [_costs(root, folder, name, str(late)) for root in (other, here)]
        if not came[0]:
            raise InputError(f"{name}: no ply of these games has {late} pieces on the table")
        before, now = (np.quantile(costs, (0.5, 0.95, 1.0)) for costs in came)
        for what, figures in ((other, before), (here, now), ("share", now / before)):
            row(name, what, len(came[0]), *figures.tolist())
    return 0


def _costs(root: Path, *arguments: str) -> list[float]:
    """CPU seconds of each ply, judged by a checkout with its own environment if it has one."""
    own = root / ".venv" / "bin" / "python"
    done = subprocess.run(  # noqa: S603 - the script above
        [str(own) if own.exists() else sys.executable, "-c", _TIMED, *arguments],
        cwd=root,  # so that its own modules come first
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [*map(float, done.stdout.split())]


def _flipped(names: Sequence[str], plies: int, first: int, seed: int) -> int:
    row, clear, turned = table("engine", "clear verdicts", "flips"), 0, 0
    for name in names:
        here = 0
        some = (one for one in played(name, seed, first=first) if close_call(one.step) is None)
        for one in islice(some, plies):
            if (said := close_call(one.step, STARTS, _FRESH)) is not None:
                here += 1
                note(f"FLIPS {name} {one.what}: {said}")
        row(name, plies, here)
        clear, turned = clear + plies, turned + here
    return int(turned * _RARE > clear)


# --- rounded --------------------------------------------------------------------------------------


def _whole(do: str | Mapping[str, Any]) -> str | Mapping[str, Any]:
    """A move with its positions in whole millimetres and its directions in whole degrees; cars and
    offsets stay.
    """
    if not isinstance(do, Mapping):
        return do
    found: dict[str, Any] = json.loads(json.dumps(do))
    for part in found.values():
        for key in {"pillar", "to", "at"} & set(part) if isinstance(part, dict) else ():
            part[key] = [round(n) for n in part[key]]
        for key in {"toward", "turn"} & set(part) if isinstance(part, dict) else ():
            part[key] = round(part[key])
    return found


def noted(record: Record) -> Record:
    """A game as people note it. Of a build that was undone they write down that its road fell, and
    of a car that went back to the stock that it fell.
    """
    entries = []
    for step in trusted(record):
        entry, verdict = step.entry, step.verdict
        if entry.taken_back:
            continue
        fallen, claim = set(verdict.fallen), None
        if verdict.built is False:
            fallen.add(step.before.next_id(entry.by, "R"))
        elif verdict.built:
            claim = {"cars": verdict.earned, "placed": len(verdict.cars)}
            due = step.before.next_cars(
                entry.by, min(verdict.earned, step.before.stocks[entry.by].cars)
            )
            fallen |= set(due) - set(verdict.cars)
        tries = [
            {"got": {"legal": True, "built": False, "fallen": sorted(one.fallen)}}
            for one in step.attempts[:-1]
        ]
        entries.append(
            Entry(
                ply=entry.ply,
                by=entry.by,
                do=_whole(entry.do),
                claim=claim,
                observed={"fallen": sorted(fallen)} if fallen else None,
                tries=tries or None,
                pay=entry.pay,
            )
        )
    header = replace(record.header, observed=True, physics=None, seed=None)
    return replace(record, header=header, entries=tuple(entries), end=None, notes=())


def rounded(*, games: int = 12, seed: int = 0, engine: tuple[str, ...] = ()) -> int:
    """Whether lawful games still verify when people note them in whole millimetres and degrees.

    The bots play so many games to the end. Each is then noted as people would: the cars that were
    earned and put down, and what fell, but no poses. Its tolerance is the usual 3 mm. Exit code 1
    if one is refused, or has a count of cars that differs and is not told as too close.
    """
    row, bad = table("engine", "games", "plies", "refused, or counted otherwise"), 0
    for name in engine or engines.available():
        plies = wrong = 0
        for number in range(games):
            made, hands, players = game_of(name, number)
            short = noted(play_game(made, players, made.header(hands, seed=seed + number)))
            try:
                report = verify(short, "rules")
                told = [
                    f"ply {one.ply}: {one.text}" for one in (*report.mismatches, *report.claims)
                ]
                if report.plies < len(short.entries):
                    told.append(f"only {report.plies} of {len(short.entries)} plies were judged")
            except RecordError as error:
                told = [str(error)]
            for line in told:
                note(f"{name} game {number}: {line}")
            plies, wrong = plies + len(short.entries), wrong + bool(told)
        row(name, games, plies, wrong)
        bad += wrong
    return int(bad > 0)


if __name__ == "__main__":
    run(verdicts, rounded)
