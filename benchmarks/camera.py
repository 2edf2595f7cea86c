"""Measures the live view: clips of the simulator before the camera of a real Chromium.

    python -m benchmarks.camera --clips 10

For each clip: whether the right total shows without a tap, whether a wrong one is called sure, and
the seconds from the moment when nothing is in the way any more until a score shows, and until all
photos are read. Beside that, how long one frame
takes to be looked at, on one core; and how many sheets in hard light three frames together settle.
"""

from __future__ import annotations

import shutil
import time
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from benchmarks.clips import Clip, TableClip, clip, hard_frames, table_clip, write
from benchmarks.harness import Table, main, served, share
from brikks_vision import scan
from brikks_vision.pipeline.look import FRAME_SIDE, look
from brikks_vision.reading import Status

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


def measure_clips(options: Namespace) -> Table:
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
    return table


def measure_tables(options: Namespace) -> Table:
    """Sheets laid before the camera one after the other, until the winner shows; two taps."""
    table: Table = [("clip", "sheets a view", "totals", "read", "winner", "sure", "seconds")]
    right, wrong = 0, 0
    for number in range(options.first, options.first + options.clips):
        with TemporaryDirectory() as folder, served(Path(folder)) as (port, _):
            film, filmed = Path(folder) / "film.y4m", table_clip(options.seed, number)
            write(filmed.frames, film)
            with camera_page(f"http://127.0.0.1:{port}", film) as page:
                began = time.monotonic()
                read, names, is_sure = winner_of(page, filmed)
                timing = time.monotonic() - began
        best = max(filmed.totals)
        is_right = len(read) == len(filmed.totals) and len(names) == 1
        # a total that a player must still check may be off: it is that of the sheet nearest to it
        is_right = is_right and min(filmed.totals, key=lambda each: abs(each - read[0])) == best
        right, wrong = right + is_right, wrong + (is_sure and not is_right)
        views, totals = (" ".join(map(str, each)) for each in (filmed.views, filmed.totals))
        row = str(number), views, totals, " ".join(map(str, read)), str(is_right), str(is_sure)
        table.append((*row, f"{timing - filmed.seconds:.0f}"))
        print(*table[-1], sep=" | ", flush=True)
    table.append(("all", "", "", "", f"right {right} of {options.clips}", f"wrong {wrong}", ""))
    return table


def winner_of(page: Any, filmed: TableClip) -> tuple[list[int], list[str], bool]:
    """Totals in the order of the ranking, the names of who won, whether it is called sure."""
    page.click("[data-camera]")
    read = page.locator("#camera-strip li:is(.sure, .check)").nth(len(filmed.totals) - 1)
    with suppress(Exception):  # of playwright: not all are read, and the hand taps all the same
        read.wait_for(timeout=1000 * (filmed.seconds + SECONDS))
    page.wait_for_timeout(1000)
    if not page.locator("#camera-all").is_visible():
        return [], [], False
    page.click("#camera-all")
    with suppress(Exception):  # of playwright: one sheet has no ranking
        page.locator("ol.ranking").wait_for(timeout=1000 * SECONDS)
    totals = [int(each) for each in page.locator("ol.ranking .figure").all_inner_texts()]
    names = page.locator("ol.ranking li.first strong").all_inner_texts()
    is_sure = not page.locator(".winner > p.hint").nth(1).is_visible()
    return totals, names, bool(totals) and is_sure


def measure_frames(options: Namespace) -> Table:
    """Milliseconds of one core a frame."""
    cv2.setNumThreads(1)
    timing = []
    for number in range(options.first, options.first + options.clips):
        for frame in clip(options.seed, number, 3.0).frames[::4]:
            factor = FRAME_SIDE / max(frame.shape[:2])
            small = cv2.resize(frame, None, fx=factor, fy=factor, interpolation=cv2.INTER_LINEAR)
            data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 70])[1].tobytes()
            begun = time.process_time()
            look(data)
            timing.append(1000 * (time.process_time() - begun))
    shares = (f"{np.quantile(timing, each):.0f}" for each in (0.5, 0.9, 0.95, 1))
    return [("frames", "median ms", "90 %", "95 %", "longest"), (str(len(timing)), *shares)]


def measure_together(options: Namespace) -> Table:
    """Three frames of a sheet in hard light, read together and one by one."""
    cv2.setNumThreads(1)
    ways = ("the first", "the best of three", "three together")
    sure, wrong = dict.fromkeys(ways, 0), dict.fromkeys(ways, 0)
    for number in range(options.first, options.first + options.clips):
        total, frames = hard_frames(options.seed, number)
        alone = [scan(frame) for frame in frames]
        best = min(alone, key=lambda each: (each.status is not Status.OK, _open(each)))
        for way, reading in zip(ways, (alone[0], best, scan(frames)), strict=True):
            is_sure = reading.status is Status.OK
            sure[way] += is_sure
            wrong[way] += is_sure and reading.score.total != total
        print(number, *sure.values(), *wrong.values(), flush=True)
    rows = [(way, share(sure[way], options.clips), str(wrong[way])) for way in ways]
    return [(f"{options.clips} sheets in hard light", "ok", "wrong under ok"), *rows]


def _open(reading: Any) -> int:
    """How wide the range of totals is; without one, the widest."""
    found = getattr(reading, "total_range", None)
    return 10**6 if found is None else int(found[1] - found[0])


MEASURES = {
    "clips": measure_clips,
    "tables": measure_tables,
    "frames": measure_frames,
    "together": measure_together,
}


def measure(options: Namespace) -> list[Table]:
    return [MEASURES[what](options) for what in options.what]


def parser() -> ArgumentParser:
    found = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    found.add_argument("what", nargs="*", choices=list(MEASURES), default=list(MEASURES))
    found.add_argument("--clips", type=int, default=40)
    found.add_argument("--first", type=int, default=0, help="the number of the first clip")
    found.add_argument("--seed", type=int, default=49)
    return found


if __name__ == "__main__":
    main(parser(), measure)
