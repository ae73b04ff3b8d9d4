"""Tokyo Highway as a game among others: what it says of itself, and what its records begin with."""

from __future__ import annotations

from dataclasses import replace

import rules
from rules import defaults, record
from rules.record.replay import begin, fill, replay
from rules.view import SceneView
from sim.assets import asset
from sim.game.attempts import posing

GAME = record.read(asset("records", "two-cars.jsonl"))


def test_the_rule_sets_to_choose_from_are_those_for_that_number_of_players():
    of_two, of_four = (
        {
            setting.name: setting
            for setting in defaults.settings(rules.game("tokyo-highway", players=n))
        }
        for n in (2, 4)
    )
    assert of_two["players"].values == of_four["players"].values == (2, 3, 4)
    assert of_two["ruleset"].values != of_four["ruleset"].values
    for players in of_two["players"].values:
        made = rules.game("tokyo-highway", players=players)
        (ruleset,) = (setting for setting in defaults.settings(made) if setting.name == "ruleset")
        assert all(
            rules.game("tokyo-highway", players=players, ruleset=name).seats == players
            for name in ruleset.values
        )


def test_it_is_shown_as_pieces_in_space_and_has_no_places_on_a_board():
    made, state = begin(GAME)
    *_, last = replay(GAME)
    assert defaults.view(made, last.after) == SceneView(posing.bodies(last.after.table))
    assert (defaults.offers(made, state), defaults.plain_moves(made, state)) == ((), ())
    assert defaults.is_slow(made)
    assert [*defaults.hands(made)] == ["expert", "normal", "clumsy"]


def test_a_record_begins_with_the_players_the_rule_set_and_the_engine_of_its_header():
    made, start = begin(GAME)
    assert (made.seats, made.preset, made.engine) == (
        2,
        GAME.header.ruleset,
        GAME.header.physics["engine"],
    )
    assert start.table.phase == "entrances"
    three = replace(GAME, header=replace(GAME.header, players=("a", "b", "c"), physics=None))
    made, start = begin(three)
    assert (made.seats, made.engine, len(start.table.stocks)) == (3, "none", 3)


def test_only_an_adjustment_is_made_out_of_turn() -> None:
    made, _ = begin(GAME)
    last = next(step for step in replay(GAME) if step.after.table.lasts)
    built = last.after.table.lasts[-1].seat
    assert built != last.after.to_move
    assert defaults.mover(made, last.after, '{"adjust":{"pillar":[0,0]}}') == built
    assert defaults.mover(made, last.after, "pass") == last.after.to_move
    assert defaults.mover(made, last.after, "no move") == last.after.to_move
    assert defaults.mover(made, last.before, '{"adjust":{"pillar":[0,0]}}') == last.before.to_move


def test_the_game_says_what_its_table_is_and_how_its_records_are_filled() -> None:
    made = rules.game("tokyo-highway", engine="none")
    state = made.start()
    assert defaults.table(made, state) is state.table
    moves = (record.Entry(0, 0, state.table.default_entrance(0).to_json()),)
    filled = fill(record.Record(made.header(("Ann", "Bo")), moves), "none")
    assert filled.entries[0].got["legal"]
    assert "cars" in filled.entries[0].got
