"""The referee's sentences in the visitor's language: from the data of a line, by the templates in `texts/referee/*.toml`.

English is what `sim.referee.explain` and `sim.referee.legality` say themselves. A template is a format string; its fields are
keys of the data. The part behind the colon says how: `seat` and `seats` as the line calls them, `at` a point, `piece` and
`pieces` with the noun of what they are, a format of numbers (`.1f`), or the name of a table of the catalogue: its entry for the
value (the field `value` in it), or for each value of a list, is put in; of a table with an entry `more` only the first of a
list, and how many more there are. Of a list of templates the first counts whose fields are all there.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from rules.record.verify import Divergence, Mismatch
from sim.referee.explain import Reason

__all__ = ["catalogue", "fields", "found_wrong", "told", "translated"]

Catalogue = Mapping[str, Any]

_NAMES = "(names)"  # the key of how the players are called, beside the data
_FORMATTER = Formatter()
_NUMBER = re.compile(r"\.\df|g")
_PARTICLE = re.compile(r"([가-힣])(이/가|을/를|은/는|과/와|으로/로)")


def told(language: str, lines: Iterable[Reason]) -> tuple[str, ...]:
    """The sentences of some lines in a language; English where there is no catalogue, or a line is none of its kinds."""
    return tuple(_told(language, line) for line in lines)


def found_wrong(language: str, wrong: Divergence | Mismatch) -> str:
    """What a verification found, in a language."""
    if isinstance(wrong, Divergence):
        data: dict[str, Any] = {"piece": wrong.piece, "mm": wrong.mm, "degrees": wrong.degrees}
        text = f"{wrong.piece} settled {wrong.mm:.2f} mm and {wrong.degrees:.2f} degrees elsewhere"
        return _told(language, Reason(text, {"kind": "divergence", **data}))
    plain = {name: json.dumps(value, ensure_ascii=False) for name, value in (("said", wrong.expected), ("found", wrong.found))}
    data = {"what": wrong.what, **plain}
    return _told(language, Reason(wrong.text, {"kind": "mismatch", **data}))


def translated(language: str, line: Reason) -> str:
    """The sentence of a line by its templates. Raises LookupError where a template or one of its fields is missing."""
    texts = catalogue(language)
    text = _filled(texts, texts["line"][line.data["kind"]], {**_flat(line.data), _NAMES: line.names})
    text = _PARTICLE.sub(_particle, text)
    named = any(name and text.startswith(name) for name in line.names.players)
    return text if named else text[0].upper() + text[1:]


@cache
def catalogue(language: str) -> Catalogue:
    """The templates of a language; empty for one that has none."""
    path = Path(__file__).parent / "texts" / "referee" / f"{language}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def fields(template: str) -> tuple[tuple[str, str], ...]:
    """The fields of a template: the key of the data, and how it is shown."""
    return tuple((name, how or "") for _, name, how, _ in _FORMATTER.parse(template) if name is not None)


def _told(language: str, line: Reason) -> str:
    try:
        return translated(language, line)
    except LookupError:
        return line.text


def _flat(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The data of a fault with its numbers beside its code, its first piece as `piece` and its last as `other`."""
    if "numbers" not in data:
        return data
    pieces = data["pieces"]
    ends = {"piece": pieces[0], "other": pieces[-1]} if pieces else {}
    return {**data, **ends, **data["numbers"]}


def _filled(texts: Catalogue, template: str | Sequence[str], data: Mapping[str, Any]) -> str:
    if not isinstance(template, str):
        known = (each for each in template if all(data.get(name) is not None for name, _ in fields(each)))
        template = next(known, template[-1])
    parts = []
    for literal, name, how, _ in _FORMATTER.parse(template):
        parts.append(literal)
        if name is not None:
            parts.append(_shown(texts, data[name], how or "", data))
    return "".join(parts)


def _shown(texts: Catalogue, value: Any, how: str, data: Mapping[str, Any]) -> str:
    if how in texts and how != "line":
        if isinstance(value, (list, tuple)):
            if not value:
                return str(texts[how].get("none", ""))
            told = [_entry(texts, how, each, data) for each in value]
            if len(told) > 1 and "more" in texts[how]:
                return told[0] + _filled(texts, texts[how]["more"], {"value": len(told) - 1})
            return str(texts["and"]).join(told)
        return _entry(texts, how, value, data)
    if how == "seat":
        return str(data[_NAMES](value))
    if how == "seats":
        return str(texts["and"]).join(data[_NAMES](seat) for seat in value)
    if how == "at":
        return _filled(texts, texts["point"], {"x": value[0], "y": value[1]})
    if how == "pieces":
        return str(texts["and"]).join(_noun(texts, piece) for piece in value)
    if how == "piece":
        return _noun(texts, value)
    if _NUMBER.fullmatch(how):
        value = round(value, int(how[1]) if how[0] == "." else 9) + 0.0  # -0.0 reads like a slip
        return format(value, how).replace(".", str(texts["decimal"]))
    return str(value)


def _entry(texts: Catalogue, table: str, value: Any, data: Mapping[str, Any]) -> str:
    """The entry of a table for a value; one that is an object itself brings its own fields and has the entry `each`."""
    if isinstance(value, Mapping):
        return _filled(texts, texts[table]["each"], {**data, **value})
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    key = str(value).lower() if isinstance(value, bool) else str(value)
    entries = texts[table]
    return _filled(texts, entries[key if key in entries or "else" not in entries else "else"], {**data, "value": value})


def _noun(texts: Catalogue, piece: str) -> str:
    """A piece by its id (`A-P3` a pillar, `A-P3.1` a disc of it) with the noun of what it is."""
    kind = "building" if piece.startswith("X") else {"P": "pillar", "R": "road", "C": "car"}.get(piece[2:3], "pillar")
    if kind == "pillar" and "." in piece:
        kind = "disc"
    return _filled(texts, texts["noun"][kind], {"id": piece})


def _particle(found: re.Match[str]) -> str:
    """The Korean particle that follows a syllable with a final consonant, or one without."""
    closed, opened = found[2].split("/")
    return found[1] + (closed if (ord(found[1]) - 0xAC00) % 28 else opened)
