// The live view: small frames are looked at by the computer, and photos are taken by themselves.
"use strict";
(() => {
const every = 333; // ms from one look to the next
const steady = 600; // ms that all must be well before photos are taken
const side = 640; // px, of the frames that are looked at
const moved = 0.02; // of the frame: a corner that went farther between two looks was not held still
const frames = 3; // that are read together
const alike = 0.995; // of pictures of a sheet, moved, 0.997 and more; of different sheets 0.991 at most
const waiting = 5000; // ms without a change, until a tap is offered
const between = 120; // ms from one of them to the next, in which a hand moves a little
const view = document.getElementById("camera");
if (!view || !window.isSecureContext || !navigator.mediaDevices?.getUserMedia || !view.showModal) return;
const words = view.dataset;
const video = document.getElementById("camera-video");
const canvas = document.getElementById("camera-outline");
const hint = document.getElementById("camera-hint");
const strip = document.getElementById("camera-strip");
const allButton = document.getElementById("camera-all");
const nowButton = document.getElementById("camera-now");
const form = () => document.querySelector("form#upload, form#photos");
const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });
let stream = null;
let session = 0; // which opening of the camera: what an earlier one still answers is dropped
let state = "off"; // "looking", "reading", or "shown" until the sheet that was read is gone
let turn = 0, wellSince = 0, corners = [], others = 0, offered = "", shownSince = 0;
let seenNow = []; // a small picture of the sheet that is looked at
let readNow = []; // those of the sheets that were read last
let table = "new", isOwn = true; // where the sheets go; its own: made for what is shown here
let last = ""; // the address of what was read last
const sheets = new Map(); // what the strip shows, by number

// Only a device that has a camera is offered the view; without a word from it the picker stays alone.
navigator.mediaDevices.enumerateDevices().then((devices) => {
  const isThere = devices.some((device) => device.kind === "videoinput");
  document.documentElement.classList.toggle("has-camera", isThere);
}).catch(() => {});
document.addEventListener("click", ({ target }) => { if (target.closest("[data-camera]")) open(); });
document.getElementById("camera-close").addEventListener("click", () => view.close());
allButton.addEventListener("click", async () => {
  allButton.disabled = true;
  const own = isOwn ? `/result/${[...sheets.keys()].at(-1)}` : last; // all may lie at another table
  last = await winner(table, own, isOwn).catch(() => last);
  view.close();
});
nowButton.addEventListener("click", () => { if (state === "looking" || state === "shown") take(); });
view.addEventListener("close", leave);
window.addEventListener("pagehide", stop);
document.addEventListener("visibilitychange", () => {
  if (!view.open) return;
  if (document.hidden) stop();
  else start();
});

async function open() {
  last = "";
  table = new FormData(form()).get("table") || "new";
  isOwn = table === "new";
  sheets.clear();
  strip.replaceChildren();
  allButton.hidden = true;
  allButton.disabled = false;
  view.showModal();
  nowButton.focus();
  await start();
}

async function start() {
  const mine = ++session;
  say(words.start);
  try {
    const found = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: "environment", width: { ideal: 4096 }, height: { ideal: 3072 } },
    });
    if (mine !== session || !view.open) { // left meanwhile
      for (const track of found.getTracks()) track.stop();
      return;
    }
    stream = found;
    video.srcObject = stream;
    await video.play();
  } catch (error) {
    if (mine !== session || !view.open || error.name === "AbortError") return;
    say(words.refused);
    return;
  }
  look("looking");
  watch(mine);
}

function stop() {
  session += 1;
  state = "off";
  for (const track of stream?.getTracks() || []) track.stop();
  stream = video.srcObject = null;
}

async function leave() {
  stop();
  draw([], false);
  if (last && isOwn && sheets.size === 1 && !last.endsWith("/ranking")) await winner(table, last, true).catch(() => {});
  if (last) location.assign(last);
  else document.querySelector("[data-camera]")?.focus();
}

function say(text) {
  if (hint.textContent !== text) hint.textContent = text;
}

function look(next) {
  state = next;
  wellSince = others = 0;
  corners = [];
  shownSince = performance.now();
  nowButton.textContent = words.now;
}

// --- looking ---

async function watch(mine) {
  while (mine === session) {
    const began = performance.now();
    if (state === "looking" || state === "shown") await glance(mine, began).catch(() => say(words.lost));
    await pause(Math.max(0, began + every - performance.now()));
  }
}

async function glance(mine, at) {
  const frame = await picture(side, 0.7);
  const answer = await fetch(`/look?turn=${turn}`, {
    method: "POST", body: frame, headers: { Accept: "application/json", "Content-Type": "image/jpeg" },
  });
  if (mine !== session || state === "reading") return;
  if (answer.status === 503) return; // busy: the next frame may be looked at
  const seen = await answer.json();
  if (!answer.ok) throw new Error(seen.message);
  turn = seen.turn;
  seenNow = (seen.picture.match(/../g) || []).map((each) => parseInt(each, 16));
  if (state === "shown") {
    // What looks otherwise twice may be another sheet; if it is the same, it is told as seen.
    others = readNow.some((each) => correlation(each, seenNow) >= alike) ? 0 : others + 1;
    draw([], false);
    if (others > 1) look("looking");
    else if (at - shownSince >= waiting) nowButton.textContent = words.fresh;
    return;
  }
  const isStill = apart(seen.outline, corners) < moved;
  corners = seen.outline;
  if (seen.hint) wellSince = 0;
  else if (!isStill || !wellSince) wellSince = at;
  draw(seen.outline, wellSince && isStill);
  const told = seen.sentence || (isStill ? words.good : words.still);
  if (told === offered || !hint.textContent || hint.textContent === words.start) say(told); // twice: no flicker
  offered = told;
  if (wellSince && at - wellSince >= steady) await take();
}

function apart(outline, other) {
  // How far the corners are from others, of the frame; 0 where there are no others.
  const far = outline.map(([x, y], index) => other[index] ? Math.max(Math.abs(x - other[index][0]), Math.abs(y - other[index][1])) : 0);
  return Math.max(0, ...far);
}

function correlation(one, other) {
  // Of the grey levels of two pictures (Pearson); 0 where one is missing.
  if (!one.length || one.length !== other.length) return 0;
  const [a, b] = [one, other].map((levels) => {
    const mean = levels.reduce((sum, each) => sum + each, 0) / levels.length;
    return levels.map((each) => each - mean);
  });
  const product = (x, y) => x.reduce((sum, each, index) => sum + each * y[index], 0);
  return product(a, b) / (Math.sqrt(product(a, a) * product(b, b)) || 1);
}

function picture(longest, quality) {
  // The frame that shows now, at most so large; as a JPEG.
  const scale = Math.min(1, longest / Math.max(video.videoWidth, video.videoHeight));
  const drawn = document.createElement("canvas");
  drawn.width = Math.round(video.videoWidth * scale);
  drawn.height = Math.round(video.videoHeight * scale);
  drawn.getContext("2d").drawImage(video, 0, 0, drawn.width, drawn.height);
  return new Promise((done, failed) => {
    drawn.toBlob((blob) => blob ? done(blob) : failed(new Error()), "image/jpeg", quality);
  });
}

function draw(outline, isWell) {
  canvas.width = video.videoWidth || 1;
  canvas.height = video.videoHeight || 1;
  if (!outline.length) return;
  const pen = canvas.getContext("2d");
  pen.beginPath();
  for (const [x, y] of outline) pen.lineTo(x * canvas.width, y * canvas.height);
  pen.closePath();
  const width = Math.max(canvas.width, canvas.height) / 160;
  for (const [color, wide] of [["#000", 1.8], [isWell ? "#6fdc93" : "#ffb454", 1]]) {
    pen.strokeStyle = color;
    pen.lineWidth = width * wide;
    pen.stroke();
  }
}

// --- taking and reading ---

async function take() {
  const mine = session;
  const before = readNow;
  readNow = [seenNow];
  look("reading");
  view.classList.add("taking");
  say(words.reading);
  const photos = [];
  try {
    for (let count = 0; count < frames; count += 1) {
      if (count) await pause(between);
      photos.push(await picture(Infinity, 0.92));
    }
    view.classList.remove("taking");
    await read(photos, mine, before);
  } catch {
    if (mine === session) { say(words.lost); look("shown"); }
  }
}

async function post(address, fields, photo, name) {
  const body = new FormData();
  for (const [key, value] of Object.entries(fields)) body.set(key, value);
  body.set("photo", photo, name);
  return fetch(address, { method: "POST", body, headers: { Accept: "application/json" } });
}

async function read(photos, mine, before) {
  // The first photo that can be read, whose score shows at once, and what the others add to it.
  const name = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  let found = null, shown = null, board = "", reason = "", note = "", isComplete = false;
  for (const [index, photo] of photos.entries()) {
    const file = `camera ${name} ${index + 1}.jpg`;
    const other = board ? { board } : found && { result: found };
    let answer;
    try {
      answer = await post(other ? "/another" : "/scan", other || { table }, photo, file);
    } catch (error) {
      if (!found) throw error;
      note = words.lost; // the score of the first photo stands
      break;
    }
    const at = new URL(answer.url).pathname;
    if (!answer.ok) {
      if (!other) reason = (await answer.json()).message;
    } else if (at.startsWith("/boards/")) {
      board = at.split("/")[2];
    } else if (other) {
      shown = await answer.json();
      if (mine === session) tell(shown, words.reading);
    } else {
      const told = await answer.json();
      if (!told.results.length) { reason = told.errors[0]; continue; }
      note = told.errors.join(" "); // of a sheet that has no place at this table, say
      isComplete = told.complete;
      if (told.table) table = told.table;
      if (mine !== session) return;
      const isOne = told.results.length === 1;
      const isSeen = isOne && sheets.has(told.results[0].number);
      for (const each of told.results) {
        const how = sheets.has(each.number) || told.elsewhere.includes(each.number) ? words.seen : isOne && photos.length > 1 ? words.reading : "";
        tell(each, how, told.elsewhere.includes(each.number));
      }
      last = isOwn && sheets.size === 1 ? `/result/${told.results[0].number}` : `/table/${table}`;
      if (!isOne) readNow.push(...before); // the next look may show another one of them
      if (!isOne || isSeen) break;
      shown = told.results[0];
      found = shown.number;
    }
  }
  if (mine !== session) return;
  if (board) {
    last = `/boards/${board}`;
    view.close();
  } else if (isComplete && !note) {
    last = `/table/${table}/ranking`;
    view.close();
  } else if (sheets.size) {
    if (shown) tell(shown);
    say(note || reason || words.lay);
    look("shown");
  } else {
    say(words.failed.replace("{why}", reason || words.lost));
    look("shown");
  }
}

function tell({ reading, number, player }, how = "", isElsewhere = false) {
  // A sheet in the strip, once. how: what is told beside its score, as that it was seen already.
  const item = sheets.get(number) || document.createElement("li");
  const kinds = [reading.status === "ok" ? "sure" : "check", ...(reading.violations.length ? ["against"] : [])];
  const isReading = how === words.reading;
  const told = isReading ? [how] : [...kinds.map((kind) => words[kind]), how];
  item.className = isReading ? "reading" : kinds.join(" ");
  item.replaceChildren(
    Object.assign(document.createElement("strong"), { textContent: reading.score.total }),
    Object.assign(document.createElement("span"), { textContent: [player, ...told].filter(Boolean).join(" · ") }),
  );
  if (isElsewhere) item.append(mover(number));
  sheets.set(number, item);
  strip.append(item);
  item.scrollIntoView({ inline: "end", block: "nearest" });
  allButton.hidden = false;
}

function mover(number) {
  // The button that brings a sheet from another table or game to this one.
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: words.move });
  button.addEventListener("click", async () => {
    const body = new URLSearchParams({ result: number });
    const answer = await fetch(`/table/${table}/bring`, { method: "POST", body, headers: { Accept: "application/json" } });
    if (answer.ok) button.remove();
    else say((await answer.json()).message);
  });
  return button;
}
})();
