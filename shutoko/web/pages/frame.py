"""What every page has: the visitor's language and theme, the bar on top and the styles, messages,
and work that is given up when the page is left; and the pages for what is not found and for what
failed.
"""

import asyncio
import inspect
import json
import math
import re
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from html import escape
from typing import Any, TypeVar
from urllib.parse import quote, unquote
from weakref import WeakKeyDictionary

from fastapi import HTTPException, Request
from fastapi.exception_handlers import http_exception_handler
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from nicegui import Client, app, ui

from rules.errors import ShutokoError
from shutoko.web import STATIC
from shutoko.web.guard import LOOPBACK
from shutoko.web.limits import visitor_of
from shutoko.web.pages.controls import icon_button
from shutoko.web.rooms.chat import MAX_NAME, one_line
from shutoko.web.views import (
    refused,
)
from shutoko.web.wording import LANGUAGE_COOKIE, LANGUAGES, Words, choose, words

_NAME = "shutoko-name"  # the cookie that keeps the name of whoever plays at the device
_THEMES = ("light", "dark", "auto")
_NEXT = re.compile(r"/[A-Za-z0-9/_?=&.-]*")
_YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who looks at a page: the id of the browser (`holder` of seats), the words of a language,
    theme, path and query, the address that the browser has, and the name that the device keeps,
    empty if it has none.
    """

    holder: str
    text: Words
    theme: str
    path: str
    query: frozenset[str] = frozenset()
    address: str = ""
    name: str = ""

    @property
    def plain(self) -> bool | None:
        """Whether tables are drawn without shadows and textures, as `?plain=1` and `?full=1` ask;
        None if neither does.
        """
        return True if "plain" in self.query else False if "full" in self.query else None

    @property
    def counted(self) -> str:
        """The key for limits: the address of another machine, as anybody can make new cookies; else
        the browser's id.
        """
        return self.holder if self.address in ("", *LOOPBACK) else visitor_of(self.address)


def register() -> None:
    """Adds the styles and scripts of all pages, and the address that keeps a choice of language or
    theme.
    """
    app.add_static_files("/static", STATIC)
    ui.add_head_html(files("style.css", "friends.js"), shared=True)

    error_pages()

    @app.get("/choose")
    def choose_and_go_on(language: str = "", theme: str = "", then: str = "/") -> Response:
        target = then if _NEXT.fullmatch(then) and not then.startswith("//") else "/"
        response = RedirectResponse(target, status_code=303)
        for name, value, known in (
            (LANGUAGE_COOKIE, language, tuple(LANGUAGES)),
            ("shutoko-theme", theme, _THEMES),
        ):
            if value in known:
                response.set_cookie(name, value, max_age=_YEAR, httponly=True, samesite="lax")
        return response


def files(*names: str) -> str:
    """The tags of styles and scripts; after an update no browser takes the old ones for them."""

    def tag(name: str) -> str:
        address = f"/static/{name}?{int((STATIC / name).stat().st_mtime)}"
        if name.endswith(".css"):
            return f'<link rel="stylesheet" href="{address}">'
        return f'<script defer src="{address}"></script>'

    return "".join(map(tag, names))


def error_pages() -> None:
    """Answers addresses that are none, and pages that failed, in the visitor's language. These
    pages need no socket, so they take no memory and are shown whatever has failed.
    """

    @app.exception_handler(404)
    async def nothing_here(request: Request, error: Exception) -> Response:
        answered = request.scope.get("endpoint") is not None
        if answered and isinstance(error, HTTPException):  # whoever asked for a file is a program
            return await http_exception_handler(request, error)
        return _error_page(request, 404, "not_found", "no_page")

    @app.exception_handler(Exception)
    async def went_wrong(request: Request, _: Exception) -> Response:  # its caller logs it
        return _error_page(request, 500, "went_wrong", "went_wrong_here")


def _error_page(request: Request, status: int, title: str, told: str) -> Response:
    language = language_of(request)
    text = words(language)
    return HTMLResponse(
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(text(title))} - Shutoko</title>"
        '<link rel="icon" href="/static/favicon.svg">'
        '<link rel="stylesheet" href="/static/style.css"></head>'
        '<body><header class="bar"><a class="brand" href="/">'
        '<img src="/static/favicon.svg" alt="">Shutoko</a></header>'
        f'<main class="page"><h1 class="plain">{escape(text(title))}</h1>'
        f"<p>{escape(text(told))}</p>"
        f'<p><a href="/">{escape(text("to_lobby"))}</a></p></main></body></html>',
        status,
    )


def page(
    path: str, told: Callable[[str, ShutokoError], str] = refused
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a page that may take as long as it needs to build: a busy machine makes it slow,
    but never an error. Whatever the page waits for has its own limits. A ShutokoError is `told` on
    a page for what is not found.

    NiceGUI deletes a page that no browser has connected to within a minute. That minute begins when
    the page is built.
    """

    def kept(build: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(build)
        async def built(*values: Any, **named: Any) -> Any:
            client = ui.context.client
            client.created = math.inf  # the youngest of all, so no look at the old ones finds it
            try:
                result = build(*values, **named)
                return await result if inspect.isawaitable(result) else result
            except ShutokoError as error:
                who = visitor()
                _not_found(who, told(who.text.language, error))
            finally:
                client.created = time.time()

        return ui.page(path, response_timeout=math.inf)(built)

    return kept


def visitor() -> Visitor:
    """Who looks at the page that is being built."""
    request = ui.context.client.request
    theme = request.cookies.get("shutoko-theme", "auto")
    return Visitor(
        app.storage.browser["id"],
        words(language_of(request)),
        theme if theme in _THEMES else "auto",
        request.url.path,
        frozenset(request.query_params),
        request.client.host if request.client is not None else "",
        one_line(unquote(request.cookies.get(_NAME, "")), MAX_NAME),
    )


def keep_name(name: str) -> None:
    """Has the visitor's device keep a name for the next games."""
    if is_there():
        _ = ui.run_javascript(f"shutokoFriends.name({json.dumps(one_line(name, MAX_NAME))})")


def language_of(request: Request) -> str:
    """The language of whoever asks: the one that was chosen on the pages, else the browser's."""
    return choose(request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language"))


@contextmanager
def frame(who: Visitor, title: str, *, wide: bool = False) -> Iterator[None]:
    """A page with the bar on top; elements made inside go below it."""
    _head(who, title)
    with ui.element("header").classes("bar"):
        with ui.element("a").classes("brand").props('href="/"'):
            ui.element("img").props('src="/static/favicon.svg" alt=""')
            ui.label("Shutoko")
        if title:
            ui.html(f'<h1 class="soft ellipsis">{escape(title)}</h1>', sanitize=False).classes(
                "title"
            )
        ui.element("div").classes("grow")
        tools(who, sounds=False)
    # inside the layout's <main>
    with ui.element("div").classes("page" + " wide" * wide).props('id="main" tabindex="-1"'):
        yield


@contextmanager
def bare_frame(who: Visitor, title: str, *scripts: str) -> Iterator[None]:
    """A page whose picture fills the window; its tools are where the page puts them. `scripts` are
    its own.
    """
    _head(who, title, "room.js", *scripts)
    with ui.element("div").props('id="main" tabindex="-1"'):
        yield


def _head(who: Visitor, title: str, *scripts: str) -> None:
    """The title of a page, its language, its colours, and scripts of its own."""
    ui.page_title(f"{title} - Shutoko" if title else "Shutoko")
    code = who.text.language
    ui.add_head_html(
        f"<script>document.documentElement.lang = {code!r};"
        f"document.documentElement.dataset.letters = {json.dumps(LANGUAGES[code])};"
        f"document.documentElement.dataset.offline = {json.dumps(who.text('offline'))}</script>"
        + files(*scripts)
    )
    ui.dark_mode({"dark": True, "light": False}.get(who.theme))
    ui.colors(primary="#b3261e")
    ui.html(f'<a class="skip" href="#main">{who.text("skip")}</a>', sanitize=False)


def tools(who: Visitor, *, sounds: bool) -> None:
    """The buttons for language, sounds, and light or dark."""
    text = who.text
    with (
        icon_button("language", text("language"), None),
        ui.menu(),
    ):
        for code, name in LANGUAGES.items():
            ui.menu_item(name, on_click=lambda code=code: _go(who, language=code)).props(
                f'lang="{code}"'
            )
    if sounds:
        icon_button("volume_up", text("sounds"), None, "flat round dense data-sounds").on(
            "click", js_handler="() => shutokoSounds.toggle()"
        )
    following = {"auto": "dark", "dark": "light", "light": "auto"}[who.theme]
    icon = {"auto": "brightness_auto", "dark": "dark_mode", "light": "light_mode"}[who.theme]
    icon_button(icon, text("theme"), lambda: _go(who, theme=following))


def _not_found(who: Visitor, reason: str) -> None:
    """The page for what does not exist, and the same for what this visitor may not see."""
    ui.context.client.status_code = 404
    with frame(who, who.text("not_found")):
        ui.label(reason).classes("status")
        ui.link(who.text("to_lobby"), "/")


def is_there() -> bool:
    """Whether the page of the running handler still exists; its visitor may have left meanwhile."""
    try:
        return not ui.context.client.is_deleted
    except RuntimeError:  # the element that the handler belongs to is gone
        return False


def tell(told: str, kind: str = "negative") -> None:
    """Shows a message for some seconds, if the page is still there; its text is never read as
    HTML.
    """
    if not is_there():
        return
    ui.notify(told, type=kind, multi_line=True, close_button="OK", timeout=8000, position="top")  # type: ignore[arg-type] # kind is one of its names


@contextmanager
def refusals(text: Any, say: Callable[[str], object] | None = None) -> Iterator[None]:
    """Says why something was refused (a ShutokoError), as a message if not otherwise; the rest of
    what is done inside is left out then.
    """
    try:
        yield
    except ShutokoError as error:
        (say or tell)(refused(text.language, error))


def _go(who: Visitor, **choice: str) -> None:
    chosen = "&".join(f"{name}={value}" for name, value in choice.items())
    ui.navigate.to(f"/choose?{chosen}&then={quote(who.path)}")


# --- work for whoever looks at a page -------------------------------------------------------------

T = TypeVar("T")

_TASKS: WeakKeyDictionary[Client, set[asyncio.Task[Any]]] = WeakKeyDictionary()


async def while_there(work: Coroutine[Any, Any, T]) -> T:
    """Waits for work as long as the page is there; call it where the page's slot is open.

    If the page is left for longer than a reconnection takes, the work is cancelled, and so is the
    caller: nobody is to be told.
    """
    client = ui.context.client
    if client not in _TASKS:
        _TASKS[client] = tasks = set[asyncio.Task[Any]]()
        client.on_delete(lambda: [task.cancel() for task in tasks])
    task = asyncio.get_running_loop().create_task(work)
    _TASKS[client].add(task)
    try:
        return await task
    finally:
        _TASKS[client].discard(task)
