"""A sheet is told to be of the learnt printing that it shows, and of none that it does not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.printings import learn_nth, nth_shot
from brikks_vision.detect.by_blank import is_comparable, print_likeness, with_printing
from brikks_vision.detect.locate import locate
from brikks_vision.detect.photo import load_photo
from brikks_vision.detect.placement import Image
from brikks_vision.games.printings import keep_printing, parse_printing
from brikks_vision.layout import Blank, Layout, load_layout, packaged_layouts
from brikks_vision.pipeline import scan

SEED = 7301
PACKAGED = packaged_layouts("brikks")


@cache
def definition(number: int) -> str:
    found = learn_nth((SEED, number))
    assert found is not None
    return found


@cache
def printing(number: int) -> Layout:
    return parse_printing(definition(number), "file")


@cache
def photo_of(number: int, tier: str) -> Image:
    return load_photo(nth_shot(SEED, number, tier, 0).data, 950).image


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
