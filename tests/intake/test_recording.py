"""What a person says of a sheet holds in the record, whichever photo of it was first or better."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from brikks_vision.intake.corrections import Said, sheet_now
from brikks_vision.intake.photos import sheet_reading
from brikks_vision.intake.recording import record_photo
from brikks_vision.pipeline import ScanResult, read_again, scan_sheets
from brikks_vision.reading import Status
from brikks_vision.record.changes import undo
from brikks_vision.record.database import Record, open_record
from brikks_vision.record.entries import PhotoFacts, SheetReading
from brikks_vision.record.results import corrections, get_result, list_results, remove_result
from tests.command_line import Run
from tests.recorded_sheets import photo, unsure

FIXTURES = Path(__file__).parent.parent / "fixtures"
SHEET = FIXTURES / "good-art.jpg"
"""44 points; with its second bomb crossed out 42."""
CROSSED = Said({"bomb 0": "X", "bomb 1": "X"})


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Record]:
    with open_record(tmp_path / "record.sqlite3") as opened:
        yield opened


def sheets_of(file: Path, **settings: int) -> tuple[PhotoFacts, list[SheetReading]]:
    data = file.read_bytes()
    read = scan_sheets(data, settings)
    found = [sheet for sheet in read if isinstance(sheet, ScanResult)]
    return photo(file.name, content=data), [sheet_reading(each, data, "en") for each in found]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[PhotoFacts, list[SheetReading]]:
    """A small photo of the sheet, read with less certainty."""
    image = cv2.imread(str(SHEET))
    assert image is not None
    small = cv2.resize(image, None, fx=0.45, fy=0.45, interpolation=cv2.INTER_AREA)
    file = tmp_path_factory.mktemp("photos") / "small.jpg"
    cv2.imwrite(str(file), small, [cv2.IMWRITE_JPEG_QUALITY, 70])
    facts, (sheet,) = sheets_of(file, level=2)
    return facts, [replace(sheet, reading=unsure(sheet.reading))]


@pytest.fixture(scope="module")
def better() -> tuple[PhotoFacts, list[SheetReading]]:
    return sheets_of(SHEET)


def test_answers_for_a_photo_that_is_recorded_already(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    words = (SHEET, "--player", "Anna", "--db", database)
    run(*words)
    answers = ("--answer", "bomb 2=crossed", "--answer", "bomb 4=open", "--level", 3)
    _, out, _ = run(*words, *answers)
    with open_record(database) as record:
        (result,) = list_results(record)
        (said,) = corrections(record, result.id)
    assert "Total           42   sure" in out
    assert (result.reading.status, result.total) == (Status.OK, 42)
    assert said.who == "Anna"
    assert said.changes == {"bomb 1": (".", "X"), "bomb 2": (".", "."), "level": ("", "3")}
    _, listed, _ = run("history", "--db", database)
    assert "42" in listed
    assert "corrected" in listed
    run(*words, *answers)  # once more, which says nothing new
    with open_record(database) as record:
        assert len(corrections(record, result.id)) == 1


def test_answers_for_a_new_photo_are_kept_as_what_a_person_said(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    run(SHEET, "--db", database, "--player", "Anna", "--answer", "bomb 1=crossed")
    with open_record(database) as record:
        (result,) = list_results(record)
        (said,) = corrections(record, result.id)
        assert (said.who, list(said.changes)) == ("Anna", ["bomb 0"])
        undo(record)
        assert not get_result(record, result.id).is_corrected


def test_what_was_said_holds_for_a_better_photo(
    record: Record,
    first: tuple[PhotoFacts, list[SheetReading]],
    better: tuple[PhotoFacts, list[SheetReading]],
) -> None:
    (number,) = record_photo(record, *first, "Anna", CROSSED, "en").results
    added = record_photo(record, *better, None, Said(), "en")
    assert added.merged == (number,)
    now = sheet_now(record, number, "en")
    assert now.result.photo.name == better[0].name
    assert now.answers == CROSSED.answers
    assert now.reading.total_range == now.result.reading.total_range
    assert now.evidence.known["level"] == 2
    assert [each.who for each in corrections(record, number)] == ["Anna", "Anna"]


def test_what_is_said_with_a_photo_that_is_not_better(
    record: Record,
    first: tuple[PhotoFacts, list[SheetReading]],
    better: tuple[PhotoFacts, list[SheetReading]],
) -> None:
    (number,) = record_photo(record, *better, None, Said(), "en").results
    record_photo(record, *first, None, Said(CROSSED.answers, {"level": 2}), "en")
    now = sheet_now(record, number, "en")
    assert (now.answers, now.evidence.known["level"]) == (CROSSED.answers, 2)


def test_a_photo_is_recorded_again_after_its_result_was_removed(
    record: Record, better: tuple[PhotoFacts, list[SheetReading]]
) -> None:
    (number,) = record_photo(record, *better, "Anna", Said(), "en").results
    remove_result(record, number)
    (again,) = record_photo(record, *better, "Ben", Said(), "en").results
    assert get_result(record, again).player == "Ben"


def test_a_reading_without_its_answers() -> None:
    (told,) = scan_sheets(SHEET.read_bytes(), answers={"bomb 1": "X"})
    assert isinstance(told, ScanResult)
    assert (told.reading.bombs_used, read_again(told, {}, "en").reading.bombs_used) == (2, 1)
