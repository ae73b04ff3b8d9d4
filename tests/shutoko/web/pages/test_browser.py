"""The pages in a real Chromium: whole games by clicks, a turn at the table by click and by drag,
replays, uploads, keys.
"""

from __future__ import annotations

import json
import os
import signal
import time
from dataclasses import replace

import numpy as np
import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

import rules
from rules import record
from shutoko.export.share import share
from shutoko.web.rooms.store import Setup
from sim.assets import asset
from sim.game import replay
from sim.game.verify import verify
from sim.problems import problems
from tests.browser import closes, opens, serving, until
from tests.pages import (
    CONTROLS,
    advised,
    aims,
    content,
    drawn,
    faults,
    forget,
    lets_fall,
    made_room,
    middle,
    of_size,
    on_a_phone,
    plies_shown,
    pointer,
    shipped,
    shows,
    standing,
    table_pixel,
    takes,
    taps,
    within,
)

pytestmark = [pytest.mark.pages, pytest.mark.slow]


def shortest_game(game, games=300, least=10):
    """The shortest of some random games, but `least` plies: its moves, and the state at the end."""
    best = None
    for seed in range(games):
        state, moves, rng = game.start(), [], np.random.default_rng(seed)
        while state.outcome() is None and (best is None or len(moves) < len(best[0])):
            legal = [move for move in state.legal_moves() if str(move) != "trade"]
            move = legal[rng.integers(len(legal))]
            state = state.after(move)
            moves.append(str(move))
        if (
            state.outcome() is not None
            and len(moves) >= least
            and (best is None or len(moves) < len(best[0]))
        ):
            best = moves, state
    return best


def point(browser, move):
    """Clicks where the board offers a move, as a mouse does."""
    at = until(
        lambda: browser.js(
            "const e = document.querySelector(`[data-move='${arguments[0]}'] > path, "
            "[data-move='${arguments[0]}'] > circle`);"
            "if (!e) return null; e.scrollIntoView({block: 'nearest'}); const r = "
            "e.getBoundingClientRect();"
            "return [r.left + r.width / 2, r.top + r.height / 2]",
            move,
        ),
        f"the move {move} is on offer",
    )
    pointer(browser, ("move", *at), ("down",), ("up",))


def playing(browser, move):
    """One ply by a click or, where it is no place on the board, by its button; waits until the page
    tells of it.
    """
    before = plies_shown(browser)
    if move in ("pass", "trade"):
        browser.click(f"[data-plain={move}]")
    else:
        point(browser, move)
    until(
        lambda: plies_shown(browser) == before + 1,
        f"{move} is played; the page says {browser.text()[:300]!r}",
    )


def begin_game(browser, server, game, size, level=None, seat="at this screen"):
    """A game from the lobby, both seats at this screen, or the second one a friend's, or the
    computer's at a level.
    """
    browser.open(server.url)
    browser.click(f"[data-game={game}]")
    browser.choose("[data-setting='size']", size)
    if level is None:
        browser.choose("[data-seat='1']", seat)  # otherwise the computer takes it
    else:
        browser.choose("[data-level='1']", level)
    browser.click("[data-begin]")
    until(lambda: "/room/" in browser.driver.current_url, "the room opens")
    browser.find(".board svg")


def test_a_whole_game_of_meridians_in_two_tabs_that_stay_in_step(browser, server):
    moves, end = shortest_game(rules.game("meridians", size=5))
    begin_game(browser, server, "meridians", "5")
    address, driver = browser.driver.current_url, browser.driver
    driver.switch_to.new_window("tab")
    browser.open(address)
    tabs = driver.window_handles
    for n, move in enumerate(moves):
        driver.switch_to.window(tabs[n % 2])
        if n == len(moves) // 2:
            browser.open(address)  # a reload in the middle loses nothing
        until(lambda n=n: plies_shown(browser) == n, "this tab has heard of the ply of the other")
        playing(browser, move)
    winner = f"Player {end.outcome().winners[0] + 1} wins"
    for tab in tabs:
        driver.switch_to.window(tab)
        browser.sees(winner, ".status")
        stones = browser.js(
            "return [1, 2].map((c) => document.querySelectorAll(`.cell .holds${c}`).length)"
        )
        assert stones == [end.board_text().count("1"), end.board_text().count("2")]
    browser.find("[data-result] svg")
    browser.click("[data-rematch]")
    until(lambda: browser.driver.current_url != address, "another room opens")
    browser.sees("Player 2", ".seat")  # who moved second begins
    driver.switch_to.window(tabs[0])
    browser.sees("To the next game", "[data-result]")


NOTED = """
    window.noted = [];
    window.Notification = class extends Notification { \
constructor(text, how) { super(text, how); window.noted.push(text); } };
    Object.defineProperty(document, "hidden", { get: () => true });
"""
"""A page that nobody looks at, and that keeps the notices it gives to the system."""


def test_two_friends_meet_by_a_link_talk_see_each_others_aim_and_agree_to_take_a_ply_back(
    browser, server
):
    """To one server, a browser is two visitors by two of its names."""

    def says(words):
        opens(browser, "log")
        if not browser.js("return document.querySelector('[data-say]')?.checkVisibility()"):
            browser.click("[data-chat] .q-item")
        browser.find("[data-say]").send_keys(words, Keys.ENTER)
        browser.sees(words, ".says")

    begin_game(browser, server, "meridians", "5", seat="a friend, by link")
    link = browser.js("return document.querySelector('input[data-seat=\"1\"]').value")
    browser.click("[data-invitation] [data-copy]")
    browser.find("[data-copy].done")
    driver, here = browser.driver, browser.driver.current_url
    browser.open(server.url)
    row = f".item:has([href='{here[len(server.url) :]}'])"
    browser.sees("waiting for somebody", row)
    assert "your turn" not in browser.text(row)
    browser.open(link)  # one's own friend's link
    browser.find("[data-sit]")
    browser.click("[data-back]")
    until(lambda: driver.current_url == here, "back in the room")
    browser.find("[data-invitation]")
    driver.switch_to.new_window("tab")
    browser.open(link.replace("127.0.0.1", "localhost"))
    opens(browser, "menu")
    browser.click("[data-rename]")
    browser.find("[data-name]").send_keys(Keys.CONTROL, "a", Keys.NULL, "Bo <b>", Keys.ENTER)
    browser.sees("Bo <b>", ".seat + .seat")
    says("<img src=x onerror='window.hurt = 1'>")
    granted = {"permissions": ["notifications"], "origin": f"http://localhost:{server.port}"}
    driver.execute_cdp_cmd("Browser.grantPermissions", granted)
    browser.js(NOTED)
    opens(browser, "menu")
    browser.click("[data-bell]")
    until(
        lambda: browser.js("return document.querySelector('[data-bell]').ariaPressed") == "true",
        "the bell is on",
    )
    ann, bo = driver.window_handles
    driver.switch_to.window(ann)
    browser.sees("Bo <b>", ".seat + .seat")
    browser.sees("<img src=x", ".says")
    assert browser.js("return window.hurt ?? null") is None
    assert browser.js("return document.querySelectorAll('[data-invitation]').length") == 0
    assert browser.js("return document.querySelector('[data-part=log]').dataset.unread") == "1"
    opens(browser, "log")
    browser.click("[data-emote=bravo]")
    # the tooltip of the button that was clicked stands outside all landmarks while it is shown
    ActionChains(driver).move_to_element(browser.find("[data-say]")).perform()
    assert faults(browser) == []
    closes(browser)
    ActionChains(driver).move_to_element(browser.find("[data-cell=c3]")).perform()
    driver.switch_to.window(bo)
    browser.sees("Well played!", ".says")
    until(
        lambda: browser.js("return document.querySelector('.aimed')?.dataset.cell") == "c3",
        "Bo sees where Ann points",
    )
    driver.switch_to.window(ann)
    playing(browser, "c3")
    browser.click("[data-undo]")
    driver.switch_to.window(bo)
    browser.find("[data-back]")
    until(lambda: driver.title.startswith("● Your turn"), "the title says whose turn it is")
    assert browser.js("return window.noted") == ["Your turn."]
    browser.click("[data-no]")
    driver.switch_to.window(ann)
    browser.sees("It stays", ".q-notification")
    browser.click("[data-undo]")
    driver.switch_to.window(bo)
    browser.click("[data-yes]")
    until(lambda: plies_shown(browser) == 0, "the ply is taken back")
    until(lambda: not driver.title.startswith("●"), "it is Ann's turn again")
    browser.find(".seat.here + .seat.here")
    opens(browser, "menu")
    browser.click("[data-resign]")  # out of turn
    browser.click("[data-sure]")
    browser.sees("Player 1 wins", "[data-result]")
    assert not browser.js("return document.querySelector('#sheet-menu').checkVisibility()")
    browser.open(f"http://localhost:{server.port}/games")
    browser.sees("Player 1 - Bo <b>", ".list")


def test_a_room_whose_computer_player_is_gone_says_so_and_goes_on(browser, server):
    setup = Setup("meridians", ("it", "Ann"), ("uct", None), {"size": 3})
    browser.open(made_room(server, setup, browser))
    browser.sees("uct is gone: the strongest player plays on")
    until(lambda: plies_shown(browser) == 1, "the strongest player has moved")


def test_a_player_hears_that_the_server_stops_and_is_back_once_it_starts(browser, tmp_path):
    with serving(tmp_path) as mortal:
        begin_game(browser, mortal, "meridians", "5")
        browser.js(
            "window.heard = ''; new MutationObserver(() => window.heard += document.body.innerText)"
            ".observe(document.body, {childList: true, subtree: true})"
        )
        os.kill(mortal.process.pid, signal.SIGTERM)
        until(
            lambda: "this game goes on by itself" in browser.js("return window.heard"), "it is told"
        )
        mortal.stop()
        mortal.start()
        until(
            lambda: browser.js("return window.heard === undefined && window.socket?.connected"),
            "the page is back",
        )
        browser.find(".board svg")
        forget(browser, mortal)


def test_a_whole_game_of_thruway_by_clicks_although_the_server_is_killed_in_the_middle(
    browser, tmp_path
):

    moves, end = shortest_game(rules.game("thruway", size=5))
    with serving(tmp_path) as mortal:
        begin_game(browser, mortal, "thruway", "5")
        for n, move in enumerate(moves):
            if n == len(moves) // 2:
                mortal.kill()
                mortal.start()
                until(
                    lambda n=n: (
                        plies_shown(browser) == n and browser.js("return window.socket?.connected")
                    ),
                    "the page is back",
                )
            playing(browser, move)
        browser.sees(f"Player {end.outcome().winners[0] + 1} wins", ".status")
        joined = browser.js("return document.querySelector('.won').points.length")
        assert joined >= 5, "the path is lit"
        assert content(browser, "[data-result] .score") == "", "pieces are no score"
        table = "return document.querySelector('[data-result] .graph').checkVisibility()"
        assert browser.js(table)
        browser.find("body").send_keys(Keys.ESCAPE)
        until(lambda: not browser.js(table), "the result is folded away")
        browser.click("[data-fold]")
        until(lambda: browser.js(table), "and back")
        browser.click(".board [data-cell=c3]")
        until(lambda: not browser.js(table), "a tap on the board folds it away")
        (path,) = (tmp_path / "rooms").glob("*.jsonl")
        kept = record.read(path)
        assert [entry.do for entry in kept.entries] == moves
        assert kept.end is not None
        forget(browser, mortal)


def test_the_pair_of_the_pie_rule_and_the_choice_of_a_colour_are_made_by_clicks(browser, server):
    setup = Setup("meridians", ("Ann", "Bo"), (None, None), {"size": 4, "pie": True})
    address = made_room(server, setup, browser)
    browser.open(address)
    browser.click("[data-hint]")
    browser.click("[data-advice='1']")
    point(browser, "b2")
    browser.sees("b2 is picked", ".status")
    until(lambda: not browser.js("return document.querySelector('.q-btn .q-spinner')"), "all")
    browser.click("[data-hint]")  # a second hint leaves half a move, and so did what came late
    browser.find(".advices:not(:has(.picked)) .advice")
    point(browser, "b2,e5")
    browser.sees("Ann: b2,e5", ".status")
    browser.sees("Choose your colour", ".choices")
    assert browser.js(
        "return [1, 2].map((c) => document.querySelectorAll(`.cell .holds${c}`).length)"
    ) == [1, 1]
    browser.click("[data-plain=swap]")
    browser.sees("Bo: Take light", ".status")
    browser.sees("Bo is to move", ".status")  # light goes on
    (path,) = (server.data / "rooms").glob(f"{address.rpartition('/')[2]}.jsonl")
    assert [entry.do for entry in record.read(path).entries] == ["b2,e5", "swap"]


def test_the_computer_plays_at_a_level_and_hints_and_analysis_name_moves_with_their_values(
    browser, server
):

    begin_game(browser, server, "meridians", "5", level="beginner")
    room = browser.driver.current_url.rpartition("/")[2]
    seats = json.loads((server.data / "rooms" / f"{room}.seats.json").read_text())
    assert seats["computers"] == [None, "best:level=beginner"]
    browser.sees("computer, beginner", ".seat + .seat")
    point(browser, "e5")
    # a first search may be compiled
    until(lambda: plies_shown(browser) == 2, "the computer answers", 180)
    browser.click("[data-hint]")
    until(
        lambda: browser.js("return document.querySelectorAll('.advice').length") == 3,
        "three moves are named",
        180,
    )
    assert browser.js("return document.querySelectorAll('.board .rank').length") == 3
    move, value = (
        browser.text("[data-advice='2'] .told").splitlines()[0],
        browser.text("[data-advice='2'] .worth"),
    )
    assert value.endswith("%")
    browser.click("[data-advice='2']")
    until(
        lambda: browser.js("return document.querySelector('.board .chosen')?.dataset.move") == move,
        "it is shown",
    )
    browser.click("[data-confirm]")
    browser.sees(f"2. Player 1: {move}", ".moves")
    assert browser.js("return document.querySelectorAll('.board .rank, .advice').length") == 0

    browser.open(f"{server.url}/replay/room/{room}?ply=1")
    browser.click("[data-analysis]")
    browser.sees("Player 1 ", "[data-chance]")
    until(
        lambda: browser.js("return document.querySelectorAll('.board .rank').length") == 5,
        "five moves are marked",
    )
    assert move in browser.text(".advices")
    assert browser.js(
        "return [...document.querySelectorAll('.chances span')].map((e) => "
        "parseFloat(e.style.width))"
    )
    browser.find("body").send_keys(Keys.HOME)
    browser.sees("e5", ".advices")
    browser.sees("played", ".advices")
    browser.click("[data-branch]")
    browser.choose("[data-seat='1']", "at this screen")
    browser.click("[data-begin]")
    until(
        lambda: (
            f"/room/{room}" not in browser.driver.current_url
            and "/room/" in browser.driver.current_url
        ),
        "a room opens",
    )
    branch = browser.driver.current_url.rpartition("/")[2]
    browser.sees("Player 2", ".seat + .seat")  # whom nobody plays for any more
    assert "computer" not in browser.text(".plates")
    browser.open(f"{server.url}/replay/room/{room}")
    browser.sees("from ply 0: Player 1 - Player 2", ".moves [data-variation]")
    browser.click("[data-tree] .node .node a")
    until(lambda: f"/replay/room/{branch}" in browser.driver.current_url, "the variation is shown")
    browser.sees("The game itself", "[data-tree]")
    assert faults(browser) == []


def test_a_board_is_played_by_keys_alone_and_says_what_happens(browser, server):

    address = made_room(
        server, Setup("thruway", ("Ann", "Bo"), (None, None), {"size": 5, "trade": False}), browser
    )
    browser.open(address)
    browser.find(".board svg")
    browser.js("document.querySelector('[data-cell=a1]').focus()")

    def keys(*pressed):
        for key in pressed:
            browser.driver.switch_to.active_element.send_keys(key)

    keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    assert browser.js("return document.activeElement.getAttribute('aria-label')") == "b2, empty"
    keys(Keys.ENTER)
    browser.sees("b2 is picked", "[aria-live=polite]")
    until(
        lambda: browser.js("return document.activeElement.dataset.cell") == "b2",
        "the focus stays where it was",
    )
    keys(Keys.ARROW_RIGHT, Keys.ENTER)
    browser.sees("Ann: b2-c2", "[aria-live=polite]")
    until(
        lambda: (
            browser.js("return document.activeElement.getAttribute('aria-label')") == "c2, concrete"
        ),
        "the cell is renamed",
    )


def test_the_lobby_offers_the_rule_sets_that_so_many_may_play_by(browser, server):
    browser.open(server.url)
    browser.click("[data-game=tokyo-highway]")
    browser.choose("[data-setting='ruleset']", "the English box for two")
    browser.choose("[data-setting='players']", "3")
    # the settings are drawn anew
    browser.sees("the usual rules", "[data-setting='ruleset']")
    browser.click("[data-setting='ruleset']")
    offered = (
        "return [...document.querySelectorAll('.q-menu .q-item')].map((item) => "
        "item.innerText.trim())"
    )
    until(
        lambda: (
            browser.js(offered)
            == ["the usual rules", "the French rulebook", "the Korean rulebook", "Rainbow City"]
        ),
        "what is for two is no longer offered",
    )


def test_a_turn_at_the_table_by_click_scores_a_crossing_and_the_next_by_drag(browser, server):
    given = shipped("two-cars")
    scoring = next(
        entry
        for entry in given.entries
        if "build" in entry.do
        and any(c["scores"] for c in entry.got["crossings"])
        and not entry.do["build"]["junction"]
        and not entry.do["build"].get("road")
    )
    shows(browser, server, middle("two-cars", scoring.ply))
    build = scoring.do["build"]
    opens(browser, "exact")
    browser.choose("[data-controls] [data-height]", str(build["discs"]))
    closes(browser)
    taps(browser, *build["pillar"])
    browser.sees(f"+{scoring.got['cars']} car", "[data-said]")
    until(lambda: browser.js("return window.__bodies.ghosts.length") > 2, "the ghost is shown")
    until(
        lambda: browser.js("return window.__bodies.pulses.length") >= 1,
        "the crossing that scores is lit up",
    )
    until(lambda: "bears" in content(browser, "[data-more]"), "statics says what it bears")
    assert browser.js(
        "return [...'xy'].map((n) => Number(document.querySelector(`input[data-${n}]`).value))"
    ) == pytest.approx(
        browser.js(
            "return window.__bodies.ghosts.find((g) => "
            "g.name.includes('-P')).position.toArray().slice(0, 2)"
        ),
        abs=0.2,
    )
    drawn = "return window.__bodies.drawn"
    until(
        lambda: browser.js(drawn) == (time.sleep(1.0), browser.js(drawn))[1],
        "a table on which nothing moves is not drawn",
    )
    changes = (
        "const [told] = arguments; let count = 0; const eye = new MutationObserver((some) => "
        "{ count += some.length; });"
        "eye.observe(window.__bodies.renderer.domElement.parentElement, "
        "{attributes: true, subtree: true});"
        "setTimeout(() => { eye.disconnect(); told(count); }, 500)"
    )
    until(
        lambda: browser.driver.execute_async_script(changes) == 0,
        "nothing around it changes, or the page is drawn anew",
    )
    pieces = browser.js("return window.__bodies.meshes.size")
    browser.click("[data-place]")
    browser.sees(f"{scoring.ply}. {given.header.players[scoring.by]}", ".moves")
    until(lambda: browser.js("return window.__bodies.films") == 1, "the settling is played")
    new = build["discs"] + 1 + scoring.got["placed"]
    until(
        lambda: browser.js("return window.__bodies.meshes.size") == pieces + new,
        "disc, road and cars are on the table",
    )

    taps(browser, 0, 0)
    until(
        lambda: browser.js("return window.__bodies.ghosts.length") > 1,
        "the ghost of the next pillar",
    )
    places = "return [...'xy'].map((n) => document.querySelector(`input[data-${n}]`).value)"
    first = browser.js(places)
    x, y, z = browser.js(
        "const g = window.__bodies.ghosts.filter((g) => g.name.includes('-P')).pop(); return "
        "g.position.toArray()"
    )
    grip, target = table_pixel(browser, x, y, z + 5), table_pixel(browser, x + 25, y - 25, z + 5)
    pointer(browser, ("move", *grip), ("down",), ("move", *target), ("move", *target), ("up",))
    until(lambda: browser.js(places) not in (["", ""], first), "the place follows the drag")


def touch(browser, kind, *fingers):
    """Fingers on a touch screen, each at (x, y) in pixels."""
    points = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(fingers)]
    browser.driver.execute_cdp_cmd(
        "Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points}
    )


def test_pieces_are_placed_by_hand_with_the_mouse_by_keys_and_by_touch(browser, server):

    given = shipped("two-cars")
    path = shows(browser, server, middle("two-cars", 2, hands=("own", "helped"), seed=4))
    held = (
        "return window.__bodies.held && [window.__bodies.held.number, window.__bodies.held.height]"
    )

    away = "return Math.hypot(...window.__bodies.held.u)"

    def led_home():
        browser.js("window.__bodies.held.u = [0, 0]")
        until(lambda: browser.js("return window.__bodies.closed"), "it hangs over its place")

    def over(part):
        return table_pixel(
            browser, *browser.js("return window.__bodies.held.parts[arguments[0]].at", part)
        )

    def is_made(ply):
        """A try that fell is left at that: whether it falls hangs on how far the hand trembled."""
        # looked for and pressed by one script: between two the button may have gone
        leave = (
            "const b = document.querySelector('[data-let-be]');"
            "if (b.checkVisibility() && !b.disabled) b.click();"
            "return document.querySelector('.trouble').textContent"
        )

        def shown():
            trouble = browser.js(leave)
            assert not trouble, trouble
            return plies_shown(browser) == ply + 1

        until(shown, f"ply {ply} is made")

    def let_go_alike(ply, number):
        """What the page showed in the moment of letting go is what the record keeps. If it did not
        stand, that was the first try.
        """
        is_made(ply)
        until(lambda: len(record.read(path).entries) > ply, "the ply is kept", 120)
        entry = record.read(path).entries[ply]
        hand = entry.tries[0]["hand"] if entry.tries else entry.hand
        shift, turn = browser.js("return window.shutoko_let_go")
        item = next(one for one in hand if "-R" in one.get("piece", ""))
        assert item["shift"] == pytest.approx(shift, abs=1e-9)
        assert item["turn"] == pytest.approx(turn, abs=1e-9)
        assert len([one for one in hand if "speed" in one]) == number

    aims(browser, *given.entries[2].do["build"]["pillar"])
    browser.sees("Pick up", "[data-place]")
    takes(browser)
    browser.sees("Lead it over its place", "[data-said]")
    until(lambda: not browser.js("return window.__bodies.flight"), "the camera has come near")
    for part in (0, 1):
        assert browser.js("return Math.hypot(...window.__bodies.held.u)") > 20  # from the tray
        pointer(browser, ("move", *over(part)))
        until(lambda: browser.js(away) < 3, "the hand has led it there")
        pointer(browser, ("down",))
        until(lambda: browser.js(held)[1] < 20, "it is lowered")
        pointer(browser, ("up",))
        if not part:
            browser.sees("Now the road", "[data-said]")
    let_go_alike(2, given.entries[2].do["build"]["discs"] + 1)

    until(lambda: not browser.js("return window.__bodies.film"), "the film is over")
    advised(browser)
    until(
        lambda: browser.js("return document.activeElement.matches('[data-place]')"),
        "the keyboard is at the button",
    )
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    until(lambda: browser.js(held), "the pieces are in the hand")
    body = browser.find("body")
    body.send_keys(Keys.ARROW_LEFT, "q", Keys.ESCAPE)
    until(lambda: not browser.js(held), "they are put back")
    takes(browser)
    browser.js("window.__bodies.held.motion.seconds = 0.1")
    until(lambda: not browser.js(held), "what nobody leads is put back when the time is over")
    takes(browser)
    body.send_keys(Keys.ARROW_RIGHT, "e")
    led_home()
    body.send_keys(Keys.ENTER)
    until(lambda: browser.js(held)[0] == 1, "the road is next")
    led_home()
    body.send_keys(Keys.ENTER)
    is_made(3)

    until(lambda: not browser.js("return window.__bodies.film"), "the film is over")
    advised(browser)
    takes(browser)
    for part in range(browser.js("return window.__bodies.held.parts.length")):
        x, y = browser.js(
            "const r = window.__bodies.renderer.domElement.getBoundingClientRect(); return [r.x + "
            "200, r.y + 200]"
        )
        was = browser.js("return window.__bodies.held.u")
        touch(browser, "Start", (x, y))
        touch(browser, "Move", (x + 3, y + 2))
        until(
            lambda was=was: browser.js("return window.__bodies.held.u") != was,
            "the finger has led it",
        )
        led_home()
        touch(browser, "Start", (x + 3, y + 2), (x + 90, y))  # the second finger lowers
        touch(browser, "Move", (x + 3, y + 2), (x + 90, y + 4))
        until(
            lambda: abs(browser.js("return window.__bodies.held.turn")) > 0.5,
            "the second finger has turned it",
        )
        until(lambda: browser.js(held)[1] < 20, "it is lowered")
        touch(browser, "End")
        until(lambda part=part: (browser.js(held) or [9])[0] > part, "it is let go")

    is_made(4)
    assert [bool(entry.hand) for entry in record.read(path).entries[2:]] == [True, True, True]


def test_a_try_that_fell_is_made_again_by_the_same_hand_or_left_and_the_verdict_says_so(
    browser, server
):

    at = shipped("two-cars").entries[2].do["build"]["pillar"]
    path = shows(browser, server, middle("two-cars", 2, hands=("own", "helped"), seed=4))
    aims(browser, *at)
    body, driver, clips = browser.find("body"), browser.driver, set()
    address = driver.current_url.replace("127.0.0.1", "localhost")
    driver.switch_to.new_window("tab")
    browser.open(address)  # somebody else watches
    drawn(browser)
    driver.switch_to.window(driver.window_handles[0])
    for left in (3, 2):
        # a second press there takes the pieces, as the button does
        pointer(browser, ("down",), ("up",))
        until(lambda: browser.js("return !!window.__bodies.held"), "the pillar is in the hand")
        body.send_keys(Keys.ENTER, Keys.ENTER)  # let go at the tray
        browser.sees("It fell", "[data-part=verdict]")
        browser.sees(f"{left} tries", "[data-part=verdict]")
        browser.sees("Try again", "[data-part=act]")
        within(browser)
        browser.click("[data-again]")
        until(lambda: browser.js("return !!window.__bodies.film"), "the try is seen again")
        until(lambda: browser.js("return !__bodies.film && !__bodies.flight"), "it is over")
        clips.add(clip_of(browser))
        assert plies_shown(browser) == 2
        pointer(browser, ("move", *table_pixel(browser, *at)))
    browser.click("[data-let-be]")
    browser.sees("2. ", ".moves")
    browser.sees("It does not stand", "[data-part=verdict]")
    clips.add(clip_of(browser))
    assert len(clips) == 3  # of each try, and of what was left
    driver.switch_to.window(driver.window_handles[1])
    browser.sees("North: it does not stand", "[data-part=verdict]")
    browser.find("[data-again]")
    assert clip_of(browser).endswith("/2.gif")
    kept = record.read(path)
    assert len(kept.entries[2].tries) == 1
    assert verify(kept, "physics").ok
    assert verify(kept, "exact").ok


def clip_of(browser):
    """The address of the clip that is shared, which is a film."""
    address, kind = browser.driver.execute_async_script(
        "const a = document.querySelector('[data-part=clip]'), done = arguments[0];"
        "fetch(a.href).then((r) => done([a.href, r.ok && r.headers.get('content-type')]))"
    )
    assert kind == "image/gif"
    return address


def test_a_hand_that_another_page_ends_leaves_every_control(browser, server):
    shows(browser, server, middle("two-cars", 4, hands=("own", "own")))
    driver, address = browser.driver, browser.driver.current_url
    driver.switch_to.new_window("tab")
    browser.open(address)
    drawn(browser)
    phone, desk = driver.window_handles
    driver.switch_to.window(phone)
    aims(browser, *shipped("two-cars").entries[4].do["build"]["pillar"])
    takes(browser)
    driver.switch_to.window(desk)
    browser.sees("in your hand on another page", "[data-said]")
    browser.click("[data-undo]")
    driver.switch_to.window(phone)
    until(lambda: not browser.js("return !!window.__bodies.held"), "the hand is empty")
    browser.sees("the piece in your hand is put back", ".q-notification")
    browser.click(".q-notification button")
    assert not browser.js("return document.querySelector('.room.holding')")
    turn = {"menu", "piece", "fit", "hint", "undo", "log"}
    until(lambda: turn <= set(browser.js(CONTROLS)), "all controls of a turn are there again")


def test_an_illegal_build_is_red_and_explained_in_another_language_too(browser, server):
    path = shows(browser, server, middle("two-cars", 4, hands=("own", "own")))
    opens(browser, "exact")
    stands = shipped("two-cars").entries[2].do["build"]["pillar"]
    for name, value in zip("xy", stands, strict=True):
        browser.find(f"input[data-{name}]").send_keys(str(value))
    closes(browser)
    judged = (
        "return [document.querySelector('[data-badge]').classList.contains('bad'),"
        "window.__bodies.ghosts[0]?.material.color.getHexString(),"
        "document.querySelector('[data-place]').disabled]"
    )
    until(lambda: browser.js(judged)[0], "it is illegal")
    was, said = browser.js(judged), browser.text("[data-said]")
    for language in ("fr", "en"):
        browser.open(f"{server.url}/choose?language={language}&then=/room/{path.stem}")
        until(lambda: browser.js("return window.__bodies?.ghosts?.length"), "it is kept")
        assert browser.js(judged) == was
        assert (browser.text("[data-said]") == said) == (language == "en")


def test_a_turn_that_a_killed_server_forgot_is_told_and_made_again(browser, tmp_path):
    """A friend is invited by one tap; the connection is lost while the pieces come to rest."""
    with serving(tmp_path) as mortal:
        browser.open(mortal.url)
        browser.click("[data-friend=tokyo-highway]")
        browser.sees("Waiting for Player 2", "[data-invitation]")
        drawn(browser)
        takes(browser)
        browser.js(
            "new MutationObserver(() => { if (document.body.innerText.includes('come to rest'))"
            " window.rests = true; }).observe(document.body, {childList: true, subtree: true,"
            " characterData: true});"
        )
        lets_fall(browser)
        until(lambda: browser.js("return window.rests"), "the pieces come to rest")
        mortal.kill()
        browser.sees("No connection", "#popup")
        mortal.start()
        browser.sees("Make this turn again", ".lost")
        assert plies_shown(browser) == 0
        forget(browser, mortal)


def test_the_last_build_is_taken_into_the_hand_again_and_adjusted(browser, server):
    built = next(
        entry
        for entry in shipped("three-players").entries
        if "build" in entry.do and not entry.do["build"].get("road")
    )
    path = shows(browser, server, middle("three-players", built.ply + 1))
    x, y = built.do["build"]["pillar"]
    opens(browser, "exact")
    browser.click("[data-adjust]")
    until(
        lambda: browser.js("return window.__bodies.ghosts.length") > 2, "the build is in the hand"
    )
    # no further from the base
    browser.find("input[data-x]").send_keys(Keys.CONTROL, "a", Keys.NULL, str(round(x - 1, 2)))
    browser.sees(f"({x - 1:.1f}, {y:.1f})", "[data-in-full]")
    browser.click("[data-place]")
    browser.sees("last build adjusted", ".moves")
    entry = record.read(path).entries[-1]
    assert (entry.by, list(entry.do)) == (built.by, ["adjust"])


def test_a_building_of_a_game_between_players_is_chosen_and_turned_by_buttons(browser, server):
    path = shows(browser, server, middle("three-players", 3))
    kinds = (
        "return [...document.querySelectorAll('[data-building]')].filter((e) => "
        "e.checkVisibility()).map((e) => e.dataset.building)"
    )
    shown = "return [...document.querySelectorAll('[data-piece]')].some((e) => e.checkVisibility())"
    until(lambda: browser.js(kinds) == ["block", "cylinder", "slab", "tower"], "all are offered")
    assert not browser.js(shown), "no pieces of a build"
    browser.click("[data-building=slab]")
    chosen = "return document.querySelector('[data-building][aria-checked=true]').dataset.building"
    until(lambda: browser.js(chosen) == "slab", "the slab is chosen")
    browser.click("[data-turned='15']")
    aims(browser, 113.0, -155.0)
    browser.click("[data-turned='15']")  # what stands there already is turned as well
    turned = "return window.__bodies.ghosts[0].rotation.z * 180 / Math.PI"
    until(lambda: round(browser.js(turned)) == 30, "it is turned")
    browser.click("[data-place]")
    (entry,) = until(lambda: record.read(path).entries[3:], "the ply is on the disk")
    do = entry.do["building"]
    assert (do["kind"], do["turn"]) == ("slab", 30)
    assert do["at"] == pytest.approx((113.0, -155.0), abs=3.0)
    until(lambda: browser.js(kinds) == ["block", "cylinder", "tower"], "it is there once")


def test_a_knock_in_an_ordinary_game_costs_its_penalty_and_everything_is_put_back(browser, server):
    """A clumsy hand brushes a disc of the other player."""
    given = shipped("brushed-disc")
    hands = {"hands": ("clumsy", "clumsy"), "seed": 2}
    path = shows(browser, server, middle("brushed-disc", 17, **hands))
    other = given.header.players[0]
    build = given.entries[17].do["build"]

    def places():
        script = (
            "return Object.fromEntries([...window.__bodies.meshes].map(([n, m]) => [n, "
            "m.position.toArray()]))"
        )
        return browser.js(script)

    stood = places()
    base = next(step.before for step in replay.trusted(given) if step.entry.ply == 17).pillar_by_id[
        build["from"]
    ]
    opens(browser, "exact")
    browser.choose("[data-controls] [data-base]", f"{base.id} ({base.discs})")
    browser.choose("[data-controls] [data-height]", str(build["discs"]))
    for name, value in zip("xy", build["pillar"], strict=True):
        field = browser.find(f"input[data-{name}]")
        field.clear()
        field.send_keys(str(value))
    browser.sees("({:.1f}, {:.1f})".format(*build["pillar"]), "[data-in-full]")
    closes(browser)
    striped = (
        "return [...window.__bodies.meshes.values()].filter((m) => m.material.name === "
        "'hatch').map((m) => m.name)"
    )
    # looked at by the page itself: a slow machine may show the film in so few pictures that a look
    # from here comes too late
    browser.js(
        f"setInterval(() => {{ const now = (() => {{ {striped} }})();"
        "if (now.length) window.fell ??= [now, document.querySelector('.moves').innerText]; }, 10)"
    )
    browser.click("[data-place]")
    fell, told = until(
        lambda: browser.js("return window.fell"),
        f"what fell is striped; it says {browser.text()[-300:]!r}",
        120,
    )
    assert f"pays {other}" not in told  # the page tells of it when the film is over
    browser.sees(
        f"{len(fell)} piece{'s fall' if len(fell) > 1 else ' falls'}, pays {other}", ".moves"
    )
    entry = record.read(path).entries[-1]
    assert entry.hand
    (paid,) = entry.got["paid"]
    assert paid["to"] == 0
    assert paid["grey"] > 0
    browser.sees(f"pays {other} {paid['grey']} grey disc", "[data-part=verdict]")
    until(lambda: f"(+{paid['grey']})" in content(browser, ".stock"), "the stock has grown")

    until(lambda: not browser.js("return window.__bodies.film"), "the film has ended")
    fallen = [piece for piece in entry.got["fallen"] if piece.startswith("A-")]
    assert fallen
    assert set(fell) == set(entry.got["fallen"])
    until(lambda: browser.js(striped) == [], "what fell is put back")
    put_back = places()
    for name in fallen:
        assert put_back[name] == pytest.approx(stood[name], abs=1.0)


STAND_INS = """
import time
from dataclasses import replace
import sim.game.close
from sim.game.attempts.hand import SKILLS
from sim.referee.verdict import Close

def slow(step):
    time.sleep(4)
    return Close(8, 3, ("A-R1",))

sim.game.close.close_call = slow
SKILLS["clumsy"] = replace(SKILLS["clumsy"], shift=30.0)
"""


@pytest.mark.parametrize(
    ("computer", "hand", "act", "told", "next_up"),
    [
        (None, "own", "Pick up", "It does not stand", "south"),
        ("greedy:hand=clumsy", None, "Place", "South: it does not stand", "Your turn"),
    ],
)
def test_after_a_fall_the_game_goes_on_and_the_close_call_is_told_later(
    browser, tmp_path, monkeypatch, computer, hand, act, told, next_up
):
    """The fall of somebody who places by hand, or that of the computer. The engine's equal tries
    are told by a stand-in, as nobody knows beforehand which falls are close calls; no hand is as
    clumsy as the computer's.
    """

    (tmp_path / "sitecustomize.py").write_text(STAND_INS, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with serving(tmp_path / "web") as server:
        setup = {"hands": (hand, hand), "computers": (None, computer), "seed": 4}
        shows(browser, server, middle("two-cars", 2, **setup))
        aims(browser, *shipped("two-cars").entries[2].do["build"]["pillar"])
        browser.sees(act, "[data-place]")
        browser.click("[data-place]")
        if computer is None:
            for number in (0, 1):
                until(
                    lambda number=number: (
                        browser.js("return window.__bodies.held?.number") == number
                        and not browser.js("return window.__bodies.flight")
                    ),
                    "it is in the hand",
                )
                browser.js("window.__bodies.held.u = [60, 60]")
                browser.find("body").send_keys(Keys.ENTER)
            browser.click("[data-let-be]")
        browser.sees(told, "[data-part=verdict]")
        browser.sees(next_up, "[data-said]")
        assert computer or "close call" not in browser.text()
        browser.sees("a close call: in 3 of 8 equal tries the road", "[data-part=verdict]")
        browser.find("[data-again]")
        browser.find(f"[data-part=clip][href$='/{plies_shown(browser) - 1}.gif']")
        forget(browser, server)


def test_a_broken_record_is_refused_with_its_line_and_a_whole_one_is_shown_as_text(
    browser, server, tmp_path
):

    data = asset("records", "boards", "thruway-opening.jsonl").read_bytes()
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(data.replace(b'"ply":2,', b'"ply":9,'))
    browser.open(server.url)

    def bring(path):
        until(
            lambda: browser.driver.find_elements(By.CSS_SELECTOR, "input[type=file]"),
            "the place for files",
        )[0].send_keys(str(path))

    bring(broken)
    browser.sees("broken.jsonl:4: ply 2", ".q-notification")
    given = record.loads(data)
    nasty = "<script>window.hurt = 1</script><img src=x onerror='window.hurt = 1'>"
    header = replace(given.header, players=(nasty, "b"), source=nasty, note=nasty)
    evil = replace(
        given, header=header, entries=tuple(replace(entry, note=nasty) for entry in given.entries)
    )
    path = tmp_path / "<b>evil.jsonl"
    path.write_bytes(record.dumps(evil))
    bring(path)
    until(lambda: "/replay/saved/" in browser.driver.current_url, "the record is shown")
    browser.sees(nasty, ".moves")
    browser.open(server.url)
    browser.sees(nasty)
    assert browser.js("return window.hurt ?? null") is None


def test_pictures_that_take_too_long_get_coarser_then_lose_their_shadows_however_seldom_one_is_due(
    browser, server
):
    browser.open(f"{server.url}/replay/shipped/two-cars?full=1")
    drawn(browser)
    eased = """
        const [gap, eases] = arguments, bodies = window.__bodies, look = bodies.renderer;
        look.setPixelRatio(2);
        bodies.eases = eases;
        const seen = [];
        for (let i = 0; i < 72; i++) {
            bodies.ease(gap, look, bodies.root);
            if (i % 24 === 23) seen.push([look.getPixelRatio(), look.shadowMap.enabled]);
        }
        return seen;
    """
    assert browser.js(eased, 16, True) == [[2, True]] * 3
    assert browser.js(eased, 80, False) == [[2, True]] * 3
    assert browser.js(eased, 80, True) == [[1, True], [1, False], [1, False]]

    looked = """
        const [takes, every] = arguments, bodies = window.__bodies, look = bodies.renderer, \
drawn = bodies.drawn;
        let scene = bodies.root, now = performance.now();
        while (scene.parent) scene = scene.parent;
        look.setSize(24, 16, false);
        look.setPixelRatio(2);
        bodies.eases = true; bodies.paced = [];
        performance.now = () => now;
        for (let i = 0; bodies.drawn < drawn + 26; i++) {
            bodies.stale = i % every === 0;
            const before = bodies.drawn;
            look.render(scene, bodies.camera);
            now += bodies.drawn > before ? takes : 16;
        }
        delete performance.now;
        return look.getPixelRatio();
    """
    assert browser.js(looked, 16, 6) == 2  # a change every tenth of a second
    assert browser.js(looked, 80, 6) == 1
    assert browser.js(looked, 80, 1) == 1


def test_a_ply_that_comes_out_otherwise_here_is_shown_beside_the_record(browser, server, tmp_path):
    given = replay.branch(shipped("two-cars"), 3)
    last = given.entries[-1]
    moved = dict(last.got["moved"])
    moved["A-R1"] = [moved["A-R1"][0] + 12.0, *moved["A-R1"][1:]]
    shifted = replace(last, got={**last.got, "moved": moved})
    path = tmp_path / "shifted.jsonl"
    path.write_bytes(record.dumps(replace(given, entries=(*given.entries[:-1], shifted))))
    browser.open(server.url)
    browser.driver.find_element("css selector", "input[type=file]").send_keys(str(path))
    until(lambda: "/replay/saved/" in browser.driver.current_url, "the record is shown")
    drawn(browser)
    where = "return window.__bodies.meshes.get('A-R1').position.x"
    recorded = browser.js(where)
    assert recorded == pytest.approx(moved["A-R1"][0], abs=0.1)
    assert not browser.js("return document.querySelector('[data-as-here]').checkVisibility()")
    browser.click("[data-verify]")
    browser.click("[data-as-here]")
    until(
        lambda: browser.js(where) == pytest.approx(recorded - 12.0, abs=0.5),
        "the road lies where it comes to rest here",
    )
    assert browser.js("return window.__bodies.ghosts.length") == 1
    browser.click("[data-as-here]")
    until(
        lambda: browser.js(where) == pytest.approx(recorded, abs=0.1),
        "the road lies where the record says",
    )
    assert browser.js("return window.__bodies.ghosts.length") == 0


def test_a_replay_obeys_the_keys_and_a_branch_of_it_is_a_room(browser, server):

    browser.open(f"{server.url}/replay/shipped/two-cars?plain=1")
    given = shipped("two-cars")
    browser.sees(", wins", "[data-status]")
    browser.sees("all cars are placed")
    browser.click("[data-branch]")
    browser.sees("The game is over here", ".q-notification")
    until(lambda: browser.js("return !!window.__bodies?.camera"), "the table is drawn")
    body = browser.find("body")
    size = "return window.__bodies.meshes.size"
    for keys, said, pieces in (
        (Keys.HOME, "The beginning", 0),
        (Keys.ARROW_RIGHT, "0. north: entrance", 3),  # disc, ramp and car
        (Keys.ARROW_RIGHT, "1. south: entrance", 6),
        (Keys.ARROW_LEFT, "0. north: entrance", 3),
        (Keys.HOME, "The beginning", 0),
        # faster than films are made
        (3 * Keys.ARROW_RIGHT, "2. north: no car", 9),
        (Keys.HOME, "The beginning", 0),
        (Keys.ARROW_RIGHT, "0. north: entrance", 3),
        (" ", "1. south: entrance", None),  # it plays on
    ):
        body.send_keys(keys)
        browser.sees(said, "[data-status]")
        until(lambda pieces=pieces: pieces in (None, browser.js(size)), f"{pieces} pieces")
    body.send_keys(Keys.END)
    browser.sees(given.header.players[given.entries[-1].by], "[data-status]")
    last = given.entries[-1].ply
    until(lambda: f"?ply={last}&plain=1" in browser.driver.current_url, "the address tells the ply")
    assert browser.text("[data-timeline]") == f"ply {last}"
    until(
        lambda: browser.js("return document.querySelector('.moves').scrollTop > 0"),
        "the log follows",
    )
    assert browser.js(
        "const b = window.__bodies; return b.extent(b.meshes.values()).every((c) => b.sees(c))"
    )
    body.send_keys(Keys.HOME, Keys.ARROW_RIGHT)
    browser.sees("0. north: entrance", "[data-status]")
    low = [
        ("move", *table_pixel(browser, 60, 60)),
        ("down",),
        ("move", 300, 20),
        ("move", 300, 10),
        ("up",),
    ]
    pointer(browser, *low)
    assert browser.js("return window.__bodies.camera.position.z") > 0
    browser.click("[data-branch]")
    browser.click("[data-begin]")
    until(lambda: "/room/" in browser.driver.current_url, "the branch opens as a room")
    browser.sees("Your turn", ".status")


def test_an_exported_page_plays_without_a_server(browser, tmp_path):

    given = replay.branch(shipped("two-cars"), 4)
    path = tmp_path / "game.html"
    path.write_bytes(share(given, "html"))
    assert path.stat().st_size < 1_400_000  # a whole game adds some 100 kB
    browser.open(f"file://{path}")
    until(lambda: browser.js("return !!window.__bodies?.camera"), "the table is drawn")
    assert browser.text("#n") == "4 / 4"  # it opens with something to see
    assert faults(browser) == []
    browser.find("body").send_keys(Keys.HOME)
    assert browser.text("#n") == "0 / 4"
    browser.find("body").send_keys(Keys.END)
    assert browser.js("return window.__bodies.meshes.size") > 8
    assert "south builds" in browser.text("#said")
    board = tmp_path / "board.html"
    board.write_bytes(
        share(record.read(asset("records", "boards", "thruway-opening.jsonl")), "html")
    )
    browser.open(f"file://{board}")
    browser.find("body").send_keys(Keys.END)
    assert browser.text("#n") == "8 / 8"
    assert browser.js("return document.querySelectorAll('#view .holds1').length") > 4


def test_on_a_phone_the_button_that_builds_is_under_the_thumb_and_enter_builds_after_a_question(
    browser, server
):

    given = shipped("two-cars")
    with on_a_phone(browser):
        shows(browser, server, middle("two-cars", 2))
        aims(browser, *given.entries[2].do["build"]["pillar"])
        # a place that is only pointed at, and not yet tapped, may be built upon as well, but nobody
        # can ask for its risk
        until(
            lambda: browser.js("return !document.querySelector('[data-risk]').disabled"),
            "the tap is taken",
        )
        standing(browser, given.header.players)
        top, bottom = browser.js(
            "const r = document.querySelector('[data-place]').getBoundingClientRect(); return "
            "[r.top, r.bottom]"
        )
        assert 500 < top < bottom <= 844
        browser.js("document.querySelector('[data-risk]').click()")
        until(lambda: "tries" in content(browser, "[data-more]"), "the risk is told")
        until(
            lambda: browser.js("return document.activeElement.matches('[data-place]')"),
            "the keyboard is at the button",
        )
        browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
        browser.sees(f"2. {given.header.players[0]}:", ".moves")


def test_the_room_of_a_table_its_result_and_its_dialogues_have_names_for_everything(
    browser, server
):
    """By day and by night, as axe sees them."""

    def fine(what):
        for dark in ("true", "false"):
            browser.js(f"Quasar.Dark.set({dark})")
            assert faults(browser) == [], (what, dark)

    shows(browser, server, middle("two-cars", 2, hands=("own", "helped")))
    aims(browser, *shipped("two-cars").entries[2].do["build"]["pillar"])
    fine("aiming")
    takes(browser)
    fine("in the hand")
    browser.js("shutokoHand.putBack()")
    for sheet in ("log", "exact"):
        opens(browser, sheet)
        fine(sheet)
    browser.click("[data-resign]")
    browser.find("[data-sure]")
    fine("the question")
    browser.click("[data-sure]")
    browser.find("[data-result] svg")
    fine("the result")
    browser.open(server.url)
    browser.click("[data-game=tokyo-highway]")
    browser.find("[data-begin]")
    fine("a new game")


def test_a_problem_is_solved_by_a_click_and_stays_solved_on_this_device(browser, server):
    problem = next(one for one in problems("meridians") if one.goal == "win")
    browser.open(f"{server.url}/problems/{problem.id}")
    point(browser, problem.answers[0])
    until(
        lambda: browser.js("return !!document.querySelector('.sentence.judged.good')"),
        "it is right",
    )
    browser.open(f"{server.url}/problems")
    browser.sees(f"Solved: 1 of {len(problems('meridians'))}")


def test_every_page_fits_a_phone_is_dark_when_asked_and_has_names_for_everything(browser, server):
    room = made_room(server, Setup("meridians", ("Ann", "Bo"), (None, None), {"size": 5}), browser)
    with of_size(browser, 360, 740):
        browser.open(f"{server.url}/choose?theme=dark&then=/")
        for path in (
            "/",
            room.removeprefix(server.url),
            "/replay/shipped/boards-thruway-opening",
            "/replay/shipped/two-cars?plain=1",
            "/problems",
            "/problems/thruway-1",
        ):
            browser.open(server.url + path)
            browser.find("main")
            until(
                lambda: browser.js("return document.body.classList.contains('body--dark')"),
                "the page is dark",
            )
            assert browser.js("return document.scrollingElement.scrollWidth") <= 360, path
            assert faults(browser) == [], path
            browser.js("Quasar.Dark.set(false)")
            assert faults(browser) == [], path
        browser.open(f"{server.url}/choose?theme=auto&then=/")
