// The pieces of a table as one three.js object: moved by one message, with shadows, ghosts, films, and picking on the table.
// The same file draws the scene in NiceGUI (`shutoko.web.views.stage`) and in an exported page (`shutoko.export.page`).
// Lengths are millimetres, z is up; poses come as base64 int16: x y z in `unit` mm, then x y z of a quaternion with w >= 0.
import { THREE } from "nicegui-scene";
import { Look } from "shutoko-look";

const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const shorts = (text) => new Int16Array(bytes(text).buffer);
const V = (a) => new THREE.Vector3(...a);
const calm = window.matchMedia?.("(prefers-reduced-motion: reduce)"); // then the camera is at once where it goes

function pose(s, at, unit) {
  const x = s[at + 3] / 32767,
    y = s[at + 4] / 32767,
    z = s[at + 5] / 32767;
  const w = Math.sqrt(Math.max(0, 1 - x * x - y * y - z * z));
  return [
    new THREE.Vector3(s[at] * unit, s[at + 1] * unit, s[at + 2] * unit),
    new THREE.Quaternion(x, y, z, w),
  ];
}

// stripes of black and white over a piece's own colours: no player has such pieces
const hatched = function hatch(shader) {
  shader.fragmentShader = shader.fragmentShader.replace(
    "#include <dithering_fragment>",
    `#include <dithering_fragment>
    gl_FragColor.rgb = mix(gl_FragColor.rgb, vec3(step(0.5, fract((gl_FragCoord.x + gl_FragCoord.y) / 10.0))), 0.7);`,
  );
};

// Materials are compiled anew, since the lamps have changed.
const renewed = (scene) => {
  scene.traverse((o) => {
    if (o.material) o.material.needsUpdate = true;
  });
};

export default class Bodies {
  /** @type {number | undefined} the angle of the camera as it was placed, in degrees */
  fov;
  /** @type {any} the hand of films */
  hand;
  /** @type {boolean} the window has changed: the camera fits once more */
  fits_anew = false;
  /** @type {any[]} the height on the ghost, and what makes it higher or lower */
  signs = [];
  /** @type {any[]} what glows on the pillars from which a road may leave */
  glows = [];
  /** @type {any[]} payments on their way from tray to tray */
  gifts = [];
  /** @type {any[]} the felt of the trays, by seat */
  trays = [];
  /** @type {Map<string, any>} where each piece in stock lies: its mesh, its number there, its pose */
  stocked = new Map();
  /** @type {any} the slow turn of the camera around a finished city: when it began and was last seen */
  orbiting = null;

  // shapes: {key: [mm of a unit, corners int16, normals int8, sRGB colours uint8]} of triangles, base64
  create_mesh(shapes, bodies, unit, look) {
    this.root = new THREE.Group();
    this.root.name = "bodies";
    this.geometries = new Map();
    this.meshes = new Map();
    this.ghosts = [];
    this.tints = new Map();
    this.pulses = [];
    this.marks = [];
    this.offers = [];
    this.style = { nearest: 650, ...look };
    this.stale = true;
    this.drawn = 0;
    this.look_of = new Look(look.plain);
    this.eases = !this.look_of.plain && typeof look.plain !== "boolean";
    this.paced = [];
    const ground = this.look_of.table(),
      { sun, sky } = this.look_of;
    this.ground = ground;
    this.piles = [];
    this.root.add(ground, sun, sun.target, sky);
    this.shapes(shapes);
    this.show(bodies, unit, 0);
    ground.onBeforeRender = (renderer, scene, camera) => {
      ground.onBeforeRender = () => {};
      this.prepare(renderer, scene, camera);
      this.draw_when_needed(renderer);
    };
    document.addEventListener("visibilitychange", () => {
      this.stale = true;
    });
    window.__bodies = this;
    return this.root;
  }

  // NiceGUI and the exported page ask for a picture at each refresh of the screen. This skips a picture that would equal the last
  // one, and on a plain scene (slow machines) draws some thirty a second at most.
  draw_when_needed(renderer) {
    const draw = renderer.render.bind(renderer);
    let last = [],
      drawn_at = -Infinity,
      asked_at = -Infinity;
    renderer.render = (scene, camera) => {
      this.prepare(renderer, scene, camera);
      const asked = performance.now(),
        moving = this.step(asked);
      if (drawn_at === asked_at) this.ease(asked - asked_at, renderer, scene); // the last look drew: this is what that took
      asked_at = asked;
      camera.updateMatrixWorld();
      const { width, height } = renderer.domElement;
      const seen = [
        width,
        height,
        ...camera.matrixWorld.elements,
        ...camera.projectionMatrix.elements,
      ];
      const same = (value, i) => Math.abs(value - last[i]) < 1e-5 * (1 + Math.abs(value)); // controls tremble by rounding
      if (!moving && !this.stale && seen.every(same)) return;
      if (this.look_of.plain && asked - drawn_at < 28) {
        this.stale = true;
        return;
      } // the picture is due at the next look
      drawn_at = asked;
      last = seen;
      this.stale = false;
      this.drawn += 1;
      this.part_signs();
      draw(scene, camera);
      if (this.style.fills) window.shutokoRoom?.drawn(this);
    };
  }

  // Where pictures take too long, they get coarser, then lose their shadows. `gap` is in milliseconds: from the refresh of the screen
  // that drew a picture to the next one.
  ease(gap, renderer, scene) {
    if (!this.eases || gap > 1000) return;
    this.paced.push(gap);
    if (this.paced.length < 24) return;
    const slow = this.paced.reduce((sum, one) => sum + one) / this.paced.length > 45;
    this.paced = [];
    if (!slow) return;
    if (renderer.getPixelRatio() > 1) return renderer.setPixelRatio(1);
    this.eases = renderer.shadowMap.enabled = false;
    renewed(scene);
  }

  prepare(renderer, scene, camera) {
    if (this.renderer !== renderer) {
      this.renderer = renderer;
      renderer.shadowMap.enabled = !this.look_of.plain;
      renderer.shadowMap.type = THREE.PCFShadowMap; // the one that is softened by the lamp's radius
      renderer.setClearColor("#2e2419");
      renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
      scene.children.forEach((l) => {
        if (l.isAmbientLight || l.isDirectionalLight) l.intensity = 0;
      });
      renewed(scene);
    }
    if (this.style.fills) this.make_room(renderer.domElement, camera);
    // the camera was placed for a picture of 900 to 640: a narrower one sees less to the sides, so it opens further
    this.fov ??= camera.fov;
    const base = this.fov,
      half = Math.tan((base * Math.PI) / 360);
    const fov =
      camera.aspect < 1.4 ? (Math.atan((half * 1.4) / camera.aspect) * 360) / Math.PI : base;
    if (Math.abs(camera.fov - fov) > 0.01) {
      camera.fov = fov;
      camera.updateProjectionMatrix();
    }
    if (this.camera !== camera) {
      this.camera = camera;
      this.listen(renderer.domElement);
      const holder = window.getElement?.(Number(renderer.domElement.parentElement.id.slice(1)));
      if (holder?.controls) this.held_by(holder.controls);
      // The table has no labels. NiceGUI's renderers of labels would still change the page, and so redraw it, at each refresh.
      for (const labels of [holder?.text_renderer, holder?.text3d_renderer])
        if (labels) labels.render = () => {};
      if (this.controls && this.style.fills) this.fly(this.eyeward(), this.everything(), 1);
      else if (this.controls && this.wide) this.follow(this.beside, 1);
      else if (this.controls && camera.aspect < 1.2) this.fly(this.eyeward(), this.everything(), 1);
    }
    if (this.fits_anew) {
      this.fits_anew = false;
      this.fit(1);
    }
    this.shelved = camera.aspect > 1.2 && renderer.domElement.clientHeight > 480; // on a phone there is no room for trays
    for (const m of this.piles) m.visible = this.shelved;
    const target = this.controls?.target;
    if (target && target.z < 0) target.z = 0; // with maxPolarAngle this keeps the eye above the table
    if (this.look_of.light()) this.stale = true;
    if (target)
      this.look_of.uniforms.middle.value.set(
        target.x,
        target.y,
        camera.position.distanceTo(target) * Math.tan((camera.fov * Math.PI) / 360),
      );
  }

  // --- the camera -----------------------------------------------------------------------------------------------------------

  // `controls` are three.js's OrbitControls
  held_by(controls) {
    this.controls = controls;
    Object.assign(controls, { maxPolarAngle: 1.5, minDistance: 80, maxDistance: 2400 });
  }

  // Somebody has turned the camera: it stays as it is. A tap alone, with which its controls begin as well, turns nothing.
  turned() {
    if (!this.controls) return;
    this.own_view = true;
    this.flight = this.orbiting = null;
  }

  // The camera goes once around the finished city, unless motion is to be reduced or somebody has chosen a view.
  orbit() {
    if (calm?.matches || this.own_view) return;
    const now = performance.now();
    this.orbiting = { from: now, seen: now };
  }

  // The camera comes nearer and goes away as it turns, so that all pieces stay where nothing floats over the picture.
  turn_around(now) {
    const ROUND = 75000, // ms
      OFTEN = 250, // ms between two looks at how far away that is
      { from, seen, looked } = this.orbiting;
    this.orbiting.seen = now;
    if (this.flight || this.film) return;
    const { position } = this.camera,
      { target } = this.controls;
    const turn = (2 * Math.PI * (now - seen)) / ROUND,
      eyeward = this.eyeward().applyAxisAngle(V([0, 0, 1]), turn);
    if (!looked || now - looked > OFTEN)
      Object.assign(this.orbiting, { looked: now, to: this.view(eyeward, this.everything()) });
    const [eye, middle] = this.orbiting.to,
      part = 1 - Math.exp((seen - now) / OFTEN);
    const far = position.distanceTo(target) * (1 - part) + eye.distanceTo(middle) * part;
    target.lerp(middle, part);
    position.copy(target).addScaledVector(eyeward, far);
    this.camera.lookAt(target);
    if (now - from > ROUND) this.orbiting = null;
  }

  // Moves the camera to where it sees all pieces: at an elevation (degrees), or null for its present direction. It keeps following
  // the pieces until somebody turns it.
  look(elevation, ms) {
    this.own_view = false;
    const e = (elevation * Math.PI) / 180;
    this.fly(
      elevation === null ? this.eyeward() : V([0, -Math.cos(e), Math.sin(e)]),
      this.everything(),
      ms,
    );
  }

  // Where the table fills the window, the middle of the picture is the middle of what nothing floats over: `--above`, `--below`
  // and `--beside` (at the right) of the page are the pixels that are taken at the edges.
  make_room(dom, camera) {
    const wide = dom.clientWidth,
      high = dom.clientHeight,
      style = getComputedStyle(dom);
    const edge = (name) => Number.parseFloat(style.getPropertyValue(name)) || 0;
    const now = [wide, high, edge("--above"), edge("--below"), edge("--beside")];
    if (!wide || now.every((v, i) => v === this.edges?.[i])) return;
    const first = !this.edges;
    this.edges = now;
    camera.setViewOffset(wide, high, now[4] / 2, (now[3] - now[2]) / 2, wide, high);
    this.stale = true;
    this.fits_anew = !first && !this.own_view && !this.held && !this.film;
  }

  // the share of the height that nothing floats over
  get free() {
    return this.edges ? Math.max(1 - (this.edges[2] + this.edges[3]) / this.edges[1], 0.3) : 1;
  }

  // the same of the width
  get free_wide() {
    return this.edges ? Math.max(1 - this.edges[4] / this.edges[0], 0.3) : 1;
  }

  // The camera fits after a ply, if the pieces fill much less or more than they might.
  fit(ms = 700, poses = undefined) {
    if (!this.camera || !this.controls) return;
    const before = this.flight,
      eye = this.camera.position.clone(),
      at = this.controls.target.clone();
    this.fly(this.eyeward(), this.everything(poses), ms);
    const to = this.flight?.to;
    if (!to || this.flight === before) return;
    const far = to[0].distanceTo(to[1]);
    if (Math.abs(eye.distanceTo(at) / far - 1) < 0.06 && at.distanceTo(to[1]) < 0.04 * far)
      this.flight = before;
  }

  // Follows what happens: the camera moves if not all of it is in the picture.
  follow(corners, ms = 700) {
    if (!this.camera || !this.controls || !corners.length || corners.every((c) => this.sees(c)))
      return false;
    this.fly(this.eyeward(), [...this.everything(), ...corners], ms);
    return true;
  }

  // all pieces, and beside them what is in stock if the picture is wide
  everything(poses = undefined) {
    if (this.style.fills) {
      const pieces = this.extent(this.meshes.values(), poses);
      if (this.meshes.size > 16) return pieces;
      const far = this.meshes.size ? 115 : 165; // an entrance reaches farther than the first roads
      const around = [-115, 115].flatMap((x) => [-far, far].map((y) => V([x, y, 0])));
      const stock = this.wide && !this.meshes.size ? this.beside : [];
      return [...pieces, ...around, ...stock]; // room for the first roads
    }
    return [...this.extent(this.meshes.values()), ...(this.wide ? this.beside : [])];
  }

  get wide() {
    return this.shelved && this.beside?.length > 0;
  }

  // where some corners are on the page: [left, top, right, bottom] in pixels
  seen_at(corners) {
    const r = this.renderer.domElement.getBoundingClientRect(),
      at = corners.map((c) => c.clone().project(this.camera)),
      x = at.map((v) => r.left + ((v.x + 1) / 2) * r.width),
      y = at.map((v) => r.top + ((1 - v.y) / 2) * r.height);
    return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)];
  }

  // of each tray, by seat: where it is on the page, and where each disc on it is
  shelves() {
    return this.trays.map(([m], seat) => {
      const discs = [...this.stocked].filter(([name]) => name.startsWith(`stock ${seat} disc`));
      return {
        at: this.seen_at(this.extent([m])),
        discs: discs.map(([, [mesh, , p, q]]) =>
          this.seen_at(this.extent([mesh], new Map([[mesh, [p, q]]]))),
        ),
      };
    });
  }

  eyeward() {
    return this.camera.position.clone().sub(this.controls.target).normalize();
  }

  sees(corner) {
    const at = corner.clone().project(this.camera);
    const [wide, high, above, below, beside] = this.edges ?? [1, 1, 0, 0, 0],
      top = 1 - (2 * above) / high,
      bottom = -1 + (2 * below) / high;
    return (
      at.x > -0.96 &&
      at.x < Math.min(1 - (2 * beside) / wide, 0.96) &&
      at.y < Math.min(top, 0.96) &&
      at.y > Math.max(bottom, -0.96) &&
      at.z < 1
    );
  }

  // the corners of the boxes around some pieces, where these are or at given poses
  extent(meshes, poses) {
    const found = [];
    for (const m of meshes) {
      m.geometry.boundingBox ?? m.geometry.computeBoundingBox();
      const { min, max } = m.geometry.boundingBox,
        [p, q] = poses?.get(m) ?? [m.position, m.quaternion];
      for (let k = 0; k < 8; k++) {
        found.push(
          V([k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z])
            .applyQuaternion(q)
            .add(p),
        );
      }
    }
    return found;
  }

  // moves the camera, which looks against `eyeward`, to where it has all corners in the picture
  fly(eyeward, corners, ms, nearest = this.style.nearest) {
    if (!this.camera || !this.controls || !corners.length) return;
    this.flight = {
      t0: performance.now(),
      ms: Math.max(ms, 1),
      from: [this.camera.position.clone(), this.controls.target.clone()],
      to: this.view(eyeward, corners, nearest),
    };
  }

  // from where, and at what, the camera looks then
  view(eyeward, corners, nearest = this.style.nearest) {
    nearest *= Math.min(1, this.camera.aspect / 1.4); // a narrow picture is opened further, and would show all smaller
    const box = new THREE.Box3().setFromPoints(corners),
      target = box.getCenter(V([0, 0, 0]));
    const right = V([0, 0, 1]).cross(eyeward).normalize(),
      up = eyeward.clone().cross(right);
    const half = Math.tan((this.camera.fov * Math.PI) / 360),
      high = 0.84 * half * this.free,
      wide = 0.92 * half * this.camera.aspect * this.free_wide;
    let distance = nearest;
    for (const corner of corners) {
      const q = corner.clone().sub(target),
        nearer = q.dot(eyeward);
      distance = Math.max(
        distance,
        nearer + Math.abs(q.dot(right)) / wide,
        nearer + Math.abs(q.dot(up)) / high,
      );
    }
    if (this.style.fills)
      distance = this.centre(eyeward, corners, target, distance, nearest, high, wide);
    return [target.clone().addScaledVector(eyeward, distance), target];
  }

  // Moves a target over the table to where the corners are in the middle of the picture; returns how far the camera must be, given a
  // distance that is no nearer than the corners.
  centre(eyeward, corners, target, distance, nearest, high, wide) {
    const right = V([0, 0, 1]).cross(eyeward).normalize(),
      up = eyeward.clone().cross(right),
      ahead = V([up.x, up.y, 0]);
    if (ahead.length() < 0.05) ahead.set(0, 1, 0);
    ahead.normalize();
    for (let i = 0; i < 6; i++) {
      const x = [],
        y = [];
      for (const corner of corners) {
        const q = corner.clone().sub(target),
          depth = Math.max(distance - q.dot(eyeward), 1);
        x.push(q.dot(right) / depth);
        y.push(q.dot(up) / depth);
      }
      const least = (v) => Math.min(...v),
        most = (v) => Math.max(...v);
      target.addScaledVector(right, ((least(x) + most(x)) / 2) * distance);
      target.addScaledVector(ahead, (((least(y) + most(y)) / 2) * distance) / ahead.dot(up));
      const share = Math.max((most(x) - least(x)) / 2 / wide, (most(y) - least(y)) / 2 / high);
      distance = Math.max(distance * share, nearest);
    }
    return distance;
  }

  soar(now) {
    const { t0, ms, from, to } = this.flight,
      t = calm?.matches ? 1 : Math.min(1, (now - t0) / ms),
      s = t * t * (3 - 2 * t);
    this.camera.position.lerpVectors(from[0], to[0], s);
    this.controls.target.lerpVectors(from[1], to[1], s);
    this.camera.lookAt(this.controls.target);
    if (t >= 1) this.flight = null;
  }

  // --- pieces ---------------------------------------------------------------------------------------------------------------

  shapes(shapes) {
    for (const [key, [unit, corner, normal, colour]] of Object.entries(shapes)) {
      if (this.geometries.has(key)) continue;
      const g = new THREE.BufferGeometry(),
        put = (name, array) => g.setAttribute(name, new THREE.BufferAttribute(array, 3));
      put(
        "position",
        Float32Array.from(shorts(corner), (v) => v * unit),
      );
      put(
        "normal",
        Float32Array.from(new Int8Array(bytes(normal).buffer), (v) => v / 127),
      );
      put(
        "color",
        Float32Array.from(bytes(colour), (v) => (v / 255) ** 2.2),
      );
      this.geometries.set(key, g);
    }
  }

  material(shape, opacity, tint) {
    const key = `${shape} ${opacity} ${tint}`;
    if (!this.tints.has(key)) {
      const own = !tint || tint === "hatch",
        geometry = this.geometries.get(shape);
      const m = new THREE.MeshStandardMaterial({
        vertexColors: own,
        roughness: 0.72,
        transparent: opacity < 1,
        opacity,
        depthWrite: opacity === 1,
      });
      m.name = tint;
      if (own) {
        geometry.boundingBox ?? geometry.computeBoundingBox();
        this.look_of.dress(
          m,
          shape.split(" ")[0],
          geometry.boundingBox.max.clone(),
          tint ? hatched : null,
        );
      } else m.color.set(tint);
      this.tints.set(key, m);
    }
    return this.tints.get(key);
  }

  mesh(name, key, opacity = 1, tint = "") {
    const m = new THREE.Mesh(this.geometries.get(key), this.material(key, opacity, tint));
    m.userData.key = key;
    m.name = name;
    m.castShadow = opacity === 1;
    m.receiveShadow = opacity === 1;
    this.root.add(m);
    return m;
  }

  // bodies: {name: shape key}; poses packed in the same order; what is not named is taken off
  show([names, packed], unit, ms) {
    this.film = null;
    this.hatch([], 0, 0);
    const s = shorts(packed),
      to = new Map();
    Object.entries(names).forEach(([name, key], i) => {
      const there = this.meshes.get(name),
        target = pose(s, 6 * i, unit);
      if (there && there.userData.key !== key) {
        this.root.remove(there);
        this.meshes.delete(name);
      }
      if (this.meshes.has(name)) this.meshes.get(name).visible = true;
      else {
        const m = this.mesh(name, key);
        m.userData.key = key;
        m.position.copy(target[0]);
        m.quaternion.copy(target[1]);
        this.meshes.set(name, m);
      }
      to.set(name, target);
    });
    for (const [name, m] of this.meshes)
      if (!to.has(name)) {
        this.root.remove(m);
        this.meshes.delete(name);
      }
    this.glide(to, ms);
    if (this.style.fills && !this.own_view && !this.held) {
      const places = new Map([...to].map(([name, at]) => [this.meshes.get(name), at]));
      this.fit(700, places);
    } else if (!this.own_view)
      this.follow(
        this.extent(
          this.meshes.values(),
          new Map([...to].map(([name, at]) => [this.meshes.get(name), at])),
        ),
      );
  }

  // packed poses of all bodies in the order of their names, as they were shown
  set_poses(packed, unit, ms) {
    const s = shorts(packed),
      to = new Map();
    let i = 0;
    for (const name of this.meshes.keys()) to.set(name, pose(s, 6 * i++, unit));
    this.frames = (this.frames || 0) + 1;
    this.glide(to, ms);
  }

  glide(to, ms) {
    this.stale = true;
    if (!ms) {
      this.tween = null;
      for (const [name, [p, q]] of to) {
        const m = this.meshes.get(name);
        m.position.copy(p);
        m.quaternion.copy(q);
      }
      this.ground_pieces();
      return;
    }
    const from = new Map(
      [...to.keys()].map((n) => [
        n,
        [this.meshes.get(n).position.clone(), this.meshes.get(n).quaternion.clone()],
      ]),
    );
    this.tween = { to, from, t0: performance.now(), ms };
  }

  // a film: pieces that move, {name: shape key}; frames of packed poses; -32768 in the place of x means: not there
  // `slowed`: stretches of time (s) that take longer, [[from, to, times], ...]; the first one is a fall, and the camera goes there
  // `watched`: pieces that will not stand, to which the camera goes if nothing else falls
  // `roams`: a see-through build that looks for its place before, [pieces, colour, ms], so that one sees a player and not a jump
  play(names, packed, unit, dt, skip = 0, slowed = [], watched = [], roams = null) {
    this.film?.(Infinity); // one that is still running is cut to its end
    this.orbiting = null;
    const s = shorts(packed),
      keys = Object.entries(names),
      n = keys.length,
      count = s.length / (6 * n);
    const meshes = keys.map(([name, key]) => {
      if (!this.meshes.has(name)) {
        const m = this.mesh(name, key);
        m.userData.key = key;
        m.visible = false;
        this.meshes.set(name, m);
      }
      return this.meshes.get(name);
    });
    const start = performance.now() - skip * dt * 1000 + (roams?.[2] ?? 0);
    if (roams) this.roam(roams, unit);
    this.films = (this.films || 0) + 1;
    const view = this.controls && [this.camera.position.clone(), this.controls.target.clone()];
    const deeds = this.deeds(meshes, s, n, count, unit);
    this.hand ??= this.root.add(this.look_of.fingers(10)).children.at(-1);
    const hand = this.hand;
    const back = this.follow_film(meshes, s, n, count, unit) && view; // a view that somebody chose comes back
    const on = (wall) => {
      let t = wall;
      for (const [from, to, times] of slowed) {
        const longer = (to - from) * times;
        if (t <= from) break;
        if (t < from + longer) return from + (t - from) / times;
        t -= longer - (to - from);
      }
      return t;
    };
    let near = false;
    this.film = (now) => {
      if (now < start && roams) return this.wander(1 - (start - now) / roams[2]);
      if (this.roaming) this.wander(1);
      const f = Math.min(Math.max(on((now - start) / 1000) / dt, 0), count - 1),
        i = Math.min(Math.floor(f), Math.max(count - 2, 0)),
        part = f - i;
      meshes.forEach((m, k) => {
        const a = 6 * (i * n + k),
          b = 6 * (Math.min(i + 1, count - 1) * n + k),
          there = s[b] !== -32768;
        m.visible = there;
        if (!there) return;
        const [p, q] = pose(s, b, unit);
        if (s[a] !== -32768) {
          const [p0, q0] = pose(s, a, unit);
          m.position.lerpVectors(p0, p, part);
          m.quaternion.slerpQuaternions(q0, q, part);
        } else {
          m.position.copy(p);
          m.quaternion.copy(q);
        }
      });
      const slow = slowed.some(([from, to]) => f * dt >= from && f * dt <= to + dt);
      this.act(deeds, f, dt, hand, now !== Infinity, slow);
      if (!near && slowed.length && f * dt >= slowed[0][0] && f < count - 1) {
        near = true;
        this.go_near(deeds.filter(({ fell }) => fell).map(({ m }) => m));
      } else if (!near && !slowed.length && f < count - 1) {
        const lost = meshes.filter((m) => m.visible && watched.includes(m.name));
        near = lost.length > 0;
        this.go_near(lost);
      }
      if (f < count - 1) return;
      this.film = null;
      this.stale = true;
      hand.visible = false;
      for (const m of meshes)
        if (!m.visible) {
          this.root.remove(m);
          this.meshes.delete(m.name);
        }
      this.ground_pieces();
      if (this.style.fills && !this.own_view && !this.held) this.fit();
      if (back && this.own_view)
        this.flight = {
          t0: now,
          ms: 700,
          from: [this.camera.position.clone(), this.controls.target.clone()],
          to: back,
        };
    };
    this.film(performance.now());
  }

  // the camera goes to what falls, unless somebody has chosen a view
  go_near(fallen) {
    if (this.own_view || !fallen.length || !this.style.fills) return;
    const corners = this.extent(fallen.slice(0, 6)).flatMap((c) => [c, V([c.x, c.y, 0])]);
    this.fly(this.eyeward(), corners, 350, 340);
  }

  // a see-through build that looks for its place: it comes from a side, stops short of it, and is there
  roam([[names, packed], tint], unit) {
    this.ghost([names, packed], unit, tint);
    const at = this.ghosts.map((m) => m.position.clone()),
      side = Math.random() < 0.5 ? 1 : -1;
    this.roaming = { at, side };
    this.wander(0);
  }

  wander(share) {
    if (share >= 1) {
      this.roaming = null;
      this.ghost([{}, ""], 1, "");
      return;
    }
    const { at, side } = this.roaming,
      s = Math.min(share / 0.8, 1), // the last fifth it stands still
      far = calm?.matches ? 0 : 75 * (1 - s) ** 2 + 14 * Math.sin(5 * s) * (1 - s),
      angle = side * (2.2 - 1.6 * s);
    this.ghosts.forEach((m, i) => {
      m.position.set(at[i].x + far * Math.cos(angle), at[i].y + far * Math.sin(angle), at[i].z);
    });
    this.stale = true;
  }

  // what happens in a film: which pieces the hand sets down between two frames, and when others have fallen
  deeds(meshes, s, n, count, unit) {
    const found = [];
    meshes.forEach((m, k) => {
      const z = (i) => s[6 * (i * n + k) + 2] * unit,
        there = (i) => s[6 * (i * n + k)] !== -32768;
      let from = 0;
      while (from < count && !there(from)) from++;
      if (from && from < count) {
        let to = from;
        while (to + 1 < count && there(to + 1) && z(to + 1) < z(to) - 0.2) to++;
        found.push({ m, from, to });
        return;
      }
      let high = 0;
      for (let i = 1; i < count && there(i); i++) {
        if (z(i) > z(high)) high = i;
        if (z(high) - z(i) > 8 && (i + 1 === count || z(i + 1) > z(i) - 0.5)) {
          found.push({ m, to: i, fell: true });
          break;
        }
      }
    });
    return found;
  }

  // the fingers hold what is set down and go up again; each deed has its sound when it is done
  act(deeds, f, dt, hand, heard, slow) {
    hand.visible = false;
    for (const deed of deeds) {
      const { m, from, to, fell } = deed;
      if (heard && !deed.done && f >= to) {
        deed.done = true;
        const sounds = window.shutokoSounds,
          [kind] = m.userData.key.split(" ");
        if (fell) {
          sounds?.fall(slow ? 2 : 1);
          navigator.vibrate?.(40);
        } else if (kind === "car") sounds?.car();
        else sounds?.wood(kind === "road" ? 0.4 : 0.6);
      }
      const after = (f - to) * dt;
      if (fell || f < from || after > 0.35) continue;
      if (!m.geometry.boundingBox) m.geometry.computeBoundingBox();
      const { max } = m.geometry.boundingBox;
      hand.visible = true;
      hand.hold(2 * max.y);
      hand.position.copy(m.position);
      hand.position.z += Math.max(after, 0) * 260;
      hand.rotation.z = new THREE.Euler().setFromQuaternion(m.quaternion, "ZYX").z;
    }
  }

  // where the pieces of a film begin and end, but for what rolls far away
  follow_film(meshes, s, n, count, unit) {
    const corners = [0, count - 1].flatMap((i) => {
      const poses = new Map();
      meshes.forEach((m, k) => {
        const a = 6 * (i * n + k);
        if (s[a] !== -32768) poses.set(m, pose(s, a, unit));
      });
      return this.extent(poses.keys(), poses).filter((c) => Math.hypot(c.x, c.y) < 700);
    });
    return this.follow(corners);
  }

  // what is in stock, on trays beside the table: [[x, y, width, depth, colour], ...]
  supplies([names, packed], unit, trays) {
    this.stale = true;
    for (const m of this.piles) this.root.remove(m);
    const s = shorts(packed),
      kinds = new Map();
    Object.values(names).forEach((key, i) => {
      kinds.set(key, [...(kinds.get(key) ?? []), pose(s, 6 * i, unit)]);
    });
    this.stocked.clear();
    const known = Object.entries(names);
    this.piles = [...kinds].map(([key, poses]) => {
      const m = new THREE.InstancedMesh(
          this.geometries.get(key),
          this.material(key, 1, ""),
          poses.length,
        ),
        one = V([1, 1, 1]);
      const called = known.filter(([, other]) => other === key).map(([name]) => name);
      poses.forEach(([p, q], i) => {
        m.setMatrixAt(i, new THREE.Matrix4().compose(p, q, one));
        this.stocked.set(called[i], [m, i, p, q]);
      });
      m.castShadow = m.receiveShadow = true;
      m.name = "stock";
      this.root.add(m);
      return m;
    });
    this.trays = [];
    for (const [x, y, wide, deep, colour] of trays) {
      const felt = new THREE.MeshStandardMaterial({
        color: new THREE.Color(colour).lerp(new THREE.Color("#4a423a"), 0.6),
        roughness: 1,
      });
      const m = new THREE.Mesh(new THREE.BoxGeometry(wide, deep, 0.6), felt);
      m.position.set(x, y, 0.1);
      m.receiveShadow = true;
      m.name = "tray";
      this.root.add(m);
      this.piles.push(m);
      this.trays.push([m, colour]);
    }
    if (this.lit) this.light(...this.lit);
    this.beside = trays.flatMap(([x, y, wide, deep]) =>
      [-1, 1].flatMap((i) => [-1, 1].map((j) => V([x + (i * wide) / 2, y + (j * deep) / 2, 0]))),
    );
    this.ground_pieces();
    if (!this.own_view && !this.held && this.wide && !this.style.fills) this.follow(this.beside);
  }

  // the tray of whoever is to move is lit, and what that player has chosen is lifted there; -1 and "" for none
  light(seat, chosen) {
    this.lit = [seat, chosen];
    this.stale = true;
    this.trays.forEach(([m, colour], n) => {
      m.material.emissive.set(colour);
      m.material.emissiveIntensity = n === seat ? 0.28 : 0;
    });
    const put = (name, up) => {
      const [mesh, i, p, q] = this.stocked.get(name) ?? [];
      if (!mesh) return;
      const at = new THREE.Matrix4().compose(V([p.x, p.y, p.z + up]), q, V([1, 1, 1]));
      mesh.setMatrixAt(i, at);
      mesh.instanceMatrix.needsUpdate = true;
    };
    if (this.lifted !== chosen) put(this.lifted, 0);
    put(chosen, 7);
    this.lifted = chosen;
  }

  // shadows reach as far as pieces do, and where they stand it is darker
  ground_pieces() {
    const places = [];
    let far = 260;
    for (const m of this.meshes.values()) {
      m.geometry.boundingBox ?? m.geometry.computeBoundingBox();
      const { min, max } = m.geometry.boundingBox,
        { x, y, z } = m.position,
        [kind] = m.userData.key.split(" ");
      if (Math.hypot(x, y) < 900) far = Math.max(far, Math.hypot(x, y));
      const round = Math.abs(max.x - max.y) < 0.1; // blocks have their own shadow; a round one would stick out below them
      if ((kind === "disc" || (kind === "building" && round)) && z + min.z < 2 && m.visible)
        places.push([x, y, max.x]);
    }
    for (const corner of this.beside ?? []) far = Math.max(far, Math.hypot(corner.x, corner.y));
    this.look_of.reach(100 * Math.ceil((far + 120) / 100));
    this.look_of.touch(places);
    this.stale = true;
  }

  // what is meant but not done: see-through pieces, red where it is illegal
  ghost([names, packed], unit, tint, sign = null) {
    this.stale = true;
    for (const m of [...this.ghosts, ...this.signs]) this.root.remove(m);
    this.signs = sign ? this.heights(sign) : [];
    const s = shorts(packed);
    this.ghosts = Object.entries(names).map(([name, key], i) => {
      const m = this.mesh(name, key, 0.62, tint),
        [p, q] = pose(s, 6 * i, unit);
      m.position.copy(p);
      m.quaternion.copy(q);
      return m;
    });
  }

  // the number of discs on a ghost, with what makes it one higher or lower: [discs, x, y, z, more, less]
  heights([discs, x, y, z, more, less]) {
    const made = [
      ["", String(discs), 0.5, true],
      ["higher", "+", -0.7, more],
      ["lower", "\u2212", 1.7, less],
    ];
    return made
      .filter(([, , , there]) => there)
      .map(([step, text, aside]) => {
        const s = this.label(text, step ? "#24272a" : "#2fae66");
        s.center.set(Number(aside), -0.55);
        s.position.set(x, y, z);
        s.userData.step = step;
        return s;
      });
  }

  // a label of one size (pixels) wherever it stands: square for heights, round for the numbers of hints
  label(text, colour, pixels = 42, corner = 16) {
    const s = new THREE.Sprite(
      new THREE.SpriteMaterial({
        map: this.number(text, colour, corner),
        depthTest: false,
        sizeAttenuation: false,
      }),
    );
    const size = this.dots(pixels);
    s.scale.set(size, size, 1);
    s.renderOrder = 10;
    s.name = "sign";
    this.root.add(s);
    return s;
  }

  // the size of a sign that is so many pixels high wherever it stands
  dots(pixels) {
    const half = Math.tan(((this.camera?.fov ?? 30) * Math.PI) / 360);
    return (pixels * 2 * half) / (this.renderer?.domElement.clientHeight || 640);
  }

  // the pillars from which a road may leave: [[name, x, y, z], ...]; the one that is used glows most
  bases(places, used, colour) {
    this.stale = true;
    for (const m of this.glows) this.root.remove(m);
    this.glows = places.map(([name, x, y, z]) => {
      const m = new THREE.Mesh(
        new THREE.TorusGeometry(11, name === used ? 1.6 : 0.9, 8, 40),
        new THREE.MeshBasicMaterial({
          color: name === used ? "#ffffff" : colour,
          transparent: true,
          opacity: name === used ? 0.95 : 0.6,
        }),
      );
      m.position.set(x, y, z + 0.8);
      m.name = `base ${name}`;
      this.root.add(m);
      return m;
    });
  }

  // pieces that fly from one tray to another, one after the other
  pay([names, packed], unit, from, to) {
    if (calm?.matches) return;
    const s = shorts(packed),
      now = performance.now();
    Object.entries(names).forEach(([name, key], i) => {
      const m = this.mesh(name, key),
        [, q] = pose(s, 6 * i, unit);
      m.quaternion.copy(q);
      m.visible = false;
      this.gifts.push({ m, from, to, t0: now + 160 * i });
    });
  }

  fly_gifts(now) {
    this.gifts = this.gifts.filter(({ m, from, to, t0 }) => {
      const t = (now - t0) / 900;
      if (t < 0) return true;
      if (t >= 1) {
        this.root.remove(m);
        this.stale = true;
        window.shutokoSounds?.wood(0.35);
        return false;
      }
      const s = t * t * (3 - 2 * t);
      m.visible = true;
      m.position.set(
        from[0] + (to[0] - from[0]) * s,
        from[1] + (to[1] - from[1]) * s,
        10 + 420 * t * (1 - t),
      );
      return true;
    });
  }

  // the crossings of the sentence, as long as somebody points at it
  glow() {
    const now = performance.now();
    for (const one of this.pulses) one.since = now;
    this.stale = true;
  }

  // moves that somebody advises: see-through pieces with a number above, [[number, [names, packed], [x, y, z]], ...]
  advise(moves, unit, colour) {
    this.stale = true;
    for (const m of this.offers) this.root.remove(m);
    this.offers = moves.flatMap(([rank, [names, packed], at]) => {
      const s = shorts(packed);
      const pieces = Object.entries(names).map(([name, key], i) => {
        const m = this.mesh(name, key, 0.5, colour),
          [p, q] = pose(s, 6 * i, unit);
        m.position.copy(p);
        m.quaternion.copy(q);
        return m;
      });
      const sign = this.label(String(rank), colour, 38, 42);
      sign.position.copy(V(at));
      sign.renderOrder = 9;
      for (const m of [...pieces, sign]) m.userData.rank = rank;
      return [...pieces, sign];
    });
    if (this.style.fills && this.offers.length && !this.own_view)
      this.follow(this.extent(this.offers.filter((m) => m.geometry && !m.isSprite)));
  }

  // the number of a hint stands above the handles of a ghost that would lie on it
  part_signs() {
    const { clientWidth: wide, clientHeight: high } = this.renderer.domElement,
      pixel = this.dots(1);
    const middle = (s) => {
      const at = s.position.clone().project(this.camera),
        size = s.scale.y / pixel;
      return [
        (at.x * wide) / 2 + (0.5 - s.center.x) * size,
        (at.y * high) / 2 + (0.5 - s.center.y) * size,
        size,
      ];
    };
    for (const sign of this.offers.filter((m) => m.isSprite)) {
      sign.center.y = 0.5;
      const [x, y, size] = middle(sign);
      for (const [a, b, other] of this.signs.map(middle)) {
        const apart = (size + other) / 2;
        if (Math.abs(a - x) < apart && Math.abs(b - y) < apart)
          sign.center.y = 0.5 - (b + apart + 2 - y) / size;
      }
    }
  }

  number(text, colour, corner) {
    const canvas = document.createElement("canvas"),
      c = canvas.getContext("2d");
    canvas.width = canvas.height = 96;
    c.fillStyle = colour;
    c.strokeStyle = "#ffffff";
    c.lineWidth = 7;
    c.beginPath();
    c.roundRect(6, 6, 84, 84, corner);
    c.fill();
    c.stroke();
    c.fillStyle = "#ffffff";
    c.font = "bold 60px sans-serif";
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillText(text, 48, 52);
    return Object.assign(new THREE.CanvasTexture(canvas), { colorSpace: THREE.SRGBColorSpace });
  }

  // places that pulse for a while: [[x, y, z, colour], ...]; seconds = null: they stay lit, and pulse at first only
  pulse(places, seconds) {
    for (const p of this.pulses) this.root.remove(p.ring);
    this.stale = true;
    const since = performance.now(),
      until = seconds === null ? Infinity : since + 1000 * seconds;
    this.pulses = places.map(([x, y, z, color]) => {
      const ring = new THREE.Mesh(
        new THREE.TorusGeometry(9, 1.3, 10, 40),
        new THREE.MeshBasicMaterial({ color, transparent: true }),
      );
      ring.position.set(x, y, z);
      ring.name = "pulse";
      this.root.add(ring);
      return { ring, since, until };
    });
  }

  // steady marks: bars over and under roads that say which side is free, [[x, y, z, yaw, length, colour], ...]
  mark(bars) {
    this.stale = true;
    for (const m of this.marks) this.root.remove(m);
    this.marks = bars.map(([x, y, z, yaw, length, color]) => {
      const m = new THREE.Mesh(
        new THREE.BoxGeometry(length, 2.4, 1.2),
        new THREE.MeshBasicMaterial({ color, transparent: true, opacity: 0.85 }),
      );
      m.position.set(x, y, z);
      m.rotation.z = yaw;
      m.name = "slot";
      this.root.add(m);
      return m;
    });
  }

  // pieces that fell, or lie elsewhere than was said, from a time on and until another (ms; null: for good); all others as they are
  hatch(names, from, until) {
    this.hatching?.forEach(clearTimeout);
    const paint = (some, tint) => {
      this.stale = true;
      some.forEach((m) => {
        if (m) m.material = this.material(m.userData.key, 1, tint);
      });
    };
    const plain = () => paint([...this.meshes.values()], "");
    plain();
    this.hatching =
      names.length === 0
        ? []
        : [
            setTimeout(
              () =>
                paint(
                  names.map((name) => this.meshes.get(name)),
                  "hatch",
                ),
              from,
            ),
          ];
    if (names.length && until !== null) this.hatching.push(setTimeout(plain, until));
  }

  // how likely a placement is to stand: a ring that is full where it is certain, [x, y, z, radius]; null takes it away
  ring(place, share, color, word = "") {
    this.stale = true;
    if (this.halo) this.root.remove(this.halo);
    this.halo = null;
    if (!place) return;
    const [x, y, z, radius] = place,
      paint = (tint, opacity) =>
        new THREE.MeshBasicMaterial({ color: tint, transparent: true, opacity, depthWrite: false });
    this.halo = new THREE.Group();
    this.halo.name = "ring";
    this.halo.userData.share = share;
    this.halo.add(
      new THREE.Mesh(new THREE.RingGeometry(radius, radius + 3.2, 64), paint("#ffffff", 0.35)),
    );
    this.halo.add(
      new THREE.Mesh(
        new THREE.RingGeometry(radius, radius + 3.2, 64, 1, Math.PI / 2, -2 * Math.PI * share),
        paint(color, 0.95),
      ),
    );
    this.halo.children.forEach((m, i) => {
      m.material.side = THREE.DoubleSide;
      m.position.z = 0.1 * i;
    });
    this.halo.position.set(x, y, z);
    this.root.add(this.halo);
    if (word) this.halo.add(this.tag(word, color, radius));
  }

  // a word under a ring
  tag(word, colour, radius) {
    const canvas = document.createElement("canvas"),
      c = canvas.getContext("2d"),
      font = "bold 44px system-ui, sans-serif";
    c.font = font;
    canvas.width = Math.ceil(c.measureText(word).width) + 44;
    canvas.height = 72;
    c.font = font;
    c.fillStyle = "#17191bdd";
    c.roundRect?.(0, 0, canvas.width, 72, 30);
    c.fill();
    c.fillStyle = colour;
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillText(word, canvas.width / 2, 38);
    const map = Object.assign(new THREE.CanvasTexture(canvas), {
      colorSpace: THREE.SRGBColorSpace,
    });
    const s = new THREE.Sprite(
      new THREE.SpriteMaterial({ map, depthTest: false, sizeAttenuation: false }),
    );
    const size = this.dots(28);
    s.scale.set((size * canvas.width) / 72, size, 1);
    s.center.set(0.5, 1.5);
    s.position.set(0, -radius, 0);
    s.renderOrder = 10;
    s.name = word;
    return s;
  }

  // --- by hand --------------------------------------------------------------------------------------------------------------

  // pieces that a visitor takes into the hand (static/holding.js)
  hold(parts, unit, tray) {
    this.held?.leave();
    this.held = window.shutokoHand.take(this, THREE, parts, unit, tray);
  }

  put_back() {
    this.held?.leave();
  }

  carry([names, packed], unit) {
    const s = shorts(packed);
    return Object.entries(names).map(([name, key], i) => {
      const m = this.mesh(name, key),
        at = pose(s, 6 * i, unit);
      m.userData.meant = at;
      m.name = `held ${name}`;
      return m;
    });
  }

  // what moves by itself; whether anything does
  step(now) {
    const pulses = this.pulses.some(({ since, until }) => until !== Infinity || now < since + 1600);
    const moving =
      this.film ||
      this.tween ||
      this.flight ||
      pulses ||
      this.held ||
      this.gifts.length ||
      this.orbiting;
    if (this.orbiting) this.turn_around(now);
    if (this.gifts.length) this.fly_gifts(now);
    this.held?.step(now);
    this.film?.(now);
    if (this.flight) this.soar(now);
    if (this.tween) {
      const { to, from, t0, ms } = this.tween,
        s = Math.min(1, (now - t0) / ms);
      for (const [name, [p, q]] of to) {
        const m = this.meshes.get(name),
          [p0, q0] = from.get(name);
        if (m) {
          m.position.lerpVectors(p0, p, s);
          m.quaternion.slerpQuaternions(q0, q, s);
        }
      }
      if (s >= 1) {
        this.tween = null;
        this.ground_pieces();
      }
    }
    for (const { ring, since, until } of this.pulses) {
      if (now > until) {
        this.root.remove(ring);
        continue;
      }
      const wave =
        1 + (until === Infinity && now > since + 1500 ? 0.1 : 0.25 * Math.sin(now / 140));
      ring.scale.set(wave, wave, 1);
      ring.material.opacity = Math.min(1, Math.max(0, (until - now) / 700));
    }
    this.pulses = this.pulses.filter(({ until }) => now <= until);
    return Boolean(moving);
  }

  // --- the hand -------------------------------------------------------------------------------------------------------------

  // aim (where on the table the pointer is), tap (a press that did not turn the camera), drag (a ghost that is pulled about)
  listen(dom) {
    const ray = new THREE.Raycaster(),
      plane = new THREE.Plane(V([0, 0, 1]), 0),
      hit = new THREE.Vector3(),
      offset = new THREE.Vector3();
    const ABOVE = 60; // pixels: so far above a finger is what it drags
    let grip = null,
      pulled = false,
      lifted = 0,
      down = null,
      last = 0;
    const aim = (e) => {
      const r = dom.getBoundingClientRect();
      ray.setFromCamera(
        {
          x: ((e.clientX - r.left) / r.width) * 2 - 1,
          y: 1 - ((e.clientY - lifted - r.top) / r.height) * 2,
        },
        this.camera,
      );
    };
    const tell = (type, at, e, more) =>
      dom.dispatchEvent(
        new CustomEvent("hand", {
          bubbles: true,
          detail: {
            type,
            x: at.x,
            y: at.y,
            shift: e.shiftKey,
            touch: e.pointerType === "touch",
            ...more,
          },
        }),
      );
    const level = (z) => {
      plane.constant = -z;
      return ray.ray.intersectPlane(plane, hit);
    };
    const on = (type, f) =>
      dom.parentElement.addEventListener(
        type,
        (e) => {
          if (!this.held) {
            f(e);
            return;
          }
          aim(e);
          e.stopImmediatePropagation();
          this.held.pointer(type, e, level);
        },
        { capture: true },
      );
    on("pointerdown", (e) => {
      aim(e);
      down = [e.clientX, e.clientY];
      const found = ray.intersectObjects(this.ghosts.filter((g) => !g.name.includes("-R")))[0];
      if (!found || e.button || this.sign_at(ray)) return;
      grip = found.point.z;
      pulled = false;
      if (level(grip))
        offset.set(found.object.position.x - hit.x, found.object.position.y - hit.y, 0);
      dom.setPointerCapture(e.pointerId);
      e.stopImmediatePropagation();
    });
    on("pointermove", (e) => {
      if (grip === null && e.buttons) {
        if (down && Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 6) this.turned();
        return;
      }
      if (e.timeStamp - last < 60) {
        if (grip !== null) e.stopImmediatePropagation();
        return;
      }
      last = e.timeStamp;
      if (grip !== null && !pulled) {
        const far = Math.hypot(e.clientX - down[0], e.clientY - down[1]);
        if (far < (e.pointerType === "touch" ? 10 : 4)) {
          e.stopImmediatePropagation();
          return;
        }
        pulled = true;
        lifted = e.pointerType === "touch" ? ABOVE : 0;
      }
      aim(e);
      this.point_at(ray);
      if (grip !== null) {
        e.stopImmediatePropagation();
        if (level(grip)) tell("drag", hit.add(offset), e);
      } else if (e.pointerType !== "touch" && level(0)) tell("aim", hit, e);
    });
    on("pointerup", (e) => {
      aim(e);
      lifted = 0;
      if (grip !== null) {
        e.stopImmediatePropagation();
        if (pulled && level(grip)) tell("drop", hit.add(offset), e);
        else if (level(0)) tell("tap", hit, e, { ghost: true });
        grip = null;
        return;
      }
      if (!down || e.button || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 6) return;
      down = null;
      const step = this.sign_at(ray);
      if (step && level(0)) {
        tell(step, hit, e);
        return;
      }
      const piece = ray.intersectObjects([...this.meshes.values()])[0],
        advised = ray.intersectObjects(this.offers)[0];
      if (level(0))
        tell("tap", hit, e, {
          piece: piece?.object.name ?? null,
          point: piece?.point.toArray() ?? null,
          advised: advised?.object.userData.rank ?? null,
        });
    });
    on("pointercancel", () => {
      grip = down = null;
      lifted = 0;
    });
    dom.parentElement.addEventListener(
      "wheel",
      (e) => {
        if (!this.held) {
          aim(e);
          if (!this.signs.length || !ray.intersectObjects([...this.ghosts, ...this.signs])[0]) {
            this.turned();
            return;
          }
          e.preventDefault();
          e.stopImmediatePropagation();
          if (e.timeStamp - last < 160 || !level(0)) return;
          last = e.timeStamp;
          tell(e.deltaY > 0 ? "lower" : "higher", hit, e);
          return;
        }
        e.preventDefault();
        e.stopImmediatePropagation();
        this.held.twist(e.deltaY > 0 ? -1 : 1);
      },
      { capture: true, passive: false },
    );
  }
  // which way the sign under the pointer steps; empty for none
  sign_at(ray) {
    const steps = this.signs.filter((s) => s.userData.step);
    return ray.intersectObjects(steps)[0]?.object.userData.step ?? "";
  }

  // pointing at a crossing that is lit lights up the sentence that speaks of it
  point_at(ray) {
    const lit = this.pulses.some(({ ring }) => ray.ray.distanceToPoint(ring.position) < 14);
    if (lit === this.pointed) return;
    this.pointed = lit;
    document.querySelector("[data-badge]")?.classList.toggle("lit", lit);
  }
}
