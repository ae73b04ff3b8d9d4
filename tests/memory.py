"""Memory that a piece of code keeps, measured in a process of its own, where no other test has left
holes in the heap.
"""

import subprocess
import sys

_MEASURE = """
import os
from pathlib import Path

def resident():
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

{setup}
work({warm})
before = resident()
work({measured})
print(resident() - before)
"""


def growth(setup: str, warm: int, measured: int) -> float:
    """Resident memory in MiB that ``work(measured)`` adds after ``work(warm)``; `setup` defines
    ``work``.
    """
    script = _MEASURE.format(setup=setup, warm=warm, measured=measured)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return float(done.stdout)
