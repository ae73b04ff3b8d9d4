"""Control characters in what strangers wrote are shown on a terminal and never obeyed."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import replace

import pytest
from rich.text import Text

from rules.record import Entry, Header, Note, Record, read, write
from shutoko.export.share import share
from shutoko.plain import plain, plain_line, plain_rich, plain_streams
from shutoko.terminal.voice import Voice
from sim.assets import asset

EVIL = "\x1b[2J\x1b]0;title\x07\x9b31m\x7f\r\x08\u202e\u2066"
SEPARATORS = (*range(0x2028, 0x202F), *range(0x2066, 0x206A))  # and bidirectional overrides
RAW = [chr(n) for n in (*range(9), *range(11, 32), *range(127, 160), *SEPARATORS)]
FORGED = "".join(f"{end}FORGED.jsonl: 4 plies" for end in ("\n", "\r\n", "\x85", "\u2028", "\v"))


def raw_in(text: str) -> list[str]:
    return [char for char in RAW if char in text]


def test_every_control_character_but_tabs_and_line_feeds_is_shown():
    assert raw_in(plain("".join(RAW))) == []
    assert plain("a\tb\nc é 가 \x1b[2J") == "a\tb\nc é 가 \u241b[2J"
    assert plain_line("a\tb\nc") == "a\u2409b\u240ac"
    line = plain_line(f"eve{FORGED}\t")
    assert line.splitlines() == [line]


def test_a_text_with_styles_keeps_its_length_and_its_styles():
    found = plain_rich(Text(f"a{EVIL}b", style="red"))
    assert (raw_in(found.plain), found.style) == ([], "red")
    assert len(found.plain) == len(Text(f"a{EVIL}b").plain)


def test_json_stays_the_same_for_programs(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    with plain_streams():
        sys.stdout.writelines([json.dumps({"name": EVIL}, ensure_ascii=False)])
    said = sys.stdout.getvalue()
    assert (raw_in(said), json.loads(said)) == ([], {"name": EVIL})


def forged(path, folder):
    """A copy of a record whose names, notes and source try to make lines and to turn the text."""
    text = f"{FORGED}{EVIL}"
    known = read(path)
    names = tuple(f"{name}{text}" for name in known.header.players)
    header = replace(known.header, players=names, note=f"n{text}", source=f"s{text}")
    entries = tuple(replace(entry, note=f"e{text}") for entry in known.entries)
    target = folder / path.name
    write(replace(known, header=header, entries=entries, notes=(Note(f"n{text}"),)), target)
    return target


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("boards/thruway-opening", "replay {}"),
        ("boards/thruway-opening", "verify {}"),
        ("boards/thruway-opening", "analyse {} --player random"),
        ("boards/thruway-opening", "analyse {} --ply 1 --player greedy --seconds 0.1"),
        ("boards/thruway-opening", "play --resume {}"),
        ("two-cars", "replay {} --recorded --explain --slots"),
        ("two-cars", "replay {} --recorded --json"),
        ("two-cars", "verify {} --mode rules"),
        ("two-cars", "play --resume {}"),
        ("two-cars", "table {} --to games.csv"),
        pytest.param("two-cars", "plot race {} --to race.svg", marks=pytest.mark.slow),
        ("noted-by-hand", "record {}"),
        ("noted-by-hand", "verify {} --mode rules"),
    ],
)
def test_no_name_or_note_makes_a_line_of_output_or_turns_its_text(tmp_path, run, name, words):
    path = forged(asset("records", f"{name}.jsonl"), tmp_path)
    said = "".join(run(words.format(path), typed="?\nboard\nwhy\nquit\n", code=None))
    said += "".join(made.read_text() for made in tmp_path.glob("games-*.csv"))
    assert said
    assert [line for line in said.splitlines() if line.lstrip().startswith("FORGED")] == []
    assert raw_in(said.replace("\t", "")) == []


def test_what_a_record_says_against_the_rules_is_told_in_one_line(run):
    header = Header("meridians", ("a", "b"), options={"size": 4})
    wrong = Entry(0, 0, "b2", got={"legal": True, "digest": f"0{FORGED}"})
    write(Record(header, (wrong,)), "g.jsonl")
    told = run("verify g.jsonl", code=1).out.splitlines()
    assert "the record says 0\u240aFORGED" in told[0]
    assert [line for line in told if line.startswith("FORGED")] == []


def test_a_page_shows_names_and_notes_and_obeys_none_and_a_record_is_as_it_was(tmp_path):
    path = forged(asset("records", "boards", "thruway-opening.jsonl"), tmp_path)
    made = share(read(path), "html").decode()
    assert "\u240aFORGED" in made
    assert not any(char in made for char in ("\u202e", "\\u202eFORGED", "\\nFORGED", "\nFORGED"))
    assert share(read(path), "jsonl") == path.read_bytes()


def test_what_is_typed_wrongly_is_told_without_its_escape_sequences(run):
    said = [run("", f"re{EVIL}play", code=2), run("replay", f"no such{EVIL}.jsonl", code=2)]
    assert raw_in("".join(map("".join, said))) == []
    assert "no such\u241b[2J" in said[1].err


def test_a_game_at_the_terminal_shows_what_was_typed_and_does_not_obey_it(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"b2{EVIL}\n"))
    voice = Voice()
    assert voice.ask(f"{EVIL}> ") == f"b2{EVIL}".strip()
    voice.say("refused", {}, f"'b2{EVIL}' is no move")
    voice.say("board", {}, Text(f"a{EVIL}", style="red"))
    assert raw_in(capsys.readouterr().out) == []
