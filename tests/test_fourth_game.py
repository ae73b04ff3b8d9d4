"""A game that another distribution brings: found, played, shown, exported and verified without a word of it in the project."""

from __future__ import annotations

import json
import os
import re
import sys
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import rules
from rules import defaults
from rules.arena import Tournament, play, schedule
from rules.arena.players import known_players, player
from rules.checks import check_game
from rules.errors import IllegalMoveError, InputError, NotationError
from rules.game import Reason
from rules.record import dumps, loads, write
from rules.record.verify import verify
from rules.view import BoardView
from shutoko.export.share import share
from tests.browser import Browser, serving, until
from tests.fourth_game.installing import HERE, install

PAGE = Path(__file__).resolve().parents[1] / "docs" / "adding-a-game.md"
WON = ("a2", "a1", "b2", "b1", "c1")
"""Light joins left and right on a board of three: b2 and c1 touch."""


CLICK = (
    "document.querySelector(`[data-move='${arguments[0]}'] > circle`).dispatchEvent(new MouseEvent('click', {bubbles: true}))"
)
"""Clicks where a board on a page offers a move."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder in which the game is installed."""
    return install(tmp_path_factory.mktemp("site"))


@pytest.fixture(autouse=True)
def found(site, monkeypatch):
    """The game is installed while a test runs, and gone after it."""
    monkeypatch.syspath_prepend(site)
    monkeypatch.delitem(sys.modules, "hex_game", raising=False)


@pytest.fixture
def record():
    """A game of two players that the arena played."""
    tournament = Tournament("hex", ("random", "random"), seed=3, options={"size": 4})
    ((_, played),) = play(tournament, schedule(tournament, 2, 1))
    return played


# --- the game itself ---------------------------------------------------------------------------------------------------------


def position(*moves, size=3):
    state = rules.game("hex", size=size).start()
    for move in moves:
        state = state.after(move)
    return state


def test_it_is_found_by_name_beside_the_games_that_are_shipped():
    assert {"hex", "tokyo-highway"} <= {*rules.known_games()}
    assert rules.game("hex").options == {}
    assert rules.game("hex", size=4).options == {"size": 4}
    with pytest.raises(InputError, match=r"hex: .*options: size"):
        rules.game("hex", pie=True)


def test_it_keeps_what_every_game_promises():
    check_game(rules.game("hex", size=4), np.random.default_rng(1))


def test_the_first_path_between_the_own_two_sides_wins():
    assert position(*WON[:-1]).outcome() is None
    outcome = position(*WON).outcome()
    assert (outcome.winners, outcome.reason, outcome.ranks) == ((0,), Reason.CONNECTED, ((0,), (1,)))
    assert position("a1", "c1", "b1", "c2", "b2", "a3").outcome() is None
    assert position("a1", "c1", "a2", "c2", "b1", "b3").outcome().winners == (1,)


def test_a_full_board_has_one_winner():
    made, rng = rules.game("hex", size=4), np.random.default_rng(5)
    for _ in range(30):
        state = made.start()
        while state.legal_moves():
            state = state.after(str(rng.choice(state.legal_moves())))
        assert len(state.outcome().winners) == 1


def test_moves_that_cannot_be_are_refused_with_the_reason():
    with pytest.raises(NotationError, match="a1 to c3"):
        position().parse("d4")
    with pytest.raises(IllegalMoveError, match="a1 is taken"):
        position("a1").parse("a1")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        position(*WON).parse("c3")
    assert position("a1", "resign").outcome().winners == (0,)


def test_it_tells_what_it_is_and_what_can_be_chosen():
    made = rules.game("hex")
    assert (defaults.guide(made).title, defaults.guide(made).told("fr").sides) == ("Hex", ("clair", "foncé"))
    assert [(setting.name, setting.usual) for setting in defaults.settings(made)] == [("size", 7)]


def test_its_view_is_a_rhombus_in_which_neighbours_are_joined_by_lines_of_one_cell_width():
    made = rules.game("hex", size=3)
    seen = defaults.view(made, position("b2"), last="b2")
    assert isinstance(seen, BoardView)
    at = {cell.name: complex(cell.x, cell.y) for cell in seen.cells}
    assert len(seen.lines) == 16
    assert all(abs(at[one] - at[other]) == pytest.approx(1.0) for one, other in seen.lines)
    assert {name for line in seen.lines if "b2" in line for name in line} == {"b2", "b1", "c1", "a2", "c2", "a3", "b3"}
    assert ([cell.holds for cell in seen.cells if cell.name == "b2"], seen.last) == ([0], ("b2",))
    assert {border.holds for border in seen.borders} == {0, 1}
    assert {offer.move: offer.holds for offer in defaults.offers(made, position("b2"))}["c1"] == {"c1": 1}


# --- what the project does with it -------------------------------------------------------------------------------------------


def test_its_player_is_found_and_plays_in_the_arena(record):
    assert known_players("hex") == ("random",)
    assert player("random", rules.game("hex")).name == "random"
    assert record.end.reason == Reason.CONNECTED
    assert loads(dumps(record)) == record


def test_its_records_verify_and_a_false_one_does_not(record):
    assert verify(record).ok
    last = record.entries[-1]
    false = dumps(record).replace(last.got["digest"].encode(), b"0123456789abcdef")
    assert [mismatch.what for mismatch in verify(loads(false)).mismatches] == ["digest"]


def test_its_games_are_exported_as_drawing_picture_animation_and_page(record):
    drawing = share(record, "svg").decode()
    assert drawing.count('class="holds1"') + drawing.count('class="holds2"') > len(record.entries)
    assert Image.open(BytesIO(share(record, "png"))).size[0] > 200
    assert Image.open(BytesIO(share(record, "gif"))).n_frames == record.next_ply + 1
    data = json.loads(re.search(r'type="application/json">(.*?)</script>', share(record, "html").decode())[1])
    assert len(data["pictures"]) == len(data["leaves"]) + 1 == record.next_ply + 1
    assert data["leaves"][0][0] == f"0. random: {record.entries[0].do}"
    with pytest.raises(InputError, match="hex has png, svg, gif, mp4 and html"):
        share(record, "glb")


@pytest.fixture
def commands(shutoko, site):
    """Runs a command with the game installed."""
    path = os.pathsep.join((str(site), str(HERE.parents[1])))

    def run(*args, typed=None):
        return shutoko(*args, typed=typed, PYTHONPATH=path)

    return run


@pytest.mark.slow
def test_it_is_played_at_the_terminal_and_its_record_is_true(commands, tmp_path):
    done = commands("play", "hex", "--size", "3", "--players", "you,you", "--out", "a.jsonl", typed="\n".join(WON) + "\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "the game is over (connected)" in done.stdout
    assert "light" in done.stdout
    assert verify(rules.record.read(tmp_path / "a.jsonl")).ok


@pytest.mark.slow
def test_every_command_for_games_on_boards_takes_it(commands, record, tmp_path):
    write(record, tmp_path / "a.jsonl")
    for args, said in (
        (("simulate", "hex", "--players", "random", "--games", "2", "--option", "size=4", "--out", "games"), "random"),
        (("verify", "a.jsonl"), "a.jsonl"),
        (("replay", "a.jsonl", "--svg", "a.svg"), "end: connected"),
        (("export", "a.jsonl", "a.html"), "a.html"),
        (("perft", "hex", "--size", "3", "--depth", "2"), "72"),
    ):
        done = commands(*args)
        assert (done.returncode, said in done.stdout + done.stderr) == (0, True), (args, done.stdout, done.stderr)


@pytest.mark.pages
@pytest.mark.slow
def test_it_is_played_in_the_browser_from_the_lobby_to_the_end(site, tmp_path, monkeypatch):
    pytest.importorskip("nicegui", reason="the pages need shutoko[web]")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(HERE.parents[1]), str(site))))
    browser = Browser()
    try:
        with serving(tmp_path / "web") as server:
            browser.open(server.url)
            browser.click("[data-game=hex]")
            browser.choose("[data-setting='size']", "5")
            browser.choose("[data-seat='1']", "at this screen")
            browser.click("[data-begin]")
            for ply, move in enumerate(("a3", "a1", "b3", "b1", "c3", "c1", "d3", "d1", "e3")):
                browser.find("[data-move]")
                browser.js(CLICK, move)
                until(lambda n=ply: browser.js("return document.querySelectorAll('.moves .ply').length") == n + 1, move)
            browser.sees("wins")
            assert browser.errors() == []
    finally:
        browser.driver.quit()


# --- docs/adding-a-game.md ---------------------------------------------------------------------------------------------------


def shown(language):
    text = PAGE.read_text(encoding="utf-8")
    return [match[1] for match in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)]


def test_the_page_shows_the_game_as_it_is_step_by_step():
    *module, check = (block.strip() for block in shown("python"))
    assert re.sub(r"\n{2,}", "\n\n", "\n\n".join(module) + "\n") == re.sub(
        r"\n{2,}", "\n\n", (HERE / "hex_game.py").read_text()
    )
    assert shown("toml") == [(HERE / "pyproject.toml").read_text()]
    assert "check_game" in check
