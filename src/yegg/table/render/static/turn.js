// Whose turn it is, for somebody who looks at another tab: the title, the icon and, if wished, a notification.
const $ = (id) => document.getElementById(id);
const MARK = "● ";
const [FIRST, LATER] = [5, 60]; // seconds to the first request of a hidden page, and between later ones
const NAME = "yegg-turn";
const [TOLD, WISH] = ["yegg-told", "yegg-notify"];

const table = document.body.dataset.table;
const icon = document.querySelector("link[rel=icon]");
const ours = () => document.title.startsWith(MARK);

// The title and the icon -------------------------------------------------------------------

let quiet = ours() ? document.querySelector("h1").textContent : document.title; // the title while we wait

function titled() {
  icon.href = ours() ? icon.dataset.turn : icon.dataset.plain;
  if (!ours()) quiet = document.title;
  if (table && !document.hidden) remember([table], ours());
}

// What the house has said, here or to another tab.
function heard(turns) {
  const here = table ? turns.find((turn) => turn.id === table) : turns[0];
  if (here) document.title = `${MARK}Your turn, ${here.title}`;
  else if (ours()) document.title = quiet;
}

// Of all hidden pages one asks, and tells the others. Over plain http there are no locks: each asks for itself ------

const others = new BroadcastChannel(NAME);
others.addEventListener("message", (event) => document.hidden && heard(event.data));

let asking;

function looked() {
  asking?.abort();
  if (!document.hidden) {
    if (!table && ours()) document.title = quiet;
    titled();
    return;
  }
  asking = new AbortController();
  const { signal } = asking;
  const ask = () => rounds(signal);
  if (navigator.locks) navigator.locks.request(NAME, { signal }, ask).catch(() => {});
  else ask();
}

async function rounds(signal) {
  for (let pause = FIRST; ; pause = Math.min(LATER, 2 * pause)) {
    await waited(pause, signal);
    if (signal.aborted) return;
    const answer = await fetch("/api/me", { cache: "no-store" }).catch(() => null);
    const said = answer?.ok ? await answer.json().catch(() => null) : null;
    if (!said || signal.aborted) continue;
    others.postMessage(said.turns);
    heard(said.turns);
    notify(said.turns);
  }
}

const waited = (seconds, signal) =>
  new Promise((done) => {
    setTimeout(done, 1000 * seconds);
    signal.addEventListener("abort", done);
  });

// Notifications ------------------------------------------------------------------------------

const told = () => JSON.parse(localStorage.getItem(TOLD) ?? "[]");

// A turn that somebody has seen, or was told of, is not told again.
function remember(tables, known) {
  const rest = told().filter((key) => !tables.includes(key));
  localStorage.setItem(TOLD, JSON.stringify(known ? [...rest, ...tables] : rest));
}

function notify(turns) {
  const known = told();
  localStorage.setItem(TOLD, JSON.stringify(turns.map((turn) => turn.id)));
  if (localStorage.getItem(WISH) !== "on" || globalThis.Notification?.permission !== "granted") return;
  for (const turn of turns.filter((turn) => !known.includes(turn.id))) announce(turn);
}

function announce(turn) {
  try {
    const note = new Notification(`Your turn, ${turn.title}`, { body: turn.name, tag: turn.id, icon: icon.dataset.turn });
    note.addEventListener("click", () => {
      note.close();
      focus();
      if (turn.id !== table) location.assign(`/t/${turn.id}`);
    });
  } catch {
    localStorage.setItem(WISH, "never"); // phones show those of installed apps only
  }
}

const WHY = {
  plain: "Notifications need https. Over plain http the tab's title and its icon say when it is your turn.",
  none: "This browser shows no notifications from pages. The tab's title and its icon say when it is your turn.",
  denied: "The browser does not allow it. Its settings for this site can change that.",
};

// The wish in the menu, or why it cannot be granted.
function menu(box) {
  const why = !isSecureContext ? WHY.plain : !globalThis.Notification || localStorage.getItem(WISH) === "never" ? WHY.none : "";
  $("notify-why").textContent = why;
  box.closest("label").hidden = Boolean(why);
  if (why) return;
  box.checked = localStorage.getItem(WISH) === "on" && Notification.permission === "granted";
  box.addEventListener("change", async () => {
    const granted = box.checked && (await Notification.requestPermission()) === "granted";
    $("notify-why").textContent = box.checked && !granted ? WHY.denied : "";
    box.checked = granted;
    localStorage.setItem(WISH, granted ? "on" : "off");
  });
}

new MutationObserver(titled).observe(document.querySelector("title"), { childList: true });
addEventListener("visibilitychange", looked);
looked();
if ($("notify")) menu($("notify"));
