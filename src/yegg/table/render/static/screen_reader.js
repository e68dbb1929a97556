// What screen readers read out when a new view comes: what is new in the log, what a face marks for it, and whose turn it is.
const live = document.getElementById("live");
const region = document.getElementById("told");

// The log, newest first, and what a face marks.
export function readable() {
  const lines = [...live.querySelectorAll(".log li")].map((li) => li.textContent.trim());
  return { lines, marked: [...live.querySelectorAll("[data-say]")].map((e) => e.dataset.say) };
}

// `before`: what was readable in the last view.
export function announce(before) {
  const now = readable();
  const fresh = [...news(before.lines, now.lines), ...now.marked.filter((text) => !before.marked.includes(text))];
  // Whose turn it is, if it is yours or if nothing else is new.
  const ours = live.querySelector(".turn.mine, .verdict") || !fresh.length;
  const turn = ours ? [...live.querySelectorAll("#now, #now + p")] : [];
  const said = [...fresh, ...turn.map((e) => e.textContent.replace(/[^.?!]$/, "$&."))].join(" ");
  if (fresh.length || said !== region.textContent) region.textContent = said;
}

// The new lines of a log, twelve at most; none if something was taken back.
export function news(before, now) {
  const meet = (a, b) => a.every((line, i) => i >= b.length || line === b[i]);
  const ahead = (a, b) => [...a, ""].findIndex((_, k) => k >= a.length - b.length && meet(a.slice(k), b));
  const [fresh, back] = [ahead(now, before), ahead(before, now)];
  return back && back < Math.min(fresh, before.length) ? [] : now.slice(0, Math.min(fresh, 12)).reverse();
}
