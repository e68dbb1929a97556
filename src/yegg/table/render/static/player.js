// Shows views one after another, at the pace that a person has set: what bots did, a lesson, a finished game.
//
//   import { Player } from "./player.js";
//   const player = new Player(async (html, frame) => { ... });  // show one view; see animation.js for pieces that move
//   await player.play([{ html, pause: 1 }, ...]);      // `pause`: how long it is shown, as a multiple of the pace;
//                                                      // `hold`: how many milliseconds, whatever the pace
//   player.skip();                                     // leave out what is still to come
//   player.busy                                        // whether something is being played
//
// `play` adds to what is being played, and resolves with true once its last view has stood its time, with false if
// it was skipped.  With the pace "at once" every view but the last is left out.  The player draws a small bar while
// it plays, in the page's bar: *Skip* (Escape), the pace, and how much is left.  Its style is in page.css: nothing that
// can be pressed lies where *Skip* was when it is gone.

export const PACES = { slow: 1000, normal: 500, fast: 250, "at once": 0 }; // milliseconds for a beat
const CHOSEN = "yegg-pace";

export function pace() {
  const chosen = localStorage.getItem(CHOSEN);
  return chosen in PACES ? chosen : "normal";
}

export function setPace(chosen) {
  localStorage.setItem(CHOSEN, chosen);
  document.dispatchEvent(new CustomEvent("pace", { detail: chosen }));
}

// A field in which the pace is chosen; it follows when the pace is set elsewhere.
export function paceField(select) {
  if (!select.options.length) {
    for (const name of Object.keys(PACES)) select.add(new Option(name[0].toUpperCase() + name.slice(1), name));
  }
  select.value = pace();
  select.addEventListener("change", () => setPace(select.value));
  document.addEventListener("pace", () => (select.value = pace()));
  return select;
}

export class Player {
  constructor(show) {
    this.show = show;
    this.queue = [];
    this.busy = false;
    this.wake = () => {};
    // A pace that is set while something plays counts at once.
    document.addEventListener("pace", () => this.wake());
    document.addEventListener("keydown", (event) => {
      if (this.busy && event.key === "Escape") this.skip();
    });
  }

  play(frames) {
    if (!frames.length) return Promise.resolve(true);
    const done = new Promise((resolve) => (frames = [...frames.slice(0, -1), { ...frames.at(-1), resolve }]));
    this.queue.push(...frames);
    if (!this.busy) this.run();
    return done;
  }

  async run() {
    this.busy = true;
    document.body.classList.add("playing");
    while (this.queue.length) {
      const frame = this.queue.shift();
      if (PACES[pace()] || frame.hold || frame.resolve) {
        this.tell();
        const time = () => frame.hold ?? (frame.pause ?? 1) * PACES[pace()];
        const begun = performance.now();
        await this.show(frame.html, { ...frame, time: time() });
        await this.stand(time, begun);
      }
      frame.resolve?.(true);
    }
    this.busy = false;
    document.body.classList.remove("playing");
    this.tell();
  }

  // Waits as long as a view stands, its movement included, by the pace of that moment.
  async stand(time, begun) {
    for (;;) {
      const left = begun + time() - performance.now();
      if (left <= 0 || this.skipping) break;
      await new Promise((resolve) => {
        const alarm = setTimeout(resolve, left);
        this.wake = () => (clearTimeout(alarm), resolve());
      });
    }
    this.skipping = false;
  }

  skip() {
    if (!this.busy) return;
    document.body.classList.add("skipped"); // nothing to press comes at once where Skip was
    setTimeout(() => document.body.classList.remove("skipped"), 1500);
    for (const frame of this.queue.splice(0)) frame.resolve?.(false);
    this.skipping = true;
    this.wake();
  }

  tell() {
    if (!this.bar) this.bar = bar(this);
    this.bar.hidden = !this.busy;
    const left = this.queue.length;
    this.bar.querySelector(":scope > span").textContent = left ? `${left} more` : "";
  }
}

function bar(player) {
  const made = Object.assign(document.createElement("div"), { className: "playbar", hidden: true });
  made.setAttribute("role", "region");
  made.setAttribute("aria-label", "What is being shown");
  const left = document.createElement("span");
  const skip = Object.assign(document.createElement("button"), { className: "btn", type: "button" });
  skip.innerHTML = "Skip<kbd aria-hidden=\"true\">Esc</kbd>";
  skip.setAttribute("aria-keyshortcuts", "Escape");
  skip.addEventListener("click", () => player.skip());
  const how = document.createElement("select");
  how.setAttribute("aria-label", "Pace");
  made.append(skip, paceField(how), left);
  document.querySelector(".bar nav").before(made);
  return made;
}
