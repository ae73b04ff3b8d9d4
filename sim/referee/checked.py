"""A placement that the referee has checked once; the rest of its ply uses the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sim.referee.fault import Fault
from sim.referee.placement import CarSpot, Placement
from sim.referee.table import Table
from sim.referee.verdict import Verdict

__all__ = ["Checked"]

_CANNOT_STAND = frozenset(
    (
        *(
            "game-over",
            "phase",
            "frozen",
            "adjust-end",
            "building-kind",
            "building-taken",
            "base-unknown",
        ),
        *("stock-roads", "stock-grey", "stock-yellow", "stock-cars"),
    )
)
"""Faults that make a placement impossible even if people accepted it: it names pieces that do not
exist, or is no move now.
"""


@dataclass(frozen=True, slots=True)
class Checked:
    """A placement by the seat to move with everything that is wrong with it; made by
    `sim.referee.check`.

    `asked` is the table and the placement that were asked about. `table` and `placement` are those
    that are judged: for an adjustment, the table without the build that it replaces, and that build
    made anew. `grown` is the table with the new pillar and road where they are meant to lie; None
    if no road is laid, or if its base pillar does not exist. `faults` refuse the placement;
    `remarks` are wrong only within the tolerance of a measured table.
    """

    asked: tuple[Table, Placement]
    table: Table
    placement: Placement
    grown: Table | None = None
    faults: tuple[Fault, ...] = ()
    remarks: tuple[Fault, ...] = ()

    def refused(self, *, accepted: bool = False) -> Verdict | None:
        """The verdict on a placement that may not be made, or None if it may.

        A placement that people `accepted` stands, as nobody noticed in time (KR 4.3), unless it
        could not be made at all.
        """
        faults = tuple(fault for fault in self.faults if not accepted or _cannot_stand(fault))
        return Verdict(legal=False, faults=faults, asked=self.asked) if faults else None

    def with_cars(self, spots: Sequence[CarSpot], cars: Sequence[str]) -> Table:
        """The grown table with cars on the new road, all where they are meant to be."""
        assert self.grown is not None
        return self.grown.with_cars(self.placement, spots, cars) if cars else self.grown

    def on(self, table: Table) -> Checked:
        """The same checked placement on a table whose pieces have been nudged since."""
        return replace(self, table=table, grown=table.with_pieces(self.placement))


def _cannot_stand(fault: Fault) -> bool:
    return fault.code in _CANNOT_STAND or (fault.code == "reach" and "mm" not in fault.numbers)
