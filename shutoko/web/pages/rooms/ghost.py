"""What every page does with the piece that is aimed at: its height, the keys that move it, the
pieces that may be chosen instead, and the pillars from which its road may leave.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from shutoko.web.pages.rooms.pieces import Kind, Pieces
from shutoko.web.views import aiming
from shutoko.web.views.aiming import Aimed
from shutoko.web.views.stage import Sign, Stage
from shutoko.web.views.table import colour_of, in_stock
from sim.referee.placement import Build, Exit
from sim.referee.table import Table

LEGAL, DOUBTFUL, ILLEGAL = "#2fae66", "#e8951c", "#d8432b"
"""The colours of what the rules allow, of what they allow if measuring was off, and of what they
do not.
"""

FAR = 1000.0
"""How far from the middle of the table (mm) somebody may aim: nobody builds farther out."""

_STEP, _SMALL = 5.0, 1.0  # mm for an arrow key, and with shift


def sign_of(table: Table, aimed: Aimed) -> Sign | None:
    """The height that stands on a ghost, and whether the rules allow one disc more or less."""
    build = aimed.placement
    if not isinstance(build, Build):
        return None
    heights = aiming.heights(table, build)
    top = build.discs * table.components.disc_height
    return Sign(
        build.discs,
        (*build.at, top),
        more=any(n > build.discs for n in heights),
        less=any(n < build.discs for n in heights),
    )


def another_height(table: Table, build: Build, step: int) -> int | None:
    """The next number of discs that the rules allow, upwards or downwards (`step` 1 or -1)."""
    fit = [n for n in aiming.heights(table, build) if (n - build.discs) * step > 0]
    return min(fit, key=lambda n: n * step) if fit else None


def arrow(event: Any) -> tuple[float, float]:
    """How far an arrow key moves what is aimed at (mm)."""
    far, name = _SMALL if event.modifiers.shift else _STEP, event.key.name
    dx = {"ArrowLeft": -far, "ArrowRight": far}.get(name, 0.0)
    dy = {"ArrowDown": -far, "ArrowUp": far}.get(name, 0.0)
    return dx, dy


def tapped_base(table: Table, detail: Any) -> str:
    """The pillar that a tap hits, if a road of the seat to move may leave from it; else empty."""
    if table.phase != "play":
        return ""
    base = str(detail.get("piece") or "").partition(".")[0]
    points = table.base_points(table.to_move)
    return base if base in {point.pillar.id for point in points} else ""


def offered(table: Table) -> tuple[Kind, ...]:
    """The pieces that the seat to move may choose."""
    points = table.base_points(table.to_move) if table.phase == "play" else ()
    found: list[Kind] = ["pillar"]
    if points and table.stocks[table.to_move].yellow:
        found.append("yellow")
    if any(table.exit_allowed(point.pillar) for point in points):
        found.append("exit")
    return tuple(found)


def show_choice(
    stage: Stage,
    pieces: Pieces,
    table: Table,
    chosen: Kind,
    aimed: Aimed | None,
    kinds: Collection[Kind],
    *,
    builds: bool,
    lit: bool = True,
) -> None:
    """Shows which of the offered pieces is chosen, the pillars that a road of it may leave from,
    and the tray of the seat to move. `builds`: a piece may be chosen now; `lit`: somebody is to
    move.
    """
    seat = table.to_move
    pieces.show(chosen, offered=kinds, yellow=table.stocks[seat].yellow)
    used = aimed.placement if aimed is not None else None
    base = used.base if isinstance(used, Build | Exit) else ""
    points = table.base_points(seat) if builds else ()
    stage.bases(aiming.tops(table, points), base, colour_of(seat))
    stage.light(seat if lit else -1, in_stock(table, chosen) if builds and lit else "")
