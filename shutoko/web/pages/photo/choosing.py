"""The pages that settle an argument from a photo: one to choose it, one to mark it; and the
addresses that take and show it.

The photo comes by a request of its own, which may be larger than any other. A worker decodes it and
writes it anew, so nothing else that it carried is kept. Only the browser that sent it sees it.
"""

from html import escape

from fastapi import Request
from fastapi.responses import PlainTextResponse, Response
from nicegui import app, ui

from rules.errors import ShutokoError
from shutoko.web import STATIC
from shutoko.web.library import Noted
from shutoko.web.pages import frame
from shutoko.web.pages.frame import Visitor, visitor
from shutoko.web.pages.photo.finding import picker
from shutoko.web.pages.photo.marking import Marking, to_noted
from shutoko.web.site import Site
from shutoko.web.views import (
    refused,
)
from shutoko.web.wording import words
from shutoko.web.work import (
    PHOTO,
    developed,
)

TAKE = "/photo/take"
"""Where photos are sent to."""


def register(site: Site) -> None:
    """Makes the pages and addresses."""

    @frame.page("/photo")
    def choose_page(after: str = "", noted: str = "") -> None:
        who = visitor()
        after = after if site.photos.of(after, who.holder) is not None else ""
        _choose(who, after, noted if _noted(site, noted) is not None else "")

    @frame.page("/photo/{name}")
    def mark_page(name: str) -> None:
        who = visitor()
        held = site.photos.of(name, who.holder)
        if held is None:
            raise ShutokoError(who.text("no_photo"))
        ui.add_head_html(frame.files("photo.css", "photo.js"))
        Marking(site, who, held).build()

    @app.post(TAKE)
    async def take(request: Request) -> Response:
        return await _taken(site, request)

    @app.get("/photo/{name}/picture.jpg")
    def picture(request: Request, name: str) -> Response:
        held = site.photos.of(name, str(request.session.get("id", "")))
        if held is None:
            return PlainTextResponse("this photo is not held here", status_code=404)
        return Response(held.jpeg, media_type="image/jpeg", headers={"Cache-Control": "no-store"})


def _noted(site: Site, name: str) -> Noted | None:
    """The diary of that id; None if there is none that can be read."""
    try:
        return site.diaries.of(name)
    except ShutokoError:
        return None


def _choose(who: Visitor, after: str, noted: str) -> None:
    """The page on which a photo is chosen or taken; `after` is the id of the photo of the same
    table before, `noted` that of the diary whose table it shows, or empty.
    """
    text = who.text
    ui.add_head_html(frame.files("photo.css", "photo.js"))
    with frame.frame(who, text("photo")):
        ui.html(f'<h2 class="plain">{escape(text("photo_title"))}</h2>', sanitize=False)
        ui.label(text("photo_of_noted" if noted else "photo_since" if after else "photo_about"))
        trouble = ui.label().classes("trouble").props('role="alert" data-refused')
        about = {"after": after, "noted": noted}
        picker(who, "photo_pick", "photo_camera", trouble.set_text, about).props(
            "unelevated data-photo-pick"
        )
        if noted:
            to_noted(noted, text)
        with ui.element("div").classes("helps"):
            for n, key in enumerate(("photo_help_take", "photo_help_tap", "photo_help_count"), 1):
                drawing = STATIC / f"{key.replace('_', '-')}.svg"
                with ui.element("figure"):
                    ui.html(drawing.read_text(encoding="utf-8"), sanitize=False)
                    with ui.element("figcaption"):
                        ui.label(f"{n}. {text(key)}")
        ui.label(text("photo_private")).classes("soft")


async def _taken(site: Site, request: Request) -> Response:
    """Takes a photo; answers with its id, or with one line that says why it is refused."""
    holder = str(request.session.get("id", ""))
    address = request.client.host if request.client is not None else ""
    who = Visitor(holder, words(frame.language_of(request)), "auto", TAKE, address=address).counted
    try:
        site.uploaded.count(who)
        photo = await site.workers.run(developed, await request.body(), kind=PHOTO, who=who)
        asked = request.query_params
        if beside := asked.get("beside", ""):
            return PlainTextResponse(site.photos.beside(photo, beside, holder).id)
        noted = _noted(site, asked.get("noted", ""))
        held = site.photos.hold(
            photo,
            holder,
            asked.get("after", ""),
            who,
            "" if noted is None else noted.id,
            None if noted is None else noted.diary.table,
        )
    except ShutokoError as error:
        return PlainTextResponse(
            " ".join(refused(frame.language_of(request), error).split()), status_code=400
        )
    return PlainTextResponse(held.id)
