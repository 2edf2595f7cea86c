// The table without loading: photos one after the other, and what other phones do at it.
"use strict";
(() => {
const seconds = 4; // between two looks at whether another phone changed the table
const queue = []; // photos to send: { file, table, seat }
const problems = [];
const notes = []; // what was told of photos that were sent
let all = 0, done = 0, isSending = false, isLooking = false;
const root = () => document.getElementById("table");
// Sheets of other tables and games are asked for until somebody answers.
const elsewhere = new Set(new URLSearchParams(location.search).getAll("elsewhere"));

// --- the page anew, with what is open and what is being typed ---

async function shown(text, address) {
  // The table after a change, with what is still asked for: false where the text is no table.
  for (const each of new URL(address).searchParams.getAll("elsewhere")) elsewhere.add(each);
  if (elsewhere.size && root()) {
    const query = new URLSearchParams([...elsewhere].map((each) => ["elsewhere", each]));
    const page = await fetch(`/table/${root().dataset.table}?${query}`, { headers: { Accept: "text/html" } });
    if (page.ok) text = await page.text();
  }
  if (!renewed(text)) return false;
  const asked = new Set([...document.querySelectorAll('.elsewhere input[name="result"]')].map((each) => each.value));
  for (const each of elsewhere) if (!asked.has(each)) elsewhere.delete(each);
  return true;
}

function renewed(text) {
  const next = new DOMParser().parseFromString(text, "text/html");
  const main = next.getElementById("main");
  if (!main?.querySelector("#table")) return false;
  const old = document.getElementById("main");
  const open = [...old.querySelectorAll("details[open][id]")].map((each) => each.id);
  const typed = [...old.querySelectorAll("input[id]:not([type=file]), select[id]")]
    .filter((each) => each.tagName === "INPUT" ? each.value !== each.defaultValue : each === document.activeElement)
    .map((each) => [each.id, each.value]);
  const focused = document.activeElement?.id;
  const scrolled = window.scrollY;
  old.replaceWith(main);
  document.title = next.title;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  for (const [id, value] of typed) {
    const field = document.getElementById(id);
    if (field) field.value = value;
  }
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  window.scrollTo({ top: scrolled, behavior: "instant" });
  prepare();
  paint();
  return true;
}

function prepare() {
  for (const input of document.querySelectorAll("[data-several]")) input.multiple = true;
}

function sentence(text) {
  const found = new DOMParser().parseFromString(text, "text/html");
  return (found.querySelector(".problem") || found.querySelector(".message p"))?.textContent.trim();
}

function notesIn(text) {
  // What the page tells of the photo that was sent: it stays while others are sent.
  const found = new DOMParser().parseFromString(text, "text/html").querySelectorAll(".photo-note");
  return [...found].map((note) => note.textContent.trim());
}

// --- photos ---

function paint(word, percent) {
  const box = document.getElementById("table-progress");
  if (!box) return;
  box.hidden = !isSending && !problems.length;
  const bar = box.querySelector("progress");
  bar.hidden = !isSending;
  if (percent === undefined) bar.removeAttribute("value");
  else bar.value = percent;
  const line = document.getElementById("table-progress-text");
  line.textContent = isSending
    ? (word || words().reading).replace("{number}", done + 1).replace("{all}", all).replace("{percent}", percent ?? 100)
    : "";
  document.getElementById("table-problems").replaceChildren(...problems.map(listed));
  document.getElementById("photo-notes").replaceChildren(...notes.map(listed));
}

function listed(text) {
  const item = document.createElement("li");
  item.textContent = text;
  return item;
}

function words() {
  return document.getElementById("photos").dataset;
}

function add(files, form) {
  if (!files.length) return;
  if (!isSending) { all = done = problems.length = notes.length = 0; }
  const data = new FormData(form);
  for (const file of files) queue.push({ file, table: data.get("table"), seat: data.get("seat") || "" });
  all += files.length;
  if (!isSending) next();
}

function next() {
  const photo = queue.shift();
  isSending = Boolean(photo);
  paint();
  if (!photo) return;
  const body = new FormData();
  body.set("table", photo.table);
  if (photo.seat) body.set("seat", photo.seat);
  body.set("photo", photo.file);
  const request = new XMLHttpRequest();
  const failed = (reason) => {
    problems.push(`${photo.file.name}: ${reason || words().lost}`);
    done += 1;
    next();
  };
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) paint(words().sending, Math.floor((100 * event.loaded) / event.total));
  });
  request.upload.addEventListener("load", () => paint(words().reading));
  request.addEventListener("error", () => {
    failed();
    document.dispatchEvent(new CustomEvent("unsent", { detail: { address: "/scan", body } })); // offline.js lets it wait
  });
  request.addEventListener("load", async () => {
    if (request.status >= 400) { failed(sentence(request.responseText)); return; }
    done += 1;
    let text = request.responseText, address = request.responseURL;
    if (address.endsWith("/ranking")) { // the last sheet has come
      if (!queue.length && !problems.length && !notes.length && !elsewhere.size) { location.assign(address); return; }
      address = new URL(`/table/${photo.table}`, address).href;
      text = await (await fetch(address, { headers: { Accept: "text/html" } })).text();
    }
    notes.push(...notesIn(text).map((note) => `${photo.file.name}: ${note}`));
    if (!await shown(text, address).catch(() => false)) {
      location.assign(request.responseURL);
      return;
    }
    for (const note of document.querySelectorAll(".photo-note")) note.remove();
    paint();
    next();
    document.getElementById("live").textContent = document.querySelector(".finish")?.textContent.trim() || document.title;
  });
  request.open("POST", "/scan");
  request.setRequestHeader("Accept", "text/html");
  request.send(body);
}

document.addEventListener("change", (event) => {
  const form = event.target.closest?.("form[data-photos]");
  if (!form || event.target.type !== "file") return;
  add([...event.target.files], form);
  event.target.value = "";
});

const isFiles = (event) => root() && [...(event.dataTransfer?.types || [])].includes("Files");
let inside = 0;
document.addEventListener("dragenter", (event) => {
  if (!isFiles(event)) return;
  event.preventDefault();
  inside += 1;
  document.body.classList.add("dropping");
});
document.addEventListener("dragover", (event) => { if (isFiles(event)) event.preventDefault(); });
document.addEventListener("dragleave", (event) => {
  if (!isFiles(event)) return;
  inside = Math.max(0, inside - 1);
  if (!inside) document.body.classList.remove("dropping");
});
document.addEventListener("drop", (event) => {
  if (!isFiles(event)) return;
  event.preventDefault();
  inside = 0;
  document.body.classList.remove("dropping");
  const card = event.target.closest?.(".player-card");
  const form = event.dataTransfer.files.length === 1 && card?.querySelector("form.seat-photo");
  add([...event.dataTransfer.files], form || document.getElementById("photos"));
});

// --- what is said on the cards ---

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-table]");
  if (!form) return;
  event.preventDefault();
  const submitter = event.submitter;
  const body = new URLSearchParams(new FormData(form));
  if (submitter?.name) body.set(submitter.name, submitter.value);
  for (const field of form.querySelectorAll("input[id]")) field.defaultValue = field.value;
  try {
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body, headers: { Accept: "text/html" } });
    const text = await answer.text();
    const open = form.closest("details");
    if (answer.ok && open && !open.querySelector(".question")) open.removeAttribute("open");
    if (!(answer.ok ? await shown(text, answer.url) : renewed(text))) {
      problems.length = 0;
      problems.push(sentence(text) || words().lost);
      paint();
    }
    (document.querySelector(".problem") || document.getElementById("table-progress"))
      ?.scrollIntoView({ block: "nearest" });
  } catch { // the way of a page without script
    form.submit();
  }
});

async function look() {
  const table = root();
  if (!table || isSending || isLooking || document.hidden || document.querySelector("dialog[open]")) return;
  isLooking = true;
  try {
    const answer = await fetch(`/table/${table.dataset.table}/version`, { headers: { Accept: "application/json" } });
    const now = answer.ok && (await answer.json()).version;
    if (now && now !== root()?.dataset.version) {
      const address = `/table/${table.dataset.table}`;
      const page = await fetch(address, { headers: { Accept: "text/html" } });
      if (page.ok && !isSending) await shown(await page.text(), page.url);
    }
  } catch { /* the computer may be asleep: the next look tells */ }
  isLooking = false;
}
if (root()) {
  setInterval(look, 1000 * seconds);
  document.addEventListener("visibilitychange", look);
  window.addEventListener("pageshow", look);
}
prepare();

// --- who plays ---

function prepareNames() {
  const who = document.getElementById("who");
  if (!who) return;
  const fields = [...who.querySelectorAll("input[name=names]")];
  for (const [index, field] of fields.slice(0, -1).entries()) {
    field.addEventListener("keydown", (event) => { // the next name, as the key says
      if (event.key !== "Enter" || !("all" in who.dataset)) return;
      event.preventDefault();
      fields[index + 1].focus();
    });
  }
  const chips = [...who.querySelectorAll(".name-chip")];
  const mark = () => {
    const given = fields.map((field) => field.value.trim().toLowerCase());
    for (const chip of chips) chip.setAttribute("aria-pressed", given.includes(chip.dataset.name.toLowerCase()));
  };
  who.addEventListener("click", (event) => {
    const chip = event.target.closest(".name-chip");
    if (!chip) return;
    const name = chip.dataset.name;
    const seat = fields.find((field) => field.value.trim().toLowerCase() === name.toLowerCase());
    const free = seat || fields.find((field) => !field.value.trim());
    if (free) free.value = seat ? "" : name;
    mark();
    if ("all" in who.dataset && fields.every((field) => field.value.trim())) who.requestSubmit();
  });
  who.addEventListener("input", mark);
  mark();
}

// --- the ranking ---

function prepareShare() {
  const share = document.getElementById("share");
  if (!share) return;
  const text = document.getElementById("share-text");
  document.getElementById("copy").addEventListener("click", async (event) => {
    try {
      await navigator.clipboard.writeText(text.value);
    } catch { // only secure addresses have a clipboard
      text.select();
      document.execCommand("copy");
    }
    event.target.textContent = share.dataset.copied;
    document.getElementById("live").textContent = share.dataset.copied;
  });
  if (navigator.share) offer(share); // only secure addresses can; elsewhere the picture is saved
}
document.addEventListener("shown", prepareNames);
document.addEventListener("shown", prepareShare);
prepareNames();
prepareShare();

async function offer(share) {
  const button = document.getElementById("share-now");
  const save = document.getElementById("save-picture");
  const shared = { text: document.getElementById("share-text").value };
  try { // fetched before the tap: sharing must follow it at once
    const picture = await (await fetch(share.dataset.picture)).blob();
    const files = [new File([picture], "brikks.png", { type: "image/png" })];
    if (navigator.canShare?.({ files })) shared.files = files;
  } catch { /* the text can still be shared */ }
  if (!shared.files) button.textContent = share.dataset.text;
  button.hidden = false;
  save.classList.remove("main");
  button.addEventListener("click", () => {
    navigator.share(shared).catch((error) => { if (error.name !== "AbortError") save.click(); });
  });
}
})();
