// A photo to be marked: taps and drags with a magnifier beside the finger, pan and zoom, the wire model laid over it.
// The server keeps the marks. This script tells it of each deed (a `deed` event with pixels of the photo) and draws what it answers.
(() => {
  const NEAR = 26; // CSS pixels within which a finger takes hold of a mark
  const STILL = 6; // CSS pixels that a click of the mouse may move
  const LOUPE = 136; // CSS pixels across
  const LONG = 75; // CSS pixels of a road that has room for its name
  const TONES = { "": ["#2dd765", 1.4], doubtful: ["#ffa01e", 2.4], wrong: ["#ff323c", 2.4] }; // of the wire model
  const svg = (name, attributes, parent) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    parent?.append(made);
    return made;
  };
  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

  class Snap {
    /** @type {HTMLElement} */ root;
    /** @type {number} */ width;
    /** @type {number} */ height;
    /** @type {Map<number, [number, number]>} */ pointers;

    constructor(root, src, width, height) {
      Object.assign(this, {
        root,
        width,
        height,
        pointers: new Map(),
        state: { mode: "mark", roads: [], wires: [], sheet: [], lit: [] },
      });
      this.view = svg("svg", { class: "view" }, null);
      this.scene = svg("g", { id: `snap-${Math.random().toString(36).slice(2)}` }, this.view);
      svg("image", { href: src, width, height }, this.scene);
      this.wires = svg("g", { class: "wires" }, this.scene);
      this.marks = svg("g", { class: "marks" }, this.view);
      this.loupe = document.createElement("div");
      this.loupe.className = "loupe";
      this.glass = svg("svg", {}, this.loupe);
      svg("use", { href: `#${this.scene.id}` }, this.glass);
      this.cross = svg("path", { class: "cross" }, this.glass);
      this.loupe.hidden = true;
      root.replaceChildren(this.view, this.loupe);
      for (const name of [
        "pointerdown",
        "pointermove",
        "pointerup",
        "pointercancel",
        "pointerleave",
        "wheel",
        "keydown",
        "contextmenu",
      ]) {
        root.addEventListener(name, (e) => this[name](e), { passive: false });
      }
      new ResizeObserver(() => this.resized()).observe(root);
      this.resized();
    }

    // --- where things are -----------------------------------------------------------------------------------------------------

    resized() {
      const { clientWidth: w, clientHeight: h } = this.root;
      if (!w || !h) return;
      const fits = Math.min(w / this.width, h / this.height),
        fitted = !this.scale || this.scale === this.fits;
      this.fits = fits;
      if (fitted) this.fit();
      else this.draw();
    }

    fit() {
      this.scale = this.fits;
      this.left = (this.width - this.root.clientWidth / this.scale) / 2;
      this.top = (this.height - this.root.clientHeight / this.scale) / 2;
      this.draw();
    }

    /** @returns {[number, number]} */
    place(e) {
      // CSS pixels in the view
      const box = this.root.getBoundingClientRect();
      return [e.clientX - box.left, e.clientY - box.top];
    }

    pixel([x, y]) {
      return [
        clamp(this.left + x / this.scale, 0, this.width),
        clamp(this.top + y / this.scale, 0, this.height),
      ];
    }

    zoom(factor, at = [this.root.clientWidth / 2, this.root.clientHeight / 2]) {
      const scale = clamp(this.scale * factor, this.fits, 3),
        [x, y] = [this.left + at[0] / this.scale, this.top + at[1] / this.scale];
      this.left = x - at[0] / scale;
      this.top = y - at[1] / scale;
      this.scale = scale;
      this.pan(0, 0);
    }

    pan(dx, dy) {
      const seen = [this.root.clientWidth / this.scale, this.root.clientHeight / this.scale];
      const bound = (at, size, most) =>
        size >= most ? (most - size) / 2 : clamp(at, 0, most - size);
      this.left = bound(this.left - dx / this.scale, seen[0], this.width);
      this.top = bound(this.top - dy / this.scale, seen[1], this.height);
      this.draw();
    }

    nearest(at) {
      // the mark within a finger's reach of a place in the view
      let best = null,
        least = NEAR;
      this.state.roads.forEach((road, index) => {
        road.ends.forEach((mark, end) => {
          const away = Math.hypot(
            (mark[0] - this.left) * this.scale - at[0],
            (mark[1] - this.top) * this.scale - at[1],
          );
          const bias = road.picked ? away - 8 : away; // of two marks that lie together, that of the road that is looked at
          if (away < NEAR && bias < least) {
            best = { road: index, end, mark };
            least = bias;
          }
        });
      });
      return best;
    }

    tell(deed) {
      this.root.dispatchEvent(
        new CustomEvent("deed", { detail: { ...deed, slack: NEAR / this.scale } }),
      );
    }

    // --- fingers, mouse and keys ----------------------------------------------------------------------------------------------

    pointerdown(e) {
      if (e.button > 1) return;
      e.preventDefault();
      this.root.focus({ preventScroll: true });
      this.root.setPointerCapture(e.pointerId);
      const at = this.place(e);
      this.pointers.set(e.pointerId, at);
      if (this.pointers.size === 2) {
        this.aim = this.hold = null;
        this.loupe.hidden = true;
        return;
      } // two fingers move the photo
      if (this.pointers.size > 2) return;
      const taken = this.state.mode === "move" ? this.nearest(at) : null;
      const marks = this.state.mode === "mark" || this.state.mode === "sheet";
      if (taken) this.aim = { start: at, from: taken.mark, ...taken };
      else if (marks && e.pointerType !== "mouse") this.aim = { start: at, from: this.pixel(at) };
      else this.hold = { start: at, last: at, still: true };
      if (this.aim) this.aiming(at);
    }

    pointermove(e) {
      const at = this.place(e),
        before = this.pointers.get(e.pointerId);
      if (!before) {
        if (e.pointerType === "mouse") this.hovered(at);
        return;
      }
      if (this.pointers.size === 2) this.pinched(e.pointerId, at);
      else if (this.aim) this.aiming(at);
      else if (this.hold) this.held(at);
      this.pointers.set(e.pointerId, at);
    }

    pointerup(e) {
      const alone = this.pointers.size === 1;
      this.pointers.delete(e.pointerId);
      if (alone && this.aim) {
        const { road, end, at, moved } = this.aim;
        if (road === undefined) this.tell({ kind: "tap", at });
        else if (moved) this.tell({ kind: "move", road, end, at });
        else this.tell({ kind: "pick", road, end });
      } else if (alone && this.hold?.still)
        this.tell({ kind: "tap", at: this.pixel(this.hold.start) });
      if (!this.pointers.size) {
        this.aim = this.hold = null;
        this.loupe.hidden = true;
        this.draw();
      }
    }

    pointercancel(e) {
      this.pointers.delete(e.pointerId);
      this.aim = this.hold = null;
      this.loupe.hidden = true;
      this.draw();
    }

    pointerleave() {
      if (!this.pointers.size) this.loupe.hidden = true;
    }

    contextmenu(e) {
      e.preventDefault();
    } // a long touch is no wish for a menu

    wheel(e) {
      e.preventDefault();
      this.zoom(Math.exp(-e.deltaY / 400), this.place(e));
    }

    aiming(at) {
      const { start, from } = this.aim,
        gain = clamp(2 * this.scale, 0.3, 1) / this.scale; // slower than the finger on a small picture
      const moved = Math.hypot(at[0] - start[0], at[1] - start[1]) > 2;
      this.aim.at = [
        clamp(from[0] + (at[0] - start[0]) * gain, 0, this.width),
        clamp(from[1] + (at[1] - start[1]) * gain, 0, this.height),
      ];
      this.aim.moved ||= moved;
      this.magnify(this.aim.at, at);
      this.draw();
    }

    held(at) {
      this.hold.still &&=
        Math.hypot(at[0] - this.hold.start[0], at[1] - this.hold.start[1]) <= STILL;
      if (!this.hold.still) {
        this.loupe.hidden = true;
        this.pan(at[0] - this.hold.last[0], at[1] - this.hold.last[1]);
      }
      this.hold.last = at;
    }

    pinched(id, at) {
      const [other] = [...this.pointers].filter(([key]) => key !== id).map(([, place]) => place),
        before = this.pointers.get(id);
      const middle = (a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2],
        span = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
      const was = middle(before, other),
        now = middle(at, other);
      this.zoom(span(at, other) / Math.max(span(before, other), 1), was);
      this.pan(now[0] - was[0], now[1] - was[1]);
    }

    hovered(at) {
      if (this.state.mode === "mark" || this.state.mode === "sheet")
        this.magnify(this.pixel(at), at);
      else this.loupe.hidden = true;
      this.root.style.cursor =
        this.state.mode === "move" && this.nearest(at) ? "grab" : "crosshair";
    }

    keydown(e) {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[
        e.key
      ];
      const road = this.state.roads.findIndex((one) => one.picked);
      if (e.key === "+" || e.key === "-") this.zoom(e.key === "+" ? 1.4 : 1 / 1.4);
      else if (way && road >= 0) {
        const end = this.state.end ?? 0,
          step = e.shiftKey ? 10 : 1,
          [x, y] = this.state.roads[road].ends[end];
        this.tell({ kind: "move", road, end, at: [x + way[0] * step, y + way[1] * step] });
      } else return;
      e.preventDefault();
    }

    // --- drawing --------------------------------------------------------------------------------------------------------------

    magnify(pixel, at) {
      const scale = clamp(4 * this.scale, 0.5, 4),
        half = LOUPE / 2 / scale,
        arm = 18 / scale,
        gap = 3 / scale,
        [x, y] = pixel;
      this.glass.setAttribute("viewBox", `${x - half} ${y - half} ${2 * half} ${2 * half}`);
      this.cross.setAttribute(
        "d",
        [
          [-1, 0],
          [1, 0],
          [0, -1],
          [0, 1],
        ]
          .map(([a, b]) => `M${x + a * gap} ${y + b * gap}L${x + a * arm} ${y + b * arm}`)
          .join(""),
      );
      const w = this.root.clientWidth,
        above = at[1] - LOUPE - 34,
        left = clamp(at[0] - LOUPE / 2, 4, w - LOUPE - 4);
      const beside = at[0] > w / 2 ? at[0] - LOUPE - 44 : at[0] + 44;
      const [lx, ly] = above >= 4 ? [left, above] : [clamp(beside, 4, w - LOUPE - 4), 4];
      this.loupe.style.transform = `translate(${lx}px, ${ly}px)`;
      this.loupe.hidden = false;
    }

    show(state) {
      this.state = { ...this.state, ...state };
      if (state.wires) {
        this.wires.replaceChildren();
        for (const [points, tone] of this.state.wires) {
          const [stroke, width] = TONES[tone] ?? TONES[""]; // as attributes, since the magnifier's copy knows no styles
          const line = {
            points: points.flat().join(" "),
            fill: "none",
            stroke,
            "stroke-width": width,
            "vector-effect": "non-scaling-stroke",
          };
          svg("polyline", line, this.wires);
        }
      }
      this.draw();
    }

    draw() {
      const { clientWidth: w, clientHeight: h } = this.root;
      this.view.setAttribute(
        "viewBox",
        `${this.left} ${this.top} ${w / this.scale} ${h / this.scale}`,
      );
      this.marks.replaceChildren();
      this.state.lit.forEach((one) => {
        this.light(one);
      });
      this.state.roads.forEach((road, index) => {
        this.draw_road(road, index);
      });
      if (this.state.first) this.ring(this.state.first, this.state.colour, "first");
      this.state.sheet.forEach((corner) => {
        this.ring(corner, "#ffffff", "corner");
      });
      if (this.state.sheet.length > 1)
        svg("polygon", { points: this.state.sheet.flat().join(" "), class: "sheet" }, this.marks);
      if (this.aim) this.ring(this.aim.at, this.state.colour, "aim");
    }

    light({ ends, colours, at }) {
      // what is asked about, in the colours of both choices
      const [x1, y1, x2, y2] = ends.flat();
      colours.forEach((stroke, n) => {
        svg("line", { x1, y1, x2, y2, stroke, class: `lit ${n ? "other" : ""}` }, this.marks);
      });
      if (at) this.ring(at, colours[1], "lit");
    }

    draw_road(road, index) {
      const moved = this.aim?.road === index ? this.aim.end : -1;
      const ends = road.ends.map((end, n) => (n === moved ? this.aim.at : end));
      const tone = `road${road.picked ? " picked" : ""}${road.far ? " far" : ""}`;
      svg(
        "line",
        {
          x1: ends[0][0],
          y1: ends[0][1],
          x2: ends[1][0],
          y2: ends[1][1],
          class: tone,
          stroke: road.colour,
        },
        this.marks,
      );
      ends.forEach((end, n) => {
        this.ring(
          end,
          road.colour,
          `${road.picked ? "picked" : ""}${road.hard[n] ? " hard" : ""}`,
          road.picked && this.state.mode !== "order" ? "①②"[n] : "",
        );
      });
      const long =
        Math.hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]) * this.scale >= LONG;
      const name = long || road.picked ? road.name : road.short;
      if (name)
        this.text(
          name,
          [(ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2],
          `name ${road.tone ?? ""}`,
        );
    }

    ring([x, y], colour, tone, label = "") {
      svg(
        "circle",
        { cx: x, cy: y, r: 6 / this.scale, class: `ring ${tone}`, stroke: colour },
        this.marks,
      );
      svg("circle", { cx: x, cy: y, r: 1.2 / this.scale, class: "dot" }, this.marks);
      if (label) this.text(label, [x + 11 / this.scale, y - 11 / this.scale], "end");
    }

    text(words, [x, y], tone) {
      const made = svg(
        "text",
        { x, y, class: tone, "font-size": 13 / this.scale, "stroke-width": 3.2 / this.scale },
        this.marks,
      );
      made.textContent = words;
    }
  }

  window.shutoko_photo = (id, src, width, height) => {
    const root = getHtmlElement(id);
    if (root && !root.snap) window.__snap = root.snap = new Snap(root, src, width, height);
  };
  window.shutoko_marks = (id, state) => getHtmlElement(id)?.snap?.show(state);

  // Sends the photo that was chosen, and goes to its page. A photo `beside` another has no page of its own: then, and
  // when a photo is refused, `told` is called with the status and one line.
  window.shutoko_take = async (input, told, about) => {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    try {
      const query = new URLSearchParams(about);
      const answer = await fetch(`/photo/take?${query}`, {
        method: "POST",
        body: file,
      });
      const said = await answer.text();
      if (answer.ok && !query.has("beside")) window.location.href = `/photo/${said}`;
      else told({ status: answer.status, said });
    } catch {
      told({ status: 413, said: "" });
    } // the server cut off what was too large
  };
})();
