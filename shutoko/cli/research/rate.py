"""`shutoko rate`: who is better, how sure that is, and how balanced the game is, from a folder of
records.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from shutoko.cli.common import command, emit, option
from shutoko.plain import plain_line

if TYPE_CHECKING:
    from rules.arena.rating import Balance, Duel, Interval, Rating, Result


@command(
    "rate",
    [
        option(
            "folder",
            metavar="DIR",
            type=Path,
            help="a folder of records, as `shutoko simulate` writes it",
        ),
        option(
            "--alpha",
            type=float,
            default=0.05,
            metavar="P",
            help="the error rate of a test (default: 0.05)",
        ),
        option(
            "--margin",
            type=float,
            default=30.0,
            metavar="ELO",
            help="a difference that counts as equal (default: 30)",
        ),
    ],
    help="rate the players of a folder of records, and say how sure it is",
    description="Rate the players of a folder of records: Elo with 95 % error bars, a "
    "sequential test for every pair that "
    "met (on rounds in which everybody sat on every seat), first places by seat, length of the "
    "games, and penalties.",
    epilog="You may look at a test after every game: its error rate holds whenever you stop.",
)
def run(args: argparse.Namespace) -> int:
    """Print ratings, tests and balance; raises the errors of `rules.arena.rating`."""
    from rules.arena.rating import balance, duels, ratings, read_results
    from rules.errors import InputError

    results, unfinished = read_results(args.folder)
    if not results:
        raise InputError(
            f"{args.folder}: none of its {unfinished} games is finished; run `shutoko simulate` "
            "again to go on"
        )
    if args.json:
        emit(
            {
                "folder": str(args.folder),
                "games": len(results),
                "unfinished": unfinished,
                "ratings": [asdict(one) for one in ratings(results)],
                "duels": [
                    asdict(one) | {"score": one.score, "verdict": one.verdict}
                    for one in duels(results, alpha=args.alpha, margin=args.margin)
                ],
                "balance": asdict(balance(results)),
            }
        )
        return 0
    print(
        f"{args.folder}: {len(results)} games"
        + (f", {unfinished} more unfinished" if unfinished else "")
    )
    tell(results, alpha=args.alpha, margin=args.margin)
    return 0


def tell(results: Sequence[Result], *, alpha: float = 0.05, margin: float = 30.0) -> None:
    """Print ratings, tests and balance of one result or more."""
    from rules.arena.rating import balance, duels, ratings

    results = [replace(one, players=tuple(map(plain_line, one.players))) for one in results]
    _tell_ratings(ratings(results))
    for duel in duels(results, alpha=alpha, margin=margin):
        _tell_duel(duel)
    _tell_balance(balance(results))


def _tell_ratings(found: Sequence[Rating]) -> None:
    width = max(len(one.player) for one in found)
    print(f"{'player':<{width}}  {'games':>5}  {'score':>6}  {'Elo':>5}  95 %")
    for one in found:
        elo = one.elo
        print(
            f"{one.player:<{width}}  {one.games:>5}  {one.score:>6.1%}  {elo.value:>+5.0f}  "
            f"{elo.low:+.0f} to {elo.high:+.0f}"
        )


def _tell_duel(duel: Duel) -> None:
    verdict = {
        "first": f"{duel.first} is better",
        "second": f"{duel.second} is better",
        "equal": f"equal within {duel.margin:g} Elo",
        "open": "not decided",
    }[duel.verdict]
    shown = {"first": duel.better, "second": duel.worse, "equal": duel.within}.get(
        duel.verdict, max(duel.better, duel.worse)
    )
    tally = f"+{duel.wins} ={duel.draws} -{duel.losses}, {duel.score:.1%}"
    rounds = f"{duel.rounds} whole round{'' if duel.rounds == 1 else 's'}"
    print(
        f"{duel.first} against {duel.second}: {tally}; {rounds}: {verdict} "
        f"(evidence {shown:.1f} of {duel.bound:.1f})"
    )


def _tell_balance(found: Balance) -> None:
    print(
        "first places by seat: "
        + ", ".join(f"{seat}: {_percent(share)}" for seat, share in enumerate(found.by_seat))
    )
    if len(found.by_player) > 1:
        for name, seats in found.by_player.items():
            print(
                f"  {name}: "
                + ", ".join(
                    f"{seat}: {won:g} of {games}"
                    for seat, (won, games) in enumerate(seats)
                    if games
                )
            )
    least, lower, middle, upper, most = found.plies
    print(
        f"plies: median {middle:g}, half of the games {lower:g} to {upper:g}, all {least:g} to "
        f"{most:g}"
    )
    print("ends: " + ", ".join(f"{reason} {count}" for reason, count in found.reasons.items()))
    if found.with_penalty is not None:
        print(
            f"penalties: {found.penalties:.2f} pieces a game; in {_percent(found.with_penalty)} of "
            "the games"
        )


def _percent(share: Interval) -> str:
    return f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})"
