"""What is right in a problem of Tokyo Highway, by the referee's verdict on geometry alone.

A pillar can stand anywhere, so "all" places are a fine sample: 240 bearings and 5 distances around
every base point, for every height.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.bots.proposals import Proposals, Sampling, propose
from sim.game.ply import play, refusal
from sim.problems.shelf import Goal
from sim.referee.footprints import as_seat
from sim.referee.placement import Exit, Placement
from sim.referee.table import Table


def every(table: Table) -> Proposals:
    """The legal places of the seat to move, finely sampled: what counts as all of them."""
    return propose(table, Sampling(240, 5))


def threat(table: Table, seat: int) -> Placement | None:
    """A placement with which a seat, if it were to move, would place its last car; None if there is
    none.
    """
    asked = as_seat(table, seat)
    found = every(asked)
    rows = np.flatnonzero(found.cars >= table.stocks[seat].cars)
    return found.placement(int(rows[len(rows) // 2])) if len(rows) else None


def judged(
    table: Table, goal: Goal, count: int, answer: Placement
) -> tuple[bool, str, dict[str, Any], str]:
    """Whether an answer is right, the message about it with its values, and the opponent's reply to
    a wrong one.

    Raises IllegalPlacementError for an answer that the referee refuses.
    """
    verdict, after = play(table, answer, "none")
    if not verdict.legal:
        raise refusal(table, answer, verdict)
    seat, outcome = table.to_move, after.outcome()
    if goal in ("exit", "save") and not isinstance(answer, Exit):
        return False, "wrong-no-exit", {}, ""
    if goal == "cars":
        right = verdict.earned >= count
        return (
            right,
            "right-cars" if right else "wrong-cars",
            {"n": verdict.earned, "most": count},
            "",
        )
    if goal in ("deny", "save"):
        if outcome is not None and seat not in outcome.winners:
            return False, "wrong-lost", {}, ""
        reply = None if outcome is not None else threat(after, after.to_move)
        right = reply is None
        return (
            right,
            "right-deny" if right else "wrong-deny",
            {},
            "" if reply is None else str(reply),
        )
    right = outcome is not None and outcome.winners == (seat,)
    left = table.stocks[seat].cars
    return right, "right-now" if right else "wrong-left", {"n": verdict.earned, "left": left}, ""
