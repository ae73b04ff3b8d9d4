// What the scripts of the pages find beside themselves: three.js as NiceGUI brings it, NiceGUI's own
// helpers, and what one script leaves on the window for another or for the server.
declare module "nicegui-scene" {
  export const THREE: any;
  export const OrbitControls: any;
}

declare function getHtmlElement(id: number): HTMLElement | null;

interface Window {
  getElement(id: number): any;
  shutoko_let_go: number[][];
  shutoko_marks: (id: number, state: any) => void;
  shutoko_photo: (id: number, src: string, width: number, height: number) => void;
  shutoko_take: (
    input: HTMLInputElement,
    refused: (answer: { status: number; said: string }) => void,
    after?: string,
  ) => Promise<void>;
  shutokoFriends: any;
  shutokoHand: any;
  shutokoRoom: any;
  shutokoSolved: (id: string) => void;
  shutokoSounds: any;
  socket: any; // of socket.io, made by NiceGUI once the page is connected
  __bodies: any;
  __snap: any;
}

interface HTMLElement {
  /** The photo that an element shows. */
  snap?: any;
}
