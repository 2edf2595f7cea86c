"""Proposes a printing of BLOXX!: no printing is known beforehand, all is read off the empty sheet.

The grid that is most like one of this game, with the bonuses around it, is proposed; then rows and
columns are added and taken away by what stands in them. A person who looks at it says the rest.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil, inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.align import is_blurred
from brikks_vision.detect.cells import (
    MAX_GRID_SIDE,
    FoundGrid,
    extended,
    find_grids,
    fitted_to,
    other_size,
    side_lines,
    with_rows,
    without_top,
)
from brikks_vision.detect.ground import REACH, cell_grounds, paper_box, within_rows
from brikks_vision.detect.measure import AREA_STEP
from brikks_vision.detect.patches import read_patches
from brikks_vision.detect.photo import Photo
from brikks_vision.detect.placement import Image, Placement, rectify
from brikks_vision.detect.printed_digits import (
    VALUES,
    glyphs_in_cells,
    number_chances,
    turned_over,
)
from brikks_vision.detect.template import take_blank
from brikks_vision.errors import (
    AnswerOffSheet,
    AnswerUnclear,
    BlankIsMarked,
    BlankOfOtherGame,
    BonusesNotFound,
    BrikksError,
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
    color_swatches,
    doubted_without_a_value,
    read_print,
    told_by_others,
    with_hues,
)
from brikks_vision.games.learning import (
    ABSENT,
    Given,
    Proposal,
    Value,
    box_of,
    lines_within,
    on_sheet,
    placed,
    somewhere,
)
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

# All set by hand on simulated printings (seeds 1 to 60). Lengths in cells.
MAX_GRIDS = 4  # of a photo, that are read; more where none of these is one of this game
MOST_GRIDS = 12  # a chequered cloth has several
MAX_TRIED = 3  # grids whose bonuses are sought
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
TINT_PIXELS = 12  # per cell, in which the grounds of cells are seen
# share of the cells that are surely read; in rows of letters and pictures beside grids it was 1/7
# to 4/7, in outer rows nearly 1 (48 printings, seeds 48117 and 55221, and ten of another renderer)
MIN_CLEAR = 0.75
MAX_OTHER_GROUND = 0.25  # logarithms of BGR, from one row to another one that is plain as well
# what parts the cells of an outer row or column, beside those within the grid: on 150 empty sheets
# (seeds 990170, 990171, 62001) of outer ones 0.56 and more, but of one column among creases; beyond
# grids 0.16 (rows) and 0.05 (columns) at most, of 19 in 20
LIKE_LINES, UNLIKE_LINES = 0.6, 0.25
BY_COLOR = 0.8  # probability that bonuses belong to a row, where another's colour is much like it
BY_PAIRS = 0.7  # probability of a row's colour that the number of pairs tells
PAIRS_SURE = 0.98  # that as many rows are coloured as pairs are wholly seen; on 96 sheets they were
UNFOUND_SURE = 0.2  # probability of what is proposed where nothing was found
MIN_COLORED = 1e-9  # probability: of rows that look plain some still look plainer than others
OTHER_COUNTS = (4, 3, 5)  # of coloured rows, where there are not as many pairs as rows
PLACE_SIDE = 0.6  # of a bonus that is to be moved to its place


@dataclass(frozen=True)
class Candidate:
    """A grid that stands upright, where it lies, and what was read of its print."""

    grid: FoundGrid
    placement: Placement
    read: PrintRead

    @property
    def box(self) -> Box:
        return Box(0.0, 0.0, float(self.grid.columns), float(self.grid.rows))


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


def propose(photo: Photo, name: str, given: Given) -> Proposal:
    """Propose a printing of this game; see `brikks_vision.games.learning.sheet_learner`.

    ``given.values`` : "cell 3,4" to "2", "3", "4" or "none"; "row 5" to a colour's name or "plain";
    "bonus 0", the first pair of bonuses in the order of reading, to the colour of its row; "total"
    and its like to "none", where a sheet has no boxes for sums. Regions: "grid", "bonus 0", the
    sums by name.
    """
    title, image = packaged_layouts(GAME)[0].title, photo.image
    candidate, other, remark = _candidate_of(image, given)
    rows, columns = candidate.grid.rows, candidate.grid.columns
    said = _parsed(given.values, rows, columns)
    around = _read_around(image, candidate, said)
    if remark is None and GRID not in given.corners:
        remark = _remark(image, candidate, around, title)
    chosen, doubts = dict(around.rows), list(around.doubts)
    if not chosen:  # a sheet has coloured rows: those that look most like some
        chosen = _choices(candidate.read, {}, said)[0]
        doubts = _with_rows(doubts, {}, chosen)
    bonuses = around.bonuses or _unfound(candidate, chosen, said)
    if around.bonuses is None and remark is None and not _has_corners(given, "bonus"):
        remark = BonusesNotFound()
    bonuses = _moved(bonuses, given, candidate.placement, around.bonuses is not None)
    doubts += [
        PrintDoubt(f"bonus {pair}", chosen[row], UNFOUND_SURE if not around.bonuses else BY_COLOR)
        for row, pair in zip(sorted(chosen), bonuses.reading, strict=True)
        if (row in bonuses.unsure or not around.bonuses) and pair not in said.bonuses
    ]
    marked = {cell: odds for cell, odds in _marked(image, candidate, around).items()
              if cell not in said.cells}  # fmt: skip
    if marked and remark is None:
        plainest = max(marked, key=marked.__getitem__)
        remark = BlankIsMarked(len(marked), f"{_named(plainest)}={NONE}")
    figures = _said_figures(_figure_boxes(image, candidate, around, bonuses), given, candidate)
    layout = parse_layout(_data(name, title, candidate, around.numbers, chosen, bonuses, figures))
    if given.size is None and other is not None:
        doubts.append(PrintDoubt(GRID, _size_told(rows, columns), SIZE_SURE, _size_told(*other)))
    page = paper_box(image, candidate.placement, layout.marked_area.grown(PAGE_MARGIN))
    layout = replace(layout, page=page)
    layout = replace(
        layout,
        blank=take_blank(image, candidate.placement, layout),
        doubts=tuple(sorted(doubts, key=lambda doubt: doubt.confidence)),
        unsaid=_unsaid(candidate.read, said, {doubt.where for doubt in doubts}),
    )
    pairs = _pairs_of(layout, bonuses.reading)
    boxes = {
        GRID: layout.grid.box,
        **{name: box for name, (box, _) in pairs.items()},
        **dict(zip(NAMES, figures, strict=False)),
    }
    return Proposal(
        layout, photo, candidate.placement, boxes, _values(layout, pairs), given, propose, remark,
        _labels(layout),
    )  # fmt: skip


def _candidate_of(
    image: Image, given: Given
) -> tuple[Candidate, tuple[int, int] | None, BrikksError | None]:
    """The grid as it was said, or as it is found; another size that it may have; why it is hardly
    one."""
    size = given.size
    if size and (size[0] < MIN_ROWS or size[1] < MIN_COLUMNS or max(size) > MAX_GRID_SIDE):
        raise AnswerUnclear(f"{GRID}={_size_told(*size)}", f"{GRID}={_size_told(*USUAL_SIZE)}")
    if given.frame is not None:
        placement, of = given.frame
        return _compared(image, _candidate(image, _grid_at(placement, *of))), None, None
    if GRID in given.corners:
        grid = _grid_within(image, given.corners[GRID])
        return _compared(image, _candidate(image, grid)), None, None
    found = _candidates(image, size)
    if not found:
        grid = _grid_at(somewhere(image, *(size or USUAL_SIZE)), *(size or USUAL_SIZE))
        return _candidate(image, grid), None, GridNotFound()
    best = _best_of(image, found)
    if size is not None:
        return _compared(image, best), None, None
    other = None
    with suppress(np.linalg.LinAlgError):  # the grid lies nowhere with a further row
        best, other = _sized(image, best)
    return _compared(image, best), other, None


def _grid_at(placement: Placement, rows: int, columns: int) -> FoundGrid:
    """A grid of which all cells are seen where they are said to be."""
    cells = np.array([(x + 0.5, y + 0.5) for y in range(rows) for x in range(columns)])
    return FoundGrid(rows, columns, cells, placement.to_photo(cells))


def _grid_within(image: Image, corners: NDArray[np.float64]) -> FoundGrid:
    """The grid that has these corners, of as many rows and columns as show."""
    sides = lines_within(image, corners, MIN_COLUMNS, MAX_GRID_SIDE)
    rows, columns = max(sides[0], MIN_ROWS), max(sides[1], MIN_COLUMNS)
    return _grid_at(placed(corners, rows, columns), rows, columns)


def _remark(image: Image, best: Candidate, around: Around, title: str) -> BrikksError | None:
    """Why this is hardly an empty sheet of this game."""
    if best.placement.cell_size() < MIN_CELL:
        return SheetTooSmall()
    if is_blurred(best.placement, image):
        return SheetTooBlurred()
    if not _tells_game(best, around):
        return BlankOfOtherGame(title)
    return _cut_off(best, image)


def _compared(image: Image, candidate: Candidate) -> Candidate:
    """The same, its numbers read by how cells look beside each other, too."""
    flat = rectify(image, candidate.placement, candidate.box, GRID_PIXELS)
    numbers = told_by_others(flat, candidate.read)
    return replace(candidate, read=replace(candidate.read, numbers=numbers))


def _at_side(grid: FoundGrid, quarters: int, more: int) -> FoundGrid:
    """A grid with rows added (1) or taken away (-1) at a side: a turn's top is one of the sides."""
    for quarter in range(4):
        if quarter == quarters:
            grid = with_rows(grid, more) if more > 0 else without_top(grid)
        grid = grid.turned()
    return grid


def _sized(image: Image, best: Candidate) -> tuple[Candidate, tuple[int, int] | None]:
    """The grid with all of its rows and columns, and another size that it may have.

    A row or column beyond it belongs to it where its cells are parted as those within, and it is
    clear what they bear; an outer one does not where nothing parts them or it is one of bonuses.
    """
    grid, other = best.grid, None
    for quarters in range(4):  # a turn's top is one of the sides
        least = MIN_COLUMNS if quarters % 2 else MIN_ROWS
        while True:
            count = grid.columns if quarters % 2 else grid.rows
            side = _side(image, grid, quarters)
            if side.is_of_bonuses or (side.own < UNLIKE_LINES and not side.bears):
                if count == least:
                    break
                grid = _at_side(grid, quarters, -1)
            elif side.beyond >= LIKE_LINES and side.goes_on and count < MAX_GRID_SIDE:
                grid = _at_side(grid, quarters, 1)
                if _side(image, grid, quarters).is_of_bonuses:
                    grid = _at_side(grid, quarters, -1)
                    break
            else:
                if side.own < LIKE_LINES and not side.is_numbered:
                    other = _resized(grid, quarters, -1)
                elif side.goes_on and (side.beyond >= UNLIKE_LINES or side.is_numbered_beyond):
                    other = _resized(grid, quarters, 1)
                break
    if (grid.rows, grid.columns) == (best.grid.rows, best.grid.columns):
        return best, other
    return _candidate(image, grid), other


def _resized(grid: FoundGrid, quarters: int, more: int) -> tuple[int, int]:
    return (grid.rows, grid.columns + more) if quarters % 2 else (grid.rows + more, grid.columns)


@dataclass(frozen=True)
class Side:
    """An outer row or column of a grid, and the one beyond it.

    own, beyond: how much their cells are parted, as of `side_lines`. is_numbered: it surely bears
    numbers (_beyond: the other). bears: so, or on a coloured ground. is_of_bonuses: bonuses alone.
    goes_on: beyond it is clear what the cells bear, on a ground like the grid's.
    """

    own: float
    beyond: float
    is_numbered: bool
    is_numbered_beyond: bool
    bears: bool
    is_of_bonuses: bool
    goes_on: bool


def _side(image: Image, grid: FoundGrid, quarters: int) -> Side:
    is_column, is_first = bool(quarters % 2), quarters < 2
    larger = _at_side(grid, quarters, 1)
    flat = rectify(image, _placement(larger), _grid_box(larger), GRID_PIXELS)
    chances = number_chances(flat, larger.rows, larger.columns)
    grounds = cell_grounds(flat, larger.rows, larger.columns)
    if is_column:
        chances, grounds = chances.swapaxes(0, 1), grounds.swapaxes(0, 1)
    if not is_first:
        chances, grounds = chances[::-1], grounds[::-1]
    lines = side_lines(image, grid)
    shares = lines.columns if is_column else lines.rows
    beyond, own = shares[[0, 1] if is_first else [-1, -2]]
    values = np.array((0, *VALUES))[chances.argmax(axis=-1)]
    sure = chances.max(axis=-1) >= SURE
    usual = np.median(grounds[2:], axis=0)  # across rows each cell has the ground of its column
    away = np.abs(np.median(grounds, axis=1) - np.median(usual, axis=0)).max(axis=-1)
    if is_column:  # rows go on in their colours
        away = np.percentile(np.abs(grounds - usual).max(axis=-1), 75, axis=1)
    is_beyond, is_numbered = ((values[:2] * sure[:2]) > 0).any(axis=1).tolist()
    return Side(
        float(own), float(beyond), is_numbered, is_beyond,
        bears=is_numbered or bool(not is_column and away[1] > MAX_OTHER_GROUND / 2),
        is_of_bonuses=_are_bonuses(values[1], is_column),
        goes_on=bool(sure[0].mean() >= MIN_CLEAR and (is_beyond or away[0] < MAX_OTHER_GROUND)),
    )  # fmt: skip


def _are_bonuses(values: NDArray[np.intp], is_column: bool) -> bool:
    """Whether an outer row bears nothing but 4s and 2s, or a column one of them alone."""
    told = {int(value) for value in values} - {0}
    if is_column:
        return len(told) == 1 and told <= {*BONUSES} and np.count_nonzero(values) == USUAL_COUNT
    return bool(np.isin(values, BONUSES).all()) and len(told) == len(BONUSES)


def _tells_game(best: Candidate, around: Around) -> bool:
    """Whether a sheet of this game is told by its bonuses or by its grid."""
    are_sure = around.numbers and around.bonuses and _are_sure(around.bonuses)
    return bool(are_sure) or _is_like_this_game(best)


def _read_around(image: Image, candidate: Candidate, said: Said) -> Around:
    """What stands around a grid, near it or farther away."""
    near = _read_within(image, candidate, said, _around(candidate.grid))
    if near.bonuses is not None:
        return near
    paper = paper_box(image, candidate.placement, candidate.box, FAR_REACH)
    far = _read_within(image, candidate, said, _beside(candidate.grid, paper))
    # far away other things are digits, too: only what is wholly seen tells
    return near if far.bonuses is None or far.bonuses.unseen else far


def _figure_boxes(
    image: Image, best: Candidate, around: Around, bonuses: BonusPlaces
) -> tuple[Box, ...]:
    """The boxes for figures, near the grid or farther away on its paper."""
    taken = [best.box, *_places_box(bonuses)]
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


def _read_within(image: Image, candidate: Candidate, said: Said, area: Box) -> Around:
    """``area`` : where bonuses are sought."""
    numbers, rows, doubts = _decided(candidate, said)
    box = candidate.box
    hues = candidate.read.hues
    flat = rectify(image, candidate.placement, area, AROUND_PIXELS)
    digits = find_digits(flat, area, AROUND_PIXELS, box)
    bonuses, decided, most = None, dict(rows), (-np.inf, -np.inf)
    for chosen in _choices(candidate.read, rows, said):
        at = sorted(chosen)
        owners = {color: row for row, color in chosen.items()}
        owned = {pair: owners[color] for pair, color in said.bonuses.items() if color in owners}
        found = find_bonuses(flat, area, AROUND_PIXELS, digits, at, hues[at], box, owned)
        if found is None:
            continue
        # Pairs stand for rows, so whole ones tell of rows whose tint hardly shows.
        tinted = _log_probability(candidate.read, at)
        weight = found.weight, tinted
        if weight > most:
            bonuses, decided, most = found, {row: chosen[row] for row in at}, weight
        is_whole = not (found.unseen or found.unsure) and tinted > np.log(SURE)
        if (is_whole and len(at) == USUAL_COUNT) or said.rows:
            break
    if bonuses is not None:
        named = with_hues(candidate.read, sorted(decided), bonuses.hues)
        candidate = replace(candidate, read=named)
        decided = {row: said.rows.get(row, named.rows[row].color) for row in sorted(decided)}
        numbers, rows, doubts = _decided(candidate, said)
    if bonuses is not None and not bonuses.unseen and not said.rows:
        doubts = _counted_rows(doubts, candidate.read, decided)
    elif decided != rows:
        doubts = _with_rows(doubts, rows, decided)
    if bonuses is not None and not said.rows:
        doubts = _with_other_hues(doubts, hues[sorted(decided)], bonuses.hues, decided)
    return Around(area, flat, numbers, decided, doubts, bonuses)


def _marked(image: Image, best: Candidate, around: Around) -> Mapping[Cell, float]:
    """The cells that look marked beside the others of the same print, and log-odds of that.

    All numbers are of one kind: the fewer places are alike, the less is known of their print.
    """
    alike = dict.fromkeys(around.numbers, VALUES[0])
    grid_alone = parse_layout(_data("alone", "alone", best, alike, around.rows, None, ()))
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


def values_of(layout: Layout) -> tuple[Value, ...]:
    """All cells by number, all rows and pairs of bonuses by colour, and the size of the grid."""
    return _values(layout, _pairs_of(layout))


def _values(layout: Layout, pairs: Mapping[str, tuple[Box, str]]) -> tuple[Value, ...]:
    grid, sheet = layout.grid, parse_sheet(layout.printed, layout.grid.rows, layout.grid.columns)
    sizes = [
        _size_told(grid.rows + rows, grid.columns + columns)
        for rows, columns in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
    ]
    numbers, colors = (NONE, *map(str, VALUES)), (PLAIN, *color_choices())
    told = {each.cell: str(each.value) for each in sheet.numbers}
    named = {each.row: each.color for each in sheet.colored_rows}
    places: list[tuple[str, Box, tuple[str, ...], Phrase, str]] = [
        (
            _named((row, column)),
            Box(float(column), float(row), column + 1.0, row + 1.0),
            numbers,
            phrase("cell-place", row=grid.rows - row, column=column + 1),
            told.get((row, column), NONE),
        )
        for row, column in grid.cells
    ]
    places += [
        (
            f"row {row}",
            Box(-ROW_REACH, float(row), 0.0, row + 1.0),
            colors,
            phrase("row", number=grid.rows - row),
            named.get(row, PLAIN),
        )
        for row in range(grid.rows)
    ]
    places += [
        (name, box, tuple(named.values()), phrase("bonuses-place", number=at + 1), color)
        for at, (name, (box, color)) in enumerate(pairs.items())
    ]
    whole = Box(0.0, -0.5, float(grid.columns), 0.0)
    places.append((GRID, whole, tuple(sizes), phrase("grid-place"), sizes[0]))
    doubts = {doubt.where: doubt.confidence for doubt in layout.doubts}
    return tuple(
        Value(
            where, box, choices, name, read=read, swatches=color_swatches(),
            confidence=doubts.get(where, layout.unsaid.get(where, 1.0)),
        )
        for where, box, choices, name, read in places
    )  # fmt: skip


def _candidates(image: Image, size: tuple[int, int] | None) -> list[Candidate]:
    """The grids of a photo in their turns, those most like one of this game first.

    size : rows and columns, if a person says them.
    """
    found: list[Candidate] = []
    for at, grid in enumerate(find_grids(image)[:MOST_GRIDS]):
        if at >= MAX_GRIDS and any(map(_is_like_this_game, found)):
            break
        try:
            for sized in _sizes(image, grid, size):
                found += _upright(image, sized)
        except np.linalg.LinAlgError:
            continue
    fitting = [each for each in found if size in (None, (each.grid.rows, each.grid.columns))]
    # a sheet of another game beside it may have more that is a little like digits
    fitting.sort(key=lambda each: (_is_like_this_game(each), _weight(each)), reverse=True)
    return fitting


def _best_of(image: Image, found: Sequence[Candidate]) -> Candidate:
    """Of grids as of `_candidates` the likeliest one, with the bonuses that stand around it.

    They tell, too, which side is up where numbers hardly do, and which of two grids is the sheet.
    """
    near = [each for each in found if _weight(each) > _weight(found[0]) - BONUSES_WORTH]
    tried = (near if len(near) > 1 else [*found])[:MAX_TRIED]
    if len(near) == 1 and _is_like_this_game(found[0]):
        return found[0]

    def weight(candidate: Candidate) -> float:
        bonuses = _read_around(image, candidate, NOTHING_SAID).bonuses
        share = bonuses.weight / (USUAL_COUNT * len(BONUSES)) if bonuses else 0.0
        return _weight(candidate) + BONUSES_WORTH * share

    return max(tried, key=weight)


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


def _is_usual(grid: FoundGrid) -> bool:
    return sorted((grid.rows, grid.columns)) == sorted(USUAL_SIZE)


def _upright(image: Image, grid: FoundGrid) -> list[Candidate]:
    """The turns of a grid in which each row has one hue; upside down is one of them."""
    turns = [grid, grid.turned()]
    evenness = []
    for turn in turns:
        flat = rectify(image, _placement(turn), _grid_box(turn), TINT_PIXELS)
        evenness.append(within_rows(cell_grounds(flat, turn.rows, turn.columns)))
    return [
        candidate
        for quarters, turn in enumerate(turns)
        if evenness[quarters] <= SAME_EVENNESS * min(evenness)
        and turn.rows >= MIN_ROWS
        and turn.columns >= MIN_COLUMNS
        for candidate in _both_ways(image, turn)
    ]


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


def _cut_off(best: Candidate, image: Image) -> SheetCutOff | None:
    """Where the grid or what stands below it runs beyond the photo's edge."""
    height, width = image.shape[:2]
    box = Box(0.0, -0.2, float(best.grid.columns), best.grid.rows + 1.6)
    seen = best.placement.to_photo(np.array(box.corners))
    for side, beyond in (
        ("left", -seen[:, 0].min()), ("right", seen[:, 0].max() - width + 1),
        ("top", -seen[:, 1].min()), ("bottom", seen[:, 1].max() - height + 1),
    ):  # fmt: skip
        if beyond > 0.35 * best.placement.cell_size():
            return SheetCutOff(side)  # type: ignore[arg-type]
    return None


Decided = tuple[dict[Cell, int], dict[int, str], list[PrintDoubt]]
"""Numbers by cell, colours by row (top first), and what is not sure of them."""


def _decided(best: Candidate, said: Said) -> Decided:
    """The most probable print, or what the settings say of it."""
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


def _choices(read: PrintRead, rows: Mapping[int, str], said_all: Said) -> list[dict[int, str]]:
    """Sets of coloured rows, the most probable first: as many as there are pairs of bonuses.

    What a person says of rows holds in all of them.
    """
    choices = [dict(rows)] if rows else []
    said = said_all.rows
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


NOTHING_SAID = Said({}, {}, {})


def _size_told(rows: int, columns: int) -> str:
    return f"{rows}x{columns}"


def _parsed(settings: Mapping[str, str], rows: int, columns: int) -> Said:
    """Raises AnswerUnclear, AnswerOffSheet."""
    said = Said({}, {}, {})
    values = (*(str(value) for value in VALUES), NONE)
    names = (*color_choices(), PLAIN)
    for place, value in settings.items():
        cell = re.fullmatch(r"cell (\d{1,4}), ?(\d{1,4})", place)
        numbered = re.fullmatch(r"(row|bonus) (\d{1,4})", place)
        at = int(numbered[2]) if numbered else -1
        if cell and value in values:
            if int(cell[1]) >= rows or int(cell[2]) >= columns:
                raise AnswerOffSheet(place, f"cell 0,0 - {rows - 1},{columns - 1}")
            said.cells[int(cell[1]), int(cell[2])] = 0 if value == NONE else int(value)
        elif numbered and value in names and (numbered[1], value) != ("bonus", PLAIN):
            if at >= rows:
                raise AnswerOffSheet(place, f"{numbered[1]} 0 - {rows - 1}")
            (said.rows if numbered[1] == "row" else said.bonuses)[at] = value
        elif place not in NAMES or value != ABSENT:
            colors = "|".join(color_choices())
            allowed = f"cell 3,4={'|'.join(values)}, row 5={'|'.join(names)}, bonus 0={colors}"
            allowed += f", {GRID}={_size_told(*USUAL_SIZE)}, {TOTAL}={ABSENT}"
            raise AnswerUnclear(f"{place}={value}", allowed)
    return said


def _unfound(candidate: Candidate, rows: Mapping[int, str], said: Said) -> BonusPlaces:
    """Places for the bonuses of coloured rows below a grid, to be moved to where they are."""
    order, count = sorted(rows), len(rows)
    owners = {
        pair: next((at for at, row in enumerate(order) if rows[row] == color), None)
        for pair, color in said.bonuses.items()
        if pair < count
    }
    free = iter([pair for pair in range(count) if owners.get(pair) is None])
    by_row = {at: pair for pair, at in owners.items() if at is not None}
    reading = tuple(by_row[at] if at in by_row else next(free) for at in range(count))
    half, y = PLACE_SIDE / 2 + 0.05, candidate.grid.rows + 1.0
    steps = (np.array(reading) + 0.5) * candidate.grid.columns / max(count, 1)
    centres = tuple(((float(x - half), y), (float(x + half), y)) for x in steps)
    return BonusPlaces(centres, PLACE_SIDE, reading, (), len(BONUSES) * count, np.zeros((count, 3)))


def _has_corners(given: Given, region: str) -> bool:
    return any(name.split(" ")[0] == region for name in given.corners)


def _moved(bonuses: BonusPlaces, given: Given, placement: Placement, is_found: bool) -> BonusPlaces:
    """The same, the pairs whose corners a person said in their places.

    The two halves of a region are the places of a 4 and of a 2, in the order in which they were
    found, or the 4 where the first corner is.
    """
    centres, sides = list(bonuses.centres), []
    for at, pair in enumerate(bonuses.reading):
        corners = given.corners.get(f"bonus {pair}")
        if corners is None:
            continue
        a, b, c, d = on_sheet(corners, placement)
        wide, high = np.linalg.norm(b - a), np.linalg.norm(d - a)
        start, end = ((a + d) / 2, (b + c) / 2) if wide >= high else ((a + b) / 2, (d + c) / 2)
        if is_found and np.subtract(centres[at][1], centres[at][0]) @ (end - start) < 0:
            start, end = end, start
        places = [start + way * (end - start) for way in (0.25, 0.75)]
        centres[at] = tuple((float(x), float(y)) for x, y in places)
        sides.append(float(min(max(wide, high) / 2, min(wide, high))))
    size = float(np.median(sides)) if sides else bonuses.size
    return replace(bonuses, centres=tuple(centres), size=size)


def _said_figures(found: Sequence[Box], given: Given, best: Candidate) -> tuple[Box, ...]:
    """The boxes for sums, those in their places that a person said; none where some are unknown."""
    boxes = dict(zip(NAMES, found, strict=False))
    boxes |= {
        name: box_of(given.corners[name], best.placement) for name in NAMES if name in given.corners
    }
    is_absent = any(given.values.get(name) == ABSENT for name in NAMES)
    return () if is_absent or len(boxes) < len(NAMES) else tuple(boxes[name] for name in NAMES)


def _pairs_of(layout: Layout, reading: Sequence[int] | None = None) -> dict[str, tuple[Box, str]]:
    """The regions of the pairs of bonuses and the colours of their rows, by name.

    ``reading`` : for each coloured row the number of its pair; None: in their order of reading.
    """
    field = layout.fields["bonus"]
    pairs = np.array(field.centres).reshape(-1, len(BONUSES), 2)
    half = np.array(field.size) / 2
    if reading is None:
        reading = np.argsort(reading_order(pairs[:, 0].tolist())).tolist()
    found = {
        f"bonus {number}": (Box(*(pair.min(axis=0) - half), *(pair.max(axis=0) + half)), str(color))
        for number, pair, color in zip(
            reading, pairs, (row["color"] for row in layout.printed["colored_rows"]), strict=True
        )
    }
    return dict(sorted(found.items()))


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
