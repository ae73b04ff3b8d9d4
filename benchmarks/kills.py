"""Kills the program at random moments and checks the files that are left; then fills disks up and
takes folders away.

    python benchmarks/kills.py [--kills 300] [--seed 0]
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import aiohttp
import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.server import Tab, listening, tells, turn
from rules.arena.players import player
from rules.game import game
from rules.record import read
from rules.record.verify import verify
from shutoko.terminal.session import Seat, begun
from shutoko.web.rooms.room import Room
from shutoko.web.rooms.store import Rooms, Setup
from shutoko.web.work.workers import Workers
from tools.measuring import note, run, table

ROOT = Path(__file__).resolve().parents[1]
MARK = "SHUTOKO_KILLS"
GRACE = 5.0  # seconds in which processes must notice that their parent is gone
LONGEST = 300  # plies of the games that are played
UNDONE = 0.1  # of the moves that are taken back

found: list[str] = []
counts: Counter[str] = Counter()
left_after: Counter[int] = Counter()


def expect(holds: bool, what: str) -> None:
    """Counts a check; notes and prints it if it failed."""
    counts["checks"] += 1
    if not holds:
        found.append(what)
        note(f"  LOST: {what}")


def started(*args: object, fresh: bool = True, **how: Any) -> subprocess.Popen[str]:
    """The command as a process of its own, marked, so that whatever it starts can be found."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), MARK: str(os.getpid())}
    command = [sys.executable, "-m", "shutoko", *map(str, args)]
    return subprocess.Popen(command, env=environment, text=True, start_new_session=fresh, **how)  # noqa: S603 - this project


def alive() -> list[int]:
    """Marked processes that run."""
    mark, those = f"{MARK}={os.getpid()}".encode(), []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with suppress(OSError):
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
                if state != "Z" and mark in (entry / "environ").read_bytes().split(b"\0"):
                    those.append(int(entry.name))
    return those


def expect_no_process(what: str) -> None:
    """No process of a killed command may still run; those that do are noted and ended."""
    end = time.monotonic() + GRACE
    while alive() and time.monotonic() < end:
        time.sleep(0.1)
    those = alive()
    expect(not those, f"{what}: {len(those)} processes live on")
    for process in those:
        with suppress(OSError):
            os.kill(process, signal.SIGKILL)


def expect_no_litter(folder: Path, what: str) -> None:
    """No lock and no scratch file is left in a folder."""
    litter = [path.name for path in folder.rglob(".*") if ".shutoko" in path.name] + [
        p.name for p in folder.rglob("*.tmp")
    ]
    expect(not litter, f"{what}: {litter} left")


# --- play -----------------------------------------------------------------------------------------


def choice(state: Any, seed: int, ply: int) -> str:
    """The person's move: any legal one, but always the same for the same ply."""
    moves = state.legal_moves()
    return str(moves[int(np.random.default_rng((seed, ply)).integers(len(moves)))])


def undisturbed(name: str, size: int, seed: int) -> list[str]:
    """The plies of the game that nobody kills."""
    made = game(name, size=size)
    with tempfile.TemporaryDirectory() as folder:
        session = begun(
            made,
            [Seat("you"), Seat("random", player("random", made))],
            Path(folder) / "g.jsonl",
            seed,
        )
        while not session.is_over and len(session.record.entries) < LONGEST:
            if session.seat.player is None:
                session.play(
                    session.state.parse(choice(session.state, seed, session.record.next_ply))
                )
            else:
                session.play(session.chosen())
        return [str(entry.do) for entry in session.record.entries]


class Talk:
    """A game at the terminal that this script plays: the confirmed plies, and the move that is not
    confirmed yet.
    """

    def __init__(self, plies: Sequence[str], *args: object, rng: np.random.Generator) -> None:
        self.plies, self.rng = plies, rng
        self.confirmed, self.pending, self.said = 0, "", ""
        self.is_asked = threading.Event()
        self.process = started(
            "play",
            *args,
            "--json",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, until: int) -> None:
        """Plays up to so many plies, or until the game is killed."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with suppress(ValueError):
                event = json.loads(line)
                if "event" not in event:
                    continue  # the object of an error; the same stands on standard error
                if event["event"] in ("turn", "undo"):
                    self.confirmed, self.pending = event["ply"] + (event["event"] == "turn"), ""
                elif event["event"] == "refused":
                    self.said = event["reason"]
                if event["event"] != "ask":
                    continue
                self.confirmed = event["ply"]  # a resumed game begins here
                self.is_asked.set()
                is_undone = self.confirmed > 1 and self.rng.random() < UNDONE
                self.pending = (
                    "undo"
                    if is_undone
                    else ""
                    if self.confirmed >= until
                    else self.plies[self.confirmed]
                )
                with suppress(BrokenPipeError):
                    self.process.stdin.write(f"{self.pending or 'quit'}\n")
                    self.process.stdin.flush()


def kill_play(folder: Path, rng: np.random.Generator) -> None:
    """Kills a game at the terminal and resumes it, twice; then plays it to the end."""
    name, size = (("meridians", 12), ("thruway", 12))[rng.integers(2)]
    seed, path = int(rng.integers(2**31)), folder / f"{rng.integers(2**62)}.jsonl"
    plies = undisturbed(name, size, seed)
    new = (name, "--size", size, "--players", "you,random", "--seed", seed, "--out", path)
    for _ in range(2):
        first = not path.exists()
        talk = Talk(plies, *(new if first else ("--resume", path)), rng=rng)
        thread = threading.Thread(target=talk.run, args=(len(plies) - 2,))
        thread.start()
        talk.is_asked.wait(60)
        time.sleep(rng.uniform(0, 2.5))
        talk.process.kill()
        thread.join()
        talk.process.wait()
        counts["play"] += 1
        left_after[talk.confirmed // 50 * 50] += 1
        counts["takings back pending"] += talk.pending == "undo"
        on_disk = [str(entry.do) for entry in read(path).entries] if path.exists() else []
        least = talk.confirmed - 2 * (talk.pending == "undo")
        expect(
            least <= len(on_disk) <= talk.confirmed + 2,
            f"{path}: {len(on_disk)} plies for {talk.confirmed} confirmed",
        )
        expect(on_disk == plies[: len(on_disk)], f"{path}: other plies than were made")
        expect_no_process("play")
    if path.exists():
        before = len(read(path).entries)
        talk = Talk(plies, "--resume", path, rng=rng)
        talk.run(min(before + 8, len(plies) - 2))
        talk.process.wait()
        after = [str(entry.do) for entry in read(path).entries]
        expect(
            after == plies[: len(after)] and len(after) >= before, f"{path}: goes on in another way"
        )
        expect(verify(read(path)).ok, f"{path}: does not verify")
    expect_no_litter(folder, "play")


def kill_writers(folder: Path, rng: np.random.Generator) -> None:
    """Two programs go on with one game at once: one has it and the other is refused. The one is
    killed, and two others try.
    """
    plies, path = undisturbed("meridians", 12, 8), folder / f"two-{rng.integers(2**62)}.jsonl"
    args: tuple[object, ...] = (
        "meridians",
        "--size",
        12,
        "--players",
        "you,random",
        "--seed",
        8,
        "--out",
        path,
    )
    least = 0
    for _ in range(2):
        talks = [
            Talk(plies, *args, rng=np.random.default_rng(int(rng.integers(2**31))))
            for _ in range(2)
        ]
        threads = [threading.Thread(target=talk.run, args=(len(plies) - 2,)) for talk in talks]
        for thread in threads:
            thread.start()
        end = time.monotonic() + 60 + rng.uniform(0, 2.0)
        while all(talk.process.poll() is None for talk in talks) and time.monotonic() < end:
            time.sleep(0.02)
        time.sleep(rng.uniform(0, 1.0))
        running = [talk for talk in talks if talk.process.poll() is None]
        refused = [talk for talk in talks if talk.process.poll() is not None]
        expect(len(running) == 1, f"{path}: {len(running)} of two writers go on")
        for talk in running:
            talk.process.kill()
        for thread in threads:
            thread.join()
        for talk in talks:
            talk.process.wait()
        counts["two writers"] += 1
        expect(
            all(talk.process.returncode == 2 for talk in refused),
            f"{path}: the second writer does not say why",
        )
        on_disk = [str(entry.do) for entry in read(path).entries] if path.exists() else []
        confirmed = max(talk.confirmed - 2 * (talk.pending == "undo") for talk in talks)
        expect(
            confirmed <= len(on_disk) and least <= len(on_disk) + 2,
            f"{path}: confirmed plies of two writers are lost",
        )
        expect(on_disk == plies[: len(on_disk)], f"{path}: two writers mixed their plies")
        least = len(on_disk)
        expect_no_process("two writers")
        args = ("--resume", path) if path.exists() else args
    if path.exists():
        plays_on(path, plies, rng, min(least + 4, len(plies) - 2))
        expect(verify(read(path)).ok, f"{path}: does not verify after two writers")
    expect_no_litter(folder, "two writers")


# --- serve ----------------------------------------------------------------------------------------


class Served:
    """A folder of rooms in which tabs play, with what each room confirmed so far."""

    def __init__(self, folder: Path, rng: np.random.Generator) -> None:
        self.data, self.rng = folder / "served", rng
        store = Rooms(self.data / "rooms", Workers(1))
        setups = [
            Setup("meridians", ("Player 1", "Player 2"), (None, None), {"size": 12}, seed=n)
            for n in range(4)
        ]
        self.rooms = [store.open(setup, "host") for setup in setups]
        self.confirmed: dict[str, list[str]] = {room.id: [] for room in self.rooms}

    def kill(self) -> None:
        """Serves, plays in all rooms, kills the server, and looks at its files."""
        with self.server() as (process, url):
            asyncio.run(self.played(url, process, self.rng.uniform(0.5, 6.0)))
        counts["serve"] += 1
        for room in self.rooms:
            on_disk, known = (
                [str(entry.do) for entry in self.record(room).entries],
                self.confirmed[room.id],
            )
            expect(
                on_disk[: len(known)] == known,
                f"room {room.id}: {len(on_disk)} plies for {len(known)} confirmed",
            )
            expect(len(on_disk) <= len(known) + 1, f"room {room.id}: plies that nobody made")
            self.confirmed[room.id] = on_disk
        expect_no_process("serve")

    def end(self) -> None:
        """Serves once more and ends the server in the usual way: nothing may be left."""
        with self.server() as (process, _):
            process.terminate()
            process.wait(60)
        expect_no_process("serve that ended")
        expect_no_litter(self.data / "rooms", "serve")
        expect(all(verify(self.record(room)).ok for room in self.rooms), "a room does not verify")

    def record(self, room: Room) -> Any:
        """The record of a room, from its file."""
        return read(self.data / "rooms" / f"{room.id}.jsonl")

    @contextmanager
    def server(self) -> Iterator[tuple[subprocess.Popen[str], str]]:
        """A server on the folder, killed at the end."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        process = started(
            "serve", "--no-browser", "--port", port, "--data", self.data, stdout=subprocess.DEVNULL
        )
        try:
            while not listening(port):
                if process.poll() is not None:
                    sys.exit(f"the server does not start (exit code {process.returncode})")
                time.sleep(0.1)
            yield process, f"http://127.0.0.1:{port}"
        finally:
            process.kill()
            process.wait()

    async def played(self, url: str, process: subprocess.Popen[str], seconds: float) -> None:
        """Opens two tabs a room, plays, and kills the server after so many seconds."""
        pairs = []
        for room in self.rooms:
            tabs = (Tab(url), Tab(url))
            for tab, secret in zip(tabs, room.invitations("host").values(), strict=True):
                await tab.open(f"/room/{room.id}?seat={secret}")
            pairs.append((room, tabs))
        playing = [asyncio.create_task(self.moves(room, tabs)) for room, tabs in pairs]
        await asyncio.sleep(seconds)
        process.kill()
        await asyncio.sleep(0.3)  # messages that were sent before still arrive
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        for _, tabs in pairs:
            for tab in tabs:
                with suppress(Exception):
                    await tab.close()

    async def moves(self, room: Room, tabs: tuple[Tab, Tab]) -> None:
        """One move after the other in a room; a ply counts as confirmed when the page tells
        of it.
        """
        known = self.confirmed[room.id]
        with suppress(aiohttp.ClientError, OSError):
            while (tab := await turn(tabs)) is not None:
                board = tab.classed("board")
                moves = re.findall(r'data-move="([^"]+)"', board["props"]["innerHTML"])
                if not moves:
                    return
                move = moves[self.rng.integers(len(moves))]
                await tab.send(board, "click", {"move": move, "touch": False})
                await tab.until(tells, f"{len(known)}. {room.names[len(known) % 2]}: {move}")
                known.append(move)


# --- simulate and risk ----------------------------------------------------------------------------


def kill_simulate(folder: Path, rng: np.random.Generator) -> None:
    """Kills a tournament twice, then lets it end: its games must be those of an undisturbed
    tournament.
    """
    games, seed = 20, int(rng.integers(2**31))
    args = (
        "simulate",
        "meridians",
        "--option",
        "size=7",
        "--players",
        "random,random",
        "--games",
        games,
        "--seed",
        seed,
    )
    for name, kills in (("killed", 1), ("whole", 0)):
        out = folder / f"{name}-{seed}"
        for _ in range(kills):
            process = started(
                *args,
                "--workers",
                2,
                "--out",
                out,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            while process.poll() is None and not list(out.glob("*.jsonl")):
                time.sleep(0.01)
            time.sleep(rng.uniform(0, 1.0))
            process.kill()
            process.wait()
            counts["simulate"] += 1
            for path in out.glob("*.jsonl"):
                expect(verify(read(path)).ok, f"{path} does not verify")
            expect_no_process("simulate")
        last = started(
            *args,
            "--workers",
            2,
            "--out",
            out,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        expect(last.wait() == 0, f"simulate does not go on in {out}")
        expect_no_litter(out, "simulate")
    killed, whole = (
        {path.name: path.read_bytes() for path in (folder / f"{n}-{seed}").iterdir()}
        for n in ("killed", "whole")
    )
    expect(len(whole) >= games and killed == whole, "the games of a killed tournament are others")


def kill_risk(folder: Path, rng: np.random.Generator) -> None:
    """Kills a computation of a risk, which keeps no file."""
    record = ROOT / "assets" / "records" / "two-cars.jsonl"
    picture = folder / "risk.png"
    process = started(
        "risk", record, "--ply", 2, "--samples", 2000, "--png", picture, stdout=subprocess.DEVNULL
    )
    time.sleep(rng.uniform(0.5, 6.0))
    process.kill()
    process.wait()
    counts["risk"] += 1
    expect_no_process("risk")
    expect_no_litter(folder, "risk")


# --- disks ----------------------------------------------------------------------------------------


@contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """A disk of 256 KiB, None where it cannot be mounted."""
    place = folder / "small"
    place.mkdir()
    mount = shutil.which("mount")
    if (
        mount is None
        or subprocess.run(  # noqa: S603
            [mount, "-t", "tmpfs", "-o", "size=256k", "none", place], check=False
        ).returncode
    ):
        yield None
        return
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)  # noqa: S603, S607


def plays_on(path: Path, plies: Sequence[str], rng: np.random.Generator, until: int) -> Talk:
    """Continues a game to a ply. After a refused ply the file must hold exactly the confirmed
    plies.
    """
    talk = Talk(plies, "--resume", path, rng=rng)
    talk.run(until)
    talk.process.wait()
    return talk


def full_disk(folder: Path, rng: np.random.Generator) -> None:
    """A disk fills up in the middle of a game, and has room again."""
    plies = undisturbed("meridians", 12, 4)
    with small_disk(folder) as place:
        if place is None:
            note(
                "NOT DONE: no small disk can be mounted here; run as root, or where user "
                "namespaces may mount"
            )
        else:
            path = place / "g.jsonl"
            ballast = place / "ballast"
            talk = Talk(
                plies,
                "meridians",
                "--size",
                12,
                "--players",
                "you,random",
                "--seed",
                4,
                "--out",
                path,
                rng=rng,
            )
            refusals = 0

            def fill() -> None:
                nonlocal refusals
                talk.is_asked.wait(60)
                for _ in range(4):
                    time.sleep(rng.uniform(0.1, 0.5))
                    with suppress(OSError), ballast.open("wb") as stream:
                        stream.write(b"x" * 2**19)
                    time.sleep(rng.uniform(0.1, 0.5))
                    refusals += bool(talk.said)
                    talk.said = ""
                    ballast.unlink()

            filling = threading.Thread(target=fill)
            filling.start()
            talk.run(len(plies) - 2)
            filling.join()
            talk.process.wait()
            after = [str(entry.do) for entry in read(path).entries]
            expect(
                after == plies[: len(after)] and len(after) == talk.confirmed,
                f"full disk: {len(after)} on disk, {talk.confirmed} told",
            )
            expect(refusals > 0, "full disk: nothing was refused, so nothing was tried")
            expect(len(after) >= len(plies) - 3, "full disk: the game did not go on")
            expect_no_litter(place, "full disk")
            counts["full disk"] += 1


def limited_file(folder: Path) -> None:
    """A file that may not grow beyond a limit, at each length of the game: no refused ply is in it,
    every confirmed one is.
    """
    plies = undisturbed("meridians", 12, 4)
    path = folder / "limited.jsonl"
    for limit in (0, 100, 400, 700, 1500):
        path.unlink(missing_ok=True)

        def limited(limit: int = limit) -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        args = (
            "play",
            "meridians",
            "--size",
            12,
            "--players",
            "you,you:name=b",
            "--seed",
            4,
            "--out",
            path,
            "--json",
        )
        process = started(
            *args,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=limited,
        )
        out, _ = process.communicate("".join(f"{move}\n" for move in plies[:20]))
        told = [json.loads(line) for line in out.splitlines()]
        turns = [event["do"] for event in told if event["event"] == "turn"]
        there = [str(entry.do) for entry in read(path).entries] if path.exists() else []
        expect(there == turns, f"limit of {limit} bytes: {there} on disk, {turns} told")
        expect(
            any(event["event"] == "refused" for event in told),
            f"limit of {limit} bytes: nothing was refused",
        )
        expect_no_litter(folder, f"limit of {limit} bytes")
        counts["limited file"] += 1


def lost_folder(folder: Path, rng: np.random.Generator) -> None:
    """The folder of a game goes away while it is played, and comes back; and a folder in which
    nobody may write.
    """
    plies = undisturbed("meridians", 12, 6)
    place, away = folder / "there", folder / "away"
    place.mkdir()
    path = place / "g.jsonl"
    talk = Talk(
        plies,
        "meridians",
        "--size",
        12,
        "--players",
        "you,random",
        "--seed",
        6,
        "--out",
        path,
        rng=rng,
    )
    thread = threading.Thread(target=talk.run, args=(len(plies) - 2,))
    thread.start()
    talk.is_asked.wait(60)
    time.sleep(0.3)
    place.rename(away)
    time.sleep(0.3)
    away.rename(place)
    thread.join(60)
    talk.process.kill()
    thread.join()
    after = [str(entry.do) for entry in read(path).entries]
    expect(
        after == plies[: len(after)] and abs(len(after) - talk.confirmed) <= 2,
        "vanished folder: plies were lost",
    )
    plays_on(path, plies, rng, min(len(after) + 4, len(plies) - 2))
    expect_no_litter(place, "vanished folder")
    counts["vanished folder"] += 1
    if os.geteuid() == 0 and not shutil.which("mount"):
        note("NOT DONE: root may write in every folder")
        return
    subprocess.run(["mount", "--bind", place, place], check=True)  # noqa: S603, S607
    subprocess.run(["mount", "-o", "remount,bind,ro", place], check=True)  # noqa: S603, S607
    try:
        before = path.read_bytes()
        talk = plays_on(path, plies, rng, 4)
        assert talk.process.stderr is not None
        expect(talk.process.returncode == 2, "read-only folder: play does not say so")
        expect(
            "cannot be written: Read-only file system" in talk.process.stderr.read(),
            "read-only folder: no clear message",
        )
        expect(
            path.read_bytes() == before and verify(read(path)).ok,
            "read-only folder: the file is another",
        )
        counts["read-only folder"] += 1
    finally:
        subprocess.run(["umount", "-l", place], check=True)  # noqa: S603, S607


def all_(*, kills: int = 300, seed: int = 0) -> int:
    """Of ten kills four hit `play`, two `play` while a second `play` wants the same file, two
    `serve`, one `simulate` and one `risk`, each with SIGKILL. Of two writers one must be refused.

    After each kill every confirmed ply must be in its file, every file must be readable, and the
    game must go on like an undisturbed game with the same seed. At the end no process and no
    temporary file may be left. Some moves are taken back, so some kills hit the program in the
    middle of that. The disks come last, also after `--kills 0`. Exit code 1 if anything is lost.
    """
    rng, begin, done = np.random.default_rng(seed), time.monotonic(), 0
    # a process that compiles a search outlives the game on purpose and ends by itself; none of
    # these may start here
    started("doctor", "--compile", stdout=subprocess.DEVNULL).wait()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        served = Served(folder, rng)
        for kind in ("play", "writers", "risk", "simulate", "disks"):
            (folder / kind).mkdir()
        plays, risk = (
            partial(kill_play, folder / "play", rng),
            partial(kill_risk, folder / "risk", rng),
        )
        writers = partial(kill_writers, folder / "writers", rng)
        tournament = partial(kill_simulate, folder / "simulate", rng)
        kinds: tuple[Callable[[], None], ...] = (
            plays, served.kill, writers, tournament, plays, served.kill, risk,
        )  # fmt: skip
        for kill in cycle(kinds):
            if done >= kills:
                break
            kill()
            done = sum(counts[one] for one in ("play", "two writers", "serve", "simulate", "risk"))
            took = time.monotonic() - begin
            note(f"{done} kills, {counts['checks']} checks, {len(found)} failed, {took:.0f} s")
        served.end()
        full_disk(folder / "disks", rng)
        limited_file(folder / "disks")
        lost_folder(folder / "disks", rng)
    row = table("what", "count")
    for what, count in counts.items():
        row(what, count)
    for plies in sorted(left_after):
        row(f"`play` killed after {plies} to {plies + 49} confirmed plies", left_after[plies])
    for what, count in Counter(re.sub(r"\d+", "N", one) for one in found).items():
        row(f"LOST: {what}", count)
    return int(bool(found))


if __name__ == "__main__":
    run(all_)
