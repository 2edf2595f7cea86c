"""Trains the network that sees what stands on a field of a board.

``python -m training.board_pieces FOLDER --minutes 25`` learns from photos and their truth (see
`simulation.blox.samples`) and writes ``brikks_vision/detect/models/board_pieces.onnx``. Every tenth
photo is held out.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from brikks_vision.detect.ground import HAZE, Light, cell_colors, turn_misfit
from brikks_vision.detect.pieces import (
    GROUND_CHANNEL,
    VIEW_SIZE,
    Ground,
    differences,
    level_channel,
    look_at_cells,
    relative_colors,
)
from brikks_vision.detect.placement import apply_homography
from brikks_vision.detect.pose import pose_of_plane
from brikks_vision.games.blox.looks import (
    BLOCK_COLORS,
    HEIGHTS,
    KINDS,
    OUTPUTS,
    TOP_STEP,
    TOPS,
    kind_of,
)
from brikks_vision.rules.blox import Color, Position, Tower, parse_board, read_position
from brikks_vision.rules.blox.board import FIELDS

MODELS = Path(__file__).parents[1] / "brikks_vision" / "detect" / "models"
CHANNELS = 15
Floats = NDArray[np.float32]
WEIGHTS = {"kind": 2.0, "level": 1.0, "top": 0.5, "color": 1.0, "shown": 0.2}
SHARES = np.array([0.3, 0.075, 0.075, 0.075, 0.075, 0.4])  # of the kinds in a batch
BLOCK_ERROR = 0.04  # log: how wrong the height of a block may be that the network is told
UNKNOWN_BLOCKS = 0.35  # of the views are told none
MIN_SHOWN = 1.2  # points of a block's faces that look straight at the camera


@dataclass(frozen=True)
class Samples:
    """Views as uint8 and what is true of them; ``block_colors`` is -1 where none shows."""

    pixels: NDArray[np.uint8]  # (N, H, W, 3)
    ground: NDArray[np.uint8]  # (N, H, W): kind of cell, 7 for none; plus 8 on the own cell
    heights: Floats  # (N, H)
    scalars: Floats  # (N, 2)
    kinds: NDArray[np.int64]
    levels: NDArray[np.int64]
    tops: Floats
    block_colors: NDArray[np.int64]  # (N, 5)
    expected: Floats  # (N, 4, 3): colours of the empty board's kinds of cells there
    blocks: Floats  # (N,): how high one block is, fields


def visible_blocks(
    position: Position, matrix: NDArray[np.float64], block: tuple[float, float]
) -> dict[tuple[int, int], list[bool]]:
    """Which blocks of each tower show, bottom-up, by rays to points on their faces."""
    width, height = block
    centre = -np.linalg.solve(matrix[:, :3], matrix[:, 3])
    boxes = []
    for (row, column), tower in position.towers.items():
        foot = np.array([column + 0.5, row + 0.5, 0.0])
        half = width / 2
        reach = np.array([half, half, tower.height * height])
        boxes.append((foot - [half, half, 0], foot + reach))
    low, high = (np.array([box[side] for box in boxes]) for side in (0, 1)) if boxes else ((), ())
    found = {}
    for (row, column), tower in position.towers.items():
        found[row, column] = [
            sum(
                _slant(point, normal, centre)
                for point, normal in _face_points(row, column, level, tower.height, block, centre)
                if _is_seen(point, centre, low, high)
            )
            >= MIN_SHOWN
            for level in range(tower.height)
        ]
    return found


def _face_points(
    row: int, column: int, level: int, height: int, block: tuple[float, float], centre: Any
) -> list[tuple[Any, Any]]:
    """Points on the sides of a block that the camera may see, with their normals."""
    middle, points = np.array([column + 0.5, row + 0.5]), []
    for axis in (0, 1):
        normal = np.zeros(3)
        normal[axis] = np.sign(centre[axis] - middle[axis])
        for along in np.linspace(-0.42, 0.42, 5) * block[0]:
            for up in (0.2, 0.5, 0.8):
                point = np.array([*middle, (level + up) * block[1]]) + normal * block[0] * 0.501
                point[1 - axis] += along
                points.append((point, normal))
    if level == height - 1:
        steps = np.array([-0.45, 0, 0.45]) * block[0]
        top = height * block[1] + 1e-3
        points += [
            (np.array([middle[0] + x, middle[1] + y, top]), np.array([0, 0, 1.0]))
            for x in steps for y in steps
        ]  # fmt: skip
    return points


def _slant(point: Any, normal: Any, centre: Any) -> float:
    """How much of a face is turned to the camera, 0 to 1."""
    ray = centre - point
    return float(max(0.0, ray @ normal) / np.linalg.norm(ray))


def _is_seen(point: Any, centre: Any, low: Any, high: Any) -> bool:
    ray = centre - point
    with np.errstate(divide="ignore", invalid="ignore"):
        near, far = (low - point) / ray, (high - point) / ray
    first, last = np.minimum(near, far).max(axis=1), np.maximum(near, far).min(axis=1)
    return not bool(((first < last) & (last > 1e-4) & (first < 1)).any())


def kept_samples(path: Path, rng: np.random.Generator) -> Samples | None:
    """The samples of a photo, which are kept in a file beside it."""
    kept = path.with_suffix(".npz")
    if not kept.exists():
        found = samples_of(path, rng)
        np.savez(kept, **(vars(found) if found else {}))
    with np.load(kept) as arrays:
        if not arrays:
            return None
        height = json.loads(path.read_text("utf-8"))["block"][1]
        blocks = np.full(len(arrays["kinds"]), height, np.float32)
        return Samples(**{**arrays, "blocks": blocks})


def samples_of(path: Path, rng: np.random.Generator) -> Samples | None:
    facts = json.loads(path.read_text("utf-8"))
    board = parse_board(facts)
    position = read_position(facts["position"], board)
    if not position.towers and not position.pawns:
        return None
    image = np.asarray(cv2.imread(str(path.with_suffix(".jpg"))), np.uint8)
    matrix = np.array(facts["camera"])
    homography = matrix[:, [0, 1, 3]]
    lattice = np.array([[0, 0], [9, 0], [9, 9], [0, 9]], np.float64)
    off = lattice + rng.normal(0, rng.choice([0.01, 0.03, 0.06]), (4, 2))
    moved = apply_homography(homography, off).astype(np.float32)
    found = np.asarray(cv2.getPerspectiveTransform(lattice.astype(np.float32), moved), np.float64)
    kinds = np.array([[list(Color).index(color) for color in board.colors]], np.uint8).reshape(9, 9)
    _, light = turn_misfit(cell_colors(image, found, 9), kinds, 4)
    pose = pose_of_plane(found, (image.shape[1], image.shape[0]))
    things = [field for field in FIELDS if position.at(field)]
    empty = [field for field in FIELDS if not position.at(field)]
    picked = [empty[place] for place in rng.permutation(len(empty))[: 10 + len(things) // 2]]
    cells = things + picked
    views = look_at_cells(image, found, pose, Ground(kinds, 4), light, cells)
    shown = visible_blocks(position, matrix, tuple(facts["block"]))
    levels, tops, colors = [], [], []
    for field in cells:
        thing, each = position.at(field), [-1] * HEIGHTS
        if isinstance(thing, Tower):
            for level, color in enumerate(thing.blocks):
                if shown[field][level] and color is not None:
                    each[level] = list(Color).index(color)
            levels.append(thing.height - 1)
            tops.append(thing.height * facts["block"][1])
        else:
            levels.append(-1)
            tops.append(-1.0)
        colors.append(each)
    ground = np.full((len(cells), *views.shape[2:]), 7, np.uint8)
    for kind in range(4):
        ground[views[:, GROUND_CHANNEL + kind] > 0.5] = kind
    ground += 8 * (views[:, -4] > 0.5).astype(np.uint8)
    pixels = np.clip((views[:, :3] + 0.5) / 2.5 * 255, 0, 255).astype(np.uint8)
    return Samples(
        np.ascontiguousarray(pixels.transpose(0, 2, 3, 1)), ground, views[:, -3, :, 0].copy(),
        views[:, -2:, 0, 0].copy(), np.array([kind_of(position.at(field)) for field in cells]),
        np.array(levels), np.array(tops, np.float32), np.array(colors),
        expected_colors(light, cells), np.full(len(cells), facts["block"][1], np.float32),
    )  # fmt: skip


def expected_colors(light: Light, cells: list[tuple[int, int]]) -> Floats:
    """The relative colours of each kind at each of some cells, as `look_at_cells` expects them."""
    shades = np.exp(light.shades) - HAZE
    order = shades.mean(axis=1).argsort()
    table = relative_colors(light.colors(9), shades[order[0]], shades[order[-1]])
    return np.stack([table[row, column] for row, column in cells])


def joined(parts: list[Samples]) -> Samples:
    names = Samples.__dataclass_fields__
    return Samples(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def _layer(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class BoardPieces(nn.Module):
    """(N, 15, 112, 56) views of `cell_views` to (N, outputs) of `games.blox.looks`."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            _layer(CHANNELS, 20, 2), _layer(20, 32, 2), _layer(32, 32), _layer(32, 64, 2),
            _layer(64, 64), _layer(64, 80, 2), _layer(80, 80), nn.Flatten(),
            nn.Dropout(0.15), nn.Linear(80 * 7 * 4, 160), nn.ReLU(inplace=True),
            nn.Linear(160, OUTPUTS),
        )  # fmt: skip

    def forward(self, views: Tensor) -> Tensor:
        outputs: Tensor = self.layers(views)
        return outputs


def batch_of(
    samples: Samples,
    picked: NDArray[np.int64],
    rng: np.random.Generator | None,
    is_known: bool = True,
) -> Tensor:
    """Views of the network; ``is_known``: whether it is told how high a block is."""
    width, height = VIEW_SIZE
    views = np.zeros((len(picked), CHANNELS, height, width), np.float32)
    colors = samples.pixels[picked].astype(np.float32) * (2.5 / 255) - 0.5
    if rng is not None:
        count = len(picked)
        colors = colors * np.exp(rng.normal(0, 0.1, (count, 1, 1, 1))).astype(np.float32)
        colors = colors * np.exp(rng.normal(0, 0.04, (count, 1, 1, 3))).astype(np.float32)
        colors += rng.normal(0, 0.01, (count, 1, 1, 3)).astype(np.float32)
        strength = rng.uniform(0, 0.03, (count, 1, 1, 1)).astype(np.float32)
        colors += strength * rng.standard_normal(colors.shape, np.float32)
        for place in range(count):
            if rng.random() < 0.25:
                colors[place] = cv2.GaussianBlur(colors[place], (0, 0), rng.uniform(0.4, 1.1))
    views[:, :3] = colors.transpose(0, 3, 1, 2)
    ground = samples.ground[picked]
    for kind in range(4):
        views[:, GROUND_CHANNEL + kind] = (ground & 7) == kind
    kinds = views[:, GROUND_CHANNEL : GROUND_CHANNEL + 4]
    views[:, 3:GROUND_CHANNEL] = differences(views[:, :3], kinds, samples.expected[picked])
    views[:, 10] = ground >= 8
    views[:, 11] = samples.heights[picked][:, :, None]
    views[:, 12:14] = samples.scalars[picked][:, :, None, None]
    blocks = samples.blocks[picked]
    if rng is not None:
        blocks = blocks * np.exp(rng.normal(0, BLOCK_ERROR, len(picked))).astype(np.float32)
        blocks[rng.random(len(picked)) < UNKNOWN_BLOCKS] = 0
    elif not is_known:
        blocks = np.zeros_like(blocks)
    views[:, 14] = level_channel(views[:, 11], blocks)
    if rng is not None:
        shift = rng.integers(-1, 2, 2)
        views[:, :6] = np.roll(views[:, :6], tuple(shift), (2, 3))
    return torch.from_numpy(views)


def losses(outputs: Tensor, samples: Samples, picked: NDArray[np.int64]) -> dict[str, Tensor]:
    kinds = torch.from_numpy(samples.kinds[picked])
    levels = torch.from_numpy(samples.levels[picked])
    tops = torch.from_numpy(samples.tops[picked])
    colors = torch.from_numpy(samples.block_colors[picked])
    start = len(KINDS)
    found = {"kind": functional.cross_entropy(outputs[:, :start], kinds)}
    is_tower = levels >= 0
    of_towers = outputs[is_tower]
    found["level"] = functional.cross_entropy(
        of_towers[:, start : start + HEIGHTS], levels[is_tower]
    )
    start += HEIGHTS
    middles = (torch.arange(TOPS) + 0.5) * TOP_STEP
    soft = torch.softmax(-0.5 * ((tops[is_tower][:, None] - middles) / 0.08) ** 2, 1)
    found["top"] = functional.cross_entropy(of_towers[:, start : start + TOPS], soft)
    start += TOPS
    of_blocks = outputs[:, start : start + HEIGHTS * BLOCK_COLORS].reshape(
        -1, HEIGHTS, BLOCK_COLORS
    )
    shown = colors >= 0
    found["color"] = functional.cross_entropy(of_blocks[shown], colors[shown])
    start += HEIGHTS * BLOCK_COLORS
    inside = torch.arange(HEIGHTS) <= levels[:, None]
    found["shown"] = functional.binary_cross_entropy_with_logits(
        outputs[:, start : start + HEIGHTS][inside], shown[inside].float()
    )
    return found


def accuracy(network: BoardPieces, samples: Samples, is_known: bool = True) -> str:
    network.eval()
    outputs = []
    with torch.no_grad():
        for start in range(0, len(samples.kinds), 256):
            picked = np.arange(start, min(start + 256, len(samples.kinds)))
            outputs.append(network(batch_of(samples, picked, None, is_known)))
    network.train()
    table = torch.cat(outputs)
    kinds = table[:, : len(KINDS)].argmax(1).numpy()
    towers = samples.levels >= 0
    levels = table[:, len(KINDS) : len(KINDS) + HEIGHTS].argmax(1).numpy()
    told = {
        name: value.item() for name, value in losses(table, samples, np.arange(len(kinds))).items()
    }
    return (
        f"kinds {100 * (kinds == samples.kinds).mean():.2f} %, "
        f"heights {100 * (levels == samples.levels)[towers].mean():.2f} %, "
        + ", ".join(f"{name} {value:.3f}" for name, value in told.items())
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--out", type=Path, default=MODELS / "board_pieces.onnx")
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    photos = Photos(args.folder, rng)
    photos.look()
    network = BoardPieces().to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-3)
    begin, step, total = time.time(), 0, 60 * args.minutes
    while (spent := time.time() - begin) < total:
        fading = 0.5 + 0.5 * np.cos(np.pi * spent / total)
        for group in optimizer.param_groups:
            group["lr"] = 3e-3 * min(1.0, step / 200 + 0.02) * fading
        picked = rng.choice(len(photos.chances), size=args.batch, p=photos.chances)
        views = batch_of(photos.learnt, picked, rng).to(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):  # half the time on many processors
            outputs = network(views)
        parts = losses(outputs.float(), photos.learnt, picked)
        loss = torch.stack([weight * parts[name] for name, weight in WEIGHTS.items()]).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        if step % 250 == 0:
            told = f"{spent:.0f} s, step {step}, {len(photos.learnt.kinds)} views, held out"
            print(told, accuracy(network, photos.held), flush=True)
            print("  blocks unknown", accuracy(network, photos.held, False), flush=True)
            export(network, args.out)
            photos.look()
    export(network, args.out)
    print("held out", accuracy(network, photos.held))


class Photos:
    """The photos of a folder, which may become more while a network is trained."""

    def __init__(self, folder: Path, rng: np.random.Generator) -> None:
        self.folder, self.rng = folder, rng
        self.seen: set[Path] = set()
        self.parts: tuple[list[Samples], list[Samples]] = ([], [])

    def look(self) -> None:
        """Take up the photos that are new; every tenth is held out."""
        new = [path for path in sorted(self.folder.glob("*.json")) if path not in self.seen]
        for path in new:
            self.seen.add(path)
            is_held = int(path.stem.split("-")[-1]) % 10 == 0
            if part := kept_samples(path, self.rng):
                self.parts[is_held].append(part)
        if new:
            self.learnt, self.held = map(joined, self.parts)
            shares = SHARES[self.learnt.kinds] / np.bincount(self.learnt.kinds)[self.learnt.kinds]
            self.chances = shares / shares.sum()


def export(network: BoardPieces, path: Path) -> None:
    network.eval()
    example = torch.zeros(1, CHANNELS, VIEW_SIZE[1], VIEW_SIZE[0])
    torch.onnx.export(
        network, (example,), str(path), dynamo=False,
        input_names=["views"], output_names=["outputs"],
        dynamic_axes={"views": {0: "n"}, "outputs": {0: "n"}},
    )  # fmt: skip
    network.train()


if __name__ == "__main__":
    main()
