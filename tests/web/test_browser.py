"""The page in a real browser, at the size of a phone: Debian's Chromium, driven by Playwright."""

import re
from pathlib import Path
from typing import Any

import pytest

from brikks_vision.commands.serve import reachable
from brikks_vision.text.languages import LANGUAGES
from tests.doubted_photos import doubted_photo
from tests.web.browser import ARCADE, PHONE, SCHEMES, SHOTS, expect, shoot, total, upload
from tests.web.served import served

LONG_NAME = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunte"


def put_back(page: Any, number: int) -> None:
    """Take all corrections of a result back."""
    page.goto(f"/result/{number}")
    while page.locator("a.chip").count():
        before = page.locator("a.chip").count()
        page.locator("a.chip").first.click()
        page.get_by_role("button", name="as the photo shows").click()
        expect(page.locator("a.chip")).to_have_count(before - 1)


def test_from_the_photo_to_the_game(phone: Any) -> None:
    phone.goto("/")
    shoot(phone, "start")
    anna = upload(phone, ARCADE, "Anna")
    put_back(phone, anna)
    assert total(phone) == 102
    shoot(phone, "result")

    photo, doubt = doubted_photo()
    ben = upload(phone, str(photo), "Ben")
    put_back(phone, ben)
    before = total(phone)
    shoot(phone, "doubts")
    question = phone.locator(".question", has=phone.locator(f'input[value="{doubt.where}"]'))
    assert f"Otherwise the total is {doubt.total_otherwise}" in question.inner_text()
    question.get_by_role("button", name={"X": "empty", ".": "crossed"}[doubt.read]).click()
    expect(phone.locator("#total")).not_to_have_text(str(before))
    expect(question).to_have_count(0)
    answered = total(phone)

    phone.goto(f"/result/{anna}")  # its rows are full, so each cell of them counts
    cell = phone.locator('.spot[data-where="cell 5,4"]')
    mark = cell.get_attribute("aria-label").rsplit(": ", 1)[1]
    cell.click()
    dialog = phone.locator("dialog")
    expect(dialog).to_be_visible()
    if SHOTS:
        phone.wait_for_timeout(300)
        phone.screenshot(path=f"{SHOTS}/correct-{phone.scheme}.png")
    wanted = {"crossed": "empty"}.get(mark, "crossed")
    dialog.get_by_role("button", name=wanted).click()
    expect(phone.locator("#total")).not_to_have_text("102")
    expect(dialog).to_be_hidden()
    corrected = total(phone)
    assert (
        phone.locator('.spot[data-where="cell 5,4"]').get_attribute("aria-label").endswith(wanted)
    )
    phone.reload()
    assert total(phone) == corrected

    phone.goto(f"/history?chosen={anna}")
    phone.locator(f'input[value="{ben}"]').check()
    phone.get_by_role("button", name="Make a game of the chosen sheets").click()
    phone.wait_for_url(re.compile(r"/game/\d+$"))
    game = phone.url.rsplit("/", 1)[1]
    ranking = phone.locator(".ranking li")
    assert ranking.count() == 2
    first, second = sorted([("Anna", corrected), ("Ben", answered)], key=lambda each: -each[1])
    for place, (name, points) in zip(ranking.all(), (first, second), strict=True):
        assert name in place.inner_text()
        assert str(points) in place.inner_text()
    shoot(phone, "game")

    phone.goto("/history")
    phone.reload()
    assert phone.locator(f'a[href="/game/{game}"]').count() == 1
    assert phone.locator(f'a[href="/result/{ben}"]').count() == 1
    phone.locator("#stats > summary").click()
    for plot in phone.locator("img.plot").all():
        plot.scroll_into_view_if_needed()
        phone.wait_for_function("image => image.naturalWidth > 0", arg=plot.element_handle())
    shoot(phone, "history")
    phone.locator(".stats").get_by_role("link", name="Anna").click()
    phone.wait_for_url("**/player?name=Anna")
    plot = phone.locator("img.plot")
    plot.scroll_into_view_if_needed()
    shown = """([image, isDark]) =>
        image.naturalWidth > 0 && image.currentSrc.includes("scheme=dark") === isDark"""
    for scheme in (*SCHEMES, phone.scheme):
        phone.emulate_media(color_scheme=scheme)
        phone.wait_for_function(shown, arg=[plot.element_handle(), scheme == "dark"])
    shoot(phone, "player")


def test_a_photo_without_a_sheet_says_why_and_the_next_one_works(phone: Any) -> None:
    phone.goto("/")
    with phone.expect_response("**/scan") as answer:
        phone.get_by_label("Photos from this phone").set_input_files("README.md")
    assert answer.value.status == 415
    expect(phone.locator("#progress-text")).to_contain_text("no picture")
    shoot(phone, "refused")
    phone.get_by_label("Photos from this phone").set_input_files(ARCADE)
    phone.wait_for_url(re.compile(r"/result/\d+$"))


def test_every_place_can_be_hit_with_a_finger(phone: Any) -> None:
    upload(phone, ARCADE)
    for where in ("cell 0,0", "energy 27", "box 14", "bomb 0"):
        box = phone.locator(f'.spot[data-where="{where}"]').bounding_box()
        assert min(box["width"], box["height"]) >= (24 if where.startswith("cell") else 17)
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]


def test_with_the_keyboard_alone(phone: Any) -> None:
    number = upload(phone, "samples/printed.jpg")
    put_back(phone, number)
    before = total(phone)
    first = phone.locator('.spot[data-where="cell 0,0"]')
    first.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowDown"):
        phone.keyboard.press(key)
    assert phone.evaluate("document.activeElement.dataset.where") == "cell 2,1"
    mark = phone.evaluate("document.activeElement.getAttribute('aria-label')")
    phone.keyboard.press("Enter")
    expect(phone.locator("dialog")).to_be_visible()
    wanted = "empty" if "crossed" in mark else "crossed"
    button = phone.locator("dialog").get_by_role("button", name=wanted)
    for _ in range(5):
        if button.evaluate("button => button === document.activeElement"):
            break
        phone.keyboard.press("Tab")
    phone.keyboard.press("Enter")
    expect(phone.locator("#total")).not_to_have_text(str(before))
    assert phone.evaluate("document.activeElement.dataset.where") == "cell 2,1"
    expect(phone.locator("#live")).to_contain_text(str(total(phone)))
    phone.keyboard.press("Enter")
    expect(phone.locator("dialog")).to_be_visible()
    phone.keyboard.press("Escape")
    expect(phone.locator("dialog")).to_be_hidden()
    put_back(phone, number)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_is_too_wide_for_a_small_phone(
    browser: Any, address: str, language: str
) -> None:
    context = browser.new_context(
        viewport={"width": 320, "height": 640}, locale=language, base_url=address, is_mobile=True
    )
    page = context.new_page()
    page.goto("/")
    page.locator("input[capture]").set_input_files(str(doubted_photo()[0]))
    page.wait_for_url(re.compile(r"/result/\d+$"))
    shown = page.url
    page.locator("#game > summary").click()
    page.locator('input[name="player"]').fill(LONG_NAME)
    page.locator('form[action$="/player"] button').click()
    page.wait_for_selector(".owner a.person")
    form = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    names = f"names=Maximiliane-Friederike+Hohenlohe-Langenburg&names={60 * 'W'}"
    seated = page.request.post("/table", data=names, headers=form).json()["table"]
    for photo in (ARCADE, "samples/printed.jpg"):
        data = {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": Path(photo).read_bytes()}
        page.request.post("/scan", multipart={"table": str(seated), "photo": data})
    of_result = (shown, f"{shown}/place?where=energy+3", f"/player?name={LONG_NAME}")
    of_table = ("/table", f"/table/{seated}", f"/table/{seated}?elsewhere=1", "/check")
    others = ("/", "/more", "/history", "/history?choose=1", "/nowhere")
    for each in (*of_result, *of_table, *others):
        page.goto(each)
        assert page.locator("html").get_attribute("lang") == language
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, each
        wide = page.evaluate(
            "[...document.querySelectorAll('button, .button')]"
            ".filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.innerText)"
        )
        assert wide == []
    context.close()


def test_through_the_network_with_the_key(browser: Any, tmp_path: Path, reads_here: None) -> None:
    # An address of the network is no secure one: browsers tell less of where requests come from.
    with served(tmp_path, "0.0.0.0") as port:
        address = f"http://{reachable('0.0.0.0')}:{port}"
        key = (tmp_path / "serve-key").read_text()
        context = browser.new_context(viewport=PHONE, base_url=address)
        page = context.new_page()
        assert page.goto("/").status == 401
        page.goto(f"/?key={key}")
        assert page.url == f"{address}/"
        (cookie,) = context.cookies()
        assert cookie["httpOnly"]
        assert cookie["sameSite"] == "Lax"
        upload(page, ARCADE)
        page.locator('.spot[data-where="cell 5,4"]').click()
        page.locator("dialog").get_by_role("button", name="empty").click()
        expect(page.locator("#total")).not_to_have_text("102")
        manifest = context.request.get("/manifest.webmanifest").json()
        assert key in manifest["start_url"]
        context.close()


def test_without_any_script(scriptless: Any) -> None:
    scriptless.goto("/")
    scriptless.locator("input[capture]").set_input_files(str(doubted_photo()[0]))
    scriptless.get_by_role("button", name="Read the photo").click()
    scriptless.wait_for_url(re.compile(r"/result/\d+$"))
    for where in ("cell 8,2", "energy 20", "bomb 1", "box 12"):
        before = scriptless.locator(f'.spot[data-where="{where}"]').get_attribute("aria-label")
        scriptless.locator(f'.spot[data-where="{where}"]').click()
        scriptless.wait_for_url("**/place?where=*")
        choices = scriptless.locator("#place button:not(.current)")
        chosen = choices.first.inner_text()
        choices.first.click()
        scriptless.wait_for_url(re.compile(r"/result/\d+$"))
        after = scriptless.locator(f'.spot[data-where="{where}"]').get_attribute("aria-label")
        assert after != before
        assert after.endswith(chosen)
    if scriptless.locator(".question").count():
        scriptless.locator(".question button").first.click()
        scriptless.wait_for_url(re.compile(r"/result/\d+$"))
