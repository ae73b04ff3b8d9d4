"""`shutoko serve`: the table in the browser."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

from rules.errors import InputError, UnavailableError
from shutoko.cli.common import Commands, add_json, data_folder, emit

__all__ = ["add", "run"]

_PORTS = range(1, 65536)


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "serve",
        help="play, watch and replay in the browser",
        description="Serve the table in the browser: play all three games, alone or with friends, and replay any record.",
    )
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="listen here too (default: this machine only)")
    parser.add_argument("--port", type=int, default=8080, help="listen on this port (default: 8080)")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="where rooms and records are kept (default: the user's data folder)"
    )
    parser.add_argument(
        "--workers", type=int, metavar="N", help="processes for physics and search (default: all cores but one)"
    )
    parser.add_argument("--no-browser", action="store_true", help="open no browser")
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serves until it is interrupted. Raises InputError and UnavailableError for what cannot be served."""
    if args.port not in _PORTS:
        raise InputError(f"--port is 1 to {_PORTS[-1]}, not {args.port}")
    if args.workers is not None and args.workers < 1:
        raise InputError(f"--workers is 1 at least, not {args.workers}")
    if importlib.util.find_spec("nicegui") is None:
        raise UnavailableError("the web pages need NiceGUI: pip install 'shutoko[web]'")
    from shutoko.web.guard import LOOPBACK
    from shutoko.web.serve import serve
    from shutoko.web.site import Site

    def ready(address: str) -> None:
        if args.json:
            emit({"url": address})
        else:
            print(f"shutoko: open {address} (interrupt to stop)")
        sys.stdout.flush()  # whoever waits for it reads a pipe

    site = Site(args.host, args.port, args.data or data_folder(), args.workers, open_browser=not args.no_browser)
    if args.host not in LOOPBACK:
        print(
            f"shutoko: warning: listening on {args.host}: everybody who reaches this machine can open the pages and rooms of "
            "their own. Rooms are not listed: only whoever has its link sees one, and each seat has a secret of its own. "
            "Nothing is encrypted.",
            file=sys.stderr,
        )
    serve(site, ready)
    return 0
