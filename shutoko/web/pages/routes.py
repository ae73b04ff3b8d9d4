"""The addresses of the site and the page behind each."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from fastapi import Request
from fastapi.responses import RedirectResponse, Response
from nicegui import app, ui

from rules import defaults
from rules.errors import ShutokoError
from rules.game import game
from rules.record import dumps
from rules.record.replay import begin
from rules.view import SceneView
from shutoko.web.pages import frame, lobby, notices, sockets, travel
from shutoko.web.pages.frame import Visitor, language_of, visitor
from shutoko.web.pages.noting import begin as noting
from shutoko.web.pages.photo import choosing
from shutoko.web.pages.problems import daily, page as problems
from shutoko.web.pages.rooms.board_room import BoardRoom
from shutoko.web.pages.rooms.friends import own_name
from shutoko.web.pages.travel import record_of
from shutoko.web.rooms.room import Room
from shutoko.web.rooms.seats import RefusedError
from shutoko.web.site import Site
from shutoko.web.views import (
    refused,
    refused_file,
)
from shutoko.web.wording import words
from shutoko.web.work import (
    SHARE,
    jobs,
)

_LOOK = 1.0  # seconds between two looks whether a browser still waits for its file


def register(site: Site) -> None:
    """Makes the pages of a site."""
    frame.register()
    sockets.check_events()
    choosing.register(site)
    travel.register(site)
    notices.register(site)
    daily.register(site)
    noting.register(site)

    @frame.page("/")
    async def lobby_page() -> None:
        await lobby.build(site, visitor())

    @frame.page("/problems")
    def problems_page() -> None:
        problems.build(site, visitor())

    @frame.page("/problems/{name}")
    async def problem_page(name: str) -> Response | None:
        return await _problem(site, visitor(), name)

    @frame.page("/games")
    async def games_page() -> None:
        await lobby.build_own_games(site, visitor())

    @frame.page("/room/{name}")
    async def room_page(name: str, seat: str = "") -> Response | None:
        return await _room(site, visitor(), name, seat)

    @frame.page("/replay/{shelf}/{name}", refused_file)
    async def replay_page(shelf: str, name: str, ply: int | None = None) -> Response | None:
        from shutoko.web.pages.replay import page

        who, record = visitor(), await asyncio.to_thread(record_of, site, shelf, name)
        if record is None:
            raise ShutokoError(who.text("no_record"))
        seen = travel.of_record(begin(record)[0], record, f"{shelf}/{name}", ply, who.text)
        looked = travel.show(site, seen)
        if looked is None:
            await page.build(site, who, record, f"{shelf}/{name}", ply)
        return looked

    @app.get("/share/{shelf}/{name}.{kind}")
    async def share_file(
        request: Request, shelf: str, name: str, kind: str, ply: int | None = None
    ) -> Response:
        return await _shared(site, request, shelf, name, kind, ply)


async def _room(site: Site, who: Visitor, name: str, seat: str) -> Response | None:
    """The page of a room by its kind of view; whoever comes with the secret of a seat gets the seat
    first.
    """
    glance = site.rooms.glance(name, who.holder)
    if glance is not None:
        await site.warmed(glance.game)
    room = await asyncio.to_thread(site.rooms.room, name)
    if room is None:
        raise ShutokoError(who.text("no_room"))
    in_space = isinstance(defaults.view(room.made, room.position), SceneView)
    seen = travel.of_room(room, who.text)
    if travel.only_looks(ui.context.client.request):
        return travel.show(site, seen)
    if seat:
        return await _sat_down(who, room, seat)
    room.start(who.counted if room.seats_of(who.holder) else "")
    travel.show(site, seen)
    if defaults.table(room.made, room.position) is not None:
        from shutoko.web.pages.rooms.table_room import TableRoom

        TableRoom(site, who, room).build()
    elif in_space:
        from shutoko.web.pages.rooms.board_room import SceneRoom

        SceneRoom(site, who, room).build()
    else:
        BoardRoom(site, who, room).build()
    return None


async def _sat_down(who: Visitor, room: Room, secret: str) -> Response | None:
    """Gives the seat of a secret, which then leaves the address. Whoever has another seat of the
    room is asked first, unless `sit` is in the query: most likely the link was for a friend.
    """
    text, mine = who.text, room.seats_of(who.holder)
    seat, here = room.seats.opened_by(secret), f"/room/{room.id}"
    if seat is not None and mine and seat not in mine and "sit" not in who.query:
        with frame.frame(who, text("own_link")):
            ui.label(text("own_link_whose", name=room.names[seat])).classes("status")
            ui.link(text("own_link_back"), here).classes("tool").props("data-back")
            ui.link(
                text("own_link_sit", name=room.names[seat]), f"{here}?seat={secret}&sit=1"
            ).classes("tool").props("data-sit")
        return None
    try:
        taken = room.claim(secret, who.holder)
    except ShutokoError as error:
        if isinstance(error, RefusedError) and error.sentence.message == "refused-seat-full":
            raise
        raise ShutokoError(text("no_seat")) from error
    with suppress(ShutokoError):  # the seat counts more than the name
        await own_name(room, who, taken)
    return RedirectResponse(here, status_code=303)


async def _problem(site: Site, who: Visitor, name: str) -> Response | None:
    """The page of a problem by its kind of view."""
    from shutoko.web.pages.problems.posed import OnBoard, OnTable
    from shutoko.web.work import (
        named,
        posed,
    )

    problem = named(name)
    made = site.game(problem.game) if problem is not None else None
    if problem is None or made is None:
        raise ShutokoError(who.text("no_problem"))
    await site.warmed(problem.game)
    made = game(problem.game, **problem.options)
    page = problems.Solving(site, who, problem, made, await asyncio.to_thread(posed, problem))
    shown = OnTable(page) if defaults.table(made, page.posed.state) is not None else OnBoard(page)
    mover, goal = shown.sides()[page.posed.state.to_move].name, problems.goal_of(problem, who.text)
    looked = travel.show(site, travel.of_problem(made, problem, goal, mover, who.text))
    if looked is None:
        page.build(shown)
    return looked


async def _shared(
    site: Site, request: Request, shelf: str, name: str, kind: str, ply: int | None
) -> Response:
    """A record as a file of that kind, or the reason why there is none."""
    from shutoko.export.share import MEDIA

    language = language_of(request)
    try:
        record = await asyncio.to_thread(record_of, site, shelf, name)
        if record is None:
            return Response(words(language)("no_record"), status_code=404, media_type="text/plain")
        who = request.client.host if request.client is not None else ""
        work = site.workers.run(
            jobs.shared, dumps(record), kind, ply, language, kind=SHARE, who=who
        )
        data = await _while_asked(request, work)
    except ShutokoError as error:
        return Response(refused(language, error), status_code=400, media_type="text/plain")
    headers = {"Content-Disposition": f'attachment; filename="{record.header.game}.{kind}"'}
    return Response(data, media_type=MEDIA[kind], headers=headers)


async def _while_asked(request: Request, work: Coroutine[Any, Any, bytes]) -> bytes:
    """Waits for work as long as the browser waits for the answer; returns no bytes if the browser
    has gone.
    """
    task = asyncio.get_running_loop().create_task(work)
    while not (await asyncio.wait([task], timeout=_LOOK))[0]:
        if await request.is_disconnected():
            task.cancel()
            return b""
    return task.result()
