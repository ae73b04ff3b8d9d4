"""Charts of numbers, drawn by matplotlib: the histogram of a risk; lengths, balance and ratings of
many games; the race of the cars in one. `shutoko.export.charts.chart` has the map of a risk.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rules.errors import InputError, UnavailableError
from shutoko.export.charts.chart import check_size
from shutoko.plain import plain_line, plain_record
from sim.game.risk import Risk
from sim.installing import install

if TYPE_CHECKING:
    from PIL.Image import Image

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
    from PIL import Image as Images

    figure, canvas = _figure(size)
    ticker = _matplotlib()[2]
    counts = risk.fallen_counts
    axes = figure.subplots()
    bars = axes.bar(range(len(counts)), counts, color=[_NONE, *[_SOME] * (len(counts) - 1)])
    axes.bar_label(bars, [str(count) if count else "" for count in counts])
    axes.set_xlim(-0.5, max(len(counts), _SLOTS) - 0.5)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(ticker.MaxNLocator(integer=True))
    axes.set_title(f"Pieces that fall: {risk.samples} tries, {risk.skill} hand")
    axes.set_xlabel("pieces fallen in a try")
    axes.set_ylabel("tries")
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
    figure, _ = _figure(size)
    axes = figure.subplots()
    plies = sorted(one.plies for one in results)
    span = plies[-1] - plies[0] + 1
    axes.hist(plies, bins=min(span, 40), range=(plies[0] - 0.5, plies[-1] + 0.5), color=_SOME)
    middle = (plies[(len(plies) - 1) // 2] + plies[len(plies) // 2]) / 2
    axes.axvline(middle, color=_LINE, linestyle="--", label=f"median {middle:g}")
    axes.legend()
    _named(axes, f"Length of {len(results)} games", "plies", "games")
    _saved(figure, path)


def balance(results: Sequence[Result], path: str | Path, size: tuple[int, int] = _SIZE) -> None:
    """The share of first places of each seat with 95 % bars, and where an even game would be.
    Raises as `length`.
    """
    from rules.arena import rating

    _some(results)
    shares = rating.balance(results).by_seat
    figure, _ = _figure(size)
    axes = figure.subplots()
    off = [
        [100 * (one.value - one.low) for one in shares],
        [100 * (one.high - one.value) for one in shares],
    ]
    axes.bar(
        range(len(shares)), [100 * one.value for one in shares], yerr=off, capsize=6, color=_SOME
    )
    axes.axhline(100 / len(shares), color=_LINE, linestyle="--", label="even")
    axes.set_xticks(range(len(shares)), [f"seat {seat}" for seat in range(len(shares))])
    axes.legend()
    _named(axes, f"First places in {len(results)} games", "", "% of the games, with 95 % intervals")
    _saved(figure, path)


def elo(results: Sequence[Result], path: str | Path, size: tuple[int, int] = _SIZE) -> None:
    """The ratings of all players with 95 % bars, best on top. Raises as `length`."""
    from rules.arena import rating

    _some(results)
    found = rating.ratings(results)[::-1]
    figure, _ = _figure(size)
    axes = figure.subplots()
    values = [one.elo.value for one in found]
    off = [
        [one.elo.value - one.elo.low for one in found],
        [one.elo.high - one.elo.value for one in found],
    ]
    axes.errorbar(values, range(len(found)), xerr=off, fmt="o", capsize=4, color=_SOME)
    axes.set_yticks(
        range(len(found)),
        [f"{plain_line(one.player)} ({one.games})" for one in found],
        parse_math=False,
    )
    axes.set_ylim(-0.5, len(found) - 0.5)
    axes.axvline(0, color=_NONE, linestyle="--")
    _named(axes, f"Ratings from {len(results)} games", "Elo, with 95 % intervals", "")
    _saved(figure, path)


def race(record: Record, path: str | Path, size: tuple[int, int] = _SIZE) -> None:
    """The cars that each player has left after each ply. Raises InputError for a game without cars,
    and as `length`.
    """
    from rules.record.replay import begin, replay

    start = getattr(begin(record)[1], "table", None)
    if start is None:
        raise InputError(f"{record.path}: {record.header.game} has no cars to race")
    figure, _ = _figure(size)
    axes = figure.subplots()
    tables: list[Any] = [
        start,
        *(
            getattr(step.after, "table", step.after)
            for step in replay(record)
            if step.refusal is None
        ),
    ]
    names, lines = plain_record(record).header.players, []
    for seat in range(len(names)):
        left = [table.stocks[seat].cars for table in tables]
        lines += axes.step(range(len(left)), left, where="post")
    # matplotlib leaves a line out of the legend if its own label begins with _
    for label in axes.legend(lines, names).get_texts():
        label.set_parse_math(False)
    axes.set_ylim(bottom=0)
    _named(axes, "Cars left", "plies made", "cars")
    _saved(figure, path)


def _some(results: Sequence[Result]) -> None:
    if not results:
        raise InputError("there is no finished game to draw")


def _named(axes: Any, title: str, along: str, up: str) -> None:
    """Title and labels."""
    axes.set_title(title)
    axes.set_xlabel(along)
    axes.set_ylabel(up)


def _saved(figure: Any, path: str | Path) -> None:
    """Writes the figure, the same bytes for the same numbers. Raises InputError if it cannot."""
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
