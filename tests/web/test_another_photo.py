"""Another photo of what was read, on the page: both are read as one."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from brikks_vision.games import GAMES
from brikks_vision.text import languages
from tests.covered_sheets import with_thumb
from tests.toy.test_board import HERE, photo_of
from tests.web.asked import JSON, PAGE, client_of, send

SHEET, OTHER_SHEET = Path("samples/arcade.jpg"), Path("samples/floating-block.jpg")


@pytest.fixture
def client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads_here: None
) -> Iterator[TestClient]:
    """A service that knows the pond, too."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setitem(GAMES, "pond", "tests.toy.pond.game")
    monkeypatch.setattr(languages, "FOLDERS", [*languages.FOLDERS, HERE / "text"])
    languages.texts_in.cache_clear()
    with client_of(tmp_path / "r.sqlite3") as found:
        yield found
    languages.texts_in.cache_clear()


def problem_in(page: str) -> str:
    return "".join(re.findall(r'<p class="problem" role="alert">(.*?)</p>', page))


def test_what_one_photo_of_a_sheet_hides_the_other_shows(
    client: TestClient, tmp_path: Path
) -> None:
    low = with_thumb(SHEET, (6, 8.5), tmp_path / "low.jpg")
    high = with_thumb(SHEET, (6, 2.5), tmp_path / "high.jpg")
    assert send(client, low, "/scan").headers["location"] == "/result/1"
    client.post("/result/1/correct", data={"where": "cell 10,0", "mark": "."}, headers=PAGE)
    page = client.get("/result/1", headers=PAGE).text
    assert "Another photo from the other side" in page and 'id="covered"' in page
    answer = send(client, high, "/another", result="1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/result/1")
    page = client.get("/result/1", headers=PAGE).text
    assert 'id="covered"' not in page and 'role="status">Read from low.jpg, high.jpg.' in page
    told = client.get("/result/1", headers=JSON).json()
    assert told["reading"]["photos"] == ["low.jpg", "high.jpg"]
    assert (told["reading"]["grid"][10][0], told["reading"]["covered"]) == (".", [])
    assert client.get("/result/2", headers=PAGE).status_code == 404


def test_a_photo_of_something_else_changes_nothing(client: TestClient, tmp_path: Path) -> None:
    send(client, SHEET, "/scan")
    before = client.get("/result/1", headers=JSON).json()
    for photo, sentence in (
        (OTHER_SHEET, "In floating-block.jpg something stands otherwise than in arcade.jpg."),
        (Path("samples/bloxx.jpg"), "bloxx.jpg shows another sheet or board than arcade.jpg."),
        (SHEET, "arcade.jpg is the same photo as arcade.jpg"),
        (Path("tests/fixtures/bad-table.jpg"), "No game sheet was found in the photo."),
        (photo_of("X.. .X. ...", tmp_path / "pond.png"), "pond.png shows another sheet or board"),
    ):
        answer = send(client, photo, "/another", result="1")
        assert answer.status_code == 400
        assert problem_in(answer.text).startswith(sentence)
        assert 'id="another"' in answer.text
    assert client.get("/result/1", headers=JSON).json() == before
    assert client.get("/result/2", headers=PAGE).status_code == 404


def test_what_one_photo_of_a_board_leaves_open_another_tells(
    client: TestClient, tmp_path: Path
) -> None:
    first = photo_of("X.? .X. ...", tmp_path / "first.png")
    second = photo_of("X.X .?. ...", tmp_path / "second.png")
    moved = photo_of("X.. ... .X.", tmp_path / "moved.png")
    address = send(client, first, "/boards").headers["location"]
    token = address.rpartition("/")[2]
    client.post(f"{address}/set", data={"where": "field 2,0", "value": "stone"}, headers=PAGE)
    refused = send(client, moved, "/another", board=token)
    assert refused.status_code == 400
    assert problem_in(refused.text).startswith("In moved.png something stands otherwise")
    assert send(client, first, "/another", board=token).status_code == 400
    assert send(client, second, "/another", board=token).headers["location"] == address
    told = client.get(address, headers=JSON).json()
    assert told["reading"]["grid"] == ["X.X", ".X.", "X.."]
    assert told["reading"]["photos"] == ["first.png", "second.png"]
    assert "Read from first.png, second.png." in client.get(address, headers=PAGE).text
    client.post(f"{address}/set", data={"where": "field 2,0", "value": "read"}, headers=PAGE)
    result = client.get("/result/1", headers=JSON).json()
    assert result["reading"]["grid"] == ["X.X", ".X.", "..."]
    assert result["reading"]["photos"] == ["first.png", "second.png"]


def test_a_photo_of_nothing_that_is_here_is_refused(client: TestClient) -> None:
    for fields in ({"result": "7"}, {"board": "gone"}, {}):
        assert send(client, SHEET, "/another", **fields).status_code == 400
