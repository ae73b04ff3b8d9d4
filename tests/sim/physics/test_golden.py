"""The same bits: six scenes an engine, over repeats, a second world, fresh processes and hash
seeds, and against the files.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

from sim.physics import engines
from sim.physics.engine import SettleParams
from sim.physics.world import World
from tools import golden
from tools.scenes import scene

ENGINES = engines.available()


@cache
def digests(name: str) -> dict[str, dict[str, object]]:
    return golden.digests(name)


@cache
def in_a_fresh_process(seed: str) -> dict[str, Any]:
    found = subprocess.run(
        [sys.executable, golden.__file__, "--print"],
        # the C library fills fresh and freed memory with that byte: nothing may read it
        env={**os.environ, "PYTHONHASHSEED": seed, "MALLOC_PERTURB_": str(85 + int(seed))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "build time" not in found.stderr  # PyBullet's own stays off both streams
    return {each["engine"]: each["scenes"] for each in json.loads(found.stdout)}


@pytest.mark.parametrize("name", ENGINES)
def test_the_digests_are_those_of_the_golden_file(name: str) -> None:
    path = golden.FOLDER / f"{name}.json"
    assert path.is_file(), f"{path} is missing: python tools/golden.py writes it"
    kept = json.loads(path.read_text(encoding="utf-8"))
    engine = engines.engine(name)
    made_by, here = (kept["version"], kept["platform"]), (engine.version, golden.here())
    if made_by != here:
        pytest.skip(
            f"tests/golden/{name}.json was made by {made_by}, this is {here}: other bits are no "
            "fault"
        )
    again = "if this change is meant, run: python tools/golden.py"
    assert engine.params == kept["params"], f"the recipe changed; {again}"
    assert digests(name) == kept["scenes"], again


@pytest.mark.parametrize("name", ENGINES)
def test_a_repeat_in_the_same_process_gives_the_same_bits_whatever_ran_between(name: str) -> None:
    first = digests(name)
    World(scene("bridge-with-cars").bodies, name, SettleParams(time_limit=0.1)).settle()
    assert golden.digests(name) == first


@pytest.mark.parametrize("name", ENGINES)
def test_a_second_world_beside_the_first_gives_the_same_bits(name: str) -> None:
    for key in golden.SCENES:
        worlds = [golden.fresh(name, key) for _ in range(2)]
        assert [golden.digest(world) for world in worlds] == [digests(name)[key]] * 2


def test_there_are_six_scenes_which_differ_between_engines_and_from_each_other() -> None:
    found = [each["digest"] for name in ENGINES for each in digests(name).values()]
    assert len(found) == len(set(found)) == 6 * len(ENGINES)


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["0", "1"])
@pytest.mark.parametrize("name", ENGINES)
def test_a_fresh_process_gives_the_same_bits_under_any_hash_seed(name: str, seed: str) -> None:
    assert in_a_fresh_process(seed)[name] == digests(name)
