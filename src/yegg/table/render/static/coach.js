// The coach: if you ask, each choice carries its chance where it is pressed, and what speaks for it is told.
import { say } from "./saying.js";

const table = document.body.dataset.table;
const ask = document.getElementById("coach-ask");
const place = document.getElementById("coach");
const live = document.getElementById("live");
const wait = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));
const chance = (item) => parseFloat(item.querySelector(".chance")?.textContent) || 0;
let rows = []; // of the coach, the best first

// A sheet of sealed orders has one button for whatever piece comes next: its name is left out.
const sorts = (text) => [text, text.replace(/^\S+/, "*"), text.replace(/^(\S+) \S+/, "$1 *")];
const row = (button) => rows.find((item) => sorts(item.dataset.choice).includes(button.value.replace(/^\+ /, "")));

function beside(button, item) {
  button.querySelector(".rated")?.remove();
  const rated = item.querySelector(".rated")?.cloneNode(true);
  if (!rated) return;
  if (!button.classList.contains("act") || !button.querySelector("b, small")) {
    rated.classList.add("small");
    button.classList.add("valued");
  }
  rated.classList.toggle("best", item.classList.contains("best"));
  button.append(rated);
}

function mark() {
  const seen = new Set();
  for (const button of live.querySelectorAll("button[name=choice]:not([aria-disabled])")) {
    const item = row(button);
    if (!item || seen.has(button.value)) continue;
    seen.add(button.value);
    beside(button, item);
    if (!button.hasAttribute("aria-describedby")) {
      button.setAttribute("aria-describedby", item.querySelector(".why").id);
    }
  }
  // A card of the hand is worth what the best of its choices is; so is what may be done with it.
  for (const label of live.querySelectorAll("label[for]")) {
    const input = document.getElementById(label.htmlFor);
    const pick = input?.name === "pick" && !seen.has(input.value) && row(input);
    if (pick) {
      seen.add(input.value);
      beside(label, pick);
    }
    const [card, how] = input?.dataset.keep?.split(":") ?? [];
    if (!how) continue;
    const does = label.classList.contains("card") ? [card] : [how, card];
    const of = rows.filter((item) => does.every((word) => item.dataset.choice.split(" ").includes(word)));
    if (of.length) beside(label, of.reduce((best, item) => (chance(item) > chance(best) ? item : best)));
  }
}

function shown(html) {
  place.innerHTML = html;
  const close = document.createElement("button");
  Object.assign(close, { type: "button", className: "btn close", textContent: "Close" });
  close.addEventListener("click", shut);
  place.querySelector("h2").append(close);
  rows = [...place.querySelectorAll("[data-choice]")];
  mark();
  document.getElementById("told").textContent = place.querySelector(".spoken").textContent;
}

function shut() {
  if (place.contains(document.activeElement)) ask.focus({ preventScroll: true });
  place.replaceChildren();
  rows = [];
  for (const rated of live.querySelectorAll(".rated")) {
    rated.parentElement.classList.remove("valued");
    rated.remove();
  }
}

// What is under the finger is spoken of.
function touched({ target }) {
  const button = rows.length && target.closest?.("#live button[name=choice]");
  const item = button && row(button);
  if (!item) return;
  const name = document.createElement("b");
  name.textContent = `${item.querySelector("b").textContent}: `;
  place.querySelector(".spoken").replaceChildren(name, item.querySelector(".why").textContent);
}

async function advice(position) {
  for (let tries = 0; tries < 30; tries++) {
    const answer = await fetch(`/t/${table}/advice?bare=true`).catch(() => null);
    if (position !== current) return;
    if (answer?.ok) return shown(await answer.text());
    const why = answer && new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main p");
    say(why?.textContent ?? "No connection: the coach was not asked. Press again.");
    if (answer?.status !== 503) return;
    await wait(Number(answer.headers.get("Retry-After") ?? 5));
  }
}

// What the coach was asked: after how many events, and what can be chosen.  That somebody has asked changes the view and not this.
const decision = () => [live.querySelector("[data-events]")?.dataset.events, ...[...live.querySelectorAll("button[name=choice]")].map((one) => one.value)].join();
let current = 0;
if (ask) {
  let known = decision();
  ask.addEventListener("click", async (event) => {
    event.preventDefault();
    const position = current;
    ask.setAttribute("aria-busy", "true");
    await advice(position);
    if (position === current) ask.removeAttribute("aria-busy");
  });
  addEventListener("keydown", (event) => event.key === "Escape" && rows.length && shut());
  live.addEventListener("pointerover", touched);
  live.addEventListener("focusin", touched);
  new MutationObserver(() => {
    if (known === (known = decision())) return mark();
    current++;
    ask.removeAttribute("aria-busy"); // an answer on its way is about what was before
    place.replaceChildren();
    rows = [];
  }).observe(live, { childList: true });
}
