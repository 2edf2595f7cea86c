"""Photos that teach, on the page: a button, a switch, a list, a report; also without script."""

import io
import re
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra web is not installed")

from starlette.testclient import TestClient

from brikks_vision.web.service import Drafts
from tests.metadata_photos import TELLTALES, with_metadata
from tests.web.asked import JSON, PAGE

ART, HARD = Path("tests/fixtures/good-art.jpg"), Path("tests/fixtures/hard-art.jpg")
CROSSED = {"where": "bomb 0", "mark": "X"}


def send(client: TestClient, photo: bytes, name: str = "sheet.jpg") -> str:
    answer = client.post("/scan", files={"photo": (name, photo)}, headers=PAGE)
    assert answer.status_code == 303
    return str(answer.headers["location"])


def kept(client: TestClient) -> dict[int, int | None]:
    """By result, the right total of the photos that are kept."""
    told = client.get("/teaching", headers=JSON).json()
    return {each["result"]: each["total"] for each in told["photos"]}


def page(client: TestClient, address: str) -> str:
    answer = client.get(address, headers=PAGE)
    assert answer.status_code == 200
    return str(answer.text)


def test_the_button_keeps_a_photo_and_the_right_total(client: TestClient) -> None:
    result = send(client, ART.read_bytes())
    assert "Keep this photo to teach" in page(client, result)
    assert kept(client) == {}
    answer = client.post(f"{result}/keep", data={"total": "44"}, headers=PAGE)
    assert (answer.status_code, answer.headers["location"]) == (303, result)
    assert kept(client) == {1: 44}
    assert re.search(r"This photo is kept to teach, \d+ kB\.", page(client, result))


def test_nothing_is_kept_with_a_correction_unless_that_is_switched_on(client: TestClient) -> None:
    result = send(client, HARD.read_bytes())
    client.post(f"{result}/correct", data=CROSSED, headers=PAGE)
    assert kept(client) == {}
    assert "only if somebody asks" in page(client, "/teaching")
    client.post("/teaching/corrected", data={"wanted": "yes"})
    assert "as long as it is still here" in page(client, "/teaching")
    assert kept(client) == {}
    client.post(f"{result}/correct", data={**CROSSED, "mark": "."}, headers=PAGE)
    assert kept(client) == {1: None}
    client.post("/teaching/corrected", data={"wanted": ""})
    assert client.get("/teaching", headers=JSON).json()["keeps_corrected"] is False


def test_an_answer_to_an_open_question_keeps_the_photo(client: TestClient) -> None:
    send(client, HARD.read_bytes())
    client.post("/teaching/corrected", data={"wanted": "yes"})
    client.post("/check", data={"result": "1", **CROSSED}, headers=PAGE)
    assert kept(client) == {1: None}


def test_a_photo_that_is_gone_can_be_sent_again(client: TestClient) -> None:
    result = send(client, ART.read_bytes())
    client.app.app.state.service.held = Drafts()  # type: ignore[attr-defined]
    assert "Send it again" in page(client, result)
    answer = client.post(f"{result}/keep", headers=PAGE)
    assert answer.status_code == 409 and 'role="alert"' in answer.text
    assert client.post(f"{result}/keep", headers=JSON).json()["error"] == "PhotoNotHere"
    assert send(client, ART.read_bytes()) == result
    client.post(f"{result}/keep", headers=PAGE)
    assert kept(client) == {1: None}


def test_the_right_total_can_be_said_once_the_photo_itself_is_gone(client: TestClient) -> None:
    result = send(client, ART.read_bytes())
    client.post(f"{result}/keep", headers=PAGE)
    client.app.app.state.service.held = Drafts()  # type: ignore[attr-defined]
    assert client.post(f"{result}/keep", data={"total": "-3"}).status_code == 303
    assert kept(client) == {1: -3}
    assert client.post(f"{result}/keep", data={"total": "many"}).status_code == 400


def test_the_report_of_the_page_holds_no_data_of_the_camera(client: TestClient) -> None:
    assert client.get("/teaching/report.zip", headers=PAGE).status_code == 404  # nothing is kept
    result = send(client, with_metadata(ART), "Zoe Beispiel.jpg")
    client.post(f"{result}/player", data={"player": "Zoe Beispiel"})
    client.post(f"{result}/keep", headers=PAGE)
    assert "report.zip" in page(client, "/teaching")
    answer = client.get("/teaching/report.zip")
    assert answer.headers["content-disposition"] == 'attachment; filename="report.zip"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        contents = [archive.read(name) for name in archive.namelist()]
    picture = client.get(f"{result}/kept.jpg").content
    for content in (*contents, answer.content, picture):
        assert [each for each in TELLTALES if each in content] == []


def test_what_is_kept_is_deleted_one_by_one_or_all(client: TestClient) -> None:
    for photo in (ART, HARD, Path("tests/fixtures/scan-art.jpg")):
        client.post(f"{send(client, photo.read_bytes())}/keep")
    client.post("/teaching/delete", data={"result": "2"})
    assert kept(client) == {1: None, 3: None}
    assert client.get("/result/2/kept.jpg").status_code == 409
    client.post("/teaching/delete")
    assert kept(client) == {}
    assert "No photo is kept." in page(client, "/teaching")


def test_the_oldest_photos_give_way_in_memory() -> None:
    held = Drafts(10, len)
    for name in ("a", "b", "c"):
        held.hold(name, bytes(4))
    assert held.all().keys() == {"b", "c"}
    held.hold("d", bytes(11))
    assert held.all() == {}
