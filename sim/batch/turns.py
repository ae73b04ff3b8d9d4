"""Whose turn it is, who has finished and who is out, on a table of arrays: what follows a ply in
`sim.referee.judgement`, compiled. On geometry alone nothing falls, so nothing is ever paid.
"""

from typing import Any

from rules.grid.kernels.jit import njit_inline, njit_linked
from sim.batch.arrays import (
    CARS,
    ENTERED,
    GONE,
    HOUSED,
    LEFT,
    MISSED,
    MOVER,
    NOW,
    PLIES,
    WATCH,
    R,
)  # fmt: skip
from sim.batch.judging import is_unable

ENTRANCES, BUILDINGS, PLAY, OVER = range(4)
"""The phases of a table."""


@njit_linked
def phase(t: Any) -> int:
    """`Table.phase`."""
    if is_over(t):
        return OVER
    unhoused = False
    for seat in range(len(t.seats)):
        if not t.seats[seat, GONE]:
            if not t.seats[seat, ENTERED]:
                return ENTRANCES
            unhoused = unhoused or not t.seats[seat, HOUSED]
    return BUILDINGS if unhoused and len(t.seats) > 2 else PLAY


@njit_linked
def is_over(t: Any) -> bool:
    """Whether `Table.outcome` says how the game ended."""
    active, finished = 0, 0
    for seat in range(len(t.seats)):
        active += t.seats[seat, GONE] == 0
        finished += t.seats[seat, GONE] == 1
    return bool(active <= 1 or (finished and not t.rules[R.go_on]))


@njit_linked
def winners(t: Any) -> int:
    """The seats of the first rank of a table, as bits."""
    first, still, last = 0, 0, 0
    for seat in range(len(t.seats)):
        gone, left = t.seats[seat, GONE], t.seats[seat, LEFT]
        if gone == 1 and left == 1:
            first |= 1 << seat
        elif gone == 0:
            still |= 1 << seat
        elif gone == 2:
            last = max(last, left)
    if first or still:
        return first or still
    for seat in range(len(t.seats)):
        if t.seats[seat, LEFT] == last:
            still |= 1 << seat
    return still


@njit_inline
def _order(t: Any, how: int) -> int:
    """The number of the next group of seats that finish (1) or are out (2)."""
    most = 0
    for seat in range(len(t.seats)):
        if t.seats[seat, GONE] == how:
            most = max(most, t.seats[seat, LEFT])
    return most + 1


@njit_linked
def _leave(t: Any, seat: int, how: int) -> None:
    order = _order(t, how)
    t.seats[seat, GONE], t.seats[seat, LEFT] = how, order


@njit_linked
def _following(t: Any, seat: int) -> int:
    """The next active seat clockwise; the seat itself if there is no other."""
    n = len(t.seats)
    for step in range(1, n):
        other = (seat + step) % n
        if not t.seats[other, GONE]:
            return other
    return seat


@njit_linked
def after_setup(t: Any) -> None:
    """Entrances in turn order, buildings from the last seat back to the first, then the first."""
    n, following, unhoused, first = len(t.seats), -1, -1, -1
    for seat in range(n - 1, -1, -1):
        if not t.seats[seat, GONE]:
            first = seat
            if not t.seats[seat, ENTERED]:
                following = seat
            if not t.seats[seat, HOUSED]:
                unhoused = max(unhoused, seat)
    if following < 0:
        following = unhoused if n > 2 and unhoused >= 0 else first
    t.counts[MOVER] = following
    t.counts[PLIES] += 1


@njit_linked
def after_ply(t: Any, built: bool, placed: int, no_room: bool) -> None:
    """What follows a ply in play: a build or an exit (`built`) with so many cars, else a missed
    turn, for want of room or not.
    """
    seat, seats = t.counts[MOVER], t.seats
    if built and placed and seats[seat, CARS] == 0:
        _leave(t, seat, 1)
    unable = is_unable(t, seat)
    if built:
        seats[seat, MISSED] = 0
    else:
        seats[seat, MISSED] = seats[seat, MISSED] + 1 if unable or no_room else 0
        if no_room and seats[seat, MISSED] > 1:
            _leave(t, seat, 2)
    goes_on = t.rules[R.until_car] and built and not placed and not unable and not seats[seat, GONE]
    if not goes_on:
        t.counts[NOW] += 1
        if t.rules[R.fr]:
            _eliminate_fr(t, seat)
    if is_over(t):
        return
    t.counts[PLIES] += 1
    if not goes_on:
        t.counts[MOVER] = _following(t, seat)
    if not t.rules[R.fr]:
        _eliminate_kr(t)


@njit_linked
def _eliminate_kr(t: Any) -> None:
    """KR 10.2: a seat that missed a turn and is still unable at its next turn is out."""
    while not is_over(t):
        seat = t.counts[MOVER]
        if not (t.seats[seat, MISSED] and is_unable(t, seat)):
            break
        _leave(t, seat, 2)
        if not is_over(t):
            t.counts[MOVER] = _following(t, seat)


@njit_linked
def _eliminate_fr(t: Any, seat: int) -> None:
    """FR 10.2: a seat without material is out once all others have had one more turn."""
    seats, n = t.seats, len(t.seats)
    active = 0
    for other in range(n):
        if not seats[other, GONE]:
            active |= 1 << other
        if seats[other, WATCH] > 0:
            seats[other, WATCH] &= ~(1 << seat)
    if not seats[seat, GONE] and seats[seat, WATCH] < 0 and is_unable(t, seat):
        seats[seat, WATCH] = active & ~(1 << seat)
    while True:
        left, gone = 0, 0
        for other in range(n):
            if seats[other, WATCH] > 0:
                seats[other, WATCH] &= active
            if active >> other & 1:
                left += 1
                gone += seats[other, WATCH] == 0
        if not gone or left == 1:
            return
        order = _order(t, 2)
        for other in range(n):
            if active >> other & 1 and seats[other, WATCH] == 0:
                seats[other, GONE], seats[other, LEFT] = 2, order
                active &= ~(1 << other)
