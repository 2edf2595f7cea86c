"""The page: who may ask for what, what may be sent, and what follows from it."""

import asyncio
import io
import os
import pickle
import queue
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import pytest
from PIL import Image

pytest.importorskip("fastapi", reason="the extra web is not installed")

from starlette.testclient import TestClient

from brikks_vision import errors
from brikks_vision.commands.serve import kept_key, listen, qr_code, welcome
from brikks_vision.infer.following import TableReading
from brikks_vision.intake.workers import Readers, ReaderTask, answer_of, read_task
from brikks_vision.layout import load_layout
from brikks_vision.reading import Status
from brikks_vision.record.database import open_record
from brikks_vision.record.results import corrections, players
from brikks_vision.show.covered import doubt_question
from brikks_vision.text.languages import LANGUAGES, texts_in
from brikks_vision.web import uploads
from brikks_vision.web.guard import HEADERS, new_key
from brikks_vision.web.pages import rendered
from brikks_vision.web.routes import history as history_routes
from brikks_vision.web.uploads import receive_upload, shown_name
from tests.command_line import Run
from tests.doubted_photos import doubted_photo
from tests.png_headers import png_claiming
from tests.processes import started
from tests.recorded_sheets import full_disk
from tests.web.asked import JSON, OWN, PAGE, client_of, send

SAMPLES, FIXTURES = Path("samples"), Path("tests/fixtures")
ARCADE = SAMPLES / "arcade.jpg"
HUGE = png_claiming(60_000, 60_000)  # 3600 megapixels


@pytest.fixture(scope="module")
def record_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("record") / "record.sqlite3"


@pytest.fixture(scope="module")
def client(record_path: Path, all_read_here: None) -> Iterator[TestClient]:
    with client_of(record_path) as found:
        yield found


@pytest.fixture(scope="module")
def key() -> str:
    return new_key()


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory, key: str) -> Iterator[TestClient]:
    """A service that the whole network can reach."""
    with client_of(tmp_path_factory.mktemp("guarded") / "record.sqlite3", key) as found:
        yield found


def number_of(answer: Any) -> int:
    assert answer.status_code == 303, answer.text
    found = re.fullmatch(r"/result/(\d+)", answer.headers["location"])
    assert found is not None, answer.headers["location"]
    return int(found[1])


def reading_of(client: TestClient, number: int) -> dict[str, Any]:
    reading: dict[str, Any] = client.get(f"/result/{number}", headers=JSON).json()["reading"]
    return reading


# --- from the photo to the score -----------------------------------------------------------------


def test_a_photo_becomes_a_result(client: TestClient, record_path: Path) -> None:
    number = number_of(send(client, ARCADE, player="Anna"))
    page = client.get(f"/result/{number}")
    assert page.status_code == 200
    assert re.search(r'id="total"[^>]*>102<', page.text)
    assert "Anna" in page.text
    with open_record(record_path) as record:
        assert "Anna" in players(record)
    assert client.get(f"/result/{number}/picture").content.startswith(b"\xff\xd8")
    assert client.get(f"/result/{number}/thumbnail").content.startswith(b"\xff\xd8")


def test_a_photo_sent_twice_is_one_result(client: TestClient) -> None:
    assert number_of(send(client, ARCADE)) == number_of(send(client, ARCADE))


def test_a_photo_sent_again_can_say_whose_it_is(client: TestClient) -> None:
    number = number_of(send(client, FIXTURES / "scan-art-2.jpg"))
    assert number_of(send(client, FIXTURES / "scan-art-2.jpg", player="Cleo")) == number
    assert client.get(f"/result/{number}", headers=JSON).json()["player"] == "Cleo"


def test_programs_get_json(client: TestClient) -> None:
    answer = send(client, ARCADE, headers=JSON)
    assert answer.status_code == 200
    (found,) = answer.json()["results"]
    assert found["reading"]["score"]["total"] == 102
    assert answer.json()["errors"] == []


def test_answering_a_doubt_changes_the_total(client: TestClient, record_path: Path) -> None:
    photo, doubt = doubted_photo()
    number = number_of(send(client, photo))
    before = reading_of(client, number)
    page = client.get(f"/result/{number}").text
    assert f'<input type="hidden" name="where" value="{doubt.where}">' in page
    assert doubt_question(doubt.where, load_layout("brikks"), "en") in page
    other = {"X": ".", ".": "X"}[doubt.read]
    answer = client.post(
        f"/result/{number}/correct", data={"where": doubt.where, "mark": other}, headers=PAGE
    )
    assert number_of(answer) == number
    after = reading_of(client, number)
    assert after["score"]["total"] != before["score"]["total"]
    assert doubt.where not in [each["where"] for each in after["doubts"]]
    with open_record(record_path) as record:
        made = corrections(record, number)[-1]
    assert made.changes == {doubt.where: (doubt.read, other)}
    client.post(f"/result/{number}/correct", data={"where": doubt.where, "mark": "read"})
    assert reading_of(client, number)["score"] == before["score"]


def test_correcting_any_mark_changes_the_score(client: TestClient) -> None:
    number = number_of(send(client, SAMPLES / "printed.jpg"))
    before = reading_of(client, number)
    changes = {"cell 0,0": "X" if before["grid"][0][0] == "." else "."}
    changes["energy 20"], changes["bomb 2"] = "circled", "X" if before["bombs_used"] < 3 else "."
    changes["box 13"] = "X"
    seen = [before["score"]]
    for where, mark in changes.items():
        place = client.get(f"/result/{number}/place", params={"where": where})
        assert place.status_code == 200
        assert 'name="mark"' in place.text
        client.post(f"/result/{number}/correct", data={"where": where, "mark": mark})
        now = reading_of(client, number)
        seen.append(now["score"])
    assert now["grid"][0][0] == changes["cell 0,0"]
    assert now["energy"][20] == "circled"
    assert seen[0]["bombs"] != now["score"]["bombs"]
    # what was said last is what can be taken back, though its place was spoken of before
    client.post(f"/result/{number}/correct", data={"where": "energy 20", "mark": "open"})
    page = client.get(f"/result/{number}").text
    assert "Energy point 21" in page[page.index("↶") :][:100]


def test_where_the_points_of_a_sheet_went(client: TestClient) -> None:
    number = number_of(send(client, ARCADE))
    page = client.get(f"/result/{number}", headers={"Accept-Language": "de"}).text
    card = page.partition('<details class="card fold" id="lost">')[2].partition('id="game"')[0]
    before, _, more = card.partition("<details>")
    assert "Wo die Punkte geblieben sind" in before
    assert "In Reihe 11 von unten fehlt ein Kreuz" in before
    assert (before.count("<tr>"), more.count("<tr>")) == (3, 4)
    assert "Die Summe mit all dem: 132" in more
    assert "Der Computerspieler" in more


def test_what_would_be_best_for_a_roll_is_told_when_asked(client: TestClient) -> None:
    number = number_of(send(client, FIXTURES / "blank.jpg"))
    page = client.get(f"/result/{number}", headers={"Accept-Language": "de"}).text
    assert "Was wäre für einen Wurf das Beste?" in page and "Computerspieler täte" not in page
    address = f"/result/{number}/advice"
    asked = {"color": "red", "roll": "3"}
    page = client.get(address, params=asked, headers={"Accept-Language": "de"}).text
    card = page.partition('id="status"')[2].partition("</section>")[0]
    assert "Der rote Block" in card and "am Ende etwa" in card
    # the best three are drawn, one at a time: the one that is chosen
    assert page.count('class="best"') == page.count('class="halo best"') == 3
    assert (card.count('name="shown"'), card.count(" checked")) == (3, 1)
    told = client.get(address, params=asked, headers=JSON).json()["coach"]
    assert told["advice"][0]["cells"] and told["yours"] is None
    wrong = client.get(address, params={"color": "red", "roll": "9"})
    assert wrong.status_code == 400 and "There is no roll" in wrong.text


def test_where_points_went_is_told_once_the_total_is_sure(client: TestClient) -> None:
    photo, _ = doubted_photo()
    page = client.get(f"/result/{number_of(send(client, photo))}").text
    assert "please answer first what is asked about it" in page


def test_two_corrections_at_once_both_count(client: TestClient) -> None:
    from concurrent.futures import ThreadPoolExecutor

    number = number_of(send(client, FIXTURES / "blank.jpg"))
    assert 'class="rank"' not in client.get(f"/result/{number}").text  # of an empty sheet
    cells = [(10, column) for column in range(6)]

    def cross(cell: tuple[int, int]) -> int:
        data = {"where": f"cell {cell[0]},{cell[1]}", "mark": "X"}
        return client.post(f"/result/{number}/correct", data=data).status_code

    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(cross, cells)) == {303}
    assert reading_of(client, number)["grid"][10] == "XXXXXX...."
    assert 'class="rank"' in client.get(f"/result/{number}").text


@pytest.mark.parametrize(
    ("where", "mark", "status"),
    [
        ("cell 3", "X", 400),
        ("cell 99,0", "X", 400),
        ("energy 3", "X", 400),
        ("bomb 1", "used", 400),
        ("nothing", "X", 400),
        ("cell " + "9" * 150 + ",1", "X", 400),
        ("cell 1,1", "X" * 500, 422),
    ],
)
def test_a_correction_that_cannot_be(
    client: TestClient, where: str, mark: str, status: int
) -> None:
    number = number_of(send(client, ARCADE))
    answer = client.post(f"/result/{number}/correct", data={"where": where, "mark": mark})
    assert answer.status_code == status
    assert reading_of(client, number)["score"]["total"] == 102


def test_what_is_said_of_the_game_is_judged_by(client: TestClient) -> None:
    number = number_of(send(client, SAMPLES / "floating-block.jpg"))
    assert reading_of(client, number)["assumed"]["players"] != [4]
    said = {"players": "4", "level": "2", "variant": "standard"}
    assert number_of(client.post(f"/result/{number}/game", data=said)) == number
    assert reading_of(client, number)["assumed"]["players"] == [4]
    wrong = client.post(f"/result/{number}/game", data={"players": "3", "variant": "solo"})
    assert wrong.status_code == 400
    assert 'id="game" open>' in wrong.text
    assert "There is no game with" in wrong.text
    page = client.get(f"/result/{number}").text
    assert "rests on nothing" in page
    assert 'class="badge violation"' in page


def test_a_game_of_two(client: TestClient) -> None:
    one = number_of(send(client, ARCADE, player="Anna"))
    two = number_of(send(client, SAMPLES / "printed.jpg"))
    client.post(f"/result/{two}/player", data={"player": "Ben <b>"})
    answer = client.post("/game", data={"results": [str(one), str(two)]}, headers=PAGE)
    assert answer.status_code == 303
    page = client.get(answer.headers["location"])
    assert page.status_code == 200
    assert page.text.index("Anna") < page.text.index("Ben &lt;b&gt;")
    assert "<b>" not in page.text
    ranking = client.get(answer.headers["location"], headers=JSON).json()["game"]["ranking"]
    assert [each["place"] for each in ranking] == [1, 2]
    history = client.get("/history")
    assert f'href="{answer.headers["location"]}"' in history.text
    assert client.post(f"{answer.headers['location']}/remove").status_code == 303
    assert client.get(answer.headers["location"]).status_code == 404


@pytest.mark.parametrize(
    ("is_sure", "told", "untold"),
    [
        ((True, False), "the referee may have missed something", "The ranking is not sure"),
        ((False, True), "The ranking is not sure", "the referee may have missed something"),
    ],
)
def test_what_of_a_game_a_doubt_may_change(
    is_sure: tuple[bool, bool], told: str, untold: str
) -> None:
    is_ranking_sure, is_verdict_sure = is_sure
    verdict = TableReading(
        Status.UNCERTAIN,
        variant="standard",
        photos=(),
        results=(),
        unread=(),
        violations=(),
        is_ranking_sure=is_ranking_sure,
        is_verdict_sure=is_verdict_sure,
    )
    photo = SimpleNamespace(taken=datetime(2026, 3, 4), sha256="0")
    result = SimpleNamespace(id=1, player="Anna", played="brikks", total=71, photo=photo)
    doubt = SimpleNamespace(where="cell 8,1")
    reading = SimpleNamespace(doubts=(doubt,), violations=())
    page = rendered(
        "ranking.html",
        "en",
        address="/game/1",
        table=None,
        game=SimpleNamespace(id=1),
        sheets=[SimpleNamespace(reading=reading, result=result)],
        names=["Anna"],
        verdict=verdict,
        standings=(),
        remembered=(),
        text="",
    )
    assert told in page
    assert untold not in page


def test_several_sheets_in_one_photo_are_asked_for_by_name(client: TestClient) -> None:
    answer = send(client, FIXTURES / "two-sheets.jpg")
    assert answer.status_code == 303
    assert re.fullmatch(r"/table/\d+", answer.headers["location"])
    assert "This photo shows several sheets" in client.get(answer.headers["location"]).text


def test_a_game_tells_the_faults_of_each_sheet(client: TestClient) -> None:
    names = ("fault-floating.jpg", "scan-printed.jpg")
    numbers = [number_of(send(client, FIXTURES / name)) for name in names]
    answer = client.post("/game", data={"results": numbers, "leaving": "1"})
    page = client.get(answer.headers["location"]).text
    assert page.partition('id="share"')[0].count("rests on nothing") == 1
    (picture,) = set(re.findall(r'src="(/game/[^"]+)"', page))
    assert client.get(picture).content.startswith(b"\x89PNG")


def test_a_removed_result_is_brought_back(client: TestClient) -> None:
    """Also where other changes came between, which stay."""
    photo, other = FIXTURES / "scan-printed.jpg", number_of(send(client, ARCADE))
    number = number_of(send(client, photo, player="Dora"))
    client.post(f"/result/{number}/correct", data={"where": "cell 0,0", "mark": "X"})
    before = client.get(f"/result/{number}", headers=JSON).json()
    shown = client.get(client.post(f"/result/{number}/remove").headers["location"]).text
    assert client.get(f"/result/{number}").status_code == 404
    assert f"Result {number} is removed." in shown
    client.post(f"/result/{other}/player", data={"player": "Finn"})
    (back,) = re.findall(r'action="(/result/\d+/bring-back)"', shown)
    for _ in range(2):  # a form that is sent twice does no harm
        answer = client.post(back)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/result/{number}")
    assert client.get(f"/result/{number}", headers=JSON).json() == before
    assert client.get(f"/result/{other}", headers=JSON).json()["player"] == "Finn"
    assert "bring-back" not in client.get(f"/history?removed={number}").text
    assert client.post("/result/99999999/bring-back").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_names_a_command(language: str) -> None:
    for key, text in texts_in(language).page.items():
        if not key.startswith("serve_"):  # what the terminal shows
            assert not re.search(r"brikks-scan (history|serve|sheet|undo)|--\w", text), key


def test_the_history_with_its_plots_and_exports(client: TestClient) -> None:
    number_of(send(client, ARCADE, player="Anna"))
    for address in ("/plot/scores.png", "/plot/lost.png", "/plot/empty.png"):
        assert client.get(f"{address}?player=Anna").content.startswith(b"\x89PNG")
    assert b"sha256" in client.get("/history.csv").content
    assert client.get("/history.jsonl").text.count("\n") >= 1
    assert len(client.get("/history", headers=JSON).json()) >= 1
    found = client.get("/history", params={"player": "nobody", "since": "2026-01-01"})
    assert found.status_code == 200
    for wrong in ({"since": "tomorrow"}, {"until": "9999-12-31"}, {"since": "2026-02-30"}):
        assert client.get("/history", params=wrong).status_code == 400


def test_the_home_screen(client: TestClient) -> None:
    manifest = client.get("/manifest.webmanifest").json()
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        picture = Image.open(io.BytesIO(client.get(icon["src"]).content))
        assert f"{picture.width}x{picture.height}" == icon["sizes"]


def test_results_recorded_without_material_can_be_corrected(
    client: TestClient, record_path: Path
) -> None:
    number = number_of(send(client, FIXTURES / "good-arcade.jpg"))
    total = reading_of(client, number)["score"]["total"]
    with open_record(record_path) as record:
        record.connection.execute("DELETE FROM material")
    assert reading_of(client, number)["score"]["total"] == total
    assert client.get(f"/result/{number}/picture").status_code == 404
    assert client.get(f"/result/{number}").status_code == 200
    client.post(f"/result/{number}/correct", data={"where": "bomb 0", "mark": "X"})
    client.post(f"/result/{number}/correct", data={"where": "bomb 1", "mark": "X"})
    assert reading_of(client, number)["bombs_used"] >= 2


# --- what is kept --------------------------------------------------------------------------------


def test_a_photo_without_a_date_is_not_said_to_be_taken_then(client: TestClient) -> None:
    number = number_of(send(client, FIXTURES / "blank.jpg"))
    page = client.get(f"/result/{number}").text
    assert "Photo without a date; its file: " in page
    assert "Taken " not in page


def test_where_a_photo_was_taken_is_never_kept(
    client: TestClient, record_path: Path, tmp_path: Path
) -> None:
    photo = tmp_path / "holiday.jpg"
    exif = Image.Exif()
    exif[0x010F] = "UNIQUEMAKER"
    exif.get_ifd(0x8825)[1] = "N"
    exif.get_ifd(0x8825)[29] = "1999:12:24"
    Image.open(FIXTURES / "landscape.jpg").save(photo, exif=exif, quality=92)
    assert b"UNIQUEMAKER" in photo.read_bytes()
    number = number_of(send(client, photo))
    with sqlite3.connect(record_path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    kept = record_path.read_bytes() + client.get(f"/result/{number}/picture").content
    kept += client.get(f"/result/{number}/thumbnail").content
    for mark in (b"UNIQUEMAKER", b"1999:12:24", b"Exif\0\0"):
        assert mark not in kept


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs a list of open files")
def test_photos_stay_neither_on_the_disk_nor_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brikks_vision.web.app.Readers", Readers)  # which read in processes
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    monkeypatch.setattr(uploads._Form, "spool_max_size", 1)  # all go to the disk
    made: list[IO[bytes]] = []

    def file(*given: Any, **settings: Any) -> IO[bytes]:
        made.append(temporary(*given, **settings))
        assert list(place.iterdir()) == []  # also where the server is killed now
        return made[-1]

    temporary = tempfile.TemporaryFile
    monkeypatch.setattr("tempfile.TemporaryFile", file)
    with client_of(tmp_path / "record.sqlite3") as client:
        service = client.app.app.state.service
        for photo, players_said, status in (
            (ARCADE, "2", 303),
            (FIXTURES / "bad-table.jpg", "2", 422),
            (ARCADE, "many", 400),
        ):
            assert send(client, photo, players=players_said).status_code == status
        monkeypatch.setattr(service.readers, "seconds", 0)
        assert send(client, ARCADE).status_code == 504
    assert [each.closed for each in made] == [True] * 4


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("bad-half-a-file.jpg", "The file ends in the middle of the picture."),
        ("bad-table.jpg", "No game sheet was found in the photo."),
    ],
)
def test_a_photo_that_cannot_be_read_says_why_and_a_way_on(
    client: TestClient, name: str, sentence: str
) -> None:
    answer = send(client, FIXTURES / name)
    assert answer.status_code == 422
    assert sentence in answer.text
    assert '<a class="button main" href="/">' in answer.text
    told = send(client, FIXTURES / name, headers=JSON)
    assert told.status_code == 422
    assert told.json()["message"].startswith(sentence)


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("letter.jpg", b"Dear Anna, 73 points!", 415),
        ("page.jpg", b"<html><script>alert(1)</script>", 415),
        ("huge.png", HUGE, 413),
        ("empty.jpg", b"", 400),
        ("cut.png", HUGE[:20], 422),
    ],
)
def test_files_that_are_no_photo(
    client: TestClient, name: str, content: bytes, status: int
) -> None:
    files = {"photo": (name, content, "image/jpeg")}
    answer = client.post("/scan", files=files, headers=JSON)
    assert answer.status_code == status
    assert answer.json()["message"]


def test_the_name_of_a_photo_is_no_path(client: TestClient, tmp_path: Path) -> None:
    target = tmp_path / "owned.jpg"
    content = (FIXTURES / "scan-art.jpg").read_bytes()
    files = {"photo": (f"../../../..{target}", content, "image/jpeg")}
    number = number_of(client.post("/scan", files=files, headers=PAGE))
    assert reading_of(client, number)["photo"] == "owned.jpg"
    assert not target.exists()
    assert shown_name("C:\\Users\\anna\\IMG.jpg") == "IMG.jpg"
    assert shown_name("a\0b\n.jpg") == "ab.jpg"
    assert shown_name("..") == ".."  # only ever shown
    assert shown_name("") == "photo"
    assert shown_name("8.15\u202fPM 👩\u200d👧\u200b.png") == "8.15\u202fPM 👩\u200d👧.png"
    assert shown_name("\u3164") == "photo"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", "multipart/form-data; boundary=x"),
        (b"--x\r\nContent-Disposition: form-data; na", "multipart/form-data; boundary=x"),
        (b"photo=abc", "application/x-www-form-urlencoded"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"--x--\r\n", "multipart/form-data; boundary=x"),
        (b"--y\r\n\r\n", "multipart/form-data; boundary=x"),
        (b"", "multipart/form-data"),
        (b"", ""),
    ],
)
def test_a_form_without_a_photo(client: TestClient, body: bytes, kind: str) -> None:
    answer = client.post("/scan", content=body, headers={"Content-Type": kind, **JSON})
    assert answer.status_code == 400
    assert answer.json()["error"] in ("UploadBroken", "UploadWithoutPhoto")


def form_chunks(size: int, chunk: int = 1_000_000) -> Iterator[bytes]:
    yield (
        b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n'
        b"Content-Type: image/jpeg\r\n\r\n"
    )
    sent = 0
    while sent < size:
        yield b"\xff" * min(chunk, size - sent)
        sent += chunk
    yield b"\r\n--x--\r\n"


async def streamed(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


def test_an_upload_is_refused_as_soon_as_it_is_too_large() -> None:
    taken = 0

    def counted() -> Iterator[bytes]:
        nonlocal taken
        for chunk in form_chunks(200_000_000):
            taken += len(chunk)
            yield chunk

    with pytest.raises(errors.FileTooLarge):
        asyncio.run(receive_upload(streamed(counted()), "multipart/form-data; boundary=x", None))
    assert taken < uploads.MAX_BYTES + 3_000_000


def test_an_upload_is_never_whole_in_memory() -> None:
    import tracemalloc

    tracemalloc.start()
    upload = asyncio.run(
        receive_upload(
            streamed(form_chunks(39_000_000, 100_000)), "multipart/form-data; boundary=x", None
        )
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3_000_000
    assert len(pickle.loads(pickle.dumps(upload.photo))) == 39_000_000
    upload.file.close()


def test_a_too_large_upload_says_so_through_the_page(client: TestClient) -> None:
    answer = client.post(
        "/scan",
        content=form_chunks(45_000_000),
        headers={"Content-Type": "multipart/form-data; boundary=x", **PAGE},
    )
    assert answer.status_code == 413
    assert "at most 40 can be read" in answer.text


def test_a_form_with_endless_fields_is_refused() -> None:
    def fields(count: int, size: int) -> Iterator[bytes]:
        for number in range(count):
            head = f'--x\r\nContent-Disposition: form-data; name="f{number}"\r\n\r\n'
            yield head.encode() + b"a" * size + b"\r\n"
        yield b"--x--\r\n"

    for count, size in ((1000, 1), (1, 100_000)):
        with pytest.raises(errors.UploadBroken):
            asyncio.run(
                receive_upload(
                    streamed(fields(count, size)), "multipart/form-data; boundary=x", None
                )
            )


def test_other_forms_are_small(client: TestClient) -> None:
    number = number_of(send(client, ARCADE))

    def endless() -> Iterator[bytes]:
        yield b"player="
        for _ in range(1000):
            yield b"a" * 100_000

    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        answer = client.post(
            f"/result/{number}/player", content=endless(), headers={"Content-Type": kind}
        )
        assert answer.status_code in (400, 413)
    assert "aaaa" not in client.get("/").text


# --- how many at once ----------------------------------------------------------------------------


def test_a_photo_waits_until_it_finds_a_place(client: TestClient) -> None:
    readers = client.app.app.state.service.readers  # type: ignore[attr-defined]
    with ExitStack() as places:
        while readers.free:
            places.enter_context(readers.place())
        threading.Timer(1, places.close).start()
        assert send(client, ARCADE).status_code == 303


def test_beyond_the_line_photos_are_turned_away(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MAX_IN_LINE", 0)
    answer = send(client, ARCADE)
    assert answer.status_code == 503
    assert answer.headers["retry-after"]
    assert "Wait a few seconds" in answer.text
    monkeypatch.undo()
    assert send(client, ARCADE).status_code == 303


@pytest.fixture
def one_reader() -> Iterator[Readers]:
    readers = Readers(1, 1, 1)
    yield readers
    readers.close()


def test_at_most_so_many_wait(one_reader: Readers) -> None:
    with (
        one_reader.place(),
        one_reader.place(),
        pytest.raises(errors.ServerBusy),
        one_reader.place(),
    ):
        raise AssertionError
    with one_reader.place():
        pass


TASK = ReaderTask(ARCADE.read_bytes(), "arcade.jpg", 0)


def test_a_photo_that_takes_too_long_costs_itself_only(one_reader: Readers) -> None:
    process = one_reader._free.get()
    os.kill(process.process.pid or 0, signal.SIGSTOP)  # it hangs
    one_reader._free.put(process)
    start = time.monotonic()
    with pytest.raises(errors.ReadingTooSlow):
        one_reader.start(partial(read_task, ReaderTask(b"", "endless.jpg", 0))).result(20)
    assert time.monotonic() - start < 10
    one_reader.seconds = 30
    photo = one_reader.start(partial(read_task, TASK)).result(60)
    assert photo.sheets[0].reading.score is not None
    assert photo.sheets[0].reading.score.total == 102


def test_a_photo_that_is_begun_at_the_very_end_waits_for_nobody(one_reader: Readers) -> None:
    one_reader.close()
    asked: queue.SimpleQueue[type[Exception]] = queue.SimpleQueue()

    def begin() -> None:
        try:
            one_reader._do(partial(read_task, TASK))
        except errors.BrikksError as error:
            asked.put(type(error))

    threading.Thread(target=begin, daemon=True).start()
    assert asked.get(timeout=20) is errors.ReaderStopped


def test_a_process_that_dies_costs_its_photo_only(one_reader: Readers) -> None:
    one_reader.seconds = 30
    process = one_reader._free.get()
    os.kill(process.process.pid or 0, signal.SIGSTOP)
    one_reader._free.put(process)
    future = one_reader.start(partial(read_task, TASK))
    time.sleep(0.3)
    process.process.kill()
    with pytest.raises(errors.ReaderStopped):
        future.result(20)
    assert one_reader.start(partial(read_task, TASK)).result(60).sheets


def test_closing_ends_a_process_that_still_reads(one_reader: Readers) -> None:
    process = one_reader._free.get().process
    os.kill(process.pid or 0, signal.SIGSTOP)  # it reads for ever
    one_reader._free.put(one_reader._workers[0])
    one_reader.seconds = 60
    future = one_reader.start(partial(read_task, TASK))
    while not future.running():
        time.sleep(0.01)
    one_reader.close()
    with pytest.raises(errors.ReaderStopped):
        future.result(20)
    assert not process.is_alive()
    assert one_reader._workers[0].process is process  # nobody was hired in its place


def test_a_failure_of_the_program_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brikks_vision.pipeline.scan_sheets", lambda *_, **__: 1 / 0)
    error = answer_of(partial(read_task, TASK))
    assert "ZeroDivisionError" in str(error)


# --- who may come in -----------------------------------------------------------------------------


def test_nothing_without_the_key(guarded: TestClient) -> None:
    for address in ("/", "/history", "/static/page.css", "/openapi.json", "/nowhere"):
        answer = guarded.get(address)
        assert answer.status_code == 401
        assert "set-cookie" not in answer.headers
        assert "QR code" in answer.text
        assert 'href="/static/look.css"' in answer.text  # alone of all files without the key
    assert guarded.get("/static/look.css").status_code == 200
    assert guarded.post("/static/look.css").status_code == 401
    assert guarded.post("/scan", content=b"x").status_code == 401


def test_a_wrong_key(guarded: TestClient, key: str) -> None:
    for wrong in (key[:-1], key + "a", "", "é", key.swapcase()):
        assert guarded.get("/", params={"key": wrong}).status_code == 401
        assert guarded.get("/", headers={"Authorization": "Bearer x"}).status_code == 401
        cookie = wrong.encode("ascii", "ignore").decode()
        assert guarded.get("/", headers={"Cookie": f"brikks_key={cookie}"}).status_code == 401


@pytest.mark.parametrize(
    "others",
    [
        'prefs={"a":1}; {own}',
        "a b=c; {own}",
        "=; ;x; {own}; y=[1,2]",
        "{own};\t k@ey=v",
        "a=b;{own}",
    ],
)
def test_cookies_of_other_services_lock_nobody_out(
    guarded: TestClient, key: str, others: str
) -> None:
    cookies = others.replace("{own}", f"brikks_key={key}; brikks_language=fr")
    answer = guarded.get("/", headers={"Cookie": cookies})
    assert answer.status_code == 200
    assert '<html lang="fr"' in answer.text
    refused = guarded.get("/", headers={"Cookie": cookies.replace(key, f"{key}=")})
    assert refused.status_code == 401


@pytest.mark.parametrize(
    "lines",
    [
        ["brikks_key={key}; brikks_key=another"],
        ["brikks_key=another; brikks_key={key}"],
        ["a=b", "brikks_key={key}"],
        ["brikks_key={key}", "a=b; brikks_key=another"],
    ],
)
def test_the_key_is_found_among_cookies_of_its_name_and_in_any_header(
    guarded: TestClient, key: str, lines: list[str]
) -> None:
    cookies = [("Cookie", line.replace("{key}", key)) for line in lines]
    assert guarded.get("/", headers=cookies).status_code == 200
    wrong = [(name, line.replace(key, key[::-1])) for name, line in cookies]
    assert guarded.get("/", headers=wrong).status_code == 401


def test_the_key_of_the_address_is_kept_in_a_cookie(guarded: TestClient, key: str) -> None:
    answer = guarded.get("/", params={"key": key})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert guarded.get("/", headers={"Cookie": f"brikks_key={key}"}).status_code == 200
    guarded.cookies.clear()
    bearer = {"Authorization": f"Bearer {key}"}
    assert guarded.get("/history", headers=bearer).status_code == 200
    manifest = guarded.get("/manifest.webmanifest", headers=bearer).json()
    assert manifest["start_url"] == f"/?key={key}"


def test_keys_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    import inspect

    from brikks_vision.web import guard

    assert "hmac.compare_digest" in inspect.getsource(guard.has_key)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8765", 200),
        ("localhost:8765", 200),
        ("localhost", 200),
        ("[::1]:8765", 200),
        ("evil.example", 421),
        ("evil.example:8765", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example:8765", 421),
        ("192.168.1.5:8765", 421),
        ("127.0.0.1@evil.example", 421),
        ("", 421),
        ("[", 421),
    ],
)
def test_only_its_own_names(client: TestClient, host: str, status: int) -> None:
    assert client.get("/", headers={"Host": host}).status_code == status


def test_names_where_the_network_can_reach_it(guarded: TestClient, key: str) -> None:
    bearer = {"Authorization": f"Bearer {key}"}
    for host, status in (("10.0.0.7:8765", 200), ("evil.example:8765", 421), ("[fe80::1]", 200)):
        assert guarded.get("/", headers={**bearer, "Host": host}).status_code == status


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:8765"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": OWN},
        {"Sec-Fetch-Site": "cross-site", "Origin": OWN},
    ],
)
def test_other_pages_change_nothing(client: TestClient, headers: dict[str, str]) -> None:
    number = number_of(send(client, ARCADE))
    for address, data in (
        (f"/result/{number}/remove", {}),
        (f"/result/{number}/correct", {"where": "cell 0,0", "mark": "X"}),
        ("/game", {"results": "1"}),
        ("/scan", {"photo": "x"}),
    ):
        answer = client.post(address, data=data, headers=headers)
        assert answer.status_code == 403
    assert reading_of(client, number)["score"]["total"] == 102


def test_its_own_pages_may(client: TestClient) -> None:
    number = number_of(send(client, ARCADE))
    headers = {"Sec-Fetch-Site": "same-origin", "Origin": OWN}
    answer = client.post(f"/result/{number}/player", data={"player": "Eve"}, headers=headers)
    assert answer.status_code == 303


def test_other_pages_cannot_load_pictures_from_here(client: TestClient) -> None:
    number = number_of(send(client, ARCADE))
    elsewhere = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    assert client.get(f"/result/{number}/picture", headers=elsewhere).status_code == 403
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get(f"/result/{number}", headers=link).status_code == 200


def test_every_answer_has_the_strict_headers(client: TestClient) -> None:
    for address in (
        "/",
        "/history",
        "/static/page.js",
        "/nowhere",
        "/static/icon-192.png",
        "/result/0",
    ):
        headers = client.get(address).headers
        for name, value in HEADERS.items():
            assert headers[name] == value, (address, name)
    policy = HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy


def test_pages_hold_no_inline_script_or_style_and_nothing_of_others(client: TestClient) -> None:
    number = number_of(send(client, doubted_photo()[0]))
    addresses = ["/", "/history", f"/result/{number}", f"/result/{number}/place?where=box+2"]
    files = [client.get(address).text for address in addresses]
    for text in files:
        assert not re.search(r"\sstyle=|\son\w+=|<style|javascript:", text)
        for script, inside in re.findall(r"<script(.*?)>(.*?)</script>", text):
            assert re.fullmatch(r' src="/static/\w+\.js" defer', script) and not inside
    files += [client.get(f"/static/page.{kind}").text for kind in ("css", "js")]
    for text in files:
        assert not re.search(r"(https?:)?//[a-z]", re.sub(r"(?m)^\s*//.*| // .*", "", text))


def test_unknown_addresses_and_methods(client: TestClient) -> None:
    for method, address, status in (
        ("GET", "/nowhere", 404),
        ("GET", "/static/../app.py", 404),
        ("GET", "/static/%2e%2e/app.py", 404),
        ("GET", "/result/99999999", 404),
        ("GET", "/game/99999999", 404),
        ("GET", "/result/0", 422),
        ("GET", "/result/99999999999999999999", 422),
        ("GET", "/result/abc", 422),
        ("GET", "/scan", 405),
        ("DELETE", "/result/1", 405),
        ("POST", "/result/99999999/remove", 404),
    ):
        answer = client.request(method, address)
        assert answer.status_code == status, address
        assert "That did not work" in answer.text
        assert client.request(method, address, headers=JSON).json()["message"]


# --- what fails beside it ------------------------------------------------------------------------


def test_a_record_that_cannot_be_written(client: TestClient, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with client_of(folder) as broken:
        answer = send(broken, ARCADE)
        assert answer.status_code == 500
        assert "cannot be written" in answer.text
        assert broken.get("/history", headers=JSON).json()["error"] == "RecordNotWritable"


def test_a_full_disk(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(uploads._Form, "spool_max_size", 1)
        patched.setattr("tempfile.TemporaryFile", full)
        answer = send(client, ARCADE)
    assert answer.status_code == 507
    assert "No space left on device" in answer.text
    assert "Make room" in answer.text


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit of files' sizes")
def test_on_a_disk_without_any_room_the_page_can_be_read(client: TestClient) -> None:
    number = number_of(send(client, ARCADE))
    with full_disk():
        for address in ("/", "/history", f"/result/{number}", "/history.csv", "/plot/scores.png"):
            assert client.get(address).status_code == 200
        for address, said in (
            (f"/result/{number}/correct", {"where": "cell 0,0", "mark": "X"}),
            (f"/result/{number}/player", {"player": "Ben"}),
            (f"/result/{number}/remove", {}),
        ):
            answer = client.post(address, data=said, headers=PAGE)
            assert answer.status_code == 507
            assert "What was recorded is safe" in answer.text
    assert reading_of(client, number)["grid"][0][0] == "."


def test_a_fault_of_the_program_is_answered(
    record_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_routes, "list_games", lambda *_: 1 / 0)
    with client_of(record_path, raise_server_exceptions=False) as client:
        answer = client.get("/history")
    assert answer.status_code == 500
    assert "ZeroDivisionError" in answer.text
    assert answer.headers["content-security-policy"] == HEADERS["Content-Security-Policy"]


# --- the command ---------------------------------------------------------------------------------


def test_the_key_is_kept_for_the_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "serve-key"
    key = kept_key(path)
    assert len(key) >= 40
    assert kept_key(path) == key
    assert path.stat().st_mode & 0o077 == 0
    assert kept_key(path, is_new=True) != key


def test_the_terminal_shows_the_address() -> None:
    local = welcome("127.0.0.1", 8765, None, "en")
    assert "http://127.0.0.1:8765/" in local
    assert "--host 0.0.0.0" in local
    shown = welcome("192.168.1.5", 8765, "secret", "en")
    assert "http://192.168.1.5:8765/?key=secret" in shown
    assert "█" in shown or "▀" in shown


def test_a_phone_can_read_the_qr_code() -> None:
    import cv2
    import numpy as np

    # one key: OpenCV's detector misses about one of two hundred, which phones read
    text = "http://192.168.178.123:8765/?key=B8JAlflSH0RAPeYBnPJUPMUbna4ow0KLWKhNCOfxtuA"
    assert len(text) == len("http://192.168.178.123:8765/?key=" + new_key())
    lines = [line for line in qr_code(text).splitlines() if line.strip()]
    halves = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
    rows = [[halves[sign][half] for sign in line] for line in lines for half in (0, 1)]
    code = 255 * np.array(rows, np.uint8)
    sizes = (np.ones((pixels, pixels), np.uint8) for pixels in (6, 8, 10))
    found = [cv2.QRCodeDetector().detectAndDecode(np.kron(code, size))[0] for size in sizes]
    assert text in found
    assert set(found) <= {text, ""}


def brikks_serve(*words: object) -> AbstractContextManager[subprocess.Popen[str]]:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUNBUFFERED": "1"}
    return started([sys.executable, "-m", "brikks_vision", "serve", *words], env=environment)


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_the_command_serves_and_ends(host: str, tmp_path: Path) -> None:
    import httpx

    with listen("127.0.0.1", 0) as probe:
        port = probe.getsockname()[1]
    words = ("--host", host, "--port", port, "--db", tmp_path / "record.sqlite3")
    with brikks_serve(*words) as process:
        address = f"http://127.0.0.1:{port}/"
        for _ in range(100):
            try:
                answer = httpx.get(address, timeout=5)
                break
            except httpx.TransportError:
                time.sleep(0.2)
        assert answer.status_code == (200 if host == "127.0.0.1" else 401)
        if host == "0.0.0.0":
            key = (tmp_path / "serve-key").read_text()
            assert httpx.get(address, params={"key": key}).status_code == 303
        process.terminate()
        out, err = process.communicate()
    assert f":{port}/" in out
    assert ("?key=" in out) == (host == "0.0.0.0")
    assert err == ""


def test_a_port_that_is_taken(run: Run, tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as taken:
        words = ("--port", taken.getsockname()[1], "--db", tmp_path / "record.sqlite3")
        code, _, err = run("serve", *words)
    assert code == 2
    assert "cannot be opened" in err
    assert len(err.splitlines()) == 1


def test_without_its_packages_the_command_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fastapi.py").write_text("raise ModuleNotFoundError(name='fastapi')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with brikks_serve("--db", tmp_path / "record.sqlite3") as process:
        _, err = process.communicate()
    assert process.returncode == 2
    assert "pip install 'brikks-vision[web]'" in err
    assert len(err.splitlines()) == 1
