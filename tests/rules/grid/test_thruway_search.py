"""The search of Thruway: the evaluation, the guesses at moves, and what its players must get
right.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import rules
from rules.arena.players import player
from rules.grid.kernels import thruway as kernel
from rules.grid.search import flow, thruway
from rules.grid.search.adapters import adapter_for
from rules.grid.search.mcts import Mcts
from rules.grid.search.tree import FEW
from tests.boards import played

TABLES = kernel.tables(6, False, kernel.UNDO, 0, 0)


@pytest.fixture
def work() -> thruway.Work:
    return thruway.room(TABLES, thruway.load(), sweeps=200)


def positions(count: int) -> list[list[int]]:
    """The actions of random games that go on."""
    rng = np.random.default_rng(5)
    found = []
    while len(found) < count:
        board, info, scratch = kernel.blank(TABLES)
        actions, chosen = np.zeros(kernel.most_legal(TABLES), np.int64), list[int]()
        for _ in range(int(rng.integers(2, 26))):
            if not info[kernel.WON]:
                legal = kernel.legal(TABLES, board, info, actions)
                chosen.append(int(actions[rng.integers(legal)]))
                kernel.play(TABLES, board, info, scratch, chosen[-1])
        if not info[kernel.WON]:
            found.append(chosen)
    return found


def after(actions: list[int], side: int = 0) -> tuple[kernel.Cells, kernel.Words]:
    """The position after these actions, of which `side` makes the first."""
    board, info, scratch = kernel.blank(TABLES)
    info[kernel.SIDE] = side
    for action in actions:
        kernel.play(TABLES, board, info, scratch, action)
    return board, info


def image(edge: int, of: Callable[[int, int], tuple[int, int]]) -> int:
    """Where an edge goes if its cells in row y and column x go to `of(y, x)`."""
    if edge >= len(TABLES.edges):
        return edge
    width, packed = TABLES.size + 2, int(TABLES.edges[edge])
    pair = [of(*divmod(packed >> shift & 1023, width)) for shift in (0, 10)]
    first, second = sorted(y * width + x for y, x in pair)
    return int((TABLES.east if second - first == 1 else TABLES.south)[first])


@pytest.mark.slow
def test_conductance_is_that_of_the_net_of_resistors(work: thruway.Work) -> None:
    size, net = TABLES.size, work.net
    for board, info in map(after, positions(6)):
        flow.classify(TABLES, board, info, net.kinds)
        for colour in (0, 1):
            relaxed = flow.relax(size, net, colour, 300)
            ohms = np.exp(thruway.load().resistance)[
                net.kinds[colour].reshape(size + 2, -1)[1:-1, 1:-1]
            ]
            flat, cell = ohms.reshape(-1), np.arange(size * size).reshape(size, size)
            east = np.stack([cell[:, :-1], cell[:, 1:]]).reshape(2, -1)
            pairs = np.hstack([east, np.stack([cell[:-1], cell[1:]]).reshape(2, -1)])
            share, n = 2 / flat[pairs].sum(axis=0), size * size
            laplacian, fed = np.zeros((n, n)), np.zeros(n)
            laplacian[pairs[0], pairs[1]] = laplacian[pairs[1], pairs[0]] = -share
            fed[:size] = 2 / ohms[0]
            ends = fed + np.concatenate([np.zeros(n - size), 2 / ohms[-1]])
            np.fill_diagonal(laplacian, ends - laplacian.sum(axis=1))
            potential = np.linalg.solve(laplacian, fed)
            assert relaxed == pytest.approx(float(fed @ (1 - potential)), rel=1e-3)


def test_value_changes_its_sign_when_the_colours_and_their_borders_are_exchanged(
    work: thruway.Work,
) -> None:
    for actions in positions(6):
        turned = after([image(edge, lambda y, x: (x, y)) for edge in actions], side=1)
        value = flow.value(TABLES, *after(actions), work.net, 200)
        assert value == pytest.approx(-flow.value(TABLES, *turned, work.net, 200), abs=1e-3)


@pytest.mark.slow
def test_guesses_are_chances_and_the_same_in_a_mirror(work: thruway.Work) -> None:
    edges, found = len(TABLES.edges), list[dict[int, float]]()
    mirror = [image(edge, lambda y, x: (y, TABLES.size + 1 - x)) for edge in range(edges + 2)]
    for moves in positions(6):
        found.clear()
        for taken in (moves, [mirror[edge] for edge in moves]):
            (board, info), actions = after(taken), np.zeros(edges + 2, np.int64)
            out = np.zeros(edges + 2)
            count = kernel.legal(TABLES, board, info, actions)
            thruway._priors(TABLES, board, info, work, actions, count, out)
            assert out[:count].sum() == pytest.approx(1)
            assert out[:count].min() > 0
            found.append(dict(zip(actions[:count].tolist(), out[:count].tolist(), strict=True)))
        for edge, chance in found[0].items():
            assert found[1][mirror[edge]] == pytest.approx(chance, rel=0.1, abs=1e-4)


@pytest.mark.slow
def test_the_best_player_wins_size_3_as_asphalt_whatever_concrete_does() -> None:
    game = rules.game("thruway", size=3, trade=False)
    best = player("best:seconds=0.1,clock=cpu", game)
    other, rng = player("random", game), np.random.default_rng(3)
    for _ in range(5):
        state = game.start()
        while (outcome := state.outcome()) is None:
            state = state.after((best if state.to_move == 1 else other).choose(state, rng))
        assert outcome.winners == (1,)


def test_trade_is_made_when_asphalt_stands_worse_and_only_then() -> None:
    state = played("thruway", "c3-d3", size=5)
    rng = np.random.default_rng(1)
    assert str(adapter_for(state.game).pie(state, lambda *_: 0.4, rng)) == "trade"
    assert adapter_for(state.game).pie(state, lambda *_: 0.6, rng) is None


def test_concrete_opens_as_evenly_as_it_can_when_asphalt_may_trade() -> None:
    state = played("thruway", "", size=5)

    seen = []

    def value(board: kernel.Cells, info: kernel.Words, share: float) -> float:
        seen.append(board.reshape(7, 7)[1:-1, 1:-1].astype(bool))
        return 0.49 if len(seen) == 3 else 0.3

    chosen = adapter_for(state.game).pie(state, value, np.random.default_rng(1))
    assert (state.after(chosen).cells().astype(bool) == seen[2]).all()
    assert (
        adapter_for(rules.game("thruway", size=5, trade=False)).pie(
            played("thruway", "", size=5, trade=False), value, None
        )
        is None
    )


def test_search_knows_no_trade_and_bounds_what_it_remembers() -> None:
    state = played("thruway", "c3-d3", size=5, repetition="draw3")
    known = adapter_for(state.game)
    board, info = known.arrays(state)
    actions = np.zeros(known.actions, np.int64)
    count = kernel.legal(known.tables, board, info, actions)
    assert actions[:count].max() < len(known.tables.edges)
    assert info.shape == known.info.shape
    assert (
        kernel.keys(known.tables, info).tolist()
        == kernel.keys(known.tables, state.arrays()[1]).tolist()
    )


def test_a_number_of_simulations_and_the_generator_decide_the_move() -> None:
    state = played("thruway", "c3-d3 b2-b3", size=5, trade=False)
    choices = {
        str(player("mcts:simulations=60", state.game).choose(state, np.random.default_rng(4)))
        for _ in range(2)
    }
    assert len(choices) == 1


@pytest.mark.slow
def test_nodes_have_their_best_guesses_first_and_the_rest_when_those_are_tried() -> None:
    state = played("thruway", "", size=5, trade=False)
    known = adapter_for(state.game)
    search = Mcts(
        known.tables, known.board, known.info, known.work, known.actions, known.settings(), 1 << 17
    )
    completed = 0
    for simulations in (4000, 4000, 500):
        search.search(*known.arrays(state), simulations, np.random.default_rng(2))
        nodes = search._tree
        for node in np.flatnonzero(nodes.children[: nodes.used[0]]):
            blocks = [np.arange(nodes.first[node], nodes.first[node] + nodes.children[node])]
            if nodes.more[node] > 0:
                blocks.append(np.arange(nodes.more[node], nodes.more[node] + nodes.rest[node]))
                assert node == 0 or (nodes.visits[blocks[0]] > 0).all()
                completed += node > 0
            children = np.concatenate(blocks)
            assert len(blocks[0]) <= FEW
            assert all((np.diff(nodes.guess[block]) <= 0).all() for block in blocks)
            assert (nodes.parent[children] == node).all()
            assert nodes.visits[children].sum() <= nodes.visits[node]
            assert (np.diff((nodes.visits[children] > 0).astype(int)) <= 0).all()  # tried in front
            assert len(set(nodes.action[children].tolist())) == len(children)
        moves = {str(state.move_of(one.action)) for one in search.moves()}
        assert moves == set(map(str, state.legal_moves()))
        state = state.after(state.move_of(search.moves()[0].action))
    assert completed > 3


GAME_WITH_A_CIRCLE = (
    "c8-c9 c8-d8 d8-d9 d9-e9 d9-d10 d10-e10 e7-e8 f8-f9 d6-d7 c7-d7 b8-c8 b8-b9 b7-b8 a8-b8 b7/b8 "
    "c6-d6 a8-a9 a7-a8 "
    "a8/a9 a6-b6 f5-f6 f5-g5 f7-g7 g7-g8 g4-g5 g6-h6 g5/g6 h7-i7 d6-e6 d5-d6 g5-h5 i6-j6 h7-h8 "
    "i4-i5 h4-i4 h3-h4 i5-j5"
)


def test_players_do_not_go_round_in_circles_for_ever() -> None:
    """A game that did: four swaps around g5, h5, h6, g6, and no rule on repetition."""
    state = played("thruway", GAME_WITH_A_CIRCLE, trade=False)
    assert adapter_for(state.game).settings().draw_on_repetition
    assert not adapter_for(rules.game("thruway", repetition="draw3")).settings().draw_on_repetition
    players = [player("mcts:simulations=200", state.game) for _ in range(2)]
    seen: list[bytes] = []
    for ply in range(60):
        if state.outcome() is not None:
            break
        seen.append(state.cells().tobytes())
        state = state.after(players[state.to_move].choose(state, np.random.default_rng([5, ply])))
    assert max(map(seen.count, seen)) <= 2


def test_a_game_that_went_round_a_circle_is_searched_on() -> None:
    """The tree of the position before had the circle's end for a draw, with nothing below it."""
    states = [played("thruway", GAME_WITH_A_CIRCLE, trade=False)]
    known = adapter_for(states[0].game)
    for swap in ("g6/h6", "g5/g6", "g5/h5", "h5/h6"):
        states.append(
            states[-1].after(next(move for move in states[-1].legal_moves() if str(move) == swap))
        )
    assert np.array_equal(states[4].cells(), states[0].cells())
    search = Mcts(
        known.tables, known.board, known.info, known.work, known.actions, known.settings()
    )
    search.search(*known.arrays(states[0]), 20_000, np.random.default_rng(1))
    for state in states[2], states[4]:
        assert search.search(*known.arrays(state), 100, np.random.default_rng(1)) == 100
        assert len(search.moves()) == len(state.legal_moves())


@pytest.mark.parametrize("spec", ["alphabeta:depth=4", "alphabeta:depth=8"])
def test_alpha_beta_sees_a_draw_by_endless_swaps(spec: str) -> None:
    """A full board on which neither seat can force a win: each undoes what the other swaps."""
    state = played(
        "thruway",
        "a4-b4 c4-d4 a3-b3 b2-b3 c2-d2 c2-c3 c1-c2 a2-a3 a1-b1 c1-d1 c3-d3",
        size=4,
        trade=False,
        ko="none",
    )
    assert player(spec, state.game).analyse(state, np.random.default_rng(1), 1)[
        0
    ].chance == pytest.approx(0.5, abs=0.1)
