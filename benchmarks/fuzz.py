"""Fuzzes everything that reads input, for as long as it is told, and keeps what it finds.

    python benchmarks/fuzz.py --minutes 30
    python benchmarks/fuzz.py --minutes 2 --seed 7 records layouts

Each target of tests/bad_input/fuzzing.py gets the same share of the time. What ends in anything but an error of ours, or takes
longer than ten seconds, is made smaller by Hypothesis and written to tests/bad_input/corpus/. Every test run tries it again.
Exit code 1 if anything was found.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.bad_input.fuzzing import CORPUS, TARGETS, Target

_ROUND = 50  # examples between two looks at the clock
_SLOW = 10.0  # seconds of processor time that one input may take; each is a few kilobytes


def main() -> int:
    """Run the targets; 1 if one of them found something."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; default: all")
    parser.add_argument("--minutes", type=float, default=2.0, help="for all targets together (default: 2)")
    parser.add_argument("--seed", type=int, default=None, help="of the first round (default: drawn from the clock)")
    given_ = parser.parse_args()
    chosen = given_.targets or list(TARGETS)
    first = int(time.time()) if given_.seed is None else given_.seed
    share = given_.minutes * 60 / len(chosen)
    print(f"{'target':14}{'inputs':>9}{'a second':>10}{'slowest':>10}  found    (seed {first})")
    found = [_fuzzed(TARGETS[name], share, first) for name in chosen]
    return 1 if any(found) else 0


def _fuzzed(target: Target, seconds: float, first: int) -> int:
    begin, inputs, slowest, found, round_ = time.monotonic(), 0, 0.0, 0, 0
    failed: list[tuple[str, Exception]] = []

    def once(text: str) -> None:
        nonlocal inputs, slowest
        inputs += 1
        started = time.process_time()
        try:
            target.run(text)
            took = time.process_time() - started
            slowest = max(slowest, took)
            assert took < _SLOW, f"this took {took:.1f} s"
        except Exception as error:
            failed.append((text, error))
            raise

    while time.monotonic() - begin < seconds:
        many = settings(
            max_examples=_ROUND,
            database=None,
            deadline=None,
            derandomize=False,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate, Phase.shrink),
        )
        failed.clear()
        try:
            seed(first + round_)(many(given(target.texts)(once)))()
        except Exception:  # whatever it is, it is what we look for
            if not failed:
                raise
            found += 1
            _keep(target, *failed[-1])  # Hypothesis runs the smallest input last
        round_ += 1
    passed = time.monotonic() - begin
    print(f"{target.name:14}{inputs:9}{inputs / passed:10.0f}{slowest:9.2f}s  {found}", flush=True)
    return found


def _keep(target: Target, text: str, error: BaseException) -> None:
    """Write what was found to the corpus, once, and say where it came from."""
    name = f"{target.name.replace(' ', '-')}-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"
    path = CORPUS / f"{name}.json"
    CORPUS.mkdir(exist_ok=True)
    if not path.exists():
        path.write_text(json.dumps({"target": target.name, "text": text}) + "\n", encoding="utf-8")
        where = traceback.extract_tb(error.__traceback__)[-1]
        told = " ".join(str(error).split())[:200]
        print(f"  {path.name}: {type(error).__name__} in {where.filename}:{where.lineno}: {told}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
