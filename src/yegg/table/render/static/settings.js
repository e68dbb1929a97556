// What a person has chosen for this browser: keys, odds, the pace of what others do, sounds, day or night.
import { paceField } from "./player.js";

const $ = (id) => document.getElementById(id);
export const kept = (name, usual) => localStorage.getItem(`yegg-${name}`) ?? usual;
const keep = (name, value) => localStorage.setItem(`yegg-${name}`, value);

const OFFERED = 20_000; // milliseconds
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

// Whether sounds are on, and how loud; `value` is "off" or the volume.
export function chooseSound(value) {
  keep("sound", value === "off" ? "off" : "on");
  if (value !== "off") keep("volume", value);
  sounds(value !== "off");
  if ($("sound")) $("sound").value = value;
}

function heard(select) {
  sounds(kept("sound", "off") === "on");
  if (!select) return;
  const loudest = [...select.options].slice(1).map((one) => one.value);
  const volume = Number(kept("volume", "50"));
  const nearest = loudest.sort((a, b) => Math.abs(a - volume) - Math.abs(b - volume))[0];
  select.value = kept("sound", "off") === "on" ? nearest : "off";
  select.addEventListener("change", () => chooseSound(select.value));
}

// Sounds are offered once, at the first roll that somebody sees; the menu has them at any time.
function offered() {
  if (kept("sound", "") || kept("sound-offered", "") || !$("sound")) return;
  document.addEventListener("moved", function rolled({ detail }) {
    if (!detail.fresh.includes("roll")) return;
    document.removeEventListener("moved", rolled);
    keep("sound-offered", "yes");
    offer();
  });
}

function offer() {
  const box = Object.assign(document.createElement("div"), { className: "offer" });
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "Sounds");
  box.append(Object.assign(document.createElement("span"), { textContent: "Hear the dice?" }));
  for (const [text, value] of [["Yes", "50"], ["No", "off"]]) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "btn", textContent: text });
    button.addEventListener("click", () => {
      box.remove();
      chooseSound(value);
    });
    box.append(button);
  }
  document.querySelector(".bar").append(box);
  setTimeout(() => box.remove(), OFFERED);
}

// `theme.js` has drawn the page so already.
function themeField(select) {
  select.value = kept("theme", "");
  select.addEventListener("change", () => {
    keep("theme", select.value);
    globalThis.yeggTheme(select.value);
  });
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
  const keys = $("keys");
  if (keys) {
    keys.checked = kept("keys", "on") === "on";
    keys.addEventListener("change", () => keep("keys", keys.checked ? "on" : "off"));
  }
  heard($("sound"));
  offered();
  if ($("theme")) themeField($("theme"));
  if ($("pace")) paceField($("pace"));
}
