// What this browser gives to the dice, and what it was promised before it sat down.
const NOTED = "yegg-dice";
const MANY = 200; // promises that are remembered

// By promise: the salt that was given.  A browser may refuse to keep anything.
export function notes() {
  try {
    return JSON.parse(localStorage.getItem(NOTED)) ?? {};
  } catch {
    return {};
  }
}

function note(promise, salt) {
  const kept = [...Object.entries(notes()).filter(([other]) => other !== promise), [promise, salt]];
  try {
    localStorage.setItem(NOTED, JSON.stringify(Object.fromEntries(kept.slice(-MANY))));
  } catch {
    // then nothing is noted
  }
}

// A salt that the server did not choose.
function own() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (c) => ({ "+": "-", "/": "_", "=": "" })[c]);
}

for (const field of document.querySelectorAll("[data-salt]")) field.value = own();

addEventListener("submit", ({ target }) => {
  const field = target.elements?.namedItem("salt");
  if (field?.dataset?.promise) note(field.dataset.promise, field.value);
});
