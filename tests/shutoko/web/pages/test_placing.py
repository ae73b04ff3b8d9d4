"""The panels of a placement: fields keep what is half typed, and a slower, shorter answer never
replaces the one asked for.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from nicegui import Client, background_tasks, ui
from nicegui.page import page
from nicegui.testing import User

from rules.game import game
from shutoko.web.pages.rooms.placing import Chance, Choices
from shutoko.web.views import aiming
from shutoko.web.views.aiming import AimRequest, aim
from shutoko.web.wording import words
from sim.languages import Sentence
from sim.referee.table import Table


def test_a_half_typed_place_stays_until_another_is_shown() -> None:
    typed, on_enter, place = list[tuple[float, float]](), Mock(), (73.2, 0.4)
    with Client(page("")):
        choices = Choices(words("en"), lambda: None, typed.append, on_enter)
    x, y = choices.at
    wrong = "At most 1000 mm from the middle"
    for deed, given, shown, error, told in (
        (x.set_value, [73.2], (73.2, None), None, ([], 0)),
        # the pointer passes the table, or somebody sits down
        (choices.show_place, [None], (73.2, None), None, ([], 0)),
        (choices._entered, [], (73.2, None), None, ([], 0)),
        (y.set_value, [0.4], place, None, ([place], 0)),
        (choices._entered, [], place, None, ([place], 1)),
        (choices.show_place, [place], place, None, ([place], 1)),
        (y.set_value, [None], (73.2, None), None, ([place], 1)),
        (choices.show_place, [place], (73.2, None), None, ([place], 1)),
        # what is left empty has the place that counts
        (choices._left, [], place, None, ([place], 1)),
        (y.set_value, [1e300], (73.2, 1e300), wrong, ([place], 1)),
        (choices._left, [], place, None, ([place], 1)),
        (choices.show_place, [(70.0, 1.234)], (70.0, 1.23), None, ([place], 1)),
        (choices.show_place, [None], (None, None), None, ([place], 1)),
    ):
        deed(*given)
        assert (x.value, y.value) == shown
        assert (y.error, (typed, on_enter.call_count)) == (error, told)


STATICS = Sentence("statics-unbalanced", {"piece": "A-C1", "way": "tips", "other": "A-P1"})
RISK = Sentence(
    "risk-told",
    {
        "skill": "normal",
        "samples": 24,
        "stands": 97.0,
        "low": 80.0,
        "high": 99.0,
        "others": 0.0,
        "penalty": 0.1,
    },
)
TABLE = Table.start(2)


class Late:
    """Workers whose answers come when the test gives them."""

    def __init__(self) -> None:
        self.came = defaultdict[Callable[..., Any], asyncio.Event](asyncio.Event)
        self.answers = defaultdict[Callable[..., Any], asyncio.Queue[Sentence]](asyncio.Queue)

    async def run(self, work: Callable[..., Any], *_: Any, **__: Any) -> Sentence:
        self.came[work].set()
        return await self.answers[work].get()

    async def answer(self, work: Callable[..., Any], said: Sentence) -> None:
        await self.came[work].wait()
        self.answers[work].put_nowait(said)
        await asyncio.sleep(0.05)


@pytest.fixture
async def asked(user: User) -> AsyncIterator[tuple[Chance, Late, Mock]]:
    """The controls on a page with nothing else, its workers, and what is called when an answer
    is there.
    """
    made, late, led_on = list[Chance](), Late(), Mock()
    stage = SimpleNamespace(ring=lambda *_: None)
    room = SimpleNamespace(made=game("tokyo-highway"), position=SimpleNamespace(engine="none"))
    who = SimpleNamespace(text=words("en"), counted="a")

    @ui.page("/")
    def page() -> None:
        site: Any = SimpleNamespace(workers=late)
        made.append(Chance(site, who, room, stage, None, led_on))  # type: ignore[arg-type]

    await user.open("/")
    with user:
        yield made[0], late, led_on


@pytest.mark.anyio
async def test_statics_that_come_late_do_not_replace_the_chance_that_was_asked_for(user, asked):
    chance, late, led_on = asked
    chance.about(aim(TABLE, AimRequest((30.0, -40.0))), TABLE)
    background_tasks.create(chance.weigh())
    user.find("Ask").click()
    await late.answer(aiming.risk_of, RISK)
    await user.should_see("24 tries")
    led_on.assert_called_once_with()
    await late.answer(aiming.margin, STATICS)
    await user.should_see("24 tries")
    await user.should_not_see("A-C1")


@pytest.mark.slow
@pytest.mark.anyio
async def test_an_answer_about_another_placement_is_not_shown(user, asked):
    chance, late, led_on = asked
    chance.about(aim(TABLE, AimRequest((30.0, -40.0))), TABLE)
    user.find("Ask").click()
    await late.came[aiming.risk_of].wait()
    chance.about(aim(TABLE, AimRequest((40.0, -40.0))), TABLE)
    await late.answer(aiming.risk_of, RISK)
    await user.should_not_see("24 tries")
    led_on.assert_not_called()
    background_tasks.create(chance.weigh())
    await late.answer(aiming.margin, STATICS)
    await user.should_see("A-C1")
    chance.about(aim(TABLE, AimRequest((50.0, -40.0))), TABLE)
    await user.should_not_see("A-C1")
