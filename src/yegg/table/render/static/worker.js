// The app's worker: keeps what can be read without network, and shows what the server tells this browser.
// `KEPT` stands before it: the version, the files and pages to keep, and the page for whoever has no network.

// What is kept -----------------------------------------------------------------------------

// Pages that are the same for everybody, as somebody without a cookie sees them; and one's own games that are over.
const [SHARED, OWN] = [`yegg-${KEPT.version}`, `yegg-${KEPT.version}-own`];
const MANY = 150; // pages of one's own games, of which the oldest go first
const WHOSE = "/whose"; // where it is noted whose games these are
const READ = "You are offline. This is what this browser has kept to be read.";
const ENDED = "You are offline. This is how your game ended.";

addEventListener("install", (event) => event.waitUntil(begun()));
addEventListener("activate", (event) => event.waitUntil(replaced()));

async function begun() {
  const cache = await caches.open(SHARED);
  await cache.addAll(KEPT.files);
  await keep(KEPT.offline);
  await skipWaiting();
}

// Another version keeps all anew.
async function replaced() {
  for (const name of await caches.keys()) {
    if (name.startsWith("yegg-") && ![SHARED, OWN].includes(name)) await caches.delete(name);
  }
  await clients.claim();
  for (const page of KEPT.pages) await keep(page).catch(() => {}); // it is kept when somebody reads it
}

// A page as it comes to somebody whom the server does not know.
async function keep(address) {
  const cache = await caches.open(SHARED);
  if (await cache.match(address)) return true;
  const answer = await fetch(address, { credentials: "omit", redirect: "error" });
  if (answer.ok) await cache.put(address, answer);
  return answer.ok;
}

// Where a page is kept that is the same for everybody; "" for any other.
function shared({ pathname, searchParams }) {
  if (/^\/rules\/[\w-]+$/.test(pathname)) return pathname + (searchParams.has("bare") ? "?bare=true" : "");
  if (/^\/learn\/[\w-]+\/[\w-]+$/.test(pathname)) return `${pathname}?at=${searchParams.get("at") || 0}`;
  return "";
}

// All steps of a lesson that somebody has opened.
async function taught(url, page) {
  const steps = Number(/ data-steps="(\d+)"/.exec(await page.text())?.[1] ?? 0);
  for (let at = 0; at < steps && (await keep(`${url.pathname}?at=${at}`)); at++);
}

// The server says with each page whose browser it takes this for: somebody else's games are gone.
let turns = Promise.resolve();

function belongs(whose) {
  turns = turns.then(async () => {
    const known = await (await (await caches.open(OWN)).match(WHOSE))?.text();
    if (known === whose) return;
    await caches.delete(OWN);
    await (await caches.open(OWN)).put(WHOSE, new Response(whose));
  });
  return turns;
}

async function own(address, answer) {
  const cache = await caches.open(OWN);
  await cache.delete(address); // the newest stand last
  await cache.put(address, answer);
  const all = await cache.keys();
  for (const old of all.slice(0, Math.max(0, all.length - MANY))) {
    if (!old.url.endsWith(WHOSE)) await cache.delete(old);
  }
}

async function seen(url, answer) {
  const whose = answer.headers.get("Yegg-Whose");
  if (whose !== null) await belongs(whose);
  if (!answer.ok) return;
  if (whose && answer.headers.get("Yegg-Keep") === "own") await own(url.pathname + url.search, answer);
  const address = shared(url);
  if (address && (await keep(address)) && url.pathname.startsWith("/learn/")) await taught(url, answer);
}

// What is answered -------------------------------------------------------------------------

const PART = /^\/(rules\/|t\/[\w-]{22}(\/at\/|\/marks$|$))/; // what scripts fetch of pages that are kept
const FORGETS = /^\/me\/(end|forget|take)$/;

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event, url));
  else if (request.method !== "GET") return;
  else if (url.pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (PART.test(url.pathname)) event.respondWith(part(event, url));
});

const file = async (request) => (await (await caches.open(SHARED)).match(request)) ?? fetch(request);

async function online(event, url) {
  if (event.request.method === "POST" && FORGETS.test(url.pathname)) await caches.delete(OWN);
  const answer = await fetch(event.request);
  if (event.request.method === "GET") event.waitUntil(seen(url, answer.clone()).catch(() => {})); // the disk is full
  return answer;
}

async function found(url) {
  const game = await (await caches.open(OWN)).match(url.pathname + url.search);
  return game ?? (shared(url) ? (await caches.open(SHARED)).match(shared(url)) : undefined);
}

const part = (event, url) => online(event, url).catch(async () => (await found(url)) ?? Response.error());

const page = (event, url) => online(event, url).catch(() => without(event.request, url));

// A page without network: as it was kept, and it says so; else the page that says that you are offline.
async function without({ method }, url) {
  const kept = method === "GET" ? await found(url) : undefined;
  if (kept) return changed(kept, "<body", `<body data-kept="${url.pathname.startsWith("/t/") ? ENDED : READ}"`);
  const offline = await (await caches.open(SHARED)).match(KEPT.offline);
  return changed(offline, method === "GET" ? "" : 'class="warn" hidden', method === "GET" ? "" : 'class="warn"', 503);
}

async function changed(answer, from, to, status = 200) {
  return new Response((await answer.text()).replace(from, to), { status, headers: answer.headers });
}

// Notifications ----------------------------------------------------------------------------

addEventListener("push", (event) => {
  let note = {};
  try {
    note = event.data.json();
  } catch {
    // an empty note still says that something waits
  }
  const link = String(note.link ?? "");
  const shown = { body: note.body || "A table waits for you.", tag: "yegg-turns", data: link };
  event.waitUntil(registration.showNotification(note.title || "Your turn", shown));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = new URL(event.notification.data, `${location.origin}/`);
  event.waitUntil(clients.openWindow(address.origin === location.origin ? address.href : "/"));
});
