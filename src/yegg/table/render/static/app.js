// The table as an app: what was read stays readable without network, and the page says so.
const kept = document.body.dataset.kept; // set by `worker.js` on a page that was kept

if (isSecureContext && "serviceWorker" in navigator) {
  navigator.serviceWorker.register("/worker.js", { updateViaCache: "none" }).catch(() => {}); // a private window may forbid it
}

// A page that was kept has forms of nobody's: once there is a network it is to be loaded anew.
if (kept !== undefined && !document.body.dataset.table) {
  const note = Object.assign(document.createElement("p"), { id: "away", className: "said", role: "status", textContent: kept });
  document.body.append(note);
  addEventListener("online", () => note.replaceChildren("You are online again: ", Object.assign(document.createElement("a"), { href: "", textContent: "load this page anew" }), "."));
}
