"""What a page shows beside the table itself: colours, stocks, moves in words and advised pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nicegui import ui

from rules import defaults
from rules.errors import InputError
from rules.game import Game
from rules.record.replay import Step
from rules.view import SceneView
from shutoko.export.rendering.scene import PLAYER_COLOURS
from shutoko.web.views.aiming import Change, RoadSide, aim, request_for
from sim.bodies import Body
from sim.game.highway import JudgedStep
from sim.referee.placement import Adjust, Build, Entrance, Exit, Pass, Placement, SetBuilding
from sim.referee.reasons.explain import Reason
from sim.referee.table import Table

__all__ = ["ADVISED", "advised_pieces", "bodies_of", "colour_of", "reasons", "stock_table", "told_change", "told_placement"]

ADVISED = "#0b84a5"
"""The colour of moves that a computer player advises."""


def bodies_of(made: Game[Any], state: Any) -> tuple[Body, ...]:
    """The pieces of a position where they lie. Raises InputError for a game of another kind."""
    view = defaults.view(made, state)
    if not isinstance(view, SceneView):
        raise InputError(f"{made.name} has no pieces in space")
    return view.bodies


def advised_pieces(table: Table, placements: Sequence[Placement], left_out: int | None) -> list[tuple[int, Sequence[Body]]]:
    """The pieces of each advised placement with its number, counted from 1; `left_out` is shown in another way."""
    found: list[tuple[int, Sequence[Body]]] = []
    for n, placement in enumerate(placements):
        request = request_for(placement)
        aimed = aim(table, request) if request is not None and n != left_out else None
        if aimed is not None and aimed.pieces:
            found.append((n + 1, aimed.pieces))
    return found


def reasons(step: Step) -> tuple[Reason, ...]:
    """What the referee says of a ply, a sentence each; nothing of a ply that no referee judged."""
    return step.reasons() if isinstance(step, JudgedStep) else ()


def told_placement(move: str, text: Any) -> str:
    """A placement in a few words."""
    placement = Placement.parse(move)
    match placement:
        case Build():
            key = "told_junction" if placement.junction else "told_build"
            x, y = placement.at
            return str(text(key, base=placement.base, x=f"{x:.0f}", y=f"{y:.0f}", discs=placement.discs))
        case Exit():
            x, y = placement.to
            return str(text("told_exit", base=placement.base, x=f"{x:.0f}", y=f"{y:.0f}"))
        case Entrance():
            x, y = placement.pillar
            return str(text("told_entrance", x=f"{x:.0f}", y=f"{y:.0f}"))
        case SetBuilding():
            x, y = placement.at
            return str(text("told_building", building=placement.building, x=f"{x:.0f}", y=f"{y:.0f}"))
        case Adjust():
            return str(text("adjust"))
        case Pass():
            return str(text("pass_turn" if placement.reason is None else "no_room_left"))
    return str(text("resign"))


def told_change(change: Change, text: Any) -> tuple[list[str], list[str]]:
    """Two lists of lines: the sides of roads that a placement would take or close, and those that it would open."""
    takes = [text("takes", sides=_sides(change.taken, text))] if change.taken else []
    takes += [text("closes", sides=_sides(change.own, text))] if change.own else []
    opens = [text("opens", sides=_sides(change.opened, text))] if change.opened else []
    return takes, opens


def _sides(sides: Sequence[RoadSide], text: Any) -> str:
    return ", ".join(text(f"side_{one.side}", road=one.road) for one in sides)


def colour_of(seat: int) -> str:
    """A seat's colour for CSS."""
    return "#" + "".join(f"{part:02x}" for part in PLAYER_COLOURS[seat % len(PLAYER_COLOURS)])


def stock_table(table: Table, names: Sequence[str], text: Any, before: Table | None = None) -> None:
    """A table of what everybody has left, what the last ply changed in it, and the ranks."""
    columns = ("cars", "grey", "yellow", "roads")
    ranks = {seat: place for place, group in enumerate(table.turns.finished, 1) for seat in group}
    gone = {seat for group in table.turns.out for seat in group}
    with ui.element("table").classes("stock"):
        with ui.element("tr"):
            for head in ("", *(text(f"stock_{name}") for name in columns)):
                with ui.element("th").props('scope="col"'):
                    ui.label(head)
        for seat, stock in enumerate(table.stocks):
            with ui.element("tr"):
                mark = f" ({ranks[seat]}.)" if seat in ranks else f" ({text('out')})" if seat in gone else ""
                with ui.element("td").style(f"border-left: .3rem solid {colour_of(seat)}; padding-left: .4rem"):
                    ui.label(names[seat] + mark)
                for name in columns:
                    now = getattr(stock, name)
                    change = now - getattr(before.stocks[seat], name) if before is not None else 0
                    with ui.element("td"):
                        ui.label(f"{now} ({change:+d})" if change else str(now))
