#!/usr/bin/env bash
# In code compiled by Numba, int(x) of a NumPy integer keeps its width and its sign: int() of a uint8
# stays a uint8, where Python makes a number without bounds. So -int(x) of a 1 is 255, ~int(x) is 254,
# and int(a) - int(b) of 1 and 2 is 2**64 - 1. A tuple of int(x) with x an int32 and of a 5 cannot be
# looped over: its members have different types.
# It matters where the same source runs as plain Python and compiled: the cast that makes the one
# right does nothing in the other. np.int64(x) serves in both.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check numba==0.68.1 numpy==2.4.6
"$folder/venv/bin/python" - <<'PROGRAM'
import sys

import numba
import numpy as np


def minus(x):
    return -int(x)


def inverted(x):
    return ~int(x)


def difference(x):
    return int(x) - int(x + x)


def total(x):
    found = 0
    for one in (int(x), 5):
        found += one
    return found


def cast(x):
    return -np.int64(x)


CASES = [
    (minus, np.uint8(1), -1, 255),
    (inverted, np.uint8(1), -2, 254),
    (difference, np.uint64(1), -1, 2**64 - 1),
    (total, np.int32(3), 8, "TypingError"),
    (cast, np.uint8(1), -1, -1),
]

print("numba", numba.__version__, "numpy", np.__version__)
changed = False
for function, x, plain, compiled in CASES:
    try:
        found = numba.njit(function)(x)
    except numba.core.errors.TypingError:
        found = "TypingError"
    changed |= (function(x), found) != (plain, compiled)
    print(f"{function.__name__} of {x!r}: Python {function(x)}, compiled {found} ({compiled} expected)")
sys.exit(changed)
PROGRAM
