"""One ply of Tokyo Highway: the referee and physics glued together.

The flow of a turn: the referee's `before`; the new pieces are laid where the hand lets go of them; a ground truth says
where everything comes to rest (an engine, a record's `moved`, or nothing but geometry); the referee counts crossings on
those poses; the cars are set and come to rest too; the referee's `after` gives the verdict, and the table goes on from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rules.record import Entry
from sim import referee
from sim.game.attempt import Attempt, Hand, attempt, standing_poses
from sim.game.hand import Skill, draw
from sim.game.sources import Simulated, pose_source
from sim.physics.engine import Engine
from sim.referee import AttemptResult, adjusting
from sim.referee.placement import Adjust, Pass, Placement, Resign, SetBuilding
from sim.referee.refusal import IllegalPlacementError
from sim.referee.table import Table
from sim.referee.verdict import Verdict

__all__ = ["Performed", "judge", "perform", "play", "refusal"]


def judge(
    table: Table,
    placement: Placement,
    tries: Sequence[Attempt],
    pay: Sequence[Mapping[str, Any]] | None = None,
    *,
    accepted: bool = False,
) -> tuple[Verdict, Table, tuple[AttemptResult, ...]]:
    """The verdict on a placement by the seat to move, the table after it, and the attempts one by one.

    An illegal placement leaves the table as it is and makes no attempt, unless people `accepted` it. Tries after the first that
    stands are not made.
    """
    refused = referee.illegal(table, placement, accepted=accepted)
    if refused is not None:
        return refused, table, ()
    if isinstance(placement, Adjust):
        verdict, after, anew = judge(*adjusting.resolved(table, placement), tries, pay, accepted=accepted)
        return *adjusting.rejoined(table, placement, verdict, after), anew
    if isinstance(placement, (Pass, Resign, SetBuilding)):
        return _closed(referee.after(table, placement, (), accepted=accepted), table, placement, ())
    attempts: list[AttemptResult] = []
    now = table
    for n, one in enumerate(tries):
        made = attempt(now, placement, one)
        attempts.append(made)
        if made.built or n == len(tries) - 1:
            break
        # the new pieces are taken off again before the next try: only what stood before keeps where it was nudged to
        nudged = {piece: pose for piece, pose in (made.moved or {}).items() if piece in table.piece_ids}
        now = replace(now, poses=standing_poses(now, nudged, made.fallen))
    return _closed(referee.after(now, placement, attempts, pay, accepted=accepted), now, placement, tuple(attempts))


def play(
    table: Table,
    placement: Placement,
    engine: str | Engine | None = None,
    hand: Hand = (),
    pay: Sequence[Mapping[str, Any]] | None = None,
) -> tuple[Verdict, Table]:
    """Plays one ply with an engine: the verdict, which prints as sentences, and the table after it.

    `engine` is `bullet`, `mujoco`, or `none` for geometry alone; left out, it is the best that is installed.
    """
    verdict, after, _ = judge(table, placement, [Attempt(pose_source(engine), hand)], pay)
    return replace(verdict, asked=(table, placement)), after


@dataclass(frozen=True, slots=True)
class Performed:
    """A placement that was made: its entry, the verdict with the attempts that led to it, and the table after it."""

    entry: Entry
    verdict: Verdict
    after: Table
    attempts: tuple[AttemptResult, ...]


def perform(
    table: Table,
    placement: Placement,
    ply: int,
    engine: str | Engine | None = None,
    skill: Skill | None = None,
    rng: np.random.Generator | None = None,
    extra: Mapping[str, Any] | None = None,
    watched: bool = False,
) -> Performed:
    """A placement of the seat to move, made by a hand, settled by an engine and judged; `extra` goes into the entry.

    A hand with a `skill` errs as `rng` (seed 0 if there is none) has it, and tries again up to `redo` times; without one it
    is steady, and so is every hand with the engine `none`. `watched` attempts know their takes. Raises IllegalMoveError with
    every fault.
    """
    refused = referee.illegal(table, placement)
    if refused is not None:
        raise refusal(table, placement, refused)
    ground = pose_source(engine, watched=watched)
    hands: list[Hand] = [()]
    if skill is not None and isinstance(ground, Simulated):
        rng = rng or np.random.default_rng(0)
        hands = [draw(rng, *adjusting.resolved(table, placement), skill) for _ in range(1 + table.ruleset.redo)]
    verdict, after, attempts = judge(table, placement, [Attempt(ground, hand) for hand in hands])
    failed = [{"hand": list(hand), "got": one.got()} for hand, one in zip(hands, attempts[:-1], strict=False)]
    entry = Entry(
        ply=ply,
        by=adjusting.adjuster(table, placement),
        do=json.loads(str(placement)),
        hand=hands[max(len(attempts) - 1, 0)] or None,
        got=verdict.got(after.digest()),
        tries=failed or None,
        extra=extra or {},
    )
    return Performed(entry, verdict, after, attempts)


def refusal(table: Table, placement: Placement, verdict: Verdict) -> IllegalPlacementError:
    """The error that tells why a placement was refused, with every fault."""
    return IllegalPlacementError(placement, table.digest(), verdict.faults)


def _closed(
    verdict: Verdict, table: Table, placement: Placement, attempts: tuple[AttemptResult, ...]
) -> tuple[Verdict, Table, tuple[AttemptResult, ...]]:
    after = table.after(placement, verdict)
    return referee.with_out(verdict, table, after), after, attempts
