"""The net of Meridians: what it sees, the player `net`, and files of nets."""

from __future__ import annotations

import numpy as np
import pytest

from rules.errors import InputError
from rules.game import game
from rules.grid.kernels import meridians as kernel
from rules.grid.meridians import Meridians
from rules.grid.search.net import OPENINGS, ROWS, NetAdapter, NetFile, fill, load, most_active, save
from rules.grid.search.players import net, net_player

GAME = Meridians(size=4)
POINTS = GAME.tables.points


def seen(cells: np.ndarray, side: int, plies: int) -> set[int]:
    rows, counts = np.zeros((1, most_active(GAME.tables)), np.int32), np.zeros(1, np.int64)
    fill(
        GAME.tables,
        cells[None],
        np.array([side], np.uint8),
        np.array([plies], np.uint8),
        rows,
        counts,
    )
    return set(rows[0, : counts[0]].tolist())


def random_cells(rng: np.random.Generator) -> np.ndarray:
    return np.append(rng.choice(3, POINTS, p=(0.6, 0.2, 0.2)), 3).astype(np.uint8)


def by_hand(cells: np.ndarray, side: int, plies: int) -> set[int]:
    """The rows that should be active, looked up on the board, one ray after the other."""
    found, around = {POINTS * ROWS + min(plies, OPENINGS - 1)}, GAME.board.neighbours
    for p in range(POINTS):
        if cells[p]:
            found.add(p * ROWS + (cells[p] != side + 1))
        for d in range(6):
            ray = [around[p, d]]
            while ray[-1] >= 0 and cells[ray[-1]] == 0:
                ray.append(around[ray[-1], d])
            if ray[-1] >= 0:
                found.add(p * ROWS + 2 + 4 * d + 2 * (cells[ray[-1]] != side + 1) + (len(ray) > 1))
    return found


def test_a_point_sees_the_first_stone_in_each_direction_and_whether_it_is_beside_it():
    rng = np.random.default_rng(1)
    for _ in range(50):
        cells, side, plies = random_cells(rng), int(rng.integers(2)), int(rng.integers(6))
        assert seen(cells, side, plies) == by_hand(cells, side, plies)


def test_exchanging_the_colours_changes_nothing_for_the_side_to_move():
    cells = random_cells(np.random.default_rng(2))
    other = np.array([0, 2, 1, 3], np.uint8)[cells]
    assert seen(cells, 0, 9) == seen(other, 1, 9)


def test_the_net_finds_a_win_that_random_play_misses_and_says_how_sure_it_is():
    state = GAME.start()
    rng = np.random.default_rng(0)
    found = net(GAME, simulations=200).analyse(state, rng, most=3)
    assert [one.known for one in found] == ["simulations"] * 3
    assert all(0 < one.chance < 1 for one in found)


def test_the_same_seed_gives_the_same_move():
    made = [
        net(GAME, simulations=100).choose(GAME.start(), np.random.default_rng(4)) for _ in range(2)
    ]
    assert made[0] == made[1]


def test_the_net_beats_random_play():
    pair = [net(GAME, simulations=30), None]
    rng = np.random.default_rng(8)
    for begins in (0, 1):
        state = GAME.start()
        while state.outcome() is None:
            if state.to_move == begins:
                state = state.after(pair[0].choose(state, rng))
            else:
                moves = state.legal_moves()
                state = state.after(moves[int(rng.integers(len(moves)))])
        assert state.outcome().winners == (begins,)


def test_a_saved_net_loads_with_equal_weights(tmp_path):
    shipped = load(4)
    path = tmp_path / "net.npz"
    save(shipped, path)
    assert all(
        np.array_equal(shipped.weights[name], array)
        for name, array in load(4, path).weights.items()
    )
    assert net(GAME, simulations=5, file=str(path)).name == "net:simulations=5"


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (lambda path: None, "cannot be read"),
        (lambda path: path.write_bytes(b"PK nonsense"), "not a net"),
        (lambda path: np.savez(path, size=4), "not a net"),
        (
            lambda path: save(NetFile(5, load(4).weights), path),
            "a net for Meridians 5, not for size 4",
        ),
        (
            lambda path: save(changed(first=np.zeros((3, 3), np.float32)), path),
            "first is not made of",
        ),
        (
            lambda path: save(changed(value=np.full(64, np.nan, np.float32)), path),
            "value is not made of",
        ),
    ],
)
def test_what_is_no_net_is_refused_with_the_file_and_the_reason(made, told, tmp_path):
    path = tmp_path / "net.npz"
    made(path)
    with pytest.raises(InputError, match=told) as error:
        net(GAME, file=str(path))
    assert str(path) in str(error.value)


def changed(**weights: np.ndarray) -> NetFile:
    return NetFile(4, load(4).weights | weights)


def test_games_and_sizes_without_a_net_are_refused():
    with pytest.raises(InputError, match="nets only for Meridians, not for thruway"):
        net(game("thruway"))
    with pytest.raises(InputError, match="no net is shipped for Meridians 7; train one"):
        net(Meridians(size=7))
    with pytest.raises(InputError, match="for Meridians 4, not for size 5"):
        net_player(Meridians(size=5), load(4))


def test_the_chances_of_both_sides_add_up():
    adapter = NetAdapter(GAME, load(4))
    board, _, _ = kernel.blank(GAME.tables)
    chance, points = adapter.opinion(board[kernel.CELLS].astype(np.uint8), 0, 0)
    other, _ = adapter.opinion(board[kernel.CELLS].astype(np.uint8), 1, 0)
    assert chance == other
    assert points.shape == (POINTS,)
