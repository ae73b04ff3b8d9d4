from __future__ import annotations

import pytest

from rules.errors import InputError
from shutoko.web.photos import KEPT, MOST_OF_ONE, MOST_SIDES, Photos
from shutoko.web.work.photos import Developed

PHOTO = Developed(b"a jpeg", 1600, 1200, 1500.0)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_photo_is_for_the_browser_that_sent_it_only() -> None:
    photos = Photos()
    held = photos.hold(PHOTO, "ann")
    assert photos.of(held.id, "ann") is held
    assert photos.of(held.id, "bo") is None
    assert photos.of("another", "ann") is None
    assert (held.draft.image.width, held.draft.image.focal) == (1600, 1500.0)


def test_a_photo_is_forgotten_an_hour_after_somebody_last_looked_at_it() -> None:
    clock = Clock()
    photos = Photos(clock)
    held = photos.hold(PHOTO, "ann")
    for clock.now, still in ((KEPT - 1, held), (2 * KEPT - 2, held), (3 * KEPT - 1, None)):
        assert photos.of(held.id, "ann") is still


@pytest.mark.parametrize(
    ("other", "holder", "counted"),
    [
        (("bo", None), "ann", None),
        (("bo", "198.51.100.7"), "cookie {}", "2001:db8::/64"),
    ],
    ids=["of a browser", "of an address, whatever cookies it makes"],
)
def test_of_too_many_photos_the_oldest_gives_way_and_not_that_of_another(
    other: tuple[str, str | None], holder: str, counted: str | None
) -> None:
    clock, own = Clock(), []
    photos = Photos(clock)
    theirs = photos.hold(PHOTO, other[0], counted=other[1])
    for clock.now in range(1, MOST_OF_ONE + 2):
        who = holder.format(clock.now)
        own.append((photos.hold(PHOTO, who, counted=counted).id, who))
    held = [photos.of(name, who) is not None for name, who in own]
    assert held == [False] + [True] * MOST_OF_ONE
    assert photos.of(theirs.id, "bo") is theirs


def test_the_next_photo_of_a_table_begins_with_the_marks_and_the_record_of_the_one_before() -> None:
    photos = Photos()
    first = photos.hold(PHOTO, "ann")
    first.change(first.draft.tapped((10.0, 10.0)).tapped((300.0, 10.0)))
    with pytest.raises(InputError, match="not held here any more"):
        photos.hold(PHOTO, "ann", first.id)  # not settled yet
    first.record = b"a record"
    second = photos.hold(PHOTO, "ann", first.id)
    assert (second.before, second.draft.old, len(second.draft.roads)) == (b"a record", 1, 1)
    with pytest.raises(InputError, match="not held here any more"):
        photos.hold(PHOTO, "bo", first.id)


def test_a_photo_has_at_most_two_others_from_other_sides_of_the_same_browser() -> None:
    photos = Photos()
    held = photos.hold(PHOTO, "ann")
    with pytest.raises(InputError, match="not held here any more"):
        photos.beside(PHOTO, held.id, "bo")
    for n in range(MOST_SIDES):
        assert photos.beside(PHOTO, held.id, "ann").sides == ((b"a jpeg", 1500.0),) * (n + 1)
    with pytest.raises(InputError, match="3 photos of one table are the most"):
        photos.beside(PHOTO, held.id, "ann")


def test_changes_are_undone_one_by_one() -> None:
    held = Photos().hold(PHOTO, "ann")
    empty = held.draft
    held.change(empty.tapped((10.0, 10.0)))
    held.change(held.draft.tapped((300.0, 10.0)))
    assert len(held.draft.roads) == 1
    assert held.undo()
    assert held.draft.first == (10.0, 10.0)
    assert held.undo()
    assert held.draft == empty
    assert not held.undo()
