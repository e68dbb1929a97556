// Clocks run on the page by themselves: what the server says is when somebody's time is up.
const $ = (selector) => document.querySelectorAll(selector);
const ahead = Number(document.body.dataset.moment ?? Date.now()) - Date.now(); // the server's clock, when the page came
const MARK = "● ";
const [DAY, HOUR, MINUTE, SECOND] = [86_400_000, 3_600_000, 60_000, 1000];

// The same words as `clocks.short` on the server.
export function short(ms) {
  for (const [size, unit, smaller, small] of [[DAY, "d", HOUR, "h"], [HOUR, "h", MINUTE, "min"]]) {
    if (ms < size) continue;
    const rest = Math.floor((ms % size) / smaller);
    return `${Math.floor(ms / size)} ${unit}${rest ? ` ${rest} ${small}` : ""}`;
  }
  return `${Math.floor(ms / MINUTE)}:${String(Math.floor(ms / SECOND) % 60).padStart(2, "0")}`;
}

// The same words as `lasting` on the server.
export function lasting(ms) {
  const units = [[DAY, "day"], [HOUR, "hour"], [MINUTE, "minute"], [SECOND, "second"]];
  const first = units.findIndex(([size]) => ms >= size);
  if (first < 0) return "0 seconds";
  const counts = units.map(([size], i) => Math.floor((i ? ms % units[i - 1][0] : ms) / size));
  const shown = [first, first + 1].filter((i) => counts[i]);
  return shown.map((i) => `${counts[i]} ${units[i][1]}${counts[i] === 1 ? "" : "s"}`).join(" ");
}

const now = () => Date.now() + ahead;
const left = (clock) => Math.max(0, Number(clock.dataset.until) - now());
const runs = (clock) => now() >= Number(clock.dataset.stands ?? 0); // not while its owner is on holiday

function tick() {
  for (const holiday of $("[data-away]")) holiday.hidden = now() >= Number(holiday.dataset.away);
  for (const clock of [...$("[data-until]")].filter(runs)) {
    const text = ("words" in clock.dataset ? lasting : short)(left(clock));
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("soon", left(clock) < clock.dataset.soon);
  }
  titled();
}

// One's own time stands in the title, while it is one's turn.
function titled() {
  const own = document.querySelector(".clocks li.me [data-until]");
  const line = document.querySelector("[data-title]")?.dataset.title;
  if (!own || !runs(own) || !line?.startsWith(MARK) || document.hidden) return;
  const title = `${MARK}${short(left(own))} · ${line.slice(MARK.length).split(" · ").at(-1)}`;
  if (document.title !== title) document.title = title;
}

tick();
setInterval(tick, SECOND / 2);
const live = document.getElementById("live");
if (live) new MutationObserver(tick).observe(live, { childList: true });
