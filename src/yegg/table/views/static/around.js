// Around the living part: the link to send, and what opens over the page and is closed again.
const $ = (id) => document.getElementById(id);

// The link --------------------------------------------------------------------------------

const COPIED = "The link is copied.";
const SELECTED = "The link is selected. Copy it with Ctrl+C, or press it for a while.";

// Pages over https may write to the clipboard; over http a browser copies what is selected, if at all.
async function copied() {
  const link = $("link");
  let done = false;
  if (navigator.clipboard) done = await navigator.clipboard.writeText(link.value).then(() => true, () => false);
  if (!done) {
    link.focus();
    link.select();
    done = document.execCommand("copy");
  }
  $("said").classList.add("good");
  $("said").textContent = done ? COPIED : SELECTED;
}

const copy = $("copy");
if (copy) {
  copy.hidden = false;
  copy.addEventListener("click", copied);
}

// What opens over the page ----------------------------------------------------------------

const OPEN = "details:is(.menu, .swap)[open]";

// Escape closes it, and so does a press beside it, or the focus going on to something else.
function dismissed(event) {
  for (const opened of document.querySelectorAll(OPEN)) {
    const inside = opened.contains(document.activeElement);
    if (event.type === "keydown" ? event.key !== "Escape" : opened.contains(event.target)) continue;
    opened.open = false;
    if (event.type === "keydown" && inside) opened.querySelector("summary").focus({ preventScroll: true });
  }
}

for (const kind of ["keydown", "pointerdown", "focusin"]) addEventListener(kind, dismissed);
