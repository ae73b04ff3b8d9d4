// The worker that shows "your turn" while no page of the site is open.
/** @type {any} */
const worker = self;

worker.addEventListener("push", (event) => {
  const told = event.data ? event.data.json() : {};
  event.waitUntil(shown(told));
});

/** Shows what was pushed, unless its page is in front. @param {any} told */
async function shown(told) {
  const pages = await worker.clients.matchAll({ type: "window" });
  const path = new URL(String(told.url ?? "/"), worker.location.origin).pathname;
  const there = pages.some((page) => page.focused && new URL(page.url).pathname === path);
  if (there) return;
  await worker.registration.showNotification(String(told.title ?? "Shutoko"), {
    body: String(told.body ?? ""),
    tag: String(told.tag ?? ""),
    icon: "/static/favicon.svg",
    data: path,
  });
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(worker.clients.openWindow(event.notification.data));
});
