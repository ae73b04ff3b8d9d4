"""A table and a verdict in a few lines, for people: what `print` shows of them."""

from __future__ import annotations

from collections.abc import Iterator

from sim.referee.explain import explain, slots
from sim.referee.names import counted, listed
from sim.referee.standing import letter
from sim.referee.table import Table
from sim.referee.verdict import Verdict

__all__ = ["table_text", "verdict_text"]


def table_text(table: Table) -> str:
    """Whose turn it is, what every seat has in stock, the pillars, and the roads with their free sides; a line each."""
    return "\n".join(_table_lines(table))


def verdict_text(verdict: Verdict) -> str:
    """The sentences that explain a verdict, a line each; in short if it does not know its table and placement."""
    if verdict.asked is not None:
        return "\n".join(reason.text for reason in explain(*verdict.asked, verdict))
    if not verdict.legal:
        return "\n".join(f"illegal: {fault.text}" for fault in verdict.faults)
    if verdict.built is None:
        return "legal, nothing to build"
    told = ["legal, and it stands" if verdict.built else "legal, but it does not stand"]
    if verdict.cars:
        told.append(f"{counted(len(verdict.cars), 'car')} placed ({listed(verdict.cars)})")
    if verdict.fallen:
        told.append(f"{listed(verdict.fallen)} fell")
    told += [f"{counted(payment.total, 'piece')} paid to {letter(payment.to)}" for payment in verdict.paid]
    return "; ".join(told)


def _table_lines(table: Table) -> Iterator[str]:
    outcome = table.outcome()
    if outcome is None:
        yield f"Tokyo Highway, {table.phase}: {letter(table.to_move)} to move"
    else:
        winners = listed([letter(seat) for seat in outcome.winners]) if outcome.winners else "nobody"
        yield f"Tokyo Highway, over ({outcome.reason}): won by {winners}"
    for seat, stock in enumerate(table.stocks):
        roads = f"{counted(stock.roads, 'road')} and {counted(stock.cars, 'car')}"
        yield f"{letter(seat)} has {stock.grey} grey and {stock.yellow} yellow discs, {roads} left"
    for pillar in table.pillars:
        junction = ", a junction" if pillar.junction else ""
        yield f"{pillar.id}: {counted(pillar.discs, 'disc')} at ({pillar.at[0]:.1f}, {pillar.at[1]:.1f}){junction}"
    for building in table.buildings:
        yield f"{building.id}: {building.kind} at ({building.at[0]:.1f}, {building.at[1]:.1f})"
    yield from (slot.text for slot in slots(table))
