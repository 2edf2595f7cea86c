"""The page in a real browser, at the size of a phone: Debian's Chromium, driven by Playwright."""

import importlib.util
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium")
PATIENCE = 40_000  # ms: on a slow machine beside other tests a photo is read in seconds
PHONE = {"width": 390, "height": 844}
FLAGS = (
    "--no-sandbox",  # tests may run as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SHOTS = os.environ.get("BRIKKS_SCREENSHOTS")  # a folder to look at them in
SCHEMES = ("light", "dark")  # the dark one changes colours alone, but for the plots
ARCADE = "samples/arcade.jpg"


@contextmanager
def launched(*flags: str) -> Iterator[Any]:
    """A browser with these flags; without one the test is skipped, with CI=true it fails."""
    missing = [] if CHROMIUM else ["chromium"]
    missing += [] if importlib.util.find_spec("playwright") else ["playwright"]
    if missing and os.environ.get("CI") == "true":
        raise RuntimeError(f"the page must be tested in a browser: {missing} is not installed")
    if missing:
        pytest.skip(f"{missing} is not installed")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *flags])
        yield found
        found.close()


def expect(what: Any) -> Any:
    """What a browser should show, though it may come late."""
    from playwright.sync_api import expect as expected

    return expected(what)


def upload(page: Any, photo: str, player: str = "") -> int:
    """Send a photo as a finger would; the number of its result."""
    page.goto("/")
    page.get_by_label("Photos from this phone").set_input_files(photo)
    page.wait_for_url(re.compile(r"/result/\d+$"))
    if player:
        page.locator("#game > summary").click()
        page.get_by_label("Whose sheet is it?").fill(player)
        page.locator('form[action$="/player"] button').click()
        page.wait_for_selector(".owner a.person")
    return int(page.url.rsplit("/", 1)[1])


def total(page: Any) -> int:
    return int(page.locator("#total").inner_text())


def shoot(page: Any, name: str) -> None:
    """No page is wider than the phone; keep a picture to look at."""
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{SHOTS}/{name}-{page.scheme}.png", full_page=True)
