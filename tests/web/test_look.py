"""Frames of a camera: what is told of them, and that nothing stays of them."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

pytest.importorskip("fastapi", reason="the extra web is not installed")

from starlette.testclient import TestClient

from brikks_vision.detect import lattice
from brikks_vision.detect.networks import run_network
from brikks_vision.intake.workers import see_frame
from brikks_vision.layout import load_layout
from brikks_vision.learn import learn_sheet
from brikks_vision.pipeline.look import FRAME_SIDE, Hint, look
from brikks_vision.record.database import open_record
from brikks_vision.record.results import list_results
from brikks_vision.text.languages import LANGUAGES, texts_in
from brikks_vision.web.routes.trust import MAX_FRAME_BYTES
from tests.web.asked import JSON, client_of

FIXTURES = Path("tests/fixtures")
ARCADE = "samples/arcade.jpg"


def frame_of(photo: Path | str) -> np.ndarray:
    image = cv2.imread(str(photo))
    factor = FRAME_SIDE / max(image.shape[:2])
    return np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))


def sent(image: np.ndarray) -> bytes:
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 70])[1])


def far(image: np.ndarray) -> np.ndarray:
    height, width = image.shape[:2]
    away = np.array([[0.5, 0, width / 4], [0, 0.5, height / 4]])
    return cv2.warpAffine(image, away, (width, height), borderMode=cv2.BORDER_REPLICATE)


def near(image: np.ndarray) -> np.ndarray:
    """The sheet reaches beyond the frame on opposite sides."""
    height, width = image.shape[:2]
    x, y = np.array(look(sent(image)).outline).mean(axis=0) * (width, height)
    closer = np.array([[2.2, 0, width / 2 - 2.2 * x], [0, 2.2, height / 2 - 2.2 * y]])
    return cv2.warpAffine(image, closer, (width, height))


def on_sheet(color: tuple[int, int, int], image: np.ndarray) -> np.ndarray:
    """Something round on row 5 and its neighbours."""
    seen = look(sent(image))
    x, y = np.array(seen.outline).mean(axis=0) * image.shape[1::-1]
    return cv2.circle(image.copy(), (round(x), round(y)), 30, color, -1, cv2.LINE_AA)


def test_a_good_frame_has_no_hint() -> None:
    seen = look(sent(frame_of(ARCADE)))
    assert (seen.hint, seen.printing) == (Hint.NONE, load_layout("brikks"))
    (left, top), (right, _), (_, bottom), _ = seen.outline
    assert 0 < left < right < 1 and 0 < top < bottom < 1


@pytest.mark.parametrize(
    ("hint", "spoilt"),
    [
        (Hint.NEARER, far),
        (Hint.LIGHT, lambda image: (image * 0.15).astype(np.uint8)),
        (Hint.STILL, lambda image: cv2.GaussianBlur(image, (0, 0), 4)),
        (Hint.CUT_LEFT, lambda image: image[:, image.shape[1] // 4 :]),
        (Hint.CUT, near),
        (Hint.GLEAM, partial(on_sheet, (255, 255, 255))),
        (Hint.COVERED, partial(on_sheet, (70, 90, 130))),
    ],
)
def test_what_is_in_the_way(hint: Hint, spoilt: Callable[[np.ndarray], np.ndarray]) -> None:
    assert look(sent(spoilt(frame_of(ARCADE)))).hint is hint


def test_another_sheet_on_the_same_place_looks_otherwise() -> None:
    shown = frame_of(ARCADE)
    moved = cv2.warpAffine(shown, np.array([[1, 0, 2.0], [0, 1, -1.5]]), shown.shape[1::-1])
    mended = frame_of(FIXTURES / "good-arcade.jpg")
    first, same, other = (
        np.frombuffer(look(sent(each)).picture, np.uint8) for each in (shown, moved, mended)
    )
    assert np.corrcoef(first, same)[0, 1] > 0.995 > np.corrcoef(first, other)[0, 1]


@pytest.mark.parametrize(
    ("photo", "hint"),
    [
        ("bad-table", Hint.NOTHING),
        ("bad-back", Hint.BACK),
        ("bad-cut-off-bottom", Hint.CUT_BOTTOM),
    ],
)
def test_photos_that_cannot_be_read(photo: str, hint: Hint) -> None:
    seen = look(sent(frame_of(FIXTURES / f"{photo}.jpg")))
    assert (seen.hint, seen.outline) == (hint, ())


def test_sheets_and_boards_that_no_network_knows_are_sought_in_turn() -> None:
    board = learn_sheet(FIXTURES / "blox/empty.jpg", game="blox").layout
    known = (load_layout("brikks"), load_layout("bloxx"), board)
    sheet, shown = sent(frame_of("samples/bloxx.jpg")), sent(frame_of(FIXTURES / "blox/after.jpg"))
    assert [look(sheet, turn, known).printing for turn in (0, 2)] == [known[1]] * 2
    assert [look(shown, turn, known).printing for turn in (0, 1)] == [None, board]


def test_a_sheet_that_is_hard_to_place_is_left_to_the_next_frame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs = 0

    def counted(*arguments: Any) -> Any:
        nonlocal runs
        runs += 1
        return run_network(*arguments)

    monkeypatch.setattr(lattice, "run_network", counted)
    frame = frame_of(ARCADE)
    assert look(frame[:, 3 * frame.shape[1] // 10 :], 1).hint is Hint.CUT_LEFT
    assert 0 < runs <= 5  # where a photo is located, all ways are followed: 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_hint_is_told_in_words(language: str) -> None:
    words = texts_in(language).page
    assert {f"frame_{hint}" for hint in Hint if hint} == {
        w for w in words if w.startswith("frame_")
    }
    covered = on_sheet((70, 90, 130), frame_of(ARCADE))
    sentence = see_frame(sent(covered), 0, language)["sentence"]
    assert sentence.endswith(words["frame_covered"])
    assert any(sign.isdigit() for sign in sentence)


# --- the page ------------------------------------------------------------------------------------


@pytest.fixture
def client(tmp_path: Path, reads_here: None) -> Iterator[TestClient]:
    with client_of(tmp_path / "record.sqlite3", follow_redirects=True) as found:
        yield found


def test_the_page_looks_and_keeps_nothing(client: TestClient, tmp_path: Path) -> None:
    answer = client.post("/look", content=sent(frame_of(ARCADE)), headers=JSON)
    seen: dict[str, Any] = answer.json()
    assert (seen["hint"], seen["sentence"], len(seen["picture"])) == ("", "", 2 * 32 * 32)
    assert (len(seen["outline"]), seen["turn"]) == (4, 0)
    with open_record(tmp_path / "record.sqlite3") as record:
        assert not list_results(record)


def test_a_frame_that_shows_nothing_moves_the_turn_on(client: TestClient) -> None:
    frame = sent(frame_of(FIXTURES / "bad-table.jpg"))
    words = {"Accept-Language": "de", **JSON}
    seen = client.post("/look?turn=3", content=frame, headers=words).json()
    assert (seen["hint"], seen["turn"]) == ("nothing", 4)
    assert seen["sentence"] == texts_in("de").page["frame_nothing"]


@pytest.mark.parametrize(
    ("content", "headers", "status"),
    [
        (b"", {}, 422),
        (b"no picture", {}, 415),
        (bytes(MAX_FRAME_BYTES + 1), {}, 413),
        (b"", {"Origin": "http://elsewhere.example"}, 403),
    ],
)
def test_what_is_no_frame_is_refused(
    client: TestClient, content: bytes, headers: dict[str, str], status: int
) -> None:
    answer = client.post("/look", content=content, headers=JSON | headers)
    assert answer.status_code == status
    assert answer.json()["message"]


def test_the_camera_is_for_the_own_page_alone(client: TestClient) -> None:
    headers = client.get("/").headers
    assert "camera=(self)" in headers["Permissions-Policy"]
    assert "default-src 'none'" in headers["Content-Security-Policy"]
