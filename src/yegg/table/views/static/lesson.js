// A lesson: choices without a new page.  What happens is shown move by move; then the teacher speaks.
const $ = (id) => document.getElementById(id);
const PACE = 800; // milliseconds that a move is looked at
const STANDING = 2000; // and the end of a side line, before it is taken back
const wait = (time) => new Promise((done) => setTimeout(done, time));
const live = $("live");
const teacher = $("teacher");
let busy = false;

// Brings what is ringed into sight, between the teacher above and the dock below.
function point() {
  for (const way of live.querySelectorAll("[data-wanted]")) way.checked = true;
  const dock = live.querySelector(".dock");
  const fixed = dock && getComputedStyle(dock).position === "fixed" ? dock.offsetHeight : 0;
  const root = document.documentElement.style;
  root.scrollPaddingTop = `${teacher.offsetHeight + 12}px`;
  root.scrollPaddingBottom = `${fixed + 12}px`;
  const rings = [...live.querySelectorAll("[data-ring]")].map((e) => e.labels?.[0] ?? e);
  rings.find((e) => e.checkVisibility())?.scrollIntoView({ block: "nearest" });
}

function show(html) {
  dispatchEvent(new CustomEvent("yegg-view", { detail: html }));
}

async function send(form, button) {
  const body = new URLSearchParams(new FormData(form, button));
  const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } }).catch(() => null);
  if (answer?.ok) return answer.json();
  teacher.querySelector(".speech").textContent = "That did not reach the server. Press again.";
  return null;
}

async function submitted(event) {
  const form = event.target;
  if (form.id !== "choose" || !event.submitter) return;
  event.preventDefault();
  if (busy) return;
  busy = true;
  const said = await send(form, event.submitter);
  if (said) await told(said);
  busy = false;
}

async function told(said) {
  for (const [i, view] of said.views.entries()) {
    if (i) await wait(said.back && i === said.views.length - 1 ? STANDING : PACE);
    show(view);
  }
  teacher.innerHTML = said.teacher;
  $("choose").elements.at.value = said.step;
  $("undo").elements.at.value = Math.max(0, said.step - 1);
  if (String(said.step) !== document.body.dataset.step) history.pushState(null, "", `?at=${said.step}`);
  document.body.dataset.step = said.step;
  point();
  await wait(400); // until the pieces lie still
  point();
  if (!live.contains(document.activeElement)) $("go-on")?.focus({ preventScroll: true });
}

function pressed(event) {
  const idle = !document.activeElement?.matches("a, button, input, summary, select, dialog *");
  if (event.key === "Enter" && idle) $("go-on")?.click();
}

addEventListener("submit", submitted);
addEventListener("keydown", pressed);
addEventListener("popstate", () => location.reload());
point();
