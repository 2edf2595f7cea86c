"use strict";
// The corners of proposed regions: dragged with a magnifier beside the finger, or moved by arrow keys.
// What is said goes to the service, which proposes the rest anew.

const STEP = 0.05; // cells, of an arrow key
const TOUCH = 16; // px from a finger to the corner that it means
const REACH = 1.2; // cells around a corner that the magnifier shows
let held = null;

const proposal = () => document.getElementById("proposal");
const place = (corner) => [corner.cx.baseVal.value, corner.cy.baseVal.value];

function move(corner, x, y) {
  corner.setAttribute("cx", x.toFixed(3));
  corner.setAttribute("cy", y.toFixed(3));
  const region = corner.closest(".region");
  const points = [...region.querySelectorAll(".corner")].map((each) => place(each).join(","));
  region.querySelector("polygon").setAttribute("points", points.join(" "));
}

async function say(corner) {
  const region = corner.closest(".region");
  const index = [...region.querySelectorAll(".corner")].indexOf(corner);
  const value = region.querySelector("polygon").getAttribute("points").trim();
  const body = new URLSearchParams({ where: region.dataset.region, value });
  try {
    const answer = await fetch(proposal().dataset.set, { method: "POST", body, headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.getElementById("main").replaceWith(page.getElementById("main"));
    const name = CSS.escape(region.dataset.region);
    document.querySelectorAll(`.region[data-region="${name}"] .corner`)[index]?.focus({ preventScroll: true });
  } catch {
    location.reload();
  }
}

function magnify(event) {
  const svg = proposal();
  let glass = document.querySelector(".magnifier");
  if (!glass) {
    glass = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    glass.setAttribute("class", "magnifier");
    glass.setAttribute("aria-hidden", "true");
    glass.append(svg.querySelector("image").cloneNode(), held.corner.closest(".region").cloneNode(true));
    document.body.append(glass);
  }
  const [x, y] = place(held.corner);
  glass.setAttribute("viewBox", `${x - REACH} ${y - REACH} ${2 * REACH} ${2 * REACH}`);
  glass.lastChild.replaceWith(held.corner.closest(".region").cloneNode(true));
  const side = glass.getBoundingClientRect().width;
  const left = event.clientX > innerWidth / 2 ? event.clientX - side - 40 : event.clientX + 40;
  const top = Math.max(event.clientY - side - 20, 8);
  glass.style.left = `${left}px`;
  glass.style.top = `${top}px`;
}

function near(event) {
  // the corner that is meant: a finger need not hit it
  const own = event.target.closest?.(".corner");
  if (own || event.pointerType !== "touch" || !proposal()?.contains(event.target)) return own;
  const away = (corner) => {
    const box = corner.getBoundingClientRect();
    return Math.hypot(event.clientX - box.x - box.width / 2, event.clientY - box.y - box.height / 2);
  };
  const corners = [...document.querySelectorAll(".corner")].sort((one, other) => away(one) - away(other));
  return corners.length && away(corners[0]) < TOUCH ? corners[0] : null;
}

document.addEventListener("pointerdown", (event) => {
  const corner = near(event);
  if (!corner || !proposal()?.contains(corner)) return;
  event.preventDefault();
  corner.focus();
  held = { corner, toSheet: proposal().getScreenCTM().inverse(), first: place(corner), away: [event.clientX, event.clientY] };
  corner.classList.add("held");
  corner.setPointerCapture(event.pointerId);
  magnify(event);
});

document.addEventListener("pointermove", (event) => {
  if (!held) return;
  const { toSheet, first, away } = held;
  move(held.corner, first[0] + (event.clientX - away[0]) * toSheet.a, first[1] + (event.clientY - away[1]) * toSheet.d);
  magnify(event);
});

function release(isSaid) {
  if (!held) return;
  const { corner, first } = held;
  held = null;
  corner.classList.remove("held");
  document.querySelector(".magnifier")?.remove();
  const [x, y] = place(corner);
  if (!isSaid) move(corner, ...first);
  else if (x !== first[0] || y !== first[1]) say(corner);
}
document.addEventListener("pointerup", () => release(true));
document.addEventListener("pointercancel", () => release(false));

let waiting = 0;
document.addEventListener("keydown", (event) => {
  const corner = event.target.closest?.(".corner");
  const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
  if (!corner || !step) return;
  event.preventDefault();
  const [x, y] = place(corner);
  const far = event.shiftKey ? 10 * STEP : STEP;
  move(corner, x + step[0] * far, y + step[1] * far);
  clearTimeout(waiting);
  waiting = setTimeout(() => say(corner), 700); // after the last of several keys
});
