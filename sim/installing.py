"""How to install what is missing here: in the way in which this copy of Shutoko was installed.

No package index is asked for Shutoko itself: a checkout, a wheel or a repository is installed again
with the extra, and where none of these is known, the packages that the extra needs are named. It
imports nothing of this project, because `sim` needs it where another package hides `rules`.
"""

import json
import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from urllib.parse import urlsplit
from urllib.request import url2pathname

_CHECKOUT = Path(__file__).resolve().parents[1]


def install(extra: str = "") -> str:
    """The command that adds an extra of Shutoko to this copy; without one, that installs this copy
    again.
    """
    found = _distribution()
    wanted = _source(found, extra)
    if wanted is None:
        wanted = " ".join(quote(text) for text in _requirements(found, extra))
    return f"{_pip(found)} install {wanted}" if wanted else "install Shutoko again"


def install_package(name: str) -> str:
    """The command that installs a package which Shutoko needs, in a version that it works with."""
    found = _distribution()
    bound = next((text for text in _requirements(found) if _name(text) == _name(name)), name)
    return f"{_pip(found)} install {quote(bound)}"


def _distribution() -> Distribution | None:
    try:
        return distribution("shutoko")
    except PackageNotFoundError:
        return None


def _pip(found: Distribution | None) -> str:
    """The program uv makes environments without pip, where `pip` would be that of another one."""
    by = (found and found.read_text("INSTALLER")) or ""
    return "uv pip" if by.strip() == "uv" and find_spec("pip") is None else "pip"


def _source(found: Distribution | None, extra: str) -> str | None:
    """What to hand to `pip install`: where this copy came from, with the extra; None if that is
    unknown or gone.
    """
    brackets = f"[{extra}]" if extra else ""
    text = found and found.read_text("direct_url.json")
    if not text:
        here = (_CHECKOUT / "pyproject.toml").is_file()
        return _editable(_CHECKOUT, brackets) if here else None
    origin = json.loads(text)
    url = str(origin["url"])
    if "vcs_info" in origin:
        return quote(f"shutoko{brackets} @ {origin['vcs_info']['vcs']}+{url}")
    if not url.startswith("file:"):
        return quote(f"shutoko{brackets} @ {url}")
    path = Path(url2pathname(urlsplit(url).path))
    if not path.exists():
        return None
    if origin.get("dir_info", {}).get("editable"):
        return _editable(path, brackets)
    return quote(f"{path}{brackets}")


def _editable(folder: Path, brackets: str) -> str:
    here = folder == Path.cwd().resolve()
    return f"-e {quote(f'.{brackets}' if here else f'{folder}{brackets}')}"


def _requirements(found: Distribution | None, extra: str | None = None) -> list[str]:
    """What the extra needs, or all that Shutoko and its extras need; without the markers: pip says
    if this Python is not one of theirs.
    """
    marker = "" if extra is None else rf"""extra == ['"]{re.escape(extra)}['"]"""
    texts = (found.requires if found else None) or ()
    return [text.partition(";")[0].strip() for text in texts if re.search(marker, text)]


def _name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower().replace("_", "-")
