"""What a photo, or the marks on one, says of a diary: the places of what stands, or the plies that
were built since.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from rules.record import Entry
from shutoko.diary.correcting import Correction, corrected
from shutoko.diary.diary import Diary

if TYPE_CHECKING:
    from sim.photo.marks import Marks
    from sim.referee.table import Table


def seen_on(diary: Diary, path: Path) -> Correction | tuple[Entry, ...]:
    """What a photo or a file of marks says: a correction of the places, or the next plies of the
    diary, each to be judged. Only marks show plies: they say in which order roads were built.

    Raises InputError if they cannot be used, with what to try; UnavailableError for a photo without
    OpenCV.
    """
    # more threads only wait for each other on matrices as small as these
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from shutoko.export.photograph import is_photo
    from sim.photo.following import follow
    from sim.photo.marks import read_marks
    from sim.photo.matching import found_on

    if is_photo(path):
        marks = _found_in(path)
    else:
        marks = read_marks(path)
        if _goes_on(diary.table, marks):
            return tuple(step.entry for step in follow(diary.record, marks).steps)
    return corrected(diary, found_on(diary.table, marks))


def _found_in(path: Path) -> Marks:
    """The marks that are found in a photo without a tap."""
    import numpy as np

    from shutoko.export.photograph import open_photo
    from sim.photo.finding.finder import find

    photo = open_photo(path)
    return find(np.asarray(photo.image), photo.focal).marks


def _goes_on(table: Table, marks: Marks) -> bool:
    """Whether marks go on from the table: the first road that it does not have is the next one of
    the player to move, from a pillar that stands.
    """
    if table.phase != "play" or table.outcome() is not None:
        return False
    new = next((road for road in marks.roads if road.id not in table.road_by_id), None)
    return (
        new is not None
        and new.owner == table.to_move
        and new.id == table.next_id(new.owner, "R")
        and new.base in table.pillar_by_id
    )
