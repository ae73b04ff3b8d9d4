"""Ratings, sequential tests and balance: textbook values, symmetry, and error rates that hold. How
often an interval of a wanted width holds the truth, added up exactly over all ways in which the
trials may go.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from rules.arena.rating import (
    LOOK,
    Result,
    balance,
    duels,
    evidence,
    fixed_width,
    is_narrow,
    ratings,
    result,
)
from rules.errors import InputError
from rules.record import End, Entry, Header, Record


def game(
    players: str, *ranks: int, seed: int | None = None, paid: tuple[int, ...] = (), plies: int = 10
) -> Result:
    """A result of one-letter players; `ranks` are seats, best first."""
    seats = len(players)
    return Result(
        tuple(players),
        tuple((seat,) for seat in ranks),
        "all-cars-placed",
        plies,
        paid or (0,) * seats,
        seed,
    )


def rounds(wins: int, losses: int) -> list[Result]:
    """Whole rounds of a against b: a wins both games of some, loses both of the others."""
    found = []
    for n in range(wins + losses):
        a = n < wins
        found += [
            game("ab", 0 if a else 1, 1 if a else 0, seed=n),
            game("ba", 1 if a else 0, 0 if a else 1, seed=n),
        ]
    return found


def test_a_score_of_three_quarters_is_191_points():
    one, two = ratings(rounds(750, 250))
    assert one.player == "a"
    assert one.elo.value - two.elo.value == pytest.approx(400 * math.log10(3), abs=1.0)
    assert (one.elo.value, one.score) == (pytest.approx(-two.elo.value), 0.75)


def test_rounds_whose_games_go_together_widen_the_error_bars():
    """With both games of a round alike there are half as many independent results."""
    together = ratings(rounds(50, 50))[0].elo
    alone = ratings([game("ab", n % 2, 1 - n % 2) for n in range(200)])[0].elo
    assert together.high - together.low == pytest.approx(
        math.sqrt(2) * (alone.high - alone.low), rel=0.02
    )
    # a score of one half over 200 games: 1.96 * 400 / ln 10 / sqrt(200 / 4) between two, half of
    # that around their mean
    assert alone.high - alone.low == pytest.approx(1.96 * 173.72 / math.sqrt(50), rel=0.02)


def test_a_player_who_always_wins_has_a_finite_rating_with_wide_bars():
    one, two = ratings(rounds(10, 0))
    assert 200 < one.elo.value < 1000
    assert one.elo.high - one.elo.low > 200
    assert two.elo.value == pytest.approx(-one.elo.value)


def test_games_of_three_count_between_every_two():
    found = [
        game(order, *(order.index(who) for who in "abc"), seed=n)
        for n in range(9)
        for order in ("abc", "bca", "cab")
    ]
    assert [one.player for one in ratings(found)] == ["a", "b", "c"]
    assert {(duel.first, duel.second): duel.verdict for duel in duels(found)} == {
        ("a", "b"): "first",
        ("a", "c"): "first",
        ("b", "c"): "first",
    }


def test_tied_seats_draw():
    tied = Result(("a", "b"), ((0, 1),), "drawn", 4, (0, 0), 1)
    (duel,) = duels([tied])
    assert (duel.wins, duel.draws, duel.losses, duel.score) == (0, 1, 0, 0.5)
    assert ratings([tied])[0].elo.value == pytest.approx(0.0)


def test_only_whole_rounds_are_tested():
    (duel,) = duels([*rounds(5, 0), game("ab", 0, 1, seed=99), game("ab", 0, 1)])
    assert (duel.rounds, duel.wins) == (5, 12)


def test_the_evidence_of_rounds_won_is_that_of_the_bets():
    """Betting a share t of what may be lost on n wins multiplies it by (1 + t)^n; all shares
    together by their mean.
    """
    assert evidence([1.0] * 10, 0.5) == pytest.approx(math.log((2**11 - 1) / 11), rel=1e-3)
    assert (evidence([], 0.5), evidence([0.5] * 50, 0.5)) == (0.0, pytest.approx(0.0))
    assert evidence([1.0, 0.0], 0.5) == evidence([0.0, 1.0], 0.5)


def test_equals_are_told_apart_no_more_often_than_the_error_rate_allows():
    """Looked at after every round, for 150 rounds: the error rate holds whenever one stops."""
    rng, wrong = np.random.default_rng(5), 0
    for _ in range(60):
        scores = rng.choice([0.0, 0.5, 1.0], 150, p=[0.3, 0.4, 0.3]).tolist()
        wrong += any(evidence(scores[:n], 0.5) >= math.log(20) for n in range(5, 151, 5))
    assert wrong <= 6  # 3 expected at most


def test_who_is_better_and_who_is_equal_is_decided():
    assert (duels(rounds(12, 0))[0].verdict, duels(rounds(0, 12))[0].verdict) == ("first", "second")
    assert duels(rounds(3, 2))[0].verdict == "open"
    # the seat decides
    even = [game(order, n, 1 - n, seed=k) for k in range(60) for order, n in (("ab", 0), ("ba", 0))]
    assert duels(even, margin=100.0)[0].verdict == "equal"


@pytest.mark.parametrize(
    ("alpha", "margin"), [(0.0, 30.0), (0.6, 30.0), (0.05, 0.0), (0.05, math.inf)]
)
def test_a_test_that_makes_no_sense_is_refused(alpha, margin):
    with pytest.raises(InputError, match="a test needs"):
        duels(rounds(1, 0), alpha=alpha, margin=margin)


def test_balance_counts_seats_lengths_ends_and_penalties():
    found = [
        game("ab", 0, 1, plies=10, paid=(2, 0)),
        game("ba", 0, 1, plies=20),
        game("ab", 1, 0, plies=40),
    ]
    fair = balance([*found, Result(("a", "b"), ((0, 1),), "drawn", 30, (0, 0), None)])
    assert [share.value for share in fair.by_seat] == [0.625, 0.375]
    assert fair.by_player == {"a": ((1.5, 3), (0.0, 1)), "b": ((1.0, 1), (1.5, 3))}
    assert fair.plies == (10, 17.5, 25, 32.5, 40)
    assert fair.reasons == {"all-cars-placed": 3, "drawn": 1}
    assert (fair.penalties, fair.with_penalty.value) == (0.5, 0.25)
    unpaid = Result(("a", "b"), ((0,), (1,)), "connected", 30, (), None)
    assert balance([unpaid]).with_penalty is None, "a game without payments knows no penalties"


def test_balance_needs_games_of_one_kind():
    for games in ([], [game("ab", 0, 1), game("abc", 0, 1, 2)]):
        with pytest.raises(InputError):
            balance(games)


def test_a_record_says_who_paid():
    entries = (
        Entry(0, 0, "x", got={"legal": False}),
        Entry(0, 0, "y", got={"legal": True, "paid": [{"to": 1, "grey": 2, "yellow": 1}]}),
        Entry(1, 1, "z", got={"legal": True}),
    )
    record = Record(Header("g", ("a", "b"), seed=4), entries, End(((1,), (0,)), "resigned"))
    assert result(record) == Result(("a", "b"), ((1,), (0,)), "resigned", 2, (3, 0), 4)
    with pytest.raises(InputError, match="not finished"):
        result(Record(Header("g", ("a", "b"))))


def coverage(width: float, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The probability that the interval holds each true share, and the mean number of trials."""
    held, trials = np.zeros(len(shares)), np.zeros(len(shares))
    from scipy.stats import binom  # loaded by this test alone: it takes a second

    alive, step = np.ones((len(shares), 1)), binom.pmf(np.arange(LOOK + 1), LOOK, shares[:, None])
    number = 0
    while (alive.sum(axis=1) > 1e-9).any():
        counts = np.zeros((len(shares), number + LOOK + 1))
        for k in range(LOOK + 1):
            counts[:, k : k + number + 1] += alive * step[:, k : k + 1]
        number += LOOK
        stops = np.array([is_narrow(n, number, width) for n in range(number + 1)])
        bounds = np.array([fixed_width(n, number, width)[1:] for n in range(number + 1)])
        holds = (bounds[:, 0] <= shares[:, None] + 1e-12) & (
            shares[:, None] - 1e-12 <= bounds[:, 1]
        )
        held += (counts * stops * holds).sum(axis=1)
        trials += number * (counts * stops).sum(axis=1)
        alive = counts * ~stops
    return held, trials


@pytest.mark.slow
@pytest.mark.parametrize("width", [0.1, 0.07, 0.05, 0.03, 0.02])
def test_an_interval_of_a_wanted_width_holds_the_truth_in_95_of_100_cases(width):
    shares = np.concatenate(
        [np.linspace(0.0005, 0.15, 60), np.linspace(0.15, 0.5, 40), [width - 1e-9, width + 1e-6]]
    )
    held, _ = coverage(width, shares)
    assert held.min() >= 0.95


def test_a_share_near_1_needs_a_quarter_of_the_trials_of_an_even_one():
    _, trials = coverage(0.05, np.array([0.01, 0.5]))
    assert 4 * trials[0] < trials[1] < 500


def test_the_interval_ends_at_0_and_1():
    assert fixed_width(0, 96, 0.05) == (0.0, 0.0, 0.05)
    assert fixed_width(96, 96, 0.05) == (1.0, 0.95, 1.0)
