"""Does a placement stand? Three independent methods answer.

Two engines let the placed pieces come to rest, each judged by rules 8a, and statics says from
geometry alone whether the result is in balance, with what margin, and what gives way first. Engines
that are not installed are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.errors import InputError
from sim import referee
from sim.bodies import Body
from sim.game.attempts.attempt import Attempt
from sim.game.attempts.posing import bodies, jitters, lay
from sim.game.ply import judged, refusal
from sim.game.sources import pose_source
from sim.physics.contacts import contacts
from sim.physics.statics import Failure, Margin, equilibrium, loaded
from sim.referee.placement import Pass, Placement, Resign, SetBuilding
from sim.referee.table import Table
from sim.referee.verdict import Fall

__all__ = ["Stability", "stability"]


@dataclass(frozen=True, slots=True)
class Stability:
    """What three methods say of one placement.

    `stands` is each engine's verdict by name: true if the build stands and nothing on the table
    fell. `falls` are the pieces that fell, with the test that they failed. `balanced` is the
    verdict of statics on the settled poses of the engine `asked`, the first engine in which
    everything stands, since a road put down off balance may roll into balance. If something falls
    in every engine, `asked` is None, and statics judges the poses in which the hand lets go.

    `margin` holds the sideways acceleration in g and the push on the new road in mN that the build
    still bears, and what gives way first. If the build is out of balance, `failure` says what gives
    way.
    """

    stands: Mapping[str, bool]
    falls: Mapping[str, tuple[Fall, ...]]
    balanced: bool
    asked: str | None
    margin: Margin

    @property
    def shared(self) -> bool | None:
        """The verdict that all methods share, or None if they differ."""
        verdicts = {*self.stands.values(), self.balanced}
        return verdicts.pop() if len(verdicts) == 1 else None

    @property
    def failure(self) -> Failure | None:
        """What gives way first: under a growing sideways acceleration, or at once where it is not
        balanced.
        """
        return self.margin.first


def stability(
    table: Table,
    placement: Placement,
    engines: Sequence[str] | None = None,
    hand: Sequence[Mapping[str, Any]] = (),
) -> Stability:
    """Asks the engines (those installed, if none are named) and statics about a placement by the
    seat to move.

    `hand` holds the errors of the hand, as in a record. Raises IllegalMoveError with every fault,
    InputError for a placement that lays no road or for an unknown engine, UnavailableError for an
    engine that is not installed.
    """
    if isinstance(placement, (Pass, Resign, SetBuilding)):
        raise InputError(f"{placement}: nothing is put down that could fall")
    checked = referee.check(table, placement)
    if (refused := checked.refused()) is not None:
        raise refusal(table, placement, refused)
    table, grown = checked.table, checked.grown
    assert grown is not None, "a legal placement that lays a road"
    stands: dict[str, bool] = {}
    falls: dict[str, tuple[Fall, ...]] = {}
    settled: dict[str, Sequence[Body]] = {}
    for name in _installed() if engines is None else engines:
        _, after, attempts = judged(checked, [Attempt(pose_source(name), hand)])
        stands[name], falls[name] = (
            attempts[-1].built and not attempts[-1].falls,
            attempts[-1].falls,
        )
        if stands[name]:
            settled[name] = bodies(after)
    asked = next(iter(settled), None)
    laid = [piece.rest for piece in lay(table, grown, jitters(hand))]
    there = (*bodies(table), *laid) if asked is None else settled[asked]
    touching = contacts(there)
    old = {body.id for body in bodies(table)}
    new = [body.id for body in there if body.id not in old]
    answer = equilibrium(there, loaded(there, new, touching), touching)
    return Stability(stands, falls, answer.stands, asked, answer.margin(laid[-1].id))


def _installed() -> tuple[str, ...]:
    from sim.physics import engines  # looks for engines only when they are needed

    return engines.available()
