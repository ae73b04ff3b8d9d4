"""The sentences that the program says to people: one catalogue of messages per language,
`assets/languages/*.ftl`, read in the format of Project Fluent and parsed when first used; and a
sentence, which is a message with its values, not yet put into words.

The format is described at https://projectfluent.org; what a message may call is in
`sim.languages.functions`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.errors import InputError, Refusal
from sim.assets import asset, names

if TYPE_CHECKING:
    from fluent.runtime import FluentBundle
    from fluent.syntax import ast


_FOLDER = "languages"
ENGLISH = "en"
_ENTRY = re.compile(r"(-?[A-Za-z][\w-]*)[ \t]*=")
_CONTINUED = (" ", "\t", "}", "[", "*")


class Catalogue:
    """The messages of one file, for example `fr.ftl`; `own_name` is the language in its own words.

    Raises InputError, naming file and line, where the file is no catalogue. A mistake within a
    message is found when it is asked for.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.language = path, path.stem
        self._lines, self._sources = _read(path)
        self._entries: dict[str, ast.Message | ast.Term] = {}
        self._loaded: FluentBundle | None = None

    @property
    def own_name(self) -> str:
        """For example `Français`."""
        return self.text("language-name")

    @property
    def messages(self) -> tuple[str, ...]:
        """The names of all messages, in the order of the file."""
        return tuple(name for name in self._sources if not name.startswith("-"))

    def __contains__(self, message: object) -> bool:
        return message in self._sources

    def entry(self, name: str) -> ast.Message | ast.Term:
        """A message as Fluent's parser gives it, with all that it refers to loaded. Raises
        InputError for a mistake in it.
        """
        if name not in self._entries:
            self._load(name)
        return self._entries[name]

    def text(self, message: str, values: Mapping[str, Any] | None = None) -> str:
        """A message with its values put in: strings and the types of `sim.languages.functions`.

        Raises InputError, naming file and line, if the message has a mistake or asks for a value
        that is not given.
        """
        self.entry(message)
        pattern = self._bundle.get_message(message).value
        assert pattern is not None, "_load lets no message without a text pass"
        text, errors = self._bundle.format_pattern(pattern, dict(values or {}))
        if errors:
            raise self._broken(
                self._lines[message], f"the message {message} cannot be put into words: {errors[0]}"
            )
        return with_particles(str(text))

    def functions(self) -> Mapping[str, Any]:
        """What messages may call, by name."""
        from sim.languages.functions import functions

        return functions(self)

    @property
    def _bundle(self) -> FluentBundle:
        """Made when it is first needed: Fluent takes a tenth of a second to load, and many commands
        say nothing.
        """
        if self._loaded is None:
            from fluent.runtime import FluentBundle

            self._loaded = FluentBundle(
                [self.language], functions=dict(self.functions()), use_isolating=False
            )
        return self._loaded

    def _load(self, name: str) -> None:
        from fluent.syntax import FluentParser, ast

        source, first = self._sources[name], self._lines[name]
        resource = FluentParser().parse(source)
        for found in resource.body:
            if isinstance(found, ast.Junk):
                mistake = found.annotations[0]
                line = first + source.count(
                    "\n", 0, mistake.span.start if mistake.span is not None else 0
                )
                raise self._broken(line, f"the message {name} has a mistake: {mistake.message}")
            if isinstance(found, (ast.Message, ast.Term)):
                self._entries[name] = found
        self._bundle.add_resource(resource)
        for other in self._asked(name):
            self.entry(other)

    def _asked(self, name: str) -> Iterable[str]:
        """The messages and terms that a message refers to; they and the functions that it calls
        must be there.
        """
        for node in nodes(self._entries[name]):
            what = getattr(getattr(node, "id", None), "name", "")
            kind = type(node).__name__
            if kind == "FunctionReference" and what not in self.functions():
                known = ", ".join(sorted(self.functions()))
                raise self._broken(
                    self._lines[name], f"the message {name} calls {what}; available: {known}"
                )
            if kind in ("MessageReference", "TermReference"):
                other = f"-{what}" if kind == "TermReference" else what
                if other not in self._sources:
                    raise self._broken(
                        self._lines[name],
                        f"the message {name} refers to {other}, which is not in this file",
                    )
                yield other

    def _broken(self, line: int, why: str) -> InputError:
        return InputError(f"{self.path}:{line}: {why}")


@cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of a language by its code, for example `fr`. Raises InputError for an unknown
    one.
    """
    if language not in languages():
        raise InputError(
            f"no catalogue for the language {language!r}; available: {', '.join(languages())}"
        )
    return Catalogue(asset(_FOLDER, f"{language}.ftl"))


@cache
def languages() -> tuple[str, ...]:
    """The codes of the languages that have a catalogue, English first."""
    return tuple(sorted(names(_FOLDER), key=lambda code: (code != ENGLISH, code)))


def _read(path: Path) -> tuple[dict[str, int], dict[str, str]]:
    """The first line and the source of every entry. Raises InputError for a line of no entry, and
    for a name given twice.
    """
    lines: dict[str, int] = {}
    sources: dict[str, list[str]] = {}
    name = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        start = _ENTRY.match(line)
        if start is not None:
            name = start[1]
            if name in lines:
                raise InputError(
                    f"{path}:{number}: the message {name} is already defined in line {lines[name]}"
                )
            lines[name], sources[name] = number, [line]
        elif line.startswith("#"):
            name = ""
        elif name and (not line or line.startswith(_CONTINUED)):
            sources[name].append(line)
        elif line.strip():
            raise InputError(
                f"{path}:{number}: expected `name = text`, a comment (#), or an indented line that "
                "goes on"
            )
    return lines, {name: "\n".join(source) + "\n" for name, source in sources.items()}


def nodes(node: Any) -> Iterable[Any]:
    """A node of Fluent's syntax tree and all below it."""
    from fluent.syntax.ast import BaseNode

    yield node
    for value in vars(node).values():
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, BaseNode):
                yield from nodes(child)


# --- sentences ------------------------------------------------------------------------------------


SEATS = frozenset(
    {"seat", "player", "owner", "whose", "following", "from", "to", "winner", "winners", "free_for"}
)
"""The values that are seats where they are numbers: a sentence calls them by name."""

POINTS = frozenset({"at", "until"})
"""The values that are points in mm."""

Naming = Callable[[int], str]


def by_letter(seat: int) -> str:
    """A seat without a name, as the ids of its pieces begin."""
    return chr(ord("A") + seat)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A message with its values: numbers, ids, points (POINTS), seats (SEATS), sentences that are
    parts of it, or lists of those.

    `full` is the sentence that leaves nothing out where the message itself names only the first of
    several things.
    """

    message: str
    values: Mapping[str, Any] = field(default_factory=dict)
    full: Sentence | None = None

    def __str__(self) -> str:
        return self.told()

    def told(
        self, language: str = ENGLISH, names: Naming = by_letter, *, whole: bool = False
    ) -> str:
        """The sentence in a language, in English if that lacks the message; `names` says how the
        player of a seat is called.

        Raises InputError if the catalogue has a mistake there.
        """
        if whole and self.full is not None:
            return self.full.told(language, names, whole=True)
        spoken = catalogue(language)
        if self.message not in spoken:
            spoken = catalogue(ENGLISH)
        values = {
            key: _shown(key, value, spoken.language, names, whole)
            for key, value in self.values.items()
        }
        return spoken.text(self.message, values)


def reason_in(language: str, reason: str) -> str:
    """The reason of a refusal in a language; as it stands, in English, if it has no code, or one
    that the catalogue of that language does not have.
    """
    if isinstance(reason, Refusal) and f"refused-{reason.code}" in catalogue(language):
        values = {
            name: reason_in(language, value) if isinstance(value, Refusal) else value
            for name, value in reason.values.items()
        }
        return Sentence(f"refused-{reason.code}", values).told(language)
    return str(reason)


def _shown(key: str, given: Any, language: str, names: Naming, whole: bool) -> Any:
    """A value as messages take it."""
    from sim.languages.functions import Point, Several, value

    if isinstance(given, Sentence):
        return given.told(language, names, whole=whole)
    if key in POINTS:
        return Point(*given)
    if isinstance(given, (list, tuple)):
        return Several(
            [str(_shown(key, each, language, names, whole)) for each in given], whole=whole
        )
    if key in SEATS and isinstance(given, int):
        return names(given)
    return value(given)


# --- Korean particles -----------------------------------------------------------------------------


_PARTICLE = re.compile(r"([가-힣])(이/가|을/를|은/는|과/와|으로/로)")
# where Hangul syllables begin in Unicode, how many final consonants each may have (none included),
# and that of ㄹ
_FIRST, _FINALS, _RIEUL = 0xAC00, 28, 8


def with_particles(text: str) -> str:
    """The text with one of the two forms behind each Hangul syllable: the first after a final
    consonant.
    """
    return _PARTICLE.sub(_chosen, text)


def _chosen(found: re.Match[str]) -> str:
    closed, opened = found[2].split("/")
    final = (ord(found[1]) - _FIRST) % _FINALS
    if opened == "로" and final == _RIEUL:
        return found[1] + opened
    return found[1] + (closed if final else opened)
