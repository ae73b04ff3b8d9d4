"""Whatever almost right input does, it ends in an error of ours or in nothing; longer runs:
tools/fuzz.py.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.bad_input.fuzzing import CORPUS, TARGETS, corpus

FOUND = list(corpus())


def test_the_corpus_is_there_and_every_file_of_it_names_a_target() -> None:
    assert len(FOUND) == len(list(CORPUS.iterdir())) > 0
    assert {target for _, target, _ in FOUND} <= TARGETS.keys()


@pytest.mark.parametrize(
    ("target", "text"), [pytest.param(target, text, id=name) for name, target, text in FOUND]
)
def test_what_fuzzing_found_once_is_no_bug_any_more(target: str, text: str) -> None:
    TARGETS[target].run(text)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, target in TARGETS.items() if target.quick])
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_almost_right_input_ends_in_an_error_of_ours_or_in_nothing(
    name: str, data: st.DataObject
) -> None:
    TARGETS[name].run(data.draw(TARGETS[name].texts))
