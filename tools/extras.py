"""Installs each extra alone into an empty environment, runs its commands there, and measures what
it weighs.

    python tools/extras.py [EXTRA ...] [--write] [--wheel FILE]

Needs uv (`pip install 'uv>=0.9,<1'`), which links packages from its cache: some seconds an
environment once they are there. Without names all extras are tried. Exit code 1 if a command fails.
Where an extra is missing, its command must end with exit code 2 and name it. `--write` puts the
table into docs/installing.md.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeAlias

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT))

from shutoko.extras import EXTRAS  # noqa: E402 - a script without installation

RECORDS = CHECKOUT / "assets" / "records"
MARKS, PHOTO = (CHECKOUT / "assets" / "photos" / f"table.{kind}" for kind in ("json", "jpg"))
TABLE, BOARD = RECORDS / "junction-exit.jsonl", RECORDS / "boards" / "thruway-opening.jsonl"
PAGE = CHECKOUT / "docs" / "installing.md"

_AT_ONCE = 3  # environments

Command = tuple[str, ...]
Row: TypeAlias = "tuple[str, str, Environment, Environment | None]"

CORE: tuple[Command, ...] = (
    ("shutoko", "doctor"),
    ("shutoko", "verify", str(TABLE)),
    ("shutoko", "replay", "--recorded", str(TABLE), "--png", "table.png"),
    ("shutoko", "export", str(BOARD), "board.svg", "board.html"),
    (
        "shutoko",
        "simulate",
        "meridians",
        "--size",
        "4",
        "--players",
        "random,random",
        "--games",
        "2",
        "--out",
        "games",
    ),
)
DASK = """
import subprocess, sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=1, dashboard_address=None) as cluster:
        command = [sys.argv[1], "risk", sys.argv[2], "--ply", "2", "--samples", "8", \
"--dask", cluster.scheduler_address]
        sys.exit(subprocess.run(command).returncode)
"""
SERVE = """
import subprocess, sys, time, urllib.error, urllib.request
server = subprocess.Popen([sys.argv[1], "serve", "--no-browser", \
"--port", "8931", "--data", "rooms"], \
stdout=-1, text=True)
try:
    print(server.stdout.readline())
    for wait in range(100):
        try:
            assert b"<title>" in \
urllib.request.urlopen("http://127.0.0.1:8931/", timeout=240).read()
            break
        except urllib.error.URLError:
            time.sleep(0.1 * wait)
finally:
    server.terminate()
    server.wait()
"""
RL = """
import gymnasium, shutoko.envs
from shutoko.envs import meridians_v0
env = gymnasium.make("shutoko/Meridians-v0", opponent="random", size=4)
env.reset(seed=1)
aec = meridians_v0.env(size=4)
aec.reset(seed=1)
"""
OPENSPIEL = """
import pyspiel, shutoko.envs.openspiel
print(pyspiel.load_game("shutoko_meridians", {"size": 4}).new_initial_state())
"""
PUSH = """
import pathlib
from shutoko.web.notices.sending import Pushing
from shutoko.web.notices.settings import Push
print(Pushing(pathlib.Path("."), Push("mailto:me@example.org")).public_key)
"""
COMMANDS: dict[str, tuple[Command, ...]] = {
    "export": (
        ("shutoko", "export", str(BOARD), "b.png", "b.gif"),
        ("shutoko", "export", str(TABLE), "t.glb"),
    ),
    "video": (("shutoko", "export", str(TABLE), "--ply", "2", "t.mp4"),),
    "mujoco": (("shutoko", "verify", "--engine", "mujoco", str(TABLE)),),
    "web": (("python", "-c", SERVE, "shutoko"), ("shutoko", "export", str(TABLE), "t.html")),
    "push": (("python", "-c", PUSH),),
    "photo": (("shutoko", "photo", str(MARKS), "--image", str(PHOTO), "--snap"),),
    "dask": (("python", "dask_risk.py", "shutoko", str(TABLE)),),
    "data": (
        ("shutoko", "table", str(TABLE), "--to", "games.parquet"),
        ("shutoko", "plot", "race", str(TABLE), "--to", "race.png"),
    ),
    "rl": (("python", "-c", RL),),
    "openspiel": (("python", "-c", OPENSPIEL),),
}
"""What shows that an extra works; the first one that is a command of ours is also run without
it.
"""

GRID = ("numpy", "numba", "platformdirs", "fluent.runtime", "filelock", "rich")
"""All that the grid games need of the core."""


class Environment:
    """An empty environment with some packages in it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self.bin = folder / "venv" / "bin"
        uv("venv", "--python", sys.executable, folder / "venv")

    def install(self, *what: str) -> None:
        """As pip does it."""
        uv("pip", "install", "--python", self.bin / "python", *what)

    def run(self, command: Command) -> subprocess.CompletedProcess[str]:
        """The command with the programs of this environment alone."""
        (self.folder / "dask_risk.py").write_text(DASK, encoding="utf-8")
        words = [
            str(self.bin / word) if word in ("shutoko", "python") else word for word in command
        ]
        inside = {
            key: value
            for key, value in os.environ.items()
            if key not in ("PYTHONPATH", "VIRTUAL_ENV")
        }
        # the same kernels for all: compiled once
        inside["NUMBA_CACHE_DIR"] = str(self.folder.parent / "kernels")
        return subprocess.run(  # noqa: S603 - this very program
            words,
            cwd=self.folder,
            env=inside,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )

    def megabytes(self) -> float:
        """What the packages weigh."""
        (packages,) = (self.folder / "venv" / "lib").glob("python*/site-packages")
        return (
            sum(
                path.stat().st_size
                for path in packages.rglob("*")
                if path.is_file() and path.suffix != ".pyc"
            )
            / 1e6
        )

    def packages(self) -> int:
        """How many distributions are there."""
        return len(list((self.folder / "venv" / "lib").glob("python*/site-packages/*.dist-info")))


def uv(*words: object) -> None:
    """Runs uv, and ends if it fails."""
    program = (
        os.environ.get("UV") or shutil.which("uv") or str(Path(sys.executable).with_name("uv"))
    )
    command = [program, *map(str, words), "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - the installer
    if done.returncode:
        sys.exit(f"uv {' '.join(map(str, words))}: {done.stderr[-2000:]}")


def failures(place: Environment, commands: Sequence[Command]) -> Iterator[str]:
    """What the commands say that fail."""
    for command in commands:
        done = place.run(command)
        if done.returncode:
            yield (
                f"{' '.join(command)[:100]}: exit code {done.returncode}: "
                f"{done.stderr.strip()[-600:]}"
            )


def refusals(core: Environment, names: Sequence[str]) -> Iterator[str]:
    """Extras that the core does not ask for in one line where they are missing."""
    for name in names:
        asked = next((command for command in COMMANDS[name] if command[0] == "shutoko"), None)
        if asked is None or (name == "video" and shutil.which("ffmpeg")):
            continue
        done = core.run(asked)
        lines = done.stderr.strip().splitlines()
        if done.returncode != 2 or not re.search(
            rf"pip install '?\S+\.whl\[{name}\]", (lines or [""])[-1]
        ):
            yield (
                f"without {name}: {' '.join(asked)[:100]}: exit code {done.returncode}: "
                f"{done.stderr.strip()[-600:]}"
            )


def main() -> None:
    """Installs, runs, measures, prints."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "extras", nargs="*", metavar="EXTRA", choices=[*EXTRAS, []], help=", ".join(EXTRAS)
    )
    parser.add_argument(
        "--write", action="store_true", help="put the table into docs/installing.md"
    )
    parser.add_argument("--wheel", type=Path, help="try this wheel, and build none")
    args = parser.parse_args()
    names = args.extras or [*EXTRAS]
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        wheel = args.wheel
        if wheel is None:
            uv("build", "--wheel", "--out-dir", scratch, CHECKOUT)
            (wheel,) = Path(scratch).glob("*.whl")
        core = tried(Path(scratch, "core"), [str(wheel)], CORE, wrong)
        rows: list[Row] = [
            (
                "(none)",
                "replays, physics, referee, pictures of tables, boards as .svg and .html, players",
                core,
                None,
            )
        ]
        wrong += refusals(core, names)
        # The core has compiled what all need. Installing waits for the disk, commands for a core.
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            places = pool.map(
                lambda name: tried(
                    Path(scratch, name), [f"{wheel}[{name}]"], COMMANDS[name], wrong
                ),
                names,
            )
            rows += [
                (name, EXTRAS[name].what, place, core)
                for name, place in zip(names, places, strict=True)
            ]
        grid = Environment(Path(scratch, "grid"))
        grid.install("--no-deps", str(wheel))
        grid.install(
            *(
                requirement
                for requirement in required()
                if re.split(r"[<>=]", requirement)[0] in GRID
            )
        )
        wrong += failures(grid, CORE[3:])
        table = list(lines(rows))
        table.append(
            f"| the grid games alone | see below | {grid.packages()} | {grid.megabytes():.0f} |"
        )
    print("\n".join(table))
    if args.write and not args.extras:
        head, rest = PAGE.read_text(encoding="utf-8").split("| extra |", 1)
        text = head + "\n".join(table) + "\n\n" + rest.split("\n\n", 1)[1]
        PAGE.write_text(text, encoding="utf-8")
    for one in wrong:
        print(f"FAILED {one}")
    sys.exit(bool(wrong))


def tried(
    folder: Path, what: Sequence[str], commands: Sequence[Command], wrong: list[str]
) -> Environment:
    """An environment with that in it, in which the commands ran."""
    begin = time.perf_counter()
    place = Environment(folder)
    place.install(*what)
    wrong += failures(place, commands)
    print(f"{folder.name}: {time.perf_counter() - begin:.0f} s", file=sys.stderr)
    return place


def required() -> list[str]:
    """What the core asks for."""
    import tomllib

    found: list[str] = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]["dependencies"]
    return found


def lines(rows: Sequence[Row]) -> Iterator[str]:
    """The table of docs/installing.md."""
    yield "| extra | what needs it | packages | MB |"
    yield "|---|---|---|---|"
    for name, what, place, core in rows:
        if core is None:
            yield f"| {name} | {what} | {place.packages()} | {place.megabytes():.0f} |"
        else:
            more, weight = place.packages() - core.packages(), place.megabytes() - core.megabytes()
            yield f"| `{name}` | {what} | +{more} | +{weight:.0f} |"


if __name__ == "__main__":
    main()
