"""One ply of Tokyo Highway: the referee and physics together.

The referee checks the placement. The new pieces are laid where the hand lets go of them. A pose
source (an engine, a record's `moved`, or geometry alone) says where everything comes to rest. The
referee counts crossings on those poses. The cars are put on and come to rest, too. The referee's
`after` gives the verdict and the next table. A `JudgedStep` is a ply with its outcome.

Each `Attempt` at a placement comes to rest, and what came of it is read from where the pieces lie.
People say themselves what came of what they saw.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from rules.errors import InputError
from rules.record import Entry
from rules.record.replay import Digested, StepOf
from sim import referee
from sim.bodies import vector
from sim.game.attempts.hand import Skill, draw
from sim.game.attempts.making import make
from sim.game.attempts.posing import Jitter, as_it_lies, share_bodies
from sim.game.attempts.reading import Scene, cars_due, read, standing_poses
from sim.game.sources import Nominal, Observed, PoseSource, Recorded, Simulated, Told, pose_source
from sim.languages import ENGLISH
from sim.physics.engine import Engine, HandPath
from sim.records import USUAL_SPEED, checked_hand
from sim.referee import (
    Adjust,
    AttemptResult,
    CarSpot,
    Checked,
    Close,
    Entrance,
    Fall,
    IllegalPlacementError,
    Names,
    Placement,
    PutBack,
    Reason,
    Table,
    Verdict,
    adjuster,
    hand_undoes,
    letter,
    rejoined,
    tally,
    with_pay,
)

# --- an attempt -----------------------------------------------------------------------------------

Hand = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at a ply: where the poses come from (`source`), and how the hand erred (a
    record's `hand`).

    `attempt` raises InputError for a hand beyond the limits of `sim.records`.
    """

    source: PoseSource
    hand: Hand = ()


def attempt(checked: Checked, one: Attempt, earlier: Sequence[AttemptResult] = ()) -> AttemptResult:
    """The result of an attempt at a legal placement after `earlier` ones of this ply. A replay of
    its record gives the same result.
    """
    source, grown = one.source, checked.grown
    if isinstance(source, Observed):
        return _observed(checked, source)
    assert grown is not None, "an engine is asked only about a placement that lays a road"
    if isinstance(source, Nominal):
        return _nominal(checked, grown)
    if isinstance(source, Recorded) and source.told is not None:
        return _as_told(checked, grown, source, source.told)
    if grown.roads[-1].under and isinstance(source, Simulated):
        raise InputError(
            "road.under is for games noted by hand: a hand that builds here lays its road on top"
        )
    hand = checked_hand(one.hand) if one.hand else ()
    scene = Scene.of(checked, hand)
    if isinstance(source, Simulated):
        return make(scene, source, _path(hand), earlier)
    result, _ = read(scene, source.came, source.chosen, source.breaches)
    return replace(result, chosen=source.chosen)


def _nominal(checked: Checked, grown: Table) -> AttemptResult:
    """On geometry alone all stands where it is meant to."""
    due = cars_due(checked, grown, weighed=False)
    cars = checked.table.next_cars(checked.table.to_move, len(due.spots))
    laid = checked.with_cars(due.spots, cars)
    return AttemptResult(True, (), None, due.crossings, due.earned, due.spots, cars, laid=laid)


def _path(hand: Hand) -> HandPath | None:
    path = next((item["path"] for item in hand if "path" in item), None)
    if path is None:
        return None
    points = tuple(map(vector, path["points"]))
    return HandPath(points, float(path.get("speed", USUAL_SPEED)), path.get("tool", "finger"))


# --- what people say ------------------------------------------------------------------------------


def _observed(checked: Checked, source: Observed) -> AttemptResult:
    """What people saw in a ply of any kind (record format 7b, rules 8). If a new pillar or road is
    among the fallen, the build did not stand; a new car that fell was put back (rules 7n).
    """
    table, lays = checked.table, checked.grown is not None
    if checked.grown is not None:
        checked = replace(checked, grown=as_it_lies(checked.grown))
    grown = checked.grown or table.with_pieces(checked.placement)
    counted = _counted(checked, grown, source) if lays else AttemptResult(None)
    cars = table.next_cars(table.to_move, len(counted.spots))
    _check_seen(grown, cars, source)
    fell = tuple(Fall(piece, "observed") for piece in sorted(set(source.fallen)))
    hand = tuple(dict.fromkeys(source.touched))
    if not lays:
        return replace(counted, falls=fell, noted=hand)
    new = grown.piece_ids - table.piece_ids
    if not source.stands or any(fall.piece in new for fall in fell) or hand_undoes(grown, hand):
        return AttemptResult(False, fell, noted=hand)
    spots = dict(zip(cars, counted.spots, strict=True))
    fallen = [car for car in cars if car in source.fallen]
    fallen.sort(key=lambda car: car not in source.kept)
    # unless people say that fewer stood in the end, all went back (rules 7n)
    less = 0 if source.placed is None else max(0, len(cars) - source.placed)
    back = fallen[: max(0, len(fallen) - less)]
    stand = {car: spot for car, spot in spots.items() if car not in fallen or car in back}
    return replace(
        counted,
        falls=fell,
        spots=tuple(stand.values()),
        cars=tuple(stand),
        put_back=tuple(PutBack(car, spots[car], spots[car], "fell") for car in sorted(back)),
        noted=hand,
        laid=checked.with_cars(tuple(stand.values()), tuple(stand)),
    )


def _check_seen(grown: Table, cars: Sequence[str], source: Observed) -> None:
    """Raises InputError for a piece that people saw fall or touched and that is not there."""
    known = grown.piece_ids.union(cars)
    for piece in source.fallen:
        if piece not in known:
            # a pillar falls disc by disc: its id alone cannot be in a list of fallen pieces
            discs = sorted(other for other in known if other.startswith(f"{piece}."))
            raise InputError(
                f"observed names the pillar {piece}; name the discs that fell: {', '.join(discs)}"
                if discs
                else f"observed names {piece}, but there is no such piece on the table"
            )
    there = {building.id for building in grown.buildings}
    for piece in source.touched:
        if piece not in there:
            known_ones = ", ".join(sorted(there)) or "none"
            raise InputError(
                f"observed.touched names {piece}, but the buildings on the table are: {known_ones}"
            )


def _as_told(checked: Checked, grown: Table, source: Recorded, told: Told) -> AttemptResult:
    """What the record says fell and stands, on its poses, whatever the referee would deduce from
    these.
    """
    table, seat = checked.table, checked.table.to_move
    new = {f for f in told.fallen if f.startswith(f"{letter(seat)}-C")} - table.piece_ids
    cars = table.next_cars(seat, told.placed + len(new))
    there = grown.piece_ids.union(cars)
    fell = tuple(Fall(piece, "observed") for piece in sorted(there.intersection(told.fallen)))
    moved, restored = (
        {piece: pose for piece, pose in poses.items() if piece in there}
        for poses in (source.came.moved, source.came.restored)
    )
    settled = replace(source.came, moved=moved, restored=restored)
    if not told.built:
        return AttemptResult(False, fell, settled)
    poses = standing_poses(table, settled, told.fallen)
    lying = replace(grown, poses={name: poses[name] for name in poses if name in grown.piece_ids})
    due = cars_due(checked, lying, source.chosen)
    spots = _as_many(due.spots, len(cars))
    stand = [n for n, car in enumerate(cars) if car not in told.fallen][: told.placed]
    return AttemptResult(
        True,
        fell,
        settled,
        due.crossings,
        due.earned,
        tuple(spots[n] for n in stand),
        tuple(cars[n] for n in stand),
    )


def _counted(checked: Checked, grown: Table, source: Observed) -> AttemptResult:
    """The cars of a build that people saw: by the numbers, or as they claim if that is too close to
    tell (rules 7o).
    """
    table, placement = checked.table, checked.placement
    crossings, earned, _, spots = cars_due(checked, grown, weighed=False)
    stock, put = table.stocks[table.to_move].cars, getattr(placement, "cars", None)
    if put is not None:  # people may have accepted more cars than were earned
        spots = put[: stock if source.put is None else source.put]
    if not table.tolerance or isinstance(placement, Entrance):
        spots = spots if source.put is None else _as_many(spots, source.put)
        return AttemptResult(True, crossings=crossings, earned=earned, spots=spots)
    counts = tally(grown, grown.roads[-1])
    seen = len(put or ()) if source.put is None else source.put
    said = source.cars if source.cars is not None else max(earned, seen)
    earned = said if counts.least <= said <= counts.most else earned
    most = min(earned, stock)
    if source.put is not None:
        spots = _as_many(spots, source.put)
    elif put is None and len(spots) != most:  # nobody noted where they stood
        spots = _as_many((), most)
    between = (counts.least, counts.most) if counts.least < counts.most else None
    return AttemptResult(
        True, (), None, crossings, earned, spots, close_calls=counts.close_calls, between=between
    )


def _as_many(spots: tuple[CarSpot, ...], count: int) -> tuple[CarSpot, ...]:
    """Places for so many cars: those that are known, or all along the road at equal distances."""
    if len(spots) >= count:
        return spots[:count]
    return tuple(CarSpot(round((n + 1) / (count + 1), 3)) for n in range(count))


StateT_co = TypeVar("StateT_co", bound=Digested, covariant=True)


@dataclass(frozen=True, slots=True)
class JudgedStep(StepOf[StateT_co]):
    """A step with the verdict on it and the attempts that it took, between two tables or two
    positions of a game; `source` is what settled them, None if no engine did.

    It prints as the sentences that explain the verdict.
    """

    verdict: Verdict
    attempts: tuple[AttemptResult, ...] = ()
    source: Simulated | None = field(default=None, compare=False, repr=False)

    @property
    def placement(self) -> Placement:
        """The move."""
        assert isinstance(self.move, Placement)
        return self.move

    @property
    def faults(self) -> tuple[str, ...]:
        """All reasons of a refusal."""
        names = Names(self.players)
        return tuple(fault.sentence.told(names=names) for fault in self.verdict.faults)

    def told_entry(self) -> Entry:
        """The entry with the verdict on it and on its failed tries."""
        given = self.entry.tries
        tries = [
            {**one, "got": attempt.got()}
            for one, attempt in zip(given or (), self.attempts[: len(given or ())], strict=False)
        ]
        return replace(self.entry, got=self.got(), tries=None if given is None else tries)

    def got(self) -> dict[str, Any]:
        """The `got` of this ply as freshly judged."""
        return self.verdict.got(self.after.digest() if self.verdict.legal else None)

    def reasons(self) -> tuple[Reason, ...]:
        """Why: the explanation of the verdict."""
        assert self.verdict.asked is not None, (
            "the referee's verdicts know their table and placement"
        )
        return tuple(self.verdict.asked.reasons(self.verdict, self.players))

    def told(self, language: str = ENGLISH) -> tuple[str, ...]:
        """The sentences that explain the verdict; of a refused placement the first one names the
        player.
        """
        first, *rest = (reason.told(language) for reason in self.reasons())
        return (first if self.verdict.legal else f"{self.player}: {first}", *rest)

    def __str__(self) -> str:
        if self.refusal is not None:
            return (
                f"ply {self.ply:>2}  {Names(self.players)(self.entry.by)}: taken back: "
                f"{self.refusal}"
            )
        return f"ply {self.ply:>2}  {'; '.join(reason.text for reason in self.reasons())}"


# --- one ply --------------------------------------------------------------------------------------


def judge(
    table: Table,
    placement: Placement,
    tries: Iterable[Attempt],
    pay: Sequence[Mapping[str, Any]] | None = None,
    *,
    accepted: bool = False,
) -> tuple[Verdict, Table, tuple[AttemptResult, ...]]:
    """The verdict on a placement by the seat to move, the table after it, and the attempts one by
    one; see `judge_checked`.
    """
    return judge_checked(referee.check(table, placement), tries, pay, accepted=accepted)


def judge_checked(
    checked: Checked,
    tries: Iterable[Attempt],
    pay: Sequence[Mapping[str, Any]] | None = None,
    *,
    accepted: bool = False,
    fixed: bool = True,
) -> tuple[Verdict, Table, tuple[AttemptResult, ...]]:
    """The verdict on a checked placement, the table after it, and the attempts one by one.

    An illegal placement leaves the table as it is and makes no attempt, unless people `accepted`
    it. After the first try that stands, no more are made. A payment (`pay`) that differs from what
    is due makes a ply illegal; unless it is `fixed`, the usual one is made instead. Raises
    InputError for a `pay` that cannot be read.
    """
    table, placement = checked.asked.table, checked.asked.placement
    if (refused := checked.refused(accepted=accepted)) is not None:
        return refused, table, ()
    checked, attempts, close = _attempts(checked, tries)
    paid = with_pay(checked, attempts, pay)
    if (refused := paid.refused(accepted=accepted)) is None:
        checked = paid
    elif fixed:
        return refused, table, ()
    else:
        pay = None
    verdict, after = referee.after(checked, attempts, pay)
    if close is not None:
        verdict = replace(verdict, close=close)
    if isinstance(placement, Adjust):
        verdict, after = rejoined(table, placement, verdict, after)
    if (
        attempts
        and attempts[-1].settled is not None
        and attempts[-1].laid is not None
        and not verdict.returned
    ):
        share_bodies(after, attempts[-1].laid)
    return verdict, after, attempts


def _attempts(
    checked: Checked, tries: Iterable[Attempt]
) -> tuple[Checked, tuple[AttemptResult, ...], Close | None]:
    """The attempts up to the first that stands, the placement on the table as it was before the
    last one, and the close call that a record tells of one.
    """
    made, close = list[AttemptResult](), None
    for one in tries:
        if checked.grown is None and not isinstance(one.source, Observed):
            break  # where no road is laid, only people see what falls
        checked = left_by(checked, made[-1]) if made else checked
        made.append(attempt(checked, one, made))
        if close is None and isinstance(one.source, Recorded):
            close = one.source.close
        if made[-1].built:
            break
    return checked, tuple(made), close


def left_by(checked: Checked, failed: AttemptResult) -> Checked:
    """The placement on the table that a failed attempt leaves: the new pieces come off again, and
    those that stood before stay where they came to rest.
    """
    table = checked.table
    left = standing_poses(table, failed, failed.fallen)
    poses = {piece: pose for piece, pose in left.items() if piece in table.piece_ids}
    return checked if poses == table.poses else checked.on(replace(table, poses=poses))


def play(
    table: Table,
    placement: Placement,
    engine: str | Engine | None = None,
    hand: Hand = (),
    pay: Sequence[Mapping[str, Any]] | None = None,
) -> tuple[Verdict, Table]:
    """Plays one ply with an engine: the verdict, which prints as sentences, and the table after it.

    `engine` is `bullet`, `mujoco`, or `none` for geometry alone; left out, it is the best that is
    installed.
    """
    verdict, after, _ = judge(table, placement, [Attempt(pose_source(engine), hand)], pay)
    return verdict, after


def perform(
    table: Table,
    placement: Placement,
    ply: int,
    engine: str | Engine | None = None,
    skill: Skill | None = None,
    rng: np.random.Generator | None = None,
    extra: Mapping[str, Any] | None = None,
    watched: bool = False,
    let_go: Sequence[Mapping[str, Jitter]] = (),
    only_led: bool = False,
) -> JudgedStep[Table]:
    """A placement of the seat to move, made by a hand, settled by an engine and judged; `extra`
    goes into the entry.

    A hand with a `skill` errs by numbers drawn from `rng` (left out: seed 0), and tries again up to
    `redo` times. Without a skill, or with the engine `none`, the hand never errs. In the first
    tries the pieces that a person has `let_go` of, try by try, fall as that says; the cars and the
    path of the fingers are drawn, and so are further tries, unless `only_led` leaves them out: the
    same person may want to make them. If `watched`, the attempts keep their trajectories for films.
    Raises IllegalMoveError with every fault.
    """
    checked = referee.check(table, placement)
    if (refused := checked.refused()) is not None:
        raise refusal(table, placement, refused)
    source = pose_source(engine, watched=watched)
    hands: list[Hand] = []
    erring = skill if isinstance(source, Simulated) else None
    most = 1 if erring is None else 1 + table.ruleset.redo
    if checked.grown is None:
        most = 0  # no hand lays anything
    count = min(len(let_go), most) if only_led and erring is not None else most
    tries = _tries(checked, source, erring, rng or np.random.default_rng(0), hands, let_go, count)
    verdict, after, attempts = judge_checked(checked, tries)
    failed = [
        {"hand": list(hand), "got": one.got()}
        for hand, one in zip(hands, attempts[:-1], strict=False)
    ]
    entry = Entry(
        ply=ply,
        by=adjuster(table, placement),
        do=placement.to_json(),
        hand=(hands and hands[-1]) or None,
        got=verdict.got(after.digest()),
        tries=failed or None,
        extra=extra or {},
    )
    settled = source if attempts and isinstance(source, Simulated) else None
    return JudgedStep(entry, placement, table, after, None, (), verdict, attempts, settled)


def _tries(
    checked: Checked,
    source: PoseSource,
    skill: Skill | None,
    rng: np.random.Generator,
    hands: list[Hand],
    let_go: Sequence[Mapping[str, Jitter]],
    count: int,
) -> Iterator[Attempt]:
    """So many tries of a hand at most, each drawn when its turn comes and kept in `hands`: most
    plies need only the first.
    """
    for n in range(count):
        led = let_go[n] if n < len(let_go) else None
        hands.append(() if skill is None else draw(rng, checked, skill, let_go=led))
        yield Attempt(source, hands[-1])


def refusal(table: Table, placement: Placement, verdict: Verdict) -> IllegalPlacementError:
    """The error that tells why a placement was refused, with every fault."""
    return IllegalPlacementError(placement, table.digest(), verdict.faults)
