"""The reader of numbers that are printed in the cells of a grid (`detect.printed_numbers`).

``python -m training.tasks.printed_numbers samples FOLDER --sheets 500 --seed 71`` photographs empty
sheets in any art and keeps their cells; ``... train FOLDER --minutes 8`` trains and packages the
network. Every tenth sheet is held out.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from brikks_vision.detect.placement import rectify
from brikks_vision.detect.printed_numbers import REACH, SIDE, VALUES
from brikks_vision.layout import Box
from simulation.bloxx.photos import random_sheet, shoot_blank
from training.networks import block
from training.storage import store_in_half_precision

FILE = Path(__file__).resolve().parents[2] / "brikks_vision/detect/models/printed_numbers.onnx"
TIERS, TIER_SHARES = ("scan", "good", "hard"), (0.2, 0.45, 0.35)
LONG_SIDES = (1400, 2600)  # px of the photos
SHIFT, GROWTH = 0.06, 0.03  # cells and share, standard deviations by which a grid lies aside
HELD_OUT = 10  # every such sheet
BATCH = 256


class NumberReader(nn.Module):
    """(N, 3, SIDE, SIDE) in 0 to 1 -> (N, 1 + values) logits: no number, and each of `VALUES`."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            block(3, 16, 2), block(16, 32, 2), block(32, 32), block(32, 48, 2), nn.Flatten(),
            nn.Linear(48 * (SIDE // 8) ** 2, 48), nn.ReLU(), nn.Dropout(0.2),
            nn.Linear(48, 1 + len(VALUES)),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        result: Tensor = self.layers(x - 0.5)
        return result


def cells_of_sheet(seed: int, number: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The cells (N, SIDE, SIDE, 3) of an empty sheet in a photo, and the output of each (N,)."""
    rng = np.random.default_rng([seed, number])
    cv2.setRNGSeed(number)
    layout, sheet = random_sheet(rng)
    tier = str(rng.choice(TIERS, p=TIER_SHARES))
    photo = shoot_blank(layout, sheet, rng, tier, int(rng.integers(*LONG_SIDES)))
    x, y = rng.normal(0, SHIFT, 2)
    wider, higher = np.exp(rng.normal(0, GROWTH, 2))
    pixels, grid = round(SIDE / REACH), layout.grid
    room = (SIDE / pixels - 1) / 2
    area = Box(x - room, y - room, x + wider * grid.columns + room, y + higher * grid.rows + room)
    size = (grid.columns * pixels + SIDE - pixels, grid.rows * pixels + SIDE - pixels)
    flat = cv2.resize(rectify(photo.image, photo.placement, area, 48), size,
                      interpolation=cv2.INTER_AREA)  # fmt: skip
    numbers = {(each["row"], each["column"]): each["value"] for each in layout.printed["numbers"]}
    cells = layout.grid.cells
    pictures = [
        flat[row * pixels : row * pixels + SIDE, column * pixels : column * pixels + SIDE]
        for row, column in cells
    ]
    labels = [1 + VALUES.index(numbers[cell]) if cell in numbers else 0 for cell in cells]
    return np.stack(pictures), np.array(labels, np.uint8)


def write_samples(folder: Path, sheets: int, seed: int) -> None:
    """A file of cells, their labels and the numbers of their sheets; written every 50 sheets."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures, labels, numbers = [], [], []
    for number in range(sheets):
        cells, told = cells_of_sheet(seed, number)
        pictures.append(cells)
        labels.append(told)
        numbers.append(np.full(len(told), number))
        if number % 50 == 49 or number == sheets - 1:
            np.savez(
                folder / f"cells-{seed}.npz",
                pictures=np.concatenate(pictures),
                labels=np.concatenate(labels),
                numbers=np.concatenate(numbers),
            )
            print(number + 1, "sheets", flush=True)


def augmented(pictures: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Pictures in other light and colours, a pixel or two aside, some inverted or grey."""
    result = pictures.copy()
    levels = np.arange(256) / 255
    for at in range(len(result)):
        gamma, gain = np.exp(rng.normal(0, 0.3, 3)), np.exp(rng.normal(0, 0.15, 3))
        table = np.clip(255 * gain * levels[:, None] ** gamma, 0, 255).astype(np.uint8)
        picture = cv2.LUT(result[at], table[:, None])
        if rng.random() < 0.3:
            picture = picture[..., rng.permutation(3)]
        if rng.random() < 0.15:
            picture = 255 - picture
        if rng.random() < 0.2:
            picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.2))
        shift = rng.integers(-2, 3, 2)
        result[at] = np.roll(picture, tuple(shift), (0, 1))
    return result


def as_input(pictures: NDArray[np.uint8]) -> Tensor:
    return torch.from_numpy(pictures).permute(0, 3, 1, 2).float().div_(255)


def train(folder: Path, minutes: float, seed: int) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    files = [np.load(path) for path in sorted(folder.glob("cells-*.npz"))]
    pictures = np.concatenate([file["pictures"] for file in files])
    labels = np.concatenate([file["labels"] for file in files])
    held_out = np.concatenate([file["numbers"] for file in files]) % HELD_OUT == 0
    chosen, kept = np.flatnonzero(~held_out), np.flatnonzero(held_out)
    # as many cells with each number as without
    weights = np.array([1.0, 1.3, 1.3, 1.3])[labels[chosen]]
    net = NumberReader()
    optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
    started = time.monotonic()
    step, sums = 0, []
    while (share := (time.monotonic() - started) / 60 / minutes) < 1:
        for group in optimizer.param_groups:
            group["lr"] = 2e-3 * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-6
        batch = rng.choice(chosen, BATCH, p=weights / weights.sum())
        net.train()
        loss = cross_entropy(
            net(as_input(augmented(pictures[batch], rng))), torch.from_numpy(labels[batch]).long()
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        sums.append(loss.item())
        step += 1
        if step % 300 == 0:
            net.eval()
            with torch.no_grad():
                said = torch.cat(
                    [net(as_input(pictures[part])) for part in np.array_split(kept, 20)]
                )
            truth = torch.from_numpy(labels[kept]).long()
            wrong = (said.argmax(1) != truth).float().mean().item()
            print(
                f"{100 * share:3.0f} % step {step} loss {np.mean(sums[-300:]):.4f}"
                f" held out {cross_entropy(said, truth).item():.4f} wrong {100 * wrong:.2f} %",
                flush=True,
            )
    net.eval()
    torch.onnx.export(
        net, (torch.zeros(2, 3, SIDE, SIDE),), str(FILE),
        dynamo=False, input_names=["image"], output_names=["maps"], opset_version=13,
        dynamic_axes={"image": {0: "cells"}, "maps": {0: "cells"}},
    )  # fmt: skip
    store_in_half_precision(FILE)
    print(FILE, f"{sum(p.numel() for p in net.parameters()) / 1e3:.0f} k weights")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("samples", "train"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sheets", type=int, default=500)
    parser.add_argument("--seed", type=int, default=71)
    parser.add_argument("--minutes", type=float, default=8)
    options = parser.parse_args()
    if options.what == "samples":
        cv2.setNumThreads(1)
        write_samples(options.folder, options.sheets, options.seed)
    else:
        train(options.folder, options.minutes, options.seed)


if __name__ == "__main__":
    main()
