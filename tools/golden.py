"""Golden digests: what each engine makes of six scenes, to the last bit. Write them anew with
`python tools/golden.py`, into tests/golden.

A digest is over the poses of all pieces as the engine left them, however little they moved;
`seconds` is the simulated time. They hold for one version of the engine and one platform, which the
file names, and change only when the behaviour is meant to.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import sys
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sim.physics import engines
from sim.physics.engine import SettleParams
from sim.physics.world import World
from tools.scenes import scene

# else a piece that hardly moved would keep the pose it came with
_EXACT = SettleParams(still_shift=0.0, still_turn=0.0)

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "golden"
SCENES = (
    "overlapping-ends-up",
    "junction",
    "counterweight",
    "car-slides-off-jump-4",
    "stick-past-the-rim",
    "crossing",
)


def here() -> str:
    """What besides the engine decides the last bits: the system, the kind of processor, the C
    library and numpy. Which extensions an x86-64 processor has (AVX-512, say) does not.
    """
    return " ".join(
        [sys.platform, platform.machine(), *platform.libc_ver(), f"numpy {np.__version__}"]
    )


def digest(world: World) -> dict[str, object]:
    """Simulated seconds and digest of a world, settled now."""
    settled = world.settle()
    text = json.dumps(
        {piece: pose.to_list() for piece, pose in settled.poses.items()}, sort_keys=True
    )
    return {"seconds": settled.seconds, "digest": hashlib.sha256(text.encode()).hexdigest()[:16]}


def fresh(name: str, key: str) -> World:
    """A world of that scene, made anew."""
    return World(scene(key).bodies, name, _EXACT)


def digests(name: str) -> dict[str, dict[str, object]]:
    """What the engine makes of each scene, afresh."""
    return {key: digest(fresh(name, key)) for key in SCENES}


def golden(name: str) -> dict[str, object]:
    """What the file of an engine holds."""
    engine = engines.engine(name)
    return {
        "engine": name,
        "version": engine.version,
        "params": engine.params,
        "platform": here(),
        "scenes": digests(name),
    }


def main() -> None:
    """Write the files of the engines that are installed, or with `--print` print the digests and
    write nothing.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--print", action="store_true", dest="only_print")
    options = parser.parse_args()
    made = [golden(name) for name in engines.available()]
    if options.only_print:
        json.dump(made, sys.stdout)
        return
    for each in made:
        (FOLDER / f"{each['engine']}.json").write_text(
            json.dumps(each, indent=1) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
