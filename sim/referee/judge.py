"""The verdict on a placement that may be made, from the results of its attempts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sim.referee.checked import Checked
from sim.referee.scoring.judgement import owed, payments
from sim.referee.table import Table
from sim.referee.verdict import AttemptResult, Verdict

__all__ = ["after"]


def after(
    checked: Checked,
    attempts: Sequence[AttemptResult],
    pay: Sequence[Mapping[str, Any]] | None = None,
) -> tuple[Verdict, Table]:
    """The verdict on a legal or accepted placement from its attempts, of which the last counts, and
    the next table.

    Knocks of every attempt are paid (rules 8h). A pass, a resignation or a building has no attempt.
    `pay` is how the payer wants to pay (record format 6c). Raises InputError if that is not
    possible.
    """
    verdict, table, laid = _verdict(checked, attempts, pay), checked.table, None
    if attempts and not verdict.returned:
        laid = attempts[-1].laid
    following = table.after(checked.placement, verdict, laid)
    return _with_out(verdict, table, following), following


def _verdict(
    checked: Checked, attempts: Sequence[AttemptResult], pay: Sequence[Mapping[str, Any]] | None
) -> Verdict:
    verdict = Verdict(
        legal=True, faults=checked.faults, remarks=checked.remarks, asked=checked.asked
    )
    if not attempts:
        return verdict
    table, seat = checked.table, checked.table.to_move
    *failed, last = (attempt.bare() for attempt in attempts)
    debts = owed(table, seat, [attempt.fallen for attempt in attempts])
    dirty = table.ruleset.clean_win and (debts or table.knocked)
    returned = bool(
        last.built and dirty and last.spots and table.stocks[seat].cars == len(last.spots)
    )
    if returned:  # clean_win: the last car does not count in a turn that knocked something over
        settled = last.settled.without(last.cars[-1]) if last.settled is not None else None
        last = replace(last, spots=last.spots[:-1], cars=last.cars[:-1], settled=settled)
    stocked = checked.grown if last.built and checked.grown is not None else table
    paid = payments(stocked, seat, debts, pay)
    return replace(
        verdict, last=last, failed=tuple(failed), owed=debts, paid=paid, returned=returned
    )


def _with_out(verdict: Verdict, before: Table, following: Table) -> Verdict:
    """The verdict, with the seats that are out of the game because of this ply."""
    gone = {seat for group in before.turns.out for seat in group}
    out = tuple(seat for group in following.turns.out for seat in group if seat not in gone)
    return replace(verdict, out=out) if out else verdict
