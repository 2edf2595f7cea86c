"""Fixtures of the tests of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from typing import Any

import pytest

from brikks_vision.errors import BrikksError
from brikks_vision.intake.readers import Readers, answer_of
from brikks_vision.learn import learn_sheet

PATIENCE = 40_000  # ms: on a slow machine beside other tests a photo is read in seconds


@pytest.fixture(autouse=True, scope="session")
def patient() -> None:
    """What a browser should show may come late."""
    with suppress(ImportError):  # playwright is not everywhere
        from playwright.sync_api import expect

        expect.set_options(timeout=PATIENCE)


@pytest.fixture(autouse=True)
def each_photo_once(observed_once: None) -> None:
    """A photo that several tests read is located and observed once."""


class ReadersHere(Readers):
    """Reads in a thread of the test, and learns from the same photo once.

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
    if isinstance(task, partial) and task.func is learn_sheet:
        photo, game, name, said, pieces = [*task.args, {}, None][:5]
        if pieces is None:
            task = partial(learnt, photo.read_bytes(), game, name, tuple(said.items()))
    answer = answer_of(task)
    if isinstance(answer, BrikksError):
        raise answer
    return answer


@cache
def learnt(photo: bytes, game: str | None, name: str, said: tuple[tuple[str, str], ...]) -> Any:
    return answer_of(partial(learn_sheet, photo, game, name, dict(said)))


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
