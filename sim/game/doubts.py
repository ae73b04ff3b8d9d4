"""Doubts whether a build stays: cars that may slide, and pieces out of balance. They warn players
before they touch a piece.

A doubt is not a verdict: an engine may let such a piece stand.
"""

from __future__ import annotations

from sim.game.attempts.posing import bodies, lay
from sim.languages import Sentence
from sim.physics.contacts import contacts
from sim.physics.neighbours import neighbours
from sim.physics.statics import Failure, equilibrium, loaded
from sim.poses import Pose
from sim.referee.checks import earned
from sim.referee.judgement import crossings_of
from sim.referee.placement import Build, Entrance, Exit, Placement
from sim.referee.reach import Steep, steep_at, tilt
from sim.referee.reasons import Reason
from sim.referee.table import Table

__all__ = ["balance_line", "steep_cars", "tipping"]


def steep_cars(table: Table, placement: Placement) -> tuple[Steep, ...]:
    """The cars that a legal placement would put where they may slide.

    These are among the cars that the placement names or, if it leaves the places to the referee,
    among as many as its road earns. The road is judged in the lowest pose in which it rests on the
    pieces that stand.
    """
    if not isinstance(placement, (Build, Exit, Entrance)):
        return ()
    grown = table.with_pieces(placement)
    pose = lay(table, grown, {})[-1].rest.pose
    return steep_at(
        table, tilt(pose), table.next_cars(table.to_move, _count(table, grown, placement, pose))
    )


def _count(table: Table, grown: Table, placement: Build | Exit | Entrance, pose: Pose) -> int:
    if isinstance(placement, Entrance):
        return 1
    if placement.cars is not None:
        return len(placement.cars)
    cars = earned(table, placement, crossings_of(grown, grown.roads[-1], pose))
    return min(cars, table.stocks[table.to_move].cars)


def tipping(before: Table, after: Table) -> Failure | None:
    """The first thing to give way if statics finds the new pieces on a settled table, with all that
    bears them, out of balance.
    """
    new = sorted(after.piece_ids - before.piece_ids)
    if not new:
        return None
    # the pieces connected with them; the rest only costs time
    near = neighbours(bodies(after)).connected(new)
    there = [body for body in bodies(after) if body.id in near]
    touching = contacts(there)
    answer = equilibrium(there, loaded(there, new, touching), touching)
    return None if answer.stands else answer.first


def balance_line(failure: Failure) -> Reason:
    """A line that says which new pieces statics finds out of balance; `failure` is the first thing
    to give way.
    """
    facts = {"kind": "doubt", "doubt": failure.way, "piece": failure.upper, "other": failure.lower}
    return Reason(Sentence(f"reason-doubt-{failure.way}", facts), facts)
