"""Keeps the scene of an error of physics in a file for a report of the bug, and says where it
is.
"""

import glob
import hashlib
from pathlib import Path

from rules.files import os_reason
from rules.record import disk

MAX_SCENES = 20
"""Scenes that are kept beside one file: what happens again and again fills no disk."""


def told_with_scene(error: BaseException, beside: Path) -> str:
    """The message of an error, and where its scene is kept, if it came with one."""
    return f"{error}{kept_scene(error, beside)}"


def kept_scene(error: BaseException, beside: Path, *, shown: str = "") -> str:
    """Keeps the scene of an error as `STEM-NUMBER.scene.json` beside a file; the same scene once.
    Returns words on that to go after the error's message, none for an error without a scene. They
    call the folder `shown`, if that is given.
    """
    from sim.physics.unsettled import dumps, scene_of

    scene = scene_of(error)
    if scene is None:
        return ""
    text = dumps(scene).encode()
    path = beside.with_name(f"{beside.stem}-{hashlib.sha256(text).hexdigest()[:8]}.scene.json")
    told = f"{shown}/{path.name}" if shown else str(path)
    try:
        if not path.exists():
            if (
                len(list(path.parent.glob(f"{glob.escape(beside.stem)}-*.scene.json")))
                >= MAX_SCENES
            ):
                return (
                    f" (the scene is not kept: there are {MAX_SCENES} already where {told} "
                    "would be)"
                )
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            disk.put(path, text)
    except OSError as failed:
        return f" (the scene cannot be kept in {told}: {os_reason(failed)})"
    return f"; what physics was asked is kept in {told}: please send that with a report"
