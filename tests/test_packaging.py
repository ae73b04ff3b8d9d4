"""What is installed: the packages, their dependencies and entry points, and what happens beside a
stranger's `rules`.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import distribution, entry_points
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import rules
import shutoko
import sim

CHECKOUT = Path(__file__).resolve().parents[1]
PACKAGES: tuple[ModuleType, ...] = (rules, sim, shutoko)
MODULES = sorted(
    name
    for package in PACKAGES
    for _, name, _ in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not name.endswith("__main__")
)
PYPROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PYPROJECT["project"]["optional-dependencies"]
USED = ("export", "video", "mujoco", "dask", "photo", "data", "web", "push", "rl", "openspiel")
DECLARED = [*PYPROJECT["project"]["dependencies"], *(one for name in USED for one in EXTRAS[name])]
IMPORT_NAMES = {
    "fluent.runtime": "fluent",
    "imageio-ffmpeg": "imageio_ffmpeg",
    "pillow": "PIL",
    "pillow-heif": "pillow_heif",
    "py-vapid": "py_vapid",
    "resvg-py": "resvg_py",
    "opencv-python-headless": "cv2",
    "open-spiel": "pyspiel",
    "open_spiel": "pyspiel",
}
"""Where a distribution's import name is not its own."""


def requirements(extra: str, python: str) -> set[str]:
    """The names that pip installs for `shutoko` (extra "") or `shutoko[extra]` on that version of
    Python.
    """
    wanted = (Requirement(text) for text in distribution("shutoko").requires or ())
    environment = {"extra": extra, "python_version": python, "python_full_version": f"{python}.0"}
    return {
        each.name for each in wanted if each.marker is None or each.marker.evaluate(environment)
    }


def locked() -> dict[str, str]:
    """The version of each package that requirements.lock names for the Python that runs this."""
    pinned = {}
    for line in (CHECKOUT / "requirements.lock").read_text(encoding="utf-8").splitlines():
        if line[:1].isalnum():
            requirement = Requirement(line.removesuffix(" \\"))
            if requirement.marker is None or requirement.marker.evaluate():
                assert requirement.name not in pinned
                (pinned[requirement.name],) = (each.version for each in requirement.specifier)
    return pinned


def test_every_dependency_has_an_upper_bound():
    wanted = [*PYPROJECT["build-system"]["requires"], *PYPROJECT["project"]["dependencies"]]
    wanted += [text for name, texts in EXTRAS.items() if name != "all" for text in texts]
    bounds = {text: {one.operator for one in Requirement(text).specifier} for text in wanted}
    assert [text for text, operators in bounds.items() if not operators & {"<", "=="}] == []


def test_the_lock_names_a_version_within_the_bounds_for_all_that_make_installs():
    makefile = (CHECKOUT / "Makefile").read_text(encoding="utf-8")
    (installed,) = re.findall(r"^EXTRAS := (\S+)$", makefile, re.MULTILINE)
    texts = [text for name in installed.split(",") for text in EXTRAS[name]]
    wanted = map(Requirement, [*PYPROJECT["project"]["dependencies"], *texts])
    needed = [each for each in wanted if each.marker is None or each.marker.evaluate()]
    there = {each: locked().get(canonicalize_name(each.name), "") for each in needed}
    assert [str(each) for each, version in there.items() if version not in each.specifier] == []


def test_every_version_in_the_lock_has_the_hashes_of_its_files():
    text = (CHECKOUT / "requirements.lock").read_text(encoding="utf-8")
    packages = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(packages) > 100
    assert [
        package.partition(" ")[0] for package in packages if "--hash=sha256:" not in package
    ] == []


def test_nothing_is_unpickled_outside_the_modules_that_know_who_wrote_it():
    """docs/reliability.md says for each of them why nobody else could have written it."""
    readers = re.compile(
        r"\b(?:(?:cloud)?pickle|marshal|shelve|dill|joblib)\.(?:loads?|open|Unpickler)\b|allow_pickle|cache=True"
    )
    paths = [path for package in PACKAGES for path in Path(package.__path__[0]).rglob("*.py")]
    found = {
        str(path.relative_to(CHECKOUT))
        for path in paths
        if readers.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"rules/grid/kernels/jit.py", "shutoko/web/work/workers.py"}


def test_the_installed_version_is_the_one_in_the_source():
    assert distribution("shutoko").version == shutoko.__version__


def test_pip_never_compiles_pybullet_where_it_has_no_wheels():
    assert "pybullet" in requirements("", "3.11")
    assert "mujoco" not in requirements("", "3.11")
    for python in ("3.12", "3.13", "3.14"):
        for extra in ("", *PYPROJECT["project"]["optional-dependencies"]):
            assert "pybullet" not in requirements(extra, python)
        assert "mujoco" in requirements("", python)


def test_the_command_and_the_game_are_entry_points():
    (script,) = (
        point for point in distribution("shutoko").entry_points if point.group == "console_scripts"
    )
    assert (script.name, script.value) == ("shutoko", "shutoko.__main__:main")
    for point in entry_points(group="shutoko.games"):
        assert callable(point.load()), point


def test_what_the_code_imports_is_what_the_distribution_asks_for():
    declared = {
        IMPORT_NAMES.get(name, name) for name in (Requirement(text).name for text in DECLARED)
    }
    assert foreign_imports() == declared


def foreign_imports() -> set[str]:
    """The top-level names that the packages import, however late, apart from their own and the
    standard library's.
    """
    found: set[str] = set()
    for path in (path for package in PACKAGES for path in Path(package.__path__[0]).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names=names):
                    found |= {name.name for name in names}
                case ast.ImportFrom(module=str(module), level=0):
                    found.add(module)
                # import_module("x.y"), and shutoko.export's own way to say what to install
                case ast.Call(
                    func=ast.Name(id="import_module" | "_needed"),
                    args=[ast.Constant(value=str(module)), *_],
                ):
                    found.add(module)
    own = {package.__name__ for package in PACKAGES}
    return {name.partition(".")[0] for name in found} - own - set(sys.stdlib_module_names)


@pytest.mark.parametrize("name", MODULES)
def test_every_module_says_what_it_is_for_and_has_what_it_lists(name):
    module = importlib.import_module(name)
    assert module.__doc__
    public = getattr(module, "__all__", ())  # the front of a package has one
    assert len(public) == len(set(public))
    assert [one for one in public if not hasattr(module, one)] == []


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_every_package_is_typed_and_all_its_public_names_are_there(package):
    assert Path(package.__path__[0], "py.typed").exists()
    for name in package.__all__:
        assert getattr(package, name) is not None
    assert set(package.__all__) <= set(dir(package))


def test_a_name_that_sim_does_not_have_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'sim' has no attribute 'Bridge'"):
        sim.Bridge  # noqa: B018


@pytest.mark.slow
def test_every_module_imports_without_the_optional_packages():
    code = (
        "import importlib, sys\n"
        "for name in ('mujoco', 'pybullet'): sys.modules[name] = None\n"
        f"for name in {MODULES!r}: importlib.import_module(name)"
    )
    done = run(code)
    assert done.returncode == 0, done.stderr


HIDDEN = "another package named 'rules' hides the one that Shutoko installs: "


def test_a_folder_named_rules_is_refused_by_its_path(tmp_path):
    # a namespace package loses against any regular one, so it can hide nothing unless this
    # project's is gone
    done = run(
        "import sys, types; stranger = types.ModuleType('rules'); stranger.__path__ = "
        f"[{str(tmp_path)!r}]; sys.modules['rules'] = stranger; import sim"
    )
    last = done.stderr.splitlines()[-1]
    assert (done.returncode, str(tmp_path) in last) == (1, True)
    assert last.startswith(f"ImportError: {HIDDEN}")
    assert "fresh virtual environment" in last


class Site:
    """A folder of packages into which Shutoko and another distribution with a package `rules` are
    installed, as pip does it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()

    def shutoko(self) -> None:
        shutil.copytree(CHECKOUT / "rules", self.folder / "rules", dirs_exist_ok=True)
        for name in ("sim", "shutoko", "assets"):
            (self.folder / name).symlink_to(CHECKOUT / name)
        self._record(
            "shutoko",
            shutoko.__version__,
            ["rules/__init__.py", "rules/errors.py", "sim/__init__.py"],
        )

    def stranger(self) -> None:
        (self.folder / "rules").mkdir(exist_ok=True)
        (self.folder / "rules" / "__init__.py").write_text("rule = 1\n")
        (self.folder / "rules" / "predicates.py").write_text("always = True\n")
        self._record("rules", "3.3", ["rules/__init__.py", "rules/predicates.py"])

    def without_stranger(self) -> None:
        for path in ("rules/__init__.py", "rules/predicates.py"):
            (self.folder / path).unlink()
        shutil.rmtree(self.folder / "rules-3.3.dist-info")

    def run(self, *words: str, alone: bool = False) -> subprocess.CompletedProcess[str]:
        """Runs Python with this folder in front; `alone` leaves out what is installed here, as this
        checkout is.
        """
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, *(["-S"] if alone else []), *words]
        return subprocess.run(
            command,
            cwd=self.folder.parent,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def _record(self, name: str, version: str, files: list[str]) -> None:
        info = self.folder / f"{name}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (info / "RECORD").write_text("".join(f"{file},,\n" for file in files))


@pytest.mark.parametrize(
    ("steps", "alone"),
    [
        pytest.param(("shutoko", "stranger"), True, id="one that comes after Shutoko"),
        pytest.param(("shutoko", "stranger", "without_stranger"), True, id="the hole it leaves"),
        # pip puts a checkout behind this folder, whichever came first
        pytest.param(("stranger",), False, id="beside a checkout, in either order"),
    ],
)
def test_rules_of_another_distribution_that_hides_shutokos_is_named(steps, alone, tmp_path):
    site = Site(tmp_path / "site")
    for step in steps:
        getattr(site, step)()
    done = site.run("-c", "import sim", alone=alone)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"ImportError: {HIDDEN}")
    for words in (["--version"], ["doctor"], ["verify", "game.jsonl"]):
        done = site.run("-m", "shutoko", *words, alone=alone)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert done.stderr.startswith(f"shutoko: {HIDDEN}")
        assert str(site.folder) in done.stderr
        assert "fresh virtual environment" in done.stderr


@pytest.mark.slow
def test_doctor_tells_of_another_distribution_of_that_name_that_came_before_shutoko(tmp_path):
    site = Site(tmp_path / "site")
    site.stranger()
    site.shutoko()
    done = site.run("-m", "shutoko", "doctor", "--json")
    (found,) = (check for check in json.loads(done.stdout)["checks"] if check["name"] == "rules")
    assert not found["ok"]
    assert found["detail"].startswith(
        "rules has a package named rules, too: one spoils the other; make a fresh virtual"
    )


def test_no_page_and_no_message_asks_an_index_for_shutoko():
    """Whoever registers the name on an index would own the machines of those who do what we tell
    them.
    """
    asks = re.compile(r"\bpip install\b[^`\n]*?['\" ]shutoko(?![\w./:-])(?!\S*\s*@).*")
    listed = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("this is no checkout of git")
    kinds = {".md", ".py", ".toml", ".ipynb", ".yml", ".yaml", ".cff", ".ftl", ".js", ".html", ""}
    paths = [CHECKOUT / name for name in listed.stdout.split("\0")]
    found = {
        str(path): asks.findall(path.read_text(encoding="utf-8", errors="replace"))
        for path in paths
        if path.suffix in kinds and path.is_file()
    }
    assert {path: hits for path, hits in found.items() if hits} == {}


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )


def test_an_environment_without_its_extra_says_how_to_install_it():
    done = run(
        "import sys\n"
        "sys.modules['gymnasium'] = sys.modules['pettingzoo'] = None\n"
        "from shutoko.envs import meridians_v0"
    )
    assert "UnavailableError: PettingZoo's environments need the extra rl: pip" in done.stderr
