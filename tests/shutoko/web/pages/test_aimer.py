"""Aiming at a table is one part: a page of its own says only what differs there."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from nicegui import ui
from nicegui.testing import User

from shutoko.web.pages.frame import Visitor, bare_frame, page, visitor as who_visits
from shutoko.web.pages.rooms.aimer import Aimer
from shutoko.web.pages.rooms.floats import Saying, exact, sheet, top
from shutoko.web.views.table import ADVISED, advised_pieces
from sim.problems import problems
from sim.referee.placement import Build, Placement
from sim.referee.table import Table

PROBLEM = next(one for one in problems("tokyo-highway") if one.goal == "cars")
X, Y = json.loads(PROBLEM.answers[0])["build"]["pillar"]


class HintEditor(Aimer):
    """Somebody sets the moves that a hint shows, at most two."""

    def __init__(self, who: Visitor, table: Table) -> None:
        super().__init__(who.text)
        self.who, self._table, self.hint = who, table, list[Placement]()

    @property
    def acts(self) -> bool:
        return len(self.hint) < 2

    @property
    def table(self) -> Table:
        return self._table

    async def take(self, placement: Placement) -> None:
        self.hint.append(placement)
        self.stage.advise(advised_pieces(self.table, self.hint, None), ADVISED)
        self.loosen()
        if not self.acts:
            self.rest()

    def say(self, said: str, why: str = "", mood: str = "") -> None:
        self.saying.say(said, why, mood)

    def build(self) -> None:
        with bare_frame(self.who, "A hint"), ui.element("div").classes("room mine posed"):
            self.build_stage(self.who)
            with top():
                self.saying = Saying("Set the moves of the hint.")
            with ui.element("div").classes("deeds"):
                self.build_pieces()
                ui.button("Add to the hint", on_click=self.give)
            with sheet("menu", "Menu", self.text), exact(self.text):
                self.build_controls()
        self.begin_anew()
        self.fill()
        self.aim()


@pytest.fixture
async def editor(user: User) -> AsyncIterator[HintEditor]:
    """A page with the editor of a hint for a table in the middle of a game."""
    made = list[HintEditor]()

    @page("/hint")
    def hint_page() -> None:
        made.append(HintEditor(who_visits(), PROBLEM.begin()[2].table))
        made[0].build()

    await user.open("/hint")
    with user.client:
        yield made[0]


def point(kind: str, x: float = X, y: float = Y, **more: Any) -> dict[str, Any]:
    """What the stage tells of the pointer."""
    return {"type": kind, "x": x, "y": y, **more}


def pressed(name: str) -> Any:
    """A key that goes down."""
    key = type("Key", (str,), {"name": name, "is_cursorkey": name.startswith("Arrow")})(name)
    down, no_shift = SimpleNamespace(keydown=True), SimpleNamespace(shift=False)
    return SimpleNamespace(action=down, key=key, modifiers=no_shift)


def test_a_fourth_place_to_aim_takes_less_than_60_lines():
    assert len(inspect.getsource(HintEditor).splitlines()) < 60


@pytest.mark.anyio
async def test_a_hint_is_set_by_pointing_tapping_and_tapping_again(user, editor):
    await user.should_see("Choose a place on the table.")
    editor.hand(point("aim"))
    await user.should_see(f"+{PROBLEM.count} cars")
    assert not editor.pinned
    editor.hand(point("tap"))
    editor.hand(point("aim", -X, -Y))
    assert editor.built.at == (X, Y), "what is pinned stays"
    editor.hand(point("tap"))
    await user.should_see("Choose a place on the table.")
    assert [one.at for one in editor.hint if isinstance(one, Build)] == [(X, Y)]


@pytest.mark.anyio
async def test_keys_move_what_is_aimed_at_change_its_height_take_it_and_let_it_go(user, editor):
    editor.hand(point("tap"))
    first = editor.built
    await editor.key(pressed("ArrowLeft"))
    assert editor.built.at != first.at
    await editor.key(pressed("Escape"))
    assert editor.aimed is None
    editor.hand(point("tap"))
    sign = editor.sign
    assert sign.more or sign.less
    await editor.key(pressed("+" if sign.more else "-"))
    assert (editor.built.discs > first.discs) == sign.more
    editor.take_piece("pillar")  # of the height that fits
    await editor.key(pressed("Enter"))
    assert len(editor.hint) == 1


@pytest.mark.anyio
async def test_what_is_forbidden_is_shown_and_not_taken_and_after_the_last_move_nothing_is_aimed_at(
    user, editor
):
    await user.should_see("Exit")
    base = editor.table.base_points(editor.table.to_move)[0].pillar
    editor.typed(editor.table.top(base))
    assert not editor.aimed.legal
    user.find("Add to the hint").click()
    await asyncio.sleep(0)
    assert editor.hint == []
    for nonsense in ({}, point("tap", 9e9), point("tap", float("nan")), point("dance")):
        editor.loosen()
        editor.hand(nonsense)
        assert editor.request is None, nonsense
    for _ in range(2):
        editor.hand(point("tap"))
        await editor.give()
    editor.hand(point("tap"))
    assert len(editor.hint) == 2
    assert all(isinstance(one, Build) for one in editor.hint)
    assert editor.aimed is None
    await user.should_not_see("Exit")
