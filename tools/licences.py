"""Prints the licence of every package in requirements.lock, and which part of Shutoko brings it.

    python tools/licences.py

It reads what the installed packages say of themselves, so run it in the environment that `make test
LOCKED=yes` makes. Exit code 1 if a licence is none that we allow.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CHECKOUT = Path(__file__).resolve().parents[1]
EXTRAS = ("export", "video", "mujoco", "web", "push", "photo", "dask", "data", "rl", "openspiel")

SPDX = {
    "Apache Software License": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "zlib/libpng License": "Zlib",
}
"""SPDX's identifiers for what older packages say. Their `BSD License` is that of three clauses, or
one that asks for less.
"""

TOLD = {
    # each file has its own: this one, the public domain, and for one editor mode the GPL
    "docutils": "BSD-2-Clause",
    # its text stands in the metadata; Embree itself is Apache-2.0
    "embreex": "BSD-2-Clause AND Apache-2.0",
    "imageio-ffmpeg": "BSD-2-Clause, with a program ffmpeg under GPL-3.0",
    "resvg-py": "MIT",  # says nothing; the file LICENSE does
}
"""Licences of packages whose metadata does not name one, read in their files."""

ALLOWED = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
}
ALLOWED |= {"MIT-0", "MIT-CMU", "MPL-2.0", "PSF-2.0", "Zlib"}
"""What may be needed by a program under MIT and shipped beside it."""
ALONE = {"imageio-ffmpeg"}
"""With a part under another licence that runs as a program of its own; only an extra that users ask
for may need it.
"""


def main() -> int:
    """Prints them, and what is not allowed."""
    needed = users()
    for name in locked():
        print(f"{name}: {licence(name)} ({', '.join(needed.get(name, ['developers']))})")
    faults = [f"{name}: {licence} is not allowed" for name, licence in refused()]
    print("\n".join(faults) or f"{len(locked())} packages, every licence is allowed")
    return bool(faults)


def refused() -> Iterator[tuple[str, str]]:
    """The packages with a licence that is not allowed, or with none."""
    needed = users()
    for name in locked():
        parts = re.split(r" AND | OR |[()]", licence(name))
        fine = all(part.strip() in ALLOWED for part in parts if part.strip())
        if not fine and (name not in ALONE or "core" in needed.get(name, ())):
            yield name, licence(name)


def locked() -> list[str]:
    """The packages of requirements.lock that this Python installs."""
    lines = (CHECKOUT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    wanted = [Requirement(line.removesuffix(" \\")) for line in lines if line[:1].isalnum()]
    return sorted(
        {
            canonicalize_name(each.name)
            for each in wanted
            if each.marker is None or each.marker.evaluate()
        }
    )


def licence(name: str) -> str:
    """What a package says of its licence, as an expression of SPDX."""
    if name in TOLD:
        return TOLD[name]
    metadata = distribution(name).metadata
    for said in metadata.get_all("License-Expression") or ():
        return str(said)
    classes = [
        text.rpartition(" :: ")[2]
        for text in metadata.get_all("Classifier") or ()
        if text.startswith("License ::")
    ]
    classes = (
        [text for text in classes if text != "OSI Approved"]
        or metadata.get_all("License")
        or ["unknown"]
    )
    return " OR ".join(SPDX.get(text, text) for text in classes)


def users() -> dict[str, list[str]]:
    """Which parts need a package, by its name: the core, or extras; what developers alone use is
    left out.
    """
    core = closure("")
    found: dict[str, list[str]] = {name: ["core"] for name in core}
    for extra in EXTRAS:
        for name in closure(extra) - core:
            found.setdefault(name, []).append(f"`{extra}`")
    return found


def closure(extra: str) -> set[str]:
    """All packages that an extra of Shutoko brings (the core for ""), by what the installed ones
    ask for.
    """
    waiting, seen = [("shutoko", extra)], set[tuple[str, str]]()
    while waiting:
        name, wanted = waiting.pop()
        installed = _installed(name)
        if (name, wanted) in seen or installed is None:
            continue
        seen.add((name, wanted))
        for requirement in map(Requirement, installed.requires or ()):
            if requirement.marker is None or requirement.marker.evaluate({"extra": wanted}):
                child = canonicalize_name(requirement.name)
                waiting += [(child, "")] + [(child, asked) for asked in requirement.extras]
    return {name for name, _ in seen} - {"shutoko"}


def _installed(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


if __name__ == "__main__":
    sys.exit(main())
