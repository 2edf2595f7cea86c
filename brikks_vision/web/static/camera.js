// The live view: small frames are looked at by the computer, and photos are taken by themselves.
"use strict";
(() => {
const every = 333; // ms from one look to the next
const steady = 600; // ms that all must be well before photos are taken
const side = 640; // px, of the frames that are looked at
const moved = 0.02; // of the frame: a corner that went farther between two looks was not held still
const frames = 3; // that are read together
const between = 120; // ms from one of them to the next, in which a hand moves a little
const view = document.getElementById("camera");
if (!view || !window.isSecureContext || !navigator.mediaDevices?.getUserMedia || !view.showModal) return;
const words = view.dataset;
const video = document.getElementById("camera-video");
const canvas = document.getElementById("camera-outline");
const hint = document.getElementById("camera-hint");
const result = document.getElementById("camera-result");
const nextButton = document.getElementById("camera-next");
const nowButton = document.getElementById("camera-now");
const form = () => document.querySelector("form#upload, form#photos");
const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });
let stream = null;
let session = 0; // which opening of the camera: what an earlier one still answers is dropped
let state = "off"; // "looking", "reading", or "shown" until the sheet that was read is gone
let turn = 0, wellSince = 0, corners = [], unseen = 0, offered = "", isNamed = false;
let last = ""; // the address of what was read last

// Only a device that has a camera is offered the view; without a word from it the picker stays alone.
navigator.mediaDevices.enumerateDevices().then((devices) => {
  const isThere = devices.some((device) => device.kind === "videoinput");
  document.documentElement.classList.toggle("has-camera", isThere);
}).catch(() => {});
document.addEventListener("click", ({ target }) => { if (target.closest("[data-camera]")) open(); });
document.getElementById("camera-close").addEventListener("click", () => view.close());
nextButton.addEventListener("click", () => { look("looking"); nowButton.focus(); });
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
  isNamed = false;
  result.hidden = true;
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

function leave() {
  stop();
  draw([], false);
  if (last) location.assign(last);
  else document.querySelector("[data-camera]")?.focus();
}

function say(text) {
  if (hint.textContent !== text) hint.textContent = text;
}

function look(next) {
  state = next;
  wellSince = unseen = 0;
  corners = [];
  nextButton.hidden = next !== "shown";
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
  if (state === "shown") {
    unseen = seen.outline.length ? 0 : unseen + 1;
    draw([], false);
    if (unseen > 1) look("looking");
    return;
  }
  const isStill = seen.outline.every(([x, y], index) => !corners[index] ||
    Math.max(Math.abs(x - corners[index][0]), Math.abs(y - corners[index][1])) < moved);
  corners = seen.outline;
  if (seen.hint) wellSince = 0;
  else if (!isStill || !wellSince) wellSince = at;
  draw(seen.outline, wellSince && isStill);
  const told = seen.sentence || (isStill ? words.good : words.still);
  if (told === offered || !hint.textContent || hint.textContent === words.start) say(told); // twice: no flicker
  offered = told;
  if (wellSince && at - wellSince >= steady) await take();
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
    await read(photos, mine);
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

async function read(photos, mine) {
  // The first photo that can be read, whose score shows at once, and what the others add to it.
  const name = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const fields = Object.fromEntries([...new FormData(form())].filter(([, value]) => typeof value === "string"));
  if (isNamed) delete fields.player; // one sheet has one player
  let found = null, told = null, board = "", reason = "", note = "";
  for (const [index, photo] of photos.entries()) {
    const file = `camera ${name} ${index + 1}.jpg`;
    const other = board ? { board } : found && { result: found };
    let answer;
    try {
      answer = await post(other ? "/another" : "/scan", other || fields, photo, file);
    } catch (error) {
      if (!told) throw error;
      note = words.lost; // the score of the first photo stands
      break;
    }
    const at = new URL(answer.url).pathname;
    if (!answer.ok) {
      if (!other) reason = (await answer.json()).message;
    } else if (at.startsWith("/boards/")) {
      board = at.split("/")[2];
    } else if (other) {
      told = await answer.json();
    } else {
      const { results, errors, table } = await answer.json();
      if (!results.length) { reason = errors[0]; continue; }
      last = table ? `/table/${table}` : results.length > 1 ? "/history" : `/result/${results[0].number}`;
      told = results[0];
      note = errors.join(" "); // of a sheet that has no place at this table, say
      if (results.length > 1) break; // several sheets: each has its own card in the history
      found = told.number;
      if (mine === session && index + 1 < photos.length) tell(told, words.reading, "");
    }
  }
  if (mine !== session) return;
  if (board) {
    last = `/boards/${board}`;
    view.close();
  } else if (told) {
    isNamed = true;
    show(told, note);
  } else {
    say(words.failed.replace("{why}", reason || words.lost));
    look("shown");
  }
}

function tell({ reading, number, player }, how, kind) {
  const points = words.result.replace("{total}", reading.score.total);
  result.hidden = false; // first: a screen reader tells what changes where it can be seen
  result.querySelector("strong").textContent = player ? `${player}: ${points}` : points;
  result.querySelector("span").textContent = how;
  result.querySelector("a").href = `/result/${number}`;
  result.className = kind;
}

function show(sheet, note) {
  const count = sheet.reading.doubts.length;
  const isSure = sheet.reading.status === "ok";
  const open = count ? words.questions.replace("{count}", count) : words.unsure;
  tell(sheet, isSure ? words.sure : open, isSure ? "sure" : "unsure");
  say(note || words.lay);
  look("shown");
}
})();
