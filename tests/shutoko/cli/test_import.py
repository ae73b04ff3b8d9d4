"""`shutoko import` and `shutoko export --format`: games of other programs, with what is wrong said
in one line.
"""

from __future__ import annotations

import io
import json
from types import SimpleNamespace

import pytest

from rules.errors import InputError
from rules.record import foreign, read
from rules.record.foreign import ForeignFormat, export_game, known_formats, recognised
from rules.record.verify import verify
from shutoko.cli import main

ROUNDS = '[["d4,g7", "pass"], ["f4", "i7"]]'
TRIAL = """game=/lud/board/space/group/Meridians.lud
START GAME OPTIONS
END GAME OPTIONS
RNG internal state=0,0,0,0,0,0,0,0
Move=[Move:mover=1,from=3,to=3,actions=[Add:type=Vertex,to=3,what=1,decision=true]]
Move=[Move:mover=2,from=48,to=48,actions=[Add:type=Vertex,to=48,what=2,decision=true]]
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rounds.json").write_text(ROUNDS)
    (tmp_path / "trial.trl").write_text(TRIAL)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "plies", "kind"), [("rounds.json", 4, "abstractplay"), ("trial.trl", 2, "ludii")]
)
def test_a_game_is_recognised_by_its_look_and_becomes_a_true_record(
    here, capsys, name, plies, kind
):
    assert main(["import", name, "game.jsonl"]) == 0
    assert capsys.readouterr().out == f"wrote game.jsonl: {plies} plies of meridians from {kind}\n"
    record = read(here / "game.jsonl")
    assert (record.next_ply, verify(record).ok) == (plies, True)


def test_standard_input_and_output_are_a_dash_and_options_say_what_the_game_does_not(
    monkeypatch, capsys
):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(ROUNDS.encode())))
    assert main(["import", "-", "--option", "swapped=true"]) == 0
    header, *plies = map(json.loads, capsys.readouterr().out.splitlines())
    assert (header["game"], [ply["do"] for ply in plies]) == (
        "meridians",
        ["d4,g7", "swap", "f4", "i7"],
    )


def test_programs_get_one_object_with_the_record_or_where_it_is(here, capsys):
    assert main(["import", "trial.trl", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["format"], told["game"], told["plies"], told["ended"], told["wrote"]) == (
        "ludii",
        "meridians",
        2,
        None,
        None,
    )
    assert json.loads(told["record"][1]) == {"ply": 0, "by": 0, "do": "i1"}
    assert main(["import", "trial.trl", "out.jsonl", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["wrote"], told["record"]) == ("out.jsonl", None)


def test_a_record_goes_out_and_comes_back_the_same(here, capsys):
    assert main(["import", "trial.trl", "a.jsonl"]) == 0
    assert main(["export", "a.jsonl", "b.trl"]) == 0
    assert main(["export", "a.jsonl", "b.json", "--format", "abstractplay"]) == 0
    assert main(["import", "b.trl", "c.jsonl"]) == 0
    assert main(["import", "b.json", "d.jsonl"]) == 0
    capsys.readouterr()
    assert (here / "c.jsonl").read_bytes() == (here / "a.jsonl").read_bytes()
    assert [entry.do for entry in read(here / "d.jsonl").entries] == ["i1,k4", "keep"]
    assert main(["export", "a.jsonl", "-", "--format", "ludii"]) == 0
    assert capsys.readouterr().out == (here / "b.trl").read_text()


def test_the_default_file_has_the_suffix_of_the_format(here, capsys):
    assert main(["import", "trial.trl", "a.jsonl"]) == 0
    assert main(["export", "a.jsonl", "--format", "abstractplay"]) == 0
    assert json.loads((here / "a.json").read_text())["header"]["game"]["name"] == "Meridians"


# --- the formats themselves -----------------------------------------------------------------------


def test_the_installed_formats_are_listed():
    assert {"abstractplay", "ludii"} <= {*known_formats()}


def test_a_text_that_fits_two_formats_asks_which_it_is(monkeypatch):
    formats = {
        name: ForeignFormat(name, ".x", lambda text: text.startswith("x"), lambda text: None)
        for name in ("one", "two")
    }
    monkeypatch.setattr(
        foreign,
        "_points",
        lambda: {name: SimpleNamespace(load=lambda n=name: formats[n]) for name in formats},
    )
    with pytest.raises(InputError, match="may be a game of one or two: say which it is"):
        recognised("x")
    with pytest.raises(InputError, match="games of the format one can be read, but not written"):
        export_game(None, "one")


def reports(*names):
    """A list of reports as the site writes them, of games with these names."""
    return [
        {
            "header": {
                "game": {"name": name, "variants": ["Smaller board (base 6)"]},
                "players": [
                    {"name": "north", "userid": "u1", "is_ai": False, "result": 0},
                    {"name": None, "userid": "u2", "is_ai": False, "result": 1},
                ],
            },
            "moves": [["d4,g7", "pass"], ["f4", "i7"], ["resign"]],
        }
        for name in names
    ]


def test_a_list_of_reports_becomes_a_record_each_and_one_that_cannot_be_read_is_told(here, capsys):
    (here / "both.json").write_text(json.dumps(reports("Meridians", "Meridians")))
    assert main(["import", "both.json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if '"record"' in line] == [lines[0], lines[7]]
    (here / "mixed.json").write_text(json.dumps(reports("Meridians", "Hex", "Meridians")))
    assert main(["import", "mixed.json", "games.jsonl"]) == 2
    told = capsys.readouterr()
    assert told.err == (
        "shutoko: mixed.json: game 2: AbstractPlay's report is of the game 'Hex'; only Meridians "
        "can be read\n"
    )
    assert told.out.splitlines() == [
        f"wrote games-{n}.jsonl: 5 plies of meridians from abstractplay" for n in (1, 3)
    ]
    record = read(here / "games-3.jsonl")
    assert (record.header.players, record.header.options["size"]) == (("north", "dark"), 6)
    assert record.end.ranks == ((1,), (0,))


def test_a_game_that_was_resigned_out_of_turn_shows_its_winner(here, capsys):
    (game,) = reports("Meridians")
    game["header"]["players"][0]["result"], game["header"]["players"][1]["result"] = 1, 0
    (here / "g.json").write_text(json.dumps(game))
    for words, last in (
        ("import g.json g.jsonl", "wrote g.jsonl: "),
        ("verify g.jsonl", "g.jsonl: "),
        ("replay g.jsonl", "end: resigned: north wins"),
        ("replay g.jsonl --ply 2", "unfinished: "),
    ):
        assert main(words.split()) == 0
        assert capsys.readouterr().out.splitlines()[-1].startswith(last)
