// Works the dice of a finished game out again, with the browser's own cryptography.
import { notes } from "./dice_promises.js";

const NAME = "yegg dice 1\n";
const WORDS = 2n ** 64n;
const text = new TextEncoder();
const hex = (bytes) => [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (two) => parseInt(two, 16));
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const how = { name: "HMAC", hash: "SHA-256" };

async function hmac(key, data) {
  const made = await crypto.subtle.importKey("raw", key, how, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign(how, made, data));
}

export async function promiseOf(seed) {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", joined(text.encode(NAME), unhex(seed)))));
}

export async function keyOf({ seed, salts, after }) {
  const lines = Object.entries({ ...(after ? { 0: after } : {}), ...salts }).sort(([a], [b]) => a - b);
  return hmac(unhex(seed), text.encode(NAME + lines.map(([seat, salt]) => `${seat} ${salt}\n`).join("")));
}

export async function index(key, kind, n, k) {
  const fair = WORDS - (WORDS % BigInt(k));
  for (let block = 0; ; block += 1) {
    const drawn = new DataView((await hmac(key, text.encode(`${kind} ${n} ${block}`))).buffer);
    for (let at = 0; at < 32; at += 8) {
      const word = drawn.getBigUint64(at);
      if (word < fair) return Number(word % BigInt(k));
    }
  }
}

// The numbers of the events that are not as promised; null stands for the seed.
export async function check(dice) {
  const faults = (await promiseOf(dice.seed)) === dice.promise ? [] : [null];
  const key = await keyOf(dice);
  for (const { event, kind, n, texts, drawn } of dice.draws) {
    if ((await index(key, kind, n, texts.length)) !== drawn) faults.push(event);
  }
  return faults;
}

// The events of a record; chance's are marked by `*`.
export const events = (record) =>
  record.split("\n\n").slice(1).join("\n\n").split("\n").filter((line) => line && !line.startsWith("#"));

// The page -------------------------------------------------------------------------------

const $ = (id) => document.getElementById(id);
const noted = $("noted");
if (noted) {
  const { promise, seat } = noted.dataset;
  const salt = notes()[promise];
  const given = [...document.querySelectorAll("dt")].find((dt) => dt.textContent.endsWith(`seat ${seat}`));
  const there = given?.nextElementSibling.textContent;
  if (salt === undefined) {
    noted.textContent = Number(seat) ? "This browser did not see the promise before you sat down." : "";
  } else {
    noted.textContent = "This browser noted this promise before you sat down. ";
    if (there) noted.textContent += there === salt ? "Your salt is the one that it gave." : "But your salt is not the one that it gave!";
    noted.classList.toggle("bad", Boolean(there) && there !== salt);
  }
}

async function checkHere() {
  const said = $("checked");
  const { table } = $("checks").dataset;
  said.className = "";
  said.textContent = "Checking …";
  try {
    const [dice, record] = await Promise.all([
      fetch(`/api/games/${table}/dice`).then((answer) => answer.json()),
      fetch(`/api/games/${table}/record`).then((answer) => answer.text()),
    ]);
    const lines = events(record);
    const faults = await check(dice);
    for (const { event, texts, drawn } of dice.draws) {
      if (lines[event - 1] !== `* ${texts[drawn]}` && !faults.includes(event)) faults.push(event);
    }
    for (const { event } of dice.draws) {
      const cell = document.querySelector(`[data-event="${event}"] [data-good]`);
      const good = !faults.includes(event);
      cell.className = good ? "good" : "bad";
      if (good) cell.textContent = "✓";
    }
    said.className = faults.length ? "bad" : "good";
    const wrong = faults.map((event) => (event === null ? "the seed" : `event ${event}`)).join(", ");
    said.textContent = wrong
      ? `Not as promised: ${wrong}.`
      : `The seed gives the promise, and all ${dice.draws.length} dice and cards follow from it. What could have come each time is taken from the server.`;
  } catch {
    said.textContent = "The server did not answer: try again.";
  }
}

if ($("check-here")) {
  $("here").hidden = false;
  if (crypto.subtle) $("check-here").addEventListener("click", checkHere);
  else {
    $("check-here").remove();
    $("checked").textContent = "A browser can check it only over https or on the server's own computer.";
  }
}
