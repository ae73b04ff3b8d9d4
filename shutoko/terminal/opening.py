"""What has to be known before a game can be noted: who plays, by which rules, and how exact the
ruler is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from rules.errors import InputError, why
from rules.near import meant
from rules.record.schema import MAX_TOLERANCE
from shutoko.terminal.voice import Voice
from sim.assets import names
from sim.languages import Sentence, reason_in
from sim.referee import presets_for

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Opening:
    """The names by seat, the rule set, and by how many mm the numbers may be off (None: the usual
    tolerance).
    """

    players: tuple[str, ...]
    ruleset: str
    tolerance: float | None


def opening_of(
    voice: Voice,
    language: str,
    players: str | None,
    ruleset: str | None,
    tolerance: str | None,
    check: Callable[[int | None, str | None], object],
) -> Opening | None:
    """What was given, and for the rest what is answered; None if the input ends.

    Raises InputError for a given value that is none before anything is asked. So may `check`, which
    is called then with the number of players and the rule set, each None if it is not known. If it
    raises one for an answer, that is said, and the question is asked again.
    """

    def taken(given: str | None, message: str, read: Callable[[str, str], T]) -> T | None:
        try:
            return None if given is None else read(given, language)
        except InputError as error:
            raise InputError(f"--{message.removeprefix('note-')}: {error}") from None

    def ask(message: str, read: Callable[[str, str], T], **values: object) -> T | None:
        while True:
            prompt = Sentence(message, values).told(language)
            voice.say("ask", {"asks": message.removeprefix("note-"), "text": prompt})
            line = voice.ask(f"{prompt}> ")
            if line is None:
                return None
            try:
                return read(line, language)
            except InputError as error:
                reason = reason_in(language, why(error))
                voice.say("refused", {"reason": reason}, reason)

    who = taken(players, "note-players", _named)
    rules = taken(ruleset, "note-ruleset", _ruled)
    exact = taken(tolerance, "note-tolerance", _off)
    check(None if who is None else len(who), rules)

    def fitting(text: str, language: str) -> tuple[str, ...]:
        found = _named(text, language)
        check(len(found), rules)
        return found

    who = who or ask("note-players", fitting)
    if who is None:
        return None
    seats = len(who)

    def for_them(text: str, language: str) -> str:
        found = _ruled(text, language)
        check(seats, found)
        return found

    known = [name for name in names("rulesets") if name in presets_for(seats)]
    known.remove("standard")
    rules = rules or ask("note-ruleset", for_them, known=known)
    if rules is not None:
        exact = exact or ask("note-tolerance", _off)
    if rules is None or exact is None:
        return None
    return Opening(who, rules, exact[0])


def _wrong(message: str, text: str, language: str) -> InputError:
    return InputError(Sentence(message, {"text": text}).told(language))


def _named(text: str, language: str) -> tuple[str, ...]:
    """Names of players. Raises InputError for too few or too many, or one twice."""
    found = tuple(name.strip() for name in text.split(",") if name.strip())
    if not 2 <= len(found) <= 4 or len(set(found)) < len(found):
        raise _wrong("note-players-wrong", text, language)
    return found


def _ruled(text: str, language: str) -> str:
    """A rule set. Raises InputError, with the nearest name, for one that is none."""
    if text and text not in names("rulesets"):
        reason = Sentence("note-ruleset-wrong", {"text": text}).told(language)
        raise InputError(reason + meant(text, names("rulesets")))
    return text or "standard"


def _off(text: str, language: str) -> tuple[float | None]:
    """How many mm places may be off; None if nothing is said. Raises InputError for a wrong one."""
    if not text:
        return (None,)
    try:
        number = float(text.replace(",", ".").removesuffix("mm"))
    except ValueError:
        number = -1.0
    if not 0.0 <= number <= MAX_TOLERANCE:
        raise _wrong("note-tolerance-wrong", text, language)
    return (number,)
