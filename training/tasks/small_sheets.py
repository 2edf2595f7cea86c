"""Small sheets, marked by hands and photographed: places of any print with the truth of each.

A small sheet (`training.tasks.small_prints`) is marked as people do in games that cross, ring, fill
and outline, photographed, and its places are cut out of the photo by the very functions that read
a photo (`brikks_vision.detect.patches`), beside a photo of the empty sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect import patches
from brikks_vision.detect.placement import Placement, rectify
from brikks_vision.layout import CELL, HORIZONTAL, VERTICAL, Box, Cell, Layout, Point
from simulation.camera import GOOD, HARD, SCAN, Conditions, compress, develop
from simulation.hand import PLAIN_STRIKES, STRIKES, Hand, random_hand, shows_at
from simulation.handwriting import load_writers
from simulation.marks import (
    FILLS,
    Ink,
    draw_cell_cross,
    draw_digits,
    draw_fill,
    draw_outline,
    draw_ring,
    draw_strike,
    outlined_edges,
)
from simulation.paper.blank import BlankSheet
from simulation.paper.wear import worn
from simulation.photos import decoded
from simulation.real_ink import load_mattes
from training.tasks.small_prints import small_sheet

Image = NDArray[np.uint8]
OUTPUTS = ("cross", "line", "ring", "fill", "strike", "edge")
UNKNOWN = 255  # label of what no reader can tell, or what a place has none of
EDGES_KEPT = 0.35  # share of the edges, which are more than all other places
TIER_SHARES = (0.3, 0.42, 0.28)
TIERS = (SCAN, GOOD, HARD)
PIXELS = 16.0, 60.0  # of a cell in a photo
USUAL_CELL, USUAL_SIDE = 60.0, 2000  # px, of a photo for which `Conditions` say blur in px


@dataclass(frozen=True, eq=False)
class Places:
    """Places of one photo. with_blank, alike: the same places by either reference.

    labels: uint8 (N, outputs), 0, 1 or `UNKNOWN`, in the order of `OUTPUTS`. kinds: (N,) of field:
    0 cell, 1 edge, 2 loose.
    """

    with_blank: patches.Views
    alike: patches.Views
    labels: NDArray[np.uint8]
    kinds: NDArray[np.uint8]
    photo: Image


# --- marks -----------------------------------------------------------------------------------


def _label(**known: int) -> NDArray[np.uint8]:
    labels = np.zeros(len(OUTPUTS), np.uint8)
    labels[OUTPUTS.index("edge")] = UNKNOWN
    for name, value in known.items():
        labels[OUTPUTS.index(name)] = value
    return labels


def _fill(ink: Ink, hand: Hand, centre: Point, size: float) -> None:
    draw_fill(ink, hand, centre, (size, size), str(ink.slips.choice(FILLS)))


def _mark(ink: Ink, hand: Hand, kind: str, centre: Point, size: float) -> NDArray[np.uint8]:
    """Draw what ``kind`` says at a place of that size; its labels. Kinds are joined by "+"."""
    rng = ink.rng
    labels = _label()
    ring, strike, fill, cross, line = (
        OUTPUTS.index(each) for each in ("ring", "strike", "fill", "cross", "line")
    )
    for part in kind.split("+"):
        if part == "ring":
            draw_ring(ink, hand, centre, size)
            labels[ring] = 1
        elif part in STRIKES:
            draw_strike(ink, hand, replace(hand.circle_strike, kind=part), centre, size)
            labels[strike] = 1
            if part == "cross":
                labels[cross] = 1
            elif part == "slash":
                labels[line] = 1
            else:  # a person would call it either
                labels[[cross, line, fill]] = UNKNOWN
        elif part == "fill":
            _fill(ink, hand, centre, size * float(ink.slips.uniform(0.65, 1.0)))
            labels[[strike, fill]] = 1
            labels[ring] = UNKNOWN if labels[ring] else 0
        elif part == "dot":
            angle, length = rng.uniform(0, 2 * np.pi), rng.choice([0.04, rng.uniform(0.08, 0.2)])
            offset = 0.5 * length * np.array([np.cos(angle), np.sin(angle)])
            at = np.asarray(centre) + rng.uniform(-0.5, 0.5, 2) * size
            ink.stroke(np.stack([at - offset, at, at + offset]), hand.pen.width * 0.8, 0.8)
    return labels


def _cell_mark(ink: Ink, hand: Hand, kind: str, cell: Cell) -> NDArray[np.uint8]:
    """As `_mark`, in a cell: crosses are as large as this hand draws them in cells."""
    row, column = cell
    centre = (column + 0.5, row + 0.5)
    rng = ink.rng
    if kind == "cross":
        draw_cell_cross(ink, hand, centre)
        return _label(cross=1, strike=1)
    size = float(np.clip(rng.normal(hand.cross_size, hand.cross_spread), 0.4, 1.0))
    if kind == "ring":  # about as large as this hand's crosses
        draw_ring(ink, hand, centre, size / hand.ring_size)
        return _label(ring=1)
    if kind == "fill":
        _fill(ink, hand, centre, float(ink.slips.uniform(0.7, 1.0)))
        return _label(fill=1, strike=1)
    return _mark(ink, hand, kind, centre, size / max(1.0, hand.circle_strike.sizes[0]))


def _blocks(layout: Layout, rng: np.random.Generator) -> list[set[Cell]]:
    """Neighbouring cells in blocks of up to five that do not overlap, as games outline them."""
    grid = layout.grid
    free = set(grid.cells)
    wanted = rng.uniform(0.1, 0.9) * len(free)
    blocks: list[set[Cell]] = []
    while free and sum(map(len, blocks)) < wanted:
        cells = sorted(free)
        block = {cells[int(rng.integers(len(cells)))]}
        for _ in range(int(rng.integers(2, 5))):
            beside = sorted(
                (row + y, column + x)
                for row, column in block
                for y, x in ((0, 1), (1, 0), (0, -1), (-1, 0))
                if (row + y, column + x) in free - block
            )
            if beside:
                block.add(beside[int(rng.integers(len(beside)))])
        free -= block
        blocks.append(block)
    return blocks


GAMES = ("cross", "cross ring fill", "anything")  # what stands in cells of outlined blocks
GAME_SHARES = (0.4, 0.4, 0.2)
ANY_MARK = ("cross", "slash", "ring", "fill", "ring+cross", "ring+slash", "zigzag", "hatch", "dot")
ANY_SHARES = (0.26, 0.2, 0.24, 0.12, 0.05, 0.05, 0.02, 0.02, 0.04)


def _mark_cells(
    ink: Ink, hand: Hand, layout: Layout, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], dict[str, NDArray[np.uint8]]]:
    """Mark the grid; labels (cells, outputs), and of each field of edges whether it is inked."""
    grid = layout.grid
    marks: dict[Cell, str] = {}
    game = str(rng.choice(GAMES, p=GAME_SHARES))
    blocks = _blocks(layout, rng)
    edges = {
        VERTICAL: np.zeros(layout.fields[VERTICAL].shape, np.uint8),
        HORIZONTAL: np.zeros(layout.fields[HORIZONTAL].shape, np.uint8),
    }
    for block in blocks:
        cells = sorted(block)
        for cell in cells:
            marks[cell] = "cross" if game != "anything" else str(rng.choice(ANY_MARK, p=ANY_SHARES))
        if game == "cross ring fill":
            marks[cells[int(rng.integers(len(cells)))]] = "ring" if rng.random() < 0.6 else "cross"
        lines = outlined_edges(ink, hand, cells, grid)
        if lines:
            draw_outline(ink, hand, lines)
        for kind, row, column in lines:
            edges[VERTICAL if kind == "v" else HORIZONTAL][row, column] = 1
    others = [cell for cell in grid.cells if cell not in marks]
    share = rng.uniform(0, 0.3)
    for cell in others:
        if game == "cross ring fill" and rng.random() < share:
            marks[cell] = "fill"
        elif rng.random() < 0.04:
            marks[cell] = str(rng.choice(ANY_MARK, p=ANY_SHARES))
    labels = np.stack([
        _cell_mark(ink, hand, marks[cell], cell) if cell in marks else _label()
        for cell in grid.cells
    ])  # fmt: skip
    return labels, edges


def _mark_loose(
    ink: Ink, hand: Hand, layout: Layout, rng: np.random.Generator
) -> list[NDArray[np.uint8]]:
    """Mark the places beside the grid; labels (places, outputs) of each field."""
    found = []
    strike = hand.circle_strike.kind
    for field in layout.places:
        open_share = rng.uniform(0.1, 0.9)
        weights = rng.dirichlet([0.7, 0.9, 0.5, 0.25])  # ring, strike, both, anything
        of_field = []
        for centre in field.centres:
            kind = ""
            if rng.random() > open_share:
                some = str(rng.choice(ANY_MARK, p=ANY_SHARES))
                kinds = ("ring", strike, f"ring+{strike}", some)
                kind = kinds[int(rng.choice(4, p=weights))]
            of_field.append(_mark(ink, hand, kind, centre, field.size[0]) if kind else _label())
        found.append(np.stack(of_field))
    return found


def is_confident(hand: Hand) -> bool:
    """Does the player mark as most do: crosses and single strokes, each drawn once, in one go?"""
    strikes = {each.kind for each in (hand.circle_strike, hand.box_strike, hand.figure_strike)}
    extras = (hand.apart, hand.skips, hand.doubled_strokes, hand.doubled_rings)
    return not any(extras) and strikes <= set(PLAIN_STRIKES)


def _hand_for(
    blank: BlankSheet, layout: Layout, rng: np.random.Generator, held_out: bool, plain: bool
) -> Hand | None:
    writers, mattes = load_writers(held_out), load_mattes(held_out)
    spots = [at for field in (layout.fields[CELL], *layout.places) for at in field.centres[:4]]
    for _ in range(20):
        hand = random_hand(rng, writers, mattes)
        if shows_at(hand, blank, spots) and (is_confident(hand) or not plain):
            return hand
    return None


# --- camera ----------------------------------------------------------------------------------


def _pose(
    page: Box, pixels: float, rng: np.random.Generator, tilted: bool
) -> tuple[NDArray[np.float64], tuple[int, int]]:
    """A homography from cells to px of a photo, and the photo's size (width, height)."""
    turn = np.pi / 2 * rng.integers(4) + rng.normal(0, 0.12 if tilted else 0.03)
    flat = np.diag([rng.uniform(0.75, 1.0), 1.0]) if tilted else np.eye(2)
    lean = rng.uniform(0, np.pi)
    rotate = lambda a: np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])  # noqa: E731
    matrix = np.eye(3)
    matrix[:2, :2] = pixels * rotate(turn) @ rotate(-lean) @ flat @ rotate(lean)
    if tilted:
        matrix[2, :2] = rng.normal(0, 0.008, 2)
    corners = cv2.perspectiveTransform(np.array([page.corners], np.float64), matrix)[0]
    low = corners.min(axis=0) - 6
    high = corners.max(axis=0) + 6
    shift = np.eye(3)
    shift[:2, 2] = -low
    size = np.ceil(high - low).astype(int)
    return shift @ matrix, (int(size[0]), int(size[1]))


def photographed(
    sheet: Image, to_photo: NDArray[np.float64], size: tuple[int, int], blank: BlankSheet,
    pixels: float, rng: np.random.Generator, conditions: Conditions,
) -> Image:  # fmt: skip
    """The sheet's picture as a camera sees it; uint8 BGR of that size (width, height)."""
    cell, (left, top) = blank.pixels_per_cell, blank.origin
    to_cells = np.array([[1 / cell, 0, -left / cell], [0, 1 / cell, -top / cell], [0, 0, 1.0]])
    shrink = cell / pixels
    if shrink > 1.3:
        sheet = np.asarray(cv2.GaussianBlur(sheet, (0, 0), 0.38 * shrink), np.uint8)
    image = cv2.warpPerspective(
        sheet, to_photo @ to_cells, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    unit = max(pixels / USUAL_CELL, 0.35) * USUAL_SIDE / max(size)
    blur, shake = (np.multiply(unit, each) for each in (conditions.blur, conditions.shake))
    closer = replace(  # light varies less on a small part of a scene
        conditions, blur=tuple(blur), shake=tuple(shake), shadow=0.6 * conditions.shadow,
        light=tuple(np.multiply(0.4, conditions.light)), glare=0.5 * conditions.glare, moire=0,
    )  # fmt: skip
    image = develop(np.asarray(image, np.uint8), rng, closer)
    return decoded(compress(image, int(rng.integers(*conditions.quality))))


def _roughly(to_photo: NDArray[np.float64], page: Box, rng: np.random.Generator) -> Placement:
    """A placement as it is found: off by some hundredths of a cell, mostly fewer."""
    error = np.eye(3)
    off = abs(rng.normal(0, 0.03))
    error[:2, 2] = rng.normal(0, 0.5 * off + 0.008, 2)
    error[:2, :2] += rng.normal(0, 0.15 * off, (2, 2))
    return Placement(to_photo @ error, np.zeros((12, 2)), page, "lattice", 0.0)


def shot(
    sheet: Image, blank: BlankSheet, page: Box, rng: np.random.Generator,
    sizes: tuple[float, float] = PIXELS, shares: Sequence[float] = TIER_SHARES,
) -> tuple[Image, Placement]:  # fmt: skip
    """A photo of the marked picture of a sheet, and where it is found in it.

    ``sizes``: of a cell in the photo, the smallest and the largest, px. ``shares``: of the tiers.
    """
    conditions = TIERS[int(rng.choice(3, p=shares))]
    pixels = float(np.exp(rng.uniform(*np.log(sizes))))
    to_photo, size = _pose(page, pixels, rng, conditions.tilt[1] > 0)
    photo = photographed(sheet, to_photo, size, blank, pixels, rng, conditions)
    return photo, _roughly(to_photo, page, rng)


def marked_places(rng: np.random.Generator, held_out: bool, plain: bool = False) -> Places:
    """All places of one small sheet, marked and photographed; edges in part.

    ``held_out``: by writers and real ink that are never trained on. ``plain``: see `is_confident`.
    """
    while True:
        printed = small_sheet(rng)
        layout, blank = printed.layout, printed.blank
        hand = _hand_for(blank, layout, rng, held_out, plain)
        if hand:
            break
    copy = replace(blank, image=worn(blank.image, rng)) if rng.random() < 0.1 else blank
    ink = Ink(copy, hand.pen, rng)
    cells, edges = _mark_cells(ink, hand, layout, rng)
    loose = _mark_loose(ink, hand, layout, rng)
    if rng.random() < 0.3:  # row points beside the grid
        for row in range(layout.grid.rows):
            draw_digits(ink, hand, str(rng.integers(0, 60)), (-0.6, row + 0.5), 0.55)
    sheet = ink.on(copy)
    photo, placement = shot(sheet, blank, layout.page, rng)
    empty = _empty_picture(blank, layout, rng)
    labels = _labels_of(layout, cells, edges, loose)
    return places_in(photo, placement, layout, empty, labels, rng)


def places_in(
    photo: Image, placement: Placement, layout: Layout, empty: Image, labels: NDArray[np.uint8],
    rng: np.random.Generator,
) -> Places:  # fmt: skip
    """The places of a photo beside a picture of the empty sheet; of the edges a part."""
    fields = patches.readable_fields(layout)
    alone = patches.see_places(photo, placement, layout, fields)
    kinds = np.repeat(
        [0 if field.name == CELL else 1 if patches.is_edge(field) else 2 for field in fields],
        [len(field.centres) for field in fields],
    ).astype(np.uint8)
    kept = (kinds != 1) | (rng.random(len(kinds)) < EDGES_KEPT)
    with_blank, alike = (
        patches.Views(*(part[kept] for part in
                (each.photo, each.reference, each.lightest, each.template, each.kinds)))
        for each in (patches.beside_blank(alone, layout, fields, empty),
                     patches.beside_alike(alone, fields))
    )  # fmt: skip
    return Places(with_blank, alike, labels[kept], kinds[kept], photo)


def _empty_picture(blank: BlankSheet, layout: Layout, rng: np.random.Generator) -> Image:
    """The empty sheet as it was learnt: a picture of the page, mostly from a photo of its own."""
    pixels = int(rng.integers(20, 41))
    if rng.random() < 0.25:
        page = layout.page
        size = (round(page.width * pixels), round(page.height * pixels))
        return np.asarray(cv2.resize(blank.image, size, interpolation=cv2.INTER_AREA), np.uint8)
    photo, placement = shot(blank.image, blank, layout.page, rng, shares=(0.4, 0.5, 0.1))
    return rectify(photo, placement, layout.page, pixels)


def _labels_of(
    layout: Layout, cells: NDArray[np.uint8], edges: dict[str, NDArray[np.uint8]],
    loose: list[NDArray[np.uint8]],
) -> NDArray[np.uint8]:  # fmt: skip
    """Labels of all places, in the order of `readable_fields`."""
    others, labels = iter(loose), []
    for field in patches.readable_fields(layout):
        if patches.is_edge(field):
            of_field = np.full((len(field.centres), len(OUTPUTS)), UNKNOWN, np.uint8)
            of_field[:, OUTPUTS.index("edge")] = edges[field.name].ravel()
        else:
            of_field = cells if field.name == CELL else next(others)
        labels.append(of_field)
    return np.concatenate(labels)
