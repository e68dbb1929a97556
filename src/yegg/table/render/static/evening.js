// The page of an evening: it renews itself, and leads to one's table as soon as that is open.
const EVERY = 2500; // milliseconds
const key = document.body.dataset.evening;
const live = document.getElementById("evening");
const tableOf = (part) => part.querySelector("[data-table]")?.dataset.table;

let tag = "";
let known = tableOf(live); // whoever comes back from a table that goes on is not sent there again
let shown = live.innerHTML;

async function look() {
  const answer = await fetch(`/evening/${key}/now`, { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
  if (answer.status !== 200) return;
  tag = answer.headers.get("ETag") ?? "";
  const text = await answer.text();
  if (text === shown) return;
  shown = text;
  // a question that is open stays open
  if (live.querySelector("details[open]")) return;
  live.innerHTML = text;
  const table = tableOf(live);
  if (table && table !== known) location.assign(`/t/${table}`);
  known = table ?? known;
}

function again() {
  const over = live.querySelector("[data-over=yes]");
  if (over) return;
  setTimeout(async () => {
    if (!document.hidden) await look().catch(() => {});
    again();
  }, EVERY);
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) look().catch(() => {});
});
again();
