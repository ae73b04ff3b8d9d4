"""The documentation as a site: `make site` builds it into out/site, as files that need no server
and no network.
"""

from pathlib import Path

from sphinx.application import Sphinx

import rules.record
import shutoko
from shutoko.export.share import share
from sim.assets import asset

project = "Shutoko"
author = "Shutoko contributors"
version = release = shutoko.__version__
html_title = f"Shutoko {version}"

# The source folder is the checkout, so that pages may link to files beside docs/.
root_doc = "docs/index"
include_patterns = [
    "docs/*.md",
    "docs/reference/*.md",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "CODE_OF_CONDUCT.md",
    "SECURITY.md",
    "assets/records/README.md",
]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown"}

html_theme = "furo"
html_extra_path = ["site_root"]  # index.html, which leads to docs/index.html
html_copy_source = False
html_show_sphinx = False

# Headings are link targets, as on GitHub.
myst_heading_anchors = 4
# Output of commands is no language, and shortened JSON is none either.
suppress_warnings = ["misc.highlighting_failure"]

# Single backticks in docstrings mean code.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True, "show-inheritance": True}
python_use_unqualified_type_names = True


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", _plain_blocks)
    app.connect("build-finished", _replay)


def _replay(app: Sphinx, error: Exception | None) -> None:
    """The game that visitors of the first page can turn: what `shutoko export` makes of a shipped
    record.
    """
    if error is None and app.builder.format == "html":
        record = rules.record.read(asset("records", "two-cars.jsonl"))
        (Path(app.outdir) / "replay.html").write_bytes(share(record, "html"))


def _plain_blocks(
    app: Sphinx,  # noqa: ARG001 - Sphinx hands over all of them
    what: str,  # noqa: ARG001
    name: str,  # noqa: ARG001
    item: object,  # noqa: ARG001
    options: object,  # noqa: ARG001
    lines: list[str],
) -> None:
    """Docstrings are plain text: what is indented after an empty line is shown as it stands, and so
    are drawn trees.
    """
    shown: list[str] = []
    inside = False
    for before, line in zip(["", *lines], lines, strict=False):
        starts = not before.strip() and (line.startswith("    ") or "  every error" in line)
        if line.strip() and starts and not inside:
            shown += ["::", ""]
            inside = True
        elif inside and line.strip() and not before.strip() and not line.startswith("    "):
            inside = False
        shown.append(line if not inside or line.startswith("    ") else f"    {line}".rstrip())
    lines[:] = shown
