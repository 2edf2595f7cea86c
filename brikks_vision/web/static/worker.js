// Pages while the computer is away. What is kept, and for how long:
// - what bears nothing of anybody: the page /away, looks and scripts;
// - pages and pictures of the record only where somebody switched that on (static/offline.js makes
//   and deletes the cache), and then the last ones that were opened here, for a week at most. All of
//   them go as soon as the key is refused, or something is removed.
"use strict";
const SHELL = "shell-1";
const PAGES = "pages";
const MAX_PAGES = 60; // with their pictures
const MAX_AGE = 7 * 24 * 3600 * 1000; // ms
const PATIENCE = 8000; // ms, for a computer that does not answer, where something is kept
const KEPT = /^\/(?:|history|player|(?:table|game|result)\/\d+(?:\/(?:ranking|picture|thumbnail))?)$/;
const OPEN = /^\/static\/[\w.-]+$/;
const FILES = ["/away", "/static/look.css", "/static/page.css", "/static/page.js", "/static/offline.js",
  "/static/icon-192.png"];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(FILES)));
});
self.addEventListener("activate", (event) => event.waitUntil(begin()));
self.addEventListener("fetch", (event) => {
  const request = event.request;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method !== "GET") {
    if (/\/(?:remove|delete)$/.test(pathname)) event.waitUntil(forget());
    return;
  }
  if (pathname === "/away" && request.mode !== "navigate") event.respondWith(renewed(request));
  else if (OPEN.test(pathname)) event.respondWith(fresh(request, SHELL));
  else if (request.mode === "navigate") event.respondWith(page(request, pathname));
  else if (KEPT.test(pathname) && request.destination === "image") event.respondWith(picture(request));
});

async function begin() {
  for (const name of await caches.keys()) if (name !== SHELL && name !== PAGES) await caches.delete(name);
  await prune();
  await self.clients.claim();
}

async function answered(request) {
  // from the computer, or an error where it does not answer in time
  let late;
  const patience = new Promise((_, reject) => { late = setTimeout(() => reject(new Error("late")), PATIENCE); });
  try {
    return await Promise.race([fetch(request), patience]);
  } finally {
    clearTimeout(late);
  }
}

async function fresh(request, name) {
  // what everybody may see: as the computer has it now, else as it was
  const cache = await caches.open(name);
  try {
    const answer = await answered(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch {
    return (await cache.match(request, { ignoreSearch: true })) || Response.error();
  }
}

async function renewed(request) {
  // of now, in the language of now; an error while the computer is away
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(SHELL)).put("/away", answer.clone());
  return answer;
}

async function page(request, pathname) {
  await prune();
  const spare = await kept(request);
  try {
    const answer = await (spare ? answered(request) : fetch(request)); // nothing else to show: as long as it takes
    if (answer.status === 401) await forget();
    else if (KEPT.test(pathname)) await keep(request, answer);
    return answer;
  } catch {
    return spare || (await caches.match("/away", { cacheName: SHELL })) || Response.error();
  }
}

async function picture(request) {
  try {
    const answer = await answered(request);
    await keep(request, answer);
    return answer;
  } catch {
    return (await kept(request)) || Response.error();
  }
}

function address(request) {
  // without the key and the language: both are in cookies
  const url = new URL(request.url);
  for (const name of ["key", "lang"]) url.searchParams.delete(name);
  return url.href;
}

async function kept(request) {
  return (await caches.has(PAGES)) ? (await caches.open(PAGES)).match(address(request)) : undefined;
}

async function keep(request, answer) {
  if (!(await caches.has(PAGES))) return;
  const cache = await caches.open(PAGES);
  if (answer.status === 404) await cache.delete(address(request));
  if (!answer.ok || answer.redirected) return;
  const headers = new Headers(answer.headers);
  headers.set("x-kept", String(Date.now()));
  const copy = new Response(await answer.clone().blob(), { headers });
  await cache.delete(address(request)); // the newest last
  await cache.put(address(request), copy);
  await prune();
}

async function prune() {
  if (!(await caches.has(PAGES))) return;
  const cache = await caches.open(PAGES);
  const all = await cache.keys();
  for (const [place, request] of all.entries()) {
    const stored = await cache.match(request);
    const age = Date.now() - Number(stored?.headers.get("x-kept") || 0);
    if (all.length - place > MAX_PAGES || age > MAX_AGE) await cache.delete(request);
  }
}

async function forget() {
  if (!(await caches.has(PAGES))) return;
  await caches.delete(PAGES);
  await caches.open(PAGES); // it stays switched on
}
