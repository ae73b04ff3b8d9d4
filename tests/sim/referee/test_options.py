"""Every value of every rule option changes something, and no option, value or rulebook section is
without a test. What the referee says under each value is in test_option_reasons.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

import rules.record
import sim.game.replay
from rules.errors import InputError, RecordError
from rules.game import game
from sim.referee.placement import Build, Entrance, Exit
from sim.referee.ruleset import OPTIONS, PRESETS, Preset, Ruleset
from sim.referee.table import Table
from tests.sim.referee.test_option_reasons import SCENES
from tests.tables import (
    ACROSS,
    ALONE,
    AWAY,
    CROSSED,
    JUMP,
    build,
    codes,
    exit_to,
    lay_out,
    play,
    stock,
)

# Every section of both rulebooks that holds a rule; docs/rules.md has one row for each.
SECTIONS = tuple(
    f"{book} {section}"
    for book, sections in (
        ("FR", "1, 2.1, 2.2, 2.3, 3, 4, 4.1, 4.2, 4.3, 5.1, 5.2, 5.3, 5.4, 6, 6 Attention"),
        ("FR", "6 Example 1, 6 Example 2, 7.1, 7.2, 8, 9, 10.1, 10.2"),
        ("KR", "1, 2, 3.1, 3.2, 3.3, 4, 4.1, 4.2, 4.3, 5, 5.1, 5.2, 5.3, 5.4, 6, 6 Important"),
        ("KR", "6 Example 1, 6 Example 2, 7.1, 7.2, 8, 9, 10.1, 10.2"),
    )
    for section in sections.split(", ")
)  # fmt: skip


# --- what an option says beside its scene ---------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "move", "expected"),
    [
        pytest.param(Table.start(2, entrance_reach=3), Entrance((0.0, -330.0), 270.0), [],
                     id="an entrance as many road lengths off the middle as entrance_reach says"),
        pytest.param(Table.start(2), Entrance((0.0, -220.01), 270.0), ["entrance-far"],
                     id="an entrance further off"),
        pytest.param(
            lay_out({"A-P0": (0, 0, 2, True), "A-P1": (0, 200, 2)}, base_point="last_built"),
            build("A-P0", 105, 0, 3), [],
            id="from a junction that was not built last (base_point)",
        ),
        pytest.param(
            lay_out({"A-P0": (0, 0, 4), "B-P1": (55, 0, 1)}, own_pillar_shadow="allow"),
            build("A-P0", 105, 0, 5), ["over-pillar"],
            id="over a pillar of another (own_pillar_shadow)",
        ),
    ],
)  # fmt: skip
def test_what_is_legal_by_an_option_beside_its_scene(
    table: Table, move: Build | Exit | Entrance, expected: list[str]
) -> None:
    assert codes(table, move) == expected


@pytest.mark.rule("FR 4.3", "KR 4", option="turn_end", value=("one_road", "until_car"))
@pytest.mark.parametrize(
    ("turn_end", "move", "fallen", "to_move"),
    [
        pytest.param("one_road", AWAY, (), 1, id="one road"),
        pytest.param("until_car", AWAY, (), 0, id="no car"),
        pytest.param("until_car", JUMP, (), 1, id="a car"),
        pytest.param("until_car", build("A-P0", 105, 0, 5, True, []), (), 0, id="a declined car"),
        pytest.param("until_car", JUMP, ("A-R0",), 1, id="an undone build"),
        pytest.param("until_car", exit_to("A-P0", -109.5, 0), (), 1, id="the car of an exit"),
    ],
)
def test_a_turn_ends_after_one_road_or_goes_on_until_a_car_is_placed(
    turn_end: str, move: Build | Exit, fallen: tuple[str, ...], to_move: int
) -> None:
    assert play(lay_out(ACROSS, CROSSED, turn_end=turn_end), move, *fallen).to_move == to_move


@pytest.mark.rule("FR 7.2", "KR 7.2", option="turn_end", value="until_car")
def test_a_junction_of_this_very_turn_has_no_branch_yet() -> None:
    table = play(lay_out(ALONE, turn_end="until_car"), build("A-P0", 105, 0, 2, True))
    table = play(table, build("A-P1", 210, 0, 3))
    assert codes(table, build("A-P1", 105, 105, 3)) == ["base-used"]


@pytest.mark.rule("FR 4.2", "KR 4.2", option="redo", value=3)
@pytest.mark.parametrize("allowed", [3, 0, 1])
def test_redo_is_how_often_a_build_may_be_tried_again(allowed: int) -> None:
    def record(tries: int) -> rules.record.Record:
        entry = rules.record.Entry(0, 0, AWAY.to_json(), tries=[{"hand": []}] * tries)
        start = {"pillars": [{"id": "A-P0", "at": [0, 0], "discs": 1}]}
        options = {"redo": allowed}
        header = rules.record.Header("tokyo-highway", ("a", "b"), options=options, start=start)
        return rules.record.Record(header, (entry,))

    assert len(list(sim.game.replay.steps(record(allowed), "none"))) == 1
    with pytest.raises(RecordError, match=f"tried again {allowed} times at most"):
        list(sim.game.replay.steps(record(allowed + 1), "none"))


@pytest.mark.rule("FR 10.1", "KR 10.1", option="clean_win", value=(False, True))
@pytest.mark.parametrize(
    ("clean", "first", "last", "left"),
    [
        pytest.param(False, (), ("B-P1.2",), 0, id="knocks allowed"),
        pytest.param(True, (), (), 0, id="no knock"),
        pytest.param(True, (), ("B-P1.2",), 1, id="a knock"),
        pytest.param(True, ("B-P1.2",), (), 1, id="a knock in an earlier ply of the turn"),
    ],
)
def test_clean_win_sends_the_last_car_back_after_a_knock_in_its_turn(
    clean: bool, first: tuple[str, ...], last: tuple[str, ...], left: int
) -> None:
    table = lay_out(
        {**ALONE, "B-P1": (60, -160, 2), "B-P2": (60, -50, 2)},
        CROSSED,
        stocks=[stock(cars=1), stock()],
        clean_win=clean,
        turn_end="until_car",
    )
    table = play(
        play(table, build("A-P0", 0, -105, 2), *first), build("A-P1", 105, -105, 5, True), *last
    )
    assert (table.stocks[0].cars, len(table.cars)) == (left, 1 - left)
    assert (table.outcome() is None) == bool(left)


# --- the options themselves -----------------------------------------------------------------------


def test_presets_differ_from_standard_as_section_9_says() -> None:
    differing = {name: Ruleset.named(name).differing("standard") for name in PRESETS}
    assert differing == {
        "standard": {},
        "fr": {
            "turn_end": "until_car",
            "base_point": "last_built",
            "elimination": "fr",
            "exit_height": "any",
            "own_cross_voids": True,
            "freeze": "next_pillar",
            "may_pass": True,
        },
        "kr": {"hand_on_building": "redo"},
        "en2": {"continue_after_win": False},
        "rainbow": {"crossing_memory": "history"},
    }
    presets = [Preset.named(name) for name in PRESETS]
    assert {preset.name: preset.players for preset in presets if preset.players != (2, 3, 4)} == {
        "en2": (2,)
    }
    assert {preset.name for preset in presets if preset.components != "estimate-2018"} == {
        "rainbow"
    }


def test_a_preset_refuses_a_number_of_players_that_it_is_not_for() -> None:
    assert Table.start(2, "en2").turns.seats == 2
    for begin in (Table.start, partial(Table.from_layout, {}), partial(game, "tokyo-highway")):
        with pytest.raises(
            InputError,
            match="the rule set en2 is for 2 players, not 3; 3 may take standard, fr, kr, rainbow",
        ):
            begin(players=3, ruleset="en2")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("box", [None, "estimate-2018", "estimate-rubber"])
def test_a_preset_brings_its_components_unless_others_are_named_and_a_record_says_which(
    preset: str, box: str | None
) -> None:
    usual = "estimate-rubber" if preset == "rainbow" else "estimate-2018"
    made = game("tokyo-highway", ruleset=preset, components=box, engine="none")
    record = rules.record.loads(rules.record.dumps(rules.record.Record(made.header(("a", "b")))))
    tables = (
        made.start().table,
        Table.start(2, preset, box),
        Table.from_layout({}, 2, preset, box),
        sim.game.replay.begin(record),
        sim.game.replay.begin(rules.record.Record(replace(record.header, components=box))),
    )
    assert {table.components.name for table in tables} == {box or usual}
    silent = preset != "rainbow" and box != "estimate-rubber"
    assert record.header.components == (None if silent else box or usual)


def test_planar_implies_that_own_roads_never_cross_however_it_is_set() -> None:
    planar = Ruleset.named(loop="planar")
    assert not planar.self_cross
    assert not planar.changed(self_cross=True).self_cross
    assert not Table.start(2, Ruleset.named(), loop="planar").ruleset.self_cross
    with pytest.raises(InputError, match="option loop is ring; it takes graph or planar"):
        Table.start(2, Ruleset.named(), loop="ring")


def test_the_command_shows_a_preset_and_what_two_read_differently(shutoko: Any) -> None:
    told = json.loads(shutoko("rules", "en2", "--json").stdout)
    assert (told["players"], told["components"]) == ([2], "estimate-2018")
    told = json.loads(shutoko("rules", "--diff", "fr", "kr", "--json").stdout)
    fr, kr = Ruleset.named("fr"), Ruleset.named("kr")
    values = {name: (getattr(fr, name), getattr(kr, name)) for name in OPTIONS}
    differing = {name: pair for name, pair in values.items() if pair[0] != pair[1]}
    assert {one["name"]: (one["fr"], one["kr"]) for one in told["options"]} == differing
    text = shutoko("rules", "--diff", "fr", "kr").stdout
    assert f"fr and kr differ in {len(differing)} options" in text
    assert "kr: one_road: a turn is one pillar, one road and its cars" in text


# --- nothing without a test -----------------------------------------------------------------------


Mark = tuple[tuple[str, ...], str | None, tuple[object, ...]]
"""The sections, the option and its values that a test or a scene checks."""


@cache
def marks() -> list[Mark]:
    """Every `pytest.mark.rule` of the suite, read from the source, so that it does not matter which
    tests are run, and every scene of an option.
    """
    found: list[Mark] = [
        (tuple(scene.sections.split(", ")), name, tuple(scene.says))
        for name, scene in SCENES.items()
    ]
    for path in sorted(Path(__file__).parents[2].rglob("test_*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.rule":
                named = {key.arg: ast.literal_eval(key.value) for key in call.keywords}
                values = named.get("value", ())
                values = values if isinstance(values, tuple) else (values,)
                sections = tuple(ast.literal_eval(arg) for arg in call.args)
                found.append((sections, named.get("option"), values))
    return found


def test_every_option_and_every_rulebook_section_has_a_test_and_every_mark_means_something() -> (
    None
):
    assert {section for sections, _, _ in marks() for section in sections} == set(SECTIONS)
    assert {option for _, option, _ in marks()} == {*OPTIONS, None}
    for _, option, values in marks():
        assert option is None or all(OPTIONS[option].check(one) == one for one in values), option


def test_table_of_docs_names_every_section_with_its_options() -> None:
    text = (Path(__file__).parents[3] / "docs" / "rules.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:FR|KR) [^|]+?) \| [^|]+ \| ([^|]*) \|$", text, flags=re.MULTILINE)
    assert sorted(section for section, _ in rows) == sorted(SECTIONS)
    told = {section: set(re.findall(r"`(\w+)`", options)) for section, options in rows}
    assert told == {
        section: {option for sections, option, _ in marks() if option and section in sections}
        for section in SECTIONS
    }


def test_docs_tell_every_option_with_its_default_and_its_source() -> None:
    text = (Path(__file__).parents[3] / "docs" / "rules.md").read_text(encoding="utf-8")
    for option in OPTIONS.values():
        default = (
            str(option.default).lower() if isinstance(option.default, bool) else option.default
        )
        assert f"`{option.name} = {default}`" in text, (
            f'docs/rules.md, "Every option": no row begins with `{option.name} = {default}`'
        )


def test_digests_tell_every_value_of_every_option_apart() -> None:
    seen: dict[str, str] = {}
    for option in OPTIONS.values():
        values = option.values if option.number is None else (option.default, 7)
        for value in values:
            rules = Ruleset().changed(**{option.name: value})
            name = "standard" if rules == Ruleset() else f"{option.name} = {value}"
            assert seen.setdefault(Table.start(2, rules).digest(), name) == name
    assert len(seen) > len(OPTIONS)
