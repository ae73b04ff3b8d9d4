"""Photos of tables that visitors brought, with what is marked on them; no web framework.

A photo is held in memory, for the browser that sent it, and never written to a disk. It is
forgotten when its visitor plays on from it or deletes it, an hour after somebody last looked at it,
and with the server.
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rules.errors import InputError
from shutoko.web.work import (
    Developed,
)
from sim.photo.drafting import Draft, planned
from sim.photo.marks import ImageSize
from sim.referee import Table

KEPT = 3600.0
"""Seconds after which a photo that nobody looked at is forgotten."""

MOST, MOST_OF_ONE = 40, 3
"""The most photos held, in all and of one visitor; a new one replaces the one that was looked at
longest ago. Visitors are counted as for all limits: by address, as anybody can make new cookies.
"""

MOST_SIDES = 2
"""The most photos from other sides that help with one."""

_UNDO = 200  # drafts kept for undoing


@dataclass(slots=True)
class HeldPhoto:
    """A photo as a JPEG without anything else that it carried, the marks on it, and the drafts
    before them.

    `before` is the record of the photo before, if there is one, `record` that of this one once it
    is settled. `noted` is the id of the diary whose table it shows, empty for none. `sides` are
    photos of the same table from other sides, each with its focal length in pixels if that is
    known.
    """

    id: str
    holder: str
    counted: str
    jpeg: bytes = field(repr=False)
    draft: Draft
    past: list[Draft] = field(default_factory=list, repr=False)
    looked_at: float = 0.0
    before: bytes | None = field(default=None, repr=False)
    record: bytes | None = field(default=None, repr=False)
    noted: str = ""
    sides: tuple[tuple[bytes, float | None], ...] = field(default=(), repr=False)

    def change(self, draft: Draft) -> None:
        """Goes on with another draft; `undo` goes back."""
        if draft != self.draft:
            self.past.append(self.draft)
            del self.past[:-_UNDO]
            self.draft = draft

    def undo(self) -> bool:
        """Goes back by one change; returns whether there was one."""
        if not self.past:
            return False
        self.draft = self.past.pop()
        return True


class Photos:
    """The photos of all visitors. Use from one event loop."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._held: dict[str, HeldPhoto] = {}

    def hold(
        self,
        photo: Developed,
        holder: str,
        after: str = "",
        counted: str | None = None,
        noted: str = "",
        table: Table | None = None,
    ) -> HeldPhoto:
        """Holds a photo for a browser. `after` is the id of the photo of the same table before, if
        there is one. `counted` is by whom it is counted, such as an address, the browser if that is
        None. `noted` is the id of the diary whose `table` it shows: its roads come next on it.

        Raises InputError if that is not held or not settled, or has another size.
        """
        self._forget_old()
        draft, before = Draft(ImageSize(photo.width, photo.height, photo.focal)), None
        if after:
            earlier = self.of(after, holder)
            if earlier is None or earlier.record is None:
                raise InputError(
                    "the photo before this one is not held here any more; "
                    "begin with a photo of its own"
                )
            draft, before = earlier.draft.since(draft.image), earlier.record
        if table is not None:
            plan = planned(table)
            draft = replace(
                draft,
                players=table.turns.seats,
                plan=plan,
                owner=plan[0].owner if plan else 0,
            )
        who = holder if counted is None else counted
        own = [one for one in self._held.values() if one.counted == who]
        for most, among in ((MOST_OF_ONE, own), (MOST, [*self._held.values()])):
            if len(among) >= most:
                self._held.pop(min(among, key=lambda one: one.looked_at).id, None)
        held = HeldPhoto(
            secrets.token_urlsafe(18),
            holder,
            who,
            photo.jpeg,
            draft,
            looked_at=self._clock(),
            before=before,
            noted=noted,
        )
        self._held[held.id] = held
        return held

    def beside(self, photo: Developed, name: str, holder: str) -> HeldPhoto:
        """Holds a photo of the same table from another side, with the photo of that id.

        Raises InputError if that is not held, or has as many already as can help.
        """
        held = self.of(name, holder)
        if held is None:
            raise InputError("the photo that this one goes with is not held here any more")
        if len(held.sides) >= MOST_SIDES:
            raise InputError(
                f"{MOST_SIDES + 1} photos of one table are the most; delete this one and begin "
                "anew for others"
            )
        held.sides = (*held.sides, (photo.jpeg, photo.focal))
        return held

    def of(self, name: str, holder: str) -> HeldPhoto | None:
        """The photo of that id, for the browser that sent it only."""
        self._forget_old()
        held = self._held.get(name)
        if held is None or held.holder != holder:
            return None
        held.looked_at = self._clock()
        return held

    def forget(self, name: str) -> None:
        """Forgets a photo and its marks."""
        self._held.pop(name, None)

    def _forget_old(self) -> None:
        now = self._clock()
        for held in [*self._held.values()]:
            if now - held.looked_at > KEPT:
                del self._held[held.id]
