"""The verdict on a placement: refused before it is made, or judged on what came of each attempt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sim.poses import Pose
from sim.referee.crossings import Crossing
from sim.referee.judgement import owed, payments
from sim.referee.measuring import before, remarks
from sim.referee.placement import CarSpot, Placement
from sim.referee.table import Table
from sim.referee.verdict import Breach, CloseCall, FailedAttempt, Fall, PutBack, Verdict, buildings_among
from sim.trajectory import SettlingTake

__all__ = ["AttemptResult", "after", "illegal", "with_out"]


_CANNOT_STAND = frozenset(
    (
        *("game-over", "phase", "frozen", "adjust-end", "building-kind", "building-taken", "base-unknown"),
        *("stock-roads", "stock-grey", "stock-yellow", "stock-cars"),
    )
)
"""Faults of what cannot stand on a table, whoever accepts it: there are no such pieces, or it is no move now."""


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """What came of one try: whether the new pieces stand, what fell, which poses changed (None: no physics was asked).

    `spots` and `cars` are the cars that stand on the new road, and their ids; `chosen` is where cars were put, the fallen
    included, if the poses at the end alone do not tell. `breaches` are the rules that new pieces break by the way they lie,
    `put_back` the new cars that did not stay where they were put first; `close_calls` and `between` are what a measured table
    leaves open. `takes` are the settlings of the try, pillar and road first, then the cars, if physics was watched; nothing is
    judged by them.
    """

    built: bool
    falls: tuple[Fall, ...] = ()
    moved: Mapping[str, Pose] | None = None
    crossings: tuple[Crossing, ...] = ()
    earned: int = 0
    spots: tuple[CarSpot, ...] = ()
    cars: tuple[str, ...] = ()
    touched: tuple[str, ...] = ()
    restless: tuple[str, ...] = ()
    chosen: tuple[CarSpot, ...] | None = None
    breaches: tuple[Breach, ...] = ()
    put_back: tuple[PutBack, ...] = ()
    close_calls: tuple[CloseCall, ...] = ()
    between: tuple[int, int] | None = None
    takes: tuple[SettlingTake, ...] = field(default=(), compare=False)

    @property
    def fallen(self) -> frozenset[str]:
        """The ids of the pieces that fell."""
        return frozenset(fall.piece for fall in self.falls)

    def got(self) -> dict[str, Any]:
        """The `got` of a failed try as a record writes it."""
        got: dict[str, Any] = {"legal": True, "built": self.built, "fallen": sorted(self.fallen)}
        if self.moved is not None:
            got["moved"] = {piece: self.moved[piece].to_list() for piece in sorted(self.moved)}
        if self.restless:
            got["restless"] = list(self.restless)
        if not self.built and buildings_among(self.touched):
            got["x-touched"] = buildings_among(self.touched)
        return got

    def failure(self) -> FailedAttempt:
        """What a later verdict tells of this try."""
        return FailedAttempt(self.falls, self.breaches, self.touched)


def illegal(table: Table, placement: Placement, *, accepted: bool = False) -> Verdict | None:
    """The verdict on a placement that may not be made, or None if it may.

    What was `accepted` stands, as nobody noticed in time (KR 4.3), unless there is nothing that could stand.
    """
    faults = before(table, placement)
    if accepted:
        faults = tuple(
            fault for fault in faults if fault.code in _CANNOT_STAND or (fault.code == "reach" and "mm" not in fault.numbers)
        )
    return Verdict(legal=False, faults=faults) if faults else None


def after(
    table: Table,
    placement: Placement,
    attempts: Sequence[AttemptResult],
    pay: Sequence[Mapping[str, Any]] | None = None,
    *,
    accepted: bool = False,
) -> Verdict:
    """The verdict on a legal or `accepted` placement after its attempts, the last of which counts.

    Knocks of every attempt are paid (rules 8h).

    A pass or a resignation has no attempt. `pay` is how the payer wants to pay (record format 6c); raises InputError if it
    cannot be.
    """
    noted, faults = remarks(table, placement), before(table, placement) if accepted else ()
    if not attempts:
        return Verdict(legal=True, faults=faults, remarks=noted)
    last, seat = attempts[-1], table.to_move
    debts = owed(table, seat, [attempt.fallen for attempt in attempts])
    spots, cars, moved = last.spots, last.cars, last.moved
    dirty = table.ruleset.clean_win and (debts or table.knocked)
    returned = bool(last.built and dirty and spots and table.stocks[seat].cars == len(spots))
    if returned:  # clean_win: the last car does not count in a turn that knocked something over
        moved = {piece: pose for piece, pose in moved.items() if piece != cars[-1]} if moved is not None else None
        spots, cars = spots[:-1], cars[:-1]
    stocked = table.with_pieces(placement, spots, cars) if last.built else table
    return Verdict(
        legal=True,
        faults=faults,
        built=last.built,
        earned=last.earned,
        spots=spots,
        cars=cars,
        crossings=last.crossings,
        falls=last.falls,
        owed=debts,
        paid=payments(stocked, seat, debts, pay),
        moved=moved,
        touched=last.touched,
        restless=last.restless,
        chosen=last.chosen,
        returned=returned,
        breaches=last.breaches,
        put_back=last.put_back,
        failed=tuple(attempt.failure() for attempt in attempts[:-1]),
        remarks=noted,
        close_calls=last.close_calls,
        between=last.between,
    )


def with_out(verdict: Verdict, before_ply: Table, after_ply: Table) -> Verdict:
    """The verdict with the seats that the ply put out."""
    gone = {seat for group in before_ply.turns.out for seat in group}
    out = tuple(seat for group in after_ply.turns.out for seat in group if seat not in gone)
    return replace(verdict, out=out) if out else verdict
