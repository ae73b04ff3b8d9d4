"""The optional parts: what the program says of them is what pyproject.toml has."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from rules.errors import UnavailableError
from shutoko import extras
from shutoko.cli import doctor
from shutoko.cli.common import errors
from shutoko.extras import CORE, EXTRAS
from sim.installing import install, install_package
from tests.test_packaging import CHECKOUT, IMPORT_NAMES, PYPROJECT

OPTIONAL = PYPROJECT["project"]["optional-dependencies"]


def imported(requirements: list[str]) -> set[str]:
    names = {Requirement(text).name for text in requirements}
    return {IMPORT_NAMES.get(name, name).replace("-", "_").partition(".")[0] for name in names}


@pytest.mark.parametrize("name", EXTRAS)
def test_an_extra_has_the_packages_that_pyproject_gives_it(name):
    assert imported(OPTIONAL[name]) == set(EXTRAS[name].modules)


def test_the_core_has_the_packages_that_pyproject_gives_it_apart_from_the_engines():
    assert imported(PYPROJECT["project"]["dependencies"]) - {"pybullet", "mujoco"} == set(CORE)


def test_all_is_every_extra_for_users():
    (text,) = OPTIONAL["all"]
    assert Requirement(text).extras == EXTRAS.keys()
    assert OPTIONAL.keys() - EXTRAS.keys() == {"all", "dev", "docs"}


def test_every_extra_that_a_message_names_exists():
    packages = ("rules", "sim", "shutoko")
    paths = [path for one in packages for path in Path(CHECKOUT, one).rglob("*.py")]
    texts = "".join(path.read_text(encoding="utf-8") for path in paths)
    named = set(re.findall(r"\binstall\(\W(\w+)\W\)", texts))
    assert set() < named <= EXTRAS.keys()


def test_doctor_says_how_to_install_what_is_missing(monkeypatch):
    monkeypatch.setattr(
        extras, "find_spec", lambda name: None if name == "pyarrow" else find_spec("sys")
    )
    found = {check.detail.partition(",")[0]: check for check in doctor._extras()}
    assert found["data"].detail.endswith(f"pyarrow not installed: {install('data')}")
    assert [name for name, check in found.items() if not check.ok] == ["data"]
    assert not any(check.needed for check in found.values())


NOT_LOADED = UnavailableError("the game 'go' is installed but cannot be loaded")
NOT_LOADED.__cause__ = ModuleNotFoundError("No module named 'pyspiel'", name="pyspiel")


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (
            ModuleNotFoundError("No module named 'numba'", name="numba.core"),
            2,
            f"shutoko: this needs numba, which is not installed: {install_package('numba')}\n",
        ),
        (NOT_LOADED, 2, f"{install('openspiel')}\n"),
        (ModuleNotFoundError("No module 'rules.no'", name="rules.no"), 70, "shows where\n"),
    ],
    ids=["a package", "an extra of a game", "a module of ours, which is a bug"],
)
def test_what_is_missing_is_named_with_the_command_that_installs_it(
    capsys, monkeypatch, error, code, said
):
    monkeypatch.delenv("SHUTOKO_TRACEBACK", raising=False)
    assert errors.tell(error) == code
    assert capsys.readouterr().err.endswith(said)


AWAY = (
    *("pybullet", "mujoco", "shapely", "highspy", "embreex", "PIL", "nicegui", "resvg_py"),
    *("matplotlib", "shtab"),
)


@pytest.mark.slow
def test_the_grid_games_need_neither_physics_nor_pictures(tmp_path):
    """As docs/installing.md promises for an installation without those packages."""
    commands = [
        f"simulate meridians --size 4 --players random,random --games 1 --out {tmp_path}",
        f"verify {tmp_path}/game-00000.jsonl",
        f"replay {tmp_path}/game-00000.jsonl",
        f"export {tmp_path}/game-00000.jsonl {tmp_path}/game.html {tmp_path}/game.svg",
        f"rate {tmp_path}",
    ]
    code = (
        "import sys\n"
        f"for name in {AWAY!r}: sys.modules[name] = None\n"
        "from shutoko.cli import main\n"
        f"sys.exit(max(main(line.split()) for line in {commands!r}))"
    )
    subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, check=True)
