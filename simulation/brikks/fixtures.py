"""The photos of ``tests/fixtures`` and ``samples``, from fixed seeds, with their truth beside them.

``python -m simulation.fixtures FOLDER`` writes ``FOLDER/tests/fixtures`` and ``FOLDER/samples``;
with ``--only NAME ...`` just these photos. All hands belong to writers that are never trained on
(strokes of the simulator's own making where the shared handwriting is missing).

A truth file has the marks and points as drawn: ``grid``, ``blocks`` (empty where the player drew
no outlines), ``energy``, ``bonus_crosses``, ``bombs_used``, ``score``, ``violations`` (codes),
``written`` (the player's own figures), ``corners`` (of the grid, px) and how the photo was made;
or the ``error`` that refuses the photo, and its ``facts``; or ``sheets``, left to right, of a photo
of several.
"""

from __future__ import annotations

import argparse
import io
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage

from brikks_vision.games.brikks.keys import CELLS
from brikks_vision.layout import Layout, load_layout
from brikks_vision.rules.brikks.notation import read_sheet
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import Sheet, load_sheet
from brikks_vision.rules.brikks.state import SheetState, blank_sheet
from brikks_vision.rules.brikks.violations import Rule, color_of
from simulation.brikks.art import render_blank, render_overview
from simulation.brikks.faults import Game, broken_rules, one_fault
from simulation.brikks.games import PlayedSheet, play_sheet
from simulation.brikks.marking import draw_state
from simulation.brikks.photos import Shot, printed_blank, random_clutter_shot, shoot
from simulation.brikks.several_sheets import SeveralShot, lay_side_by_side, shoot_several
from simulation.camera import (
    TIERS,
    Conditions,
    Pose,
    cell_size,
    compress,
    photograph,
    random_pose,
    sheet_map,
)
from simulation.hand import Hand, random_hand
from simulation.handwriting import load_writers
from simulation.paper.blank import BlankSheet
from simulation.strokes import Pen
from simulation.tables import render_table

Image = NDArray[np.uint8]
Truth = dict[str, Any]

WORKED_EXAMPLE = """
.x......x.
xx.xxxxxxx
x.xxxxx..x
xxxxxxxxxx
xx.xxxxxxx
xxx.xxxxxx
xxxxxxxxxx
xxxxxxxxxx
xxxxxxxxxx
xxxxxxxxxx
xxxxxxxxxx
energy xxxxxxxxxxxxxxxxxxxxxxxxoo
extra  xxxxxx
bombs  xx
"""
"""The publisher's own example: rows 47, extra points 21, bombs 4, energy 1, total 73."""

LONG_SIDE = 1800  # px
MAX_BYTES = 340_000
MAX_TRIES = 200


# --- what is on the sheet ------------------------------------------------------------------------


def any_game(sheet: Sheet, dice: random.Random) -> PlayedSheet:
    """Any game, from one just begun to a full grid."""
    players, level = dice.randint(1, 4), dice.randint(1, 4)
    return play_sheet(sheet, dice, players, level, "solo" if players == 1 else "standard")


def long_game(sheet: Sheet, dice: random.Random) -> PlayedSheet:
    """A good player's game of two to four at the basic level, with extra crosses and bombs used."""
    while True:
        played = play_sheet(sheet, dice, dice.randint(2, 4), 2)
        state = played.state
        if score(state).total >= 65 and 2 <= sum(state.bonus) <= 10 and any(state.bombs):
            return played


def nothing_yet(sheet: Sheet, dice: random.Random) -> PlayedSheet:
    """A sheet as printed."""
    return PlayedSheet(blank_sheet(sheet), (), 4, 2, "standard")


def worked_example(sheet: Sheet, dice: random.Random) -> PlayedSheet:
    return PlayedSheet(read_sheet(WORKED_EXAMPLE, sheet), (), 4, 2, "standard")


# --- the hand, the paper, the file ---------------------------------------------------------------


def any_hand(rng: np.random.Generator) -> Hand:
    """A held-out writer with any pen, whose paper bears nothing but the game."""
    return replace(random_hand(rng, load_writers(held_out=True)), outlines="all", strays=0.0)


def without_outlines(rng: np.random.Generator) -> Hand:
    return replace(any_hand(rng), outlines="none")


def tidy_hand(rng: np.random.Generator) -> Hand:
    """A neat player with a dark blue gel pen."""
    hand = any_hand(rng)
    return replace(
        hand,
        pen=Pen((120, 45, 20), 0.085, 0.96, 0.0, False),
        cross_size=0.72,
        cross_spread=0.04,
        wobble=0.4,
        outline_offset=0.02,
        doubled_strokes=0.0,
        ring_size=1.25,
        doubled_rings=0.0,
        looseness=0.05,
        circle_strike=replace(hand.circle_strike, kind="cross"),
        writes_rows=True,
        writes_total=True,
    )


def blank_of(sheet: str, layout: Layout, rng: np.random.Generator) -> BlankSheet:
    """``sheet``: "light" or "arcade" (the project's own), or "random art"."""
    if sheet == "random art":
        return render_blank(layout, rng, pixels_per_cell=40)
    return printed_blank(layout.name, sheet, 110)


def as_jpeg(shot: Shot) -> bytes:
    """The photo's own file, saved once more if it is too large to be kept here."""
    data, quality = shot.data, 92
    while len(data) > MAX_BYTES and quality > 60:
        quality -= 4
        data = compress(shot.image, quality)
    return data


def as_turned_jpeg(shot: Shot) -> bytes:
    """Pixels a quarter turn off, and the EXIF orientation that puts them right."""
    exif = PillowImage.Exif()
    exif[0x0112] = 6  # to be shown turned clockwise
    stored = PillowImage.fromarray(shot.image[:, :, ::-1]).transpose(
        PillowImage.Transpose.ROTATE_90
    )
    return _saved(stored, "JPEG", quality=80, exif=exif.tobytes())


def as_png(shot: Shot) -> bytes:
    """A palette of 48 colours: as small as a PNG of a photo gets."""
    picture = PillowImage.fromarray(shot.image[:, :, ::-1])
    return _saved(picture.quantize(48, dither=PillowImage.Dither.NONE), "PNG", optimize=True)


def as_webp(shot: Shot) -> bytes:
    return _saved(PillowImage.fromarray(shot.image[:, :, ::-1]), "WEBP", quality=75)


def as_heic(shot: Shot) -> bytes:
    import pillow_heif

    pillow_heif.register_heif_opener()
    return _saved(PillowImage.fromarray(shot.image[:, :, ::-1]), "HEIF", quality=55)


def _saved(picture: PillowImage.Image, kind: str, **settings: Any) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **settings)
    return buffer.getvalue()


# --- good photos ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scene:
    """One photo of a sheet. ``facing``: where the sheet's top points in it; None leaves it free."""

    file: str
    shows: str
    seed: int
    tier: str = "good"
    sheet: str = "random art"
    game: Game = any_game
    hand: Callable[[np.random.Generator], Hand] = any_hand
    facing: str | None = None
    save: Callable[[Shot], bytes] = as_jpeg
    long_side: int = LONG_SIDE
    ink_left: float = 0.0  # of a cross that was rubbed out


def rubbed_out(
    blank: BlankSheet,
    layout: Layout,
    state: SheetState,
    hand: Hand,
    rng: np.random.Generator,
    ink_left: float,
) -> BlankSheet:
    """The paper with what is left of a cross in a cell that is empty, and would change the total.

    ``ink_left`` : share of its ink, 0 to 1. Raises `RuntimeError` where there is no such cell.
    """
    points = score(state).total
    cells = [
        cell
        for cell in sorted(set(layout.grid.cells) - state.crossed)
        if score(replace(state, crossed=state.crossed | {cell})).total != points
    ]
    if not cells:
        raise RuntimeError("no cross more would change the total")
    one_cross = replace(blank_sheet(load_sheet(layout.name)), crossed=frozenset({cells[0]}))
    tidy = replace(hand, writes_rows=False, writes_total=False)
    while True:
        drawn, bears = draw_state(blank, layout, one_cross, tidy, rng)
        if not (bears[CELLS] == 0.5).any():  # nothing else is rubbed out
            break
    faint = cv2.addWeighted(drawn, ink_left, blank.image, 1 - ink_left, 0)
    return replace(blank, image=np.asarray(faint, np.uint8))


def facing(pose: Pose) -> str:
    """Where the sheet's top points in the photo: "up", "down", "left" or "right"."""
    page = pose.page
    x = (page.left + page.right) / 2
    top, bottom = pose.project(np.array([[x, page.top], [x, page.bottom]]))
    right, down = top - bottom
    if abs(right) > abs(down):
        return "right" if right > 0 else "left"
    return "down" if down > 0 else "up"


def take(scene: Scene, layout: Layout) -> tuple[bytes, Truth]:
    """The photo file of a scene and its truth."""
    played = scene.game(load_sheet(layout.name), random.Random(scene.seed))
    for attempt in range(MAX_TRIES):
        rng = np.random.default_rng([scene.seed, attempt])
        cv2.setRNGSeed(scene.seed)
        blank, hand = blank_of(scene.sheet, layout, rng), scene.hand(rng)
        if scene.ink_left:
            state = played.state
            blank = rubbed_out(blank, layout, state, hand, rng, scene.ink_left)
        shot = shoot(
            layout,
            blank,
            played,
            hand,
            rng,
            scene.tier,
            scene.long_side,
            layout.page,
        )
        if (
            scene.facing in (None, facing(shot.placement.pose))
            and _is_plain(shot, layout)
            and len(data := scene.save(shot)) <= MAX_BYTES
        ):
            return data, truth_of(scene, shot, layout)
    raise RuntimeError(f"no photo for {scene.file}")


def _is_plain(shot: Shot, layout: Layout) -> bool:
    """No cell blackened out, and the player added up rightly."""
    points = score(shot.played.state)
    rows = [_number(text) for text in shot.drawn.figures["rows"]]
    total = _number(shot.drawn.figures["total"][0])
    return (
        not (shot.drawn[CELLS] == 0.5).any()
        and all(own in (None, right) for own, right in zip(rows, points.rows, strict=True))
        and total in (None, points.total)
    )


def _number(text: str) -> int | None:
    return 0 if text == "-" else int(text) if text else None


def truth_of(scene: Scene, shot: Shot, layout: Layout) -> Truth:
    """All that is true of a photo, in the words of a reading."""
    state, played = shot.played.state, shot.played
    if shot.hand.outlines == "none":
        state = replace(state, blocks=())
    corners = shot.placement.to_photo(np.asarray(layout.grid.box.corners))
    return {
        "shows": scene.shows,
        "tier": scene.tier,
        "sheet": scene.sheet,
        "writers": "held out",
        "players": played.players,
        "level": played.level,
        "variant": played.variant,
        "grid": _grid_signs(state, layout),
        "blocks": [
            {"color": color_of(block, state.sheet), "cells": [list(cell) for cell in sorted(block)]}
            for block in state.blocks
        ],
        "energy": [str(mark) for mark in state.energy],
        "bonus_crosses": sum(state.bonus),
        "bombs_used": sum(state.bombs),
        "score": asdict(score(state)),
        "violations": broken_rules(state, state.sheet),
        "written": {
            "rows": [_number(text) for text in shot.drawn.figures["rows"]],
            "total": _number(shot.drawn.figures["total"][0]),
        },
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in corners],
        "cell_size": round(shot.placement.cell_size(), 1),
    }


def _grid_signs(state: SheetState, layout: Layout) -> list[str]:
    grid = layout.grid
    return [
        "".join("X" if (row, column) in state.crossed else "." for column in range(grid.columns))
        for row in range(grid.rows)
    ]


# --- photos of several sheets ---------------------------------------------------------------------


@dataclass(frozen=True)
class SeveralScene:
    """One photo of the sheets of several players, side by side."""

    file: str
    shows: str
    seed: int
    sheets: int
    sheet: str = "random art"
    hand: Callable[[np.random.Generator], Hand] = any_hand
    upside_down: float = 0.0
    tier: str = "good"
    long_side: int = 2200


def take_several(scene: SeveralScene, layout: Layout) -> tuple[bytes, Truth]:
    """The photo file of a scene and its truth."""
    dice, rng = random.Random(scene.seed), np.random.default_rng(scene.seed)
    cv2.setRNGSeed(scene.seed)
    blank = blank_of(scene.sheet, layout, rng)
    marked = [
        (blank, play_sheet(load_sheet(layout.name), dice, scene.sheets, 2), scene.hand(rng))
        for _ in range(scene.sheets)
    ]
    sheets = lay_side_by_side(marked, layout, rng, scene.upside_down)
    shot = shoot_several(sheets, rng, scene.tier, scene.long_side)
    data, quality = shot.data, 92
    while len(data) > MAX_BYTES:
        quality -= 4
        data = compress(shot.image, quality)
    sheets_truth = [_sheet_truth(shot, at, layout) for at in shot.left_to_right(layout)]
    return data, {"shows": scene.shows, "sheet": scene.sheet, "sheets": sheets_truth}


def _sheet_truth(shot: SeveralShot, at: int, layout: Layout) -> Truth:
    state = shot.sheets[at].played.state
    corners = shot.places[at].to_photo(np.asarray(layout.grid.box.corners, float))
    return {
        "grid": _grid_signs(state, layout),
        "score": asdict(score(state)),
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in corners],
        "cell_size": round(shot.places[at].cell_size(), 1),
    }


# --- photos that cannot be read ------------------------------------------------------------------


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
    move: Callable[[Pose, Layout], Pose], conditions: Conditions
) -> Callable[[Layout, np.random.Generator, random.Random], bytes]:
    """Photos of a filled sheet from a place that ``move`` makes of a good one."""

    def picture(layout: Layout, rng: np.random.Generator, dice: random.Random) -> bytes:
        blank = blank_of("random art", layout, rng)
        state = long_game(load_sheet(layout.name), dice).state
        sheet, _ = draw_state(blank, layout, state, any_hand(rng), rng)
        pose = move(_upright_pose(layout, rng, conditions), layout)
        table = render_table(rng, *pose.size)
        image = photograph(
            sheet,
            blank.origin,
            blank.pixels_per_cell,
            table,
            pose,
            sheet_map(pose),
            rng,
            conditions,
        )
        return compress(image, 80)

    return picture


UPRIGHT = replace(TIERS["good"], turned=False, tilt=(2, 8), fill=(0.8, 0.95), quality=(80, 80))
HIDDEN = 2.5  # cells of the grid that a photo cuts off
THUMBNAIL_SIDE = 130  # px


def _upright_pose(layout: Layout, rng: np.random.Generator, conditions: Conditions) -> Pose:
    """A camera that sees all of an upright sheet, in an upright photo."""
    while True:
        pose = random_pose(rng, layout.page, layout.page, conditions, LONG_SIDE)
        if facing(pose) == "up" and pose.size[1] > pose.size[0]:
            return pose


def _cut_off_left(pose: Pose, layout: Layout) -> Pose:
    corners = pose.project(np.asarray(layout.grid.box.corners))
    shift = corners[:, 0].min() + HIDDEN * cell_size(pose)
    return replace(pose, offset=(pose.offset[0] - float(shift), pose.offset[1]))


def _cut_off_bottom(pose: Pose, layout: Layout) -> Pose:
    """The energy bar is below the picture."""
    corners = pose.project(np.asarray(layout.marked_area.corners))
    shift = pose.size[1] - corners[:, 1].max() + HIDDEN * cell_size(pose)
    return replace(pose, offset=(pose.offset[0], pose.offset[1] + float(shift)))


def _as_it_is(pose: Pose, layout: Layout) -> Pose:
    return pose


def _table_alone(layout: Layout, rng: np.random.Generator, dice: random.Random) -> bytes:
    return compress(random_clutter_shot(layout, rng, "good", back=False), 82)


def _block_overview(layout: Layout, rng: np.random.Generator, dice: random.Random) -> bytes:
    """The sheet's back on a table, photographed like a front."""
    page = layout.page
    back = render_overview(layout, rng, 40)
    scale = back.shape[1] / page.width, back.shape[0] / page.height
    pose = random_pose(rng, page, page, TIERS["good"], LONG_SIDE)
    back = np.asarray(
        cv2.resize(back, None, fx=40 / scale[0], fy=40 / scale[1], interpolation=cv2.INTER_AREA),
        np.uint8,
    )
    image = photograph(
        back, (-40 * page.left, -40 * page.top), 40.0, render_table(rng, *pose.size), pose,
        sheet_map(pose), rng, TIERS["good"],
    )  # fmt: skip
    return compress(image, 78)


def _thumbnail(layout: Layout, rng: np.random.Generator, dice: random.Random) -> bytes:
    whole = cv2.imdecode(
        np.frombuffer(_photo_at(_as_it_is, UPRIGHT)(layout, rng, dice), np.uint8),
        cv2.IMREAD_COLOR,
    )
    scale = THUMBNAIL_SIDE / max(whole.shape[:2])
    small = cv2.resize(whole, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return compress(np.asarray(small, np.uint8), 85)


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


# --- the list ------------------------------------------------------------------------------------


def _fault_scene(rule: Rule, shows: str, seed: int, sheet: str = "random art") -> Scene:
    return Scene(f"fault-{rule}.jpg", shows, seed, sheet=sheet, game=one_fault(rule))


SCENES = (
    Scene("scan-art.jpg", "a flatbed scan", 101, tier="scan"),
    Scene("scan-art-2.jpg", "a flatbed scan", 102, tier="scan"),
    Scene("scan-printed.jpg", "a flatbed scan of our printed sheet", 103, tier="scan",
          sheet="light", game=long_game),
    Scene("good-art.jpg", "a good photo", 111),
    Scene("good-art-2.jpg", "a good photo of a long game", 112, game=long_game),
    Scene("good-arcade.jpg", "a good photo of our dark sheet", 113, sheet="arcade"),
    Scene("good-printed.jpg", "a good photo of our printed sheet", 114, sheet="light"),
    Scene("hard-art.jpg", "a hard photo", 121, tier="hard"),
    Scene("hard-arcade.jpg", "a hard photo of our dark sheet", 122, tier="hard", sheet="arcade"),
    Scene("hard-printed.jpg", "a hard photo of our printed sheet", 123, tier="hard",
          sheet="light", game=long_game),
    Scene("blank.jpg", "a sheet on which nothing is marked", 131, game=nothing_yet),
    Scene("worked-example.jpg", "the publisher's worked example", 132, sheet="arcade",
          game=worked_example, hand=without_outlines),
    Scene("no-outlines.jpg", "crosses without outlines of blocks", 133, game=long_game,
          hand=without_outlines),
    Scene("rubbed-out.jpg", "a cross that is rubbed out", 136, sheet="arcade", game=long_game,
          hand=without_outlines, ink_left=0.18),
    Scene("rubbed-out-2.jpg", "a cross that is rubbed out", 139, game=long_game,
          hand=without_outlines, ink_left=0.18),
    Scene("landscape.jpg", "a sheet that lies on its side", 141, facing="right"),
    Scene("upside-down.jpg", "a sheet upside down", 142, facing="down", sheet="arcade"),
    Scene("exif.jpg", "a photo that its EXIF orientation turns upright", 143, facing="up",
          save=as_turned_jpeg),
    Scene("picture.png", "a scan saved as PNG", 144, tier="scan", sheet="light", save=as_png,
          long_side=1100),
    Scene("picture.webp", "a photo saved as WebP", 145, save=as_webp),
    Scene("picture.heic", "a photo saved as HEIC", 146, sheet="light", save=as_heic),
    _fault_scene(Rule.FLOATING, "a block that rests on nothing", 201, "light"),
    _fault_scene(Rule.NOT_A_BLOCK, "outlined cells that are no block", 202, "arcade"),
    _fault_scene(Rule.STRAY_MARK, "a cross outside of every block", 203),
    _fault_scene(Rule.ENERGY_COUNT, "two energy points too many", 204, "light"),
    _fault_scene(Rule.ENERGY_ORDER, "an energy point left out", 205, "light"),
    _fault_scene(Rule.BONUS_COUNT, "three extra crosses too many", 206, "arcade"),
    _fault_scene(Rule.BONUS_ORDER, "a box of the extra points left out", 207),
    _fault_scene(Rule.BOMB_ORDER, "the second bomb used before the first", 208),
)  # fmt: skip

SEVERAL = (
    SeveralScene("two-sheets.jpg", "two sheets side by side", 301, 2, "arcade", tidy_hand),
    SeveralScene("three-sheets.jpg", "three sheets, some upside down", 302, 3, upside_down=0.5),
    SeveralScene("same-markers.jpg", "two pages that bear the same markers", 303, 2, "light"),
)

SAMPLES = (
    Scene("arcade.jpg", "", 21, sheet="arcade", game=long_game, hand=tidy_hand, facing="up"),
    Scene("printed.jpg", "", 24, sheet="light", game=long_game, hand=tidy_hand, facing="up"),
    Scene("floating-block.jpg", "", 22, sheet="arcade", game=one_fault(Rule.FLOATING),
          hand=tidy_hand, facing="up"),
)  # fmt: skip


def write_photos(folder: Path, only: frozenset[str]) -> None:
    """Write the photos whose names are in ``only``, or all where it is empty."""
    layout = load_layout("brikks-light")
    fixtures, samples = folder / "tests" / "fixtures", folder / "samples"
    for place in (fixtures, samples):
        place.mkdir(parents=True, exist_ok=True)

    def wanted(file: str) -> bool:
        return not only or file in only

    for scene in filter(lambda scene: wanted(scene.file), SCENES):
        data, truth = take(scene, layout)
        _write(fixtures / scene.file, data, truth)
    for several in filter(lambda several: wanted(several.file), SEVERAL):
        data, truth = take_several(several, layout)
        _write(fixtures / several.file, data, truth)
    for bad in filter(lambda bad: wanted(bad.file), BAD_SCENES):
        cv2.setRNGSeed(bad.seed)
        rng, dice = np.random.default_rng(bad.seed), random.Random(bad.seed)
        data = bad.picture(layout, rng, dice)
        truth = {"shows": bad.shows, "error": bad.error, "facts": dict(bad.facts or {})}
        _write(fixtures / bad.file, data, truth)
    for scene in filter(lambda scene: wanted(scene.file), SAMPLES):
        data, _ = take(scene, layout)
        (samples / scene.file).write_bytes(data)


def _write(path: Path, data: bytes, truth: Truth) -> None:
    path.write_bytes(data)
    text = json.dumps(truth, ensure_ascii=False, indent=1)
    path.with_name(f"{path.name}.json").write_text(text + "\n", encoding="utf-8")
    print(f"{path.name}  {len(data) // 1000} kB", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the repository's root, or any other folder")
    parser.add_argument("--only", nargs="+", default=[], metavar="FILE")
    options = parser.parse_args()
    write_photos(options.folder, frozenset(options.only))


if __name__ == "__main__":
    main()
