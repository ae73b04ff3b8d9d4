// What floats over a table or a board: the sheets of the menu and of what happened, the sentence that unfolds, plates at their trays,
// and the pieces by the arrow keys. What only whoever plays needs is in playing.js.
(() => {
  // what is open is kept on the page's root, as the server says which classes everything else has
  const { dataset } = document.documentElement;
  const FLOATS =
    ".menu-button, .sentence, .deeds, .rounds, .verdict, .lesson, .aside > .advices, .room > .result"; // beside plates
  const CHOICE = '[data-part="piece"]:not(:disabled), [data-advice]';
  const COVERED = ".menu-button, .rounds, .deeds, .choices, .verdict, .aside > *"; // perhaps, by a sheet
  let rests = 0;

  const mark = (name, open) => {
    for (const button of document.querySelectorAll(`[aria-controls="sheet-${name}"]`)) {
      button.setAttribute("aria-expanded", String(open));
      if (open && name === "log") button.removeAttribute("data-unread");
    }
  };

  window.shutokoRoom = {
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
    // Unfolds why the sentence says what it says.
    why() {
      dataset.why = dataset.why ? "" : "open";
    },
    // In a replay the log scrolls to the ply that is shown; the page itself stays where it is.
    follow(log, row) {
      const box = getHtmlElement(log),
        here = getHtmlElement(row);
      if (!box || !here || box === here) return;
      box.scrollTop +=
        here.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
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
  addEventListener("keydown", (e) => {
    const open = dataset.sheet;
    if (e.key === "Escape" && open && e.target instanceof Element && e.target.closest(".sheet"))
      window.shutokoRoom.sheet(open, false);
  });
})();
