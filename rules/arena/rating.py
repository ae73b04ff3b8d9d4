"""Who is better, and how sure is it? Elo ratings, sequential tests and balance from the records of
finished games of any kind.

Ratings maximise the Bradley-Terry likelihood (Bradley and Terry 1952) on the logistic Elo scale. A
draw is half a win; a game of more than two seats counts as one result for every pair of seats. One
virtual draw of each player against an average player keeps ratings finite, even of a player that
always wins. The error bars are 95 % intervals, computed in two ways; the wider one counts. The
first way takes all games as independent. The second allows for correlation within a round (games of
one seed in which everybody sits on every seat): the sandwich estimator of Liang and Zeger 1986,
which for two players is the pentanomial variance of computer chess.

The sequential test bets on the scores of seat-swapped rounds (Waudby-Smith and Ramdas, "Estimating
means of bounded random variables by betting", 2024). It bets that a player scores above one half.
If that is false, the stake grows twentyfold with a probability of 1/20 at most; so a stake that did
is proof at the 5 % level. You may look at the test after each round, and you need not guess the
size of the difference beforehand.

Estimates from counts (`Interval`) come with their uncertainty.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from rules.arena import rotations
from rules.errors import InputError
from rules.record import Record, read

# --- estimates from counts, with their uncertainty ------------------------------------------------

Z95 = 1.959963984540054
"""A normal distribution has 95 % of its weight within this many standard deviations of its mean."""


class Interval(NamedTuple):
    """An estimate and the bounds of its 95 % confidence interval."""

    value: float
    low: float
    high: float


def wilson(successes: float, trials: int) -> Interval:
    """The share successes / trials with its 95 % score interval (Wilson 1927), which also holds
    near 0 and 1; trials >= 1.
    """
    share, z2 = successes / trials, Z95**2
    middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = Z95 * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    low = 0.0 if successes == 0 else middle - half
    return Interval(share, low, 1.0 if successes == trials else middle + half)


# --- sampling until the interval is narrow enough -------------------------------------------------
# Stopping as soon as the usual interval looks narrow would bias it: the runs that stop early are
# those that looked sure by luck. So the stopping rule is fixed beforehand, after Frey (The American
# Statistician 64, 2010). It is applied at multiples of LOOK trials, and the interval is the share
# +- the wanted width. Its exact coverage is the sum of the probabilities of all ways to stop with
# the true share inside: 95 % or more at every true share, for widths from 0.1 down to 0.02.
# tests/rules/arena/test_rating.py adds them up.

LOOK = 16
"""Trials between two looks."""

_Z = 2.1
# imaginary trials of each outcome, added to estimate the spread: a short run of equal outcomes
# proves little
_PRIOR = 4.0


def is_narrow(successes: int, trials: int, width: float) -> bool:
    """Whether these trials are enough for an interval of +- `width`. Call it at multiples of LOOK
    trials only.
    """
    share = (successes + _PRIOR) / (trials + 2 * _PRIOR)
    return _Z * math.sqrt(share * (1 - share) / trials) <= width


def fixed_width(successes: int, trials: int, width: float) -> Interval:
    """The share with its 95 % interval of +- `width`, at the first look at which it `is_narrow`."""
    share = successes / trials
    return Interval(share, max(share - width, 0.0), min(share + width, 1.0))


# --- ratings --------------------------------------------------------------------------------------

Floats = npt.NDArray[np.float64]

_SCALE = 400.0 / math.log(10.0)  # Elo points for each unit of the natural log of the odds
_BETS = 256  # betting rates; an equal share of the stake is bet at each


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a finished game: players by seat, seats by rank, why it ended, its plies,
    penalties by seat, and its seed.

    `penalties` are the pieces that each seat paid, empty for a game that knows no payments.
    """

    players: tuple[str, ...]
    ranks: tuple[tuple[int, ...], ...]
    reason: str
    plies: int
    penalties: tuple[int, ...]
    seed: int | None

    def score(self, seat: int, other: int) -> float:
        """1 if `seat` is ranked before `other`, 0.5 if they share a rank, 0 if it is behind."""
        place = {who: rank for rank, group in enumerate(self.ranks) for who in group}
        one, two = place.get(seat, len(place)), place.get(other, len(place))
        return 0.5 if one == two else float(one < two)


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating in Elo points (the mean of all players is 0) with its 95 % interval, games,
    and mean score.
    """

    player: str
    elo: Interval
    games: int
    score: float


@dataclass(frozen=True, slots=True)
class Duel:
    """Two players against each other: wins, draws and losses of the first, and the state of a
    sequential test.

    Only whole rounds count for the test; `rounds` is their number. Evidence is the natural log of
    how much the stake has grown: `better` that the first player scores above one half, `worse` that
    it scores below, `within` that neither is better by `margin` Elo points (the smaller of its two
    sides). Evidence of `bound` or more is proof at the chosen error rate.
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
        """Who is proved better; `equal` if it is proved that neither is better by `margin`; `open`
        if nothing is proved yet.
        """
        if max(self.better, self.worse) >= self.bound:
            return "first" if self.better >= self.worse else "second"
        return "equal" if self.within >= self.bound else "open"


@dataclass(frozen=True, slots=True)
class Balance:
    """How fair a game is, how long and how it ends.

    `by_seat` and `by_player` are shares of first places; a shared first place counts in part.
    `plies` is the length of games: least, lower quartile, median, upper quartile, most. `penalties`
    are pieces per game, `with_penalty` the share of games with one (0 and None for a game without
    penalties).
    """

    games: int
    by_seat: tuple[Interval, ...]
    by_player: Mapping[str, tuple[tuple[float, int], ...]]
    reasons: Mapping[str, int]
    plies: tuple[float, float, float, float, float]
    penalties: float
    with_penalty: Interval | None


# --- reading --------------------------------------------------------------------------------------


def read_results(folder: Path) -> tuple[list[Result], int]:
    """The results of the finished games in a folder, sorted by file name, and the number of
    unfinished games.

    Raises InputError if there is no such folder or it has no records, RecordError for a file that
    is not a record.
    """
    if not folder.is_dir():
        wrong = "this is no folder" if folder.exists() else "this folder does not exist"
        raise InputError(f"{folder}: {wrong}; name one that `shutoko simulate` has filled")
    paths = sorted(folder.glob("*.jsonl"))
    if not paths:
        raise InputError(
            f"{folder}: has no records (*.jsonl); name a folder that `shutoko simulate` has filled"
        )
    records = [read(path) for path in paths]
    found = [result(record) for record in records if record.end is not None]
    return found, len(records) - len(found)


def result(record: Record) -> Result:
    """The result of a finished game. Raises InputError if the record has no end."""
    if record.end is None:
        raise InputError(f"{record.path}: the game is not finished, so it has no result")
    header, paid = record.header, [0] * len(record.header.players)
    for entry in record.entries:
        if not entry.taken_back:
            for payment in (entry.got or {}).get("paid", ()):
                paid[entry.by] += sum(int(n) for what, n in payment.items() if what != "to")
    plies = len({entry.ply for entry in record.entries})
    penalties = tuple(paid) if any("paid" in (entry.got or {}) for entry in record.entries) else ()
    return Result(
        header.players, record.end.ranks, record.end.reason, plies, penalties, header.seed
    )


# --- ratings --------------------------------------------------------------------------------------


def ratings(results: Sequence[Result]) -> tuple[Rating, ...]:
    """The ratings of all players, best first."""
    names = sorted({name for one in results for name in one.players})
    if not names:
        return ()
    index = {name: n for n, name in enumerate(names)}
    games = [
        (index[a], index[b], score, k)
        for k, group in enumerate(_rounds(results))
        for a, b, score in _meetings(group)
    ]
    first, second, scores, of = (
        (np.array(column) for column in zip(*games, strict=True))
        if games
        else (np.zeros(0, int),) * 4
    )
    strength, covariance = _fit(
        len(names), first.astype(int), second.astype(int), scores.astype(float), of.astype(int)
    )
    spread = Z95 * _SCALE * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    played = Counter(name for one in results for name in set(one.players))
    found = []
    for name, n in index.items():
        elo = _SCALE * float(strength[n])
        mine = [*scores[first == n], *(1.0 - scores[second == n])]
        score = float(np.mean(mine)) if mine else 0.5
        found.append(
            Rating(
                name,
                Interval(elo, elo - float(spread[n]), elo + float(spread[n])),
                played[name],
                score,
            )
        )
    return tuple(sorted(found, key=lambda one: (-one.elo.value, one.player)))


def _fit(n: int, first: Any, second: Any, scores: Floats, of: Any) -> tuple[Floats, Floats]:
    """The strengths (n,) as log odds with mean 0, and their covariance (n, n)."""
    strength = np.zeros(n)
    for _ in range(100):  # Newton's method; the virtual draws make the likelihood strictly concave
        expected = 1.0 / (1.0 + np.exp(strength[second] - strength[first]))
        slope, curve = np.zeros(n), np.zeros((n, n))
        np.add.at(slope, first, scores - expected)
        np.add.at(slope, second, expected - scores)
        weight = expected * (1.0 - expected)
        for i, j, sign in (
            (first, first, 1),
            (second, second, 1),
            (first, second, -1),
            (second, first, -1),
        ):
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
    """Games grouped by seed and by the order of the players around the table; a game without a seed
    is a group of its own.
    """
    groups: dict[tuple[Any, ...], list[Result]] = {}
    for n, one in enumerate(results):
        around = min(rotations(one.players))
        groups.setdefault((one.seed, around) if one.seed is not None else (None, n), []).append(one)
    return list(groups.values())


def _meetings(group: Iterable[Result]) -> list[tuple[str, str, float]]:
    """The results of every pair of seats of different players: the two names, and the score of the
    first.
    """
    return [
        (one.players[a], one.players[b], one.score(a, b))
        for one in group
        for a, b in combinations(range(len(one.players)), 2)
        if one.players[a] != one.players[b]
    ]


# --- sequential tests -----------------------------------------------------------------------------


def duels(
    results: Sequence[Result], *, alpha: float = 0.05, margin: float = 30.0
) -> tuple[Duel, ...]:
    """Every pair of players that met, each of the three questions of its test at the error rate
    `alpha`.

    Raises InputError unless 0 < alpha < 1/2 and the margin (Elo points) is above 0.
    """
    if not 0 < alpha < 0.5 or not 0 < margin < math.inf:
        raise InputError(
            f"a test needs an error rate between 0 and 0.5 and a margin above 0 Elo, not {alpha:g} "
            f"and {margin:g}"
        )
    found, rounds = [], _rounds(results)
    for first, second in combinations(sorted({name for one in results for name in one.players}), 2):
        scores: list[float] = []
        means: list[float] = []
        for group in rounds:
            some = [
                s if a == first else 1.0 - s
                for a, b, s in _meetings(group)
                if {a, b} == {first, second}
            ]
            scores += some
            if some and len({one.players for one in group}) == len(rotations(group[0].players)):
                means.append(sum(some) / len(some))
        if not scores:
            continue
        turned, tally = [1.0 - mean for mean in means], Counter(scores)
        better, worse = evidence(means, 0.5), evidence(turned, 0.5)
        less = 1.0 - 1.0 / (1.0 + math.exp(-margin / _SCALE))
        within = min(evidence(turned, less), evidence(means, less))
        tested = (better, worse, within, margin, math.log(1.0 / alpha))
        found.append(Duel(first, second, tally[1.0], tally[0.5], tally[0.0], len(means), *tested))
    return tuple(found)


def evidence(scores: Sequence[float], mean: float) -> float:
    """The evidence that the expected score is above `mean`: the natural log of a stake of 1 after
    betting on it round by round.

    `scores` lie from 0 to 1. Equal shares of the stake are bet at `_BETS` rates, spread evenly over
    the rates that cannot lose everything. If the expectation is `mean` or less, the stake ever
    reaches w with a probability of 1/w at most (Ville 1939).
    """
    if not len(scores):
        return 0.0
    rates = (np.arange(_BETS) + 0.5) / (_BETS * mean)
    gains = np.log1p(rates[:, None] * (np.asarray(scores, dtype=np.float64) - mean)[None, :]).sum(
        axis=1
    )
    return float(gains.max() + math.log(np.exp(gains - gains.max()).mean()))


# --- balance --------------------------------------------------------------------------------------


def balance(results: Sequence[Result]) -> Balance:
    """How fair and how long the games are. Raises InputError if there are none, or if their numbers
    of seats differ.
    """
    seats = {len(one.players) for one in results}
    if len(seats) != 1:
        raise InputError(
            "balance needs finished games with the same number of seats"
            if seats
            else "no game is finished"
        )
    every = range(seats.pop())
    firsts = np.array(
        [[(seat in one.ranks[0]) / len(one.ranks[0]) for seat in every] for one in results]
    )
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
        by_player={
            name: tuple((sum(won), len(won)) for won in by_player[name])
            for name in sorted(by_player)
        },
        reasons=dict(sorted(Counter(one.reason for one in results).items())),
        plies=(plies[0], plies[1], plies[2], plies[3], plies[4]),
        penalties=sum(paid) / n,
        with_penalty=wilson(sum(total > 0 for total in paid), n)
        if any(one.penalties for one in results)
        else None,
    )
