"""The shape of a record's lines: which keys there are, in which order they are written, and what
each may hold.

Every game has the same lines. What some of their keys hold is the game's own, above all the move
(`do`) and the verdict (`got`). A `RecordFormat` lists those keys of one game with a check for each.
`rules.record.schema` finds the format of a game. Reading and writing go through the same checks.

A package registers a format by an entry point in the group `shutoko.records`, named after the game,
as `nim = "nim.records:FORMAT"`. Whoever reads a record imports its module, so that module should
import little, and not the game.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from rules.errors import InputError
from rules.game import GROUP as GAMES, Reason, loaded
from rules.record.shapes import (
    Check,
    ShapeError,
    Unknown,
    anything,
    flag,
    is_number,
    list_of,
    map_of,
    name,
    number,
    object_of,
    passes,
    text,
    whole,
    wrong,
)

VERSION = (1, 1)
"""The newest version of the format that is known: (major, minor)."""

USUAL_VERSION = (1, 0)
"""The version that a record is written in unless a key of it came later."""

USUAL_TOLERANCE = 3.0
"""mm that the numbers of an observed game may be off if its header does not say."""

MAX_TOLERANCE = 20
"""mm that the numbers of an observed game may be off at most; whoever is further off has misread
the ruler.
"""

HEADER_KEYS = (
    "game",
    "players",
    "ruleset",
    "options",
    "components",
    "physics",
    "seed",
    "date",
    "source",
    "start",
    "observed",
    "tolerance",
    "note",
)
"""The keys of line 1 in their order, behind `record` and `version`."""

ENTRY_KEYS = (
    "ply",
    "by",
    "do",
    "hand",
    "got",
    "claim",
    "observed",
    "tries",
    "pay",
    "accepted",
    "note",
)
"""The keys of a ply in their order."""


def refuse_key(place: str, version: tuple[int, int] = USUAL_VERSION) -> None:
    """What to do with an unknown key in a record of a known version: raises ShapeError."""
    raise ShapeError(
        f"the key {place} is not known in version {version[0]}.{version[1]}; keys of your own "
        "start with x-"
    )


def keep_key(place: str) -> None:
    """What to do with an unknown key in a record of a newer minor version: it is written as it was
    read.
    """


# --- what is the same for every game --------------------------------------------------------------


def _players(value: Any, place: str, unknown: Unknown) -> Any:
    if not isinstance(value, list | tuple) or not value:
        raise wrong(place, "a list of at least one name", value)
    return [text(one, f"{place}[{index}]", unknown) for index, one in enumerate(value)]


_HEADER: Mapping[str, Check] = {
    "game": name,
    "players": _players,
    "ruleset": name,
    "options": map_of(anything),
    "seed": whole,
    "date": text,
    "source": text,
    "observed": flag,
    "tolerance": passes(
        lambda value: is_number(value) and 0 <= value <= MAX_TOLERANCE,
        f"a number of mm from 0 to {MAX_TOLERANCE}",
    ),
    "note": text,
}
_ENTRY: Mapping[str, Check] = {"ply": whole, "by": whole, "accepted": flag, "note": text}
_END = object_of(
    {
        "end": object_of(
            {"ranks": list_of(list_of(whole)), "reason": name}, required=("ranks", "reason")
        ),
        "note": text,
    },
    required=("end",),
)
_NOTE = object_of({"note": text})


_OWN_HEADER = tuple(key for key in HEADER_KEYS if key not in _HEADER)
_OWN_ENTRY = tuple(key for key in ENTRY_KEYS if key not in _ENTRY)


# --- what a game registers ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RecordFormat:
    """How the records of one game look: a check for each key that is the game's own.

    `entry` has the keys of a ply: `do` and `got`, and those of `hand`, `claim`, `observed`, `tries`
    and `pay` that the game uses. `header` has those of `components`, `physics` and `start` that it
    uses. A record with a key that its game does not use is refused. `do` must be a text or an
    object, and `got` an object whose `legal`, if it is there, is true or false. `reasons` are the
    game's own words for its ends, besides those of `rules.game.Reason`; None allows any word.
    `added` are the keys of a ply that came after version 1.0, each as its path from the line with
    its minor version; `*` stands for any key. `makes` gives what the game is made with besides the
    options of a header, by the header's `physics`, {} if it has none.

    `kinds` is derived: a check for each kind of line (`header`, `entry`, `end`, `note`) and for
    each key of `header` and `entry`.

    Raises InputError for other keys, and if `do` or `got` is missing.
    """

    entry: Mapping[str, Check]
    header: Mapping[str, Check] = field(default_factory=dict)
    reasons: tuple[str, ...] | None = ()
    added: Mapping[tuple[str, ...], int] = field(default_factory=dict)
    makes: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda _: {}
    kinds: Mapping[str, Check] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        strange = [*(self.header.keys() - _OWN_HEADER), *(self.entry.keys() - _OWN_ENTRY)]
        if strange or not {"do", "got"} <= self.entry.keys():
            raise InputError(
                f"a record format may have {', '.join(_OWN_HEADER)} in its header and "
                f"{', '.join(_OWN_ENTRY)} in its entry; "
                "do and got are needed; this one has "
                f"{', '.join([*self.header, *self.entry]) or 'nothing'}"
            )
        header, entry = {**_HEADER, **self.header}, {**_ENTRY, **self.entry}
        if "observed" not in entry:
            del entry["accepted"]  # only what people watch can they accept
        opening: dict[str, Check] = {
            "record": name,
            "version": list_of(whole, 2, "two whole numbers [major, minor]"),
        }
        lines = {
            "header": object_of(
                opening | _in_order(header, HEADER_KEYS),
                required=("record", "version", "game", "players"),
            ),
            "entry": object_of(_in_order(entry, ENTRY_KEYS), required=("ply", "by", "do")),
            "end": _END,
            "note": _NOTE,
        }
        object.__setattr__(self, "kinds", {**self.header, **self.entry, **lines})

    def newest(self, line: Mapping[str, Any]) -> tuple[int, str]:
        """The minor version that a ply's line needs, and the key that needs it; 0 and no key if
        version 1.0 has all of them.
        """
        needs = [(minor, place) for path, minor in self.added.items() for place in _at(line, path)]
        return max(needs, default=(0, ""))


def _at(value: Any, path: tuple[str, ...], place: str = "") -> Iterator[str]:
    """The places in a value to which a path of keys leads."""
    if not path:
        yield place.removeprefix(".")
        return
    first, *rest = path
    for key in (value if first == "*" else [first]) if isinstance(value, Mapping) else ():
        if key in value:
            yield from _at(value[key], tuple(rest), f"{place}.{key}")


def _in_order(checks: Mapping[str, Check], order: tuple[str, ...]) -> dict[str, Check]:
    return {key: checks.get(key, _unused) for key in order}


def _unused(value: Any, place: str, unknown: Unknown) -> Any:
    try:
        unknown(place)
    except ShapeError:
        raise ShapeError(
            f"the key {place} is not used in records of this game; leave it out"
        ) from None
    return value


def any_move(value: Any, place: str, _unknown: Unknown) -> Any:
    """A move that is a text or an object, whatever stands in it."""
    if not isinstance(value, str | Mapping) or not value:
        raise wrong(place, "a move: text or an object that is not empty", value)
    return value


# --- formats for games that register none ---------------------------------------------------------


def _numbers(value: Any, place: str, unknown: Unknown) -> Any:
    return (
        map_of(number)(value, place, unknown)
        if isinstance(value, Mapping)
        else list_of(number)(value, place, unknown)
    )


_FAULT = object_of(
    {"code": name, "text": text, "pieces": list_of(name), "numbers": _numbers}, required=("code",)
)


def _fault(value: Any, place: str, unknown: Unknown) -> Any:
    return value if isinstance(value, str) else _FAULT(value, place, unknown)


FAULTS = list_of(_fault)
"""Why a move is illegal: sentences, or objects with `code`, `text`, `pieces` and `numbers`."""


def _text_move(value: Any, place: str, unknown: Unknown) -> Any:
    move = any_move(value, place, unknown)
    if not isinstance(move, str):
        raise ShapeError(f"{place} must be the text of a move in this game, not an object")
    return move


PLAIN = RecordFormat(
    {
        "do": _text_move,
        "got": object_of({"legal": flag, "faults": FAULTS, "digest": name}),
        "claim": object_of({"legal": flag}),
    }
)
"""The format of an installed game that registers none: its moves are texts, and they are legal or
not.
"""


def _free_verdict(value: Any, place: str, unknown: Unknown) -> Any:
    verdict = map_of(anything)(value, place, unknown)
    if "legal" in verdict:
        flag(verdict["legal"], f"{place}.legal", unknown)
    return verdict


_FREE_OBJECT = map_of(anything)
_FREE_LIST = list_of(_FREE_OBJECT)

FREE = RecordFormat(
    header={"components": name, "physics": _FREE_OBJECT, "start": _FREE_OBJECT},
    entry={
        "do": any_move,
        "hand": _FREE_LIST,
        "got": _free_verdict,
        "claim": _FREE_OBJECT,
        "observed": _FREE_OBJECT,
        "tries": _FREE_LIST,
        "pay": _FREE_LIST,
    },
    reasons=None,
)
"""The format of a game that is not installed: what is the game's own is kept as it was written."""


# --- finding the format of a game by its name -----------------------------------------------------

GROUP = "shutoko.records"
"""The entry point group in which record formats are found."""


def format_of(game: str) -> RecordFormat:
    """The format that the game registers; PLAIN if it registers none, and FREE if no game of that
    name is installed.

    Raises UnavailableError if the format is registered but its module cannot be imported.
    """
    known = _registered()
    if game not in known:
        return FREE
    point = known[game]
    return PLAIN if point is None else _loaded(point)


@cache
def _loaded(point: EntryPoint) -> RecordFormat:
    found: RecordFormat = loaded(point, f"the record format of {point.name!r} is registered")
    return found


def reasons_of(game: str) -> tuple[str, ...] | None:
    """The words for the end of a game, its own first; None if any word will do. Raises what
    `format_of` raises.
    """
    own = format_of(game).reasons
    return None if own is None else (*own, *(reason.value for reason in Reason))


@cache  # looking through all that is installed takes longer than reading a record
def _registered() -> Mapping[str, EntryPoint | None]:
    """The installed games, each with the entry point of its format if it registers one; the first
    found counts.
    """
    points = entry_points()
    formats = {point.name: point for point in reversed(tuple(points.select(group=GROUP)))}
    return dict.fromkeys(points.select(group=GAMES).names) | formats
