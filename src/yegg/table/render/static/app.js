// The table as an app: what was read stays readable without network, and the page says so.
const kept = document.body.dataset.kept; // set by `worker.js` on a page that was kept

if (isSecureContext && "serviceWorker" in navigator) {
  navigator.serviceWorker.register("/worker.js", { updateViaCache: "none" }).catch(() => {}); // a private window may forbid it
}

if (kept !== undefined && !document.body.dataset.table) {
  document.body.append(Object.assign(document.createElement("p"), { id: "away", className: "said", role: "status", textContent: kept }));
  addEventListener("online", () => location.reload());
}
