"""Boards in a real browser, on a small phone: learnt, read, answered by tap, played on."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.browser import expect, shoot
from tests.web.served import served

EMPTY, AFTER, SETUP = (f"tests/fixtures/blox/{name}.jpg" for name in ("empty", "after", "setup"))
SMALL = {"width": 320, "height": 640}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, all_read_here: None) -> Iterator[str]:
    """A service that keeps boards in a folder of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("kept")))
        with served(tmp_path_factory.mktemp("served")) as port:
            yield f"http://127.0.0.1:{port}"


def is_narrow(page: Any) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def send(page: Any, address: str, photo: str, fields: str = ".plan .field") -> None:
    """Choose a photo; without script it is sent by its button."""
    page.goto(address)
    page.get_by_label("Choose a photo").set_input_files(photo)
    if page.locator("button.without-script").is_visible():
        page.locator("button.without-script").click()
    expect(page.locator(fields)).to_have_count(81)


def learn(page: Any) -> None:
    """Keep the board of the photos, unless a test of this service has done so."""
    page.goto("/printings")
    if page.get_by_text("my-board", exact=True).count():
        return
    send(page, "/printings", EMPTY, "#proposal .spot .paint")
    page.get_by_label("Name").fill("my-board")
    page.locator("button.main", has_text="Save").click()
    expect(page.get_by_text("my-board", exact=True)).to_be_visible()


def test_from_the_empty_board_to_the_ways_of_a_pawn(phone: Any) -> None:
    phone.set_viewport_size(SMALL)
    learn(phone)
    send(phone, "/boards", SETUP)
    shoot(phone, "board")
    assert is_narrow(phone)
    field = phone.locator(".plan .field").nth(40)
    photo = phone.locator("#beside")
    expect(photo).to_be_hidden()
    field.click()
    expect(phone.get_by_role("button", name="Undo")).to_have_count(1)
    expect(field).to_be_focused()
    phone.keyboard.press("ArrowRight")
    expect(phone.locator(".plan .field").nth(41)).to_be_focused()
    first = field.get_attribute("aria-label")

    phone.locator("label.blink").click()
    expect(photo).to_be_visible()
    expect(field).to_be_hidden()
    photo.locator("svg .spot").nth(40).click()
    expect(field).not_to_have_attribute("aria-label", first)
    expect(photo).to_be_visible()
    phone.get_by_role("button", name="Undo").click()
    expect(phone.get_by_role("button", name="Undo")).to_have_count(0)
    phone.locator("label.blink").click()
    expect(field).to_be_visible()
    phone.get_by_role("button", name="It is so").click()
    expect(phone.locator(".plan .shaded, .plan .unsure")).to_have_count(0)
    expect(phone.get_by_role("button", name="It is so")).to_have_count(0)

    hand = phone.locator("#hand")
    hand.get_by_label("white").first.fill("2")
    hand.get_by_role("button", name="Show what may be done").click()
    phone.wait_for_url(re.compile(r"/moves$"))
    expect(phone.locator("#status")).to_contain_text(re.compile(r"^\d+ legal actions?|No legal"))
    best, drawn = phone.locator("#best"), 0
    for number in ("3", "2", "1"):
        best.get_by_role("link", name=number).click()
        expect(best.locator("a.current")).to_have_text(number)
        drawn += best.locator(".way, .acting").count()
    assert drawn  # but for cards that are swapped
    shoot(phone, "board-moves")
    assert is_narrow(phone)

    phone.get_by_role("link", name="Back").click()
    expect(phone.locator(".plan .field")).to_have_count(81)


def test_boards_without_script(scriptless: Any, tmp_path: Path) -> None:
    learn(scriptless)
    photo = tmp_path / "setup.jpg"  # another one to the service: settled by no other test
    photo.write_bytes(Path(SETUP).read_bytes() + b"\0")
    send(scriptless, "/boards", str(photo))
    scriptless.locator(".plan .field").nth(40).click()
    expect(scriptless.locator(".plan .field").nth(40)).to_have_class(re.compile("corrected"))
    scriptless.get_by_role("button", name="It is so").click()
    expect(scriptless.locator(".plan .shaded, .plan .unsure")).to_have_count(0)
    scriptless.locator("label.blink").click()
    scriptless.locator("svg .spot").nth(40).click()
    scriptless.get_by_role("button", name="the blue pawn").click()
    expect(scriptless.locator(".plan .field").nth(40).locator(".pawn-blue")).to_be_visible()
    hand = scriptless.locator("#hand")
    hand.get_by_label("white").first.fill("5")
    hand.get_by_label("grey").first.fill("1")
    hand.get_by_role("button").click()
    expect(scriptless.get_by_role("alert")).to_contain_text("at most 5 cards")


def test_recorded_boards_are_listed_opened_and_removed(phone: Any) -> None:
    phone.set_viewport_size(SMALL)
    learn(phone)
    send(phone, "/boards", AFTER)
    own = phone.url
    phone.goto("/boards")
    entry = phone.locator("#recorded li").first
    expect(entry.locator("img")).to_have_js_property("complete", True)
    assert entry.locator("img").evaluate("picture => picture.naturalWidth") > 300
    shoot(phone, "boards-recorded")
    assert is_narrow(phone)
    entry.get_by_role("link").click()
    expect(phone.locator(".plan .field")).to_have_count(81)
    shoot(phone, "board-recorded")
    assert is_narrow(phone)
    phone.get_by_role("link", name="Correct it").click()
    expect(phone).to_have_url(own)
    phone.goto("/boards")
    count = phone.locator("#recorded li").count()
    entry.get_by_role("link").click()
    phone.locator("summary", has_text="Remove").click()
    shoot(phone, "boards-remove")
    phone.get_by_role("button", name="Remove it").click()
    expect(phone.get_by_role("button", name="Bring it back")).to_be_visible()
    phone.goto("/boards")
    expect(phone.locator("#recorded li")).to_have_count(count - 1)
