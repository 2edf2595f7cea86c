"""What stands on a field of a board: nothing, a pawn, a tower of which blocks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from brikks_vision.detect import pieces
from brikks_vision.detect.board import flatten, lattice_corners, quad_homography
from brikks_vision.detect.ground import HAZE, Light, cell_colors, turn_misfit
from brikks_vision.detect.placement import Pose, apply_homography, pose_of_plane
from brikks_vision.detect.template import BLANK_PIXELS
from brikks_vision.games.blox.field_evidence import HEIGHTS, KINDS, OUTPUTS, TOP_STEP, TOPS, kind_of
from brikks_vision.rules.blox.material import Color
from brikks_vision.rules.blox.position import FIELDS, SIDE, Position, Tower, parse_board
from simulation.blox.notation import read_position
from training.networks import BoardPieces
from training.tasks.board_locator import draw_boards
from training.tasks.task import Batch, Measures, Task, by_class

CHANNELS = 15
Floats = NDArray[np.float32]
WEIGHTS = {"kind": 4.5, "level": 1.0, "top": 0.5}
SHARES = (0.3, 0.075, 0.075, 0.075, 0.075, 0.4)  # of the kinds in a batch
BLOCK_ERROR = 0.04  # log: how wrong the height of a block may be that the network is told
MAX_THINGS, MAX_EMPTY = 18, 8  # fields of a photo that are samples: 1.1 MB
CORNERS_OFF = (0.01, 0.03, 0.06)  # fields, by which corners are found aside
NO_REFERENCE = 0.15  # of the photos are read without a picture of their empty board
REFERENCE_UNIT = 85  # of a relative colour, from -1 to 2, as uint8
UNKNOWN_BLOCKS = 0.35  # of the views are told none
MIXED_COLORS = 0.1  # how much of each colour another one gets
# standard deviations, of a photo's light and camera: log of the gain, of that of each channel, and
# from one side of a view to the other; what each channel is lifted by; how far middle tones are
GAIN, TINT, UNEVEN, LIFT, CURVE = 0.14, 0.05, 0.06, 0.015, 0.12
MAX_NOISE = 0.03  # standard deviation of the grain of the noisiest views
BLURRED = 0.25  # of the views
FLIPPED = 0.4  # of the views
BENT = 0.6  # of the views; standard deviations of how much wider, higher and more slanted they are
SCALED, SHEARED = 0.07, 0.05
SHADED, DARKEST, SOFTEST = 0.35, 0.45, 12.0  # of the views; factor; px of the shadow's edge
FOCUS = 0.9  # of the loss of what is read with a probability of 0, beside one of 1


@dataclass(frozen=True)
class Samples:
    """Views as uint8 and what is true of them."""

    pixels: NDArray[np.uint8]  # (N, H, W, 3)
    # (N, H, W): kind of cell, 7 for none; plus 8 on the own cell, 16 where there is a reference
    ground: NDArray[np.uint8]
    reference: NDArray[np.uint8]  # (N, H, W, 3)
    heights: Floats  # (N, H)
    scalars: Floats  # (N, 2)
    kinds: NDArray[np.int64]
    levels: NDArray[np.int64]
    tops: Floats
    expected: Floats  # (N, 4, 3): colours of the empty board's kinds of cells there
    blocks: Floats  # (N,): how high one block is, fields
    photos: NDArray[np.int64]  # (N,): which set each is of: its photos show the same pieces


def kept_samples(path: Path, number: int) -> Samples:
    """The samples of a photo of a set with a number, which are kept in a file beside it."""
    kept = path.with_suffix(".npz")
    if not kept.exists():
        rng = np.random.default_rng(list(path.name.encode()))
        np.savez(kept, **vars(samples_of(path, rng)))
    with np.load(kept) as arrays:
        return Samples(**{**arrays, "photos": np.full(len(arrays["kinds"]), number)})


def load(parts: list[Path]) -> Samples:
    paths = [path for part in parts for path in sorted(part.glob("*.json"))]
    sets = [_set_of(path) for path in paths]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(sets))}
    of_photos = (kept_samples(path, numbers[name]) for path, name in zip(paths, sets, strict=True))
    return joined(of_photos, len(paths) * (MAX_THINGS + MAX_EMPTY))


def _set_of(path: Path) -> Path:
    """What photos of one set have in common: their photo of the empty board."""
    facts = json.loads(path.read_text("utf-8"))
    return path.parent / facts.get("empty", {}).get("file", path.name)


def joined(parts: Iterable[Samples], most: int) -> Samples:
    """All samples of some parts, of which there are at most so many: laid in their place at once,
    as they fill half the memory."""
    whole: dict[str, NDArray[Any]] = {}
    count = 0
    for part in parts:
        end = count + len(part.kinds)
        for name, values in vars(part).items():
            if name not in whole:
                whole[name] = np.empty((most, *values.shape[1:]), values.dtype)
            whole[name][count:end] = values
        count = end
    return Samples(**{name: values[:count] for name, values in whole.items()})


def chances_of(samples: Samples) -> NDArray[np.float64]:
    return by_class(samples.kinds, SHARES)


def _some(
    fields: list[tuple[int, int]], count: int, rng: np.random.Generator
) -> list[tuple[int, int]]:
    return [fields[place] for place in rng.permutation(len(fields))[:count]]


@dataclass(frozen=True)
class Seen:
    """A photo and what is known of it, as it would be placed. kinds: (9, 9), colours of fields."""

    facts: dict[str, Any]
    position: Position
    image: NDArray[np.uint8]
    kinds: NDArray[np.uint8]
    homography: NDArray[np.float64]
    light: Light
    pose: Pose


def seen_photo(path: Path, rng: np.random.Generator, off: Sequence[float]) -> Seen:
    """A photo, placed not quite rightly, by the path of its truth.

    ``off``: standard deviations, one of which its corners have in fields.
    """
    facts = json.loads(path.read_text("utf-8"))
    board = parse_board(facts)
    image = np.asarray(cv2.imread(str(path.with_suffix(".jpg"))), np.uint8)
    corners = lattice_corners(SIDE) + rng.normal(0, rng.choice(off), (4, 2))
    truly = np.array(facts["camera"])[:, [0, 1, 3]]
    found = quad_homography(apply_homography(truly, corners), SIDE)
    kinds = np.array([list(Color).index(color) for color in board.colors], np.uint8)
    kinds = kinds.reshape(SIDE, SIDE)
    _, light = turn_misfit(cell_colors(image, found, SIDE), kinds, len(Color))
    pose = pose_of_plane(found, (image.shape[1], image.shape[0]))
    return Seen(facts, read_position(facts["position"], board), image, kinds, found, light, pose)


def samples_of(path: Path, rng: np.random.Generator) -> Samples:
    seen = seen_photo(path, rng, CORNERS_OFF)
    facts, position, pose, light = seen.facts, seen.position, seen.pose, seen.light
    things = [field for field in FIELDS if position.at(field)]
    empty = [field for field in FIELDS if not position.at(field)]
    cells = _some(things, MAX_THINGS, rng) + _some(empty, MAX_EMPTY, rng)
    reference = learnt_reference(path.parent, seen, rng)
    board_ground = pieces.Ground(seen.kinds, len(Color), reference)
    to_board = np.linalg.inv(seen.homography)
    views = pieces.look_at_cells(seen.image, seen.homography, pose, board_ground, light, cells)
    printed, is_known = (
        np.stack(each)
        for each in zip(
            *(
                pieces.reference_view(board_ground, to_board @ pieces.cell_view(pose, *cell)[0])
                for cell in cells
            ),
            strict=True,
        )
    )
    levels, tops = [], []
    for field in cells:
        thing = position.at(field)
        if isinstance(thing, Tower):
            levels.append(thing.height - 1)
            tops.append(thing.height * facts["block"][1])
        else:
            levels.append(-1)
            tops.append(-1.0)
    ground = np.full((len(cells), *views.shape[2:]), 7, np.uint8)
    for kind in range(4):
        ground[views[:, pieces.GROUND_CHANNEL + kind] > 0.5] = kind
    ground += 8 * (views[:, -4] > 0.5).astype(np.uint8)
    ground += 16 * (is_known > 0.5).astype(np.uint8)
    pixels = np.clip((views[:, :3] + 0.5) / 2.5 * 255, 0, 255).astype(np.uint8)
    return Samples(
        np.ascontiguousarray(pixels.transpose(0, 2, 3, 1)), ground,
        np.clip((printed.transpose(0, 2, 3, 1) + 1) * REFERENCE_UNIT, 0, 255).astype(np.uint8),
        views[:, -3, :, 0].copy(), views[:, -2:, 0, 0].copy(),
        np.array([kind_of(position.at(field)) for field in cells]), np.array(levels),
        np.array(tops, np.float32), expected_colors(light, cells),
        np.full(len(cells), facts["block"][1], np.float32), np.zeros(len(cells), np.int64),
    )  # fmt: skip


def learnt_reference(folder: Path, seen: Seen, rng: np.random.Generator) -> Floats | None:
    """The board as it was learnt from the photo of it, empty, that lies beside this one."""
    empty = seen.facts.get("empty")
    if empty is None or rng.random() < NO_REFERENCE:
        return None
    image = np.asarray(cv2.imread(str(folder / empty["file"])), np.uint8)
    found = quad_homography(np.array(empty["corners"]) + rng.normal(0, 0.5, (4, 2)), SIDE)
    picture = flatten(image, found, SIDE, BLANK_PIXELS, pieces.REFERENCE_MARGIN)
    return pieces.reference_of(picture, seen.kinds, len(Color))


def expected_colors(light: Light, cells: list[tuple[int, int]]) -> Floats:
    """The relative colours of each kind at each of some cells, as `look_at_cells` expects them."""
    shades = np.exp(light.shades) - HAZE
    order = shades.mean(axis=1).argsort()
    table = pieces.relative_colors(light.colors(9), shades[order[0]], shades[order[-1]])
    return np.stack([table[row, column] for row, column in cells])


def photographed_otherwise(colors: Floats, rng: np.random.Generator) -> Floats:
    """Relative colours (N, H, W, 3) of views in other light, by another camera."""
    count, height, width, _ = colors.shape
    gain = rng.normal(0, GAIN, (count, 1, 1, 1)) + rng.normal(0, TINT, (count, 1, 1, 3))
    down, across = rng.normal(0, UNEVEN, (2, count, 1, 1, 1))
    gain = gain + down * np.linspace(-1, 1, height)[:, None, None]
    gain = gain + across * np.linspace(-1, 1, width)[:, None]
    colors = colors * np.exp(gain).astype(np.float32)
    curve = rng.normal(0, CURVE, (count, 1, 1, 1)).astype(np.float32)
    inside = np.clip(colors, 0, 1)
    colors += curve * inside * (1 - inside)
    colors += rng.normal(0, LIFT, (count, 1, 1, 3)).astype(np.float32)
    strength = rng.uniform(0, MAX_NOISE, (count, 1, 1, 1)).astype(np.float32)
    colors += strength * rng.standard_normal(colors.shape, np.float32)
    for place in np.flatnonzero(rng.random(count) < BLURRED):
        colors[place] = cv2.GaussianBlur(colors[place], (0, 0), rng.uniform(0.4, 1.1))
    return colors


def shaded(colors: Floats, rng: np.random.Generator) -> None:
    """Shadows with a straight edge, soft or sharp, across some of the views (N, H, W, 3)."""
    count, height, width, _ = colors.shape
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    for at in np.flatnonzero(rng.random(count) < SHADED):
        turn, soft = rng.uniform(0, 2 * np.pi), rng.uniform(0.5, SOFTEST)
        across = (columns - rng.uniform(0, width)) * np.cos(turn)
        beyond = across + (rows - rng.uniform(0, height)) * np.sin(turn)
        dark = (1 - rng.uniform(DARKEST, 1)) / (1 + np.exp(-np.clip(beyond / soft, -30, 30)))
        colors[at] *= (1 - dark)[..., None]


def bent(
    pictures: Sequence[tuple[NDArray[Any], int]],
    foot: tuple[float, float],
    rng: np.random.Generator,
) -> None:
    """Some views a little wider, higher or slanted about the foot, with what is known of them.

    pictures: (N, H, W, ...) each, and how its px are interpolated.
    """
    count, height, width = pictures[0][0].shape[:3]
    x, y = foot
    for at in np.flatnonzero(rng.random(count) < BENT):
        across, down = np.exp(rng.normal(0, SCALED, 2))
        slant = rng.normal(0, SHEARED)
        matrix = np.array(
            [[across, slant, x * (1 - across) - slant * y], [0, down, y * (1 - down)]]
        )
        for each, flags in pictures:
            each[at] = cv2.warpAffine(
                each[at], matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE
            )


def views_of(
    samples: Samples, picked: NDArray[np.int64], rng: np.random.Generator | None
) -> Tensor:
    """Views of the network, augmented by ``rng`` where there is one."""
    width, height = pieces.VIEW_SIZE
    views = np.zeros((len(picked), CHANNELS, height, width), np.float32)
    colors = samples.pixels[picked].astype(np.float32) * (2.5 / 255) - 0.5
    reference = samples.reference[picked].astype(np.float32) / REFERENCE_UNIT - 1
    expected, ground = samples.expected[picked], samples.ground[picked]
    if rng is not None:
        shaded(colors, rng)
        smooth = cv2.INTER_LINEAR
        spatial = (colors, smooth), (reference, smooth), (ground, cv2.INTER_NEAREST)
        bent(spatial, ((width - 1) / 2, pieces.FOOT_ROW), rng)
        count = len(picked)
        # other inks and lamps: the empty board is seen in the same ones
        mixed = np.eye(3) + rng.normal(0, MIXED_COLORS, (count, 3, 3))
        colors, reference, expected = (
            (each.reshape(count, -1, 3) @ mixed.astype(np.float32)).reshape(each.shape)
            for each in (colors, reference, expected)
        )
        colors = photographed_otherwise(colors, rng)
    views[:, :3] = colors.transpose(0, 3, 1, 2)
    for kind in range(4):
        views[:, pieces.GROUND_CHANNEL + kind] = (ground & 7) == kind
    kinds = views[:, pieces.GROUND_CHANNEL : pieces.GROUND_CHANNEL + 4]
    is_known = ((ground & 16) > 0).astype(np.float32)
    views[:, 3 : pieces.GROUND_CHANNEL] = pieces.differences(
        views[:, :3], kinds, expected, reference.transpose(0, 3, 1, 2), is_known
    )
    views[:, 10] = (ground & 8) > 0
    views[:, 11] = samples.heights[picked][:, :, None]
    views[:, 12:14] = samples.scalars[picked][:, :, None, None]
    blocks = samples.blocks[picked]
    if rng is not None:
        blocks = blocks * np.exp(rng.normal(0, BLOCK_ERROR, len(picked))).astype(np.float32)
        blocks[rng.random(len(picked)) < UNKNOWN_BLOCKS] = 0
    views[:, 14] = pieces.level_channel(views[:, 11], blocks)
    if rng is not None:
        shift = rng.integers(-1, 2, 2)
        views[:, :6] = np.roll(views[:, :6], tuple(shift), (2, 3))
        flipped = rng.random(len(picked)) < FLIPPED
        views[flipped] = views[flipped, :, :, ::-1]
    return torch.from_numpy(views)


def batch_of(samples: Samples, chosen: NDArray, rng: np.random.Generator, training: bool) -> Batch:
    truth = {name: getattr(samples, name)[chosen] for name in ("kinds", "levels", "tops")}
    views = views_of(samples, chosen, rng if training else None)
    return {"images": views, **{name: torch.from_numpy(each) for name, each in truth.items()}}


def _focal(losses: Tensor) -> Tensor:
    """Their mean, where what is read well counts for less (focal loss, Lin et al. 2017)."""
    unsure = 1 - torch.exp(-losses.detach())
    return ((FOCUS * unsure + 1 - FOCUS) * losses).mean()


def _mean_of(losses: Tensor, chosen: Tensor) -> Tensor:
    """The mean of the losses of some places; 0 where there are none."""
    return (losses * chosen).sum() / chosen.sum().clamp(min=1)


def loss_of(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    outputs = net(batch["images"]).float()
    kinds, levels, tops = (batch[name] for name in ("kinds", "levels", "tops"))
    of_kinds, of_levels, of_tops = outputs.split([len(KINDS), HEIGHTS, TOPS], 1)
    is_tower = levels >= 0
    middles = (torch.arange(TOPS, device=tops.device) + 0.5) * TOP_STEP
    soft = torch.softmax(-0.5 * ((tops[:, None] - middles) / 0.08) ** 2, 1)
    losses = {
        "kind": _focal(functional.cross_entropy(of_kinds, kinds, reduction="none")),
        "level": _mean_of(
            functional.cross_entropy(of_levels, levels.clamp(min=0), reduction="none"), is_tower
        ),
        "top": _mean_of(functional.cross_entropy(of_tops, soft, reduction="none"), is_tower),
    }
    loss = torch.stack([weight * losses[name] for name, weight in WEIGHTS.items()]).sum()
    wrong_height = _mean_of((of_levels.argmax(1) != levels).float(), is_tower).item()
    return loss, {
        "kinds wrong": 100 * (of_kinds.argmax(1) != kinds).float().mean().item(),
        "heights wrong": 100 * wrong_height,
    }


TASK = Task(
    partial(BoardPieces, OUTPUTS), draw_boards, load, batch_of, loss_of,
    chances=chances_of, rate=3e-3, decay=1e-2, averaged=0.998,
)  # fmt: skip
