"""What pages say of a game: its guide, a turn in the words of players, what to do about a refusal,
and how a game went.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from types import SimpleNamespace
from typing import get_args

import pytest

import rules
from rules.defaults import settings
from rules.game import Guide, Setting
from rules.record.replay import begin, replay
from shutoko.web.views.aiming import AimRequest, aim, request_for
from shutoko.web.views.telling import (
    advice,
    aimed_in_short,
    graph,
    guide,
    how_to,
    in_short,
    mood_of,
    series,
    setting_about,
    setting_name,
    spots_of,
    tallies,
    value_name,
)
from shutoko.web.wording import LANGUAGES, words
from sim.assets import asset
from sim.referee.placement import Placement
from sim.referee.standing import Fault, FaultCode
from sim.referee.verdict import Close
from tests.sim.game.test_real_table import game as noted
from tests.tables import build, exit_to, lay_out

RECORD = rules.record.read(asset("records", "knock.jsonl"))
STEPS = list(replay(RECORD))
TEXT = words("en")


def at_ply(ply):
    return next(step for step in STEPS if step.entry.ply == ply)


@pytest.mark.parametrize(
    ("ply", "you", "said"),
    [
        (0, None, "east: entrance"),
        (16, None, "east: +1 car, over west"),
        (16, 0, "You: +1 car, over west"),
        (16, 1, "east: +1 car, over you"),
        (7, None, "west: +2 cars, over east"),
        (11, None, "west: no car"),
        (10, None, "east: no car, 3 pieces fall, pays west 2 grey discs and 1 yellow disc"),
        (STEPS[-1].entry.ply, None, ", wins"),
    ],
)
def test_a_turn_is_told_by_its_cars_whose_roads_it_passes_what_it_cost_and_who_wins(ply, you, said):
    assert in_short(at_ply(ply), TEXT, you).endswith(said)
    assert len({in_short(at_ply(ply), words(language), you) for language in LANGUAGES}) > 1


@pytest.mark.parametrize(
    ("pieces", "how"),
    [
        (("B-P4.1",), "the disc stays"),
        (("B-C1",), "the car falls"),
        (("B-P4.1", "B-R4"), "2 pieces end otherwise"),
        ((), "it ends otherwise"),
    ],
)
def test_a_close_call_is_told_in_the_words_of_players(pieces, how):
    close = Close(8, 3, pieces)
    step = replace(at_ply(10), verdict=replace(at_ply(10).verdict, close=close))
    assert f", a close call: in 3 of 8 equal tries {how}, " in in_short(step, TEXT)
    assert all("8" in in_short(step, words(language)) for language in LANGUAGES)


def test_an_aim_tells_what_it_would_earn_and_a_refusal_what_to_do_and_where_the_trouble_is():
    step = at_ply(16)
    table, exact = step.before.table, replace(request_for(step.placement), exact=None)
    assert aimed_in_short(aim(table, exact), table, TEXT, RECORD.header.players) == (
        "+1 car, over west"
    )
    theirs = next(pillar for pillar in table.pillars if pillar.owner != table.to_move)
    wrong = aim(table, AimRequest(theirs.at, fixed=True))
    assert not wrong.legal
    assert aimed_in_short(wrong, table, TEXT, ()) == advice(wrong.faults[0], table, TEXT)
    assert spots_of(wrong.faults, table, wrong.placement)
    near = Fault("pillar-on-pillar", (theirs.id,), {}, "overlap")
    assert advice(near, table, TEXT) == "A little further from the Blue pillar."
    ((*at, z),) = spots_of([near], table, wrong.placement)
    assert tuple(at) == table.top(theirs)
    assert z > 0


CROSSED = {"B-P0": (110, -50, 3), "B-P1": (110, 58, 2)}


@pytest.mark.parametrize(
    ("placement", "tolerance", "mood", "says"),
    [
        (exit_to("A-P0", 106, 0), 3.0, "doubtful", "1 to 2 cars, too close to tell"),
        (exit_to("A-P0", 106, 0), None, "good", "+1 car"),
        (
            build("A-P0", -127, 0, 2),
            3.0,
            "doubtful",
            "It earns no car. Whether it is allowed is too close to tell: measuring may be off",
        ),
        (build("A-P0", -105, 0, 2), 3.0, "good", "It earns no car."),
        (build("A-P0", -150, 0, 2), 3.0, "bad", "Nearer"),
    ],
)
def test_what_errors_of_measuring_leave_open_is_no_clear_answer(
    placement: Placement, tolerance: float | None, mood: str, says: str
) -> None:
    table = lay_out({"A-P0": (0, 0, 1), **CROSSED}, {"B-R0": ("B-P0", "B-P1")})
    table = replace(table, tolerance=tolerance)
    aimed = aim(table, request_for(placement))
    assert mood_of(aimed) == mood
    said = aimed_in_short(aimed, table, TEXT, ("Ann", "Ben"))
    assert says in said
    assert ("too close" not in said) or ("+" not in said and " only " not in said)


THREE = "3 cars are put down, but 1 is earned: illegal, let stand"


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"observed": {"cars": 3}, "accepted": True}, f", {THREE}"),
        ({"observed": {"fallen": []}, "claim": {"cars": 2}}, ", 2 cars claimed, 1 counted"),
        ({"observed": {"fallen": []}, "claim": {"cars": 1}}, ""),
    ],
)
def test_a_claim_that_the_referee_does_not_find_and_what_was_let_stand_are_told(told, says):
    *_, step = replay(rules.record.loads(noted({}, told)))
    assert in_short(step, TEXT) == f"Ben: +1 car, over Aiko{says}"
    assert len({in_short(step, words(language)) for language in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", get_args(FaultCode))
def test_every_fault_has_advice_in_every_language(language, code):
    table = STEPS[4].before.table
    said = advice(Fault(code, (table.pillars[0].id,)), table, words(language))
    assert said
    assert "advice" not in said


OWN = Guide(
    "Nim",
    "",
    "take matches",
    "MOVE is a number",
    translations={
        "fr": {"rules": "prenez des allumettes", "matches at first": "allumettes au début"}
    },
)
NIM = SimpleNamespace(name="nim", guide=OWN)


@pytest.mark.parametrize(
    ("language", "rule"),
    [("en", "take matches"), ("fr", "prenez des allumettes"), ("ko", "take matches")],
)
@pytest.mark.parametrize("pointing", ["how_board", "how_scene"])
def test_a_game_that_only_has_its_guide_is_told_by_it_and_by_how_to_point(language, rule, pointing):
    text = words(language)
    assert how_to(NIM, text, pointing) == f"{rule}\nMOVE is a number\n{text(pointing)}"
    assert text(pointing) != pointing
    assert how_to(NIM, text) == f"{rule}\nMOVE is a number"
    heap = Setting("heap", (3, 5), 3, "matches at first")
    assert (setting_about(NIM, heap, text) == heap.about) == (language != "fr")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["meridians", "thruway", "tokyo-highway"])
def test_a_shipped_game_and_all_its_settings_are_told_by_the_catalogues(name, language):
    made, text = rules.game(name), words(language)
    assert how_to(made, text, "how_board") == text(f"{name}_how")
    assert guide(made, text).about == text(f"{name}_about")
    for setting in settings(made):
        assert setting_name(setting, text) == text(setting.name) != setting.name
        assert (setting_about(made, setting, text) == setting.about) == (language == "en")
        for value in setting.values if name == "tokyo-highway" else ():
            assert (value_name(made, value, text) == str(value)) == isinstance(value, int)


def played(*name):
    record = rules.record.read(asset("records", *name))
    made, _ = begin(record)
    return record, made, [step for step in replay(record) if not step.entry.taken_back]


def test_the_series_of_cars_ends_at_the_number_placed():
    record, made, steps = played("knock.jsonl")
    lines = series(made, steps, 2)
    assert [line[0] for line in lines] == [0, 0]
    assert {len(line) for line in lines} == {len(steps) + 1}
    (winner,) = record.end.ranks[0]
    assert max(lines[winner]) == lines[winner][-1] > min(line[-1] for line in lines)
    found = tallies(steps, 2)
    for seat, tally in enumerate(found):
        own = [step.entry.got or {} for step in steps if step.entry.by == seat]
        cars = sum(got.get("cars", 0) for got in own)
        fallen = sum(len(got.get("fallen", ())) for got in own)
        assert (tally.turns, tally.cars, tally.fallen) == (len(own), cars, fallen)
    assert sum(tally.paid for tally in found) > 0


def test_the_pieces_of_a_board_game_are_counted_by_colour_and_drawn():
    _, made, steps = played("boards", "thruway-opening.jsonl")
    lines = series(made, steps, 2)
    board = steps[-1].after.board_text()
    assert [line[-1] for line in lines] == [board.count("1"), board.count("2")]
    drawn = ET.fromstring(graph(lines, ("#fff", "#000"), "a <title>"))  # noqa: S314 - our own text
    assert drawn.get("aria-label") == "a <title>"
    assert len([line for line in drawn.iter() if line.tag.endswith("polyline")]) == 4
