"""How much of a table was found in a photo without a tap: what tests, `tools/sureness.py` and
`benchmarks/photo.py found` share.

A road is found if both its ends are marked within 12 mm of where they are. Corrections are what a
person has to do to the proposal: add a road, delete one, count the discs of a pillar again, give a
chain of roads another owner. The cars of roads are judged in the true order of building, which no
photo shows.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from rules.errors import InputError
from sim.photo.drafting import Draft, offered
from sim.photo.finding.facts import Fact, Question, going_on
from sim.photo.finding.finder import Found, again
from sim.photo.finding.roads import fits
from sim.photo.marks import Marks
from sim.photo.reading import read_photo
from tools.shots import Shot
from tools.staging import true_tips

Floats = npt.NDArray[np.float64]

NEAR = 12.0
"""How far the ends of a road that is found may be off, in mm."""

_SAMPLES = 48  # places at which a road is looked at
_FOCAL = 0.03  # how well the focal length is believed


@dataclass
class Told:
    """What came of one photo."""

    number: int
    tilt: float
    light: float
    style: str
    counts: Counter[str] = field(default_factory=Counter)
    cpu: float = 0.0
    error: str = ""

    @property
    def corrections(self) -> int:
        """What a person has to mend."""
        count = self.counts
        return (
            count["roads"]
            - count["right"]
            + count["found"]
            - count["right"]
            + count["pillars"]
            - count["pillars right"]
            + count["chains wrong"]
        )


def focal_of(number: int, shown: Shot) -> float:
    """The focal length that is believed of a photo, in pixels."""
    rng = np.random.default_rng((number, 3))
    return shown.camera.focal * float(np.exp(rng.normal(0.0, _FOCAL)))


def matched(marks: Marks, shown: Shot) -> list[tuple[int, int, bool]]:
    """Which marked road is which road of the table: pairs of numbers, and whether it runs the other
    way.
    """
    return matched_ends(np.array([road.ends for road in marks.roads]).reshape(-1, 2, 2), shown)


def matched_ends(marked: Floats, shown: Shot) -> list[tuple[int, int, bool]]:
    """The same for the ends (n, 2, 2) of roads in pixels."""
    off = off_by(marked, shown)
    pairs = [(off[n, k, t], n, k, bool(t)) for n, k, t in np.argwhere(off < NEAR).tolist()]
    taken: tuple[set[int], set[int]] = (set(), set())
    found = []
    for _, n, k, turned in sorted(pairs):
        if n not in taken[0] and k not in taken[1]:
            taken[0].add(n)
            taken[1].add(k)
            found.append((n, k, turned))
    return found


def off_by(marked: Floats, shown: Shot) -> Floats:
    """How far ends (n, 2, 2) in pixels are off those of each road of the table, in mm, and those of
    the same road turned: (n, roads, 2).
    """
    tips = true_tips(shown.played.table)
    pixels = shown.camera.project(tips.reshape(-1, 3)).reshape(-1, 2, 2)
    eye = np.array([*shown.camera.at, shown.camera.height])
    scale = shown.camera.focal / np.linalg.norm(tips - eye, axis=-1)
    there, mm = np.stack([pixels, pixels[:, ::-1]], 1), np.stack([scale, scale[:, ::-1]], 1)
    away = np.linalg.norm(marked.reshape(-1, 1, 1, 2, 2) - there, axis=-1) / mm
    return np.asarray(away.max(axis=-1))


def judge(told: Told, found: Found, shown: Shot) -> None:
    """Counts what is right."""
    marks, table, count = found.marks, shown.played.table, told.counts
    pairs = matched(marks, shown)
    count["roads"], count["found"], count["right"] = len(table.roads), len(marks.roads), len(pairs)
    discs = {pillar.id: pillar.discs for pillar in marks.pillars}
    wanted: dict[str, list[int]] = defaultdict(list)
    for n, k, turned in pairs:
        levels = table.roads[k].levels[::-1] if turned else table.roads[k].levels
        road = marks.roads[n]
        for foot, level in zip((road.base, road.target), levels, strict=True):
            if foot is not None:
                wanted[foot].append(level)
    count["pillars"] = len(wanted)
    count["pillars right"] = sum(
        Counter(levels).most_common(1)[0][0] == discs[foot] for foot, levels in wanted.items()
    )
    count["pillars sure"] = sum(foot not in found.doubtful for foot in wanted)
    count["pillars sure and right"] = sum(
        foot not in found.doubtful and Counter(levels).most_common(1)[0][0] == discs[foot]
        for foot, levels in wanted.items()
    )
    best = _paired((marks.roads[n].owner, table.roads[k].owner) for n, k, _ in pairs)
    wrong = [n for n, k, _ in pairs if best.get(marks.roads[n].owner) != table.roads[k].owner]
    count["owners wrong"] = len(wrong)
    count["chains wrong"] = len({foot for n in wrong for foot in marks.roads[n].pillars[:1]})
    _judge_cars(count, found, shown, pairs)


def _paired(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Which number goes with which other one: each once, those first that come together most."""
    found: dict[int, int] = {}
    for (one, other), _ in Counter(pairs).most_common():
        if one not in found and other not in found.values():
            found[one] = other
    return found


def _judge_cars(
    count: Counter[str], found: Found, shown: Shot, pairs: list[tuple[int, int, bool]]
) -> None:
    """Counts the roads that get the right cars, with the roads in the true order of building."""
    true = {n: k for n, k, _ in pairs}
    order = sorted(
        range(len(found.marks.roads)), key=lambda n: true.get(n, len(shown.played.table.roads) + n)
    )
    marks = replace(found.marks, roads=tuple(found.marks.roads[n] for n in order))
    try:
        reading = read_photo(marks)
    except InputError:
        return
    doubtful = {*found.doubtful, *reading.doubtful}
    for verdict, n in zip(reading.roads, order, strict=True):
        if n not in true:
            continue
        road = found.marks.roads[n]
        right = verdict.cars == shown.played.cars[shown.played.table.roads[true[n]].id]
        sure = road.id not in doubtful and not doubtful.intersection(road.pillars)
        count["cars right"] += right
        count["cars sure"] += sure
        count["cars sure and right"] += sure and right


def visible(shown: Shot) -> Floats:
    """The share of the middle line of each road of the table (n,) that is seen."""
    tips = true_tips(shown.played.table)
    numbers = {piece.id: n for n, piece in enumerate(shown.pieces)}
    rows = np.array([numbers[one.id] for one in shown.played.table.roads])
    steps = np.linspace(0.02, 0.98, _SAMPLES)[:, None]
    lines = tips[:, None, 0] + steps * (tips[:, None, 1] - tips[:, None, 0])
    at = shown.camera.project(lines.reshape(-1, 3)) * shown.bodies.shape[0] / shown.pixels.shape[0]
    x, y = at.astype(np.int64).T
    seen = shown.bodies[y, x].reshape(len(tips), _SAMPLES) == rows[:, None]
    return np.asarray(seen.mean(axis=1))


def lost(one: Found, shown: Shot) -> list[str]:
    """Where each road of the table was lost, in order; empty for those that were found."""
    considered, pairs, look = one.considered, one.look.pairs, one.look

    def near(ends: Floats) -> npt.NDArray[np.bool_]:
        return np.asarray((off_by(ends, shown) < NEAR).any(axis=(0, 2)))

    stages = (
        ("not proposed", near((pairs.at + 0.5) * look.step)),
        (
            "of another length with this camera",
            near((pairs.only(fits(pairs, considered.camera, look.scale)).at + 0.5) * look.step),
        ),
        ("a better one explains it", near(considered.ends)),
    )
    right = {k for _, k, _ in matched(one.marks, shown)}
    return [
        ""
        if k in right
        else next((name for name, kept in stages if not kept[k]), "called improbable")
        for k in range(len(shown.played.table.roads))
    ]


# --- an ideal person ------------------------------------------------------------------------------

MOST_TAPS = 120
"""Who taps so often begins anew."""

_MOVED = 40.0  # mm: an end that is off by so much is dragged; else the road is another one


class Person:
    """Who knows the table and mends what was found: answers the question that stands first (a tap)
    if that changes something; else first drags ends (a tap each), then deletes roads (the road, and
    the bin), taps both ends of those that are missing (and the colour before: a tap on the middle
    alone brings half of them only), gives roads, or their whole chain, another colour (the road,
    and the colour), and counts discs, the lowest first (the road, the count, the fork where two
    pillars were taken for one, and *yellow* where one is no junction). The road that is looked at,
    and the colour of the road before, need no tap. Changes of the mode do not count.
    """

    def __init__(self, shown: Shot, draft: Draft) -> None:
        self._shown, self._roads = shown, shown.played.table.roads
        tips = true_tips(shown.played.table).reshape(-1, 3)
        self._ends = shown.camera.project(tips).reshape(-1, 2, 2)
        self._seats = _paired(
            (self._roads[k].owner, draft.roads[n].owner) for n, (k, _) in self._there(draft).items()
        )
        for true in {road.owner for road in self._roads} - {*self._seats}:
            self._seats[true] = min({0, 1, 2, 3} - {*self._seats.values()})

    def _there(self, draft: Draft) -> dict[int, tuple[int, bool]]:
        """The road of the table that each road of the draft is, and whether it runs the other way;
        none for a false one.
        """
        ends = np.array([road.ends for road in draft.roads]).reshape(-1, 2, 2)
        return {n: (k, turned) for n, k, turned in matched_ends(ends, self._shown)}

    def _seat(self, road: int) -> int:
        return self._seats[self._roads[road].owner]

    def _levels(self, road: int, turned: bool) -> tuple[int, ...]:
        return self._roads[road].levels[:: -1 if turned else 1]

    def answer(self, one: Question, draft: Draft) -> Fact | None:
        """The answer to a question; None if what was found is right, or neither choice."""
        off = off_by(np.array([one.ends]), self._shown)[0]
        road, turned = (int(k) for k in np.unravel_index(off.argmin(), off.shape))
        if one.about == "road":
            right = int(road not in {k for k, _ in self._there(draft).values()})
        elif one.about == "owner":
            right = self._seat(road)
        else:
            right = self._levels(road, bool(turned))[one.end]
        return one.facts[1] if off.min() < NEAR and right == one.choices[1] else None

    def mended(self, found: Found) -> tuple[str, int, Draft | Fact] | None:
        """What is mended next, in how many taps, and the draft then, or what that says; None if all
        is right.
        """
        draft, there = found.draft, self._there(found.draft)
        left = {*range(len(self._roads))} - {k for k, _ in there.values()}
        for n in {*range(len(draft.roads))} - {*there}:
            ends = np.array(draft.roads[n].ends)
            off = off_by(ends[None], self._shown)[0]
            k, turned = (int(k) for k in np.unravel_index(off.argmin(), off.shape))
            if k in left and off.min() < _MOVED:
                true = self._ends[k][:: -1 if turned else 1]
                end = int(np.linalg.norm(true - ends, axis=1).argmax())
                return "ends", 1, draft.moved(n, end, _inside(true[end], draft))
            return "false", 1 + (n != draft.picked), draft.without(n)
        for k in sorted(left, key=lambda k: self._seat(k) != draft.owner):
            one, other = (_inside(at, draft) for at in self._ends[k])
            drawn = draft.of_colour(self._seat(k)).tapped(one).tapped(other)
            return "missing", 2 + (self._seat(k) != draft.owner), drawn
        for n, (k, _) in sorted(there.items(), key=lambda one: one[0] != draft.picked):
            if draft.roads[n].owner != (seat := self._seat(k)):
                chain = [there[one][0] for one in draft.chain(n) if one in there]
                whole = all(self._seat(one) == seat for one in chain)
                deed = Draft.recoloured if whole else Draft.coloured
                return "owners", 1 + (n != draft.picked), deed(draft, n, seat).of_colour(seat)
        wanted = {
            (n, end): level
            for n, (k, turned) in there.items()
            for end, level in enumerate(self._levels(k, turned))
        }
        # the lowest first, on which others build; what lies comes last, as the other end must stand
        for n, end in sorted(
            wanted, key=lambda one: (not wanted[one], one[0] != draft.picked, wanted[one])
        ):
            discs, level = draft.discs(n, end), wanted[n, end]
            if discs != level:
                foot = draft.roads[n].feet[end]
                one_more = foot is not None and any(
                    draft.roads[k].feet[other] == foot and right == discs
                    for (k, other), right in wanted.items()
                )
                alone = draft.parted(n, end) if one_more else draft.looking_at(n)
                if yellow := alone.is_yellow(n, end) and level < 2:
                    alone = alone.yellowed(n, end, junction=False)
                cost = (n != draft.picked) + one_more + yellow + _taps(discs, level)
                return "counts", cost, alone.counted(n, end, level)
        return None


def _taps(discs: int, level: int) -> int:
    """On how many counts somebody taps to come from one to the other."""
    if level in (counts := offered(discs)):
        return 1
    return 1 + _taps(counts[0 if level < discs else -1], level)


def _inside(at: Floats, draft: Draft) -> tuple[float, float]:
    x, y = np.clip(at, 0.0, (draft.image.width, draft.image.height)).tolist()
    return x, y


def walk(found: Found, shown: Shot) -> Iterator[tuple[str, int, float, Found]]:
    """What an ideal person taps for until the table is right, at most `MOST_TAPS` times: for what,
    how often, the CPU seconds of the solution, and what is found then.
    """
    person, left = Person(shown, found.draft), MOST_TAPS
    while (step := person.mended(found)) and left > 0:
        fact = next((person.answer(one, found.draft) for one in found.questions[:1]), None)
        what, cost, new = step if fact is None else ("asked", 1, fact)
        draft, facts = (
            (found.draft, [new]) if isinstance(new, Fact) else (new, found.known.mended(new))
        )
        begin = time.process_time()
        made = again(found.look, found.known.told(facts), found.others)
        if made is None:
            what, cost = "given up", left
        else:
            found = replace(made, draft=going_on(draft, made.draft)[0])
        left -= cost
        yield what, cost, time.process_time() - begin, found


def taps(found: Found, shown: Shot) -> tuple[Counter[str], float]:
    """How often an ideal person taps for what, and the CPU seconds of the slowest solution."""
    told, slowest = Counter[str](), 0.0
    for what, cost, seconds, _ in walk(found, shown):
        told[what] += cost
        slowest = max(slowest, seconds)
    return told, slowest
