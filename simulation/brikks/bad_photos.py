"""Photos that are refused: no sheet, a part of one, its back, or too blurred or small."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from brikks_vision.layout import Layout
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation import camera
from simulation.brikks.marking import draw_state
from simulation.brikks.photos import random_clutter_shot
from simulation.brikks.scenes import LONG_SIDE, any_hand, blank_of, long_game
from simulation.photos import decoded
from simulation.tables import render_table

UPRIGHT = replace(
    camera.TIERS["good"], turned=False, tilt=(2, 8), fill=(0.8, 0.95), quality=(80, 80)
)
HIDDEN = 2.5  # cells of the grid that a photo cuts off
THUMBNAIL_SIDE = 130  # px


@dataclass(frozen=True)
class BadScene:
    """One photo that is refused with an error of this class."""

    file: str
    shows: str
    seed: int
    error: str
    picture: Callable[[Layout, np.random.Generator, random.Random], bytes]
    facts: Mapping[str, str] | None = None


def _photo_at(
    move: Callable[[camera.Pose, Layout], camera.Pose], conditions: camera.Conditions
) -> Callable[[Layout, np.random.Generator, random.Random], bytes]:
    """Photos of a filled sheet from a place that ``move`` makes of a good one."""

    def picture(layout: Layout, rng: np.random.Generator, dice: random.Random) -> bytes:
        blank = blank_of("random art", layout, rng)
        state = long_game(load_sheet(layout.name), dice).state
        sheet, _ = draw_state(blank, layout, state, any_hand(rng), rng)
        pose = move(_upright_pose(layout, rng, conditions), layout)
        table = render_table(rng, *pose.size)
        image = camera.photograph(
            sheet,
            blank.origin,
            blank.pixels_per_cell,
            table,
            pose,
            camera.sheet_map(pose),
            rng,
            conditions,
        )
        return camera.compress(image, 80)

    return picture


def _upright_pose(
    layout: Layout, rng: np.random.Generator, conditions: camera.Conditions
) -> camera.Pose:
    """A camera that sees all of an upright sheet, in an upright photo."""
    while True:
        pose = camera.random_pose(rng, layout.page, layout.page, conditions, LONG_SIDE)
        if camera.facing(pose) == "up" and pose.size[1] > pose.size[0]:
            return pose


def _cut_off_left(pose: camera.Pose, layout: Layout) -> camera.Pose:
    corners = pose.project(np.asarray(layout.grid.box.corners))
    shift = corners[:, 0].min() + HIDDEN * camera.cell_size(pose)
    return replace(pose, offset=(pose.offset[0] - float(shift), pose.offset[1]))


def _cut_off_bottom(pose: camera.Pose, layout: Layout) -> camera.Pose:
    """The energy bar is below the picture."""
    corners = pose.project(np.asarray(layout.marked_area.corners))
    shift = pose.size[1] - corners[:, 1].max() + HIDDEN * camera.cell_size(pose)
    return replace(pose, offset=(pose.offset[0], pose.offset[1] + float(shift)))


def _as_it_is(pose: camera.Pose, layout: Layout) -> camera.Pose:
    return pose


def _table_alone(layout: Layout, rng: np.random.Generator, dice: random.Random) -> bytes:
    return camera.compress(random_clutter_shot(layout, rng, "good", back=False), 82)


def _block_overview(layout: Layout, rng: np.random.Generator, dice: random.Random) -> bytes:
    """The sheet's back on a table, photographed like a front."""
    return camera.compress(random_clutter_shot(layout, rng, "good", back=True), 78)


def _thumbnail(layout: Layout, rng: np.random.Generator, dice: random.Random) -> bytes:
    whole = decoded(_photo_at(_as_it_is, UPRIGHT)(layout, rng, dice))
    scale = THUMBNAIL_SIDE / max(whole.shape[:2])
    small = cv2.resize(whole, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return camera.compress(np.asarray(small, np.uint8), 85)


def _half_a_file(layout: Layout, rng: np.random.Generator, dice: random.Random) -> bytes:
    whole = _photo_at(_as_it_is, UPRIGHT)(layout, rng, dice)
    return whole[: len(whole) // 2]


OUT_OF_FOCUS = replace(UPRIGHT, blur=(22, 24), shake=(0, 0))
BAD_SCENES = (
    BadScene("bad-table.jpg", "a table with things on it", 301, "NoSheetFound", _table_alone),
    BadScene(
        "bad-cut-off-left.jpg", "a sheet cut off at the left", 302, "SheetCutOff",
        _photo_at(_cut_off_left, UPRIGHT), {"side": "left"},
    ),
    BadScene(
        "bad-cut-off-bottom.jpg", "a sheet cut off below", 303, "SheetCutOff",
        _photo_at(_cut_off_bottom, UPRIGHT), {"side": "bottom"},
    ),
    BadScene(
        "bad-back.jpg", "the block overview on the sheet's back", 304, "SheetBackShown",
        _block_overview,
    ),
    BadScene(
        "bad-blurred.jpg", "a sheet out of focus", 305, "SheetTooBlurred",
        _photo_at(_as_it_is, OUT_OF_FOCUS),
    ),
    BadScene(
        "bad-thumbnail.jpg", "a photo in a thumbnail's size", 306, "SheetTooSmall", _thumbnail,
    ),
    BadScene("bad-half-a-file.jpg", "a file that was not copied wholly", 307, "PhotoTruncated",
             _half_a_file),
)  # fmt: skip
