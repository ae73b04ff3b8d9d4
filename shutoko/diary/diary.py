"""The diary of a real game: a record that grows ply by ply on the disk, each ply judged before
it is kept.

Every ply that is kept is on the disk when `keep` returns; a crash loses at most what was not kept
yet. A ply that is taken back leaves the file at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rules import defaults
from rules.errors import InputError, RecordError, Refusal
from rules.game import Game
from rules.record import End, Entry, Header, Note, Record, read
from rules.record.writing import Kept
from shutoko.diary.past import as_noted, is_corrected_last
from shutoko.plain import plain_record
from sim.game import replay
from sim.game.highway import NAME
from sim.game.replay import Step
from sim.referee import Placement, Table


class Diary:
    """A noted game: `record` is the game so far, `steps` are its plies as they were judged, those
    taken back included, `path` is its file.
    """

    def __init__(self, record: Record, path: Path, *, fresh: bool) -> None:
        self.record, self.path = record, path
        self._start, self.steps = self._played(record)
        self._kept = Kept(path, is_ours=not fresh, is_current=False)
        if fresh:
            self._kept.put(record)

    @property
    def table(self) -> Table:
        """The table as it stands now."""
        if not self.steps:
            return self._start
        last = self.steps[-1]
        return last.before if last.entry.taken_back else last.after

    @property
    def players(self) -> tuple[str, ...]:
        """The names by seat, each in one line."""
        return self._seen(self.record).header.players

    def entry(self, do: str | Mapping[str, Any], by: int | None = None) -> Entry:
        """The next ply with that move, made by the seat to move unless `by` names another. Raises
        NotationError for a move that is none.
        """
        seat = self.table.to_move if by is None else by
        return Entry(self.record.next_ply, seat, Placement.parse(do).to_json())

    def judge(self, entry: Entry) -> Step:
        """What the referee makes of a ply, which is not kept yet. Raises InputError for one that
        cannot be used, with the reason alone.
        """
        try:
            return replay.judged(self._seen(replace(self.record, path=None)), entry, self.table)
        except RecordError as error:
            # who tells a game at a table does not see the keys of its record
            raise InputError(str(error.reason).removeprefix("observed.put: ")) from error

    def keep(self, step: Step) -> None:
        """Keeps a judged ply, and the end of the game if it ends with it. An illegal one is kept as
        taken back: the table stays as it is.

        Raises InputError if the file cannot be written; then the game is as before.
        """
        entry = step.entry
        if step.refusal is not None:
            entry = replace(entry, got=step.got(), accepted=None)
        record, lines = self.record.plus(entry), [entry]
        outcome = step.after.outcome()
        ends: list[Entry | End] = [*lines]
        if outcome is not None and step.refusal is None:
            end = End(outcome.ranks, str(outcome.reason))
            record = record.with_end(end)
            ends.append(end)
        self._kept.add(record, *ends)
        self.record = record
        self.steps.append(replace(step, entry=entry))

    def note(self, text: str) -> None:
        """Keeps a note after the last ply. Raises InputError if that cannot be written."""
        record = self.record.with_note(Note(text))
        self._kept.put(record)
        self.record = record

    def correct(self, was: Record, now: Record) -> None:
        """Keeps `now` in place of the diary, which it corrects. Raises InputError if the file
        cannot be written, or if the diary is not what it `was` any more; then it stays.
        """
        if was != self.record:
            told = "the diary has changed since the photo was read; read it again"
            raise InputError(Refusal(told, "note-correct-old"))
        self._kept.put(now)
        self.record = now
        self._start, self.steps = self._played(now)

    def undo(self) -> Step | None:
        """Takes back the last line that was kept, and returns it; or a correction, if that came
        last, and returns None. Raises InputError if there is nothing to take back.
        """
        if is_corrected_last(self.record):
            self._uncorrect()
            return None
        if not self.steps:
            raise InputError("nothing is noted yet")
        entries = self.record.entries[:-1]
        notes = tuple(note for note in self.record.notes if note.after <= len(entries))
        record = replace(self.record, entries=entries, notes=notes, end=None)
        self._kept.put(record)
        self.record = record
        return self.steps.pop()

    def _uncorrect(self) -> None:
        record = as_noted(self.record)
        start, steps = self._played(record)
        last = steps[-1] if steps else None
        outcome = None if last is None or last.entry.taken_back else last.after.outcome()
        if outcome is not None:
            record = record.with_end(End(outcome.ranks, str(outcome.reason)))
        self._kept.put(record)
        self.record, self._start, self.steps = record, start, steps

    @staticmethod
    def _seen(record: Record) -> Record:
        """The record with the names that people see; notes are as they were written."""
        return replace(record, header=plain_record(record).header)

    def _played(self, record: Record) -> tuple[Table, list[Step]]:
        """The table before the first ply, and the plies as they are judged."""
        at = self._seen(replace(record, path=self.path))
        return replay.begin(at), list(replay.trusted(at)) if record.entries else []


def header_of(made: Game[Any], players: Sequence[str], tolerance: float | None) -> Header:
    """The header of a game that people play at a real table. `tolerance` is by how many mm places
    may be off, None for the usual number.
    """
    if tolerance is not None and tolerance == int(tolerance):
        tolerance = int(tolerance)
    header = defaults.header(made, tuple(players), source="a game at a real table")
    return replace(header, observed=True, tolerance=tolerance, seed=None, physics=None)


def begun(header: Header, path: Path) -> Diary:
    """A new diary; its file has the header when this returns. Raises InputError if the file is
    there already, or the header makes no table.
    """
    return Diary(Record(header), path, fresh=True)


def reopened(path: Path) -> Diary:
    """The diary in a file, to go on with. Raises InputError for a record that is none."""
    record = read(path)
    if record.header.game != NAME:
        raise InputError(f"{path}: a game of {record.header.game}; only {NAME} is noted by hand")
    if not record.header.observed:
        raise InputError(
            f'{path}: this game was not noted by hand (its header has no "observed":true); '
            "name a new file"
        )
    return Diary(record, path, fresh=False)
