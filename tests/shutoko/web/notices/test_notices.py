"""Notices of a turn, each received by a real receiver: a mail server, a program, and the service of
a browser, which decrypts what it gets.
"""

from __future__ import annotations

import asyncio
import base64
import email
import email.policy
import ipaddress
import json
import os
import socket
import ssl
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")
pytest.importorskip("pywebpush", reason="pushes need shutoko[push]")

import http_ece
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from rules.errors import InputError, ShutokoError
from shutoko.web.limits import TooManyError
from shutoko.web.notices import bell as bells
from shutoko.web.notices.bell import Bell
from shutoko.web.notices.sending import UnreachableError, check_url, is_public, mailed, post
from shutoko.web.notices.settings import Mail, Push, Settings, Webhook, read
from shutoko.web.notices.wishes import MAX_OF_SEAT
from shutoko.web.rooms.room import RefusedError
from shutoko.web.rooms.store import Rooms, Setup
from tests.browser import free_port

BASE = "https://play.example.org"
_WORD = "open sesame"


# --- receivers ------------------------------------------------------------------------------------


class Sink:
    """Takes what is posted to it, and answers `status`."""

    def __init__(self) -> None:
        self.status, self.got = 201, list[tuple[str, dict[str, str], bytes]]()
        sink = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                sink.got.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                self.send_response(sink.status)
                self.send_header("Location", "http://127.0.0.1:1/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Nothing is said."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def sink() -> Iterator[Sink]:
    made = Sink()
    thread = threading.Thread(target=made.server.serve_forever, args=(0.02,))
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


class Box:
    """A mail box."""

    def __init__(self) -> None:
        self.mails: list[email.message.EmailMessage] = []
        self.logins: list[bytes] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        del server, session
        self.mails.append(email.message_from_bytes(envelope.content, policy=email.policy.default))
        return "250 taken"


@contextmanager
def mail_server(**how: Any) -> Iterator[tuple[Box, int]]:
    box, port = Box(), free_port()
    controller = Controller(box, hostname="127.0.0.1", port=port, **how)
    controller.start()
    try:
        yield box, port
    finally:
        controller.stop()


def mail(port: int, **how: Any) -> Mail:
    return Mail("127.0.0.1", "table@example.org", port, **{"security": "none", **how})


# --- a game ---------------------------------------------------------------------------------------


class Nobody:
    """Stands for workers; the games here need none."""


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs a visit to a room of two persons with a bell of these settings."""
    monkeypatch.setattr(bells, "_AGAIN", 0.05)

    def run(settings: Settings, visit: Callable[[Any, Bell], Any]) -> Any:
        async def visited() -> Any:
            bell = Bell(tmp_path, settings)
            rooms = Rooms(tmp_path / "rooms", Nobody())  # type: ignore[arg-type]
            rooms.bell = bell.hear
            setup = Setup("meridians", ("Ann", "Bo"), (None, None), {"size": 5, "pie": False})
            room = rooms.open(setup, "ann")
            room.claim(room.seats.secrets[1], "bo")
            try:
                return await visit(room, bell)
            finally:
                bell.close()
                rooms.close()

        return asyncio.run(visited())

    return run


async def move(room: Any, holder: str) -> None:
    await room.play(holder, str(room.position.legal_moves()[0]), room.record.next_ply)


async def until(found: Callable[[], Any], seconds: float = 20.0) -> Any:
    end = time.monotonic() + seconds
    while not (got := found()):
        assert time.monotonic() < end, "nothing came"
        await asyncio.sleep(0.02)
    return got


def ask(bell: Bell, room: Any, way: str, to: Any, holder: str = "bo", language: str = "en") -> Any:
    return bell.ask(room, holder, way, to, language, BASE, "visitor")


# --- each way, received ---------------------------------------------------------------------------


def test_a_program_of_a_player_gets_the_turn_as_json(play, sink):
    async def visit(room: Any, bell: Bell) -> None:
        ask(bell, room, "webhook", f"{sink.url}/turn")
        await move(room, "ann")
        path, headers, body = (await until(lambda: sink.got))[0]
        told = json.loads(body)
        assert path == "/turn"
        assert headers["content-type"] == "application/json"
        assert told["event"] == "your-turn"
        assert (told["game"], told["room"], told["seat"]) == ("meridians", room.id, 1)
        assert (told["player"], told["players"], told["ply"]) == ("Bo", ["Ann", "Bo"], 1)
        assert told["url"] == f"{BASE}/room/{room.id}"
        assert not any(secret in body.decode() for secret in room.seats.secrets)
        await move(room, "bo")  # nobody asked to be told of Ann's turns
        await asyncio.sleep(0.2)
        assert len(sink.got) == 1

    play(Settings(webhook=Webhook(private=True), after=0.0), visit)


def test_a_browser_gets_a_push_that_it_can_decrypt_signed_with_the_key_of_the_server(play, sink):
    private, secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    point = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def text(data: bytes) -> str:
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    place = {
        "endpoint": f"{sink.url}/push/1",
        "expirationTime": None,
        "keys": {"p256dh": text(point), "auth": text(secret)},
    }

    async def visit(room: Any, bell: Bell) -> None:
        ask(bell, room, "push", place, language="fr")
        await move(room, "ann")
        path, headers, body = (await until(lambda: sink.got))[0]
        told = json.loads(http_ece.decrypt(body, private_key=private, auth_secret=secret))
        assert path == "/push/1"
        assert told["title"] == "C'est à vous de jouer"
        assert "Bo" in told["body"]
        assert told["url"] == f"{BASE}/room/{room.id}"
        assert headers["content-encoding"] == "aes128gcm"
        assert int(headers["ttl"]) > 0
        assert bell.pushing is not None
        assert f"k={bell.pushing.public_key}" in headers["authorization"]
        assert Vapid02.verify(headers["authorization"])
        token = headers["authorization"].partition("t=")[2].partition(",")[0].split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(token + "=="))
        assert claims["aud"] == sink.url
        assert claims["sub"] == "mailto:host@example.org"
        sink.status = 410  # the browser has gone: its wish ends
        await move(room, "bo")
        await move(room, "ann")
        await until(lambda: not bell.wishes.of(room.id))

    play(Settings(push=Push("mailto:host@example.org", private=True), after=0.0), visit)


def test_a_mail_is_sent_only_after_its_address_was_confirmed(play):
    with mail_server() as (box, port):

        async def visit(room: Any, bell: Bell) -> None:
            wish = ask(bell, room, "mail", "bo@example.org")
            asked = (await until(lambda: box.mails))[0]
            assert asked["to"] == "bo@example.org"
            link = f"{BASE}/notices/{wish.token}"
            assert link in asked.get_content()
            await move(room, "ann")
            await asyncio.sleep(0.2)
            assert len(box.mails) == 1
            await move(room, "bo")
            assert bell.wishes.confirm(wish.token)
            await move(room, "ann")
            told = (await until(lambda: box.mails[1:]))[0]
            assert told["subject"] == "It is your turn"
            assert told["from"] == "table@example.org"
            assert told["list-unsubscribe"].strip() == f"<{link}>"
            assert f"{BASE}/room/{room.id}" in told.get_content()
            assert "Ann" in told.get_content()
            assert not any(secret in told.get_content() for secret in room.seats.secrets)

        play(Settings(mail=mail(port), after=0.0), visit)


def test_a_mail_server_may_ask_for_a_password_over_tls(tmp_path):
    certificate = _certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)

    def login(server: Any, session: Any, envelope: Any, mechanism: Any, data: Any) -> AuthResult:
        del server, session, envelope, mechanism
        return AuthResult(success=(data.login, data.password) == (b"me", _WORD.encode()))

    with mail_server(
        tls_context=context, authenticator=login, auth_required=True, require_starttls=True
    ) as (box, port):
        settings = mail(port, security="starttls", user="me", password=_WORD)
        with pytest.raises(UnreachableError, match="certificate"):  # nobody vouches for it
            mailed(settings, "bo@example.org", "a", "b", BASE)
        assert not box.mails
        trusted = ssl.create_default_context(cafile=str(certificate))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ssl, "create_default_context", lambda: trusted)
            mailed(settings, "bo@example.org", "a", "b", BASE)
            wrong = mail(port, security="starttls", user="me", password=_WORD[::-1])
            with pytest.raises(UnreachableError):
                mailed(wrong, "bo@example.org", "a", "b", BASE)
        assert len(box.mails) == 1


def _certificate(folder: Path) -> Path:
    from datetime import UTC, datetime, timedelta

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.serialization import NoEncryption, PrivateFormat

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / "certificate.pem"
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(secret + made.public_bytes(Encoding.PEM))
    return path


# --- what must not happen -------------------------------------------------------------------------


def test_a_mail_server_that_does_not_answer_stops_nothing(play):
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()

        async def visit(room: Any, bell: Bell) -> None:
            wish = ask(bell, room, "mail", "bo@example.org")
            bell.wishes.confirm(wish.token)
            begun = time.monotonic()
            for _ in range(2):
                await move(room, "ann")
                await move(room, "bo")
                await asyncio.sleep(0.02)
            assert time.monotonic() - begun < 3.0
            assert bell._tasks  # the mails still wait

        begun = time.monotonic()
        play(Settings(mail=mail(deaf.getsockname()[1], timeout=4.0), after=0.0), visit)
        assert time.monotonic() - begun < 30.0


def test_each_way_is_off_until_the_settings_say_so(play):
    async def visit(room: Any, bell: Bell) -> None:
        for way in ("push", "mail", "webhook"):
            with pytest.raises(InputError, match="sends no such notices"):
                ask(bell, room, way, "https://example.org")
        await move(room, "ann")
        assert not bell._tasks

    play(Settings(), visit)


def test_only_whoever_has_a_seat_is_told_and_only_of_that_seat(play):
    async def visit(room: Any, bell: Bell) -> None:
        with pytest.raises(RefusedError):
            ask(bell, room, "webhook", "https://example.org", holder="watcher")
        wish = ask(bell, room, "webhook", "https://example.org", holder="bo")
        assert wish.seat == 1
        assert bell.mine(room, "bo") == (wish,)
        assert bell.mine(room, "ann") == bell.mine(room, "watcher") == ()

    play(Settings(webhook=Webhook(), after=0.0), visit)


def test_a_turn_that_is_over_by_then_is_not_told_and_a_game_that_ended_forgets_its_notices(
    play, sink, tmp_path
):
    async def visit(room: Any, bell: Bell) -> None:
        ask(bell, room, "webhook", sink.url)
        await move(room, "ann")
        await move(room, "bo")  # within the moment
        await asyncio.sleep(0.6)
        assert not sink.got
        assert list((tmp_path / "notices").glob("*.json"))
        await room.resign("ann")
        assert not bell.wishes.of(room.id)
        assert not list((tmp_path / "notices").glob("*.json"))

    play(Settings(webhook=Webhook(private=True), after=0.3), visit)


def test_whoever_plays_both_seats_is_not_told_of_the_other_one(play, sink):
    async def visit(room: Any, bell: Bell) -> None:
        room.claim(room.seats.secrets[1], "ann")
        ask(bell, room, "webhook", sink.url, holder="ann")
        await move(room, "ann")
        await asyncio.sleep(0.2)
        assert not sink.got

    play(Settings(webhook=Webhook(private=True), after=0.0), visit)


def test_wishes_and_the_key_are_kept_for_the_owner_of_the_server_alone(play, tmp_path):
    settings = Settings(push=Push("mailto:a@example.org"), webhook=Webhook(), after=0.0)

    async def first(room: Any, bell: Bell) -> tuple[str, str]:
        ask(bell, room, "webhook", "https://example.org/x")
        return room.id, bell.pushing.public_key

    async def second(room: Any, bell: Bell) -> str:
        del room
        assert [wish.to for wish in bell.wishes.of(known)] == ["https://example.org/x"]
        return bell.pushing.public_key

    known, key = play(settings, first)
    assert play(settings, second) == key
    for path in (tmp_path / "push.pem", *(tmp_path / "notices").glob("*.json")):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_notices_are_bounded_by_seat_by_visitor_and_by_mail_address(play):
    async def visit(room: Any, bell: Bell) -> None:
        first = ask(bell, room, "webhook", "https://example.org/0")
        assert ask(bell, room, "webhook", "https://example.org/0") == first
        for n in range(1, MAX_OF_SEAT):
            ask(bell, room, "webhook", f"https://example.org/{n}")
        with pytest.raises(InputError, match="too many notices"):
            ask(bell, room, "webhook", "https://example.org/more")
        for _ in range(10 - MAX_OF_SEAT - 2):
            ask(bell, room, "webhook", "https://example.org/0")
        with pytest.raises(TooManyError):
            ask(bell, room, "webhook", "https://example.org/0")

    play(Settings(webhook=Webhook(), after=0.0), visit)

    async def mails(room: Any, bell: Bell) -> None:
        for name in ("Bo@example.org", "bo@example.org"):
            bell.wishes.end(ask(bell, room, "mail", name).token)
        with pytest.raises(TooManyError, match="mails to this address"):
            ask(bell, room, "mail", "bo@example.ORG")

    play(Settings(mail=mail(1, timeout=0.2), after=0.0), mails)


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


@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_of_private_networks_are_refused(address):
    assert not is_public(ipaddress.ip_address(address))
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(InputError):
        check_url(f"https://{host}/x", private=False)


@pytest.mark.parametrize(
    "url",
    [
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
    ],
)
def test_what_is_no_address_of_the_internet_is_refused(url):
    with pytest.raises(InputError):
        check_url(url, private=False)


@pytest.mark.parametrize("host", ["localhost", "127.1", "2130706433", "0x7f000001"])
def test_a_name_that_leads_into_the_own_network_is_not_connected_to(sink, host):
    port = sink.server.server_port
    with pytest.raises(UnreachableError):
        asyncio.run(post(f"https://{host}:{port}/", b"{}", {}, private=False))
    assert not sink.got


def test_public_addresses_are_allowed_and_an_answer_does_not_lead_on(sink):
    assert is_public(ipaddress.ip_address("1.1.1.1"))
    assert is_public(ipaddress.ip_address("2606:4700::1111"))
    sink.status = 307
    with pytest.raises(UnreachableError, match="307"):
        asyncio.run(post(sink.url, b"{}", {}, private=True))
    assert len(sink.got) == 1


@pytest.mark.parametrize(
    "place",
    [
        None,
        [],
        {"endpoint": 3, "keys": {"p256dh": "", "auth": ""}},
        {"endpoint": "https://example.org", "keys": {"p256dh": "AAAA", "auth": "AAAA"}},
        {"endpoint": "https://example.org"},
    ],
)
def test_what_is_no_place_for_pushes_is_refused(play, place):
    async def visit(room: Any, bell: Bell) -> None:
        with pytest.raises(InputError, match="no place for pushes"):
            ask(bell, room, "push", place)

    play(Settings(push=Push("mailto:a@example.org"), after=0.0), visit)


@pytest.mark.parametrize(
    "address", ["", "bo", "bo@", "a@b\nBcc: c@example.org", "a@b, c@d", "x" * 300 + "@example.org"]
)
def test_what_is_no_mail_address_is_refused(play, address):
    async def visit(room: Any, bell: Bell) -> None:
        with pytest.raises(InputError, match="no mail address"):
            ask(bell, room, "mail", address)

    play(Settings(mail=mail(1), after=0.0), visit)


# --- settings -------------------------------------------------------------------------------------


def test_settings_are_read_and_what_is_not_named_is_off(tmp_path):
    path = tmp_path / "notices.toml"
    path.write_text("")
    assert read(path) == Settings()
    assert read(path).ways == ()
    path.write_text(
        'after = 5\n[push]\ncontact = "mailto:me@example.org"\n'
        '[mail]\nhost = "mail.example.org"\nfrom = "table@example.org"\nuser = "me"\n'
        'password = "secret"\nsecurity = "tls"\n[webhook]\nprivate = true\n'
    )
    found = read(path)
    assert found.ways == ("push", "mail", "webhook")
    assert found.after == 5.0
    assert found.mail is not None
    assert (found.mail.port, found.mail.security) == (465, "tls")
    assert found.webhook == Webhook(private=True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("after = -1", "after: must be from 0 to 86400"),
        ("[push]", "push.contact: is missing"),
        ('[push]\ncontact = "me"', "push.contact: give mailto:"),
        ('[mail]\nhost = "x"\nfrom = "me"', "mail.from: give one mail address"),
        ('[mail]\nhost = "x"\nfrom = "a@b"\nsecurity = "ssl"', "mail.security: choose starttls"),
        ('[mail]\nhost = "x"\nfrom = "a@b"\nuser = "me"', "user and password go together"),
        ('[mail]\nhost = "x"\nfrom = "a@b"\nport = 70000', "mail.port: must be from 1 to 65535"),
        ('[webhook]\nprivate = "yes"', "webhook.private: must be true or false"),
        ("[webhok]", "webhok: is unknown"),
        ("webhook = true", "webhook: must be a table"),
        ("[[", "no settings of notices"),
    ],
)
def test_settings_that_cannot_be_used_are_refused_with_file_and_key(tmp_path, text, said):
    path = tmp_path / "notices.toml"
    path.write_text(text)
    with pytest.raises(ShutokoError) as raised:
        read(path)
    assert said in str(raised.value)
    assert "notices.toml" in str(raised.value)
