"""`rules.grid.Batch`: random games agree ply by ply with the plain states, and what is refused says
why.
"""

from __future__ import annotations

from typing import Any

import pytest

import rules
from rules.errors import IllegalMoveError, InputError
from rules.grid import Batch
from tests.boards import followed, played

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("meridians", {"size": 3}),
    ("meridians", {"size": 4, "pie": True}),
    ("meridians", {"size": 7}),
    ("meridians", {"size": 12}),
    ("thruway", {"size": 3, "repetition": "draw3"}),
    ("thruway", {"size": 4, "reserve": 5}),
    ("thruway", {"size": 5, "ko": "any", "trade": False}),
    ("thruway", {"size": 6, "ko": "same"}),
    ("thruway", {"size": 26, "ko": "none"}),
]
each_game = pytest.mark.parametrize(
    ("name", "options"), GAMES, ids=[f"{name}-{options}" for name, options in GAMES]
)


@pytest.mark.slow
@each_game
def test_random_games_agree_with_the_plain_states_ply_by_ply(name, options):
    rows, steps = (2, 60) if options["size"] > 10 else (6, 150)
    assert followed(Batch(rules.game(name, **options), rows, seed=7), steps) or options["size"] > 10


SEEN = [
    # own tiles, the other's, disputes, indestructible tiles; whether asphalt is to move, may trade
    ("thruway", {"size": 4}, "c3-d3 b2-c2 b3-b4 a1-a2 c2-d2 c3-c4",
     ["c2 d2 b3 d3 b4", "a1 a2 b2 c3 c4", "b2 c2 b3 c3", "", "", "", "all"]),
    ("thruway", {"size": 3}, "a1-a2", ["", "a1 a2", "", "", "all", "all", "all"]),
    ("thruway", {"size": 3, "trade": False}, "a1-a2 b2-b3 b1-c1",
     ["b2 b3", "a1 b1 c1 a2", "", "a1 b1", "all", "", "all"]),
    # own stones, the other's, the board; whether dark is to move, opens, and the pie is to be cut
    ("meridians", {"size": 4}, "d1 d4 d3", ["d4", "d1 d3", "all", "all", "all", ""]),
    ("meridians", {"size": 4}, "d1 d4 d3 d6", ["d1 d3", "d4 d6", "all", "", "", ""]),
    ("meridians", {"size": 4, "pie": True}, "d1,d4", ["d4", "d1", "all", "all", "all", "all"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options", "moves", "planes"), SEEN)
def test_an_observation_shows_the_position_as_whoever_is_to_move_sees_it(
    name, options, moves, planes
):
    state = played(name, moves, **options)
    batch, names = Batch(state.game, 1), list(state.game.board.names)
    batch.place(0, state)
    assert (batch.state(0), batch.to_move[0]) == (state, state.to_move)
    rim = options["size"] - 1
    at = (
        [(y, x) for y in range(options["size"]) for x in range(options["size"])]
        if name == "thruway"
        else [
            (y, x + rim - min(y, rim))
            for y, (_, length) in enumerate(state.game.board.rows)
            for x in range(length)
        ]
    )
    for seen, expected in zip(batch.observe()[0], planes, strict=True):
        found = [names[n] for n, place in enumerate(at) if seen[place]]
        assert found == (names if expected == "all" else expected.split())


def test_the_same_seed_gives_the_same_games_and_another_seed_others():
    def played(seed: int) -> list[list[int]]:
        batch = Batch(rules.game("meridians", size=5), 8, seed)
        found = []
        for _ in range(60):
            actions = batch.sample()
            batch.step(actions)
            found.append([*actions.tolist(), *batch.ended.tolist()])
        return found

    assert played(3) == played(3)
    assert played(3) != played(4)


def test_a_game_that_reaches_the_cap_is_stopped_and_begins_anew():
    batch = Batch(rules.game("meridians", size=7), 3, cap=5)
    for step in range(1, 11):
        batch.step(batch.sample())
        assert batch.truncated.tolist() == [step % 5 == 0] * 3
        assert not batch.ended.any()
        assert not batch.rewards.any()
        assert batch.plies.tolist() == [step % 5] * 3


def test_a_copy_goes_on_by_itself_as_the_batch_would():
    batch = Batch(rules.game("thruway", size=5), 4, 1)
    for _ in range(7):
        batch.step(batch.sample())
    twin = batch.copy()
    before = batch.masks().copy()
    actions = twin.sample()
    twin.step(actions)
    assert (batch.masks() == before).all()
    assert (batch.sample() == actions).all()


def test_games_are_put_into_other_rows_with_all_that_belongs_to_them():
    batch = Batch(rules.game("meridians", size=5, pie=True), 4, 1)
    for _ in range(9):
        batch.step(batch.sample())
    other = Batch(batch.game, 2)
    other.put([1, 0], batch, [2, 3])
    assert (other.masks() == batch.masks()[[3, 2]]).all()
    assert (other.observe() == batch.observe()[[3, 2]]).all()
    assert [other.state(i).digest() for i in range(2)] == [batch.state(i).digest() for i in (3, 2)]


def test_the_first_illegal_action_is_named_and_no_game_moves():
    batch = Batch(rules.game("meridians", size=5), 3)
    batch.step([4, 5, 6])
    before = batch.observe().copy()
    with pytest.raises(
        IllegalMoveError, match="game 1 of the batch, action 5: the action is not legal here"
    ):
        batch.step([7, 5, 6])
    with pytest.raises(IllegalMoveError, match="ids of actions are 0 to 54"):
        batch.step([7, 8, 55])
    assert (batch.observe() == before).all()


def small(**options):
    return rules.game("meridians", size=3, **options)


NUMBERS = [(0, 0, 0), (1.5, 0, 0), (True, 0, 0), (1, -1, 0), (1, 2**64, 0), (1, 0, -1)]
REFUSED = {
    **{
        f"the actions {actions}": (
            lambda actions=actions: Batch(small(), 3).step(actions),
            "3 whole numbers are needed",
        )
        for actions in ([1, 2], [1.0, 2.0, 3.0], 4, [[1, 2, 3]], [True, True, True])
    },
    **{
        f"the numbers {numbers}": (
            lambda numbers=numbers: Batch(small(), *numbers),
            "is a whole number from",
        )
        for numbers in NUMBERS
    },
    **{
        f"the row {row!r} to {verb}": (
            lambda row=row, verb=verb: getattr(Batch(small(), 1), verb)(
                row, *[small().start()] * (verb == "place")
            ),
            f"{verb}: there is no game .*; the games are 0 to 0",
        )
        for row in (-1, 1, "a")
        for verb in ("state", "place")
    },
    "a game without a list of moves": (
        lambda: Batch(rules.game("tokyo-highway", engine="none"), 1),
        r"tokyo-highway cannot be played in batches; .*legal_moves",
    ),
    "a position of another game": (
        lambda: Batch(small(), 1).place(0, rules.game("meridians", size=4).start()),
        "cannot go into a batch",
    ),
    "an action that is none": (
        lambda: Batch(small(pie=True), 1).text(0, 17),
        "ids are 0 to 16",
    ),
    "rows of another game": (
        lambda: Batch(small(), 2).put([0], Batch(small(pie=True), 1), [0]),
        "put",
    ),
}


@pytest.mark.parametrize(("call", "said"), REFUSED.values(), ids=REFUSED)
def test_what_a_batch_cannot_take_is_refused(call, said):
    with pytest.raises(InputError, match=said):
        call()


def test_an_action_has_the_text_of_its_move():
    batch = Batch(rules.game("thruway", size=4), 1)
    edges = len(batch.game.board.edges)
    assert batch.actions == 2 * 4 * 3 + 2 == edges + 2
    assert [batch.text(0, action) for action in (0, 1, edges, edges + 1)] == [
        "a1-b1",
        "a1-a2",
        "trade",
        "pass",
    ]
    pie = Batch(rules.game("meridians", size=3, pie=True), 1)
    assert [pie.text(0, action) for action in (0, 14, 15, 16)] == ["e1", "pass", "keep", "swap"]


def test_the_pair_of_the_pie_option_is_two_actions_and_any_other_move_one():
    batch = Batch(rules.game("meridians", size=3, pie=True), 1)
    state = batch.state(0)
    actions = batch.actions_of(0, state.parse("c2,d3"))
    assert [batch.game.board.names[action] for action in actions] == ["c2", "d3"]
    batch.step([actions[0]])
    assert batch.is_halfway(0)
    batch.step([actions[1]])
    assert batch.state(0) == state.after("c2,d3")
    assert batch.actions_of(0, batch.state(0).parse("swap")) == (16,)
    with pytest.raises(IllegalMoveError, match="resigning is no action"):
        batch.actions_of(0, batch.state(0).parse("resign"))
