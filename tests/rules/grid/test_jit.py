"""How kernels are compiled: what is linked into what, what the cache keeps, and plain numba where
its internals are unknown.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from rules.errors import InputError
from rules.grid.kernels import jit, thruway
from rules.grid.meridians import Meridians
from rules.grid.search import players
from rules.grid.search.adapters import searched

TOY = """
import json
from typing import NamedTuple
import numpy as np
from rules.grid.kernels import dispatch
from rules.grid.kernels.jit import LINKS, njit_entry, njit_inline, njit_linked

class Tables(NamedTuple):
    size: int

@njit_inline
def twice(number):
    return 2 * number

@njit_linked(optimised=True)
def third(tables, info):
    return info[twice(1)]

@njit_linked
def add(one, other):
    return one + other

dispatch.register(Tables, side=third, legal=third, play=third, pick=third, same=third)

@njit_entry
def count(depth):
    return 1 if depth <= 0 else twice(count(depth - 1))

@njit_entry
def entry(tables, info, small):
    total = add(0, 1) + add(info[0], 2) + add(small[0], np.int32(3)) + count(4)
    return total + dispatch.side(tables, info)

found = entry(Tables(3), np.array([10, 20, 30]), np.array([7], np.uint16))
hits = sum(entry.stats.cache_hits.values()) if LINKS else 0
print(json.dumps([int(found), LINKS, len(add.signatures), hits]))
"""

ALL = """
import json, sys
from numba.core import event

class Compiled(event.Listener):
    def __init__(self):
        self.names = []
    def on_start(self, one):
        self.names.append(str(one.data["dispatcher"]))
    def on_end(self, one):
        pass

compiled = Compiled()
event.register("numba:compile", compiled)
import numpy as np
from rules.game import game
from rules.arena.players import player
for name in ("meridians", "thruway"):
    made = game(name)
    state = made.start().after(made.start().legal_moves()[0])
    for spec in ("best:level=medium", "best:seconds=0.01", "greedy", "mcts:simulations=2"):
        asked = player(spec, made)
        state = state.after(asked.choose(state, np.random.default_rng(0)))
        asked.analyse(state, np.random.default_rng(0))
    str(state), state.legal_moves(), state.perft(1)
print(json.dumps(compiled.names))
"""


def run(code: str, folder: Path, checkout: Path, **environment: str) -> object:
    (folder / "toy.py").write_text(code, encoding="utf-8")
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(folder), str(checkout), *filter(None, sys.path)]),
        **environment,
    }
    # imported, not run: the cache looks for the classes of a module by its name
    done = subprocess.run(
        [sys.executable, "-c", "import toy"], env=env, check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout)


@pytest.mark.slow
def test_linked_code_computes_what_plain_numba_computes(tmp_path, checkout):
    found = (0 + 1) + (10 + 2) + (7 + 3) + 2**4 + 30
    assert run(TOY, tmp_path, checkout, NUMBA_CACHE_DIR=str(tmp_path)) == [found, True, 1, 0]
    plain, links, specialisations, _ = run(TOY, tmp_path, checkout, SHUTOKO_JIT="plain")
    assert (plain, links) == (found, False)
    assert specialisations > 1, (
        "plain numba compiles a function once more for each literal: the comparison would say "
        "nothing"
    )


@pytest.mark.slow
def test_an_entry_is_compiled_once_and_then_read_from_the_disk(tmp_path, checkout):
    hits = [run(TOY, tmp_path, checkout, NUMBA_CACHE_DIR=str(tmp_path))[3] for _ in range(2)]
    assert hits == [0, 1]


def test_an_unknown_version_of_numba_gets_plain_numba(tmp_path, checkout):
    jit_of = "from rules.grid.kernels.jit import LINKS; print('true' if LINKS else 'false')"
    code = f"import numba; numba.__version__ = '0.1.2'\n{jit_of}"
    assert run(code, tmp_path, checkout) is False


def test_the_version_that_is_installed_is_one_that_was_tested():
    assert jit.LINKS


def test_a_linked_function_says_that_python_cannot_call_it():
    with pytest.raises(TypeError, match="is_connected is for compiled code only"):
        thruway.is_connected()


@pytest.mark.slow
def test_nothing_is_compiled_again_once_the_cache_is_warm(tmp_path, checkout):
    for name in searched():
        players.compile_ahead(name)
    assert run(ALL, tmp_path, checkout) == []


# --- named tuples, passed by their address --------------------------------------------------------


class Mixed(NamedTuple):
    """Fields of every width and kind."""

    flag: Any
    small: Any
    share: Any
    numbers: Any
    grid: Any


@jit.njit_linked
def raised(m: Any, k: int) -> float:
    m.numbers[k] += m.share
    return float(m.grid[k, 1] + m.small) if m.flag else -1.0


@jit.njit_linked
def twice_raised(m: Any, k: int) -> float:
    first = raised(m, k)
    m.grid[k, 1] += 10  # the second call sees it, though the tuple is the same
    return first + raised(m, k)


@jit.njit_entry
def both(m: Any, k: int) -> float:
    other = Mixed(not m.flag, m.small, m.share * 2, m.numbers, m.grid)
    return twice_raised(m, k) + 1000 * raised(other, k)


@pytest.mark.parametrize("flag", [True, False])
def test_a_tuple_by_its_address_is_the_tuple(flag):
    def made() -> Mixed:
        grid = np.arange(6).reshape(3, 2)
        return Mixed(flag, np.int8(-3), 0.25, np.array([1.5, 2.5, 3.5]), grid)

    mine, held, k = made(), made().grid[2, 1], 2
    calls = (held - 3) + (held + 7) - 1000 if flag else 1000 * (held + 7) - 2
    assert (both(mine, k), mine.numbers.tolist()) == (calls, [1.5, 2.5, 3.5 + 4 * 0.25])
    assert mine.grid[k, 1] == held + 10
    if jit.LINKS:
        assert all(isinstance(one[0], jit.Lent) for one in raised.signatures)


# --- the cache ------------------------------------------------------------------------------------

KEY = (("int64", "float64"), "machine", "code")


def test_code_is_kept_under_its_whole_key_and_a_broken_file_or_one_of_another_key_is_not_taken(
    tmp_path,
):
    files, other = jit._Files(str(tmp_path), "thruway.play"), (("int64",), "machine", "code")
    files.save(KEY, "machine code")
    assert files.load(KEY) == "machine code"
    assert files.load(other) is None
    assert files.load((KEY[0], "another machine", "code")) is None
    (path,) = tmp_path.iterdir()
    path.rename(files._path(other))
    assert files.load(other) is None
    files._path(KEY).write_bytes(b"half of a fi")
    assert files.load(KEY) is None


def test_other_sources_or_another_numba_find_nothing_and_replace_what_was_there(
    tmp_path, monkeypatch
):
    jit._Files(str(tmp_path), "thruway.play").save(KEY, "old")
    jit._Files(str(tmp_path), "thruway.playing").save(KEY, "another function's")
    for change in ((jit, "digest", lambda: "other sources"), (jit.nb, "__version__", "0.68.99")):
        monkeypatch.setattr(*change)
        files = jit._Files(str(tmp_path), "thruway.play")
        assert files.load(KEY) is None
        files.save(KEY, "new")
        assert (files.load(KEY), len(list(tmp_path.glob("thruway.play.*")))) == ("new", 1)
    assert len(list(tmp_path.glob("thruway.playing.*"))) == 1


def test_the_sources_that_count_are_all_kernels_and_searches(checkout, monkeypatch, tmp_path):
    folders = ("kernels", "kernels/inner", "search")
    for folder in folders:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.py").write_text("1")
    monkeypatch.setattr(jit, "_COMPILED", (tmp_path / "kernels", tmp_path / "search"))
    found = {jit.digest.__wrapped__()}
    for folder in folders:
        (tmp_path / folder / "a.py").write_text("2")
        found.add(jit.digest.__wrapped__())
    assert len(found) == 1 + len(folders)


def test_code_of_another_package_counts_the_folders_of_all_that_it_calls(tmp_path, monkeypatch):
    texts = {
        "called_kernel": "from rules.grid.kernels.jit import njit_linked\n\n"
        "@njit_linked\ndef one():\n    return 1\n",
        "calling_kernel": "from called_kernel import one\n\ndef two():\n    return one() + 1\n",
    }
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path / name)
    two = import_module("calling_kernel").two
    before = jit._sources(two)
    (tmp_path / "called_kernel" / "called_kernel.py").write_text("# another one")
    assert jit._sources(two) != before


# --- ahead and beside -----------------------------------------------------------------------------


@pytest.fixture
def idle(monkeypatch):
    """No process runs, and starting one is noted."""
    started = []
    monkeypatch.setattr(players, "_RUNNING", {})
    monkeypatch.setattr(
        players.subprocess,
        "Popen",
        lambda command, **_: started.append(command[-1]) or Process(),
    )
    return started


class Process:
    returncode = None

    def poll(self) -> None:
        return self.returncode


@pytest.mark.parametrize("is_warm", [False, True])
def test_a_cold_machine_compiles_beside_the_game_and_says_so(idle, is_warm, monkeypatch, capsys):
    monkeypatch.setattr(jit, "is_marked", lambda *_: is_warm)
    for size in (4, 5):
        players.start_compiling(Meridians(size))
    said = (
        "shutoko: compiling the search of meridians for this machine beside the game, about 15 s, "
        "once ...\n"
    )
    assert (idle, capsys.readouterr().err) == (([], "") if is_warm else (["meridians"], said))


def test_a_player_made_meanwhile_waits_with_its_first_move_and_not_before(idle, monkeypatch):
    monkeypatch.setattr(jit, "is_marked", lambda *_: False)
    game = Meridians(4)
    players.start_compiling(game)
    waited = []
    monkeypatch.setattr(players, "wait_for", lambda *what: waited.append(what))
    made = players.greedy(game)
    assert waited == []
    for _ in range(2):
        made.choose(game.start(), np.random.default_rng(0))
    assert waited == [("meridians", "alphabeta")]


def test_waiting_ends_when_the_stage_is_there_or_the_process_has_gone(idle, monkeypatch):
    marks = set()
    monkeypatch.setattr(jit, "is_marked", lambda *what: what in marks)
    players.start_compiling(Meridians(4))
    marks.add(("meridians", "alphabeta"))
    players.wait_for("meridians", "alphabeta")
    players._RUNNING["meridians"].returncode = 1
    players.wait_for("meridians", "mcts")
    assert not players.is_compiling("meridians")


def test_only_games_can_be_compiled_ahead():
    with pytest.raises(InputError):
        players.compile_ahead("chess")
