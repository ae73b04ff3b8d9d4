"""Charts of numbers, drawn by matplotlib: the histogram of a risk; lengths, balance and ratings of
many games; the race of the cars in one. And drawings of the risk of a move over the table: a map of
the places for a new pillar, and colours for the picture.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from PIL import Image as Images, ImageDraw
from PIL.Image import Image
from PIL.ImageFont import load_default

from rules.errors import InputError, UnavailableError
from shutoko.export.rendering.scene import PLAYER_COLOURS, Colour
from shutoko.plain import plain_line, plain_record
from sim.bodies import Body, Cylinder, rotate
from sim.game import bodies
from sim.game.risk import Risk, RiskMap, Spot
from sim.installing import install
from sim.referee import Table

if TYPE_CHECKING:
    from rules.arena.rating import Result
    from rules.record import Record

SUFFIXES = (".png", ".svg", ".pdf")
"""What a chart of games can be written as."""

_DOTS = 100  # pixels an inch: matplotlib measures in inches
_SLOTS = 6  # room for at least so many bars, so that a single bar does not fill the chart
# bars of the tries in which nothing fell, and in which something fell
_NONE, _SOME = (
    "#969696",
    "#2662ba",
)
_LINE = "#c03a2b"
_SIZE = (720, 420)


def check_installed() -> None:
    """Raises UnavailableError, with the command that installs it, if matplotlib is missing."""
    _matplotlib()


def histogram(
    risk: Risk, path: str | Path | None = None, size: tuple[int, int] = (720, 420)
) -> Image:
    """How many pieces fell how often, as an RGB image of `size` pixels; also written to `path` if
    one is given.

    Raises InputError for a size that is too small, and UnavailableError if matplotlib is missing.
    """
    figure, canvas = _figure(size)
    ticker = _matplotlib()[2]
    counts = risk.fallen_counts
    axes = figure.subplots()
    bars = axes.bar(range(len(counts)), counts, color=[_NONE, *[_SOME] * (len(counts) - 1)])
    axes.bar_label(bars, [str(count) if count else "" for count in counts])
    axes.set_xlim(-0.5, max(len(counts), _SLOTS) - 0.5)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(ticker.MaxNLocator(integer=True))
    title = f"Pieces that fall: {risk.samples} tries, {risk.skill} hand"
    axes.set(title=title, xlabel="pieces fallen in a try", ylabel="tries")
    canvas.draw()
    image = Images.frombytes(
        "RGBA", canvas.get_width_height(), bytes(canvas.buffer_rgba())
    ).convert("RGB")
    if path is not None:
        image.save(path)
    return image


def length(results: Sequence[Result], path: str | Path, size: tuple[int, int] = _SIZE) -> None:
    """How many games lasted how many plies, with the median. Raises InputError without games,
    UnavailableError as above.
    """
    _some(results)
    plies = sorted(one.plies for one in results)
    span = plies[-1] - plies[0] + 1
    middle = (plies[(len(plies) - 1) // 2] + plies[len(plies) // 2]) / 2
    with _chart(path, size, f"Length of {len(results)} games", "plies", "games") as axes:
        axes.hist(plies, bins=min(span, 40), range=(plies[0] - 0.5, plies[-1] + 0.5), color=_SOME)
        axes.axvline(middle, color=_LINE, linestyle="--", label=f"median {middle:g}")
        axes.legend()


def balance(results: Sequence[Result], path: str | Path, size: tuple[int, int] = _SIZE) -> None:
    """The share of first places of each seat with 95 % bars, and where an even game would be.
    Raises as `length`.
    """
    from rules.arena import rating

    _some(results)
    shares = rating.balance(results).by_seat
    seats, up = range(len(shares)), "% of the games, with 95 % intervals"
    off = [
        [100 * (one.value - one.low) for one in shares],
        [100 * (one.high - one.value) for one in shares],
    ]
    with _chart(path, size, f"First places in {len(results)} games", "", up) as axes:
        axes.bar(seats, [100 * one.value for one in shares], yerr=off, capsize=6, color=_SOME)
        axes.axhline(100 / len(shares), color=_LINE, linestyle="--", label="even")
        axes.set_xticks(seats, [f"seat {seat}" for seat in seats])
        axes.legend()


def elo(results: Sequence[Result], path: str | Path, size: tuple[int, int] = _SIZE) -> None:
    """The ratings of all players with 95 % bars, best on top. Raises as `length`."""
    from rules.arena import rating

    _some(results)
    found = rating.ratings(results)[::-1]
    rows, along = range(len(found)), "Elo, with 95 % intervals"
    values = [one.elo.value for one in found]
    off = [
        [one.elo.value - one.elo.low for one in found],
        [one.elo.high - one.elo.value for one in found],
    ]
    with _chart(path, size, f"Ratings from {len(results)} games", along, "") as axes:
        axes.errorbar(values, rows, xerr=off, fmt="o", capsize=4, color=_SOME)
        names = [f"{plain_line(one.player)} ({one.games})" for one in found]
        axes.set_yticks(rows, names, parse_math=False)
        axes.set_ylim(-0.5, len(found) - 0.5)
        axes.axvline(0, color=_NONE, linestyle="--")


def race(record: Record, path: str | Path, size: tuple[int, int] = _SIZE) -> None:
    """The cars that each player has left after each ply. Raises InputError for a game without cars,
    and as `length`.
    """
    from rules.record.replay import begin, replay

    start = getattr(begin(record)[1], "table", None)
    if start is None:
        raise InputError(f"{record.path}: {record.header.game} has no cars to race")
    tables: list[Any] = [
        start,
        *(
            getattr(step.after, "table", step.after)
            for step in replay(record)
            if step.refusal is None
        ),
    ]
    names = plain_record(record).header.players
    with _chart(path, size, "Cars left", "plies made", "cars") as axes:
        left = [[stock.cars for stock in table.stocks[: len(names)]] for table in tables]
        lines = axes.step(range(len(left)), left, where="post")
        # matplotlib leaves a line out of the legend if its own label begins with _
        for label in axes.legend(lines, names).get_texts():
            label.set_parse_math(False)
        axes.set_ylim(bottom=0)


def _some(results: Sequence[Result]) -> None:
    if not results:
        raise InputError("there is no finished game to draw")


@contextmanager
def _chart(
    path: str | Path, size: tuple[int, int], title: str, along: str, up: str
) -> Iterator[Any]:
    """Axes to draw into, with a title and labels. What was drawn is written to `path`, the same
    bytes for the same numbers. Raises InputError if it cannot be.
    """
    figure, _ = _figure(size)
    axes = figure.subplots()
    yield axes
    axes.set(title=title, xlabel=along, ylabel=up)
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"{path}: unknown suffix; choose from {', '.join(SUFFIXES)}")
    rc: Any = import_module("matplotlib").rc_context
    with rc({"svg.hashsalt": "shutoko"}):
        try:
            undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)
            figure.savefig(path, metadata=undated)
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror or error}") from error


def _figure(size: tuple[int, int]) -> tuple[Any, Any]:
    """An empty figure of that many pixels, and its canvas."""
    check_size(size)
    figures, agg, _ = _matplotlib()
    figure = figures.Figure(
        figsize=(size[0] / _DOTS, size[1] / _DOTS), dpi=_DOTS, layout="constrained"
    )
    return figure, agg.FigureCanvasAgg(figure)


def _matplotlib() -> tuple[ModuleType, ModuleType, ModuleType]:
    """Its modules for figures, pixels and ticks; pyplot would want a screen."""
    try:
        return (
            import_module("matplotlib.figure"),
            import_module("matplotlib.backends.backend_agg"),
            import_module("matplotlib.ticker"),
        )
    except ImportError as error:
        raise UnavailableError(f"charts need matplotlib: {install('data')}") from error


# --- the risk of a move over the table, drawn by Pillow to its scale ------------------------------

_RAMP: tuple[tuple[float, Colour], ...] = (
    (0.0, (226, 226, 220)),
    (0.02, (250, 222, 120)),
    (0.35, (240, 140, 50)),
    (0.7, (200, 40, 40)),
    (1.0, (90, 0, 40)),
)
"""Colours by the square root of a share."""

_TICKS = (0.0, 0.01, 0.05, 0.2, 0.5, 1.0)
_INK: Colour = (40, 40, 44)
_PAPER: Colour = (252, 251, 248)
_PALE: Colour = (150, 150, 150)
_HIGH = 17  # px, a line of the legend's text
_LEGEND = 27  # px, its scale
_DARK = 0.3  # from this share on the colour is too dark for dark figures
_BORDER = 14.0  # mm of table shown around everything


def heat(share: float) -> Colour:
    """The colour of a share from 0 (grey) to 1 (dark red); it goes by the square root, so that one
    in a hundred shows.
    """
    at = math.sqrt(min(max(share, 0.0), 1.0))
    for (low, one), (high, other) in pairwise(_RAMP):
        if at <= high:
            t = (at - low) / (high - low)
            red, green, blue = (round(a + (b - a) * t) for a, b in zip(one, other, strict=True))
            return red, green, blue
    return _RAMP[-1][1]


def heat_colours(risk: Risk, pieces: Sequence[Body]) -> dict[str, Colour]:
    """For each piece the colour of how often it fell, as `colours` of
    `shutoko.export.picture.picture`.
    """
    return {body.id: heat(risk.falls.get(body.id, 0) / risk.samples) for body in pieces}


def legend(image: Image, label: str) -> Image:
    """The image with the scale of `heat` and a label, broken into lines where it is long, added
    below it.
    """
    font, room = load_default(13), image.width - 32
    lines: list[str] = []
    for word in label.split(" "):
        if lines and font.getlength(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    text = _HIGH * len(lines)
    whole = Images.new("RGB", (image.width, image.height + text + _LEGEND), _PAPER)
    whole.paste(image, (0, 0))
    draw = ImageDraw.Draw(whole)
    left, right, top = 16, max(whole.width - 16, 17), image.height + text + 3
    for x in range(left, right):
        draw.line([(x, top), (x, top + 8)], fill=heat(((x - left) / (right - left)) ** 2))
    for share in _TICKS:
        tick = left + (right - left) * math.sqrt(share)
        anchor = "la" if share == 0 else "ra" if share == 1 else "ma"
        draw.text((tick, top + 10), f"{share:.0%}", fill=_INK, anchor=anchor, font=load_default(11))
    for n, line in enumerate(lines):
        draw.text((left, image.height + 3 + n * _HIGH), line, fill=_INK, font=font)
    return whole


def map_picture(
    table: Table,
    found: RiskMap,
    path: str | Path | None = None,
    size: tuple[int, int] = (900, 900),
    chosen: tuple[float, float] | None = None,
) -> Image:
    """The table from above with the places for the new pillar, each coloured by how often anything
    fell there, and the cars it earns; the base pillar is named, and a ring marks the `chosen` place
    (mm) if one is given.

    An RGB image no larger than `size` pixels without its legend; also written to `path` if one is
    given.
    """
    check_size(size)
    pieces = bodies(table)
    window = _Window.around(pieces, found, size)
    image = Images.new("RGB", window.size, _PAPER)
    draw = ImageDraw.Draw(image)
    for spot in found.spots:
        half = found.step / 2
        (x0, y1), (x1, y0) = (
            window.at(spot.at[0] - half, spot.at[1] - half),
            window.at(spot.at[0] + half, spot.at[1] + half),
        )
        draw.rectangle([x0, y0, x1, y1], fill=heat(_share(spot)))
        if spot.cars:
            ink = _PAPER if _share(spot) > _DARK else _INK
            draw.text(
                ((x0 + x1) / 2, (y0 + y1) / 2),
                str(spot.cars),
                fill=ink,
                anchor="mm",
                font=load_default(11),
            )
    for body in sorted(pieces, key=lambda body: body.pose.at[2]):  # from the table up
        _outline(draw, window, body)
    _mark(draw, window, table, table.top(table.pillar_by_id[found.base]), "base")
    if chosen is not None:
        _mark(draw, window, table, chosen, "move")
    tries = found.spots[0].risk.samples if found.spots else 0
    skill = found.spots[0].risk.skill if found.spots else "no legal place"
    what = f"something falls, by place of a pillar of {found.discs} from {found.base}"
    label = f"{what}; tries each: {tries}, {skill}; numbers: cars earned" + (
        "; ring: the move" if chosen else ""
    )
    whole = legend(image, label)
    if path is not None:
        whole.save(path)
    return whole


class _Window:
    """From millimetres on the table to pixels."""

    def __init__(self, left: float, top: float, scale: float, size: tuple[int, int]) -> None:
        self._left, self._top, self._scale, self.size = left, top, scale, size

    @classmethod
    def around(cls, pieces: Sequence[Body], found: RiskMap, size: tuple[int, int]) -> _Window:
        """Everything that stands and every place of the map, as large as fits into `size`."""
        points = [point for body in pieces for point in _footprint(body)] + [
            spot.at for spot in found.spots
        ]
        more = _BORDER + found.step
        low = [min(point[k] for point in points) - more for k in (0, 1)]
        high = [max(point[k] for point in points) + more for k in (0, 1)]
        scale = min(size[k] / (high[k] - low[k]) for k in (0, 1))
        wide, tall = (max(1, round((high[k] - low[k]) * scale)) for k in (0, 1))
        return cls(low[0], high[1], scale, (wide, tall))

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of a point in mm; y points up on the table and down in an image."""
        return (x - self._left) * self._scale, (self._top - y) * self._scale


def _outline(draw: ImageDraw.ImageDraw, window: _Window, body: Body) -> None:
    points = [window.at(*point) for point in _footprint(body)]
    colour = _PALE if body.owner is None else PLAYER_COLOURS[body.owner]
    draw.polygon(
        points,
        outline=colour,
        fill=colour if body.kind == "car" else None,
        width=2 if body.kind == "road" else 1,
    )


def _mark(
    draw: ImageDraw.ImageDraw, window: _Window, table: Table, at: tuple[float, float], text: str
) -> None:
    """A ring around a pillar's place, and a word above it."""
    radius = table.components.disc_radius + 3
    (x0, y0), (x1, y1) = (
        window.at(at[0] - radius, at[1] + radius),
        window.at(at[0] + radius, at[1] - radius),
    )
    draw.ellipse([x0, y0, x1, y1], outline=_INK, width=3)
    draw.text(
        ((x0 + x1) / 2, y0 - 3),
        text,
        fill=_INK,
        anchor="ms",
        font=load_default(14),
        stroke_width=2,
        stroke_fill=_PAPER,
    )


def _footprint(body: Body) -> list[tuple[float, float]]:
    """A piece in plan, as a polygon in mm: a cylinder by its circle, a box by its faces' long and
    short edges.
    """
    x, y, _ = body.pose.at
    if isinstance(body.shape, Cylinder):
        turns = [math.tau * k / 32 for k in range(32)]
        return [
            (x + body.shape.radius * math.cos(a), y + body.shape.radius * math.sin(a))
            for a in turns
        ]
    long, wide, _ = (edge / 2 for edge in body.shape.size)
    corners = [
        rotate(body.pose.quat, (a * long, b * wide, 0.0))
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    return [(x + dx, y + dy) for dx, dy, _ in corners]


def _share(spot: Spot) -> float:
    return 1 - spot.risk.fallen_counts[0] / spot.risk.samples


def check_size(size: tuple[int, int]) -> None:
    """Raises InputError for a picture that is too small to draw in."""
    if min(size) < 100:
        raise InputError(f"a chart needs 100 pixels each way at least, not {size[0]} x {size[1]}")
