"""The part of a dialogue that says who sits where: at this screen, a friend by link, or the computer at a level."""

from __future__ import annotations

from typing import Any, NamedTuple

from nicegui import ui

from rules.defaults import hands
from rules.game import Game
from shutoko.export.rendering.scene import PLAYER_COLOURS
from shutoko.web.pages.frame import Visitor, keep_name
from shutoko.web.rooms.store import MAX_NAME
from shutoko.web.site import Site
from shutoko.web.views.choosing import Select
from shutoko.web.views.guides import worded
from shutoko.web.work.by_hand import BY_HAND, HELPED
from shutoko.web.work.levels import levels, usual_level, with_hand

__all__ = ["Seated", "Seating"]


class Seated(NamedTuple):
    """Who sits where, as `Setup` takes it."""

    names: list[str]
    computers: list[str | None]
    hands: list[str | None]
    held: list[int]


class Seating:
    """The seats of one visitor's game. `build` makes the controls where they belong; call it again for a game of other seats.

    The visitor has the seat `own` at first, the computer the others where it can play.
    """

    def __init__(self, site: Site, who: Visitor, made: Game[Any], own: int = 0) -> None:
        self._who, self._text, self._own = who, who.text, own
        self.players = site.players(made.name)
        self.offered = levels(self.players)
        self.skills = {name: worded(self._text, f"hand_{name}", name) for name in hands(made)}
        self._rows: list[tuple[Any, Any, Any, Any]] = []

    def build(self, seats: int) -> None:
        """Makes a row of controls for each seat."""
        text, self._rows = self._text, []
        kinds = {"me": text("seat_me"), "friend": text("seat_friend")}
        if self.players:
            kinds["computer"] = text("seat_computer")
        for seat in range(seats):
            with ui.element("div").classes("line"):
                called = (self._who.name if seat == self._own else "") or text("player_n", n=seat + 1)
                name = ui.input(text("name_n", n=seat + 1), value=called).style("flex: 1 1 9rem")
                name.props(f"maxlength={MAX_NAME} data-name={seat}")
                usual = "me" if seat == self._own or not self.players else "computer"
                kind = Select(kinds, value=usual, label=text("player_n", n=seat + 1)).style("flex: 1 1 9rem")
                kind.props(f"data-seat={seat}")
                named = {level: self.level_name(level) for level in self.offered}
                level = Select(named, value=usual_level(self.offered) or None, label=text("level")).style("flex: 1 1 9rem")
                level.props(f"data-level={seat}")
                level.bind_visibility_from(kind, "value", value="computer")
                name.bind_visibility_from(kind, "value", lambda value: value != "computer")
                self._rows.append((kind, name, level, self._hand(seat, kind) if self.skills else None))

    def _hand(self, seat: int, kind: Any) -> Any:
        """How a seat places pieces: people by hand if they like, the computer with a hand of some skill."""
        text = self._text
        known = {"": text("hand_none")} | self.skills
        own = {way: text(f"hand_{way}") for way in BY_HAND} | known
        hand = Select(own, label=text("hand")).style("flex: 1 1 100%").props(f"data-hand={seat}")

        def fill() -> None:
            computer = kind.value == "computer"
            hand.set_options(known if computer else own, value=next(iter(self.skills)) if computer else HELPED)

        kind.on_value_change(fill)
        fill()
        return hand

    def taken(self, own: str = "") -> Seated:
        """What was chosen. The computer's seats get the player `own`, if one was typed."""
        seated = Seated([], [], [], [])
        for seat, (kind, name, level, hand) in enumerate(self._rows):
            computer, skill = kind.value == "computer", None if hand is None else hand.value or None
            chosen = str(level.value) if computer else ""
            seated.computers.append(self._spec(chosen, own, skill) if computer else None)
            seated.names.append((own or self.computer_name(seat, chosen)) if computer else str(name.value or ""))
            if self.skills:
                seated.hands.append(skill)
            if kind.value == "me":
                seated.held.append(seat)
        return seated

    def keep_name(self, seated: Seated) -> None:
        """Has the device keep the name that its only player has typed."""
        if len(seated.held) == 1:
            (seat,) = seated.held
            if seated.names[seat] not in ("", self._text("player_n", n=seat + 1)):
                keep_name(seated.names[seat])

    def _spec(self, level: str, own: str, skill: str | None) -> str:
        """The player of a computer's seat: the one that was typed, else that of a level with a hand of some skill."""
        if own or skill is None:
            return own or self.offered[level]
        return with_hand(self.offered[level], skill)

    def level_name(self, level: str) -> str:
        """A level in the visitor's words."""
        return worded(self._text, f"level_{level}", level)

    def computer_name(self, seat: int, level: str) -> str:
        """The name of the computer's player at a seat: where seats have colours, with its colour."""
        if not self.skills:
            return str(self._text("computer_named", level=self.level_name(level)))
        called = worded(self._text, f"called_{level}", level)
        colour = self._text(f"colour_{seat % len(PLAYER_COLOURS) + 1}")
        return str(self._text("computer_coloured", called=called, colour=colour))
