"""Boards of the record on the page: recorded as they are read and answered, listed, removed."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from brikks_vision.record.changes import undo
from brikks_vision.record.database import open_record
from brikks_vision.record.entries import Result
from brikks_vision.record.results import answers_of, corrections, list_results, remove_result
from tests.web.test_boards import known_board, things, told  # noqa: F401

FOLDER = Path("tests/fixtures/blox")
SLANT, AFTER = FOLDER / "slant.jpg", FOLDER / "after.jpg"
JSON, PAGE = {"Accept": "application/json"}, {"Accept": "text/html"}


@pytest.fixture
def path(record_path: Path) -> Path:
    return record_path


def read(client: TestClient, photo: Path = AFTER) -> str:
    """The address of the board that was read."""
    with photo.open("rb") as file:
        answer = client.post("/boards", files={"photo": (photo.name, file)}, headers=PAGE)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def say(client: TestClient, address: str, where: str, value: str) -> int:
    answer = client.post(f"{address}/set", data={"where": where, "value": value}, headers=PAGE)
    return int(answer.status_code)


def recorded(path: Path) -> list[Result]:
    with open_record(path) as record:
        return list(list_results(record))


def said(path: Path, number: int = 1) -> dict[str, str]:
    """What a person said of a board, by field."""
    with open_record(path) as record:
        return answers_of(corrections(record, number))


def shown_picture(client: TestClient, page: str) -> np.ndarray[Any, Any]:
    """The first picture of a recorded board that a page shows."""
    (address, *_) = re.findall(r'src="(/result/\d+/thumbnail[^"]*)"', page)
    answer = client.get(address)
    assert answer.headers["content-type"] == "image/jpeg"
    picture = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
    assert 300 < max(picture.shape) <= 960
    return np.asarray(picture)


def test_a_board_that_is_read_is_recorded_and_listed(client: TestClient, path: Path) -> None:
    assert "/result/" not in client.get("/boards").text
    address = read(client)
    (board,) = recorded(path)
    assert board.reading.to_dict()["towers"] == told(client, address)["reading"]["towers"]
    assert (board.photo.name, board.played, board.player) == ("after.jpg", "blox", None)
    assert said(path) == {}
    assert told(client, address)["number"] == board.id == 1
    read(client, SLANT)
    for address in ("/boards", "/history", "/history?played=blox", "/"):
        page = client.get(address).text
        assert re.findall(r'href="/result/(\d+)"', page) == ["2", "1"], address
        for entry in re.findall(r'href="/result/\d+">(.*?)</a>', page, re.DOTALL):
            what, _, when = re.sub("<[^>]+>| ·", "", entry).strip().partition(" ")
            assert (what, bool(when)) == ("BLOX", True), address
        shown_picture(client, page)
    assert 'type="checkbox"' not in client.get("/history").text  # a board is in no game
    assert "/result/" not in client.get("/history?played=brikks").text


def test_what_is_said_of_fields_goes_to_the_record(client: TestClient, path: Path) -> None:
    address = read(client)
    before = shown_picture(client, client.get("/boards").text)
    say(client, address, "field 4,4", "blue")
    say(client, address, "field 4,5", "tower 2")
    (board,) = recorded(path)
    assert said(path) == {"field 4,4": "blue", "field 4,5": "tower 2"}
    assert {(4, 4): "blue", (4, 5): "tower 2"}.items() <= things(board.reading.to_dict()).items()
    after = shown_picture(client, client.get("/boards").text)
    assert (before != after).any()
    say(client, address, "field 4,4", "read")
    say(client, address, "field 4,5", "read")
    assert said(path) == {}
    with open_record(path) as record:
        undo(record)
    assert said(path) == {"field 4,5": "tower 2"}


def test_two_phones_correct_one_board(client: TestClient, path: Path) -> None:
    one, other = read(client), read(client)
    say(client, one, "field 4,4", "blue")
    say(client, other, "field 4,5", "tower 2")
    assert said(path) == {"field 4,4": "blue", "field 4,5": "tower 2"}
    assert told(client, other)["answers"] == said(path)


def test_a_board_is_removed_from_the_list(client: TestClient, path: Path) -> None:
    address = read(client)
    answer = client.post("/result/1/remove")
    assert (answer.status_code, answer.headers["location"]) == (303, "/history?removed=1")
    assert recorded(path) == []
    assert "/result/1" not in client.get("/boards").text
    for gone in (address, "/result/1", "/result/1/thumbnail"):
        assert client.get(gone).status_code == 404
    assert client.post("/result/1/remove").status_code == 404


def test_a_removed_board_is_brought_back(client: TestClient, path: Path) -> None:
    say(client, read(client), "field 4,4", "blue")
    (before,) = recorded(path)
    shown = client.get(client.post("/result/1/remove").headers["location"]).text
    assert "Result 1 is removed." in shown
    (back,) = re.findall(r'action="(/result/1/bring-back)"', shown)
    for _ in range(2):  # a form that is sent twice does no harm
        answer = client.post(back)
        assert (answer.status_code, answer.headers["location"]) == (303, "/result/1")
    assert recorded(path) == [before]
    assert said(path) == {"field 4,4": "blue"}
    assert "bring-back" not in client.get("/history?removed=1").text


def test_a_board_is_forgotten_on_its_own_page(client: TestClient, path: Path) -> None:
    address = read(client)
    assert client.post(f"{address}/forget").headers["location"] == "/boards"
    assert recorded(path) == []
    address = read(client)
    with open_record(path) as record:
        remove_result(record, recorded(path)[0].id)
    assert client.post(f"{address}/forget").status_code == 303


def test_a_recorded_board_has_a_page(client: TestClient) -> None:
    address = read(client)
    page = client.get("/result/1").text
    assert page.count('class="field ground-') == 81
    shown_picture(client, page)
    assert f'href="{address}"' in page
    client.app.app.state.service.boards.drop(address.rsplit("/", 1)[1])  # type: ignore[attr-defined]
    assert f'href="{address}"' not in client.get("/result/1").text


def test_recorded_boards_as_json(client: TestClient, path: Path) -> None:
    say(client, read(client), "field 4,4", "blue")
    one = client.get("/result/1", headers=JSON).json()
    (line,) = client.get("/history.jsonl?played=blox").text.splitlines()
    assert json.loads(line)["reading"] == one["reading"]
    assert json.loads(line)["answers"] == one["answers"] == {"field 4,4": "blue"}
    assert (one["number"], one["played"], one["player"]) == (1, "blox", None)
    (listed,) = client.get("/history?played=blox", headers=JSON).json()
    assert listed["reading"] == one["reading"]
    assert client.get("/history?played=bloxx", headers=JSON).json() == []
    assert client.post("/result/1/remove", headers=JSON).json() == {}


def test_a_board_has_no_page_that_asks_for_points(client: TestClient) -> None:
    read(client)
    assert "after.jpg" not in client.get("/check").text
    for place in ("/result/1/place?where=field 4,4", "/result/1/picture"):
        assert 400 <= client.get(place).status_code < 500
    for form, fields in (
        ("correct", {"where": "field 4,4", "mark": "X"}),
        ("game", {"level": "2"}),
    ):
        answer = client.post(f"/result/1/{form}", data=fields, headers=JSON)
        assert answer.json()["error"] == "BoardWithoutPhoto"
    table = client.post("/table", data={"names": ["Anna"]}, headers=JSON).json()["table"]
    answer = client.post(f"/table/{table}/bring", data={"result": "1"}, headers=JSON)
    assert "is a sheet of BLOX, but Brikks, BLOXX!, Qwixx is played" in answer.json()["message"]
    read(client, SLANT)
    answer = client.post("/game", data={"results": ["1", "2"]}, headers=JSON)
    assert answer.json()["error"] == "SheetsNotOneGame"


def test_whose_a_board_is(client: TestClient, path: Path) -> None:
    read(client)
    client.post("/result/1/player", data={"player": "Anna"})
    assert recorded(path)[0].player == "Anna"
    assert 'href="/result/1"' in client.get("/player?name=Anna").text


def test_addresses_of_earlier_versions_lead_to_results(client: TestClient, path: Path) -> None:
    shutil.copy("tests/fixtures/record-version-7.sqlite3", path)
    for before, now in (("", ""), ("/picture", "/thumbnail"), ("/remove", "/remove")):
        answer = client.get(f"/board/1{before}")
        assert (answer.status_code, answer.headers["location"]) == (308, f"/result/3{now}")
    assert client.get("/board/1", follow_redirects=True).text.count('class="field ground-') == 81
    assert client.get("/board/9").status_code == 404
    lines = client.get("/boards.jsonl", follow_redirects=True).text.splitlines()
    assert [json.loads(line)["id"] for line in lines] == [3, 4]
