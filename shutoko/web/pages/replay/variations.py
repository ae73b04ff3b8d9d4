"""The variations of a replay, which are games that branched off at a ply, as a tree; and the
dialogue that branches off one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from nicegui import ui

from rules.game import Game
from rules.record import Record
from rules.record.replay import Step
from shutoko.web.pages.controls import folded, loading, text_button
from shutoko.web.pages.frame import Visitor
from shutoko.web.pages.new_game import Seating
from shutoko.web.rooms.store import Branch, Setup
from shutoko.web.site import Site


class Variations:
    """The tree around one record, as its visitor may see it. Make it with `of`."""

    def __init__(
        self, who: Visitor, name: str, root: str, children: dict[str, list[Branch]]
    ) -> None:
        self._who, self._name, self._root, self._children = who, name, root, children

    @classmethod
    async def of(cls, site: Site, who: Visitor, name: str) -> Variations:
        """Finds the records that branched off the named one, and the one that it branched off
        itself.
        """
        root, children = await asyncio.to_thread(
            site.rooms.tree, name, who.holder, listed=not site.public
        )
        return cls(who, name, root, children)

    def mark(self, shared: int) -> None:
        """Lists in the log what branches off after so many plies."""
        here = self._children.get(self._name, ())
        for branch in (branch for branch in here if branch.shared == shared):
            with ui.element("div").classes("ply branches").props("data-variation"):
                ui.icon("call_split").props('aria-hidden="true"')
                self._link(branch)

    def build(self) -> None:
        """The tree, with this record marked; nothing for a record without variations that is none
        itself.
        """
        count = sum(map(len, self._children.values()))
        if not count:
            return
        with folded(self._who.text("variations", n=count), "card tree", "open data-tree"):
            self._node(self._root, None)

    def _node(self, name: str, branch: Branch | None) -> None:
        with ui.element("div").classes("node"):
            if branch is not None:
                self._link(branch, here=name == self._name)
            else:
                ui.link(self._who.text("main_line"), f"/replay/{name}").props(
                    'aria-current="page"' if name == self._name else ""
                )
            for child in self._children.get(name, ()):
                self._node(child.name, child)

    def _link(self, branch: Branch, *, here: bool = False) -> None:
        room = branch.room
        told = self._who.text(
            "variation",
            ply=branch.shared,
            names=" - ".join(room.names),
            n=room.plies - branch.shared,
        )
        link = ui.link(told, f"/replay/{branch.name}?ply={branch.shared}")
        if here:
            link.props('aria-current="page"')


def branch_off(
    site: Site,
    who: Visitor,
    record: Record,
    name: str,
    made: Game[Any],
    steps: Sequence[Step],
    to_move: int,
) -> None:
    """Asks who plays on after these plies of a record, and opens a room that is kept as a variation
    of it.
    """
    text = who.text
    kept = tuple(step.entry for step in steps if not step.entry.taken_back)
    with (
        ui.dialog().props(f'aria-label="{text("branch")}"') as dialog,
        ui.card().classes("card").style("min-width: min(30rem, 92vw)"),
    ):
        ui.label(text("branch_at", ply=len(kept))).classes("status")
        seating = Seating(site, who, made, to_move)
        seating.build(made.seats)

        async def begin() -> None:
            seated = seating.taken()
            header = replace(record.header, source=f"{name}, branched at ply {len(kept)}"[:200])
            setup = Setup(
                record.header.game,
                seated.names,
                seated.computers,
                hands=seated.hands,
                listed=not site.public,
                held=seated.held,
                record=Record(header, kept),
                parent=name,
            )
            with loading(button):
                await seating.open(setup, seated)

        with ui.element("div").classes("line"):
            button = text_button(text("begin"), begin, "unelevated data-begin")
            text_button(text("cancel"), dialog.close, "flat")
    dialog.value = True
