"""Fuzzes everything that reads input, for a given time, and keeps what it finds.

    python tools/fuzz.py --minutes 30
    python tools/fuzz.py --minutes 2 --seed 7 records layouts

Each target of tests/bad_input/fuzzing.py gets the same share of the time: pytest runs its test with
new inputs from Hypothesis again and again. If an input ends in an exception that is not one of our
errors, or takes longer than ten seconds, Hypothesis makes it smaller, and it goes to
tests/bad_input/corpus/. Every test run tries it again. Exit code 1 if anything was found.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

_TEST = (
    "tests/bad_input/test_fuzz.py::test_almost_right_input_ends_in_an_error_of_ours_or_in_nothing"
)


def main() -> int:
    """Runs the targets; 1 if one of them found something."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="default: all")
    parser.add_argument(
        "--minutes", type=float, default=2.0, help="for all targets together (default: 2)"
    )
    parser.add_argument(
        "--seed", type=int, default=int(time.time()), help="of the first round (default: the time)"
    )
    asked = parser.parse_args()
    told = {"SHUTOKO_FUZZ_MINUTES": str(asked.minutes), "SHUTOKO_FUZZ_SEED": str(asked.seed)}
    tests = [f"{_TEST}[{name}]" for name in asked.targets] or [_TEST]
    print(f"seed {asked.seed}", flush=True)
    return subprocess.run(  # noqa: S603 - our tests
        [sys.executable, "-m", "pytest", "-q", "-s", "-n", "0", "-p", "no:cacheprovider", *tests],
        env=os.environ | told,
        cwd=Path(__file__).resolve().parents[1],
        check=False,
    ).returncode


if __name__ == "__main__":
    raise SystemExit(main())
