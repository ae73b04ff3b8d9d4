// The keyboard on a board: arrows go from cell to cell, Enter or the space bar picks one (a `cellpick` event with its name).
// When the board is drawn anew, the cell that had the focus gets it back.
(() => {
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const middle = (e) => {
    const r = e.getBoundingClientRect();
    return [r.left + r.width / 2, r.top + r.height / 2];
  };
  let kept = null;
  /** @param {HTMLElement} cell */
  const focus = (cell) => {
    for (const c of cell.closest("svg").querySelectorAll("[data-cell]"))
      c.setAttribute("tabindex", c === cell ? "0" : "-1");
    cell.focus();
  };
  document.addEventListener("focusin", (e) => {
    const target = /** @type {HTMLElement} */ (e.target);
    /** @type {HTMLElement | undefined} */
    const cell = target.closest?.("[data-cell]");
    kept = cell?.dataset.cell ?? null;
  });
  document.addEventListener(
    "keydown",
    (e) => {
      const target = /** @type {HTMLElement} */ (e.target);
      /** @type {HTMLElement | undefined} */
      const cell = target.closest?.("[data-cell]");
      if (!cell || e.ctrlKey || e.altKey || e.metaKey) return;
      if (e.key === "Enter" || e.key === " ") {
        e.preventDefault();
        cell.dispatchEvent(
          new CustomEvent("cellpick", { bubbles: true, detail: cell.dataset.cell }),
        );
      }
      const way = ways[e.key];
      if (!way) return;
      e.preventDefault();
      e.stopPropagation();
      const [x, y] = middle(cell);
      let best = null,
        least = Infinity;
      for (const other of cell.closest("svg").querySelectorAll("[data-cell]")) {
        const [a, b] = middle(other),
          ahead = (a - x) * way[0] + (b - y) * way[1],
          aside = Math.abs((a - x) * way[1]) + Math.abs((b - y) * way[0]);
        if (ahead > 3 && ahead + 2 * aside < least) {
          best = other;
          least = ahead + 2 * aside;
        }
      }
      if (best) focus(best);
    },
    true,
  );
  new MutationObserver(() => {
    if (!kept || (document.activeElement && document.activeElement !== document.body)) return;
    const cell = /** @type {HTMLElement | null} */ (
      document.querySelector(`[data-cell="${CSS.escape(kept)}"]`)
    );
    if (cell) focus(cell);
  }).observe(document.documentElement, { childList: true, subtree: true });
})();

// Which problems are solved is kept on this device, as a cookie that pages are built with.
window.shutokoSolved = (id) => {
  const kept =
    document.cookie
      .match(/(?:^|; )shutoko-solved=([^;]*)/)?.[1]
      .split(".")
      .filter(Boolean) ?? [];
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = `shutoko-solved=${[...new Set([...kept, id])].join(".")}; Max-Age=31536000; Path=/; SameSite=Lax${secure}`;
};
