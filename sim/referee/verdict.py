"""`Checked`: a placement with everything that is wrong with it. `Verdict`: what came of its ply, as
plain data that explains itself.

`Verdict.got()` is the `got` of a record line. The reasons behind it (points, levels, gaps, which
test a fallen piece failed) stay here as numbers. `sim.referee.explain` puts them into words, and
the browser draws them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import NoneType
from typing import Any, Literal, Protocol, get_args

from rules.errors import NotationError
from rules.view import listed
from sim.bodies import Pose, SettleResult, SettlingTake
from sim.languages import Sentence
from sim.referee.crossings import Crossing
from sim.referee.placement import CarSpot, Placement, Put, known
from sim.referee.standing import Fault, buildings_among, in_short
from sim.referee.table import Table

BreachKind = Literal["touches", "off the table", "not borne", "falls again", "never rests"]
FallTest = Literal["shifted", "sank", "tipped", "off its disc", "off its road", "moved", "observed"]


@dataclass(frozen=True, slots=True)
class Fall:
    """A piece that fell, the test of rules 8a or 8b that it failed, what was measured and what was
    allowed (mm or degrees).

    If nothing is allowed, `off its disc` and `off its road` are distances in plan. Else they are
    heights: how far below its disc an end lies, and how far above its road's face a car's middle
    lies (below zero: under it).
    """

    piece: str
    test: FallTest
    measured: float = 0.0
    allowed: float = 0.0

    def to_json(self) -> dict[str, object]:
        """As plain values."""
        return {
            "piece": self.piece,
            "test": self.test,
            "measured": self.measured,
            "allowed": self.allowed,
        }


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule that a new piece breaks by the way it came to rest (rules 4d, 4h, 6b).

    It touches `other`, and `mm` is the gap (below zero: it is pressed into it); or it is a ramp
    whose lower end hangs `mm` above the table; or it is a road that the pillar `other` does not
    bear: more than `mm` of air is between them. Or `piece` stood before, fell, and beside the new
    pieces it falls again, or never comes to rest, although everything was put back where it stood.
    """

    piece: str
    kind: BreachKind
    other: str | None
    mm: float

    @property
    def code(self) -> str:
        """The kind as it is named in reasons."""
        return "hangs" if self.kind == "off the table" else self.kind.replace(" ", "-")

    @property
    def hangs(self) -> bool:
        """Whether it is a road that does not lie where it should."""
        return self.kind in ("off the table", "not borne")

    def to_json(self) -> dict[str, object]:
        """As plain values."""
        return {"piece": self.piece, "breach": self.kind, "other": self.other, "mm": self.mm}


def told_breaches(got: Mapping[str, Any]) -> tuple[Breach, ...]:
    """The rules that new pieces broke as a record's `got` tells them (`x-breaches`), none if it
    does not. Raises NotationError.
    """
    told = got.get("x-breaches", [])
    if not isinstance(told, list):
        told = [told]
    try:
        found = tuple(Breach(str(one["piece"]), *_kind_of(one), float(one["mm"])) for one in told)
    except (KeyError, TypeError, ValueError) as error:
        raise NotationError(
            str(told), "any", "got.x-breaches must be a list of piece, breach, other and mm"
        ) from error
    return found


def _kind_of(one: Mapping[str, Any]) -> tuple[BreachKind, str | None]:
    kind, other = one["breach"], one["other"]
    if kind not in get_args(BreachKind) or not isinstance(other, (str, NoneType)):
        raise ValueError(kind)
    return kind, other


@dataclass(frozen=True, slots=True)
class CloseCall:
    """A crossing of a measured table where errors of the ruler could decide whether it earns a car
    (rules 7o).

    `about`: whether the new road crosses `road` at all, on which side of it it runs, or whether the
    road `other` has taken that side. `mm` is the error that would change the answer: how far two
    points must be off towards each other.
    """

    road: str
    about: Literal["meeting", "side", "taken"]
    other: str | None
    mm: float

    def to_json(self) -> dict[str, object]:
        """As plain values."""
        return {"road": self.road, "about": self.about, "other": self.other, "mm": self.mm}


@dataclass(frozen=True, slots=True)
class Close:
    """How much a verdict hangs on what cannot matter; records and pages call it `close`.

    Of so many equal `starts` (the scene turned, mirrored, shifted, a noise of a millionth of a
    millimetre) the verdict `differs` in some; `pieces` fall in some of them and not in others. A
    `CloseCall` is another thing: a crossing that the ruler cannot decide.
    """

    starts: int
    differs: int
    pieces: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """As in `got.close`."""
        return {"starts": self.starts, "differs": self.differs, "pieces": list(self.pieces)}


@dataclass(frozen=True, slots=True)
class PutBack:
    """A new car that did not stay at `was`: put back at `now`, or returned to the stock (None)
    because it stands nowhere (rules 7n).

    `why`: it fell there, or touched a piece that it may not touch; None, as `was`, if a record does
    not say.
    """

    car: str
    was: CarSpot | None
    now: CarSpot | None
    why: Literal["fell", "touches"] | None = None


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """The outcome of one attempt: whether the new pieces stand (`built`; None where no road is
    laid), what fell, where things came to rest (None: physics was not asked).

    `earned` counts the exit bonus, before the stock cap. `spots` and `cars` are the cars that stand
    on the new road, and their ids; `chosen` is where cars were put, the fallen included, if the
    poses at the end alone do not tell. `breaches` are the rules that new pieces break by the way
    they lie; `told` says that the poses at the end do not show these, so a record has to tell them.
    `put_back` are the new cars that did not stay where they were put first. `close_calls` are
    the crossings of a measured table that are too close to tell, and `between` the least and the
    greatest number of cars that they may earn; `earned` is one of those.

    `noted` are the buildings that people saw a hand touch, where no engine was asked.

    Two parts are only for the code that continues from the attempt, and a verdict leaves them out:
    `laid` is the table with the pieces of the attempt that stand, at their poses; `takes` are the
    trajectories of all settlings, if physics was watched.
    """

    built: bool | None
    falls: tuple[Fall, ...] = ()
    settled: SettleResult | None = None
    crossings: tuple[Crossing, ...] = ()
    earned: int = 0
    spots: tuple[CarSpot, ...] = ()
    cars: tuple[str, ...] = ()
    chosen: tuple[CarSpot, ...] | None = None
    breaches: tuple[Breach, ...] = ()
    told: bool = False
    put_back: tuple[PutBack, ...] = ()
    close_calls: tuple[CloseCall, ...] = ()
    between: tuple[int, int] | None = None
    noted: tuple[str, ...] = ()
    laid: Table | None = field(default=None, compare=False, repr=False)
    takes: tuple[SettlingTake, ...] = field(default=(), compare=False, repr=False)

    @property
    def fallen(self) -> frozenset[str]:
        """The ids of the pieces that fell."""
        return frozenset(fall.piece for fall in self.falls)

    @property
    def moved(self) -> Mapping[str, Pose] | None:
        """The settled poses of new pieces and of all that moved beyond tolerance, the fallen
        included; None: not asked.
        """
        return None if self.settled is None else self.settled.moved

    @property
    def touched(self) -> tuple[str, ...]:
        """The pieces that the hand touched."""
        return self.noted if self.settled is None else self.settled.touched

    @property
    def restless(self) -> tuple[str, ...]:
        """The pieces that still moved when time was up."""
        return () if self.settled is None else self.settled.restless

    @property
    def restored(self) -> Mapping[str, Pose]:
        """The poses of pieces that fell and, put back, came to rest elsewhere than before."""
        return {} if self.settled is None else self.settled.restored

    @property
    def mended(self) -> tuple[str, ...]:
        """The pieces that had to be set right before all stood again."""
        return () if self.settled is None else self.settled.mended

    def got(self) -> dict[str, Any]:
        """The `got` of a failed attempt as a record writes it."""
        return known(
            {
                "legal": True,
                "built": self.built,
                "fallen": sorted(self.fallen),
                **self.poses_told(),
                "restless": list(self.restless) or None,
                "x-touched": None if self.built else buildings_among(self.touched) or None,
            }
        )

    def poses_told(self) -> dict[str, Any]:
        """The keys of a `got` that say where pieces lie (record format 5e and 5h)."""
        return known(
            {
                "moved": None if self.moved is None else _by_piece(self.moved),
                "x-rest": _by_piece(self.restored) or None,
                "x-mended": list(self.mended) or None,
                "x-breaches": [one.to_json() for one in self.breaches] if self.told else None,
            }
        )

    def bare(self) -> AttemptResult:
        """The result without `laid` and `takes`, which a verdict leaves out."""
        return replace(self, laid=None, takes=())


def _by_piece(poses: Mapping[str, Pose]) -> dict[str, list[float]]:
    return {piece: poses[piece].to_list() for piece in sorted(poses)}


_NOTHING = AttemptResult(built=False)  # the result for a ply without an attempt


@dataclass(frozen=True, slots=True)
class Payment:
    """What the player of this ply gives to seat `to`."""

    to: int
    grey: int = 0
    yellow: int = 0
    roads: int = 0

    @property
    def gifts(self) -> dict[str, int]:
        """What is given, and how many of it."""
        given = {"grey": self.grey, "yellow": self.yellow, "roads": self.roads}
        return {what: count for what, count in given.items() if count}

    @property
    def total(self) -> int:
        """How many pieces change hands."""
        return self.grey + self.yellow + self.roads

    def to_json(self) -> dict[str, int]:
        """As in `got.paid`: roads only where there are any."""
        data = {"to": self.to, "grey": self.grey, "yellow": self.yellow}
        return data | ({"roads": self.roads} if self.roads else {})


class Asked(Protocol):
    """A table and a placement that the referee was asked about, which can put the answer into
    words: `sim.referee.explain.Question`.
    """

    @property
    def table(self) -> Table:
        """The table before the ply."""

    @property
    def placement(self) -> Placement:
        """What somebody means to do."""

    def reasons(self, verdict: Verdict, players: Sequence[str] = ()) -> Sequence[Any]:
        """Why the verdict is what it is, a sentence each (`sim.referee.explain.Reason`)."""


@dataclass(frozen=True, slots=True, repr=False)
class Verdict:
    """The judgement of one ply.

    `last` is the attempt that counts, None where no road is laid (pass, resign, a building) and
    nobody watched, or the placement is illegal; `failed` are those before it. `owed` and `paid`
    cover every attempt of the ply; `out` are the seats that this ply puts out; `returned` says that
    `clean_win` sent the last car back, which `last` then leaves out.

    `put` is what people saw standing elsewhere after the ply than the referee would leave it.

    `close` says that equal starts do not all lead to this verdict. On a measured table `remarks`
    are faults within the tolerance. In a game noted by hand, a ply that was accepted in spite of
    its `faults` is legal: nobody noticed in time.

    `asked` is the table before the ply with the placement; `str` takes its sentences from there,
    and comparisons leave it out.
    """

    legal: bool
    faults: tuple[Fault, ...] = ()
    last: AttemptResult | None = None
    failed: tuple[AttemptResult, ...] = ()
    paid: tuple[Payment, ...] = ()
    owed: tuple[tuple[int, int], ...] = ()
    out: tuple[int, ...] = ()
    returned: bool = False
    remarks: tuple[Fault, ...] = ()
    close: Close | None = None
    put: tuple[Put, ...] = ()
    asked: Asked | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        if not self.legal:
            return f"<Verdict illegal: {self.refusal}>"
        built = {None: "nothing to build", True: "built", False: "not built"}[self.built]
        return (
            f"<Verdict legal, {built}, cars placed: {len(self.spots)}, pieces fallen: "
            f"{len(self.fallen)}>"
        )

    def __str__(self) -> str:
        """The sentences that explain it, a line each; a short form if it does not know its table
        and placement.
        """
        if self.asked is not None:
            return "\n".join(map(str, self.asked.reasons(self)))
        if not self.legal:
            told = [Sentence("reason-illegal", {"why": fault.sentence}) for fault in self.faults]
            return "\n".join(map(str, told))
        return "; ".join(map(str, _parts(self)))

    def _repr_html_(self) -> str:
        return listed(str(self).splitlines())

    @property
    def _made(self) -> AttemptResult:
        return self.last or _NOTHING

    @property
    def built(self) -> bool | None:
        """Whether the new pieces stand; None where no road is laid."""
        return None if self.last is None else self.last.built

    @property
    def earned(self) -> int:
        """The cars earned, the exit bonus included, before the stock cap."""
        return self._made.earned

    @property
    def spots(self) -> tuple[CarSpot, ...]:
        """Where the new cars stand."""
        return self._made.spots

    @property
    def cars(self) -> tuple[str, ...]:
        """The ids of the new cars that stand."""
        return self._made.cars

    @property
    def crossings(self) -> tuple[Crossing, ...]:
        """The crossings of the new road."""
        return self._made.crossings

    @property
    def falls(self) -> tuple[Fall, ...]:
        """What fell in the last attempt."""
        return self._made.falls

    @property
    def fallen(self) -> tuple[str, ...]:
        """The ids of the pieces that fell, sorted."""
        return tuple(sorted({fall.piece for fall in self.falls}))

    @property
    def moved(self) -> Mapping[str, Pose] | None:
        """See `AttemptResult.moved`."""
        return self._made.moved

    @property
    def restored(self) -> Mapping[str, Pose]:
        """See `AttemptResult.restored`."""
        return self._made.restored

    @property
    def mended(self) -> tuple[str, ...]:
        """The pieces that had to be set right before all stood again."""
        return self._made.mended

    @property
    def touched(self) -> tuple[str, ...]:
        """The pieces that the hand touched."""
        return self._made.touched

    @property
    def restless(self) -> tuple[str, ...]:
        """The pieces that still moved when time was up."""
        return self._made.restless

    @property
    def chosen(self) -> tuple[CarSpot, ...] | None:
        """Where cars were put, the fallen included, if the poses at the end alone do not tell."""
        return self._made.chosen

    @property
    def breaches(self) -> tuple[Breach, ...]:
        """The rules that new pieces break by the way they lie."""
        return self._made.breaches

    @property
    def put_back(self) -> tuple[PutBack, ...]:
        """The new cars that did not stay where they were put first."""
        return self._made.put_back

    @property
    def close_calls(self) -> tuple[CloseCall, ...]:
        """The crossings of a measured table that are too close to tell."""
        return self._made.close_calls

    @property
    def between(self) -> tuple[int, int] | None:
        """The least and the greatest number of cars that the new road may earn; None where nothing
        is too close to tell.
        """
        return self._made.between

    @property
    def refusal(self) -> str:
        """Why a placement is illegal, in one line: the first fault, and how many more there are;
        empty for a legal one.
        """
        return in_short([fault.sentence for fault in self.faults]) if self.faults else ""

    def got(self, digest: str | None = None) -> dict[str, Any]:
        """The `got` of a record line; `digest` is that of the table after this ply."""
        if not self.legal:
            return {"legal": False, "faults": [fault.to_json() for fault in self.faults]}
        lays, made = self.built is not None, self._made
        tells = lays or self.owed or self.falls or self.paid
        crossed = [{"road": c.road.id, "side": c.side, "scores": c.scores} for c in self.crossings]
        touched = buildings_among(self.touched) if self.built is False else []
        return known(
            {
                "legal": True,
                "built": False if self.built is False else None,
                "faults": [fault.to_json() for fault in self.faults] or None,
                "cars": self.earned if lays else None,
                "placed": len(self.spots) if lays else None,
                "crossings": crossed if lays else None,
                "fallen": list(self.fallen) if tells else None,
                "paid": [payment.to_json() for payment in self.paid] if tells else None,
                "restless": list(self.restless) or None,
                **made.poses_told(),
                "x-cars": None if made.chosen is None else [spot.to_json() for spot in made.chosen],
                "x-touched": touched or None,
                "x-remarks": [fault.to_json() for fault in self.remarks] or None,
                "x-close-calls": [call.to_json() for call in self.close_calls] or None,
                "x-between": None if self.between is None else list(self.between),
                "out": list(self.out) or None,
                "close": None if self.close is None else self.close.to_json(),
                "digest": digest,
            }
        )


def _parts(verdict: Verdict) -> Iterator[Sentence]:
    stands = {None: "nothing-to-build", True: "stands", False: "does-not-stand"}[verdict.built]
    yield Sentence(f"verdict-{stands}")
    if verdict.cars:
        yield Sentence("verdict-cars", {"count": len(verdict.cars), "pieces": verdict.cars})
    if verdict.fallen:
        yield Sentence("verdict-fell", {"pieces": verdict.fallen})
    for payment in verdict.paid:
        yield Sentence("verdict-paid", {"count": payment.total, "player": payment.to})


# --- the placement, checked -----------------------------------------------------------------------


# faults that make a placement impossible even if people accepted it: it names pieces that do not
# exist, or is no move now
_CANNOT_STAND = frozenset(
    (
        *(
            "game-over",
            "phase",
            "frozen",
            "adjust-end",
            "building-kind",
            "building-taken",
            "base-unknown",
        ),
        *("stock-roads", "stock-grey", "stock-yellow", "stock-cars", "under-unknown"),
    )
)


@dataclass(frozen=True, slots=True)
class Checked:
    """A placement by the seat to move with everything that is wrong with it; made by
    `sim.referee.check`.

    `asked` is the table and the placement that were asked about. `table` and `placement` are those
    that are judged: for an adjustment, the table without the build that it replaces, and that build
    made anew. `grown` is the table with the new pillar and road where they are meant to lie; None
    if no road is laid, or if its base pillar does not exist. `faults` refuse the placement;
    `remarks` are wrong only within the tolerance of a measured table.
    """

    asked: Asked
    table: Table
    placement: Placement
    grown: Table | None = None
    faults: tuple[Fault, ...] = ()
    remarks: tuple[Fault, ...] = ()

    def refused(self, *, accepted: bool = False) -> Verdict | None:
        """The verdict on a placement that may not be made, or None if it may.

        A placement that people `accepted` stands, as nobody noticed in time (KR 4.3), unless it
        could not be made at all.
        """
        faults = tuple(fault for fault in self.faults if not accepted or _cannot_stand(fault))
        return Verdict(legal=False, faults=faults, asked=self.asked) if faults else None

    def with_cars(self, spots: Sequence[CarSpot], cars: Sequence[str]) -> Table:
        """The grown table with cars on the new road, all where they are meant to be."""
        assert self.grown is not None
        return self.grown.with_cars(self.placement, spots, cars) if cars else self.grown

    def on(self, table: Table) -> Checked:
        """The same checked placement on a table whose pieces have been nudged since."""
        return replace(self, table=table, grown=table.with_pieces(self.placement))


def _cannot_stand(fault: Fault) -> bool:
    # more cars than were left do stand if people saw them, and so does another payment
    if fault.form == "put":
        return False
    if fault.code == "payment":
        return fault.form in ("to", "stock")
    return fault.code in _CANNOT_STAND or (fault.code == "reach" and "mm" not in fault.numbers)
