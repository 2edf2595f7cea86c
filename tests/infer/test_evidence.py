"""What is kept of a sheet to correct it without its photo."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from brikks_vision.detect.locate import try_to_locate
from brikks_vision.detect.marks import Marks, closer_marks
from brikks_vision.errors import NoSheetFound
from brikks_vision.games.brikks.game import DEFINITION
from brikks_vision.games.brikks.reading import (
    CELLS,
    FORMER_KEYS,
    HORIZONTALS,
    VERTICALS,
    game_of,
)
from brikks_vision.infer.evidence import evidence_from_json, evidence_json
from brikks_vision.intake.photos import photo_facts, picture_area, sheet_reading
from brikks_vision.layout import Layout, load_layout
from brikks_vision.pipeline import ScanResult, for_pictures, scan_photo, scan_sheets
from brikks_vision.pipeline.passes import is_doubtful
from brikks_vision.reading import Status
from brikks_vision.record.database import open_record
from brikks_vision.record.entries import Material
from brikks_vision.record.photos import add_photo
from brikks_vision.record.results import best_reading, material_of, remove_result
from tests.crossed_settings import crossed_shot
from tests.doubted_photos import doubted_photo

SHEET = load_layout("brikks")
FIXTURES = Path(__file__).parents[1] / "fixtures"
DOUBTED, _ = doubted_photo()


@pytest.fixture(scope="module")
def doubted() -> ScanResult:
    return scan_photo(DOUBTED)


def test_kept_evidence_reads_as_the_photo_does(doubted: ScanResult) -> None:
    evidence = evidence_from_json(evidence_json(doubted.evidence))
    reading, _ = DEFINITION.read(doubted.reading.photo, evidence, SHEET)
    assert reading.score == doubted.reading.score
    assert reading.grid == doubted.reading.grid
    assert [doubt.where for doubt in reading.doubts] == [
        doubt.where for doubt in doubted.reading.doubts
    ]


def test_evidence_is_read_under_the_names_that_an_earlier_version_gave_its_marks(
    doubted: ScanResult,
) -> None:
    data = json.loads(evidence_json(doubted.evidence))
    names = {" ".join(key): former for former, key in FORMER_KEYS.items()}
    data["marks"] = {names[name]: values for name, values in data["marks"].items()}
    former = evidence_from_json(json.dumps(data), FORMER_KEYS)
    assert former.marks.logits.keys() == doubted.evidence.marks.logits.keys()
    assert evidence_json(former) == evidence_json(doubted.evidence)
    with pytest.raises(ValueError, match="unpack"):
        evidence_from_json(json.dumps(data))


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Marks]:
    """The marks of full passes over a sheet, as they are made."""
    marks: list[Marks] = []

    def noted(*arguments: Any) -> Marks:
        marks.append(closer_marks(*arguments))
        return marks[-1]

    monkeypatch.setattr("brikks_vision.pipeline.passes.closer_marks", noted)
    return marks


def test_a_clear_sheet_gets_no_full_pass(seen: list[Marks]) -> None:
    result = scan_photo("samples/arcade.jpg")
    assert result.reading.status is Status.OK
    assert not (result.reading.doubts or result.reading.violations)
    assert not seen


def test_what_is_answered_of_a_clear_sheet_is_fixed_without_a_full_pass(
    seen: list[Marks],
) -> None:
    plain = scan_photo("samples/arcade.jpg").reading
    other = {"X": ".", ".": "X"}[plain.grid[-1][0]]
    answered = scan_photo("samples/arcade.jpg", answers={f"cell {len(plain.grid) - 1},0": other})
    assert answered.reading.grid[-1][0] == other
    assert answered.reading.grid[:-1] == plain.grid[:-1]
    assert not seen


def as_surely(logits: np.ndarray) -> np.ndarray:
    """Log-odds as a pass tells them: a mark that may be cancelled is less sure afterwards."""
    return np.minimum(logits, 5)


def test_sheets_side_by_side_get_a_full_pass(seen: list[Marks]) -> None:
    first, second = scan_sheets(FIXTURES / "two-sheets.jpg")
    for sheet in (first, second):
        assert isinstance(sheet, ScanResult)
        told = as_surely(sheet.evidence.marks[CELLS])
        off = [np.abs(as_surely(look[CELLS]) - told).mean() for look in seen]
        assert min(off) < 1.0


def test_a_sheet_that_only_a_finer_photo_shows_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def short_sighted(image: np.ndarray, layouts: Sequence[Layout], **effort: Any) -> object:
        if max(image.shape) < 1500:
            return NoSheetFound()
        return try_to_locate(image, layouts, **effort)

    photo = cv2.imread("samples/arcade.jpg")
    photo = cv2.resize(photo, None, fx=4000 / max(photo.shape[:2]), fy=4000 / max(photo.shape[:2]))
    plain = scan_photo(photo)
    monkeypatch.setattr("brikks_vision.pipeline.finders.try_to_locate", short_sighted)
    closer = scan_photo(photo)
    assert closer.photo.scale > plain.photo.scale
    assert closer.reading.score == plain.reading.score


def test_what_the_first_look_leaves_open_is_looked_at_closer_in_a_finer_photo(
    seen: list[Marks], monkeypatch: pytest.MonkeyPatch
) -> None:
    photo = cv2.imread("samples/arcade.jpg")
    photo = cv2.resize(photo, None, fx=4000 / max(photo.shape[:2]), fy=4000 / max(photo.shape[:2]))
    coarse = scan_photo(photo)
    assert not seen
    monkeypatch.setattr("brikks_vision.pipeline.passes.is_confident", lambda *_: False)
    result = scan_photo(photo)
    assert result.reading.score == coarse.reading.score
    assert result.photo.scale > coarse.photo.scale
    (closer,) = seen
    np.testing.assert_array_equal(as_surely(result.evidence.marks[CELLS]), as_surely(closer[CELLS]))


def test_an_unclear_sheet_gets_a_full_pass(
    seen: list[Marks], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brikks_vision.pipeline.passes.is_confident", lambda *_: False)
    result = scan_photo("samples/arcade.jpg")
    assert result.reading.status is Status.OK
    (closer,) = seen
    np.testing.assert_array_equal(as_surely(result.evidence.marks[CELLS]), as_surely(closer[CELLS]))


def test_what_is_answered_changes_nothing_that_was_seen(doubted: ScanResult) -> None:
    answers = {doubt.where: doubt.read for doubt in doubted.reading.doubts}
    answered = scan_photo(DOUBTED, answers=answers)
    assert answered.reading.status is Status.OK
    for key, told in answered.evidence.marks.logits.items():
        np.testing.assert_array_equal(told, doubted.evidence.marks[key])


def test_pictures_are_drawn_on_a_finer_photo_than_the_fast_pass_needs() -> None:
    photo = cv2.imread("samples/arcade.jpg")
    large = cv2.resize(photo, None, fx=4000 / max(photo.shape[:2]), fy=4000 / max(photo.shape[:2]))
    result = scan_photo(large)
    pictured = for_pictures(result, large)
    assert result.photo.scale < pictured.photo.scale
    corner = np.array([[0.0, 0.0]])
    np.testing.assert_allclose(
        result.placement.scaled(1 / result.photo.scale).to_photo(corner),
        pictured.placement.scaled(1 / pictured.photo.scale).to_photo(corner),
    )
    assert pictured.reading == result.reading
    assert for_pictures(pictured, large) is pictured


@pytest.mark.parametrize(("unclear", "doubtful"), [(0, False), (45, False), (46, True), (60, True)])
def test_lines_that_are_hardly_seen_are_not_weighed_in_the_fast_pass(
    unclear: int, doubtful: bool
) -> None:
    marks = scan_photo("samples/arcade.jpg").evidence.marks
    cells = np.full_like(marks[CELLS], 9.0)
    edges = np.full_like(marks[VERTICALS], 9.0)
    edges[:, 1:-1].flat[:unclear] = 0.5
    edges[:, 1:-1].flat[unclear:] = 9.0
    clear = np.full_like(marks[HORIZONTALS], -9.0)
    full = marks.with_logits({CELLS: cells, VERTICALS: edges, HORIZONTALS: clear})
    assert is_doubtful(full) == doubtful
    assert not is_doubtful(full.with_logits({CELLS: -cells}))  # lines beside no cross tell nothing


def test_a_reading_alone_gives_evidence_that_reads_the_same(doubted: ScanResult) -> None:
    reading, _ = DEFINITION.read(
        "a.jpg", DEFINITION.evidence_of_reading(doubted.reading, SHEET), SHEET
    )
    assert reading.score == doubted.reading.score
    assert {block.cells for block in reading.blocks} == {
        block.cells for block in doubted.reading.blocks
    }


def test_the_record_keeps_evidence_and_picture_as_long_as_the_result(
    doubted: ScanResult, tmp_path: Path
) -> None:
    data = DOUBTED.read_bytes()
    sheet = sheet_reading(doubted, data, "en")
    with open_record(tmp_path / "record.sqlite3") as record:
        (number,) = add_photo(record, photo_facts(data, DOUBTED.name, 0), [sheet]).results
        kept = material_of(record, number)
        assert isinstance(kept, Material)
        assert kept == sheet.material
        assert best_reading(record, number).grid == doubted.reading.grid
        assert b"Exif" not in kept.picture
        remove_result(record, number)
        assert material_of(record, number) is None
        assert record.connection.execute("SELECT count(*) FROM material").fetchone()[0] == 0


def test_what_is_crossed_never_makes_a_game_impossible(doubted: ScanResult) -> None:
    evidence = replace(
        doubted.evidence, known={"variant": "duel"}, on_sheet={"level": 4, "players": 3}
    )
    assert game_of(evidence) == {"level": 4, "variant": "duel"}
    reading, _ = DEFINITION.read("a.jpg", evidence, SHEET)
    assert reading.assumed["variant"] == ("duel",)


def test_evidence_that_was_kept_before_knows_no_boxes(doubted: ScanResult) -> None:
    data = json.loads(evidence_json(doubted.evidence))
    del data["on_sheet"]
    assert evidence_from_json(json.dumps(data)).on_sheet is None


def test_the_picture_shows_what_is_written_in_the_fields_for_words() -> None:
    shot = crossed_shot(2, {"level": [1]}, words={"name": "4711"})
    result = scan_photo(shot.data)
    kept = sheet_reading(result, shot.data, "en").material
    assert kept is not None
    picture = cv2.imdecode(np.frombuffer(kept.picture, np.uint8), cv2.IMREAD_GRAYSCALE)
    area = picture_area(result.layout, result.evidence)
    scale = picture.shape[1] / area.width
    contrast = {}
    for name, box in result.layout.words.items():
        rows = slice(
            round((box.top + 0.2 - area.top) * scale), round((box.bottom - 0.2 - area.top) * scale)
        )
        middle = (box.left + box.right) / 2 - area.left
        columns = slice(round((middle - 1) * scale), round((middle + 1) * scale))
        patch = picture[rows, columns].astype(float)
        contrast[name] = np.median(patch) - np.percentile(patch, 2)
    assert contrast["name"] > 60
    assert contrast["date"] < 25


def test_the_picture_of_an_older_record_is_as_large_as_it_was() -> None:
    result = scan_photo(FIXTURES / "good-printed.jpg")
    assert result.layout.name == "brikks-light"
    older = replace(result.evidence, on_sheet=None)
    assert picture_area(result.layout, older).top > max(
        box.bottom for box in result.layout.words.values()
    )
