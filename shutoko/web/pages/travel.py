"""Addresses that lead away from a table: the clip of a ply, and what messengers show beside a link
to a room, a replay or a problem.

Whoever may see a room may have its clips and its picture: those who know its link. What a link
shows names no seat, and a program that only looks at a link takes none.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import HTMLResponse, Response
from nicegui import app, ui

from rules.errors import ShutokoError
from rules.game import Game
from rules.record import Record
from shutoko.plain import plain_record
from shutoko.web.guard import HEAD_ONLY
from shutoko.web.limits import visitor_of
from shutoko.web.pages.frame import language_of
from shutoko.web.rooms.room import Room
from shutoko.web.site import Site
from shutoko.web.views import (
    guide,
    refused,
)
from shutoko.web.wording import words
from shutoko.web.work import (
    Kind,
    named,
    travel,
)
from sim.problems import Problem

_CLIPS = 48 * 2**20  # bytes of clips that are kept
_PICTURES = 16 * 2**20
_LOOKERS = (
    "bot",  # Slackbot, Twitterbot, TelegramBot, Discordbot, LinkedInBot, Googlebot, ...
    "facebookexternalhit",
    "whatsapp",
    "skypeuripreview",
    "mastodon",
    "kakaotalk-scrap",
    "embedly",
    "preview",
    "crawler",
    "spider",
)
"""Parts of the names of programs that open a link to show what is behind it."""


def register(site: Site) -> None:
    """Adds the addresses."""
    clips, pictures = travel.Made(_CLIPS), travel.Made(_PICTURES)

    @app.get("/room/{name}/clip/{ply}.{kind}")
    @app.get("/replay/{shelf}/{name}/clip/{ply}.{kind}")
    async def clip(
        request: Request, name: str, ply: str, kind: str, shelf: str = "room"
    ) -> Response:
        if kind not in travel.CLIPS or not ply.isdecimal() or len(ply) > 6:
            return _none(request)
        return await _of_record(
            site, request, clips, shelf, name, int(ply), travel.CLIPS[kind], kind
        )

    @app.get("/room/{name}/preview.jpg")
    @app.get("/replay/{shelf}/{name}/preview.jpg")
    async def picture(request: Request, name: str, shelf: str = "room", ply: str = "") -> Response:
        last = int(ply) if ply.isdecimal() and len(ply) < 7 else None
        return await _of_record(site, request, pictures, shelf, name, last, "image/jpeg")

    @app.get("/problems/{name}/preview.jpg")
    async def problem_picture(request: Request, name: str) -> Response:
        if named(name) is None:
            return _none(request, "no_problem")
        return await _file(
            request,
            pictures,
            f"problem {name}",
            _job(site, request, travel.PREVIEW, travel.problem_pictured, name),
            "image/jpeg",
        )


async def _of_record(
    site: Site,
    request: Request,
    made: travel.Made,
    shelf: str,
    name: str,
    ply: int | None,
    media: str,
    kind: str | None = None,
) -> Response:
    """The clip of that kind of a ply of a record, or without a kind the picture after it."""
    missing, language = "no_room" if shelf == "room" else "no_record", language_of(request)
    try:
        record = await asyncio.to_thread(record_of, site, shelf, name)
        if record is None:
            return _none(request, missing)
        room = site.rooms.room(name) if shelf == "room" and kind is not None else None
        if (
            room is not None and room.tried is not None
        ):  # a try of which nobody knows yet how it ends
            record = record.plus(room.tried.step.entry)
        if kind is not None and not any(entry.ply == ply for entry in record.entries):
            return _none(request)
        data, digest = await asyncio.to_thread(travel.until, record, ply)
    except ShutokoError:
        return _none(request, missing)
    if kind is not None and ply is not None:
        work = _job(site, request, travel.CLIP, travel.clipped, data, kind, ply, language)
    else:
        work = _job(site, request, travel.PREVIEW, travel.pictured, data)
    return await _file(request, made, f"{digest} {kind} {ply} {language}", work, media)


def _job(
    site: Site, request: Request, kind: Kind, work: Callable[..., bytes], *arguments: Any
) -> Callable[[], Coroutine[Any, Any, bytes]]:
    """A job of a worker that is put down to whoever asks."""
    who = visitor_of(request.client.host) if request.client is not None else ""
    return lambda: site.workers.run(work, *arguments, kind=kind, who=who)


async def _file(
    request: Request,
    made: travel.Made,
    key: str,
    work: Callable[[], Coroutine[Any, Any, bytes]],
    media: str,
) -> Response:
    try:
        data = await made.of(key, work)
    except ShutokoError as error:
        told = refused(language_of(request), error)
        return Response(told, status_code=400, media_type="text/plain")
    return Response(data, media_type=media, headers={"Cache-Control": "private, max-age=300"})


def _none(request: Request, reason: str = "no_page") -> Response:
    return Response(words(language_of(request))(reason), status_code=404, media_type="text/plain")


def record_of(site: Site, shelf: str, name: str) -> Record | None:
    """A record of the library, or the game of a room or of a diary so far. Raises RecordError for a
    broken file.
    """
    if shelf == "noted":
        return site.diaries.record(name)
    if shelf == "room":
        room = site.rooms.room(name)
        return None if room is None else room.record
    return site.library.record(f"{shelf}/{name}")


# --- beside a link --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Preview:
    """What messengers show beside a link: a title, a sentence, the path of the page and that of the
    picture.
    """

    title: str
    told: str
    path: str
    picture: str


def of_room(room: Room, text: Any) -> Preview:
    """What to show of a room, without its seats."""
    path = f"/room/{room.id}"
    return Preview(
        _title(room.made, room.names, text),
        _state(room, text),
        path,
        f"{path}/preview.jpg?v={room.record.next_ply}",
    )


def of_record(made: Game[Any], record: Record, name: str, ply: int | None, text: Any) -> Preview:
    """What to show of a replay, given its name as "SHELF/NAME"."""
    path, names = f"/replay/{quote(name)}", plain_record(record).header.players
    shown = record.next_ply if ply is None else min(max(ply, 0), record.next_ply)
    mover = next((entry.by for entry in record.entries if entry.ply > shown), None)
    told = [text("preview_replay", n=shown)]
    if mover is not None:
        told.append(text("turn_of", name=names[mover]))
    elif record.end is not None:
        best = record.end.ranks[0] if len(record.end.ranks) > 1 else ()
        told.append(_ended([names[seat] for seat in best], text))
    asked = "" if ply is None else f"?ply={ply}"
    return Preview(
        _title(made, names, text),
        " ".join(told),
        path + asked,
        f"{path}/preview.jpg{asked}",
    )


def of_problem(made: Game[Any], problem: Problem, goal: str, mover: str, text: Any) -> Preview:
    """What to show of a problem: what is asked, and who is to move."""
    path = f"/problems/{problem.id}"
    title = text("problem_n", title=guide(made, text).title, n=problem.id.rpartition("-")[2])
    return Preview(title, f"{goal}. {text('turn_of', name=mover)}", path, f"{path}/preview.jpg")


def _title(made: Game[Any], names: tuple[str, ...], text: Any) -> str:
    return f"{guide(made, text).title}: {' – '.join(names)}"


def _state(room: Room, text: Any) -> str:
    if room.to_move is not None:
        return str(text("turn_of", name=room.names[room.to_move]))
    winners = () if room.outcome is None else room.outcome.winners
    return _ended([room.names[seat] for seat in winners], text)


def _ended(winners: list[str], text: Any) -> str:
    return str(text("preview_won", name=", ".join(winners)) if winners else text("preview_drawn"))


def tags(site: Site, request: Request, seen: Preview) -> str:
    """The tags of Open Graph for the head of a page."""
    base = site.seen_from_afar(request.url.scheme, request.headers.get("host", ""))
    told = {
        "og:site_name": "Shutoko",
        "og:type": "website",
        "og:title": seen.title,
        "og:description": seen.told,
        "og:url": base + seen.path,
        "og:image": base + seen.picture,
        "og:image:type": "image/jpeg",
        "og:image:width": str(travel.SIZE[0]),
        "og:image:height": str(travel.SIZE[1]),
        "og:image:alt": seen.title,
    }
    shown = [f'<meta property="{name}" content="{escape(what)}">' for name, what in told.items()]
    shown.append('<meta name="twitter:card" content="summary_large_image">')
    shown.append(f'<meta name="description" content="{escape(seen.told)}">')
    return "".join(shown)


def show(site: Site, seen: Preview) -> Response | None:
    """Puts the tags into the head of the page that is being built. A program that only looks at the
    link gets a page of them alone instead, which is to be returned.
    """
    request = ui.context.client.request
    if only_looks(request):
        return HTMLResponse(
            f'<!doctype html><html lang="{language_of(request)}"><head><meta charset="utf-8">'
            f"<title>{escape(seen.title)}</title>{tags(site, request, seen)}</head>"
            f"<body><h1>{escape(seen.title)}</h1><p>{escape(seen.told)}</p></body></html>"
        )
    ui.add_head_html(tags(site, request, seen))
    return None


def only_looks(request: Request) -> bool:
    """Whether a program asks that shows what is behind a link, or a browser that fetches a page
    before anybody opens it: neither may take a seat.
    """
    agent = request.headers.get("user-agent", "").lower()
    purpose = request.headers.get("sec-purpose", "") + request.headers.get("purpose", "")
    looks = any(part in agent for part in _LOOKERS) or "prefetch" in purpose.lower()
    return looks or HEAD_ONLY in request.scope
