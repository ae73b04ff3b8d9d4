"""Is a table at rest? Lets every piece go again, everything awake, and says by how much each moves,
and what lies inside something else.

A verdict hands on a table at rest: no piece moves by more than `MOST` mm or degrees, and none
falls.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rules.errors import InputError
from rules.view import listed
from sim.bodies import Body
from sim.game.attempts.posing import bodies
from sim.game.attempts.reading import hanging_roads
from sim.physics.engine import Engine
from sim.physics.neighbours import bounds, overlaps
from sim.physics.world import World
from sim.referee import LaidRoad, PoseChange, Table, falls, reach

MOST = 0.05
"""The most that a piece of a table at rest moves when it is let go again, in mm and in degrees.
An overlap deeper than this is reported.
"""

_DRAWN = 3.0  # mm: a layout is drawn by hand, where pieces may graze each other


@dataclass(frozen=True, slots=True)
class AtRest:
    """By how much each piece that can move moves if everything is let go again: `moves` has mm and
    degrees by piece, of a disc those by which it tilts. `fell` are the pieces that fall by rules
    8a. `inside` are the pairs of pieces that lie more than `MOST` mm inside each other, or a piece
    and `table`, and how deep in mm, the deepest first.
    """

    moves: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    fell: tuple[str, ...] = ()
    inside: tuple[tuple[str, str, float], ...] = ()

    @property
    def piece(self) -> str | None:
        """The worst piece, by the larger of its two numbers; None if nothing moves at all."""
        worst = max(self.moves, key=lambda piece: (max(self.moves[piece]), piece), default=None)
        return worst if worst is not None and any(self.moves[worst]) else None

    @property
    def mm(self) -> float:
        """How far the worst piece goes, in mm."""
        return self.moves[self.piece][0] if self.piece is not None else 0.0

    @property
    def degrees(self) -> float:
        """How far the worst piece turns, in degrees."""
        return self.moves[self.piece][1] if self.piece is not None else 0.0

    @property
    def holds(self) -> bool:
        """Whether the table is at rest."""
        return not self.fell and self.mm <= MOST and self.degrees <= MOST

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        if not self.inside:
            return self._moving()
        one, other, depth = self.inside[0]
        where = "the table" if other == "table" else other
        return f"{self._moving()}; {one} lies {depth:.3f} mm inside {where}"

    def _moving(self) -> str:
        if self.fell:
            return f"not at rest: {', '.join(self.fell)} fell when all was let go again"
        if self.piece is None:
            return "at rest: nothing moves when all is let go again"
        told = (
            f"{self.piece} moves by {self.mm:.3f} mm and {self.degrees:.3f} degrees when all is "
            "let go again"
        )
        return f"{'at rest' if self.holds else 'not at rest'}: {told}, the others less"

    def _repr_html_(self) -> str:
        return listed([str(self)])

    def to_json(self) -> dict[str, object]:
        """As `shutoko replay --at-rest --json` prints it."""
        return {
            "piece": self.piece,
            "mm": self.mm,
            "degrees": self.degrees,
            "fell": list(self.fell),
            "inside": [list(pair) for pair in self.inside],
        }


def at_rest(table: Table, engine: str | Engine | None = None) -> AtRest:
    """By how much each piece moves if everything is let go again, all of it awake, in an engine
    (left out: the best that is installed), and what lies inside something else before. What goes
    further than 0.1 mm then is let go once more, with what it can disturb, and if that stays after
    all, the rest of its structure: these runs count.

    Raises UnavailableError if the engine is not installed, InputError for an unknown one and for
    what is no table.
    """
    if not isinstance(table, Table):
        raise InputError(
            f"at_rest: takes a table, not {type(table).__name__}; of a position give its .table"
        )
    there = bodies(table)
    settled = World(there, engine).settle(everything=True)
    moves = {b.id: b.way_to(settled.seen[b.id]) for b in there if b.id in settled.seen}
    before = {body.id: body.pose for body in there}
    fell = falls(
        table, PoseChange(before, {piece: settled.poses[piece] for piece in settled.moved})
    )
    return AtRest(moves, tuple(fall.piece for fall in fell), tuple(_inside(there, MOST)))


def inside(table: Table) -> list[tuple[str, str, float]]:
    """The pairs of pieces that lie further inside each other than in a `start` layout they may, and
    by how many mm, the deepest first.
    """
    return overlaps(bodies(table), _DRAWN)


def check_layout(table: Table, engine: str | Engine | None = None) -> None:
    """Raises InputError for a `start` layout that no hand could have built: pieces inside each
    other, a road that does not reach its pillars or lies on something else, or one that falls when
    it is let go. Raises what `at_rest` raises.
    """
    deep = inside(table)
    if deep:
        one, other, depth = deep[0]
        raise InputError(
            f"start: {one} is {depth:.1f} mm inside {other}; give one of them another place"
        )
    for road, pillar in hanging_roads(table):
        raise InputError(f"start: {_hangs(table, road, pillar)}")
    fell = _told(table, at_rest(table, engine).fell)
    if fell:
        raise InputError(
            f"start: this layout does not stand: let go, {', '.join(fell)} "
            f"{'falls' if len(fell) == 1 else 'fall'}; put them where they stand, leave them out, "
            "or go without physics (verify: --mode rules, other commands: --engine none)"
        )


def _inside(there: Sequence[Body], deeper: float) -> list[tuple[str, str, float]]:
    """As `overlaps`, and what lies as deep in the table, which is named `table`."""
    lowest = bounds(there)[0][:, 2].tolist() if there else []
    sunk = [(body.id, "table", -z) for body, z in zip(there, lowest, strict=True) if -z > deeper]
    return sorted([*overlaps(there, deeper), *sunk], key=lambda pair: -pair[2])


def _told(table: Table, fell: Iterable[str]) -> list[str]:
    """Pieces that fell, in order of their numbers; a pillar in place of its discs where more than
    half of them did.
    """
    left, told = set(fell), list[str]()
    for pillar in table.pillars:
        gone = left.intersection(pillar.disc_ids)
        if len(gone) > max(1, pillar.discs / 2):
            left -= gone
            some = "all" if len(gone) == pillar.discs else f"{len(gone)} of"
            told.append(f"{pillar.id} ({some} {pillar.discs} discs)")
    return sorted([*left, *told], key=_by_number)


def _by_number(piece: str) -> list[tuple[str, int]]:
    """The order of pieces: A-P1.2 before A-P1.10."""
    return [(word, int(number or 0)) for word, number in re.findall(r"(\D+)(\d*)", piece)]


def _hangs(table: Table, road: LaidRoad, pillar: str | None) -> str:
    """What is wrong with a road that does not lie on its pillar, or with its end on the table."""
    box, where = table.components, f"on {pillar}" if pillar is not None else "on the table"
    said = f"{road.id} does not lie {where}"
    one, *others = (table.pillar_by_id[name] for name in road.pillars)
    other = others[0].at if others else road.end
    apart = math.dist(one.at, other)
    able = reach(box, others[0].discs - one.discs if others else 0)
    if others and able is not None and not able[0] <= apart <= able[1]:
        return (
            f"{said}: {one.id} and {others[0].id} are {apart:.1f} mm apart, and a road between "
            f"them spans {able[0]:.1f} to {able[1]:.1f} mm; give one of them another place"
        )
    if not others and apart > box.road_length + box.disc_radius:
        return (
            f"{said}: its ends are {apart:.1f} mm apart, and a road is {box.road_length:g} mm "
            "long; give its lower end another place"
        )
    return f"{said}: it lies on something else; give one of them another place or height"
