"""How a game went: cars or pieces over its plies as a graph, and what each player did, as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from rules import defaults
from rules.game import Game
from rules.record.replay import Step
from rules.view import BoardView
from sim.game.highway import JudgedStep
from sim.referee.placement import Resign

__all__ = ["Tally", "graph", "series", "tallies"]

_WIDTH, _HEIGHT, _EDGE = 300, 120, 16  # pixels


@dataclass(frozen=True, slots=True)
class Tally:
    """What one player did at a table: turns, cars earned, the most of one turn, pieces knocked over, pieces paid."""

    turns: int
    cars: int
    best: int
    fallen: int
    paid: int


def series(made: Game[Any], steps: Sequence[Step], seats: int) -> list[list[int]]:
    """For each seat the cars that it has placed, or its pieces on the board, before the first ply and after each."""
    states = [steps[0].before, *(step.after for step in steps)] if steps else []
    return [[_count(made, state, seat) for state in states] for seat in range(seats)]


def _count(made: Game[Any], state: Any, seat: int) -> int:
    laid = defaults.table(made, state)
    if laid is not None:
        return sum(car.owner == seat for car in laid.cars)
    seen = defaults.view(made, state)
    colour = defaults.side_of(state, seat)
    return sum(cell.holds == colour for cell in seen.cells) if isinstance(seen, BoardView) else 0


def tallies(steps: Sequence[Step], seats: int) -> list[Tally]:
    """What each seat did, by the plies that a referee judged."""
    found = []
    for seat in range(seats):
        judged = [step for step in steps if isinstance(step, JudgedStep) and step.entry.by == seat]
        own = [step.verdict for step in judged if not isinstance(step.placement, Resign)]
        earned = [verdict.earned for verdict in own]
        paid = sum(payment.total for verdict in own for payment in verdict.paid)
        found.append(Tally(len(own), sum(earned), max(earned, default=0), sum(len(verdict.fallen) for verdict in own), paid))
    return found


def graph(lines: Sequence[Sequence[int]], colours: Sequence[str], title: str) -> str:
    """The series as one drawing (SVG): plies to the right, cars or pieces upwards."""
    plies = max((len(line) for line in lines), default=1) - 1
    most = max((value for line in lines for value in line), default=0)

    def at(n: int, value: int) -> str:
        x = _EDGE + (_WIDTH - 2 * _EDGE) * n / max(plies, 1)
        return f"{x:.1f},{_HEIGHT - _EDGE - (_HEIGHT - 2 * _EDGE) * value / max(most, 1):.1f}"

    drawn = ""
    for line, colour in zip(lines, colours, strict=False):
        points = " ".join(at(n, value) for n, value in enumerate(line))
        for stroke, width in (("#8d8d8d", 4.5), (colour, 2.5)):  # with a rim, as a board's colours are those of the pages
            drawn += f'<polyline points="{points}" fill="none" stroke="{escape(stroke)}" stroke-width="{width}"/>'
    axis = f'<path d="M{at(0, most)}L{at(0, 0)}L{at(plies, 0)}" fill="none" stroke="currentColor" opacity=".45"/>'
    words = (
        f'<text x="{_EDGE - 4}" y="{_EDGE + 4}" text-anchor="end">{most}</text>'
        f'<text x="{_WIDTH - _EDGE}" y="{_HEIGHT - 2}" text-anchor="end">{plies}</text>'
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}" class="graph" font-size="10" '
        f'fill="currentColor">{axis}{drawn}{words}</svg>'
    )
