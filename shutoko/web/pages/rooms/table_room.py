"""The page of a room whose pieces lie in space: the table fills the window, and what is needed for
the step at hand floats over it: choose a piece, aim, place it, see what came of it.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from nicegui import background_tasks, ui

from shutoko.web.pages.controls import main_button
from shutoko.web.pages.frame import Visitor, bare_frame
from shutoko.web.pages.replay.analysis import AdviceList
from shutoko.web.pages.rooms.aimer import GHOSTS, LEGAL, Aimer
from shutoko.web.pages.rooms.floats import round_button
from shutoko.web.pages.rooms.lessons import (
    HEIGHT,
    TABLE_DEEDS,
    TABLE_SHOWN,
    Lessons,
    sifted,
)
from shutoko.web.pages.rooms.outcome import Outcome, plate_after
from shutoko.web.pages.rooms.panel import RoomPanel
from shutoko.web.pages.rooms.pieces import Kind
from shutoko.web.pages.rooms.placing import HEARD, ByHand, Chance, Exact
from shutoko.web.rooms.chat import Aim, Change
from shutoko.web.rooms.room import Room
from shutoko.web.site import Site
from shutoko.web.views import (
    ADVISED,
    Aimed,
    AimRequest,
    Plate,
    Sign,
    advised_pieces,
    aiming,
    colour_name,
    colour_of,
    guide,
    piles,
    request_for,
    told_change,
    told_in_short,
    tray_of_mover,
)
from shutoko.web.work import (
    BY_HAND,
    Grip,
    Rated,
    skill_of,
    table_of,
)
from sim.game import bodies
from sim.referee import Build, Entrance, Exit, Pass, Placement, Table


class TableRoom(Aimer):
    """One visitor's page of one room."""

    def __init__(self, site: Site, who: Visitor, room: Room) -> None:
        super().__init__(who.text)
        self.site, self.who, self.room = site, who, room
        self.guide = guide(room.made, who.text)
        self.marked: Placement | None = (
            None  # the aimed placement for which the sides of roads are marked
        )
        self.held_for = 0  # the ply that the pieces in the hand are for
        self.panel = RoomPanel(site, who, room, self)
        self.advised: Placement | None = None  # the move of a hint that is picked

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return table_of(self.room.position)

    @property
    def players(self) -> Sequence[str]:
        """The names of the players by seat."""
        return self.room.names

    @property
    def acts(self) -> bool:
        """Whether the visitor may place something now."""
        return (self.panel.my_turn or self.putting_right) and not self.room.over

    @property
    def holding(self) -> bool:
        """Whether the visitor has pieces in the hand."""
        return self.by_hand.holding

    @property
    def tries(self) -> bool:
        """Whether the visitor's last try has failed, and others are left."""
        return self.room.tried is not None and self.panel.my_turn

    @property
    def may_adjust(self) -> bool:
        """Whether the visitor built last and nobody has moved since."""
        lasts = self.table.lasts
        return bool(lasts) and not self.room.over and lasts[-1].seat in self.panel.mine

    def build(self) -> None:
        """The page."""
        text, panel = self.text, self.panel
        with (
            bare_frame(self.who, self.guide.title, "sounds.js", "playing.js", "holding.js"),
            panel.room_page(),
        ):
            self.build_stage(self.who)
            panel.begin(self.guide.title)
            with panel.below:
                outcome = Outcome(self.room, panel, self.stage, text, self._again_as_it_is)
                self.outcome, self.lines, self.told = outcome, outcome.lines, outcome.tell
                self.play, self.play_tried = outcome.play, outcome.play_tried
            with ui.element("div").classes("deeds").props("data-edge=bottom"):
                self.build_pieces()
                self.confirm = main_button(text("place"), self.give, "data-place").on(
                    "longpress", self._build
                )
                self.by_hand = ByHand(self.stage, text, self._grip, self._led, self._held)
            with panel.round():
                round_button("center_focus_strong", text("look_all"), "fit", self.stage.look)
            with panel.menu():
                self._controls()
        ui.context.client.on_delete(self.room.live.hear(self._seen))

    # --- showing ----------------------------------------------------------------------------------

    def show(self, change: Change | None) -> None:
        """Shows the table; after the film of a ply, what came of it. Whatever changes the table or
        takes the turn from the visitor ends what the hand does; nothing else touches it.
        """
        if change in ("ply", "undo", "try") or not self.acts:
            self.by_hand.put_down()
        if change in (None, "undo", "try"):
            self.stage.show(bodies(self.before))
            self.outcome.show_verdict()
        elif change in ("ply", "close") and not (
            self.panel.filming or self.room.busy or self.tries
        ):
            self.outcome.show_verdict()
        if change == "names":
            self._show_stocks()
        if change == "busy" and self.room.busy:
            self.outcome.begin()
        if self.holding:
            return
        if change in ("ply", "undo", "try", "end", None):
            lessons = self.panel.lessons
            self.begin_anew(proposes=lessons is None or lessons.at is None)
            if change is None:
                self._take_up_again()
            if self.tries and self.room.tried is not None:
                self.request = request_for(self.table.parse(self.room.tried.text))
                self.pinned = True
                self.outcome.show_tried()
            self._fill_controls()
            self._show_stocks()
            self._show_slots()
        self.aim()
        if self.room.over and not self.panel.filming:
            self.stage.orbit()

    def _take_up_again(self) -> None:
        """Aims at what the visitor aimed at when the page was left, as for another language."""
        aim = self.room.live.now
        if aim is not None and self.acts and aim.seat == self.room.to_move:
            self.request = request_for(aim.aimed.placement)
            self.pinned = self.request is not None

    def _again_as_it_is(self) -> None:
        """Shows the table as it is, after a film that was shown once more."""
        self.stage.show(bodies(self.before))
        self.aim()

    def _show_stocks(self) -> None:
        self.stage.supplies(*piles(self.table))
        before = table_of(self.room.steps[-1].before) if self.room.steps else None
        self.exact.show_stocks(self.table, self.room.names, before)

    def _show_slots(self) -> None:
        seat = self.panel.mine[0] if self.panel.mine else None
        self.marked = self.aimed.placement if self.aimed is not None else None
        self.stage.mark(
            aiming.slot_bars(self.before, seat, self.aimed) if self.exact.slots.value else []
        )

    # --- controls ---------------------------------------------------------------------------------

    def _controls(self) -> None:
        """What stands in *Exact*."""
        self.exact = Exact(
            self.text,
            self.skips,
            {
                "drawn": self._build,
                "loose": self.loosen,
                "skip": self._pass,
                "right": self._adjust,
                "for_me": self.aim,
                "slots": self._show_slots,
                "above": lambda: self.stage.look(86.0),
            },
        )
        with self.exact.fields:
            self.build_controls()
        with self.exact.chance:
            seat = self.panel.mine[0] if self.panel.mine else 0
            self.chance = Chance(
                self.site,
                self.who,
                self.room,
                self.stage,
                skill_of(self.room.hand(seat)),
                self._to_place,
            )

    def _fill_controls(self) -> None:
        """Shows the controls that matter now, with what they offer."""
        if not self.putting_right:
            self.panel.root.classes(remove="adjusting")
        self.fill()
        may = self.panel.my_turn or self.may_adjust
        self.exact.box.set_visibility(may and not self.room.over)
        self.exact.right.set_visibility(self.may_adjust and not self.putting_right)
        self.exact.skip.set_visibility(self.builds)
        self.confirm.set_visibility(self.acts)
        self.chance.fill(acts=self.acts)
        self.show_pieces()

    @property
    def skips(self) -> str:
        """The message of a button that passes the turn."""
        return "pass_turn" if self.table.ruleset.may_pass else "no_room_left"

    @property
    def passes(self) -> bool:
        """Whether the button that builds passes the turn: a hint says so, and nothing is aimed
        at.
        """
        return self.acts and self.aimed is None and isinstance(self.advised, Pass)

    @property
    def chooses(self) -> bool:
        """Whether another piece may be chosen now: not after a try that has failed."""
        return self.acts and not self.holding and not self.tries

    def show_pieces(self) -> None:
        """The pieces that may be chosen now, and the pillars from which a road may leave."""
        table, free = self.table, self.chooses and self.panel.my_turn
        sets = table.phase == "buildings"
        self.pieces.set_visibility(free and not sets)
        self.houses.show(table, self.choices.building, visible=free and sets)
        self.show_choice(
            table,
            self.offered,
            builds=self.builds and not self.holding,
            lit=not self.room.over,
        )

    def take_piece(self, kind: Kind) -> None:
        """Chooses a piece: what is aimed at becomes one of these."""
        if kind != "pillar" and self.chooses:
            self.panel.did("other")
        super().take_piece(kind)

    def other_height(self, built: Build, step: int) -> AimRequest | None:
        """As the rules allow; it ends the lesson of heights."""
        self.panel.did(HEIGHT)
        return super().other_height(built, step)

    # --- the hand ---------------------------------------------------------------------------------

    def hand(self, detail: dict[str, Any]) -> None:
        """Goes on with pieces in the hand, cuts a film, or aims."""
        what = detail.get("type")
        if what in HEARD:
            self.by_hand.heard(detail)
        elif what == "tap" and self.panel.filming:
            if (n := self.panel.skip()) is not None:
                self.stage.show(bodies(table_of(self.room.steps[n].after)))
        elif self.tries and detail.get("ghost") is not True:
            return
        elif what == "tap" and self.acts and isinstance(detail.get("advised"), int):
            self.panel.hints.pick(detail["advised"] - 1)
        else:
            super().hand(detail)

    def kept(self) -> None:
        """Ends the lesson of aiming, and says how likely the placement is to stand."""
        if self.aimed is not None:
            self.panel.did("aim")
        self._weigh()

    def show_aimed(self) -> None:
        """Shows what is aimed at, and what the referee says of it, to the others as well."""
        aimed = self.aimed
        if self.acts:
            self.room.live.show(
                self._seen, None if aimed is None else Aim(self.before.to_move, aimed=aimed)
            )
        self._show_sides()
        self.confirm.set_enabled(bool(aimed and aimed.legal) or self.passes)
        self.chance.about(aimed if self.pinned else None, self.before)
        self.exact.loose.set_visibility(self.pinned)
        by_hand = (
            aimed is not None
            and aimed.legal
            and not self.putting_right
            and self._is_led(aimed.placement)
        )
        takes = by_hand or (aimed is None and self._places_by_hand)
        hands = "pick_up" if takes and not self.exact.for_me.value else "place"
        if self.passes:
            hands = self.skips
        self.confirm.set_text(self.text("try_again" if self.tries else hands))
        self.exact.drawn.set_visibility(by_hand)
        self.exact.in_full.set_text("")
        super().show_aimed()

    def show_none(self) -> None:
        """Shows what somebody else aims at, or what to do."""
        self._show_other(self.room.live.now)

    def worded(self, aimed: Aimed) -> tuple[str, str, str]:
        """What is said of the placement, why, and the mood; *Exact* has the reasons in full."""
        said, why, mood = super().worded(aimed)
        self.exact.in_full.set_text(why)
        if self.tries:
            return self.text("say_tried"), "", "bad"
        if aimed.legal and self.pinned and isinstance(aimed.placement, Entrance):
            said = f"{self.panel.state()} {self.text('say_entrance')}"
        return said, why, mood

    def say(self, said: str, why: str = "", mood: str = "") -> None:
        """Says the one sentence that is true now."""
        self.panel.say(said, why, mood)

    @property
    def _places_by_hand(self) -> bool:
        seat = self.room.to_move
        return seat is not None and self.room.hand(seat) in BY_HAND

    def _is_led(self, placement: Placement) -> bool:
        """Whether the seat to move places this by hand."""
        return self._places_by_hand and isinstance(placement, Build | Exit | Entrance)

    @property
    def sign(self) -> Sign | None:
        """The height that stands on the ghost; a try that has failed keeps it."""
        return None if self.tries else super().sign

    def _seen(self, aim: Aim | None) -> None:
        """Somebody else aims at something; whoever aims here looks at the own aim."""
        if self.aimed is None:
            with self.stage.scene.client:
                self._show_other(aim)

    def _show_other(self, aim: Aim | None) -> None:
        """Shows what somebody else aims at in the colour of the seat, once no film runs; else says
        what to do now.
        """
        if aim is None or self.panel.filming:
            self.stage.ghost((), LEGAL)
            if not self.panel.filming:
                self.stage.pulse(self._first_spot(), None)
                self.panel.say(self.panel.state())
            return
        mine, (said, why, mood) = aim.seat in self.panel.mine, super().worded(aim.aimed)
        self.stage.ghost(aim.aimed.pieces, GHOSTS[mood] if mine else colour_of(aim.seat))
        self.stage.pulse(())
        if self.room.busy:  # it is let go, and nobody knows yet what comes of it
            self.panel.say(self.panel.state())
        elif aim.holds:
            self.panel.say(
                self.text(
                    "held_elsewhere" if mine else "other_holds", name=self.room.names[aim.seat]
                )
            )
        elif mine:
            self.panel.say(said, why, mood)
        else:
            self.panel.say(f"{self.room.names[aim.seat]}: {said}")

    def _first_spot(self) -> list[tuple[float, float, float, str]]:
        """The spot that glows in the first lesson of the guide: the usual entrance."""
        lessons = self.panel.lessons
        if lessons is None or lessons.at != 1 or not self.panel.my_turn:
            return []
        if self.table.phase != "entrances":
            return []
        seat = self.table.to_move
        return [(*self.table.default_entrance(seat).pillar, 2.0, colour_of(seat))]

    def _show_sides(self) -> None:
        """Says which sides of roads the aimed placement would take and open, and marks them on the
        table if marks are shown.
        """
        change = (
            aiming.changed(self.before, self.aimed) if self.aimed is not None else aiming.Change()
        )
        self.exact.show_sides(*told_change(change, self.text))
        if (
            self.exact.slots.value
            and (self.aimed.placement if self.aimed is not None else None) != self.marked
        ):
            self._show_slots()

    def _weigh(self) -> None:
        """Says how much the pinned placement bears, and shows how likely it is to stand."""
        background_tasks.create_lazy(self.chance.weigh(), name=f"weighing {id(self)}")

    def _to_place(self) -> None:
        """Leads the keyboard to the button that builds, so that Enter builds."""
        _ = ui.run_javascript(f"getHtmlElement({self.confirm.id})?.focus()")

    # --- actions ----------------------------------------------------------------------------------

    async def give(self) -> None:
        """What the main button says."""
        await (self._pass() if self.passes else super().give())

    async def take(self, placement: Placement) -> None:
        """Takes the pieces in hand where the visitor leads them, else builds."""
        if self.room.busy or self.holding:
            return
        if self._is_led(placement) and not self.exact.for_me.value:
            self.pinned = True
            self.by_hand.take(str(placement), tray_of_mover(self.table))
            return
        await self._build()

    def _grip(self, move: str) -> Grip:
        self.held_for = self.room.record.next_ply
        return self.room.grip(self.who.holder, move)

    async def _led(self, move: str, traces: list[Any]) -> None:
        """Plays a move whose pieces the visitor has led."""
        await self.panel.attempt(self.room.play(self.who.holder, move, self.held_for, traces))

    async def _build(self) -> None:
        """Builds what is aimed at; where the visitor does not lead it, the hand is drawn."""
        aimed = self.aimed
        if aimed is None or not aimed.legal or self.room.busy:
            return
        self.stage.ghost((), LEGAL)
        self.confirm.set_enabled(False)
        await self.panel.attempt(
            self.room.play(self.who.holder, str(self.move), self.room.record.next_ply)
        )

    def _held(self) -> None:
        """Shows that the visitor has pieces in the hand, or no longer has: the one way into the
        hand and out of it.
        """
        holding = self.holding
        self.panel.root.classes(
            add="holding" if holding else "", remove="" if holding else "holding"
        )
        self.panel.ask()
        for control in (self.confirm, self.exact.skip, self.exact.loose, self.exact.drawn):
            control.set_visibility(not holding)
        if holding:
            self.room.live.show(self._seen, Aim(self.before.to_move, aimed=self.aimed, holds=True))
            self.panel.say(self.by_hand.said)
            self.stage.pulse(())
            self.stage.ghost((), LEGAL)
            self.stage.advise((), ADVISED)
            self.chance.clear()
            self.show_pieces()
            self.panel.did("hold")
        else:
            self._fill_controls()
            self.aim()

    async def _pass(self) -> None:
        await self.panel.attempt(
            self.room.play(
                self.who.holder, str(aiming.passing(self.table)), self.room.record.next_ply
            )
        )

    def _adjust(self) -> None:
        """Picks the last build up again to adjust it; to choose again leaves it as it was."""
        if not self.may_adjust or self.room.busy or self.holding:
            return
        self.put_right()
        self.panel.root.classes(add="adjusting")
        self.stage.show(bodies(self.before))
        self._fill_controls()
        self.aim()

    def loosen(self) -> None:
        """Lets go of what is aimed at; a build that was being adjusted stays as it was."""
        was = self.putting_right
        self.chance.clear()
        super().loosen()
        if was:
            self.stage.show(bodies(self.before))
            self._fill_controls()

    async def key(self, event: Any) -> None:
        """As anywhere; of a try that has failed only Enter makes another one."""
        if event.key == "Enter" or not self.tries:
            await super().key(event)

    # --- hints ------------------------------------------------------------------------------------

    def hinted(self, found: Sequence[Rated], picked: int | None) -> None:
        """Shows the moves of a hint see-through on the table, and pins the picked one as a click
        does; if it was picked before, it stays as the visitor has changed it since.
        """
        hints = [self.table.parse(one.move) for one in found]
        chosen = None if picked is None else hints[picked]
        changed, self.advised = chosen != self.advised, chosen
        if self.holding or self.tries:
            return
        request = None if chosen is None or not changed else request_for(chosen)
        if request is not None:
            self._take(request)
            self._to_place()
        elif changed and self.request and (self.request.exact or isinstance(chosen, Pass)):
            self.loosen()
        if self.passes:
            self.show_aimed()
            self._to_place()
        self.stage.advise(advised_pieces(self.table, hints, picked), ADVISED)

    def _take(self, request: AimRequest) -> None:
        """Takes a whole request and sets the controls to match it."""
        self.choices.show(request)
        self.request, self.pinned = request, True
        self.aim()
        self._weigh()

    # --- what the panel asks ----------------------------------------------------------------------

    @property
    def has_verdict(self) -> bool:
        """Whether the outcome says what came of the visitor's own plies."""
        return len(self.panel.mine) == 1

    def colour(self, seat: int) -> str:
        """The CSS colour of a seat."""
        return colour_of(seat)

    def plate(self, seat: int, plies: int) -> Plate:
        """What the plate of a seat shows after so many plies."""
        return plate_after(self.room, seat, plies)

    def headline(self, n: int) -> str:
        """What happened at ply n, in short."""
        return next(iter(self.lines(n)), "")

    def asks(self) -> str:
        """What the visitor is to do in the own turn; until the first own road also what wins."""
        table, seats = self.table, len(self.table.stocks)
        if table.phase == "buildings":
            return str(self.text("your_turn_buildings"))
        if sum(line.owner == table.to_move for line in table.lines) > 1:
            return str(self.text("your_turn_build"))
        colour = colour_name((table.to_move + 1) % seats, self.text)
        return str(self.text("your_turn_goal", rivals=seats - 1, colour=colour))

    def lessons(self, show_me: Callable[[], Awaitable[None]]) -> Lessons:
        """The card of the guide; each lesson asks for a deed of its own."""
        return Lessons(self.room.game, self.text, show_me, TABLE_DEEDS, TABLE_SHOWN)

    def advices(self, pick: Callable[[int | None], None]) -> AdviceList:
        """The list of the moves of a hint."""
        return AdviceList(self.text, lambda move: told_in_short(move, self.text), pick)

    def sifted(self, found: Sequence[Rated]) -> Sequence[Rated]:
        """Those of some moves that the lesson is about; all without a lesson."""
        return sifted(self.panel.lessons, found, self.table)
