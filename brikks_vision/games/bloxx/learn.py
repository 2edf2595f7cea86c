"""Learns a printing of BLOXX!: no printing is known beforehand, all is read off the empty sheet."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, floor, inf
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.align import is_blurred
from brikks_vision.detect.cells import (
    MAX_GRID_SIDE,
    MIN_FAINT,
    MIN_PLAINNESS,
    FoundGrid,
    extended,
    find_grids,
    fitted_to,
    goes_on_evenly,
    other_size,
    plainness_above,
    side_lines,
    with_rows,
    without_top,
)
from brikks_vision.detect.ground import REACH, cell_grounds, paper_box, row_tints, within_rows
from brikks_vision.detect.measure import AREA_STEP
from brikks_vision.detect.patches import read_patches
from brikks_vision.detect.photo import Photo
from brikks_vision.detect.placement import Image, Placement, rectify
from brikks_vision.detect.printed_digits import VALUES, glyphs_in_cells, turned_over
from brikks_vision.detect.template import take_blank
from brikks_vision.errors import (
    AnswerOffSheet,
    AnswerUnclear,
    BlankIsMarked,
    BlankOfOtherGame,
    BonusesNotFound,
    GridNotFound,
    SheetCutOff,
    SheetTooBlurred,
    SheetTooSmall,
)
from brikks_vision.games.bloxx.bonus_places import (
    MIN_CHROMA,
    BonusPlaces,
    find_bonuses,
    find_digits,
    reading_order,
)
from brikks_vision.games.bloxx.bonuses import TOTAL
from brikks_vision.games.bloxx.figure_boxes import NAMES, find_figure_boxes
from brikks_vision.games.bloxx.print_doubts import NONE, PLAIN
from brikks_vision.games.bloxx.print_reading import (
    GRID_PIXELS,
    SURE,
    USUAL_COUNT,
    PrintRead,
    RowRead,
    color_choices,
    doubted_without_a_value,
    numbers_at,
    read_print,
    told_by_others,
    with_hues,
)
from brikks_vision.games.learning import Learnt, Settable
from brikks_vision.layout import (
    CELL,
    GRID,
    Box,
    Cell,
    Layout,
    Mark,
    PrintDoubt,
    bounds,
    packaged_layouts,
    parse_layout,
)
from brikks_vision.rules.bloxx.sheet import BONUSES, parse_sheet, phrase

GAME = "bloxx"

# All set by hand on simulated printings (seeds 1 to 60). Lengths in cells.
MAX_GRIDS = 4  # of a photo, that are read; more where none of these is one of this game
MOST_GRIDS = 12  # a chequered cloth has several
MIN_ROWS, MIN_COLUMNS = 5, 4  # of a grid
# Where bonuses are not seen; what falls short is a sheet of another game.
MIN_SCORE = 1.2  # see `_score`
# how much more like digits than barely so what stands in the cells is, on average: discs without
# numbers had 0.13 to 0.16 on seven sheets of another game, numbers 0.2 to 0.33
MIN_EXCESS = 0.19
MAX_UNSEEN = 1  # digits of bonuses in their rows' colours: a sheet of another game had 3 of 10
MIN_NUMBERED = 0.13  # share of the cells that bear numbers: a sixth and more; other sheets a tenth
MIN_CELL = 18.0  # px; in smaller cells numbers cannot be read
AROUND = Box(-2.6, -2.6, 3.6, 6.8)  # beyond the grid's sides, where the rest of the sheet stands
FAR_REACH = 12.0  # the same, where the paper reaches so far
AROUND_PIXELS = 32  # px per cell of that
# Log-odds of a mark in a cell, beside the other bare ones or the others with numbers. Of 56 empty
# simulated sheets (seeds 9001 to 9060, 5, 15, 21) one had 3.1, the others 2.1 at most. Of 77 with 1
# to 20 crosses 67 had one over 3, 6 were refused for something else, and of 4 crosses looked like
# numbers.
MIN_MARKED = 3.5
UNSEEN = 0.1  # from what surely lies on the paper to an edge of it that is none
PAGE_MARGIN = 0.6  # around all that is marked
USUAL_SIZE = (10, 7)  # rows, columns. Source: rules
MIN_CERTAINTY, CERTAINTY_WORTH = -8.0, 0.5  # by hand: upside down most sheets lose 1 to 10
USUAL_SIZE_WORTH = 0.5  # about two digits in doubt
# of bonuses of four rows that are all seen; on 60 sheets (seeds 55221, 91001, 91100) one needed
# 1.4, one less than 3.7 to stand upright
BONUSES_WORTH = 2.5
# how many times as uneven as the other way rows may be; columns in their place were 2.6 times as
# uneven and more, unless rows have no hues
SAME_EVENNESS = 1.6
ROW_REACH = 1.4  # cells, what can be pointed at beside a row
SIZE_SURE = 0.6  # probability of a grid's size where an outer row hardly shows, or one more does
BEYOND = 4  # rows or columns beyond a grid in which numbers are sought
MIN_BEYOND = 2  # numbers that stand there as those of the grid do
MAX_LACKING = 0.6  # probability that a row is coloured, which stands for one that lacks
OWN_PLACE = 0.8  # share of a bonus's place in which nothing else is printed
MIN_BAND = 2  # outer rows that bear nothing and have no colour: 3 of 320 simulated grids have them
MAX_BARE = 1  # rows or columns without one between these
TINT_PIXELS = 12  # per cell, in which the grounds of cells are seen
# share of the cells that are surely read; in rows of letters and pictures beside grids it was 1/7
# to 4/7, in outer rows nearly 1 (48 printings, seeds 48117 and 55221, and ten of another renderer)
MIN_CLEAR = 0.75
MAX_OTHER_GROUND = 0.25  # logarithms of BGR, from one row to another one that is plain as well
MIN_SAME_TINT = 0.5  # of a row's tint, in a further column; within grids it was 0.54 and more
MAX_OTHER_TINT = 0.25  # the same, of a column that may be none
# what parts the cells of an outer row or column, beside those within the grid: on 150 empty sheets
# (seeds 990170, 990171, 62001) of outer ones 0.56 and more, but of one column among creases; beyond
# grids 0.16 (rows) and 0.05 (columns) at most, of 19 in 20
LIKE_LINES, UNLIKE_LINES = 0.6, 0.25
BY_COLOR = 0.8  # probability that bonuses belong to a row, where another's colour is much like it
BY_PAIRS = 0.7  # probability of a row's colour that the number of pairs tells
PAIRS_SURE = 0.98  # that as many rows are coloured as pairs are wholly seen; on 96 sheets they were
MIN_COLORED = 1e-9  # probability: of rows that look plain some still look plainer than others
OTHER_COUNTS = (4, 3, 5)  # of coloured rows, where there are not as many pairs as rows


@dataclass(frozen=True)
class Candidate:
    """A grid that stands upright, where it lies, and what was read of its print."""

    grid: FoundGrid
    placement: Placement
    read: PrintRead

    @property
    def box(self) -> Box:
        return Box(0.0, 0.0, float(self.grid.columns), float(self.grid.rows))


def learn(photo: Photo, name: str, settings: Mapping[str, str]) -> Learnt:
    """Learn a printing of this game; see `brikks_vision.games.learning.Learn`.

    ``settings`` : "cell 3,4" to "2", "3", "4" or "none"; "row 5" to a colour's name or "plain";
    "bonus 0", the first pair of bonuses in the order of reading, to the colour of its row; "grid"
    to its rows and columns, "10x7".
    """
    title = packaged_layouts(GAME)[0].title
    size = _said_size(settings)
    best, around = _settled(photo.image, size)
    if size is not None:
        best = _without_band(photo.image, best)
    if settings:  # which count rows as the whole grid's
        around = _read_around(photo.image, best, settings)
    if not _tells_game(best, around):
        raise BlankOfOtherGame(title)
    _check_frame(best, photo.image)
    rows, doubts = around.rows, list(around.doubts)
    bonuses, said = around.bonuses, _parsed(settings, best.grid.rows, best.grid.columns)
    marked = _marked(photo.image, best, around)
    written = [cell for cell in marked if cell not in said.cells]
    if written:
        plainest = max(written, key=marked.__getitem__)
        raise BlankIsMarked(len(written), f"{_named(plainest)}={NONE}")
    if bonuses is None:
        raise BonusesNotFound
    doubts += [
        PrintDoubt(f"bonus {pair}", rows[row], BY_COLOR)
        for row, pair in zip(sorted(rows), bonuses.reading, strict=True)
        if row in bonuses.unsure and pair not in said.bonuses
    ]
    figures = _figure_boxes(photo.image, best, around)
    layout = parse_layout(_data(name, title, best, around.numbers, rows, bonuses, figures))
    other = _open_size(photo.image, best, layout) if size is None else None
    if other is not None:
        now = _size_told(best.grid.rows, best.grid.columns)
        doubts.append(PrintDoubt(GRID, now, SIZE_SURE, _size_told(*other)))
    page = paper_box(photo.image, best.placement, layout.marked_area.grown(PAGE_MARGIN))
    layout = replace(layout, page=page)
    layout = replace(
        layout,
        blank=take_blank(photo.image, best.placement, layout),
        doubts=tuple(sorted(doubts, key=lambda doubt: doubt.confidence)),
        unsaid=_unsaid(best.read, said, {doubt.where for doubt in doubts}),
    )
    return Learnt(layout, _labels(layout))


def _compared(image: Image, candidate: Candidate) -> Candidate:
    """The same, its numbers read by how cells look beside each other, too."""
    flat = rectify(image, candidate.placement, candidate.box, GRID_PIXELS)
    numbers = told_by_others(flat, candidate.read)
    return replace(candidate, read=replace(candidate.read, numbers=numbers))


def _read_on(image: Image, grid: FoundGrid) -> Candidate | None:
    """What is printed on a grid; None where it lies nowhere."""
    try:
        return _candidate(image, grid)
    except np.linalg.LinAlgError:
        return None


def _at_side(grid: FoundGrid, quarters: int, change: Callable[[FoundGrid], FoundGrid]) -> FoundGrid:
    """A grid with another top, while it is turned by some quarters: a turn's top is one side."""
    for quarter in range(4):
        grid = (change(grid) if quarter == quarters else grid).turned()
    return grid


def _with_top(grid: FoundGrid) -> FoundGrid:
    return with_rows(grid, 1)


@dataclass(frozen=True)
class Around:
    """What is printed on a grid and around it.

    area: the part of the sheet in which everything stands; flat: its picture, at `AROUND_PIXELS`.
    numbers: by cell.
    rows: their colours, top first. doubts: of both. bonuses: None where they are not found.
    """

    area: Box
    flat: Image
    numbers: Mapping[Cell, int]
    rows: Mapping[int, str]
    doubts: Sequence[PrintDoubt]
    bonuses: BonusPlaces | None


Settled = tuple[Candidate, Around]
"""A grid, its numbers read beside each other, and what is around it."""


def _settled_on(image: Image, grid: FoundGrid | Candidate) -> Settled | None:
    """All that is printed on a grid and around it; None where it lies nowhere."""
    read = grid if isinstance(grid, Candidate) else _read_on(image, grid)
    if read is None:
        return None
    compared = _compared(image, read)
    return compared, _read_around(image, compared, {})


def _settled(image: Image, size: tuple[int, int] | None) -> Settled:
    """The grid of a photo, of some rows and columns where they were said, and what is around it.

    Raises
    ------
    GridNotFound, SheetTooSmall, SheetTooBlurred
    """
    fitting = _candidates(image, size)
    if not fitting:
        raise GridNotFound
    best, opposite = fitting[0] if size else _best_of(image, fitting)
    if best.placement.cell_size() < MIN_CELL:
        raise SheetTooSmall
    if is_blurred(best.placement, image):
        raise SheetTooBlurred
    best = _upright_by_bonuses(image, best, opposite)
    if size is not None:
        best = _compared(image, best)
        return best, _read_around(image, best, {})
    found = _grown(image, best)
    if _is_sheet(image, *found):
        return found
    large = (each for each, _ in fitting[:MOST_GRIDS] if each.placement.cell_size() >= MIN_CELL)
    has_bonuses = _has_all_bonuses if _tells_game(*found) else _has_colored_bonuses
    others = (each for each in large if has_bonuses(image, each))
    grown = map(partial(_grown, image), others)
    return next((each for each in grown if _is_sheet(image, *each)), found)


def _grown(image: Image, best: Candidate) -> Settled:
    """A grid with all of its rows and columns, and nothing else."""
    best = _compared(image, _without_bonuses(image, _with_line_beyond(image, best)))
    around = _read_around(image, best, {})
    best, around = _without_bonus_row(image, best, around)
    best, around = _without_plain_column(image, best, around)
    best, around = _with_numbers_beyond(image, best, around)
    best, around = _with_colored_row_beyond(image, best, around)
    best, around = _with_shown_rows(image, best, around)
    return _without_unparted_sides(image, best, around)


def _tells_game(best: Candidate, around: Around) -> bool:
    """Whether a sheet of this game is told by its bonuses or by its grid."""
    are_sure = around.numbers and around.bonuses and _are_sure(around.bonuses)
    return bool(are_sure) or _is_like_this_game(best)


def _is_sheet(image: Image, best: Candidate, around: Around) -> bool:
    """Whether a grid tells an empty sheet of this game.

    One that goes on over a chequered cloth looks marked there.
    """
    return _tells_game(best, around) and not _marked(image, best, around)


def _bands(best: Candidate, colored: Collection[int]) -> tuple[int, int]:
    """How many rows above and below bear nothing and have no colour, as a chequered band."""
    bears = best.read.numbers.argmax(axis=-1).any(axis=1)
    bears |= np.isin(np.arange(len(bears)), list(colored))
    return int(bears.argmax()), int(bears[::-1].argmax())


def _without_band(image: Image, best: Candidate) -> Candidate:
    """The grid of a said size, without the band that the grid of any size begins or ends with."""
    try:
        found, around = _settled(image, None)
    except GridNotFound:
        return best
    grid, bands = found.grid, _bands(found, around.rows)
    for side, band in zip((0, 2), bands, strict=True):
        for _ in range(band if band == max(bands) and band >= MIN_BAND else 0):
            grid = _at_side(grid, side, without_top)
    size = (best.grid.rows, best.grid.columns)
    if (grid.rows, grid.columns) != size or max(bands) < MIN_BAND:
        return best
    rather = _compared(image, _candidate(image, grid))
    numbers, ours = ((each.read.numbers.argmax(axis=-1) > 0).sum() for each in (rather, best))
    return rather if numbers > ours else best


def _read_around(image: Image, candidate: Candidate, settings: Mapping[str, str]) -> Around:
    """What stands around a grid, near it or farther away.

    Raises
    ------
    AnswerUnclear, AnswerOffSheet
    """
    near = _read_within(image, candidate, settings, _around(candidate.grid))
    if near.bonuses is not None:
        return near
    paper = paper_box(image, candidate.placement, candidate.box, FAR_REACH)
    far = _read_within(image, candidate, settings, _beside(candidate.grid, paper))
    # far away other things are digits, too: only what is wholly seen tells
    return near if far.bonuses is None or far.bonuses.unseen else far


def _figure_boxes(image: Image, best: Candidate, around: Around) -> tuple[Box, ...]:
    """The boxes for figures, near the grid or farther away on its paper."""
    assert around.bonuses is not None
    taken = [best.box, *_places_box(around.bonuses)]
    inner = bounds(taken).grown(PAGE_MARGIN)
    paper = paper_box(image, best.placement, inner, FAR_REACH)
    found = find_figure_boxes(around.flat, around.area, AROUND_PIXELS, taken, paper)
    area = _beside(best.grid, paper)
    if not found and area != _around(best.grid):
        flat = rectify(image, best.placement, area, AROUND_PIXELS)
        found = find_figure_boxes(flat, area, AROUND_PIXELS, taken, paper)
    if not found and (open_paper := _open_where_unseen(paper, inner)) != paper:
        found = find_figure_boxes(around.flat, around.area, AROUND_PIXELS, taken, open_paper)
    return found


def _open_where_unseen(paper: Box, inner: Box) -> Box:
    """The paper, without end where no edge of it was seen beyond what surely lies on it."""
    return Box(
        paper.left if paper.left < inner.left - UNSEEN else -inf,
        paper.top if paper.top < inner.top - UNSEEN else -inf,
        paper.right if paper.right > inner.right + UNSEEN else inf,
        paper.bottom if paper.bottom > inner.bottom + UNSEEN else inf,
    )


def _read_within(
    image: Image, candidate: Candidate, settings: Mapping[str, str], area: Box
) -> Around:
    """Raises AnswerUnclear, AnswerOffSheet. ``area`` : where bonuses are sought."""
    numbers, rows, doubts = _decided(candidate, settings)
    grid, box = candidate.grid, candidate.box
    hues = candidate.read.hues
    flat = rectify(image, candidate.placement, area, AROUND_PIXELS)
    digits = find_digits(flat, area, AROUND_PIXELS, box)
    said = _parsed(settings, grid.rows, grid.columns).bonuses
    bonuses, decided, most = None, dict(rows), (-np.inf, -np.inf)
    for chosen in _choices(candidate.read, rows, settings):
        at = sorted(chosen)
        owners = {color: row for row, color in chosen.items()}
        owned = {pair: owners[color] for pair, color in said.items() if color in owners}
        found = find_bonuses(flat, area, AROUND_PIXELS, digits, at, hues[at], box, owned)
        if found is None:
            continue
        # Pairs stand for rows, so whole ones tell of rows whose tint hardly shows.
        tinted = _log_probability(candidate.read, at)
        weight = found.weight, tinted
        if weight > most:
            bonuses, decided, most = found, {row: chosen[row] for row in at}, weight
        is_whole = not (found.unseen or found.unsure) and tinted > np.log(SURE)
        if (is_whole and len(at) == USUAL_COUNT) or any(map(_is_of_row, settings)):
            break
    if bonuses is not None:
        named = with_hues(candidate.read, sorted(decided), bonuses.hues)
        candidate = replace(candidate, read=named)
        told = _parsed(settings, grid.rows, grid.columns).rows
        decided = {row: told.get(row, named.rows[row].color) for row in sorted(decided)}
        numbers, rows, doubts = _decided(candidate, settings)
    if bonuses is not None and not bonuses.unseen and not any(map(_is_of_row, settings)):
        doubts = _counted_rows(doubts, candidate.read, decided)
    elif decided != rows:
        doubts = _with_rows(doubts, rows, decided)
    if bonuses is not None and not any(map(_is_of_row, settings)):
        doubts = _with_other_hues(doubts, hues[sorted(decided)], bonuses.hues, decided)
    return Around(area, flat, numbers, decided, doubts, bonuses)


def _marked(image: Image, best: Candidate, around: Around) -> Mapping[Cell, float]:
    """The cells that look marked beside the others of the same print, and log-odds of that.

    All numbers are of one kind: the fewer places are alike, the less is known of their print.
    """
    alike = dict.fromkeys(around.numbers, VALUES[0])
    grid_alone = parse_layout(_data("", "", best, alike, around.rows, None, ()))
    marks = read_patches(image, best.placement, grid_alone)
    odds = np.max([marks[CELL, mark] for mark in grid_alone.fields[CELL].marks], axis=0)
    return {cell: odds[cell] for cell in grid_alone.grid.cells if odds[cell] >= MIN_MARKED}


def _named(cell: Cell) -> str:
    return f"cell {cell[0]},{cell[1]}"


def check(layout: Layout) -> None:
    """Refuse a layout that is no sheet of this game; raises KeyError, ValueError."""
    sheet = parse_sheet(layout.printed, layout.grid.rows, layout.grid.columns)
    bonus = layout.fields["bonus"]
    if len(bonus.centres) != sum(len(row.bonuses) for row in sheet.colored_rows):
        raise ValueError
    for figure in NAMES if layout.figures else ():  # without boxes for sums none are read
        if len(layout.figures[figure].centres) != 1:
            raise ValueError


def settable(learnt: Learnt) -> tuple[Settable, ...]:
    """All cells by number, all rows and pairs of bonuses by colour, and the size of the grid."""
    grid = learnt.layout.grid
    sizes = [
        _size_told(grid.rows + rows, grid.columns + columns)
        for rows, columns in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
    ]
    whole = Settable(
        GRID,
        Box(0.0, -0.5, float(grid.columns), 0.0),
        tuple(sizes),
        phrase("grid-place"),
    )
    numbers = (NONE, *(str(value) for value in VALUES))
    cells = [
        Settable(
            _named((row, column)),
            Box(float(column), float(row), column + 1.0, row + 1.0),
            numbers,
            phrase("cell-place", row=grid.rows - row, column=column + 1),
        )
        for row, column in grid.cells
    ]
    rows = [
        Settable(
            f"row {row}",
            Box(-ROW_REACH, float(row), 0.0, row + 1.0),
            (PLAIN, *color_choices()),
            phrase("row", number=grid.rows - row),
        )
        for row in range(grid.rows)
    ]
    field = learnt.layout.fields["bonus"]
    pairs = np.array(field.centres).reshape(-1, len(BONUSES), 2)
    half = np.array(field.size) / 2
    colors = tuple(str(row["color"]) for row in learnt.layout.printed["colored_rows"])
    order = [pairs[at] for at in reading_order(pairs[:, 0].tolist())]
    bonuses = [
        Settable(
            f"bonus {at}",
            Box(*(np.min(pair, axis=0) - half), *(np.max(pair, axis=0) + half)),
            colors,
            phrase("bonuses-place", number=at + 1),
        )
        for at, pair in enumerate(order)
    ]
    return (*cells, *rows, *bonuses, whole)


def _candidates(image: Image, size: tuple[int, int] | None) -> list[tuple[Candidate, Candidate]]:
    """The grids of a photo, each in its turns and beside the opposite one.

    Those most like one of this game come first. size : rows and columns, if a person says them.
    """
    found: list[tuple[Candidate, Candidate]] = []
    for at, grid in enumerate(find_grids(image)[:MOST_GRIDS]):
        if at >= MAX_GRIDS and any(_is_like_this_game(each) for each, _ in found):
            break
        try:
            for sized in _sizes(image, grid, size):
                turns = _upright(image, sized)
                found += turns if size else [_before_bonuses(image, each) for each in turns]
        except np.linalg.LinAlgError:
            continue
    fitting = [each for each in found if size in (None, (each[0].grid.rows, each[0].grid.columns))]
    # a sheet of another game beside it may have more that is a little like digits
    fitting.sort(
        key=lambda both: (any(map(_is_like_this_game, both)), _weight(both[0])), reverse=True
    )
    return fitting


def _best_of(
    image: Image, fitting: Sequence[tuple[Candidate, Candidate]]
) -> tuple[Candidate, Candidate]:
    """Of grids as of `_candidates` the first one, or one elsewhere that has all bonuses beside it.

    The opposite turn of it comes second.
    """
    best, *others = fitting
    elsewhere = next((each for each in others if not _overlap(each[0].grid, best[0].grid)), None)
    if elsewhere is None or _has_all_bonuses(image, best[0]):
        return best
    return elsewhere if _has_all_bonuses(image, elsewhere[0]) else best


def _before_bonuses(image: Image, both: tuple[Candidate, Candidate]) -> tuple[Candidate, Candidate]:
    """A grid and its opposite turn, without the last row where that is the one of the bonuses."""
    if not _ends_in_bonuses(both[0].read):
        return both
    return _both_ways(image, _at_side(both[0].grid, 2, without_top))


def _has_all_bonuses(image: Image, candidate: Candidate) -> bool:
    """Whether the bonuses of a sheet of this game stand around a grid, in the rows' colours."""
    bonuses = _read_around(image, candidate, {}).bonuses
    return bonuses is not None and not bonuses.unseen and len(bonuses.centres) == USUAL_COUNT


def _has_colored_bonuses(image: Image, candidate: Candidate) -> bool:
    """Whether bonuses around a grid tell the game, though its numbers are not like any."""
    bonuses = _read_around(image, candidate, {}).bonuses
    return bonuses is not None and not bonuses.unseen and bool(bonuses.hues.any())


def _overlap(one: FoundGrid, other: FoundGrid) -> bool:
    """Whether the middle of one of two grids lies in the other."""
    return any(
        cv2.pointPolygonTest(each.corners.astype(np.float32), [*map(float, middle)], False) >= 0
        for each, middle in ((one, other.photo.mean(axis=0)), (other, one.photo.mean(axis=0)))
    )


def _upright_by_bonuses(image: Image, best: Candidate, opposite: Candidate) -> Candidate:
    """The grid or its opposite turn: bonuses tell, too, which side is up if numbers hardly do."""
    if _weight(best) - _weight(opposite) >= BONUSES_WORTH:
        return best

    def weight(candidate: Candidate) -> float:
        bonuses = _read_around(image, candidate, {}).bonuses
        share = bonuses.weight / (USUAL_COUNT * len(BONUSES)) if bonuses else 0.0
        return _weight(candidate) + BONUSES_WORTH * share

    return max((best, opposite), key=weight)


def _ends_in_bonuses(read: PrintRead) -> bool:
    """Whether the last row is no row of the grid, but that of the bonuses: full of 4s and 2s."""
    values = np.array((0, *VALUES))[read.numbers[-1].argmax(axis=-1)]
    return bool(np.isin(values, BONUSES).all())


def _sizes(
    image: Image, grid: FoundGrid, size: tuple[int, int] | None = None
) -> Iterator[FoundGrid]:
    """The grid extended by all lines that show, and to the usual size, where that may be its own.

    size : rows and columns, if a person says them.

    Raises
    ------
    numpy.linalg.LinAlgError
    """
    whole = extended(image, grid)
    if size is not None:
        for rows, columns in (size, size[::-1]):
            fitted = fitted_to(image, whole, rows, columns, 0.0)
            if fitted is not None:
                yield fitted
        return
    yield whole
    if _is_usual(whole):
        return
    for rows, columns in (USUAL_SIZE, USUAL_SIZE[::-1]):
        for part in (whole, grid):
            if part.rows > rows or part.columns > columns:
                continue
            fitted = fitted_to(image, part, rows, columns)
            if fitted is part or (fitted is not None and other_size(image, fitted) is None):
                yield fitted
                break


def _other_sizes(image: Image, grid: FoundGrid) -> Iterator[tuple[int, int]]:
    """Rows and columns that a grid may have instead.

    As of `other_size`; a grid that lacks one of the usual rows or columns has it where that shows
    faintly.
    """
    for size in ((USUAL_SIZE[0], grid.columns), (grid.rows, USUAL_SIZE[1])):
        is_short = sum(size) == grid.rows + grid.columns + 1
        if is_short and fitted_to(image, grid, *size, MIN_FAINT) is not None:
            yield size
    other = other_size(image, grid)
    if other is not None:
        yield other


def _with_line_beyond(image: Image, best: Candidate) -> Candidate:
    """The grid, with one more faint row if that row bears numbers, or with such a column.

    A column goes on with the rows' colours, too; a row is like another one where all coloured ones
    are known.

    Raises
    ------
    numpy.linalg.LinAlgError
    """
    rows, columns = best.grid.rows, best.grid.columns
    sides = (Box(-1.0, 0.0, 0.0, rows), Box(float(columns), 0.0, columns + 1.0, rows))
    is_full = sum(row.colored > 0.5 for row in best.read.rows) >= USUAL_COUNT
    for size in _other_sizes(image, best.grid):
        axis = int(size[1] > columns)
        whole = (
            fitted_to(image, best.grid, *size, MIN_FAINT) if sum(size) > rows + columns else None
        )
        if whole is None:
            continue
        is_above = bool((whole.cells - best.grid.cells)[:, 1].mean() > 0.5)
        if axis == 1:
            goes_on = any(_goes_on_in_color(image, best, side) for side in sides)
        else:
            top = -1.0 if is_above else float(rows)
            further = Box(0.0, top, float(columns), top + 1.0)
            goes_on = not is_full or _is_like_a_row(image, best, further)
        larger = _candidate(image, whole) if goes_on else None
        ends = [0, -1] if axis == 1 else [0 if is_above else -1]
        if larger and _numbered(larger.read, axis)[ends].all():
            now, then = (_read_around(image, each, {}).bonuses for each in (best, larger))
            if then is not None and then.seen >= (now.seen if now else 0):
                return larger
    return best


def _with_numbers_beyond(image: Image, best: Candidate, around: Around) -> Settled:
    """The grid, with the rows or columns beyond it that bear numbers as its own do.

    Lines hardly show in some rows, beyond which there are others. Bonuses are no such numbers.
    """
    place, bonuses = best.read.place, around.bonuses
    if place is None:
        return best, around
    grid, more = best.grid, [0] * 4
    rows, columns = grid.rows, grid.columns
    taken = {(floor(y), floor(x)) for pair in bonuses.centres for x, y in pair} if bonuses else ()
    sides = (
        Box(0, -BEYOND, columns, 0), Box(-BEYOND, 0, 0, rows),
        Box(0, rows, columns, rows + BEYOND), Box(columns, 0, columns + BEYOND, rows),
    )  # fmt: skip
    for quarters, box in enumerate(sides):  # a turn's top is one of the sides
        flat = rectify(image, best.placement, box, GRID_PIXELS)
        cells = [(int(box.top) + row, int(box.left) + at) for row, at in numbers_at(flat, place)]
        away = [
            (-row, -column, row - rows + 1, column - columns + 1)[quarters]
            for row, column in cells
            if (row, column) not in taken
        ]
        for depth in sorted(away) if len(away) >= MIN_BEYOND else ():
            if depth <= more[quarters] + MAX_BARE + 1:
                more[quarters] = depth
    for further in more:
        longer = with_rows(grid, further)
        if further and plainness_above(image, without_top(longer)) >= MIN_PLAINNESS:
            grid = longer
        grid = grid.turned()
    if grid.rows + grid.columns == rows + columns or max(grid.rows, grid.columns) > MAX_GRID_SIDE:
        return best, around
    larger = _settled_on(image, grid)
    return larger if larger and _sees_as_many(larger[1], bonuses) else (best, around)


def _with_colored_row_beyond(image: Image, best: Candidate, around: Around) -> Settled:
    """The grid, with a further coloured row where one lacks: more pairs of bonuses than such rows.

    Of a row in its frame or with pale lines no cells may be seen.
    """
    bonuses = around.bonuses
    colored = [best.read.rows[row].colored for row in around.rows]
    if not _are_whole(bonuses) or min(colored) > MAX_LACKING:
        return best, around
    for quarters in (0, 2):
        larger = _with_clear_row(image, best.grid, quarters)
        if larger is None or not _sees_as_many(larger[1], bonuses):
            continue
        if all(larger[0].read.rows[row].colored >= SURE for row in larger[1].rows):
            return larger
    return best, around


def _with_clear_row(image: Image, grid: FoundGrid, quarters: int) -> Settled | None:
    """The grid with a further row, where it is clear what most of its cells bear."""
    if grid.rows == MAX_GRID_SIDE:
        return None
    larger = _read_on(image, _at_side(grid, quarters, _with_top))
    if larger is None or not _is_clear(larger.read.numbers[-(quarters // 2)]):
        return None
    return _settled_on(image, larger)


def _is_clear(numbers: NDArray[np.float64]) -> bool:
    """Whether it is clear what most of some cells bear. ``numbers`` : as of `PrintRead`."""
    return bool((numbers.max(axis=-1) >= SURE).mean() >= MIN_CLEAR)


def _sees_as_many(then: Around, bonuses: BonusPlaces | None) -> bool:
    """Whether as many bonuses are seen as before."""
    return then.bonuses is not None and then.bonuses.seen >= (bonuses.seen if bonuses else 0)


def _without_bonuses(image: Image, best: Candidate) -> Candidate:
    """The grid without its last row, if that is some of the bonuses: then the others go on below.

    Raises
    ------
    numpy.linalg.LinAlgError
    """
    last = {(0, *VALUES)[at] for at in best.read.numbers[-1].argmax(axis=-1)}
    if best.grid.rows <= MIN_ROWS or not last.issuperset(BONUSES) or last - {0, *BONUSES}:
        return best
    smaller = _candidate(image, _at_side(best.grid, 2, without_top))
    now, then = (_read_around(image, each, {}).bonuses for each in (best, smaller))
    if then is None or then.unseen or then.seen <= (now.seen if now else 0):
        return best
    # not where more pairs are found than rows are coloured
    colored = sum(row.colored > MAX_LACKING for row in smaller.read.rows)
    return smaller if len(then.centres) <= colored or now is None else best


def _without_bonus_row(image: Image, best: Candidate, around: Around) -> Settled:
    """The grid without its last row, where only then all bonuses are found, which stand in it."""
    if around.bonuses is not None or best.grid.rows <= MIN_ROWS:
        return best, around
    smaller = _settled_on(image, _at_side(best.grid, 2, without_top))
    return smaller if smaller and _are_whole(smaller[1].bonuses) else (best, around)


def _are_whole(bonuses: BonusPlaces | None) -> bool:
    """Whether all bonuses are found and seen."""
    return bonuses is not None and not bonuses.unseen


def _without_plain_column(image: Image, best: Candidate, around: Around) -> Settled:
    """The grid without an outer column that lines of a picture beside it make.

    No coloured row goes on there, and it is not clear what its cells bear.
    """
    rows, columns = best.grid.rows, best.grid.columns
    if _is_usual(best.grid) or columns <= MIN_COLUMNS or around.bonuses is None:
        return best, around
    for quarters, box in (
        (1, Box(0.0, 0.0, 1.0, float(rows))),
        (3, Box(columns - 1.0, 0.0, float(columns), float(rows))),
    ):
        is_clear = _is_clear(best.read.numbers[:, int(box.left)])
        if is_clear or _share_in_color(image, best, box) > MAX_OTHER_TINT:
            continue
        smaller = _settled_on(image, _at_side(best.grid, quarters, without_top))
        if smaller and _sees_as_many(smaller[1], around.bonuses):
            return smaller
    return best, around


def _with_shown_rows(image: Image, best: Candidate, around: Around) -> Settled:
    """The grid, with all further rows whose lines show like its own.

    A grid may end where its bonuses were taken for its last row.
    """
    ends = [True, True]
    while any(ends) and best.grid.rows < MAX_GRID_SIDE:
        end = 0 if ends[0] else 1
        larger = _with_shown_row(image, best, around, is_above=end == 0)
        if larger is None:
            ends[end] = False
        else:
            best, around = larger
    return best, around


def _with_shown_row(
    image: Image, best: Candidate, around: Around, is_above: bool
) -> Settled | None:
    """The grid with a further row above or below it, None where no such row is plain."""
    at, top = (0, -1.0) if is_above else (-1, float(best.grid.rows))
    row = Box(0.0, top, float(best.grid.columns), top + 1.0)
    if side_lines(image, best.grid).rows[at] < LIKE_LINES or _is_taken(row, around.bonuses):
        return None
    quarters = 0 if is_above else 2
    settled = _with_clear_row(image, best.grid, quarters)
    if settled is None:
        return None
    larger, then = settled
    is_colored = at % larger.grid.rows in then.rows
    # a chequered band beside a grid is none of its rows
    bears_numbers = _values_of(larger.read, quarters, SURE).any()
    is_row = is_colored or bears_numbers or _is_like_a_row(image, best, row)
    return settled if is_row and _is_no_less(then, around) else None


def _is_taken(side: Box, bonuses: BonusPlaces | None) -> bool:
    """Whether bonuses stand in a row or column, or reach into it."""
    if bonuses is None:
        return False
    reach = side.grown(OWN_PLACE * bonuses.size / 2)
    return any(
        reach.left < x < reach.right and reach.top < y < reach.bottom
        for pair in bonuses.centres
        for x, y in pair
    )


def _is_no_less(then: Around, now: Around) -> bool:
    """Whether all bonuses are seen in a changed grid, or as many as before."""
    if then.bonuses is None:
        return now.bonuses is None
    seen = now.bonuses.seen if now.bonuses and not now.bonuses.unseen else 0
    return (not then.bonuses.unseen and then.bonuses.seen >= seen) or (
        then.bonuses.seen >= (now.bonuses.seen if now.bonuses else 0)
    )


def _without_unparted_sides(image: Image, best: Candidate, around: Around) -> Settled:
    """The grid without outer rows and columns that bear no number and in which nothing parts cells.

    Nor with a column of bonuses beside the coloured rows.
    """
    for quarters in range(4):  # a turn's top is one of the sides
        least = MIN_COLUMNS if quarters % 2 else MIN_ROWS
        while (best.grid.columns if quarters % 2 else best.grid.rows) > least:
            is_bare = not _values_of(best.read, quarters).any()
            may_go = is_bare and _is_unparted(image, best, around.rows, quarters)
            if not (may_go or _is_of_bonuses(best, around, quarters)):
                break
            smaller = _settled_on(image, _at_side(best.grid, quarters, without_top))
            is_whole = smaller is not None and _are_whole(smaller[1].bonuses)
            if not (smaller and (is_whole or may_go) and _is_no_less(smaller[1], around)):
                break
            best, around = smaller
    return best, around


def _is_unparted(image: Image, best: Candidate, colored: Collection[int], quarters: int) -> bool:
    """Whether nothing parts the cells of a side, in the order of turns, as within the grid.

    A coloured row may hide its lines. ``colored`` : those rows.
    """
    at = 0 if quarters < 2 else -1
    if quarters % 2 == 0 and at % best.grid.rows in colored:
        return False
    lines = side_lines(image, best.grid)
    shares = lines.columns if quarters % 2 else lines.rows
    return bool(shares[1:-1][at] < UNLIKE_LINES)


def _values_of(read: PrintRead, quarters: int, least: float = 0.0) -> NDArray[np.intp]:
    """The numbers in the cells of a side, in the order of turns; 0: none, or less sure."""
    told = np.array((0, *VALUES), np.intp)[read.numbers.argmax(axis=-1)]
    told[read.numbers.max(axis=-1) < least] = 0
    sides: tuple[NDArray[np.intp], ...] = (told[0], told[:, 0], told[-1], told[:, -1])
    return sides[quarters]


def _is_of_bonuses(best: Candidate, around: Around, quarters: int) -> bool:
    """Whether an outer column is one of bonuses: it bears one of them in each coloured row only."""
    if quarters % 2 == 0:
        return False
    values = _values_of(best.read, quarters)
    is_colored = np.isin(np.arange(best.grid.rows), [*around.rows])
    return any((values == np.where(is_colored, bonus, 0)).all() for bonus in BONUSES)


def _ends_in_print(read: PrintRead, axis: int) -> bool:
    """Whether the first and the last row (axis 0) or column (1) bear a number, or are coloured."""
    is_printed = _numbered(read, axis)
    if axis == 0:
        is_printed = is_printed | (np.array([row.colored for row in read.rows]) >= SURE)
    return bool(is_printed[0] and is_printed[-1])


def _numbered(read: PrintRead, axis: int) -> NDArray[np.bool_]:
    """Which rows (axis 0) or columns (1) surely bear a number, and nothing that is like none."""
    is_sure = read.numbers.max(axis=-1) >= SURE
    is_number = read.numbers.argmax(axis=-1) > 0
    return np.asarray(is_sure.all(axis=1 - axis) & is_number.any(axis=1 - axis))


def _open_size(image: Image, best: Candidate, layout: Layout) -> tuple[int, int] | None:
    """Rows and columns that a grid may have instead, by all that is known of its print."""
    rows, columns = best.grid.rows, best.grid.columns
    colored = [int(row["row"]) for row in layout.printed["colored_rows"]]
    for quarters in range(4):
        # bonuses that were taken for numbers are no others
        is_numbered = not np.isin(_values_of(best.read, quarters, SURE), (0, *BONUSES)).all()
        if _is_unparted(image, best, colored, quarters) and not is_numbered:
            return (rows, columns - 1) if quarters % 2 else (rows - 1, columns)
    # a chequered band may pass for rows
    bare = max(_bands(best, colored))
    if bare >= MIN_BAND and rows - bare >= MIN_ROWS:
        return rows - bare, columns
    for size in _other_sizes(image, best.grid):
        if _is_open(size, image, best, layout):
            return size
    ends = (Box(0.0, -1.0, float(columns), 0.0), Box(0.0, float(rows), float(columns), rows + 1.0))
    is_lacking = any(_takes_color(image, best, row) for row in ends)
    return (rows + 1, columns) if is_lacking and rows < MAX_GRID_SIDE else None


def _is_open(size: tuple[int, int], image: Image, best: Candidate, layout: Layout) -> bool:
    """Whether a grid may have this other size, by what is printed where it would go on.

    No row or column lies where bonuses or sums stand, a column goes on with the rows' colours and
    what parts its cells, and a row bears clear numbers or none, with what parts its cells or, where
    no further one is coloured, on a ground like another's.
    The grid is not smaller where both outer lines bear print.
    """
    rows, columns = best.grid.rows, best.grid.columns
    if size[0] < rows or size[1] < columns:
        return not _ends_in_print(best.read, 0 if size[0] < rows else 1)
    beside = (
        Box(0.0, -1.0, float(columns), 0.0), Box(-1.0, 0.0, 0.0, float(rows)),
        Box(0.0, float(rows), float(columns), rows + 1.0),
        Box(float(columns), 0.0, columns + 1.0, float(rows)),
    )  # fmt: skip
    others = [layout.fields["bonus"], *layout.figures.values()]
    is_full = len(layout.printed["colored_rows"]) >= USUAL_COUNT
    lines = side_lines(image, best.grid)
    turned, sides = best.grid, []
    for quarters, box in enumerate(beside):  # a turn's top is one of the sides
        is_column = quarters % 2 == 1
        if (
            is_column == (size[1] > columns)
            and plainness_above(image, turned) >= MIN_FAINT
            and goes_on_evenly(image, turned)
        ):
            is_taken = any(
                box.left < x < box.right and box.top < y < box.bottom
                for field in others
                for x, y in field.centres
            )
            goes_on = _goes_on_in_color if is_column else _goes_on_clearly
            shares = lines.columns if is_column else lines.rows
            is_parted = shares[-(quarters // 2)] >= UNLIKE_LINES
            is_own = is_parted or not (
                is_column or (is_full and not _is_like_a_row(image, best, box))
            )
            sides.append(not is_taken and is_own and goes_on(image, best, box))
        turned = turned.turned()
    return any(sides)


def _goes_on_in_color(image: Image, best: Candidate, column: Box) -> bool:
    """Whether the coloured rows are tinted in a column beside the grid as they are in it."""
    return _share_in_color(image, best, column) > MIN_SAME_TINT


def _share_in_color(image: Image, best: Candidate, column: Box) -> float:
    """How much of the tints of the coloured rows a column has; 1 where their grounds have none."""
    own, beside = (
        row_tints(cell_grounds(rectify(image, best.placement, box, TINT_PIXELS), *size))
        for box, size in (
            (best.box, (best.grid.rows, best.grid.columns)),
            (column, (best.grid.rows, 1)),
        )
    )
    colored = [at for at, row in enumerate(best.read.rows) if row.colored > 0.5]
    whole = float((own[colored] ** 2).sum())
    if whole < len(colored) * MIN_CHROMA**2:
        return 1.0
    return float((beside[colored] * own[colored]).sum()) / whole


def _is_like_a_row(image: Image, best: Candidate, beside: Box) -> bool:
    """Whether the ground of a row beside the grid is like that of one of its rows."""
    size = best.grid.rows, best.grid.columns
    own, further = (
        np.median(cell_grounds(rectify(image, best.placement, box, TINT_PIXELS), *of), axis=1)
        for box, of in ((best.box, size), (beside, (1, best.grid.columns)))
    )
    return bool(np.abs(own - further).max(axis=1).min() < MAX_OTHER_GROUND)


def _goes_on_clearly(image: Image, best: Candidate, row: Box) -> bool:
    """Whether it is clear of most cells of a row beside the grid what they bear."""
    read, at = _with_further(image, best, row)
    return _is_clear(read.numbers[at])


def _takes_color(image: Image, best: Candidate, row: Box) -> bool:
    """Whether a row beside the grid is clear and coloured, and one in it then is not that was."""
    read, at = _with_further(image, best, row)
    colored = [each.colored > 0.5 for each in read.rows]
    before = [each.colored > 0.5 for each in best.read.rows]
    is_colored = colored.pop(at) and _is_clear(read.numbers[at])
    return is_colored and any(was and not now for was, now in zip(before, colored, strict=True))


def _with_further(image: Image, best: Candidate, row: Box) -> tuple[PrintRead, int]:
    """What is printed on the grid with a row beside it, and the index of that row: 0 or -1."""
    quarters = 0 if row.top < 0 else 2
    read = _candidate(image, _at_side(best.grid, quarters, _with_top)).read
    return read, -(quarters // 2)


def _is_usual(grid: FoundGrid) -> bool:
    return sorted((grid.rows, grid.columns)) == sorted(USUAL_SIZE)


def _upright(image: Image, grid: FoundGrid) -> list[tuple[Candidate, Candidate]]:
    """The turns of a grid in which each row has one hue; upside down is one of them.

    Each with the opposite turn.
    """
    turns = [grid, grid.turned()]
    evenness = []
    for turn in turns:
        flat = rectify(image, _placement(turn), _grid_box(turn), TINT_PIXELS)
        evenness.append(within_rows(cell_grounds(flat, turn.rows, turn.columns)))
    pairs = [
        _both_ways(image, turn)
        for quarters, turn in enumerate(turns)
        if evenness[quarters] <= SAME_EVENNESS * min(evenness)
        and turn.rows >= MIN_ROWS
        and turn.columns >= MIN_COLUMNS
    ]
    return [*pairs, *(pair[::-1] for pair in pairs)]


def _candidate(image: Image, grid: FoundGrid) -> Candidate:
    placement = _placement(grid)
    flat = rectify(image, placement, _grid_box(grid), GRID_PIXELS)
    return Candidate(grid, placement, read_print(flat, grid.rows, grid.columns))


def _both_ways(image: Image, grid: FoundGrid) -> tuple[Candidate, Candidate]:
    """A grid and its opposite turn: what may be digits is sought in one of both."""
    placement, opposite = _placement(grid), grid.turned().turned()
    flat = rectify(image, placement, _grid_box(grid), GRID_PIXELS)
    size, found = (grid.rows, grid.columns), glyphs_in_cells(flat, GRID_PIXELS)
    over = np.ascontiguousarray(flat[::-1, ::-1])
    return (
        Candidate(grid, placement, read_print(flat, *size, found)),
        Candidate(
            opposite, _placement(opposite), read_print(over, *size, turned_over(found, over))
        ),
    )


def _placement(grid: FoundGrid) -> Placement:
    return grid.placement(_grid_box(grid).grown(FAR_REACH + REACH))


def _grid_box(grid: FoundGrid) -> Box:
    return Box(0.0, 0.0, float(grid.columns), float(grid.rows))


def _around(grid: FoundGrid) -> Box:
    """The part of the sheet in which everything stands."""
    return Box(AROUND.left, AROUND.top, grid.columns + AROUND.right, grid.rows + AROUND.bottom)


def _beside(grid: FoundGrid, paper: Box) -> Box:
    """The same, grown to where the paper ends: wide sheets have print far beside the grid."""
    area = bounds([_around(grid), paper])
    return Box(area.left, AROUND.top, area.right, area.bottom)


def _weight(candidate: Candidate) -> float:
    """`_score`, how surely the numbers are read, and how usual the size is."""
    usual = USUAL_SIZE_WORTH if _is_usual(candidate.grid) else 0.0
    certainty = max(candidate.read.certainty, MIN_CERTAINTY)
    return _score(candidate) + CERTAINTY_WORTH * certainty + usual


def _score(candidate: Candidate) -> float:
    """How much a grid is like one of this game: upright digits in it, some rows tinted."""
    strengths = [row.colored for row in candidate.read.rows]
    colored = sum(each > 0.5 for each in strengths)
    is_tinted = max((1 - min(row.tint) for row in candidate.read.rows), default=0.0) > 0.05
    return candidate.read.likeness - (0 if colored > 0 and is_tinted else 3.0)


def _is_like_this_game(candidate: Candidate) -> bool:
    """Whether a grid is like one of this game by itself, without bonuses beside it."""
    read = candidate.read
    excess = read.likeness / max(read.digits, 1)
    return _score(candidate) >= MIN_SCORE and read.numbered >= MIN_NUMBERED and excess >= MIN_EXCESS


def _are_sure(bonuses: BonusPlaces) -> bool:
    """Whether bonuses tell the game: all are seen, or nearly all, in the colours of the rows."""
    return bonuses.unseen <= (MAX_UNSEEN if bonuses.hues.any() else 0)


def _check_frame(best: Candidate, image: Image) -> None:
    """Raises SheetCutOff where the grid or what stands below it runs beyond the photo's edge."""
    height, width = image.shape[:2]
    box = Box(0.0, -0.2, float(best.grid.columns), best.grid.rows + 1.6)
    seen = best.placement.to_photo(np.array(box.corners))
    for side, beyond in (
        ("left", -seen[:, 0].min()), ("right", seen[:, 0].max() - width + 1),
        ("top", -seen[:, 1].min()), ("bottom", seen[:, 1].max() - height + 1),
    ):  # fmt: skip
        if beyond > 0.35 * best.placement.cell_size():
            raise SheetCutOff(side)  # type: ignore[arg-type]


Decided = tuple[dict[Cell, int], dict[int, str], list[PrintDoubt]]
"""Numbers by cell, colours by row (top first), and what is not sure of them."""


def _decided(best: Candidate, settings: Mapping[str, str]) -> Decided:
    """The most probable print, or what the settings say of it.

    Raises
    ------
    AnswerUnclear, AnswerOffSheet
    """
    said = _parsed(settings, best.grid.rows, best.grid.columns)
    cells, rows = said.cells, said.rows
    numbers: dict[Cell, int] = {}
    colors: dict[int, str] = {}
    doubts: list[PrintDoubt] = []
    signs = (0, *VALUES)
    chances = doubted_without_a_value(best.read.numbers, {*map(signs.index, cells.values())})
    for row in range(best.grid.rows):
        for column in range(best.grid.columns):
            odds = chances[row, column]
            at = int(odds.argmax())
            value = signs[at]
            if (row, column) in cells:
                value = cells[row, column]
            elif odds[at] < SURE:
                told = [NONE if each == 0 else str(each) for each in signs]
                other = int(odds.argsort()[-2])
                doubt = PrintDoubt(_named((row, column)), told[at], float(odds[at]), told[other])
                doubts.append(doubt)
            if value:
                numbers[row, column] = value
    for at, read in enumerate(best.read.rows):
        if at in rows:
            if rows[at] != PLAIN:
                colors[at] = rows[at]
            continue
        color = read.color
        is_colored = read.colored > 0.5
        sure = read.colored * read.names[color] if is_colored else 1 - read.colored
        if is_colored:
            colors[at] = color
        if sure < SURE:
            doubts.append(_row_doubt(at, read, is_colored, float(sure)))
    return numbers, colors, doubts


def _row_doubt(row: int, read: RowRead, is_colored: bool, sure: float) -> PrintDoubt:
    """What else the row may be: plain, coloured, or of another colour."""
    if not is_colored:
        return PrintDoubt(f"row {row}", PLAIN, sure, read.color)
    others = {PLAIN: 1 - read.colored} | {
        name: read.colored * p for name, p in read.names.items() if name != read.color
    }
    return PrintDoubt(f"row {row}", read.color, sure, max(others, key=others.__getitem__))


def _with_rows(
    doubts: list[PrintDoubt], before: Mapping[int, str], rows: Mapping[int, str]
) -> list[PrintDoubt]:
    """The doubts where other rows are coloured than by their tint: each such row is one."""
    changed = {
        f"row {row}": (rows.get(row, PLAIN), before.get(row, PLAIN))
        for row in before.keys() ^ rows.keys()
    }
    kept = [doubt for doubt in doubts if doubt.where not in changed]
    return [
        *kept,
        *(PrintDoubt(where, now, BY_PAIRS, then) for where, (now, then) in changed.items()),
    ]


def _counted_rows(
    doubts: list[PrintDoubt], read: PrintRead, rows: Mapping[int, str]
) -> list[PrintDoubt]:
    """The doubts where bonuses tell how many rows are coloured: then ``rows`` is one set of them.

    A row is as surely coloured as all sets of so many rows say that have it.
    """
    colored = np.clip([row.colored for row in read.rows], MIN_COLORED, 1 - MIN_COLORED)
    odds, names = colored / (1 - colored), {f"row {row}" for row in rows}
    found = [
        doubt
        for doubt in doubts
        if not _is_of_row(doubt.where)
        or (doubt.where in names and PLAIN not in (doubt.read, doubt.otherwise))
    ]
    for at, row in enumerate(read.rows):
        # the coefficients of a polynomial with these roots are the sums over all sets of a size
        others = float(np.poly(-np.delete(odds, at))[len(rows) - 1])
        share = odds[at] * others / float(np.poly(-odds)[len(rows)])
        now, then = (rows[at], PLAIN) if at in rows else (PLAIN, row.color)
        sure = PAIRS_SURE * (share if at in rows else 1 - share)
        if sure < SURE:
            found.append(PrintDoubt(f"row {at}", now, float(sure), then))
    return found


def _with_other_hues(
    doubts: list[PrintDoubt], tints: NDArray[np.float64], hues: NDArray[np.float64],
    rows: Mapping[int, str],
) -> list[PrintDoubt]:  # fmt: skip
    """The doubts, and rows whose bonuses are printed in quite another hue: others may be tinted.

    ``tints``, ``hues`` : (rows, 3), of the rows, top first, and of their bonuses.
    """
    known = {doubt.where for doubt in doubts}
    weak = np.minimum(np.linalg.norm(tints, axis=1), np.linalg.norm(hues, axis=1)) < MIN_CHROMA
    return doubts + [
        PrintDoubt(f"row {row}", rows[row], BY_COLOR, PLAIN)
        for row, match, is_weak in zip(sorted(rows), (tints * hues).sum(axis=1), weak, strict=True)
        if match < 0 and not is_weak and f"row {row}" not in known
    ]


def _unsaid(read: PrintRead, said: Said, doubted: Collection[str]) -> dict[str, float]:
    """How surely each cell and row was read, where that is neither said nor doubted."""
    cells = {
        _named(cell): float(read.numbers[cell].max())
        for cell in np.ndindex(*read.numbers.shape[:2])
        if cell not in said.cells
    }
    rows = {
        f"row {at}": max(row.colored, 1 - row.colored)
        for at, row in enumerate(read.rows)
        if at not in said.rows
    }
    return {where: round(sure, 6) for where, sure in (cells | rows).items() if where not in doubted}


def _is_of_row(place: str) -> bool:
    return place.lower().startswith("row")


def _log_probability(read: PrintRead, rows: Sequence[int]) -> float:
    """Of just these rows being coloured, by their tints."""
    colored = np.clip([row.colored for row in read.rows], MIN_COLORED, 1 - MIN_COLORED)
    plain = np.delete(colored, rows)
    return float(np.log(colored[rows]).sum() + np.log(1 - plain).sum())


def _choices(
    read: PrintRead, rows: Mapping[int, str], settings: Mapping[str, str]
) -> list[dict[int, str]]:
    """Sets of coloured rows, the most probable first: as many as there are pairs of bonuses.

    What a person says of rows holds in all of them.
    """
    choices = [dict(rows)] if rows else []
    said = _parsed(settings, *read.numbers.shape[:2]).rows
    open_rows = [row for row in range(len(read.rows)) if said.get(row) != PLAIN]
    order = sorted(open_rows, key=lambda row: (row not in said, -read.rows[row].colored))
    for count in OTHER_COUNTS:
        is_as_said = count >= len(said.keys() & set(open_rows))
        if count != len(rows) and is_as_said and count < len(order):
            chosen = order[:count]
            choices.append({row: rows.get(row) or read.rows[row].color for row in chosen})
    return choices


@dataclass(frozen=True)
class Said:
    """What a person says of the print: numbers of cells (0: none), colours of rows and bonuses."""

    cells: dict[Cell, int]
    rows: dict[int, str]
    bonuses: dict[int, str]


def _said_size(settings: Mapping[str, str]) -> tuple[int, int] | None:
    """Rows and columns of the grid, if a person says them; raises AnswerUnclear."""
    for place, answer in settings.items():
        if place.lower() == GRID:
            sides = re.fullmatch(r"(\d{1,2}) ?[x×] ?(\d{1,2})", answer.strip().lower())
            size = (int(sides[1]), int(sides[2])) if sides else (0, 0)
            if size[0] < MIN_ROWS or size[1] < MIN_COLUMNS or max(size) > MAX_GRID_SIDE:
                raise AnswerUnclear(f"{place}={answer}", f"{GRID}={_size_told(*USUAL_SIZE)}")
            return size
    return None


def _size_told(rows: int, columns: int) -> str:
    return f"{rows}x{columns}"


def _parsed(settings: Mapping[str, str], rows: int, columns: int) -> Said:
    """Raises AnswerUnclear, AnswerOffSheet."""
    said = Said({}, {}, {})
    values = (*(str(value) for value in VALUES), NONE)
    names = (*color_choices(), PLAIN)
    for place, answer in settings.items():
        value = answer.strip().lower()
        cell = re.fullmatch(r"cell (\d{1,4}), ?(\d{1,4})", place.lower())
        row = re.fullmatch(r"row (\d{1,4})", place.lower())
        bonus = re.fullmatch(r"bonus (\d{1,4})", place.lower())
        if cell and value in values:
            at = int(cell[1]), int(cell[2])
            if at[0] >= rows or at[1] >= columns:
                raise AnswerOffSheet(place, f"cell 0,0 - {rows - 1},{columns - 1}")
            said.cells[at] = 0 if value == NONE else int(value)
        elif row and value in names:
            if int(row[1]) >= rows:
                raise AnswerOffSheet(place, f"row 0 - {rows - 1}")
            said.rows[int(row[1])] = value
        elif bonus and value in color_choices():
            if int(bonus[1]) >= rows:
                raise AnswerOffSheet(place, f"bonus 0 - {rows - 1}")
            said.bonuses[int(bonus[1])] = value
        elif place.lower() != GRID:
            colors = "|".join(color_choices())
            allowed = f"cell 3,4={'|'.join(values)}, row 5={'|'.join(names)}, bonus 0={colors}"
            allowed += f", {GRID}={_size_told(*USUAL_SIZE)}"
            raise AnswerUnclear(f"{place}={answer}", allowed)
    return said


def _places_box(bonuses: BonusPlaces) -> list[Box]:
    half = bonuses.size / 2
    return [
        Box(x - half, y - half, x + half, y + half) for places in bonuses.centres for x, y in places
    ]


def _hex(tint: tuple[float, float, float]) -> str:
    blue, green, red = (round(255 * each) for each in tint)
    return f"#{red:02x}{green:02x}{blue:02x}"


def _data(
    name: str,
    title: str,
    best: Candidate,
    numbers: Mapping[Cell, int],
    rows: Mapping[int, str],
    bonuses: BonusPlaces | None,
    figures: Sequence[Box],
) -> dict[str, Any]:
    """The layout as decoded JSON, see `brikks_vision.layout.parse_layout`.

    Without ``figures`` nothing that the player wrote is read.
    """
    grid = best.grid
    boxes = [best.box, *(_places_box(bonuses) if bonuses else ())]
    boxes += figures
    around = bounds(boxes).grown(PAGE_MARGIN)
    page = {"x": [around.left, around.right], "y": [around.top, around.bottom]}
    prints = [
        "".join(
            str((0, *VALUES).index(numbers.get((row, column), 0))) for column in range(grid.columns)
        )
        for row in range(grid.rows)
    ]
    colored = [{"row": row, "color": color} for row, color in sorted(rows.items())]
    return {
        "name": name,
        "game": GAME,
        "title": title,
        "page": page,
        "reading_area": {axis: _whole_steps(*page[axis]) for axis in ("x", "y")},
        "grid": {"rows": grid.rows, "columns": grid.columns, "line_width": 0.05},
        "fields": {
            CELL: {
                "marks": [Mark.CROSS, Mark.RING, Mark.FILL],
                "prints": prints,
                "drawn": [{}, *({"disc": 0.5} for _ in VALUES)],
            },
            **({"bonus": _bonus_field(bonuses)} if bonuses else {}),
        },
        "figures": _figure_fields(figures) if figures else {},
        "colors": {color: _hex(best.read.rows[row].tint) for row, color in rows.items()},
        "printed": {
            "colored_rows": colored,
            "numbers": [
                {"row": row, "column": column, "value": value}
                for (row, column), value in sorted(numbers.items())
            ],
        },
    }


def _bonus_field(bonuses: BonusPlaces) -> dict[str, Any]:
    places, side = bonuses.centres, bonuses.size
    return {
        "centres": [list(place) for pair in places for place in pair],
        "size": [side, side],
        "marks": [Mark.RING, Mark.CROSS],
        "prints": [at for _ in places for at in range(len(BONUSES))],
        "drawn": [{"box": side} for _ in BONUSES],
    }


def _figure_fields(boxes: Sequence[Box]) -> dict[str, Any]:
    return {
        figure: {
            "centres": [list(box.middle)],
            "size": [box.width, box.height],
            "marks": [Mark.LINE] if figure == TOTAL else [],  # a minus sign
        }
        for figure, box in zip(NAMES, boxes, strict=True)
    }


def _whole_steps(low: float, high: float) -> list[float]:
    half = AREA_STEP * ceil((high - low) / AREA_STEP) / 2
    return [(low + high) / 2 - half, (low + high) / 2 + half]


def _labels(layout: Layout) -> tuple[tuple[tuple[float, float], str], ...]:
    printed = layout.printed
    labels = [
        ((number["column"] + 0.82, number["row"] + 0.25), str(number["value"]))
        for number in printed["numbers"]
    ]
    labels += [((-0.9, row["row"] + 0.5), row["color"]) for row in printed["colored_rows"]]
    places = iter(layout.fields["bonus"].centres)
    for row in printed["colored_rows"]:
        for bonus in BONUSES:
            x, y = next(places)
            labels.append(((x, y + 0.3), f"{row['color'][:3]} {bonus}"))
    for name, field in layout.figures.items():
        labels.append((field.centres[0], name))
    return tuple(labels)
