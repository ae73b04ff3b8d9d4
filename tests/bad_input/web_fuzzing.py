"""Fuzz targets for `shutoko serve`: what is uploaded, what is asked for, and what pages send to
their handlers.

Requests go to a server in a process of its own, over real sockets, as from a browser. They may be
refused in any way, but the server answers the next request, and its log shows no error of our own
code. Events go to the handlers of pages in a process without sockets (`web_inside.py`), a hundred
times as many in the same time.
"""

from __future__ import annotations

import atexit
import http.client
import json
import re
import select
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from rules.errors import ShutokoError
from rules.record import dumps, loads
from rules.record.replay import replay
from shutoko.web.library import Library
from shutoko.web.work.jobs import shared, taken_in

_CHECKOUT = Path(__file__).resolve().parents[2]
_OURS = tuple(f"{_CHECKOUT / name}/" for name in ("rules", "sim", "shutoko"))
_PLACE = re.compile(r'^  File "([^"]+)", line \d+', re.MULTILINE)
_PATIENCE = 300.0
# limits count by address
_address = (f"127.{n // 62500 % 250 + 1}.{n // 250 % 250}.{n % 250 + 1}" for n in count())


# --- uploads --------------------------------------------------------------------------------------


def run_upload(text: str) -> None:
    """What becomes of an upload: it is refused in one line; or it is kept, listed, replayed in
    words, and drawn.
    """
    data = text.encode("utf-8", "surrogatepass")
    with tempfile.TemporaryDirectory() as folder:
        try:
            kept, _ = taken_in(data, "up.jsonl")
        except ShutokoError:
            return
        library = Library(Path(folder))
        name = library.save(kept, "up.jsonl")
        (item,) = library.saved()
        assert item.name == name
        record = library.record(name)
        assert record is not None
        assert dumps(record) == kept, "what is kept is canonical"
        with suppress(ShutokoError):
            for step in replay(record):
                for language in ("en", "fr", "ko"):
                    if hasattr(step, "told"):
                        step.told(language)
        with suppress(ShutokoError):
            shared(dumps(record), "jsonl", None, "en")
        assert loads(kept).header.game == item.game


# --- the server -----------------------------------------------------------------------------------


class _Fuzzed:
    """A server that nobody else visits."""

    def __init__(self, folder: Path) -> None:
        from tests.browser import Server

        self.server = Server(folder)
        self.seen = 0

    def check(self) -> None:
        """The server answers, and has no error of ours to tell."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=_PATIENCE)
        connection.request("GET", "/static/style.css")
        assert connection.getresponse().status == 200
        connection.close()
        said, self.seen = "".join(self.server.said[self.seen :]), len(self.server.said)
        for told in said.split("Traceback (most recent call last):")[1:]:
            places = _PLACE.findall(told)
            # what NiceGUI's own elements say of nonsense that no browser sends is theirs
            assert not places or not places[-1].startswith(_OURS), told


@cache
def _fuzzed() -> _Fuzzed:
    folder = tempfile.TemporaryDirectory()
    made = _Fuzzed(Path(folder.name))

    def end() -> None:
        made.server.stop()
        folder.cleanup()

    atexit.register(end)
    return made


# --- requests -------------------------------------------------------------------------------------

_PARTS = (
    "room",
    "replay",
    "share",
    "static",
    "choose",
    "_nicegui",
    "shipped",
    "saved",
    "two-cars",
    "..",
    ".",
    "%2e%2e",
    "\0",
    "é",
)
_KINDS = ("png", "svg", "gif", "html", "glb", "jsonl", "exe", "", "p" * 300)
_PLIES = (
    "",
    "?ply=1",
    "?ply=-1",
    "?ply=99999999999999999999",
    "?ply=x",
    "?ply=1e9",
    "?seat=",
    "?seat=" + "x" * 3000,
    "?seat=é",
    "?",
)
_METHODS = ("GET", "POST", "PUT", "HEAD", "DELETE", "OPTIONS", "BREW")
_HEADERS = (
    "Accept-Language",
    "Cookie",
    "Range",
    "If-None-Match",
    "Content-Type",
    "X-Forwarded-For",
    "Transfer-Encoding",
)
_SAID = (
    "",
    "fr,ko;q=x",
    ";;;,,",
    "bytes=-5",
    "bytes=9-1",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "shutoko=x",
    "a" * 9000,
)


@st.composite
def requests(draw: st.DrawFn) -> str:
    """A method, a path with a query, headers and a body, as JSON."""
    parts = draw(st.lists(st.sampled_from(_PARTS) | st.text(max_size=6), min_size=1, max_size=4))
    shared_ = (
        f"/share/shipped/{draw(st.sampled_from(('two-cars', 'boards-thruway-opening', 'x')))}"
        f".{draw(st.sampled_from(_KINDS))}"
    )
    path = draw(
        st.sampled_from(
            (
                f"/{'/'.join(parts)}",
                "/replay/shipped/two-cars",
                "/",
                shared_,
                "/choose?language=ko&then=//x",
            )
        )
    )
    headers = draw(
        st.dictionaries(
            st.sampled_from(_HEADERS),
            st.sampled_from(_SAID) | st.text("aé;=,/ ", max_size=9),
            max_size=2,
        )
    )
    body = draw(st.sampled_from(("", "x", "--x\r\n", "{}", "\0" * 100)))
    return json.dumps(
        [draw(st.sampled_from(_METHODS)), path + draw(st.sampled_from(_PLIES)), headers, body]
    )


def run_requests(text: str) -> None:
    """One request: it is answered, and not with an error of the server."""
    method, path, headers, body = json.loads(text)
    fuzzed = _fuzzed()
    line = re.sub(
        r"[^!-~]",
        lambda found: "".join(f"%{byte:02x}" for byte in found[0].encode("utf-8", "replace")),
        path,
    )
    connection = http.client.HTTPConnection(
        "127.0.0.1", fuzzed.server.port, _PATIENCE, (next(_address), 0)
    )
    try:
        connection.putrequest(method, line or "/", skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value.encode("utf-8", "replace"))
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body.encode())
        status = connection.getresponse().status
        assert status < 500 or status == 501, f"{method} {line} is answered with {status}"
    except (http.client.HTTPException, ConnectionError):
        pass  # what is no HTTP may be hung up on
    finally:
        connection.close()
    fuzzed.check()


# --- events ---------------------------------------------------------------------------------------

_VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1e308,
    2**70,
    "",
    "b2",
    "a1-b1",
    "pass",
    "resign",
    "x" * 5000,
    [],
    {},
    [[]],
    "\0",
    "<b>",
    "é",
)
_DETAILS: tuple[dict[str, Any], ...] = (
    {"type": "tap", "x": 0, "y": -55, "piece": None},
    {"type": "drag", "x": 1e9, "y": 0, "piece": "A-P0.1"},
    {"type": "tap", "x": 0, "y": 0, "advised": 10**9},
    {"type": "drop", "x": "1", "y": "nan", "piece": 7},
    {"type": "aim", "x": 10, "y": 10, "piece": {}},
)
_DATA = st.one_of(
    st.sampled_from(_VALUES),
    st.builds(
        lambda move, touch: {"move": move, "touch": touch},
        st.sampled_from(_VALUES),
        st.sampled_from(_VALUES),
    ),
    st.builds(
        lambda detail: {"detail": detail}, st.sampled_from(_DETAILS) | st.sampled_from(_VALUES)
    ),
    st.builds(
        lambda detail, key, value: {"detail": {**detail, key: value}},
        st.sampled_from(_DETAILS),
        st.sampled_from(("x", "y", "type", "piece", "advised")),
        st.sampled_from(_VALUES),
    ),
    st.builds(lambda cell: {"cell": cell, "name": cell}, st.sampled_from(_VALUES)),
    # a choice of several
    st.builds(
        lambda value: {"value": value, "label": ""}, st.sampled_from(_VALUES) | st.integers(0, 6)
    ),
)


def events() -> st.SearchStrategy[str]:
    """A page by its number, and for each event the number of a listener and what is sent to it, as
    JSON.
    """
    event = st.tuples(st.integers(0, 60), st.lists(_DATA, max_size=2))
    return st.tuples(st.integers(0, 40), st.lists(event, min_size=1, max_size=8)).map(json.dumps)


class _Inside:
    """The process that has the pages and their handlers, without sockets."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.bad_input.web_inside"]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=_CHECKOUT)
        atexit.register(self.end)

    def says(self, text: str) -> str | None:
        """What goes wrong with an input; None if nothing does."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{text}\n")
        self._process.stdin.flush()
        assert select.select([self._process.stdout], [], [], _PATIENCE)[0], (
            "the pages do not answer any more"
        )
        said: str | None = json.loads(
            self._process.stdout.readline() or '"the process of the pages has ended"'
        )
        return said

    def end(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.communicate()


_inside = cache(_Inside)


def run_events(text: str) -> None:
    """Events that a page sends to whatever listens on it, in a process without sockets; then the
    rooms are still whole.
    """
    try:
        wrong = _inside().says(text)
    except (AssertionError, OSError):
        _inside().end()
        _inside.cache_clear()
        raise
    assert wrong is None, wrong
