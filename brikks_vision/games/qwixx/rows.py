"""Finds the four rows of numbers of any print in a photo, and which of them is which.

Numbers of a row follow each other at equal steps, and so do the rows: chains of small components
make a lattice. Which end is up, whether the photo is mirrored, where the rows begin and which of
them rise is told by the digits; of two that rise, the colours tell which is red.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise, product
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.placement import Image, Points, shrunk
from brikks_vision.detect.printed_digits import SHAPE_HEIGHT, SHAPE_WIDTH, digit_shapes, glyphs
from brikks_vision.errors import GridNotFound
from brikks_vision.rules.qwixx.sheet import COLUMNS, ROWS, number_at

# All set by hand on simulated printings (seed 777); lengths in steps from a number to the next.
LONG_SIDE = 1500  # px of the picture in which components are sought
HEIGHTS = 6, 80  # px of components
ALIKE = 0.45  # log of the ratio of sizes up to which two may belong together
NEAR, FAR = 0.7, 5.0  # sizes from one number to the next
NEIGHBOURS = 10
CHAIN = 6  # numbers that begin a row: eight of one digit follow each other
MOST_CHAINS = 40  # longest ones of a picture that are looked at
ASIDE, ROW_ASIDE = 0.2, 0.3  # between a number and where it is expected, along a chain and beyond
ROW_STEPS = 0.85, 2.2
MIN_ROW = 0.5  # share of a chain's numbers below which a further row must have some
PIXELS = 36  # per step, of the picture in which digits are read
BESIDE, MIN_BESIDE, UP_DOWN = 0.22, 0.03, 0.35  # from a place's middle to a digit's
TRIED = 3  # lattices of which the digits are read, where the first ones' are not those of the rows
MIN_LEAD = 2.0  # in likenesses, 44 at most, by which the best telling must exceed others
FOCAL = 0.8  # of the photo's longer side: as most phones have it

Array = NDArray[np.float64]
Indices = NDArray[np.intp]


class Components(NamedTuple):
    """What may be digits: centres (N, 2) and longer sides (N,), px."""

    centres: Array
    sizes: Array

    def nearest(self, points: Array, sizes: Array, aside: Array) -> Indices:
        """The nearest one of about the size of each of these, -1 where none is within ``aside``."""
        away = ((points[:, None] - self.centres) ** 2).sum(axis=-1)
        away[np.abs(np.log(self.sizes / sizes[:, None])) > ALIKE] = np.inf
        found = away.argmin(axis=1)
        return np.where(away[np.arange(len(points)), found] <= aside**2, found, -1)


@dataclass(frozen=True)
class NumberRows:
    """The rows of a sheet.

    numbers, photo: (N, 2) row and column of numbers that were seen, rows as they lie from the top,
    and where, px. order: by row as it lies, which one it is: 0 red to 3 blue. apart: steps from a
    row to the next. is_mirrored: whether the photo shows the sheet in a mirror. is_sure: whether
    the digits tell all that.
    """

    numbers: Indices
    photo: Points
    order: tuple[int, ...]
    apart: float
    is_mirrored: bool
    is_sure: bool

    def on_sheet(self, numbers: NDArray[np.generic]) -> Points:
        """Where numbers (N, 2), by row as it lies and column, are on the sheet, in steps."""
        row, column = np.asarray(numbers, np.float64).T
        return np.stack([column + 0.5, (row + 0.5) * self.apart], axis=1)

    @property
    def centres(self) -> Points:
        """Of all numbers from red to blue, (44, 2), in steps."""
        lie = np.argsort(self.order)
        return self.on_sheet(np.array([*product(lie, range(COLUMNS))]))


def find_rows(image: Image) -> NumberRows:
    """The rows in a photo, uint8 BGR; raises GridNotFound."""
    small, scale = shrunk(image, LONG_SIDE / max(image.shape[:2]))
    found: list[tuple[int, Indices, Array]] = []
    for components in _components(np.asarray(cv2.GaussianBlur(small, (0, 0), 0.7), np.uint8)):
        lattices = [_lattice(components, chain) for chain in _chains(components)[:MOST_CHAINS]]
        found += [(_in_four_rows(each[0]), *each) for each in lattices if each]
    best: NumberRows | None = None
    for _, nodes, where in sorted(found, key=lambda each: -each[0])[:TRIED]:
        with suppress(GridNotFound):
            rows = _told(image, nodes, (where + 0.5) / scale - 0.5)
            if best is None or rows.is_sure:
                best = rows
            if rows.is_sure:
                break
    if best is None:
        raise GridNotFound
    return best


def _in_four_rows(nodes: Indices) -> int:
    """The most nodes that four rows have together which follow each other."""
    _, counts = np.unique(nodes[:, 0], return_counts=True)
    return int(max(counts[at : at + ROWS].sum() for at in range(len(counts) - ROWS + 1)))


def _components(image: Image) -> Iterator[Components]:
    """Components of a digit's size, darker and lighter ones, by lightness and by each channel."""
    low, high = HEIGHTS
    for layer in (cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), *cv2.split(image)):
        for turned in (layer, 255 - layer):
            ink = cv2.adaptiveThreshold(
                turned, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 31, 6
            )
            _, _, stats, _ = cv2.connectedComponentsWithStats(ink)
            x, y, width, height, area = stats[1:].T.astype(np.float64)
            side = np.maximum(width, height)
            fits = (side >= low) & (side <= high) & (np.minimum(width, height) >= 2)
            fits &= (area >= 10) & (area >= 0.15 * width * height)
            middles = np.stack([x + (width - 1) / 2, y + (height - 1) / 2], axis=1)
            if fits.sum() >= ROWS * CHAIN:
                yield Components(middles[fits], side[fits])


def _chains(all_of: Components) -> list[list[int]]:
    """Components that follow each other at equal steps, `CHAIN` or more, the longest first."""
    centres, sizes = all_of
    apart = np.linalg.norm(centres[:, None] - centres, axis=-1) / sizes[:, None]
    alike = np.abs(np.log(sizes / sizes[:, None])) <= ALIKE
    apart[~(alike & (apart > NEAR) & (apart < FAR))] = np.inf
    others = np.argsort(apart, axis=1)[:, :NEIGHBOURS]
    first = np.repeat(np.arange(len(centres)), others.shape[1])
    second = others.ravel()
    beside = np.isfinite(apart[first, second])
    first, second = first[beside], second[beside]
    steps, last, size = centres[second] - centres[first], second.copy(), sizes[first]
    chains = [[one, other] for one, other in zip(first.tolist(), second.tolist(), strict=True)]
    alive = np.arange(len(chains))
    for _ in range(COLUMNS):
        aside = ASIDE * np.linalg.norm(steps[alive], axis=1)
        found = all_of.nearest(centres[last[alive]] + steps[alive], size[alive], aside)
        alive, found = alive[found >= 0], found[found >= 0]
        if not len(alive):
            break
        steps[alive] = 0.7 * steps[alive] + 0.3 * (centres[found] - centres[last[alive]])
        last[alive] = found
        for at, member in zip(alive.tolist(), found.tolist(), strict=True):
            chains[at].append(member)
    distinct, seen = [], set[frozenset[int]]()
    for chain in sorted(chains, key=len, reverse=True):
        links = {frozenset(link) for link in pairwise(chain)}
        if len(chain) >= CHAIN and len(links & seen) < 2:
            seen |= links
            distinct.append(chain)
    return distinct


def _lattice(all_of: Components, chain: list[int]) -> tuple[Indices, Array] | None:
    """Rows that lie beside a chain at equal steps: (N, 2) row and column, from any row and column;
    where, (N, 2) px. None where there are fewer than four."""
    points = all_of.centres[chain]
    count, size = len(chain), np.full(len(chain), np.median(all_of.sizes[chain]))
    step = (points[-1] - points[0]) / (count - 1)
    length = float(np.linalg.norm(step))
    low, high = ROW_STEPS
    middle = points[count // 2]
    ways = all_of.centres - middle
    far = np.linalg.norm(ways, axis=1)
    slant = np.abs(ways @ step) / np.maximum(far * length, 1e-6)
    ways, slant = (each[(far > low * length) & (far < high * length) & (slant < 0.5)]
                   for each in (ways, slant))  # fmt: skip
    aside = np.full(count, ROW_ASIDE * length)

    def beside(base: Array, way: Array) -> Indices:
        return all_of.nearest(base + way, size, aside)

    worth = [(beside(points, way) >= 0).sum() - 3 * each
             for way, each in zip(ways, slant, strict=True)]  # fmt: skip
    if not worth or max(worth) < MIN_ROW * count:
        return None
    rows = {0: np.array(chain)}
    for sign in (1, -1):
        base, way = points, sign * ways[int(np.argmax(worth))]
        for row in range(1, ROWS):
            found = beside(base, way)
            seen = found >= 0
            if seen.sum() < MIN_ROW * count:
                break
            rows[sign * row] = found
            way = (way + np.median(all_of.centres[found[seen]] - base[seen], axis=0)) / 2
            base = np.where(seen[:, None], all_of.centres[found], base + way)
    if len(rows) < ROWS:
        return None
    nodes = [(row, column, at) for row, found in rows.items() for column, at in enumerate(found)
             if at >= 0]  # fmt: skip
    return np.array(nodes)[:, :2], all_of.centres[[at for _, _, at in nodes]]


# --- which is which -------------------------------------------------------------------------------


class Telling(NamedTuple):
    """How the lattice may be read: from which row and column on, turned and mirrored how, which
    rows rise; and how much more like these digits it is than like others."""

    worth: float
    first: tuple[int, int]
    is_turned: bool
    is_mirrored: bool
    rising: tuple[bool, ...]


def _told(image: Image, nodes: Indices, photo: Array) -> NumberRows:
    """The rows among the nodes (N, 2) of a lattice, row and column, that lie there in the photo."""
    plane, _ = cv2.findHomography(nodes[:, ::-1].astype(np.float64), photo, cv2.RANSAC,
                                  ROW_ASIDE * _step_between(nodes, photo))  # fmt: skip
    if plane is None:
        raise GridNotFound
    first = nodes.min(axis=0) - 2
    last = nodes.max(axis=0) + 2 - first
    apart = _apart(np.asarray(plane, np.float64), image)
    scale = np.array([[1 / PIXELS, 0, first[1]], [0, 1 / (PIXELS * apart), first[0]], [0, 0, 1]])
    size = round(last[1] * PIXELS), round(last[0] * PIXELS * apart)
    flat = np.asarray(cv2.warpPerspective(image, np.linalg.inv(plane @ scale), size), np.uint8)
    found = glyphs(flat, PIXELS)
    if not found:
        raise GridNotFound
    at = np.array([each.centre for each in found]).reshape(-1, 2) / (PIXELS, PIXELS * apart)
    shapes = np.array([each.shape for each in found]).reshape(-1, SHAPE_HEIGHT, SHAPE_WIDTH)
    tellings: list[Telling] = []
    for turns, mirrors in product((False, True), repeat=2):
        seen, where = shapes, at
        if turns:
            seen, where = seen[:, ::-1, ::-1], last[::-1] - where
        if mirrors:
            seen, where = seen[:, :, ::-1], np.abs((last[1], 0) - where)
        alike = _alike(seen, where * (1, apart), last + 1, apart)
        tellings += [
            Telling(worth, start, turns, mirrors, rising) for worth, start, rising in _read(alike)
        ]
    if not tellings:
        raise GridNotFound
    best, *others = sorted(tellings, reverse=True)
    numbers = nodes - first
    if best.is_turned:
        numbers = last - numbers
    if best.is_mirrored:
        numbers[:, 1] = last[1] - numbers[:, 1]
    numbers = numbers - best.first
    lies = [best.first[0] + row for row in range(ROWS)]
    lies = [last[0] - row for row in lies] if best.is_turned else lies
    order = _order(best.rising, [_hue(flat, row * PIXELS * apart) for row in lies])
    # where a number of two digits is seen is not its middle
    rises = np.array(best.rising)[numbers[:, 0].clip(0, ROWS - 1)]
    one_digit = np.where(rises, numbers[:, 1] <= 7, numbers[:, 1] >= 3)
    inside = (numbers >= 0).all(axis=1) & (numbers < (ROWS, COLUMNS)).all(axis=1) & one_digit
    x, y = nodes.mean(axis=0)[::-1]
    is_left_handed = np.linalg.det(plane) * (plane[2] @ (x, y, 1)) < 0
    lead = best.worth - max((each.worth for each in others), default=0.0)
    return NumberRows(
        numbers[inside],
        photo[inside],
        order,
        apart,
        bool(best.is_mirrored != is_left_handed),
        lead >= MIN_LEAD,
    )


def _step_between(nodes: Indices, photo: Array) -> float:
    """The usual distance of two numbers of a row, px."""
    links = [np.linalg.norm(there - here) / abs(after[1] - before[1])
             for before, after, here, there in zip(nodes, nodes[1:], photo, photo[1:], strict=False)
             if before[0] == after[0]]  # fmt: skip
    return float(np.median(links))


def _apart(plane: Array, image: Image) -> float:
    """Steps from a row to the next, as a usual camera sees the plane."""
    height, width = image.shape[:2]
    focal = FOCAL * max(height, width)
    camera = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    across, down = np.linalg.norm(np.linalg.inv(camera) @ plane[:, :2], axis=0)
    return float(np.clip(down / across, 0.9, 2.2))


def _alike(shapes: NDArray[np.float32], at: Array, size: Indices, apart: float) -> Array:
    """How much more like each digit something is than like the others, at places of a lattice.

    At the middle, to the left and to the right of it: (3, rows, columns, 10). ``at`` : of shapes,
    steps. ``size`` : rows and columns.
    """
    every = digit_shapes(tuple(range(10)))
    alike = np.einsum("gp,ldp->gld", shapes.reshape(len(shapes), -1), every).max(axis=1)
    alike -= alike.mean(axis=1, keepdims=True)
    found = np.zeros((3, *size, 10))
    places = np.rint(at / (1, apart)).astype(int)
    aside = at - places * (1, apart)
    for each, (column, row), (x, y) in zip(alike, places, aside, strict=True):
        if abs(y) > UP_DOWN or not (0 <= row < size[0] and 0 <= column < size[1]):
            continue
        for part, is_there in enumerate((abs(x) < BESIDE, x < -MIN_BESIDE, x > MIN_BESIDE)):
            if is_there:
                found[part, row, column] = np.maximum(found[part, row, column], each)
    return found


def _read(alike: Array) -> Iterator[tuple[float, tuple[int, int], tuple[bool, ...]]]:
    """For each place where the rows may begin, how like them it is, and which of them rise."""
    middle, left, right = alike
    values = {number: middle[..., number] for number in range(2, 10)}
    values |= {10 + ones: (left[..., 1] + right[..., ones]) / 2 for ones in range(3)}
    columns = range(COLUMNS)
    for start in range(middle.shape[1] - COLUMNS + 1):
        up, down = (
            np.sum([values[number_at(row, at)][:, start + at] for at in columns], axis=0)
            for row in (0, ROWS - 1)
        )
        for top in range(middle.shape[0] - ROWS + 1):
            rows = slice(top, top + ROWS)
            more = up[rows] - down[rows]
            rises = tuple(bool(each) for each in more >= np.sort(more)[ROWS // 2])
            worth = float(np.where(rises, up[rows], down[rows]).sum())
            yield worth, (top, start), rises


def _hue(flat: Image, y: float) -> float:
    """How far a row's colour is from purple to green: less for red than for yellow, for blue than
    for green, in any light."""
    part = flat[max(round(y - 0.45 * PIXELS), 0) : round(y + 0.45 * PIXELS) + 1]
    lab = cv2.cvtColor(part, cv2.COLOR_BGR2LAB).reshape(-1, 3).astype(np.float64)[:, 1:] - 128
    strength = np.linalg.norm(lab, axis=1)
    strong = lab[strength >= np.percentile(strength, 75)]
    return float((strong[:, 1] - strong[:, 0]).mean())


def _order(rising: tuple[bool, ...], hues: list[float]) -> tuple[int, ...]:
    """Which row is which: of two that rise red comes before yellow, of the others blue last.

    Raises GridNotFound where not two rise.
    """
    if sum(rising) != ROWS // 2:
        raise GridNotFound
    order = [0] * ROWS
    for rises, (low, high) in ((True, (0, 1)), (False, (3, 2))):
        one, other = (row for row in range(ROWS) if rising[row] == rises)
        order[one], order[other] = (low, high) if hues[one] < hues[other] else (high, low)
    return tuple(order)
