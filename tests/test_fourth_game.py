"""A game that another distribution brings: found, played, shown, exported and verified without a
word of it in the project.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from datetime import date, timedelta
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import rules
from rules import defaults
from rules.arena import Tournament, play, schedule
from rules.arena.players import LEVELS, advisers, known_players, levelled, player
from rules.checks import check_game
from rules.errors import (
    IllegalMoveError,
    InputError,
    NotationError,
    RecordError,
    UnavailableError,
)
from rules.grid import Batch
from rules.grid.search.forced import Forced
from rules.moments import has_reviewer, looks, moments, reviewer
from rules.record import dumps, loads, schema, write
from rules.record.verify import verify
from rules.view import BoardView
from shutoko.export.share import share
from shutoko.web.work.jobs import named, posed
from shutoko.web.work.players import (
    advised,
    adviser,
    goes_by_the_clock,
    levels,
    question,
    quick_adviser,
)
from sim import problems
from tests.boards import followed
from tests.browser import Browser, serving, until
from tests.fourth_game.installing import HERE, install

PAGE = Path(__file__).resolve().parents[1] / "docs" / "adding-a-game.md"
WON = ("a2", "a1", "b2", "b1", "c1")
"""Light joins left and right on a board of three: b2 and c1 touch."""


CLICK = (
    "document.querySelector(`[data-move='${arguments[0]}'] > circle`).dispatchEvent(new "
    "MouseEvent('click', {bubbles: true}))"
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
    _forget()
    yield
    _forget()


def _forget():
    schema._registered.cache_clear()
    problems.problems.cache_clear()


@pytest.fixture
def record():
    """A game of two players that the arena played."""
    tournament = Tournament("hex", ("random", "random"), seed=3, options={"size": 4})
    ((_, played),) = play(tournament, schedule(tournament, 2, 1))
    return played


# --- the game itself ------------------------------------------------------------------------------


def position(*moves, size=3):
    state = rules.game("hex", size=size).start()
    for move in moves:
        state = state.after(move)
    return state


def test_it_is_found_by_name_beside_the_games_that_are_shipped():
    assert {"hex", "tokyo-highway"} <= {*rules.known_games()}
    assert (rules.game("hex").options, rules.game("hex", size=4).options) == ({}, {"size": 4})
    with pytest.raises(InputError, match=r"hex: .*options: size"):
        rules.game("hex", pie=True)


def test_it_keeps_what_every_game_promises():
    check_game(rules.game("hex", size=4), np.random.default_rng(1))


@pytest.mark.parametrize(
    ("moves", "winners"),
    [
        (WON[:-1], None),
        (WON, (0,)),
        (("a1", "c1", "b1", "c2", "b2", "a3"), None),
        (("a1", "c1", "a2", "c2", "b1", "b3"), (1,)),
        (("a1", "resign"), (0,)),
    ],
)
def test_the_first_path_between_the_own_two_sides_wins(moves, winners):
    outcome = position(*moves).outcome()
    assert (outcome and outcome.winners) == winners


@pytest.mark.parametrize(
    ("moves", "move", "why"),
    [
        ((), "d4", "a1 to c3"),
        (("a1",), "a1", "a1 is taken"),
        (WON, "c3", "the game is over"),
    ],
)
def test_moves_that_cannot_be_are_refused_with_the_reason(moves, move, why):
    with pytest.raises((NotationError, IllegalMoveError), match=why):
        position(*moves).parse(move)


def test_it_tells_what_it_is_and_what_can_be_chosen():
    made = rules.game("hex")
    assert (defaults.guide(made).title, defaults.guide(made).told("fr").sides) == (
        "Hex",
        ("clair", "foncé"),
    )
    assert [(setting.name, setting.usual) for setting in defaults.settings(made)] == [("size", 7)]


def test_its_view_is_a_rhombus_in_which_neighbours_are_joined_by_lines_of_one_cell_width():
    made = rules.game("hex", size=3)
    seen = defaults.view(made, position("b2"), last="b2")
    assert isinstance(seen, BoardView)
    at = {cell.name: complex(cell.x, cell.y) for cell in seen.cells}
    assert [abs(at[one] - at[other]) for one, other in seen.lines] == pytest.approx([1.0] * 16)
    assert ([cell.name for cell in seen.cells if cell.holds == 0], seen.last) == (["b2"], ("b2",))
    offers = {offer.move: offer.holds for offer in defaults.offers(made, position("b2"))}
    assert offers["c1"] == {"c1": 1}


# --- what the project does with it ----------------------------------------------------------------


def test_its_player_plays_in_the_arena_and_its_records_verify_unless_they_are_false(record):
    assert (known_players("hex"), record.end.reason) == (("path", "random"), "joined")
    assert loads(dumps(record)) == record
    assert verify(record).ok
    digest = record.entries[-1].got["digest"].encode()
    false = loads(dumps(record).replace(digest, b"0123456789abcdef"))
    assert [mismatch.what for mismatch in verify(false).mismatches] == ["digest"]


def test_its_games_are_exported_as_drawing_picture_animation_and_page(record):
    drawing = share(record, "svg").decode()
    assert drawing.count('class="holds1"') + drawing.count('class="holds2"') > len(record.entries)
    assert Image.open(BytesIO(share(record, "png"))).size[0] > 200
    assert Image.open(BytesIO(share(record, "gif"))).n_frames == record.next_ply + 1
    data = json.loads(
        re.search(r'type="application/json">(.*?)</script>', share(record, "html").decode())[1]
    )
    assert len(data["pictures"]) == len(data["leaves"]) + 1 == record.next_ply + 1
    assert data["leaves"][0][0] == f"0. random: {record.entries[0].do}"
    with pytest.raises(InputError, match="hex has png, svg, gif, mp4 and html"):
        share(record, "glb")


def test_a_record_keeps_what_the_game_tells_of_a_move_and_verify_holds_it_against_the_moves(record):
    entry = next(one for one in record.entries if one.got["touches"] == 1)
    wrong = replace(entry, got={**entry.got, "touches": 5})
    entries = tuple(wrong if one is entry else one for one in record.entries)
    (found,) = verify(replace(record, entries=entries)).mismatches
    told = (found.ply, found.what, found.expected, found.found)
    assert told == (entry.ply, "touches", 5, 1)
    for old, new, why in (
        (b'"touches":1', b'"touches":"one"', "touches must be"),
        (b'"joined"', b'"connected-sides"', r"reason.*joined"),
    ):
        with pytest.raises(RecordError, match=why):
            loads(dumps(record).replace(old, new, 1))


def test_its_player_gives_advice_plays_at_levels_and_judges_games(record):
    made = rules.game("hex", size=4)
    assert (advisers(made), levelled("hex")) == (("path",), "path")
    assert player("path:level=easy", made).name == "path:level=easy"
    (look,) = looks(made, position("a1", "c3", size=4), 0.5)
    assert look.lines[0].advice.why.startswith("then")
    assert 0.0 < look.lines[0].advice.chance < 1.0
    tournament = Tournament("hex", ("path", "random"), seed=3, options={"size": 4})
    games = [played for _, played in play(tournament, schedule(tournament, 2, 4))]
    won = [game.header.players[game.end.ranks[0][0]] for game in games]
    assert won == ["path"] * 4
    (lost,) = moments(reviewer(made), [*rules.replay(record)], 0, most=1)
    assert record.header.players[lost.by] == "random"
    assert lost.had > lost.kept


def test_a_forced_win_is_proved_move_by_move():
    forced = Forced(rules.game("hex", size=3))
    at = position("b2", "a1")
    assert forced.wins(at, 1) == []
    assert forced.wins(at, 3) != []
    assert all(forced.holds(at.after(move), 2, 0) for move in forced.wins(at, 3))


def test_pages_offer_its_levels_its_advice_and_its_judge():
    made = rules.game("hex", size=4)
    assert ([*levels("hex")], levels("hex")["easy"]) == ([*LEVELS], "path:level=easy")
    assert (adviser(made), quick_adviser(made), goes_by_the_clock(made)) == ("path", None, False)
    found = advised("path", question(made, position("a1", "c3", size=4)), (1,), 3)
    assert len(found) == 3
    assert all(0.0 < one.chance < 1.0 and one.why.startswith("then") for one in found)
    assert has_reviewer(made)


def test_its_problems_are_posed_and_judged_by_trying_every_move(site):
    assert "hex" in problems.games()
    for problem in problems.problems("hex"):
        made, _, state = problem.begin()
        forced = Forced(made)
        assert (forced.wins(state, 1), len(state.legal_moves())) == ([], problem.places)
        assert tuple(map(str, forced.wins(state, 3))) == problem.answers
        assert problems.judge(problem, problem.answers[0]).right
        wrong = next(move for move in state.legal_moves() if move not in problem.answers)
        told = problems.judge(problem, wrong)
        assert not told.right
        assert told.reply
        assert (named(problem.id), str(posed(problem).state)) == (problem, str(state))
    days = (date(2026, 1, 1) + timedelta(days=n) for n in range(8))
    assert "hex" in {problems.of_the_day(day).game for day in days}


def test_a_package_whose_problems_cannot_be_read_takes_no_other_games_problems(
    tmp_path, monkeypatch
):
    info = tmp_path / "odd-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[shutoko.problems]\nodd = rules.near:meant\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert "odd" not in problems.games()
    assert "hex" in problems.games()
    with pytest.raises(UnavailableError, match="problems of 'odd' are installed but cannot be"):
        problems.problems("odd")


# --- environments ---------------------------------------------------------------------------------


def test_a_batch_plays_it_as_the_game_does():
    made = rules.game("hex", size=3)
    batch = Batch(made, 4, seed=1)
    assert (batch.actions, batch.shape, batch.masks().sum()) == (10, (4, 3, 3), 36)
    assert followed(batch, 40) > 4
    with pytest.raises(IllegalMoveError, match="not legal here"):
        Batch(made, 1).step([9])


def test_its_environments_are_made_under_its_own_name(commands):
    pytest.importorskip("pettingzoo")
    code = """
import gymnasium, numpy as np, pickle, warnings
from pettingzoo.test import api_test
import shutoko.envs
from shutoko.envs import hex_v0, meridians_v0
warnings.simplefilter("ignore")
assert pickle.loads(pickle.dumps(hex_v0.env)) is hex_v0.env
api_test(hex_v0.env(size=3), num_cycles=40)
env = gymnasium.make("shutoko/Hex-v0", opponent="path:level=first", seat=0, size=3)
seen, info = env.reset(seed=1)
over = False
while not over:
    seen, reward, over, cut, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
assert reward in (-1.0, 1.0)
many = gymnasium.make_vec("shutoko/HexSelfPlay-v0", num_envs=3, size=3)
many.reset(seed=0)
many.step(many.unwrapped.batch.sample())
assert shutoko.envs.GYMNASIUM_IDS["tokyo-highway"] == "shutoko/TokyoHighway-v0"
assert "hex" in shutoko.envs.BOARDS and "tokyo-highway" not in shutoko.envs.BOARDS
print("environments: fine")
"""
    done = commands.python(code)
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["environments: fine"]), (
        done.stderr
    )


# --- commands -------------------------------------------------------------------------------------


@pytest.fixture
def commands(shutoko, site):
    """Runs a command with the game installed."""
    path = os.pathsep.join((str(site), str(HERE.parents[1])))

    def run(*args, typed=None):
        return shutoko(*args, typed=typed, PYTHONPATH=path)

    def python(code):
        environment = {**os.environ, "PYTHONPATH": path}
        command = [sys.executable, "-c", code]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    run.python = python
    return run


def test_it_is_played_at_the_terminal_and_its_record_is_true(commands, tmp_path):
    done = commands(
        "play",
        "hex",
        "--size",
        "3",
        "--players",
        "you,you",
        "--out",
        "a.jsonl",
        typed="\n".join(WON) + "\n",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "the game is over (joined)" in done.stdout
    assert "light" in done.stdout
    assert verify(rules.record.read(tmp_path / "a.jsonl")).ok


@pytest.mark.slow
def test_every_command_for_games_on_boards_takes_it(commands, record, tmp_path):
    write(record, tmp_path / "a.jsonl")
    for args, said in (
        (
            (
                "simulate",
                "hex",
                "--players",
                "random",
                "--games",
                "2",
                "--option",
                "size=4",
                "--out",
                "games",
            ),
            "random",
        ),
        (("verify", "a.jsonl"), "a.jsonl"),
        (("replay", "a.jsonl", "--svg", "a.svg"), "end: joined"),
        (("export", "a.jsonl", "a.html"), "a.html"),
        (("export", "a.jsonl", "a.hex"), "wrote a.hex"),
        (("import", "a.hex", "b.jsonl"), "from hexline"),
        (("verify", "b.jsonl"), "agrees"),
        (("analyse", "a.jsonl", "--ply", "3", "--seconds", "0.1"), "then"),
        (("perft", "hex", "--size", "3", "--depth", "2"), "72"),
        (("table", "games", "--to", "games.csv"), "games-plies.csv"),
        (("plot", "length", "games", "--to", "plot.svg"), "plot.svg"),
        (("plot", "balance", "games", "--to", "balance.svg"), "balance.svg"),
        (("analyse", "a.jsonl"), "better"),
    ):
        done = commands(*args)
        assert (done.returncode, said in done.stdout + done.stderr) == (0, True), (
            args,
            done.stdout,
            done.stderr,
        )


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
                until(
                    lambda n=ply: (
                        browser.js("return document.querySelectorAll('.moves .ply').length")
                        == n + 1
                    ),
                    move,
                )
            browser.sees("wins")
            assert browser.errors() == []
    finally:
        browser.driver.quit()


# --- docs/adding-a-game.md ------------------------------------------------------------------------


def shown(language):
    text = PAGE.read_text(encoding="utf-8")
    return [
        match[1]
        for match in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    ]


def test_the_page_shows_the_game_as_it_is_step_by_step():
    *module, check = (block.strip() for block in shown("python"))
    assert re.sub(r"\n{2,}", "\n\n", "\n\n".join(module) + "\n") == re.sub(
        r"\n{2,}", "\n\n", (HERE / "hex_game.py").read_text()
    )
    assert shown("toml") == [(HERE / "pyproject.toml").read_text()]
    assert "check_game" in check
