"""Places are cut where they lie, compared with what is printed there, and their marks are told."""

from dataclasses import replace
from typing import Self

import cv2
import numpy as np
import pytest

from brikks_vision.detect.marks import Marks
from brikks_vision.detect.patches import (
    SIDE,
    SURE,
    UPRIGHT,
    Flips,
    Reference,
    alike_references,
    beside_alike,
    beside_blank,
    cut_patches,
    darker_than,
    edges_of,
    is_edge,
    lightest_alike,
    logits_in_context,
    page_placement,
    patch_features,
    patch_pixels,
    read_views,
    readable_fields,
    see_beside,
    see_places,
    template_patches,
)
from brikks_vision.detect.placement import Image, Placement
from brikks_vision.detect.template import blank_picture
from brikks_vision.layout import CELL, HORIZONTAL, VERTICAL, Layout, Mark, load_layout


def read_patches(
    photo: Image,
    placement: Placement,
    layout: Layout,
    blank: Image | None = None,
    flips: Flips = UPRIGHT,
) -> Marks:
    return read_views(see_beside(photo, placement, layout, blank), layout, flips)


SCALE = 40  # px per cell of a drawn page
PAPER, PRINT, INK = (244, 248, 246), (120, 110, 100), (120, 40, 30)  # BGR
MIDDLE = SIDE // 2


class Page:
    """A page of a layout as it is drawn; places in cells, widths in px."""

    def __init__(self, layout: Layout) -> None:
        page = layout.page
        self.layout = layout
        self.image = np.zeros((round(page.height * SCALE), round(page.width * SCALE), 3), np.uint8)
        self.image[:] = PAPER

    def _at(self, x: float, y: float) -> tuple[int, int]:
        page = self.layout.page
        return round((x - page.left) * SCALE - 0.5), round((y - page.top) * SCALE - 0.5)

    def line(self, a: tuple[float, float], b: tuple[float, float], color=INK, width=4) -> None:
        cv2.line(self.image, self._at(*a), self._at(*b), color, width, cv2.LINE_AA)

    def cross(self, x: float, y: float, half: float) -> None:
        self.line((x - half, y - half), (x + half, y + half))
        self.line((x - half, y + half), (x + half, y - half))

    def ring(self, x: float, y: float, radius: float, color=INK, width=4) -> None:
        cv2.circle(self.image, self._at(x, y), round(radius * SCALE), color, width, cv2.LINE_AA)

    def scribble(self, x: float, y: float, half: float) -> None:
        """Strokes to and fro from the left to the right."""
        across = np.linspace(-half, half, 9)
        for at, left, right in zip(range(8), across, across[1:], strict=False):
            up, down = (y - half, y + half) if at % 2 else (y + half, y - half)
            self.line((x + left, up), (x + right, down))

    def printed(self) -> Self:
        """With the grid and what the layout's template shows at each place."""
        grid = self.layout.grid
        for column in range(grid.columns + 1):
            self.line((column, 0), (column, grid.rows), PRINT, 2)
        for row in range(grid.rows + 1):
            self.line((0, row), (grid.columns, row), PRINT, 2)
        for field in self.layout.fields.values():
            for (x, y), number in zip(field.centres, field.prints, strict=True):
                for shape, width in field.drawn[number].items():
                    if shape == "box":
                        half, high = width / 2, field.size[1] / 2
                        a, b = self._at(x - half, y - high), self._at(x + half, y + high)
                        cv2.rectangle(self.image, a, b, PRINT, 2, cv2.LINE_AA)
                    else:
                        self.ring(x, y, width / 2, PRINT, -1 if shape == "disc" else 2)
        return self

    def photographed(self, light: float = 1.0, blur: float = 0.0) -> tuple[Image, Placement]:
        """Turned, seen at a slant, in such light; and where the sheet lies in the photo."""
        page = self.layout.page
        to_page = np.array(
            [[SCALE, 0, -page.left * SCALE - 0.5], [0, SCALE, -page.top * SCALE - 0.5], [0, 0, 1.0]]
        )
        height, width = self.image.shape[:2]
        corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
        seen = np.float32([[60, 20], [width, 50], [width + 40, height], [10, height + 30]])
        lens = cv2.getPerspectiveTransform(corners, seen)
        size = (width + 80, height + 60)
        photo = cv2.warpPerspective(self.image, lens, size, flags=cv2.INTER_LINEAR)
        if blur:
            photo = cv2.GaussianBlur(photo, (0, 0), blur)
        photo = np.clip(light * photo, 0, 255).astype(np.uint8)
        bend = np.zeros((12, 2))
        return photo, Placement(lens @ to_page, bend, page, "lattice", 0.0)


@pytest.fixture
def bloxx() -> Layout:
    return load_layout("bloxx")


@pytest.mark.parametrize("name", ["bloxx", "brikks"])
def test_each_patch_shows_its_place_in_the_middle(name: str) -> None:
    layout = load_layout(name)
    for field in readable_fields(layout):
        if is_edge(field):
            continue
        page = Page(layout)
        for x, y in field.centres:
            page.ring(x, y, field.radius / 2, INK, -1)
        photo, placement = page.photographed()
        patches = cut_patches(photo, placement, field)
        assert patches.shape == (len(field.centres), SIDE, SIDE, 3)
        reach = round(field.radius * patch_pixels(field))
        for patch in patches:
            assert np.abs(patch[MIDDLE, MIDDLE].astype(int) - INK).max() < 25
            for edge in (MIDDLE - reach, MIDDLE + reach - 1):
                assert np.abs(patch[MIDDLE, edge].astype(int) - PAPER).max() < 25
                assert np.abs(patch[edge, MIDDLE].astype(int) - PAPER).max() < 25


@pytest.mark.parametrize("name", [VERTICAL, HORIZONTAL])
def test_edges_stand_upright_in_their_patches(bloxx: Layout, name: str) -> None:
    field = bloxx.fields[name]
    page = Page(bloxx)
    x, y = field.centres[20]
    along = (0.0, 0.5) if name == VERTICAL else (0.5, 0.0)
    page.line((x - along[0], y - along[1]), (x + along[0], y + along[1]))
    photo, placement = page.photographed()
    marked = cut_patches(photo, placement, field)[20].mean(axis=2)
    reach = round(0.35 * patch_pixels(field))
    assert marked[MIDDLE - reach : MIDDLE + reach, MIDDLE - 1 : MIDDLE + 1].max() < 120
    assert marked[:, : MIDDLE - 4].min() > 220
    assert marked[:, MIDDLE + 4 :].min() > 220


def test_templates_show_the_print_of_each_place(bloxx: Layout) -> None:
    cells, bonus = template_patches(bloxx, CELL), template_patches(bloxx, "bonus")
    numbers = np.array(bloxx.fields[CELL].prints)
    assert cells.shape == (70, SIDE, SIDE, 1)
    middles = cells[:, MIDDLE - 2 : MIDDLE + 2, MIDDLE - 2 : MIDDLE + 2].mean(axis=(1, 2, 3))
    assert ((middles > 50) == (numbers == 1)).all()
    assert (bonus.max(axis=(1, 2, 3)) > 200).all()


def test_other_places_tell_what_is_printed_under_a_mark(bloxx: Layout) -> None:
    page = Page(bloxx).printed()
    empty, placement = page.photographed()
    for row, column in ((0, 0), (4, 3), (9, 1), (5, 5)):
        page.cross(column + 0.5, row + 0.5, 0.3)
    photo, _ = page.photographed()
    field = bloxx.fields[CELL]
    printed, patches = (cut_patches(each, placement, field) for each in (empty, photo))
    references, kinds = alike_references(patches, field.prints)
    lightest = lightest_alike(patches, field.prints)
    assert (kinds == Reference.ALIKE).all()
    inner = np.s_[:, 8:24, 8:24]
    for pictures in (references, np.repeat(lightest, 3, axis=3)):
        away = np.abs(pictures[inner].astype(int) - printed[inner].mean(axis=3, keepdims=True))
        assert away.mean(axis=(1, 2, 3)).max() < 14


def test_a_print_of_its_own_has_no_reference(bloxx: Layout) -> None:
    page = Page(bloxx).printed()
    photo, placement = page.photographed()
    field = bloxx.fields["bonus"]
    patches = cut_patches(photo, placement, field)
    prints = (0, 1, 1, 1, 1, 1, 1, 1)
    references, kinds = alike_references(patches, prints)
    assert kinds[0] == Reference.NONE
    assert not references[0].any()
    assert not lightest_alike(patches, prints)[0].any()
    assert (kinds[1:] == Reference.ALIKE).all()


def test_a_blank_is_matched_in_light_and_blur(bloxx: Layout) -> None:
    page = Page(bloxx).printed()
    blank = page.image.copy()
    page.cross(3.5, 4.5, 0.3)
    page.scribble(1.5, 1.5, 0.4)
    photo, placement = page.photographed(light=0.6, blur=2.0)
    fields = readable_fields(bloxx)
    views = beside_blank(see_places(photo, placement, bloxx, fields), bloxx, fields, blank)
    assert (views.kinds == Reference.BLANK).all()
    away = np.abs(views.photo.astype(int) - views.reference).mean(axis=(1, 2, 3))
    assert np.median(away) < 3
    # what differs is marked, or beside a mark
    marked = [4 * 7 + 3, 1 * 7 + 1]
    cells = [field.name for field in fields].index(CELL)
    start = sum(len(field.centres) for field in fields[:cells])
    assert set(start + np.argsort(away[start : start + 70])[-2:]) == {start + at for at in marked}


def test_ink_is_darker_than_the_reference_even_a_pixel_aside() -> None:
    print_there = np.full((1, SIDE, SIDE, 3), 240, np.uint8)
    print_there[0, :, 10] = PRINT
    aside = np.roll(print_there, 1, axis=2)
    assert not darker_than(print_there, aside).any()
    marked = aside.copy()
    marked[0, 20, 15:25] = INK
    darker = darker_than(print_there, marked)
    assert darker.shape == (1, SIDE, SIDE, 1)
    assert (darker[0, 20, 15:25] == 240 - min(INK)).all()
    assert np.count_nonzero(darker) == 10


def told(marks: Marks, place: tuple[int, ...], field: str = CELL) -> dict[str, float]:
    """The log-odds of all marks at a place."""
    return {key[1]: float(each[place]) for key, each in marks.logits.items() if key[0] == field}


@pytest.mark.parametrize("with_blank", [False, True])
def test_drawn_marks_are_told(bloxx: Layout, with_blank: bool) -> None:
    page = Page(bloxx).printed()
    blank = page.image.copy() if with_blank else None
    crossed, ringed, filled = [(9, 1), (9, 2), (8, 1)], [(7, 1), (8, 2)], [(5, 4), (4, 1)]
    for row, column in crossed:
        page.cross(column + 0.5, row + 0.5, 0.32)
    for row, column in ringed:
        page.ring(column + 0.5, row + 0.5, 0.36)
    for row, column in filled:
        page.scribble(column + 0.5, row + 0.5, 0.4)
    corners = [(1, 8), (3, 8), (3, 10), (1, 10)]
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        page.line(a, b, width=5)
    x, y = bloxx.fields["bonus"].centres[2]
    page.ring(x, y, 0.42)
    photo, placement = page.photographed()
    marks = read_patches(photo, placement, bloxx, blank)
    assert marks[CELL, Mark.CROSS].shape == (10, 7)
    for place in bloxx.grid.cells:
        wanted = {
            Mark.CROSS: place in crossed, Mark.RING: place in ringed, Mark.FILL: place in filled
        }  # fmt: skip
        for mark, is_there in wanted.items():
            assert (told(marks, place)[mark] > 0) == is_there, (place, mark)
    inked = {(8, 1), (9, 1), (8, 3), (9, 3)}
    vertical = marks[VERTICAL, Mark.LINE]
    assert {tuple(map(int, at)) for at in np.argwhere(vertical > 0)} == inked
    horizontal = marks[HORIZONTAL, Mark.LINE]
    assert {tuple(map(int, at)) for at in np.argwhere(horizontal > 0)} == {
        (8, 1), (8, 2), (10, 1), (10, 2)
    }  # fmt: skip
    assert np.flatnonzero(marks["bonus", Mark.RING] > 0).tolist() == [2]
    assert (marks["bonus", Mark.CROSS] < 0).all()


def test_places_that_one_view_leaves_unsure_are_seen_again(bloxx: Layout) -> None:
    page = Page(bloxx).printed()
    blank = page.image.copy()
    page.cross(3.5, 4.5, 0.3)
    page.cross(1.5, 1.5, 0.1)
    photo, placement = page.photographed(light=0.6, blur=2.0)

    def read(*flips: tuple[int, ...]) -> Marks:
        return read_patches(photo, placement, bloxx, blank, flips)

    one, both = read(()), read((), (1, 2))
    seen_again = 0
    for field in readable_fields(bloxx):
        keys = [key for key in both.logits if key[0] == field.name]
        sure = np.min([np.abs(one[key]) for key in keys], axis=0) >= SURE
        assert sure.any()
        for key in keys:
            assert (both[key][sure] == one[key][sure]).all()
            seen_again += int((both[key][~sure] != one[key][~sure]).sum())
    assert seen_again


def test_a_hand_is_read_by_all_its_marks(bloxx: Layout) -> None:
    """What all places of a sheet tell together is not what each tells alone."""
    page = Page(bloxx).printed()
    for column in range(7):
        page.cross(column + 0.5, 9.5, 0.3)
    photo, placement = page.photographed()
    fields = readable_fields(bloxx)
    views = beside_alike(see_places(photo, placement, bloxx, fields), fields)
    told, edges = patch_features(views), edges_of(fields)
    together = logits_in_context(told, edges, views.kinds)
    for chosen in (edges, ~edges):  # either set, as if there were no other
        apart = logits_in_context(told[chosen], edges[chosen], views.kinds[chosen])
        assert np.allclose(together[chosen], apart, atol=1e-4)
    first = edges.argmin()
    alone = logits_in_context(*(part[first : first + 1] for part in (told, edges, views.kinds)))
    assert not np.allclose(alone, together[first], atol=0.1)


def test_any_stroke_crosses_out_where_no_line_is_known() -> None:
    layout = load_layout("brikks")
    page = Page(layout).printed()
    bombs = layout.fields["bomb"].centres
    (x, y), (u, v) = bombs[0], bombs[2]
    page.line((x - 0.5, y + 0.5), (x + 0.5, y - 0.5))
    page.cross(u, v, 0.45)
    photo, placement = page.photographed()
    marks = read_patches(photo, placement, layout)
    assert (marks["bomb", Mark.CROSS] > 0).tolist() == [True, False, True]


@pytest.mark.parametrize("strokes", [1, 2], ids=["slashes", "crosses"])
def test_a_level_line_passes_over_what_hands_cross(strokes: int) -> None:
    layout = load_layout("qwixx")
    blank = blank_picture(layout)
    assert blank is not None
    placement, photo = page_placement(layout, blank), blank.copy()
    crossed = np.zeros(layout.fields["row"].shape, np.bool_)
    crossed[:, 4::2] = True

    def stroke(*ends: tuple[float, float]) -> None:
        a, b = (placement.to_photo(np.array([end]))[0].round().astype(int) for end in ends)
        cv2.line(photo, a.tolist(), b.tolist(), INK, 2, cv2.LINE_AA)

    centres = np.reshape(layout.fields["row"].centres, (*crossed.shape, 2))
    for x, y in centres[crossed]:
        for side in (0.3, -0.3)[:strokes]:
            stroke((x - side, y + 0.3), (x + side, y - 0.3))
    for (left, y), (right, _) in centres[:, [0, 3]]:
        stroke((left - 0.35, y), (right + 0.35, y))
    marks = read_patches(photo, placement, layout, blank)
    assert ((marks["row", Mark.CROSS] > 0) == crossed).all()


def test_a_place_without_any_other_to_compare_is_read(bloxx: Layout) -> None:
    """What might be printed there is doubted, but never taken for another mark."""
    cell = bloxx.fields[CELL]
    one = replace(cell, centres=((3.5, 4.5),), shape=(1,), prints=(0,), drawn=({},))
    layout = replace(bloxx, fields={CELL: one})
    drawings = ((Page.cross, Mark.CROSS), (Page.ring, Mark.RING), (Page.scribble, Mark.FILL))
    empty, placement = Page(layout).printed().photographed()
    of_empty = told(read_patches(empty, placement, layout), (0,))
    assert max(of_empty.values()) < -3
    for draw, mark in drawings:
        page = Page(layout).printed()
        draw(page, 3.5, 4.5, 0.35)
        photo, placement = page.photographed()
        marks = told(read_patches(photo, placement, layout), (0,))
        assert max(marks, key=marks.__getitem__) == mark
        assert marks[mark] > of_empty[mark] + 5
