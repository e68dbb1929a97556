// Being told in this browser: the button stands only where the browser can.
const box = document.getElementById("push");
const said = box?.querySelector("[role=status]");
const can = isSecureContext && "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

async function subscribed() {
  const worker = await navigator.serviceWorker.register("/worker.js");
  await navigator.serviceWorker.ready;
  const key = bytes(box.dataset.key);
  await (await worker.pushManager.getSubscription())?.unsubscribe(); // it may be of another key
  return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

async function begin() {
  if ((await Notification.requestPermission()) !== "granted") {
    said.textContent = "The browser does not allow it. Its settings for this site can change that.";
    return;
  }
  const { endpoint, keys } = (await subscribed()).toJSON();
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": document.querySelector("meta[name=csrf]").content };
  const answer = await fetch("/me/push", { method: "POST", headers, body: JSON.stringify({ endpoint, ...keys }) });
  if (answer.ok) location.reload();
  else said.textContent = "That did not work: the server could not keep it.";
}

if (box && can) {
  box.hidden = false;
  box.querySelector("button").addEventListener("click", () => {
    begin().catch(() => {
      said.textContent = "That did not work: this browser reaches no push service.";
    });
  });
}

// The time zone of a first letter is the browser's own.
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const zone of document.querySelectorAll("select[data-zone]")) {
  if (zone.value === "UTC" && [...zone.options].some((one) => one.value === here)) zone.value = here;
}
