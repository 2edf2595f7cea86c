"""Proposes a printing of BLOXX!: no printing is known beforehand, all is read off the empty sheet.

Of the grids that show, in all turns, that one is taken whose cells surely bear most numbers; its
size, and which rows are coloured, are hypotheses scored by what shows and by how usual they are,
and what is unsure of them is asked. A person who looks at the proposal says the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from math import ceil, inf, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.align import MAX_OVERRUN, cut_off, is_blurred
from brikks_vision.detect.cells import MAX_GRID_SIDE, FoundGrid, find_grids, line_shares, resized
from brikks_vision.detect.ground import REACH, paper_box
from brikks_vision.detect.measure import AREA_STEP
from brikks_vision.detect.photo import Photo
from brikks_vision.detect.placement import Image, Placement, rectify
from brikks_vision.detect.printed_digits import VALUES, number_chances
from brikks_vision.detect.template import arranged, find_boxes, find_lines, take_blank
from brikks_vision.errors import (
    AnswerOffSheet,
    AnswerUnclear,
    BlankOfOtherGame,
    BonusesNotFound,
    BrikksError,
    GridNotFound,
    SheetTooBlurred,
    SheetTooSmall,
)
from brikks_vision.games import learning
from brikks_vision.games.bloxx import bonus_places, print_reading
from brikks_vision.games.bloxx.bonuses import TOTAL
from brikks_vision.games.bloxx.print_doubts import NONE, PLAIN, row_names
from brikks_vision.infer.answers import cell_at, cell_name
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
from brikks_vision.text.phrases import Phrase

GAME = "bloxx"

# Set by hand on simulated printings, if nothing else is said. Lengths in cells.
MAX_GRIDS, MOST_GRIDS = 4, 12  # that are looked at, and where none of these bears numbers
FEW_NUMBERS = 5.0
# sure numbers that a cell of which it is unsure what it bears weighs, and any cell
UNSURE_COST, CELL_WORTH = 2.0, 0.05
MIN_ROWS, MIN_COLUMNS = 5, 4  # of a grid
MIN_NUMBERED, MIN_SURENESS = 0.13, 0.9  # share of cells that bear numbers; how surely, on average
MAX_PLAIN_TINT = 0.95  # of a row that is coloured, in one channel of BGR
MAX_UNSEEN = 1  # digits of bonuses that tell the game
MIN_CELL = 18.0  # px; in smaller cells numbers cannot be read
AROUND = Box(-2.6, -2.6, 3.6, 6.8)  # beyond the grid's sides, where the rest of the sheet stands
FAR_REACH = 12.0  # the same, where the paper reaches so far
AROUND_PIXELS = 32  # px per cell of that
# Log-odds of a mark in a cell, beside the other bare ones or the others with numbers. Of 56 empty
# simulated sheets (seeds 9001 to 9060, 5, 15, 21) one had 3.1, the others 2.1 at most. Of 77 with 1
# to 20 crosses 67 had one over 3, 6 were refused for something else, and of 4 crosses looked like
# numbers.
MIN_MARKED = 3.5
PAGE_MARGIN = 0.6  # around all that is marked
USUAL_SIZE = (10, 7)  # rows, columns. Source: rules
USUAL_SHARE, OTHER_SHARE = 0.75, 0.02  # of printings: of that size, and of each other one
BEYOND = 3  # rows and columns beyond a found grid that may belong to it
# of rows and of columns: weights of what `_belonging` tells, fitted by logistic regression to 65
# printings (seeds [711, n]), of which 20 in 3,507 rows and columns were told wrong
BELONGS = ((-3.0, 3.2, 6.2, 3.6, -6.6), (5.3, 4.2, 0.1, 0.6, -1.7))
ROW_REACH = 1.4  # cells, what can be pointed at beside a row
BY_PAIRS = 0.7  # probability of a row's colour that the number of pairs tells
UNFOUND_SURE = 0.2  # probability of what is proposed where nothing was found
MIN_COLORED = 1e-3  # probability: tints alone are no surer than that
OTHER_COUNTS = (3, 5)  # of coloured rows
PLACE_SIDE = 0.6  # of a bonus that is to be moved to its place
UNEVEN = 0.25  # cells, by which the boxes for figures differ in size and step
LINE_WORTH = 0.75  # of lines beside boxes as wide: boxes have sides that are lines
NAMES = ("rows", "numbers", "penalty", "total")
"""Figures in their order of reading. Source: the sum that the rules write."""
FIRST = "first bonus"
"""What it is called which bonus stands first in each pair."""


@dataclass(frozen=True)
class Candidate:
    """A grid that stands upright, where it lies, and what was read of its print."""

    grid: FoundGrid
    placement: Placement
    read: print_reading.PrintRead

    @property
    def box(self) -> Box:
        return _grid_box(self.grid)


@dataclass(frozen=True)
class Around:
    """What is printed around a grid.

    area: the part of the sheet in which it stands; flat: its picture, at `AROUND_PIXELS`. rows: the
    colours of those that are coloured. bonuses: None where they are not found.
    """

    area: Box
    flat: Image
    rows: Mapping[int, str]
    bonuses: bonus_places.BonusPlaces | None


def propose(photo: Photo, name: str, given: learning.Given) -> learning.Proposal:
    """Propose a printing of this game; see `brikks_vision.infer.protocol.Learner`.

    ``given.values`` : "cell 3,4" to "2", "3", "4" or "none"; "row 5" to a colour's name or "plain";
    "bonus 0", the first pair of bonuses in the order of reading, to the colour of its row, or to
    "row 5" where several rows are coloured alike; and
    "first bonus" to "4" or "2", the one that stands first in each pair; "total" and its like to
    "none", where a sheet has no boxes for sums. Regions: "grid", "bonus 0", the sums by name.
    """
    title, image = packaged_layouts(GAME)[0].title, photo.image
    best, other, remark = _candidate_of(image, given)
    said = _parsed(given.values, best.grid.rows, best.grid.columns)
    numbers = _numbers(best.read, said)
    around = _read_around(image, best, said)
    if remark is None and GRID not in given.corners:
        remark = _remark(image, best, around, title)
    if around.bonuses is None and remark is None and not _has_corners(given, "bonus"):
        remark = BonusesNotFound()
    rows = around.rows
    bonuses = around.bonuses or _unfound(best, rows, said)
    bonuses = _moved(bonuses, given, best.placement, said.first)
    read = [*_cells_read(best.read, said)]
    read += _rows_read(best.read, rows, said, around.bonuses is not None)
    doubts = [each for each in read if each.confidence < print_reading.SURE]
    doubts += [
        PrintDoubt(f"bonus {pair}", row_names(rows)[row], sure)
        for row, pair, sure in zip(sorted(rows), bonuses.reading, bonuses.sure, strict=True)
        if sure < print_reading.SURE and pair not in said.bonuses
    ]
    if given.size is None and other is not None:
        doubts.append(other)
    marked = _marked(image, best, numbers, rows, said)
    remark = remark or learning.marked_remark(marked, lambda _: NONE, MIN_MARKED)
    taken = [best.box, *_places_box(bonuses)]
    inner = bounds(taken).grown(PAGE_MARGIN)
    paper = paper_box(image, best.placement, inner, FAR_REACH)
    figures = _said_figures(find_figure_boxes(around.flat, around.area, taken), given, best)
    layout = parse_layout(_data(name, title, best, numbers, rows, bonuses, figures))
    layout = replace(layout, page=bounds([paper, layout.marked_area.grown(PAGE_MARGIN)]))
    layout = replace(
        layout,
        blank=take_blank(image, best.placement, layout),
        doubts=tuple(sorted(doubts, key=lambda doubt: doubt.confidence)),
        unsaid={
            each.where: round(each.confidence, 6)
            for each in read
            if each.confidence >= print_reading.SURE
        },
    )
    pairs = _pairs_of(layout, bonuses.reading)
    boxes = {
        GRID: layout.grid.box,
        **{name: box for name, (box, _) in pairs.items()},
        **dict(zip(NAMES, figures, strict=False)),
    }
    return learning.Proposal(
        layout, photo, best.placement, boxes, tuple(_values(layout, pairs)), given, propose, remark,
        _labels(layout),
    )  # fmt: skip


def _candidate_of(
    image: Image, given: learning.Given
) -> tuple[Candidate, PrintDoubt | None, BrikksError | None]:
    """The grid as it was said, or as it is found; a doubt about its size; why it is hardly one."""
    size = given.size
    if size and (size[0] < MIN_ROWS or size[1] < MIN_COLUMNS or max(size) > MAX_GRID_SIDE):
        raise AnswerUnclear(f"{GRID}={_size_told(*size)}", f"{GRID}={_size_told(*USUAL_SIZE)}")
    if given.frame is not None:
        placement, of = given.frame
        return _candidate(image, _grid_at(placement, *of)), None, None
    if GRID in given.corners:
        sides = learning.lines_within(image, given.corners[GRID], MIN_COLUMNS, MAX_GRID_SIDE)
        of = (max(sides[0], MIN_ROWS), max(sides[1], MIN_COLUMNS))
        grid = _grid_at(learning.placed(given.corners[GRID], *of), *of)
        return _candidate(image, grid), None, None
    found = _most_numbered(image)
    try:
        if found is not None:
            grid, doubt = _sized(image, found, size)
            if size is None and max(grid.rows - found.rows, grid.columns - found.columns) >= BEYOND:
                grid, doubt = _sized(image, grid, size)  # it may go on
            return _candidate(image, grid), doubt, None
    except np.linalg.LinAlgError:  # the grid lies nowhere
        pass
    of = size or USUAL_SIZE
    return _candidate(image, _grid_at(learning.somewhere(image, *of), *of)), None, GridNotFound()


def _most_numbered(image: Image) -> FoundGrid | None:
    """Of the grids that a photo shows, in all turns, the one whose cells surely bear most numbers.

    Digits that stand upside down are hardly told, and cloths and other sheets bear none.
    """
    best, most = None, -inf
    for at, grid in enumerate(find_grids(image)[:MOST_GRIDS]):
        if at >= MAX_GRIDS and most >= FEW_NUMBERS:
            break
        for _ in range(4):
            with suppress(np.linalg.LinAlgError):
                flat = rectify(image, _placement(grid), _grid_box(grid), print_reading.GRID_PIXELS)
                chances = number_chances(flat, grid.rows, grid.columns)
                sure = chances.max(axis=-1) >= print_reading.SURE
                numbered = np.count_nonzero(sure & (chances.argmax(axis=-1) > 0))
                worth = numbered - UNSURE_COST * np.count_nonzero(~sure) + CELL_WORTH * sure.size
                if worth > most and grid.rows >= MIN_ROWS - 1:
                    best, most = grid, float(worth)
            grid = grid.turned()
    return best


def _grid_at(placement: Placement, rows: int, columns: int) -> FoundGrid:
    """A grid of which all cells are seen where they are said to be."""
    cells = np.array([(x + 0.5, y + 0.5) for y in range(rows) for x in range(columns)])
    return FoundGrid(rows, columns, cells, placement.to_photo(cells))


def _remark(image: Image, best: Candidate, around: Around, title: str) -> BrikksError | None:
    """Why this is hardly an empty sheet of this game."""
    if best.placement.cell_size() < MIN_CELL:
        return SheetTooSmall()
    if is_blurred(best.placement, image):
        return SheetTooBlurred()
    are_seen = around.bonuses is not None and around.bonuses.unseen <= MAX_UNSEEN
    if not (_is_like_this_game(best.read) or are_seen):
        return BlankOfOtherGame(title)
    # the grid and what stands below it
    box = Box(0.0, -0.2, float(best.grid.columns), best.grid.rows + 1.6)
    return cut_off(best.placement, image, box, MAX_OVERRUN)


def _is_like_this_game(read: print_reading.PrintRead) -> bool:
    """Whether a grid is like one of this game: surely read numbers in it, some rows tinted."""
    sure, numbered = read.numbers.max(axis=-1), read.numbers.argmax(axis=-1) > 0
    is_tinted = any(row.colored > 0.5 and min(row.tint) < MAX_PLAIN_TINT for row in read.rows)
    return bool(
        is_tinted and numbered.mean() >= MIN_NUMBERED and sure[numbered].mean() >= MIN_SURENESS
    )


def _sized(
    image: Image, grid: FoundGrid, said: tuple[int, int] | None
) -> tuple[FoundGrid, PrintDoubt | None]:
    """The grid with all of its rows and columns, and a doubt where it may have others.

    Each row and column within it and a few beyond has log-odds of belonging to it; those of a size
    are their sum, and how usual it is. ``said`` : rows and columns, if a person says them.

    Raises
    ------
    numpy.linalg.LinAlgError
    """
    beyond = BEYOND
    if said:
        beyond += max(0, said[0] - grid.rows, said[1] - grid.columns)
    larger = resized(grid, (beyond,) * 4)
    rows, columns = (
        np.array(weights) @ of_axis
        for weights, of_axis in zip(BELONGS, _belonging(image, larger, beyond), strict=True)
    )
    hypotheses, logs = [], []
    for (top, bottom), (left, right) in product(
        _spans(len(rows), MIN_ROWS, said and said[0]),
        _spans(len(columns), MIN_COLUMNS, said and said[1]),
    ):
        size = bottom - top, right - left
        usual = USUAL_SHARE if size == USUAL_SIZE else OTHER_SHARE
        hypotheses.append((left, top, right, bottom))
        logs.append(rows[top:bottom].sum() + columns[left:right].sum() + log(usual))
    if not hypotheses:
        raise np.linalg.LinAlgError
    best = int(np.argmax(logs))
    left, top, right, bottom = hypotheses[best]
    sides = (-left, -top, right - len(columns), bottom - len(rows))
    odds = np.exp(np.array(logs) - logs[best])
    sure = float(1 / odds.sum())
    size = (bottom - top, right - left)
    others = {
        (each[3] - each[1], each[2] - each[0]): odd
        for each, odd in zip(hypotheses, odds, strict=True)
        if (each[3] - each[1], each[2] - each[0]) != size
    }
    if sure >= print_reading.SURE or not others:
        return resized(larger, sides), None
    other = max(others, key=others.__getitem__)
    return resized(larger, sides), PrintDoubt(GRID, _size_told(*size), sure, _size_told(*other))


def _spans(count: int, least: int, said: int | None) -> list[tuple[int, int]]:
    """First and last one, of rows or columns, of grids that have so many."""
    return [
        (low, high)
        for low in range(count)
        for high in range(low + least, min(count, low + MAX_GRID_SIDE) + 1)
        if said in (None, high - low)
    ]


def _belonging(
    image: Image, grid: FoundGrid, beyond: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What tells of rows and of columns of a larger grid whether they belong to the one within it.

    (5, rows) and (5, columns): 1; the logarithm of how much their lines are like those within; the
    share of cells of which it is sure what they bear; whether a number is among that; the share of
    numbers.

    ``beyond`` : rows and columns on each side of that.
    """
    flat = rectify(image, _placement(grid), _grid_box(grid), print_reading.GRID_PIXELS)
    chances = number_chances(flat, grid.rows, grid.columns)
    are_sure, are_numbers = chances.max(axis=-1) >= print_reading.SURE, chances.argmax(axis=-1) > 0
    found = []
    for axis, share in enumerate(line_shares(image, grid, beyond)):
        sure, numbers = (
            each.swapaxes(0, axis)[:, beyond:-beyond] for each in (are_sure, are_numbers)
        )
        features = [
            np.ones(len(share)),
            np.clip(np.log(np.maximum(share, 1e-3)), -3, 0.5),
            sure.mean(axis=1),
            (numbers & sure).any(axis=1),
            numbers.mean(axis=1),
        ]
        found.append(np.array(features, np.float64))
    return found[0], found[1]


def _read_around(image: Image, best: Candidate, said: Said) -> Around:
    """What stands around a grid, near it or farther away."""
    near = _read_within(image, best, said, _around(best.grid))
    if near.bonuses is not None:
        return near
    paper = paper_box(image, best.placement, best.box, FAR_REACH)
    if bounds([near.area, paper]) == near.area:
        return near
    far = _read_within(image, best, said, bounds([near.area, paper]))
    # far away other things are digits, too: only what is wholly seen tells
    return near if far.bonuses is None or far.bonuses.unseen else far


def _read_within(image: Image, best: Candidate, said: Said, area: Box) -> Around:
    """The likeliest set of coloured rows with pairs of bonuses for them, sought in ``area``."""
    flat = rectify(image, best.placement, area, AROUND_PIXELS)
    digits = bonus_places.find_digits(flat, area, AROUND_PIXELS, best.box)
    chosen, bonuses, most = dict[int, str](), None, -inf
    for rows in _choices(best.read, said):
        at = sorted(rows)
        owners = {name: row for row, name in row_names(rows).items()}
        owned = {pair: owners[name] for pair, name in said.bonuses.items() if name in owners}
        hues = best.read.hues[at]
        found = bonus_places.find_bonuses(
            flat, area, AROUND_PIXELS, digits, at, hues, best.box, owned
        )
        weight = _log_probability(best.read, at, said) + (found.weight if found else 0)
        if weight > most:
            chosen, bonuses, most = rows, found, weight
    return Around(area, flat, chosen, bonuses)


def _choices(read: print_reading.PrintRead, said: Said) -> list[dict[int, str]]:
    """Sets of coloured rows: as many as look so, and the likeliest ones of other numbers of them.

    What a person says of rows holds in all of them.
    """
    fixed = {row for row, color in said.rows.items() if color != PLAIN}
    order = sorted(
        (row for row in range(len(read.rows)) if said.rows.get(row) != PLAIN),
        key=lambda row: (row not in fixed, -read.rows[row].colored),
    )
    tinted = sum(row in fixed or read.rows[row].colored > 0.5 for row in order)
    counts = dict.fromkeys((tinted, print_reading.USUAL_COUNT, *OTHER_COUNTS))
    return [
        {row: said.rows.get(row) or read.rows[row].color for row in order[:count]}
        for count in counts
        if max(len(fixed), 1) <= count <= len(order)
    ] or [{row: said.rows.get(row) or read.rows[row].color for row in order}]


def _log_probability(read: print_reading.PrintRead, rows: Sequence[int], said: Said) -> float:
    """Of just these rows being coloured, by their tints."""
    colored = np.clip([row.colored for row in read.rows], MIN_COLORED, 1 - MIN_COLORED)
    is_open = np.array([at not in said.rows for at in range(len(colored))])
    own = np.where(np.isin(np.arange(len(colored)), rows), colored, 1 - colored)
    return float(np.log(own[is_open]).sum())


def _rows_read(
    read: print_reading.PrintRead, rows: Mapping[int, str], said: Said, by_pairs: bool
) -> Iterator[PrintDoubt]:
    """What the rows of which nothing is said were taken for, and what else they may be.

    ``by_pairs`` : that as many are coloured as there are pairs of bonuses.
    """
    for at, row in enumerate(read.rows):
        if at in said.rows:
            continue
        others = {PLAIN: 1 - row.colored} | {
            name: row.colored * share for name, share in row.names.items()
        }
        now = rows.get(at, PLAIN)
        sure = max(others.pop(now, 0.0), BY_PAIRS if by_pairs and now != row.color else 0.0)
        yield PrintDoubt(f"row {at}", now, sure, max(others, key=others.__getitem__))


def _marked(
    image: Image, best: Candidate, numbers: Mapping[Cell, int], rows: Mapping[int, str], said: Said
) -> Mapping[str, float]:
    """See `learning.marked_places`.

    All numbers are of one kind: the fewer places are alike, the less is known of their print.
    """
    alike = dict.fromkeys(numbers, VALUES[0])
    grid_alone = parse_layout(_data("alone", "alone", best, alike, rows, None, ()))
    marked = learning.marked_places(image, best.placement, grid_alone)
    return {where: odds for where, odds in marked.items() if cell_at(where) not in said.cells}


def check(layout: Layout) -> None:
    """Refuse a layout that is no sheet of this game; raises KeyError, ValueError."""
    sheet = parse_sheet(layout.printed, layout.grid.rows, layout.grid.columns)
    bonus = layout.fields["bonus"]
    if len(bonus.centres) != sum(len(row.bonuses) for row in sheet.colored_rows):
        raise ValueError
    for figure in NAMES if layout.figures else ():  # without boxes for sums none are read
        if len(layout.figures[figure].centres) != 1:
            raise ValueError


def values_of(layout: Layout) -> tuple[learning.Value, ...]:
    """All cells by number, all rows and pairs of bonuses by colour, and the size of the grid."""
    return tuple(_values(layout, _pairs_of(layout)))


def _values(layout: Layout, pairs: Mapping[str, tuple[Box, str]]) -> Iterator[learning.Value]:
    grid, sheet = layout.grid, parse_sheet(layout.printed, layout.grid.rows, layout.grid.columns)
    numbers, colors = (NONE, *map(str, VALUES)), (PLAIN, *print_reading.color_choices())
    told = {each.cell: str(each.value) for each in sheet.numbers}
    named = {each.row: each.color for each in sheet.colored_rows}
    sure = {**layout.unsaid, **{doubt.where: doubt.confidence for doubt in layout.doubts}}
    words = {f"row {row}": phrase("row", number=grid.rows - row) for row in named}

    def value(
        where: str, box: Box, choices: Sequence[str], name: Phrase, read: str
    ) -> learning.Value:
        swatches, surely = print_reading.color_swatches(), sure.get(where, 1.0)
        return learning.Value(where, box, tuple(choices), name, words, read, surely, swatches)

    for row, column in grid.cells:
        box = Box(float(column), float(row), column + 1.0, row + 1.0)
        name, read = cell_name((row, column)), told.get((row, column), NONE)
        place = phrase("cell-place", row=grid.rows - row, column=column + 1)
        yield value(name, box, numbers, place, read)
    for row in range(grid.rows):
        box, name = Box(-ROW_REACH, float(row), 0.0, row + 1.0), f"row {row}"
        place = phrase("row", number=grid.rows - row)
        yield value(name, box, colors, place, named.get(row, PLAIN))
    for number, (name, (box, own)) in enumerate(pairs.items(), 1):
        place = phrase("bonuses-place", number=number)
        yield value(name, box, [*row_names(named).values()], place, own)
    centres, pair = layout.fields["bonus"].centres, next(iter(pairs.values()))[0]
    first = str(BONUSES[int(np.subtract(centres[1], centres[0]).sum() < 0)])
    beside = replace(pair, left=pair.left - PLACE_SIDE, right=pair.left)
    yield value(FIRST, beside, [*map(str, BONUSES)], phrase("first-bonus-place"), first)
    sizes = [
        _size_told(grid.rows + rows, grid.columns + columns)
        for rows, columns in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
    ]
    whole = Box(0.0, -0.5, float(grid.columns), 0.0)
    yield value(GRID, whole, sizes, phrase("grid-place"), sizes[0])


def _candidate(image: Image, grid: FoundGrid) -> Candidate:
    placement = _placement(grid)
    flat = rectify(image, placement, _grid_box(grid), print_reading.GRID_PIXELS)
    return Candidate(grid, placement, print_reading.read_print(flat, grid.rows, grid.columns))


def _placement(grid: FoundGrid) -> Placement:
    return grid.placement(_grid_box(grid).grown(FAR_REACH + REACH))


def _grid_box(grid: FoundGrid) -> Box:
    return Box(0.0, 0.0, float(grid.columns), float(grid.rows))


def _around(grid: FoundGrid) -> Box:
    """The part of the sheet in which everything stands."""
    return Box(AROUND.left, AROUND.top, grid.columns + AROUND.right, grid.rows + AROUND.bottom)


def _cells_read(read: print_reading.PrintRead, said: Said) -> Iterator[PrintDoubt]:
    """What the cells of which nothing is said were taken for, and what else they may bear."""
    told = (NONE, *map(str, VALUES))
    for cell in np.ndindex(*read.numbers.shape[:2]):
        if cell not in said.cells:
            other, at = (int(each) for each in read.numbers[cell].argsort()[-2:])
            sure = float(read.numbers[cell][at])
            yield PrintDoubt(cell_name(cell), told[at], sure, told[other])


def _numbers(read: print_reading.PrintRead, said: Said) -> dict[Cell, int]:
    """The most probable numbers by cell, or what is said of them."""
    likeliest = read.numbers.argmax(axis=-1)
    found = {cell: (0, *VALUES)[likeliest[cell]] for cell in np.ndindex(*likeliest.shape)}
    return {cell: value for cell, value in {**found, **said.cells}.items() if value}


@dataclass(frozen=True)
class Said:
    """What a person says of the print: numbers of cells (0: none), colours of rows, the rows of
    pairs of bonuses as of `row_names`.

    first: the bonus that stands first in each pair, left or above; 0 where that is not said.
    """

    cells: dict[Cell, int]
    rows: dict[int, str]
    bonuses: dict[int, str]
    first: int = 0


def _size_told(rows: int, columns: int) -> str:
    return f"{rows}x{columns}"


def _parsed(settings: Mapping[str, str], rows: int, columns: int) -> Said:
    """Raises AnswerUnclear, AnswerOffSheet."""
    said = Said({}, {}, {})
    values = (*(str(value) for value in VALUES), NONE)
    names = (*print_reading.color_choices(), PLAIN)
    for place, value in settings.items():
        cell = re.fullmatch(r"cell (\d{1,4}), ?(\d{1,4})", place)
        numbered = re.fullmatch(r"(row|bonus) (\d{1,4})", place)
        is_bonus_of_row = place.startswith("bonus ") and re.fullmatch(r"row \d{1,4}", value)
        at = int(numbered[2]) if numbered else -1
        if cell and value in values:
            if int(cell[1]) >= rows or int(cell[2]) >= columns:
                raise AnswerOffSheet(place, f"cell 0,0 - {rows - 1},{columns - 1}")
            said.cells[int(cell[1]), int(cell[2])] = 0 if value == NONE else int(value)
        elif numbered and (
            is_bonus_of_row or (value in names and (numbered[1], value) != ("bonus", PLAIN))
        ):
            if at >= rows:
                raise AnswerOffSheet(place, f"{numbered[1]} 0 - {rows - 1}")
            (said.rows if numbered[1] == "row" else said.bonuses)[at] = value
        elif place == FIRST and value in map(str, BONUSES):
            said = replace(said, first=int(value))
        elif place not in NAMES or value != learning.ABSENT:
            colors = "|".join(print_reading.color_choices())
            allowed = f"cell 3,4={'|'.join(values)}, row 5={'|'.join(names)}, bonus 0={colors}"
            allowed += f", {GRID}={_size_told(*USUAL_SIZE)}, {TOTAL}={learning.ABSENT}"
            raise AnswerUnclear(f"{place}={value}", allowed)
    return said


def _unfound(candidate: Candidate, rows: Mapping[int, str], said: Said) -> bonus_places.BonusPlaces:
    """Places for the bonuses of coloured rows below a grid, to be moved to where they are."""
    names, count = [name for _, name in sorted(row_names(rows).items())], len(rows)
    owners = {
        pair: names.index(name) if name in names else None
        for pair, name in said.bonuses.items()
        if pair < count
    }
    free = iter([pair for pair in range(count) if owners.get(pair) is None])
    by_row = {at: pair for pair, at in owners.items() if at is not None}
    reading = tuple(by_row[at] if at in by_row else next(free) for at in range(count))
    half, y = PLACE_SIDE / 2 + 0.05, candidate.grid.rows + 1.0
    steps = (np.array(reading) + 0.5) * candidate.grid.columns / max(count, 1)
    centres = tuple(((float(x - half), y), (float(x + half), y)) for x in steps)
    sure = (UNFOUND_SURE,) * count
    return bonus_places.BonusPlaces(centres, PLACE_SIDE, reading, sure, len(BONUSES) * count)


def _has_corners(given: learning.Given, region: str) -> bool:
    return any(name.split(" ")[0] == region for name in given.corners)


def _moved(
    bonuses: bonus_places.BonusPlaces, given: learning.Given, placement: Placement, first: int
) -> bonus_places.BonusPlaces:
    """The same, the pairs whose corners a person said in their places.

    The two halves of a region are the places of a 4 and of a 2. ``first`` : as of `Said`; 0: the
    one that was found first.
    """
    centres, sides = list(bonuses.centres), []
    for at, pair in enumerate(bonuses.reading):
        places = np.array(centres[at])
        ahead = float((places[1] - places[0]).sum())
        corners = given.corners.get(f"bonus {pair}")
        if corners is not None:
            a, b, c, d = learning.on_sheet(corners, placement)
            wide, high = np.linalg.norm(b - a), np.linalg.norm(d - a)
            ends = ((a + d) / 2, (b + c) / 2) if wide >= high else ((a + b) / 2, (d + c) / 2)
            places = np.array([ends[0] + way * (ends[1] - ends[0]) for way in (0.25, 0.75)])
            sides.append(float(min(max(wide, high) / 2, min(wide, high))))
        is_first = first == BONUSES[0] if first else ahead > 0
        if ((places[1] - places[0]).sum() > 0) != is_first:
            places = places[::-1]
        centres[at] = tuple((float(x), float(y)) for x, y in places)
    size = float(np.median(sides)) if sides else bonuses.size
    return replace(bonuses, centres=tuple(centres), size=size)


def find_figure_boxes(flat: Image, area: Box, taken: Sequence[Box]) -> tuple[Box, ...]:
    """The widest boxes of a kind for all figures, or lines for them, in the order of `NAMES`.

    ``flat`` : uint8 BGR, ``area`` rectified at `AROUND_PIXELS`. ``taken`` : where they are not.
    """
    lines = find_lines(flat, area, AROUND_PIXELS)
    through = [replace(line, top=line.bottom).grown(-UNEVEN, 0) for line in lines]
    boxes = [
        box
        for box in find_boxes(flat, area, AROUND_PIXELS)
        if _is_free(box.grown(0, -box.height / 4), through)  # nothing but what is seen around one
    ]
    found: list[tuple[float, list[Box]]] = []
    for worth, every in ((1.0, boxes), (LINE_WORTH, lines)):
        seen = [box for box in every if _is_free(box, taken)]
        for chosen in arranged(seen, len(NAMES), (4, 2, 1), UNEVEN):
            own = [seen[at] for at in chosen]
            if _is_free(bounds(own), taken):
                found.append((worth * own[0].width, own))
    if not found:
        return ()
    _, widest = max(found, key=lambda each: each[0])
    steps = np.diff([box.bottom for box in widest])
    high = min([widest[0].height, *steps[steps > UNEVEN]])
    return tuple(replace(box, top=max(box.top, box.bottom - high)) for box in widest)


def _is_free(box: Box, taken: Sequence[Box]) -> bool:
    """Whether a box meets none of those that are taken."""
    return not any(
        box.left < other.right
        and other.left < box.right
        and box.top < other.bottom
        and other.top < box.bottom
        for other in taken
    )


def _said_figures(found: Sequence[Box], given: learning.Given, best: Candidate) -> tuple[Box, ...]:
    """The boxes for sums, those in their places that a person said; beside these where unknown."""
    boxes = dict(zip(NAMES, found, strict=False))
    boxes |= {
        name: learning.box_of(given.corners[name], best.placement)
        for name in NAMES
        if name in given.corners
    }
    if not boxes or any(given.values.get(name) == learning.ABSENT for name in NAMES):
        return ()
    last = next(iter(boxes.values()))
    for name in NAMES:
        beside = replace(last, left=last.right, right=last.right + last.width)
        last = boxes.setdefault(name, beside)
    return tuple(boxes[name] for name in NAMES)


def _pairs_of(layout: Layout, reading: Sequence[int] | None = None) -> dict[str, tuple[Box, str]]:
    """The regions of the pairs of bonuses and their rows as of `row_names`, by name.

    ``reading`` : for each coloured row the number of its pair; None: in their order of reading.
    """
    field = layout.fields["bonus"]
    pairs = np.array(field.centres).reshape(-1, len(BONUSES), 2)
    half = np.array(field.size) / 2
    if reading is None:
        reading = np.argsort(bonus_places.reading_order(pairs[:, 0].tolist())).tolist()
    rows = row_names({row["row"]: str(row["color"]) for row in layout.printed["colored_rows"]})
    found = {
        f"bonus {number}": (Box(*(pair.min(axis=0) - half), *(pair.max(axis=0) + half)), row)
        for number, pair, row in zip(reading, pairs, rows.values(), strict=True)
    }
    return dict(sorted(found.items()))


def _places_box(bonuses: bonus_places.BonusPlaces) -> list[Box]:
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
    bonuses: bonus_places.BonusPlaces | None,
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


def _bonus_field(bonuses: bonus_places.BonusPlaces) -> dict[str, Any]:
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
