// The page around the living part: the link to send, and menus that open over the page.
import { copied } from "./copying.js";
import { say } from "./saying.js";

const $ = (id) => document.getElementById(id);

// The link --------------------------------------------------------------------------------

const copy = $("copy");
if (copy) {
  copy.hidden = false;
  copy.addEventListener("click", async () => say(await copied($("link")), true));
}

// Phones have a way of their own to share a link.
const share = $("share-now");
if (share) {
  share.hidden = false;
  share.addEventListener("click", async () => {
    const link = $("table-link");
    const shared = navigator.share && matchMedia("(hover: none)").matches;
    if (shared && (await navigator.share({ title: document.title, url: link.value }).then(() => true, () => false))) return;
    $("shared").textContent = await copied(link);
  });
}

// Those who watch ----------------------------------------------------------------------------

function counted() {
  const { watching: text = "", others = "0", people } = $("live").querySelector("[data-watching]")?.dataset ?? {};
  if ($("say")) $("say").hidden = others === "0" && !text; // nobody would read a phrase
  if ($("emotes")) $("emotes").hidden = people !== "yes";
  const [inBar, inMenu] = document.querySelectorAll("[data-guests]");
  inBar.textContent = text && `, ${text}`;
  inMenu.textContent = text && `${text[0].toUpperCase()}${text.slice(1)}.`;
}

new MutationObserver(counted).observe($("live"), { childList: true });

// The end ----------------------------------------------------------------------------------

// "Go on from here" means the position that the slider shows.
addEventListener("submit", (event) => {
  if (event.target.id === "fork" && $("at")) $("fork-at").value = $("at").value;
});

// Menus over the page ----------------------------------------------------------------

const OPEN = "details:is(.menu, .swap)[open]";

// A menu closes on Escape, on a press outside it, and when something else gets the focus.
function dismissed(event) {
  for (const opened of document.querySelectorAll(OPEN)) {
    const inside = opened.contains(document.activeElement);
    if (event.type === "keydown" ? event.key !== "Escape" : opened.contains(event.target)) continue;
    opened.open = false;
    if (event.type === "keydown" && inside) opened.querySelector("summary").focus({ preventScroll: true });
  }
}

for (const kind of ["keydown", "pointerdown", "focusin"]) addEventListener(kind, dismissed);
