"""Scans from many threads at once read what each photo reads alone."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from brikks_vision import scan_all
from brikks_vision.detect import networks

ROOT = Path(__file__).parents[1]
THREADS = 8
PHOTOS = (  # of each game; found by the print, by markers, by the empty sheet; one and several
    ("samples/arcade.jpg", None),
    ("tests/fixtures/two-sheets.jpg", None),
    ("tests/fixtures/small.jpg", None),
    ("samples/bloxx.jpg", None),
    ("tests/fixtures/bloxx/pencil.jpg", None),
    ("tests/fixtures/blox/slant.jpg", "blox"),
)


def read(photo: str, game: str | None) -> list[dict[str, Any]]:
    """Everything that the scan says, but how long it took."""
    readings = [reading.to_dict() for reading in scan_all(ROOT / photo, game=game)]
    return [{**each, "timing_ms": None} for each in readings]


@pytest.fixture
def nothing_opened() -> None:
    """No network is open yet, as when a program starts."""
    networks._opened.cache_clear()


@pytest.mark.usefixtures("nothing_opened")
def test_many_threads_read_what_one_reads() -> None:
    asked = [*PHOTOS, *PHOTOS]
    random.Random(1).shuffle(asked)
    with ThreadPoolExecutor(THREADS) as threads:
        together = list(threads.map(lambda photo: read(*photo), asked))
    alone = {photo: read(*photo) for photo in PHOTOS}
    for photo, readings in zip(asked, together, strict=True):
        assert readings == alone[photo], photo


@pytest.mark.usefixtures("nothing_opened")
def test_threads_share_one_session_of_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []

    def noted(model: bytes) -> Any:
        opened.append(model)
        return open_session(model)

    open_session = networks.open_session
    monkeypatch.setattr(networks, "open_session", noted)
    all_there = threading.Barrier(THREADS)

    def needed(_: int) -> Any:
        all_there.wait()
        return networks._session("reader")

    with ThreadPoolExecutor(THREADS) as threads:
        sessions = list(threads.map(needed, range(THREADS)))
    assert len(opened) == 1
    assert all(session is sessions[0] for session in sessions)
