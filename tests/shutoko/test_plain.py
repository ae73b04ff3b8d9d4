"""Control characters in what strangers wrote are shown on a terminal and never obeyed."""

from __future__ import annotations

import io
import json
import sys
from contextlib import suppress

import pytest
from rich.text import Text

from rules.record import Entry, Header, Record, loads, write
from shutoko.cli import main
from shutoko.plain import plain, plain_rich, plain_streams
from shutoko.terminal.voice import Voice

EVIL = "\x1b[2J\x1b]0;title\x07\x9b31m\x7f\r\x08"
RAW = [chr(n) for n in (*range(9), *range(11, 32), *range(127, 160))]


def raw_in(text: str) -> list[str]:
    return [char for char in RAW if char in text]


def test_every_control_character_but_tabs_and_line_feeds_is_shown():
    assert raw_in(plain("".join(RAW))) == []
    assert plain("a\tb\nc é 가") == "a\tb\nc é 가"
    assert plain("\x1b[2J") == "\u241b[2J"


def test_a_text_with_styles_keeps_its_length_and_its_styles():
    found = plain_rich(Text(f"a{EVIL}b", style="red"))
    assert raw_in(found.plain) == []
    assert len(found.plain) == len(Text(f"a{EVIL}b").plain)
    assert found.style == "red"


def test_json_stays_the_same_for_programs(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    with plain_streams():
        sys.stdout.writelines([json.dumps({"name": EVIL}, ensure_ascii=False)])
    said = sys.stdout.getvalue()
    assert raw_in(said) == []
    assert json.loads(said) == {"name": EVIL}


@pytest.fixture
def record(tmp_path):
    """A record whose texts hold escape sequences wherever a text may stand."""
    path = tmp_path / "g.jsonl"
    names = (f"Ann{EVIL}", f"Bo{EVIL}")
    write(
        Record(Header("meridians", names, version=(1, 0)), (Entry(0, 0, "b2", note=f"hm{EVIL}"),)),
        path,
    )
    return path


@pytest.mark.parametrize(
    "words",
    [
        ("replay", "{}"),
        ("verify", "{}"),
        ("replay", "--json", "{}"),
        ("table", "{}"),
        ("export", "{}", "--out", "x{evil}"),
    ],
)
def test_no_command_prints_an_escape_sequence_of_a_record_or_of_what_was_typed(
    record, capsys, words
):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(record.parent)
        with suppress(SystemExit):
            main([word.format(record, evil=EVIL) for word in words])
    said = capsys.readouterr()
    assert said.out + said.err
    assert raw_in(said.out + said.err) == []


def test_what_is_typed_wrongly_is_told_without_its_escape_sequences(capsys):
    with pytest.raises(SystemExit):
        main([f"re{EVIL}play"])
    assert main(["replay", f"no such{EVIL}.jsonl"]) == 2
    said = capsys.readouterr()
    assert raw_in(said.out + said.err) == []
    assert "no such\u241b[2J" in said.err


def test_a_game_at_the_terminal_shows_what_was_typed_and_does_not_obey_it(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"b2{EVIL}\n"))
    voice = Voice()
    assert voice.ask(f"{EVIL}> ") == f"b2{EVIL}".strip()
    voice.say("refused", {}, f"'b2{EVIL}' is no move")
    voice.say("board", {}, Text(f"a{EVIL}", style="red"))
    assert raw_in(capsys.readouterr().out) == []


def test_a_record_keeps_what_was_written(record):
    assert loads(record.read_bytes()).header.players[0] == f"Ann{EVIL}"
