"""Who is better, and is it sure: Elo ratings, sequential tests and balance, from records of finished games; knows no game.

Ratings are the maximum of the Bradley-Terry likelihood (Bradley and Terry 1952) on the logistic Elo scale, a draw being half a
win; a game of more than two seats counts as a result between every two of them. One virtual draw of each player against an
average one keeps the rating of somebody who always wins finite. Error bars are 95 %, the wider of two: of independent games,
and of rounds (games of one seed in which everybody sits on every seat), whose results hang together: the sandwich of Liang
and Zeger 1986, which for two players is the pentanomial variance of computer chess.

The sequential test bets on the scores of seat-swapped rounds (Waudby-Smith and Ramdas, "Estimating means of bounded random
variables by betting", 2024): who could multiply a coin twentyfold by betting that a player scores above one half has shown
at the 5 % level that it does. It may be looked at after each round, and needs no guess of how large the difference is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rules.arena import rotations
from rules.arena.estimates import Z95, Interval, wilson
from rules.errors import InputError
from rules.record import Record, read

__all__ = ["Balance", "Duel", "Rating", "Result", "balance", "duels", "evidence", "ratings", "read_results", "result"]

Floats = npt.NDArray[np.float64]

_SCALE = 400.0 / math.log(10.0)  # Elo points to a natural log of the odds
_BETS = 256  # rates at which shares of the coin are bet


@dataclass(frozen=True, slots=True)
class Result:
    """What a finished game says: who sat where, the seats by rank, why it ended, its plies, the penalties paid in it, its seed.

    `penalties` are the pieces that each seat paid, empty for a game that knows no payments.
    """

    players: tuple[str, ...]
    ranks: tuple[tuple[int, ...], ...]
    reason: str
    plies: int
    penalties: tuple[int, ...]
    seed: int | None

    def score(self, seat: int, other: int) -> float:
        """1 if a seat is ranked before another, 0.5 if together, 0 if behind."""
        place = {who: rank for rank, group in enumerate(self.ranks) for who in group}
        one, two = place.get(seat, len(place)), place.get(other, len(place))
        return 0.5 if one == two else float(one < two)


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating in Elo points around a mean of 0, with its 95 % interval, games, and mean score against others."""

    player: str
    elo: Interval
    games: int
    score: float


@dataclass(frozen=True, slots=True)
class Duel:
    """Two players against each other: games, the first one's wins, draws and losses, and the state of a sequential test.

    Only whole rounds count for the test; `rounds` says how many. `better` and `worse` are the evidence (natural log) that the
    first scores above and below one half; `within` that neither is better by `margin` Elo points, the weaker of both sides.
    Evidence of `bound` is proof at the error rate asked for.
    """

    first: str
    second: str
    wins: int
    draws: int
    losses: int
    rounds: int
    better: float
    worse: float
    within: float
    margin: float
    bound: float

    @property
    def score(self) -> float:
        """The mean score of the first."""
        return (self.wins + self.draws / 2) / (self.wins + self.draws + self.losses)

    @property
    def verdict(self) -> Literal["first", "second", "equal", "open"]:
        """Who is better for sure, `equal` if neither is by `margin` for sure, else `open`."""
        if max(self.better, self.worse) >= self.bound:
            return "first" if self.better >= self.worse else "second"
        return "equal" if self.within >= self.bound else "open"


@dataclass(frozen=True, slots=True)
class Balance:
    """How fair a game is and how it goes: first places by seat (a shared one counts in part), of all and by player; how it
    ended, its length in plies (least, lower quartile, median, upper quartile, most), and penalties a game
    (0 and None for a game that knows none).
    """

    games: int
    by_seat: tuple[Interval, ...]
    by_player: Mapping[str, tuple[tuple[float, int], ...]]
    reasons: Mapping[str, int]
    plies: tuple[float, float, float, float, float]
    penalties: float
    with_penalty: Interval | None


# --- reading -----------------------------------------------------------------------------------------------------------------


def read_results(folder: Path) -> tuple[list[Result], int]:
    """The results of the finished games in a folder, in the order of their names, and how many records have no end.

    Raises InputError if there is no folder or no record in it, RecordError for a file that is no record.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder")
    paths = sorted(folder.glob("*.jsonl"))
    if not paths:
        raise InputError(f"{folder}: there are no records (*.jsonl) in it")
    records = [read(path) for path in paths]
    found = [result(record) for record in records if record.end is not None]
    return found, len(records) - len(found)


def result(record: Record) -> Result:
    """What a finished game says. Raises InputError for one without an end."""
    if record.end is None:
        raise InputError(f"{record.path}: the game has no end")
    header, paid = record.header, [0] * len(record.header.players)
    for entry in record.entries:
        if not entry.taken_back:
            paid[entry.by] += sum(_pieces(payment) for payment in (entry.got or {}).get("paid", ()))
    plies = len({entry.ply for entry in record.entries})
    penalties = tuple(paid) if any("paid" in (entry.got or {}) for entry in record.entries) else ()
    return Result(header.players, record.end.ranks, record.end.reason, plies, penalties, header.seed)


def _pieces(payment: Mapping[str, Any]) -> int:
    return sum(int(count) for what, count in payment.items() if what != "to")


# --- ratings -----------------------------------------------------------------------------------------------------------------


def ratings(results: Sequence[Result]) -> tuple[Rating, ...]:
    """The ratings of all players, best first."""
    names = sorted({name for one in results for name in one.players})
    if not names:
        return ()
    index = {name: n for n, name in enumerate(names)}
    games = [(index[a], index[b], score, k) for k, group in enumerate(_rounds(results)) for a, b, score in _meetings(group)]
    first, second, scores, of = (np.array(column) for column in zip(*games, strict=True)) if games else (np.zeros(0, int),) * 4
    strength, covariance = _fit(len(names), first.astype(int), second.astype(int), scores.astype(float), of.astype(int))
    spread = Z95 * _SCALE * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    played = Counter(name for one in results for name in set(one.players))
    found = []
    for name, n in index.items():
        elo = _SCALE * float(strength[n])
        mine = [*scores[first == n], *(1.0 - scores[second == n])]
        score = float(np.mean(mine)) if mine else 0.5
        found.append(Rating(name, Interval(elo, elo - float(spread[n]), elo + float(spread[n])), played[name], score))
    return tuple(sorted(found, key=lambda one: (-one.elo.value, one.player)))


def _fit(n: int, first: Any, second: Any, scores: Floats, of: Any) -> tuple[Floats, Floats]:
    """The strengths (n,) as log odds around a mean of 0, and their covariance (n, n)."""
    strength = np.zeros(n)
    for _ in range(100):  # Newton's method; the virtual draws make the likelihood strictly concave
        expected = 1.0 / (1.0 + np.exp(strength[second] - strength[first]))
        slope, curve = np.zeros(n), np.zeros((n, n))
        np.add.at(slope, first, scores - expected)
        np.add.at(slope, second, expected - scores)
        weight = expected * (1.0 - expected)
        for i, j, sign in ((first, first, 1), (second, second, 1), (first, second, -1), (second, first, -1)):
            np.add.at(curve, (i, j), sign * weight)
        average = 1.0 / (1.0 + np.exp(-strength))
        slope += 0.5 - average
        curve[np.diag_indices(n)] += average * (1.0 - average)
        step = np.linalg.solve(curve, slope)
        strength = strength + np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < 1e-10:
            break
    inverse = np.linalg.inv(curve)
    by_round = np.zeros((int(of.max(initial=-1)) + 1, n))
    np.add.at(by_round, (of, first), scores - expected)
    np.add.at(by_round, (of, second), expected - scores)
    sandwich = inverse @ (by_round.T @ by_round) @ inverse
    centre = np.eye(n) - 1.0 / n
    alone, together = centre @ inverse @ centre.T, centre @ sandwich @ centre.T
    covariance = np.where(np.diag(together) > np.diag(alone), np.diag(together), np.diag(alone))
    return centre @ strength, np.diag(covariance)


def _rounds(results: Iterable[Result]) -> list[list[Result]]:
    """Games of one seed and the same players in the same order around the table; a game without a seed is by itself."""
    groups: dict[tuple[Any, ...], list[Result]] = {}
    for n, one in enumerate(results):
        around = min(rotations(one.players))
        groups.setdefault((one.seed, around) if one.seed is not None else (None, n), []).append(one)
    return list(groups.values())


def _meetings(group: Iterable[Result]) -> list[tuple[str, str, float]]:
    """The results between any two seats of different players."""
    return [
        (one.players[a], one.players[b], one.score(a, b))
        for one in group
        for a, b in combinations(range(len(one.players)), 2)
        if one.players[a] != one.players[b]
    ]


# --- sequential tests --------------------------------------------------------------------------------------------------------


def duels(results: Sequence[Result], *, alpha: float = 0.05, margin: float = 30.0) -> tuple[Duel, ...]:
    """Every two players that met, with a sequential test at the error rate `alpha` for each of its three questions.

    Raises InputError unless the rate lies between 0 and 1/2 and the margin is above 0.
    """
    if not 0 < alpha < 0.5 or not 0 < margin < math.inf:
        raise InputError(f"a test needs a rate between 0 and 0.5 and a margin above 0 Elo, not {alpha:g} and {margin:g}")
    found, rounds = [], _rounds(results)
    for first, second in combinations(sorted({name for one in results for name in one.players}), 2):
        scores: list[float] = []
        means: list[float] = []
        for group in rounds:
            some = [s if a == first else 1.0 - s for a, b, s in _meetings(group) if {a, b} == {first, second}]
            scores += some
            if some and len({one.players for one in group}) == len(rotations(group[0].players)):
                means.append(sum(some) / len(some))
        if not scores:
            continue
        turned, tally = [1.0 - mean for mean in means], Counter(scores)
        better, worse = evidence(means, 0.5), evidence(turned, 0.5)
        less = 1.0 - _expected(margin)
        within = min(evidence(turned, less), evidence(means, less))
        tested = (better, worse, within, margin, math.log(1.0 / alpha))
        found.append(Duel(first, second, tally[1.0], tally[0.5], tally[0.0], len(means), *tested))
    return tuple(found)


def evidence(scores: Sequence[float], mean: float) -> float:
    """The natural log of what one coin has become that was bet, round after round, on scores with an expectation above `mean`.

    `scores` lie from 0 to 1. Shares of the coin are bet at `_BETS` rates spread evenly over those that cannot lose all; if the
    expectation is `mean` or less, a wealth of w is ever reached with a probability of 1/w at most (Ville 1939).
    """
    if not len(scores):
        return 0.0
    rates = (np.arange(_BETS) + 0.5) / (_BETS * mean)
    gains = np.log1p(rates[:, None] * (np.asarray(scores, dtype=np.float64) - mean)[None, :]).sum(axis=1)
    return float(gains.max() + math.log(np.exp(gains - gains.max()).mean()))


def _expected(elo: float) -> float:
    return 1.0 / (1.0 + math.exp(-elo / _SCALE))


# --- balance -----------------------------------------------------------------------------------------------------------------


def balance(results: Sequence[Result]) -> Balance:
    """How fair and how long the games are. Raises InputError if there is none, or if they differ in their seats."""
    seats = {len(one.players) for one in results}
    if len(seats) != 1:
        raise InputError("balance needs finished games with the same number of seats" if seats else "no game is finished")
    every = range(seats.pop())
    firsts = np.array([[(seat in one.ranks[0]) / len(one.ranks[0]) for seat in every] for one in results])
    by_player: dict[str, list[list[float]]] = {}
    for one, won in zip(results, firsts.tolist(), strict=True):
        for seat, name in enumerate(one.players):
            by_player.setdefault(name, [[] for _ in every])[seat].append(won[seat])
    plies = np.quantile([one.plies for one in results], (0.0, 0.25, 0.5, 0.75, 1.0)).tolist()
    paid = [sum(one.penalties) for one in results]
    n = len(results)
    return Balance(
        games=n,
        by_seat=tuple(wilson(total, n) for total in firsts.sum(axis=0).tolist()),
        by_player={name: tuple((sum(won), len(won)) for won in by_player[name]) for name in sorted(by_player)},
        reasons=dict(sorted(Counter(one.reason for one in results).items())),
        plies=(plies[0], plies[1], plies[2], plies[3], plies[4]),
        penalties=sum(paid) / n,
        with_penalty=wilson(sum(total > 0 for total in paid), n) if any(one.penalties for one in results) else None,
    )
