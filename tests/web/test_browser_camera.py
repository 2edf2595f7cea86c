"""The live view in a real browser, whose camera shows a film of a sheet."""

import re
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from benchmarks.clips import write
from brikks_vision.record.database import open_record
from brikks_vision.record.results import get_result, list_results
from tests.web.browser import CHROMIUM, FLAGS, PHONE, SHOTS, expect, launched
from tests.web.served import served

pytestmark = pytest.mark.usefixtures("reads_here")

RATE = 5  # frames a second of the film
SIZE = (720, 960)  # px, of a phone held upright


def film(path: Path) -> None:
    """The example sheet, with the total 102, in a hand that trembles."""
    sheet = cv2.imread("samples/arcade.jpg")
    zoom = SIZE[1] / sheet.shape[0]
    frames = []
    for index in range(4 * RATE):
        x, y = (np.array(SIZE) - zoom * np.array(sheet.shape[1::-1])) / 2
        x, y = x + np.sin(2.1 * index), y + np.cos(1.7 * index)
        camera = np.array([[zoom, 0, x], [0, zoom, y]])
        frame = cv2.warpAffine(
            sheet, camera, SIZE, flags=cv2.INTER_AREA, borderValue=(90, 110, 120)
        )
        frames.append(np.asarray(frame, np.uint8))
    write(frames, path, RATE)


@pytest.fixture(scope="module")
def with_camera(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser whose camera shows the film."""
    path = tmp_path_factory.mktemp("film") / "film.y4m"
    film(path)
    flags = (
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={path}",
    )
    with launched(*flags) as browser:
        yield browser


@contextmanager
def phone(browser: Any, **options: Any) -> Iterator[Any]:
    with closing(browser.new_page(viewport=PHONE, locale="en-GB", **options)) as page:
        yield page


def test_the_score_shows_without_a_tap(with_camera: Any, tmp_path: Path) -> None:
    with served(tmp_path) as port, phone(with_camera, reduced_motion="reduce") as page:
        page.goto(f"http://127.0.0.1:{port}/")
        expect(page.locator("[data-camera]")).to_be_visible(timeout=30_000)
        page.locator("[data-camera]").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#camera-strip li")).to_have_class("sure", timeout=120_000)
        expect(page.locator("#camera-strip strong")).to_have_text("102")
        expect(page.locator("#camera-hint")).to_have_text("Lay down the next sheet.")
        if SHOTS:
            page.screenshot(path=f"{SHOTS}/camera.png")
        # after 5 s a tap is offered; the same sheet is told as seen, and is one sheet
        now = page.locator("#camera-now")
        expect(now).to_have_text("Tap if a new sheet is there already", timeout=60_000)
        now.click()
        expect(page.locator("#camera-strip li")).to_contain_text("seen already", timeout=120_000)
        expect(page.locator("#camera-strip li")).to_have_count(1)
        page.locator("#camera-all").click()
        page.wait_for_url(re.compile(r"/result/\d+$"))
        expect(page.locator("#total")).to_have_text("102")
    with open_record(tmp_path / "record.sqlite3") as record:
        (number,) = (result.id for result in list_results(record))
        # a slow computer may show the same frame twice, which counts once
        assert len(get_result(record, number).reading.photos) >= 2


def test_the_score_shows_while_further_photos_are_read(with_camera: Any, tmp_path: Path) -> None:
    waiting: list[Any] = []
    with served(tmp_path) as port, phone(with_camera) as page:
        page.route("**/another", lambda route: waiting.append(route))
        page.goto(f"http://127.0.0.1:{port}/")
        page.locator("[data-camera]").click()
        result = page.locator("#camera-strip li")
        expect(result.locator("strong")).to_have_text("102", timeout=120_000)
        expect(result.locator("span")).to_have_text("Reading …")
        expect(result).to_have_class("reading")
        give_up = time.monotonic() + 120
        while result.get_attribute("class") != "sure":
            assert time.monotonic() < give_up, "the others are not read"
            if waiting:  # the next one is sent when this one is answered
                waiting.pop().continue_()
            page.wait_for_timeout(50)
        expect(result.locator("strong")).to_have_text("102")


def test_the_score_stands_where_further_photos_do_not_arrive(
    with_camera: Any, tmp_path: Path
) -> None:
    with served(tmp_path) as port, phone(with_camera) as page:
        page.route("**/another", lambda route: route.abort())
        page.goto(f"http://127.0.0.1:{port}/")
        page.locator("[data-camera]").click()
        result = page.locator("#camera-strip li")
        expect(result).to_have_class(re.compile("^(sure|check)$"), timeout=120_000)
        expect(result.locator("strong")).to_have_text("102")
        expect(result.locator("span")).not_to_have_text("Reading …")


def test_at_a_table_the_sheet_goes_to_the_next_player(with_camera: Any, tmp_path: Path) -> None:
    with served(tmp_path) as port, phone(with_camera) as page:
        page.goto(f"http://127.0.0.1:{port}/table")
        for number, name in enumerate(("Anna", "Ben")):
            page.locator("input[name=names]").nth(number).fill(name)
        page.locator("#who button.main").click()
        page.wait_for_url(re.compile(r"/table/1$"))
        page.locator("[data-camera]").click()
        expect(page.locator("#camera-strip li")).to_contain_text("Anna · sure", timeout=120_000)
        page.locator("#camera-close").click()
        page.wait_for_url(re.compile(r"/table/1$"))
        expect(page.locator(".player-card .figure")).to_have_text("102")


def test_the_camera_stops_when_it_is_left(with_camera: Any, tmp_path: Path) -> None:
    with served(tmp_path) as port, phone(with_camera) as page:
        page.goto(f"http://127.0.0.1:{port}/")
        page.locator("[data-camera]").click()
        expect(page.locator("#camera-video")).to_have_js_property("paused", False)
        page.evaluate("window.film = document.getElementById('camera-video').srcObject")
        page.locator("#camera-close").click()
        expect(page.locator("[data-camera]")).to_be_focused()  # the last thing that leaving does
        ended = "film.getTracks().every(track => track.readyState === 'ended')"
        give_up = time.monotonic() + 20
        while not page.evaluate(ended):
            assert time.monotonic() < give_up, "the camera still runs"
            page.wait_for_timeout(50)


def test_without_a_camera_there_is_only_the_file_picker(with_camera: Any, tmp_path: Path) -> None:
    kind = with_camera.browser_type
    with (
        served(tmp_path) as port,
        closing(kind.launch(executable_path=CHROMIUM, args=FLAGS)) as without,
        phone(without) as page,
    ):
        page.goto(f"http://127.0.0.1:{port}/")
        expect(page.locator("#upload input[capture]")).to_be_attached()
        expect(page.locator("[data-camera]")).to_be_hidden()
