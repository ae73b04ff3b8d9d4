"""The connections of browsers: one that never sends its request is closed, and no address holds
more than its share.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from shutoko.web.guard import LOOPBACK
from shutoko.web.limits import CONNECTIONS, HEAD


class Connection(HttpToolsProtocol):
    """One connection, until it is closed or becomes a socket. The guard sees a request only once
    its head is complete.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in uvicorn
        """Closes it at once if its address has too many. A proxy on this machine serves many
        visitors, so it is not counted.
        """
        super().connection_made(transport)
        who = _address(self)
        if (
            who not in LOOPBACK
            and sum(_address(other) == who for other in self.connections) > CONNECTIONS
        ):
            transport.abort()
            return
        self.loop.call_later(HEAD, self._look, None)

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


def _address(connection: Any) -> str:
    client = connection.client
    return client[0] if client else ""
