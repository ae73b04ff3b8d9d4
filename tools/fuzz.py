"""Fuzzes everything that reads input, for a given time, and keeps what it finds.

    python tools/fuzz.py --minutes 30
    python tools/fuzz.py --minutes 2 --seed 7 records layouts
    python tools/fuzz.py --minutes 2 --guided records

Each target of tests/bad_input/fuzzing.py gets the same share of the time. If an input ends in an
exception that is not one of our errors, or takes longer than ten seconds, Hypothesis makes it
smaller and the script writes it to tests/bad_input/corpus/. Every test run tries it again. Exit
code 1 if anything was found.

`--guided` fuzzes one target with Atheris (`pip install atheris`), which changes inputs byte by byte
and goes on from those that reach code that no other has reached. It stops at the first input that
fails.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
import time
import traceback
from contextlib import nullcontext
from pathlib import Path
from typing import NoReturn

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hypothesis import HealthCheck, Phase, given, seed, settings

if "--guided" in sys.argv:
    try:
        import atheris
    except ImportError:
        sys.exit("--guided needs Atheris: pip install atheris")
    root = Path(__file__).resolve().parents[1]
    sources = [path for name in ("rules", "sim") for path in (root / name).rglob("*.py")]
    # Numba must understand them
    jitted = [
        path.relative_to(root) for path in sources if "jit" in path.read_text(encoding="utf-8")
    ]
    exclude = [".".join(path.with_suffix("").parts) for path in jitted]
    instrumented = atheris.instrument_imports(include=["rules", "sim", "shutoko"], exclude=exclude)
else:
    instrumented = nullcontext()
with instrumented:
    from tests.bad_input.fuzzing import CORPUS, TARGETS, Target

_ROUND = 50  # examples between two looks at the clock
_SLOW = 10.0  # seconds of processor time that one input may take; each is a few kilobytes


def main() -> int:
    """Run the targets; 1 if one of them found something."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; default: all"
    )
    parser.add_argument(
        "--minutes", type=float, default=2.0, help="for all targets together (default: 2)"
    )
    parser.add_argument(
        "--seed", type=int, default=None, help="of the first round (default: drawn from the clock)"
    )
    parser.add_argument(
        "--guided",
        action="store_true",
        help="one target, guided by what its inputs reach (Atheris)",
    )
    given_ = parser.parse_args()
    if given_.guided:
        if len(given_.targets) != 1:
            parser.error("--guided takes one target")
        _guided(TARGETS[given_.targets[0]], given_.minutes * 60)
    chosen = given_.targets or list(TARGETS)
    first = int(time.time()) if given_.seed is None else given_.seed
    share = given_.minutes * 60 / len(chosen)
    print(f"{'target':14}{'inputs':>9}{'a second':>10}{'slowest':>10}  found    (seed {first})")
    found = [_fuzzed(TARGETS[name], share, first) for name in chosen]
    return 1 if any(found) else 0


def _guided(target: Target, seconds: float) -> NoReturn:
    """Fuzzes until the time is over, and ends the process: Atheris does not come back."""
    begin, inputs = time.monotonic(), 0

    def once(data: bytes) -> None:
        nonlocal inputs
        inputs += 1
        text = data.decode("utf-8", "replace")
        try:
            target.run(text)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what we look for
            _keep(target, text, error)
            os._exit(1)
        if (passed := time.monotonic() - begin) > seconds:
            print(
                (
                    f"{target.name}, guided: {inputs} inputs, {inputs / passed:.0f} a second, "
                    "nothing "
                    "found"
                ),
                flush=True,
            )
            os._exit(0)

    with tempfile.TemporaryDirectory() as folder:
        for n, text in enumerate(_examples(target)):
            (Path(folder) / str(n)).write_bytes(text.encode("utf-8", "surrogatepass"))
        atheris.Setup([sys.argv[0], "-verbosity=0", "-rss_limit_mb=4096", folder], once)
        atheris.Fuzz()
    sys.exit("Atheris came back")


def _examples(target: Target) -> list[str]:
    """Inputs to begin with."""
    found: list[str] = []
    few = settings(
        max_examples=_ROUND,
        database=None,
        deadline=None,
        derandomize=True,
        phases=(Phase.generate,),
    )
    few(given(target.texts)(lambda text: found.append(text)))()  # noqa: PLW0108 - Hypothesis takes no built-in
    return found


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
    """Write what was found to the corpus, once, and print where it came from."""
    name = (
        f"{target.name.replace(' ', '-')}-"
        f"{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"
    )
    path = CORPUS / f"{name}.json"
    CORPUS.mkdir(exist_ok=True)
    if not path.exists():
        path.write_text(json.dumps({"target": target.name, "text": text}) + "\n", encoding="utf-8")
        where = traceback.extract_tb(error.__traceback__)[-1]
        told = " ".join(str(error).split())[:200]
        print(
            f"  {path.name}: {type(error).__name__} in {where.filename}:{where.lineno}: {told}",
            flush=True,
        )


if __name__ == "__main__":
    raise SystemExit(main())
