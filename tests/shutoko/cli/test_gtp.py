"""`shutoko gtp`: the Go Text Protocol, version 2, by a script of a few hundred commands and by its
rules of syntax.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rules
from rules.errors import InputError
from shutoko.terminal.gtp import Engine


def engine(name: str = "meridians", spec: str = "random", **options: Any) -> Engine:
    return Engine(rules.game(name, **(options or {"size": 4})), spec, 0)


def asked(made: Engine, *lines: str) -> list[str]:
    return [made.answer(line) for line in lines]


@pytest.mark.parametrize(
    ("name", "options"), [("meridians", {"size": 4, "pie": True}), ("thruway", {"size": 5})]
)
def test_whole_games_by_hundreds_of_commands_agree_with_the_states(name, options):
    made, rng = engine(name, **options), np.random.default_rng(4)
    for _ in range(6):
        state, sent = rules.game(name, **options).start(), 0
        assert made.answer("clear_board") == "=\n\n"
        while state.outcome() is None:
            colour, moves = "bw"[state.side], state.legal_moves()
            move, sent = str(moves[int(rng.integers(len(moves)))]), sent + 1
            wrong, right = (f"{sent} play {one} {move}" for one in ("wb"[state.side], colour))
            assert asked(made, wrong, right, "undo") == [
                f"?{sent} illegal move\n\n",
                f"={sent}\n\n",
                "=\n\n",
            ]
            if rng.random() < 0.5:
                assert made.answer(right) == f"={sent}\n\n"
            else:
                move = made.answer(f"genmove {colour}").removeprefix("= ").strip()
            state = state.after(move)
            assert str(state).splitlines()[0].strip() in made.answer("showboard")
        winner = "BW"[state.turns.sides[state.outcome().winners[0]]]
        assert asked(made, "final_score", f"genmove {'bw'[state.side]}") == [
            f"= {winner}+1\n\n",
            "? the game is over\n\n",
        ]


def test_the_command_answers_in_order_ends_at_quit_and_tells_programs_the_protocol(run):
    lines = ["1 protocol_version", "2 name", "3 boardsize 3", "4 genmove b", "", "# a comment"]
    words = "gtp meridians --player random"
    out = run(words, typed="\n".join([*lines, "5 nonsense", "6 quit", "7 name"])).out
    answers = out.split("\n\n")
    assert [answer[:2] for answer in answers] == ["=1", "=2", "=3", "=4", "?5", "=6", ""]
    assert (answers[0], answers[4]) == ("=1 2", "?5 unknown command")
    assert '"protocol":2' in run(f"{words} --json", typed="quit\n").out


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("protocol_version", "= 2\n\n"),
        ("17 known_command undo", "=17 true\n\n"),
        ("known_command dance", "= false\n\n"),
        ("known_command", "? syntax error\n\n"),
        ("  3\tkomi \x07 6.5 # half a point", "=3\n\n"),
        ("komi many", "? syntax error\n\n"),
        ("komi nan", "? syntax error\n\n"),
        ("boardsize 99", "? unacceptable size\n\n"),
        ("boardsize x", "? syntax error\n\n"),
        ("boardsize", "? syntax error\n\n"),
        ("boardsize 5", "=\n\n"),
        ("dance", "? unknown command\n\n"),
        ("12", "?12 unknown command\n\n"),
        ("", ""),
        ("# a comment", ""),
        ("undo", "? cannot undo\n\n"),
        ("play b z9", "? syntax error\n\n"),
        ("play b pass", "? illegal move\n\n"),
        ("play w a1", "? illegal move\n\n"),
        ("play green a1", "? syntax error\n\n"),
        ("play b", "? syntax error\n\n"),
        ("play BLACK A1", "=\n\n"),
        ("genmove w", "? black is to move\n\n"),
        ("genmove", "? syntax error\n\n"),
        ("final_score", "? cannot score: the game goes on\n\n"),
        ("time_settings 60 10", "? syntax error\n\n"),
        ("time_settings 60 -1 0", "? syntax error\n\n"),
        ("time_left b 10 x", "? syntax error\n\n"),
        ("time_left b 10 0", "=\n\n"),
    ],
)
def test_each_command_answers_as_the_protocol_says(line, answer):
    assert engine().answer(line) == answer


def test_resigning_ends_the_game_for_the_other_colour():
    lines = ("play b a1", "play w resign", "final_score")
    assert asked(engine(), *lines) == ["=\n\n", "=\n\n", "= B+R\n\n"]


def test_a_draw_scores_nothing():
    made = engine("thruway", size=3, reserve=2, trade=False)
    while not made.answer("final_score").startswith("="):
        side = made._states[-1].side
        assert made.answer(f"genmove {'bw'[side]}").startswith("= ")
    assert made.answer("final_score") in ("= 0\n\n", "= B+1\n\n", "= W+1\n\n")


def test_the_clock_shortens_the_thinking():
    made = engine(spec="mcts:seconds=30")
    assert asked(made, "time_settings 60 1 1", "time_left b 1 4") == ["=\n\n", "=\n\n"]
    chosen = [made._player_for(seat).name for seat in (0, 1)]
    assert chosen == ["mcts:seconds=0.25", "mcts:seconds=2.4"]
    assert asked(made, "time_settings 0 1 0") == ["=\n\n"]  # no limit
    assert made._player_for(0).name == "mcts:seconds=30"
    counts = engine(spec="mcts:simulations=10")
    counts.answer("time_settings 1 0 0")
    assert counts._player_for(0).name == "mcts:simulations=10"


def test_every_command_is_listed_and_known():
    made = engine()
    listed = made.answer("list_commands").removeprefix("= ").split()
    assert listed == list(made.commands)
    assert all(made.answer(f"known_command {name}") == "= true\n\n" for name in listed)


def test_a_game_of_pieces_is_refused():
    with pytest.raises(InputError, match="for two players on a board"):
        Engine(rules.game("tokyo-highway", engine="none"), "random", 0)
