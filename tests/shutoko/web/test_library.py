"""The shelf of records: shipped ones by name, uploads as data or refused."""

from pathlib import Path

import pytest

from rules.errors import InputError, RecordError
from shutoko.web.library import MAX_UPLOAD, Library
from sim.assets import asset


def test_shipped_records_are_found_by_name_and_paths_from_outside_by_none(tmp_path):
    library = Library(tmp_path)
    shipped = library.shipped()
    assert any(item.name == "shipped/two-cars" and item.game == "tokyo-highway" for item in shipped)
    assert library.record("shipped/two-cars").header.players == ("north", "south")
    for name in ("shipped/../two-cars", "saved/../../x", "saved/" + "a" * 16, "", "shipped/", "/etc/passwd"):
        assert library.record(name) is None


def test_an_upload_is_kept_as_data_or_refused_with_its_line(tmp_path):
    library = Library(tmp_path)
    data = asset("records", "two-cars.jsonl").read_bytes()
    name = library.save(data, "mine.jsonl")
    assert [item.name for item in library.saved()] == [name]
    assert library.record(name).next_ply == library.record("shipped/two-cars").next_ply
    with pytest.raises(RecordError, match=r"mine\.jsonl:3: ply 1"):
        library.save(data.replace(b'"ply":1,', b'"ply":7,', 1), "mine.jsonl")
    with pytest.raises(RecordError, match="header"):
        library.save(b'{"a":', "mine.jsonl")
    with pytest.raises(RecordError):
        library.save(b'{"record":"shutoko","version":[1,0],"game":"chess","players":["a","b"]}\n', "mine.jsonl")
    with pytest.raises(InputError, match="too many"):
        library.save(b" " * (MAX_UPLOAD + 1), "mine.jsonl")
    assert len(list(Path(tmp_path).iterdir())) == 1
