"""What `print` shows of a table and of a verdict: a few lines for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sim.languages import Sentence
from sim.referee.reasons.explain import explain, slots
from sim.referee.standing import letter

if TYPE_CHECKING:
    from sim.referee.table import Table
    from sim.referee.verdict import Verdict

__all__ = ["table_text", "verdict_text"]


def table_text(table: Table) -> str:
    """Whose turn it is, what every seat has in stock, the pillars, and the roads with their free
    sides; a line each.
    """
    return "\n".join(map(str, [*_table_lines(table), *(slot.text for slot in slots(table))]))


def verdict_text(verdict: Verdict) -> str:
    """The sentences that explain a verdict, a line each; a short form if it does not know its table
    and placement.
    """
    if verdict.asked is not None:
        return "\n".join(reason.text for reason in explain(*verdict.asked, verdict))
    if not verdict.legal:
        return "\n".join(
            str(Sentence("reason-illegal", {"why": fault.sentence})) for fault in verdict.faults
        )
    return "; ".join(map(str, _verdict_parts(verdict)))


def _verdict_parts(verdict: Verdict) -> Iterator[Sentence]:
    if verdict.built is None:
        yield Sentence("verdict-nothing-to-build")
        return
    yield Sentence("verdict-stands" if verdict.built else "verdict-does-not-stand")
    if verdict.cars:
        yield Sentence("verdict-cars", {"count": len(verdict.cars), "pieces": verdict.cars})
    if verdict.fallen:
        yield Sentence("verdict-fell", {"pieces": verdict.fallen})
    for payment in verdict.paid:
        yield Sentence("verdict-paid", {"count": payment.total, "player": letter(payment.to)})


def _table_lines(table: Table) -> Iterator[Sentence]:
    outcome = table.outcome()
    if outcome is None:
        yield Sentence("table-to-move", {"phase": table.phase, "player": letter(table.to_move)})
    else:
        winners = [letter(seat) for seat in outcome.winners]
        form = "table-won" if winners else "table-drawn"
        yield Sentence(form, {"reason": str(outcome.reason), "winners": winners})
    for seat, stock in enumerate(table.stocks):
        values = {
            "player": letter(seat),
            "grey": stock.grey,
            "yellow": stock.yellow,
            "roads": stock.roads,
        }
        yield Sentence("table-stock", {**values, "cars": stock.cars})
    for pillar in table.pillars:
        values = {
            "piece": pillar.id,
            "discs": pillar.discs,
            "at": pillar.at,
            "junction": pillar.junction,
        }
        yield Sentence("table-pillar", values)
    for building in table.buildings:
        yield Sentence(
            "table-building", {"piece": building.id, "building": building.kind, "at": building.at}
        )
