"""Measures the live view: clips of the simulator before the camera of a real Chromium.

    python -m benchmarks.camera --clips 10

For each clip: whether the right total shows without a tap, whether a wrong one is called sure, and
the seconds from the moment when nothing is in the way any more until a score shows, and until all
photos are read.
"""

from __future__ import annotations

import shutil
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.clips import Clip, clip, write
from benchmarks.harness import Table, main, parser_of, served

SECONDS = 60  # that a score may take to show
PHONE = {"width": 390, "height": 844}
NOTES = """
addEventListener("DOMContentLoaded", () => {
  document.getElementById("camera-video")?.addEventListener(
    "playing", () => { window.begun ??= performance.now(); });
  const strip = document.getElementById("camera-strip");
  if (!strip) return;
  const note = () => {
    if (strip.firstChild) window.shown ??= performance.now();
    if (strip.querySelector(".sure, .check")) window.read ??= performance.now(); // by all photos
  };
  new MutationObserver(note).observe(strip, { attributes: true, childList: true, subtree: true });
});
"""


@contextmanager
def camera_page(address: str, film: Path) -> Iterator[Any]:
    """A page of Chromium whose camera shows a film."""
    from playwright.sync_api import sync_playwright

    flags = [
        "--no-sandbox",
        "--disable-gpu",
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    ]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        page = browser.new_page(viewport=PHONE, locale="en-GB")
        page.add_init_script(NOTES)
        page.goto(address)
        try:
            yield page
        finally:
            browser.close()


def score_of(page: Any, filmed: Clip) -> tuple[int | None, bool, float, float]:
    """The total that shows by itself, whether it is called sure, and after how many seconds.

    The first seconds are those until a score shows, the others until all photos are read.
    """
    page.click("[data-camera]")
    result = page.locator("#camera-strip li").first
    try:
        page.locator("#camera-strip li:is(.sure, .check)").first.wait_for(timeout=1000 * SECONDS)
    except Exception:  # of playwright: the score did not show
        return None, False, np.nan, np.nan
    total = int(result.locator("strong").inner_text().split()[0])
    is_sure = "sure" in (result.get_attribute("class") or "").split()
    began, shown, read = page.evaluate("[window.begun, window.shown, window.read]")
    timing = [(at - began) / 1000 - filmed.good for at in (shown, read)]
    return total, is_sure, timing[0], timing[1]


def measure(options: Namespace) -> list[Table]:
    table: Table = [("clip", "trouble", "total", "shown", "sure", "seconds", "until all is read")]
    right, wrong, seconds = 0, 0, []
    with TemporaryDirectory() as folder, served(Path(folder)) as (port, _):
        for number in range(options.first, options.first + options.clips):
            film = Path(folder) / "film.y4m"
            filmed = clip(options.seed, number)
            write(filmed.frames, film)
            with camera_page(f"http://127.0.0.1:{port}", film) as page:
                total, is_sure, *timing = score_of(page, filmed)
            right += total == filmed.total
            wrong += is_sure and total != filmed.total
            seconds.append(timing)
            row = str(number), filmed.trouble, str(filmed.total), str(total), str(is_sure)
            table.append((*row, *(f"{each:.1f}" for each in timing)))
            print(*table[-1], flush=True)
    table.append(("all", f"right {right}", f"of {options.clips}", f"surely wrong {wrong}", "median",
                  *(f"{each:.1f}" for each in np.nanmedian(seconds, axis=0))))  # fmt: skip
    return [table]


def parser() -> ArgumentParser:
    found = parser_of(__doc__)
    found.add_argument("--clips", type=int, default=40)
    found.add_argument("--first", type=int, default=0, help="the number of the first clip")
    found.add_argument("--seed", type=int, default=49)
    return found


if __name__ == "__main__":
    main(parser(), measure)
