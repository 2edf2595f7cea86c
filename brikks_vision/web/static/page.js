// Makes the pages quicker; everything works without it, too.
"use strict";
document.documentElement.classList.add("scripted");
document.documentElement.classList.toggle("secure", window.isSecureContext);
for (const input of document.querySelectorAll("#upload [data-several]")) input.multiple = true;
const live = document.getElementById("live");
const dialog = document.getElementById("dialog");

function parsed(text) {
  return new DOMParser().parseFromString(text, "text/html");
}

function show(text, address) {
  // the answer to what was sent, in place of the page
  const next = parsed(text);
  const photoFirst = document.getElementById("blink")?.checked;
  const typed = [...document.querySelectorAll("#who input")].map((field) => field.value);
  document.getElementById("main").replaceWith(next.getElementById("main"));
  const blink = document.getElementById("blink");
  if (blink) blink.checked = photoFirst;
  for (const [index, field] of document.querySelectorAll("#who input").entries()) field.value ||= typed[index] || "";
  document.dispatchEvent(new Event("shown"));
  document.title = next.title;
  if (address) history.pushState(null, "", address);
  rove();
}

function tell(text) {
  live.textContent = "";
  setTimeout(() => { live.textContent = text; }, 50);
}

// --- the photo ---

document.addEventListener("change", ({ target }) => {
  if (target.type !== "file" || !target.files.length || target.form?.id !== "upload") return;
  if (target.files.length > 1) sendAll(target.form, [...target.files]);
  else send(target.form);
});
document.addEventListener("submit", (event) => {
  if (event.target.id !== "upload") return;
  event.preventDefault();
  send(event.target);
});

function send(upload) {
  if (upload.classList.contains("busy")) return;
  const request = new XMLHttpRequest();
  const words = upload.dataset;
  const bar = upload.querySelector("progress");
  const text = document.getElementById("progress-text");
  const ready = (sentence, way) => {
    upload.classList.remove("busy");
    text.classList.add("failed");
    bar.hidden = true;
    text.textContent = sentence;
    if (way) text.append(" ", way);
  };
  const body = new FormData(upload);
  text.classList.remove("failed");
  upload.classList.add("busy");
  upload.querySelector(".progress").hidden = false;
  bar.hidden = false;
  bar.value = 0;
  text.textContent = words.sending.replace("{percent}", 0);
  text.scrollIntoView({ block: "nearest" });
  request.upload.addEventListener("progress", (event) => {
    if (!event.lengthComputable) return;
    const percent = Math.floor((100 * event.loaded) / event.total);
    bar.value = percent;
    text.textContent = words.sending.replace("{percent}", percent);
  });
  request.upload.addEventListener("load", () => {
    bar.removeAttribute("value"); // moves without an end
    text.textContent = words.reading;
  });
  request.addEventListener("error", () => {
    ready(words.lost);
    const unsent = { detail: { address: upload.getAttribute("action"), body } };
    document.dispatchEvent(new CustomEvent("unsent", unsent)); // offline.js lets it wait
  });
  request.addEventListener("load", () => {
    const answered = new URL(request.responseURL);
    if (request.status < 400 && answered.pathname !== "/scan") {
      location.assign(answered.pathname + answered.search);
      return;
    }
    for (const input of upload.querySelectorAll("input[type=file]")) input.value = "";
    const told = parsed(request.responseText);
    ready(told.querySelector(".message p")?.textContent || words.lost, told.querySelector("[data-way]"));
  });
  request.open("POST", upload.action);
  request.setRequestHeader("Accept", "text/html");
  request.send(body);
}
async function sendAll(upload, files) {
  // Several photos, one after the other: their sheets get a table, and who won shows by itself.
  if (upload.classList.contains("busy")) return;
  const words = upload.dataset;
  const text = document.getElementById("progress-text");
  const problems = [];
  let table = "new", last = "";
  upload.classList.add("busy");
  upload.querySelector(".progress").hidden = false;
  upload.querySelector("progress").removeAttribute("value");
  for (const [index, file] of files.entries()) {
    text.textContent = words.each.replace("{number}", index + 1).replace("{all}", files.length).replace("{state}", words.reading);
    const body = new FormData();
    body.set("table", table);
    body.set("photo", file);
    try {
      const answer = await fetch("/scan", { method: "POST", body, headers: { Accept: "application/json" } });
      if (answer.redirected) { last = answer.url; continue; } // a board, which has no place at a table
      const told = await answer.json();
      if (!answer.ok) throw new Error(told.message);
      if (told.table) table = told.table;
      last = told.results.length ? `/result/${told.results.at(-1).number}` : last;
      problems.push(...told.errors);
    } catch (error) {
      const isUnsent = error instanceof TypeError;
      problems.push(`${file.name}: ${isUnsent ? words.lost : error.message}`);
      if (isUnsent) document.dispatchEvent(new CustomEvent("unsent", { detail: { address: "/scan", body } }));
    }
  }
  const way = await winner(table, last);
  if (way && !problems.length) { location.assign(way); return; }
  upload.classList.remove("busy");
  upload.querySelector("progress").hidden = true;
  text.classList.add("failed");
  text.textContent = problems.join(" ");
  if (way) text.append(" ", Object.assign(document.createElement("a"), { href: way, textContent: words.again, className: "button main" }));
}

async function winner(table, last, isOwn = true) {
  // Where it shows who won with the sheets of a table; of one sheet alone its own page.
  if (table === "new") return last;
  const headers = { Accept: "application/json" };
  const seats = (await (await fetch(`/table/${table}`, { headers })).json()).seats.filter((seat) => seat.result);
  if (seats.length > 1) {
    const answer = await fetch(`/table/${table}/finish`, { method: "POST", headers });
    return answer.ok ? `/table/${table}/ranking` : `/table/${table}`;
  }
  if (!isOwn) return `/table/${table}`;
  await fetch(`/table/${table}/remove`, { method: "POST", headers });
  return last;
}
window.addEventListener("pageshow", () => {
  const upload = document.getElementById("upload");
  if (!upload) return;
  upload.classList.remove("busy");
  upload.querySelector(".progress").hidden = true;
});

// --- the sheets of a game, chosen in the history ---

const choosing = document.querySelector("form[data-choose]");
function count() {
  const many = choosing.querySelectorAll(":checked").length;
  choosing.querySelector("button").disabled = many < 2 || many > 4;
}
if (choosing) {
  choosing.addEventListener("change", count);
  window.addEventListener("pageshow", count);
}

// --- corrections ---

document.addEventListener("click", async (event) => {
  const tapped = event.target.closest("a[data-tap]");
  const field = tapped && document.querySelector(`button[data-where="${tapped.dataset.tap}"]`);
  if (field) {
    event.preventDefault();
    field.form.requestSubmit(field);
  }
  const link = event.target.closest("a[data-where]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && dialog.showModal) {
    event.preventDefault();
    try {
      const answer = await fetch(link.getAttribute("href"), { headers: { Accept: "text/html" } });
      const place = parsed(await answer.text()).getElementById("place");
      if (!answer.ok || !place) throw new Error();
      dialog.replaceChildren(place);
      dialog.showModal();
    } catch {
      location.assign(link.getAttribute("href"));
    }
  } else if (event.target.closest("#dialog [data-close]") || event.target === dialog) {
    event.preventDefault();
    dialog.close();
  }
});

document.addEventListener("submit", async (event) => {
  // live: its answer takes the place of the page. here: what is wrong is said in the form, and what was typed stays.
  const form = event.target.closest("form[data-live], form[data-here]");
  if (!form) return;
  event.preventDefault();
  const submitter = event.submitter;
  const body = new URLSearchParams(new FormData(form));
  if (submitter?.name) body.set(submitter.name, submitter.value);
  const where = body.get("where");
  for (const button of form.querySelectorAll("button")) button.disabled = true;
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" } });
    const text = await answer.text();
    dialog.close();
    const problem = "here" in form.dataset && parsed(text).querySelector(".problem");
    if (problem) {
      for (const button of form.querySelectorAll("button")) button.disabled = false;
      form.querySelector(".problem")?.remove();
      form.prepend(problem);
    } else if ("live" in form.dataset && answer.redirected && new URL(answer.url).pathname === location.pathname) {
      const before = document.getElementById("total")?.textContent;
      show(text);
      if (document.getElementById("total")?.textContent !== before) {
        document.querySelector(".now")?.classList.add("changed");
      }
      const question = form.classList.contains("question") && document.querySelector(".question button");
      const spot = question || where && document.querySelector(`.spot[data-where="${where}"]`);
      if (spot) spot.focus({ preventScroll: true });
      tell(document.title + ". " + (document.getElementById("status")?.textContent || ""));
    } else if (answer.redirected) {
      location.assign(answer.url);
    } else {
      show(text);
      document.getElementById("main").focus();
    }
  } catch { // the way of a page without script, which shows what is wrong
    for (const button of form.querySelectorAll("button")) button.disabled = false;
    form.removeAttribute("data-live");
    form.removeAttribute("data-here");
    form.requestSubmit(submitter);
  }
});

// --- moving over the sheet with the arrow keys ---

function rove() {
  const first = new Set();
  for (const spot of document.querySelectorAll(".spot[data-group]")) {
    const group = spot.dataset.group;
    spot.setAttribute("tabindex", first.has(group) ? "-1" : "0"); // one stop a group for Tab
    first.add(group);
  }
}
rove();

document.addEventListener("keydown", (event) => {
  const spot = event.target.closest?.(".spot");
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  if (!spot || !step) return;
  event.preventDefault();
  const { group, row, column } = spot.dataset;
  const next = document.querySelector(
    `.spot[data-group="${group}"][data-row="${+row + step[0]}"][data-column="${+column + step[1]}"]`);
  if (!next) return;
  spot.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
});
