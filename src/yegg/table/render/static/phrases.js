// A word or a sign across the table: it stays until something happens, but long enough to be seen.
import { say } from "./saying.js";

const [SHOWN, SIGNS] = [3, 6]; // seconds: that something is shown at least, and a sign at most
const pieces = document.querySelector(".brand use").getAttribute("href").split("#")[0];

const { table } = document.body.dataset;
const csrf = document.querySelector("meta[name=csrf]").content;
const live = document.getElementById("live");
const heard = document.getElementById("heard");

const number = () => live.querySelector("[data-number]")?.dataset.number;

const shown = () => document.querySelectorAll("#heard p, .emote");

function made(kind, detail, ...what) {
  const line = document.createElement(kind);
  Object.assign(line.dataset, { seat: detail.seat, at: Date.now(), number: number() });
  line.append(...what);
  return line;
}

function drawn(sign) {
  const part = (name) => document.createElementNS("http://www.w3.org/2000/svg", name);
  const [svg, use] = [part("svg"), part("use")];
  use.setAttribute("href", `${pieces}#e-${sign}`);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

// The crest of a seat that is in sight; a view may have none.
function crestOf(seat) {
  const there = [...live.querySelectorAll(`[data-crest="${seat}"]`)].filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }));
  return there.map((one) => one.getBoundingClientRect()).find((box) => box.top >= 0 && box.bottom <= innerHeight && box.width);
}

// A sign lies over the crest, and takes no press; without a crest in sight it stands above, as words do.
function signed(detail) {
  const box = crestOf(detail.seat);
  const line = made("p", detail, `${detail.name} ${detail.text}`);
  if (box) {
    const sign = made("span", detail, drawn(detail.sign));
    sign.className = "emote";
    sign.style.left = `${box.left + scrollX + box.width / 2}px`;
    sign.style.top = `${box.top + scrollY + box.height / 2}px`;
    document.body.append(sign);
    line.className = "vh"; // to be read out
  } else line.prepend(drawn(detail.sign));
  heard.append(line);
  setTimeout(() => [...shown()].filter((one) => one.dataset.at === line.dataset.at).forEach((one) => one.remove()), 1000 * SIGNS);
}

// `table.js` hands on what comes by the stream.
addEventListener("yegg-phrase", ({ detail }) => {
  for (const old of shown()) if (Number(old.dataset.seat) === detail.seat) old.remove();
  if (detail.sign) {
    signed(detail);
    return;
  }
  const who = document.createElement("b");
  who.textContent = detail.name;
  heard.append(made("p", detail, who, `: ${detail.text}`));
});

function gone() {
  for (const line of shown()) {
    const left = 1000 * SHOWN - (Date.now() - line.dataset.at);
    if (line.dataset.number === number()) continue;
    setTimeout(() => line.remove(), Math.max(0, left));
  }
}

new MutationObserver(gone).observe(live, { childList: true });

addEventListener("submit", async (event) => {
  if (!("says" in event.target.dataset)) return;
  event.preventDefault();
  event.target.closest("details").open = false;
  const answer = await fetch(`/api/games/${table}/phrases`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
    body: JSON.stringify({ phrase: Number(event.submitter.value) }),
  }).catch(() => null);
  const why = answer ? (await answer.json()).why : "no connection: nothing was said";
  say(answer?.ok ? "" : `${why[0].toUpperCase()}${why.slice(1)}.`);
});
