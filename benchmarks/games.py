"""Whole games played and checked: under any options, by the hundred, and noted in whole mm.

    python benchmarks/games.py options [ARGUMENT ...]
    python benchmarks/games.py batches [ARGUMENT ...]
    python benchmarks/games.py rounded [ARGUMENT ...]

Each part says in its own words what it measures.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import parts
from benchmarks.players import lost
from benchmarks.settling import resident
from rules import arena, defaults
from rules import record as records
from rules.arena.match import play_game
from rules.arena.players import player
from rules.errors import InputError, RecordError
from rules.game import game
from rules.record import Entry, Record, dumps, loads
from rules.record.replay import replay
from rules.record.verify import Report, verify
from sim.game.highway import Highway
from sim.game.replay import trusted
from sim.game.verify import verify as verify_table
from sim.physics import engines
from sim.referee.ruleset import OPTIONS, PRESETS

# --- options --------------------------------------------------------------------------------------

_GRID: dict[str, dict[str, tuple[Any, ...]]] = {
    "thruway": {
        "size": (3, 4, 5, 7, 9, 11),
        "trade": (True, False),
        "ko": ("undo", "same", "any", "none"),
        "repetition": (None, "draw3"),
        "reserve": (None, 8, 30),
    },
    "meridians": {"size": (3, 4, 5, 6, 7, 8), "pie": (True, False)},
}
_NUMBERS = {"entrance_reach": (1.5, 2.0, 3.0), "fall_distance": (1.0, 5.0), "redo": (0, 1, 3)}
_CHANGED = 0.25  # the chance that an option of the rule set is drawn anew
_PLIES = 400  # of a game at most


def options_main() -> int:
    """Games under rule options drawn at random: is every move legal, does every record hold, and is
    any piece lost?

        python benchmarks/games.py options --games 2000 --seed 1 [GAME ...]

    Each game draws its options, its seats and its players (`random`, sometimes `greedy`), and is
    played by the arena's own code, on geometry at Tokyo Highway. A move of a player that the rules
    refuse stops the script. Then the record is written, read and verified by the rules, and at
    Tokyo Highway the pieces on the table and in stock are counted. The same seed plays the same
    games. Exit code 1 if anything was wrong.
    """
    parser = argparse.ArgumentParser(
        description=options_main.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "names", nargs="*", metavar="GAME", help="tokyo-highway, thruway, meridians; default: all"
    )
    parser.add_argument("--games", type=int, default=2000, help="of each game")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    wrong = 0
    for name in asked.names or ("tokyo-highway", *_GRID):
        ended, plies, drawn, begun = Counter[str](), 0, set[str](), time.process_time()
        for number in range(asked.games):
            rng = np.random.default_rng([asked.seed, number])
            made = _made(name, rng)
            names = [str(rng.choice(("random", "random", "greedy"))) for _ in range(made.seats)]
            header = defaults.header(made, names, seed=number)
            drawn |= {f"{key}={value}" for key, value in header.options.items()}
            record = arena.play_game(made, [player(one, made) for one in names], header, _PLIES)
            if said := _wrong_with(record, name):
                wrong += 1
                print(f"{name}, game {number}, {dict(header.options)}: {said}", flush=True)
            plies += len(record.entries)
            ended[str(record.end.reason) if record.end else "stopped"] += 1
        ends = ", ".join(f"{why} {count}" for why, count in ended.most_common())
        print(
            f"{name}: {asked.games} games, {plies} plies, {len(drawn)} values of options besides "
            "the usual ones, "
            f"{time.process_time() - begun:.0f} s CPU; ended by {ends}; {wrong} wrong so far",
            flush=True,
        )
    return 1 if wrong else 0


def _made(name: str, rng: np.random.Generator) -> Any:
    """The game with options drawn at random."""
    if name in _GRID:
        return game(
            name,
            **{key: values[int(rng.integers(len(values)))] for key, values in _GRID[name].items()},
        )
    while True:
        ruleset, seats = str(rng.choice(tuple(PRESETS))), int(rng.integers(2, 5))
        values = {key: option.values or _NUMBERS[key] for key, option in OPTIONS.items()}
        changes = {
            key: some[int(rng.integers(len(some)))]
            for key, some in values.items()
            if rng.random() < _CHANGED
        }
        try:
            return game(name, players=seats, ruleset=ruleset, engine="none", **changes)
        except InputError:  # rainbow is not for every number of players
            continue


def _wrong_with(record: Record, name: str) -> str:
    """What does not hold of a game; nothing if all does."""
    report = verify(loads(dumps(record)), "rules")
    if not report.ok:
        return str(report.mismatches[0])
    missing = lost(record) if name == "tokyo-highway" else 0
    return f"{missing} pieces lost" if missing else ""


# --- batches --------------------------------------------------------------------------------------

BATCHES = {
    "meridians": (500, "best:level=beginner", {"size": 6}),
    "thruway": (500, "best:level=beginner", {"size": 6}),
    "tokyo-highway": (60, "random:hand=normal", {}),
}
"""For each game: how many games, the player of both seats, and the options."""
GROWTH = 1.1


def batch(name: str, games: int, spec: str) -> bool:
    """Plays so many games of that player against itself in this process. Returns whether memory and
    descriptors stayed flat.
    """
    options = BATCHES[name][2]
    made, plies, begin = game(name, **options), 0, time.process_time()
    looks: list[tuple[float, int]] = []
    for seed in range(games):
        players = [player(spec, made) for _ in range(made.seats)]
        record = play_game(
            made, players, defaults.header(made, [spec] * made.seats, seed=seed), 300
        )
        plies += sum(1 for _ in replay(loads(dumps(record))))
        if (seed + 1) * 10 // games > len(looks):
            looks.append((resident(), len(list(Path("/proc/self/fd").iterdir()))))
            print(
                f"  {seed + 1} games: {looks[-1][0]:.0f} MB, {looks[-1][1]} descriptors", flush=True
            )
    first, last = looks[min(1, len(looks) - 1)], looks[-1]
    holds = last[0] <= first[0] * GROWTH and last[1] <= first[1]
    print(
        f"{name}: {games} games, {plies} plies, {time.process_time() - begin:.0f} s of CPU; "
        f"{first[0]:.0f} MB after a fifth, {last[0]:.0f} MB at the end, {first[1]} and {last[1]} "
        "descriptors"
        f"{'' if holds else ' FAILED'}",
        flush=True,
    )
    return holds


def batches_main() -> int:
    """Many games between computer players in one process: does its memory stay flat?

        python benchmarks/games.py batches [GAME] [--games N] [--player SPEC]

    By itself it plays 500 games of each game on a board, and 60 of Tokyo Highway with physics.

    Physics takes nearly all the time of Tokyo Highway. A random player needs a third of the time of
    one that tries its choices first.

    Every game is played to its end, written, read and replayed. Memory (VmRSS, Linux) and
    descriptors are read after each tenth of the games. Exit code 1 if the memory at the end is a
    tenth above that after the first fifth, or if descriptors were left.
    """
    parser = argparse.ArgumentParser(
        description=batches_main.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "game", nargs="?", choices=tuple(BATCHES), help="default: all, one after the other"
    )
    parser.add_argument("--games", type=int, help="how many of each")
    parser.add_argument("--player", help="another player for both seats, if a game is named")
    args = parser.parse_args()
    if args.game is not None:
        games, spec, _ = BATCHES[args.game]
        return 0 if batch(args.game, args.games or games, args.player or spec) else 1
    more = [] if args.games is None else ["--games", str(args.games)]
    return max(
        subprocess.run([sys.executable, __file__, "batches", name, *more], check=False).returncode  # noqa: S603 - this script
        for name in BATCHES
    )


# --- rounded --------------------------------------------------------------------------------------

LINEUPS = (
    ("normal", "clumsy"),
    ("clumsy", "normal", "clumsy"),
    ("normal", "clumsy", "normal", "clumsy"),
)


def played(engine: str, number: int, seed: int) -> Record:
    """A whole game that this engine settles."""
    hands = LINEUPS[number % len(LINEUPS)]
    made = game("tokyo-highway", players=len(hands), engine=engine)
    assert isinstance(made, Highway)
    players = [player(f"greedy:hand={hand},samples=0", made) for hand in hands]
    return play_game(made, players, made.header(hands, seed=seed + number))


def rounded(do: str | Mapping[str, Any]) -> str | Mapping[str, Any]:
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
                do=rounded(entry.do),
                claim=claim,
                observed={"fallen": sorted(fallen)} if fallen else None,
                tries=tries or None,
                pay=entry.pay,
            )
        )
    header = replace(record.header, observed=True, physics=None, seed=None)
    return replace(record, header=header, entries=tuple(entries), end=None, notes=())


def _games(given: argparse.Namespace) -> Iterator[tuple[str, Record]]:
    if given.records:
        for path in sorted(given.records.glob("*.jsonl")):
            yield path.stem, records.read(path)
        return
    for engine in given.engine or engines.available():
        for number in range(given.games):
            name, record = f"{engine}-{number:03}", played(engine, number, given.seed)
            if given.keep:
                given.keep.mkdir(parents=True, exist_ok=True)
                records.write(record, given.keep / f"{name}.jsonl")
            yield name, record


def _findings(record: Record, report: Report) -> list[str]:
    """What is wrong with a game in whole millimetres: refusals and counts that nobody called too
    close.
    """
    told = [f"ply {one.ply}: {one.text}" for one in (*report.mismatches, *report.claims)]
    if report.plies < len(record.entries):
        told.append(f"only {report.plies} of {len(record.entries)} plies were judged")
    return told


def rounded_main() -> int:
    """Does a lawful game still verify when people note it in whole millimetres? Plays games of bots
    and rounds them.

        python benchmarks/games.py rounded [--games 12] [--seed 0] [--engine NAME] [--keep DIR |
            --records DIR]

    Greedy bots with normal and with clumsy hands play lawful games of two, three and four players
    to the end, each engine its own. Each game is then noted as people would: positions in whole
    millimetres and directions in whole degrees, the cars that were earned and put down, and what
    fell; no poses. Its tolerance is the usual 3 mm. The script verifies these notes and prints each
    game that is refused, and each count of cars that differs and is not told as too close. It exits
    with 1 if there is one.

    `--keep` saves the games that were played; `--records` rounds the games of such a folder instead
    of playing.
    """
    parser = argparse.ArgumentParser(description=parts.first_line(rounded_main))
    parser.add_argument("--games", type=int, default=12, help="of each engine")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--engine",
        choices=engines.available(),
        action="append",
        help="only this engine (may be repeated)",
    )
    parser.add_argument("--keep", type=Path, metavar="DIR", help="save the games")
    parser.add_argument(
        "--records", type=Path, metavar="DIR", help="round the games of a folder instead"
    )
    given = parser.parse_args()
    games = wrong = plies = 0
    for name, record in _games(given):
        short = noted(record)
        try:
            told = _findings(short, verify_table(short, "rules"))
        except RecordError as error:
            told = [str(error)]
        games, wrong, plies = games + 1, wrong + bool(told), plies + len(short.entries)
        for line in told:
            print(f"{name}: {line}", flush=True)
    print(
        f"{games} games, {plies} plies in whole mm: {wrong} refused or counted otherwise without a "
        "word"
    )
    return 1 if wrong else 0


PARTS: dict[str, parts.Part] = {
    "options": options_main,
    "batches": batches_main,
    "rounded": rounded_main,
}

if __name__ == "__main__":
    sys.exit(parts.run(PARTS))
