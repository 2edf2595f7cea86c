"""Trains the network that finds a board of square cells in a photo.

``python -m training.board_locator FOLDER --minutes 12`` learns from photos and their truth (see
`simulation.blox.samples`) and writes ``brikks_vision/detect/models/board_locator.onnx``. Every
tenth photo is held out; the mean distance of its corners is printed, in px of the input.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from brikks_vision.detect.board import (
    LOCATOR_SIDE,
    LOCATOR_STRIDE,
    PADDING,
    letterbox,
    quad_of_maps,
)

Floats = NDArray[np.float32]
CORNER_SPREAD = 1.2  # px of the output
MODELS = Path(__file__).parents[1] / "brikks_vision" / "detect" / "models"


def _layer(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class BoardLocator(nn.Module):
    """(N, 3, side, side), BGR 0 to 1, to maps (N, maps, side / 4, side / 4).

    Of a board, logits: the first map says where the cells lie, also those that something hides; the
    second where the corners of all cells together are.
    """

    def __init__(self, maps: int = 2) -> None:
        super().__init__()
        self.first = nn.Sequential(_layer(3, 16, 2), _layer(16, 32, 2), _layer(32, 32))
        self.second = nn.Sequential(_layer(32, 64, 2), _layer(64, 64))
        self.third = nn.Sequential(_layer(64, 96, 2), _layer(96, 96), _layer(96, 96))
        self.up_second = _layer(96 + 64, 64)
        self.up_first = _layer(64 + 32, 32)
        self.out = nn.Conv2d(32, maps, 1)

    def forward(self, pictures: Tensor) -> Tensor:
        first = self.first(pictures)
        second = self.second(first)
        third = self.third(second)
        up = functional.interpolate(third, scale_factor=2.0, mode="nearest")
        up = self.up_second(torch.cat([up, second], 1))
        up = functional.interpolate(up, scale_factor=2.0, mode="nearest")
        maps: Tensor = self.out(self.up_first(torch.cat([up, first], 1)))
        return maps


def load(folder: Path) -> list[tuple[NDArray[np.uint8], NDArray[np.float64]]]:
    """Photos, letterboxed at twice the size that the network sees, and the corners in them."""
    found = []
    for path in sorted(folder.glob("*.json")):
        image = cv2.imread(str(path.with_suffix(".jpg")))
        corners = np.array(json.loads(path.read_text("utf-8"))["corners"])
        boxed, factor = letterbox(np.asarray(image, np.uint8), 2 * LOCATOR_SIDE)
        found.append((boxed, (corners + 0.5) * factor - 0.5))
    return found


def sample(
    image: NDArray[np.uint8], corners: NDArray[np.float64], rng: np.random.Generator, plain: bool
) -> tuple[Floats, Floats, NDArray[np.float64]]:
    """One augmented picture, its target maps and the corners in it, px."""
    side = LOCATOR_SIDE
    height, width = image.shape[:2]
    if plain:
        matrix = np.diag([side / width, side / height, 1.0])
    else:
        angle, scale = rng.uniform(0, 2 * np.pi), rng.uniform(0.75, 1.2) * side / width
        turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        if rng.random() < 0.5:
            turn[:, 0] *= -1
        middle = corners.mean(axis=0)
        reach = np.abs((corners - middle) @ turn.T).max()
        if reach > side * 0.49:
            turn *= side * 0.49 / reach
            reach = side * 0.49
        target = side / 2 + rng.uniform(-1, 1, 2) * (side / 2 - reach)
        matrix = np.eye(3)
        matrix[:2, :2], matrix[:2, 2] = turn, target - turn @ middle
        matrix[2, :2] = rng.normal(0, 0.0002, 2)
        matrix /= (matrix @ [*middle, 1.0])[2]
    seen = cv2.warpPerspective(
        image, matrix, (side, side), flags=cv2.INTER_AREA, borderValue=(PADDING,) * 3
    )
    moved = np.c_[corners, np.ones(4)] @ matrix.T
    moved = moved[:, :2] / moved[:, 2:]
    pixels = seen.astype(np.float32) / 255
    if not plain:
        pixels = pixels ** np.float32(np.exp(rng.normal(0, 0.25)))
        pixels *= np.exp(rng.normal(0, 0.15, 3)).astype(np.float32)
        pixels += rng.normal(0, rng.uniform(0, 0.05), pixels.shape).astype(np.float32)
        if rng.random() < 0.3:
            pixels = cv2.GaussianBlur(pixels, (0, 0), rng.uniform(0.3, 1.0))
    maps = np.zeros((2, side // LOCATOR_STRIDE, side // LOCATOR_STRIDE), np.float32)
    at = (moved + 0.5) / LOCATOR_STRIDE - 0.5
    fine = np.zeros((side, side), np.uint8)
    cv2.fillPoly(fine, [np.rint(moved).astype(np.int32)], 255)
    maps[0] = cv2.resize(fine, maps.shape[1:], interpolation=cv2.INTER_AREA) / 255
    y, x = np.mgrid[: maps.shape[1], : maps.shape[2]]
    for corner in at:
        squared = (x - corner[0]) ** 2 + (y - corner[1]) ** 2
        maps[1] = np.maximum(maps[1], np.exp(-squared / (2 * CORNER_SPREAD**2)))
    return np.clip(pixels, 0, 1).transpose(2, 0, 1), maps, moved


def corner_error(
    network: BoardLocator, held: list[tuple[Floats, Floats, NDArray[np.float64]]]
) -> str:
    network.eval()
    errors = []
    with torch.no_grad():
        for pixels, _, corners in held:
            quad = quad_of_maps(network(torch.from_numpy(pixels)[None])[0].numpy())
            if quad is None:
                errors.append(np.inf)
                continue
            turns = [np.roll(corners, turn, axis=0) for turn in range(4)]
            turns += [turn[::-1] for turn in turns]
            errors.append(min(np.linalg.norm(quad - turn, axis=1).max() for turn in turns))
    network.train()
    return " ".join(f"{value:.1f}" for value in np.percentile(errors, [50, 80, 90, 95, 100]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=12)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--out", type=Path, default=MODELS / "board_locator.onnx")
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    photos = load(args.folder)
    held = [sample(*photo, rng, plain=True) for photo in photos[::10]]
    photos = [photo for place, photo in enumerate(photos) if place % 10]
    network = BoardLocator()
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-4)
    begin, step, total = time.time(), 0, 60 * args.minutes
    while (spent := time.time() - begin) < total:
        for group in optimizer.param_groups:
            group["lr"] = (
                2e-3 * min(1.0, step / 50 + 0.02) * (0.5 + 0.5 * np.cos(np.pi * spent / total))
            )
        picked = [
            sample(*photos[place], rng, plain=False)
            for place in rng.integers(len(photos), size=args.batch)
        ]
        pixels = torch.from_numpy(np.stack([each[0] for each in picked]))
        target = torch.from_numpy(np.stack([each[1] for each in picked]))
        maps = network(pixels)
        weight = torch.ones_like(target)
        weight[:, 1] += 30 * target[:, 1]
        loss = functional.binary_cross_entropy_with_logits(maps, target, weight)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        if step % 50 == 0:
            told = f"{spent:.0f} s, step {step}, loss {loss.item():.4f}, held out"
            print(told, corner_error(network, held), flush=True)
            export(network, args.out)
    export(network, args.out)
    print("held out", corner_error(network, held))


def export(network: BoardLocator, path: Path) -> None:
    network.eval()
    example = torch.zeros(1, 3, LOCATOR_SIDE, LOCATOR_SIDE)
    torch.onnx.export(network, (example,), str(path), dynamo=False)
    network.train()


if __name__ == "__main__":
    main()
