"""Makes a release in dist/, and checks it: `make release`.

    python tools/release.py [--folder dist] [--quick] [--uncommitted]

Wheel and source distribution are built twice, from copies of the committed files in two folders,
and must be equal to the last bit. Then the wheel is installed away from this checkout: alone, where
all three games must be played, and with each extra alone (tools/extras.py; `--quick` leaves
the extras out). The folder gets the two files, SHA256SUMS, the section of CHANGELOG.md, and the
list of what the wheel brings along as CycloneDX. Needs git, and uv, which `make release` brings.
Nothing is uploaded.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
GAMES = ("thruway --size 5", "meridians --size 4", "tokyo-highway --engine none")
"""What the core alone must play."""
LEFT_OUT = (
    ".git",
    ".venv",
    "build",
    "dist",
    "out",
    "__pycache__",
    ".*_cache",
    ".hypothesis",
    ".coverage*",
)
"""What is no source, where files are taken as they lie here."""
_EPOCH = "315532800"  # 1980, when the time of archives begins


def main() -> int:
    """Builds, compares, checks, writes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=CHECKOUT / "dist",
        help="where the release goes (default: dist)",
    )
    parser.add_argument("--quick", action="store_true", help="do not install each extra alone")
    parser.add_argument(
        "--uncommitted", action="store_true", help="build the files as they lie here, for a trial"
    )
    args = parser.parse_args()
    if not args.uncommitted and run(["git", "status", "--porcelain", "--untracked-files=no"]):
        sys.exit(
            "there are changes that are not committed; commit them, or say --uncommitted for a "
            "trial"
        )
    folder: Path = args.folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        say("building twice")
        first, second = (
            built(scratch / side / "shutoko", args.uncommitted) for side in ("one", "another")
        )
        unequal = differing(first, second)
        if unequal:
            sys.exit(f"two builds of the same files differ: {', '.join(unequal)}")
        shutil.copytree(first, folder)
        (wheel,) = folder.glob("*.whl")
        version = wheel.name.split("-")[1]
        text = (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8")
        (folder / "CHANGES.md").write_text(changes(text, version), encoding="utf-8")
        say("the core alone, in a fresh environment")
        check_core(wheel, scratch / "core")
        say("the list of contents")
        list_contents(scratch / "core", folder / f"shutoko-{version}.cdx.json", scratch)
    (folder / "SHA256SUMS").write_text(sums(folder), encoding="utf-8")
    if not args.quick:
        say("each extra alone")
        run([sys.executable, "tools/extras.py", "--wheel", wheel])
    print((folder / "SHA256SUMS").read_text(encoding="utf-8"), end="")
    return 0


def built(source: Path, uncommitted: bool) -> Path:
    """A folder with wheel and source distribution of the committed files, which are copied to
    `source` first; or of those that lie here.
    """
    source.parent.mkdir(parents=True)
    if uncommitted:
        shutil.copytree(CHECKOUT, source, ignore=shutil.ignore_patterns(*LEFT_OUT))
        when = _EPOCH
    else:
        with tarfile.open(fileobj=BytesIO(run(["git", "archive", "HEAD"]))) as files:
            files.extractall(source, filter="data")
        # Files in the archives carry the time of the commit, not that of the build.
        when = run(["git", "log", "-1", "--format=%ct"]).decode().strip()
    out = source.parent / "dist"
    run([uv(), "build", "--quiet", "--out-dir", out, source], SOURCE_DATE_EPOCH=when)
    (out / ".gitignore").unlink(missing_ok=True)
    return out


def differing(one: Path, other: Path) -> list[str]:
    """The names of files that only one of the folders has, or that differ."""
    names = {path.name for folder in (one, other) for path in folder.iterdir()}
    return sorted(name for name in names if _bytes(one / name) != _bytes(other / name))


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def changes(text: str, version: str) -> str:
    """The section of a version in the changelog, without its heading. Ends the program if there is
    none.
    """
    found = re.search(rf"^## {re.escape(version)}\b.*\n+((?:(?!## ).*\n?)*)", text, re.MULTILINE)
    if found is None or not found[1].strip():
        sys.exit(f"CHANGELOG.md has no section of version {version}")
    return found[1].strip() + "\n"


def sums(folder: Path) -> str:
    """The SHA-256 of each file, as `sha256sum --check` reads them."""
    paths = sorted(path for path in folder.iterdir() if path.name != "SHA256SUMS")
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in paths
    )


def check_core(wheel: Path, folder: Path) -> None:
    """Installs the wheel alone into a fresh environment, and plays and verifies each game with it,
    away from the checkout.
    """
    run([uv(), "venv", "--quiet", "--python", sys.executable, folder])
    run([uv(), "pip", "install", "--quiet", "--python", folder / "bin" / "python", wheel])
    shutoko = folder / "bin" / "shutoko"
    where = (
        "import rules, sim, shutoko, sys; sys.exit(any(sys.prefix not in m.__file__ for m in "
        "(rules, sim, shutoko)))"
    )
    run([folder / "bin" / "python", "-W", "error", "-c", where], cwd=folder)
    run([shutoko, "doctor"], cwd=folder)
    for words in GAMES:
        game, *rest = words.split()
        run(
            [
                shutoko,
                "simulate",
                game,
                *rest,
                "--players",
                "random,random",
                "--games",
                "1",
                "--out",
                game,
            ],
            cwd=folder,
        )
        run([shutoko, "verify", "--mode", "rules", folder / game / "game-00000.jsonl"], cwd=folder)


def list_contents(environment: Path, out: Path, scratch: Path) -> None:
    """Writes what the environment holds as CycloneDX, without the time and numbers that differ from
    one run to the next.
    """
    tool = scratch / "lister"
    run([uv(), "venv", "--quiet", "--python", sys.executable, tool])
    run(
        [
            uv(),
            "pip",
            "install",
            "--quiet",
            "--python",
            tool / "bin" / "python",
            "cyclonedx-bom>=7,<8",
        ]
    )
    words = [
        "environment",
        "--output-reproducible",
        "--output-file",
        out,
        environment / "bin" / "python",
    ]
    run([tool / "bin" / "cyclonedx-py", *words])
    # Where this machine built the wheel is nobody's business, and differs from one run to the next.
    text = out.read_text(encoding="utf-8")
    out.write_text(text.replace(out.parent.as_uri() + "/", ""), encoding="utf-8")


def run(words: Sequence[object], cwd: Path = CHECKOUT, **environment: str) -> bytes:
    """What a program prints. Ends this one if that fails, with what it said."""
    inside = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "VIRTUAL_ENV")
    }
    command = [str(word) for word in words]
    done = subprocess.run(  # noqa: S603 - ours
        command, cwd=cwd, env=inside | environment, capture_output=True, check=False
    )
    if done.returncode:
        told = (done.stdout + done.stderr).decode(errors="replace")[-4000:]
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{told}")
    return done.stdout


def uv() -> str:
    """The program uv: the one that `UV` names, the one on the PATH, or the one in this
    environment.
    """
    return os.environ.get("UV") or shutil.which("uv") or str(Path(sys.executable).with_name("uv"))


def say(what: str) -> None:
    """Tells what is being done."""
    print(f"{what} ...", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
