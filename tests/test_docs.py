"""The documentation runs: every `console` and `python` block of the README and of docs/, and the
picture of the folders.

The `jsonl` blocks of docs/record-format.md are lines of records; its paragraphs and those of
docs/rules.md are numbered.

A `console` block's lines after `$ ` are commands, run one after the other in a folder where
`assets/` is; the lines below a command are what it prints, in order, `...` standing for anything.
Commands that set a machine up are left to CI. The `python` blocks of a page are run as one program.
One that begins with `# mine.py` is also that file, alone, for the commands of the page.
The game that docs/adding-a-game.md builds is installed for that page.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import rules.record
import sim.game.replay
from docs import drawings
from sim.referee.placement import Placement
from sim.referee.ruleset import OPTIONS
from tests.fourth_game.installing import install

CHECKOUT = Path(__file__).resolve().parents[1]
PAGES = (CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").glob("*.md")))
ADDING_A_GAME = CHECKOUT / "docs" / "adding-a-game.md"
SET_UP = re.compile(r"make|git|pip|python3\.11|\S+/bin/pip|cd|\. ")


class Block(NamedTuple):
    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(page: Path, *languages: str) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [
        Block(page, text[: m.start(2)].count("\n") + 1, m[1], m[2])
        for m in found
        if m[1] in languages
    ]


CONSOLE = [block for page in PAGES for block in blocks(page, "console")]
PYTHON = [page for page in PAGES if blocks(page, "python")]


def commands(block: Block) -> list[tuple[str, list[str]]]:
    """The commands of a console block, each with the lines that it is said to print."""
    parsed: list[tuple[str, list[str]]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            parsed.append((line[2:], []))
        elif line.strip():
            assert parsed, f"{block}: a console block starts with a command"
            parsed[-1][1].append(line)
    return parsed


def run(
    argv: list[str], folder: Path, page: Path, shell: bool = False
) -> subprocess.CompletedProcess[str]:
    if not (folder / "assets").exists():
        (folder / "assets").symlink_to(CHECKOUT / "assets")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    found = [str(CHECKOUT)]
    if page == ADDING_A_GAME:
        site = folder / "site"
        found.append(str(site if site.exists() else install(site)))
    environment = {
        **os.environ,
        "PATH": path,
        "PYTHONPATH": os.pathsep.join(found),
        "COLUMNS": "128",
    }
    return subprocess.run(
        argv[0] if shell else argv,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        shell=shell,
        check=False,
        timeout=900,  # of a command that hangs
    )


def stand_in_order(pieces: list[str], text: str) -> bool:
    """Whether each piece stands in the text after the one before it. A pattern with many `.*` would
    try for minutes.
    """
    at = 0
    for piece in pieces:
        found = text.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return True


@pytest.mark.docs
@pytest.mark.parametrize("block", CONSOLE, ids=str)
def test_every_command_shown_prints_what_is_shown(block, tmp_path):
    own = [one.text for one in blocks(block.page, "python") if one.text.startswith("# mine.py\n")]
    if "mine.py" in block.text:
        (text,) = own
        (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    for command, shown in commands(block):
        if SET_UP.match(command):
            continue
        done = run([command], tmp_path, block.page, shell=True)  # noqa: S604 - a reader types it into a shell too
        assert done.returncode == 0, f"{block}: {command}\n{done.stderr}"
        pieces = [piece for line in shown for piece in line.split("...")]
        assert stand_in_order(pieces, done.stdout), f"{block}: {command} prints\n{done.stdout}"


@pytest.mark.docs
@pytest.mark.parametrize("page", PYTHON, ids=lambda page: page.name)
def test_every_program_shown_runs(page, tmp_path):
    program = "\n".join(block.text for block in blocks(page, "python"))
    done = run([sys.executable, "-W", "error", "-c", program], tmp_path, page)
    assert done.returncode == 0, f"{page.name}:\n{done.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_file_leads_to_one(page):
    text = re.sub(
        r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    targets = [target for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in target]
    assert [target for target in targets if not (page.parent / target).exists()] == []


# --- docs/rules.md and docs/record-format.md ------------------------------------------------------

NUMBERED = ("rules", "record-format")


def numbered(page: str) -> dict[str, str]:
    """The sections ("4") and paragraphs ("4d") of a page with numbers, each with its first
    lines.
    """
    text = (CHECKOUT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    found = re.findall(r"^## (\d+) (.+)$|^\*\*(\d+[a-z])\.\*\* ((?:.+\n)+)", text, re.MULTILINE)
    numbers = [section or paragraph for section, _, paragraph, _ in found]
    assert len(numbers) == len(set(numbers)), f"{page}.md has a number twice"
    return {section or paragraph: title or words for section, title, paragraph, words in found}


@pytest.mark.parametrize("page", NUMBERED)
def test_sections_and_paragraphs_are_counted_without_a_gap(page):
    expected, section = [], 0
    for number in numbered(page):
        if number.isdigit():
            section, letter = section + 1, "a"
            expected.append(str(section))
        else:
            expected.append(f"{section}{letter}")
            letter = chr(ord(letter) + 1)
    assert list(numbered(page)) == expected
    assert section >= 10


@pytest.mark.parametrize("page", NUMBERED)
def test_a_page_with_numbers_points_to_paragraphs_that_it_has(page):
    text = (CHECKOUT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    own = re.findall(r"(?<=[ (])\d+[a-z](?=[,;:.) ])", re.sub(r"rules \d+[a-z]", "", text))
    assert own
    assert set(own) - set(numbered(page)) == set()


def cited(page: str) -> set[tuple[str, str]]:
    """Every (file, number) where code or a page cites a paragraph or section of a page, as "rules
    4c and 4d".
    """
    words = page.replace("-", " ")
    citation = re.compile(
        rf"\b(?i:{words})\]?(?:\(\S+\))? (\d+[a-z]?(?:(?:, | and | or | to )\d+[a-z])*)\b"
    )
    folders = ("assets", "benchmarks", "docs", "examples", "rules", "shutoko", "sim", "tests")
    sources = [
        path
        for name in folders
        for path in (CHECKOUT / name).rglob("*")
        if path.suffix in (".md", ".py", ".toml")
    ]
    found = set()
    for path in sources:
        text = re.sub(r"\n\s*#?\s*", " ", path.read_text(encoding="utf-8"))
        for numbers in citation.findall(text):
            found |= {
                (str(path.relative_to(CHECKOUT)), number)
                for number in re.findall(r"\d+[a-z]?", numbers)
            }
    return found


@pytest.mark.parametrize("page", NUMBERED)
def test_every_paragraph_that_is_cited_exists(page):
    found = cited(page)
    assert any(path.startswith("sim/") for path, _ in found)
    assert sorted((path, number) for path, number in found if number not in numbered(page)) == []


def code() -> list[Path]:
    """Every Python file of the repository."""
    folders = ("benchmarks", "examples", "rules", "shutoko", "sim", "tests")
    return [path for folder in folders for path in (CHECKOUT / folder).rglob("*.py")]


def test_no_code_refers_to_a_page_that_is_not_in_the_repository():
    named = {
        (path, name)
        for path in code()
        for name in re.findall(r"[\w/-]*[\w-]\.md\b", path.read_text(encoding="utf-8"))
    }
    bases = (CHECKOUT, CHECKOUT / "docs")
    missing = {
        (str(path.relative_to(CHECKOUT)), name)
        for path, name in named
        if not any((base / name).exists() for base in (*bases, path.parent))
    }
    assert missing == set()


def test_a_page_names_only_modules_that_exist():
    folders = ("docs", "tools")
    more = [path for folder in folders for path in (CHECKOUT / folder).rglob("*.py")]
    known = {"mine.py", *(path.name for path in (*code(), *more))}  # a reader's own file
    named = {
        (page.name, name)
        for page in (*PAGES, CHECKOUT / "CONTRIBUTING.md")
        for name in re.findall(
            r"`(?:[\w-]+/)*(\w+\.py)(?::\w+)?`", page.read_text(encoding="utf-8")
        )
    }
    assert {(page, name) for page, name in named if name not in known} == set()


def test_a_section_with_a_number_is_one_of_a_rulebook():
    """Our own rules are cited as "rules 4d"; a bare "section" leaves open of which text."""
    bare = re.compile(r"(?<!FR )(?<!KR )\bsections? \d+\w?", re.IGNORECASE)
    found = {
        str(path.relative_to(CHECKOUT)): bare.findall(path.read_text(encoding="utf-8"))
        for path in code()
    }
    assert {path: texts for path, texts in found.items() if texts} == {}


def test_every_option_is_told_in_a_numbered_paragraph():
    rules_of_play = " ".join(
        words for number, words in numbered("rules").items() if not number.startswith("9")
    )
    untold = [name for name in OPTIONS if f"`{name}`" not in rules_of_play]
    assert not untold, f"docs/rules.md: no numbered paragraph before the presets names {untold}"


@pytest.mark.parametrize("block", blocks(CHECKOUT / "docs" / "record-format.md", "jsonl"), ids=str)
def test_examples_of_the_record_format_are_canonical_lines_of_records(block):
    if block.text.startswith('{"record"'):
        record = rules.record.loads(block.text.encode())
        assert (rules.record.dumps(record).decode(), record.warnings) == (block.text, ())
        assert [step.verdict.legal for step in sim.replay.steps(record, "none")] == [True] * len(
            record.entries
        )
        return
    for line in block.text.splitlines():
        value = json.loads(line)
        assert (
            rules.record.canonical_json(
                value, "end" if "end" in value else "entry", "tokyo-highway"
            )
            == line
        )
        if "do" in value:
            assert str(Placement.parse(value["do"])) == rules.record.canonical_json(value["do"])


# --- docs/architecture.md -------------------------------------------------------------------------


def pictured() -> set[str]:
    """The modules and folders that the picture of docs/architecture.md shows inside the three
    packages, as `sim/bodies.py`.
    """
    (picture,) = blocks(CHECKOUT / "docs" / "architecture.md", "text")
    shown, package = set(), ""
    for line in picture.text.splitlines():
        if match := re.match(r"(\S+/)", line):
            package = match[1]
        elif package in ("rules/", "sim/", "shutoko/") and (
            match := re.match(r"  ((?:\w+(?:\.py|/) ?)+)  ", line + "  ")
        ):
            shown |= {package + name for name in match[1].split()}
    return shown


def present() -> set[str]:
    """What there is: modules, and folders that hold modules."""
    found = set()
    for package in ("rules", "sim", "shutoko"):
        for path in (CHECKOUT / package).iterdir():
            if path.is_dir() and any(path.glob("*.py")):
                found.add(f"{package}/{path.name}/")
            elif path.suffix == ".py" and not path.name.startswith("__"):
                found.add(f"{package}/{path.name}")
    return found


def test_the_picture_of_the_folders_shows_every_module_that_exists_and_no_other():
    assert present() == pictured()


@pytest.mark.parametrize("number", range(6))
def test_a_drawing_of_the_rules_shows_the_cars_that_the_referee_gives(number):
    drawings.built(drawings.CROSSINGS[number])


# --- benchmarks -----------------------------------------------------------------------------------


def test_every_benchmark_is_named_by_a_page():
    pages = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    names = {path.name for path in (CHECKOUT / "benchmarks").glob("*.py")}
    assert {name for name in names if name not in pages} == set()
