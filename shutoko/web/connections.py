"""The connections of browsers: what a request says besides its body is bounded in bytes and fields,
a connection that never sends its request is closed, and no address holds more than its share.

The parser keeps a head in memory until it is whole, and the guard sees a request only then. So the
bytes are counted here, as they come.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from shutoko.web.guard import LOOPBACK
from shutoko.web.limits import CONNECTIONS, HEAD, MAX_FIELDS, MAX_HEAD, MAX_PIPELINED, visitor_of

_PART = 2**14  # bytes that are parsed in one go, so that a head is noticed soon


class Connection(HttpToolsProtocol):
    """One connection, until it is closed or becomes a socket."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in uvicorn
        """Closes it at once if its address has too many. A proxy on this machine serves many
        visitors, so it is not counted.
        """
        super().connection_made(transport)
        self._head = self._fields = 0
        self._answered: RequestResponseCycle | None = None
        who = _visitor(self)
        if (
            who not in LOOPBACK
            and sum(_visitor(other) == who for other in self.connections) > CONNECTIONS
        ):
            transport.abort()
            return
        self.loop.call_later(HEAD, self._look, None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tells every request of the connection, not only the last one, that nobody reads on."""
        for cycle in (self._answered, *(cycle for cycle, _ in self.pipeline)):
            if cycle is not None:
                cycle.disconnected = True
                cycle.message_event.set()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def data_received(self, data: bytes) -> None:
        """Parses what came. Answers 431 and closes once a request has too many bytes besides its
        body, or too many fields; the framing of a body in chunks may be as long as the body.
        """
        for start in range(0, len(data), _PART):
            part = data[start : start + _PART]
            if self.transport.is_closing():
                return
            if (now := self.transport.get_protocol()) is not self:  # it has become a socket
                assert isinstance(now, asyncio.Protocol)
                now.data_received(data[start:])
                return
            super().data_received(part)
            self._head += len(part)
            if self.transport.is_closing():
                return
            if self._head > MAX_HEAD or self._fields > MAX_FIELDS:
                self._refuse()
                return
            if len(self.pipeline) > MAX_PIPELINED:
                self.transport.abort()
                return

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        super().on_message_begin()
        self._head = self._fields = 0

    def on_header(self, name: bytes, value: bytes) -> None:
        """A whole field of a head, or of what follows a body in chunks."""
        self._fields += 1
        super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        """A part of a body: it pays for itself, and for as much of its framing."""
        self._head = max(0, self._head - 2 * len(body))
        super().on_body(body)

    def _refuse(self) -> None:
        told = b"the head of the request has too many bytes or fields"
        said = (
            b"content-type: text/plain; charset=utf-8",
            b"content-length: %d" % len(told),
            b"connection: close",
        )
        self.transport.write(STATUS_LINE[431] + b"\r\n".join((*said, b"", told)))
        self.transport.close()

    def _look(self, before: object) -> None:
        """Closes it if no request has come since the last look, the last one is answered, and the
        answer is sent.
        """
        if self not in self.connections:  # it has gone, or become a socket
            return
        cycle: RequestResponseCycle | None = self.cycle
        answered = cycle is None or (
            cycle.response_complete and not self.transport.get_write_buffer_size()
        )
        if answered and cycle is before:
            self.transport.abort()
            return
        self.loop.call_later(HEAD, self._look, cycle)


def _visitor(connection: Any) -> str:
    client = connection.client
    return visitor_of(client[0]) if client else ""
