// What the table and its pieces look like: wood, concrete, asphalt, plaster with windows, light and shade. The pictures of the
// command line (shutoko/export/rendering) have the same lamp, sky and textures. Lengths are millimetres.
import { THREE } from "nicegui-scene";

const LAMP = new THREE.Vector3(-0.6, -0.36, 0.714);
const PLANK = 96,
  WIDE = 8 * PLANK,
  LONG = 2 * WIDE,
  SPOTS = 1400; // mm: of a plank, of the wood's tile, of the table with contacts
const TAU = 2 * Math.PI;

function dice(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

// smooth noise from 0 to 1 that repeats after so many cells
function noise(cells, seed) {
  const random = dice(seed),
    values = Float32Array.from({ length: cells * cells }, random);
  const bend = (t) => t * t * (3 - 2 * t),
    at = (i, j) =>
      values[(((j % cells) + cells) % cells) * cells + (((i % cells) + cells) % cells)];
  return (x, y) => {
    const i = Math.floor(x),
      j = Math.floor(y),
      u = bend(x - i),
      v = bend(y - j);
    return (
      (at(i, j) * (1 - u) + at(i + 1, j) * u) * (1 - v) +
      (at(i, j + 1) * (1 - u) + at(i + 1, j + 1) * u) * v
    );
  };
}

// warm planks along x, each with its own tone and grain
function wood(size, anisotropy) {
  const canvas = document.createElement("canvas"),
    c = canvas.getContext("2d"),
    picture = c.createImageData(size, size);
  canvas.width = canvas.height = size;
  const fine = noise(256, 7),
    dark = [146, 106, 71],
    light = [190, 148, 107],
    linear = (v) => (v / 255) ** 2.2;
  const low = dark.map(linear),
    high = light.map(linear);
  for (let j = 0; j < size; j++) {
    const y = (j / size) * WIDE,
      plank = Math.floor(y / PLANK),
      own = (plank * 0.618034) % 1;
    const off = Math.min(y - plank * PLANK, (plank + 1) * PLANK - y),
      seam = 1 - Math.min(off / 1.5, 1),
      tone = (0.88 + 0.2 * own) * (1 - 0.5 * seam * seam);
    for (let i = 0; i < size; i++) {
      const x = (i / size) * LONG + own * 1700,
        bend = y + 14 * fine(x / 96, y / 48);
      const grain =
          0.45 * fine(x / 32, bend / 1.5) +
          0.35 * fine(x / 96, bend / 3) +
          0.2 * fine(x / 192, bend / 12),
        at = 4 * (j * size + i);
      for (let k = 0; k < 3; k++)
        picture.data[at + k] = 255 * ((low[k] + (high[k] - low[k]) * grain) * tone) ** (1 / 2.2);
      picture.data[at + 3] = 255;
    }
  }
  c.putImageData(picture, 0, 0);
  const texture = new THREE.CanvasTexture(canvas);
  Object.assign(texture, {
    colorSpace: THREE.SRGBColorSpace,
    wrapS: THREE.MirroredRepeatWrapping,
    wrapT: THREE.MirroredRepeatWrapping,
    anisotropy,
  });
  return texture;
}

function speckles() {
  const random = dice(3),
    data = Uint8Array.from({ length: 4 * 128 * 128 }, () => 255 * random());
  const texture = new THREE.DataTexture(data, 128, 128);
  Object.assign(texture, {
    wrapS: THREE.RepeatWrapping,
    wrapT: THREE.RepeatWrapping,
    magFilter: THREE.LinearFilter,
    minFilter: THREE.LinearMipmapLinearFilter,
    generateMipmaps: true,
    needsUpdate: true,
  });
  return texture;
}

let grain = null;

// the textures of the kinds of pieces, worked out from the place on the piece (`spot`) and the way that it faces there
const PAINT = {
  disc: `vec2 on = vec2(spot.x + 0.7 * spot.z, spot.y - 0.7 * spot.z);
    diffuseColor.rgb *= 1.0 + 0.22 * (speck(on / 3.1) - 0.5) + 0.2 * (speck(on / 0.9) - 0.5);
    if (abs(facing.z) < 0.5) diffuseColor.rgb *= 0.72 + 0.28 * smoothstep(0.0, 0.16, 1.0 - abs(spot.z) / half_size.z);`,
  road: `diffuseColor.rgb *= 1.0 + 0.24 * (speck(spot.xy / 1.1) - 0.5);`,
  car: `vec3 q = spot / half_size; bool lamp = abs(q.y) > 0.45 && abs(q.y) < 0.85 && q.z > -0.35 && q.z < -0.05;
    if (lamp && facing.x > 0.6 && q.x > 0.8) diffuseColor.rgb = vec3(1.0, 0.92, 0.67);
    if (lamp && facing.x < -0.6 && q.x < -0.8) diffuseColor.rgb = vec3(0.31, 0.0025, 0.0025);`,
  building: `bool along = abs(facing.x) > abs(facing.y); float side = along ? spot.y : spot.x, wide = along ? half_size.y : half_size.x;
    float storey = (spot.z + half_size.z) / 8.5, column = side / 6.0;
    bool window = abs(fract(storey) - 0.5) < 0.27 && abs(fract(column) - 0.5) < 0.33 && storey > 1.0 && spot.z < half_size.z - 3.5
      && abs(side) < wide - 2.5 && abs(facing.z) < 0.3;
    float lit = speck(vec2(floor(column) * 5.7, floor(storey) * 7.9));
    diffuseColor.rgb *= 0.96 + 0.1 * speck(vec2(side, spot.z) / 4.0);
    if (window) diffuseColor.rgb = vec3(0.176, 0.26, 0.35) * (0.6 + 0.6 * lit) + night * step(0.55, lit) * vec3(1.1, 0.72, 0.3);
    else if (storey < 1.0 && abs(facing.z) < 0.3) diffuseColor.rgb *= 0.62;
    else if (abs(fract(storey) - 0.02) < 0.05 && abs(facing.z) < 0.3) diffuseColor.rgb *= 0.86;
    if (facing.z > 0.5) diffuseColor.rgb *= max(abs(spot.x) / half_size.x, abs(spot.y) / half_size.y) > 0.86 ? 0.95 : 0.6;`,
  table: `vec2 on = spot.xy / ${SPOTS.toFixed(1)} + 0.5;
    if (all(greaterThan(on, vec2(0.0))) && all(lessThan(on, vec2(1.0)))) diffuseColor.rgb *= 1.0 - texture2D(contacts, on).r;
    float far = clamp((length(spot.xy - middle.xy) / middle.z - 1.0) / 2.2, 0.0, 1.0);
    diffuseColor.rgb *= 1.0 - 0.62 * far * far * (3.0 - 2.0 * far);`,
};

// Without a graphics card a picture with shadows and textures takes a second or more.
const drawsInSoftware = () => {
  const gl = document.createElement("canvas").getContext("webgl");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
};

export class Look {
  // plain: no shadows and flat colours of the pieces, for slow machines; left open, it is what the browser can do
  constructor(plain) {
    this.plain = plain ??= drawsInSoftware();
    this.uniforms = {
      night: { value: 0 },
      middle: { value: new THREE.Vector3(0, 0, 600) },
      contacts: { value: null },
      grain: { value: null },
    };
    this.sun = new THREE.DirectionalLight();
    this.sky = new THREE.HemisphereLight();
    this.sun.color.setRGB(1, 0.93, 0.82);
    this.sky.color.setRGB(0.52, 0.58, 0.68);
    this.sky.groundColor.setRGB(0.46, 0.36, 0.26);
    this.sky.position.set(0, 0, 1);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    Object.assign(this.sun.shadow, { bias: -0.0006, normalBias: 0.5, radius: 4.5 });
    Object.assign(this.sun.shadow.camera, { near: 50, far: 2600 });
    this.lit = null;
    this.spots = document.createElement("canvas");
    this.spots.width = this.spots.height = plain ? 8 : 1024;
    this.uniforms.contacts.value = new THREE.CanvasTexture(this.spots);
    if (!plain) this.uniforms.grain.value = grain ??= speckles();
    this.light();
    this.reach(500);
  }

  // by night the lamp is dimmer, and windows are lit
  light() {
    const night =
      document.body.classList.contains("body--dark") ||
      document.documentElement.dataset.theme === "dark"
        ? 1
        : 0;
    if (night === this.lit) return false;
    this.lit = this.uniforms.night.value = night;
    this.sun.intensity = night ? 2.1 : 3.5;
    this.sky.intensity = night ? 1.25 : 2.7;
    this.dim();
    return true;
  }

  // the lamp and its shadows cover the table so far from its middle
  reach(radius) {
    if (this.radius === radius) return;
    this.radius = radius;
    this.sun.position.copy(LAMP).multiplyScalar(1200);
    Object.assign(this.sun.shadow.camera, {
      left: -radius,
      right: radius,
      top: radius,
      bottom: -radius,
    });
    this.sun.shadow.camera.updateProjectionMatrix();
  }

  // the ground, which also hides the horizon; a plain one is wood without lamps, which costs less than a colour with them
  table() {
    const material = this.plain
      ? new THREE.MeshBasicMaterial()
      : new THREE.MeshStandardMaterial({ roughness: 0.8, dithering: true });
    const ground = new THREE.Mesh(new THREE.PlaneGeometry(12000, 12000), material),
      uv = ground.geometry.attributes.uv;
    for (let i = 0; i < uv.count; i++)
      uv.setXY(i, (uv.getX(i) * 12000) / LONG, (uv.getY(i) * 12000) / WIDE);
    material.map = this.plain ? wood(512, 1) : wood(1024, 8);
    if (this.plain) this.bare = material;
    else this.dress(material, "table");
    this.dim();
    ground.receiveShadow = true;
    ground.name = "table";
    return ground;
  }

  // the wood that no lamp lights, by day and by night
  dim() {
    this.bare?.color.setScalar(this.lit ? 0.42 : 1.04);
  }

  // a material of that kind of piece gets its texture; `half` are half the sizes of the piece
  dress(material, kind, half = new THREE.Vector3(1, 1, 1), also = null) {
    const paint = this.plain ? null : PAINT[kind],
      name = `${kind} ${this.plain} ${also?.name}`;
    material.roughness = { car: 0.32, building: 0.75, table: 0.78 }[kind] ?? 0.85;
    material.customProgramCacheKey = () => name;
    material.onBeforeCompile = (shader) => {
      also?.(shader);
      if (!paint) return;
      Object.assign(shader.uniforms, this.uniforms, { half_size: { value: half } });
      shader.vertexShader =
        `varying vec3 spot; varying vec3 facing; varying float above;\n${shader.vertexShader}`.replace(
          "#include <begin_vertex>",
          `#include <begin_vertex>
        spot = position; facing = normal; 
        vec4 there = vec4(position, 1.0);
        #ifdef USE_INSTANCING
        there = instanceMatrix * there;
        #endif
        above = (modelMatrix * there).z;`,
        );
      shader.fragmentShader = `varying vec3 spot; varying vec3 facing; varying float above;
        uniform vec3 half_size; uniform vec3 middle; uniform float night; uniform sampler2D grain; uniform sampler2D contacts;
        float speck(vec2 at) { return texture2D(grain, at / 128.0).r; }
        ${shader.fragmentShader}`.replace(
        "#include <color_fragment>",
        `#include <color_fragment>
        ${paint}
        ${kind === "table" ? "" : "diffuseColor.rgb *= mix(0.74, 1.0, smoothstep(0.0, 26.0, above));"}`,
      );
    };
    return material;
  }

  // soft darkness where pieces stand on the table: [[x, y, radius], ...]
  touch(places) {
    const size = this.spots.width,
      c = this.spots.getContext("2d"),
      k = size / SPOTS;
    if (this.plain) return;
    c.globalCompositeOperation = "source-over";
    c.fillStyle = "#000000";
    c.fillRect(0, 0, size, size);
    c.globalCompositeOperation = "lighter";
    for (const [x, y, radius] of places) {
      /** @type {[number, number]} */
      const at = [(x + SPOTS / 2) * k, (SPOTS / 2 - y) * k],
        wide = (radius + 16) * k,
        shade = c.createRadialGradient(...at, 0, ...at, wide);
      const edge = radius / (radius + 16);
      shade.addColorStop(0, "rgb(140,140,140)");
      shade.addColorStop(edge, "rgb(120,120,120)");
      shade.addColorStop((1 + edge) / 2, "rgb(34,34,34)");
      shade.addColorStop(1, "rgb(0,0,0)");
      c.fillStyle = shade;
      c.beginPath();
      c.arc(...at, wide, 0, TAU);
      c.fill();
    }
    this.uniforms.contacts.value.needsUpdate = true;
  }

  // a thumb and a finger that hold something so wide at the origin
  fingers(wide) {
    const skin = new THREE.MeshStandardMaterial({
      color: "#d9a283",
      roughness: 0.55,
      vertexColors: true,
      transparent: true,
    });
    const hand = new THREE.Group(),
      shape = new THREE.CapsuleGeometry(5.2, 90, 8, 18),
      along = shape.attributes.position;
    const clear = Float32Array.from({ length: 4 * along.count }, (_, i) =>
      i % 4 < 3 ? 1 : Math.min(Math.max(1 - (along.getY((i - 3) / 4) - 5) / 40, 0), 1),
    );
    shape.setAttribute("color", new THREE.BufferAttribute(clear, 4)); // a finger fades out where the hand would be
    const nail = new THREE.MeshStandardMaterial({ color: "#f0cdb8", roughness: 0.3 });
    for (const side of [-1, 1]) {
      const finger = new THREE.Group(),
        flesh = new THREE.Mesh(shape, skin);
      const tip = new THREE.Mesh(new THREE.SphereGeometry(4.1, 14, 10), nail);
      flesh.rotation.x = Math.PI / 2;
      flesh.position.z = 45;
      flesh.castShadow = true;
      tip.scale.set(1, 0.4, 1.35);
      tip.position.set(0, side * 4.1, 3);
      finger.add(flesh, tip);
      finger.userData.side = side;
      hand.add(finger);
    }
    hand.name = "fingers";
    hand.hold = (size) => {
      for (const finger of hand.children) {
        const { side } = finger.userData;
        finger.position.set(0, side * (size / 2 + 4.5), 0);
        finger.rotation.x = side * -0.32;
      }
    };
    hand.hold(wide);
    return hand;
  }
}
