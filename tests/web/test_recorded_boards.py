"""Boards of the record on the page: recorded as they are read and answered, listed, removed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from brikks_vision.learn import keep_sheet
from brikks_vision.record.boards import list_boards, remove_board
from brikks_vision.record.changes import undo
from brikks_vision.record.database import open_record
from brikks_vision.record.entries import RecordedBoard
from brikks_vision.text.languages import LANGUAGES, texts_in
from brikks_vision.web.app import new_service
from brikks_vision.web.guard import access_for
from tests.recorded_sheets import full_disk
from tests.web.test_boards import OWN, things, told

FOLDER = Path("tests/fixtures/blox")
SLANT, AFTER = FOLDER / "slant.jpg", FOLDER / "after.jpg"
JSON, PAGE = {"Accept": "application/json"}, {"Accept": "text/html"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "r.sqlite3"


@pytest.fixture
def client(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads_here: None
) -> Iterator[TestClient]:
    """A service that knows the board of the photos."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    colors = json.loads((FOLDER / "empty.json").read_text())["field_colors"]
    known = {"version": 1, "name": "mine", "title": "BLOX", "game": "blox"}
    keep_sheet(json.dumps({**known, "field_colors": colors}), "mine")
    service = new_service(path, access_for("127.0.0.1", None), processes=1)
    with TestClient(service, OWN, follow_redirects=False) as found:
        yield found


def read(client: TestClient, photo: Path = AFTER) -> str:
    """The address of the board that was read."""
    with photo.open("rb") as file:
        answer = client.post("/boards", files={"photo": (photo.name, file)}, headers=PAGE)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def say(client: TestClient, address: str, where: str, value: str) -> int:
    answer = client.post(f"{address}/set", data={"where": where, "value": value}, headers=PAGE)
    return int(answer.status_code)


def recorded(path: Path) -> list[RecordedBoard]:
    with open_record(path) as record:
        return list(list_boards(record))


def shown_picture(client: TestClient, page: str) -> np.ndarray[Any, Any]:
    """The first picture of a recorded board that a page shows."""
    (address, *_) = re.findall(r'src="(/board/\d+/picture[^"]*)"', page)
    answer = client.get(address)
    assert answer.headers["content-type"] == "image/jpeg"
    picture = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
    assert 300 < max(picture.shape) <= 960
    return np.asarray(picture)


def test_a_board_that_is_read_is_recorded_and_listed(client: TestClient, path: Path) -> None:
    assert "/board/" not in client.get("/boards").text
    address = read(client)
    (board,) = recorded(path)
    assert board.reading.to_dict()["towers"] == told(client, address)["reading"]["towers"]
    assert (board.photo.name, board.answers, board.player) == ("after.jpg", {}, None)
    assert told(client, address)["number"] == board.id == 1
    read(client, SLANT)
    page = client.get("/boards").text
    assert re.findall(r'href="/board/(\d+)"', page) == ["2", "1"]
    shown_picture(client, page)
    assert 'action="/board/2/remove"' in page


def test_what_is_said_of_fields_goes_to_the_record(client: TestClient, path: Path) -> None:
    address = read(client)
    before = shown_picture(client, client.get("/boards").text)
    say(client, address, "field 4,4", "blue")
    say(client, address, "field 4,5", "tower 2")
    (board,) = recorded(path)
    assert board.answers == {"field 4,4": "blue", "field 4,5": "tower 2"}
    assert {(4, 4): "blue", (4, 5): "tower 2"}.items() <= things(board.reading.to_dict()).items()
    after = shown_picture(client, client.get("/boards").text)
    assert (before != after).any()
    say(client, address, "field 4,4", "read")
    say(client, address, "field 4,5", "read")
    (board,) = recorded(path)
    assert board.answers == {}
    with open_record(path) as record:
        undo(record)
    assert recorded(path)[0].answers == {"field 4,5": "tower 2"}


def test_what_was_said_of_a_photo_holds_when_it_is_sent_again(
    client: TestClient, path: Path
) -> None:
    say(client, read(client), "field 4,4", "blue")
    again = told(client, read(client))
    assert (again["number"], again["answers"]) == (1, {"field 4,4": "blue"})
    assert things(again["reading"])[4, 4] == "blue"
    assert len(recorded(path)) == 1


def test_two_phones_correct_one_board(client: TestClient, path: Path) -> None:
    one, other = read(client), read(client)
    say(client, one, "field 4,4", "blue")
    say(client, other, "field 4,5", "tower 2")
    assert recorded(path)[0].answers == {"field 4,4": "blue", "field 4,5": "tower 2"}
    assert told(client, other)["answers"] == recorded(path)[0].answers


def test_a_refused_answer_changes_nothing_in_the_record(client: TestClient, path: Path) -> None:
    address = read(client)
    before = recorded(path)
    assert say(client, address, "field 9,9", "blue") == 400
    assert say(client, address, "field 4,4", "pink") == 400
    assert recorded(path) == before


def test_a_photo_without_a_board_is_not_recorded(client: TestClient, path: Path) -> None:
    with Path("samples/bloxx.jpg").open("rb") as file:
        assert client.post("/boards", files={"photo": file}, headers=PAGE).status_code == 400
    assert recorded(path) == []


def test_a_board_is_removed_from_the_list(client: TestClient, path: Path) -> None:
    address = read(client)
    answer = client.post("/board/1/remove")
    assert (answer.status_code, answer.headers["location"]) == (303, "/boards?removed=1")
    assert recorded(path) == []
    assert "/board/1" not in client.get("/boards").text
    for gone in (address, "/board/1", "/board/1/picture"):
        assert client.get(gone).status_code == 404
    assert client.post("/board/1/remove").status_code == 404


def test_a_removed_board_is_brought_back(client: TestClient, path: Path) -> None:
    say(client, read(client), "field 4,4", "blue")
    (before,) = recorded(path)
    shown = client.get(client.post("/board/1/remove").headers["location"]).text
    assert "Board 1 is removed." in shown
    (back,) = re.findall(r'action="(/board/1/bring-back)"', shown)
    for _ in range(2):  # a form that is sent twice does no harm
        answer = client.post(back)
        assert (answer.status_code, answer.headers["location"]) == (303, "/board/1")
    assert recorded(path) == [before]
    assert "bring-back" not in client.get("/boards?removed=1").text


def test_a_board_is_forgotten_on_its_own_page(client: TestClient, path: Path) -> None:
    address = read(client)
    assert client.post(f"{address}/forget").headers["location"] == "/boards"
    assert recorded(path) == []
    address = read(client)
    with open_record(path) as record:
        remove_board(record, recorded(path)[0].id)
    assert client.post(f"{address}/forget").status_code == 303


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_recorded_board_has_a_page(client: TestClient, path: Path, language: str) -> None:
    address = read(client)
    say(client, address, "field 4,4", "blue")
    headers = {**PAGE, "Accept-Language": language}
    page = client.get("/board/1", headers=headers).text
    assert page.count('class="field ground-') == 81
    shown_picture(client, page)
    assert f'href="{address}"' in page
    words = texts_in(language).page
    for key in ("board_remove", "board_was_said"):
        assert words[key] in page.replace("\xad", "").replace("\u202f", " ")
    client.app.app.state.service.boards.drop(address.rsplit("/", 1)[1])  # type: ignore[attr-defined]
    assert f'href="{address}"' not in client.get("/board/1", headers=headers).text


def test_recorded_boards_as_json(client: TestClient, path: Path) -> None:
    assert client.get("/boards.jsonl").content == b""
    say(client, read(client), "field 4,4", "blue")
    one = client.get("/board/1", headers=JSON).json()
    (line,) = client.get("/boards.jsonl").text.splitlines()
    assert json.loads(line) == one
    assert (one["id"], one["answers"], one["photo"]) == (1, {"field 4,4": "blue"}, "after.jpg")
    assert client.post("/board/1/remove", headers=JSON).json() == {}


def test_no_page_of_sheets_shows_a_board(client: TestClient) -> None:
    read(client)
    for page in ("/", "/history", "/check"):
        assert "after.jpg" not in client.get(page).text
    assert client.get("/history", headers=JSON).json() == []


def test_a_full_disk_is_told_and_nothing_is_lost(client: TestClient, path: Path) -> None:
    address = read(client)
    with full_disk():
        assert say(client, address, "field 4,4", "blue") == 400
    assert told(client, address)["answers"] == recorded(path)[0].answers == {}
