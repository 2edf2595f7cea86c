// Photos that wait for the computer, and pages for when it is away. Works in secure contexts only.
"use strict";
(() => {
  const PAGES = "pages"; // as in worker.js
  const RETRY = 15000; // ms
  if (!window.isSecureContext || !navigator.serviceWorker || !window.indexedDB) return;
  const words = document.getElementById("away").dataset;
  const show = (id, is = true) => { const found = document.getElementById(id); if (found) found.hidden = !is; };
  const element = (name, text, about = {}) => Object.assign(document.createElement(name), { textContent: text }, about);

  // --- the worker, and the pages that it keeps ---

  navigator.serviceWorker.register("/worker.js").catch(() => {}); // an address that the browser does not trust
  const toggle = document.getElementById("away-keep");
  async function pages() {
    if (toggle) {
      const isOn = await caches.has(PAGES);
      show("away-switch");
      toggle.textContent = isOn ? words.end : words.keep;
      toggle.setAttribute("aria-pressed", String(isOn));
    }
    const list = document.getElementById("away-pages");
    if (!list || !(await caches.has(PAGES))) return;
    const cache = await caches.open(PAGES);
    const items = [];
    for (const request of (await cache.keys()).reverse()) {
      const stored = await cache.match(request);
      if (!stored?.headers.get("content-type")?.startsWith("text/html")) continue;
      const title = new DOMParser().parseFromString(await stored.text(), "text/html").title;
      const item = document.createElement("li");
      item.append(element("a", title, { href: request.url }));
      items.push(item);
    }
    list.replaceChildren(...items);
    show("away-none", !items.length);
  }
  toggle?.addEventListener("click", async () => {
    if (await caches.has(PAGES)) await caches.delete(PAGES);
    else await caches.open(PAGES);
    await pages();
  });

  // --- photos that wait ---

  const store = new Promise((resolve, reject) => {
    const opening = indexedDB.open("waiting", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("photos", { keyPath: "id", autoIncrement: true });
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  async function photos(mode, what) {
    const request = what((await store).transaction("photos", mode).objectStore("photos"));
    return new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  }
  const all = () => photos("readonly", (photos) => photos.getAll());

  document.addEventListener("unsent", async ({ detail: { address, body } }) => {
    // a form whose photo did not arrive
    if (address !== "/scan") return;
    const fields = [...body];
    const said = fields.filter(([, value]) => typeof value === "string");
    try {
      for (const [, photo] of fields.filter(([, value]) => value instanceof File && value.size)) {
        await photos("readwrite", (all) => all.add({ photo, name: photo.name, said }));
      }
    } catch {
      return; // no room: what the page said holds
    }
    for (const input of document.querySelectorAll("#upload input[type=file]")) input.value = "";
    show("away-note");
    document.querySelector("#upload .progress")?.setAttribute("hidden", "");
    await list();
  });

  async function list() {
    const waiting = await all();
    show("away-waiting", waiting.length > 0);
    const text = waiting.length === 1 ? words.one : words.many.replace("{count}", waiting.length);
    const status = document.getElementById("away-count");
    if (status.textContent !== text && waiting.length) status.textContent = text;
    document.getElementById("away-photos").replaceChildren(...waiting.map((each) => {
      const item = element("li", "");
      const drop = element("button", words.drop, { type: "button", className: "quiet" });
      drop.setAttribute("aria-label", `${words.drop}: ${each.name}`);
      drop.addEventListener("click", async () => { await photos("readwrite", (all) => all.delete(each.id)); await list(); });
      item.append(element("span", each.problem ? `${each.name}: ${each.problem} ` : `${each.name} `), drop);
      return item;
    }));
  }

  async function send() {
    for (const each of (await all()).filter(({ problem }) => !problem)) {
      const body = new FormData();
      for (const [name, value] of each.said) body.append(name, value);
      body.append("photo", each.photo, each.name);
      const answer = await fetch("/scan", { method: "POST", body, headers: { Accept: "application/json" } });
      if (answer.status === 503 || answer.status === 401) return; // busy, or the key is asked for first
      const told = await answer.json().catch(() => ({}));
      if (answer.ok) {
        await photos("readwrite", (all) => all.delete(each.id));
        const line = element("p", `${words.sent} `);
        for (const { number, reading } of told.results || []) {
          line.append(element("a", `${each.name}: ${reading.score.total}`, { href: `/result/${number}` }), " ");
        }
        line.append((told.errors || []).join(" ")); // of further sheets in the photo
        document.getElementById("away-sent").append(line);
        show("away-sent");
      } else {
        await photos("readwrite", (all) => all.put({ ...each, problem: told.message || String(answer.status) }));
      }
      await list();
    }
  }
  function retry() {
    // one page at a time, or a photo would be sent twice
    if (!navigator.locks) return send().catch(() => {});
    return navigator.locks.request("waiting-photos", { ifAvailable: true }, (lock) => lock && send().catch(() => {}));
  }
  window.addEventListener("online", retry);
  setInterval(async () => { if (!document.hidden && (await all()).length) retry(); }, RETRY);

  // --- whether this page is one that was kept; where it is not, the worker gets /away as it is now ---

  if (navigator.serviceWorker.controller && !document.getElementById("away-pages")) {
    fetch("/away", { cache: "no-store" }).then((answer) => answer.text()).catch(() => show("away-note"));
  }
  pages();
  list().then(retry).catch(() => {});
})();
