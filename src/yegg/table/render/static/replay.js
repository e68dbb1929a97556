// A finished game: the curve of chances above the slider, the moments where it turned, keys, play, others' eyes.
import { moved } from "./animation.js";
import { Player } from "./player.js";
import { say } from "./saying.js";
import { kept } from "./settings.js";

const $ = (id) => document.getElementById(id);
const PART = 1.4; // a part is looked at longer than a step: its sentence is to be read
const ASK = 2000; // milliseconds until the coach is asked again how far it is

let table;
let marks; // where turns begin and steps end, in events
let parts; // the events during which one can stop as well: how many were before, and how many parts they have
let asked = 0;
let there; // the event that is shown
let looked; // what is looked at: the moment's part of the page, its event and eyes, of how many events
const player = new Player((_, frame) => go(frame.at));

const slider = () => $("at");
const last = () => Number(slider().max);
const eyes = () => $("eyes").value;

// A place is a number of events; between two of them stand the parts of the second, as 7.25, 7.5 and 7.75.
// A slider keeps no more than 15 digits, so places have fewer.
const between = () => Object.entries(parts).flatMap(([at, many]) => Array.from({ length: many }, (_, i) => placed(Number(at), i + 1)));
const placed = (events, part) => Number((events + part / ((parts[events] ?? 0) + 1)).toFixed(6));

function split(at) {
  const events = Math.floor(at);
  return [events, Math.round((at - events) * ((parts[events] ?? 0) + 1))];
}

// All places after some, or before them, and the nearest one.
const after = (at) => Math.min(Math.floor(at) + 1, ...between().filter((place) => place > at));
const before = (at) => Math.max(Math.ceil(at) - 1, ...between().filter((place) => place < at));
const nearest = (at) => [Math.round(at), ...between()].reduce((a, b) => (Math.abs(b - at) < Math.abs(a - at) ? b : a));

async function where() {
  marks ??= await fetch(`/t/${table}/marks`).then((answer) => answer.json()).catch(() => ({ turns: [0], steps: [0, last()] }));
  return marks;
}

// Shows the table as it was at a place.
async function go(event) {
  const at = Math.max(0, Math.min(event, last()));
  mark(at);
  const mine = ++asked;
  const seen = eyes();
  Object.assign(looked, { at, seen });
  const [events, part] = split(at);
  const asks = new URLSearchParams({ ...(part && { part }), ...(seen && { eyes: seen }) });
  const answer = await fetch(`/t/${table}/at/${events}?${asks}`).catch(() => null);
  if (mine === asked && !answer) say("No connection, and this browser has not kept this position.");
  if (mine !== asked || !answer?.ok) return;
  const html = await answer.text();
  const follows = at > there && at - there < 40;
  there = at;
  await moved($("moment"), () => shown(html, at, seen), !follows);
}

function mark(at) {
  const [events, part] = split(at);
  const says = part ? `${events + 1} of ${last()}, part ${part} of ${parts[events]}` : `${at} of ${last()}`;
  slider().value = at;
  slider().setAttribute("aria-valuetext", says);
  slider().form.querySelector("output").textContent = says;
  if ($("fork-at")) $("fork-at").value = events;
  point(at);
}

// A new view of the same end, as when somebody begins to watch, leaves what is looked at.
function keep() {
  if (looked?.of === last()) {
    $("moment").replaceWith(looked.moment);
    $("eyes").value = looked.seen;
    mark(looked.at);
  }
  looked = { moment: $("moment"), at: now(), seen: eyes(), of: last() };
}

// Puts a view there, and says of which event it is, and whose eyes see it.
function shown(html, at, seen) {
  $("moment").innerHTML = html;
  Object.assign($("moment").dataset, { at, eyes: seen });
  toLookAt();
  weighed(at);
}

// What could be done then is there to be looked at.
function toLookAt() {
  for (const one of $("moment").querySelectorAll("button, input")) one.disabled = true;
}

// At a costly choice: the choice that was made and the better one are marked where they lie.
function weighed(at) {
  const jump = [...document.querySelectorAll(".jumps [data-at]")].find((one) => Number(one.dataset.at) === at);
  if (!jump) return;
  const means = (value, text) => value === text || (value.startsWith("* ") && text.endsWith(value.slice(1)));
  for (const [mark, text] of Object.entries({ chosen: jump.dataset.chosen, better: jump.dataset.better })) {
    const there = [...$("moment").querySelectorAll("button[name=choice], input[name=pick]")].filter((one) => means(one.value, text));
    const open = there.filter((one) => !one.closest("details")); // what lies on the board is not looked for in a drawer
    const lie = open.length ? open : there;
    const alike = lie.some((one) => one.matches(".pick, [name=pick]")); // of dice that are alike the first is marked
    for (const choice of alike ? lie.slice(0, 1) : lie) {
      const drawn = choice.labels?.[0] ?? choice;
      drawn.dataset.mark = mark;
      choice.closest("details")?.querySelector("summary").setAttribute("data-mark", mark);
    }
    const last = lie.at(-1); // in sight, with the board above it
    (last?.labels?.[0] ?? last?.closest("details") ?? last)?.scrollIntoView({ block: mark === "chosen" ? "end" : "nearest" });
  }
}

// Where the thumb of the slider is on the curve, and which moment that is.
function point(at) {
  $("curve-now")?.setAttribute("d", `M${(1000 * at) / Math.max(1, last())} 0V100`);
  for (const jump of document.querySelectorAll(".jumps [data-at]")) {
    if (Number(jump.dataset.at) === at) jump.setAttribute("aria-current", "true");
    else jump.removeAttribute("aria-current");
  }
}

const now = () => Number(slider().value);

const WAYS = {
  back: () => before(now()),
  on: () => after(now()),
  first: () => 0,
  last: () => last(),
  "turn-back": async () => (await where()).turns.findLast((turn) => turn < now()) ?? 0,
  "turn-on": async () => (await where()).turns.find((turn) => turn > now()) ?? last(),
};

async function steer(way) {
  player.skip();
  await go(await WAYS[way]());
}

async function play() {
  if (player.busy) {
    player.skip();
    return;
  }
  const { steps } = await where();
  const from = now() === last() ? -1 : now();
  const places = [...steps, ...between()].filter((step) => step > from).sort((a, b) => a - b);
  const frames = places.map((at) => ({ at, pause: split(at)[1] ? PART : 1 }));
  $("play-game").querySelector("span").textContent = "Stop";
  await player.play(frames);
  if ($("play-game")) $("play-game").querySelector("span").textContent = "Play";
}

const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "on",
  Home: "first",
  End: "last",
};

function pressed(event) {
  if (!slider() || event.ctrlKey || event.metaKey || event.altKey || kept("keys", "on") === "off") return;
  const on = event.target;
  if (on.closest?.("input:not([type=range]), select, textarea, dialog")) return;
  if (event.key === " " && !on.closest?.("button, a, summary")) {
    event.preventDefault();
    play();
  } else if (KEYS[event.key]) {
    event.preventDefault();
    const way = KEYS[event.key];
    steer(event.shiftKey && event.key.startsWith("Arrow") ? `turn-${way}` : way);
  }
}

// The chances come from the coach, who may have to think first.
async function curve() {
  const place = $("course");
  if (!place?.dataset.whole || place.querySelector("svg")) return;
  const answer = await fetch(`/t/${table}/course`).catch(() => null);
  if (!$("course")) return;
  const said = answer?.ok ? await answer.json() : null;
  if (said?.curve) {
    place.innerHTML = said.curve;
    $("turned").innerHTML = said.jumps;
    point(now());
    weighed(now());
  } else if (said || answer?.status === 503) {
    place.textContent = `The coach goes through the game for the curve of chances: ${Math.round(100 * (said?.done ?? 0))} %`;
    setTimeout(curve, ASK);
  }
}

function clicked(event) {
  const jump = event.target.closest(".jumps [data-at]");
  const drawn = event.target.closest(".curve");
  const way = event.target.closest("[data-go]")?.dataset.go;
  if (jump || drawn) {
    event.preventDefault();
    player.skip();
    const box = drawn?.getBoundingClientRect();
    if (jump) $("eyes").value = document.body.dataset.seat === String(jump.dataset.seat - 1) ? "" : jump.dataset.seat;
    go(jump ? Number(jump.dataset.at) : Math.round(((event.clientX - box.x) / box.width) * last()));
  } else if (way) {
    steer(way);
  }
}

// The link is selected where it cannot be copied.
async function copied() {
  const link = new URL(`/t/${table}`, location.href);
  const [events, part] = split(now());
  link.searchParams.set("at", events);
  if (part) link.searchParams.set("part", part);
  if (eyes()) link.searchParams.set("eyes", eyes());
  link.hash = "moment";
  const field = Object.assign(document.createElement("input"), { value: link.href });
  let done = await navigator.clipboard?.writeText(link.href).then(() => true, () => false);
  if (!done) {
    document.body.append(field);
    field.select();
    done = document.execCommand("copy");
    field.remove();
  }
  if (done) say("The link to this position is copied.", true);
  else say(`The link to this position: ${link.href}`);
}

// Without scripts the slider stops at whole events only.
function begin(drawn) {
  parts = JSON.parse(drawn.between);
  if (Object.keys(parts).length) slider().step = "any";
  slider().value = placed(now(), Number(drawn.part));
}

let wired = false;
let going = false; // the game was not over when the page came

export function over(root, key) {
  if (!root.querySelector("#at")) {
    going = true;
    return;
  }
  if (going) say(""); // what was said of the game that has ended
  going = false;
  table = key;
  begin(slider().form.dataset);
  keep();
  toLookAt();
  there = now();
  slider().addEventListener("input", () => {
    player.skip();
    go(nearest(now()));
  });
  $("eyes").addEventListener("change", () => go(now()));
  $("play-game").addEventListener("click", play);
  $("copy-moment").addEventListener("click", copied);
  for (const part of [root.querySelector(".steer .by"), $("copy-moment")]) part.hidden = false;
  root.querySelector(".steer .look").hidden = true;
  slider().form.addEventListener("click", clicked);
  curve();
  if (wired) return;
  wired = true;
  document.addEventListener("keydown", pressed);
}
