"""Marks while somebody sets them: taps become roads, ends that lie together become pillars, and
nothing has to be named.

A draft is immutable; every edit makes a new one, so undoing is going back to an old one. Roads
stand in building order. Which of its ends a road was built from, and the ids of pieces, follow from
that order when the marks are asked for.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from rules.errors import InputError, Refusal
from sim.photo.marks import MAX_ROADS, ImageSize, Marks, Pixel, marks_of
from sim.referee import Table, letter

MOST_DISCS = 30
"""The most discs of a pillar, as in a file of marks."""

SHEETS = {"a4": (297.0, 210.0), "letter": (279.4, 215.9), "card": (85.6, 54.0)}
"""What may lie flat on the table as a gauge: length and width in mm."""

# two ends are on one pillar if they are nearer than this share of a road's length in the image
_TOGETHER = 0.2
_CORNERS = 4
_USUALLY = 3  # discs: roads go up and down again, and most pillars stay low


@dataclass(frozen=True, slots=True)
class DraftPillar:
    """A pillar that at least one road ends on."""

    owner: int
    discs: int
    junction: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class Planned:
    """A road that is known to be on the table: its name, its owner, and the pillar under each end
    (with its name), None for the table.
    """

    name: str
    owner: int
    feet: tuple[DraftPillar | None, DraftPillar | None]


@dataclass(frozen=True, slots=True)
class DraftRoad:
    """A road: the marks of its two ends, and the number of the pillar under each, None for the
    table. `planned` is the one that it was tapped as, if roads were known.
    """

    owner: int
    ends: tuple[Pixel, Pixel]
    feet: tuple[int | None, int | None]
    planned: Planned | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """What is marked so far. `first` is the first tap of a road that has no second one yet, `owner`
    whose roads are being marked, `picked` the place of the road that is looked at. `sheet` has up
    to four corners of the gauge named `gauge`.

    The first `old` roads are those of the photo before, with the marks that they have there. As
    soon as one of these marks is moved, the camera has moved: then an old road counts only if both
    of its marks are in `again`.

    `plan` are roads that are known and come next, in that order: they need no count of discs.
    `components` names the pieces, empty if nobody said which.
    """

    image: ImageSize
    players: int = 2
    pillars: tuple[DraftPillar, ...] = ()
    roads: tuple[DraftRoad, ...] = ()
    owner: int = 0
    first: Pixel | None = None
    picked: int | None = None
    sheet: tuple[Pixel, ...] = field(default=())
    gauge: str = "a4"
    old: int = 0
    again: frozenset[tuple[int, int]] = frozenset()
    plan: tuple[Planned, ...] = ()
    components: str = ""

    # --- roads ------------------------------------------------------------------------------------

    def tapped(self, at: Pixel) -> Draft:
        """The next end of a road. Raises InputError for a mark outside the image, or one road too
        many.
        """
        _check_inside(self, at)
        if self.first is None:
            return replace(self, first=at, picked=None)
        if len(self.roads) >= MAX_ROADS:
            raise InputError(
                Refusal(f"a photo has {MAX_ROADS} roads at most", "photo-roads", most=MAX_ROADS)
            )
        if math.dist(self.first, at) < 5.0:
            raise InputError(
                Refusal(
                    "both ends are marked at one place; tap the other end of the road",
                    "photo-one-place",
                )
            )
        if self.plan:
            return self._as_planned((self.first, at))
        road = DraftRoad(self.owner, (self.first, at), (None, None))
        grown = replace(self, roads=(*self.roads, road), first=None, picked=len(self.roads))
        return _with_feet(grown, len(self.roads))

    def _as_planned(self, ends: tuple[Pixel, Pixel]) -> Draft:
        """The next road of the plan with its ends at these marks, in the order that lies nearer to
        what is marked of its pillars.
        """
        planned, pillars = self.plan[0], list(self.pillars)
        number = {pillar.name: n for n, pillar in enumerate(pillars) if pillar.name}
        for foot in planned.feet:
            if foot is not None and foot.name not in number:
                number[foot.name] = len(pillars)
                pillars.append(foot)
        feet = [None if foot is None else number[foot.name] for foot in planned.feet]

        def off(pair: tuple[Pixel, Pixel]) -> float:
            return sum(
                math.dist(at, mark)
                for foot, at in zip(feet, pair, strict=True)
                for road in self.roads
                for end, mark in zip(road.feet, road.ends, strict=True)
                if foot is not None and end == foot
            )

        swapped = (ends[1], ends[0])
        road = DraftRoad(
            planned.owner,
            swapped if off(swapped) < off(ends) else ends,
            (feet[0], feet[1]),
            planned,
        )
        return replace(
            self.skipped(),
            pillars=tuple(pillars),
            roads=(*self.roads, road),
            picked=len(self.roads),
        )

    def skipped(self) -> Draft:
        """The draft without the next road of the plan, which cannot be seen."""
        rest = self.plan[1:]
        return replace(self, plan=rest, first=None, owner=rest[0].owner if rest else self.owner)

    def moved(self, road: int, end: int, at: Pixel) -> Draft:
        """One mark set elsewhere; the pillars stay as they are."""
        _check_inside(self, at)
        ends = self.roads[road].ends
        moved = _changed(self, road, ends=(ends[0], at) if end else (at, ends[1]))
        return replace(moved, again=self.again | {(road, end)}) if road < self.old else moved

    def without(self, road: int) -> Draft:
        """Without one road and without pillars that only it is on. Raises InputError for a road of
        the photo before.
        """
        _check_new(self, road)
        roads = (*self.roads[:road], *self.roads[road + 1 :])
        known = self.roads[road].planned
        plan = self.plan if known is None else (known, *self.plan)
        return _swept(replace(self, roads=roads, picked=None, first=None, plan=plan))

    def coloured(self, road: int, owner: int) -> Draft:
        """A road of another player, on pillars of that player. Raises InputError for one of the
        photo before.
        """
        if self.roads[road].owner == owner:
            return self
        _check_new(self, road)
        bare = _changed(self, road, owner=owner, feet=(None, None))
        return _swept(_with_feet(bare, road))

    def chain(self, road: int) -> tuple[int, ...]:
        """The roads that hang together with this one by their pillars, with itself, in building
        order; none of the photo before.
        """
        found, front = {road}, [road]
        while front:
            feet = {foot for foot in self.roads[front.pop()].feet if foot is not None}
            near = [
                n
                for n in range(self.old, len(self.roads))
                if n not in found and not feet.isdisjoint(self.roads[n].feet)
            ]
            found.update(near)
            front += near
        return tuple(sorted(found))

    def recoloured(self, road: int, owner: int) -> Draft:
        """The whole chain of a road as another player's, on its pillars; where one of them is also
        under an end of that player's roads, it becomes one with the pillar there. Raises InputError
        for a road of the photo before.
        """
        if self.roads[road].owner == owner:
            return self
        _check_new(self, road)
        draft, chain = self, self.chain(road)
        others = [n for n in range(len(self.roads)) if n not in chain]
        kept = {foot for n in others for foot in self.roads[n].feet}
        for n in chain:
            draft = _changed(draft, n, owner=owner)
        for foot in {foot for n in chain for foot in self.roads[n].feet if foot is not None}:
            ends = [(n, end) for n in chain for end in (0, 1) if self.roads[n].feet[end] == foot]
            beyond = {draft.roads[n].feet[1 - end] for n, end in ends} | {None}
            near = [_near(draft, *one, among=others) for one in ends]
            other = next((found for found in near if found not in beyond), None)
            if other is None and foot in kept:
                other = len(draft.pillars)
                draft = replace(draft, pillars=(*draft.pillars, self.pillars[foot]))
            place = foot if other is None else other
            for n, end in ends:
                draft = _footed(draft, n, end, place)
            draft = _with_pillar(draft, place, replace(draft.pillars[place], owner=owner))
        return _swept(replace(draft, picked=road))

    def placed(self, road: int, place: int) -> Draft:
        """A road at another place of the building order. Raises InputError for a place in that of
        the photo before.
        """
        _check_new(self, min(road, place))
        rest = [one for n, one in enumerate(self.roads) if n != road]
        rest.insert(place, self.roads[road])
        return replace(self, roads=tuple(rest), picked=place)

    def seated(self, players: int) -> Draft:
        """The draft with so many players. Raises InputError if one that has roads would be
        missing.
        """
        if any(road.owner >= players for road in self.roads):
            raise InputError(
                Refusal(
                    f"there are roads of more than {players} colours; give them other colours "
                    "first",
                    "photo-colours",
                    players=players,
                )
            )
        return replace(self, players=players, owner=min(self.owner, players - 1))

    def looking_at(self, road: int) -> Draft:
        """The draft with another road looked at."""
        return replace(self, picked=road, first=None)

    def of_colour(self, owner: int) -> Draft:
        """The draft with roads of that player coming next."""
        return replace(self, owner=owner, first=None)

    def since(self, image: ImageSize) -> Draft:
        """What to begin with on the next photo of the same table. Raises InputError if the photos
        have different sizes.
        """
        if (image.width, image.height) != (self.image.width, self.image.height):
            raise InputError(
                Refusal(
                    "the photos have different sizes; take both with the same camera, held the "
                    "same way",
                    "photo-sizes",
                )
            )
        kept = replace(
            self,
            image=image,
            first=None,
            picked=None,
            sheet=(),
            old=len(self.roads),
            again=frozenset(),
        )
        return kept.of_colour((self.roads[-1].owner + 1) % self.players if self.roads else 0)

    # --- pillars ----------------------------------------------------------------------------------

    def discs(self, road: int, end: int) -> int:
        """How many discs are under an end; 0 on the table."""
        foot = self.roads[road].feet[end]
        return 0 if foot is None else self.pillars[foot].discs

    def is_yellow(self, road: int, end: int) -> bool:
        """Whether a yellow disc lies on top of the pillar under an end."""
        foot = self.roads[road].feet[end]
        return foot is not None and self.pillars[foot].junction

    def counted(self, road: int, end: int, discs: int) -> Draft:
        """An end on so many discs, 0 for the table: all roads on that pillar rise or sink with it.

        Raises InputError if the road would lie on the table with both ends, or the pillar is no
        pillar.
        """
        one, foot = self.roads[road], self.roads[road].feet[end]
        if not 0 <= discs <= MOST_DISCS:
            raise InputError(
                Refusal(f"a pillar has 1 to {MOST_DISCS} discs", "photo-discs", most=MOST_DISCS)
            )
        if discs == 0:
            if one.feet[1 - end] is None:
                raise InputError(
                    Refusal(
                        "both ends would be on the table; a road rests on one pillar at least",
                        "photo-both-down",
                    )
                )
            return _swept(_footed(self, road, end, None))
        if foot is None:
            near = _near(self, road, end)
            return (
                _footed(self, road, end, near)
                if near is not None
                else _on_new(self, road, end, discs)
            )
        pillar = self.pillars[foot]
        if pillar.junction and discs < 2:
            raise InputError(
                Refusal(
                    "a junction has a grey disc under its yellow one; it has two discs or more",
                    "photo-junction",
                )
            )
        return _with_pillar(self, foot, replace(pillar, discs=discs))

    def yellowed(self, road: int, end: int, *, junction: bool) -> Draft:
        """A pillar with a yellow disc on top, or without."""
        foot = self.roads[road].feet[end]
        if foot is None:
            return self
        pillar = self.pillars[foot]
        return _with_pillar(
            self, foot, replace(pillar, junction=junction, discs=max(pillar.discs, 1 + junction))
        )

    def shared(self, road: int, end: int) -> bool:
        """Whether another road ends on the pillar under this end."""
        return _bearers(self, self.roads[road].feet[end]) > 1

    def parted(self, road: int, end: int) -> Draft:
        """An end on a pillar of its own, although another road ends near it; or again on the pillar
        that they share.
        """
        foot = self.roads[road].feet[end]
        if foot is None:
            return self
        if _bearers(self, foot) > 1:
            return _on_new(self, road, end, self.pillars[foot].discs)
        near = _near(self, road, end, reach=2 * _TOGETHER)
        return self if near is None else _swept(_footed(self, road, end, near))

    # --- a gauge ----------------------------------------------------------------------------------

    def cornered(self, at: Pixel) -> Draft:
        """One more corner of the sheet, the first two along a long side; a fifth begins anew."""
        _check_inside(self, at)
        return replace(self, sheet=(*self.sheet, at) if len(self.sheet) < _CORNERS else (at,))

    def on_gauge(self, gauge: str) -> Draft:
        """Another gauge, by its name in SHEETS."""
        return replace(self, gauge=gauge if gauge in SHEETS else self.gauge)

    # --- what the marks are -----------------------------------------------------------------------

    def names(self) -> tuple[tuple[str, ...], dict[int, str]]:
        """The ids of the roads in building order, and those of the pillars by their numbers."""
        counts: Counter[tuple[int, str]] = Counter()
        roads, pillars = [], dict[int, str]()
        for road, (base, target) in zip(self.roads, self._built(), strict=True):
            roads.append(f"{letter(road.owner)}-R{counts[road.owner, 'R']}")
            counts[road.owner, "R"] += 1
            for foot in (base, target):
                if foot is not None and foot not in pillars:
                    pillars[foot] = f"{letter(road.owner)}-P{counts[road.owner, 'P']}"
                    counts[road.owner, "P"] += 1
        return tuple(roads), pillars

    def to_json(self) -> dict[str, Any]:
        """The marks as a file has them."""
        roads, names = self.names()
        shown = [n for n in range(len(roads)) if self._counts(n)]
        borne = {foot for n in shown for foot in self.roads[n].feet}
        pillars = {number: name for number, name in names.items() if number in borne}
        image, focal = {"width": self.image.width, "height": self.image.height}, self.image.focal
        value: dict[str, Any] = {
            "marks": "shutoko",
            "version": [1, 0],
            "image": image if focal is None else image | {"focal": round(focal, 1)},
            "players": self.players,
        }
        if self.components:
            value["components"] = self.components
        if len(self.sheet) == _CORNERS:
            value["sheet"] = {
                "size": list(SHEETS[self.gauge]),
                "corners": [_rounded(corner) for corner in self.sheet],
            }
        value["pillars"] = [
            {"id": name, "owner": one.owner, "discs": one.discs, "junction": one.junction}
            for number, name in pillars.items()
            for one in (self.pillars[number],)
        ]
        value["roads"] = []
        built = list(self._built())
        for n in shown:
            name, road, feet = roads[n], self.roads[n], built[n]
            base, target = (None if foot is None else pillars[foot] for foot in feet)
            ends = road.ends if feet == road.feet else road.ends[::-1]
            value["roads"].append(
                {
                    "id": name,
                    "owner": road.owner,
                    "from": base,
                    "to": target,
                    "ends": [_rounded(end) for end in ends],
                }
            )
        return value

    def marks(self) -> Marks:
        """The marks, checked. Raises InputError."""
        return marks_of(json.dumps(self.to_json()).encode(), outside=True)

    def nearest(self, at: Pixel, slack: float) -> int | None:
        """The road that runs nearest to a pixel, None if none is within `slack` pixels."""
        away = [_beside(at, *road.ends) for road in self.roads]
        best = min(range(len(away)), key=away.__getitem__, default=None)
        return best if best is not None and away[best] <= slack else None

    # --- small things -----

    def _counts(self, road: int) -> bool:
        """Whether the marks of a road count: once the camera has moved, those of an old one only if
        both were set again.
        """
        return road >= self.old or not self.again or {(road, 0), (road, 1)} <= self.again

    def _built(self) -> Iterator[tuple[int | None, int | None]]:
        """From which pillar each road was built and to which: from the one that stood before, and
        from the table for a ramp.
        """
        standing: set[int] = set()
        for road in self.roads:
            base, target = road.feet
            turned = base not in standing and (target is None or target in standing)
            feet = (target, base) if turned else (base, target)
            standing.update(foot for foot in feet if foot is not None)
            yield feet


def offered(discs: int) -> range:
    """The counts of discs that somebody may mean who sees this one: five, it and its neighbours."""
    least = min(max(0, discs - 2), MOST_DISCS - 4)
    return range(least, least + 5)


def planned(table: Table) -> tuple[Planned, ...]:
    """The roads of a table that is known, in building order; an entrance ramp comes from the
    table.
    """
    stands = {
        one.id: DraftPillar(one.owner, one.discs, one.junction, one.id) for one in table.pillars
    }
    found = []
    for road in table.roads:
        base, target = stands[road.base], stands.get(road.target or "")
        feet = (None, base) if road.kind == "entrance" else (base, target)
        found.append(Planned(road.id, road.owner, feet))
    return tuple(found)


def _check_new(draft: Draft, road: int) -> None:
    if road < draft.old:
        raise InputError(
            Refusal("this road was there on the photo before; it stays as it was", "photo-older")
        )


def _with_feet(draft: Draft, road: int) -> Draft:
    """A new road on the pillars that its ends are near to, else on new ones; a colour's first road
    comes from the table.
    """
    one = draft.roads[road]
    near = [_near(draft, road, end) for end in (0, 1)]
    if near[0] is not None and near[0] == near[1]:
        near[1] = None
    if near == [None, None] and not any(
        other.owner == one.owner for n, other in enumerate(draft.roads) if n != road
    ):
        return _on_new(draft, road, 1, 1)
    for end, foot in sorted(enumerate(near), key=lambda item: item[1] is None):
        beyond = draft.discs(road, 1 - end)
        guess = beyond + 1 if beyond < _USUALLY else beyond - 1
        draft = (
            _footed(draft, road, end, foot)
            if foot is not None
            else _on_new(draft, road, end, guess)
        )
    return draft


def _near(
    draft: Draft,
    road: int,
    end: int,
    reach: float = _TOGETHER,
    among: Collection[int] | None = None,
) -> int | None:
    """The pillar of the nearest end of a road of the same player, or of one `among` these, if that
    is near enough.
    """
    one = draft.roads[road]
    found = [
        (math.dist(one.ends[end], there), min(math.dist(*one.ends), math.dist(*other.ends)), foot)
        for n, other in enumerate(draft.roads)
        if n != road and other.owner == one.owner and (among is None or n in among)
        for foot, there in zip(other.feet, other.ends, strict=True)
        if foot is not None and foot != one.feet[1 - end]
    ]
    near = [(away, foot) for away, long, foot in found if away < reach * long]
    return min(near, key=lambda item: item[0], default=(math.inf, None))[1]


def _bearers(draft: Draft, foot: int | None) -> int:
    return sum(foot in road.feet for road in draft.roads) if foot is not None else 0


def _on_new(draft: Draft, road: int, end: int, discs: int) -> Draft:
    grown = replace(draft, pillars=(*draft.pillars, DraftPillar(draft.roads[road].owner, discs)))
    return _footed(grown, road, end, len(draft.pillars))


def _footed(draft: Draft, road: int, end: int, foot: int | None) -> Draft:
    feet = draft.roads[road].feet
    return _changed(draft, road, feet=(feet[0], foot) if end else (foot, feet[1]))


def _with_pillar(draft: Draft, foot: int, pillar: DraftPillar) -> Draft:
    return replace(draft, pillars=(*draft.pillars[:foot], pillar, *draft.pillars[foot + 1 :]))


def _changed(draft: Draft, road: int, **values: Any) -> Draft:
    roads = (*draft.roads[:road], replace(draft.roads[road], **values), *draft.roads[road + 1 :])
    return replace(draft, roads=roads, picked=road)


def _swept(draft: Draft) -> Draft:
    """Without the pillars that no road ends on."""
    used = sorted({foot for road in draft.roads for foot in road.feet if foot is not None})
    number: dict[int | None, int] = {old: new for new, old in enumerate(used)}
    roads = tuple(
        replace(road, feet=(number.get(road.feet[0]), number.get(road.feet[1])))
        for road in draft.roads
    )
    return replace(draft, pillars=tuple(draft.pillars[old] for old in used), roads=roads)


def _check_inside(draft: Draft, at: Pixel) -> None:
    if not (0.0 <= at[0] <= draft.image.width and 0.0 <= at[1] <= draft.image.height):
        raise InputError(Refusal("this place is outside the photo; tap inside", "photo-outside"))


def _rounded(mark: Pixel) -> list[float]:
    return [round(mark[0], 1), round(mark[1], 1)]


def _beside(at: Pixel, start: Pixel, end: Pixel) -> float:
    """How far a pixel is from the line between two others."""
    along = (end[0] - start[0], end[1] - start[1])
    square = max(along[0] ** 2 + along[1] ** 2, 1e-9)
    run = (at[0] - start[0]) * along[0] + (at[1] - start[1]) * along[1]
    share = min(max(run / square, 0.0), 1.0)
    return math.dist(at, (start[0] + share * along[0], start[1] + share * along[1]))
