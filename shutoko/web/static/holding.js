// Placing by hand: pillar and road hang from the pointer one after the other, swing and tremble, and fall as they are let go.
// The motion is that of sim/game/attempts/carrying.py, step by step, with the tremble that the server has drawn: the page only
// tells where the hand was led. Lengths are millimetres, angles degrees, times seconds.
(() => {
  const SINKING = 38,
    LOW = 0.75,
    TAU = 2 * Math.PI,
    TURN = 1; // mm/s; share of the lift above which nothing is let go; degrees
  const REACH = 85, // mm from its place towards the tray, where a piece is taken up
    QUICK = 420, // mm/s at which the hand follows the mouse
    NEAR = 4; // mm: so near to its place the ring closes
  const fixed = (value, digits) => Number(value.toFixed(digits));
  const clamp = (value, most) => Math.min(Math.max(value, -most), most);

  /** What hangs from the pointer; `tremble` is what the server has drawn for it. */
  class Motion {
    /** @type {number} */ step;
    /** @type {number} */ seconds;
    /** @type {number} */ lag;
    /** @type {number} */ damping;
    /** @type {number} */ pull;
    /** @type {number} */ lift;
    /** @type {number} */ far;
    /** @type {number} */ calm;
    /** @type {number} */ tiring;
    /** @type {number} */ most;
    /** @type {number} */ swing;
    /** @type {number} */ most_tilt;
    /** @type {number[][][]} sizes, hertz and phases for each of six ways to move */ waves;
    /** @type {number} */ x;
    /** @type {number} */ y;

    constructor(tremble) {
      Object.assign(this, tremble);
      this.trace = [];
      this.k = 0;
      this.at = 0;
      this.vx = this.vy = 0;
    }

    // where the hand is led at a time, and all steps up to then
    lead(time, x, y, height, turn) {
      this.trace.push([fixed(time, 3), fixed(x, 2), fixed(y, 2), fixed(height, 2), fixed(turn, 2)]);
      if (this.trace.length === 1) [this.x, this.y] = this.drawn_in(this.trace[0]);
      const steps = Math.floor(this.trace.at(-1)[0] / this.step + 1e-9);
      for (; this.k < steps; this.k++) {
        const now = this.k * this.step;
        while (this.at + 2 < this.trace.length && this.trace[this.at + 1][0] <= now) this.at++;
        const [ux, uy] = this.drawn_in(
          this.between(
            this.trace[this.at],
            this.trace[Math.min(this.at + 1, this.trace.length - 1)],
            now,
          ),
        );
        this.vx +=
          (this.lag * this.lag * (ux - this.x) - 2 * this.damping * this.lag * this.vx) * this.step;
        this.vy +=
          (this.lag * this.lag * (uy - this.y) - 2 * this.damping * this.lag * this.vy) * this.step;
        this.x += this.vx * this.step;
        this.y += this.vy * this.step;
      }
    }

    /** @param {number[]} place a time, x and y */
    drawn_in(place) {
      const [, x, y] = place;
      const away = Math.sqrt(x * x + y * y),
        share = this.pull ? away / (away + this.pull) : 1;
      return [x * share, y * share];
    }

    between(one, other, now) {
      const part =
        other[0] <= one[0] ? 0 : Math.min(Math.max((now - one[0]) / (other[0] - one[0]), 0), 1);
      return [now, one[1] + (other[1] - one[1]) * part, one[2] + (other[2] - one[2]) * part];
    }

    // shift along x, y, z and turn about x, y, z
    pose() {
      const at = this.k * this.step,
        strength = Math.min(this.calm + this.tiring * at, this.most);
      const sway = this.waves.map(
        (waves) =>
          strength *
          waves.reduce(
            (sum, [size, hertz, phase]) => sum + size * Math.sin(TAU * hertz * at + phase),
            0,
          ),
      );
      const end = this.trace.at(-1),
        [ux, uy] = this.drawn_in(end);
      const tilt = [
        clamp(this.swing * (this.y - uy) + sway[3], this.most_tilt),
        clamp(this.swing * (ux - this.x) + sway[4], this.most_tilt),
      ];
      return [
        [this.x + sway[0], this.y + sway[1], Math.max(end[3] + sway[2], 0)],
        [...tilt, end[4] + sway[5]],
      ];
    }
  }

  // What is in the hand of one visitor. `parts` are carried one after the other: [{pieces: [names, packed], tremble, at, wide}].
  class Hand {
    /** @type {any} */ bodies;
    /** @type {any} */ THREE;
    /** @type {any[]} */ parts;
    /** @type {number} */ unit;
    /** @type {number} */ number;
    /** @type {number} */ began;
    /** @type {number[][][]} */ traces;
    /** @type {any[]} */ placed;
    /** @type {Map<number, any>} */ fingers;
    /** @type {number[]} where the tray is (mm) */ tray;

    constructor(bodies, THREE, parts, unit, tray) {
      Object.assign(this, {
        bodies,
        THREE,
        parts,
        unit,
        tray,
        number: 0,
        traces: [],
        placed: [],
        fingers: new Map(),
      });
      this.was_enabled = bodies.controls?.enabled;
      if (bodies.controls) bodies.controls.enabled = false;
      this.key = (e) => this.pressed(e);
      addEventListener("keydown", this.key, true);
      addEventListener("keyup", this.key, true);
      this.tool = bodies.look_of.fingers(10);
      bodies.root.add(this.tool);
      this.mark();
      this.come_near();
      this.take();
    }

    // the camera goes to where one sees a millimetre, and back when the hand is empty
    come_near() {
      const { camera, controls } = this.bodies;
      if (!controls) return;
      this.view = [camera.position.clone(), controls.target.clone()];
      const around = [
        [-80, -80, 0],
        [80, -80, 0],
        [-80, 80, 60],
        [80, 80, 60],
      ];
      const corners = this.parts.flatMap(({ at }) =>
        around.map(([x, y, z]) => new this.THREE.Vector3(at[0] + x, at[1] + y, at[2] + z)),
      );
      const [first] = this.parts, // on a narrow screen it would hang beside the picture otherwise
        [dx, dy] = this.start(first);
      for (const side of [-25, 25])
        corners.push(
          new this.THREE.Vector3(first.at[0] + dx + side, first.at[1] + dy, first.at[2]),
        );
      this.bodies.fly(this.bodies.eyeward(), corners, 450, 260);
    }

    // a plumb line under the piece, its shadow on the table, and a ring at its place that closes when it hangs above
    mark() {
      const T = this.THREE,
        paint = (color, opacity) =>
          new T.MeshBasicMaterial({
            color,
            opacity,
            transparent: true,
            depthWrite: false,
            side: T.DoubleSide,
          });
      const line = new T.CylinderGeometry(0.35, 0.35, 1, 6);
      line.rotateX(Math.PI / 2);
      line.translate(0, 0, -0.5);
      this.plumb = new T.Mesh(line, paint("#ffffff", 0.75));
      this.shade = new T.Mesh(new T.CircleGeometry(9, 32), paint("#000000", 0.35));
      this.goal = new T.Mesh(new T.RingGeometry(1, 1.06, 64), paint("#e8951c", 0.95));
      this.marks = [this.plumb, this.shade, this.goal];
      for (const m of this.marks) {
        m.name = "held mark";
        m.renderOrder = 8;
        this.bodies.root.add(m);
      }
    }

    // where the piece hangs, against where it belongs
    show_marks(top, away) {
      const [x, y] = this.parts[this.number].at,
        closed = away < NEAR;
      this.plumb.position.copy(top.position);
      this.plumb.scale.z = Math.max(top.position.z, 0.1);
      this.shade.position.set(top.position.x, top.position.y, 0.6);
      this.goal.position.set(x, y, 0.9);
      const radius = 15 + Math.min(away, 40);
      this.goal.scale.set(radius, radius, 1);
      this.goal.material.color.set(closed ? "#2fae66" : "#e8951c");
      if (closed && !this.closed) {
        window.shutokoSounds?.wood(0.08);
        navigator.vibrate?.(4);
      }
      this.closed = closed;
      this.bodies.closed = closed;
    }

    take() {
      const part = this.parts[this.number];
      this.motion = new Motion(part.tremble);
      this.meshes = this.bodies.carry(part.pieces, this.unit);
      Object.assign(this, {
        u: this.start(part),
        want: null,
        moved: false,
        height: part.tremble.lift,
        turn: 0,
        lowering: false,
        going: false,
        began: performance.now(),
        seen: performance.now(),
      });
      this.step(this.began);
    }

    // a piece is taken up on the side of the tray, not over its place
    start({ at }) {
      const dx = this.tray[0] - at[0],
        dy = this.tray[1] - at[1],
        far = Math.hypot(dx, dy) || 1,
        share = Math.min(REACH, far) / far;
      return [dx * share, dy * share];
    }

    // the hand goes after the mouse, as fast as a hand goes
    follow(passed) {
      if (!this.want) return;
      const dx = this.want[0] - this.u[0],
        dy = this.want[1] - this.u[1],
        far = Math.hypot(dx, dy),
        share = far > QUICK * passed ? (QUICK * passed) / far : 1;
      this.u = [this.u[0] + dx * share, this.u[1] + dy * share];
      if (share === 1) this.want = null;
    }

    step(now) {
      const part = this.parts[this.number],
        passed = Math.min((now - this.seen) / 1000, 0.1);
      this.seen = now;
      this.follow(passed);
      if (this.lowering) this.height = Math.max(this.height - SINKING * passed, 0);
      const time = (now - this.began) / 1000;
      this.motion.lead(
        time,
        clamp(this.u[0], this.motion.far - 1),
        clamp(this.u[1], this.motion.far - 1),
        this.height,
        this.turn,
      );
      const [shift, turn] = this.motion.pose(),
        T = this.THREE,
        rad = Math.PI / 180;
      const twist = new T.Quaternion().setFromEuler(
        new T.Euler(turn[0] * rad, turn[1] * rad, turn[2] * rad, "ZYX"),
      );
      this.meshes.forEach((m, i) => {
        const [p, q] = m.userData.meant,
          [dx, dy] = part.tremble.crooked[i] ?? [0, 0];
        m.position.set(p.x + shift[0] + dx, p.y + shift[1] + dy, p.z + shift[2]);
        m.quaternion.copy(twist).multiply(q);
      });
      const top = this.meshes.at(-1);
      this.tool.position.copy(top.position);
      this.tool.rotation.z = new T.Euler().setFromQuaternion(top.quaternion, "ZYX").z;
      this.tool.hold(part.wide);
      this.show_marks(top, Math.hypot(shift[0], shift[1]));
      this.show_tremble(time);
      this.bodies.stale = true;
      if (time > this.motion.seconds) this.led() ? this.let_go() : this.put_back();
      return true;
    }

    // whether anybody has led the piece; what nobody leads is put back, not dropped
    led() {
      return this.number > 0 || this.turn !== 0 || this.height < this.motion.lift || this.moved;
    }

    // how much the hand trembles by now: it grows until it has tired, and in the end the piece slips
    show_tremble(time) {
      const { calm, tiring, most, seconds } = this.motion,
        strength = Math.min((calm + tiring * time) / most, 1);
      const share = Math.round(100 * Math.max(strength, time / seconds));
      if (share === this.told) return;
      this.told = share;
      /** @type {HTMLElement | null} */
      const meter = document.querySelector("[data-tremble]");
      meter?.setAttribute("aria-valuenow", String(share));
      meter?.style.setProperty("--share", `${share}%`);
    }

    tell(type, more) {
      this.bodies.renderer.domElement.dispatchEvent(
        new CustomEvent("hand", { bubbles: true, detail: { type, x: 0, y: 0, ...more } }),
      );
    }

    let_go() {
      if (this.going) return; // whoever holds for too long lets go in the very step that is made here
      this.going = true;
      this.step(performance.now());
      window.shutoko_let_go = this.motion.pose(); // what the server must come to
      this.traces.push(this.motion.trace);
      const rests = this.meshes.map((m) => [m, m.position.z - this.motion.pose()[0][2]]);
      rests.forEach(([m, z]) => {
        m.position.z = z;
      });
      this.placed.push(...this.meshes);
      const fell = Math.min(this.height / this.motion.lift, 1);
      window.shutokoSounds?.wood((this.parts[this.number].wide > 25 ? 0.7 : 0.4) * (0.5 + fell));
      navigator.vibrate?.(10);
      this.number += 1;
      if (this.number < this.parts.length) {
        this.take();
        this.tell("next", { part: this.number });
        return;
      }
      const traces = this.traces;
      this.leave();
      this.tell("placed", { traces });
    }

    leave() {
      if (this.bodies.held !== this) return;
      for (const m of [...this.placed, ...this.meshes, ...this.marks]) this.bodies.root.remove(m);
      this.bodies.root.remove(this.tool);
      removeEventListener("keydown", this.key, true);
      removeEventListener("keyup", this.key, true);
      if (this.bodies.controls) this.bodies.controls.enabled = this.was_enabled;
      this.bodies.held = null;
      this.bodies.stale = true;
      const { camera, controls } = this.bodies;
      if (this.view)
        this.bodies.flight = {
          t0: performance.now(),
          ms: 600,
          from: [camera.position.clone(), controls.target.clone()],
          to: this.view,
        };
    }

    put_back() {
      this.leave();
      this.tell("put-back");
    }

    // the one thing that both the mouse button and the button of the page do: lower as long as it is pressed, then let go
    lower(on) {
      const was = this.lowering;
      this.lowering = on;
      if (was && !on && this.height < LOW * this.motion.lift) this.let_go();
    }

    // the mouse carries, and lowers while pressed; a finger pulls along, a second one lowers and turns
    pointer(type, e, level) {
      const [x, y, z] = this.parts[this.number].at,
        touch = e.pointerType === "touch";
      const at = level(z),
        here = at && [at.x - x, at.y - y];
      if (type === "pointermove") {
        if (!touch) {
          if (here) {
            this.want = here;
            this.moved = true;
          }
        } else if (this.fingers.has(e.pointerId)) {
          const before = this.fingers.get(e.pointerId),
            [first] = this.fingers.keys(),
            angle = this.slant();
          this.fingers.set(e.pointerId, { here, x: e.clientX, y: e.clientY });
          this.moved = true;
          if (e.pointerId === first && here && before.here)
            this.u = [this.u[0] + here[0] - before.here[0], this.u[1] + here[1] - before.here[1]];
          if (this.fingers.size > 1) {
            const turned = this.slant() - angle;
            this.twist((-Math.atan2(Math.sin(turned), Math.cos(turned)) * 180) / Math.PI);
          }
        }
      } else if (type === "pointerdown" && !e.button) {
        if (touch) this.fingers.set(e.pointerId, { here, x: e.clientX, y: e.clientY });
        if (!touch || this.fingers.size > 1) this.lower(true);
      } else if (type === "pointerup" || type === "pointercancel") {
        const fingers = this.fingers.size;
        this.fingers.delete(e.pointerId);
        if (!touch || fingers > 1) this.lower(false);
      }
    }

    slant() {
      const [a, b] = this.fingers.values();
      return b ? Math.atan2(b.y - a.y, b.x - a.x) : 0;
    }

    twist(degrees) {
      this.turn = clamp(this.turn + degrees, 90);
    }

    pressed(e) {
      if (e.ctrlKey || e.altKey || e.metaKey || e.target.closest?.("input, select, textarea"))
        return;
      const away = Math.hypot(...this.u),
        far = e.shiftKey ? 0.2 : away > 12 ? 5 : 1,
        down = e.type === "keydown";
      const ways = {
        ArrowLeft: [-far, 0],
        ArrowRight: [far, 0],
        ArrowUp: [0, far],
        ArrowDown: [0, -far],
      };
      const deeds = {
        q: () => this.twist(TURN),
        e: () => this.twist(-TURN),
        Enter: () => !e.repeat && this.let_go(),
        Escape: () => this.put_back(),
      };
      const way = ways[e.key],
        deed = deeds[e.key.length === 1 ? e.key.toLowerCase() : e.key];
      if (!way && !deed && e.key !== " ") return;
      e.preventDefault();
      e.stopImmediatePropagation();
      if (e.key === " ")
        this.lowering = down; // Enter lets go
      else if (down && way) {
        this.want = null;
        this.moved = true;
        this.u = [this.u[0] + way[0], this.u[1] + way[1]];
      } else if (down) deed();
    }
  }

  const held = () => window.__bodies?.held;
  window.shutokoHand = {
    take: (bodies, THREE, parts, unit, tray) => new Hand(bodies, THREE, parts, unit, tray),
    lower: (on) => held()?.lower(on),
    twist: (degrees) => held()?.twist(degrees),
    letGo: () => held()?.let_go(),
    putBack: () => held()?.put_back(),
  };
})();
