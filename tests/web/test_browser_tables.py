"""The table of players in a real browser: cards, photos dropped on it, other phones, keys."""

import base64
import re
from pathlib import Path
from typing import Any

from tests.doubted_photos import doubted_photo
from tests.web.browser import PHONE, expect, shoot

ARCADE, PRINTED = "samples/arcade.jpg", "samples/printed.jpg"
THREE = "tests/fixtures/three-sheets.jpg"


def set_table(page: Any, *names: str) -> str:
    """The address of a new table."""
    page.goto("/table")
    for number, name in enumerate(names, 1):
        page.get_by_label(f"Player {number}", exact=True).fill(name)
    page.get_by_role("button", name="To the table").click()
    page.wait_for_url(re.compile(r"/table/\d+$"))
    return str(page.url)


def card(page: Any, name: str) -> Any:
    return page.locator(".player-card", has=page.locator("h2", has_text=name))


def bring_here(page: Any) -> None:
    """Take the sheets that other tests of this service left on tables."""
    while page.get_by_role("button", name="Bring it here").count():
        count = page.get_by_role("button", name="Bring it here").count()
        page.get_by_role("button", name="Bring it here").first.click()
        expect(page.get_by_role("button", name="Bring it here")).to_have_count(count - 1)


def settle_names(page: Any) -> None:
    """Whoever sits there now is the sheet's player, whosever it was in the record."""
    while page.locator(".note-card button").count():
        count = page.locator(".note-card button").count()
        page.locator(".note-card button").first.click()
        expect(page.locator(".note-card button")).not_to_have_count(count)


def test_from_the_names_to_the_rematch(phone: Any) -> None:
    set_table(phone, "Anna", "Ben", "Cleo")
    shoot(phone, "table-empty")
    phone.locator("#choose").set_input_files([ARCADE, str(doubted_photo()[0])])
    expect(phone.locator("#table-progress")).to_be_hidden(timeout=60_000)
    bring_here(phone)
    settle_names(phone)
    expect(phone.locator(".player-card .card-picture")).to_have_count(2)
    shoot(phone, "table-cards")

    before = card(phone, "Anna").locator(".figure").inner_text()
    card(phone, "Anna").get_by_text("Rename, move").click()
    card(phone, "Anna").get_by_label("Swap with").select_option(label="Cleo")
    card(phone, "Anna").get_by_role("button", name="Swap").click()
    expect(card(phone, "Cleo").locator(".figure")).to_have_text(before)
    expect(card(phone, "Anna").locator(".figure")).to_have_count(0)

    card(phone, "Cleo").get_by_text("Rename, move").click()
    card(phone, "Cleo").get_by_label("Name").fill("Clara")
    card(phone, "Cleo").get_by_role("button", name="Save").click()
    expect(card(phone, "Clara").locator(".figure")).to_have_text(before)

    phone.get_by_role("button", name="Who won?").click()
    phone.wait_for_url("**/ranking")
    assert phone.locator(".ranking li").count() == 2
    phone.get_by_text("Picture and text").click()
    picture = phone.locator(".share-picture")
    phone.wait_for_function("image => image.naturalWidth === 1080", arg=picture.element_handle())
    shoot(phone, "ranking")
    with phone.expect_download() as saved:
        phone.get_by_role("link", name="Save the picture").click()
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")
    phone.get_by_role("button", name="Copy the text").click()
    expect(phone.get_by_role("button", name="Copied.")).to_be_visible()

    phone.get_by_role("button", name="Rematch").click()
    phone.wait_for_url(re.compile(r"/table/\d+$"))
    assert phone.locator(".player-card.waiting h2").all_inner_texts() == ["Anna", "Ben", "Clara"]


def test_a_name_that_is_there_twice_is_said_and_nothing_is_lost(browser: Any, address: str) -> None:
    context = browser.new_context(viewport=PHONE, base_url=address, locale="en-US")
    page = context.new_page()
    set_table(page, "Uwe", "Vera")
    card(page, "Uwe").get_by_text("Rename, move").click()
    card(page, "Uwe").get_by_label("Name").fill("vera")
    card(page, "Uwe").get_by_role("button", name="Save").click()
    expect(page.get_by_text("Vera has a seat at this table already")).to_be_visible()
    assert page.locator(".player-card h2").all_inner_texts() == ["Uwe", "Vera"]
    page.goto("/table")
    fields = page.locator("#who input[name=names]")
    for at, name in enumerate(("Uwe", "Uwe")):
        fields.nth(at).fill(name)
    page.get_by_role("button", name="To the table").click()
    expect(page.locator("#who .problem")).to_contain_text("Uwe has a seat")
    expect(fields.nth(1)).to_have_value("Uwe")
    fields.nth(1).fill("Wim")
    page.get_by_role("button", name="To the table").click()
    page.wait_for_url(re.compile(r"/table/\d+$"))
    page.go_back()
    page.wait_for_url("**/table")  # a page, not the question whether to send a form again
    context.close()


def test_questions_on_the_card(phone: Any) -> None:
    photo, doubt = doubted_photo()
    set_table(phone, "Dora", "Emil")
    phone.locator("#choose").set_input_files(str(photo))
    expect(phone.locator("#table-progress")).to_be_hidden(timeout=60_000)
    bring_here(phone)
    settle_names(phone)
    dora = card(phone, "Dora")
    dora.locator("details.doubts summary").click()
    questions = dora.locator(".question")
    count = questions.count()
    shoot(phone, "table-questions")
    question = dora.locator(".question", has=phone.locator(f'input[value="{doubt.where}"]'))
    question.get_by_role("button", name={"X": "empty", ".": "crossed"}[doubt.read]).click()
    expect(dora.locator(f'.question input[value="{doubt.where}"]')).to_have_count(0)
    assert questions.count() < count
    # still open for the next one, if there is one
    assert not questions.count() or questions.first.is_visible()
    number = dora.locator(".card-picture").get_attribute("href").rsplit("/", 1)[1]
    data = {"where": doubt.where, "mark": "read"}
    phone.request.post(f"/result/{number}/correct", form=data)


def test_photos_dropped_on_the_page_and_on_a_card(phone: Any) -> None:
    set_table(phone, "Fritz", "Gerda", "Hanna", "Ida")
    data = base64.b64encode(Path(PRINTED).read_bytes()).decode()
    drop = """([selector, data]) => {
        const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
        const dropped = new DataTransfer();
        dropped.items.add(new File([bytes], "dropped.jpg", { type: "image/jpeg" }));
        const target = document.querySelector(selector);
        const how = { bubbles: true, cancelable: true, dataTransfer: dropped };
        for (const kind of ["dragenter", "dragover", "drop"]) {
            target.dispatchEvent(new DragEvent(kind, how));
        }
    }"""
    third = phone.locator(".player-card").nth(2).get_attribute("id")
    phone.evaluate(drop, [f"#{third}", data])
    expect(phone.locator("#table-progress")).to_be_hidden(timeout=60_000)
    if phone.get_by_role("button", name="Bring it here").count():  # of the other colour's run
        bring_here(phone)
    else:
        expect(card(phone, "Hanna").locator(".figure")).to_be_visible()
    phone.evaluate(drop, ["#table", data])
    expect(phone.locator("#table-progress")).to_be_hidden(timeout=60_000)
    expect(phone.locator(".player-card .figure")).to_have_count(1)


def test_another_phone_sees_it(phone: Any, browser: Any, address: str) -> None:
    here = set_table(phone, "Jana", "Karl")
    context = browser.new_context(viewport=PHONE, base_url=address, locale="en-US")
    other = context.new_page()
    other.goto(here)
    other.get_by_label("One more player").fill("Li")  # typed, not yet sent
    phone.get_by_label("One more player").fill("Lena")
    phone.get_by_role("button", name="Add").click()
    expect(card(phone, "Lena")).to_be_visible()
    expect(card(other, "Lena")).to_be_visible(timeout=15_000)
    assert other.get_by_label("One more player").input_value() == "Li"
    context.close()


def test_a_photo_without_a_sheet_is_named_and_the_others_are_read(phone: Any) -> None:
    set_table(phone, "Mia", "Nils")
    phone.locator("#choose").set_input_files(["README.md", ARCADE])
    expect(phone.locator("#table-problems li")).to_have_count(1, timeout=60_000)
    expect(phone.locator("#table-problems li")).to_contain_text("README.md: ")
    expect(phone.locator("#table-progress progress")).to_be_hidden(timeout=60_000)
    bring_here(phone)
    expect(phone.locator(".player-card .figure")).to_have_count(1)


def test_remembered_names_are_tapped(phone: Any) -> None:
    set_table(phone, "Olga", "Paul")
    phone.goto("/table")
    chip = phone.locator('.name-chip[data-name="Olga"]')
    chip.click()
    assert phone.get_by_label("Player 1", exact=True).input_value() == "Olga"
    assert chip.get_attribute("aria-pressed") == "true"
    shoot(phone, "table-names")
    chip.click()
    assert phone.get_by_label("Player 1", exact=True).input_value() == ""


def test_one_photo_with_all_sheets_without_any_script(scriptless: Any) -> None:
    scriptless.goto("/more")
    scriptless.get_by_text("One photo, with what you know of it").click()
    scriptless.get_by_label("Whose sheet is it?").fill("Anna")
    scriptless.locator("input[capture]").set_input_files(THREE)
    scriptless.get_by_role("button", name="Read the photo").click()
    scriptless.wait_for_url(re.compile(r"/table/\d+"))
    fields = scriptless.get_by_label("Whose sheet is this?")
    assert fields.count() == 3
    for number, name in enumerate(("Rita", "Sven", "Tom")):
        scriptless.get_by_label("Whose sheet is this?").first.fill(name)
        scriptless.locator(".player-card > form.inline button").first.click()
        expect(scriptless.get_by_label("Whose sheet is this?")).to_have_count(2 - number)
    expect(scriptless.locator(".player-card h2")).to_have_text(["Rita", "Sven", "Tom"])
    scriptless.get_by_role("button", name="Who won?").click()
    expect(scriptless.locator(".ranking li")).to_have_count(3)
    scriptless.get_by_role("button", name="Rematch").click()
    scriptless.locator("#choose").set_input_files(PRINTED)
    scriptless.get_by_role("button", name="Read the photo").click()
    scriptless.wait_for_url(re.compile(r"/table/\d+"))


def test_open_questions_by_key(phone: Any) -> None:
    phone.goto("/")
    phone.get_by_label("Take a photo").set_input_files(str(doubted_photo()[0]))
    phone.wait_for_url(re.compile(r"/result/\d+$"))
    number = int(phone.url.rsplit("/", 1)[1])
    phone.goto("/check")
    shoot(phone, "check")
    count = len(phone.request.get("/check", headers={"Accept": "application/json"}).json())
    assert count
    heading = phone.locator("h1")
    expect(heading).to_have_text(f"To check ({count})")
    where = phone.locator('#question input[name="where"]').input_value()
    if count > 1:
        phone.keyboard.press("ArrowRight")
        expect(phone.locator('#question input[name="where"]')).not_to_have_value(where)
        phone.goto("/check")
    phone.keyboard.press("1")
    expect(heading).not_to_have_text(f"To check ({count})")
    shoot(phone, "check-answered")
    phone.get_by_role("button", name="Undo").click()
    expect(heading).to_have_text(f"To check ({count})")
    assert phone.request.get(f"/result/{number}").ok


def test_several_photos_lead_to_who_won_and_names_are_asked_then(phone: Any) -> None:
    phone.goto("/")
    photos = ["samples/bloxx.jpg", "samples/bloxx-open-gap.jpg"]
    phone.get_by_label("Photos from this phone").set_input_files(photos)
    phone.wait_for_url("**/ranking", timeout=120_000)
    fields = phone.locator("#who input[name=names]")
    expect(fields).to_have_count(2)
    fields.first.fill("Ute")
    fields.first.press("Enter")
    expect(fields.nth(1)).to_be_focused()
    fields.nth(1).fill("Vito")
    fields.nth(1).press("Enter")
    expect(phone.locator("#who")).to_have_count(0)
    expect(phone.locator("#status")).to_contain_text("Ute")
    shoot(phone, "who-won")
