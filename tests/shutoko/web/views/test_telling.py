"""A turn in the words of players: who, how many cars, over whom; and what to do about a refusal."""

from typing import get_args

import rules
from rules.record.replay import replay
from shutoko.web.views.aiming import AimRequest, aim
from shutoko.web.views.telling import advice, aimed_in_short, in_short, spots_of
from shutoko.web.wording import LANGUAGES, words
from sim.assets import asset
from sim.referee.fault import Fault, FaultCode

RECORD = rules.record.read(asset("records", "knock.jsonl"))
STEPS = list(replay(RECORD))
TEXT = words("en")


def told(ply, **how):
    return in_short(next(step for step in STEPS if step.entry.ply == ply), TEXT, **how)


def test_a_turn_is_told_by_its_cars_and_whose_roads_it_passes():
    assert told(0) == "east: entrance"
    assert told(16) == "east: +1 car, over west"
    assert told(16, you=0) == "You: +1 car, over west"
    assert told(16, you=1) == "east: +1 car, over you"
    assert told(7) == "west: +2 cars, over east"
    assert told(11) == "west: no car"


def test_a_fall_tells_what_it_cost_and_the_last_ply_who_wins():
    assert told(10) == "east: no car, 3 pieces fall, pays west 2 grey discs and 1 yellow disc"
    assert in_short(STEPS[-1], TEXT).endswith(", wins")
    for language in LANGUAGES:
        assert all(in_short(step, words(language)) for step in STEPS)


def test_an_aim_tells_what_it_would_earn_and_a_refusal_what_to_do_and_where_the_trouble_is():
    step = next(step for step in STEPS if step.entry.ply == 16)
    table = step.before.table
    legal = aim(table, AimRequest(step.placement.at, base=step.placement.base, discs=step.placement.discs))
    assert aimed_in_short(legal, table, TEXT, RECORD.header.players) == "+1 car, over west"
    theirs = next(pillar for pillar in table.pillars if pillar.owner != table.to_move)
    wrong = aim(table, AimRequest(theirs.at, fixed=True))
    assert not wrong.legal
    assert aimed_in_short(wrong, table, TEXT, ()) == advice(wrong.faults[0], table, TEXT)
    assert spots_of(wrong.faults, table, wrong.placement)
    near = Fault("pillar-on-pillar", (theirs.id,), {}, "overlap")
    assert advice(near, table, TEXT) == "A little further from the Blue pillar."
    ((x, y, z),) = spots_of([near], table, wrong.placement)
    assert (x, y) == table.top(theirs)
    assert z > 0


def test_every_fault_has_advice_in_every_language():
    table = STEPS[4].before.table
    for language in LANGUAGES:
        text = words(language)
        for code in get_args(FaultCode):
            said = advice(Fault(code, (table.pillars[0].id,)), table, text)
            assert said
            assert "advice" not in said
