"""Charts of numbers, drawn by matplotlib: the histogram of a risk."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from rules.errors import UnavailableError
from shutoko.export.chart import check_size
from sim.game.risk import Risk

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["check_installed", "histogram"]

_DOTS = 100  # pixels an inch: matplotlib measures in inches
_SLOTS = 6  # room for at least so many bars, so that a single bar does not fill the chart
_NONE, _SOME = "#969696", "#2662ba"  # bars of the tries in which nothing fell, and in which something fell


def check_installed() -> None:
    """Raises UnavailableError, with the command that installs it, if matplotlib is missing."""
    _matplotlib()


def histogram(risk: Risk, path: str | Path | None = None, size: tuple[int, int] = (720, 420)) -> Image:
    """How many pieces fell how often, as an RGB image of `size` pixels; also written to `path` if one is given.

    Raises InputError for a size that is too small, and UnavailableError if matplotlib is missing.
    """
    from PIL import Image as Images

    check_size(size)
    figures, agg, ticker = _matplotlib()
    counts = risk.fallen_counts
    figure = figures.Figure(figsize=(size[0] / _DOTS, size[1] / _DOTS), dpi=_DOTS, layout="constrained")
    canvas = agg.FigureCanvasAgg(figure)
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
    image = Images.frombytes("RGBA", canvas.get_width_height(), bytes(canvas.buffer_rgba())).convert("RGB")
    if path is not None:
        image.save(path)
    return image


def _matplotlib() -> tuple[ModuleType, ModuleType, ModuleType]:
    """Its modules for figures, pixels and ticks; pyplot would want a screen."""
    try:
        return (
            import_module("matplotlib.figure"),
            import_module("matplotlib.backends.backend_agg"),
            import_module("matplotlib.ticker"),
        )
    except ImportError as error:
        raise UnavailableError("a histogram needs matplotlib: pip install 'shutoko[data]'") from error
