"""Sends one notice: a push to the service of a browser.

An address that a stranger gives must not lead into the network of the server. So every address is
checked when it is connected to, whatever its name said before, and no answer leads on to another.
"""

import base64
import ipaddress
import json
import socket
import time
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiohttp import ClientError, ClientSession, ClientTimeout, TCPConnector
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

from rules.errors import InputError, Refusal
from rules.record import disk
from shutoko.web.notices.settings import Push

MAX_URL = 2000
"""Characters of an address."""

_TIMEOUT = ClientTimeout(total=10.0)
_LIVES = 86400  # seconds for which a push service keeps what it cannot deliver
_VALID = 12 * 3600  # seconds for which a signed push is valid; services allow 24 hours
_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # leads to an address of IPv4


class UnreachableError(Exception):
    """What was to be told could not be sent; `gone`: nobody is there any more."""

    def __init__(self, told: str, *, gone: bool = False) -> None:
        super().__init__(told)
        self.gone = gone


# --- over HTTP ------------------------------------------------------------------------------------


def check_url(url: str, *, private: bool) -> str:
    """The address, if one may be told there. Raises InputError for one that is none, that has no
    TLS, or that names an address of a private network. A name is looked up when it is used.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        host, parts = "", urlsplit("")
    schemes = ("https", "http") if private else ("https",)
    plain = url.isprintable() and " " not in url and len(url) <= MAX_URL
    if parts.scheme not in schemes or not host or not plain or "@" in parts.netloc:
        raise InputError(Refusal("this is no address that begins with https://", "notice-url"))
    literal = _address(host)
    if literal is not None and not private and not is_public(literal):
        raise InputError(Refusal("this address lies in a private network", "notice-private"))
    return url


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address lies in the internet, and in no network of its own or of this machine."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address.sixtofour is not None or address.teredo is not None or address in _NAT64:
            return False
    return address.is_global and not address.is_multicast


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None


class _Public(AbstractResolver):
    """Looks names up, and leaves out what is in a private network."""

    def __init__(self) -> None:
        self._plain = ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        found = await self._plain.resolve(host, port, family)
        allowed = [
            one for one in found if (at := _address(one["host"])) is not None and is_public(at)
        ]
        if not allowed:
            raise OSError(f"{host} lies in a private network")
        return allowed

    async def close(self) -> None:
        await self._plain.close()


async def post(url: str, body: bytes, headers: Mapping[str, str], *, private: bool) -> None:
    """Posts to an address. Raises UnreachableError unless it answers that all is well."""
    try:
        check_url(url, private=private)
    except InputError as error:
        raise UnreachableError(str(error)) from error
    connector = TCPConnector(resolver=None if private else _Public(), use_dns_cache=False)
    try:
        async with (
            ClientSession(connector=connector, timeout=_TIMEOUT, trust_env=False) as session,
            session.post(url, data=body, headers=headers, allow_redirects=False) as answer,
        ):
            status = answer.status
    except (ClientError, OSError, TimeoutError, ValueError) as error:
        raise UnreachableError(f"{type(error).__name__}: {error}") from error
    if not 200 <= status < 300:
        raise UnreachableError(f"it answers {status}", gone=status in (404, 410))


# --- push -----------------------------------------------------------------------------------------


class Pushing:
    """Sends pushes, signed with the key in `folder`, which the first start makes."""

    def __init__(self, folder: Path, settings: Push) -> None:
        Vapid02 = import_module("py_vapid").Vapid02

        self._settings, path = settings, folder / "push.pem"
        if not path.exists():
            made = Vapid02()
            made.generate_keys()
            disk.put(path, made.private_pem(), mode=0o600)
        try:
            self._key = Vapid02.from_pem(path.read_bytes())
        except Exception as error:  # the package raises what it likes
            raise InputError(f"{path}: no key for push: {error}") from error

    @property
    def public_key(self) -> str:
        """The key by which browsers know the server, as they want it: base64 for addresses."""
        numbers = self._key.public_key.public_numbers()
        point = b"\4" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
        return base64.urlsafe_b64encode(point).rstrip(b"=").decode()

    def check(self, given: Any) -> str:
        """What a browser gave as the place for its pushes, as a text to keep. Raises InputError for
        what is none.
        """
        try:
            url, keys = given["endpoint"], given["keys"]
            kept = {"endpoint": url, "keys": {key: keys[key] for key in ("p256dh", "auth")}}
            sizes = [len(base64.urlsafe_b64decode(f"{keys[key]}==")) for key in ("p256dh", "auth")]
        except (KeyError, TypeError, ValueError):
            url, kept, sizes = None, {}, []
        if not isinstance(url, str) or sizes != [65, 16]:
            raise InputError(Refusal("this is no place for pushes of a browser", "notice-push"))
        check_url(url, private=self._settings.private)
        return json.dumps(kept)

    async def send(self, to: str, told: Mapping[str, Any]) -> None:
        """Sends the notice `told`, encrypted for the browser. Raises UnreachableError."""
        push = import_module("pywebpush")
        place = json.loads(to)
        url = urlsplit(place["endpoint"])
        try:
            body = push.WebPusher(place).encode(json.dumps(told).encode(), "aes128gcm")["body"]
        except (push.WebPushException, ValueError) as error:
            raise UnreachableError(str(error), gone=True) from error
        claims = {
            "aud": f"{url.scheme}://{url.netloc}",
            "exp": int(time.time()) + _VALID,
            "sub": self._settings.contact,
        }
        headers = {
            **self._key.sign(claims),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_LIVES),
            "Urgency": "high",
        }
        await post(place["endpoint"], body, headers, private=self._settings.private)
