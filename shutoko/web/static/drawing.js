// A drawing of which only the lines that have changed are sent (`shutoko.web.views.drawing`).
const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

// the same check sum as Python's zlib.crc32
const sum = (text) => {
  let c = -1;
  for (const byte of new TextEncoder().encode(text)) c = TABLE[(c ^ byte) & 255] ^ (c >>> 8);
  return (c ^ -1) >>> 0;
};

export default {
  template: "<div></div>",
  props: { innerHTML: String },
  mounted() {
    this.given();
  },
  updated() {
    if (this.innerHTML !== this.whole) this.given();
  },
  methods: {
    given() {
      this.whole = this.innerHTML;
      this.draw(this.innerHTML);
    },
    draw(text) {
      this.shown = text;
      this.$el.innerHTML = text;
    },
    // `parts` are new lines, and [first, count] for lines of the drawing with the check sum `was`
    change(was, parts) {
      if (sum(this.shown) !== was) {
        this.$emit("lost"); // messages have crossed: it is sent whole
        return;
      }
      const old = this.shown.split("\n");
      const lines = parts.flatMap((part) =>
        typeof part === "string" ? [part] : old.slice(part[0], part[0] + part[1]),
      );
      this.draw(lines.join("\n"));
    },
  },
};
