"""Makes the font of the pages' icons: of the two thousand of Material Icons those that they use.

    python tools/icons.py

Needs `pip install 'fonttools[woff]'`. The whole font comes with NiceGUI and weighs more than half
of what a first visit loads otherwise. Every string of shutoko/web that is the name of an icon
counts as one that is used, alone or as the property `icon=NAME`, and so do those that NiceGUI's own
elements show.
"""

from __future__ import annotations

import ast
import re
import sys
from importlib import resources
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
PAGES = CHECKOUT / "shutoko" / "web"
FONT = PAGES / "static" / "icons.woff2"

ELEMENTS = """
    add arrow_back arrow_downward arrow_drop_down arrow_forward arrow_upward cancel check
    check_circle chevron_left chevron_right clear close done error expand_more first_page info
    keyboard_arrow_down keyboard_arrow_left keyboard_arrow_right keyboard_arrow_up last_page
    priority_high remove warning
"""
"""What lists, numbers, notices and dialogues show by themselves."""


def words() -> set[str]:
    """All strings of the pages that might name an icon."""
    found = set(ELEMENTS.split())
    for path in PAGES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= {node.value, *re.findall(r"\bicon=(\w+)", node.value)}
    for path in PAGES.rglob("*.js"):
        found |= set(re.findall(r'"([a-z0-9_]+)"', path.read_text(encoding="utf-8")))
    return found


def names(font: object) -> dict[str, str]:
    """The icons of a font by their names, which are ligatures of letters."""
    glyphs = {glyph: chr(code) for code, glyph in font.getBestCmap().items()}  # type: ignore[attr-defined] # fontTools has no types
    found = {}
    for lookup in font["GSUB"].table.LookupList.Lookup:  # type: ignore[index]
        for table in lookup.SubTable:
            for first, ligatures in getattr(table, "ExtSubTable", table).ligatures.items():
                for one in ligatures:
                    letters = [first, *one.Component]
                    if all(letter in glyphs for letter in letters):
                        found["".join(glyphs[letter] for letter in letters)] = one.LigGlyph
    return found


def main() -> int:
    """Writes the font, and says which icons it has."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

    folder = Path(str(resources.files("nicegui"))) / "static"
    style = (folder / "fonts.css").read_text(encoding="utf-8")
    source = re.search(r'"Material Icons";.*?url\(([^)]+)\)', style, re.DOTALL)
    if source is None:
        sys.stderr.write("icons.py: NiceGUI's fonts.css has no Material Icons any more\n")
        return 1
    font = TTFont(folder / source[1])
    known = names(font)
    used = sorted(words() & set(known))
    options = subset.Options(flavor="woff2", hinting=False, layout_features=["*"], name_IDs=["*"])
    options.layout_closure = False  # else every icon whose name these letters spell would stay
    cutter = subset.Subsetter(options)
    cutter.populate(text="".join(used), glyphs=[known[name] for name in used])
    cutter.subset(font)
    subset.save_font(font, str(FONT), options)
    sys.stdout.write(f"{FONT.name}: {FONT.stat().st_size} bytes, {len(used)} icons\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
