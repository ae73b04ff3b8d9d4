"""The table in the browser: `shutoko serve`.

`rooms/` has the games that are being played, `work/` the jobs of worker processes, `views/` draws
positions and has their words, and `pages/` has the pages. Only `views/`, `pages/` and `serve` know
the web framework. No game is asked for its name: pages differ by the kind of view, a board of cells
or pieces in space.

No module is imported here, so that the command line can ask about the command without loading the
web stack.
"""

from pathlib import Path

__all__ = ["STATIC"]

STATIC = Path(__file__).parent / "static"
"""The folder of the styles, the scripts and the icon."""
