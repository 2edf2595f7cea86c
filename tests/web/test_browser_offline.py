"""While the computer is away: pages that were kept, photos that wait; in a real browser."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brikks_vision.commands.serve import listen
from brikks_vision.text.languages import LANGUAGES, texts_in
from tests.web.browser import ARCADE, PHONE, expect, total, upload
from tests.web.served import served

pytestmark = pytest.mark.usefixtures("reads_here")

PATIENCE = 60_000  # ms
KEPT_PAGES = """async () => !(await caches.has("pages")) ? null
  : (await (await caches.open("pages")).keys()).map((request) => request.url)"""
OFFLINE_IN = "async (sign) => (await (await caches.match('/away')).text()).includes(sign)"
KEEP = "Keep the last pages on this device"


@pytest.fixture
def port() -> int:
    with listen("127.0.0.1", 0) as probe:
        return int(probe.getsockname()[1])


@pytest.fixture
def phone(browser: Any, port: int) -> Iterator[Any]:
    context = browser.new_context(
        viewport=PHONE, locale="en-US", base_url=f"http://127.0.0.1:{port}"
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    refused: list[str] = []
    page.on("pageerror", lambda error: refused.append(str(error)))
    page.on(
        "console",
        lambda said: refused.append(said.text) if "Content Security Policy" in said.text else None,
    )
    yield page
    context.close()
    assert refused == []


def installed(page: Any) -> None:
    """Open the first page and wait until the worker serves it."""
    page.goto("/")
    page.wait_for_function("navigator.serviceWorker.ready.then(() => caches.has('shell-1'))")
    page.reload()
    page.wait_for_function("navigator.serviceWorker.controller !== null")


def kept_pages(page: Any) -> list[str]:
    """The addresses of pages and pictures that are kept."""
    return [re.sub(r"^https?://[^/]+", "", url) for url in page.evaluate(KEPT_PAGES) or []]


def keep_pages(page: Any) -> None:
    """Switch on that pages are kept, and wait until they are."""
    page.goto("/more")
    page.get_by_role("button", name=KEEP).click()
    expect(page.get_by_role("button", name="Forget them")).to_be_visible()


def test_pages_are_kept_only_if_that_is_switched_on_and_are_read_while_the_computer_is_away(
    phone: Any, port: int, tmp_path: Path
) -> None:
    with served(tmp_path, port=port):
        installed(phone)
        number = upload(phone, ARCADE, "Anna")
        assert phone.evaluate(KEPT_PAGES) is None
        phone.goto("/more")
        phone.get_by_role("button", name=KEEP).press("Enter")
        expect(phone.get_by_role("button", name="Forget them")).to_be_visible()
        phone.goto(f"/result/{number}")
        points = total(phone)
        phone.goto("/history?lang=en")
        phone.goto("/teaching")
        pages = kept_pages(phone)
        assert f"/result/{number}" in pages and "/history" in pages
        assert not [page for page in pages if "teaching" in page or "key=" in page]
    phone.goto(f"/result/{number}")
    assert total(phone) == points
    expect(phone.locator("#away-note")).to_be_visible()
    assert phone.evaluate("document.querySelector('svg.sheet image') !== null")
    phone.goto("/history")
    expect(phone.get_by_role("link", name="Anna").first).to_be_visible()
    phone.goto("/players")  # was not kept
    expect(phone.get_by_role("heading", name="The computer is away")).to_be_visible()
    link = phone.locator("#away-pages a").filter(has_text=str(points))
    link.first.click()
    assert total(phone) == points


def test_what_is_kept_goes_when_it_is_switched_off_or_something_is_removed(
    phone: Any, port: int, tmp_path: Path
) -> None:
    with served(tmp_path, port=port):
        installed(phone)
        keep_pages(phone)
        number = upload(phone, ARCADE)
        phone.goto("/history")
        assert f"/result/{number}" in kept_pages(phone)
        phone.goto(f"/result/{number}")
        phone.locator("#photo > summary").click()
        phone.locator("summary").filter(has_text=texts_in("en").page["remove"]).click()
        phone.locator("button.danger").click()
        phone.wait_for_url(re.compile("removed="))
        assert f"/result/{number}" not in kept_pages(phone)
        phone.goto("/")
        assert "/" in kept_pages(phone)
        phone.goto("/more")
        phone.get_by_role("button", name="Forget them").click()
        expect(phone.get_by_role("button", name=KEEP)).to_be_visible()
        assert phone.evaluate(KEPT_PAGES) is None
    phone.goto("/")
    expect(phone.get_by_role("heading", name="The computer is away")).to_be_visible()


def test_what_is_kept_goes_when_the_key_is_refused(phone: Any, port: int, tmp_path: Path) -> None:
    with served(tmp_path, "0.0.0.0", port):
        phone.goto(f"/?key={(tmp_path / 'serve-key').read_text()}")
        installed(phone)
        keep_pages(phone)
        phone.goto("/history")
        assert "/history" in kept_pages(phone)
        phone.context.clear_cookies()
        phone.goto("/history")  # asks for the key
        assert kept_pages(phone) == []


def test_pages_older_than_a_week_are_gone(phone: Any, port: int, tmp_path: Path) -> None:
    with served(tmp_path, port=port):
        installed(phone)
        keep_pages(phone)
        phone.goto("/history")
        assert "/history" in kept_pages(phone)
        phone.evaluate(
            """async () => {
              const cache = await caches.open("pages");
              const eight_days_ago = String(Date.now() - 8 * 24 * 3600 * 1000);
              for (const request of await cache.keys()) {
                const stored = await cache.match(request);
                const headers = new Headers(stored.headers);
                headers.set("x-kept", eight_days_ago);
                await cache.put(request, new Response(await stored.blob(), { headers }));
              }
            }"""
        )
    phone.goto("/history")
    expect(phone.get_by_role("heading", name="The computer is away")).to_be_visible()
    assert kept_pages(phone) == []


def test_a_photo_waits_for_the_computer_and_is_sent_when_it_is_back(
    phone: Any, port: int, tmp_path: Path
) -> None:
    with served(tmp_path, port=port):
        installed(phone)
    phone.goto("/")
    expect(phone.get_by_role("heading", name="The computer is away")).to_be_visible()
    phone.get_by_label("Take a photo").set_input_files(ARCADE)
    expect(phone.get_by_text("1 photo waits on this device")).to_be_visible()
    phone.get_by_label("Choose").set_input_files("tests/fixtures/bad-table.jpg")
    expect(phone.get_by_text("2 photos wait on this device")).to_be_visible()
    phone.reload()  # as if the app was closed meanwhile
    expect(phone.get_by_text("2 photos wait on this device")).to_be_visible()
    with served(tmp_path, port=port):
        phone.goto("/")
        sent = phone.locator("#away-sent a")
        expect(sent).to_have_text(re.compile(r"arcade\.jpg: 102"), timeout=PATIENCE)
        # what cannot be read is told, and stays until it is let go
        problem = phone.locator("#away-photos li")
        expect(problem).to_contain_text(re.compile(r"bad-table\.jpg: .+\."), timeout=PATIENCE)
        phone.get_by_role("button", name="Do not send: bad-table.jpg").press("Enter")
        expect(phone.locator("#away-waiting")).to_be_hidden()
        sent.click()
        assert total(phone) == 102


def test_all_sheets_of_a_photo_that_waited_are_named(phone: Any, port: int, tmp_path: Path) -> None:
    with served(tmp_path, port=port):
        installed(phone)
    phone.goto("/")
    phone.get_by_label("Choose").set_input_files("tests/fixtures/two-sheets.jpg")
    expect(phone.get_by_text("1 photo waits on this device")).to_be_visible()
    with served(tmp_path, port=port):
        phone.goto("/")
        sent = phone.locator("#away-sent a")
        expect(sent).to_have_text([re.compile(r"two-sheets\.jpg: \d+")] * 2, timeout=PATIENCE)


def test_a_photo_that_is_sent_while_the_computer_goes_away_waits_with_what_was_said(
    phone: Any, port: int, tmp_path: Path
) -> None:
    with served(tmp_path, port=port):
        installed(phone)
        phone.goto("/more")
        phone.get_by_text("One photo, with what you know of it").click()
        phone.get_by_label("Whose sheet is it?").fill("Zoe")
    phone.get_by_label("Take a photo").set_input_files(ARCADE)
    expect(phone.get_by_text("1 photo waits on this device")).to_be_visible()
    with served(tmp_path, port=port):
        phone.goto("/")
        phone.locator("#away-sent a").click()
        expect(phone.locator(".owner a.person")).to_have_text("Zoe")


def test_photos_of_a_table_wait_for_their_seats(phone: Any, port: int, tmp_path: Path) -> None:
    with served(tmp_path, port=port):
        installed(phone)
        phone.request.post(
            "/table",
            data="names=Anna&names=Ben",
            headers={"Content-Type": "application/x-www-form-urlencoded"},
        )
        phone.goto("/table/1")
    phone.locator("[data-photos] input[type=file]").first.set_input_files(ARCADE)
    expect(phone.get_by_text("1 photo waits on this device")).to_be_visible()
    with served(tmp_path, port=port):
        phone.goto("/table/1")
        phone.locator("#away-sent a").wait_for()
        phone.reload()
        expect(phone.get_by_text("102").first).to_be_visible()


def test_nothing_is_registered_where_the_address_is_not_secure(
    browser: Any, port: int, tmp_path: Path
) -> None:
    with served(tmp_path, port=port):
        context = browser.new_context(base_url=f"http://127.0.0.1:{port}")
        page = context.new_page()
        page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
        page.goto("/")
        page.wait_for_load_state("networkidle")
        assert page.evaluate("navigator.serviceWorker.getRegistrations().then(r => r.length)") == 0
        expect(page.locator("#away-switch")).to_be_hidden()
        context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_an_absent_computer_speaks_the_language_of_the_device(
    browser: Any, port: int, tmp_path: Path, language: str
) -> None:
    context = browser.new_context(
        viewport=PHONE, locale="en-US", base_url=f"http://127.0.0.1:{port}"
    )
    page = context.new_page()
    with served(tmp_path, port=port):
        installed(page)
        page.goto(f"/history?lang={language}")  # chosen later
        page.wait_for_function(OFFLINE_IN, arg=f'<html lang="{language}">')
    page.goto("/history")
    words = texts_in(language).page
    expect(page.get_by_role("heading", name=words["away_title"])).to_be_visible()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]
    context.close()
