"""The arena: who sits where, the same games on any number of workers, a folder that is gone on
with, and the two commands.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from rules import arena
from rules.arena import Tournament, lineups, rotations, schedule
from rules.arena.players import Code, player
from rules.errors import IllegalMoveError, InputError, NotationError, RecordError
from rules.record import Header, dumps, read
from rules.record.verify import verify
from shutoko.cli import main
from tests.rules.test_game import nim

OWN = """
class Low:
    name = "low"
    def __init__(self, game): pass
    def choose(self, state, rng): return state.legal_moves()[0]

class Any(Low):
    def choose(self, state, rng): return str(rng.choice(state.legal_moves()))
"""
CODE = Code("own.py", OWN)
HIGHWAY = Tournament("tokyo-highway", ("greedy", "random"), 3, {"engine": "none"}, max_plies=8)


def nim_game(*specs: str, heap: int = 9, seed: int = 1, most: int | None = None):
    made = nim(heap)
    return arena.play_game(
        made, [player(s, made, CODE) for s in specs], Header("nim", specs, seed=seed), most
    )


# --- who plays whom -------------------------------------------------------------------------------


def test_everybody_meets_everybody_and_sits_everywhere():
    assert lineups(("a", "b"), 2) == (("a", "b"),)
    assert lineups(("a", "b", "c"), 2) == (("a", "b"), ("a", "c"), ("b", "c"))
    assert lineups(("a",), 2) == lineups(("a", "a"), 2) == (("a", "a"),)
    assert lineups(("a", "b"), 3) == (("a", "a", "b"), ("a", "b", "b"))
    assert lineups(("a", "b"), 4) == (("a", "a", "b", "b"),)
    assert rotations(("a", "b", "c")) == (("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b"))
    assert rotations(("a", "a")) == (("a", "a"),)


def test_a_round_has_one_seed_and_a_tournament_is_cut_off_anywhere():
    found = schedule(HIGHWAY, 2, 5)
    assert [match.lineup for match in found] == [("greedy", "random"), ("random", "greedy")] * 2 + [
        ("greedy", "random")
    ]
    assert [match.round for match in found] == [0, 0, 1, 1, 2]
    assert found[0].seed == found[1].seed != found[2].seed
    assert found[:3] == schedule(HIGHWAY, 2, 3)
    assert all(0 <= match.seed < 2**53 for match in found)
    with pytest.raises(InputError, match="at least one game"):
        schedule(HIGHWAY, 2, 0)


# --- playing --------------------------------------------------------------------------------------


def test_the_seed_alone_decides():
    assert dumps(nim_game("Any", "Any")) == dumps(nim_game("Any", "Any"))
    assert (
        len(
            {
                dumps(nim_game("Any", "Any", heap=40, seed=seed)).partition(b"\n")[2]
                for seed in range(5)
            }
        )
        > 1
    )


def test_a_game_is_stopped_at_its_cap():
    record = nim_game("Low", "Low", most=3)
    assert (record.end.reason, record.end.ranks, len(record.entries)) == ("ply-cap", ((0, 1),), 3)


@pytest.mark.parametrize(
    "error",
    [
        IllegalMoveError("a", "b", "c"),
        NotationError("a", "b", "c"),
        RecordError("why", "f", 1, 2),
        InputError("x"),
    ],
)
def test_errors_come_back_from_a_worker_as_they_were(error):
    back = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert (type(back), str(back), vars(back)) == (type(error), str(error), vars(error))


@pytest.mark.slow
def test_one_and_two_workers_play_the_same_games():
    matches = schedule(HIGHWAY, 2, 4)
    alone = {match.number: dumps(record) for match, record in arena.play(HIGHWAY, matches)}
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        together = {
            match.number: dumps(record) for match, record in arena.play(HIGHWAY, matches, executor)
        }
    assert alone == together


# --- the command ----------------------------------------------------------------------------------


GIVEN = ("--players", "greedy,random", "--engine", "none", "--seed", "3", "--max-plies", "8")


def simulate(folder: Path, *args: str, games: int = 4) -> int:
    return main(
        ["simulate", "tokyo-highway", *GIVEN, "--games", str(games), "--out", str(folder), *args]
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Four games."""
    made = tmp_path_factory.mktemp("arena") / "games"
    assert simulate(made) == 0
    return made


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_a_folder_holds_a_record_a_game_and_what_was_played(folder):
    assert list(contents(folder)) == [*(f"game-{n:05d}.jsonl" for n in range(4)), "tournament.json"]
    for path in folder.glob("*.jsonl"):
        record = read(path)
        assert verify(record, "rules").ok
        assert set(record.header.players) == {"greedy", "random"}
        assert record.header.seed is not None
    assert json.loads((folder / "tournament.json").read_text())["players"] == ["greedy", "random"]


@pytest.mark.slow
def test_an_interrupted_tournament_resumes_and_plays_nothing_twice(folder, tmp_path, capsys):
    half = tmp_path / "half"
    half.mkdir()
    for name in ("tournament.json", "game-00001.jsonl"):
        (half / name).write_bytes((folder / name).read_bytes())
    (half / ".game-00003.jsonl.0a1b2c3d.shutoko-scratch").write_bytes(b"{")  # what a kill left
    cut = (folder / "game-00002.jsonl").read_bytes()
    # a game without its end is played again
    (half / "game-00002.jsonl").write_bytes(cut[: cut.rindex(b'{"end"')])
    assert simulate(half, "--json", "--workers", "2") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["game"]: line["played"] for line in lines} == {0: True, 1: False, 2: True, 3: True}
    assert contents(half) == contents(folder)


def test_another_tournament_is_refused_its_folder(folder, tmp_path, capsys):
    assert simulate(folder, "--seed", "4") == 2
    assert "holds another tournament (seed 3)" in capsys.readouterr().err
    (tmp_path / "a.jsonl").write_text("{}\n")
    assert simulate(tmp_path) == 2
    assert "records but no tournament.json" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")
def test_a_pipe_that_nobody_writes_holds_up_neither_players_nor_a_tournament(tmp_path, capsys):
    os.mkfifo(tmp_path / "mine.py")
    out = tmp_path / "games"
    args = ["simulate", "meridians", "--players", "random", "--games", "2", "--out", str(out)]
    assert main([*args, "--code", str(tmp_path / "mine.py")]) == 2
    assert (
        "mine.py: the file with players cannot be read: not a regular file"
        in capsys.readouterr().err
    )
    out.mkdir(exist_ok=True)
    os.mkfifo(out / "tournament.json")
    assert main(args) == 2
    assert (
        "tournament.json: cannot be read ([Errno 22] not a regular file" in capsys.readouterr().err
    )


MINE = """from sim.bots.players import Random

def mine(game): return Random()

def bad(game): return Bad()

class Bad:
    name = "bad"
    def choose(self, state, rng): return state.parse("pass")
"""


@pytest.mark.parametrize(
    ("name", "code", "told"),
    [("mine", 0, ""), ("bad", 1, "game 0: "), ("bad", 1, "(ply 0, played by bad)")],
)
def test_players_of_ones_own_play_from_a_file(tmp_path, capsys, name, code, told):
    (tmp_path / "own.py").write_text(MINE)
    given = ["--code", str(tmp_path / "own.py"), "--players", name, "--option", "redo=1"]
    assert simulate(tmp_path / "out", *given, games=1) == code
    assert told in capsys.readouterr().err
    if code == 0:
        header = read(tmp_path / "out" / "game-00000.jsonl").header
        assert (header.players, header.options) == (("mine", "mine"), {"redo": 1})


@pytest.mark.slow
def test_a_decided_tournament_stops_and_leaves_the_same_games_on_any_number_of_workers(
    tmp_path, capsys
):
    code = tmp_path / "own.py"
    code.write_text(
        "class Quits:\n    name = 'quits'\n    def __init__(self, game): pass\n    def "
        "choose(self, state, rng):\n"
        "        return state.parse('resign')\n\n"
        "class Stays(Quits):\n    def choose(self, state, rng): return "
        "state.table.default_entrance(state.to_move)\n"
    )
    given = [
        "--players",
        "Stays,Quits",
        "--engine",
        "none",
        "--games",
        "90",
        "--code",
        str(code),
        "--until-decided",
    ]
    for workers in ("1", "2"):
        out = str(tmp_path / workers)
        assert main(["simulate", "tokyo-highway", *given, "--workers", workers, "--out", out]) == 0
        assert "Stays is better" in capsys.readouterr().out
    one, two = contents(tmp_path / "1"), contents(tmp_path / "2")
    assert one == two
    assert 8 < len(one) < 40


def test_rate_tells_ratings_tests_and_balance(folder, capsys):
    assert main(["rate", str(folder)]) == 0
    out = capsys.readouterr().out
    for part in (
        "4 games",
        "player",
        "Elo",
        "greedy against random:",
        "first places by seat: 0:",
        "plies: median",
        "penalties:",
    ):
        assert part in out
    assert main(["rate", str(folder), "--json", "--alpha", "0.2"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["games"], {one["player"] for one in data["ratings"]}) == (4, {"greedy", "random"})
    assert data["duels"][0]["rounds"] == 2


@pytest.mark.parametrize("case", ["missing", "empty", "unfinished"])
def test_rate_refuses_a_folder_without_games(case, folder, tmp_path, capsys):
    path = tmp_path / case
    if case != "missing":
        path.mkdir()
    if case == "unfinished":
        first = (folder / "game-00000.jsonl").read_bytes()
        (path / "a.jsonl").write_bytes(first[: first.rindex(b'{"end"')])
    assert main(["rate", str(path)]) == 2
    assert str(path) in capsys.readouterr().err
