"""What comes over the sockets of pages is checked before the framework sees it.

The framework trusts its own scripts: a message of another shape ends in a traceback in the log.
Here such a message is dropped, and so is one for a page that its socket does not belong to.
Browsers may not write into the log of the server.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs

from nicegui import Client, core, json

_LONGEST_ID = 100  # characters


def check_events() -> None:
    """Puts the checks before the framework's handlers of messages; another call does nothing."""
    sio = core.sio
    handlers: dict[str, Callable[..., Any]] = sio.handlers["/"]
    connect, shake = handlers["connect"], handlers["handshake"]
    if shake.__module__ == __name__:
        return

    async def connected(sid: str, environ: dict[str, Any], auth: Any = None) -> Any:
        query = {k: v[0] for k, v in parse_qs(environ.get("QUERY_STRING", "")).items()}
        if query.get("implicit_handshake") == "true" and not is_handshake(query):
            return False  # refused
        return await connect(sid, environ, auth)

    async def shaken(sid: str, said: Any = None, *_: Any) -> bool:
        return bool(is_handshake(said) and await shake(sid, said))

    def checked(known: Callable[..., Any], is_right: Callable[[Any], bool]) -> Callable[..., None]:
        def handle(sid: str, said: Any = None, *_: Any) -> None:
            if is_right(said) and said["client_id"] in sio.rooms(sid):
                known(sid, said)

        return handle

    handlers["connect"], handlers["handshake"] = connected, shaken
    for name, is_right in (
        ("event", is_event),
        ("javascript_response", _is_answer),
        ("ack", _is_receipt),
    ):
        handlers[name] = checked(handlers[name], is_right)
    handlers["log"] = lambda *_: None


def is_handshake(said: Any) -> bool:
    """Whether a page tells who it is: its client, its tab, its document, and what it has seen."""
    if not isinstance(said, Mapping):
        return False
    old, seen = said.get("old_tab_id"), said.get("next_message_id")
    names = (said.get("client_id"), said.get("tab_id"), said.get("document_id"))
    return (
        all(map(_is_id, names))
        and (old is None or (isinstance(old, str) and len(old) <= _LONGEST_ID))
        and (seen is None or _is_count(seen) or (isinstance(seen, str) and _is_number(seen)))
    )


def is_event(said: Any) -> bool:
    """Whether a page sends an event for an element of its own that listens, with values as JSON."""
    if not _is_of_page(said):
        return False
    page = Client.instances.get(said["client_id"])
    number, args = said.get("id"), said.get("args", [])
    if page is None or not isinstance(number, int) or not isinstance(args, list):
        return False
    element = page.elements.get(number)
    listener = said.get("listener_id")
    if element is None or not isinstance(listener, str) or listener not in element._event_listeners:  # noqa: SLF001 - NiceGUI has no public way to ask
        return False
    return all(arg is None or (isinstance(arg, str) and _is_json(arg)) for arg in args)


def _is_answer(said: Any) -> bool:
    return _is_of_page(said) and _is_id(said.get("request_id"))


def _is_receipt(said: Any) -> bool:
    return _is_of_page(said) and _is_count(said.get("next_message_id"))


def _is_of_page(said: Any) -> bool:
    return isinstance(said, dict) and _is_id(said.get("client_id"))


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_ID


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 16


def _is_json(text: str) -> bool:
    with suppress(ValueError, RecursionError):
        json.loads(text)
        return True
    return False
