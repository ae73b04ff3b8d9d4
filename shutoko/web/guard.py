"""Checks every request and every socket: known hosts, our own origin; and headers that keep pages
from other machines.

A page of another site that is open in the same browser must not reach this server. Its owner may
point a name at 127.0.0.1, so the Host is checked. It may send a request or open a socket from its
own pages, so the Origin is checked. The content policy keeps pages from loading anything from
another machine.
"""

import asyncio
import re
import secrets
import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from rules.files import read_regular
from rules.record import disk
from shutoko.web.limits import MESSAGES, PAGES, REQUESTS, SOCKETS, Bucket, Buckets, visitor_of
from shutoko.web.wording import LANGUAGE_COOKIE, choose, words

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""The names of this very machine."""

HEAD_ONLY = "shutoko.head"
"""What the scope of a request holds if only its head was asked for."""

_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self'; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors 'none'"
)
_HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
)
_PAGES = ("/room/", "/replay/", "/photo", "/games")
# files below the addresses of pages, made by workers with limits of their own
_FILE = re.compile(r"/(room|replay)/.+/(clip/[^/]+|preview\.jpg)")
_PAUSE = 20.0  # seconds that the body of a request may pause
_RESTS = 3.0  # times the building of a page: a visitor has a quarter of the server at most
_REST = 2.0  # seconds between two pages of a visitor, at most
_BODY = 300.0  # seconds that the body may take in all
_LEAST_SECRET, _MOST_SECRET = 43, 4096  # characters
_ONCE = (b"host", b"origin", b"content-length")
_UNANSWERED = "No response returned."  # Starlette's word for a client that has gone


class Guard:
    """ASGI middleware. `hosts` are the names and addresses that clients may use for the server;
    None allows any, for a server on a network, whose names nobody can list. If a request names an
    Origin, it must be the Host. A request with more than `limit` bytes is cut off; `larger` has
    other limits by path. So is a request whose body pauses too long. No address has more than its
    share of pages, requests and sockets.
    """

    def __init__(
        self,
        app: Any,
        hosts: Collection[str] | None,
        limit: int,
        sockets: int = SOCKETS,
        larger: Mapping[str, int] | None = None,
    ) -> None:
        self._app = app
        self._hosts = None if hosts is None else frozenset(hosts)
        self._limit, self._larger, self._most = limit, larger or {}, sockets
        self._requests, self._pages = Buckets(REQUESTS), Buckets(PAGES)
        self._sockets: Counter[str] = Counter()
        self._turns = _Turns()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Passes a request on, or answers it with 400, 403, 413 or 429."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers: dict[bytes, bytes] = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        refusal = (
            _doubled(scope)
            or self._refusal(host, headers.get(b"origin", b"").decode("latin-1"))
            or self._excess(scope, headers)
        )
        if refusal is not None:
            await _refuse(scope, receive, send, *refusal)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._request(scope, receive, send)

    async def _socket(self, scope: Any, receive: Any, send: Any) -> None:
        """A socket, which is counted while it is open. What comes too fast is read later: only its
        sender waits.
        """
        who, flow = _address(scope), Bucket(MESSAGES)

        async def slowed() -> Any:
            message = await receive()
            if message["type"] == "websocket.receive" and (wait := flow.wait()) > 0:
                await asyncio.sleep(wait)
            return message

        self._sockets[who] += 1
        try:
            await self._app(scope, slowed, send)
        finally:
            self._sockets[who] -= 1
            if not self._sockets[who]:
                del self._sockets[who]

    async def _request(self, scope: Any, receive: Any, send: Any) -> None:
        started = gone = complete = False
        limit = self._limit_of(scope)
        head_only = scope.get("method") == "HEAD"  # answered as GET, without the body
        if head_only:
            scope = {**scope, "method": "GET", HEAD_ONLY: True}
        got, end = 0, asyncio.get_running_loop().time() + _BODY

        async def sealed(message: Any) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message = {**message, "headers": [*message.get("headers", ()), *_HEADERS]}
            elif head_only:
                message = {**message, "body": b""}
            if started:
                turn.end()
            await send(message)

        async def measured() -> Any:
            nonlocal got, gone, complete
            try:
                pause = min(_PAUSE, end - asyncio.get_running_loop().time())
                message = await (receive() if complete else asyncio.wait_for(receive(), pause))
            except TimeoutError:
                message = {"type": "http.disconnect"}
            if message["type"] == "http.request":
                got += len(message.get("body", b""))
                complete = not message.get("more_body", False)
            gone = gone or message["type"] == "http.disconnect" or got > limit
            return {"type": "http.disconnect"} if gone else message

        turn = await self._turns.turn(_address(scope)) if _is_page(scope) else _Turn()
        try:
            await self._app(scope, measured, sealed)
        except Exception as error:
            if started or not (gone or str(error) == _UNANSWERED):
                raise
        finally:
            turn.end()
        # whoever asked has gone: without any answer the layers around would log an error
        if not started:
            await _refuse(scope, receive, send, 413 if got > limit else 400, "guard-broken")

    def _excess(self, scope: Any, headers: Mapping[bytes, bytes]) -> tuple[int, str] | None:
        who = _address(scope)
        if scope["type"] == "websocket":
            return (429, "guard-sockets") if self._sockets[who] >= self._most else None
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self._limit_of(scope):
            return 413, "guard-bytes"
        if not self._requests.allows(who) or (_is_page(scope) and not self._pages.allows(who)):
            return 429, "guard-requests"
        return None

    def _limit_of(self, scope: Any) -> int:
        return self._larger.get(scope["path"], self._limit)

    def _refusal(self, host: str, origin: str) -> tuple[int, str] | None:
        name = _name(host)
        if name is None or (self._hosts is not None and name not in self._hosts):
            return 400, "guard-name"
        if origin and origin.lower() not in (f"http://{host.lower()}", f"https://{host.lower()}"):
            return 403, "guard-origin"
        return None


class _Turn:
    """A page that is being built, until `end`; another call of that does nothing."""

    def __init__(self, lock: asyncio.Lock | None = None) -> None:
        self._lock, self._begun = lock, time.monotonic()

    def end(self) -> None:
        """The page is built. The next one of this visitor waits for `_RESTS` times as long."""
        lock, self._lock = self._lock, None
        if lock is not None:
            rest = min(_RESTS * (time.monotonic() - self._begun), _REST)
            asyncio.get_running_loop().call_later(rest, lock.release)


class _Turns:
    """Builds the pages of a visitor one after the other, and rests between two: building a page
    holds up everybody, and each page takes memory until its browser has left. A proxy on
    this machine speaks for many visitors, so its pages are built as they come.
    """

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def turn(self, who: str) -> _Turn:
        """Waits for a visitor's turn."""
        if who in LOOPBACK:
            return _Turn()
        lock = self._locks.get(who)
        if lock is None:
            self._locks[who] = lock = asyncio.Lock()
        await lock.acquire()
        return _Turn(lock)


def _is_page(scope: Any) -> bool:
    path: str = scope["path"]
    return path == "/" or (path.startswith(_PAGES) and not _FILE.fullmatch(path))


def session_secret(folder: Path) -> str:
    """The secret that signs the cookies of browsers, in a file in `folder`; the first call makes
    it.

    A secret that is too short is replaced, because whoever guessed it could forge cookies.
    """
    path = folder / "session.secret"
    with suppress(OSError, ValueError):
        known = read_regular(path, _MOST_SECRET).decode("ascii")
        if len(known) >= _LEAST_SECRET:
            return known
    disk.put(path, secrets.token_urlsafe(32).encode("ascii"), mode=0o600)
    return path.read_text(encoding="ascii")


def _address(scope: Any) -> str:
    client = scope.get("client")
    return visitor_of(client[0]) if client else ""


def _doubled(scope: Any) -> tuple[int, str] | None:
    """Refuses what stands twice and is checked once: others may read the one that was not."""
    names = [name for name, _ in scope["headers"]]
    return (400, "guard-doubled") if any(names.count(one) > 1 for one in _ONCE) else None


def _name(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _language(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The language of whoever asks: the one that was chosen on the pages, else the browser's."""
    told = {name: value.decode("latin-1") for name, value in headers}
    cookies: SimpleCookie = SimpleCookie()
    with suppress(CookieError):
        cookies.load(told.get(b"cookie", ""))
    chosen = cookies.get(LANGUAGE_COOKIE)
    return choose(None if chosen is None else chosen.value, told.get(b"accept-language"))


async def _refuse(scope: Any, receive: Any, send: Any, status: int, reason: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    body = words(_language(scope["headers"]))(reason).encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
