"""What the plate of a player at a table shows: the cars that are left as cars, and the rest of the
stock in small.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from sim.referee.table import Table

_CAR = (
    '<svg class="car{}" viewBox="0 0 20 11" aria-hidden="true"><path d="M1 8V5.2L4 4.6 6.2 1.6h6.3'
    'l3 3 3.5.8V8z"/><circle cx="5.4" cy="8.4" r="2"/><circle cx="14.6" cy="8.4" r="2"/></svg>'
)


@dataclass(frozen=True, slots=True)
class Plate:
    """What a seat has left: cars (of `of`), discs, roads; `place` is its rank once it is done, 0
    until then; `out` says that it has dropped out.
    """

    cars: int
    of: int
    grey: int
    yellow: int
    roads: int
    place: int = 0
    out: bool = False

    def drawn(self, text: Any) -> str:
        """The plate as HTML."""
        left = escape(text("cars_left", n=self.cars))
        if self.place:
            left += f", {escape(text('in_place', n=self.place))}"
        cars = _CAR.format("") * self.cars + _CAR.format(" gone") * (self.of - self.cars)
        rest = " · ".join(
            f"{getattr(self, name)} {escape(text(f'stock_{name}'))}"
            for name in ("grey", "yellow", "roads")
        )
        count = f"{escape(text('out'))} {self.cars}" if self.out else str(self.cars)
        if self.place:  # nothing is left then: a number before a nought would look like one number
            count = f'<span class="medal" title="{escape(text("in_place", n=self.place))}">'
            count += f"{self.place}</span>"
        return (
            f'<span class="cars" role="img" aria-label="{left}">{cars}</span>'
            f'<b class="count" aria-hidden="true">{count}</b>'
            f'<span class="rest">{rest}</span>'
        )


def plate_of(table: Table, seat: int) -> Plate:
    """The plate of a seat on a table."""
    stock = table.stocks[seat]
    placed = sum(car.owner == seat for car in table.cars)
    place = next((place for place, group in enumerate(table.turns.finished, 1) if seat in group), 0)
    gone = any(seat in group for group in table.turns.out)
    return Plate(
        stock.cars, stock.cars + placed, stock.grey, stock.yellow, stock.roads, place, gone
    )
