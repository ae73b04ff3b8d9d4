"""Does a placement stand? Three independent methods answer.

Two engines let the placed pieces come to rest, each judged by rules 8a, and statics says from
geometry alone whether the result is in balance, with what margin, and what gives way first. Engines
that are not installed are left out.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.errors import InputError
from sim import referee
from sim.game.attempts.posing import bodies, cars_meant, jitters, lay
from sim.game.ply import Attempt, judge_checked, refusal
from sim.game.sources import pose_source
from sim.languages import Sentence
from sim.physics.contacts import contacts
from sim.physics.neighbours import neighbours
from sim.physics.statics import Failure, Margin, equilibrium, loaded
from sim.referee import (
    AttemptResult,
    Build,
    Checked,
    Entrance,
    Exit,
    Fall,
    Pass,
    Placement,
    Reason,
    Resign,
    SetBuilding,
    Steep,
    Table,
    hand_undoes,
    steep_at,
    tilt,
)

# --- why it does not stand ------------------------------------------------------------------------

Failing = tuple[str, tuple[str, ...]]
"""What is wrong with a try: a code and the pieces, see `Why`."""


@dataclass(frozen=True, slots=True)
class Why:
    """One reason why a build does not stand, in `count` of so many `tries`.

    `code` is `fell` (a pillar, road or car falls), `touches` (a new piece touches another),
    `hangs` (the lower end of a ramp is off the table), `not-borne` (a road does not lie on a
    pillar), `falls-again` or `never-rests` (what was put back beside it), or `hand` (it touched a
    building, with `hand_on_building = redo`). `pieces` are the one it is about and the other one.
    """

    code: str
    pieces: tuple[str, ...]
    count: int
    tries: int

    @property
    def share(self) -> float:
        """The share of the tries."""
        return self.count / self.tries

    @property
    def what(self) -> Sentence:
        """What is wrong, without how often."""
        return Sentence(f"why-{self.code}", {"piece": self.pieces[0], "other": self.pieces[-1]})

    @property
    def sentence(self) -> Sentence:
        """What is wrong in how many tries: `A-R2 touches B-R1 in 7 of 8 tries`."""
        values = {"why": self.what, "count": self.count, "tries": self.tries}
        return Sentence("why-in-tries", values)

    def __str__(self) -> str:
        return str(self.sentence)

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {"code": self.code, "pieces": list(self.pieces), "share": self.share}


def failings(checked: Checked, made: AttemptResult) -> tuple[Failing, ...]:
    """What is wrong with an attempt, each once. Of a pillar any disc may have fallen. Of one that
    was built these are the pieces that fell nevertheless.
    """
    assert checked.grown is not None
    new = checked.grown.piece_ids - checked.table.piece_ids
    fell = sorted({name.partition(".")[0] for name in made.fallen if made.built or name in new})
    found = (
        *(("fell", (piece,)) for piece in fell),
        *(
            (one.code, (one.piece,) if one.other is None else (one.piece, one.other))
            for one in made.breaches
        ),
        *(("hand", (piece,)) for piece in hand_undoes(checked.grown, made.touched)),
    )
    return tuple(dict.fromkeys(found))


def told(found: Iterable[Collection[Failing]], tries: int) -> tuple[Why, ...]:
    """What is wrong with the tries that do not stand, out of so many `tries`: most often first."""
    counts = by_count(failing for one in found for failing in one)
    return tuple(Why(code, at, count, tries) for (code, at), count in counts.items())


def by_count(found: Iterable[Any]) -> dict[Any, int]:
    """How often each piece or failing is found, most often first, then in their own order."""
    return dict(sorted(Counter(found).items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, slots=True)
class Stability:
    """What three methods say of one placement.

    `stands` is each engine's verdict by name: true if the build stands and nothing on the table
    fell. `falls` are the pieces that fell, with the test that they failed. `balanced` is the
    verdict of statics on the settled poses of the engine `asked`, the first engine in which
    everything stands, since a road put down off balance may roll into balance. If something falls
    in every engine, `asked` is None, and statics judges the poses in which the hand lets go.

    `why` are the reasons why the build does not stand, or what fell beside it, each with the share
    of the engines that say so.

    `margin` holds the sideways acceleration in g and the push on the new road in mN that the build
    still bears, and what gives way first. If the build is out of balance, `failure` says what gives
    way.
    """

    stands: Mapping[str, bool]
    falls: Mapping[str, tuple[Fall, ...]]
    balanced: bool
    asked: str | None
    margin: Margin
    why: tuple[Why, ...] = ()

    @property
    def shared(self) -> bool | None:
        """The verdict that all methods share, or None if they differ."""
        verdicts = {*self.stands.values(), self.balanced}
        return verdicts.pop() if len(verdicts) == 1 else None

    @property
    def failure(self) -> Failure | None:
        """What gives way first: under a growing sideways acceleration, or at once where it is not
        balanced.
        """
        return self.margin.first


def stability(
    table: Table,
    placement: Placement,
    engines: Sequence[str] | None = None,
    hand: Sequence[Mapping[str, Any]] = (),
) -> Stability:
    """Asks the engines (those installed, if none are named) and statics about a placement by the
    seat to move.

    `hand` holds the errors of the hand, as in a record. Raises IllegalMoveError with every fault,
    InputError for a placement that lays no road or for an unknown engine, UnavailableError for an
    engine that is not installed.
    """
    if isinstance(placement, (Pass, Resign, SetBuilding)):
        raise InputError(f"{placement}: nothing is put down that could fall")
    checked = referee.check(table, placement)
    if (refused := checked.refused()) is not None:
        raise refusal(table, placement, refused)
    table, grown = checked.table, checked.grown
    assert grown is not None, "a legal placement that lays a road"
    tried: dict[str, tuple[AttemptResult, Table]] = {}
    from sim.physics.engines import available  # looks for engines only when they are needed

    for name in available() if engines is None else engines:
        _, after, attempts = judge_checked(checked, [Attempt(pose_source(name), hand)])
        tried[name] = (attempts[-1], after)
    stands = {name: bool(one.built) and not one.falls for name, (one, _) in tried.items()}
    falls = {name: one.falls for name, (one, _) in tried.items()}
    asked = next((name for name in tried if stands[name]), None)
    laid = [piece.lying for piece in lay(table, grown, jitters(hand))]
    there = (*bodies(table), *laid) if asked is None else bodies(tried[asked][1])
    touching = contacts(there)
    new = [body.id for body in there if body.id not in table.piece_ids]
    answer = equilibrium(there, loaded(there, new, touching), touching)
    why = told([failings(checked, one) for one, _ in tried.values()], len(tried))
    return Stability(stands, falls, answer.stands, asked, answer.margin(laid[-1].id), why)


# --- doubts ---------------------------------------------------------------------------------------
# Doubts whether a build stays: cars that may slide, and pieces out of balance. They warn players
# before they touch a piece.
#
# A doubt is not a verdict: an engine may let such a piece stand.


def steep_cars(table: Table, placement: Placement) -> tuple[Steep, ...]:
    """The cars that a legal placement would put where they may slide.

    These are among the cars that the placement names or, if it leaves the places to the referee,
    among as many as its road earns. The road is judged in the lowest pose in which it rests on the
    pieces that stand.
    """
    if not isinstance(placement, (Build, Exit, Entrance)):
        return ()
    grown = table.with_pieces(placement)
    pose = lay(table, grown, {})[-1].lying.pose
    cars = table.next_cars(table.to_move, cars_meant(table, grown, placement, pose))
    return steep_at(table, tilt(pose), cars)


def tipping(before: Table, after: Table) -> Failure | None:
    """The first thing to give way if statics finds the new pieces on a settled table, with all that
    bears them, out of balance.
    """
    new = sorted(after.piece_ids - before.piece_ids)
    if not new:
        return None
    # only the pieces connected with them count; all others would only cost time
    near = neighbours(bodies(after)).connected(new)
    there = [body for body in bodies(after) if body.id in near]
    touching = contacts(there)
    answer = equilibrium(there, loaded(there, new, touching), touching)
    return None if answer.stands else answer.first


def balance_line(failure: Failure) -> Reason:
    """A line that says which new pieces statics finds out of balance; `failure` is the first thing
    to give way.
    """
    facts = {"kind": "doubt", "doubt": failure.way, "piece": failure.upper, "other": failure.lower}
    return Reason(Sentence(f"reason-doubt-{failure.way}", facts), facts)
