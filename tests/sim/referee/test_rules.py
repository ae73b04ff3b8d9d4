"""The rules of Tokyo Highway one by one, as the French (FR) and the Korean rulebook (KR) number
them; no physics is asked.
"""

from __future__ import annotations

import copy
import dataclasses
import math
import re
from typing import Any

import numpy as np
import pytest

import sim
from rules.errors import InputError
from sim import referee
from sim.bodies import Pose, SettleResult
from sim.game.ply import Attempt, judge
from sim.game.sources import Nominal, Observed, Recorded
from sim.pieces import Components
from sim.referee.judgement import next_table
from sim.referee.placement import CarSpot, Pass, Resign, SetBuilding
from sim.referee.table import Table
from tests.tables import (
    ACROSS,
    ALONE,
    AWAY,
    CROSSED,
    JUMP,
    build,
    codes,
    ending,
    entrances,
    exit_to,
    lay_out,
    new_at_rest,
    play,
    plays,
    ply,
    refused,
    stock,
)

SETUP = {2: (9, 29, 3, 14), 3: (7, 24, 2, 11), 4: (6, 19, 2, 8)}


def three(*, cars: int = 9, **options: object) -> Table:
    """Three players far apart; A can score over B-R1."""
    stocks = [stock(cars=cars), stock(), stock()]
    return lay_out({**ACROSS, "C-P0": (0, 900, 1)}, CROSSED, stocks=stocks, players=3, **options)


# --- pieces and set-up ----------------------------------------------------------------------------


@pytest.mark.rule("FR 1", "KR 1")
@pytest.mark.parametrize(
    ("kind", "most"), [("cars", 40), ("grey", 100), ("yellow", 8), ("roads", 36)]
)
def test_supplies_come_out_of_one_box(kind: str, most: int) -> None:
    box = Components.named("estimate-2018")
    assert max(n * getattr(supply, kind) for n, supply in box.supplies.items()) <= most
    assert len(box.buildings) == 4


@pytest.mark.rule("FR 2.1", "KR 3.1")
@pytest.mark.parametrize(
    ("players", "supply"), [(2, (10, 30, 3, 15)), (3, (8, 25, 2, 12)), (4, (7, 20, 2, 9))]
)
def test_everyone_begins_with_the_supply_of_the_rulebook(
    players: int, supply: tuple[int, ...]
) -> None:
    for stock_ in Table.start(players).stocks:
        assert (stock_.cars, stock_.grey, stock_.yellow, stock_.roads) == supply


@pytest.mark.parametrize("players", [0, 1, 5])
def test_two_three_or_four_play(players: int) -> None:
    with pytest.raises(InputError, match=f"2, 3 or 4 players, not {players}"):
        Table.start(players)


@pytest.mark.rule("FR 2.2", "KR 3.2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_entrances_are_set_clockwise_from_the_own_supply_with_ramps_that_run_outward(
    players: int,
) -> None:
    table = entrances(players)
    assert table.phase == ("play" if players == 2 else "buildings")
    assert {(s.cars, s.grey, s.yellow, s.roads) for s in table.stocks} == {SETUP[players]}
    assert [pillar.discs for pillar in table.pillars] == [1] * players
    angles = [math.degrees(math.atan2(y, x)) for x, y in (one.at for one in table.pillars)]
    assert angles[0] == pytest.approx(-90.0)
    for seat, road in enumerate(table.roads):
        assert (angles[seat - 1] - angles[seat]) % 360 == pytest.approx(360 / players, abs=0.1)
        apart = math.dist(table.pillars[seat].at, table.pillars[seat - 1].at)
        assert apart == pytest.approx(110.0, abs=0.02)
        assert math.hypot(*road.end) > math.hypot(*road.start)
        assert math.dist(road.start, road.end) == pytest.approx(math.sqrt(110**2 - 10**2))


@pytest.mark.rule("FR 2.3", "KR 3.3")
@pytest.mark.parametrize("players", [3, 4])
def test_buildings_are_chosen_and_set_from_the_last_player_back(players: int) -> None:
    table = entrances(players)
    for n, kind in enumerate(("tower", "slab", "cylinder", "block")[:players]):
        assert (table.phase, table.to_move) == ("buildings", players - 1 - n)
        if n:
            assert codes(table, SetBuilding("tower", (900, 900))) == ["building-taken"]
        table = play(table, SetBuilding(kind, (400.0 + 200 * n, 0.0)))
        assert table.buildings[-1].by == players - 1 - n
    assert (table.phase, table.to_move) == ("play", 0)
    # set once, they never move again
    assert codes(table, SetBuilding("block", (900, 900))) == ["phase"]


@pytest.mark.rule("KR 4", "FR 4")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_play_goes_clockwise_from_seat_0(players: int) -> None:
    pillars = {f"{seat}-P0": (0, 300 * n, 1) for n, seat in enumerate("ABCD"[:players])}
    table, order = lay_out(pillars, players=players), []
    for n in range(2 * players):
        order.append(table.to_move)
        base = table.base_points(table.to_move)[0].pillar
        table = play(
            table, build(base.id, base.at[0] + 105, base.at[1], base.discs + 1 - 2 * (n // players))
        )
    assert order == [*range(players)] * 2


# --- a turn: pillar, road, cars -------------------------------------------------------------------


@pytest.mark.rule("FR 4.1", "KR 4.1")
def test_base_points_are_open_ends_and_not_pillars_that_a_road_leaves_or_an_exit() -> None:
    table = play(lay_out(ALONE), build("A-P0", 105, 0, 2))
    assert [base.pillar.id for base in table.base_points(0)] == ["A-P1"]
    table = play(lay_out(ALONE), exit_to("A-P0", 109.5, 0))
    assert table.base_points(0) == ()


@pytest.mark.rule("FR 4.2", "KR 4.2")
def test_a_build_that_does_not_stand_is_tried_again_then_undone_and_the_turn_lost() -> None:
    table = lay_out(ACROSS, CROSSED)
    second = ply(table, JUMP, tries=[Observed(("A-R0",)), Nominal()])
    assert (second.built, second.earned) == (True, 1)
    slid = {**new_at_rest(table, JUMP), "A-R0": Pose((500.0, 0.0, 1.0))}
    lost = play(table, JUMP, tries=[Observed(("A-R0",)), Recorded(SettleResult(slid))])
    assert (lost.piece_ids, lost.poses, lost.stocks, lost.to_move) == (
        table.piece_ids,
        table.poses,
        table.stocks,
        1,
    )


@pytest.mark.rule("FR 4.3", "KR 4.3")
def test_an_illegal_placement_changes_nothing_and_is_put_right_by_the_same_player() -> None:
    table = lay_out(ALONE)
    verdict, after, attempts = judge(table, build("A-P0", 105, 0, 3), [Attempt(Nominal())])
    assert (verdict.legal, after, attempts) == (False, table, ())
    with pytest.raises(InputError, match="illegal ply changes nothing"):
        next_table(table, Pass(), verdict)


@pytest.mark.rule("FR 4.3", "KR 6", "FR 6 Attention", "KR 6 Important")
def test_placing_cars_is_optional_and_automatic_unless_said() -> None:
    table = lay_out(ACROSS, CROSSED)
    assert [car.road for car in play(table, JUMP).cars] == ["A-R0"]
    declined = ply(table, build("A-P0", 105, 0, 5, True, []))
    assert (declined.earned, declined.spots) == (1, ())
    said = play(table, build("A-P0", 105, 0, 5, True, [CarSpot(0.25, 1.0)]))
    assert [(car.road, car.along, car.side) for car in said.cars] == [("A-R0", 0.25, 1.0)]


# --- cars: the crossing rule ----------------------------------------------------------------------


@pytest.mark.rule("FR 6", "KR 6")
def test_cars_are_capped_by_the_stock_and_earned_is_still_told() -> None:
    verdict = ply(crossing_two(cars=1), JUMP)
    assert (verdict.earned, len(verdict.spots)) == (2, 1)


def crossing_two(cars: int, **options: Any) -> Table:
    """A can score over B-R1 and B-R2 with one road."""
    pillars = {**ACROSS, "B-P3": (35, 55, 1), "B-P4": (35, -55, 1)}
    return lay_out(
        pillars,
        {**CROSSED, "B-R2": ("B-P3", "B-P4")},
        stocks=[stock(cars=cars), stock()],
        **options,
    )


@pytest.mark.rule("FR 6", "KR 6")
def test_a_hand_draws_and_a_warning_names_no_more_cars_than_the_stock_has() -> None:
    from sim.game.attempts.hand import SKILLS, draw
    from sim.game.stability import steep_cars

    for cars, names in ((1, {"A-C0"}), (2, {"A-C0", "A-C1"})):
        table = crossing_two(cars)
        drawn = draw(np.random.default_rng(1), referee.check(table, JUMP), SKILLS["normal"])
        assert {item["piece"] for item in drawn if "-C" in item.get("piece", "")} == names
        assert {steep.car for steep in steep_cars(table, JUMP)} == names


# --- junctions and exits --------------------------------------------------------------------------


@pytest.mark.rule("FR 7.1", "KR 7.1")
def test_a_junction_has_any_height_with_grey_below_and_the_next_pillar_is_bound_again() -> None:
    table = lay_out({"A-P0": (0, 0, 2), "B-P0": (0, 500, 1)})
    for discs in (2, 3, 4, 5):
        assert codes(table, build("A-P0", 104, 0, discs, True)) == []
    assert codes(table, build("A-P0", 105, 0, 1, True)) == ["junction-height"]
    table = play(play(table, build("A-P0", 105, 0, 5, True)), build("B-P0", 105, 500, 2))
    assert codes(table, build("A-P1", 210, 0, 5)) == ["height"]
    assert codes(table, build("A-P1", 210, 0, 4)) == []
    assert codes(table, build("A-P1", 210, 0, 5, True)) == []
    assert table.stocks[0].yellow == 2


@pytest.mark.rule("FR 7.2", "KR 7.2")
def test_a_junction_takes_exactly_one_branch_from_the_next_turn_on() -> None:
    table = play(lay_out(ALONE), build("A-P0", 105, 0, 2, True))
    for step, (base, x, y) in enumerate([("A-P1", 210, 0), ("A-P1", 105, 105)]):
        table = play(table, build("B-P0" if step == 0 else "B-P1", 105 * (step + 1), 500, 2 + step))
        assert any(
            point.pillar.id == base and point.branch == bool(step) for point in table.base_points(0)
        )
        table = play(table, build(base, x, y, 3))
    table = play(table, build("B-P2", 315, 500, 2))
    assert codes(table, build("A-P1", 105, -105, 3)) == ["base-used"]
    assert [point.pillar.id for point in table.base_points(0)] == ["A-P2", "A-P3"]


@pytest.mark.rule("FR 8", "KR 8")
def test_an_exit_costs_a_road_and_earns_a_bonus_car_and_nothing_follows_it() -> None:
    table = lay_out({**ALONE, "B-P1": (60, -55, 3), "B-P2": (60, 55, 4)}, CROSSED)
    plain = play(table, exit_to("A-P0", -109.5, 0))
    assert (plain.stocks[0].roads, plain.stocks[0].grey, plain.stocks[0].cars) == (9, 20, 8)
    assert plain.base_points(0) == ()
    crossing = ply(table, exit_to("A-P0", 109.5, 0))
    assert (crossing.earned, len(crossing.spots)) == (2, 2)


@pytest.mark.rule("FR 8", "KR 8")
def test_more_than_one_exit_is_allowed_each_with_its_bonus() -> None:
    table = lay_out({"A-P0": (0, 0, 1), "A-P1": (0, 200, 1), "B-P0": (0, 500, 1)})
    table = play(play(table, exit_to("A-P0", 109.5, 0)), build("B-P0", 105, 500, 2))
    assert play(table, exit_to("A-P1", 109.5, 200)).stocks[0].cars == 7


# --- falls and penalties --------------------------------------------------------------------------


@pytest.mark.rule("FR 9", "KR 9")
def test_a_disc_is_paid_for_every_fallen_piece_of_another_and_none_for_own_ones() -> None:
    table = lay_out({**ACROSS, "A-P1": (0, 200, 2)}, CROSSED, cars={"B-C0": ("B-R1", 0.5)})
    after = play(table, AWAY, "B-R1", "B-C0", "B-P1.2", "A-P1.1")
    assert (after.stocks[0].grey, after.stocks[1].grey) == (20 - 2 - 3, 20 + 3)
    assert after.pillars[:-1] == table.pillars  # everything is put back as it was
    assert after.cars == table.cars


@pytest.mark.rule("FR 9", "KR 9")
def test_victims_are_paid_clockwise_until_the_payer_has_nothing_left() -> None:
    pillars = {"B-P0": (0, 0, 1), "A-P0": (0, 500, 3), "C-P0": (0, 900, 2), "D-P0": (0, 1300, 2)}
    stocks = [stock(), stock(grey=4, yellow=1), stock(), stock()]
    table = lay_out(pillars, stocks=stocks, players=4, to_move=1)
    fell = ("A-P0.1", "A-P0.2", "A-P0.3", "C-P0.1", "D-P0.1", "D-P0.2")
    verdict = ply(table, build("B-P0", 105, 0, 2), *fell)
    assert verdict.owed == ((2, 1), (3, 2), (0, 3))
    # two grey went into the pillar
    assert [(p.to, p.grey, p.yellow) for p in verdict.paid] == [
        (2, 1, 0),
        (3, 1, 1),
    ]


@pytest.mark.rule("FR 9", "KR 9")
def test_the_payer_chooses_grey_or_yellow_but_not_the_sum() -> None:
    table, fell = lay_out(ACROSS, CROSSED), ("B-R1", "B-P1.2")
    after = play(table, AWAY, *fell, pay=[{"to": 1, "grey": 0, "yellow": 2}])
    assert (after.stocks[0].yellow, after.stocks[1].yellow) == (1, 5)
    for item, why in (
        ({"to": 1, "grey": 1}, "A pays B 1 piece, but 2 are due"),
        ({"to": 1, "grey": 0}, "A pays B nothing, but 2 are due"),
        ({"to": 0, "grey": 2}, "A pays A, who is no other player of this game"),
        ({"to": 2, "grey": 2}, "A pays C, who is no other player of this game"),
        ({"to": 1, "yellow": 4}, "A pays B 4 pieces, but 2 are due; and 1 more"),
        ({"to": 1, "roads": 2}, "A pays B in roads, but discs go first (penalty_currency)"),
    ):
        assert refused(table, AWAY, *fell, pay=[item]) == why
    with pytest.raises(InputError, match="pay names seat 1 twice"):
        play(table, AWAY, *fell, pay=[{"to": 1, "grey": 1}] * 2)


@pytest.mark.rule("FR 9", "KR 9")
def test_a_table_may_accept_another_payment_than_is_due() -> None:
    table, fell = lay_out(ACROSS, CROSSED), ("B-R1", "B-P1.2")
    for item, paid, told in (
        ({"to": 1, "grey": 3}, 3, "A owes B 2 discs for 2 fallen pieces and pays 3 grey discs"),
        ({"to": 1, "grey": 0}, 0, "A owes B 2 discs for 2 fallen pieces and pays nothing"),
    ):
        verdict = ply(table, AWAY, *fell, pay=[item], accepted=True)
        assert [fault.code for fault in verdict.faults] == ["payment"]
        lines = str(verdict).splitlines()
        assert told in lines
        assert any("noticed too late, so it stands (KR 4.3): A pays B " in line for line in lines)
        after = play(table, AWAY, *fell, pay=[item], accepted=True)
        assert after.stocks[1].grey == table.stocks[1].grey + paid
    gift = ply(table, AWAY, pay=[{"to": 1, "grey": 1}], accepted=True)
    assert "A owes B nothing and pays 1 grey disc" in str(gift).splitlines()


def test_nobody_pays_what_they_do_not_have_even_if_all_accept_it() -> None:
    table, fell = lay_out(ACROSS, CROSSED), ("B-R1", "B-P1.2")
    why = refused(table, AWAY, *fell, pay=[{"to": 1, "yellow": 9}], accepted=True)
    assert why == "A pays B 9 yellow, but has 3"
    assert "no other player" in refused(table, AWAY, pay=[{"to": 0, "grey": 1}], accepted=True)


@pytest.mark.parametrize(
    ("item", "told"),
    [
        (
            {"to": 1, "grey": -1, "yellow": 3},
            "pay has grey = -1, but that is a whole number of 0 or more",
        ),
        ({"to": 1, "grey": 2.0}, "pay has grey = 2.0, but"),
        ({"to": 1, "grey": True, "yellow": 1}, "pay has grey = True, but"),
        ({"to": True, "grey": 2}, "pay has to = True, but"),
        ({"to": 1, "gray": 2}, "pay has the key 'gray'; the keys are to, grey, yellow, roads"),
        ({"to": 1, "cars": 2}, "pay gives cars, but a penalty is never paid in cars"),
        ({"grey": 2}, "pay has {'grey': 2}, which does not say to whom"),
        ("grey", "pay has 'grey', which does not say to whom"),
    ],
)
def test_a_payment_is_whole_discs_and_roads_of_0_or_more(item: Any, told: str) -> None:
    table, fell = lay_out(ACROSS, CROSSED, penalty_currency="any"), ("B-R1", "B-P1.2")
    with pytest.raises(InputError, match=re.escape(told)):
        play(table, AWAY, *fell, pay=[item])
    assert (
        play(table, AWAY, *fell, pay=[{"to": 1, "grey": 2, "x-why": "heads"}]).stocks[1].grey == 22
    )


@pytest.mark.rule("FR 9", "KR 9")
def test_roads_are_paid_only_once_no_disc_of_either_colour_is_left() -> None:
    stocks = [stock(grey=3, yellow=1), stock()]  # the build takes two of the grey discs
    table = lay_out(ACROSS, CROSSED, stocks=stocks, penalty_currency="any")
    move, fell = build("A-P0", -105, 0, 2), ("B-P1.1", "B-P1.2", "B-R1")
    early = [{"to": 1, "grey": 1, "roads": 2}]
    assert "in roads, but discs go first" in refused(table, move, *fell, pay=early)
    after = play(table, move, *fell, pay=[{"to": 1, "grey": 1, "yellow": 1, "roads": 1}])
    left = after.stocks[0]
    assert (left.grey, left.yellow, left.roads) == (0, 0, table.stocks[0].roads - 2)


@pytest.mark.rule("FR 9", "KR 9")
def test_knocks_of_every_try_are_paid_even_if_the_build_is_undone() -> None:
    table = lay_out(ACROSS, CROSSED)
    after = play(table, JUMP, tries=[Observed(("A-R0", "B-R1")), Observed(("A-R0", "B-R1"))])
    assert (after.stocks[0].grey, after.stocks[1].grey, after.stocks[0].roads) == (18, 22, 10)


# --- the end --------------------------------------------------------------------------------------


def with_stocks(*stocks: dict[str, int], **options: Any) -> Table:
    """A table of base pillars far apart, one for each stock."""
    pillars = {f"{'ABC'[n]}-P0": (0, (0, 500, 900)[n], 1) for n in range(len(stocks))}
    return lay_out(pillars, stocks=stocks, players=len(stocks), **options)


ONE, NONE, SOME = stock(roads=1), stock(roads=0), stock()
A_2, B_2, C_2 = (build(f"{who}-P0", 105, y, 2) for who, y in (("A", 0), ("B", 500), ("C", 900)))
B_3, C_3 = build("B-P1", 210, 500, 3), build("C-P1", 210, 900, 3)
FENCE = {
    f"B-P{n}": (33 * math.cos(n * math.pi / 5), 33 * math.sin(n * math.pi / 5), 1)
    for n in range(10)
}
FENCED = lay_out({"A-P0": (0, 0, 1), **FENCE, "C-P0": (0, 900, 1)}, players=3)
HIGH = lay_out({"A-P0": (0, 0, 4), "B-P0": (0, 500, 1)}, stocks=[stock(grey=2, yellow=0), SOME])
FR = {"elimination": "fr"}
ENDS = [
    # why, table, moves, who has finished and is out, who is to move or the ranks, reason
    ("who places the last own car first has won, and the others play on for ranks",
     three(cars=1), [JUMP], ((0,),), (), 1, ""),
    ("where a win ends the game all others share the last rank",
     three(cars=1, continue_after_win=False), [JUMP],
     ((0,),), (), ((0,), (1, 2)), "all-cars-placed"),
    ("the ranks of those who play on follow",
     three(cars=1), [JUMP, Resign()],
     ((0,),), ((1,),), ((0,), (2,), (1,)), "all-cars-placed"),
    ("nobody finishes by a build that earns no car",
     lay_out(ACROSS, CROSSED, stocks=[stock(cars=0), SOME]), [AWAY], (), (), 1, ""),
    ("nobody finishes by a build on which no car is placed",
     lay_out(ACROSS, CROSSED, stocks=[stock(cars=0), SOME]),
     [build("A-P0", 105, 0, 5, True, [])], (), (), 1, ""),
    ("KR: who is unable passes, and is out at the next own turn",
     with_stocks(NONE, SOME), ["pass", B_2], (), ((0,),), ((1,), (0,)), "last-standing"),
    ("KR: a disc received in between rescues",
     HIGH, ["pass", (B_2, "A-P0.4")], (), (), 0, ""),
    ("KR: who resigns before another is out ranks below, however early that one ran out (8p)",
     with_stocks(ONE, SOME, SOME),
     [A_2, B_2, Resign(), "pass", B_3], (), ((2,), (0,)), ((1,), (0,), (2,)), "last-standing"),
    ("KR: no room counts as unable, and twice in a row puts out",
     FENCED, [Pass("no room"), Resign(), C_2, Pass("no room")],
     (), ((1,), (0,)), ((2,), (0,), (1,)), "last-standing"),
    ("FR: a penalty of the turn in which material ran out rescues nobody",
     with_stocks(ONE, SOME, **FR), [(A_2, "B-P0.1"), B_2],
     (), ((0,),), ((1,), (0,)), "last-standing"),
    ("FR: with two players the other has one more turn, too",
     with_stocks(ONE, SOME, **FR), [A_2], (), (), 1, ""),
    ("FR: after it who ran out is out",
     with_stocks(ONE, SOME, **FR), [A_2, B_2], (), ((0,),), ((1,), (0,)), "last-standing"),
    ("FR: a penalty in it rescues",
     with_stocks(ONE, SOME, **FR), [A_2, (B_2, "A-P0.1")], (), (), 0, ""),
    ("FR: a turn of several roads is one turn of the round",
     with_stocks(ONE, stock(roads=2), turn_end="until_car", **FR), [A_2, B_2], (), (), 1, ""),
    ("FR: and ends with its last road",
     with_stocks(ONE, stock(roads=2), turn_end="until_car", **FR), [A_2, B_2, B_3],
     (), ((0,),), ((1,), (0,)), "last-standing"),
    ("FR: who ran out earlier ranks lower",
     with_stocks(ONE, ONE, SOME, **FR), [A_2, B_2, C_2],
     (), ((0,), (1,)), ((2,), (1,), (0,)), "last-standing"),
    ("FR: even if the winner runs out, too",
     with_stocks(ONE, ONE, ONE, **FR), [A_2, B_2, C_2],
     (), ((0,), (1,)), ((2,), (1,), (0,)), "last-standing"),
    ("FR: nobody waits for a turn of somebody who has left",
     with_stocks(ONE, SOME, SOME, **FR), [A_2, B_2, Resign()],
     (), ((2,), (0,)), ((1,), (0,), (2,)), "last-standing"),
    ("FR: a junction of the turn that ends counts as a base point",
     lay_out(ALONE, turn_end="until_car", elimination="fr", exit_height="any"),
     [build("A-P0", 105, 0, 2, True), exit_to("A-P1", 213.1, 0)], (), (), 1, ""),
    ("the last one who is not out wins, and who left last ranks higher",
     three(), [Resign(), Resign()], (), ((0,), (1,)), ((2,), (1,), (0,)), "resigned"),
    ("a game ends resigned only if everybody who left resigned",
     with_stocks(NONE, SOME, SOME), ["pass", B_2, Resign()],
     (), ((2,), (0,)), ((1,), (0,), (2,)), "last-standing"),
]  # fmt: skip


@pytest.mark.rule("FR 3", "KR 2", "FR 7.2", "FR 10.1", "KR 10.1", "FR 10.2", "KR 10.2")
@pytest.mark.parametrize(
    ("table", "moves", "finished", "out", "then", "reason"),
    [pytest.param(*rest, id=why) for why, *rest in ENDS],
)
def test_who_wins_is_out_and_ranks_where(
    table: Table, moves: list[Any], finished: Any, out: Any, then: Any, reason: str
) -> None:
    after = plays(table, *moves)
    assert (after.turns.finished, after.turns.out) == (finished, out)
    assert (ending(after) or (after.to_move, "")) == (then, reason)


@pytest.mark.rule("FR 10.2")
@pytest.mark.parametrize("left", [1, 0])
def test_fr_a_penalty_in_the_round_starts_the_count_again_whether_it_could_be_paid_or_not(
    left: int,
) -> None:
    """B knocks over C's disc and pays it, or has none to pay with; nobody pays A, who is out of
    material.
    """
    table = with_stocks(ONE, stock(grey=2 + left, yellow=0), SOME, exit_height="any", **FR)
    assert len(ply(play(table, A_2), B_2, "C-P0.1").paid) == left
    table = plays(table, A_2, (B_2, "C-P0.1"), C_2)
    assert (table.turns.out, table.to_move) == ((), 0)
    table = plays(table, "pass", exit_to("B-P1", 213.1, 500))
    assert table.turns.out == ()
    assert play(table, C_3).turns.out[0] == (0,)


@pytest.mark.rule("FR 10.2", "KR 10.2")
@pytest.mark.parametrize(
    ("discs", "left", "options", "unable"),
    [
        pytest.param(1, stock(roads=0), {}, True, id="no road"),
        pytest.param(1, stock(grey=0, yellow=0), {}, False, id="an exit needs no disc"),
        pytest.param(4, stock(grey=2, yellow=0), {}, True, id="too few for a disc lower"),
        pytest.param(4, stock(grey=3, yellow=0), {}, False, id="a disc lower"),
        pytest.param(4, stock(grey=1, yellow=1), {}, False, id="a junction of two"),
        pytest.param(4, stock(grey=0, yellow=1), {}, True, id="a yellow disc alone"),
        pytest.param(4, stock(grey=0, yellow=0), {"exit_height": "any"}, False, id="an exit"),
    ],
)
def test_unable_is_judged_by_stock_and_base_points_alone(
    discs: int, left: dict[str, int], options: dict[str, Any], unable: bool
) -> None:
    pillars = {"A-P0": (0, 0, discs), "B-P0": (0, 500, 1)}
    assert lay_out(pillars, stocks=[left] * 2, **options).unable(0) is unable


@pytest.mark.rule("KR 10.2")
def test_misses_are_counted_until_a_turn_is_played() -> None:
    missed = play(with_stocks(NONE, SOME), "pass")
    assert (missed.turns.misses, ply(missed, B_2).out) == ((1, 0), (0,))
    assert play(FENCED, Pass("no room")).turns.misses == (1, 0, 0)
    rescued = plays(HIGH, "pass", (B_2, "A-P0.4"))
    assert rescued.stocks[0].grey == 3
    assert play(rescued, build("A-P0", 105, 0, 3)).turns.misses == (0, 0)


def test_digest_is_equal_for_equal_tables_and_differs_in_everything_needed_to_go_on() -> None:
    table, left = lay_out(ACROSS, CROSSED), play(three(), Resign())
    assert table.digest() == lay_out(ACROSS, CROSSED).digest()
    others = [
        lay_out(ACROSS, CROSSED, to_move=1),
        lay_out(ACROSS, CROSSED, self_cross=False),
        lay_out(ACROSS, CROSSED, entrance_reach=3),
        lay_out(ACROSS, CROSSED, stocks=[stock(cars=8), stock()]),
        play(table, AWAY),
        sim.Table.from_layout({"pillars": []}),
        left,
        dataclasses.replace(left, resigned=()),
    ]
    assert len({one.digest() for one in (table, *others)}) == 9
    assert (play(table, AWAY).turn, plays(table, AWAY, B_2).turn) == (1, 2)


def test_a_table_travels_without_what_was_worked_out_from_it():
    table = lay_out({"A-P0": (0, 0, 1)})
    assert "A-P0.1" in table.piece_ids
    copied = copy.copy(table)
    assert copied == table
    assert "piece_ids" in vars(table)
    assert vars(copied).keys() == {part.name for part in dataclasses.fields(table)}
