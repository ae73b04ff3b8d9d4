// A game on a board: a picture before the first ply and one after each.
import { data, play, view } from "player";

play((n) => {
  view.innerHTML = data.pictures[n];
  return 900;
});
