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

const left = (clock) => Math.max(0, Number(clock.dataset.until) - Date.now() - ahead);

function tick() {
  for (const clock of $("[data-until]:not([data-stands])")) {
    const text = short(left(clock));
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("soon", left(clock) < clock.dataset.soon);
  }
  titled();
}

// One's own time stands in the title, while it is one's turn.
function titled() {
  const own = document.querySelector(".clocks .me [data-until]:not([data-stands])");
  const line = document.querySelector("[data-title]")?.dataset.title;
  if (!own || !line?.startsWith(MARK) || document.hidden) return;
  const title = `${MARK}${short(left(own))} · ${line.slice(MARK.length).split(" · ").at(-1)}`;
  if (document.title !== title) document.title = title;
}

tick();
setInterval(tick, SECOND / 2);
const live = document.getElementById("live");
if (live) new MutationObserver(tick).observe(live, { childList: true });
