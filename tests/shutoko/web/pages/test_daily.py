"""The challenge of the day: the same for everybody, three tries by hand, scored by what stands."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from shutoko.web.pages.problems import daily
from shutoko.web.pages.problems.daily import Today
from shutoko.web.site import Site
from shutoko.web.work import tables as work
from shutoko.web.work.by_hand import Grip
from sim.challenge import CAR, FALLEN, STANDS, TRIES, Try, of_day, points
from sim.problems import every

DAY = date(2026, 11, 29)  # its table stands early in its game, so it is quickly there

PASSED = date(2024, 1, 8)


def placement(day: date) -> str:
    return str(every(of_day(day).position.table).placement(0))


@pytest.mark.slow
def test_the_date_alone_chooses_the_table_and_the_tremble():
    one = of_day(DAY)
    of_day.cache_clear()
    other = of_day(DAY)
    assert one is not other
    assert one.position.digest() == other.position.digest()
    text = placement(DAY)
    for n in range(TRIES):
        assert work.grip(one, text, n).held == work.grip(other, text, n).held
    assert work.grip(one, text, 0).held != work.grip(one, text, 1).held
    days = {of_day(DAY + timedelta(n)).position.digest() for n in (0, 1, 2)}
    assert len(days) == 3


@pytest.mark.parametrize("n", range(4))
def test_each_day_has_a_table_on_which_something_can_be_placed(n):
    found = of_day(DAY + timedelta(n))
    assert found.position.outcome() is None
    assert (every(found.position.table).cars > 0).any()


def test_a_try_counts_what_stands_and_what_it_earns_less_what_falls():
    for told, worth in (
        ({}, STANDS),
        ({"earned": 2}, STANDS + 2 * CAR),
        ({"earned": 1, "fallen": ("a", "b")}, STANDS + CAR + 2 * FALLEN),
        ({"fallen": tuple("abcdefgh")}, 0),
        ({"built": False, "earned": 3}, 0),
    ):
        verdict: Any = SimpleNamespace(**{"built": True, "earned": 0, "fallen": (), **told})
        assert points(verdict) == worth


def test_tries_are_counted_by_visitor_and_day():
    tries, one = work.Tries(), Try(10, True, 0, 0)
    for n in range(TRIES):
        assert tries.left("ann", DAY) == TRIES - n
        tries.add("ann", DAY, one)
    assert tries.left("ann", DAY) == 0
    assert tries.left("bo", DAY) == TRIES
    tomorrow = DAY + timedelta(1)
    assert tries.left("ann", tomorrow) == TRIES
    tries.add("bo", tomorrow, one)
    assert tries.left("bo", DAY) == TRIES
    assert tries.left("ann", DAY) == 0, "a day that has passed is remembered"


def traces(grip: Grip, aside: float = 0.0) -> list[list[list[float]]]:
    """A hand that lowers each piece over its place, or beside it, and lets go."""
    down = [[0.0, aside, 0.0, 45.0, 0.0], [1.5, aside, 0.0, 0.0, 0.0], [1.6, aside, 0.0, 0.0, 0.0]]
    return [down for _ in grip.held]


def test_one_try_has_no_second_one_and_equal_hands_come_to_the_same():
    found, text = of_day(DAY), placement(DAY)
    grip = work.grip(found, text, 0)
    one = work.tried(found, text, 0, grip.let_go(traces(grip)))
    again = work.tried(found, text, 0, grip.let_go(traces(grip)))
    assert one.film is not None
    assert (one.worth, one.after.digest()) == (again.worth, again.after.digest())
    dropped = work.tried(found, text, 0, grip.let_go(traces(grip, aside=90.0)))
    assert not dropped.worth.built
    assert dropped.worth.points == 0


@pytest.fixture
def pages(site: Site, monkeypatch: pytest.MonkeyPatch) -> list[Today]:
    """The pages of the challenge of a day whose table is quickly there, as they are built."""
    del site  # is there first
    made, built = list[Today](), Today.build
    monkeypatch.setattr(daily, "of_day", lambda day: of_day(DAY))
    monkeypatch.setattr(Today, "build", lambda page: (made.append(page), built(page)))
    return made


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_visitor_takes_the_pieces_up_tries_three_times_and_then_waits_for_tomorrow(
    user, pages, monkeypatch
):
    monkeypatch.setattr(Grip, "lasted", lambda self, traces: bool(traces))
    await user.open("/challenge")
    await user.should_see("3 tries left.")
    (page,) = pages
    text = placement(DAY)
    for left in (2, 1, 0):
        with user:
            await page.answer(text)
            assert not page.waits
            await page.placed("", traces(page._grip))
        await user.should_see(
            "tries left." if left > 1 else "try left." if left else "No try is left"
        )
        await user.should_see("Your best")
        if left:
            user.find("Next try").click()
            await asyncio.sleep(0.1)
    with user:
        await page.answer(text)
    assert page._grip is None
    await user.open("/challenge")  # another page of the same visitor
    await user.should_see("No try is left")


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.usefixtures("site")
async def test_a_day_that_has_passed_is_played_and_any_other_is_refused(user):
    await user.open(f"/challenge?day={PASSED}")
    await user.should_see(f"Challenge of the day ({PASSED}).")
    for wrong in ("9999-01-01", "2019-12-31", "yesterday", "2024-02-30"):
        answer = await user.http_client.get(f"/challenge?day={wrong}")
        assert answer.status_code == 404
        assert f"No challenge of “{wrong}”" in answer.text


@pytest.mark.slow
@pytest.mark.anyio
async def test_traces_that_no_hand_makes_are_no_try(user, pages):
    await user.open("/challenge")
    for given in (None, 3, [], [[]], [[["x"]]], [[[0.0, 0.0]]], [[[1e9] * 5]] * 2):
        with user:
            await pages[0].answer(placement(DAY))
            assert pages[0]._grip is not None, given
            await pages[0].placed("", given)
        await user.should_see("3 tries left.")
        assert pages[0].waits, given
