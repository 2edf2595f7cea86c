"""Reads the print of an empty BLOXX! grid: its coloured rows and the numbers of its cells."""

from __future__ import annotations

import colorsys
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from itertools import permutations

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.ground import (
    MAX_TINTED,
    MIN_PLAIN,
    Colors,
    cell_grounds,
    chroma,
    frame_tints,
    row_tints,
    within_rows,
)
from brikks_vision.detect.placement import Image
from brikks_vision.detect.printed_digits import (
    VALUES,
    Glyph,
    chances_of_glyphs,
    digit_shapes,
    glyphs_in_cells,
    likeness,
    number_chances,
)
from brikks_vision.layout import Cell

GRID_PIXELS = 48  # px per cell of the grid that is read
# All set by hand on simulated printings (seeds 1 to 60).
USUAL_COUNT = 4  # of coloured rows. Source: rules
OTHER_COUNT = 0.35  # of the gap's logarithm, the price of one row more or less
MIN_STRENGTH = 0.01  # of a tint: plain rows differ as much
MIN_HUE_GAP = (
    0.7  # of the logarithm of strengths, from which on frames tell which rows are coloured
)
GAP_SPREAD = 0.12  # of the logarithm of a tint's strength beside the gap
MIN_LIKENESS = 0.62  # of a digit to the nearest letters
HUE_SPREAD = 5.5  # degrees, of a row's hue beside the common turn
TURN = 5.5  # degrees, of all hues of a sheet together
TURNS = tuple(range(-24, 25, 3))
MAX_TOGETHER = 6  # rows whose names are found together
GREY_CHROMA = 0.02  # a row with less has no hue
GREY_SHARE = 0.1  # of how much darker rows are: grey in a light that is none has so much hue
LETTERS_KEPT = 6  # those that fit a sheet best; it is printed in one kind of letters
SURE = 0.95  # probability; what is less sure is a doubt
MIN_GLYPH, GLYPHS_KEPT = 0.25, 4  # likeness from which on, and how many, glyphs of a cell are seen
SAME_GLYPH = 3.0  # px, of middles and heights
MIN_WORTH, MIN_PLACED_WORTH = 0.7, 0.5  # of digits that tell where numbers stand, of those there
MIN_PLACED = 3.0  # worth of all that stand in one place
# cells, of middles and logarithms of heights: digits of one print, and the digit that stands there
PLACE_SPREAD, PLACE_REACH = np.array([0.1, 0.1, 0.2]), np.array([0.12, 0.12, 0.25])
# the least probability of anything, by a whole cell and by its digit: by the whole cell 3 of 2,800
# on 40 sheets of another renderer were read wrong
CELL_DOUBT, DIGIT_DOUBT = 0.005, 0.05
LIKE_PIXELS = 24  # per cell, at which cells are compared
LIKE_MARGIN, LIKE_REACH = 4, 2  # px of these: left out at the sides, and by which prints lie aside
# correlation of a cell with a surely read one that bears the same, and how much less it is with all
# that bear other things; of 34 unsure numbers on 57 sheets 14 are told so, all right
MIN_LIKE, LIKE_LEAD = 0.9, 0.05
# the same of a number that is hurt; other bare cells that bear something have 0.7 at most
MIN_NEARLY_LIKE = 0.8
# the same where as much is printed as of a number, and the network is no surer than this that it is
# none: two scratched numbers on 320 sheets (seeds 62001, 62002), and no other cell
MIN_RATHER_LIKE, BARE = 0.65, 0.998
# Of what stands where numbers stand, beside the least that is a number, and beside what stands
# there in most bare cells, what surely is no number
BARE_SHARE, BARE_RATIO = 0.35, 4.0
MIN_BARE = 0.8  # probability of a cell in which nothing shows: a very pale number had 0.66
DOUBLY_SURE = 1 - 1e-5  # by the network, and by the other cells
MANY_NUMBERS = 10  # of which one sheet in twenty at most lacks one value of three
SAME_RIVAL = 1e-3  # by which the likeliest of equal others is ahead
BY_SHAPE = 0.9  # that a cell bears what stands there in the shape of a number of another colour
NUMBER_WIDTH, MIN_SHOWN = 0.64, 0.2  # of a number's height; cells: what is looked at
# where light may outshine a number: how light the ground is (of 255), and how much would be left of
# the usual contrast of numbers; on 60 sheets (seed 990170) six cells of one under a gleam. White,
# and the percentile of a cell's grey levels that is its ink
GLEAM, MIN_LEFT, WHITEST, INK_SHARE = 250, 0.3, 255.0, 8
SHOWS = 0.5  # of the detail of the median number: in a row with such a one others would show too
UNSEEN = 0.75  # that a cell bears nothing where nothing could be seen: a fourth bears numbers
MIN_VARIED = 1.5  # of lightness or colour, in which a shape can show


@dataclass(frozen=True)
class RowRead:
    """A row: the probability that it is coloured, and the colour it would have.

    tint: BGR, 0 to 1, of its ground beside that of plain rows. names: probabilities of colours.
    """

    colored: float
    tint: tuple[float, float, float]
    names: Mapping[str, float]

    @property
    def color(self) -> str:
        """The most probable name of its colour."""
        return max(self.names, key=self.names.__getitem__)


@dataclass(frozen=True)
class PrintRead:
    """What was read of a grid.

    hues: (rows, 3), of each row's ground and frames beside plain ones, differences of logarithms of
    BGR, without lightness. numbers: (rows, columns, 1 + values) probabilities of no number and of
    each of `VALUES`. likeness: sum over the cells that bear what is like digits, of how much:
    higher where the grid stands upright. digits: how many such cells. evenness: how alike the hues
    of each row are; lower where rows are rows. place: where in their cells numbers stand, as of a
    `CellDigit`; None where in no one place.
    """

    rows: tuple[RowRead, ...]
    hues: Colors
    numbers: NDArray[np.float64]
    likeness: float
    digits: int
    evenness: float
    place: NDArray[np.float64] | None = None

    @property
    def numbered(self) -> float:
        """The share of the cells that bear numbers."""
        return float((self.numbers.argmax(axis=-1) > 0).mean())

    @property
    def certainty(self) -> float:
        """Sum over the cells of how surely they bear what they bear, log-probabilities.

        Digits that stand upside down are hardly told.
        """
        return float(np.log(np.maximum(self.numbers.max(axis=-1), 1e-6)).sum())


def read_print(
    flat: Image, rows: int, columns: int, found: Sequence[Glyph] | None = None
) -> PrintRead:
    """Read an empty grid.

    ``flat`` : the grid alone, rectified at `GRID_PIXELS`, uint8 BGR. ``found`` : its glyphs, as
    `glyphs_in_cells` finds them, where they are known.
    """
    grounds = cell_grounds(flat, rows, columns)
    found = glyphs_in_cells(flat, GRID_PIXELS) if found is None else found
    numbers, digits = _numbers(flat, rows, columns, found)
    evenness = within_rows(grounds)
    plain = _of_bare_cells(grounds, numbers.argmax(axis=-1) == 0)
    hues, frames = row_tints(chroma(plain)), frame_tints(flat, rows, columns)
    told, hues = _rows(plain, hues, frames)
    return PrintRead(told, hues, numbers, digits.likeness, digits.count, evenness, digits.place)


def with_hues(read: PrintRead, rows: Sequence[int], hues: NDArray[np.float64]) -> PrintRead:
    """The same, where these rows are the coloured ones, and bonuses are printed in their colours.

    ``hues`` : (rows, 3), chroma of the bonuses beside paper, which counts as much as it is strong.
    """
    names = names_together(_stronger(read.hues[list(rows)], hues))
    found = list(read.rows)
    for row, named in zip(rows, names, strict=True):
        found[row] = replace(found[row], names=named)
    return replace(read, rows=tuple(found))


def told_by_others(flat: Image, read: PrintRead) -> NDArray[np.float64]:
    """The probabilities of the numbers, by how cells look beside each other.

    The numbers of a sheet are printed in one kind of letters: an unsure number that looks just like
    one that is surely read is told so, and a sure one is surer. Where numbers stand in one place of
    their cells, a cell in which nothing stands there surely bears none, and one in which something
    stands that is just like a number may bear it, in whatever colour. A number that is more like
    other ones than like its own is unsure. ``flat`` : as of `read_print`.
    """
    numbers = _told_by_like_cells(flat, read.numbers)
    return numbers if read.place is None else _told_by_places(flat, numbers, read.place)


def doubted_without_a_value(
    numbers: NDArray[np.float64], said: Collection[int] = ()
) -> NDArray[np.float64]:
    """The numbers, in doubt where one value is read nowhere on a sheet that bears many numbers.

    Those of letters that are not known are misread alike, all of one value as another one. What
    looks like others that are read as it is stays sure. ``numbers`` : as of `told_by_others`.
    ``said`` : which of them a person says that the sheet bears.
    """
    told, read = numbers.max(axis=-1), numbers.argmax(axis=-1)
    missing = sorted({*range(1, numbers.shape[-1])} - {*said, *read.ravel().tolist()})
    found = numbers.copy()
    if missing and np.count_nonzero(read) >= MANY_NUMBERS:
        for cell in zip(*np.nonzero((read > 0) & (told < DOUBLY_SURE)), strict=True):
            _tell(found[cell], int(read[cell]), min(BY_SHAPE, float(told[cell])))
            found[cell][[read[cell], missing[0]]] += (-SAME_RIVAL, SAME_RIVAL)
    return found


def _told_by_like_cells(flat: Image, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    rows, columns, values = numbers.shape
    told, read = numbers.max(axis=-1), numbers.argmax(axis=-1)
    size = (columns * LIKE_PIXELS, rows * LIKE_PIXELS)
    grey = cv2.cvtColor(cv2.resize(flat, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    cells = grey.reshape(rows, LIKE_PIXELS, columns, LIKE_PIXELS).swapaxes(1, 2)
    wide = slice(LIKE_MARGIN - LIKE_REACH, LIKE_REACH - LIKE_MARGIN)
    inner = slice(LIKE_MARGIN, -LIKE_MARGIN)
    found = numbers.copy()
    around = {
        other: np.ascontiguousarray(cells[other][wide, wide])
        for other in zip(*np.nonzero(told >= SURE), strict=True)
    }
    for cell in zip(*np.nonzero(read > 0), strict=True):
        best = np.full(values, -1.0)
        part = np.ascontiguousarray(cells[cell][inner, inner])
        for other, picture in around.items():
            if other != cell:
                like = float(cv2.matchTemplate(picture, part, cv2.TM_CCOEFF_NORMED).max())
                best[read[other]] = max(best[read[other]], like)
        others = np.delete(best, read[cell])
        if best[read[cell]] >= max(MIN_LIKE, others.max() + LIKE_LEAD):
            sure = SURE if told[cell] < SURE else max(DOUBLY_SURE, told[cell])
            _tell(found[cell], int(read[cell]), sure)
    return found


def _told_by_places(
    flat: Image, numbers: NDArray[np.float64], place: NDArray[np.float64]
) -> NDArray[np.float64]:
    """``place`` : as of `PrintRead`."""
    told, read = numbers.max(axis=-1), numbers.argmax(axis=-1)
    lab = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2LAB), np.uint8)
    views = _views(lab, numbers.shape[:2], place)
    printed = np.array([[_detail(view) for view in line] for line in views])
    known = [*zip(*np.nonzero((told >= SURE) & (read > 0)), strict=True)]
    bare = [*zip(*np.nonzero(read == 0), strict=True)]
    if not known or not bare:
        return numbers
    palest = min(printed[cell] for cell in known)
    least = BARE_SHARE * palest
    is_hidden, is_alike = _lost_in_light(flat, known, place), lost_in_ground(views, known, printed)
    usual = BARE_RATIO * float(np.median([printed[cell] for cell in bare]))
    found = numbers.copy()
    for cell in known:
        _doubt_unlike(found[cell], views[cell], [
            (int(read[other]), views[other]) for other in known if other != cell
        ])  # fmt: skip
    for cell in bare:
        if printed[cell] < min(least, usual):
            if told[cell] >= MIN_BARE:
                sure = UNSEEN if is_hidden[cell] else max(float(told[cell]), DOUBLY_SURE)
                _tell(found[cell], 0, sure)
            continue
        best = np.zeros(numbers.shape[-1])
        for other in known:
            like = _alike_in_any_colour(views[cell], views[other])
            best[read[other]] = max(best[read[other]], like)
        value = int(best.argmax())
        if best[value] >= max(MIN_LIKE, np.delete(best, value).max() + LIKE_LEAD):
            _tell(found[cell], value, BY_SHAPE)
        elif printed[cell] >= max(least, usual) and (
            best.max() >= MIN_NEARLY_LIKE
            or (best.max() >= MIN_RATHER_LIKE and printed[cell] >= palest and told[cell] < BARE)
        ):
            # a number with a scratch or a stain
            _tell(found[cell], 0, min(BY_SHAPE, told[cell]))
            found[cell][[0, value]] += (-SAME_RIVAL, SAME_RIVAL)
    for cell in bare:
        if is_alike[cell] and found[cell][0] > UNSEEN:
            _tell(found[cell], 0, UNSEEN)
    return found


def _doubt_unlike(
    chances: NDArray[np.float64],
    view: NDArray[np.float32],
    others: Sequence[tuple[int, NDArray[np.float32]]],
) -> None:
    """Make a number unsure that looks just like other ones, and less like those of its own value.

    A scratch may change a number, and blur two. ``others`` : with what they were read as.
    """
    value = int(chances.argmax())
    best = np.zeros(len(chances))
    for other, shown in others:
        best[other] = max(best[other], _alike_in_any_colour(view, shown))
    rival = int(best.argmax())
    if rival != value and best[rival] >= MIN_LIKE:
        _tell(chances, value, min(BY_SHAPE, float(chances[value])))
        chances[[value, rival]] += (-SAME_RIVAL, SAME_RIVAL)


def _tell(chances: NDArray[np.float64], value: int, sure: float) -> None:
    chances[:] = (1 - sure) / (len(chances) - 1)
    chances[value] = sure


def _views(
    picture: Image, size: tuple[int, ...], place: NDArray[np.float64]
) -> NDArray[np.float32]:
    """What stands in each cell where numbers stand, (rows, columns, height, width, ...).

    ``picture`` : of the grid alone, at `GRID_PIXELS`, in whatever channels.
    """
    rows, columns = size
    x, y, height = *place[:2], float(np.exp(place[2]))
    shown = (max(NUMBER_WIDTH * height, MIN_SHOWN), height)
    pixels = tuple(round(side * GRID_PIXELS) + 2 * LIKE_REACH for side in shown)
    return np.array(
        [
            [
                cv2.getRectSubPix(
                    picture, pixels, ((at + x) * GRID_PIXELS - 0.5, (row + y) * GRID_PIXELS - 0.5)
                )
                for at in range(columns)
            ]
            for row in range(rows)
        ],
        np.float32,
    )


def _detail(view: NDArray[np.float32]) -> float:
    """How much of a view no even light explains: root of the mean square, of L*a*b*."""
    height, width = view.shape[:2]
    down, across = np.mgrid[:height, :width]
    light = np.stack([np.ones(height * width), across.ravel(), down.ravel()], axis=1)
    colors = view.reshape(-1, 3)
    rest = colors - light @ np.linalg.lstsq(light, colors, rcond=None)[0]
    return float(np.sqrt((rest**2).sum(axis=1).mean()))


def _lost_in_light(
    flat: Image, known: Sequence[Cell], place: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """The cells (rows, columns) in which a gleam would outshine a number.

    What shows of the lines around a cell tells how much light lies on it.

    ``known`` : cells with numbers. ``place`` : as of `PrintRead`.
    """
    grey = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.uint8)
    size = flat.shape[0] // GRID_PIXELS, flat.shape[1] // GRID_PIXELS
    views = _views(grey, size, place)
    inks = np.percentile(views, INK_SHARE, axis=(2, 3))
    grounds = np.median(views, axis=(2, 3))
    lines = _line_levels(grey)
    at = tuple(np.array(known).T)
    ink, line = float(np.median(inks[at])), float(np.median(lines))
    usual = float(np.median(grounds[at] - inks[at]))
    lit = np.maximum(ink + lines - line, ink * lines / max(line, 1.0))
    left = grounds - np.minimum(lit, WHITEST)
    return np.asarray((grounds >= GLEAM) & (left < MIN_LEFT * usual), np.bool_)


def lost_in_ground(
    views: NDArray[np.float32], known: Sequence[Cell], printed: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """The cells (rows, columns) whose ground is too much like the ink for a number to show.

    As in a grey copy, or by a lamp of one colour. Not in a row in which a number does show.

    views: (rows, columns, height, width, 3), L*a*b*. known: cells with numbers. printed: (rows,
    columns), the detail of each.
    """
    grounds = np.median(views, axis=(2, 3))
    at = tuple(np.array(known).T)
    dark = (
        views[at][..., 0] <= np.percentile(views[at][..., 0], INK_SHARE, axis=(1, 2))[:, None, None]
    )
    inks = [view[is_ink].mean(axis=0) for view, is_ink in zip(views[at], dark, strict=True)]
    away = np.linalg.norm(grounds - np.median(inks, axis=0), axis=-1)
    is_lost = away < MIN_LEFT * float(np.median(away[at]))
    shows = printed[at] >= SHOWS * float(np.median(printed[at]))
    is_lost[at[0][shows]] = False
    return np.asarray(is_lost, np.bool_)


def _line_levels(grey: Image) -> NDArray[np.float64]:
    """How light the lines around each cell are, (rows, columns)."""
    rows, columns = (side // GRID_PIXELS for side in grey.shape)
    smooth = cv2.blur(grey, (3, 3))
    along = np.linspace(0.2, 0.8, 13)

    def levels(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        across, down = (
            np.clip(np.rint(each * GRID_PIXELS - 0.5).astype(int), 0, side - 1)
            for each, side in ((x, smooth.shape[1]), (y, smooth.shape[0]))
        )
        return np.asarray(np.median(smooth[down, across], axis=-1), np.float64)

    at, row = np.arange(columns)[None, :, None], np.arange(rows)[:, None, None]
    sides = [levels(at + side + 0 * row + 0 * along, row + along + 0 * at) for side in (0, 1)]
    sides += [levels(at + along + 0 * row, row + side + 0 * at + 0 * along) for side in (0, 1)]
    return np.asarray(np.median(sides, axis=0), np.float64)


def _alike_in_any_colour(view: NDArray[np.float32], number: NDArray[np.float32]) -> float:
    """How much the shape in a view is that of a number, 0 to 1, be it lighter or darker."""
    inner = slice(LIKE_REACH, -LIKE_REACH)
    shape = np.ascontiguousarray(number[inner, inner, 0])
    found = [
        cv2.matchTemplate(np.ascontiguousarray(view[..., channel]), shape, cv2.TM_CCOEFF_NORMED)
        for channel in range(3)
        if view[..., channel].std() >= MIN_VARIED
    ]
    return max((float(np.abs(each).max()) for each in found), default=0.0)


def _of_bare_cells(grounds: Colors, is_bare: NDArray[np.bool_]) -> Colors:
    """The grounds; a numbered cell, where frames may hide it, has that of its row's bare ones."""
    found = grounds.copy()
    for row, bare in zip(found, is_bare, strict=True):
        if bare.any():
            row[~bare] = np.median(row[bare], axis=0)
    return found


def _rows(grounds: Colors, hues: Colors, frames: Colors) -> tuple[tuple[RowRead, ...], Colors]:
    """The rows, and their hues by grounds and frames."""
    shades = row_tints(grounds)
    ways = [_split(strengths) for strengths in np.linalg.norm([hues, frames], axis=2)]
    colored, gap = max(ways, key=lambda way: way[1])
    # A shadow darkens rows, too: lightness tells only where neither grounds nor frames have hues.
    levels = np.abs(shades.mean(axis=1))
    weak = max(GREY_CHROMA, GREY_SHARE * float(levels.max()))
    if gap < MIN_HUE_GAP and np.linalg.norm(hues, axis=1).max() <= weak:
        by_level = _split(levels)
        if by_level[1] > gap:
            (colored, gap), frames = by_level, np.zeros_like(frames)
    chosen = [at for at, odds in enumerate(colored) if odds > 0.5]
    every = _stronger(hues, frames)
    together = dict(zip(chosen, names_together(every[chosen]), strict=True))
    found = []
    for at, (shade, odds) in enumerate(zip(shades + frames, colored, strict=True)):
        blue, green, red = (float(each) for each in np.exp(shade - shade.max()))
        names = together[at] if at in together else names_together(every[[at]])[0]
        found.append(RowRead(odds, (blue, green, red), names))
    return tuple(found), every


def _stronger(one: Colors, other: Colors) -> Colors:
    """Means of chromas (N, 3), where each counts as much as it is strong."""
    weights = np.linalg.norm([one, other], axis=-1, keepdims=True) + 1e-9
    return np.asarray((one * weights[0] + other * weights[1]) / weights.sum(axis=0), np.float64)


def _split(strengths: NDArray[np.float64]) -> tuple[list[float], float]:
    """Probabilities that rows are coloured, by the widest gap between the strengths of their tints.

    Also how wide that is. The rules say that four are; other numbers need a wider gap.
    """
    logs = np.log(np.maximum(strengths, MIN_STRENGTH))
    ranked = np.sort(logs)[::-1]
    most = max(1, min(MAX_TINTED, len(ranked) - MIN_PLAIN))
    gaps = [
        ranked[count - 1] - ranked[count] - OTHER_COUNT * abs(count - USUAL_COUNT)
        for count in range(1, most + 1)
    ]
    count = int(np.argmax(gaps)) + 1
    middle = (ranked[count - 1] + ranked[count]) / 2
    spread = GAP_SPREAD
    told = [float(1 / (1 + np.exp(-np.clip((each - middle) / spread, -50, 50)))) for each in logs]
    return told, float(max(gaps))


@cache
def _palette() -> tuple[dict[str, float], str]:
    file = resources.files("brikks_vision").joinpath("games", "bloxx", "colors.json")
    data = json.loads(file.read_text("utf-8"))
    return data["hues"], data["grey"]


def color_choices() -> tuple[str, ...]:
    """The names of colours, in their order."""
    hues, grey = _palette()
    return (*hues, grey)


@cache
def color_swatches() -> Mapping[str, str]:
    """The colours as "#rrggbb", by name."""
    hues, grey = _palette()
    shades = {name: colorsys.hsv_to_rgb(hue / 360, 1.0, 1.0) for name, hue in hues.items()}
    shades[grey] = (0.6, 0.6, 0.6)
    return {
        name: "#" + "".join(f"{round(255 * each):02x}" for each in shade)
        for name, shade in shades.items()
    }


def names_together(hues: NDArray[np.float64]) -> list[dict[str, float]]:
    """Probabilities of the names of rows' colours, all of one sheet.

    The names differ, and light or paper may turn all hues by as much.

    ``hues`` : (rows, 3), chroma of the rows, differences of logarithms of BGR.
    """
    known, grey = _palette()
    names, angles = list(known), np.array(list(known.values()))
    strengths = np.linalg.norm(hues, axis=1)
    bgr = np.exp(hues - hues.max(axis=1, keepdims=True))
    degrees = np.array([360 * colorsys.rgb_to_hsv(*map(float, each[::-1]))[0] for each in bgr])
    spreads = HUE_SPREAD * (1 + GREY_CHROMA / np.maximum(strengths, 1e-6))
    shares = np.zeros((len(hues), len(names)))
    if 0 < len(hues) <= MAX_TOGETHER:
        orders = np.array(list(permutations(range(len(names)), len(hues))))
        for turn in TURNS:
            away = (degrees[:, None] - angles + turn + 180) % 360 - 180
            fit = -0.5 * (away / spreads[:, None]) ** 2
            odds = np.exp(fit[np.arange(len(hues)), orders].sum(axis=1) - 0.5 * (turn / TURN) ** 2)
            for row in range(len(hues)):
                shares[row] += np.bincount(orders[:, row], odds, minlength=len(names))
    shares += 1e-12
    shares /= shares.sum(axis=1, keepdims=True)
    has_hue = strengths**4 / (strengths**4 + (0.7 * GREY_CHROMA) ** 4)
    return [
        {**dict(zip(names, map(float, own * sure), strict=True)), grey: float(1 - sure)}
        for own, sure in zip(shares, has_hue, strict=True)
    ]


@dataclass(frozen=True)
class Digits:
    """What is like digits by its shape: how much, in how many cells. place: of a `PrintRead`."""

    likeness: float
    count: int
    place: NDArray[np.float64] | None


def _numbers(
    flat: Image, rows: int, columns: int, found: Sequence[Glyph]
) -> tuple[NDArray[np.float64], Digits]:
    """Probabilities (rows, columns, 1 + values), and what is like digits by its shape.

    A network says what numbers the cells bear. Whether the grid is one of this game and stands
    upright tell the shapes of the digits, which a network takes for digits however they stand.
    """
    shapes = likeness(found, digit_shapes(VALUES))
    best = np.zeros((rows, columns, *shapes.shape[1:]), np.float32)
    for glyph, likes in zip(found, shapes, strict=True):
        at = _cell_of(glyph)
        best[at] = np.maximum(best[at], likes)
    printed = best.max(axis=(2, 3)) > MIN_LIKENESS
    letters = best[printed].max(axis=-1).sum(axis=0) if printed.any() else np.zeros(best.shape[2])
    kept = np.argsort(-letters)[:LETTERS_KEPT]
    values = best[:, :, kept].max(axis=2)  # (rows, columns, values)
    score = float(np.maximum(values.max(axis=-1) - MIN_LIKENESS, 0).sum())
    chances = number_chances(flat, rows, columns)
    placed = _at_one_place(_distinct_digits(flat, found, shapes.max(axis=(1, 2), initial=-1.0)))
    place = np.median([each.place for each in placed.values()], axis=0) if placed else None
    return _with_placed(chances, placed), Digits(score, int(printed.sum()), place)


@dataclass(frozen=True)
class CellDigit:
    """What may be the number of a cell.

    place: its middle in the cell and the logarithm of its height, in cells. likeness: of its shape
    to any digit. chances: (1 + values,), seen by itself.
    """

    cell: Cell
    place: NDArray[np.float64]
    likeness: float
    chances: NDArray[np.float64]

    @property
    def worth(self) -> float:
        """How much it is like a number, 0 to 1."""
        return (self.likeness + float(self.chances[1:].max())) / 2


def _cell_of(glyph: Glyph) -> Cell:
    x, y = (int((each + 0.5) / GRID_PIXELS) for each in glyph.centre)
    return y, x


def _distinct_digits(
    flat: Image, found: Sequence[Glyph], likes: NDArray[np.float32]
) -> list[CellDigit]:
    """The few glyphs of each cell that are most like digits. ``likes`` : (glyphs,)."""
    chosen: dict[Cell, list[int]] = {}
    for at in (-likes).argsort().tolist():
        kept = chosen.setdefault(_cell_of(found[at]), [])
        measures = np.array([*found[at].centre, found[at].size[1]])
        others = [np.array([*found[each].centre, found[each].size[1]]) for each in kept]
        is_new = all(np.abs(measures - other).max() > SAME_GLYPH for other in others)
        if likes[at] >= MIN_GLYPH and len(kept) < GLYPHS_KEPT and is_new:
            kept.append(at)
    every = [at for kept in chosen.values() for at in kept]
    return [
        CellDigit(
            _cell_of(found[at]),
            np.array(
                [
                    *(np.array(found[at].centre) + 0.5) / GRID_PIXELS % 1,
                    np.log(found[at].size[1] / GRID_PIXELS),
                ]
            ),
            float(likes[at]),
            chances,
        )
        for at, chances in zip(
            every, chances_of_glyphs(flat, [found[at] for at in every]), strict=True
        )
    ]


def _at_one_place(digits: Sequence[CellDigit]) -> dict[Cell, CellDigit]:
    """The digit of each cell, of those that stand in one place of their cells and are as high.

    The numbers of a sheet are printed alike. None where too few are.
    """
    like = [digit for digit in digits if digit.worth >= MIN_WORTH]
    best: dict[Cell, CellDigit] = {}
    most = float(MIN_PLACED)
    for middle in like:
        near = _best_of_cells(like, middle, PLACE_SPREAD)
        weight = sum(digit.worth for digit in near.values())
        if weight > most:
            best, most = _best_of_cells(digits, middle, PLACE_REACH), weight
    return best


def _best_of_cells(
    digits: Sequence[CellDigit], like: CellDigit, reach: NDArray[np.float64]
) -> dict[Cell, CellDigit]:
    found: dict[Cell, CellDigit] = {}
    for digit in digits:
        is_near = (
            np.abs(digit.place - like.place) < reach
        ).all() and digit.worth >= MIN_PLACED_WORTH
        if is_near and (digit.cell not in found or digit.worth > found[digit.cell].worth):
            found[digit.cell] = digit
    return found


def _with_placed(
    chances: NDArray[np.float64], placed: Mapping[Cell, CellDigit]
) -> NDArray[np.float64]:
    """What cells bear, by the whole cell and by the digit that stands where numbers stand.

    The whole cell tells more: a digit may be cut out together with what it stands on. Where there
    is none, a number is as improbable as digits are seldom missed on this sheet.
    """
    if not placed:
        return chances
    numbered = {cell for cell in np.ndindex(*chances.shape[:2]) if chances[cell].argmax()}
    missed = (1 + len(numbered - placed.keys())) / (2 + len(numbered))
    told = np.maximum(chances, CELL_DOUBT)
    seen = np.ones(chances.shape)
    for cell in np.ndindex(*chances.shape[:2]):
        if cell in placed:
            seen[cell] = np.maximum(placed[cell].chances, DIGIT_DOUBT)
        else:
            told[cell], seen[cell][1:] = chances[cell], missed
    found = told * seen
    return np.asarray(found / found.sum(axis=-1, keepdims=True), np.float64)
