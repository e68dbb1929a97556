// Being told in this browser: the button stands only where the browser can.
const box = document.getElementById("push");
export const can = isSecureContext && "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

async function subscribed(key) {
  const worker = await navigator.serviceWorker.register("/worker.js", { updateViaCache: "none" });
  await navigator.serviceWorker.ready;
  await (await worker.pushManager.getSubscription())?.unsubscribe(); // it may be of another key
  return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
}

async function begun(key) {
  if ((await Notification.requestPermission()) !== "granted") return "The browser does not allow it. Its settings for this site can change that.";
  const { endpoint, keys } = (await subscribed(key)).toJSON();
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": document.querySelector("meta[name=csrf]").content };
  const answer = await fetch("/me/push", { method: "POST", headers, body: JSON.stringify({ endpoint, ...keys }) });
  return answer.ok ? "" : "That did not work: the server could not keep it.";
}

// From now on this browser tells whose turn it is; why not, if it cannot.
export const tellHere = (key) => begun(key).catch(() => "That did not work: this browser reaches no push service.");

if (box && can) {
  box.hidden = false;
  box.querySelector("button").addEventListener("click", async () => {
    const why = await tellHere(box.dataset.key);
    if (why) box.querySelector("[role=status]").textContent = why;
    else location.reload();
  });
}

// The time zone of a first letter is the browser's own.
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const zone of document.querySelectorAll("select[data-zone]")) {
  if (zone.value === "UTC" && [...zone.options].some((one) => one.value === here)) zone.value = here;
}
