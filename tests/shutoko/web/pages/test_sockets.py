"""Messages of sockets: what no page of ours sends is dropped without a word, and what one sends
arrives.
"""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from nicegui import Client, core, ui
from nicegui.page import page

from shutoko.web.pages.sockets import check_events

OWN, OTHER = "socket of the page", "socket of another page"


@pytest.fixture
def clicked(monkeypatch):
    """A page with a button: what it was sent, the page, and the message of a click."""
    found: list[Any] = []
    wrong: list[BaseException] = []
    before = dict(core.sio.handlers["/"])
    check_events()
    with Client(page("")) as client:
        button = ui.button("x").on("poke", lambda event: found.append(event.args))
    (poke,) = [key for key, one in button._event_listeners.items() if one.type == "poke"]
    monkeypatch.setattr(Client, "has_socket_connection", True)
    monkeypatch.setattr(core.sio, "rooms", lambda sid: [sid, client.id] if sid == OWN else [sid])
    monkeypatch.setattr(core.app, "handle_exception", wrong.append)
    yield (
        found,
        client,
        {"client_id": client.id, "id": button.id, "listener_id": poke, "args": ["1"]},
    )
    client.delete()
    core.sio.handlers["/"].clear()
    core.sio.handlers["/"].update(before)
    assert wrong == []


def sent(name, *values, sid=OWN):
    answer = core.sio.handlers["/"][name](sid, *values)
    return asyncio.run(answer) if inspect.iscoroutine(answer) else answer


def test_an_event_of_the_page_itself_arrives_and_one_of_another_socket_does_not(clicked):
    found, _, click = clicked
    sent("event", dict(click))
    assert found == [1]
    sent("event", dict(click), sid=OTHER)
    assert found == [1]


NONSENSE: list[Any] = [
    None,
    1,
    "x",
    [],
    ["client_id"],
    {},
    {"client_id": None},
    {"client_id": ["x"]},
    {"client_id": "x" * 10**6},
]
WRONG = {
    "id": [None, "1", -1, 1.5, True, [], 2**70, 10**6],
    "listener_id": [None, 1, "x", [], {}],
    "args": [None, "x", {}, [1], [{}], ["{"], ["NaN"], ["[" * 100_000], ["\ud800"]],
}


@pytest.mark.parametrize("name", ["event", "javascript_response", "ack", "log", "handshake"])
def test_messages_of_any_other_shape_are_dropped_without_an_error(clicked, name):
    found, _, _ = clicked
    sent(name)
    for value in NONSENSE:
        sent(name, value)
    assert found == []


@pytest.mark.parametrize(
    ("key", "value"), [(key, value) for key, values in WRONG.items() for value in values]
)
def test_an_event_that_no_element_listens_to_or_whose_values_are_no_json_is_dropped(
    clicked, key, value
):
    found, _, click = clicked
    sent("event", {**click, key: value})
    sent(
        "event",
        {name: said for name, said in click.items() if name != key}
        if key != "args"
        else {**click, "args": value},
    )
    assert found == []


@pytest.mark.parametrize(
    "key", ["client_id", "tab_id", "document_id", "old_tab_id", "next_message_id"]
)
@pytest.mark.parametrize("value", [["x"], {}, 1.5, "x" * 1000])
def test_a_handshake_of_any_other_shape_is_refused(clicked, key, value):
    _, client, _ = clicked
    said = {
        "client_id": client.id,
        "tab_id": "t",
        "document_id": "d",
        "old_tab_id": None,
        "next_message_id": 0,
        key: value,
    }
    assert sent("handshake", said) is False


@pytest.mark.parametrize(
    "query", ["", "&client_id=x", "&client_id=x&tab_id=t&document_id=d&next_message_id=x"]
)
def test_a_socket_that_claims_a_page_and_names_none_is_refused(clicked, query):
    assert sent("connect", {"QUERY_STRING": f"implicit_handshake=true{query}"}) is False


def test_pages_write_nothing_into_the_log(clicked, caplog):
    _, client, _ = clicked
    sent("log", {"client_id": client.id, "level": "error", "message": "forged\nline"})
    assert caplog.messages == []
