"""The players of Tokyo Highway: legal under every preset, repeatable, they see a win and a reply,
and know their hand.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from rules.arena.players import LEVELS, player
from rules.errors import InputError
from rules.game import game
from sim import referee
from sim.assets import names
from sim.bots.outlook import _REPLY, look_ahead, way_to_earn
from sim.bots.players import SIGHTS, Greedy, Person, Random, Sight
from sim.bots.playouts import Ahead, may_wait
from sim.bots.proposals import Kind, Sampling, kinds, propose
from sim.bots.searcher import Budget, Searcher, chances_of
from sim.bots.trials import Trial, Trials, Tried, alike, first_that_stands
from sim.bots.weighing import Hint, Planner
from sim.game.attempts.hand import SKILLS
from sim.game.highway import Position
from sim.game.ply import play
from sim.physics import engines
from sim.pieces import Supply
from sim.problems import every, problems, threat
from sim.referee.obstacles import as_seat
from sim.referee.placement import Build, Entrance, Exit, Pass, SetBuilding
from sim.referee.table import Table
from tests.tables import entrances, lay_out
from tools.positions import KINDS, begun, is_right, positions

SEARCHER = Searcher(first=Planner(width=60), budget=Budget(playouts=600), candidates=6)
SHARP = Person("sharp", Planner(width=60), Sight(1.0, 0.0, ahead=1.0, width=60))
PLAYERS = (Random(), Greedy(), SHARP, SEARCHER)
LEARNT = player("policy", game("tokyo-highway", engine="none"))
LONE = lay_out({"A-P0": (0, 0, 1), "B-P0": (300, 0, 1)})
LAST = replace(LONE, stocks=(Supply(1, 20, 2, 10), LONE.stocks[1]))
POOR = replace(LONE, stocks=(Supply(5, 0, 0, 0), LONE.stocks[1]))
WAITING = lay_out({"A-P0": (0, 0, 1), "B-P0": (300, 0, 1)}, ruleset="fr")


def chosen(table: Table, by=SHARP, seed: int = 1, engine: str = "none"):
    return by.choose(Position(table, engine), np.random.default_rng(seed))


def played(table: Table, plies: int, by=PLAYERS) -> Table:
    """The table after some plies, the players taking turns, on geometry alone."""
    for ply in range(plies):
        if table.outcome() is not None:
            break
        verdict, table = play(table, chosen(table, by[ply % len(by)], ply), "none")
        assert verdict.legal, [fault.text for fault in verdict.faults]
    return table


@pytest.fixture(scope="module")
def opened() -> Table:
    """A two-player game after four turns each."""
    return played(Table.start(2), 10, [Greedy()])


@pytest.mark.parametrize("ruleset", names("rulesets"))
def test_whole_games_are_legal_under_every_preset(ruleset):
    learnt = player("policy", game("tokyo-highway", engine="none", ruleset=ruleset))
    for by in (PLAYERS[:2], [learnt]):
        assert played(Table.start(2, ruleset), 300, by).outcome() is not None


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_levels_set_up_and_play_on(players):
    setup = players if players == 2 else 2 * players
    table = played(Table.start(players), setup + players)
    assert len(table.buildings) == (0 if players == 2 else players)
    assert all(
        len([road for road in table.roads if road.owner == seat]) >= 2 for seat in range(players)
    )


def test_all_proposals_are_legal_and_say_what_they_earn(opened):
    found = propose(opened, Sampling(24, 2, 0.5))
    assert {kind.junction for kind in found.kinds} == {True, False}
    for row in range(0, len(found), 9):
        placement = found.placement(row)
        assert referee.before(opened, placement) == ()
        verdict, after = play(opened, placement, "none")
        assert verdict.earned == found.cars[row]
        line = after.line(after.roads[-1])
        start, end, levels = np.split(found.lines(opened).rows[row], 3)
        assert (tuple(end), tuple(levels)) == (line.end, line.levels)
        assert tuple(start) == pytest.approx(line.start)


def test_proposals_keep_to_the_kinds_that_are_wanted(opened):
    junctions = [kind for kind in kinds(opened) if kind.junction]
    assert {*propose(opened, Sampling(12, 1), junctions).junction.tolist()} == {True}
    assert len(propose(opened, Sampling(12, 1), [])) == 0


@pytest.mark.parametrize("by", PLAYERS, ids=lambda by: by.name)
def test_the_same_generator_gives_the_same_choice(by, opened):
    assert str(chosen(opened, by, 9)) == str(chosen(opened, by, 9))


def test_random_takes_any_legal_proposal(opened):
    taken = {str(chosen(opened, Random(), seed)) for seed in range(8)}
    assert len(taken) == 8


def test_greedy_earns_as_much_as_it_can(opened):
    found = propose(opened, Sampling(72, 3, np.random.default_rng(1).random()))
    verdict, _ = play(opened, chosen(opened, Greedy(), 1), "none")
    # its only way on is not left by an exit
    assert verdict.earned == found.cars[found.discs > 0].max()


FAR = {"A-P0": (0, 0, 1), "B-P0": (400, -50, 1), "B-P1": (400, 50, 2)}


def test_the_way_leads_to_a_road_that_earns_a_car():
    """None of A's places reaches B's road yet."""
    table = lay_out(FAR, {"B-R1": ("B-P0", "B-P1")}, turn_end="until_car")
    assert way_to_earn(
        table, np.array([(0.0, 0.0), (400.0, 20.0), (430.0, 90.0)])
    ) == pytest.approx([400, 0, 50], abs=1)
    one = replace(table, ruleset=replace(table.ruleset, turn_end="one_road"))

    def left(some: Table, by) -> float:
        return max(way_to_earn(one, np.array([chosen(some, by, n).at]))[0] for n in range(6))

    assert left(table, Greedy()) < 300
    assert left(one, Greedy()) < 300
    assert left(table, SHARP) < 300
    assert way_to_earn(lay_out({"A-P0": (0, 0, 1)}), np.zeros((1, 2))) is None


def test_the_replies_seen_ahead_are_those_that_come(opened):
    found = propose(opened, Sampling(24, 2, 0.3))
    found = found.take(np.arange(0, len(found), max(len(found) // 12, 1)))
    seen = look_ahead(opened, found)
    for row in range(len(found)):
        _, after = play(opened, found.placement(row), "none")
        there = propose(as_seat(after, after.to_move), _REPLY)
        most = min(int(there.cars[there.discs > 0].max()), after.stocks[after.to_move].cars)
        assert seen.replies[row, 0] >= most  # an exit's bonus may come on top
        assert seen.replies[row, 0] <= int(there.cars.max())


def test_a_free_side_within_reach_of_an_opponent_is_seen():
    table = lay_out({"A-P0": (0, 0, 1), "B-P0": (60, -60, 2)}, {})
    found = propose(table, Sampling(4, 1), [Kind("A-P0", 2, False)])
    seen = look_ahead(table, found)
    across, away = (int(np.argmax(found.at[:, 0] * side)) for side in (1, -1))
    assert seen.opened[across] >= 1
    assert (seen.replies[across, 0], seen.opened[away]) == (1, 0)


def test_the_room_is_the_gap_to_the_next_pillar():
    table = lay_out({"A-P0": (0, 0, 1), "B-P0": (140, 0, 1)}, {})
    found = propose(table, Sampling(4, 3), [Kind("A-P0", 2, False)])
    seen = look_ahead(table, found)
    for at, room in zip(found.at, seen.room, strict=True):
        gap = np.hypot(*(at - (140, 0))) - 20.0
        assert room <= max(gap, 0.0) + 1e-9
        assert room == pytest.approx(min(gap, 20.0))


@pytest.mark.parametrize(
    ("by", "table", "moves"),
    [
        *(pytest.param(by, LONE, Build, id=f"{by.name}: not out by the only way on, with cars left")
          for by in (*PLAYERS[1:], LEARNT)),
        *(pytest.param(by, LAST, Exit, id=f"{by.name}: out with the last car")
          for by in (*PLAYERS[1:], LEARNT)),
        *(pytest.param(by, POOR, Pass, id=f"{by.name}: a pass with nothing to build with")
          for by in PLAYERS),
        *(pytest.param(by, WAITING, (Build, Exit), id=f"{by.name}: no pass where it can build")
          for by in PLAYERS[:3]),
        *(pytest.param(by, Table.start(3), Entrance, id=f"{by.name}: an entrance")
          for by in PLAYERS),
        *(pytest.param(by, played(Table.start(3), 3, [Greedy()]), SetBuilding,
                       id=f"{by.name}: a building")
          for by in PLAYERS),
    ],
)  # fmt: skip
def test_a_player_makes_the_move_that_is_due(by, table, moves):
    move = chosen(table, by)
    assert isinstance(move, moves)
    assert referee.before(table, move) == ()


def test_the_planner_does_not_lay_a_road_that_lets_an_opponent_win():
    """B has one car left and nothing to cross but what A lays within its reach; A has room
    elsewhere.
    """
    table = lay_out({"A-P0": (0, 0, 1), "B-P0": (70, -70, 2)}, {})
    last = replace(table, stocks=(table.stocks[0], Supply(1, 20, 0, 10)))
    _, after = play(last, chosen(last, replace(SEARCHER, first=Planner())), "none")
    asked = as_seat(after, 1)
    assert propose(asked, Sampling(72, 3)).cars.max(initial=0) == 0


def test_a_playout_sees_a_crossing_that_wins():
    """B's road lies within reach of A, who has one car left; then it is B who is to move."""
    table = lay_out(
        {"A-P0": (0, 0, 1), "B-P0": (60, -40, 3), "B-P1": (60, 50, 3)}, {"B-R1": ("B-P0", "B-P1")}
    )
    last = replace(table, stocks=(Supply(1, 20, 2, 10), table.stocks[1]))
    ahead = Ahead.of_table(last)
    assert (ahead.play(0, 50, seed=1), ahead.play(1, 50, seed=1)) == (50.0, 0.0)
    many = replace(table, stocks=(Supply(10, 20, 2, 10), table.stocks[1]))
    assert Ahead.of_table(many).play(0, 50, seed=1) < 50.0


def test_a_person_takes_the_best_of_what_it_notices(opened):
    """Who notices everything and errs in nothing takes what is worth most at once; who notices
    little takes less.
    """
    found = propose(opened, Sampling(72, 3, np.random.default_rng(1).random()))
    best, somebody = int(found.cars[found.discs > 0].max()), partial(Person, "x", Planner(width=60))

    def earned(notices: float, seed: int) -> int:
        return play(opened, chosen(opened, somebody(Sight(notices, 0.0)), seed), "none")[0].earned

    assert earned(1.0, 1) == best
    assert sum(earned(0.05, seed) for seed in range(6)) < 6 * best


@pytest.mark.parametrize("level", LEVELS[1:-1])
def test_no_level_but_the_first_misses_a_win_in_one(level):
    """Few of the legal places win here; a person who notices little would miss most of them."""
    name = "out with the last two cars, turned by 52 degrees"
    table = begun(next(one for one in positions() if one["name"] == name))
    found = propose(table, Sampling(72, 3))
    assert 0 < (found.cars >= table.stocks[table.to_move].cars).mean() < 0.02

    def wins(sight: Sight, seed: int) -> bool:
        move = chosen(table, Person("somebody", Planner(), sight), seed)
        return play(table, move, "none")[1].outcome() is not None

    blind = SIGHTS[level]._replace(notices=0.0)
    assert all(wins(blind, seed) for seed in range(6))
    assert not all(wins(SIGHTS["first"], seed) for seed in range(12))


def test_a_level_is_a_name_or_its_number_and_has_a_hand():
    made = game("tokyo-highway", engine="none")
    for number, level in enumerate(LEVELS[:-1], 1):
        one = player(f"planner:level={number},hand=normal", made)
        assert (one.name, one.skill) == (f"planner:level={level}", SKILLS["normal"])
        assert one.sight == SIGHTS[level]
    assert player("planner:level=6", made).name == "planner"


def test_the_positions_of_the_suite_ask_for_what_the_referee_proves():
    """One of each kind is proved anew; what is right there is hard to come by, but there is such a
    move.
    """
    assert len(positions()) >= 40
    every_kind = {one["kind"]: one for one in positions()}
    assert set(every_kind) == set(KINDS)
    for kind, one in every_kind.items():
        table = begun(one)
        (other,) = table.turns.clockwise(table.to_move)
        found, stock = every(table), table.stocks[table.to_move].cars
        if kind == "deny":
            assert found.cars.max() < stock
            assert threat(table, other) is not None
            found = found.take(np.arange(0, len(found), max(len(found) // 300, 1)))
            rows = look_ahead(table, found).replies[:, 0] < table.stocks[other].cars
        else:
            rows = found.cars >= one.get("cars", stock)
            assert (kind == "exit") == (found.discs[rows] == 0).all()
            assert found.cars[rows & (found.discs > 0)].max(initial=0) in (
                0,
                one.get("cars", stock),
            )
        assert 0 < rows.mean() < 1 / 3
        right = np.flatnonzero(rows)
        assert any(is_right(one, table, found.placement(int(row))) for row in right[:8])
        assert not is_right(one, table, found.placement(int(np.flatnonzero(~rows)[0])))


def test_the_planner_takes_the_cars_of_this_turn_unless_waiting_wins_more_often(monkeypatch):
    """All candidates win equally often in playouts: then the cars in the hand decide."""
    table = begun(next(one for one in positions() if one["name"].startswith("under two roads")))
    monkeypatch.setattr(
        "sim.bots.searcher.chances_of", lambda after, *rest: np.full(len(after), 0.5)
    )
    assert play(table, chosen(table, Searcher()), "none")[0].earned >= 2


def test_playouts_repeat_with_their_seed(opened):
    ahead = Ahead.of_table(opened)
    assert ahead.play(0, 100, seed=3) == ahead.play(0, 100, seed=3) != ahead.play(0, 100, seed=4)


class Lucky:
    """Playouts that win with one share at first, and with another later."""

    def __init__(self, first, later):
        self.first, self.later, self.count = first, later, 0

    def play(self, seat, times, seed):
        share = self.first if self.count < 50 else self.later
        self.count += times
        return share * times


def test_a_candidate_that_was_given_up_counts_no_more_than_those_kept():
    after = [Lucky(0.6, 0.6), Lucky(0.9, 0.1), Lucky(0.8, 0.1), Lucky(0.7, 0.7)]
    budget, none = Budget(playouts=400), np.zeros(4)
    chances = chances_of(after, 0, none, none, budget, np.random.default_rng(2))
    assert chances[1] > chances[2] == chances[3] == chances[0]
    assert after[1].count == after[2].count > after[0].count == after[3].count


def test_a_clock_with_coarse_ticks_does_not_make_a_turn_long():
    after, each = [Lucky(0.5, 0.5) for _ in range(12)], 20e-6  # seconds for a playout

    def clock():
        return sum(one.count for one in after) * each // (1 / 64) / 64

    budget, none = Budget(seconds=0.5, clock=clock), np.zeros(12)
    chances_of(after, 0, none, none, budget, np.random.default_rng(1))
    assert 0.3 < sum(one.count for one in after) * each < 0.8


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_chances_of_all_seats_add_up_to_one(players):
    table = played(Table.start(players), players if players == 2 else 2 * players)
    ahead = Ahead.of_table(table)
    for seed in range(40):
        assert sum(ahead.play(seat, 1, seed) for seat in range(players)) == pytest.approx(1)


def test_the_searcher_tells_the_chance_to_win(opened):
    hints = replace(SEARCHER, candidates=24).analyse(
        Position(opened, "none"), np.random.default_rng(4), 3
    )
    assert all(0.0 < hint.chance < 1.0 for hint in hints)
    looks = Planner(width=60).analyse(Position(opened, "none"), np.random.default_rng(4), 3)
    assert looks
    assert all(hint.chance is None for hint in looks)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("planner:playouts=0", "playouts is a whole number of 1 or more, not 0"),
        ("planner:seconds=-1", "seconds is a number of 0 or more, not -1"),
        ("planner:clock=sun", r"clock=sun is not clock=wall\|cpu"),
        ("planner:clok=cpu", r"clock=wall\|cpu \(default wall\).*did you mean clock"),
    ],
)
def test_wrong_options_of_the_planner_are_refused_with_what_is_right(spec, said):
    with pytest.raises(InputError, match=said):
        player(spec, game("tokyo-highway"))


def test_the_searcher_passes_where_that_wins_more_often(monkeypatch):
    """All candidates but the pass lose all playouts; then it is chosen, named and explained."""

    def only_passes(after, *rest):
        return np.array([float(one.first[0] == 2.0) for one in after])

    monkeypatch.setattr("sim.bots.searcher.chances_of", only_passes)
    table = entrances(2, "fr")
    assert chosen(table, SEARCHER) == Pass()
    hint = SEARCHER.analyse(Position(table, "none"), np.random.default_rng(1), 3)[0]
    assert (hint.move, hint.chance, hint.why) == (Pass(), 1.0, "waits for others to build")
    waited = play(play(table, Pass(), "none")[1], Pass(), "none")[1]
    assert not may_wait(waited)
    assert isinstance(chosen(waited, SEARCHER), Build)
    assert isinstance(chosen(entrances(), SEARCHER), Build)


def test_the_searcher_declines_cars_where_that_wins_more_often(monkeypatch):
    table = begun(next(one for one in positions() if one["name"].startswith("under two roads")))

    def only_without(after, *rest):
        return np.array([float(n >= len(after) - 2) for n in range(len(after))])

    monkeypatch.setattr("sim.bots.searcher.chances_of", only_without)
    move = chosen(table, SEARCHER)
    verdict, after = play(table, move, "none")
    assert verdict.earned >= 1
    assert (move.cars, len(after.cars)) == ((), len(table.cars))
    hints = SEARCHER.analyse(Position(table, "none"), np.random.default_rng(1), 4)
    assert hints[0].why.startswith("declines its cars, spends")
    assert [hint.declines for hint in hints].count(True) >= 1
    assert not all(hint.declines for hint in hints)


def test_the_searcher_chooses_among_all_entrances(monkeypatch):
    table = Table.start(2)
    best = lambda after, *rest: np.arange(len(after), dtype=np.float64)  # noqa: E731 - a stub
    monkeypatch.setattr("sim.bots.searcher.chances_of", best)
    hints = SEARCHER.analyse(Position(table, "none"), np.random.default_rng(1), 100)
    assert len(hints) == len({hint.move for hint in hints}) == 64
    assert hints[-1].move == table.default_entrance(0)
    assert (hints[-1].why, hints[0].why) == ("the usual entrance", "another entrance")
    assert all(referee.before(table, hint.move) == () for hint in hints)
    assert chosen(table, SEARCHER) == hints[0].move


@pytest.mark.parametrize("reach", [0.1, 0.45])
def test_entrances_are_legal_where_they_must_be_near_the_middle(reach):
    for by in PLAYERS:
        table = Table.start(2, entrance_reach=reach)
        move = chosen(table, by)
        assert referee.before(table, move) == (), (by.name, str(move))


def test_nobody_chooses_after_the_end():
    with pytest.raises(InputError, match="the game is over"):
        chosen(play(LONE, LONE.parse("resign"), "none")[1])


# --- with physics ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def engine() -> str:
    return engines.default()


def test_it_prefers_what_stands(engine):
    verdict, _ = play(LONE, chosen(LONE, engine=engine), engine)
    assert (verdict.built, verdict.owed) == (True, ())


BAD, GOOD = Build("A-P0", (112.0, 0.0), 2), Build("A-P0", (0.0, 112.0), 2)


@pytest.mark.parametrize(
    ("physics", "work", "taken"),
    [
        pytest.param(True, 100.0, GOOD, id="one that fails its trial is passed over"),
        pytest.param(False, 100.0, BAD, id="without physics nothing is tried"),
        pytest.param(True, 0.1, BAD, id="no more is tried than was to be spent"),
    ],
)
def test_a_placement_is_taken_after_its_trial(physics, work, taken, engine):
    """A clumsy hand knocks over a stack that stands a hair's breadth beside the first place."""
    table = lay_out({"A-P0": (0, 0, 1), "B-P0": (132.1, 0, 4)}, {})
    ranked, trials = [Trial(BAD, 0, 1.0), Trial(GOOD, 0, 0.5)], Trials(samples=3, work=work)
    assert referee.before(table, BAD) == ()
    asked, trials = engine if physics else "none", replace(trials, skill=SKILLS["clumsy"])
    assert first_that_stands(table, ranked, asked, trials, np.random.default_rng(1)) == taken


# --- advice ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "engine"),
    [
        (PLAYERS[1], "none"),
        (SEARCHER, "none"),
        pytest.param(SEARCHER, engines.default(), marks=pytest.mark.slow),
    ],
)
def test_advice_begins_with_the_players_own_choice_and_goes_on_with_others(by, engine, opened):
    position = Position(opened, engine)
    hints = by.analyse(position, np.random.default_rng(4), 3)
    assert (hints[0].move, len(hints)) == (by.choose(position, np.random.default_rng(4)), 3)
    assert not any(alike(one.move, other.move) for one, other in itertools.combinations(hints, 2))
    for hint in hints:
        assert (hint.tried is None) is (engine == "none")
        assert hint.grey + hint.yellow == getattr(hint.move, "discs", 0)
        earns = "declines its cars" if hint.declines else f"{hint.cars or 'no'} car"
        assert hint.why.startswith(earns)
        assert ("stands in physics" in hint.why) is (hint.tried is not None and not hint.tried.lost)
        assert ("could earn" in hint.why) is (by.name == "planner")


def test_advice_tells_a_win_and_what_fell():
    hint = Hint(
        Pass(),
        cars=1,
        wins=True,
        replies=(3,),
        mine=0,
        tried=Tried(Trial(Pass(), 1, 1.0), 2.0, ("A-R3",)),
    )
    assert hint.why == "wins: 1 car, spends no disc; A-R3 fell when physics tried it"


def test_advice_in_the_set_up_is_what_the_players_do_there():
    position = Position(Table.start(2), "none")
    (hint,) = Planner().analyse(position, np.random.default_rng(0))
    assert (hint.move, hint.why) == (position.table.default_entrance(0), "the usual entrance")


def test_the_planner_tells_the_chance_of_every_seat_and_sees_what_a_last_car_decides():
    problem = next(one for one in problems("tokyo-highway") if one.goal == "last")
    _, _, state = problem.begin()
    mover, rng = state.to_move, np.random.default_rng(1)
    before = SEARCHER.standing(state, rng)
    assert 0.0 < before[mover] <= 1.0 >= sum(before)
    after = SEARCHER.standing(state, rng, state.parse(problem.answers[0]))
    assert (after[mover], after[1 - mover]) == (1.0, 0.0)
