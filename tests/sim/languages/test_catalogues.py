"""Every language has every message with the same values; English stands in for what one lacks;
mistakes name file and line.
"""

from __future__ import annotations

import ast as python
import re
import shutil
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from fluent.syntax import ast

import rules
import shutoko
import sim
from rules.errors import InputError
from rules.game import Reason
from sim import assets, languages
from sim.assets import asset
from sim.languages import SEATS, Catalogue, Sentence, catalogue, languages as known_languages, nodes
from sim.languages.functions import Fraction, Point, Several, Whole
from sim.physics.statics import Failure
from sim.records import EndReason
from sim.referee.crossings import Crossing
from sim.referee.explain import KINDS
from sim.referee.standing import FaultCode, Names
from sim.referee.verdict import CloseCall, FallTest

LANGUAGES = known_languages()
OTHERS = [language for language in LANGUAGES if language != "en"]


def variables(given: Catalogue, message: str) -> set[str]:
    """The values that a message asks for, with those of the messages that it refers to."""
    found = set()
    for node in nodes(given.entry(message)):
        if isinstance(node, ast.VariableReference):
            found.add(node.id.name)
        elif isinstance(node, ast.MessageReference):
            found |= variables(given, node.id.name)
    return found


def named(prefix: str) -> set[str]:
    """What follows a prefix in the names of the English messages."""
    return {
        message.removeprefix(prefix)
        for message in catalogue("en").messages
        if message.startswith(prefix)
    }


def begun(names: Iterable[str], messages: set[str]) -> set[str]:
    """Those of the names that are a message, or that a message begins with: `reach` with
    `reach-short`.
    """
    return {
        name for name in names if any(f"{message}-".startswith(f"{name}-") for message in messages)
    }


@pytest.fixture
def written(tmp_path: Path) -> Any:
    """Writes a catalogue `xx.ftl`."""

    def write(text: str) -> Catalogue:
        path = tmp_path / "xx.ftl"
        path.write_text(text, encoding="utf-8")
        return Catalogue(path)

    return write


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_every_message_with_the_same_values(language: str) -> None:
    english, other = catalogue("en"), catalogue(language)
    found = differences(english, other, raised())
    assert not found, f"{other.path}:\n" + "\n".join(found)


def raised() -> set[str]:
    """The messages of the refusals whose English stands where they are raised: those with a code in
    the sources, or in all other languages where the code is put together.
    """
    folders = [Path(package.__path__[0]) for package in (rules, sim, shutoko)]
    sources = "\n".join(
        path.read_text(encoding="utf-8") for folder in folders for path in folder.rglob("*.py")
    )
    everywhere = set.intersection(*(set(catalogue(language).messages) for language in OTHERS))
    return {
        message
        for message in everywhere - set(catalogue("en").messages)
        if message.startswith(("refused-os-", "refused-photo-next-"))
        or (message.startswith("refused-") and f'"{message.removeprefix("refused-")}"' in sources)
    }


def test_a_refusal_stands_in_english_in_one_place_unless_a_page_says_it_in_other_words() -> None:
    folders = [Path(package.__path__[0]) for package in (rules, sim, shutoko)]
    codes = {
        code.value
        for folder in folders
        for path in folder.rglob("*.py")
        for call in python.walk(python.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, python.Call) and getattr(call.func, "id", "") == "Refusal"
        for code in python.walk(call.args[1])
        if isinstance(code, python.Constant)
    }
    assert len(codes) > 100
    assert {code for code in codes if f"refused-{code}" in catalogue("en")} == {
        "game-over",
        "not-json",
        "note-correct-cannot",
        "notice-push",
    }


def differences(english: Catalogue, other: Catalogue, raised: Collection[str] = ()) -> list[str]:
    """What a translator has to mend, a line each: messages that are missing, that English has not
    (it has those that are `raised` elsewhere), or that use other values.
    """
    wanted, there = {*english.messages, *raised}, set(other.messages)
    found = [f"lacks the message {message}" for message in sorted(wanted - there)]
    found += [f"has {message}, which English has not" for message in sorted(there - wanted)]
    for message in sorted(wanted & there):
        usual = catalogue(OTHERS[0]) if message in raised else english
        asked, known = sorted(variables(other, message)), sorted(variables(usual, message))
        if asked != known:
            found.append(f"{message} asks for {asked}, English for {known}")
    return found


def test_what_a_translator_has_to_mend_is_told_all_at_once(written: Any) -> None:
    english = written("one = 1\ntwo = { $a }\nthree = 3\n")
    assert differences(english, written("two = { $b }\nthree = drei\nfour = vier\n")) == [
        "lacks the message one",
        "has four, which English has not",
        "two asks for ['b'], English for ['a']",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_a_language_is_written_is_one_of_the_known_ways(language: str) -> None:
    given = catalogue(language)
    begins, decimal = given.text("sentences-begin"), given.text("decimal")
    assert begins in ("small", "capital"), f"{given.path}: sentences-begin = {begins}"
    assert len(decimal) == 1, f"{given.path}: decimal = {decimal}"


def samples(given: Catalogue) -> dict[str, Any]:
    """A value of its kind for everything that messages ask for, by the functions that it is handed
    to.
    """
    kinds = {
        "ROUND": Fraction(1.5),
        "NUM": Fraction(0.25),
        "POINT": Point(1.0, 2.0),
        "PIECE": "A-R1",
        "VERB": "ann",
    }
    values: dict[str, Any] = {}
    for node in [node for message in given.messages for node in nodes(given.entry(message))]:
        if isinstance(node, ast.VariableReference):
            values.setdefault(node.id.name, "3")
        elif isinstance(node, ast.FunctionReference):
            for n, asked in enumerate(node.arguments.positional):
                if isinstance(asked, ast.VariableReference):
                    values[asked.id.name] = (
                        Whole(1) if n else kinds.get(node.id.name, Several(["A-R1", "B-C2"]))
                    )
    return values


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_can_be_put_into_words(language: str) -> None:
    given = catalogue(language)
    values = samples(given)
    for message in given.messages:
        text = given.text(message, values)
        assert not set("{}") & set(text), message


def test_every_message_that_the_code_asks_for_by_name_is_there() -> None:
    folders = [Path(package.__path__[0]) for package in (sim, shutoko)]
    sources = [
        path.read_text(encoding="utf-8") for folder in folders for path in folder.rglob("*.py")
    ]
    asked = {
        prefix + name
        for prefix, call in (
            ("", r"Sentence\(\s*[\"']([^\"']+)[\"']"),
            ("", r"\btext\(\s*\"([^\"]+)\""),
            ("refused-", r"RefusedError\(\s*\"([^\"]+)\""),
            ("reason-", r"_reason\(\s*\"([^\"]+)\""),
        )
        for name in re.findall(call, "\n".join(sources))
    }
    assert {"undone-void", "reason-no-crossing", "note", "how_to", "refused-put-away"} <= asked
    assert asked - set(catalogue("en").messages) == set()


def test_nothing_is_put_into_words_before_somebody_reads_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def speak(*_: object) -> str:
        raise AssertionError("put into words")

    table = sim.Table.start(players=2)
    monkeypatch.setattr(Catalogue, "text", speak)
    verdict, after = sim.play(table, table.default_entrance(0), engine="none")
    reasons = sim.explain(table, table.default_entrance(0), verdict)
    refused, _ = sim.play(after, table.default_entrance(0), engine="none")
    assert sim.slots(after)
    assert reasons
    assert refused.faults
    with pytest.raises(AssertionError, match="put into words"):
        str(reasons[0])
    with pytest.raises(AssertionError, match="put into words"):
        str(refused.faults[0].text)


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_says_things_in_its_own_words(language: str) -> None:
    english, other = catalogue("en"), catalogue(language)
    both = [message for message in english.messages if message in other]
    plain = [message for message in both if not variables(english, message)]
    same = [message for message in plain if other.text(message) == english.text(message)]
    assert len(same) < 15, f"{other.path}: still in English: {', '.join(same)}"


def test_every_kind_of_reason_and_every_fault_code_has_a_message() -> None:
    reasons, faults = named("reason-"), named("fault-")
    assert begun(KINDS, reasons) == set(KINDS)
    assert begun(get_args(FaultCode), faults) == set(get_args(FaultCode))
    assert {
        fault
        for fault in faults
        if not any(f"{fault}-".startswith(f"{code}-") for code in get_args(FaultCode))
    } == set()


def test_every_name_of_a_reason_has_a_message() -> None:
    ways = {"far off its disc", "far off its road", "below its road"}
    assert named("fall-") == {name.replace(" ", "-") for name in {*get_args(FallTest), *ways}}
    assert named("crossing-") - {"taker", "taken-many", "voided-many"} == set(
        get_args(get_type_hints(Crossing)["reason"])
    )
    assert named("close-call-") == set(get_args(get_type_hints(CloseCall)["about"]))
    assert named("reason-doubt-") == {"steep", *get_args(get_type_hints(Failure)["way"])}
    assert named("gift-") == {"grey", "yellow", "roads", "nothing"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "reason", [EndReason.ALL_CARS_PLACED, EndReason.LAST_STANDING, Reason.RESIGNED]
)
def test_why_a_game_is_over_is_told_in_words(language: str, reason: str) -> None:
    text = Sentence(
        "reason-over", {"reason": str(reason), "winners": [0], "winner": 0, "count": 1}
    ).told(language, Names())
    assert str(reason) not in text


def test_a_fourth_language_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(asset("languages"), tmp_path / "languages")
    text = (tmp_path / "languages" / "fr.ftl").read_text(encoding="utf-8")
    (tmp_path / "languages" / "br.ftl").write_text(
        text.replace("= Français", "= Brezhoneg"), encoding="utf-8"
    )
    shipped = known_languages()
    monkeypatch.setattr(assets, "_ROOTS", (tmp_path,))
    known_languages.cache_clear()
    catalogue.cache_clear()
    try:
        assert known_languages() == ("en", *sorted({*shipped, "br"} - {"en"}))
        assert catalogue("br").own_name == "Brezhoneg"
        assert Sentence("fault-game-over").told("br") == "la partie est finie"
    finally:
        known_languages.cache_clear()
        catalogue.cache_clear()


def test_a_message_that_a_language_lacks_is_said_in_english(
    written: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = written("reason-out = { $seat }: { $why }!\ndecimal = ,\n")
    monkeypatch.setattr(
        languages, "catalogue", lambda code: own if code == "xx" else catalogue(code)
    )
    why = Sentence("out-resigned")
    assert (
        Sentence("reason-out", {"seat": 1, "why": why}).told("xx", Names(("ann", "bo")))
        == "bo: resigned!"
    )


def test_an_unknown_language_is_refused_with_the_languages_available() -> None:
    with pytest.raises(
        InputError,
        match=f"no catalogue for the language 'tlh'; available: {', '.join(known_languages())}",
    ):
        catalogue("tlh")


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        (
            "first = one\nbroken = { $n ->\n    [one] 1\n   [other] 2\n }\n",
            5,
            "the message broken has a mistake: Expected one",
        ),
        ("broken =\n", 1, "the message broken has a mistake"),
        ("first = one\n\nthere { $is\n", 3, "expected `name = text`"),
        ("a = one\nb = two\na = again\n", 3, "the message a is already defined in line 1"),
        (
            "first = one\nbroken = { SHOUT($n) }\n",
            2,
            "the message broken calls SHOUT; available: FIRST, LIST, ",
        ),
        (
            "# about\nbroken = { missing }\n",
            2,
            "the message broken refers to missing, which is not in this file",
        ),
        (
            "broken = { -brand }\n",
            1,
            "the message broken refers to -brand, which is not in this file",
        ),
        (
            "\nbroken = { $nobody } goes\n",
            2,
            "the message broken cannot be put into words: Unknown external: nobody",
        ),
    ],
)
def test_a_mistake_in_a_message_names_file_line_and_message(
    written: Any, text: str, line: int, why: str
) -> None:
    with pytest.raises(InputError, match=rf"xx\.ftl:{line}: {why}"):
        written(text).text("broken", {"n": "1"})


def test_a_term_and_lines_that_go_on_are_part_of_a_message(written: Any) -> None:
    given = written("-brand = Shutoko\nlong =\n    first { -brand }\n    second\n# the end\n")
    assert given.messages == ("long",)
    assert given.text("long") == "first Shutoko\nsecond"


@pytest.mark.parametrize(
    ("pieces", "whole", "said"),
    [
        ("a", False, "a"),
        ("abc", False, "a, b and c"),
        ("abcde", False, "a, b and 3 more"),
        ("abcde", True, "a, b, c, d and e"),
    ],
)
def test_many_things_are_named_by_the_first_of_them_unless_nothing_is_left_out(
    pieces: str, whole: bool, said: str
) -> None:
    told = Sentence("cars-fell", {"pieces": list(pieces)}).told(whole=whole)
    assert told == f"{said} did not stay on the road"


def test_seats_in_a_sentence_are_players_by_name_and_you_takes_its_own_verbs() -> None:
    assert {"seat", "owner", "from", "to"} <= SEATS
    goes = Sentence("reason-goes-on", {"seat": 0})
    assert goes.told(names=Names(("you", "bo"))).startswith("you go on")
    assert goes.told(names=Names(("ann", "bo"))).startswith("ann goes on")


@pytest.mark.parametrize(
    ("number", "said"),
    [(0.0, "0"), (-0.0, "0"), (2.0, "2"), (2.5, "2.5"), (0.1234567, "0.123457"), (1200, "1200")],
)
def test_a_number_has_no_more_digits_than_it_needs(number: float, said: str) -> None:
    assert f"off by {said} mm" in Sentence("reason-remark", {"why": "x", "within": number}).told()
