// What has happened since the last view that somebody saw is shown beat by beat, then the view of now.
import { PACES, Player, pace } from "./player.js";
import { isShortcut } from "./settings.js";

// In beats: as long a player's turn may be shown, all turns together, orders that are carried out one after the other;
// and how short a beat may become so that all of it goes in there.
const [TURN, ALL, PARTS, LEAST] = [8, 11, 14, 0.5];

const KEPT = "yegg-seen"; // by table: how many events its visitor has seen
const TABLES = 40;

function seenTables() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

export const eventsOf = (html) => Number(/ data-events="(\d+)"/.exec(html)?.[1] ?? 0);
const inParts = (html) => html.includes(' data-parts="yes"');
// One event since the last view needs no steps, unless it is shown part by part.
const single = (html, seen) => eventsOf(html) <= seen + 1 && !inParts(html);

// The same frames, in as many beats as there are left; none if even short beats would take longer.
export function fitted(frames, left) {
  const sum = (some) => some.reduce((all, { pause }) => all + pause, 0);
  if (frames.length * LEAST > left) return [];
  const shortened = (some, most) => {
    const more = some.map(({ pause }) => Math.max(0, pause - LEAST));
    const all = more.reduce((a, b) => a + b, 0);
    const part = all ? Math.min(1, Math.max(0, most - some.length * LEAST) / all) : 1;
    return some.map((frame, i) => ({ ...frame, pause: Math.min(frame.pause, LEAST + more[i] * part) }));
  };
  const turns = [];
  for (const frame of frames) {
    if (turns.at(-1)?.[0].seat === frame.seat) turns.at(-1).push(frame);
    else turns.push([frame]);
  }
  const short = turns.flatMap((turn) => (sum(turn) > TURN ? shortened(turn, TURN) : turn));
  return sum(short) > left ? shortened(short, left) : short;
}

export class Missed {
  // `show` puts a view there, and resolves when its pieces have moved; `say` tells something beside it.
  constructor(table, live, show, say) {
    this.table = table;
    this.show = show;
    this.say = say;
    this.player = new Player(show);
    this.current = live.innerHTML; // the newest view, shown or not
    const stored = seenTables()[table];
    // Who sits there and has not acted yet sees the game from its beginning.
    this.seen = stored ?? (live.querySelector("[data-acted='']") ? 0 : eventsOf(this.current));
    this.away = true; // the next steps begin with what was seen last, which is not on the screen
    this.news = false;
    this.running = false;
    // One press anywhere at the table goes to now.
    live.addEventListener("click", (event) => {
      if (!event.target.closest("a, button, summary, label, input, select")) this.player.skip();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key.length === 1 && event.key !== " " && isShortcut(event)) this.player.skip();
    });
  }

  // A new view has come.
  came(html) {
    this.current = html;
    this.news = true;
    if (document.hidden) {
      this.away = true;
      if (!this.player.busy) this.show(html);
    } else {
      this.run();
    }
  }

  // The page is open, or seen again.
  back() {
    if (this.seen !== eventsOf(this.current)) this.news = true;
    this.run();
  }

  // Shows the last turn of the others again.
  again() {
    if (this.player.busy) return;
    this.redo = this.news = true;
    this.run();
  }

  // The page says of itself that it is behind until it shows what is so now.
  async run() {
    if (this.running) return;
    this.running = true;
    this.begun = performance.now();
    document.body.classList.add("behind");
    while (this.news && !document.hidden) await this.next();
    document.body.classList.remove("behind");
    this.running = false;
  }

  async next() {
    this.news = false;
    const html = this.current;
    const whole = await this.play(eventsOf(html));
    if (this.news && whole) return; // what has come meanwhile is played too
    if (document.hidden) {
      this.news = true;
      return;
    }
    await this.now();
  }

  async now() {
    this.news = false;
    this.note(eventsOf(this.current));
    this.away = this.redo = false;
    await this.show(this.current, { stepped: this.stepped });
    this.stepped = false;
  }

  // Plays the steps before the newest; false if they were skipped.
  async play(events) {
    const { redo, away, seen } = this;
    if (!redo && (pace() === "at once" || events < seen || (!away && single(this.current, seen)) || events === seen)) return true;
    const frames = await this.steps(redo ? "" : `?after=${seen}`);
    if (!frames.length) return true;
    const all = redo || away ? frames : frames.slice(1);
    this.redo = this.away = false;
    if (!all.length) return true;
    const shown = frames[0].html ? fitted(all, this.left()) : [];
    if (!shown.length) {
      this.say(frames[0].says);
      return true;
    }
    this.stepped = true;
    const whole = await this.player.play(shown.map((frame, i) => ({ ...frame, jump: !i && all === frames })));
    if (!redo && whole) this.note(shown.at(-1).events);
    return whole;
  }

  // How many beats there are left until the page has to show what is so now.
  left() {
    const most = inParts(this.current) ? PARTS : ALL;
    return most - (performance.now() - this.begun) / (PACES[pace()] || 1);
  }

  async steps(since) {
    const answer = await fetch(`/t/${this.table}/steps${since}`, { signal: AbortSignal.timeout(10_000) }).catch(() => null);
    return answer?.ok ? answer.json().catch(() => []) : [];
  }

  note(events) {
    if (this.seen === events && !this.away) return;
    this.seen = events;
    const { [this.table]: _, ...others } = seenTables();
    const kept = [...Object.entries(others).slice(1 - TABLES), [this.table, events]];
    localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(kept)));
  }
}
