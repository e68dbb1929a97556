// The coach: if you ask, it shows what each choice is worth, below the table and on the choices.
import { say } from "./saying.js";

const table = document.body.dataset.table;
const ask = document.getElementById("coach-ask");
const place = document.getElementById("coach");
const live = document.getElementById("live");
const wait = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

function beside(item) {
  for (const button of live.querySelectorAll("button[name=choice]")) {
    if (button.value !== item.dataset.choice || button.getAttribute("aria-disabled")) continue;
    if (!button.classList.contains("act")) continue;
    button.querySelector(".worth")?.remove();
    button.append(item.querySelector(".worth").cloneNode(true));
  }
  return live.querySelector(".act .worth") !== null;
}

async function advice(position) {
  for (let tries = 0; tries < 30; tries++) {
    const answer = await fetch(`/t/${table}/advice?bare=true`).catch(() => null);
    if (position !== current) return;
    if (answer?.ok) {
      place.innerHTML = await answer.text();
      const marked = [...place.querySelectorAll("[data-choice]")].map(beside).some(Boolean);
      const verdict = place.querySelector(".verdict").textContent;
      // What it thinks stands on the choices, so that the page need not move; else it is brought into sight.
      say(marked ? `${verdict} Why it thinks so stands below the table.` : "", true);
      if (marked) return;
      document.getElementById("told").textContent = verdict;
      place.scrollIntoView({ block: "nearest" });
      return;
    }
    const why = answer && new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main p");
    say(why?.textContent ?? "No connection: the coach was not asked. Press again.");
    if (answer?.status !== 503) return;
    await wait(Number(answer.headers.get("Retry-After") ?? 5));
  }
}

let current = 0;
if (ask) {
  ask.addEventListener("click", async (event) => {
    event.preventDefault();
    ask.setAttribute("aria-busy", "true");
    await advice(current);
    ask.removeAttribute("aria-busy");
  });
  new MutationObserver(() => {
    current++;
    place.replaceChildren();
  }).observe(live, { childList: true });
}
