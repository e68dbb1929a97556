// What a person has chosen for this browser: keys, odds, the pace of what others do, sounds.
import { paceField } from "./player.js";

const $ = (id) => document.getElementById(id);
export const kept = (name, usual) => localStorage.getItem(`yegg-${name}`) ?? usual;
const keep = (name, value) => localStorage.setItem(`yegg-${name}`, value);

const TYPED = "input:not([type=checkbox], [type=radio], [type=range]), select, textarea, dialog";

// Whether a key is meant for the table, and not for the browser or for a field; people may switch such keys off.
export function isShortcut(event) {
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
  return plain && kept("keys", "on") !== "off" && !event.target.closest(TYPED);
}

// Nothing of the sounds is loaded before they are switched on.
let sound;
async function sounds(on) {
  if (!on && !sound) return;
  sound ??= import("./sound.js");
  const made = await sound;
  if (on) made.begin();
  else made.end();
}

export function settings() {
  const odds = $("odds");
  const shown = (on) => {
    document.body.classList.toggle("no-odds", !on);
    odds?.setAttribute("aria-pressed", on);
  };
  shown(kept("odds", "on") === "on");
  odds?.addEventListener("click", () => {
    const on = document.body.classList.contains("no-odds");
    keep("odds", on ? "on" : "off");
    shown(on);
  });
  for (const [name, usual, then] of [["keys", "on", () => {}], ["sound", "off", sounds]]) {
    const box = $(name);
    if (!box) continue;
    box.checked = kept(name, usual) === "on";
    then(box.checked);
    box.addEventListener("change", () => {
      keep(name, box.checked ? "on" : "off");
      then(box.checked);
    });
  }
  const volume = $("volume");
  if (volume) {
    volume.value = kept("volume", "50");
    volume.addEventListener("change", () => keep("volume", volume.value));
  }
  if ($("pace")) paceField($("pace"));
}
