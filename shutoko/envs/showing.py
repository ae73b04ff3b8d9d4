"""How environments are rendered: `ansi` as text, `rgb_array` as pixels, `human` as a page to be
opened in a browser.
"""

from __future__ import annotations

import sys
import tempfile
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rules import defaults
from rules.errors import InputError
from rules.view import BoardView

MODES = ("human", "ansi", "rgb_array")
_SIZE = (640, 430)  # pixels of a table; a board is as large as its drawing


class Shower:
    """Renders the states of a game in one mode, None for not at all. Raises InputError for an
    unknown mode.

    `human` writes a page into the folder for temporary files, says once on standard error where it
    is, and overwrites it at every call; an open page reloads itself every second.
    """

    def __init__(self, game: Any, mode: str | None) -> None:
        if mode is not None and mode not in MODES:
            raise InputError(
                f"render_mode = {mode!r} is not valid; choose from {', '.join(MODES)}, or None"
            )
        self._game, self._mode = game, mode
        self._page: Path | None = None

    def show(self, state: Any) -> str | npt.NDArray[np.uint8] | None:
        """The text, the pixels (height, width, 3), or None. Raises UnavailableError if the extra
        for pictures is missing.
        """
        match self._mode:
            case "ansi":
                return str(state)
            case "rgb_array":
                return np.asarray(_picture(self._game, state))
            case "human":
                self._write(state)
        return None

    def close(self) -> None:
        """Deletes the page."""
        if self._page is not None:
            self._page.unlink(missing_ok=True)
            self._page = None

    def _write(self, state: Any) -> None:
        if self._page is None:
            with tempfile.NamedTemporaryFile(
                prefix="shutoko-", suffix=".html", delete=False
            ) as file:
                self._page = Path(file.name)
            if sys.stderr is not None:
                sys.stderr.write(f"shutoko: open {self._page.as_uri()} in a browser to watch\n")
        picture = _drawn(self._game, state)
        self._page.write_text(
            '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" '
            'content="1"><title>shutoko</title>\n'
            f"{picture}\n<pre>{escape(str(state))}</pre>\n",
            encoding="utf-8",
        )


def _drawn(game: Any, state: Any) -> str:
    """The picture as part of a page."""
    view = defaults.view(game, state)
    if isinstance(view, BoardView):
        from shutoko.export.board import svg

        return svg(view, marks=True)
    from base64 import b64encode

    stream = BytesIO()
    _picture(game, state).save(stream, "png")
    return (
        f'<img alt="the table" src="data:image/png;base64,{b64encode(stream.getvalue()).decode()}">'
    )


def _picture(game: Any, state: Any) -> Any:
    """The picture of a state as an RGB image."""
    view = defaults.view(game, state)
    if isinstance(view, BoardView):
        from PIL import Image

        from shutoko.export.board import raster, svg

        return Image.open(BytesIO(raster(svg(view, marks=True)))).convert("RGB")
    from shutoko.export.picture import picture

    return picture(view.bodies, size=_SIZE, samples=1)
