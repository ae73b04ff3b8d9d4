"""A game that another distribution brings has its card, dialogue, room, replay and exports, by its
own words.
"""

from __future__ import annotations

import os

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

import rules
from rules.defaults import settings
from rules.errors import InputError
from shutoko.web.pages.new_game import made_with
from tests.browser import Server, until
from tests.conftest import CHECKOUT
from tests.fourth_game.installing import install

WON = ("a2", "a1", "b2", "b1", "c2", "c1", "d2", "d1", "e2")
"""Light joins left and right along the second row of a board of five."""

CLICK = (
    "const hit = document.querySelector(`[data-move='${arguments[0]}'] > circle`); if (!hit) "
    "return false;"
    "hit.dispatchEvent(new PointerEvent('click', {bubbles: true, pointerType: 'mouse'})); return "
    "true"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server on a machine where Hex is installed too."""
    folder = tmp_path_factory.mktemp("any")
    site = install(folder / "site")
    (site / "tower_game.py").write_text(TOWER)
    with (site / "shutoko_hex-1.0.dist-info" / "entry_points.txt").open("a") as points:
        points.write("[shutoko.games]\ntower = tower_game:Tower\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join((str(site), str(CHECKOUT))))
        made = Server(folder / "data")
    yield made
    made.stop()


TOWER = '''
"""A disc more at each ply; who puts the third one down wins."""
from dataclasses import dataclass, replace
from rules.game import Outcome, Reason
from rules.view import SceneView
from sim.bodies import Body
from sim.game.attempts.posing import bodies
from sim.bodies import Pose
from sim.referee.table import Table

DISC = next(body for body in bodies(Table.from_layout(\
{"pillars": [{"id": "A-P0", "at": [0, 0], "discs": 1}]}, 2)))


@dataclass(frozen=True)
class State:
    height: int = 0

    @property
    def to_move(self):
        return self.height % 2

    def legal_moves(self):
        return () if self.outcome() else ("up",)

    def parse(self, text):
        return text

    def after(self, move):
        return State(self.height + 1)

    def outcome(self):
        return Outcome((0,), Reason.CONNECTED, ((0,), (1,))) if self.height == 3 else None

    def digest(self):
        return f"{self.height:016x}"


class Tower:
    name, seats, options = "tower", 2, {}

    def start(self):
        return State()

    def view(self, state, before=None, last=None):
        discs = (replace(DISC, id=f"A-P{n}.1", pose=Pose((0.0, 0.0, 5.0 + 10 * n))) \
for n in range(state.height + 1))
        return SceneView(tuple(discs))
'''
"""A game of pieces in space that says the least that it can."""


@pytest.mark.pages
@pytest.mark.slow
def test_a_game_that_nobody_here_knows_is_played_by_clicks_watched_and_shared(browser, server):
    browser.open(server.url)
    browser.sees(
        "Join your two sides of the board before the other player joins theirs.", "[data-card=hex]"
    )
    browser.click("[data-game=hex]")
    browser.choose("[data-setting='size']", "5")
    browser.choose("[data-seat='1']", "at this screen")
    browser.click("[data-begin]")
    browser.find(".board svg")
    for ply, move in enumerate(WON):
        until(lambda move=move: browser.js(CLICK, move), f"{move} is on offer")
        browser.sees(f"{ply}. Player {ply % 2 + 1}: {move}", ".moves")
    browser.sees("Player 1 wins: the two sides are joined.", "[aria-live=polite]")
    assert browser.js("return document.querySelector('[data-cell=e2]').ariaLabel") == "e2, light"
    room = browser.driver.current_url.rpartition("/")[2]
    browser.open(f"{server.url}/replay/room/{room}?ply=2")
    browser.sees("Player 1: b2", "[data-status]")
    browser.click("[data-analysis]")
    until(
        lambda: browser.text("[data-advice]"),
        "the only player, which chooses at random, has a move to show",
    )
    shares = browser.js(
        "return [...document.querySelectorAll('[data-share]')].map((link) => link.dataset.share)"
    )
    assert shares == ["jsonl", "png", "svg", "gif", "html"]
    fetched = "fetch(arguments[0]).then((answer) => answer.text()).then(arguments[1])"
    drawing = browser.driver.execute_async_script(fetched, f"/share/room/{room}.svg")
    assert drawing.startswith("<svg")


@pytest.mark.pages
@pytest.mark.slow
def test_pieces_in_space_of_another_game_are_shown_and_its_moves_are_buttons(browser, server):
    browser.open(server.url)
    browser.click("[data-game=tower]")
    browser.choose("[data-seat='1']", "at this screen")
    browser.click("[data-begin]")
    pieces = "return window.__bodies?.meshes.size"
    until(lambda: browser.js(pieces) == 1, "the first disc is drawn")
    for ply in range(3):
        browser.click("[data-plain=up]")
        browser.sees(f"{ply}. Player {ply % 2 + 1}: up", ".moves")
    browser.sees("Player 1 wins", "[aria-live=polite]")
    room = browser.driver.current_url.rpartition("/")[2]
    browser.open(f"{server.url}/replay/room/{room}?plain=1")
    browser.sees("Player 1: up", "[data-status]")
    until(lambda: browser.js(pieces) == 4, "every disc is drawn")


def test_a_value_that_does_not_go_with_the_one_chosen_last_gives_way():
    chosen = {"players": 3, "ruleset": "en2"}
    made = made_with("tokyo-highway", chosen, "players")
    assert (made.seats, made.options["ruleset"]) == (3, "standard")
    with pytest.raises(InputError, match="hex"):
        made_with("hex", {"size": 5}, "size")
    both = made_with("meridians", {"size": 5, "pie": True}, "pie")
    assert both.options == {"size": 5, "pie": True}


def test_every_choice_of_a_shipped_game_makes_a_game_that_offers_that_choice_again():
    for name in ("meridians", "thruway", "tokyo-highway"):
        for setting in settings(rules.game(name)):
            assert setting.usual in setting.values
            for value in setting.values:
                made = made_with(name, {setting.name: value}, setting.name)
                assert value in next(
                    one.values for one in settings(made) if one.name == setting.name
                )
