// A new view takes the place of the old one, and pieces move from where they were to where they are.
//
//   import { moved } from "./animation.js";
//   await moved(root, () => { root.innerHTML = html; });   // its pieces are named by this, too
//
// What a template says about its pieces:
//   data-piece="card-7"         the same thing in both views moves from place to place
//   data-heap="bank suns"       where things of a sort lie (bank, of suns), and data-n how many there are;
//                               without data-n each element is one.  What one heap loses and another gains
//                               flies there.  data-heap="bag" is the place of what has no heap of its own in a view;
//                               data-heap="supply" is where all else comes from and goes to
//   data-fresh="roll"           what has just happened, for style sheets: it stands on the view for one showing
// A view is ready for the next press at once: nothing that moves takes a press.

const MOST = 14; // things that fly at once
const FLIGHT = 300; // milliseconds
const NEXT = 30; // milliseconds from one start to the next

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;

// Pieces that have names, for the browser's own transitions.
export function named(root) {
  for (const piece of root.querySelectorAll("[data-piece]")) {
    piece.style.viewTransitionName = `p-${piece.dataset.piece}`;
  }
}

// Shows a new view: `put` puts it there.  Resolves when everything is in its place.  With `jump` nothing moves:
// the view is not what comes after the old one.  All is in its place after `time` milliseconds, if that is given.
export async function moved(root, put, jump = false, time = Infinity) {
  const [before, there] = [heaps(root), pieces(root)];
  const number = events(root);
  let flying = [];
  const change = () => {
    put();
    if (events(root) === number) unfresh(root);
    named(root);
    const now = heaps(root);
    const all = flights(before, now);
    const some = all.slice(0, MOST);
    const quick = Math.min(1, time / (FLIGHT + NEXT * Math.max(0, some.length - 1)));
    document.documentElement.style.setProperty("--quick", quick);
    if (!jump && !still()) flying = some.map((one, i) => fly(one, i, quick));
    const came = [...pieces(root)].filter((piece) => !there.has(piece)).length;
    if (!jump) heard(root, all.length, came);
  };
  if (!document.startViewTransition || jump || still()) {
    change();
  } else {
    const moves = document.startViewTransition(change);
    moves.ready.catch(skipped);
    await moves.finished;
  }
  await Promise.allSettled(flying);
}

// Pieces still moved when the next view or page came: they jump to their places.
export function skipped() {}

const pieces = (root) => new Set([...root.querySelectorAll("[data-piece]")].map((piece) => piece.dataset.piece));
const events = (root) => root.querySelector("[data-events]")?.dataset.events;

// The same position drawn again: its dice have tumbled already.
function unfresh(root) {
  for (const fresh of root.querySelectorAll("[data-fresh]")) fresh.dataset.fresh = "";
}

// Sounds and others may listen for what a view brought.
function heard(root, flown, came) {
  const fresh = root.querySelector("[data-fresh]")?.dataset.fresh.split(" ").filter(Boolean) ?? [];
  document.dispatchEvent(new CustomEvent("moved", { detail: { fresh, flown, came } }));
}

// What lies where: for each heap how many, where on the screen, and what one of its pieces looks like.
function heaps(root) {
  const found = new Map();
  for (const element of root.querySelectorAll("[data-heap]")) {
    if (!element.checkVisibility()) continue;
    const name = element.dataset.heap;
    const known = found.get(name);
    const one = element.matches("svg, .cardback") ? element : element.querySelector("svg, .cardback");
    const sorted = name.includes(" "); // else it is a place, and what lies there first is of any sort
    found.set(name, {
      n: (known?.n ?? 0) + Number(element.dataset.n ?? (sorted ? 1 : 0)),
      at: (one ?? element).getBoundingClientRect(),
      looks: sorted ? one : null,
    });
  }
  return found;
}

// Each thing that has left one heap for another of its sort: from where, to where.
export function flights(before, now) {
  const sorts = new Map();
  for (const name of new Set([...before.keys(), ...now.keys()])) {
    const [place, sort] = name.split(" ");
    if (!sort) continue;
    const more = (now.get(name)?.n ?? 0) - (before.get(name)?.n ?? 0);
    if (!sorts.has(sort)) sorts.set(sort, { lost: [], won: [] });
    const { lost, won } = sorts.get(sort);
    const heap = more > 0 ? (now.get(name) ?? now.get(place)) : (before.get(name) ?? before.get(place));
    for (let i = 0; i < Math.abs(more); i++) (more > 0 ? won : lost).push(heap);
  }
  const found = [];
  for (const { lost, won } of sorts.values()) {
    for (let i = 0; i < Math.max(lost.length, won.length); i++) {
      found.push({ from: lost[i] ?? now.get("supply"), to: won[i] ?? now.get("supply") });
    }
  }
  return found.filter(({ from, to }) => from && to && (from.looks || to.looks));
}

function layer() {
  let over = document.getElementById("flights");
  if (!over) {
    over = Object.assign(document.createElement("div"), { id: "flights" });
    over.setAttribute("aria-hidden", "true");
    document.body.append(over);
  }
  return over;
}

function fly({ from, to }, i, quick) {
  const piece = (from.looks ?? to.looks).cloneNode(true);
  piece.removeAttribute("id");
  piece.style.viewTransitionName = "none";
  const size = Math.max(22, Math.min(to.at.height || 30, from.at.height || 30, 44));
  Object.assign(piece.style, { width: `${size}px`, height: `${size}px` });
  layer().append(piece);
  const place = (at) => `translate(${at.x + at.width / 2 - size / 2}px, ${at.y + at.height / 2 - size / 2}px)`;
  const way = piece.animate([{ transform: place(from.at) }, { transform: place(to.at) }], {
    duration: FLIGHT * quick,
    delay: i * NEXT * quick,
    easing: "cubic-bezier(0.3, 0.1, 0.2, 1)",
    fill: "backwards",
  });
  return way.finished.finally(() => piece.remove());
}
