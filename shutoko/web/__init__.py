"""The table in the browser: `shutoko serve`.

`rooms/` are the games that are being played, `work/` is what other processes work out, `views/` says how a position looks, and
`pages/` are the pages. Only `views/`, `pages/` and `serve` know the web framework.

No module is imported here, so that the command line can ask about the command without loading the web stack.
"""

from pathlib import Path

__all__ = ["STATIC"]

STATIC = Path(__file__).parent / "static"
"""The folder of the styles, the scripts and the icon."""
