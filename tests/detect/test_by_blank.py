"""A sheet whose print the networks do not know is placed by the picture of its empty sheet."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from brikks_vision.detect import by_blank
from brikks_vision.detect import locate as locating
from brikks_vision.detect.align import Alignment
from brikks_vision.detect.locate import locate
from brikks_vision.detect.locator import marker_matches
from brikks_vision.detect.photo import load_photo
from brikks_vision.detect.placement import Image, rectify
from brikks_vision.errors import NoSheetFound
from brikks_vision.layout import Blank, Layout, load_layout
from brikks_vision.learn import learn_sheet
from tests.known_sheets import known_sheets

pytestmark = pytest.mark.usefixtures("observed_once")  # for what is learnt

FOLDER = Path("tests/fixtures/bloxx")
OWN = load_layout("bloxx")
PRINTED = ("good-printed", "hard-printed", "scan-printed", "felt-tip", "pencil", "no-outlines")
MAX_ASIDE = 0.15  # cells, of a corner of the grid: on curled paper the truth itself bends


def photo_of(name: str) -> Image:
    return load_photo(FOLDER / f"{name}.jpg", 950).image


@cache
def learnt() -> Layout:
    """Another printing, learnt from a photo of its empty sheet."""
    return learn_sheet(FOLDER / "other-blank.jpg", "bloxx").layout


def farthest_corner(found: Alignment, name: str, image: Image) -> float:
    """How far off the worst corner of the grid is, cells."""
    truth = json.loads((FOLDER / f"{name}.jpg.json").read_text())["corners"]
    full_size = load_photo(FOLDER / f"{name}.jpg", 10_000).full_size
    scale = image.shape[1] / full_size[0]
    there = found.placement.to_photo(np.array(found.layout.grid.box.corners))
    aside = np.linalg.norm(there - ((np.array(truth) + 0.5) * scale - 0.5), axis=1)
    return float(aside.max() / found.placement.cell_size())


@pytest.mark.parametrize("name", PRINTED)
def test_the_printed_sheet_is_placed_by_its_markers(name: str) -> None:
    image = photo_of(name)
    found = locate(image, [OWN])
    assert (found.layout, found.placement.method) == (OWN, "markers")
    assert found.is_clear
    assert farthest_corner(found, name, image) < MAX_ASIDE


@pytest.mark.parametrize("name", PRINTED)
def test_without_its_markers_it_is_placed_by_its_print(name: str) -> None:
    image = photo_of(name)
    by_markers = locate(image, [OWN]).placement
    assert OWN.markers is not None
    covered = image.copy()
    half = 0.8 * OWN.markers.size
    for x, y in OWN.markers.centres:
        square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        cv2.fillConvexPoly(
            covered,
            np.round(by_markers.to_photo(square + np.array((x, y)))).astype(int),
            (230,) * 3,
        )
    assert marker_matches(covered, OWN.markers) is None
    found = locate(covered, [OWN])
    assert found.placement.method == "keypoints"
    assert farthest_corner(found, name, image) < MAX_ASIDE


def test_a_sheet_whose_cells_are_all_filled_is_placed_by_what_nobody_writes_on() -> None:
    known = learnt()
    image = load_photo(FOLDER / "other-blank.jpg", 1900).image.copy()
    there = locate(image, [known]).placement
    for x, y in known.fields["cell"].centres:
        square = np.array([[x - 0.5, y - 0.5], [x + 0.5, y - 0.5], [x + 0.5, y + 0.5],
                           [x - 0.5, y + 0.5]])  # fmt: skip
        cv2.fillConvexPoly(image, np.round(there.to_photo(square)).astype(int), (40, 30, 30))
    found = locate(image, [known])
    corners = np.array(known.grid.box.corners)
    aside = np.linalg.norm(found.placement.to_photo(corners) - there.to_photo(corners), axis=1)
    assert aside.max() / there.cell_size() < MAX_ASIDE


def test_a_learnt_printing_is_placed_and_told_from_others() -> None:
    image = photo_of("other-filled")
    for layouts in ([learnt()], [OWN, learnt()], [learnt(), OWN]):
        found = locate(image, layouts)
        assert found.layout is learnt()
        assert found.is_clear
        assert farthest_corner(found, "other-filled", image) < MAX_ASIDE


def test_many_keypoints_make_a_place_clear_where_ink_leaves_few_tiles_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(by_blank, "MIN_CLEAR_LIKENESS", 2.0)  # as if ink lay everywhere
    assert locate(photo_of("other-filled"), [learnt()]).is_clear
    monkeypatch.setattr(locating, "MIN_CLEAR_KEYPOINTS", 10_000)
    assert not locate(photo_of("other-filled"), [learnt()]).is_clear


def test_the_straightened_photo_of_an_empty_sheet_is_its_blank() -> None:
    image = photo_of("blank")
    found = locate(image, [OWN])
    assert OWN.blank is not None
    flat = rectify(image, found.placement, OWN.page, 16)
    blank = cv2.imdecode(np.frombuffer(OWN.blank.picture, np.uint8), cv2.IMREAD_COLOR)
    small = cv2.resize(blank, flat.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert np.corrcoef(flat.ravel(), small.ravel())[0, 1] > 0.95


@pytest.mark.parametrize("name", ["other-filled", "other-blank-2", "good-art"])
def test_a_printing_that_is_not_known_is_not_found(name: str) -> None:
    with pytest.raises(NoSheetFound):
        locate(photo_of(name), [OWN])


@pytest.mark.parametrize("name", ["arcade", "printed", "floating-block"])
def test_sheets_of_another_game_are_not_found(name: str) -> None:
    image = load_photo(Path("samples") / f"{name}.jpg", 950).image
    with pytest.raises(NoSheetFound):
        locate(image, [OWN, learnt()])


def test_a_blank_that_cannot_be_decoded_is_passed_over() -> None:
    damaged = replace(OWN, markers=None, blank=Blank(32, b"no picture"))
    image = photo_of("good-printed")
    with pytest.raises(NoSheetFound):
        locate(image, [damaged])
    assert locate(image, [damaged, OWN]).layout is OWN


def test_of_all_known_printings_the_right_one_is_located() -> None:
    layouts = (*known_sheets(), learnt())
    shown = {
        "samples/arcade.jpg": "brikks",
        "samples/printed.jpg": "brikks-light",
        "samples/bloxx.jpg": "bloxx",
        "tests/fixtures/bloxx/other-filled.jpg": learnt().name,
    }
    for path, name in shown.items():
        assert locate(load_photo(path, 950).image, layouts).layout.name == name
