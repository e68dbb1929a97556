// The living part of a table: new views as they come, choices without a new page, and keys.
import { Missed } from "./missed.js";
import { moved, named, skipped } from "./animation.js";
import { pace } from "./player.js";
import { over } from "./replay.js";
import { say } from "./saying.js";
import { announce, readable } from "./screen_reader.js";
import { isShortcut, settings } from "./settings.js";

const $ = (id) => document.getElementById(id);
const table = document.body.dataset.table;
const csrf = document.querySelector("meta[name=csrf]").content;
const live = $("live");
const missed = table && new Missed(table, live, show, (text) => say(text, true));

// Views ---------------------------------------------------------------------------------

// What was chosen, opened or scrolled stays so in the new view.
function stood() {
  const chosen = [...live.querySelectorAll("[data-keep]:checked")].map((r) => r.dataset.keep);
  const open = [...live.querySelectorAll("details[open]")].map((d) => d.id).filter(Boolean);
  const down = [...live.querySelectorAll("[tabindex='0']")].map((e) => e.scrollTop);
  const picked = [...live.querySelectorAll("select[id]")].map((s) => [s.id, s.value]);
  return () => {
    for (const [id, value] of picked) if ($(id)) $(id).value = value;
    for (const keep of chosen) {
      const same = [...live.querySelectorAll("[data-keep]")];
      const begins = keep.split(":")[0] + ":";
      const again = same.find((r) => r.dataset.keep === keep) ?? same.find((r) => r.dataset.keep.startsWith(begins));
      if (again) again.checked = true;
    }
    for (const id of open) if ($(id)) $(id).open = true;
    const now = [...live.querySelectorAll("[tabindex='0']")];
    if (now.length === down.length) now.forEach((e, i) => (e.scrollTop = down[i]));
  };
}

// Where the focus is, as a selector that finds the same place in the new view.
function place(at) {
  if (!at.id && at.matches("details[id] > summary")) return `#${CSS.escape(at.parentElement.id)} > summary`;
  return `#${CSS.escape(at.id || "now")}`;
}

// When a face shows something new, such as a report, or one's turn begins or ends, the page scrolls to the top.
const top = () => live.querySelector("[data-top]")?.dataset.top ?? live.querySelector(".turn.mine")?.dataset.turn;

// A new view waits while a button is held down: it would take the button away.
let held = false;
let waiting = null;

function released() {
  setTimeout(() => {
    held = false;
    if (waiting !== null) show(waiting);
  });
}

// `how.stepped`: the steps before it have been shown one after another; `how.jump`: it does not follow the last view.
export async function show(html, how = {}) {
  waiting = held ? html : null;
  if (held) return;
  const before = readable();
  const at = document.activeElement;
  const focus = live.contains(at) ? place(at) : "";
  const put = () => {
    const [left, was] = [stood(), top()];
    live.innerHTML = html;
    live.classList.toggle("stepped", Boolean(how.stepped));
    left();
    wire(live);
    if (was !== top()) scrollTo({ top: 0 });
    const begins = follow();
    if (!focus && !begins) return;
    if (focus) document.querySelector(focus)?.focus({ preventScroll: true });
    // It may be gone, or hidden in a closed part.
    if (!live.contains(document.activeElement)) $("now")?.focus({ preventScroll: true });
  };
  const [mine, over] = [".turn.mine", ".ending"].map((part) => live.querySelector(part) !== null);
  await moved(live, put, how.jump, how.time);
  announce(before);
  if (!mine && live.querySelector(".turn.mine")) tell("turn");
  if (!over && live.querySelector(".ending .me td:first-child")?.textContent.trim() === "1") tell("win");
}

// Updates the page around the living part; true if the game begins with this view and nothing has the focus.
function follow() {
  const news = live.querySelector("[data-title]").dataset;
  document.title = news.title;
  offer(news.free.trim().split(" ").filter(Boolean));
  const share = document.querySelector(".share");
  if (!share || !news.begun) return false;
  share.remove();
  scrollTo({ top: 0 });
  return document.activeElement === document.body;
}

// Shows the free seats to people who watch.
function offer(free) {
  const offered = [...document.querySelectorAll(".join [name=seat]")];
  for (const seat of offered) seat.hidden = !free.includes(seat.value) && !("held" in seat.dataset);
  for (const join of document.querySelectorAll(".join")) join.hidden = offered.every((seat) => seat.hidden);
  const fresh = free.some((seat) => !offered.some((button) => button.value === seat));
  if (fresh && document.body.dataset.seat === "-1") location.reload();
}

// What sounds, if sounds are on.
const tell = (kind) => document.dispatchEvent(new CustomEvent(`yegg-${kind}`));

// News ----------------------------------------------------------------------------------

const LOST = document.body.dataset.kept ?? "The connection is lost. This page goes on by itself as soon as it is back.";
const MANY = "This table is open in too many windows, so this one gets news late. Close some of them.";
const BOTS = { slow: 1, normal: 1, fast: 0.5, "at once": 0 }; // of the time that bots take
// In seconds: about the longest time between two tries; how long a stream may be silent, although a sign of life comes
// every 15; how long it may take to open; how long an answer may take.
const [LONGEST, SILENT, OPENS, ANSWERS] = [30, 20, 5, 10];

let source;
let again;
let tries = 0;
let heard = 0; // when the stream was begun, or last gave a sign of life
let refused = false; // the server refused the stream; else it was not reached

function away(why) {
  if ($("away").textContent === why) return;
  if (!why) $("told").textContent = "News comes by itself again.";
  $("away").textContent = why;
}

const number = () => live.querySelector("[data-number]")?.dataset.number ?? -1;

function listen() {
  source?.close();
  clearTimeout(again);
  if (document.hidden) return; // `turn.js` asks whose turn it is
  source = new EventSource(`/api/games/${table}/events?view=html&after=${number()}&pace=${BOTS[pace()]}`);
  alive();
  for (const sign of ["open", "view", "phrase", "beat"]) source.addEventListener(sign, alive);
  source.addEventListener("open", () => {
    tries = 0;
    away("");
  });
  source.addEventListener("error", lost);
  source.addEventListener("view", (event) => came(event.data));
  source.addEventListener("phrase", (event) => dispatchEvent(new CustomEvent("yegg-phrase", { detail: JSON.parse(event.data) })));
}

const alive = () => (heard = performance.now());

// A server that stands still says nothing, and does not hang up either.
function checked() {
  if (!source || source.readyState === EventSource.CLOSED) return;
  const limit = source.readyState === EventSource.OPEN ? SILENT : OPENS;
  if (performance.now() - heard > 1000 * limit) lost();
}

// Without a stream the page asks for news itself: a proxy finds out by it which server does not answer, before the next
// stream is opened. It waits longer after each try, and pages do not try all at once.
async function lost() {
  const gone = source;
  refused = gone.readyState === EventSource.CLOSED;
  gone.close();
  const pause = Math.min(2 ** tries++, LONGEST) * (0.5 + Math.random());
  if (!document.hidden) await look();
  if (gone === source) again = setTimeout(listen, 1000 * pause);
}

async function look() {
  const asked = source;
  const answer = await fetch(`/t/${table}/now`, { cache: "no-cache", signal: AbortSignal.timeout(1000 * ANSWERS) }).catch(() => null);
  const html = await answer?.text().catch(() => null);
  if (asked !== source) return; // a newer try has begun
  if (html == null) away(LOST);
  else if (!answer.ok) away(reason(html));
  else {
    if (refused) away(MANY);
    if (html.includes(`data-number="${number()}"`)) return;
    tries = Math.min(tries, 2); // there is news: try again soon
    came(html);
  }
}

function reason(html) {
  return new DOMParser().parseFromString(html, "text/html").querySelector("main p")?.textContent ?? LOST;
}

function came(html) {
  // Somebody sat down or stood up in another window of this browser, so this page has other buttons now.
  if (!html.includes(`data-seat="${document.body.dataset.seat}"`)) location.reload();
  else missed.came(html);
}

// Choices -------------------------------------------------------------------------------

const sentence = (why) => why[0].toUpperCase() + why.slice(1) + (/[.!?]$/.test(why) ? "" : ".");

async function post(what, body) {
  say("");
  const answer = await fetch(`/api/games/${table}/${what}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => null);
  if (!answer) say("No connection: your move was not sent. Press again.");
  else if (!answer.ok) {
    say(sentence((await answer.json().catch(() => ({}))).why ?? "That did not work."));
    tell("refusal");
  } else if ((await answer.json()).number === body?.after) say("You have chosen that already.");
  else if (source?.readyState === EventSource.CLOSED) look();
}

// The second press of a double click is meant for what the first one pressed, and not for what has come there since.
let meant = "";

function twice(event) {
  const button = event.target.closest("button");
  const pressed = button && `${button.id} ${button.value}`;
  if (event.detail < 2) meant = pressed;
  else if (pressed && pressed !== meant) event.preventDefault();
}

const seen = () => Number(document.querySelector("input[name=after]")?.value ?? -1);

async function submitted(event) {
  const form = event.target;
  const button = event.submitter;
  if (form.id === "choose" && button) {
    event.preventDefault();
    document.querySelector(".newhere")?.classList.add("past"); // its room stays, so that nothing moves
    if (button.getAttribute("aria-disabled")) {
      tell("refusal");
      rules(button.dataset.clause);
      return;
    }
    const who = live.querySelector("input[name=who]:checked")?.value;
    if (button.value.includes("*") && !who) {
      say("Choose a spy first, or the secret that it is for.");
      return;
    }
    const picked = [...live.querySelectorAll("input[name=pick]:checked")].map((pick) => pick.value);
    const none = live.querySelector("[data-none]")?.dataset.none;
    if (button.value.startsWith("+ ") && none && !picked.length) {
      say(none);
      return;
    }
    button.classList.add("pressed");
    const choice = button.value.startsWith("+ ") ? [...picked, button.value.slice(2)] : button.value.replace("*", who);
    await post("choices", { choice, after: seen(), open: true });
    button.classList.remove("pressed");
  } else if (form.id === "undo") {
    event.preventDefault();
    await post("undo");
  } else if (form.id === "seal" && button) {
    event.preventDefault();
    await post("seal", { sealed: button.value === "yes", after: seen() });
  } else if (form.classList.contains("slider")) {
    event.preventDefault();
  }
}

// Rules beside the table ----------------------------------------------------------------

// They open at a clause, or at those that apply now.
async function rules(clause) {
  const dialog = $("rules");
  const prose = dialog.querySelector(".prose");
  const now = live.querySelector("[data-clauses]")?.dataset.clauses ?? "";
  if (!prose.childElementCount || prose.dataset.now !== now) {
    const page = await fetch(`/rules/${document.body.dataset.game}?bare=true&now=${encodeURIComponent(now)}`);
    prose.innerHTML = await page.text();
    prose.dataset.now = now;
  }
  if (!dialog.open) dialog.showModal();
  for (const old of prose.querySelectorAll(".found")) old.classList.remove("found");
  prose.scrollTop = 0;
  const found = clause && $(clause);
  if (found) {
    found.classList.add("found");
    found.scrollIntoView({ block: "center" });
  }
}

// Copies the link to the table; over plain http that needs a selection.
async function copied() {
  const link = $("table-link").value;
  if (navigator.clipboard) return navigator.clipboard.writeText(link).then(() => true, () => false);
  const field = Object.assign(document.createElement("input"), { value: link });
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

// Keys ----------------------------------------------------------------------------------

// Games with many choices have keys of two or three letters; the letters typed so far are kept.
let typed = "";

function keyed() {
  return [...document.querySelectorAll("[data-key]")].filter((b) => b.checkVisibility() && !b.closest("#moment"));
}

function pressed(event) {
  if (event.repeat || !isShortcut(event)) return;
  const key = event.key.toLowerCase();
  if (key.length > 1 && key !== "escape") return;
  const there = keyed();
  const begun = [typed + key, key].find((k) => there.some((b) => b.dataset.key.startsWith(k))) ?? "";
  const wanted = there.find((b) => b.dataset.key === begun);
  typed = begun;
  for (const b of there) b.classList.toggle("typed", !wanted && typed !== "" && b.dataset.key.startsWith(typed));
  if (wanted) {
    event.preventDefault();
    (wanted.closest("label")?.control ?? wanted).focus({ preventScroll: true });
    if (!wanted.matches("details[open] > summary")) wanted.click();
    // The key of a folded part is the beginning of the keys in it.
    if (!keyed().some((b) => b.dataset.key !== typed && b.dataset.key.startsWith(typed))) typed = "";
  }
}

// Every new part of the page ---------------------------------------------

function wire(root) {
  if (table) over(root, table);
  for (const clause of root.querySelectorAll(".act .clause, .hint .clause")) clause.title = "Rules";
  for (const button of root.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => (await copied() ? say("The link is copied: send it.", true) : say(`Send this link: ${$("table-link").value}`)));
  }
}

addEventListener("keydown", pressed);
addEventListener("pagereveal", (event) => event.viewTransition?.ready.catch(skipped));
addEventListener("pointerdown", () => (held = true));
addEventListener("pointerup", released);
addEventListener("pointercancel", released);
addEventListener("click", twice);
if (live) {
  named(live);
  wire(live);
  settings();
  addEventListener("click", (event) => {
    const link = event.target.closest("#rules-link, a[data-clause]");
    if (!link) return;
    event.preventDefault();
    rules(link.dataset.clause);
  });
}
if (table) {
  addEventListener("submit", submitted);
  live.addEventListener("change", () => say(""));
  listen();
  setInterval(checked, 500);
  addEventListener("visibilitychange", () => {
    listen();
    missed.back();
  });
  addEventListener("online", listen);
  document.addEventListener("pace", listen);
  $("last-turn")?.addEventListener("click", () => missed.again());
  missed.back();
} else {
  const you = document.querySelector(".me input");
  you?.addEventListener("input", () => {
    for (const field of document.querySelectorAll("input[name=you]")) field.value = you.value;
  });
  // A link to another game's form keeps the name that was typed, as its button does.
  for (const link of document.querySelectorAll(".pick a")) {
    const game = new URL(link.href).searchParams.get("game");
    link.addEventListener("click", (event) => {
      if (you.value === you.defaultValue) return;
      event.preventDefault();
      document.querySelector(`button[formaction="/new"][value="${game}"]`).click();
    });
  }
}
