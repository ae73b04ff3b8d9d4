"""Games of Thruway and Meridians in SGF, the Smart Game Format (FF[4], red-bean.com/sgf).

SGF has no number for these games and leaves the text of a move to each game. So a file says:

- `GM[0]`, a number that no game has, and `GN[thruway]` or `GN[meridians]`, the game as records name
  it. Other options than the size (`SZ`) stand in `RU` as JSON.
- `PB` and `PW` are the players of seats 0 and 1, whoever plays which colour: a swap changes no
  seat. `B[...]` and `W[...]` are their moves, in the notation of the records (`d4`, `d5-d6`,
  `swap`). A backslash stands before `]`, `:` and itself.
- `RE` is `B+`, `W+`, `0` for a draw and `?` for a game that goes on; `B+R` after a resignation,
  which is no move in SGF. `DT` is the day, `SO` the source, `C` the note on a ply.

Of a file with variations the main line is read; a warning says so. Properties of other programs are
left aside.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.errors import IllegalMoveError, InputError, NotationError, RecordError
from rules.game import Game, game
from rules.grid.meridians import Meridians
from rules.grid.thruway import ThruwayGame
from rules.record import End, Entry, Header, Record
from rules.record.foreign import ForeignFormat
from rules.record.jsonl import short, why_unreadable

_GAMES = (Meridians.name, ThruwayGame.name)
_MOST = 10_000  # nodes of a file
_SEATS = ("B", "W")


@dataclass(frozen=True, slots=True)
class _Node:
    """A node: its line in the file, and its properties by name."""

    line: int
    values: Mapping[str, tuple[str, ...]]

    def one(self, name: str) -> str | None:
        """The first value of a property, None if there is none."""
        return next(iter(self.values.get(name, ())), None)


def loads(text: str) -> Record:
    """The record of the first game in an SGF text.

    Raises RecordError, which names the line, for a text that is no SGF, for a game that is neither
    Thruway nor Meridians, and for a move that cannot be read or is illegal.
    """
    nodes, branched = _main_line(text)
    root, made = nodes[0], _game(nodes[0])
    names = tuple(root.one(key) or usual for key, usual in (("PB", "Black"), ("PW", "White")))
    header = Header(
        made.name,
        names,
        options=made.options,
        date=root.one("DT"),
        source=root.one("SO") or "SGF",
    )
    record, state = Record(header), made.start()
    for node in nodes:
        for seat in (seat for seat, key in enumerate(_SEATS) if key in node.values):
            move = (node.one(_SEATS[seat]) or "").strip()
            record, state = _after(record, state, seat, move, node)
    resigned = {"B+R": 1, "W+R": 0}.get((root.one("RE") or "").strip()[:3].upper())
    if resigned is not None and state.outcome() is None:
        record, state = _after(record, state, resigned, "resign", root)
    if (outcome := state.outcome()) is not None:
        record = record.with_end(End(outcome.ranks, outcome.reason))
    warnings = list(record.warnings)
    if branched:
        warnings.append("the file has variations; only the main line was read")
    told = (root.one("RE") or "?").strip()
    if told[:1] not in ("?", "") and told != _result(state):
        warnings.append(f"the file gives the result {short(told)}, the rules {_result(state)}")
    return replace(record, warnings=tuple(warnings))


def dumps(record: Record) -> str:
    """The SGF text of a record.

    Raises InputError for another game, and RecordError, which names the ply, for a move that cannot
    be read or is illegal.
    """
    header = record.header
    if header.game not in _GAMES:
        raise InputError(
            f"SGF is written for {' and '.join(_GAMES)}, not for {header.game!r}; "
            "shutoko export FILE FILE.jsonl keeps any game"
        )
    made = game(header.game, **header.options)
    state, lines = made.start(), list[str]()
    for entry in record.entries:
        if entry.taken_back:
            continue
        move = str(entry.do)
        try:
            state = state.after(move)
        except (IllegalMoveError, NotationError) as error:
            raise RecordError(str(error), line=entry.line, ply=entry.ply) from error
        if move != "resign":
            note = "" if entry.note is None else _property("C", entry.note)
            lines.append(f";{_property(_SEATS[entry.by], move)}{note}")
    others = {key: value for key, value in header.options.items() if key != "size"}
    root = [
        ("FF", "4"),
        ("CA", "UTF-8"),
        ("AP", "Shutoko"),
        ("GM", "0"),
        ("GN", header.game),
        ("SZ", str(getattr(made, "size"))),  # noqa: B009 - games in general have no size
        ("RU", json.dumps(others, separators=(",", ":"), sort_keys=True) if others else None),
        ("PB", header.players[0]),
        ("PW", header.players[1]),
        ("DT", header.date),
        ("SO", header.source),
        ("RE", _result(state)),
    ]
    head = "".join(_property(key, value) for key, value in root if value is not None)
    return "\n".join([f"(;{head}", *lines]) + ")\n"


def _property(key: str, value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")
    return f"{key}[{escaped}]"


def _result(state: Any) -> str:
    outcome = state.outcome()
    if outcome is None:
        return "?"
    if not outcome.winners:
        return "0"
    return f"{_SEATS[outcome.winners[0]]}+{'R' if str(outcome.reason) == 'resigned' else ''}"


def _after(record: Record, state: Any, seat: int, move: str, node: _Node) -> tuple[Record, Any]:
    """The record with a move of a seat, and the position after it."""
    ply = record.next_ply
    if seat != state.to_move and state.outcome() is None:
        raise RecordError(
            f"it is {_SEATS[state.to_move]}'s turn, not {_SEATS[seat]}'s; "
            f"write {_SEATS[state.to_move]}[...]",
            line=node.line,
            ply=ply,
        )
    try:
        meant = state.parse(move)
        following = state.after(meant)
    except (IllegalMoveError, NotationError) as error:
        raise RecordError(
            f"{error}; write moves as in records, for example `shutoko play {record.header.game}` "
            "lists them",
            line=node.line,
            ply=ply,
        ) from error
    got = {"legal": True, "digest": following.digest()}
    entry = Entry(ply, seat, str(meant), got=got, note=node.one("C"))
    return record.plus(entry), following


def _game(root: _Node) -> Game[Any]:
    """The game that a root node names."""
    name = (root.one("GN") or "").strip().lower()
    if name not in _GAMES:
        number = root.one("GM") or "1"
        told = f"the game number {short(number)}" + (" (Go)" if number.strip() == "1" else "")
        raise RecordError(
            f"this is SGF of {told}, not of {' or '.join(_GAMES)}; a file of these says "
            "GM[0]GN[thruway] or GM[0]GN[meridians]",
            line=root.line,
        )
    try:
        return game(name, **_options(root))
    except InputError as error:
        raise RecordError(str(error), line=root.line) from error


def _options(root: _Node) -> dict[str, Any]:
    """The options of the game; raises InputError."""
    options: Any = {}
    try:
        options = json.loads(root.one("RU") or "{}")
    except (ValueError, RecursionError) as error:
        raise InputError(f"RU must be a JSON object of options: {why_unreadable(error)}") from error
    if not isinstance(options, dict):
        raise InputError(f"RU must be a JSON object of options, not {short(str(options))}")
    if (size := root.one("SZ")) is not None:
        if not (size.strip().isascii() and size.strip().isdigit() and len(size) < 5):
            raise InputError(f"SZ[{short(size)}] must be a whole number, as in SZ[7]")
        options["size"] = int(size)
    return options


# --- the text -------------------------------------------------------------------------------------


def _main_line(text: str) -> tuple[list[_Node], bool]:
    """The nodes of the first game, following the first branch at each fork; and whether there was a
    fork. Raises RecordError for a text that is no SGF.
    """
    nodes, depth, branched, left = list[_Node](), 0, False, False
    line = 1
    for kind, value, line in _parts(text):
        if kind == "(":
            branched = branched or left
            depth += 1
        elif kind == ")":
            depth -= 1
            left = True
            if depth <= 0:
                break
        elif depth == 0:
            raise _broken("a game begins with (;", line)
        elif not left:
            if len(nodes) == _MOST:
                raise _broken(f"more than {_MOST} nodes", line)
            nodes.append(value)
    if depth > 0:
        raise _broken("the file ends inside of a game; its last ) is missing", line)
    if not nodes:
        raise _broken("there is no game in it", line)
    return nodes, branched


def _parts(text: str) -> Iterator[tuple[str, Any, int]]:
    """The brackets and the nodes of a text, each with its line."""
    at, line = 0, 1
    while at < len(text):
        mark = text[at]
        line += mark == "\n"
        if mark in "()":
            yield mark, None, line
        elif mark == ";":
            begun = line
            values, at, line = _properties(text, at + 1, line)
            yield ";", _Node(begun, values), begun
            continue
        elif not mark.isspace():
            raise _broken(f"{short(text[at : at + 20])} where (, ; or ) belongs", line)
        at += 1


def _properties(text: str, at: int, line: int) -> tuple[dict[str, tuple[str, ...]], int, int]:
    """The properties of a node from a place on, the place behind them and its line."""
    found: dict[str, tuple[str, ...]] = {}
    key = ""
    while at < len(text):
        mark = text[at]
        if mark == "[":
            if not key:
                raise _broken("a value [...] without the name of its property", line)
            value, at, line = _value(text, at + 1, line)
            found[key] = (*found.get(key, ()), value)
            continue
        if mark.isspace():
            line += mark == "\n"
            at += 1
            continue
        if not mark.isascii() or not mark.isalpha():
            return found, at, line
        end = at
        while end < len(text) and text[end].isascii() and text[end].isalpha():
            end += 1
        # small letters were allowed in older files and mean nothing
        key, at = "".join(letter for letter in text[at:end] if letter.isupper()), end
        after = at
        while after < len(text) and text[after].isspace():
            after += 1
        if not key or text[after : after + 1] != "[":
            raise _broken(f"the property {short(text[end - len(key) : end])} has no value", line)
    return found, at, line


def _value(text: str, at: int, line: int) -> tuple[str, int, int]:
    """A value up to its bracket, the place behind that and its line."""
    begun, letters = line, list[str]()
    while at < len(text):
        mark = text[at]
        line += mark == "\n"
        if mark == "]":
            return "".join(letters), at + 1, line
        if mark == "\\" and at + 1 < len(text):
            at += 1
            mark = text[at]
            line += mark == "\n"
            if mark == "\n":  # an escaped break of a line is none
                mark = ""
        letters.append(mark)
        at += 1
    raise _broken("a value begins here and has no ]", begun)


def _broken(what: str, line: int) -> RecordError:
    return RecordError(
        f"not a whole SGF file: {what}; mend the file, or export the game again", line=line
    )


def _fits(text: str) -> bool:
    return text.lstrip()[:40].replace("\n", "").replace(" ", "").startswith("(;")


FORMAT = ForeignFormat("SGF", ".sgf", _fits, loads, dumps)
"""See `rules.record.foreign`."""
