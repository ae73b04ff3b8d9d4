"""The drawings of the rules: `python docs/drawings.py` renders them anew into docs/pictures.

Each panel is a table and one build on it. The referee judges the build, and the script fails if it
earns other cars than the panel says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

import sim
from shutoko.export.picture import picture
from shutoko.export.rendering.camera import Camera
from sim.game.attempts.posing import bodies

PICTURES = Path(__file__).parent / "pictures"
SIZE = (460, 320)
PAPER, INK, GAIN, NOTHING = "#ffffff", "#202020", "#1b7a3d", "#8a8a8a"


@dataclass(frozen=True, slots=True)
class Panel:
    """What stands, what is built, how many cars that earns, and what the panel says."""

    words: str
    cars: int
    pillars: Sequence[tuple[str, float, float, int]]
    roads: Sequence[tuple[str, str]]
    build: sim.Build | sim.Exit
    junctions: Sequence[str] = ()
    azimuth: float = -58.0


def _build(base: str, x: float, y: float, discs: int, junction: bool = False) -> sim.Build:
    return sim.Build(base=base, at=(x, y), discs=discs, junction=junction)


LOW = (("A-P1", -52.0, 0.0, 1), ("A-P2", 52.0, 0.0, 1))
HIGH = (("A-P1", -52.0, 0.0, 4), ("A-P2", 52.0, 0.0, 4))
ACROSS = (("A-P1", "A-P2"),)

CROSSINGS = (
    Panel(
        "over: one car", 1, (*LOW, ("B-P1", 0.0, -52.0, 2)), ACROSS, _build("B-P1", 0.0, 52.0, 3)
    ),
    Panel(
        "under: one car", 1, (*HIGH, ("B-P1", 0.0, -52.0, 2)), ACROSS, _build("B-P1", 0.0, 52.0, 1)
    ),
    Panel(
        "over two roads: two cars",
        2,
        (*LOW, ("A-P3", -52.0, 30.0, 1), ("A-P4", 52.0, 30.0, 1), ("B-P1", 0.0, -40.0, 2)),
        (*ACROSS, ("A-P3", "A-P4")),
        _build("B-P1", 0.0, 64.0, 3),
    ),
    Panel(
        "this side is taken: none",
        0,
        (*LOW, ("B-P3", -25.0, -52.0, 3), ("B-P4", -25.0, 52.0, 3), ("B-P1", 12.0, -52.0, 2)),
        (*ACROSS, ("B-P3", "B-P4")),
        _build("B-P1", 12.0, 52.0, 3),
    ),
    Panel(
        "between two roads: none",
        0,
        (*LOW, ("A-P3", 40.0, -36.0, 6), ("A-P4", -40.0, 36.0, 6), ("B-P1", 0.0, -52.0, 3)),
        (*ACROSS, ("A-P3", "A-P4")),
        _build("B-P1", 0.0, 52.0, 4),
    ),
    Panel(
        "under, and an exit: two cars",
        2,
        (*HIGH, ("B-P1", 0.0, -46.0, 1)),
        ACROSS,
        sim.Exit(base="B-P1", to=(0.0, 63.5)),
    ),
)


def built(panel: Panel) -> sim.Table:
    """The table after the panel's build. Raises AssertionError if the referee gives another number
    of cars.
    """
    layout: dict[str, Any] = {
        "to_move": 1,
        "pillars": [
            {"id": name, "at": [x, y], "discs": discs}
            | ({"junction": True} if name in panel.junctions else {})
            for name, x, y, discs in panel.pillars
        ],
        "roads": [
            {"id": f"{start[0]}-R{n}", "from": start, "to": end}
            for n, (start, end) in enumerate(panel.roads, start=1)
        ],
    }
    table = sim.Table.from_layout(layout)
    verdict, after = sim.play(table, panel.build, engine="none")
    assert verdict.legal, f"{panel.words}: {verdict}"
    assert len(verdict.spots) == panel.cars, f"{panel.words}: {verdict}"
    return after


def draw(panel: Panel) -> Image.Image:
    """One panel: the table after the build, and its words."""
    shown = bodies(built(panel))
    camera = Camera.fitting(shown, SIZE, azimuth=panel.azimuth, elevation=34.0, margin=0.07)
    image = picture(shown, size=(2 * SIZE[0], 2 * SIZE[1]), camera=camera).resize(
        SIZE, Image.Resampling.LANCZOS
    )
    framed = Image.new("RGB", (SIZE[0], SIZE[1] + 40), PAPER)
    framed.paste(image)
    font = ImageFont.load_default(20)
    badge, colour = (f"+{panel.cars}", GAIN) if panel.cars else ("0", NOTHING)
    pen = ImageDraw.Draw(framed)
    pen.text((12, SIZE[1] + 8), badge, fill=colour, font=font)
    pen.text((52, SIZE[1] + 8), panel.words, fill=INK, font=font)
    return framed


def sheet(panels: Sequence[Panel], columns: int = 3, gap: int = 14) -> Image.Image:
    """All panels on one sheet, row by row."""
    drawn = [draw(panel) for panel in panels]
    wide, high = drawn[0].size
    rows = -(-len(drawn) // columns)
    page = Image.new(
        "RGB", (columns * wide + (columns - 1) * gap, rows * high + (rows - 1) * gap), PAPER
    )
    for n, image in enumerate(drawn):
        page.paste(image, ((n % columns) * (wide + gap), (n // columns) * (high + gap)))
    return page


if __name__ == "__main__":
    sheet(CROSSINGS).save(PICTURES / "crossings.jpg", quality=88)
