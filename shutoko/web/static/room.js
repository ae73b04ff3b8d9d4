// What floats over a table or a board: the sheets of the menu and of what happened, the sentence that unfolds, the button that is
// pressed for longer, how many messages nobody has read.
(() => {
  // what is open is kept on the page's root, as the server says which classes everything else has
  const { dataset } = document.documentElement;
  const LONG = 650; // ms: so long a press has the piece placed instead of taken up
  let press = 0,
    long = false;

  const mark = (name, open) => {
    for (const button of document.querySelectorAll(`[aria-controls="sheet-${name}"]`)) {
      button.setAttribute("aria-expanded", String(open));
      if (open && name === "log") button.removeAttribute("data-unread");
    }
  };

  window.shutokoRoom = {
    // Opens a sheet, or closes it; one is open at a time.
    sheet(name, on = dataset.sheet !== name) {
      if (!on && dataset.sheet !== name) return;
      dataset.sheet = on ? name : "";
      for (const other of ["menu", "log"]) mark(other, on && other === name);
      /** @type {HTMLElement | null} */
      const to = document.querySelector(
        on ? `#sheet-${name} button` : `[aria-controls="sheet-${name}"]`,
      );
      to?.focus({ preventScroll: true });
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
  };

  const act = (e) => e.target.closest?.('[data-part="act"]');
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
  addEventListener("keydown", (e) => {
    const open = dataset.sheet;
    if (e.key === "Escape" && open && e.target instanceof Element && e.target.closest(".sheet"))
      window.shutokoRoom.sheet(open, false);
  });
})();
