"""Reads and writes games of Meridians as the site AbstractPlay and its open game library keep them.

What AbstractPlay keeps, by its public sources (`gameslib`: meridians.ts and _base.ts; `recranks`:
gamerecord.json):

- A game is a list of moves, or of rounds of two, or a whole report `{"header": {...}, "moves":
  [rounds]}`. A move is a text, or an object with the text in `move`.
- The first move is `x,y`, a stone of each colour. The second is always `pass`, whether the pie is
  taken or not. Points have the same names as here. Taking the pie reverses the list of players and
  sets `pie-invoked` (in older reports `pied`): the first player of a report is light.
- `resign`, `timeout`, `draw` and `abandoned` stand in the list like moves. They may come out of
  turn; the results say who has won.
- A report names its variants as the site shows them, in the visitor's language. The only number in
  such a name is the size: "Smaller board (base 6)".
- What the site publishes are lists of reports.

Known differences; the reader warns of them where they matter:

- On AbstractPlay a player who must pass keeps dead stones, and the game goes on, so that the wrong
  side can win. By the rulebook the stones are removed and the other side has won. Moves after that
  end are kept in a note and not played.
- On AbstractPlay a player whose own move loses all their stones has lost only after the winner's
  next move. Reading drops that move in the same way, and writing does not invent one.
- Shutoko's games have no ply for a resignation or a loss on time out of turn. The record has the
  end and a note.
- They have no agreed draw, and no end without a winner. Such a game is read as unfinished, with a
  note.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.errors import IllegalMoveError, InputError, NotationError, RecordError
from rules.game import Reason
from rules.grid.meridians import SIZES, Meridians, MeridiansPosition
from rules.record import End, Entry, Header, Note, Record
from rules.record.foreign import ForeignFormat
from rules.record.jsonl import short, why_unreadable
from rules.record.model import ran_out_of_time
from rules.record.replay import begin, steps

_NAME = "Meridians"
_SITE = "Abstract Play"
_ENDS = ("resign", "timeout", "draw", "abandoned")
_OUT_OF_TURN = {
    "resign": "the side not to move resigned",
    "timeout": "the side not to move ran out of time",
}
# the key of a note with the words of AbstractPlay that are no plies here
_WORDS = "x-abstractplay"
_SIZE = re.compile(r"size[- ](\d+)", re.IGNORECASE)
_ONLY_NUMBER = re.compile(r"\D*(\d+)\D*")
# the sizes that the site has, as it shows them in English
_SHOWN = {
    6: "Smaller board (base 6)",
    7: "Default board (base 7)",
    8: "Larger board (base 8)",
}


def _fits(text: str) -> bool:
    """Whether a text may be a report, or a list of rounds or moves."""
    begin = text.lstrip()[:1]
    return begin == "[" or (begin == "{" and '"moves"' in text)


def loads(text: str, size: int | None = None, swapped: bool | None = None) -> Record:
    """The game in this JSON text, as in `from_abstractplay`. Raises InputError."""
    return from_abstractplay(_json(text), size, swapped)


def split(text: str) -> list[str]:
    """The JSON texts of the reports in a list of reports; any other text alone. Raises
    InputError.
    """
    data = _json(text)
    if not _are_reports(data):
        return [text]
    return [json.dumps(report, ensure_ascii=False) for report in data]


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (
        # ValueError also for a number with more digits than Python reads
        ValueError,
        RecursionError,
    ) as error:
        raise InputError(
            f"not a game of AbstractPlay: not JSON ({why_unreadable(error)})"
        ) from error


def _are_reports(data: Any) -> bool:
    return (
        isinstance(data, list)
        and data != []
        and all(isinstance(item, Mapping) and "header" in item for item in data)
    )


def dumps(record: Record) -> str:
    """The report of `to_abstractplay` as JSON text."""
    return json.dumps(to_abstractplay(record), ensure_ascii=False, indent=1) + "\n"


def from_abstractplay(data: Any, size: int | None = None, swapped: bool | None = None) -> Record:
    """The record of a game that AbstractPlay keeps: a whole report, or its list of moves or rounds.

    A list tells neither the size of the board nor whether the pie was taken: for lists give `size`
    (default: 7) and `swapped` (default: no). Raises InputError for anything but such a game, and
    RecordError, which names the ply, for a move that cannot be read or is illegal.
    """
    header, moves = _taken_apart(data)
    told_size, told_swap = _size(header), _swapped(header)
    for what, given, told in (("size", size, told_size), ("swapped", swapped, told_swap)):
        if given is not None and told is not None and given != told:
            raise InputError(
                f"{what} = {given!r} was asked for, but AbstractPlay's report says {told!r}"
            )
    game = Meridians(_first(size, told_size, 7), pie=True)
    taken = bool(_first(swapped, told_swap, False))
    names = _names(header)
    record = Record(
        Header(
            game.name,
            names[::-1] if taken else names,
            options=game.options,
            date=_date(header),
            source=_source(header),
        )
    )
    winner = _winner(header)
    record, state = _played(record, game, moves, taken, winner)
    outcome = state.outcome()
    if outcome is None:
        return record
    if winner is not None and state.turns.sides[outcome.winners[0]] != winner:
        text = (
            f"AbstractPlay gives this game to {names[winner]}, the rulebook to {names[1 - winner]}"
        )
        record = replace(record, warnings=(*record.warnings, text))
    return record.with_end(End(outcome.ranks, outcome.reason))


def to_abstractplay(record: Record) -> dict[str, Any]:
    """The report of a record, as AbstractPlay writes them, without ids of persons and times of day.

    A game without the pie option is written as one whose pie was not taken: the moves are the same.
    Raises InputError for another game, RecordError, which names the ply, for a move that cannot be
    read, and IllegalPlyError for one that is illegal.
    """
    if record.header.game != Meridians.name:
        raise InputError(f"AbstractPlay's Meridians cannot hold a game of {record.header.game!r}")
    state, texts = _replayed(record)
    game = state.game
    if game.pie:
        moves = ["pass" if text in ("keep", "swap") else text for text in texts]
    elif len(texts) < 2 or {"resign", "timeout"} & {*texts[:2]}:
        raise InputError(
            "AbstractPlay's first move is a stone of each colour, so a game without two stones "
            "cannot be written"
        )
    else:
        moves = [f"{texts[0]},{texts[1]}", "pass", *texts[2:]]
    swapped = state.turns.sides != (0, 1)
    header: dict[str, Any] = {
        "game": {"name": _NAME},
        "site": {"name": record.header.source or "Shutoko"},
    }
    header["game"]["variants"] = [_SHOWN.get(game.size, f"size-{game.size}")]
    if record.header.date is not None:
        header |= {"date-start": record.header.date, "date-end": record.header.date}
    if swapped:
        header["pie-invoked"] = True
    names = record.header.players[::-1] if swapped else record.header.players
    outcome = state.outcome()
    if outcome is None:
        moves += _last_words(record)
    end = record.end if outcome is None else End(outcome.ranks, outcome.reason)
    best = end.ranks[0] if end is not None and end.ranks else ()
    won = state.turns.sides[best[0]] if len(best) == 1 else None
    header["players"] = [
        {"name": name} | ({} if won is None else {"result": int(i == won)})
        for i, name in enumerate(names)
    ]
    return {"header": header, "moves": [moves[i : i + 2] for i in range(0, len(moves), 2)]}


def _taken_apart(data: Any) -> tuple[Mapping[str, Any], list[str]]:
    """The header, empty for a bare list, and the moves in order, in lower case and without
    blanks.
    """
    if _are_reports(data):
        raise InputError(
            f"this is a list of reports of AbstractPlay ({len(data)}), and a record holds one "
            "game: read them one by one"
        )
    header: Any = {}
    rounds = data
    if isinstance(data, Mapping):
        header, rounds = data.get("header"), data.get("moves")
    if not isinstance(header, Mapping) or not isinstance(rounds, list):
        raise InputError(
            "not a game of AbstractPlay: a list of moves is needed, or an object "
            '{"header":{...},"moves":[...]}'
        )
    game = header.get("game", {"name": _NAME})
    name = game.get("name") if isinstance(game, Mapping) else game
    if not isinstance(name, str) or name.strip().lower() != _NAME.lower():
        raise InputError(
            f"AbstractPlay's report is of the game {short(str(name))}; only {_NAME} can be read"
        )
    moves: list[Any] = []
    for number, item in enumerate(rounds, 1):
        if isinstance(item, list) and (len(item) > 2 or (len(item) < 2 and number < len(rounds))):
            raise InputError(
                f"AbstractPlay's round {number} has {len(item)} moves; Meridians has two, and "
                "fewer only in the last"
            )
        moves += item if isinstance(item, list) else [item]
    while moves and moves[-1] is None:
        moves.pop()
    return header, [_text(move, ply) for ply, move in enumerate(moves)]


def _text(move: Any, ply: int) -> str:
    text = move.get("move") if isinstance(move, Mapping) else move
    if not isinstance(text, str):
        raise RecordError(
            (
                "a move of AbstractPlay is a text, or an object with the text in move, not "
                f"{short(str(move))}"
            ),
            ply=ply,
        )
    return "".join(text.lower().split())


def _played(
    record: Record, game: Meridians, moves: Sequence[str], taken: bool, winner: int | None
) -> tuple[Record, MeridiansPosition]:
    """The record with the legal moves, notes on the others, and the position after the legal
    moves.
    """
    state = game.start()
    for ply, text in enumerate(moves):
        if state.outcome() is not None:
            rest = list(moves[ply:])
            told = (
                f"by the rulebook the game ends after ply {ply - 1}; AbstractPlay went on: "
                f"{' '.join(rest)}"
            )
            note = Note(told, extra={_WORDS: rest})
            return replace(
                record.with_note(note), warnings=(*record.warnings, f"ply {ply}: {told}")
            ), state
        if text in _ENDS:
            if ply + 1 < len(moves):
                raise RecordError(
                    f"moves follow {text!r}, which ends a game of AbstractPlay", ply=ply
                )
            return _stopped(record, state, text, winner)
        if ply == 1 and text != "pass":
            raise RecordError(
                f"{short(text)} stands where AbstractPlay's second player passes", ply=ply
            )
        if ply == 1:
            text = "swap" if taken else "keep"
        try:
            move = state.parse(text)
        except (NotationError, IllegalMoveError) as error:
            raise RecordError(str(error), ply=ply) from error
        record = record.plus(Entry(ply, state.to_move, str(move)))
        state = state.after(move)
    return record, state


def _stopped(
    record: Record, state: MeridiansPosition, word: str, winner: int | None
) -> tuple[Record, MeridiansPosition]:
    """The record and the position after the word that ends a game on AbstractPlay: a ply where the
    side to move loses by it, a note and the end where it wins, else a note alone.
    """
    gave_up = word == "resign" or (word == "timeout" and winner is not None)
    if gave_up and winner != state.side:
        extra = {"x-time": True} if word == "timeout" else {}
        record = record.plus(Entry(state.turns.ply, state.to_move, "resign", extra=extra))
        return record, state.after("resign")
    told = _OUT_OF_TURN[word] if gave_up else word
    note = Note(f"on AbstractPlay the game ended here: {told}", extra={_WORDS: [word]})
    record = record.with_note(note)
    if gave_up:
        ranks = (state.to_move,), (1 - state.to_move,)
        record = record.with_end(End(ranks, Reason.RESIGNED))
    return record, state


def _last_words(record: Record) -> list[str]:
    """The words that ended the game on AbstractPlay and are no plies here."""
    words = record.notes[-1].extra.get(_WORDS) if record.notes else None
    return words if isinstance(words, list) and len(words) == 1 and words[0] in _ENDS else []


def _replayed(record: Record) -> tuple[MeridiansPosition, list[str]]:
    """The position after the record's moves, and their texts; `timeout` for a resignation by the
    clock.
    """
    state: MeridiansPosition = begin(record)[1]  # type: ignore[assignment]  # by the game's name
    texts = []
    for step in steps(record):
        if not step.entry.taken_back:
            state = step.after  # type: ignore[assignment]  # of the same game
            texts.append("timeout" if ran_out_of_time(step.entry.extra) else str(step.move))
    return state, texts


def _first(*values: Any) -> Any:
    return next(value for value in values if value is not None)


def _size(header: Mapping[str, Any]) -> int | None:
    game = header.get("game")
    variants = game.get("variants") if isinstance(game, Mapping) else None
    if variants is None or variants == []:
        return 7 if game is not None else None
    if not isinstance(variants, list):
        raise InputError("game.variants of AbstractPlay's report must be a list of texts")
    sizes = set()
    for variant in variants:
        found = _SIZE.search(str(variant)) or _ONLY_NUMBER.fullmatch(str(variant))
        if found is None or len(found[1]) > 2 or int(found[1]) not in SIZES:
            raise InputError(
                f"the variant {short(str(variant))} of AbstractPlay's Meridians is not known; "
                "sizes are like size-6"
            )
        sizes.add(int(found[1]))
    if len(sizes) > 1:
        raise InputError(
            "the variants of AbstractPlay's report contradict each other: sizes "
            f"{' and '.join(map(str, sorted(sizes)))}; leave one"
        )
    return sizes.pop()


def _swapped(header: Mapping[str, Any]) -> bool | None:
    if not header:
        return None
    return header.get("pie-invoked") is True or header.get("pied") is True


def _names(header: Mapping[str, Any]) -> tuple[str, str]:
    """Light's player and dark's."""
    players = [{}, {}] if header.get("players") is None else header["players"]
    are_two = isinstance(players, list) and len(players) == 2
    if not are_two or not all(isinstance(player, Mapping) for player in players):
        raise InputError("players of AbstractPlay's report must be a list of two objects")
    names = [
        player.get("name") or colour
        for player, colour in zip(players, ("light", "dark"), strict=True)
    ]
    if not all(isinstance(name, str) for name in names):
        raise InputError("name of a player in AbstractPlay's report must be a text")
    return names[0], names[1]


def _winner(header: Mapping[str, Any]) -> int | None:
    """The side that AbstractPlay says has won, None if it does not say."""
    results = [player.get("result") for player in header.get("players") or ()]
    if (
        len(results) != 2
        or not all(isinstance(result, int | float) for result in results)
        or results[0] == results[1]
    ):
        return None
    return 0 if results[0] > results[1] else 1


def _date(header: Mapping[str, Any]) -> str | None:
    date = header.get("date-start")
    return date[:10] if isinstance(date, str) and re.match(r"\d{4}-\d{2}-\d{2}", date) else None


def _source(header: Mapping[str, Any]) -> str:
    site = header.get("site")
    if not isinstance(site, Mapping):
        return _SITE
    return " ".join(str(site[key]) for key in ("name", "gameid") if key in site) or _SITE


FORMAT = ForeignFormat(_SITE, ".json", _fits, loads, dumps, split)
"""See `rules.record.foreign`."""
