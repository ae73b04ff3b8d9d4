"""The shelf of records: shipped ones by name, uploads as data or refused, and the games that are
noted on the pages: a file for each, found by an id that nobody guesses.
"""

from pathlib import Path

import pytest

from rules.errors import InputError
from shutoko.diary.turn import Turn
from shutoko.web import library as module
from shutoko.web.library import Diaries, Library, Noted
from shutoko.web.work.jobs import taken_in
from sim.assets import asset


def test_shipped_records_are_found_by_name_and_paths_from_outside_by_none(tmp_path):
    library = Library(tmp_path)
    assert ("shipped/two-cars", "tokyo-highway") in [
        (one.name, one.game) for one in library.shipped()
    ]
    assert library.record("shipped/two-cars").header.players == ("north", "south")
    for name in (
        "shipped/../two-cars",
        "saved/../../x",
        "saved/" + "a" * 16,
        "",
        "shipped/",
        "/etc/passwd",
    ):
        assert library.record(name) is None


def test_an_upload_is_kept_and_found_by_its_name(tmp_path):
    library = Library(tmp_path)
    data = asset("records", "two-cars.jsonl").read_bytes()
    name = library.save(taken_in(data, "mine.jsonl")[0], "mine.jsonl")
    assert [item.name for item in library.saved()] == [name]
    assert library.record(name).next_ply == library.record("shipped/two-cars").next_ply
    assert len(list(tmp_path.iterdir())) == 1


def test_an_upload_that_was_cut_off_in_the_middle_of_a_line_says_what_was_left_out():
    data = asset("records", "boards", "thruway-opening.jsonl").read_bytes()
    kept, warnings = taken_in(data[:-20], "mine.jsonl")
    assert kept.count(b"\n") == data.count(b"\n") - 1
    assert len(warnings) == 1
    assert taken_in(data, "mine.jsonl")[1] == ()


# --- games that are noted -------------------------------------------------------------------------


def begun(shelf: Diaries) -> Noted:
    return shelf.begin(("Ann", "Ben"), "standard", "estimate-2018", 10.0)


def keep(noted: Noted) -> None:
    table = noted.diary.table
    usual = table.default_entrance(table.to_move)
    do = {"entrance": {"pillar": list(usual.pillar), "toward": usual.toward}, "car": 0.5}
    Turn(noted.diary, noted.diary.entry(do)).keep()
    noted.changed()


def test_a_diary_is_found_by_its_id_also_by_the_next_server(tmp_path: Path) -> None:
    noted = begun(Diaries(tmp_path))
    keep(noted)
    after = Diaries(tmp_path)
    again = after.of(noted.id)
    assert again is not None
    assert again.diary.record == noted.diary.record
    assert again.diary.record.header.off_by == 10.0
    assert after.record(noted.id) is again.diary.record
    assert [(item.name, item.players) for item in after.all()] == [(noted.id, ("Ann", "Ben"))]


@pytest.mark.parametrize("name", ["", "x" * 16, "../../etc/passwd", "..", "a/b"])
def test_there_is_no_diary_of_another_name(tmp_path: Path, name: str) -> None:
    shelf = Diaries(tmp_path / "noted")
    (tmp_path / "x.jsonl").write_text("{}")
    assert shelf.of(name) is None
    assert shelf.record(name) is None


def test_every_page_of_a_diary_hears_of_a_turn_until_it_is_left(tmp_path: Path) -> None:
    noted, heard = begun(Diaries(tmp_path)), list[str]()
    leave = noted.hear(lambda: heard.append("one"))
    noted.hear(lambda: heard.append("two"))
    keep(noted)
    leave()
    keep(noted)
    assert heard == ["one", "two", "two"]


def test_a_diary_that_a_page_shows_is_never_opened_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_OPEN", 2)
    shelf = Diaries(tmp_path)
    shown = begun(shelf)
    shown.hear(lambda: None)
    others = [begun(shelf) for _ in range(4)]
    assert shelf.of(shown.id) is shown
    assert shelf.of(others[0].id) is not others[0], "nobody looks at it, so it made room"


def test_too_many_diaries_and_settings_that_make_no_game_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = Diaries(tmp_path)
    with pytest.raises(InputError):
        shelf.begin(("Ann", "Ben"), "no such rules", "estimate-2018", 3.0)
    assert shelf.all() == ()
    monkeypatch.setattr(module, "_MOST", 1)
    begun(shelf)
    with pytest.raises(InputError, match="1 games are noted already"):
        begun(shelf)
