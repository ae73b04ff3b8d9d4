"""`shutoko import` and `shutoko export --format`: games of other programs, with what is wrong said
in one line.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from rules.errors import InputError
from rules.record import foreign, read
from rules.record.foreign import ForeignFormat, export_game, known_formats, recognised
from rules.record.verify import verify

ROUNDS = '[["d4,g7", "pass"], ["f4", "i7"]]'
TRIAL = """game=/lud/board/space/group/Meridians.lud
START GAME OPTIONS
END GAME OPTIONS
RNG internal state=0,0,0,0,0,0,0,0
Move=[Move:mover=1,from=3,to=3,actions=[Add:type=Vertex,to=3,what=1,decision=true]]
Move=[Move:mover=2,from=48,to=48,actions=[Add:type=Vertex,to=48,what=2,decision=true]]
"""


@pytest.fixture(autouse=True)
def here(run):
    Path("rounds.json").write_text(ROUNDS)
    Path("trial.trl").write_text(TRIAL)


@pytest.mark.parametrize(
    ("name", "plies", "kind"), [("rounds.json", 4, "abstractplay"), ("trial.trl", 2, "ludii")]
)
def test_a_game_is_recognised_by_its_look_and_becomes_a_true_record(run, name, plies, kind):
    told = f"wrote game.jsonl: {plies} plies of meridians from {kind}\n"
    assert run(f"import {name} game.jsonl").out == told
    record = read("game.jsonl")
    assert (record.next_ply, verify(record).ok) == (plies, True)


def test_standard_input_and_output_are_a_dash_and_options_say_what_the_game_does_not(run):
    lines = run("import - --option swapped=true", typed=ROUNDS).out.splitlines()
    header, *plies = map(json.loads, lines)
    assert header["game"] == "meridians"
    assert [ply["do"] for ply in plies] == ["d4,g7", "swap", "f4", "i7"]


def test_programs_get_one_object_with_the_record_or_where_it_is(run):
    told = json.loads(run("import trial.trl --json").out)
    known = {"format": "ludii", "game": "meridians", "plies": 2, "ended": None, "wrote": None}
    assert told.items() >= known.items()
    assert json.loads(told["record"][1]) == {"ply": 0, "by": 0, "do": "i1"}
    told = json.loads(run("import trial.trl out.jsonl --json").out)
    assert (told["wrote"], told["record"]) == ("out.jsonl", None)


def test_a_record_goes_out_and_comes_back_the_same(run):
    for words in (
        "import trial.trl a.jsonl",
        "export a.jsonl b.trl",
        "import b.trl c.jsonl",
        "export a.jsonl --format abstractplay",
        "import a.json d.jsonl",
    ):
        run(words)
    assert Path("c.jsonl").read_bytes() == Path("a.jsonl").read_bytes()
    assert json.loads(Path("a.json").read_text())["header"]["game"]["name"] == "Meridians"
    assert [entry.do for entry in read("d.jsonl").entries] == ["i1,k4", "keep"]
    assert run("export a.jsonl - --format ludii").out == Path("b.trl").read_text()


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


def test_a_list_of_reports_becomes_a_record_each_and_one_that_cannot_be_read_is_told(run):
    Path("both.json").write_text(json.dumps(reports("Meridians", "Meridians")))
    lines = run("import both.json").out.splitlines()
    assert [line for line in lines if '"record"' in line] == [lines[0], lines[7]]
    Path("mixed.json").write_text(json.dumps(reports("Meridians", "Hex", "Meridians")))
    out, err = run("import mixed.json games.jsonl", code=2)
    assert err == (
        "shutoko: mixed.json: game 2: AbstractPlay's report is of the game 'Hex'; only Meridians "
        "can be read\n"
    )
    assert out.splitlines() == [
        f"wrote games-{n}.jsonl: 5 plies of meridians from abstractplay" for n in (1, 3)
    ]
    record = read("games-3.jsonl")
    assert (record.header.players, record.header.options["size"]) == (("north", "dark"), 6)
    assert record.end.ranks == ((1,), (0,))


def test_a_game_that_was_resigned_out_of_turn_shows_its_winner(run):
    (game,) = reports("Meridians")
    game["header"]["players"][0]["result"], game["header"]["players"][1]["result"] = 1, 0
    Path("g.json").write_text(json.dumps(game))
    for words, last in (
        ("import g.json g.jsonl", "wrote g.jsonl: "),
        ("verify g.jsonl", "g.jsonl: "),
        ("replay g.jsonl", "end: resigned: north wins"),
        ("replay g.jsonl --ply 2", "unfinished: "),
    ):
        assert run(words).out.splitlines()[-1].startswith(last)
