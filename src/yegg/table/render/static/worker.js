// Shows what the server tells this browser, also while no page is open.
addEventListener("push", (event) => {
  let note = {};
  try {
    note = event.data.json();
  } catch {
    // an empty note still says that something waits
  }
  const link = String(note.link ?? "");
  const shown = { body: note.body || "A table waits for you.", tag: "yegg-turns", data: link };
  event.waitUntil(registration.showNotification(note.title || "Your turn", shown));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = new URL(event.notification.data, `${location.origin}/`);
  event.waitUntil(clients.openWindow(address.origin === location.origin ? address.href : "/"));
});
