"""Roads that are found in a photo without a tap: the search, which can be stopped; what a person
says of them, with which they are found again; and what to settle next.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from nicegui import events, ui

from rules.errors import ShutokoError
from shutoko.extras import missing
from shutoko.web.limits import MAX_PHOTO
from shutoko.web.pages.controls import Toggle, loading, text_button
from shutoko.web.pages.frame import Visitor, refusals, while_there
from shutoko.web.photos import HeldPhoto
from shutoko.web.site import Site
from shutoko.web.views import (
    colour_name,
    colour_of,
    refused,
)
from shutoko.web.work import (
    FIND,
    GLIMPSE,
    Proposal,
    SettledPhoto,
    proposed,
    proposed_again,
)
from sim.photo.drafting import Draft
from sim.photo.finding.facts import Fact, going_on, missing_at
from sim.photo.marks import Pixel


class FindingPage(Protocol):
    """The page of a photo in which roads are found: see `shutoko.web.pages.photo.marking`."""

    site: Site
    who: Visitor
    held: HeldPhoto
    mode: str
    modes: Toggle
    settled: SettledPhoto | None

    @property
    def draft(self) -> Draft:
        """The marks so far."""

    def change(self, deed: Callable[[Draft], Draft]) -> None:
        """Makes a new draft, and shows it."""

    def show(self) -> None:
        """Shows the draft."""

    def wake(self) -> None:
        """Has what follows from the draft made."""

    def tell(self, said: str) -> None:
        """Says what was found."""

    def refuse(self, why: str) -> None:
        """Says in one line what went wrong."""


def picker(
    who: Visitor,
    label: str,
    icon: str,
    trouble: Callable[[str], object],
    about: Mapping[str, str],
    taken: Callable[[], Awaitable[None]] | None = None,
) -> ui.button:
    """A button that takes or chooses a photo and sends it; `about` goes along in the address. The
    page of the photo opens. A photo `beside` another one has no page: then `taken` is called.
    `trouble` gets one line that says why a photo is refused.
    """
    text = who.text
    pick = (
        ui.element("input")
        .classes("vh")
        .props('type="file" accept="image/*,.heic,.heif,.avif" data-photo-file')
        .props(f'aria-label="{text(label)}" tabindex="-1"')
    )

    async def told(event: events.GenericEventArguments) -> None:
        said = event.args if isinstance(event.args, dict) else {}
        if said.get("status") == 200 and taken is not None:
            await taken()
        elif said.get("status") == 413:
            trouble(text("photo_too_large", mib=MAX_PHOTO // 2**20))
        else:
            trouble(str(said.get("said", ""))[:300])

    pick.on("change", told, js_handler=f"(e) => shutoko_take(e.target, emit, {json.dumps(about)})")
    return text_button(text(label), None, "", icon=icon).on(
        "click", js_handler=f"() => getHtmlElement({pick.id}).click()"
    )


async def stoppable(search: asyncio.Task[Proposal]) -> Proposal | None:
    """What is found; None if somebody stopped the search, and the page is still there."""
    try:
        return await search
    except asyncio.CancelledError:
        if not search.cancelled():
            raise
        return None


class PhotoFinding:
    """What a page of a photo finds in it. `proposal` is the table as it was found. It is None
    before the search, and again as soon as somebody taps the order of building.
    """

    def __init__(self, page: FindingPage) -> None:
        self._page, self._text = page, page.who.text
        self.proposal: Proposal | None = None
        # for undoing, by the draft itself: an answer may change nothing in it
        self._before: dict[int, tuple[Draft | None, Proposal | None, tuple[Fact, ...]]] = {}
        self._told: tuple[Fact, ...] = ()  # answers since the table was last found
        self._search: asyncio.Task[Proposal] | None = None
        self._seconds = 0

    def build(self) -> None:
        """The tools, where they belong on the page."""
        text = self._text
        self.find = text_button(text("photo_find"), self._find, "outline data-find", icon="search")
        self.find.set_visibility(self._page.held.before is None and not missing("photo"))
        with ui.element("div").classes("line") as self.looking:
            self.looking.props('data-looking role="status"').set_visibility(False)
            self.since = ui.label().classes("grow soft")
            text_button(text("photo_stop"), self._stop, "outline dense data-stop", icon="stop")
        self.clock = ui.timer(1.0, self._tick, active=False)
        self.side = picker(
            self._page.who,
            "photo_side",
            "photo_camera",
            self._page.refuse,
            {"beside": self._page.held.id},
            self._find,
        ).props("flat dense data-side")
        self.side.bind_visibility_from(self.find)
        self.asking = ui.element("div").classes("card asked").props("data-question")

    def remember(self, draft: Draft) -> None:
        """Keeps what was found and answered with a draft that a deed changes."""
        self._before[id(draft)] = draft, self.proposal, self._told

    def recall(self) -> None:
        """Takes up what was found and answered with the draft that is undone to."""
        _, self.proposal, self._told = self._before.get(
            id(self._page.draft), (None, self.proposal, ())
        )

    def _since(self) -> list[Fact]:
        """What was said since the table was found."""
        mended = () if self.proposal is None else self.proposal.known.mended(self._page.draft)
        return [*mended, *self._told]

    async def again(self) -> None:
        """Has the table found again by what was said since, and tells what else that changes."""
        draft, proposal, facts = self._page.draft, self.proposal, self._since()
        if proposal is None or draft.first is not None or not facts:
            return
        job = self._page.site.workers.run(
            proposed_again, proposal, facts, kind=GLIMPSE, who=self._page.who.counted
        )
        with refusals(self._text, self._page.refuse):
            made = await while_there(job)
            if self._page.draft is draft and self.proposal is proposal:
                self._told = ()
                self.proposal = replace(made, sight=proposal.sight)
                self._page.held.draft, (roads, discs, owners) = going_on(draft, made.draft)
                if roads or discs or owners:
                    also = self._text("photo_also", roads=roads, discs=discs, owners=owners)
                    self._page.tell(also)
                self._page.show()

    def ask(self) -> None:
        """What to settle next, with a button for each choice; nothing while the table is to be
        found again, as that asks something else.
        """
        self.asking.clear()
        asked = () if self.proposal is None or self._since() else self.proposal.questions[:1]
        self.asking.set_visibility(bool(asked) and self._page.mode == "move")
        for one in asked:
            with self.asking:
                ui.label(self._text(f"photo_ask_{one.about}", end="①②"[one.end], n=len(one.lit)))
                with ui.element("div").classes("pair"):
                    for choice, fact in zip(one.choices, one.facts, strict=True):
                        text_button(
                            self._choice(one.about, choice),
                            lambda fact=fact: self._answer(fact),
                            f'outline data-answer="{choice}"',
                        )

    def _choice(self, about: str, choice: int) -> str:
        if about == "owner":
            return colour_name(choice, self._text)
        return str(choice) if about == "discs" else self._text(("photo_no", "photo_yes")[choice])

    def _answer(self, fact: Fact) -> None:
        """Goes on with an answer; undo takes it back."""
        self._page.held.past.append(self._page.draft)
        self.remember(self._page.draft)
        self._page.held.draft, self._told = replace(self._page.draft), (*self._told, fact)
        self._page.show()
        self._page.wake()

    def missing(self, at: Pixel) -> None:
        """Adds the road whose middle is tapped; if the photo shows none, its ends come next."""
        if self.proposal is None or self.proposal.sight is None:
            return
        fact = missing_at(self.proposal.sight[0], self.proposal.known, at)
        if fact is None:
            self._page.modes.set_value("mark")
        else:
            self._answer(fact)

    def lit(self) -> list[dict[str, Any]]:
        """What is asked about, as the photo lights it: roads in the colours of both choices, or an
        end.
        """
        if not self.asking.visible or self.proposal is None or self._page.settled is not None:
            return []
        one, roads = self.proposal.questions[0], self.proposal.draft.roads
        if one.about == "owner":
            colours = [colour_of(seat) for seat in one.choices]
            return [{"ends": roads[n].ends, "colours": colours} for n in one.lit]
        at = one.ends[one.end] if one.about == "discs" else None
        return [{"ends": one.ends, "colours": ["#ffffff", "#ffa01e"], "at": at}]

    def _stop(self) -> None:
        if self._search is not None:
            self._search.cancel()

    def _tick(self) -> None:
        """Says for how long roads have been looked for."""
        self._seconds += 1
        self.since.set_text(self._text("photo_looking", s=self._seconds))

    async def _find(self) -> None:
        """Puts what is found in the photo, and in those from other sides, in the place of the
        marks; undo brings them back.
        """
        try:
            with loading(self.find):
                job = self._page.site.workers.run(
                    proposed,
                    self._page.held.jpeg,
                    self._page.draft.image.focal,
                    self._page.held.sides,
                    self._page.draft.components,
                    kind=FIND,
                    who=self._page.who.counted,
                )
                self._search = asyncio.get_running_loop().create_task(job)
                self._seconds = -1
                self._tick()
                self.looking.set_visibility(True)
                self.clock.activate()
                proposal = await while_there(stoppable(self._search))
        except ShutokoError as error:
            self._page.refuse(refused(self._text.language, error))
            return
        finally:
            self.clock.deactivate()
            self.looking.set_visibility(False)
        if proposal is None:
            self._page.tell(self._text("photo_stopped"))
            return
        found, self.proposal = proposal.draft, None
        self._page.modes.set_value("move")
        self._page.change(lambda _: found)
        self.proposal = proposal
        self._page.show()
        hard = {"roads": len(proposal.hard()), "pillars": proposal.hard_pillars()}
        said = [self._text("photo_proposed", n=len(found.roads), **hard)]
        if self._page.held.sides:
            said.append(self._text("photo_sides", sides=proposal.sides, out=proposal.left_out))
        self._page.tell(" ".join(said))
