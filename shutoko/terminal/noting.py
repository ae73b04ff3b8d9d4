"""The conversation in which a real game is noted: a few questions a ply, what the referee makes of
it at once, undo, a drawing of the table.

The answers go to `shutoko.diary`, which reads them and keeps the record; here are only the
questions and their order. Every sentence comes from the catalogues in `assets/languages`.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from rules.errors import InputError, ShutokoError, why
from rules.files import os_reason
from rules.near import nearest
from rules.record import Entry, disk
from shutoko.diary import sketch
from shutoko.diary.correcting import Correction, seen_on
from shutoko.diary.diary import Diary
from shutoko.diary.happenings import WORDS, remarks
from shutoko.diary.past import is_corrected_last
from shutoko.diary.places import PlaceError, base_in, base_of, direction_of, place_of, sized, turned
from shutoko.diary.turn import Turn, counts_cars
from shutoko.terminal.plan import plan
from shutoko.terminal.voice import Voice
from shutoko.terminal.words import CHOICES, COMMANDS, MOVES, NO, PHOTO, YES
from sim.game.replay import Step
from sim.languages import Sentence, reason_in
from sim.referee import Names, Pillar, Point

T = TypeVar("T")

_FIRST = ("move", "over", "entrance", "building")  # a ply begins with one of these questions
_CLOSE, _FEW = "close-call", 2  # of the reasons of this kind the first two are shown
_DISCS = re.compile(r"(\d{1,2})(?:\s+(?:discs?|disques?)|개)?(?=\s|$)(?!\s*(?:cm|mm|o\W?c|h\b|시))")


class _Leave(Exception):  # noqa: N818 - it ends the conversation, and is no error
    """The input ended, or somebody quits."""


class _Again(Exception):  # noqa: N818 - as above
    """The players begin the ply again."""


class _Changed(Exception):  # noqa: N818 - as above
    """The diary has changed: a ply was taken back, or a photo was read."""


class Noting:
    """A conversation about a diary. `language` is that of its sentences."""

    def __init__(self, diary: Diary, voice: Voice, language: str) -> None:
        self._diary, self._voice, self._language = diary, voice, language
        self._names = Names(diary.players)
        self._telling: Turn | None = None  # the turn that is being told, once it is judged

    def open(self) -> None:
        """Says what is noted where, and how far the game is."""
        diary, plies = self._diary, self._diary.record.next_ply
        self._say("note-begin" if not plies else "note-go-on", file=str(diary.path), plies=plies)

    def run(self) -> None:
        """Asks until the input ends, or somebody quits."""
        try:
            while True:
                try:
                    self._one()
                except _Again:
                    self._say("note-from-the-start")
                except _Changed:
                    pass
        except _Leave:
            pass

    def close(self) -> None:
        """Says where the game is, and how to go on."""
        diary = self._diary
        plies, over = diary.record.next_ply, diary.table.outcome() is not None
        message = "note-end-over" if over else "note-end"
        back = sum(step.entry.taken_back for step in diary.steps)
        self._say(message, file=str(diary.path), plies=plies, back=back)

    # --- a ply ------------------------------------------------------------------------------------

    def _one(self) -> None:
        table, self._telling = self._diary.table, None
        if table.outcome() is not None:
            self._over()
            return
        try:
            entry = self._told()
        except InputError as error:  # no game can have such a move
            self._refuse(getattr(error, "reason", str(error)))
            return
        if entry is None:
            return
        try:
            turn = self._telling = Turn(self._diary, entry)
        except InputError as error:
            self._refuse(str(error))
            raise _Again from None
        if self._stands(turn) and self._counted(turn):
            self._what_else(turn)
        try:
            turn.keep()
        except InputError as error:  # a full disk; the game is as before
            self._refuse(str(error))
            raise _Again from None
        self._kept(turn.step)

    def _kept(self, step: Step) -> None:
        entry, legal = step.entry, step.refusal is None
        message = "note-kept" if legal else "note-kept-back"
        told = self._text(message, ply=entry.ply, file=str(self._diary.path))
        self._voice.say("kept", {"ply": entry.ply, "do": entry.do, "legal": legal}, told)

    def _over(self) -> None:
        answer = self._ask("note-over", asks="over")
        if not answer:
            raise _Leave
        self._say("note-over-only")

    def _told(self) -> Entry | None:
        """The next ply as somebody tells it, judged by nobody yet; None if something else was
        done.
        """
        match self._diary.table.phase:
            case "entrances":
                return self._diary.entry(self._entrance())
            case "buildings":
                return self._diary.entry(self._building())
        return self._move()

    def _move(self) -> Entry | None:
        diary = self._diary
        ply, player = diary.record.next_ply, self._names(diary.table.to_move)
        built = diary.table.lasts[-1].pieces[0] if diary.table.lasts else "none"
        text = self._ask("note-move", asks="move", ply=ply, player=player, built=built)
        if text.startswith("{"):
            return diary.entry(text)  # a move as in a record, for whoever knows it
        first, _, rest = text.partition(" ")
        if first.lower() in WORDS["note"] and rest.strip():
            diary.note(rest.strip())
            self._say("note-noted")
            return None
        kind = next((kind for kind, words in MOVES.items() if first.lower() in words), None)
        if text.lower() in NO:  # the answer to another question
            kind = None
        match kind:
            case "build" | "junction":
                return diary.entry(self._build(kind == "junction", rest.strip()))
            case "exit":
                return diary.entry(self._exit(rest.strip()))
            case "adjust":
                return self._adjust(rest.strip())
            case "no room":
                return diary.entry({"pass": "no room"})
            case "pass" | "resign":
                return diary.entry(kind)
        self._slip(PlaceError("note-move-unknown" if text else "note-enter", text=text))
        return None

    def _entrance(self) -> dict[str, Any]:
        table = self._diary.table
        usual = table.default_entrance(table.to_move)
        player = self._names(table.to_move)

        def read(text: str) -> Point:
            return place_of(table, text) if text else usual.pillar

        at = self._answer(
            read, "note-entrance", asks="entrance", player=player, at=list(usual.pillar)
        )
        toward = usual.toward
        if at != usual.pillar:
            toward = self._answer(self._direction, "note-toward", asks="toward", player=player)
        return {"entrance": {"pillar": list(at), "toward": toward}, "car": 0.5}

    def _direction(self, text: str) -> float:
        found = direction_of(text)
        if found is None:
            raise PlaceError("note-direction", text=text)
        return found

    def _building(self) -> dict[str, Any]:
        table = self._diary.table
        left = list(table.buildings_left)
        only = left[0] if len(left) == 1 else "none"

        def chosen(text: str) -> tuple[str, str]:
            word, _, rest = text.partition(" ")
            if word.lower() in left:
                return word.lower(), rest.strip()
            if only == "none":
                raise PlaceError("note-building-kind", text=text, left=left)
            return only, text

        def place(text: str) -> tuple[Point, float]:
            where, turn = turned(text)
            return place_of(table, where), turn or 0.0

        sizes = [sized(table.components.buildings[kind]) for kind in left]
        player = self._names(table.to_move)
        kind, rest = self._answer(
            chosen, "note-building", asks="building", player=player, sizes=sizes, only=only
        )
        at, turn = self._read(place, rest, "note-building-at", asks="place", building=kind)
        return {"building": {"kind": kind, "at": list(at), "turn": turn}}

    def _build(self, junction: bool, rest: str) -> dict[str, Any]:
        base, rest = self._base(rest)
        found = _DISCS.match(rest)
        discs = None
        if found is not None:
            discs, rest = int(found[1]) or None, rest[found.end() :].strip()
            if discs is None:
                self._slip(PlaceError("note-discs-number", text=found[1]))
        if discs is None and not rest:
            discs = self._discs(base, junction)
        at = self._place("note-at", base.id, rest, pillar=base.id)
        if discs is None:
            discs = self._discs(base, junction)
        return {
            "build": {"from": base.id, "pillar": list(at), "discs": discs, "junction": junction}
        }

    def _discs(self, base: Pillar, junction: bool) -> int:
        usual = [n for n in (base.discs - 1, base.discs + 1) if n > 0]
        only = usual[0] if len(usual) == 1 and not junction else None

        def read(text: str) -> int:
            if not text and only is not None:
                return only
            if not (text.isascii() and text.isdigit() and 0 < int(text) < 100):
                raise PlaceError("note-discs-number", text=text)
            return int(text)

        message = "note-discs-junction" if junction else "note-discs"
        values: dict[str, Any] = {"pillar": base.id, "has": base.discs}
        if only is not None:
            message, values["count"] = "note-discs-enter", only
        elif not junction:
            values["usual"] = list(map(str, usual))
        return self._answer(read, message, asks="discs", **values)

    def _exit(self, rest: str) -> dict[str, Any]:
        base, rest = self._base(rest)
        box = self._diary.table.components
        high = min(base.discs * box.disc_height, box.road_length)
        reach = (box.road_length**2 - high**2) ** 0.5
        at = self._place("note-exit-to", base.id, rest, reach, pillar=base.id)
        return {"exit": {"from": base.id, "to": list(at)}}

    def _adjust(self, rest: str) -> Entry | None:
        lasts = self._diary.table.lasts
        if not lasts:
            self._slip(PlaceError("note-adjust-nothing"))
            return None
        last = lasts[-1]
        base, key = last.placement.base, "pillar" if "-P" in last.pieces[0] else "to"
        at = self._place("note-adjust", base, rest, pillar=base, piece=last.pieces[0])
        return self._diary.entry({"adjust": {key: list(at)}}, last.seat)

    def _base(self, rest: str) -> tuple[Pillar, str]:
        """The pillar that the new road leaves, and what is left of the answer; asked for only if
        there are several and none is named.
        """
        table = self._diary.table
        name, rest = base_in(table, rest)
        if name is not None:
            try:
                return base_of(table, name), rest
            except PlaceError as error:
                self._slip(error)
        ids = [point.pillar.id for point in table.base_points(table.to_move)]
        player = self._names(table.to_move)
        base = self._answer(
            lambda text: base_of(table, text), "note-from", asks="from", player=player, known=ids
        )
        return base, rest

    def _place(
        self,
        message: str,
        base: str | None,
        rest: str = "",
        away: float | None = None,
        **values: Any,
    ) -> Point:
        def read(text: str) -> Point:
            return place_of(self._diary.table, text, base, away)

        return self._read(read, rest, message, asks="place", **values)

    # --- what the referee says --------------------------------------------------------------------

    def _stands(self, turn: Turn) -> bool:
        """Whether the turn is by the rules, or the table accepted it; False if it was taken back.
        Raises _Again if the players begin it again.
        """
        self._tell(turn.step)
        if turn.refusal is None:
            return True
        match self._choice("note-refused", list(CHOICES)):
            case "accept":
                if not turn.accept():
                    self._say("note-cannot-stand")
                    raise _Again
                self._tell(turn.step)
                return True
            case "taken back":
                return False
        raise _Again

    def _choice(self, message: str, choices: Sequence[str]) -> str:
        """What the table made of a refusal."""

        def read(text: str) -> str:
            word = text.lower().partition(" ")[0]
            for choice in choices:
                if word in CHOICES[choice]:
                    return choice
            raise PlaceError(f"{message}-what", text=text)

        return self._answer(read, message, asks="refused")

    def _counted(self, turn: Turn) -> bool:
        """Notes the cars that people put down, where that is not what the referee counts; whether
        the turn stands, see `_stands`.
        """
        if not counts_cars(turn.step):
            return True
        due = len(turn.step.verdict.spots)

        def read(text: str) -> int:
            if not text:
                return due
            if not (text.isascii() and text.isdigit() and int(text) < 100):
                raise PlaceError("note-cars-number", text=text)
            return int(text)

        player = self._names(turn.step.entry.by)
        count = self._answer(read, "note-cars", asks="cars", player=player, count=due)
        if count == due:
            return True
        turn.count(count)
        return self._stands(turn)

    def _what_else(self, turn: Turn) -> None:
        """Notes everything that fell, was moved or was touched."""
        while text := self._ask("note-else", asks="else"):
            was = turn.step
            try:
                turn.tell(text, "more", text)
            except PlaceError as error:
                self._slip(error)
                continue
            except InputError as error:
                self._refuse(str(error))
                continue
            if turn.refusal is not None and not self._let_stand(turn):
                continue
            if turn.step.entry == was.entry:
                self._slip(PlaceError("note-else-known", text=text))
            known = was.told(self._language)
            self._lines([line for line in turn.step.told(self._language) if line not in known])
            for one in remarks(was, turn.step, text):
                self._say(one.message, **one.values)

    def _let_stand(self, turn: Turn) -> bool:
        """Whether the table accepted what was told last and is against the rules; if not, it is
        left out.
        """
        self._refuse(turn.refusal or "")
        accepted = self._choice("note-refused-line", ["again", "accept"]) == "accept"
        if accepted and turn.accept():
            return True
        if accepted:
            self._say("note-cannot-stand")
        turn.leave_out()
        return False

    # --- commands ---------------------------------------------------------------------------------

    def _command(self, text: str) -> bool:
        """Whether the answer was a command, which is done then."""
        first, _, rest = text.partition(" ")
        name = next((name for name, words in COMMANDS.items() if first.lower() in words), None)
        match name:
            case "help":
                self._say("note-help")
            case "draw":
                self._draw(rest.strip())
            case "why":
                self._why(rest.strip())
            case "pieces":
                every = self._diary.table.inventory()
                told = "\n".join(one.told(self._language, self._names) for one in every)
                self._voice.say("pieces", {}, told)
            case "back":
                raise _Again
            case "quit":
                raise _Leave
            case _:
                return False
        return True

    def _undo(self) -> None:
        if not self._diary.steps and not is_corrected_last(self._diary.record):
            self._slip(PlaceError("note-nothing"))
            return
        try:
            step = self._diary.undo()
        except InputError as error:
            self._refuse_for(error)
            return
        if step is None:
            self._say("note-uncorrected")
            return
        ply = step.entry.ply
        self._voice.say("undo", {"ply": ply}, self._text("note-undone", ply=ply))

    def _draw(self, file: str) -> None:
        table = self._diary.table
        if not file:
            self._voice.say("drawing", {}, plan(table, table.roads[-1].id if table.roads else None))
            return
        path = Path(file).expanduser()
        if path.suffix.lower() != ".svg":
            self._slip(PlaceError("note-draw-svg", file=file))
            return
        title = self._text("note-drawing", players=list(self._diary.players))
        try:
            disk.put(path, sketch.svg(table, title).encode())
        except OSError as error:
            self._refuse(f"{file}: {os_reason(error)}")
            return
        self._say("note-drawn", file=file)

    def _why(self, text: str) -> None:
        """What the referee says of a ply; if none is named, of the one that is being told, or of
        the last one that is kept.
        """
        telling = None if self._telling is None else self._telling.step
        steps = self._diary.steps if telling is None else [*self._diary.steps, telling]
        wanted = text or (str(steps[-1].entry.ply) if steps else "0")
        found = [step for step in steps if str(step.entry.ply) == wanted]
        if not text and telling is not None:
            found = [telling]
        if not found:
            last = steps[-1].entry.ply if steps else 0
            slip = "note-why-what" if steps else "note-nothing"
            self._slip(PlaceError(slip, text=text, last=last))
        for step in found:
            entry = step.entry
            was = "telling" if step is telling else "back" if entry.taken_back else "kept"
            if was == "kept" and entry.accepted:
                was = "accepted"
            head = self._text("note-why-ply", ply=entry.ply, player=self._names(entry.by), was=was)
            self._tell(step, whole=True, head=head)

    def _photo(self, file: str) -> None:
        """Corrects all places by a photo of the table, or adds the plies that its marks show beyond
        it.
        """
        if not file:
            self._slip(PlaceError("note-photo-what"))
            return
        try:
            with self._voice.waiting(self._text("note-reading")):
                seen = seen_on(self._diary, Path(file).expanduser())
            if isinstance(seen, Correction):
                self._correct(seen)
            else:
                self._follow(seen)
        except ShutokoError as error:
            self._refuse_for(error)

    def _follow(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            judged = self._diary.judge(entry)
            self._tell(judged)
            if judged.refusal is not None:
                return
            self._diary.keep(judged)
            self._kept(judged)

    def _correct(self, correction: Correction) -> None:
        """Shows what a photo changes, asks once, and keeps it."""
        lines = [one.told(self._language, self._names) for one in correction.sentences()]
        self._voice.say("corrects", {**correction.to_json(), "told": lines}, _indented(lines))

        def read(text: str) -> bool:
            if text.lower() not in (*YES, *NO):
                raise PlaceError("note-take-what", text=text)
            return text.lower() in YES

        if not self._answer(read, "note-take", asks="take"):
            self._say("note-as-it-was")
            return
        self._diary.correct(correction.of, correction.record)
        self._say("note-corrected", file=str(self._diary.path))

    # --- asking and saying ------------------------------------------------------------------------

    def _ask(self, message: str, asks: str, **values: Any) -> str:
        """An answer that is no command. Raises _Leave at the end of the input."""
        while True:
            prompt = self._text(message, **values)
            self._voice.say(
                "ask", {"asks": asks, "ply": self._diary.record.next_ply, "text": prompt}
            )
            line = self._voice.ask(f"{prompt}> ")
            if line is None:
                raise _Leave
            first = line.partition(" ")[0].lower()
            if first in COMMANDS["undo"]:
                rest = line.partition(" ")[2].strip()
                if rest not in ("", "1"):
                    self._slip(PlaceError("note-undo-one", text=rest))
                    continue
                if asks not in _FIRST:
                    raise _Again
                self._undo()
                raise _Changed
            if first in PHOTO and asks in _FIRST:
                self._photo(line.partition(" ")[2].strip())
                raise _Changed
            if not self._command(line):
                return line

    def _answer(self, read: Callable[[str], T], message: str, asks: str, **values: Any) -> T:
        """An answer that can be read; a slip is explained, and the question asked again."""
        while True:
            text = self._ask(message, asks, **values)
            try:
                return read(text)
            except PlaceError as error:
                self._slip(error if text else PlaceError("note-enter"))
                meant = nearest(text, (word for words in COMMANDS.values() for word in words))
                if meant is not None:
                    self._say("note-command", command=meant)

    def _read(
        self, read: Callable[[str], T], given: str, message: str, asks: str, **values: Any
    ) -> T:
        """What an answer said already, if it can be read; else an answer to another question."""
        if given:
            try:
                return read(given)
            except PlaceError as error:
                self._slip(error)
        return self._answer(read, message, asks, **values)

    def _text(self, message: str, **values: Any) -> str:
        return Sentence(message, values).told(self._language, self._names)

    def _say(self, message: str, **values: Any) -> None:
        self._voice.say("text", {"code": message}, self._text(message, **values))

    def _slip(self, error: PlaceError) -> None:
        self._refuse(error.sentence.told(self._language, self._names))

    def _refuse(self, reason: str) -> None:
        self._voice.say("refused", {"reason": reason}, reason)

    def _refuse_for(self, error: ShutokoError) -> None:
        self._refuse(reason_in(self._language, why(error)))

    def _tell(self, step: Step, *, whole: bool = False, head: str = "") -> None:
        """What the referee says of a ply, under a heading; unless `whole`, little of what is too
        close to tell.
        """
        data = {"ply": step.entry.ply, "by": step.entry.by, "do": step.entry.do, "got": step.got()}
        lines = step.told(self._language)
        shown = list(lines)
        if not whole:
            kinds = [reason.data["kind"] for reason in step.reasons()]
            close = [n for n, kind in enumerate(kinds) if kind == _CLOSE][_FEW:]
            if len(close) > 1:
                shown = [line for n, line in enumerate(lines) if n not in close]
                shown.append(self._text("note-more-close", n=len(close)))
        said = "\n".join([*([head] if head else []), _indented(shown)])
        self._voice.say("judged", {**data, "told": list(lines)}, said)

    def _lines(self, lines: Sequence[str]) -> None:
        if lines:
            self._voice.say("judged", {"told": list(lines)}, _indented(lines))


def _indented(lines: Sequence[str]) -> str:
    return "\n".join(f"    {line}" for line in lines)
