"""`shutoko serve`: the web pages, to play, watch and replay in the browser."""

import argparse
import contextlib
import importlib.util
import sys
from pathlib import Path
from urllib.parse import urlsplit

from rules.errors import InputError, UnavailableError
from shutoko.cli.common import answer, command, data_folder, option
from sim.installing import install

_PORTS = range(1, 65536)


@command(
    "serve",
    [
        option(
            "--host",
            default="127.0.0.1",
            metavar="ADDRESS",
            help="listen on this address (default: this machine only)",
        ),
        option("--port", type=int, default=8080, help="listen on this port (default: 8080)"),
        option(
            "--url",
            metavar="URL",
            help="the address by which people reach it through a proxy, such as https://play.example.org",
        ),
        option(
            "--data",
            type=Path,
            metavar="DIR",
            help="the folder for rooms and records (default: your data folder)",
        ),
        option(
            "--workers",
            type=int,
            metavar="N",
            help="processes for physics and search (default: all cores but one)",
        ),
        option(
            "--metrics",
            action="store_true",
            help="answer /metrics, for Prometheus, as /healthz is always answered",
        ),
        option(
            "--notices",
            type=Path,
            metavar="FILE",
            help="settings (.toml) of notices that tell players of their turns by push "
            "(default: no notices)",
        ),
        option("--no-browser", action="store_true", help="open no browser"),
    ],
    help="play, watch and replay in the browser",
    description="Serve the web pages: play the installed games alone or with friends, and "
    "replay any record.",
)
def run(args: argparse.Namespace) -> int:
    """Serves until it is interrupted. Raises InputError for a wrong option, UnavailableError
    without NiceGUI.
    """
    if args.port not in _PORTS:
        raise InputError(f"--port {args.port}: choose a port from 1 to {_PORTS[-1]}")
    if args.workers is not None and args.workers < 1:
        raise InputError(f"--workers {args.workers}: at least 1 worker is needed")
    url = None if args.url is None else _public(args.url)
    if importlib.util.find_spec("nicegui") is None:
        raise UnavailableError(f"the web pages need NiceGUI: {install('web')}")
    from shutoko.web.guard import LOOPBACK
    from shutoko.web.notices.settings import Settings, read as read_notices
    from shutoko.web.serve import serve
    from shutoko.web.site import Site

    def ready(address: str) -> None:
        answer(args, {"url": address}, f"shutoko: open {address} (Ctrl-C stops it)")
        sys.stdout.flush()  # a program that waits for this line may read it from a pipe

    notices = Settings() if args.notices is None else read_notices(args.notices)
    data, show = args.data or data_folder(), not args.no_browser
    site = Site(
        args.host, args.port, data, args.workers, open_browser=show, url=url, notices=notices
    )
    if args.host not in LOOPBACK and not (url or "").startswith("https:"):
        print(
            f"shutoko: warning: listening on {args.host}: everybody who can reach this machine can "
            "open the pages and make "
            "rooms. No page lists the rooms: one needs the link of a room to see it, and each seat "
            "has its own secret. "
            "Nothing is encrypted.",
            file=sys.stderr,
        )
    with contextlib.closing(site):
        serve(site, ready, metrics=args.metrics)
    return 0


def _public(url: str) -> str:
    """The address without a slash at its end. Raises InputError unless it is that of a whole site,
    without a path.
    """
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if (
        not known
        or parts.path not in ("", "/")
        or parts.query
        or parts.fragment
        or "@" in parts.netloc
    ):
        raise InputError(
            f"--url {url}: give the whole address without a folder, such as https://play.example.org"
        )
    return f"{parts.scheme}://{parts.netloc}"
