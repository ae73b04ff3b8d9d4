"""Checks every request and every socket: known hosts, our own origin; and headers that keep pages from other machines.

A page of another site that is open in the same browser must not reach this server. Its owner may point a name at 127.0.0.1, so
the Host is checked. It may send a request or open a socket from its own pages, so the Origin is checked. The content policy
keeps pages from loading anything from another machine.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

__all__ = ["LOOPBACK", "Guard", "session_secret"]

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""The names of this very machine."""

_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors 'none'"
)
_HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
)


class Guard:
    """ASGI middleware. `hosts` are the names and addresses that clients may use for the server; None allows any, for a server
    on a network, whose names nobody can list. If a request names an Origin, it must be the Host. A request of more than `limit`
    bytes is cut off.
    """

    def __init__(self, app: Any, hosts: Collection[str] | None, limit: int) -> None:
        self._app = app
        self._hosts = None if hosts is None else frozenset(hosts)
        self._limit = limit

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Passes a request on, or answers it with 400 or 403."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers: dict[bytes, bytes] = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        refusal = self._refusal(host, headers.get(b"origin", b"").decode("latin-1"))
        if refusal is not None:
            await _refuse(scope, receive, send, *refusal)
            return

        async def sealed(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *_HEADERS]}
            await send(message)

        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self._limit:
            await _refuse(scope, receive, send, 413, f"more than {self._limit} bytes are not read")
            return
        got = 0

        async def measured() -> Any:
            nonlocal got
            message = await receive()
            if message["type"] == "http.request":
                got += len(message.get("body", b""))
                if got > self._limit:
                    return {"type": "http.disconnect"}
            return message

        await self._app(scope, measured, sealed)

    def _refusal(self, host: str, origin: str) -> tuple[int, str] | None:
        name = _name(host)
        if name is None or (self._hosts is not None and name not in self._hosts):
            return 400, "this server is not known by that name"
        if origin and origin.lower() not in (f"http://{host.lower()}", f"https://{host.lower()}"):
            return 403, "this server talks to its own pages only"
        return None


def session_secret(folder: Path) -> str:
    """The secret that signs the cookies of browsers, in a file in `folder`; the first call makes it."""
    path = folder / "session.secret"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(32), encoding="ascii")
    return path.read_text(encoding="ascii")


def _name(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


async def _refuse(scope: Any, receive: Any, send: Any, status: int, text: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    body = text.encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
