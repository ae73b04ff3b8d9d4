"""A table of Tokyo Highway as arrays: what stands in which column, for compiled code and who calls
it. `sim.batch.tables` makes them of a table and back.
"""

from typing import NamedTuple

from sim.bodies import Floats, Ints
from sim.referee.ruleset import Resolved

# columns of `of`: the seat of a road, whether it is a ramp, the rows of its pillars (-1: the
# table), and the seats above and below it as bits
OWNER, RAMP, P0, P1, ABOVE, BELOW = range(6)
# columns of `pillars`: `open` is the number of roads that leave it
SEAT, DISCS, JUNCTION, LEAVING, TURN = range(5)
# columns of `seats`: the stock; turns missed in a row; GONE 0 plays, 1 finished, 2 out; when it
# left, counted from 1; WATCH the seats that have a turn before it is out, as bits, or -1; whether
# it has set its entrance and its building, or needs none (a scenario)
CARS, GREY, YELLOW, ROADS, MISSED, GONE, LEFT, WATCH, ENTERED, HOUSED = range(10)
# columns of `built`: the kind of a building, by the sorted names, and the seat that set it (-1)
KIND, BY = range(2)
# `counts`
NR, NP, ND, NC, NX, MOVER, NOW, PLIES, KNOCK, WON = range(10)
# `rules`: first the options as `Ruleset.resolved` has them (t.rules[R.nearby]), then what follows
# from the box
R = Resolved._make(range(len(Resolved._fields)))
RISES, KINDS, MOST_UP, MOST_HIGH, BONUS = range(len(R), len(R) + 5)
# `sizes`, behind those of `sim.referee.geometry`
COMFORT, ENTRANCE, REACH = range(8, 11)


class Arrays(NamedTuple):
    """One table: `roads` (r, 9) are strips that lean, `lines` (r, 6), `of` (r, 6); `places` (p, 2)
    and `pillars` (p, 5); `discs` (d, 4) are circles, `under` (d,) the rows of their pillars; `cars`
    (c, 9) are strips that lean, `on` (c, 3) seat, road and order, `spots` (c, 2) along and side;
    `blocks` (x, 9) are buildings as strips, or as circles where the last column is 0; `sites`
    (x, 3) their places and turns, `built` (x, 2); `seats` (s, 10), `counts` (10,).
    """

    roads: Floats
    lines: Floats
    of: Ints
    places: Floats
    pillars: Ints
    discs: Floats
    under: Ints
    cars: Floats
    on: Ints
    spots: Floats
    blocks: Floats
    sites: Floats
    built: Ints
    seats: Ints
    counts: Ints
    sizes: Floats
    rules: Ints


SHARED = ("sizes", "rules")
"""The arrays that all tables of a batch have in common."""


# --- what lists prefer and how they sample, for `sim.bots.proposals` as well ----------------------

PEAK = 6  # discs: rules 10a, nobody builds higher
JUMP = 3  # discs that a junction may rise above its base: cars slide off steeper roads
CIRCLES = 12  # of entrances, from that of the usual ones to the middle of the table
INSET = 0.5  # mm kept from the ends of a road's reach: a pillar may be nudged that far by its road
STUCK = 3.0  # cars: what it costs to be left without a base point
APART = 15.0  # mm: nearer places for the same kind of road are one proposal
# cars that a disc is worth, so that of two placements that earn the same the cheaper comes first
GREY_DISC, YELLOW_DISC = 0.01, 0.03
