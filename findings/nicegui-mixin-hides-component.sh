#!/usr/bin/env bash
# In NiceGUI an element that is made of a mixin and a ready element loses its component without a
# word, if the mixin derives from `ui.element`: `class Picker(Mixin, ui.select)` is a plain `div` in
# the browser. `Element.__init_subclass__` writes `component` into every subclass, also into the
# mixin, which has none; by the order of bases that None comes before the one of `ui.select`. With
# the bases the other way round, or with a mixin that is a plain class, the component stays.
# It matters where several elements share behaviour: the page is made without an error, and only the
# browser shows that the control is missing.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check nicegui==3.18.0
"$folder/venv/bin/python" - <<'PROGRAM'
import sys

import nicegui
from nicegui import ui


class Derived(ui.element):
    """A mixin that derives from an element."""


class Plain:
    """A mixin that derives from nothing."""


class DerivedFirst(Derived, ui.select):
    pass


class DerivedLast(ui.select, Derived):
    pass


class PlainFirst(Plain, ui.select):
    pass


print("nicegui", nicegui.__version__)
changed = False
for made, expected in ((DerivedFirst, None), (DerivedLast, "select"), (PlainFirst, "select")):
    name = made.component and made.component.name
    changed |= name != expected
    print(f"{made.__name__}: its component is {name} (expected {expected})")
sys.exit(changed)
PROGRAM
