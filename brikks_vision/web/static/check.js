// Answers by key: the digit of a button, and the right arrow for later.
"use strict";
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea")) return;
  const button = document.querySelector(`#question button[data-key="${CSS.escape(event.key)}"]`);
  if (button) button.click();
  else if (event.key === "ArrowRight") document.getElementById("later")?.click();
});
