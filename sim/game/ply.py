"""One ply of Tokyo Highway: the referee and physics together.

The referee checks the placement. The new pieces are laid where the hand lets go of them. A pose
source (an engine, a record's `moved`, or geometry alone) says where everything comes to rest. The
referee counts crossings on those poses. The cars are put on and come to rest, too. The referee's
`after` gives the verdict and the next table. A `JudgedStep` is a ply with its outcome.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from rules.record import Entry
from rules.record.replay import Digested, StepOf
from sim import referee
from sim.game.attempts.attempt import Attempt, Hand, attempt
from sim.game.attempts.hand import Skill, draw
from sim.game.attempts.posing import Jitter, share_bodies
from sim.game.attempts.reading import standing_poses
from sim.game.sources import Observed, PoseSource, Recorded, Simulated, pose_source
from sim.languages.sentences import ENGLISH
from sim.physics.engine import Engine
from sim.referee import adjusting
from sim.referee.faults import IllegalPlacementError, Names
from sim.referee.judgement import with_pay
from sim.referee.placement import Adjust, Placement
from sim.referee.reasons import Reason
from sim.referee.table import Table
from sim.referee.verdict import AttemptResult, Checked, Close, Verdict

StateT_co = TypeVar("StateT_co", bound=Digested, covariant=True)


@dataclass(frozen=True, slots=True)
class JudgedStep(StepOf[StateT_co]):
    """A step with the verdict on it and the attempts that it took, between two tables or two
    positions of a game; `ground` is what settled them, None if no engine did.

    It prints as the sentences that explain the verdict.
    """

    verdict: Verdict
    attempts: tuple[AttemptResult, ...] = ()
    ground: Simulated | None = field(default=None, compare=False, repr=False)

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
        verdict, after = adjusting.rejoined(table, placement, verdict, after)
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
        if checked.grown is None and not isinstance(one.ground, Observed):
            break  # where no road is laid, only people see what falls
        checked = left_by(checked, made[-1]) if made else checked
        made.append(attempt(checked, one, made))
        if close is None and isinstance(one.ground, Recorded):
            close = one.ground.close
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
    ground = pose_source(engine, watched=watched)
    hands: list[Hand] = []
    erring = skill if isinstance(ground, Simulated) else None
    most = 1 if erring is None else 1 + table.ruleset.redo
    if checked.grown is None:
        most = 0  # no hand lays anything
    count = min(len(let_go), most) if only_led and erring is not None else most
    tries = _tries(checked, ground, erring, rng or np.random.default_rng(0), hands, let_go, count)
    verdict, after, attempts = judge_checked(checked, tries)
    failed = [
        {"hand": list(hand), "got": one.got()}
        for hand, one in zip(hands, attempts[:-1], strict=False)
    ]
    entry = Entry(
        ply=ply,
        by=adjusting.adjuster(table, placement),
        do=placement.to_json(),
        hand=(hands and hands[-1]) or None,
        got=verdict.got(after.digest()),
        tries=failed or None,
        extra=extra or {},
    )
    settled = ground if attempts and isinstance(ground, Simulated) else None
    return JudgedStep(entry, placement, table, after, None, (), verdict, attempts, settled)


def _tries(
    checked: Checked,
    ground: PoseSource,
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
        yield Attempt(ground, hands[-1])


def refusal(table: Table, placement: Placement, verdict: Verdict) -> IllegalPlacementError:
    """The error that tells why a placement was refused, with every fault."""
    return IllegalPlacementError(placement, table.digest(), verdict.faults)
