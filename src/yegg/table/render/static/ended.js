// When a game ends: this browser keeps its page, and after the first one over days asks, once, whether it shall tell of turns.
import { can, tellHere } from "./telling.js";

const DAY = 86_400_000; // milliseconds
const ASKED = "yegg-push-asked";
const live = document.getElementById("live");
const box = document.getElementById("ask-push");

const over = () => live.querySelector("[data-over=yes]") !== null;

// A page that came while the game went on is not the one to be kept: the worker keeps what is fetched now.
async function keep() {
  if (navigator.serviceWorker?.controller) await fetch(location.pathname).catch(() => {});
}

async function told() {
  const worker = await navigator.serviceWorker.getRegistration();
  return Boolean(await worker?.pushManager?.getSubscription());
}

async function ask() {
  if (!box || !can || localStorage.getItem(ASKED) || Notification.permission === "denied" || (await told())) return;
  localStorage.setItem(ASKED, "yes");
  box.hidden = false;
  box.addEventListener("click", async ({ target }) => {
    const answer = target.closest("button")?.value;
    const why = answer === "yes" ? await tellHere(box.dataset.key) : "";
    if (why) box.querySelector("[role=status]").textContent = why;
    else if (answer) box.remove();
  });
}

function ended(lasted) {
  if (lasted >= DAY) ask();
}

if (over()) {
  ended(Number(box?.dataset.lasted ?? 0));
} else {
  const look = new MutationObserver(() => {
    if (!over()) return;
    look.disconnect();
    keep();
    ended(Date.now() - Number(box?.dataset.begun ?? Date.now()));
  });
  look.observe(live, { childList: true });
}
