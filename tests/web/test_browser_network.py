"""The page as a phone and a wide screen in the network see it, in all languages: no secure address.

The record holds an evening: a table with two sheets, and older results of several players.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from brikks_vision.commands.serve import reachable
from brikks_vision.record.database import open_record
from brikks_vision.text.languages import LANGUAGES, moment_text, texts_in
from tests.recorded_sheets import EVENING, add_reading, photo, reading_of
from tests.web.browser import PHONE, expect
from tests.web.served import served

ARCADE, PRINTED = "samples/arcade.jpg", "samples/printed.jpg"
NEW = ("tests/fixtures/good-art.jpg", "tests/fixtures/scan-art.jpg")
WIDE = {"width": 1280, "height": 900}


@dataclass(frozen=True)
class Evening:
    address: str
    key: str
    table: int
    pages: dict[tuple[Any, ...], Any] = field(default_factory=dict)


@pytest.fixture(scope="module")
def evening(
    browser: Any, tmp_path_factory: pytest.TempPathFactory, all_read_here: None
) -> Iterator[Evening]:
    folder = tmp_path_factory.mktemp("evening")
    with open_record(folder / "record.sqlite3") as record:
        for number in range(24):
            name = ("Anna", "Ben", "Maximiliane-Friederike")[number % 3]
            row = "".join("x" if number >> bit & 1 else "." for bit in range(5))
            sheet = reading_of(row + row.translate(str.maketrans("x.", ".x")), "x" * 10)
            add_reading(record, photo(f"{number}.jpg", number), sheet, player=name)
    with served(folder, "0.0.0.0") as port:
        address = f"http://{reachable('0.0.0.0')}:{port}"
        key = (folder / "serve-key").read_text()
        context = browser.new_context(base_url=address)
        context.new_page().goto(f"/?key={key}")
        sent = context.request.post(
            "/table",
            data="names=Anna&names=Ben",
            headers={
                "Content-Type": "application/x-www-form-urlencoded",
                "Accept": "application/json",
            },
        )
        table = sent.json()["table"]
        for each in (ARCADE, PRINTED):
            data = {"name": each, "mimeType": "image/jpeg", "buffer": Path(each).read_bytes()}
            context.request.post("/scan", multipart={"table": str(table), "photo": data})
        context.request.post(f"/table/{table}/finish")
        context.close()
        yield Evening(address, key, table)


@contextmanager
def seen(
    browser: Any, evening: Evening, language: str = "en", script: str = "", **screen: int
) -> Iterator[Any]:
    """A page of a browser elsewhere in the network. script: runs before those of the page.

    Without one, tests of one language and screen see each other's page: to open one takes longer
    than what most of them do there.
    """
    kind = (language, *screen.values())
    page = None if script else evening.pages.get(kind)
    if page is None:
        page = opened(browser, evening, language, script, screen)
    yield page
    if script:
        page.context.close()
    else:
        evening.pages[kind] = page


def opened(
    browser: Any, evening: Evening, language: str, script: str, screen: dict[str, int]
) -> Any:
    """A new page of a browser that has been let in."""
    is_phone = not screen
    context = browser.new_context(
        viewport=screen or PHONE,
        is_mobile=is_phone,
        has_touch=is_phone,
        locale=language,
        base_url=evening.address,
        accept_downloads=True,
    )
    context.set_default_timeout(20_000)
    if script:
        context.add_init_script(script)
    page = context.new_page()
    page.goto(f"/?key={evening.key}")
    return page


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_the_browser_cannot_share_the_picture_is_saved(
    browser: Any, evening: Evening, language: str
) -> None:
    with seen(browser, evening, language) as page:
        page.goto(f"/table/{evening.table}/ranking")
        words = texts_in(language).page
        assert not page.evaluate("isSecureContext")
        expect(page.locator("#share-now")).to_be_hidden()
        with page.expect_download() as saved:
            page.get_by_role("link", name=words["table_download"]).tap()
        assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")


SHARING = """
    navigator.share = (shared) => { window.shared = shared; return FAILS ? Promise.reject(
        new DOMException("", "NotAllowedError")) : Promise.resolve(); };
    navigator.canShare = () => FILES;
"""


@pytest.mark.parametrize(
    ("files", "button"), [("true", "table_share_picture"), ("false", "table_share_text")]
)
def test_what_the_browser_can_share_is_shared(
    browser: Any, evening: Evening, files: str, button: str
) -> None:
    script = SHARING.replace("FILES", files).replace("FAILS", "false")
    with seen(browser, evening, script=script) as page:
        page.goto(f"/table/{evening.table}/ranking")
        page.get_by_role("button", name=texts_in("en").page[button]).tap()
        shared = page.evaluate("({ files: shared.files?.length ?? 0, text: shared.text })")
        assert shared["files"] == (1 if files == "true" else 0)
        assert "Anna: 102 points" in shared["text"]


def test_what_cannot_be_shared_after_all_is_saved(browser: Any, evening: Evening) -> None:
    script = SHARING.replace("FILES", "true").replace("FAILS", "true")
    with seen(browser, evening, script=script) as page:
        page.goto(f"/table/{evening.table}/ranking")
        with page.expect_download():
            page.locator("#share-now").tap()


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_lies_over_the_button_that_stays_in_the_history(
    browser: Any, evening: Evening, language: str
) -> None:
    covered = """(button) => {
        const box = button.getBoundingClientRect(), found = [];
        for (let x = box.left + 8; x < box.right - 8; x += 6)
            for (let y = box.top + 8; y < box.bottom - 8; y += 6) {
                const top = document.elementFromPoint(x, y);
                if (top !== button) found.push(top.outerHTML);
            }
        return found;
    }"""
    with seen(browser, evening, language) as page:
        page.goto("/history?choose=1")
        assert page.locator(".choose li").count() == 26
        button = page.locator(".sticky button")
        for down in range(0, 240, 20):  # px, more than three rows
            page.evaluate("top => window.scrollTo(0, top)", down)
            assert button.evaluate(covered) == []


CUT_OFF = """() => {
    const found = [];
    for (const box of document.querySelectorAll(".scroll"))
        if (box.scrollWidth > box.clientWidth) found.push(box.innerText);
    for (const input of document.querySelectorAll("input")) {
        const style = getComputedStyle(input);
        const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
        const room = input.clientWidth - padding;
        const pen = document.createElement("canvas").getContext("2d");
        pen.font = style.font;
        const text = input.placeholder;
        if (room > 0 && pen.measureText(text).width > room) found.push(text);
        if (room > 0 && input.type === "date") {
            const given = input.offsetWidth;
            input.style.width = "auto";
            if (input.offsetWidth > given) found.push(input.name);
        }
    }
    return found;
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_phone_no_column_date_or_placeholder_is_cut_off(
    browser: Any, evening: Evening, language: str
) -> None:
    with seen(browser, evening, language) as page:
        for each in ("/", "/history?played=brikks", "/player?name=Ben", f"/table/{evening.table}"):
            page.goto(each)
            page.evaluate(
                "for (const each of document.querySelectorAll('details')) each.open = true"
            )
            assert page.evaluate(CUT_OFF) == [], each


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("screen", [{}, WIDE], ids=["phone", "wide"])
def test_who_won_stays_in_sight(
    browser: Any, evening: Evening, language: str, screen: dict[str, int]
) -> None:
    words = texts_in(language).page
    with seen(browser, evening, language, **screen) as page:
        page.goto(f"/table/{evening.table}")
        button = page.get_by_role("button", name=words["table_who_won"])
        assert button.evaluate("each => each.getBoundingClientRect().bottom <= innerHeight")
        told = words["table_of_sheets"].format(count=2, all=2)
        expect(page.locator(".finish")).to_contain_text(told)
        button.click()
        page.wait_for_url("**/ranking")


def test_the_phone_shows_the_ranking_after_the_last_of_the_chosen_photos(
    browser: Any, evening: Evening
) -> None:
    with seen(browser, evening) as page:
        page.goto("/table")
        for number, name in enumerate(("Dora", "Emil"), 1):
            page.get_by_label(f"Player {number}", exact=True).fill(name)
        page.get_by_role("button", name="To the table").click()
        page.wait_for_selector("#choose[multiple]")  # the script has run
        page.locator("#choose").set_input_files([NEW[0], "samples/bloxx.jpg"])
        told = page.locator("#photo-notes li")
        expect(told).to_have_count(1, timeout=60_000)
        expect(told).to_contain_text("bloxx.jpg: bloxx.jpg is a sheet of BLOXX!")
        expect(page.locator(".finish")).to_contain_text("1 of 2 sheets")
        page.locator("#choose").set_input_files(NEW[0])
        expect(told).to_contain_text("This photo was read before: Dora", timeout=60_000)
        page.locator("#choose").set_input_files(NEW[1])
        page.wait_for_url("**/ranking", timeout=60_000)


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_wide_screen_the_picture_stands_beside_the_points(
    browser: Any, evening: Evening, language: str
) -> None:
    with seen(browser, evening, language, **WIDE) as page:
        page.goto("/result/25")
        picture, points = (page.locator(each).bounding_box() for each in ("#sheet", ".total"))
        assert picture["x"] + picture["width"] <= points["x"]
        assert picture["y"] < points["y"] + points["height"]
        assert page.evaluate("document.documentElement.scrollWidth") <= WIDE["width"]
        assert page.locator("#sheet").evaluate(
            "each => each.getBoundingClientRect().bottom <= innerHeight"
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_days_are_written_in_the_language_of_the_page(
    browser: Any, evening: Evening, language: str
) -> None:
    with seen(browser, evening, language) as page:
        for each in ("/", "/history", "/result/1", "/player?name=Ben"):
            page.goto(each)
            assert "2026-" not in page.locator("main").inner_text(), each
        page.goto("/result/1")
        expect(page.locator("main")).to_contain_text(moment_text(EVENING, language))
