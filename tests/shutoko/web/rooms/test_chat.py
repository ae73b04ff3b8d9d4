"""What people in a room tell each other: one short line or a known emote to all; an aim to the
others, seldom enough.
"""

from __future__ import annotations

import asyncio

import pytest

from rules.errors import Refusal
from shutoko.web.limits import SAID, Counts, TooManyError
from shutoko.web.rooms.chat import EMOTES, MAX_SAID, Aim, Chat, Live, Said

pytestmark = pytest.mark.anyio


def test_a_message_is_one_short_printable_line_and_everybody_hears_it():
    chat, heard = Chat(), []
    leave = chat.hear(heard.append)
    assert chat.say(0, "Ann", " a\x00\n b ")
    assert chat.say(None, "", "x" * 10_000)
    assert chat.say(1, "Bo", "not read", EMOTES[0])
    leave()
    assert chat.say(0, "Ann", "bye")
    assert heard == [
        Said(0, "Ann", "a b"),
        Said(None, "", "x" * MAX_SAID),
        Said(1, "Bo", "", EMOTES[0]),
    ]
    assert chat.said == (*heard, Said(0, "Ann", "bye"))


@pytest.mark.parametrize(
    ("text", "emote"), [("", ""), (" \n", ""), ("", "<b>"), ("\x00", "unknown")]
)
def test_an_empty_message_is_not_sent(text, emote):
    chat = Chat()
    assert (chat.say(0, "Ann", text, emote), chat.said) == (False, ())


def test_a_chat_forgets_the_oldest_and_a_visitor_may_not_flood_it():
    chat, counts = Chat(), Counts(Refusal("messages", "what-messages"), SAID, lambda: 0.0)
    for n in range(300):
        chat.say(0, "Ann", str(n))
    assert [said.text for said in chat.said] == [str(n) for n in range(200, 300)]
    for _ in range(SAID[0].count):
        counts.count("ann")
    with pytest.raises(TooManyError, match="messages"):
        counts.count("ann")


async def test_others_get_the_first_and_the_last_of_many_aims_and_the_sender_none():
    live, heard, own = Live(), [], []
    live.hear(heard.append)
    leave = live.hear(own.append)
    for cell in (*"abcdefg", "z", "z"):
        live.show(own.append, Aim(0, (cell,)))
    async with asyncio.timeout(60):
        while len(heard) < 2:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)
    assert (heard, own, live.now) == ([Aim(0, ("a",)), Aim(0, ("z",))], [], Aim(0, ("z",)))
    leave()  # whoever leaves the page aims no more
    assert live.now is None


async def test_a_waiting_aim_is_dropped_when_the_position_changes():
    live, heard = Live(), []
    live.hear(heard.append)
    for cell in "abc":
        live.show(print, Aim(0, (cell,)))
    live.clear()
    assert live.now is None
    await asyncio.sleep(0.3)
    assert heard == [Aim(0, ("a",))]
