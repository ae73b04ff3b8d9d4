"""Worker processes end when the process that started them does, however it ends."""

import multiprocessing
import os
import signal
import sys
import threading

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def end_with_parent() -> None:
    """Call it first in a worker process: a parent that is killed cannot end its workers.

    On Linux the system kills the worker, even one that is stopped or never leaves a library's code.
    On other systems, or if the parent has ended already, a thread that waits for the parent ends
    the worker. Start the worker from a thread that lives as long as its process, because to Linux
    that thread is the parent.
    """
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    threading.Thread(target=_end_after_parent, daemon=True).start()


def _end_after_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
