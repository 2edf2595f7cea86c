"""Which of the four colours each field of an empty board has.

How many small squares are printed on each field of an empty board.

Tells kinds of cells where lamps are mirrored or shadows fall: each cell has its own exposure,
which is much like that of the cells beside it.

Where a known board lies in a photo, and which of its sides is which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.board import (
    FoundBoard,
    board_corners,
    find_boards,
    flatten,
    lattice_corners,
)
from brikks_vision.detect.ground import HAZE, Light, cell_colors, fit_light, own_share, turn_misfit
from brikks_vision.detect.known_board import Match, Picture, place_pictures
from brikks_vision.detect.networks import run_batch
from brikks_vision.detect.placement import Image, Points, apply_homography, skew_of_plane
from brikks_vision.detect.template import Pictured, blank_picture
from brikks_vision.errors import BoardCutOff, BoardIsAnother, NoBoardFound
from brikks_vision.games.blox.field_evidence import normalized
from brikks_vision.rules.blox.material import FIELDS_BY_SQUARES, Color
from brikks_vision.rules.blox.position import FIELDS, SIDE, Board

Array = NDArray[np.float64]

GAMMA = 2.2  # of sRGB, about
# What a cell sends, as linear light: a share of its own, then a share of white from the varnish.
EXPOSURES = (
    (0.25, 0.0), (0.35, 0.0), (0.5, 0.0), (0.7, 0.0), (0.85, 0.0), (1.0, 0.0), (1.0, 0.01),
    (1.0, 0.025), (1.0, 0.045), (1.0, 0.07), (1.0, 0.1), (1.0, 0.14), (1.0, 0.19), (1.0, 0.26),
    (1.0, 0.35), (1.0, 0.47), (1.0, 0.62), (1.0, 0.8),
)  # fmt: skip
PLAIN = EXPOSURES.index((1.0, 0.0))
DARKEST = 0.004  # of white, added so that logarithms are finite
LIGHT_SPREAD = 0.13  # log of linear light: how much cells of a kind differ
STEP_COST = 0.9  # log-odds for each step of exposure between neighbours
PLAIN_COST = 0.15  # log-odds for each step from the plain one
MAX_COST = 7.0  # log-odds: a lamp's or a shadow's edge may be sharp
LIGHT_ROUNDS = 40


def tell_kinds(colors: Array, expected: Array, white: int) -> Array:
    """How probably each cell is of each kind, (rows, columns, kinds).

    colors: (rows, columns, 3), sRGB 0 to 255. expected: (rows, columns, kinds, 3), how each kind
    looks there where nothing mirrors. white: the lightest kind. Loopy belief propagation over the
    exposures of the cells.
    """
    seen, known = _linear(colors), _linear(expected)
    own, mirrored = np.array(EXPOSURES).T
    lamp = known[:, :, white]
    shown = (
        own[:, None, None] * known[:, :, None] + mirrored[:, None, None] * lamp[:, :, None, None]
    )
    shown = np.log(np.minimum(shown, 1.0) + DARKEST)  # (rows, columns, exposures, kinds, 3)
    off = np.log(seen + DARKEST)[:, :, None, None] - shown
    fits = -0.5 * (off**2).sum(axis=-1) / LIGHT_SPREAD**2
    steps = np.arange(len(EXPOSURES))
    local = np.logaddexp.reduce(fits, axis=3) - PLAIN_COST * np.abs(steps - PLAIN)
    beliefs = _propagated(local)
    joint = beliefs[..., None] + fits - np.logaddexp.reduce(fits, axis=3)[..., None]
    kinds = np.logaddexp.reduce(joint, axis=2)
    kinds -= np.logaddexp.reduce(kinds, axis=2)[..., None]
    return np.asarray(np.exp(kinds))


def _linear(colors: Array) -> Array:
    return np.asarray((np.clip(colors, 0, 255) / 255) ** GAMMA)


def _propagated(local: Array) -> Array:
    """Log-probabilities (rows, columns, exposures) of the cells' exposures."""
    steps = np.arange(local.shape[2])
    chance = np.exp(-np.minimum(STEP_COST * np.abs(steps[:, None] - steps), MAX_COST))
    messages = {way: np.zeros_like(local) for way in ((0, 1), (0, -1), (1, 0), (-1, 0))}
    for _ in range(LIGHT_ROUNDS):
        total = local + sum(messages.values())
        for (down, across), old in list(messages.items()):
            # What the neighbour on the other side says, without what this cell told it.
            out = total - messages[-down, -across]
            told = np.log(np.exp(out - out.max(axis=2, keepdims=True)) @ chance)
            told -= told.max(axis=2, keepdims=True)
            moved = np.zeros_like(told)
            rows, columns = told.shape[:2]
            moved[max(0, down) : rows + min(0, down), max(0, across) : columns + min(0, across)] = (
                told[
                    max(0, -down) : rows - max(0, down), max(0, -across) : columns - max(0, across)
                ]
            )
            messages[down, across] = 0.5 * old + 0.5 * moved
    total = local + sum(messages.values())
    return np.asarray(total - np.logaddexp.reduce(total, axis=2)[..., None])


COLORS = tuple(Color)
STARTS = 24  # first guesses
FEW_STARTS = 3  # where only the misfit is asked for
CHROMA_WEIGHT = 2.5  # colourfulness tells more than brightness, which light changes
ROUNDS = 12
REFINEMENTS = 3
PLAIN_QUANTILE = 0.4  # mirrored lamps are more frequent on a board than shadows
BRIGHTNESS_WEIGHT = 0.4
GLARE_SPREAD = 1.0  # fields
GLARE_SHARE = 0.8
SPREAD = 0.06  # log colour: how much fields of one colour differ
FIRST_SPREAD = 0.2
MIN_FIELDS = 6  # fields of a colour; a board has about twenty of each
MAX_MISFIT = 0.4  # log colour
# Between the two most similar colours of a board in play; 17 simulated boards had at least 0.15.
MIN_CONTRAST = 0.12  # log colour
MAX_COLORFUL = 0.4  # log colour: black or grey beside white; of 17 such boards 0.26 at most


def tell_colors(colors: Array) -> Array:
    """The probability (9, 9, 4) of each colour, in the order of `Color`.

    Fields are put into four groups by their look, from many first guesses, then the groups are
    named: the lightest is white, the most colourful of the others purple.

    colors: (9, 9, 3), the fields of an empty board, BGR.
    """
    logs = np.log(np.maximum(colors, 0) + HAZE)
    rng = np.random.default_rng(0)
    groups = np.stack([_first_groups(logs, rng) for _ in range(STARTS)])
    chances, shades, misfits = _settled(np.broadcast_to(colors, (STARTS, *colors.shape)), groups)
    best = int(misfits.argmin())
    chances = chances[best][:, :, _names(shades[best])]
    for _ in range(REFINEMENTS):
        light = _plain_light(colors, chances)
        chances = tell_kinds(colors, light.colors(len(colors)), white=0)
    return chances


def color_misfits(boards: Array) -> Array:
    """How badly the fields of each board (boards, 9, 9, 3) fit any four colours, in log colour.

    0 is a perfect fit.
    """
    groups = []
    for logs in np.log(np.maximum(boards, 0) + HAZE):
        rng = np.random.default_rng(0)
        groups += [_first_groups(logs, rng) for _ in range(FEW_STARTS)]
    _, _, found = _settled(np.repeat(boards, FEW_STARTS, axis=0), np.stack(groups))
    return np.asarray(found.reshape(-1, FEW_STARTS).min(axis=1))


def has_four_colors(colors: Array) -> bool:
    """Whether fields (9, 9, 3), some with things on them, have four colours, each on several."""
    chances = tell_colors(colors)
    counts = np.bincount(chances.argmax(axis=2).ravel(), minlength=len(COLORS))
    light = fit_light(colors, chances)
    white, *others = light.shades
    least_colorful = min(float(np.ptp(shade - white)) for shade in others)
    return (
        counts.min() >= MIN_FIELDS
        and light.contrast >= MIN_CONTRAST
        and least_colorful <= MAX_COLORFUL
    )


def _plain_light(colors: Array, chances: Array) -> Light:
    """How the colours look where neither a lamp is mirrored, which makes fields lighter, nor a
    shadow falls: such fields are neither the lightest nor the darkest of their colour."""
    light = fit_light(colors, chances)
    bright = (
        colors.mean(axis=2)
        / light.colors(SIDE).mean(axis=3)[
            np.arange(SIDE)[:, None], np.arange(SIDE), chances.argmax(axis=2)
        ]
    )
    shades = light.shades.copy()
    for kind in range(len(COLORS)):
        own = chances.argmax(axis=2) == kind
        if own.any():
            shades[kind] += np.log(np.quantile(bright[own], PLAIN_QUANTILE))
    return Light(shades, light.slopes)


def _first_groups(logs: Array, rng: np.random.Generator) -> Array:
    """Four groups of fields, (9, 9, 4): each field is of the nearest of four spread-out ones."""
    mean = logs.mean(axis=2, keepdims=True)
    looks = np.concatenate([mean, CHROMA_WEIGHT * (logs - mean)], axis=2).reshape(-1, 4)
    centres = [looks[int(rng.integers(len(looks)))]]
    for _ in range(len(COLORS) - 1):
        nearest = np.min([((looks - centre) ** 2).sum(axis=1) for centre in centres], axis=0)
        if not nearest.any():  # fewer looks than groups
            nearest = np.ones_like(nearest)
        centres.append(looks[int(rng.choice(len(looks), p=nearest / nearest.sum()))])
    middles = np.stack(centres)
    for _ in range(6):
        own = ((looks[:, None] - middles) ** 2).sum(axis=2).argmin(axis=1)
        middles = np.stack(
            [
                looks[own == kind].mean(axis=0) if (own == kind).any() else middles[kind]
                for kind in range(4)
            ]
        )
    return np.asarray(np.eye(4)[own].reshape(*logs.shape[:2], 4))


def _settled(colors: Array, groups: Array) -> tuple[Array, Array, Array]:
    """Colours and light that fit each other, fitted in turn from first groups (n, 9, 9, 4).

    Returns the probabilities (n, 9, 9, 4), the colours' shades (n, 4, 3) and the misfits (n,).
    """
    chances, spread = groups, FIRST_SPREAD
    glare = np.zeros_like(colors)
    for _ in range(ROUNDS):
        light = fit_light(colors - glare, chances)
        distance = _distances(colors - glare, light)
        chances = _chances(distance, spread)
        glare = _glare(colors, light, chances, distance)
        spread = max(SPREAD, spread * 0.8)
    cost = np.minimum(distance.min(axis=3), MAX_MISFIT).mean(axis=(1, 2))
    few = np.maximum(0, MIN_FIELDS - chances.sum(axis=(1, 2))).sum(axis=1) / MIN_FIELDS
    return chances, light.shades, cost + 0.05 * few


def _distances(colors: Array, light: Light) -> Array:
    """How far each field is from each colour, (n, 9, 9, 4), in log colour; brightness counts
    less."""
    expected = np.log(np.maximum(light.colors(SIDE), 0) + HAZE)
    off = np.log(np.maximum(colors, 0) + HAZE)[..., None, :] - expected
    mean = off.mean(axis=-1, keepdims=True)
    chroma = ((off - mean) ** 2).sum(axis=-1)
    return np.asarray(np.sqrt(BRIGHTNESS_WEIGHT * mean[..., 0] ** 2 + chroma))


def _glare(colors: Array, light: Light, chances: Array, distance: Array) -> Array:
    """Light (n, 9, 9, 3) that the varnish sends back here and there, on top of the fields' own."""
    expected = (chances[..., None] * light.colors(SIDE)).sum(axis=3)
    trust = 1 / (0.02 + (chances * distance).sum(axis=3)) / (20 + expected.mean(axis=3))
    both = np.concatenate([(colors - expected) * trust[..., None], trust[..., None]], axis=3)
    blurred = [
        cv2.GaussianBlur(each, (0, 0), GLARE_SPREAD, borderType=cv2.BORDER_REPLICATE)
        for each in both
    ]
    smooth = np.stack(blurred)
    return np.asarray(GLARE_SHARE * np.maximum(smooth[..., :3] / smooth[..., 3:], 0.0))


def _names(shades: Array) -> list[int]:
    """Which group is white, grey, purple and black."""
    white = int(shades.mean(axis=1).argmax())
    others = [kind for kind in range(len(shades)) if kind != white]
    off = shades - shades[white]
    colorful = {kind: float(np.ptp(off[kind])) for kind in others}
    purple = max(others, key=colorful.__getitem__)
    black, grey = sorted(
        (kind for kind in others if kind != purple), key=lambda kind: float(shades[kind].mean())
    )
    return [white, grey, purple, black]


def _chances(distance: Array, spread: float) -> Array:
    logits = -0.5 * (distance / spread) ** 2 * 3
    logits -= logits.max(axis=-1, keepdims=True)
    weights = np.exp(logits)
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


NETWORK = "board_squares"
# The network was trained with these.
PIXELS = 48  # side of what it sees of a field
FIELD_PIXELS = 44
FINER = 2  # of the picture that is scaled down to these
FLOOR = np.log(0.003)  # no field that is misread counts for more
MAX_SQUARES_MISFIT = 20.0  # nats; without any squares it is above 100


def field_pictures(photo: Image, homography: Array) -> Image:
    """What is printed on each field, (81, PIXELS, PIXELS, 3), with a little around it."""
    margin = (PIXELS - FIELD_PIXELS) // 2
    flat = flatten(photo, homography, SIDE, FINER * FIELD_PIXELS, margin / FIELD_PIXELS)
    length = SIDE * FIELD_PIXELS + 2 * margin
    flat = np.asarray(cv2.resize(flat, (length, length), interpolation=cv2.INTER_AREA), np.uint8)
    corners = [(row * FIELD_PIXELS, column * FIELD_PIXELS) for row, column in FIELDS]
    return np.stack([flat[y : y + PIXELS, x : x + PIXELS] for y, x in corners])


def see_squares(photo: Image, homography: Array) -> Array:
    """How many squares are printed on each field, (81, 5), log-probabilities of 0 to 4."""
    pictures = field_pictures(photo, homography)
    sides = [run_batch(NETWORK, np.rot90(pictures, turns, (1, 2))) for turns in range(4)]
    return normalized(np.mean(sides, axis=0, dtype=np.float64))  # a board has no top


def told_squares(seen: Array, set_up: Array | None = None) -> tuple[int, ...]:
    """The squares on each of the 81 fields, 0 to 4; all 0 where they cannot be told.

    seen: as of `see_squares`. set_up: the same of the towers that stand on them at the start.
    """
    logs = np.maximum(seen, FLOOR)
    if set_up is not None:
        logs = np.maximum(normalized(np.maximum(set_up, FLOOR) + logs), FLOOR)
    told = _with_counts(logs)
    misfit = -float(logs[np.arange(len(logs)), told].sum())
    return tuple(told.tolist()) if misfit < MAX_SQUARES_MISFIT else (0,) * len(told)


def _with_counts(logs: Array) -> NDArray[np.int64]:
    """The count of each field, so many of each as there are, by log-probabilities (81, 5).

    Where the most probable ones are too many, fields give way where that costs least.
    """
    chosen = logs.argmax(axis=1)
    while (more := np.bincount(chosen, minlength=len(FIELDS_BY_SQUARES)) - FIELDS_BY_SQUARES).any():
        regret = logs[np.arange(len(logs)), chosen][:, None] - logs
        regret[more[chosen] <= 0] = np.inf
        regret[:, more >= 0] = np.inf
        field, count = np.unravel_index(regret.argmin(), regret.shape)
        chosen[field] = count
    return np.asarray(chosen)


# how far the cells of a board may be from squares, see `pose.skew_of_plane`. On 60 photos of whole
# boards (simulated, seeds 77101 and 77103) it was 0.022 at most, on the same photos cut so that
# the board lies in a corner 0.083; for lattices in halves of boards and in sheets of other games
# 0.107 or more
MAX_SKEW = 0.09


MIN_STRENGTH = 0.22  # of the pieces of lines; photos of boards in games have more than 0.5
# the least sum, of 2 at most, of a match's agreement and the share of the fields that look most
# like their own colour. Of 82 simulated boards in play (seed 4711), tilted by up to 69 degrees,
# with or without a learnt picture, 81 had 0.91 or more; of 250 matches of other boards none had
# above 0.86
MIN_FIT = 0.89
BOARD_STRENGTH = 0.5  # of the lines of a board that is said to be another one
MAX_OUTSIDE = 0.5  # cells by which a corner may lie outside the photo

# BGR, in the order of `Color`: of boards of which there is no picture
USUAL_COLORS = np.array([[184, 188, 192], [104, 104, 104], [96, 40, 80], [28, 28, 28]], np.uint8)
DRAWN_PIXELS = 32  # of a field's side, where a board is drawn


class PrintedBoard(Pictured, Protocol):
    """A board of which there may be a picture."""

    def __hash__(self) -> int: ...

    @property
    def board(self) -> Board:
        """Its fields."""


@dataclass(frozen=True)
class PlacedBoard:
    """A known board in a photo.

    homography: (3, 3), fields (x, y) of the board to px. light: how its fields look.
    """

    homography: Array
    light: Light

    def to_photo(self, points: Points) -> Points:
        """Where points of the board (N, 2), in fields, lie in the photo, px."""
        return apply_homography(self.homography, np.asarray(points, np.float64))


def kinds_of(board: Board) -> NDArray[np.uint8]:
    """The colours of a board's fields as numbers, (9, 9), in the order of `Color`."""
    order = {color: place for place, color in enumerate(Color)}
    return np.array([order[color] for color in board.colors], np.uint8).reshape(SIDE, SIDE)


def turned(homography: Array, quarters: int) -> Array:
    """The homography from a board whose first corner is ``quarters`` corners further on."""
    for _ in range(quarters):
        homography = homography @ np.array([[0, -1.0, SIDE], [1, 0, 0], [0, 0, 1]])
    return homography


def shifted(homography: Array, x: float, y: float) -> Array:
    return np.asarray(homography @ np.array([[1.0, 0, x], [0, 1, y], [0, 0, 1]]))


def find_lattices(image: Image) -> list[FoundBoard]:
    """Where the lattice of a board may lie in a photo, the most probable first.

    Raises
    ------
    NoBoardFound
        No board of so many square fields shows.
    BoardCutOff
        A corner lies outside the photo.
    """
    height, width = image.shape[:2]
    found = [
        each
        for each in find_boards(image, SIDE)
        if each.strength >= MIN_STRENGTH
        and skew_of_plane(each.homography, (width, height)) <= MAX_SKEW
    ]
    if not found:
        raise NoBoardFound
    inside = [each for each in found if _is_inside(image, each.homography)]
    if not inside:
        raise BoardCutOff
    return inside


def _is_inside(image: Image, homography: Array) -> bool:
    height, width = image.shape[:2]
    corners = apply_homography(homography, lattice_corners(SIDE))
    slack = MAX_OUTSIDE * float(np.linalg.norm(corners[1] - corners[0])) / SIDE
    return bool((corners >= -slack).all() and (corners <= np.array([width, height]) + slack).all())


def place_one_of(image: Image, printings: Sequence[PrintedBoard]) -> tuple[int, PlacedBoard]:
    """Which of some known boards a photo shows, by its place among them, and where it lies.

    Raises
    ------
    NoBoardFound, BoardCutOff
        See `find_lattices`.
    BoardIsAnother
        A board is there, but it is none of them.
    """
    corners = board_corners(image)
    if corners is None:
        raise NoBoardFound
    matches = place_pictures(image, corners, [picture_of(each) for each in printings])
    tried = [(_fit(image, match, printings[match.number].board), match) for match in matches]
    found = [each for each in tried if each[0][0] >= MIN_FIT]
    if not found:
        raise BoardIsAnother if _shows_a_board(image, find_lattices(image)[0]) else NoBoardFound
    (_, light), match = max(found, key=lambda each: each[0][0] + each[1].lines)
    if not _is_inside(image, match.homography):
        raise BoardCutOff
    return match.number, PlacedBoard(match.homography, light)


@lru_cache(maxsize=16)
def picture_of(printing: PrintedBoard) -> Picture:
    """The empty board; drawn in usual colours where it was not learnt.

    Raises
    ------
    DefinitionDamaged
        See `blank_picture`.
    """
    picture, blank = blank_picture(printing), printing.blank
    if picture is None or blank is None:
        colors = USUAL_COLORS[kinds_of(printing.board)]
        drawn = colors.repeat(DRAWN_PIXELS, axis=0).repeat(DRAWN_PIXELS, axis=1)
        return Picture(drawn, SIDE, DRAWN_PIXELS, 0.0)
    return Picture(picture, SIDE, blank.pixels_per_cell, -printing.page.left)


def _fit(image: Image, match: Match, board: Board) -> tuple[float, Light]:
    """How well a match fits, see `MIN_FIT`, and how the fields look then."""
    colors, kinds = cell_colors(image, match.homography, SIDE), kinds_of(board)
    _, light = turn_misfit(colors, kinds, len(Color))
    return match.agreement + own_share(colors, kinds, light), light


def _shows_a_board(image: Image, lattice: FoundBoard) -> bool:
    """Whether a lattice is that of any board: many fields in each of four colours.

    Other things with a lattice, such as a tablecloth, have fewer lines or colours.
    """
    return lattice.strength >= BOARD_STRENGTH and has_four_colors(
        cell_colors(image, lattice.homography, SIDE)
    )
