"""What is crossed about the game on a printed sheet: read where plain, else left open."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from brikks_vision.detect.align import Alignment
from brikks_vision.detect.fit import fit
from brikks_vision.detect.locate import locate_all
from brikks_vision.detect.locator import marker_matches
from brikks_vision.detect.patches import read_settings
from brikks_vision.detect.placement import Placement
from brikks_vision.layout import load_layout
from brikks_vision.pipeline import for_pictures, scan_photo
from simulation.brikks.photos import Shot
from simulation.strokes import Pen
from tests.crossed_settings import LAYOUT, crossed_shot
from tests.known_sheets import known_sheets

FAINT = Pen((150, 150, 150), 0.04, 0.3, 0.6, True, "pencil")
FELT = Pen((30, 28, 28), 0.16, 0.95, 0.0, False, "felt", "black")
RED = Pen((40, 35, 190), 0.06, 0.8, 0.2, True, "ball", "red")
FIXTURES = Path("tests/fixtures")
PHOTOS = sorted(
    path
    for path in FIXTURES.iterdir()
    if path.suffix in (".jpg", ".png", ".heic", ".webp") and not path.name.startswith("bad-")
)


def settings_of(shot: Shot) -> object:
    """As they are read where the markers say that the sheet lies."""
    return read_settings(shot.image, by_markers(shot), LAYOUT)


def by_markers(shot: Shot) -> Placement:
    assert LAYOUT.markers is not None
    matches = marker_matches(shot.image, LAYOUT.markers)
    assert matches is not None
    return fit(matches, LAYOUT.reading_area, "markers", np.inf)


def test_one_cross_in_each_row_is_read_right_wherever_the_markers_are_seen() -> None:
    seen = 0
    for seed in range(10):
        truth = {"level": seed % 4 + 1, "players": (seed // 2) % 4 + 1}
        shot = crossed_shot(seed, {name: [value] for name, value in truth.items()})
        (found,) = locate_all(shot.image, known_sheets())
        assert isinstance(found, Alignment)
        read = read_settings(shot.image, found.placement, found.layout)
        assert read == (truth if found.layout.name == LAYOUT.name else None)
        seen += read is not None
    assert seen >= 8


@pytest.mark.parametrize("pen", [FELT, RED], ids=["felt", "red"])
@pytest.mark.parametrize("seed", [20, 21])
def test_any_usual_pen_is_read(seed: int, pen: Pen) -> None:
    shot = crossed_shot(seed, {"level": [3], "players": [2]}, pen)
    assert settings_of(shot) == {"level": 3, "players": 2}


@pytest.mark.parametrize("seed", range(30, 36))
def test_a_hard_photo_is_read_right_or_not_at_all(seed: int) -> None:
    shot = crossed_shot(seed, {"level": [4], "players": [3]}, tier="hard")
    for found in locate_all(shot.image, known_sheets()):
        if isinstance(found, Alignment):
            read = read_settings(shot.image, found.placement, found.layout) or {}
            assert read.items() <= {"level": 4, "players": 3}.items()


@pytest.mark.parametrize(
    "values", [[], [1, 3], [3, 4], [1, 2, 3, 4]], ids=["none", "two", "neighbours", "all"]
)
@pytest.mark.parametrize("seed", [40, 41])
def test_anything_but_one_cross_says_nothing(seed: int, values: list[int]) -> None:
    assert settings_of(crossed_shot(seed, {"level": values, "players": [2]})) == {"players": 2}


@pytest.mark.parametrize("seed", range(50, 54))
def test_a_faint_cross_is_read_right_or_not_at_all(seed: int) -> None:
    assert settings_of(crossed_shot(seed, {"level": [2]}, FAINT)) in ({}, {"level": 2})


@pytest.mark.usefixtures("observed_once")
@pytest.mark.parametrize("path", PHOTOS, ids=lambda path: path.name)
def test_prints_without_boxes_say_nothing(path: Path) -> None:
    """All of them are older than the boxes. Where the sheet lies does not matter: none has any."""
    found = for_pictures(scan_photo(path), path)
    assert not read_settings(found.photo.image, found.placement, LAYOUT)


def test_a_layout_without_boxes_says_nothing() -> None:
    shot = crossed_shot(0, {"level": [2]})
    assert read_settings(shot.image, by_markers(shot), load_layout("brikks")) is None


@pytest.mark.parametrize("seed", [50, 52])
def test_the_shadow_of_a_narrow_thing_crosses_no_box(seed: int) -> None:
    """A player was accused of playing by the rules of four."""
    shot = crossed_shot(seed, {"level": [2]})
    placement = by_markers(shot)
    box = np.array(LAYOUT.settings["players"].centres[3])
    wedge = placement.to_photo(box + np.array([(-0.6, 0.2), (0.3, -0.9), (2.0, 2.5)]))
    shade = cv2.fillPoly(np.ones(shot.image.shape[:2]), [np.round(wedge).astype(np.int32)], 0.7)
    shade = cv2.GaussianBlur(shade, (0, 0), 0.05 * placement.cell_size())
    image = np.round(shot.image * shade[..., None]).astype(np.uint8)
    assert read_settings(image, placement, LAYOUT) == {"level": 2}
