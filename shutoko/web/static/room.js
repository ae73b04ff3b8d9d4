// What floats over a table or a board: the sheets of the menu and of what happened, the sentence that unfolds, the button that is
// pressed for longer, how many messages nobody has read, the pieces by the arrow keys, and a clip that is sent to somebody.
(() => {
  // what is open is kept on the page's root, as the server says which classes everything else has
  const { dataset } = document.documentElement;
  const LONG = 650; // ms: so long a press has the piece placed instead of taken up
  const FLOATS =
    ".menu-button, .sentence, .deeds, .rounds, .verdict, .lesson, .aside > .advices, .room > .result"; // beside plates
  const CHOICE = '[data-part="piece"]:not(:disabled), [data-advice]';
  const COVERED = ".menu-button, .rounds, .deeds, .choices, .verdict, .aside > *"; // perhaps, by a sheet
  let press = 0,
    rests = 0,
    long = false;

  const mark = (name, open) => {
    for (const button of document.querySelectorAll(`[aria-controls="sheet-${name}"]`)) {
      button.setAttribute("aria-expanded", String(open));
      if (open && name === "log") button.removeAttribute("data-unread");
    }
  };

  window.shutokoRoom = {
    // Keeps which turn of the visitor's is being made, empty for none. If the page is loaded anew and the turn is still there to be
    // made (`now`), the server was stopped meanwhile, and the page says so.
    making(turn, now) {
      if (now && sessionStorage.making === now) dataset.lost = "1";
      else delete dataset.lost;
      sessionStorage.making = turn;
    },
    // Opens a sheet, or closes it; one is open at a time. The keyboard goes along, if it `leads`.
    sheet(name, on = dataset.sheet !== name, leads = true) {
      if (!on && dataset.sheet !== name) return;
      dataset.sheet = on ? name : "";
      for (const other of ["menu", "log"]) mark(other, on && other === name);
      if (on) document.querySelector(`#sheet-${name} .moves`)?.scrollTo(0, 1e6); // the latest
      // nobody goes by keys to what the sheet covers
      const box = document.querySelector(`#sheet-${name}`).getBoundingClientRect();
      /** @type {NodeListOf<HTMLElement>} */
      const beneath = document.querySelectorAll(COVERED);
      for (const e of beneath) {
        const r = e.getBoundingClientRect();
        e.inert =
          on &&
          r.left < box.right &&
          r.right > box.left &&
          r.top < box.bottom &&
          r.bottom > box.top;
      }
      /** @type {HTMLElement | null} */
      const to = document.querySelector(
        on ? `#sheet-${name} button` : `[aria-controls="sheet-${name}"]`,
      );
      if (leads) to?.focus({ preventScroll: true });
    },
    // The game is over: nothing lies above the result, which is folded away and unfolded again.
    over() {
      if (dataset.sheet) this.sheet(dataset.sheet, false);
      this.fold(false);
    },
    fold(on = dataset.folded !== "1") {
      dataset.folded = on ? "1" : "";
      document.querySelector("[data-fold]")?.setAttribute("aria-expanded", String(!on));
    },
    // Unfolds why the sentence says what it says.
    why() {
      dataset.why = dataset.why ? "" : "open";
    },
    // Somebody has said something that nobody here has read.
    unread() {
      if (dataset.sheet === "log") return;
      for (const button of document.querySelectorAll('[aria-controls="sheet-log"]')) {
        const count = Number(button.getAttribute("data-unread") ?? 0) + 1;
        button.setAttribute("data-unread", String(count));
      }
    },
    // The table has been drawn: once it rests, each plate goes to its tray.
    drawn(bodies) {
      clearTimeout(rests);
      rests = window.setTimeout(seat, 120, bodies);
    },
  };

  // Each plate stands at the edge of the window, as near to its own tray as what else stands there and the discs on trays allow.
  function seat(bodies) {
    const { style } = document.documentElement;
    const over = [...document.querySelectorAll(FLOATS)].filter((e) => e.checkVisibility());
    const taken = over.map((e) => e.getBoundingClientRect());
    const shelves = bodies.shelved ? bodies.shelves() : [];
    const discs = shelves.flatMap((one) => one.discs);
    shelves.forEach(({ at }, n) => {
      const plate = document.querySelector(`.plate[data-seat="${n}"]`)?.getBoundingClientRect();
      if (!plate) return;
      const clear = 6,
        wanted = (at[1] + at[3] - plate.height) / 2;
      const hits = (top, [left, high, right, low]) =>
        plate.left < right + clear &&
        plate.right > left - clear &&
        top < low + clear &&
        top + plate.height > high - clear;
      const costs = (top) =>
        Math.abs(top - wanted) +
        1e3 * discs.filter((box) => hits(top, box)).length +
        1e5 * taken.filter((r) => hits(top, [r.left, r.top, r.right, r.bottom])).length;
      let best = 8;
      for (let top = 8; top + plate.height < innerHeight - 8; top += 4)
        if (costs(top) < costs(best)) best = top;
      style.setProperty(`--plate-${n}`, `${best}px`);
      taken.push(new DOMRect(plate.left, best, plate.width, plate.height));
    });
    if (!shelves.length) for (const n of [0, 1, 2, 3]) style.removeProperty(`--plate-${n}`);
  }

  const act = (e) => e.target.closest?.("[data-place]"); // of a table, where a longer press has a meaning
  addEventListener("pointerdown", (e) => {
    const button = act(e);
    if (!button || button.disabled) return;
    long = false;
    press = window.setTimeout(() => {
      long = true;
      button.dispatchEvent(new CustomEvent("longpress"));
    }, LONG);
  });
  for (const over of ["pointerup", "pointercancel", "pointerleave"])
    addEventListener(over, () => clearTimeout(press));
  addEventListener(
    "click",
    (e) => {
      if (!long || !act(e)) return;
      long = false; // the press was the longer one: this click is its end
      e.stopImmediatePropagation();
      e.preventDefault();
    },
    true,
  );
  addEventListener("mouseover", (e) => {
    if (e.target instanceof Element && e.target.closest("[data-badge]")) window.__bodies?.glow?.();
  });
  // the pieces are one choice, and so are the buildings and the moves that are advised: the arrow keys go from one to the next that
  // may be taken. A piece is taken thereby; the other choice of pieces is hidden then, and must not be made.
  addEventListener(
    "keydown",
    (e) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
      /** @type {HTMLElement | null} */
      const one = e.target instanceof Element ? e.target.closest(CHOICE) : null;
      const choice = one?.closest("[role=radiogroup], [role=toolbar]");
      if (!step || !choice || (choice.ariaOrientation && !/Up|Down/.test(e.key))) return;
      e.preventDefault();
      e.stopImmediatePropagation();
      /** @type {NodeListOf<HTMLElement>} */
      const found = choice.querySelectorAll(CHOICE);
      const free = [...found];
      const next = free[(free.indexOf(one) + step + free.length) % free.length];
      next?.focus();
      if (choice.role === "radiogroup") next?.click();
    },
    true,
  );
  // Where a device can send files to somebody, as a phone can, a press on the clip does that; else the clip is kept as a file.
  addEventListener("click", async (e) => {
    /** @type {HTMLAnchorElement | null} */
    const clip = e.target instanceof Element ? e.target.closest('a[data-part="clip"]') : null;
    const file = (data) => new File(data, "shutoko.gif", { type: "image/gif" });
    if (!clip || !navigator.canShare?.({ files: [file([])] })) return;
    e.preventDefault();
    if (clip.dataset.sending) return;
    clip.dataset.sending = "1";
    try {
      const answer = await fetch(clip.href);
      if (!answer.ok) throw new Error(answer.statusText);
      await navigator.share({ files: [file([await answer.blob()])], title: document.title });
    } catch (error) {
      // it took so long that the press no longer counts: then it is at least kept
      if (error.name !== "AbortError") location.assign(clip.href);
    } finally {
      delete clip.dataset.sending;
    }
  });
  // on a phone a swipe up on the bar opens what happened
  let swipe = null;
  addEventListener("touchstart", (e) => {
    const bar = e.target instanceof Element && e.target.closest(".deeds");
    swipe = bar && e.touches.length === 1 ? e.touches[0].clientY : null;
  });
  addEventListener("touchend", (e) => {
    if (swipe !== null && swipe - e.changedTouches[0].clientY > 60 && !window.__bodies?.held)
      window.shutokoRoom.sheet("log", true);
    swipe = null;
  });
  const ended = () => document.querySelector("[data-result]")?.checkVisibility();
  addEventListener("click", (e) => {
    if (e.target instanceof Element && e.target.closest(".stage, .board") && ended())
      window.shutokoRoom.fold(true);
  });
  addEventListener("keydown", (e) => {
    if (e.key === "Escape" && !dataset.sheet && ended()) window.shutokoRoom.fold();
    const open = dataset.sheet;
    if (e.key === "Escape" && open && e.target instanceof Element && e.target.closest(".sheet"))
      window.shutokoRoom.sheet(open, false);
  });
})();
