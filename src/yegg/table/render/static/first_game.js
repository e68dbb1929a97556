// After the last lesson of a game the coach speaks of its own accord in the first turns of the game that follows.
const KEPT = "yegg-coached"; // how many turns are left, and at which table once one is open
const TURNS = 2;
const PROMISE = "Your first game: the coach speaks in your first two turns.";

const { table } = document.body.dataset;
const live = document.getElementById("live");
const ask = document.getElementById("coach-ask");

// The next table that opens is the first game.
export function coached() {
  sessionStorage.setItem(KEPT, JSON.stringify({ left: TURNS }));
}

let turn; // how often the others had chosen when it began

// One's own turn is over when somebody else has chosen.  Views that are only passed ask nothing.
function asked(kept) {
  if (!live.querySelector(".turn.mine") || !live.querySelector("[name=choice]:not([aria-disabled])")) return;
  const now = live.querySelector("[data-others-chose]").dataset.othersChose;
  if (now !== turn && !kept.left) {
    sessionStorage.removeItem(KEPT);
    return watching.disconnect();
  }
  if (now !== turn) {
    kept.left -= 1;
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  }
  turn = now;
  if (!ask.hasAttribute("aria-busy")) ask.click();
}

let watching;

function begin() {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  if (!table || !ask || !kept || (kept.table && kept.table !== table)) return;
  if (!kept.table) document.querySelector(".newhere")?.prepend(Object.assign(document.createElement("p"), { textContent: PROMISE }));
  kept.table = table;
  watching = new MutationObserver(() => setTimeout(asked, 0, kept)); // after the coach has heard of the new view
  watching.observe(live, { childList: true });
  asked(kept);
}

begin();
