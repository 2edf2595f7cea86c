"""Trains the network that finds the chips and blocks on a table.

``python -m training.table_locator FOLDER --minutes 15`` learns from photos and their truth (see
`simulation.blox.spread`) and writes ``brikks_vision/detect/models/table_locator.onnx``. Every tenth
photo is held out.
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
from torch import Tensor
from torch.nn import functional

from brikks_vision.detect.board import PADDING, letterbox
from brikks_vision.detect.things import THINGS_SIDE, THINGS_STRIDE, things_of_maps
from brikks_vision.games.blox.points import KINDS
from training.board_locator import MODELS, BoardLocator

Floats = NDArray[np.float32]
Array = NDArray[np.float64]
MAPS = len(KINDS) + 1
SIDE = THINGS_SIDE // THINGS_STRIDE
KEPT = 2 * THINGS_SIDE  # px of the photos that are kept
NEAR = 0.5  # of a thing's reach: a find so near is the thing


def load(folder: Path) -> list[tuple[NDArray[np.uint8], Array]]:
    """Photos, letterboxed, and the things in them: (N, 4): kind, x, y and reach, px."""
    found = []
    for path in sorted(folder.glob("*.json")):
        image = np.asarray(cv2.imread(str(path.with_suffix(".jpg"))), np.uint8)
        boxed, factor = letterbox(image, KEPT)
        things = [
            (KINDS.index(kind.split()[0]), (x + 0.5) * factor - 0.5, (y + 0.5) * factor - 0.5,
             reach * factor)
            for kind, x, y, reach in json.loads(path.read_text("utf-8"))["things"]
            if kind.split()[0] in KINDS
        ]  # fmt: skip
        found.append((boxed, np.array(things, np.float64).reshape(-1, 4)))
    return found


def sample(
    image: NDArray[np.uint8], things: Array, rng: np.random.Generator | None
) -> tuple[Floats, Floats, Array]:
    """One picture, its maps and the things in it."""
    scale, angle, middle = THINGS_SIDE / KEPT, 0.0, np.array([KEPT / 2 - 0.5] * 2)
    target = np.array([THINGS_SIDE / 2 - 0.5] * 2)
    if rng is not None:
        scale *= float(np.exp(rng.uniform(-0.35, 0.45)))
        angle = rng.uniform(0, 2 * np.pi)
        target = target + rng.uniform(-30, 30, 2)
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    matrix = np.c_[turn, target - turn @ middle]
    seen = cv2.warpAffine(
        image, matrix, (THINGS_SIDE,) * 2, flags=cv2.INTER_AREA, borderValue=(PADDING,) * 3
    )
    moved = things.copy()
    moved[:, 1:3] = things[:, 1:3] @ turn.T + matrix[:, 2]
    moved[:, 3] *= scale
    inside = ((moved[:, 1:3] >= 0) & (moved[:, 1:3] < THINGS_SIDE)).all(axis=1)
    moved = moved[inside]
    pixels = seen.astype(np.float32) / 255
    if rng is not None:
        pixels = pixels ** np.float32(np.exp(rng.normal(0, 0.25)))
        pixels *= np.exp(rng.normal(0, 0.12, 3)).astype(np.float32)
        pixels += rng.normal(0, rng.uniform(0, 0.04), pixels.shape).astype(np.float32)
        if rng.random() < 0.3:
            pixels = cv2.GaussianBlur(pixels, (0, 0), rng.uniform(0.3, 1.0))
    return np.clip(pixels, 0, 1).transpose(2, 0, 1), maps_of(moved), moved


def maps_of(things: Array) -> Floats:
    """By kind, how near the middle of a thing is (0 to 1); last, the log reach, 0 where none is."""
    maps = np.zeros((MAPS, SIDE, SIDE), np.float32)
    ys, xs = np.mgrid[:SIDE, :SIDE]
    for kind, x, y, reach in things:
        at_x, at_y = (x + 0.5) / THINGS_STRIDE - 0.5, (y + 0.5) / THINGS_STRIDE - 0.5
        spread = max(0.6, 0.22 * reach / THINGS_STRIDE)
        near = np.exp(-((xs - at_x) ** 2 + (ys - at_y) ** 2) / (2 * spread**2))
        maps[int(kind)] = np.maximum(maps[int(kind)], near)
        row, column = (int(np.clip(round(value), 0, SIDE - 1)) for value in (at_y, at_x))
        maps[int(kind)][row, column] = 1.0
        maps[-1][near > 0.5] = maps[-1, row, column] = np.log(reach)
    return maps


def loss_of(outputs: Tensor, target: Tensor) -> Tensor:
    """A focal loss of the middles (Law and Deng, CornerNet, 2018), and of the log reach."""
    logits, near = outputs[:, :-1], target[:, :-1]
    chance = torch.sigmoid(logits)
    at_middle = (near > 0.8).float()
    found = at_middle * (1 - chance) ** 2 * functional.logsigmoid(logits)
    beside = (1 - at_middle) * (1 - near) ** 4 * chance**2 * functional.logsigmoid(-logits)
    count = at_middle.sum().clamp(min=1)
    reach, is_known = target[:, -1], (target[:, -1] > 0).float()
    off = (functional.smooth_l1_loss(outputs[:, -1], reach, reduction="none") * is_known).sum()
    return -(found.sum() + beside.sum()) / count + off / is_known.sum().clamp(min=1)


def told(network: BoardLocator, held: list[tuple[Floats, Floats, Array]]) -> str:
    """Things missed and seen where none is, of all; the reach's mean error."""
    network.eval()
    missed, wrong, total, errors = 0, 0, 0, []
    with torch.no_grad():
        for pixels, _, things in held:
            maps = network(torch.from_numpy(pixels)[None])[0].numpy()
            found = [thing for thing in things_of_maps(maps) if thing.chance > 0.4]
            total += len(things)
            used = set()
            for _, x, y, reach in things:
                near = [
                    place for place, thing in enumerate(found)
                    if place not in used and np.hypot(thing.x - x, thing.y - y) < NEAR * reach
                ]  # fmt: skip
                if near:
                    used.add(near[0])
                    errors.append(abs(np.log(found[near[0]].reach / reach)))
                else:
                    missed += 1
            wrong += len(found) - len(used)
    network.train()
    return f"{missed} missed, {wrong} wrong of {total}, reach {np.mean(errors or [9]):.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--out", type=Path, default=MODELS / "table_locator.onnx")
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    photos = load(args.folder)
    held = [sample(*photo, None) for photo in photos[::10]]
    photos = [photo for place, photo in enumerate(photos) if place % 10]
    network = BoardLocator(MAPS)
    with torch.no_grad():
        network.out.bias.copy_(torch.tensor([-4.0] * len(KINDS) + [2.5]))
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-4)
    begin, step, total = time.time(), 0, 60 * args.minutes
    while (spent := time.time() - begin) < total:
        for group in optimizer.param_groups:
            fading = 0.5 + 0.5 * np.cos(np.pi * spent / total)
            group["lr"] = 2e-3 * min(1.0, step / 50 + 0.02) * fading
        picked = [
            sample(*photos[place], rng) for place in rng.integers(len(photos), size=args.batch)
        ]
        pixels = torch.from_numpy(np.stack([each[0] for each in picked]))
        target = torch.from_numpy(np.stack([each[1] for each in picked]))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            outputs = network(pixels)
        loss = loss_of(outputs.float(), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        if step % 200 == 0:
            print(f"{spent:.0f} s, step {step}, loss {loss.item():.4f}, held out",
                  told(network, held), flush=True)  # fmt: skip
            export(network, args.out)
    export(network, args.out)
    print("held out", told(network, held))


def export(network: BoardLocator, path: Path) -> None:
    network.eval()
    example = torch.zeros(1, 3, THINGS_SIDE, THINGS_SIDE)
    torch.onnx.export(network, (example,), str(path), dynamo=False)
    network.train()


if __name__ == "__main__":
    main()
