// The sounds of the table, made by the browser itself: wood on wood, a fall, a car. A button in the bar switches them off; the
// choice stays on the device.
(() => {
  const KEY = "shutoko-sounds";
  let context = null,
    hush = null;
  const off = () => {
    try {
      return localStorage.getItem(KEY) === "off";
    } catch {
      return false;
    }
  };
  const ready = (behind = false) => {
    if (off() || (document.hidden && !behind)) return null;
    try {
      context ??= new AudioContext();
    } catch {
      return null;
    }
    if (context.state === "suspended") context.resume();
    return context.state === "running" ? context : null;
  };
  const ring = (c, at, hertz, loud, seconds, type = "sine") => {
    const tone = c.createOscillator(),
      gain = c.createGain();
    tone.type = type;
    tone.frequency.setValueAtTime(hertz, at);
    gain.gain.setValueAtTime(loud, at);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
    tone.connect(gain).connect(c.destination);
    tone.start(at);
    tone.stop(at + seconds);
    return tone;
  };
  const rush = (c, at, hertz, loud, seconds) => {
    if (!hush) {
      hush = c.createBuffer(1, c.sampleRate, c.sampleRate);
      hush.getChannelData(0).forEach((_, i, all) => {
        all[i] = 2 * Math.random() - 1;
      });
    }
    const source = c.createBufferSource(),
      band = c.createBiquadFilter(),
      gain = c.createGain();
    source.buffer = hush;
    band.type = "bandpass";
    band.frequency.value = hertz;
    band.Q.value = 1.2;
    gain.gain.setValueAtTime(loud, at);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
    source.connect(band).connect(gain).connect(c.destination);
    source.start(at, Math.random() * 0.5);
    source.stop(at + seconds);
  };
  const wood = (c, at, loud, slow = 1) => {
    const pitch = (0.9 + 0.2 * Math.random()) / slow;
    rush(c, at, 2600 * pitch, 0.5 * loud, 0.03 * slow);
    ring(c, at, 610 * pitch, 0.28 * loud, 0.09 * slow);
    ring(c, at, 1430 * pitch, 0.16 * loud, 0.05 * slow);
    ring(c, at, 2350 * pitch, 0.06 * loud, 0.03 * slow);
  };
  window.shutokoSounds = {
    played: 0,
    wood(loud = 0.5) {
      this.played += 1;
      const c = ready();
      if (c) wood(c, c.currentTime, loud);
    },
    // `slow` times longer and deeper, where the film is
    fall(slow = 1) {
      this.played += 1;
      const c = ready();
      if (!c) return;
      for (const [after, loud] of [
        [0, 0.9],
        [0.07, 0.6],
        [0.13, 0.45],
        [0.24, 0.3],
        [0.31, 0.18],
      ])
        wood(c, c.currentTime + after * slow, loud, slow);
      ring(c, c.currentTime, 96 / slow, 0.35, 0.22 * slow);
    },
    car() {
      this.played += 1;
      const c = ready();
      if (!c) return;
      const motor = ring(c, c.currentTime, 92, 0.05, 0.34, "sawtooth");
      motor.frequency.linearRampToValueAtTime(150, c.currentTime + 0.28);
      ring(c, c.currentTime + 0.3, 784, 0.05, 0.1, "square");
    },
    bell() {
      // also from a tab that lies behind others
      this.played += 1;
      const c = ready(true);
      if (!c) return;
      ring(c, c.currentTime, 880, 0.12, 0.5);
      ring(c, c.currentTime + 0.16, 1175, 0.1, 0.7);
    },
    get on() {
      return !off();
    },
    toggle() {
      try {
        localStorage.setItem(KEY, off() ? "on" : "off");
      } catch {
        /* then for this page only */
      }
      this.mark();
      if (!off()) this.wood();
    },
    mark() {
      for (const button of document.querySelectorAll("[data-sounds]")) {
        button.setAttribute("aria-pressed", String(!off()));
        const icon = button.querySelector(".q-icon");
        if (icon) icon.textContent = off() ? "volume_off" : "volume_up";
      }
    },
  };
  addEventListener("pointerdown", () => ready(), true); // browsers let a page sound only after somebody has touched it
  new MutationObserver(() => {
    /** @type {HTMLElement | null} */
    const b = document.querySelector("[data-sounds]:not([data-marked])");
    if (b) {
      b.dataset.marked = "1";
      window.shutokoSounds.mark();
    }
  }).observe(document.documentElement, { childList: true, subtree: true });
})();
