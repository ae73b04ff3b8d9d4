// A game of pieces in space: for each ply the film of its pieces, in the scene of the pages.

import Bodies from "bodies";
import { OrbitControls, THREE } from "nicegui-scene";
import { data, play, view } from "player";

const canvas = view.appendChild(document.createElement("canvas"));
const renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
const scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(data.fov, 1, 5, 8000);
camera.up.set(0, 0, 1);
camera.position.set(...data.eye);
if (matchMedia("(prefers-color-scheme: dark)").matches) {
  document.documentElement.dataset.theme = "dark";
}
const bodies = new Bodies();
scene.add(bodies.create_mesh(data.shapes, data.tables[0], data.unit, { plain: null }));
const orbit = new OrbitControls(camera, canvas);
orbit.target.set(...data.target);
bodies.held_by(orbit);
const fit = () => {
  renderer.setSize(view.clientWidth, view.clientHeight);
  camera.aspect = view.clientWidth / Math.max(view.clientHeight, 1);
  camera.updateProjectionMatrix();
};
fit();
addEventListener("resize", fit);
renderer.setAnimationLoop(() => {
  orbit.update();
  renderer.render(scene, camera);
});

play((n, forward) => {
  if (!forward || !n) {
    bodies.show(data.tables[n], data.unit, 200);
    return 900;
  }
  bodies.show(data.tables[n - 1], data.unit, 0);
  const [names, packed, dt] = data.films[n - 1];
  const count = Object.keys(names).length;
  if (!count) return 900;
  bodies.play(names, packed, data.unit, dt);
  return 900 + (1000 * dt * atob(packed).length) / (12 * count);
});
