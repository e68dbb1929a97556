// A word across the table: what others say stays until something happens, but long enough to be read.
import { say } from "./saying.js";

const SHOWN = 3; // seconds at least

const { table } = document.body.dataset;
const csrf = document.querySelector("meta[name=csrf]").content;
const live = document.getElementById("live");
const heard = document.getElementById("heard");

const number = () => live.querySelector("[data-number]")?.dataset.number;

// `table.js` hands on what comes by the stream.
addEventListener("yegg-phrase", ({ detail }) => {
  heard.querySelector(`[data-seat="${detail.seat}"]`)?.remove();
  const line = document.createElement("p");
  Object.assign(line.dataset, { seat: detail.seat, at: Date.now(), number: number() });
  const who = document.createElement("b");
  who.textContent = detail.name;
  line.append(who, `: ${detail.text}`);
  heard.append(line);
});

function gone() {
  for (const line of heard.querySelectorAll("p")) {
    const left = 1000 * SHOWN - (Date.now() - line.dataset.at);
    if (line.dataset.number === number()) continue;
    setTimeout(() => line.remove(), Math.max(0, left));
  }
}

new MutationObserver(gone).observe(live, { childList: true });

addEventListener("submit", async (event) => {
  if (event.target.id !== "say") return;
  event.preventDefault();
  document.querySelector("details.menu").open = false;
  const answer = await fetch(`/api/games/${table}/phrases`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
    body: JSON.stringify({ phrase: Number(event.submitter.value) }),
  }).catch(() => null);
  const why = answer ? (await answer.json()).why : "no connection: nothing was said";
  say(answer?.ok ? "" : `${why[0].toUpperCase()}${why.slice(1)}.`);
});
