"""Spec strings: what they say, who is found by them, and what is told about those that make no
sense.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import Literal

import numpy as np
import pytest

from rules.arena.players import (
    Code,
    Spec,
    known_players,
    parse_spec,
    player,
    read_code,
    split_specs,
)
from rules.errors import InputError, UnavailableError
from tests.rules.test_game import nim

GAME = nim()


@dataclass
class Made:
    seconds: float
    depth: int
    quick: bool
    style: str
    name: str = "made"

    def choose(self, state, rng):
        return state.legal_moves()[0]


def factory(
    game: NoSuchName,  # noqa: F821 - known to a type checker only, as under TYPE_CHECKING
    seconds: float = 1.0,
    depth: int = 2,
    *,
    quick: bool = False,
    style: Literal["wild", "calm"] = "calm",
) -> Made:
    return Made(seconds, depth, quick, style)


def needy(game, must: int) -> Made:
    return Made(0.0, must, False, "")


def no_player(game) -> int:
    return 1


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    found = {
        "nim.good": factory,
        "nim.needy": needy,
        "nim.none": no_player,
        "chess.other": factory,
        "nim.gone": None,
    }
    points = [EntryPoint(name, f"{__name__}:x", "shutoko.players") for name in found]
    monkeypatch.setattr(sys.modules["rules.arena.players"], "entry_points", lambda group: points)

    def load(point):
        if found[point.name] is None:
            raise ModuleNotFoundError("No module named 'gone'")
        return found[point.name]

    monkeypatch.setattr(EntryPoint, "load", load)


def test_a_spec_is_a_name_and_options():
    assert parse_spec(" mcts:seconds=2,clock=cpu ") == Spec(
        "mcts", (("seconds", "2"), ("clock", "cpu"))
    )
    for text in ("greedy", "mcts:seconds=2,clock=cpu"):
        assert str(parse_spec(text)) == text


@pytest.mark.parametrize(
    "text", ["", ":a=1", "x:", "x:a", "x:a=", "x:=1", "x:a=1,a=2", "x:a=1,,b=2"]
)
def test_a_text_that_is_no_spec_is_refused_with_the_form(text):
    with pytest.raises(InputError, match=r"write NAME or NAME:OPTION=VALUE"):
        parse_spec(text)


def test_a_list_of_specs_is_split_where_a_player_begins():
    assert [str(spec) for spec in split_specs("a:x=1,y=2,b,c:z=3,d")] == [
        "a:x=1,y=2",
        "b",
        "c:z=3",
        "d",
    ]
    assert [str(spec) for spec in split_specs("a:x=1,b:y=2")] == ["a:x=1", "b:y=2"]
    with pytest.raises(InputError):
        split_specs("a,x=1,")


def test_options_are_read_as_they_are_annotated():
    assert player("good", GAME) == Made(1.0, 2, False, "calm")
    assert player("good:seconds=0.5,depth=3,quick=true,style=wild", GAME) == Made(
        0.5, 3, True, "wild"
    )


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        *(
            (f"good:{option}", option.replace(".", r"\."))
            for option in ("seconds=nan", "seconds=x", "depth=1.5", "quick=1", "style=odd")
        ),
        ("bad", "unknown player 'bad' of nim; choose from gone, good, needy, none, random"),
        ("good:x=1", r"no option 'x'; options: seconds=NUMBER .*default 1.0.*style=wild\|calm"),
        ("needy", "needs must="),
        ("none", "what it makes has no choose"),
        ("gone", "cannot be loaded"),
    ],
)
def test_a_player_or_an_option_that_is_not_there_is_told_with_those_that_are(spec, said):
    with pytest.raises((InputError, UnavailableError), match=said):
        player(spec, GAME)
    assert known_players("go") == ("random",)


OWN = """
from dataclasses import dataclass

@dataclass
class Mine:
    game: object
    skip: int = 0
    name: str = "mine"

    def choose(self, state, rng):
        return state.legal_moves()[self.skip]

def _hidden(game):
    return None
"""


def test_a_file_offers_what_it_defines(tmp_path):
    path = tmp_path / "own.py"
    with pytest.raises(InputError, match="cannot be read"):
        read_code(path)
    path.write_text(OWN)
    code = read_code(path)
    assert known_players("nim", code) == ("Mine", "gone", "good", "needy", "none", "random")
    state, rng = GAME.start(), np.random.default_rng(1)
    assert player("Mine:skip=1", GAME, code).choose(state, rng) == "2"
    with pytest.raises(InputError, match=r"own\.py:11: the player Mine:skip=9 fails: IndexError"):
        player("Mine:skip=9", GAME, code).choose(state, rng)
    assert player("good", GAME, code) == Made(1.0, 2, False, "calm")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("1 +", ": .*SyntaxError"),
        ("import no_such_module_at_all", ": .*No module"),
        ("x = 1", ": defines no player"),
        ("def good(game): ...", " defines a player 'good', but nim already .* rename yours"),
    ],
)
def test_a_file_that_yields_no_player_or_takes_a_name_is_reported(source, told):
    with pytest.raises(InputError, match=rf"bad\.py{told}"):
        player("good", GAME, Code("bad.py", source))


FAULTY = """
class Made:
    def __init__(self, game): self.depth = depths[2]
    def choose(self, state, rng): return state.legal_moves()[0]

class Asked:
    def __init__(self, game): pass
    def choose(self, state, rng): return best
    @property
    def skill(self): return best

class Silent(Asked):
    def choose(self, state, rng): pass
"""


@pytest.mark.parametrize(
    ("name", "ask", "told"),
    [
        ("Made", lambda made: made, r"^mine\.py:3: the player Made fails: NameError: .*depths"),
        (
            "Asked",
            lambda made: made.choose(GAME.start(), np.random.default_rng(1)),
            r"^mine\.py:8: the player Asked fails: NameError: name 'best'",
        ),
        ("Asked", lambda made: made.skill, r"^mine\.py:10: the player Asked fails: NameError"),
        (
            "Silent",
            lambda made: made.choose(GAME.start(), np.random.default_rng(1)),
            "Silent fails: choose returns None, which is no move",
        ),
    ],
)
def test_a_fault_in_ones_own_player_names_the_file_the_class_and_the_error(name, ask, told):
    with pytest.raises(InputError, match=told):
        ask(player(name, GAME, Code("mine.py", FAULTY)))


def test_every_game_whose_moves_can_be_listed_has_a_random_player():
    state = GAME.start()
    drawn = {
        player("random", GAME).choose(state, np.random.default_rng(seed)) for seed in range(20)
    }
    assert drawn == {*state.legal_moves()}
    unlisted = SimpleNamespace(name="darts", start=object)
    with pytest.raises(InputError, match="the moves of darts cannot be listed"):
        player("random", unlisted)
