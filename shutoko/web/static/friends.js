// What every page does: it copies links, remembers a name, and comes back soon to a server that was restarted. It also says when the
// system has no letters for the page's language. Choices stay on the device.
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
  const NO_FONT = "shutoko-no-font";

  const legacy = (text) => {
    // pages without TLS may not use the clipboard
    const field = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  };
  window.shutokoFriends = {
    get,
    put,
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
})();
