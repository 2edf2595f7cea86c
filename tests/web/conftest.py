"""Fixtures of the tests of the page."""

import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from brikks_vision.errors import BrikksError
from brikks_vision.intake.workers import Readers, answer_of
from tests.web.asked import client_of
from tests.web.browser import PHONE, SCHEMES, SHOTS, launched

REFUSED = "a status of 415"  # what a browser notes of a refused photo


@pytest.fixture(autouse=True)
def each_photo_once(observed_once: None) -> None:
    """A photo that several tests read is located and observed once."""


class ReadersHere(Readers):
    """Reads in a thread of the test.

    A process of its own starts in seconds; what becomes of one test_app tests.
    """

    def __init__(self, processes: int, waiting: int, seconds: int) -> None:
        self.free, self.seconds = processes + waiting, seconds
        self._threads = ThreadPoolExecutor(processes)

    def start(self, task: Callable[[], Any]) -> Future[Any]:
        return self._threads.submit(read_here, task)

    def close(self) -> None:
        self._threads.shutdown()


def read_here(task: Callable[[], Any]) -> Any:
    answer = answer_of(pickle.loads(pickle.dumps(task)))  # as it goes to a process
    if isinstance(answer, BrikksError):
        raise answer
    return answer


@pytest.fixture
def reads_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Services that start in the test read photos in its own process, which knows no printing that
    another test used."""
    _read_here(monkeypatch)


@pytest.fixture(scope="module")
def all_read_here() -> Iterator[None]:
    """As of `reads_here`, for services that serve all tests of a file."""
    with pytest.MonkeyPatch.context() as patched:
        _read_here(patched)
        yield


def _read_here(patched: pytest.MonkeyPatch) -> None:
    patched.setattr("brikks_vision.games.printings._in_use", {})
    patched.setattr("brikks_vision.web.app.Readers", ReadersHere)


@pytest.fixture
def record_path(tmp_path: Path) -> Path:
    return tmp_path / "record.sqlite3"


@pytest.fixture
def client(
    record_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads_here: None
) -> Iterator[Any]:
    """What asks a service of this record and of no printing of the user's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with client_of(record_path) as found:
        yield found


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, all_read_here: None) -> Iterator[str]:
    from tests.web.served import served  # without the extra web there is none

    with served(tmp_path_factory.mktemp("served")) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as found:
        yield found


@pytest.fixture(params=SCHEMES if SHOTS else SCHEMES[:1])
def phone(browser: Any, address: str, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A page on a phone; fails where the browser complains of anything."""
    context = browser.new_context(
        viewport=PHONE,
        device_scale_factor=2,
        is_mobile=True,
        has_touch=True,
        locale="en-US",
        color_scheme=request.param,
        base_url=address,
    )
    context.set_default_timeout(20_000)
    page = context.new_page()
    complaints: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: (
            complaints.append(message.text)
            if message.type == "error" and REFUSED not in message.text
            else None
        ),
    )
    page.on("request", lambda sent: asked.append(sent.url))
    page.scheme = request.param
    yield page
    context.close()
    assert complaints == []
    assert [url for url in asked if not url.startswith(address)] == []


@pytest.fixture
def scriptless(browser: Any, address: str) -> Iterator[Any]:
    context = browser.new_context(
        viewport=PHONE, java_script_enabled=False, locale="en-US", base_url=address
    )
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()
