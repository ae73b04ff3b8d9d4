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
    paths = [
        path
        for folder in ("rules", "sim", "shutoko")
        for path in Path(CHECKOUT, folder).rglob("*.py")
    ]
    named = {
        name
        for path in paths
        for name in re.findall(r"\binstall\(\W(\w+)\W\)", path.read_text(encoding="utf-8"))
    }
    assert named <= EXTRAS.keys()
    assert named


def test_doctor_says_how_to_install_what_is_missing(monkeypatch):
    monkeypatch.setattr(
        extras, "find_spec", lambda name: None if name == "pyarrow" else find_spec("sys")
    )
    found = {check.detail.partition(",")[0]: check for check in doctor._extras()}
    assert found["data"].detail.endswith(f"pyarrow not installed: {install('data')}")
    assert [name for name, check in found.items() if not check.ok] == ["data"]
    assert not any(check.needed for check in found.values())


def test_a_package_that_is_missing_is_named_with_the_command_that_installs_it(capsys, monkeypatch):
    monkeypatch.delenv("SHUTOKO_TRACEBACK", raising=False)
    assert errors.tell(ModuleNotFoundError("No module named 'numba'", name="numba.core")) == 2
    assert (
        capsys.readouterr().err
        == f"shutoko: this needs numba, which is not installed: {install_package('numba')}\n"
    )
    error = UnavailableError("the game 'go' is installed but cannot be loaded")
    error.__cause__ = ModuleNotFoundError("No module named 'pyspiel'", name="pyspiel")
    assert errors.tell(error) == 2
    assert capsys.readouterr().err.endswith(f"{install('openspiel')}\n")


def test_a_module_of_ours_that_is_missing_is_a_bug(capsys):
    assert (
        errors.tell(ModuleNotFoundError("No module named 'rules.nothing'", name="rules.nothing"))
        == 70
    )


@pytest.mark.slow
def test_the_grid_games_need_neither_physics_nor_pictures(tmp_path):
    """As docs/installing.md promises for an installation without those packages."""
    away = (
        "pybullet",
        "mujoco",
        "shapely",
        "highspy",
        "embreex",
        "PIL",
        "nicegui",
        "resvg_py",
        "matplotlib",
        "shtab",
    )
    commands = [
        [
            "simulate",
            "meridians",
            "--size",
            "4",
            "--players",
            "random,random",
            "--games",
            "1",
            "--out",
            str(tmp_path),
        ],
        ["verify", str(tmp_path / "game-00000.jsonl")],
        ["replay", str(tmp_path / "game-00000.jsonl")],
        [
            "export",
            str(tmp_path / "game-00000.jsonl"),
            str(tmp_path / "game.html"),
            str(tmp_path / "game.svg"),
        ],
        ["rate", str(tmp_path)],
    ]
    code = (
        "import sys\n"
        f"for name in {away!r}: sys.modules[name] = None\n"
        "from shutoko.cli import main\n"
        f"sys.exit(max(main(words) for words in {commands!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
