"""The searches and players of Meridians, held against every move tried, the slow engine and
themselves.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import rules
from rules.arena.players import LEVELS, player
from rules.errors import InputError
from rules.grid.kernels import meridians as kernel
from rules.grid.meridians import Meridians
from rules.grid.search import adapters, meridians as views, players
from rules.grid.search.adapters import Timer
from rules.grid.search.alphabeta import PROVEN, WIN, AlphaBeta
from rules.grid.search.forced import Forced
from rules.grid.search.mcts import Mcts, Settings

RAVE = Settings(exploration=0.1, rave=500.0, urgency=1.0)


def played(game, plies, seed):
    """States along random games, the last first, in which the game goes on."""
    rng = np.random.default_rng(seed)
    while True:
        states = [game.start()]
        while len(states) <= plies and states[-1].outcome() is None:
            moves = states[-1].legal_moves()
            states.append(states[-1].after(moves[int(rng.integers(len(moves)))]))
        if states[-1].outcome() is None:
            return states[-1]


def tree(game, settings=RAVE, nodes=1 << 16):
    adapter = adapters.adapter_for(game)
    return adapter, Mcts(
        adapter.tables, adapter.board, adapter.info, adapter.work, adapter.actions, settings, nodes
    )


def deep(game):
    adapter = adapters.adapter_for(game)
    return adapter, AlphaBeta(
        adapter.tables,
        adapter.board,
        adapter.info,
        adapter.work,
        adapter.actions,
        *adapter.evaluation(),
        bits=16,
    )


def noted(game, state, weights):
    notes = views.notes(game.tables)
    views.refresh(game.tables, *state.arrays(), weights, notes)
    return notes


@pytest.fixture(scope="module")
def weights():
    number, sign, count = views.classes()
    fitted = np.random.default_rng(1).integers(-500, 500, (count, 2)).astype(np.int16)
    fitted[np.unique(number[sign == 0])] = 0
    return views.weights(fitted, np.array([30, 50]))


# --- what points see ------------------------------------------------------------------------------


@pytest.mark.slow
def test_following_a_game_gives_the_same_notes_as_looking_at_each_position(weights):
    game, removals = Meridians(5), 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        state = game.start()
        old = noted(game, state, weights)
        while True:
            move = state.legal_moves()[int(rng.integers(len(state.legal_moves())))]
            action = state._read(str(move))
            following = state.after(move)
            if following.outcome() is not None:
                break
            new = views.notes(game.tables)
            views.update(
                game.tables,
                *state.arrays(),
                weights,
                old,
                *following.arrays(),
                new,
                action,
            )
            assert np.array_equal(new, noted(game, following, weights))
            removals += int(following.info[kernel.EMPTIES] >= state.info[kernel.EMPTIES])
            state, old = following, new
    assert removals > 3


@pytest.mark.parametrize("image", range(4))
def test_mirror_images_are_worth_the_same_and_exchanged_colours_the_contrary(weights, image):
    game = Meridians(6)
    state, points = played(game, 30, 2), game.tables.points
    turned, notes = np.array(state.board), views.notes(game.tables)
    if image == 0:
        turned[kernel.CELLS, :points] = np.array([0, 2, 1])[state.board[kernel.CELLS, :points]]
    else:
        turned[kernel.CELLS, game.board.symmetries[image]] = state.board[kernel.CELLS, :points]
    views.refresh(game.tables, turned, state.info.copy(), weights, notes)
    assert np.array_equal(notes[:2], (-1 if image == 0 else 1) * noted(game, state, weights)[:2])


# --- the smallest board, on which a search reaches every end --------------------------------------


@pytest.mark.slow
def test_alpha_beta_wins_in_as_many_plies_as_trying_every_move_takes():
    game = Meridians(3)
    forced, (adapter, search), short = Forced(game), deep(game), 0
    for seed in range(24):
        state = played(game, 7 + seed % 4, seed)
        found = search.search(*adapter.arrays(state), depth=40)
        plies, seat = (
            WIN - abs(found.score),
            state.to_move if found.score > 0 else 1 - state.to_move,
        )
        assert abs(found.score) >= PROVEN
        if plies <= 7:
            short += 1
            assert forced.holds(state, plies, seat)
            assert not forced.holds(state, plies - 1, seat)
            after = state.after(state.move_of(found.action))
            assert forced.holds(after, plies - 1, seat)
    assert short > 8


def test_tree_search_proves_what_alpha_beta_proves_and_stops():
    game, proven = Meridians(3), 0
    adapter, search = tree(game)
    _, exact = deep(game)
    for seed in range(12):
        state = played(game, 9, seed)
        made = search.search(*adapter.arrays(state), 4000, np.random.default_rng(seed))
        best = search.moves()[0]
        if best.proven:
            proven += 1
            assert made < 4000
            assert best.value == (exact.search(*adapter.arrays(state), depth=40).score > 0)
            after = state.after(state.move_of(best.action))
            if after.outcome() is None:
                reply = exact.search(*adapter.arrays(after), depth=40)
                assert (reply.score < 0) == (best.value == 1)
    assert proven > 6


def test_light_wins_size_3_from_12_of_the_14_first_points():
    game = Meridians(3)
    adapter, search = deep(game)
    lost = []
    for move in game.start().legal_moves():
        found = search.search(*adapter.arrays(game.start().after(move)), depth=41)
        assert abs(found.score) >= PROVEN
        lost += [str(move)] * (found.score > 0)
    assert lost == ["c1", "c4"]


# --- searching ------------------------------------------------------------------------------------


def test_the_tree_is_kept_for_what_follows_and_only_for_that():
    game = Meridians(5)
    adapter, search = tree(game)
    state = played(game, 10, 1)
    search.search(*adapter.arrays(state), 2000, np.random.default_rng(0))
    state = state.after(state.move_of(search.moves()[0].action))
    for reply in state.legal_moves()[:3]:
        search.search(*adapter.arrays(state), 1000, np.random.default_rng(0))
        following = state.after(reply)
        search.search(*adapter.arrays(following), 10, np.random.default_rng(0))
        assert sum(move.visits for move in search.moves()) >= 10
        assert {str(following.move_of(move.action)) for move in search.moves()} == set(
            map(str, following.legal_moves())
        )
    best = search.moves()[0]
    search.search(
        *adapter.arrays(following.after(following.move_of(best.action))),
        1,
        np.random.default_rng(0),
    )
    assert sum(move.visits for move in search.moves()) >= best.visits - 1
    search.search(*adapter.arrays(played(game, 12, 5)), 20, np.random.default_rng(0))
    assert sum(move.visits for move in search.moves()) <= 20


def test_a_search_that_has_filled_most_of_its_tree_goes_on_to_deepen():
    """With children for every leaf the room would be full after 40 simulations or so."""
    adapter, search = tree(Meridians(4), nodes=1500)
    used = []
    for more in (200, 1800, 8000):
        search.search(adapter.board, adapter.info, more, np.random.default_rng(1))
        used.append(int(search._tree.used[0]))
    assert used[0] < used[1] < used[2] <= 1500


def test_a_search_that_is_cut_off_and_taken_up_again_still_proves(monkeypatch):
    game = Meridians(3)
    adapter, search = deep(game)
    for seed in range(4):
        state = played(game, 8, seed)
        timer = Timer(1.0)
        monkeypatch.setattr(timer, "chunk", lambda done, least: 700)
        found = search.search(*adapter.arrays(state), timer=timer)
        assert abs(found.score) >= PROVEN
        assert found.score == deep(game)[1].search(*adapter.arrays(state), depth=40).score


def test_further_moves_have_their_own_scores():
    adapter, search = deep(Meridians(5))
    best = search.search(*adapter.arrays(played(Meridians(5), 12, 4)), depth=3)
    scores = [one.score for one in search.scores(3, 4)]
    assert (len(scores), scores[0], scores) == (4, best.score, sorted(scores, reverse=True))


def test_a_timer_gives_chunks_until_the_time_is_up(monkeypatch):
    now = 0.0
    monkeypatch.setitem(adapters._CLOCKS, "wall", lambda: now)
    timer, done = Timer(1.0), 0
    while chunk := timer.chunk(done):
        done += chunk
        now += 0.003 * chunk
    assert 0.99 <= now <= 1.01


# --- players --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        "random",
        "greedy",
        "alphabeta:depth=2",
        "mcts:simulations=60",
        "best:level=easy",
    ],
)
def test_players_play_whole_games_and_repeat_from_the_seed(spec):
    game, texts = Meridians(4, pie=True), []
    for _ in range(2):
        one, state, moves = player(spec, game), game.start(), []
        while state.outcome() is None:
            move = one.choose(state, np.random.default_rng([7, len(moves)]))
            assert move in state.legal_moves()
            moves.append(str(move))
            state = state.after(move)
        texts.append(moves)
    assert texts[0] == texts[1]


def test_the_pie_is_decided_by_value():
    game = Meridians(3, pie=True)
    one, right = players.alphabeta(game, depth=12), 0
    adapter, exact = deep(Meridians(3))
    for seed in range(6):
        moves = game.start().legal_moves()
        state = game.start().after(moves[int(np.random.default_rng(seed).integers(len(moves)))])
        after = state.after(one.choose(state, np.random.default_rng(0)))
        seat = exact.search(*adapter.arrays(after), depth=40).score > 0
        right += (after.to_move if seat else 1 - after.to_move) == state.to_move
    assert right >= 5


def test_hints_are_the_best_moves_with_their_chances():
    game = Meridians(5)
    state = played(game, 14, 6)
    for one in (players.alphabeta(game, depth=2), players.mcts(game, simulations=300)):
        hints = one.analyse(state, np.random.default_rng(0), 3)
        assert len({hint.move for hint in hints}) == 3
        assert all(0 <= hint.chance <= 1 and hint.weight > 0 for hint in hints)
        assert all(hint.move in state.legal_moves() for hint in hints)
        assert hints[0].why == f"{100 * hints[0].chance:.0f} % to win" + (
            ", looking 2 plies ahead"
            if one.name == "alphabeta:depth=2"
            else f" after {hints[0].weight} simulations"
        )


def test_advice_tells_what_is_proven_and_what_a_pie_rule_asks_for():
    game, best = Meridians(3, pie=True), players.best(Meridians(3, pie=True))
    state = game.start()
    assert (
        "to win"
        not in players.alphabeta(game, depth=2).analyse(state, np.random.default_rng(0))[0].why
    )
    state = state.after(state.parse("c1,c3"))
    (decision,) = players.alphabeta(game, depth=12).analyse(state, np.random.default_rng(0))
    assert decision.move.text in ("keep", "swap")
    assert decision.chance > 0.5
    assert decision.why.startswith("the better colour, ")
    state = state.after(state.parse("keep"))
    won = best.analyse(state, np.random.default_rng(0))[0]
    state = state.after(won.move)
    while len(state.legal_moves()) == 1 or state.side == 0:  # a single move is not thought about
        state = state.after(best.choose(state, np.random.default_rng(0)))
    lost = best.analyse(state, np.random.default_rng(0))[0]
    assert (won.chance, won.proven, lost.chance, lost.proven) == (1.0, True, 0.0, True)
    assert won.why == f"wins by force in {won.weight} plies"
    assert lost.why == f"loses against best play in {lost.weight} plies"


@pytest.mark.parametrize(
    "spec",
    [
        "mcts:seconds=0",
        "alphabeta:seconds=-1",
        "mcts:simulations=-3",
        "alphabeta:clock=sun",
        "best:level=god",
        "best:level=7",
    ],
)
def test_a_time_or_level_that_cannot_be_is_an_input_error(spec):
    with pytest.raises(InputError):
        player(spec, rules.game("meridians", size=4))


def test_a_game_without_a_search_is_named():
    with pytest.raises(InputError, match="chess"):
        adapters.adapter_for(SimpleNamespace(name="chess"))


@pytest.mark.parametrize("name", ["meridians", "thruway"])
def test_a_level_is_a_name_or_its_number(name):
    game = rules.game(name, size=5)
    for number, level in enumerate(LEVELS[:-1], 1):
        assert (
            player(f"best:level={number}", game).name
            == player(f"best:level={level}", game).name
            == f"best:level={level}"
        )
    assert player("best:level=6", game).name == player("best", game).name


@pytest.mark.parametrize("level", LEVELS[:-1])
def test_no_level_misses_a_win_in_one(level):
    game = rules.game("thruway", size=5)
    rng = np.random.default_rng(7)
    state, won = game.start(), []
    while not won:
        moves = state.legal_moves()
        won = [
            move
            for move in moves
            if (end := state.after(move).outcome()) and end.winners == (state.to_move,)
        ]
        if not won:
            state = state.after(moves[int(rng.integers(len(moves)))])
            state = game.start() if state.outcome() is not None else state
    person = player(f"best:level={level}", game)
    assert all(person.choose(state, np.random.default_rng(seed)) in won for seed in range(6))


def test_the_weakest_level_takes_the_best_move_less_often_than_the_next():
    game = rules.game("meridians", size=5)
    state = game.start()
    for move in ("c3", "d4"):
        state = state.after(state.parse(move))
    best = {
        choice.move for choice in player("greedy", game).analyse(state, np.random.default_rng(0), 6)
    }
    share = [
        sum(
            player(f"best:level={level}", game).choose(state, np.random.default_rng(seed)) in best
            for seed in range(60)
        )
        for level in ("first", "easy")
    ]
    assert share[0] < share[1]
