"""The pages that settle an argument from a photo: one to choose it, one to mark it; and the addresses that take and show it.

The photo comes by a request of its own, which may be larger than any other. A worker decodes it and writes it anew, so nothing
else that it carried is kept. Only the browser that sent it sees it.
"""

from __future__ import annotations

from html import escape

from fastapi import Request
from fastapi.responses import PlainTextResponse, Response
from nicegui import app, events, ui

from rules.errors import ShutokoError
from shutoko.web import STATIC
from shutoko.web.limits import MAX_PHOTO
from shutoko.web.pages import frame
from shutoko.web.pages.frame import Visitor, visitor
from shutoko.web.pages.marking import Marking
from shutoko.web.referee import refused
from shutoko.web.site import Site
from shutoko.web.views.photo_help import HELPS
from shutoko.web.wording import words
from shutoko.web.work.kinds import PHOTO
from shutoko.web.work.photos import developed

__all__ = ["TAKE", "register"]

TAKE = "/photo/take"
"""Where photos are sent to."""

_SCRIPT = f'<script defer src="/static/photo.js?{int((STATIC / "photo.js").stat().st_mtime)}"></script>'


def register(site: Site) -> None:
    """Makes the pages and addresses."""

    @frame.page("/photo")
    def choose_page(after: str = "") -> None:
        who = visitor()
        _choose(who, after if site.photos.of(after, who.holder) is not None else "")

    @frame.page("/photo/{name}")
    def mark_page(name: str) -> None:
        who = visitor()
        held = site.photos.of(name, who.holder)
        if held is None:
            frame.not_found(who, who.text("no_photo"))
            return
        ui.add_head_html(_SCRIPT)
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


def _choose(who: Visitor, after: str) -> None:
    """The page on which a photo is chosen or taken; `after` is the id of the photo of the same table before, or empty."""
    text = who.text
    ui.add_head_html(_SCRIPT)
    with frame.frame(who, text("photo")):
        ui.html(f'<h2 class="plain">{escape(text("photo_title"))}</h2>', sanitize=False)
        ui.label(text("photo_since" if after else "photo_about"))
        trouble = ui.label().classes("trouble").props('role="alert" data-refused')
        pick = ui.element("input").props('type="file" accept="image/jpeg,image/png,image/webp" data-photo-file').classes("vh")
        pick.props(f'aria-label="{text("photo_pick")}" tabindex="-1"')
        button = ui.button(text("photo_pick"), icon="photo_camera").props("unelevated no-caps data-photo-pick")
        button.on("click", js_handler=f"() => getHtmlElement({pick.id}).click()")
        with ui.element("div").classes("helps"):
            for n, (key, drawing) in enumerate(HELPS, 1):
                with ui.element("figure"):
                    ui.html(drawing, sanitize=False)
                    with ui.element("figcaption"):
                        ui.label(f"{n}. {text(key)}")
        ui.label(text("photo_private")).classes("soft")

        def told(event: events.GenericEventArguments) -> None:
            said = event.args if isinstance(event.args, dict) else {}
            too_large = said.get("status") == 413
            trouble.set_text(text("photo_too_large", mib=MAX_PHOTO // 2**20) if too_large else str(said.get("said", ""))[:300])

        pick.on("change", told, js_handler=f"(e) => shutoko_take(e.target, emit, {after!r})")


async def _taken(site: Site, request: Request) -> Response:
    """Takes a photo; answers with its id, or with one line that says why it is refused."""
    holder = str(request.session.get("id", ""))
    address = request.client.host if request.client is not None else ""
    who = Visitor(holder, words(frame.language_of(request)), "auto", TAKE, address=address).counted
    try:
        site.uploaded.count(who)
        photo = await site.workers.run(developed, await request.body(), kind=PHOTO, who=who)
        held = site.photos.hold(photo, holder, request.query_params.get("after", ""))
    except ShutokoError as error:
        return PlainTextResponse(" ".join(refused(frame.language_of(request), error).split()), status_code=400)
    return PlainTextResponse(held.id)
