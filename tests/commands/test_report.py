"""Photos that teach, from the command: kept if asked for, and packed with nothing but sheets."""

import io
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from brikks_vision.games import layout_of
from brikks_vision.games.printings import parse_printing
from brikks_vision.intake.photos import content_hash
from brikks_vision.intake.teaching import DATA, HIDDEN, INDEX, picture_to_keep
from brikks_vision.pipeline import scan_photo
from brikks_vision.reading import Reading
from brikks_vision.record.database import open_record
from brikks_vision.record.photos import remember_file
from brikks_vision.record.results import kept_photos
from tests.command_line import Run
from tests.known_boards import board_definition
from tests.metadata_photos import TELLTALES, with_metadata

FIXTURES = Path("tests/fixtures")
ART, HARD = FIXTURES / "good-art.jpg", FIXTURES / "hard-art.jpg"
PAINT = (255, 0, 255)  # BGR: no sheet and no pen is of this colour


def kept(database: Path) -> list[int]:
    """The numbers of the results whose photos are kept."""
    with open_record(database) as record:
        return [each.result.id for each in kept_photos(record)]


def packed(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def decoded(picture: bytes) -> np.ndarray[Any, Any]:
    return np.asarray(cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR))


# --- what is kept ---------------------------------------------------------------------------------


def test_nothing_is_kept_unless_it_is_asked_for(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    run(ART, "--db", database, "--answer", "bomb 1=crossed")
    assert kept(database) == []
    code, out, err = run("report", "--db", database)
    assert (code, out) == (0, "No photo is kept to teach.\n")
    assert "only if you ask for it" in err


def test_one_photo_is_kept_with_the_right_total(run: Run, tmp_path: Path) -> None:
    code, _, err = run(ART, "--keep", "--total", 44)
    assert code == 0 and "The photo of result 1 is kept to teach" in err
    _, out, _ = run("report")
    assert out.split()[:6] == ["No.", "1", "Brikks", "good-art.jpg", "read", "44"]
    assert " right 44 " in out


def test_every_corrected_photo_is_kept_where_that_is_wanted(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    run(HARD, "--db", database)
    assert run("report", "--keep-corrected", "yes", "--db", database)[0] == 0
    run(ART, "--db", database)
    assert kept(database) == []  # nothing was said of it
    run(ART, "--db", database, "--answer", "bomb 1=crossed")
    assert kept(database) == [2]
    run("report", "--keep-corrected", "no", "--db", database)
    run(HARD, "--db", database, "--answer", "bomb 1=open")
    assert kept(database) == [2]


def test_what_is_answered_later_keeps_the_photo_where_its_file_still_lies(
    run: Run, tmp_path: Path
) -> None:
    """A watched folder is known; of other files the record does not know where they are."""
    database, photo = tmp_path / "games.db", tmp_path / "hard.jpg"
    shutil.copy(HARD, photo)
    run(photo, "--db", database)
    run("report", "--keep-corrected", "yes", "--db", database)
    with open_record(database) as record:
        remember_file(record, str(photo), "1", content_hash(photo.read_bytes()))
    assert run("history", "edit", 1, "--answer", "bomb 1=open", "--db", database)[0] == 0
    assert kept(database) == [1]


def test_a_kept_photo_is_deleted_for_good(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    run(ART, "--keep", "--db", database)
    with open_record(database) as record:
        (picture,) = record.connection.execute("SELECT picture FROM kept_photo").fetchone()
    assert run("report", 1, "--delete", "--db", database)[0] == 0
    assert kept(database) == []
    assert picture[2000:2100] not in database.read_bytes()
    assert "No photo of result 1" in run("report", 1, "--delete", "--db", database)[2]


def test_a_removed_result_leaves_no_photo(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    run(ART, "--keep", "--db", database)
    run("history", "remove", 1, "--db", database)
    run("history", "undo", "--db", database)
    assert kept(database) == []


def test_a_total_belongs_to_one_sheet(run: Run, tmp_path: Path) -> None:
    code, _, err = run(FIXTURES / "two-sheets.jpg", "--total", 41, "--db", tmp_path / "games.db")
    assert code == 2 and "2 sheets" in err
    assert kept(tmp_path / "games.db") == []


# --- what a report holds --------------------------------------------------------------------------


def test_a_report_holds_no_place_no_name_and_no_date(run: Run, tmp_path: Path) -> None:
    photo, database = tmp_path / "Zoe Beispiel.jpg", tmp_path / "games.db"
    data = with_metadata(ART)
    photo.write_bytes(data)
    assert all(each in data for each in TELLTALES)
    said = ("--answer", "bomb 1=crossed", "--player", "Zoe Beispiel", "--db", database)
    run(photo, "--keep", *said)
    assert run("report", "-o", tmp_path / "report.zip", "--db", database)[0] == 0
    files = packed(tmp_path / "report.zip")
    for content in (*files.values(), (tmp_path / "report.zip").read_bytes()):
        assert [each for each in (*TELLTALES, b"2026-03-14") if each in content] == []
    with open_record(database) as record:
        (each,) = kept_photos(record)
    assert all(each.photo.sha256.encode() not in content for content in files.values())
    markers = {files["photo-1.jpg"][at + 1] for at in segments(files["photo-1.jpg"])}
    assert markers.isdisjoint({*range(0xE1, 0xF0), 0xFE}), "no segment of a program, no comment"


def segments(picture: bytes) -> list[int]:
    """Where the segments of a JPEG begin, up to its scan."""
    found, at = [], 2
    while picture[at + 1] != 0xDA:
        found.append(at)
        at += 2 + int.from_bytes(picture[at + 2 : at + 4], "big")
    return found


def test_a_report_tells_what_was_read_and_what_was_said(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    run(HARD, "--keep", "--total", 6, "--answer", "bomb 1=crossed", "--db", database)
    run("report", 1, "-o", tmp_path / "report.zip", "--db", database, "--lang", "fr")
    files = packed(tmp_path / "report.zip")
    assert set(files) == {INDEX, DATA, "photo-1.jpg"}
    (told,) = json.loads(files[DATA])["photos"]
    assert (told["photo"], told["game"], told["total"]) == ("photo-1.jpg", "brikks", 6)
    assert told["corrections"] == {"bomb 0": [".", "X"]}
    assert told["marks"]["bomb 0"] == "X"
    assert (told["read"]["score"]["total"], told["stands"]["score"]["total"]) == (7, 6)
    assert told["read"]["corners"] is None
    page = files[INDEX].decode()
    assert "Bombe 1" in page and 'lang="fr"' in page
    assert "<script" not in page and "http://" not in page and "https://" not in page
    assert page.count("src=") == page.count('src="data:image/jpeg;base64,') == 1


def test_a_board_of_ones_own_bears_no_name(run: Run, tmp_path: Path) -> None:
    database, board = tmp_path / "games.db", tmp_path / "board.json"
    board.write_text(board_definition("zoe-beispiel"))
    said = ("--answer", "field 4,4=blue", "--db", database)
    run(FIXTURES / "blox/after.jpg", "--sheet", board, "--keep", *said)
    run("report", "-o", tmp_path / "report.zip", "--db", database)
    files = packed(tmp_path / "report.zip")
    assert [name for name, content in files.items() if b"zoe-beispiel" in content] == []
    (told,) = json.loads(files[DATA])["photos"]
    assert (told["printing"], told["read"]["sheet"]) == ("printing-1.json", None)
    assert told["marks"]["field 4,4"] == told["corrections"]["field 4,4"][1] == "blue"
    printing = parse_printing(files["printing-1.json"], "it")
    assert scan_photo(files["photo-1.jpg"], printings=[printing]).reading.fields == tuple(
        told["read"]["fields"]
    )


def test_a_kept_photo_is_read_as_the_photo_was(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    run(ART, "--keep", "--db", database)
    run("report", "-o", tmp_path / "report.zip", "--db", database)
    again = scan_photo(packed(tmp_path / "report.zip")["photo-1.jpg"]).reading.content()
    told = scan_photo(ART).reading.content()
    for block in told["blocks"]:  # the kept photo is encoded anew
        block["confidence"] = pytest.approx(block["confidence"], abs=0.01)
    assert again == told


@pytest.mark.parametrize("name", ["good-art.jpg", "hard-art.jpg", "bloxx/good-printed.jpg"])
def test_nothing_outside_of_the_sheet_is_kept(name: str) -> None:
    photo, reading = read(name)
    assert (distance_to(photo, PAINT) < 90).sum() == 0
    height, width = photo.shape[:2]
    sheet = np.zeros((height, width), np.uint8)
    layout = layout_of(reading)
    cv2.fillConvexPoly(sheet, in_photo(layout.page.grown(0.6), reading, layout), 1)
    photo[sheet == 0] = PAINT
    picture = decoded(picture_to_keep(photo, reading))
    assert (distance_to(picture, PAINT) < 90).sum() == 0


def test_the_lines_for_name_and_date_are_covered() -> None:
    photo, reading = read("bloxx/good-printed.jpg")
    layout = layout_of(reading)
    for box in layout.words.values():
        cv2.fillConvexPoly(photo, in_photo(box, reading, layout), PAINT)
    picture = decoded(picture_to_keep(photo, reading))
    assert (distance_to(picture, PAINT) < 90).sum() == 0
    assert (distance_to(picture, HIDDEN) < 3).sum() > 100


def read(name: str) -> tuple[np.ndarray[Any, Any], Reading]:
    photo = cv2.imread(str(FIXTURES / name))
    assert photo is not None
    return photo, scan_photo(photo).reading


def in_photo(box: Any, reading: Reading, layout: Any) -> np.ndarray[Any, Any]:
    to_photo = cv2.getPerspectiveTransform(
        np.array(layout.outline.corners, np.float32), np.array(reading.corners, np.float32)
    )
    corners = cv2.perspectiveTransform(np.array([box.corners], np.float64), to_photo)[0]
    return np.round(corners).astype(np.int32)


def distance_to(picture: np.ndarray[Any, Any], color: tuple[int, int, int]) -> Any:
    return np.abs(picture.astype(int) - color).max(axis=2)


# --- what can go wrong ----------------------------------------------------------------------------


def test_nothing_is_packed_where_nothing_is_kept(run: Run, tmp_path: Path) -> None:
    report = tmp_path / "report.zip"
    code, _, err = run("report", "-o", report)
    assert (code, err.count("\n")) == (2, 1) and "No photo is kept to teach." in err
    assert not report.exists()


def test_a_report_is_written_over_only_if_that_is_said(run: Run, tmp_path: Path) -> None:
    report, database = tmp_path / "report.zip", tmp_path / "games.db"
    run(ART, "--keep", "--db", database)
    report.write_text("mine")
    code, _, err = run("report", "-o", report, "--db", database)
    assert code == 2 and "stays as it is" in err
    assert report.read_text() == "mine"
    assert run("report", "-o", report, "--replace", "--db", database)[0] == 0
    assert zipfile.is_zipfile(io.BytesIO(report.read_bytes()))


def test_a_result_that_is_not_kept_is_named(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    run(ART, "--keep", "--db", database)
    run(HARD, "--db", database)
    code, _, err = run("report", 1, 2, "-o", tmp_path / "report.zip", "--db", database)
    assert code == 2 and "result 2" in err
    assert not (tmp_path / "report.zip").exists()


# --- a printing learnt from what is kept ----------------------------------------------------------

PRINTED = ("good-printed", "scan-printed", "fault-floating", "fault-energy-order")


def test_a_printing_is_learnt_from_marked_sheets(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    for name in PRINTED:
        run(FIXTURES / f"{name}.jpg", "--keep", "--db", database)
    code, out, _ = run("report", "--keep-print", "mine", "--db", database)
    assert code in (0, 3) and "Learnt mine: a sheet of Brikks" in out
    _, out, _ = run(FIXTURES / "hard-printed.jpg", "--sheet", "mine", "--json")
    known = json.loads((FIXTURES / "hard-printed.jpg.json").read_text())
    read = json.loads(out)
    assert (read["sheet"], read["score"]["total"]) == ("mine", known["score"]["total"])


def test_two_sheets_do_not_show_what_is_printed(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    for name in PRINTED[:2]:
        run(FIXTURES / f"{name}.jpg", "--keep", "--db", database)
    code, out, err = run("report", "--keep-print", "mine", "--db", database)
    assert (code, out) == (1, "") and "kept are 2" in err
    assert "mine" not in run("sheet", "list")[1]


def test_sheets_of_another_printing_are_named(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    for name in (*PRINTED[:3], "good-arcade"):
        run(FIXTURES / f"{name}.jpg", "--keep", "--db", database)
    _, _, err = run("report", "--keep-print", "mine", "--db", database)
    assert "result 4 is printed differently" in err
    assert run("report", 1, 2, 3, "--keep-print", "mine", "--db", database)[0] in (0, 3)
