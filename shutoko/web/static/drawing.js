// A drawing of which only lines are sent that the page has never had (`shutoko.web.views.drawing`).
const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

// the same check sum as Python's zlib.crc32, going on from another one
const sum = (text, from) => {
  let c = ~from;
  for (const byte of new TextEncoder().encode(text)) c = TABLE[(c ^ byte) & 255] ^ (c >>> 8);
  return ~c >>> 0;
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
      this.lines = [...new Set(this.innerHTML.split("\n"))];
      this.sum = this.lines.reduce((all, line) => sum(line, all), 0);
      this.$el.innerHTML = this.innerHTML;
    },
    // `parts` are new lines, and [first, count] for known ones; `was` is the check sum over these
    change(was, parts) {
      if (this.sum !== was) {
        this.$emit("lost"); // messages have crossed: it is sent whole
        return;
      }
      const drawn = parts.flatMap((part) => {
        if (typeof part !== "string") return this.lines.slice(part[0], part[0] + part[1]);
        this.lines.push(part);
        this.sum = sum(part, this.sum);
        return [part];
      });
      this.$el.innerHTML = drawn.join("\n");
    },
  },
};
