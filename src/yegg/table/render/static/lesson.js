// A lesson: choices without a new page.  What happens is shown move by move; then the teacher speaks.
import { coached } from "./first_game.js";
import { Player } from "./player.js";
import { show } from "./table.js";

const $ = (id) => document.getElementById(id);
const STANDING = 2000; // milliseconds that the end of a side line is looked at, before it is taken back
const live = $("live");
const teacher = $("teacher");
const player = new Player(spoken);
const narrow = matchMedia("(max-width: 700px)");
let busy = false;
let byHand = false; // whether the learner has scrolled or pressed anything since the teacher last pointed
let lastY = 0;

// While something is shown the teacher says what it is; what comes next is said when it has come.
async function spoken(html, frame) {
  await show(html, frame);
  if (!live.querySelector(".step")) return;
  const [line, what] = [live.querySelector(".turn :is(h2, .h2)"), live.querySelector(".turn p")];
  const says = teacher.querySelector(".says, .speech");
  says.textContent = (what?.textContent ?? line?.textContent ?? "").trim() || says.textContent;
}

// Brings what is ringed into sight, between the teacher above and what stays at the bottom edge.
function point() {
  for (const way of live.querySelectorAll("[data-wanted]")) way.checked = true;
  byHand = false;
  teacher.classList.remove("aside");
  const fixed = docked();
  const root = document.documentElement.style;
  root.scrollPaddingTop = `${teacher.offsetHeight + 12}px`;
  root.scrollPaddingBottom = `${fixed + 12}px`;
  const ringed = (e) => e.labels?.[0] ?? (e.matches("h2, h3") ? e.closest("section") : e);
  const rings = [...live.querySelectorAll("[data-ring]")].map(ringed);
  const first = rings.find((e) => e.checkVisibility());
  if (first && !seen(first, innerHeight - fixed)) first.scrollIntoView({ block: "nearest" });
}

// How much of the window is covered from below: by the choices, or by what becomes of a chosen card.
function docked() {
  let part = document.elementFromPoint(innerWidth / 2, innerHeight - 2);
  while (part && getComputedStyle(part).position !== "fixed") part = part.parentElement;
  return part ? innerHeight - part.getBoundingClientRect().top : 0;
}

// Whether something is in sight.  Of a region, the half of it is enough, on phones as much as there is room for.
function seen(part, bottom) {
  const { top: above, bottom: below } = part.getBoundingClientRect();
  const top = getComputedStyle(teacher).position === "sticky" ? teacher.getBoundingClientRect().bottom : 0;
  const there = Math.min(below, bottom) - Math.max(above, top);
  if (!part.matches("section, ul, ol")) return there >= below - above;
  return there >= (narrow.matches ? Math.min(below - above, bottom - top - 24) : (below - above) / 2);
}

// On a phone the panel makes room while one scrolls down: only its buttons stay.  It comes back with scrolling up.
function scrolled() {
  if (Math.abs(scrollY - lastY) < 6) return;
  const down = scrollY > lastY;
  lastY = scrollY;
  if (!byHand || !narrow.matches) return;
  const ways = teacher.querySelector(".ways");
  const above = Math.min(ways.offsetTop, teacher.clientHeight - ways.offsetHeight) - 8;
  teacher.style.setProperty("--aside", `${above}px`);
  teacher.classList.toggle("aside", down && scrollY > document.querySelector(".bar").offsetHeight);
}

// Without network nobody judges a choice, but the lesson can be read on.
function offline(goesOn, next) {
  const on = `?at=${next}`;
  if (goesOn && navigator.serviceWorker?.controller) {
    location.assign(on);
    return;
  }
  const speech = teacher.querySelector(".speech");
  speech.textContent = "No connection: nobody can judge your choice now. Press again later, or ";
  speech.append(Object.assign(document.createElement("a"), { href: on, textContent: "read what comes next" }), ".");
}

async function send(form, button) {
  const body = new URLSearchParams(new FormData(form, button));
  const headers = { Accept: "application/json" };
  const answer = await fetch(form.action, { method: "POST", body, headers }).catch(() => null);
  if (answer?.ok) return answer.json();
  offline(button.name === "go", Number(form.elements.at.value) + 1);
  return null;
}

async function submitted(event) {
  const form = event.target;
  if (form.id === "play" && "last" in form.dataset) coached();
  if (form.id !== "choose" || !event.submitter) return;
  event.preventDefault();
  if (busy) return;
  busy = true;
  document.body.classList.add("telling");
  teacher.style.minHeight = `${teacher.offsetHeight}px`; // what is said meanwhile is short: the table stays where it is
  const said = await send(form, event.submitter);
  if (said) await told(said);
  document.body.classList.remove("telling");
  teacher.style.minHeight = "";
  busy = false;
}

async function told(said) {
  if (said.back) teacher.innerHTML = said.teacher; // the reply comes before what it is about
  const last = said.views.length - 1;
  const hold = (i) => (i === last ? 0 : said.back && i === last - 1 ? STANDING : undefined);
  await player.play(said.views.map((html, i) => ({ html, hold: hold(i) })));
  if (said.views.length && live.querySelector(".step")) await show(said.views[last]); // it was skipped
  const fresh = String(said.step) !== document.body.dataset.step;
  if (fresh) history.pushState(null, "", said.address);
  teacher.innerHTML = said.teacher;
  $("choose").elements.at.value = said.step;
  $("undo").elements.at.value = Math.max(0, said.step - 1);
  if (!fresh) for (const pick of live.querySelectorAll("[name=pick]:checked")) pick.checked = false; // they are said again
  point();
  document.body.dataset.step = said.step;
  const at = document.activeElement;
  if (teacher.matches(".asks") || !live.contains(at) || at.id === "now") $("go-on")?.focus({ preventScroll: true });
}

function pressed(event) {
  const idle = !document.activeElement?.matches("a, button, input, summary, select, dialog *");
  if (event.key === "Enter" && idle && !event.repeat) ($("go-on") ?? ringed())?.click();
}

// The one choice that is ringed; where there are several, or one in several steps, Enter says nothing.
function ringed() {
  const choices = [...live.querySelectorAll("button[name=choice][data-ring]")].filter((e) => e.checkVisibility());
  return choices.length === 1 ? choices[0] : null;
}

addEventListener("submit", submitted);
addEventListener("keydown", pressed);
for (const input of ["touchstart", "wheel", "pointerdown", "keydown"]) {
  addEventListener(input, () => (byHand = true), { passive: true });
}
addEventListener("scroll", scrolled, { passive: true });
addEventListener("popstate", () => location.reload());
requestAnimationFrame(point); // what is scrolled before a browser first draws the page may be put back
