"""The page of results, docs/results.md, made from `benchmarks/results.json`.

    python benchmarks/results.py --write
    python benchmarks/results.py --set physics-memory --command "python benchmarks/..." < TABLE

`--set` takes a table in Markdown from standard input in place of the one of that name, or as a new
one, with this commit and the day of its commit; then it writes the page. Without either it prints
the page.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[1]
RESULTS = CHECKOUT / "benchmarks" / "results.json"
PAGE = CHECKOUT / "docs" / "results.md"
_HEAD = """\
# Results

What was measured, table by table, with the command, and with the commit and the day at which the
table was last written down: on an older commit than today's, so a run of today may differ. The
pages to which the tables belong say how they were measured and what they mean. All of it is in
`benchmarks/results.json`; `python benchmarks/results.py --write` makes this page from that file.
The times of single pieces of work, which every change is compared with, are
[a table of their own](performance.md).
"""


def page(tables: dict[str, dict[str, Any]]) -> str:
    """The page, with a section for each table."""
    parts = [_HEAD]
    for name, one in tables.items():
        lines = [one["head"], ["---"] * len(one["head"]), *one["rows"]]
        told = f"`{one['command']}`" if one["command"] else "Measured"
        parts.append(
            f"## {name}\n\n{told}; written down at {one['commit']} of {one['date']}; "
            f"see [{one['section']}]({one['page']}).\n\n"
            + "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
            + "\n"
        )
    return "\n".join(parts)


def cells(line: str) -> list[str]:
    """The cells of a line of a table in Markdown."""
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def _commit() -> tuple[str, str]:
    """The commit that is checked out, and its day."""
    told = subprocess.run(
        ["git", "log", "-1", "--format=%h %as"],  # noqa: S607 - git of whoever measures
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=True,
    )
    commit, day = told.stdout.split()
    return commit, day


def main() -> None:
    """Prints or writes the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write docs/results.md")
    parser.add_argument("--set", metavar="NAME", help="a table from standard input, by its name")
    parser.add_argument("--command", metavar="TEXT", help="the command that measured it")
    asked = parser.parse_args()
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    tables = results["tables"]
    if asked.set:
        head, rule, *rows = [line for line in sys.stdin.read().splitlines() if line.strip()]
        if set(rule) - set("|-: "):
            sys.exit("a table in Markdown is needed: a head, a line of dashes, rows")
        old = tables.get(asked.set, {"section": "performance", "page": "performance.md"})
        commit, day = _commit()
        tables[asked.set] = {
            **old,
            "command": asked.command or old.get("command", ""),
            "commit": commit,
            "date": day,
            "head": cells(head),
            "rows": [cells(row) for row in rows],
        }
        text = json.dumps(results, indent=1, ensure_ascii=False) + "\n"
        RESULTS.write_text(text, encoding="utf-8")
    if asked.set or asked.write:
        PAGE.write_text(page(tables), encoding="utf-8")
    else:
        print(page(tables), end="")


if __name__ == "__main__":
    main()
