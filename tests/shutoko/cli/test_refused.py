"""What commands refuse: exit code 2, one line that says why, nothing on standard output and nothing
written.
"""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from sim.assets import asset
from tests.shutoko.cli.test_photo import huge_png, written

PLACES = {
    "TABLE": asset("records", "two-cars.jsonl"),
    "BOARD": asset("records", "boards", "thruway-opening.jsonl"),
    "NOTED": asset("records", "noted-by-hand.jsonl"),
    "BOX": asset("components", "estimate-2018.toml"),
    "KNOCK": asset("records", "knock.jsonl"),
    "PHOTO": asset("photos", "table.jpg"),
    "MARKS": asset("photos", "table.json"),
}
FILES = {
    "there.toml": b"mine",
    "mine.jsonl": b'{"record":"shutoko","version":[1,0],"game":"meridians","players":["a","b"]}\n',
    "rounds.json": b'[["d4,g7", "pass"]]',
    "trial.trl": b"game=/lud/board/space/group/Meridians.lud\n",
    "chess.pgn": b"1. e4 e5",
    "game.sgf": b"(;FF[4]GM[0]GN[thruway]SZ[5];B[a1-a2])",
    "wrong.json": b'["d4,g7", "pass", "a99"]',
    "bytes.trl": b"game=\xff",
    "bad.json": b'{"marks":"shutoko","version":[1,0],"x":NaN}',
    "t.heic": b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00\xff",
    "large.heic": b"\x00\x00\x00\x18ftypheic" + bytes(5 << 20),
    "renamed": b"\x00\x00\x00\x18ftypmif1\xff",
    "t.gif": b"GIF89a\xff",
    "t.BMP": b"BM\xff",
    "notes.txt": b"# the table as it was",
    "cut.jpg": PLACES["PHOTO"].read_bytes()[:20_000],
    "huge.png": huge_png(10_000, 10_000),
    "vast.png": huge_png(60_000, 60_000),
    "hollow.png": huge_png(100, 100),
    "small.png": written("PNG", (640, 480)),
}
SIMULATE = "simulate tokyo-highway --out x --players"
LEARN = "learn tokyo-highway --out w.json"
SEVERAL = "several files must all be photos"
NO_PICTURE = "this is no picture that can be read; give a JPEG, PNG, WebP, HEIC or AVIF"
REFUSED = {
    # options in full
    "risk a.jsonl --ply 1 --work 2": "--work",
    "doctor --comp": "--comp",
    "--vers": "the following arguments are required: COMMAND",
    "rules mars": "shutoko: there is no rule set 'mars'",
    # boards
    "perft chess": "'chess' is not a game",
    "perft tokyo-highway": "the moves of tokyo-highway cannot be listed",
    "perft thruway --size 2": "thruway: size",
    "perft thruway --option trade": "write NAME=VALUE",
    "perft thruway --option size=4 --option size=5": "is given twice",
    "perft thruway --option fast=true": "options: size, trade, ko, repetition, reserve",
    "perft thruway --depth -1": "a number of moves is 0 or more",
    "perft thruway --moves a1-c1": "a1-c1",
    **{
        f"{command} {words}": f"{option}: this option is for {games}; leave it out"
        for command in ("play", "simulate --players random,random --out out")
        for words, option, games in (
            ("thruway --ruleset fr", "--ruleset fr", "tokyo-highway, not for thruway"),
            ("thruway --engine bullet", "--engine bullet", "tokyo-highway, not for thruway"),
            ("meridians --seats 3", "--seats 3", "tokyo-highway, not for meridians"),
            ("tokyo-highway --size 4", "--size 4", "meridians and thruway, not for tokyo-highway"),
        )
    },
    **{
        f"replay BOARD {option}": f"{option.partition('=')[0]} is for games with pieces in space"
        for option in (
            *("--slots", "--recorded", "--labels", "--engine=none", "--png=x.png"),
            *("--film=x.gif", "--at-rest", "--close"),
        )
    },
    "replay TABLE --svg x.svg": "--svg is for games on a board",
    "analyse NOTED": "a game noted by hand has no exact places, and a search (analyse, hints, a "
    "batch) needs them; choose a game that was played in Shutoko",
    "gtp meridians --seed -1": "seed",
    "gtp meridians --player nobody": "unknown player 'nobody'",
    # charts and tables
    "plot length nowhere --to chart.gif": "unknown suffix; choose from .png, .svg, .pdf",
    "plot length nowhere --to no/chart.png": "does not exist",
    "plot race BOARD --to r.png": "cars",
    "plot learning net.jsonl": "examples/maskable_ppo.py draws its own curve",
    "table . --to games.xlsx": "unknown suffix; choose from .csv, .parquet",
    "table nowhere --to games.csv": "no record and no folder with records",
    "table . --to no/games.csv": "does not exist",
    # players
    f"{LEARN[:-5]}.npz": "a policy is a .json file",
    f"{LEARN} --ruleset old": "old",
    f"{LEARN} --lessons 0": "--lessons 0: at least 1",
    f"{LEARN} --seed -1": "--seed -1: at least 0",
    f"{LEARN} --minutes 0": "--minutes 0: above 0",
    "learn tokyo-highway --out no/w.json": "the folder no does not exist",
    "learn thruway --out n.npz": "thruway has no policy to train; choose tokyo-highway",
    "learn tokio-highway --out n.npz": "did you mean tokyo-highway?",
    "learn meridians --size 4 --out n.npz": "train it on shutoko/Meridians-v0, as examples/",
    f"{SIMULATE} nobody": "choose from greedy, planner, policy, random",
    f"{SIMULATE} greedy:hand=odd": "available: none, expert, normal, clumsy",
    f"{SIMULATE} greedy --games 0": "at least one game",
    f"{SIMULATE} greedy --workers 0": "at least 1 worker is needed",
    f"{SIMULATE} greedy --seed -1": "a seed is a whole number",
    f"{SIMULATE} greedy --max-plies 0": "at least one ply",
    f"{SIMULATE} greedy --option redo": "write NAME=VALUE",
    f"{SIMULATE} greedy --option colour=1": "there is no rule option 'colour'",
    f"{SIMULATE} greedy --seats 7": "2, 3 or 4 players",
    f"{SIMULATE} greedy --seats 3 --ruleset en2": "the rule set en2 is for 2 players, not 3",
    f"{SIMULATE} greedy --code nothing.py": "nothing.py: the file with players cannot be read",
    "rate t.gif": "t.gif: this is no folder",
    "rate nowhere": "nowhere",
    **{
        f"simulate meridians --players random,random --out {out}": f"{out}: a file of this name is "
        "in the way; name a folder for the records"
        for out in ("t.gif", "t.gif/more")
    },
    # boxes
    "components new a.txt": "a components file ends in .toml",
    "components new there.toml": "there.toml exists already and is not overwritten",
    "components new nowhere/a.toml": "the folder nowhere does not exist",
    # games of other programs
    "import none.txt": "none.txt: cannot be read: No such file or directory",
    "import chess.pgn": "chess.pgn: this is a game in no known format; known formats: abstractplay,"
    " ludii",
    "import trial.trl --format chess": "trial.trl: 'chess' is not a format; known formats: abs",
    "import trial.trl --format abstractplay": "trial.trl: not a game of AbstractPlay: not JSON",
    "import trial.trl --option size=7": "the format ludii has no option 'size'; options: none",
    "import rounds.json --option colour=7": "the format abstractplay has no option 'colour'; "
    "options: size, swapped",
    "import game.sgf": "abstractplay, ludii; sgf is gone: a record (.jsonl) keeps a game",
    "import trial.trl --format sgf": "'sgf' is not a format; known formats: abstractplay",
    "import wrong.json": "wrong.json: ply 2: ",
    "import bytes.trl": "bytes.trl: not a text in UTF-8",
    "import trial.trl trial.trl": "this would overwrite the game; name another file",
    "export BOARD b.sgf": ".sgf is gone: a record (.jsonl) keeps a game, .trl one",
    "export BOARD b.trl --format ludii --ply 2": "--ply does not go with --format",
    "export BOARD b.trl --format chess": "'chess' is not a format",
    "export BOARD BOARD --format ludii": "this would overwrite the record; name another file",
    "export mine.jsonl - --format ludii --json": "--json goes with a file",
    "export BOARD b.pgn": "b.pgn: unknown suffix",
    "export BOARD a.exe": "choose from",
    "export BOARD no/a.svg": "no/a.svg",
    "replay TABLE --ply 999": "the record has no ply 999; it has 22",
    "replay TABLE --film a.exe": "a.exe: unknown suffix; choose from .gif, .webp, .mp4",
    "replay TABLE --png no/a.png": "the folder no does not exist",
    "export TABLE a.html --ply 999": "the record has no ply 999; it has 22",
    "export TABLE a.html a.svg": "take png for tokyo-highway",
    "export TABLE a.urdf": "; .urdf is gone: .xml (MJCF) is the table for simulators",
    "export TABLE a.stl": "; .stl is gone: a record as .glb has its pieces as models",
    "export BOX": "a file of components is no record; .stl is gone: a record as .glb",
    # clips
    "export KNOCK x.png --clip": "x.png: unknown suffix; choose from .gif, .mp4",
    "export KNOCK x.gif --clip --ply 999": "the record has no ply 999",
    "export KNOCK x.gif --clip --format ludii": "--clip does not go with --format",
    # what is gone
    "challenge": "; challenge is gone: play it in the browser, at /challenge of",
    "components new a.toml --set=road.length=112": "; --set is gone: put the value into",
    "components new a.toml --estimates": "; --estimates is gone: the file has the estimates",
    "export a.toml a.stl --piece road": "; --piece is gone: a record as .glb has its pieces",
    "completion fish": "; fish is gone: bash, zsh and tcsh are completed",
    "completion powershell": "; powershell is gone: bash, zsh and tcsh are completed",
    **{
        f"simulate {game} --players {name}:seconds=1,random --out x": f"; {name} is gone: use mcts"
        for game, name in (
            *(("meridians", "net"), ("meridians", "rave"), ("meridians", "uct")),
            *(("thruway", "rave"), ("thruway", "uct")),
        )
    },
    **{
        f"{SIMULATE} {name}:{option}=1": f"; {option} is gone: {name} {serves}"
        for name, option, serves in (
            ("planner", "version", "always searches"),
            ("policy", "playouts", "looks once; planner searches"),
            ("policy", "seconds", "looks once; planner searches"),
            ("policy", "clock", "looks once; planner searches"),
        )
    },
    "play thruway --against mcts:rave=true": "; rave is gone: mcts alone",
    # servers
    **{
        f"serve --no-browser --url {url}": f"shutoko: --url {url}: give the whole address without "
        "a folder, such as https://play.example.org"
        for url in (
            *("play.example.org", "ftp://play.example.org", "https://", "https://a/b"),
            *("https://[", "http://a:b"),
        )
    },
    # photos
    "photo MARKS --components estimate-2018": "marks name their pieces themselves",
    "photo PHOTO --components none": "there are no components 'none'",
    "photo PHOTO --image PHOTO": "--image goes with a file of marks",
    "photo PHOTO --after before.json": "--after goes with a file of marks",
    "photo MARKS --marks found.json": "give a photo",
    "photo MARKS --out MARKS": "this would overwrite",
    "photo PHOTO PHOTO --marks PHOTO": "overwrite",
    "photo MARKS --snap": "give it with --image, without --after",
    "photo PHOTO MARKS": f"table.json: {SEVERAL}",
    "photo MARKS PHOTO": f"table.json: {SEVERAL}",
    "photo MARKS MARKS": f"table.json: {SEVERAL}",
    "photo PHOTO none.jpg": "none.jpg",
    "photo bad.json --out o.jsonl --png o.png": "NaN is not a number",
    "photo none.json --out o.jsonl --png o.png": "No such file",
    **{
        f"photo {name}": f"{name}: {NO_PICTURE}"
        for name in ("t.heic", "large.heic", "renamed", "t.gif", "t.BMP", "notes.txt")
    },
    **{
        f"photo MARKS --out o.jsonl --png o.png --image {name}": why
        for name, why in (
            ("notes.txt", f"notes.txt: {NO_PICTURE}"),
            ("cut.jpg", "the picture is damaged"),
            ("huge.png", "more than 64 million"),
            ("vast.png", "more than 64 million pixels"),
            ("hollow.png", "damaged"),
            ("small.png", "the marks were set on 1600 x 1200"),
        )
    },
}


@pytest.mark.parametrize("words", REFUSED)
def test_a_command_refuses_and_says_why_in_one_line(words, tmp_path, monkeypatch, run):
    no_work = Mock(side_effect=AssertionError("the work has begun"))
    monkeypatch.setattr("shutoko.export.share.share", no_work)
    monkeypatch.setattr("sim.game.replay.steps", no_work)
    there = {name: data for name, data in FILES.items() if name in words}
    for name, data in there.items():
        (tmp_path / name).write_bytes(data)
    out, err = run("", *(PLACES.get(word, word) for word in words.split()), code=2)
    *usage, line = err.splitlines()
    assert REFUSED[words] in line
    assert out == "" or "--json" in words
    assert not usage or usage[0].startswith("usage: shutoko")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == there
