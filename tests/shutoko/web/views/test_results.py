"""How a game went: the numbers and the graph are those of the record."""

import xml.etree.ElementTree as ET

import rules
from rules.record.replay import begin, replay
from shutoko.web.views.results import graph, series, tallies
from sim.assets import asset


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
    got = [step.entry for step in steps]
    for seat, tally in enumerate(found):
        own = [entry for entry in got if entry.by == seat]
        assert tally.turns == len(own)
        assert tally.cars == sum((entry.got or {}).get("cars", 0) for entry in own)
        assert tally.fallen == sum(len((entry.got or {}).get("fallen", ())) for entry in own)
    assert sum(tally.paid for tally in found) > 0


def test_the_pieces_of_a_board_game_are_counted_by_colour_and_drawn():
    _, made, steps = played("boards", "thruway-opening.jsonl")
    lines = series(made, steps, 2)
    board = steps[-1].after.board_text()
    assert [line[-1] for line in lines] == [board.count("1"), board.count("2")]
    drawn = ET.fromstring(graph(lines, ("#fff", "#000"), "a <title>"))  # noqa: S314 - our own text
    assert drawn.get("aria-label") == "a <title>"
    assert len([line for line in drawn.iter() if line.tag.endswith("polyline")]) == 4
