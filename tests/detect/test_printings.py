"""Printings that were learnt: measured, told apart by their print, learnt from marked sheets."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.cases import brikks_shot
from brikks_vision.detect.by_blank import is_comparable, print_likeness, with_printing
from brikks_vision.detect.locate import locate
from brikks_vision.detect.marks import Covered
from brikks_vision.detect.measure import measured
from brikks_vision.detect.photo import load_photo
from brikks_vision.detect.placement import Image
from brikks_vision.detect.template import BLANK_PIXELS, blank_picture, take_blank
from brikks_vision.detect.unlike import empty_page
from brikks_vision.errors import PrintHidden
from brikks_vision.games.brikks.learn import learn_from_marked
from brikks_vision.games.printings import keep_printing, parse_printing
from brikks_vision.layout import CELL, Blank, Layout, load_layout, packaged_layouts
from brikks_vision.learn import learn_sheet
from brikks_vision.pipeline import scan
from simulation.brikks.art import render_blank
from simulation.brikks.marking import visible_hand
from simulation.paper.blank import BlankSheet
from simulation.photos import take_photo
from tests.known_sheets import known_sheets

SEED = 7301
PACKAGED = packaged_layouts("brikks")


@cache
def edition(number: int) -> tuple[Layout, BlankSheet]:
    """A layout with each field beside the grid moved a little, as editions differ; its sheet."""
    rng, layout = np.random.default_rng([SEED, number]), load_layout("brikks-light")
    fields = dict(layout.fields)
    for field in layout.places:
        x, y = rng.uniform(-0.3, 0.3), rng.uniform(-0.2, 0.2)
        fields[field.name] = replace(field, centres=tuple((a + x, b + y) for a, b in field.centres))
    layout = replace(layout, fields=fields)
    return layout, render_blank(layout, rng, pixels_per_cell=int(rng.integers(30, 44)))


@cache
def definition(number: int) -> str:
    layout, blank = edition(number)
    rng = np.random.default_rng([SEED, number, 0])
    photo = take_photo(blank.image, blank, layout.page, rng, "good", 2600, layout.page)
    found = learn_sheet(photo.data, "brikks", f"print-{number}")
    assert found.remark is None
    return found.to_json()


@cache
def printing(number: int) -> Layout:
    return parse_printing(definition(number), "file")


@cache
def photo_of(number: int, tier: str) -> Image:
    layout, printed = edition(number)
    shot = brikks_shot(
        tier, SEED, number, layout=layout, print_of=lambda _: printed,
        hand_of=lambda blank, rng: visible_hand(layout, blank, rng, held_out=True),
    )  # fmt: skip
    return load_photo(shot.data, 950).image


@pytest.mark.parametrize("tier", ["scan", "good"])
@pytest.mark.parametrize("number", [0, 1])
def test_the_printing_that_a_photo_shows_is_told(number: int, tier: str) -> None:
    kept = (printing(0), printing(1))
    found = locate(photo_of(number, tier), (*PACKAGED, *kept))
    assert found.layout is kept[number]


@pytest.mark.parametrize("tier", ["scan", "good", "hard"])
def test_no_learnt_printing_is_told_where_another_one_is_shown(tier: str) -> None:
    found = locate(photo_of(2, tier), (*PACKAGED, printing(0), printing(1)))
    assert found.layout in PACKAGED


def test_a_sheet_in_other_light_is_still_of_its_printing() -> None:
    image = photo_of(0, "good")
    shade = np.linspace(0.5, 1.0, image.shape[1])[None, :, None]
    darker = np.asarray(image * shade, np.uint8)
    found = locate(image, PACKAGED)
    assert with_printing(found, darker, (printing(1), printing(0))).layout is printing(0)


def test_a_picture_of_no_sheet_is_like_none() -> None:
    found = locate(photo_of(0, "good"), PACKAGED)
    empty = np.full_like(photo_of(0, "good"), 200)
    assert abs(print_likeness(empty, found.placement, printing(0))) < 0.01
    noise = np.random.default_rng(1).integers(0, 256, empty.shape, np.uint8)
    assert with_printing(found, noise, (printing(0),)).layout is found.layout


def test_only_learnt_printings_with_the_same_grid_are_compared() -> None:
    brikks = load_layout("brikks")
    assert is_comparable(printing(0), brikks)
    assert not is_comparable(brikks, brikks)
    assert not is_comparable(load_layout("brikks-light"), brikks)
    assert not is_comparable(printing(0), load_layout("bloxx"))


def test_a_learnt_picture_that_cannot_be_read_is_like_none() -> None:
    found = locate(photo_of(0, "good"), PACKAGED)
    damaged = replace(printing(0), blank=Blank(32, b"no picture"))
    assert with_printing(found, photo_of(0, "good"), (damaged,)).layout is found.layout


def test_a_scan_uses_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: tmp_path)
    image = photo_of(0, "scan")
    assert scan(image).to_dict()["sheet"] in {layout.name for layout in PACKAGED}
    keep_printing(definition(0), "mine")
    keep_printing(definition(1), "other")
    (tmp_path / "sheets" / "damaged.json").write_text("{")
    assert scan(image).to_dict()["sheet"] == "mine"
    path = tmp_path / "photo.png"
    assert cv2.imwrite(str(path), photo_of(1, "scan"))
    assert scan(path).to_dict()["sheet"] == "other"


# --- what is printed on a sheet, from several that are marked -------------------------------------


FIXTURES = Path("tests/fixtures")
INK = (90, 20, 20)  # BGR


@pytest.fixture(scope="module")
def layout() -> Layout:
    found = learn_sheet(FIXTURES / "blank.jpg", "brikks", "mine").layout
    assert isinstance(found, Layout)
    return found


def crossed(layout: Layout, cells: np.ndarray, light: float) -> np.ndarray:
    """The empty sheet with crosses in these cells, in brighter or darker light."""
    page = np.array(blank_picture(layout))
    for centre in np.array(layout.fields[CELL].centres)[cells.ravel()]:
        x, y = ((centre - (layout.page.left, layout.page.top)) * BLANK_PIXELS).astype(int)
        for slant in (1, -1):
            cv2.line(page, (x - 11, y - 11 * slant), (x + 11, y + 11 * slant), INK, 4)
    return np.clip(page * light, 1, 255).astype(np.uint8)


def empty_of(layout: Layout, marked: list[np.ndarray]) -> tuple[np.ndarray, Covered]:
    lights = np.linspace(0.7, 1, len(marked))
    pages = [crossed(layout, *each) for each in zip(marked, lights, strict=True)]
    return empty_page(pages, [{CELL: each} for each in marked], layout)


def test_what_is_marked_on_one_sheet_shows_on_another(layout: Layout) -> None:
    shape = layout.fields[CELL].shape
    number = np.arange(np.prod(shape)).reshape(shape)
    page, unknown = empty_of(layout, [number % 3 != at for at in range(3)])
    assert not any(places.any() for places in unknown.values())
    print_ = np.array(blank_picture(layout), float)
    light = page.mean() / print_.mean()
    assert np.abs(page - light * print_).mean() < 5  # grey levels


def test_a_cell_that_is_marked_on_all_looks_like_others_of_its_print(layout: Layout) -> None:
    marked = np.zeros(layout.fields[CELL].shape, np.bool_)
    marked[-1] = True
    page, unknown = empty_of(layout, [marked] * 3)
    assert not any(places.any() for places in unknown.values())
    print_, inked = np.array(blank_picture(layout), float), crossed(layout, marked, 1.0)
    light = page.mean() / print_.mean()
    changed = (inked != print_).any(axis=2)
    assert np.abs(page - light * print_)[changed].mean() < 15
    assert np.abs(inked - print_)[changed].mean() > 60


def test_places_that_nothing_shows_are_told(layout: Layout) -> None:
    marked = np.ones(layout.fields[CELL].shape, np.bool_)
    _, unknown = empty_of(layout, [marked] * 3)
    assert unknown[CELL].all() and not unknown["energy"].any()


def test_marks_that_are_not_known_are_not_taken_for_print() -> None:
    photo = load_photo(FIXTURES / "good-printed.jpg", 2000)
    with pytest.raises(PrintHidden):
        learn_from_marked([(photo, {})] * 3, "mine")


# --- the fields of a printing are measured on a picture of its empty sheet ------------------------


MARGIN = 50  # px of table around the sheet


def displaced(layout: Layout, moves: dict[str, tuple[float, float]]) -> Layout:
    """The layout with fields moved by so many cells."""
    fields = dict(layout.fields)
    for name, (x, y) in moves.items():
        centres = tuple((a + x, b + y) for a, b in fields[name].centres)
        fields[name] = replace(fields[name], centres=centres)
    return replace(layout, fields=fields)


@pytest.mark.parametrize(
    ("seed", "moves"),
    [
        (4, {"box": (0.25, 0.1), "bomb": (-0.2, 0.15)}),
        (5, {"box": (-0.3, 0.0), "energy": (0.1, 0.2)}),
    ],
)
def test_fields_are_measured_where_a_printing_has_them(
    seed: int, moves: dict[str, tuple[float, float]]
) -> None:
    printed = displaced(load_layout("brikks-light"), moves)
    sheet = render_blank(printed, np.random.default_rng(seed), pixels_per_cell=36)
    photo = np.asarray(
        cv2.copyMakeBorder(sheet.image, *(MARGIN,) * 4, cv2.BORDER_CONSTANT, value=(90, 80, 70)),
        np.uint8,
    )
    origin = np.array(sheet.origin) + MARGIN
    known = locate(photo, known_sheets())
    learnt = measured(photo, known)

    def errors(layout: Layout, alignment: object, name: str) -> float:
        placement = learnt.placement if alignment is learnt else known.placement
        seen = placement.to_photo(np.array(layout.fields[name].centres))
        true = np.array(printed.fields[name].centres) * sheet.pixels_per_cell + origin
        return float(np.linalg.norm(seen - true, axis=1).mean() / sheet.pixels_per_cell)

    before = np.mean([errors(known.layout, known, name) for name in moves])
    after = [errors(learnt.layout, learnt, name) for name in moves]
    assert np.mean(after) < 0.6 * before
    assert all(error < np.hypot(*moves[name]) for name, error in zip(moves, after, strict=True))


def test_fields_of_a_known_printing_stay_where_the_networks_know_them() -> None:
    sheet = render_blank(load_layout("brikks-light"), np.random.default_rng(7), pixels_per_cell=36)
    known = locate(sheet.image, known_sheets())
    assert measured(sheet.image, known).layout.fields == known.layout.fields


def test_a_blank_is_the_page_at_its_scale() -> None:
    layout = load_layout("brikks")
    sheet = render_blank(load_layout("brikks-light"), np.random.default_rng(7), pixels_per_cell=36)
    found = locate(sheet.image, known_sheets())
    blank = take_blank(sheet.image, found.placement, layout)
    picture = blank_picture(replace(layout, blank=blank))
    assert picture is not None
    assert picture.shape[1] == round(layout.page.width * blank.pixels_per_cell)
    assert blank_picture(layout) is None
