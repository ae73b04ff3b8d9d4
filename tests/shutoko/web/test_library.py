"""The shelf of records: shipped ones by name, uploads as data or refused."""

from pathlib import Path

from shutoko.web.library import Library
from shutoko.web.work.jobs import taken_in
from sim.assets import asset


def test_shipped_records_are_found_by_name_and_paths_from_outside_by_none(tmp_path):
    library = Library(tmp_path)
    shipped = library.shipped()
    assert any(item.name == "shipped/two-cars" and item.game == "tokyo-highway" for item in shipped)
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
    assert len(list(Path(tmp_path).iterdir())) == 1


def test_an_upload_that_was_cut_off_in_the_middle_of_a_line_says_what_was_left_out():
    data = asset("records", "boards", "thruway-opening.jsonl").read_bytes()
    kept, warnings = taken_in(data[:-20], "mine.jsonl")
    assert kept.count(b"\n") == data.count(b"\n") - 1
    assert len(warnings) == 1
    assert taken_in(data, "mine.jsonl")[1] == ()
