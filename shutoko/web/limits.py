"""What one visitor may use of a server, so that others have their share: all limits in one place;
no web framework.
"""

import ipaddress
import logging
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rules.errors import Refusal, ShutokoError


@dataclass(frozen=True, slots=True)
class Rate:
    """So many within so many seconds."""

    count: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Flow:
    """So many a second for long, and `burst` at once."""

    a_second: float
    burst: int


ROOMS = (Rate(40, 600.0), Rate(200, 86400.0))
"""Rooms that one visitor opens."""

UPLOADS = (Rate(40, 600.0), Rate(200, 86400.0))
"""Records that one visitor uploads, also those that are refused."""

SAID = (Rate(8, 10.0), Rate(100, 600.0))
"""What one visitor says in the chats of rooms."""

PAGES = Flow(2.0, 60)
"""Pages that one address loads: each takes memory until its browser has left."""

REQUESTS = Flow(50.0, 1000)
"""Requests of one address, files of pages included."""

SOCKETS = 200
"""Sockets that one address holds open; each tab has one."""

MESSAGES = Flow(60.0, 300)
"""Messages of one socket. What comes faster waits, and only whoever sends it waits."""

MAX_MESSAGE = 2**20
"""Bytes of a message of a socket."""

HEAD = 20.0
"""Seconds in which a connection sends the head of its next request."""

MAX_HEAD = 2**16
"""Bytes of a request besides its body; browsers send a twentieth of that."""

MAX_FIELDS = 100
"""Fields in the head of a request and after its body; browsers send twenty."""

MAX_PIPELINED = 8
"""Requests of one connection that wait for the answer to another; browsers send one at a time."""

CONNECTIONS = 1000
"""Connections of one address, except addresses of this machine."""

MAX_CONNECTIONS = 3000
"""Connections of all visitors; more are answered with 503."""

MAX_UPLOAD = 8 * 2**20
"""Bytes of an uploaded record: ten times the longest shipped game."""

MAX_LINES = 2000
"""Lines of an uploaded record: a ply takes one, and its page a line of the log; the largest board
has 676 places. Files that are not shown in a page may have more: `rules.record.reading.MAX_LINES`.
"""

MAX_MEMORY = 512 * 2**20
"""Bytes of memory that reading an uploaded record may take, where the system can limit it."""

MAX_PHOTO = 32 * 2**20
"""Bytes of a photo; phones make 2 to 25 million."""

MAX_PHOTO_MEMORY = 2**30
"""Bytes of memory that decoding a photo may take, where the system can limit it."""

LOG = Flow(0.5, 60)
"""Lines of the log that strangers can cause; what comes faster is counted and left out."""

_TRACEBACK = 10  # lines of the log that a traceback counts as
_OURS_IN_IPV6 = 64  # bits of an address that name a household; its devices choose the others


def visitor_of(address: str) -> str:
    """By what an address is counted: itself, or the network /64 of an address of IPv6, as whoever
    has one of its addresses has all. An address of IPv4 that is written as one of IPv6 is itself.
    """
    if ":" not in address:
        return address
    try:
        found = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    if found.is_loopback:
        return address
    return str(ipaddress.ip_network((found, _OURS_IN_IPV6), strict=False))


class TooManyError(ShutokoError):
    """A visitor has reached a limit; the message says which one, and how long to wait."""


K = TypeVar("K")
V = TypeVar("V")


class Recent(OrderedDict[K, V]):
    """What is remembered of visitors: as much as `most`, what was set last."""

    def __init__(self, most: int = 10_000) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self._most:
            self.popitem(last=False)


class Counts:
    """Counts what each visitor does against rates. `what` names it in messages, such as "rooms
    opened"; a Refusal does so in every language.
    """

    def __init__(
        self, what: str, rates: Sequence[Rate], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._what, self._rates, self._clock = what, rates, clock
        self._times = Recent[str, deque[float]]()

    def count(self, who: str) -> None:
        """Counts one more of a visitor. Raises TooManyError, and counts nothing, if that is too
        many.
        """
        now = self._clock()
        times = self._times.get(who, deque(maxlen=max(rate.count for rate in self._rates)))
        for rate in self._rates:
            if len(times) >= rate.count and (wait := times[-rate.count] + rate.seconds - now) > 0:
                values = {
                    "count": rate.count,
                    "what": self._what,
                    "within": _span(rate.seconds),
                    "wait": _span(wait),
                }
                told = "{count} {what} in {within} are enough; go on in {wait}".format(**values)
                raise TooManyError(Refusal(told, "too-many", **values))
        times.append(now)
        self._times[who] = times


class Bucket:
    """A flow of one visitor: `wait` is how long the next one has to wait."""

    def __init__(self, flow: Flow, clock: Callable[[], float] = time.monotonic) -> None:
        self._flow, self._clock = flow, clock
        self._left, self._at = float(flow.burst), clock()

    def wait(self, count: int = 1) -> float:
        """Takes one, or so many, and returns the seconds until it is due: 0 within the flow."""
        now = self._clock()
        refilled = self._left + (now - self._at) * self._flow.a_second
        self._left = min(float(self._flow.burst), refilled) - count
        self._at = now
        return max(0.0, -self._left / self._flow.a_second)

    def give_back(self, count: int = 1) -> None:
        """Gives back what `wait` took: it was refused."""
        self._left += count


class Buckets:
    """A flow for each visitor by itself; visitors not seen for long are forgotten."""

    def __init__(self, flow: Flow, clock: Callable[[], float] = time.monotonic) -> None:
        self._flow, self._clock = flow, clock
        self._of = Recent[str, Bucket]()

    def allows(self, who: str) -> bool:
        """Whether one more of a visitor is within the flow; what is refused does not count."""
        self._of[who] = bucket = self._of.get(who) or Bucket(self._flow, self._clock)
        if bucket.wait() == 0.0:
            return True
        bucket.give_back()
        return False


class LogLimit(logging.Filter):
    """Lets lines of a log through as a flow allows; a traceback counts as ten. The next line that
    comes through says how many were left out.
    """

    def __init__(self, flow: Flow = LOG, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._bucket, self._left_out = Bucket(flow, clock), 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is written."""
        lines = _TRACEBACK if record.exc_info else 1
        if self._bucket.wait(lines) > 0:
            self._bucket.give_back(lines)
            self._left_out += 1
            return False
        if self._left_out:
            record.msg = f"({self._left_out} lines like these were left out) {record.getMessage()}"
            record.args, self._left_out = (), 0
        return True


def _span(seconds: float) -> Refusal:
    whole = max(1, round(seconds))
    if whole < 120:
        return Refusal(f"{whole} seconds", "span-seconds", n=whole)
    minutes, hours = round(whole / 60), round(whole / 3600)
    return (
        Refusal(f"{minutes} minutes", "span-minutes", n=minutes)
        if whole < 7200
        else Refusal(f"{hours} hours", "span-hours", n=hours)
    )
