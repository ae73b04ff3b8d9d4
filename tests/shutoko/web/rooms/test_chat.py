"""What is said in a room: one short line or a known emote, to everybody who listens, kept for those who come later."""

from __future__ import annotations

import pytest

from rules.errors import Refusal
from shutoko.web.limits import SAID, Counts, TooManyError
from shutoko.web.rooms.chat import EMOTES, MAX_SAID, Chat, Said


def test_a_message_is_one_short_printable_line_and_everybody_hears_it():
    chat, heard = Chat(), []
    leave = chat.hear(heard.append)
    assert chat.say(0, "Ann", " a\x00\n b ")
    assert chat.say(None, "", "x" * 10_000)
    assert chat.say(1, "Bo", "not read", EMOTES[0])
    leave()
    assert chat.say(0, "Ann", "bye")
    assert heard == [Said(0, "Ann", "a b"), Said(None, "", "x" * MAX_SAID), Said(1, "Bo", "", EMOTES[0])]
    assert chat.said == (*heard, Said(0, "Ann", "bye"))


@pytest.mark.parametrize(("text", "emote"), [("", ""), (" \n", ""), ("", "<b>"), ("\x00", "unknown")])
def test_an_empty_message_is_not_sent(text, emote):
    chat = Chat()
    assert not chat.say(0, "Ann", text, emote)
    assert chat.said == ()


def test_a_chat_forgets_the_oldest_and_a_visitor_may_not_flood_it():
    chat = Chat()
    for n in range(300):
        chat.say(0, "Ann", str(n))
    assert len(chat.said) == 100
    assert chat.said[-1].text == "299"
    counts = Counts(Refusal("messages", "what-messages"), SAID, lambda: 0.0)
    for _ in range(SAID[0].count):
        counts.count("ann")
    with pytest.raises(TooManyError, match="messages"):
        counts.count("ann")
