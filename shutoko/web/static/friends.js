// What a page does for people who play with friends: it copies links, remembers a name, hides the chat, and says whose turn it is
// when the tab lies behind others. It also says when the system has no letters for the page's language. Choices stay on the device.
(() => {
  const get = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const put = (key, value) => {
    try {
      localStorage.setItem(key, value);
    } catch {
      /* then for this page only */
    }
  };
  const MUTED = "shutoko-muted",
    BELL = "shutoko-bell",
    NO_FONT = "shutoko-no-font";
  let title = null,
    turn = false,
    told = "";

  const legacy = (text) => {
    // pages without TLS may not use the clipboard
    const field = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  };
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

  window.shutokoFriends = {
    notes: 0,
    async copy(text, id) {
      let done = false;
      try {
        await navigator.clipboard.writeText(text);
        done = true;
      } catch {
        done = legacy(text);
      }
      const button = done && getHtmlElement(id);
      if (button) {
        button.classList.add("done");
        setTimeout(() => button.classList.remove("done"), 2500);
      }
    },
    name(name) {
      // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
      document.cookie = `shutoko-name=${encodeURIComponent(name)}; path=/; max-age=31536000; samesite=lax`;
    },
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
    // The pause between two attempts to reach a server that was restarted: socket.io's own grows to
    // 7.5 seconds.
    soon() {
      const waits = setInterval(() => {
        if (!window.socket) return;
        clearInterval(waits);
        window.socket.io.reconnectionDelay(500);
        window.socket.io.reconnectionDelayMax(2000);
      }, 200);
    },
  };
  window.shutokoFriends.soon();
  // NiceGUI says in English alone that the connection is lost
  document.querySelector("#popup")?.replaceChildren(document.documentElement.dataset.offline ?? "");
  // Without a font all letters of a language are drawn as the same box, those of its own name as well. The note is in English: its
  // own words could not be read.
  const { letters } = document.documentElement.dataset;
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const drawn = (letter) => {
    pen.canvas.width = pen.canvas.height = 32;
    pen.font = "24px system-ui, sans-serif";
    pen.fillText(letter, 2, 26);
    return pen.canvas.toDataURL();
  };
  if (letters && get(NO_FONT) !== "known" && drawn(letters[0]) === drawn(letters[1])) {
    const note = document.createElement("div"),
      close = document.createElement("button");
    note.className = "no-font";
    note.lang = "en";
    note.setAttribute("role", "note");
    note.textContent =
      "This system has no font with the letters of this language. Install one, such as Noto Sans CJK, or choose another language. ";
    close.textContent = "OK";
    close.onclick = () => {
      put(NO_FONT, "known");
      note.remove();
    };
    note.append(close);
    document.body.append(note);
  }
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
})();
