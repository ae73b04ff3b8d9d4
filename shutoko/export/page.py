"""A game as one HTML file that plays itself without a network: the scene's own script, three.js,
and the game as data.

three.js is taken from NiceGUI, which brings it along. A game of pieces in space is a film for each
ply, a game on a board a picture for each.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rules.errors import UnavailableError
from shutoko.export import packed
from shutoko.export.rendering.camera import Camera
from sim.bodies import Body
from sim.installing import install
from sim.languages import Sentence

__all__ = ["Leaf", "board_page", "check_installed", "scene_page"]

_STATIC = Path(__file__).parents[1] / "web" / "static"

Leaf = tuple[str, Sequence[str]]
"""What is said of a ply: who did what, and the reasons."""


def scene_page(
    title: str,
    leaves: Sequence[Leaf],
    films: Sequence[Sequence[Sequence[Body]]],
    start: Sequence[Body],
    language: str = "en",
) -> str:
    """The page of a game of pieces: for each ply the frames of its film, the last of which is the
    table after it.

    The leaves are in the `language`, and so are the page's own words.

    Raises UnavailableError if NiceGUI is not installed.
    """
    tables = [tuple(start), *(tuple(film[-1]) for film in films)]
    every = [body for film in films for frame in film for body in frame]
    camera = Camera.fitting(tables[-1] or every, (1200, 800), azimuth=-80.0)
    data = {
        "leaves": [list(leaf) for leaf in leaves],
        "shapes": packed.shapes([*start, *every]),
        "tables": [packed.shown(table) for table in tables],
        "films": [
            [made.keys, made.poses, made.dt] if made else [{}, "", 1]
            for made in map(packed.film, films)
        ],
        "unit": packed.UNIT,
        "eye": camera.eye,
        "target": camera.target,
        "fov": camera.fov,
    }
    ours = {"bodies": _STATIC / "bodies.js", "shutoko-look": _STATIC / "look" / "index.js"}
    imports = {"nicegui-scene": _module(_three())} | {
        name: _module(path.read_bytes()) for name, path in ours.items()
    }
    return _page(title, data, _SCENE, imports, language)


def board_page(
    title: str, leaves: Sequence[Leaf], pictures: Sequence[str], language: str = "en"
) -> str:
    """The page of a game on a board: a picture (SVG) before the first ply and one after each, with
    words of the `language`.
    """
    return _page(
        title,
        {"leaves": [list(leaf) for leaf in leaves], "pictures": list(pictures)},
        _BOARD,
        {},
        language,
    )


def check_installed() -> Path:
    """The folder of NiceGUI. Raises UnavailableError, with the command that installs it, if it is
    missing.
    """
    found = find_spec("nicegui")
    if found is None or not found.submodule_search_locations:
        raise UnavailableError(
            f"pages of pieces in space take three.js from NiceGUI: {install('web')}"
        )
    return Path(found.submodule_search_locations[0])


def _three() -> bytes:
    return (check_installed() / "elements" / "scene" / "dist" / "index.js").read_bytes()


def _module(source: bytes) -> str:
    return "data:text/javascript;base64," + base64.b64encode(source).decode("ascii")


def _page(
    title: str, data: dict[str, Any], script: str, imports: dict[str, str], language: str
) -> str:
    words = {
        name: escape(Sentence(name).told(language))
        for name in ("timeline", "play", "back", "forward")
    }
    # inside a script element only `<` could end it, or begin a comment
    told = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    shown = {
        "title": escape(title),
        "imports": json.dumps({"imports": imports}),
        "data": told,
        "script": script + _PLAYER,
    }
    return _HTML.format(**shown, **words, language=language)


_HTML = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light; --ink: #24272a; --paper: #f6f3ec; --card: #fffdf8; --edge: #ddd6c6; }}
:root {{ --accent: #b3261e; --on: #fff; }}
@media (prefers-color-scheme: dark) {{
  :root {{ color-scheme: dark; --ink: #ece8df; --paper: #17191b; --card: #202326; --edge: #393d41; }}
  :root {{ --accent: #ff8a7a; --on: #17191b; }}
}}
body {{ margin: 0; height: 100dvh; display: flex; flex-direction: column; font: 15px/1.4 system-ui, sans-serif; }}
body {{ background: var(--paper); color: var(--ink); }}
h1 {{ margin: 0; padding: .5rem .9rem; font-size: 1rem; background: var(--card); border-bottom: 1px solid var(--edge); }}
h1 {{ overflow-wrap: anywhere; }}
#view {{ flex: 1; min-height: 0; position: relative; overflow: hidden; }}
#view svg {{ width: 100%; height: 100%; }} canvas {{ display: block; }}
#said {{ max-height: 22dvh; overflow: auto; padding: .4rem .9rem; overflow-wrap: anywhere; }} #said p {{ margin: .1rem 0; }}
#said p:first-child {{ font-weight: 600; }} #said p + p {{ opacity: .75; font-size: .9em; }}
#bar {{ display: flex; gap: .5rem; align-items: center; padding: .6rem .9rem; background: var(--card); }}
#bar {{ border-top: 1px solid var(--edge); }}
#bar input {{ flex: 1; min-width: 0; accent-color: var(--accent); }} output {{ font-variant-numeric: tabular-nums; }}
button {{ font: inherit; min-width: 2.6rem; height: 2.6rem; border: 0; border-radius: 50%; cursor: pointer; }}
button {{ background: transparent; color: var(--ink); }} #play {{ background: var(--accent); color: var(--on); }}
button:focus-visible {{ outline: 2px solid var(--accent); outline-offset: 2px; }}
</style>
<script type="importmap">{imports}</script>
<script id="data" type="application/json">{data}</script></head>
<body><header><h1>{title}</h1></header><main id="view"></main><footer><div id="said" role="status" aria-live="polite"></div>
<div id="bar"><button id="back" aria-label="{back}">&#10094;</button><button id="play" aria-label="{play}">&#9654;</button>
<button id="forward" aria-label="{forward}">&#10095;</button>
<input id="at" type="range" min="0" value="0" aria-label="{timeline}">
<output id="n"></output></div></footer>
<script type="module">
{script}
</script></body></html>
"""

_BOARD = """
const D = JSON.parse(document.getElementById("data").textContent), view = document.getElementById("view");
const show = (n) => { view.innerHTML = D.pictures[n]; return 900; };
"""

_SCENE = """
import { THREE, OrbitControls } from "nicegui-scene";
import Bodies from "bodies";
const D = JSON.parse(document.getElementById("data").textContent), view = document.getElementById("view");
const canvas = view.appendChild(document.createElement("canvas"));
const renderer = new THREE.WebGLRenderer({ canvas, antialias: true }), scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(D.fov, 1, 5, 8000);
camera.up.set(0, 0, 1); camera.position.set(...D.eye);
if (matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.dataset.theme = "dark";
const bodies = new Bodies();
scene.add(bodies.create_mesh(D.shapes, D.tables[0], D.unit, { plain: null }));
const orbit = new OrbitControls(camera, canvas); orbit.target.set(...D.target); bodies.held_by(orbit);
const fit = () => {
  renderer.setSize(view.clientWidth, view.clientHeight);
  camera.aspect = view.clientWidth / Math.max(view.clientHeight, 1); camera.updateProjectionMatrix();
};
fit(); addEventListener("resize", fit);
renderer.setAnimationLoop(() => { orbit.update(); renderer.render(scene, camera); });
const show = (n, forward) => {
  if (!forward || !n) { bodies.show(D.tables[n], D.unit, 200); return 900; }
  bodies.show(D.tables[n - 1], D.unit, 0);
  const [names, packed, dt] = D.films[n - 1];
  if (!Object.keys(names).length) return 900;
  bodies.play(names, packed, D.unit, dt);
  return 900 + (1000 * dt * atob(packed).length) / (12 * Object.keys(names).length);
};
"""

_PLAYER = """
const $ = (id) => document.getElementById(id), last = D.leaves.length;
let at = 0, timer = 0;
const go = (n, forward) => {
  at = Math.min(Math.max(n, 0), last); $("at").value = at; $("n").textContent = `${at} / ${last}`;
  const [head, lines] = at ? D.leaves[at - 1] : [document.title, []];
  $("said").replaceChildren(...[head, ...lines].map((text) => {
    const p = document.createElement("p"); p.textContent = text; return p;
  }));
  return show(at, forward);
};
const mark = () => { $("play").textContent = timer ? "\\u275a\\u275a" : "\\u25b6"; };
const stop = () => { clearTimeout(timer); timer = 0; mark(); };
const next = () => { const ms = go(at + 1, true); timer = at < last ? setTimeout(next, ms) : 0; mark(); };
const toggle = () => { if (timer) stop(); else { if (at === last) go(0); next(); } };
$("back").onclick = () => { stop(); go(at - 1); }; $("forward").onclick = () => { stop(); go(at + 1, true); };
$("at").max = last; $("at").oninput = (e) => { stop(); go(+e.target.value); }; $("play").onclick = toggle;
const keys = { ArrowRight: () => go(at + 1, true), ArrowLeft: () => go(at - 1), Home: () => go(0), End: () => go(last) };
addEventListener("keydown", (e) => {
  if (e.key === " ") { e.preventDefault(); toggle(); return; }
  if (keys[e.key]) { e.preventDefault(); stop(); keys[e.key](); }
});
go(last);
"""
