"""The players of Tokyo Highway: strength, speed, and whether their games hold, series by series.

    python benchmarks/players.py [SERIES ...] [--games N] [--until-decided] [--engine bullet]
    [--seed 0] [--out DIR] [--seats 2] [--ruleset standard]

Series: `strength` (planner against greedy, greedy against random, on geometry alone), `hands`
(planner against greedy, both clumsy, with physics), `speed` (planner against planner with physics),
`plain` (all seats and rule sets on geometry alone), `sound` (the same with physics).

The arena's own code plays every game. Then the script verifies each game by the rules alone, and
the first games of a line exactly, and counts the pieces on the table and in stock. A line says what
was played, CPU seconds per game and per turn, and what was found; a series with two players ends
with their rating. Games run one after the other on one core.

With `--out DIR` the same command goes on where it was stopped, and more `--games` are added to
those that are there. With `--until-decided` a line ends with the round that decides its sequential
test. `--seats` and `--ruleset` choose lines of a series.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from rules import arena
from rules.arena.players import player, split_specs
from rules.arena.rating import Result, duels, result
from rules.record import Record
from rules.record.verify import verify
from shutoko.cli.research.rate import tell
from sim.game.highway import Highway, Position
from sim.game.replay import trusted
from sim.referee.placement import Placement
from sim.referee.table import Table


class Spent(NamedTuple):
    """CPU seconds: of a game, and of each turn decided in it."""

    game: float
    turns: list[float]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a series: who plays, at how many seats, by which rule set, how many games, with
    physics or without.
    """

    players: str
    games: int
    seats: int = 2
    ruleset: str = "standard"
    physics: bool = False
    exact: bool = False


RATED = ("strength", "hands")
"""The series that end with a rating of each line."""
SERIES: dict[str, tuple[Line, ...]] = {
    "strength": (Line("planner,greedy", 100), Line("greedy,random", 100)),
    "hands": (Line("planner:hand=clumsy,greedy:hand=clumsy", 20, physics=True),),
    "speed": (Line("planner,planner", 7, physics=True),),
    "plain": (
        *(
            Line("planner,greedy", 40, ruleset=name)
            for name in ("standard", "fr", "kr", "en2", "rainbow")
        ),
        *(
            Line("greedy,random", 40, ruleset=name)
            for name in ("standard", "fr", "kr", "en2", "rainbow")
        ),
        Line("planner,greedy,random", 50, 3),
        Line("planner,greedy,random,greedy", 50, 4),
    ),
    "sound": (
        Line("planner,greedy", 10, physics=True, exact=True),
        Line("planner:hand=normal,greedy:hand=clumsy", 10, physics=True, exact=True),
        Line("greedy:hand=expert,random:hand=normal", 8, ruleset="fr", physics=True, exact=True),
        Line("planner,greedy", 4, ruleset="rainbow", physics=True, exact=True),
        Line("greedy,random", 4, ruleset="en2", physics=True, exact=True),
        Line("greedy:hand=clumsy,random:hand=clumsy", 4, ruleset="kr", physics=True, exact=True),
        Line("planner,greedy,greedy", 10, 3, physics=True, exact=True),
        Line("planner,greedy,greedy,random", 10, 4, physics=True, exact=True),
    ),
}


class Timed:
    """A player that notes the CPU seconds of each choice."""

    def __init__(self, inner: Any) -> None:
        self.inner, self.name, self.seconds = inner, inner.name, list[float]()

    @property
    def skill(self) -> Any:
        """The hand of the player."""
        return self.inner.skill

    def choose(self, state: Position, rng: np.random.Generator) -> Placement:
        """What the player chooses."""
        begun = time.process_time()
        move: Placement = self.inner.choose(state, rng)
        if state.table.phase == "play":
            self.seconds.append(time.process_time() - begun)
        return move


def lines(name: str, seats: int | None, ruleset: str | None) -> list[tuple[str, Line]]:
    """The lines of a series with the names of their folders: only those of so many seats and of
    that rule set if these are given.
    """
    return [
        (f"{name}-{number}", line)
        for number, line in enumerate(SERIES[name])
        if seats in (None, line.seats) and ruleset in (None, line.ruleset)
    ]


def planned(
    line: Line, games: int, engine: str, seed: int
) -> tuple[arena.Tournament, tuple[arena.Match, ...]]:
    """The tournament of a line and its games."""
    names = tuple(str(spec) for spec in split_specs(line.players))
    options = {
        "players": line.seats,
        "ruleset": line.ruleset,
        "engine": engine if line.physics else "none",
    }
    tournament = arena.Tournament("tokyo-highway", names, seed, options)
    return tournament, arena.schedule(tournament, line.seats, games)


def played(tournament: arena.Tournament, match: arena.Match) -> tuple[Record, Spent]:
    """A game with its CPU seconds."""
    made = tournament.made()
    assert isinstance(made, Highway)
    players = [Timed(player(name, made)) for name in match.lineup]
    begun = time.process_time()
    record = arena.play_game(made, players, made.header(match.lineup, seed=match.seed))
    return record, Spent(time.process_time() - begun, [s for one in players for s in one.seconds])


def decided(matches: Sequence[arena.Match], records: Sequence[Record]) -> bool:
    """Whether the games so far are whole rounds that decide every test."""
    done = len(records)
    if done < len(matches) and matches[done].round == matches[done - 1].round:
        return False
    return all(duel.verdict != "open" for duel in duels([result(record) for record in records]))


def lost(record: Record) -> int:
    """How many pieces the end of a game has too few or too many, on the table and in stock
    together.
    """
    *_, last = trusted(record)
    table: Table = last.after
    supply, seats = table.components.supplies[table.turns.seats], table.turns.seats
    yellow = sum(pillar.junction for pillar in table.pillars)
    standing = {
        "cars": len(table.cars),
        "roads": len(table.roads),
        "yellow": yellow,
        "grey": sum(pillar.discs for pillar in table.pillars) - yellow,
    }
    stock = {name: sum(getattr(one, name) for one in table.stocks) for name in standing}
    return sum(
        abs(standing[name] + stock[name] - seats * getattr(supply, name)) for name in standing
    )


def run(
    line: Line, games: int, engine: str, seed: int, folder: Path, *, until_decided: bool = False
) -> list[Result]:
    """Plays what the folder lacks of a line, checks every game, prints what came of it."""
    tournament, matches = planned(line, games, engine, seed)
    arena.open_folder(folder, tournament)
    there = arena.ended(folder, matches)
    records, spent = list[Record](), list[Spent]()
    for match in matches:
        if match not in there:
            there[match], seconds = played(tournament, match)
            arena.keep(folder, match, there[match])
            spent.append(seconds)
        records.append(there[match])
        if until_decided and decided(matches, records):
            break
    results = [result(record) for record in records]
    wrong = sum(not verify(record, "rules").ok for record in records)
    exact = ""
    if line.exact:
        some = records[: line.seats]
        exact = f", {sum(verify(record, 'exact').ok for record in some)} of {len(some)} exactly"
    print(
        f"{line.players}, {line.ruleset}, {line.seats} seats, {tournament.options['engine']}: "
        f"{len(records)} games, "
        f"{statistics.median(one.plies for one in results):g} plies; {told(spent)}{wrong} not "
        f"verified by the rules{exact}; "
        f"{sum(map(lost, records))} pieces lost{paid(records)}",
        flush=True,
    )
    return results


def told(spent: Sequence[Spent]) -> str:
    """The CPU seconds of the games that were played now, each game and each turn."""
    if not spent:
        return ""
    whole, turns = [one.game for one in spent], [second for one in spent for second in one.turns]
    return (
        f"CPU {statistics.median(whole):.1f} s a game at the median (most {max(whole):.1f}), "
        f"{statistics.median(turns):.2f} s "
        f"a turn (95 % under {np.quantile(turns, 0.95):.2f}, most {max(turns):.2f}); "
    )


def paid(records: Sequence[Record]) -> str:
    """The pieces that each player paid as penalties for each car that it placed."""
    pieces, cars = Counter[str](), Counter[str]()
    for record in records:
        for name, count in zip(record.header.players, result(record).penalties, strict=False):
            pieces[name] += count
        for entry in record.entries:
            cars[record.header.players[entry.by]] += (entry.got or {}).get("placed", 0)
    return "".join(
        f"; {name} paid {pieces[name] / max(cars[name], 1):.3f} pieces a car placed"
        for name in sorted(cars)
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Plays the series asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "series",
        nargs="*",
        metavar="SERIES",
        help=f"of {', '.join(SERIES)}; default: strength, speed",
    )
    parser.add_argument("--games", type=int, help="games a line, instead of those it has")
    parser.add_argument(
        "--until-decided",
        action="store_true",
        help="stop a line as soon as its sequential test is decided",
    )
    parser.add_argument("--engine", default="bullet", choices=("bullet", "mujoco"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--out", type=Path, help="keep the records in this folder, and go on with those in it"
    )
    parser.add_argument("--seats", type=int, help="only the lines with so many seats")
    parser.add_argument("--ruleset", help="only the lines of this rule set")
    given = parser.parse_args(argv)
    names = given.series or ["strength", "speed"]
    if unknown := [name for name in names if name not in SERIES]:
        parser.error(f"there is no series {unknown[0]!r}; available: {', '.join(SERIES)}")
    chosen = {name: lines(name, given.seats, given.ruleset) for name in names}
    if empty := [name for name, some in chosen.items() if not some]:
        there = ", ".join(
            sorted({f"{line.seats} seats and {line.ruleset}" for line in SERIES[empty[0]]})
        )
        parser.error(f"the series {empty[0]} has no such line; it has lines with {there}")
    with TemporaryDirectory() as scratch:
        for name, some in chosen.items():
            print(f"== {name}")
            for part, line in some:
                folder = (given.out or Path(scratch)) / part
                games = given.games or line.games
                results = run(
                    line, games, given.engine, given.seed, folder, until_decided=given.until_decided
                )
                if name in RATED:
                    tell(results)


if __name__ == "__main__":
    main()
