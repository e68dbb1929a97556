// The page without network lists what this browser has kept, and goes back as soon as there is a network.
const WHOLE = /^(\/learn\/[\w-]+\/[\w-]+\?at=0|\/t\/[\w-]{22})$/; // where a lesson begins, or how a game ended
const AGAIN = 5; // seconds

async function kept() {
  const found = [];
  for (const name of (await caches.keys()).filter((name) => name.startsWith("yegg-"))) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) {
      const address = url.slice(location.origin.length);
      if (WHOLE.test(address)) found.push([address, titleOf(await (await cache.match(url)).text())]);
    }
  }
  return found;
}

const titleOf = (html) => new DOMParser().parseFromString(html, "text/html").title;

function listed(found) {
  for (const list of document.querySelectorAll("[data-kept]")) {
    for (const [address, title] of found.filter(([address]) => address.startsWith(list.dataset.kept))) {
      const row = document.createElement("li");
      row.append(Object.assign(document.createElement("a"), { href: address, textContent: title }));
      list.append(row);
    }
    list.closest("section").hidden = !list.children.length;
  }
}

// Browsers say that they are online a little before anything answers.
async function back() {
  if (await fetch("/offline", { method: "HEAD", cache: "no-store" }).then(() => true, () => false)) location.reload();
}

addEventListener("online", back);
setInterval(back, 1000 * AGAIN);
if (globalThis.caches) kept().then(listed);
