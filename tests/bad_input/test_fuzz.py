"""Whatever almost right input does, it ends in an error of ours or in nothing; longer runs:
tools/fuzz.py.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.bad_input.fuzzing import CORPUS, TARGETS, corpus

FOUND = list(corpus())
MINUTES = float(os.environ.get("SHUTOKO_FUZZ_MINUTES", "0"))
SEED = int(os.environ.get("SHUTOKO_FUZZ_SEED", "0"))
# seconds of processor time that one input may take; an engine settles every ply of one not quick,
# and a ply that never rests twice: once more to see whether it is a close call
SLOW = {True: 10.0, False: 90.0}
ROUND = settings(
    max_examples=40,
    database=None,
    deadline=None,
    derandomize=False,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)


def test_the_corpus_is_there_and_every_file_of_it_names_a_target() -> None:
    assert len(FOUND) == len(list(CORPUS.iterdir())) > 0
    assert {target for _, target, _ in FOUND} <= TARGETS.keys()


@pytest.mark.parametrize(
    ("target", "text"), [pytest.param(target, text, id=name) for name, target, text in FOUND]
)
def test_what_fuzzing_found_once_is_no_bug_any_more(target: str, text: str) -> None:
    TARGETS[target].run(text)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, one in TARGETS.items() if one.quick or MINUTES])
def test_almost_right_input_ends_in_an_error_of_ours_or_in_nothing(
    name: str, request: pytest.FixtureRequest
) -> None:
    """One round, or as many as the time has room for that tools/fuzz.py gives to all targets."""
    share, begin, inputs = 60 * MINUTES / len(request.session.items), time.monotonic(), 0
    slowest, rounds, passed, last = 0.0, 0, 0.0, ""

    def once(text: str) -> None:
        nonlocal inputs, last, slowest
        inputs, last = inputs + 1, text
        started = time.process_time()
        TARGETS[name].run(text)
        slowest = max(slowest, took := time.process_time() - started)
        assert took < SLOW[TARGETS[name].quick], f"this took {took:.1f} s"

    while not rounds or passed < share:
        try:
            seed(SEED + rounds)(ROUND(given(TARGETS[name].texts)(once)))()
        except Exception:
            if MINUTES:
                keep(name, last)  # Hypothesis runs the smallest input last
            raise
        rounds, passed = rounds + 1, time.monotonic() - begin
    sys.stdout.write(
        f"{name:14}{inputs:9} inputs, {inputs / passed:.0f} a second, the slowest {slowest:.2f} s\n"
    )


def keep(target: str, text: str) -> None:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    path = CORPUS / f"{target.replace(' ', '-')}-{digest}.json"
    path.write_text(json.dumps({"target": target, "text": text}) + "\n", encoding="utf-8")
    sys.stdout.write(f"kept as {path.name}\n")
