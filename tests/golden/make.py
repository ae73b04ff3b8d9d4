"""Golden digests: what each engine makes of six scenes, to the last bit. Write them anew with `python tests/golden/make.py`.

A digest is over the settled poses of all pieces; `seconds` is the simulated time. They hold for one platform and one version
of the engine, which the file names, and change only when the behaviour is meant to change.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sim import engines
from sim.scenes import scene
from sim.world import World

FOLDER = Path(__file__).resolve().parent
SCENES = ("overlapping-ends-up", "junction", "counterweight", "car-slides-off-jump-4", "stick-past-the-rim", "crossing")


def here() -> str:
    """What besides the engine decides the last bits: the system, the processor's kind and the C library's mathematics."""
    return " ".join([sys.platform, platform.machine(), *platform.libc_ver()])


def digests(name: str) -> dict[str, dict[str, object]]:
    """Simulated seconds and digest of each scene, settled afresh."""
    found: dict[str, dict[str, object]] = {}
    for key in SCENES:
        settled = World(scene(key).bodies, name).settle()
        text = json.dumps({piece: pose.to_list() for piece, pose in settled.poses.items()}, sort_keys=True)
        found[key] = {"seconds": settled.seconds, "digest": hashlib.sha256(text.encode()).hexdigest()[:16]}
    return found


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
    """Write the files of the engines that are installed, or with `--print` print the digests and write nothing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--print", action="store_true", dest="only_print")
    options = parser.parse_args()
    for name in engines.available():
        text = json.dumps(golden(name), indent=1) + "\n"
        if options.only_print:
            sys.stdout.write(text)
        else:
            (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
