"""Trains the network that reads the chip on top of a tower.

``python -m training.board_chips FOLDER --minutes 6`` learns from photos and their truth (see
`simulation.blox.samples`) and writes ``brikks_vision/detect/models/board_chips.onnx``. Every tenth
photo is held out.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from brikks_vision.detect.faces import faces_at, scaled_for_faces
from brikks_vision.detect.placement import apply_homography
from brikks_vision.detect.pose import pose_of_plane
from brikks_vision.games.blox.chips import BARE, CLASSES, NO_TOP, PIXELS, REACH, stretched
from brikks_vision.rules.blox import parse_board, read_position

MODELS = Path(__file__).parents[1] / "brikks_vision" / "detect" / "models"
KEPT_REACH = 0.8  # fields, so that a face can be turned and moved
KEPT = round(PIXELS * KEPT_REACH / REACH)
SHARES = (0.2, 0.2, 0.2, 0.2, 0.1, 0.1)  # of the classes in a batch
MIN_APART = 0.5  # fields beside a top at which it is none
MAX_BESIDE = 0.2
Pixels = NDArray[np.uint8]


def faces_of(path: Path, rng: np.random.Generator) -> list[tuple[Pixels, int]]:
    """Tops of the towers in a photo, and places that are none, with their classes."""
    facts = json.loads(path.read_text("utf-8"))
    position = read_position(facts["position"], parse_board(facts))
    if not position.towers:
        return []
    image = np.asarray(cv2.imread(str(path.with_suffix(".jpg"))), np.uint8)
    homography = np.array(facts["camera"])[:, [0, 1, 3]]
    lattice = np.array([[0, 0], [9, 0], [9, 9], [0, 9]], np.float64)
    off = lattice + rng.normal(0, 0.02, (4, 2))
    moved = apply_homography(homography, off).astype(np.float32)
    found = np.asarray(cv2.getPerspectiveTransform(lattice.astype(np.float32), moved), np.float64)
    pose = pose_of_plane(found, (image.shape[1], image.shape[0]))
    image, pose = scaled_for_faces(image, pose, (4.5, 4.5, 0.0), KEPT_REACH, KEPT)
    faces = []
    for (row, column), tower in position.towers.items():
        foot = np.array([column + 0.5, row + 0.5, 0.0])
        ray = pose.centre - foot
        slant = float(np.linalg.norm(ray[:2]) / ray[2])
        for level in range(1, 6):
            height = level * facts["block"][1]
            beside = abs(tower.height - level) * facts["block"][1] * slant
            if beside < MAX_BESIDE:
                kind = tower.height - 1 if tower.chip else BARE
            elif beside > MIN_APART:
                kind = NO_TOP
            else:
                continue
            if level != tower.height and rng.random() < 0.6:
                continue
            middle = (foot[0], foot[1], height)
            faces.append((faces_at(image, pose, [middle], KEPT_REACH, KEPT)[0], kind))
    return faces


class BoardChips(nn.Module):
    """(N, 3, 40, 40), 0 to 1, to logits (N, classes), of a board those of `games.blox.chips`."""

    def __init__(self, classes: int = CLASSES) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for inputs, outputs, stride in (
            (3, 20, 1),
            (20, 32, 2),
            (32, 48, 1),
            (48, 64, 2),
            (64, 64, 2),
        ):
            layers += [
                nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
                nn.BatchNorm2d(outputs),
                nn.ReLU(inplace=True),
            ]
        self.layers = nn.Sequential(
            *layers, nn.Flatten(), nn.Dropout(0.3), nn.Linear(64 * 25, 96), nn.ReLU(inplace=True),
            nn.Linear(96, classes),
        )  # fmt: skip

    def forward(self, faces: Tensor) -> Tensor:
        logits: Tensor = self.layers(faces)
        return logits


def augmented(face: Pixels, rng: np.random.Generator | None) -> Pixels:
    """A face, turned and moved."""
    angle, scale, move = 0.0, 1.0, np.zeros(2)
    if rng is not None:
        angle, scale = rng.uniform(0, 360), float(rng.uniform(0.9, 1.12))
        move = rng.normal(0, 0.8, 2)
    matrix = cv2.getRotationMatrix2D(((KEPT - 1) / 2, (KEPT - 1) / 2), angle, scale)
    matrix[:, 2] += (PIXELS - KEPT) / 2 + move
    seen = cv2.warpAffine(face, matrix, (PIXELS, PIXELS), borderMode=cv2.BORDER_REPLICATE)
    if rng is not None and rng.random() < 0.3:
        seen = cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.4, 1.0)))
    return np.asarray(stretched(seen[None])[0], np.uint8)


def batch_of(
    faces: list[tuple[Pixels, int]], picked: NDArray[np.int64], rng: np.random.Generator | None
) -> tuple[Tensor, Tensor]:
    pixels = (
        np.stack([augmented(faces[place][0], rng) for place in picked]).astype(np.float32) / 255
    )
    if rng is not None:
        pixels += rng.normal(0, 0.03, pixels.shape).astype(np.float32)
    kinds = np.array([faces[place][1] for place in picked])
    return torch.from_numpy(pixels.transpose(0, 3, 1, 2).copy()), torch.from_numpy(kinds)


Faces = list[tuple[Pixels, int]]
"""Pictures with their classes."""
Batch = Callable[[Faces, NDArray[np.int64], np.random.Generator | None], tuple[Tensor, Tensor]]


def accuracy(network: BoardChips, faces: Faces, batch: Batch, classes: int) -> str:
    network.eval()
    with torch.no_grad():
        pixels, kinds = batch(faces, np.arange(len(faces)), None)
        logits = network(pixels)
    network.train()
    loss = functional.cross_entropy(logits, kinds).item()
    right = logits.argmax(1) == kinds
    each = " ".join(
        f"{100 * right[kinds == kind].float().mean().item():.1f}" for kind in range(classes)
    )
    return f"{100 * right.float().mean().item():.2f} % ({each}), loss {loss:.3f}"


def train(
    faces_of: Callable[[Path, np.random.Generator], Faces],
    batch: Batch,
    shares: Sequence[float],
    pixels: int,
    out: Path,
    about: str | None,
) -> None:
    """Train a network that tells what small pictures show.

    faces_of: the pictures of a photo. shares: of the classes in a batch. pixels: of a picture's
    side. out: the file to write. about: what ``--help`` says.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--out", type=Path, default=out)
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    parts: tuple[Faces, Faces] = ([], [])
    for path in sorted(args.folder.glob("*.json")):
        parts[int(path.stem.split("-")[-1]) % 10 == 0].extend(faces_of(path, rng))
    learnt, held = parts
    print(f"{len(learnt)} faces, {len(held)} held out", flush=True)
    counts = np.bincount([kind for _, kind in learnt], minlength=len(shares))
    chances = np.array([shares[kind] / counts[kind] for _, kind in learnt])
    chances /= chances.sum()
    network = BoardChips(len(shares)).to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-3)
    begin, step, total = time.time(), 0, 60 * args.minutes
    while (spent := time.time() - begin) < total:
        fading = 0.5 + 0.5 * np.cos(np.pi * spent / total)
        for group in optimizer.param_groups:
            group["lr"] = 3e-3 * min(1.0, step / 100 + 0.02) * fading
        picked = rng.choice(len(learnt), size=args.batch, p=chances)
        pictures, kinds = batch(learnt, picked, rng)
        with torch.autocast("cpu", dtype=torch.bfloat16):  # half the time on many processors
            logits = network(pictures.to(memory_format=torch.channels_last))
        loss = functional.cross_entropy(logits.float(), kinds, label_smoothing=0.02)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        if step % 250 == 0:
            told = accuracy(network, held, batch, len(shares))
            print(f"{spent:.0f} s, step {step}, held out {told}", flush=True)
            export(network, args.out, pixels)
    export(network, args.out, pixels)
    print("held out", accuracy(network, held, batch, len(shares)))


def export(network: BoardChips, path: Path, pixels: int) -> None:
    network.eval()
    example = torch.zeros(1, 3, pixels, pixels)
    torch.onnx.export(
        network, (example,), str(path), dynamo=False, input_names=["faces"],
        output_names=["logits"], dynamic_axes={"faces": {0: "n"}, "logits": {0: "n"}},
    )  # fmt: skip
    network.train()


def main() -> None:
    train(faces_of, batch_of, SHARES, PIXELS, MODELS / "board_chips.onnx", __doc__)


if __name__ == "__main__":
    main()
