"""What a person says of a table that was found: facts for the next solution, and the questions that
settle most.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from sim.bodies import Floats
from sim.photo.camera import Camera
from sim.photo.drafting import Draft
from sim.photo.finding.looking import Look
from sim.photo.finding.owners import Owning
from sim.photo.finding.pooling import Pool
from sim.photo.finding.roads import Road, chosen, same
from sim.photo.finding.standing import Standing
from sim.photo.marks import Pixel

Both = tuple[int | None, int | None]

_MOVED = 0.06  # of a road's length: its hidden end may lie otherwise by so much
# shares of a road's length by which a tap on its middle may miss that along and aside, what it
# costs to miss it by so much along, and the least score of a road that a person says is there
_MIDDLE, _BESIDE, _AWAY, _ANY = 0.2, 0.06, 0.1, 0.0
_NOTHING = 0.5  # how much an answer must settle to be asked for


@dataclass(frozen=True)
class Fact:
    """What a person says of a road: that it is there, or `gone`; its owner, the discs under its
    ends (0 is the table) and whether these are yellow on top, None where nothing is said.
    """

    road: Road
    gone: bool = False
    owner: int | None = None
    discs: Both = (None, None)
    yellow: Both = (None, None)

    @property
    def key(self) -> bytes:
        """What tells the road from others."""
        return self.road.at.tobytes()


@dataclass(frozen=True)
class Question:
    """What a person can settle by one tap: the road with these `ends` in pixels, whether it is
    there, how many discs are under its `end`, or whose the roads `lit` (numbers in the draft) are;
    and what follows from each of the `choices`. The first choice is what was found.
    """

    about: Literal["road", "discs", "owner"]
    ends: tuple[Pixel, Pixel]
    end: int
    choices: tuple[int, int]
    facts: tuple[Fact, Fact]
    settles: float
    lit: tuple[int, ...] = ()


@dataclass(frozen=True)
class Known:
    """What was found so far: the draft, its roads and their pillars as the picture shows them, in
    the same order, what a person said, the colours of the seats as hues (k, 3), the numbers of the
    camera, and pixels to a cell.
    """

    draft: Draft
    standing: Standing = field(repr=False)
    facts: tuple[Fact, ...]
    seats: Floats = field(repr=False)
    camera: Floats = field(repr=False)
    step: float

    @property
    def there(self) -> list[Fact]:
        """What was said of roads that are there."""
        return [fact for fact in self.facts if not fact.gone]

    def fact(self, number: int) -> Fact:
        """What was said of a road of the draft so far."""
        new = Fact(self.standing.roads[number])
        return next((one for one in self.facts if one.key == new.key), new)

    def told(self, more: Iterable[Fact]) -> Known:
        """With more facts; a later one about a road takes the place of an earlier one."""
        every = {one.key: one for one in (*self.facts, *more)}
        return replace(self, facts=tuple(every.values()))

    def mended(self, draft: Draft) -> list[Fact]:
        """What a person changed in the draft, as facts."""
        left = {road.ends: n for n, road in enumerate(self.draft.roads)}
        more, new, parted = list[Fact](), list[int](), _parted(self, draft)
        for n, road in enumerate(draft.roads):
            k = left.pop(road.ends, None)
            if k is None:
                new.append(n)
            elif (fact := _changed(self, k, draft, n, parted)) != self.fact(k):
                more.append(fact)
        for n in new:
            ends = draft.roads[n].ends
            k = next((k for one, k in left.items() if {*one} & {*ends}), None)
            # where an end is now, the picture is read again
            at, unread = np.array(ends) / self.step - 0.5, np.full((2, 8), np.nan)
            if k is None:
                drawn = Road(at, unread[:, 0], np.array((True, True)), 1.0, 1.0, -1, unread)
                more.append(Fact(drawn, owner=draft.roads[n].owner))
            else:  # an end was moved
                drawn = replace(
                    self.fact(k).road, at=at, seen=np.array((True, True)), levels=unread
                )
                more.append(replace(_changed(self, k, draft, n, parted), road=drawn))
        return more + [Fact(self.standing.roads[k], gone=True) for k in left.values()]


def _parted(known: Known, new: Draft) -> set[int]:
    """The stands whose ends are on different counts in the new draft: who counts one of them says
    of the others that they are right.
    """
    place = {road.ends: n for n, road in enumerate(new.roads)}
    counts = [
        (foot, new.discs(n, end))
        for road, feet in zip(known.draft.roads, known.standing.feet, strict=True)
        if (n := place.get(road.ends)) is not None and new.roads[n].owner == road.owner
        for end, foot in enumerate(feet)
    ]
    last = dict(counts)
    return {foot for foot, discs in counts if foot is not None and discs != last[foot]}


def _changed(known: Known, k: int, new: Draft, n: int, parted: set[int]) -> Fact:
    """What was said of road `k` so far, with what is otherwise of road `n` of the new draft."""
    fact, old = known.fact(k), known.draft
    owner, discs, yellow = new.roads[n].owner, list(fact.discs), list(fact.yellow)
    # a road of another owner stands on pillars of that owner, which nobody counted
    for end in (0, 1) if owner == old.roads[k].owner else ():
        if new.discs(n, end) != old.discs(k, end) or known.standing.feet[k][end] in parted:
            discs[end] = new.discs(n, end)
        if new.is_yellow(n, end) != old.is_yellow(k, end):
            yellow[end] = new.is_yellow(n, end)
    return replace(
        fact,
        gone=False,
        owner=fact.owner if owner == old.roads[k].owner else owner,
        discs=(discs[0], discs[1]),
        yellow=(yellow[0], yellow[1]),
    )


def missing_at(look: Look, known: Known, at: Pixel) -> Fact | None:
    """The road that is missing from what is `known` where a person taps its middle, `at` in pixels:
    the best of those that may run there beside the others. None if the picture shows none.
    """
    tap, pairs = np.array(at) / look.step - 0.5, look.pairs
    along, off = pairs.at[:, 1] - pairs.at[:, 0], tap - pairs.at[:, 0]
    long = np.maximum(np.hypot(*along.T), 1e-6)
    share = (off * along).sum(axis=1) / long**2 - 0.5
    aside = (off[:, 0] * along[:, 1] - off[:, 1] * along[:, 0]) / long**2
    near = (np.abs(share) < _MIDDLE) & (np.abs(aside) < _BESIDE)
    some = pairs.only(near)
    some = replace(some, off=some.off + (share[near] / _MIDDLE) ** 2 * _AWAY)
    roads, many = list(known.standing.roads), len(known.standing.roads)
    gone = [fact.road for fact in known.facts if fact.gone]
    made = chosen(look.maps, some, Camera.of(known.camera), look.scale, many + 1, _ANY, roads, gone)
    return Fact(made[many]) if len(made) > many else None


def going_on(draft: Draft, other: Draft) -> tuple[Draft, tuple[int, int, int]]:
    """Another draft of the same photo, in the place of one and with what is looked at; and
    how many roads, counts under ends and owners it has otherwise.
    """
    both = [
        (n, k)
        for n, one in enumerate(draft.roads)
        for k, there in enumerate(other.roads)
        if same(np.array(one.ends), np.array(there.ends), _MOVED * math.dist(*one.ends))
    ]
    roads = len(draft.roads) + len(other.roads) - 2 * len(both)
    ends = [(n, k, end) for n, k in both for end in (0, 1)]
    discs = sum(draft.discs(n, end) != other.discs(k, end) for n, k, end in ends)
    owners = sum(draft.roads[n].owner != other.roads[k].owner for n, k in both)
    found = replace(
        other,
        first=draft.first,
        sheet=draft.sheet,
        gauge=draft.gauge,
        owner=draft.owner,
        components=draft.components,
        picked=None if draft.picked is None else dict(both).get(draft.picked),
    )
    return found, (roads, discs, owners)


def asked(some: Iterable[Question]) -> tuple[Question, ...]:
    """The questions that are worth an answer, those first that settle most."""
    left = [one for one in some if one.settles > _NOTHING]
    return tuple(sorted(left, key=lambda one: -one.settles))


# --- questions ------------------------------------------------------------------------------------


def on_roads(known: Known, unseen: Pool) -> Iterator[Question]:
    """Whether roads are there that are not on the table: who looks at the photo sees the false ones
    on it, and deletes them as quickly as they answer.
    """
    for one, sure_of in zip(unseen.roads, unseen.likely.tolist(), strict=True):
        (a, b), (c, d) = ((one.at + 0.5) * known.step).tolist()
        ends, facts = ((a, b), (c, d)), (Fact(one, gone=True), Fact(one))
        yield Question("road", ends, 0, (0, 1), facts, sure_of)


def on_counts(known: Known, standing: Standing, order: list[int]) -> Iterator[Question]:
    """How many discs are under ends: an answer settles every pillar that would change with it."""
    place = {road: n for n, road in enumerate(order)}
    for stand in standing.stands:
        (road, end), (other, changed) = stand.bears[0], stand.next
        # how probable the other numbers are, which cost so much more in minus two logarithms
        n, settles = place[road], changed / (1.0 + math.exp(min(stand.doubt / 2, 30.0)))
        fact, other_fact = (_counting(known.fact(n), end, one) for one in (stand.discs, other))
        yield Question(
            "discs",
            known.draft.roads[n].ends,
            end,
            (stand.discs, other),
            (fact, other_fact),
            settles,
            (n,),
        )


def _counting(fact: Fact, end: int, discs: int) -> Fact:
    return replace(fact, discs=(discs, fact.discs[1]) if end == 0 else (fact.discs[0], discs))


def on_owners(known: Known, owning: Owning, order: list[int]) -> Iterator[Question]:
    """Whose roads are: an answer settles all that go with the road."""
    place = {road: n for n, road in enumerate(order)}
    for road, lead in enumerate(owning.ahead.tolist()):
        owner, other = owning.owners[road], owning.next[road]
        lit = tuple(sorted(place[one] for one in owning.with_road(road, other)))
        fact, ends = known.fact(place[road]), known.draft.roads[place[road]].ends
        facts = replace(fact, owner=owner), replace(fact, owner=other)
        settles = 0.5 * (1.0 - lead) ** 3 * len(lit)
        yield Question("owner", ends, 0, (owner, other), facts, settles, lit)
