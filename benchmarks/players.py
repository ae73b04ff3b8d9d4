"""The players of Tokyo Highway: strength, speed, and whether their games hold, series by series.

    python benchmarks/players.py [SERIES ...] [--games N] [--engine bullet] [--seed 0] [--out DIR]

Series: `strength` (planner against greedy, greedy against random, on geometry alone), `search` (the planner that searches
against the one that looks a turn ahead), `hands` (planner against greedy, both clumsy, with physics), `speed` (planner against
planner with physics), `plain` (all seats and rule sets on geometry alone), `sound` (the same with physics).

Every game is played by the arena's own code, then verified by the rules alone, the first of
each line exactly; the pieces on the table and in stock are counted. A line says what was played, CPU seconds a game and a turn
decided, and what was found; a series with two players ends with their rating. Games run one after the other on one core.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from rules import arena
from rules.arena.players import player
from rules.arena.rating import Result, result
from rules.game import game
from rules.record import Record
from rules.record.verify import verify
from shutoko.cli.research.rate import tell
from sim.game.highway import Highway, Position
from sim.game.replay import trusted
from sim.referee.placement import Placement
from sim.referee.table import Table

__all__ = ["SERIES", "Line", "main"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a series: who plays, at how many seats, by which rule set, how many games, with physics or without."""

    players: str
    games: int
    seats: int = 2
    ruleset: str = "standard"
    physics: bool = False
    exact: bool = False


SERIES: dict[str, tuple[Line, ...]] = {
    "strength": (Line("planner,greedy", 100), Line("greedy,random", 100)),
    "search": (
        Line("planner,planner:version=1", 40),
        Line("planner,planner:version=1", 20, ruleset="fr"),
    ),
    "hands": (Line("planner:hand=clumsy,greedy:hand=clumsy", 20, physics=True),),
    "speed": (Line("planner,planner", 7, physics=True),),
    "plain": (
        *(Line("planner,greedy", 40, ruleset=name) for name in ("standard", "fr", "kr", "en2", "rainbow")),
        *(Line("greedy,random", 40, ruleset=name) for name in ("standard", "fr", "kr", "en2", "rainbow")),
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


def played(line: Line, games: int, engine: str, seed: int) -> Iterator[tuple[arena.Match, Record, float, list[float]]]:
    """The games of a line with their CPU seconds, in all and for each turn decided."""
    names = tuple(line.players.split(","))
    used = engine if line.physics else "none"
    tournament = arena.Tournament("tokyo-highway", names, seed)
    made = game("tokyo-highway", players=line.seats, ruleset=line.ruleset, engine=used)
    assert isinstance(made, Highway)
    for match in arena.schedule(tournament, line.seats, games):
        players = [Timed(player(name, made)) for name in match.lineup]
        begun = time.process_time()
        record = arena.play_game(made, players, made.header(match.lineup, seed=match.seed))
        yield match, record, time.process_time() - begun, [s for one in players for s in one.seconds]


def lost(record: Record) -> int:
    """How many pieces the end of a game has too few or too many, on the table and in stock together."""
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
    return sum(abs(standing[name] + stock[name] - seats * getattr(supply, name)) for name in standing)


def run(line: Line, games: int, engine: str, seed: int, folder: Path) -> list[Result]:
    """Plays a line, checks every game, prints what came of it."""
    whole: list[float] = []
    turns: list[float] = []
    results, wrong, missing, exactly = [], 0, 0, 0
    for match, record, seconds, each in played(line, games, engine, seed):
        folder.mkdir(parents=True, exist_ok=True)
        arena.keep(folder, match, record)
        whole.append(seconds)
        turns += each
        results.append(result(record))
        wrong += not verify(record, "rules").ok
        missing += lost(record)
        if line.exact and match.number < len(match.lineup):
            exactly += verify(record, "exact").ok
    exact = f", {exactly} of {min(len(whole), line.seats)} exactly" if line.exact else ""
    print(
        f"{line.players}, {line.ruleset}, {engine if line.physics else 'none'}: {len(whole)} games, "
        f"{statistics.median(one.plies for one in results):g} plies; CPU {statistics.median(whole):.1f} s a game at the median "
        f"(most {max(whole):.1f}), {statistics.median(turns):.2f} s a turn (95 % under {np.quantile(turns, 0.95):.2f}, most "
        f"{max(turns):.2f}); {wrong} not verified by the rules{exact}; {missing} pieces lost",
        flush=True,
    )
    return results


def main(argv: Sequence[str] | None = None) -> None:
    """Plays the series asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("series", nargs="*", metavar="SERIES", help=f"of {', '.join(SERIES)}; default: strength, speed")
    parser.add_argument("--games", type=int, help="games a line, instead of those it has")
    parser.add_argument("--engine", default="bullet", choices=("bullet", "mujoco"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="keep the records in this folder")
    given = parser.parse_args(argv)
    names = given.series or ["strength", "speed"]
    if unknown := [name for name in names if name not in SERIES]:
        parser.error(f"there is no series {unknown[0]!r}; available: {', '.join(SERIES)}")
    with TemporaryDirectory() as scratch:
        for name in names:
            print(f"== {name}")
            for number, line in enumerate(SERIES[name]):
                folder = (given.out or Path(scratch)) / f"{name}-{number}"
                results = run(line, given.games or line.games, given.engine, given.seed, folder)
                if name in ("strength", "hands", "search"):
                    tell(results)


if __name__ == "__main__":
    main()
