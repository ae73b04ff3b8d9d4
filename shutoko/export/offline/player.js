// What plays a game: its buttons, its slider, its keys, and what is said of each ply.

/** @template {HTMLElement} T @param {string} id @returns {T} */
const $ = (id) => /** @type {T} */ (document.getElementById(id));

/** The game, as Python wrote it. */
export const data = JSON.parse($("data").textContent);
/** Where it is shown. */
export const view = $("view");

/**
 * Goes to the end of the game, and from there where the reader wants.
 *
 * @param {(n: number, forward?: boolean) => number} show shows the position after `n` plies, `forward`
 *   where the last ply is to be seen; returns for how long (milliseconds) it wants to be looked at
 */
export function play(show) {
  const last = data.leaves.length;
  const slider = /** @type {HTMLInputElement} */ ($("at"));
  let at = 0;
  let timer = 0;
  /** @param {number} n @param {boolean} [forward] */
  const go = (n, forward) => {
    at = Math.min(Math.max(n, 0), last);
    slider.value = String(at);
    $("n").textContent = `${at} / ${last}`;
    const [head, lines] = at ? data.leaves[at - 1] : [document.title, []];
    const said = [head, ...lines].map((text) => {
      const p = document.createElement("p");
      p.textContent = text;
      return p;
    });
    $("said").replaceChildren(...said);
    return show(at, forward);
  };
  const mark = () => {
    $("play").textContent = timer ? "\u275a\u275a" : "\u25b6";
  };
  const stop = () => {
    clearTimeout(timer);
    timer = 0;
    mark();
  };
  const next = () => {
    const ms = go(at + 1, true);
    timer = at < last ? setTimeout(next, ms) : 0;
    mark();
  };
  const toggle = () => {
    if (timer) {
      stop();
      return;
    }
    if (at === last) go(0);
    next();
  };
  /** @param {number} n @param {boolean} [forward] */
  const jump = (n, forward) => {
    stop();
    go(n, forward);
  };
  $("back").onclick = () => jump(at - 1);
  $("forward").onclick = () => jump(at + 1, true);
  $("play").onclick = toggle;
  slider.max = String(last);
  slider.oninput = () => jump(Number(slider.value));
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowRight: () => jump(at + 1, true),
    ArrowLeft: () => jump(at - 1),
    Home: () => jump(0),
    End: () => jump(last),
    " ": toggle,
  };
  addEventListener("keydown", (e) => {
    const deed = keys[e.key];
    if (!deed) return;
    e.preventDefault();
    deed();
  });
  go(last);
}
