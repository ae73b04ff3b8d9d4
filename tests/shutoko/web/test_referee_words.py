"""The referee in Korean and French: every kind of line and every fault has its template, and what a template names is there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, get_args, get_type_hints

import pytest

from rules import record
from rules.game import Reason as CommonReason
from rules.record.replay import replay
from rules.record.verify import Divergence, Mismatch
from shutoko.web.referee import catalogue, fields, found_wrong, told, translated
from shutoko.web.views.table import reasons
from shutoko.web.wording import LANGUAGES
from sim import referee
from sim.assets import asset
from sim.physics.statics import Failure
from sim.records import EndReason
from sim.referee.crossings import Crossing
from sim.referee.explain import KINDS, Reason, fault_line
from sim.referee.names import Names
from sim.referee.table import Table
from sim.referee.verdict import FallTest, FaultCode
from tests.sim.referee.test_legality import CASES
from tests.tables import build, exit_to, lay_out

OTHERS = [language for language in LANGUAGES if language != "en"]


@cache
def recorded() -> tuple[Reason, ...]:
    """All lines of every shipped game and scenario of Tokyo Highway."""
    found: list[Reason] = []
    for path in sorted(asset("records").rglob("*.jsonl")):
        given = record.read(path)
        found += [line for step in replay(given) for line in reasons(step)]
    return tuple(found)


def faults() -> Iterator[Reason]:
    """Every fault, and the forms of `reach` and `stock-cars` that the cases of their codes do not have."""
    for case in CASES:
        yield from map(fault_line, referee.before(case.table, case.illegal))
    start = Table.start(2)
    poor = replace(start, stocks=tuple(replace(stock, cars=0) for stock in start.stocks))
    high = lay_out({"A-P0": (0, 0, 11), "B-P0": (0, 500, 1)})
    for table, move in ((poor, start.default_entrance(0)), (high, exit_to("A-P0", 90, 0)), (high, build("A-P0", 1, 0, 12))):
        yield from map(fault_line, referee.before(table, move))


def templates(entry: Any) -> Iterable[str]:
    return [entry] if isinstance(entry, str) else entry


@pytest.mark.parametrize("language", OTHERS)
def test_every_kind_of_line_and_every_name_of_a_reason_has_a_template(language: str) -> None:
    texts = catalogue(language)
    assert set(texts["line"]) == {*KINDS, "divergence", "mismatch"}
    assert set(texts["fault"]) == set(get_args(FaultCode))
    ways = {"far off its disc", "far off its road", "below its road"}
    assert set(texts["fall"]) == {*get_args(FallTest), *ways}
    assert set(texts["put-back"]) == {"fell", "touches", "unknown"}
    assert set(texts["breach"]) == {"touches", "hangs"}
    assert set(texts["undone"]) == {"fell", "hand", "touches", "hangs", "void"}
    assert set(texts["doubt"]) == {"steep", *get_args(get_type_hints(Failure)["way"])}
    assert set(texts["crossing"]) == set(get_args(get_type_hints(Crossing)["reason"]))
    assert {*EndReason, CommonReason.RESIGNED, "else"} == set(texts["over"])


@pytest.mark.parametrize("language", OTHERS)
def test_a_field_that_tells_how_it_is_shown_names_a_way_or_a_table(language: str) -> None:
    texts = catalogue(language)
    known = {"", "seat", "seats", "at", "piece", "pieces", "g", ".0f", ".1f", ".2f", *texts}
    for table in (entry for entry in texts.values() if not isinstance(entry, str)):
        for entry in table.values():
            for template in templates(entry):
                assert {how for _, how in fields(template)} <= known, template


@pytest.mark.parametrize("language", OTHERS)
def test_all_that_the_shipped_records_say_can_be_said_in_other_words(language: str) -> None:
    lines = recorded()
    assert {"built", "crossing", "no-crossing", "exit-bonus", "cars", "fall", "payment", "over"} <= {
        x.data["kind"] for x in lines
    }
    for line in lines:
        text = translated(language, line)
        assert text
        assert not set("{}") & set(text)
        if line.data["kind"] == "crossing":
            assert f"{line.data['mm']:.1f}".replace(".", catalogue(language)["decimal"]) in text
            assert line.data["road"] in text


@pytest.mark.parametrize("language", OTHERS)
def test_every_fault_is_told_and_every_field_of_its_templates_is_in_its_data(language: str) -> None:
    entries, seen = catalogue(language)["fault"], {}
    for line in faults():
        assert translated(language, line)
        seen.setdefault(line.data["code"], set()).update(
            line.data["numbers"], *([("piece", "other")] * bool(line.data["pieces"]))
        )
    assert set(seen) == set(entries)
    for code, entry in entries.items():
        named = {name for template in templates(entry) for name, _ in fields(template)}
        assert named <= {*seen[code], "pieces"}, code


def test_english_is_what_the_referee_says_itself_and_what_has_no_template_stays_english() -> None:
    lines = recorded()[:20]
    assert told("en", lines) == tuple(line.text for line in lines)
    strange = Reason("something else", {"kind": "something-else"})
    assert told("fr", [strange]) == ("something else",)


def test_korean_particles_follow_the_sound_before_them_and_french_numbers_have_commas() -> None:
    def fell(piece: str) -> Reason:
        data = {"piece": piece, "how": "shifted", "measured": 7.25, "allowed": 5.0, "own": False}
        return Reason("", {"kind": "fall", "owner": 1, **data})

    road, disc = told("ko", [fell("B-R1"), fell("B-P0.1")])
    assert road.startswith("B-R1 도로가 무너짐")
    assert disc.startswith("B-P0.1 기둥 조각이 무너짐")
    assert told("fr", [fell("B-R1")])[0].startswith("La route B-R1 tombe : déplacement de 7,2 mm")


@pytest.mark.parametrize("language", OTHERS)
def test_players_are_called_as_they_call_themselves(language: str) -> None:
    payment = Reason("", {"kind": "goes-on", "seat": 1}, Names(("ann", "bo")))
    assert translated(language, payment).startswith("bo")
    assert translated(language, replace(payment, names=Names())).startswith("B")


@pytest.mark.parametrize("language", OTHERS)
def test_only_the_first_of_several_roads_on_a_side_is_named(language: str) -> None:
    takers = [{"road": f"C-R{n}", "at": [1.0, 2.0], "mm": 3.0} for n in range(3)]
    data = {
        "kind": "crossing",
        "road": "B-R1",
        "side": "over",
        "at": [0.0, 0.0],
        "mm": 1.0,
        "reason": "taken",
        "blockers": takers,
    }
    text = translated(language, Reason("", data))
    assert "C-R0" in text
    assert "C-R1" not in text
    assert catalogue(language)["taken"]["more"].format(value=2) in text


@pytest.mark.parametrize("language", OTHERS)
def test_what_a_verification_finds_is_told_with_its_numbers(language: str) -> None:
    away = found_wrong(language, Divergence(3, 5, "A-R1", 12.5, 3.25))
    assert "A-R1" in away
    assert "12.50" in away.replace(",", ".")
    other = found_wrong(language, Mismatch(3, 5, "cars", 2, 1, "cars: the record says 2, the referee says 1"))
    assert "2" in other
    assert found_wrong("en", Mismatch(3, 5, "cars", 2, 1, "in English")) == "in English"
