"""`shutoko doctor`: reports what works on this machine, and how to repair what does not.

The exit code is 0 if this machine can replay a game with physics. Extras are reported, but not
needed for that.
"""

import argparse
import platform
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, packages_distributions, requires, version
from pathlib import Path
from typing import Any

from shutoko import __version__
from shutoko.cli.common import answer, command, option
from shutoko.extras import EXTRAS, missing
from sim.installing import install

_PLATFORM = f"{sys.platform}-{platform.machine()}"
_PROBE_HEIGHT = 0.2  # mm above the table, where the probe disc is dropped
_PROBE_TOLERANCE = 0.1  # mm; the disc must come to rest at its height within this


@dataclass(frozen=True, slots=True)
class Check:
    """One finding: what was checked, whether it works, whether a replay with physics needs it, and
    the details.
    """

    name: str
    ok: bool
    needed: bool
    detail: str


@command(
    "doctor",
    [
        option(
            "--compile",
            action="store_true",
            help="compile the searches of all games and the rules of Thruway and Meridians now, so "
            "that no first game waits; exit "
            "code 1 if that fails",
        ),
        option(
            "--components",
            metavar="NAME|FILE",
            help="look at this box of the game instead: say what is implausible in it; exit "
            "code 1 if anything is",
        ),
    ],
    help="check that everything works on this machine",
    description="Check the physics engines, the extras, and whether files can be written here. "
    "The exit code is 0 if this machine can replay a game with physics, else 1.",
)
def run(args: argparse.Namespace) -> int:
    """Print every finding and the verdict; 0 if a replay with physics is possible and `--compile`
    succeeded, else 1.

    With `--components` only that box is looked at; raises InputError if its file cannot be read.
    """
    if args.components is not None:
        return _examine_box(args)
    found, compilations = tuple(examine()), tuple(compiled()) if args.compile else ()
    checks = (*found, *compilations)
    replays = all(check.ok for check in found if check.needed)
    healthy = replays and all(check.ok for check in compilations)
    told = [
        f"{'ok' if check.ok else 'FAILED' if check.needed else 'no':<7} {check.name:<9} "
        f"{check.detail}"
        for check in checks
    ]
    can = f"\nGames {'can' if replays else 'cannot'} be replayed with physics here."
    answer(args, {"ok": healthy, "checks": [asdict(check) for check in checks]}, *told, can)
    return 0 if healthy else 1


def _examine_box(args: argparse.Namespace) -> int:
    from sim.plausible import examine as implausible

    name, found = args.components, implausible(args.components)
    count = f"{len(found)} thing{'s' * (len(found) > 1)} implausible"
    told = [f"{name}: {one}" for one in (*found, count if found else "everything is plausible")]
    findings = [asdict(one) for one in found]
    answer(args, {"file": name, "ok": not found, "findings": findings}, *told)
    return 1 if found else 0


def examine() -> Iterator[Check]:
    """Yields every finding. Raises nothing: an error is a finding too."""
    where = Path(__file__).resolve().parents[1]
    python = f"Python {platform.python_version()} on {_PLATFORM}"
    yield Check("shutoko", True, True, f"{__version__} at {where}, {python}")
    yield _tried("rules", False, _rules)
    yield from _engines()
    yield from _extras()
    yield _tried("writable", False, _writable)


def installed() -> dict[str, Any]:
    """What is installed, for programs: versions of Shutoko, Python and the packages that it names,
    games, engines, extras.
    """
    from rules.game import known_games
    from sim.physics.engines import available

    packages: dict[str, str] = {}
    for text in requires("shutoko") or ():
        name = re.split(r"[^\w.-]", text, maxsplit=1)[0]
        with suppress(PackageNotFoundError):
            packages[name] = version(name)
    return {
        "shutoko": __version__,
        "python": platform.python_version(),
        "platform": _PLATFORM,
        "games": list(known_games()),
        "engines": list(available()),
        "extras": [name for name in EXTRAS if not missing(name)],
        "packages": dict(sorted(packages.items())),
    }


def compiled() -> Iterator[Check]:
    """Compiles the grid games and the planner of Tokyo Highway. One finding each: how many seconds
    it took; with a warm cache, one or two.
    """
    from rules.grid.search.adapters import searched
    from rules.grid.search.players import compile_ahead
    from sim.bots import playouts

    def work(name: str, make: Callable[[], None]) -> str:
        begin = time.perf_counter()
        make()
        return (
            f"{name} in {time.perf_counter() - begin:.1f} s; kept on this machine until the "
            "next version"
        )

    for name in searched():
        yield _tried("compiled", True, partial(work, name, partial(compile_ahead, name)))
    yield _tried(
        "compiled", True, partial(work, "the playouts of the planner", playouts.compile_ahead)
    )


def _tried(name: str, needed: bool, look: Callable[[], str]) -> Check:
    try:
        return Check(name, True, needed, look())
    except Exception as error:  # noqa: BLE001 - a broken installation may fail in any way; this command reports it
        return Check(name, False, needed, " ".join(str(error).split()) or type(error).__name__)


def _rules() -> str:
    """Another distribution with a package of this name: which of the two is found depends on what
    was installed last.
    """
    import rules

    others = sorted(set(packages_distributions().get("rules", ())) - {"shutoko"})
    if others:
        raise RuntimeError(
            f"{', '.join(others)} has a package named rules, too: one spoils the other; make a "
            "fresh virtual environment, "
            f"activate it, and install Shutoko there: {install()}"
        )
    return f"Shutoko's own, at {Path(rules.__file__).parent}"


def _engines() -> Iterator[Check]:
    """One finding for each engine, and one that a replay needs: that some engine brings a disc to
    rest.
    """
    try:
        from sim.physics.engines import NAMES
    except Exception as error:  # noqa: BLE001 - as in _tried: another package named `rules` makes this an ImportError
        yield Check("physics", False, True, " ".join(str(error).split()))
        return
    settling = []
    for name in NAMES:
        check = _tried(name, False, partial(_settled, name))
        settling += [name] if check.ok else []
        yield check
    yield Check(
        "physics",
        bool(settling),
        True,
        f"engine {settling[0]} by default" if settling else "no engine works",
    )


def _settled(name: str) -> str:
    from sim.physics.engines import engine

    return f"{engine(name).version}, a disc comes to rest in {_probe(name):.2f} s"


def _probe(engine: str) -> float:
    """Drops a disc from just above the table; returns the simulated seconds until it is at rest."""
    from sim.bodies import Pose
    from sim.physics.world import World
    from sim.pieces import Components

    box = Components.named("estimate-2018")
    lying = box.disc_height / 2
    world = World((), engine)
    world.place(
        box.body("A-P1.1", "disc", Pose((0.0, 0.0, lying + _PROBE_HEIGHT), (0.0, 0.0, 0.0, 1.0)))
    )
    settled = world.settle()
    off = abs(settled.poses["A-P1.1"].at[2] - lying)
    if not settled.quiet or off > _PROBE_TOLERANCE:
        raise RuntimeError(
            f"a disc dropped on the table comes to rest {off:.3f} mm from its right height"
        )
    return settled.seconds


def _extras() -> Iterator[Check]:
    """One finding for each optional part, with the command that installs it."""
    for name, extra in EXTRAS.items():
        lacking = missing(name)
        cure = f": {', '.join(lacking)} not installed: {install(name)}" if lacking else ""
        yield Check("extra", not lacking, False, f"{name}, {extra.what}{cure}")


def _writable() -> str:
    here = Path.cwd()
    with tempfile.TemporaryFile(dir=here):
        return str(here)
