"""Notices of a turn, received by the service of a browser, which decrypts what it gets."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import stat
import warnings
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")
pytest.importorskip("pywebpush", reason="pushes need shutoko[push]")

import http_ece
from aiohttp import web
from aiohttp.test_utils import TestServer
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from rules.errors import InputError, ShutokoError
from shutoko.web.limits import TooManyError
from shutoko.web.notices import bell as bells
from shutoko.web.notices.bell import MAX_OF_SEAT, Bell, Wishes
from shutoko.web.notices.sending import UnreachableError, check_url, post
from shutoko.web.notices.settings import Push, Settings, read
from shutoko.web.rooms.seats import RefusedError
from shutoko.web.rooms.store import Rooms, Setup
from tests.browser import until

pytestmark = pytest.mark.anyio

BASE = "https://play.example.org"
ON = Settings(Push("mailto:host@example.org", private=True), after=0.0)
_PRIVATE, _SECRET = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)


# --- a receiver -----------------------------------------------------------------------------------


@pytest.fixture
async def sink() -> AsyncIterator[Any]:
    """Takes what is posted to it, and answers `status`."""
    made = SimpleNamespace(status=201, got=list[tuple[str, Mapping[str, str], bytes]]())

    async def take(asked: web.Request) -> web.Response:
        made.got.append((asked.path, asked.headers, await asked.read()))
        elsewhere = {"Location": "http://127.0.0.1:1/elsewhere"}
        return web.Response(status=made.status, headers=elsewhere)

    app = web.Application()
    app.router.add_post("/{any:.*}", take)
    async with TestServer(app) as server:
        made.port, made.url = server.port, f"http://127.0.0.1:{server.port}"
        yield made


# --- a game ---------------------------------------------------------------------------------------


class Nobody:
    """Stands for workers; the games here need none."""


@pytest.fixture(params=[ON])
async def table(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Any, Bell]]:
    """A room of two persons, and a bell with these settings."""
    monkeypatch.setattr(bells, "_AGAIN", 0.05)
    bell = Bell(tmp_path, request.param)
    rooms = Rooms(tmp_path / "rooms", Nobody())  # type: ignore[arg-type]
    rooms.bell = bell.hear
    setup = Setup("meridians", ("Ann", "Bo"), (None, None), {"size": 5, "pie": False})
    room = rooms.open(setup, "ann")
    room.claim(room.seats.secrets[1], "bo")
    yield room, bell
    bell.close()
    rooms.close()


def settings(given: Settings) -> pytest.MarkDecorator:
    """The mark of a test whose bell has these settings."""
    return pytest.mark.parametrize("table", [given], indirect=True)


async def move(room: Any, holder: str) -> None:
    await room.play(holder, str(room.position.legal_moves()[0]), room.record.next_ply)


def place(endpoint: str) -> dict[str, Any]:
    """What a browser gives as the place for its pushes."""
    point = _PRIVATE.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    keys = {"p256dh": _base64(point), "auth": _base64(_SECRET)}
    return {"endpoint": endpoint, "expirationTime": None, "keys": keys}


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def ask(bell: Bell, room: Any, to: Any, holder: str = "bo", language: str = "en") -> Any:
    return bell.ask(room, holder, to, language, BASE, "visitor")


# --- a push, received ---------------------------------------------------------------------------


async def test_a_browser_gets_a_push_that_it_can_decrypt_signed_with_the_servers_key(table, sink):
    room, bell = table
    ask(bell, room, place(f"{sink.url}/push/1"), language="fr")
    await move(room, "ann")
    path, headers, body = (await asyncio.to_thread(until, lambda: sink.got, "a push"))[0]
    told = json.loads(http_ece.decrypt(body, private_key=_PRIVATE, auth_secret=_SECRET))
    assert (path, told["title"]) == ("/push/1", "C'est à vous de jouer")
    assert "Bo" in told["body"]
    assert told["url"] == f"{BASE}/room/{room.id}"
    assert (headers["content-encoding"], int(headers["ttl"]) > 0) == ("aes128gcm", True)
    signed = headers["authorization"]
    assert f"k={bell.pushing.public_key}" in signed
    assert Vapid02.verify(signed)
    token = signed.partition("t=")[2].partition(",")[0].split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(token + "=="))
    assert (claims["aud"], claims["sub"]) == (sink.url, "mailto:host@example.org")
    sink.status = 410  # the browser has gone: its wish ends
    for who in ("bo", "ann"):
        await move(room, who)
    await asyncio.to_thread(until, lambda: not bell.wishes.of(room.id), "its wish ends")


# --- what must not happen -------------------------------------------------------------------------


@settings(Settings())
async def test_notices_are_off_until_the_settings_say_so(table):
    room, bell = table
    with pytest.raises(InputError, match="sends no notices"):
        ask(bell, room, place("https://example.org"))
    await move(room, "ann")
    assert not bell._tasks


async def test_only_whoever_has_a_seat_is_told_and_only_of_that_seat(table):
    room, bell = table
    with pytest.raises(RefusedError):
        ask(bell, room, place("https://example.org"), holder="watcher")
    wish = ask(bell, room, place("https://example.org"), holder="bo")
    assert wish.seat == 1
    assert bell.mine(room, "bo") == (wish,)
    assert bell.mine(room, "ann") == bell.mine(room, "watcher") == ()


@settings(replace(ON, after=0.3))
async def test_a_turn_that_is_over_by_then_is_not_told_and_a_game_that_ended_forgets_its_notices(
    table, sink, tmp_path
):
    room, bell = table
    ask(bell, room, place(sink.url))
    for who in ("ann", "bo"):  # within the moment
        await move(room, who)
    await asyncio.sleep(0.6)
    assert not sink.got
    assert list((tmp_path / "notices").glob("*.json"))
    await room.resign("ann")
    assert not bell.wishes.of(room.id)
    assert not list((tmp_path / "notices").glob("*.json"))


async def test_whoever_plays_both_seats_is_not_told_of_the_other_one(table, sink):
    room, bell = table
    room.claim(room.seats.secrets[1], "ann")
    ask(bell, room, place(sink.url), holder="ann")
    await move(room, "ann")
    await asyncio.sleep(0.2)
    assert not sink.got


async def test_wishes_and_the_key_are_kept_for_the_owner_of_the_server_alone(table, tmp_path):
    room, bell = table
    known = ask(bell, room, place("https://example.org/x"))
    again = Bell(tmp_path, ON)
    assert again.wishes.of(room.id) == (known,)
    assert again.pushing.public_key == bell.pushing.public_key
    again.close()
    for path in (tmp_path / "push.pem", *(tmp_path / "notices").glob("*.json")):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_wishes_for_mail_and_webhook_are_skipped_with_a_line_each_and_stay_on_disk(
    tmp_path, caplog
):
    def stored(way: str, to: str) -> Path:
        token = way[0] * 32
        path = tmp_path / f"{token}.json"
        kept = {"room": "abc", "seat": 1, "way": way, "to": to, "language": "en", "base": BASE}
        path.write_text(json.dumps({**kept, "confirmed": True, "since": 1e9, "token": token}))
        return path

    mail, webhook = stored("mail", "bo@example.org"), stored("webhook", "https://example.org")
    stored("push", json.dumps(place("https://example.org")))
    with caplog.at_level("WARNING"):
        wishes = Wishes(tmp_path)
    assert [wish.token for wish in wishes.of("abc")] == ["p" * 32]
    assert [record.getMessage() for record in caplog.records] == [
        f"{path}: a notice by {way} is not sent: the player can ask for a push in the room"
        for way, path in (("mail", mail), ("webhook", webhook))
    ]
    wishes.end("p" * 32)
    wishes.end("m" * 32)
    assert sorted(tmp_path.iterdir()) == [mail, webhook]


async def test_notices_are_bounded_by_seat_and_by_visitor(table):
    room, bell = table
    first = ask(bell, room, place("https://example.org/0"))
    for n in range(MAX_OF_SEAT):
        found = ask(bell, room, place(f"https://example.org/{n}"))
        assert (found == first) == (n == 0)
    with pytest.raises(InputError, match="too many notices"):
        ask(bell, room, place("https://example.org/more"))
    for _ in range(10 - MAX_OF_SEAT - 2):
        ask(bell, room, place("https://example.org/0"))
    with pytest.raises(TooManyError):
        ask(bell, room, place("https://example.org/0"))


# --- private networks -----------------------------------------------------------------------------

PRIVATE = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.1",
    "224.0.0.1",
    "::1",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "::",
    "ff02::1",
]


BAD = [
    "http://example.org/",
    "ftp://example.org/",
    "https://",
    "https://user:password@example.org/",
    "https://exa mple.org/",
    "https://example.org:99999/",
    "https://[::",
    "https://example.org/" + "x" * 2000,
    "javascript:alert(1)",
    "",
    *(
        f"https://[{address}]/x" if ":" in address else f"https://{address}/x"
        for address in PRIVATE
    ),
]


@pytest.mark.parametrize("url", BAD)
def test_what_is_no_address_of_the_internet_or_of_a_private_network_is_refused(url):
    with pytest.raises(InputError):
        check_url(url, private=False)


@pytest.mark.parametrize("host", ["localhost", "127.1", "2130706433", "0x7f000001"])
async def test_a_name_that_leads_into_the_own_network_is_not_connected_to(sink, host):
    with pytest.raises(UnreachableError):
        await post(f"https://{host}:{sink.port}/", b"{}", {}, private=False)
    assert not sink.got


async def test_public_addresses_are_allowed_and_an_answer_does_not_lead_on(sink):
    for host in ("1.1.1.1", "[2606:4700::1111]"):
        check_url(f"https://{host}/", private=False)
    sink.status = 307
    with pytest.raises(UnreachableError, match="307"):
        await post(sink.url, b"{}", {}, private=True)
    assert len(sink.got) == 1


@pytest.mark.parametrize(
    "given",
    [
        None,
        [],
        {"endpoint": 3, "keys": {"p256dh": "", "auth": ""}},
        {"endpoint": "https://example.org", "keys": {"p256dh": "AAAA", "auth": "AAAA"}},
        {"endpoint": "https://example.org"},
    ],
)
async def test_what_is_no_place_for_pushes_is_refused(table, given):
    room, bell = table
    with pytest.raises(InputError, match="no place for pushes"):
        ask(bell, room, given)


# --- settings -------------------------------------------------------------------------------------


CONTACT = '[push]\ncontact = "mailto:me@example.org"\n'


@pytest.mark.parametrize(
    ("text", "found", "gone"),
    [
        ("", Settings(), []),
        (f"after = 5\n{CONTACT}", Settings(Push("mailto:me@example.org"), 5.0), []),
        (
            f'{CONTACT}[mail]\nhost = "mail.example.org"\n[webhook]\n',
            Settings(Push("mailto:me@example.org")),
            ["[mail", "[webhook"],
        ),
    ],
)
def test_settings_are_read_and_tables_of_mail_and_webhook_give_a_warning_each(
    tmp_path, text, found, gone
):
    path = tmp_path / "notices.toml"
    path.write_text(text)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        assert read(path) == found
    told = [str(one.message) for one in warned]
    assert [one.partition("]")[0] for one in told] == [f"{path}: {table}" for table in gone]
    assert all("by push only" in one for one in told)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("after = -1", "after: must be from 0 to 86400"),
        ("after = true", "after: must be a number"),
        ("[push]", "push.contact: is missing"),
        ('[push]\ncontact = "me"', "push.contact: give mailto:"),
        ("[push]\ncontact = 5", "push.contact: must be a text"),
        (f"{CONTACT}private = 1", "push.private: must be true or false"),
        (f"{CONTACT}wat = 1", "push.wat: is unknown"),
        ("[webhok]", "webhok: is unknown"),
        ("push = true", "push: must be a table"),
        ("[[", "no settings of notices"),
    ],
)
def test_settings_that_cannot_be_used_are_refused_with_file_and_key(tmp_path, text, said):
    path = tmp_path / "notices.toml"
    path.write_text(text)
    with pytest.raises(ShutokoError) as raised:
        read(path)
    assert str(raised.value).startswith(f"{path}: {said}")
