// What only a room needs in which a game is played: the turn that is being made, whose turn it is when the tab lies behind others, the
// chat, the result that is folded away, the button that is pressed for longer, and a clip that is sent to somebody.
(() => {
  const { dataset } = document.documentElement;
  const LONG = 650; // ms: so long a press has the piece placed instead of taken up
  const MUTED = "shutoko-muted",
    BELL = "shutoko-bell",
    { get, put } = window.shutokoFriends;
  let title = null,
    turn = false,
    told = "";
  let press = 0,
    long = false;

  const able = () => "Notification" in window && isSecureContext;
  const notify = (text) => {
    if (get(BELL) !== "on" || !able() || Notification.permission !== "granted") return;
    try {
      const note = new Notification(text, { tag: "shutoko", icon: "/static/favicon.svg" });
      note.onclick = () => {
        window.focus();
        note.close();
      };
    } catch {
      /* some phones let only installed pages do this */
    }
  };
  const entitle = () => {
    title ??= document.title;
    document.title = turn ? `● ${told} ${title}` : title;
  };
  const mark = () => {
    document.documentElement.classList.toggle("muted", get(MUTED) === "on");
    for (const button of document.querySelectorAll("[data-mute]"))
      button.setAttribute("aria-pressed", String(get(MUTED) === "on"));
    /** @type {NodeListOf<HTMLElement>} */
    const bells = document.querySelectorAll("[data-bell]");
    for (const button of bells) {
      const on = get(BELL) === "on" && able() && Notification.permission === "granted";
      button.hidden = !able() || Notification.permission === "denied";
      button.setAttribute("aria-pressed", String(on));
      const icon = button.querySelector(".q-icon");
      if (icon) icon.textContent = on ? "notifications_active" : "notifications_none";
    }
  };

  Object.assign(window.shutokoRoom, {
    // Keeps which turn of the visitor's is being made, empty for none. If the page is loaded anew and the turn is still there to be
    // made (`now`), the server was stopped meanwhile, and the page says so.
    making(turn, now) {
      if (now && sessionStorage.making === now) dataset.lost = "1";
      else delete dataset.lost;
      sessionStorage.making = turn;
    },
    // The game is over: nothing lies above the result, which is folded away and unfolded again.
    over() {
      if (dataset.sheet) window.shutokoRoom.sheet(dataset.sheet, false);
      this.fold(false);
    },
    fold(on = dataset.folded !== "1") {
      dataset.folded = on ? "1" : "";
      document.querySelector("[data-fold]")?.setAttribute("aria-expanded", String(!on));
    },
    // Somebody has said something that nobody here has read.
    unread() {
      if (dataset.sheet === "log") return;
      for (const button of document.querySelectorAll('[aria-controls="sheet-log"]')) {
        const count = Number(button.getAttribute("data-unread") ?? 0) + 1;
        button.setAttribute("data-unread", String(count));
      }
    },
  });

  Object.assign(window.shutokoFriends, {
    notes: 0,
    mute() {
      put(MUTED, get(MUTED) === "on" ? "off" : "on");
      mark();
    },
    async bell() {
      if (get(BELL) === "on" && Notification.permission === "granted") put(BELL, "off");
      else if ((await Notification.requestPermission()) === "granted") put(BELL, "on");
      mark();
    },
    // Whose turn it is; `fresh` says that it has just become so.
    turn(mine, text, fresh) {
      turn = mine;
      told = text;
      entitle();
      if (mine && fresh && document.hidden) {
        this.notes += 1;
        window.shutokoSounds?.bell();
        notify(text);
      }
    },
    // The cells of a board that another player aims at.
    aim(id, cells) {
      /** @type {Iterable<HTMLElement>} */
      const every = getHtmlElement(id)?.querySelectorAll("[data-cell]") ?? [];
      for (const cell of every) cell.classList.toggle("aimed", cells.includes(cell.dataset.cell));
    },
    said() {
      window.shutokoRoom?.unread();
      if (document.hidden && get(MUTED) !== "on") window.shutokoSounds?.bell();
    },
  });
  new MutationObserver(() => {
    const fresh = document.querySelector(
      "[data-mute]:not([data-marked]), [data-bell]:not([data-marked])",
    );
    if (fresh) {
      /** @type {NodeListOf<HTMLElement>} */
      const every = document.querySelectorAll("[data-mute], [data-bell]");
      for (const b of every) b.dataset.marked = "1";
      mark();
    }
  }).observe(document.documentElement, { childList: true, subtree: true });

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
  const ended = () => document.querySelector("[data-result]")?.checkVisibility();
  addEventListener("click", (e) => {
    if (e.target instanceof Element && e.target.closest(".stage, .board") && ended())
      window.shutokoRoom.fold(true);
  });
  addEventListener(
    "keydown",
    (e) => {
      if (e.key === "Escape" && !dataset.sheet && ended()) window.shutokoRoom.fold();
    },
    true, // before an open sheet is closed by it
  );
})();
