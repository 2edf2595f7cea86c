"""Trains the network that tells what lies on a table: which chip, which block, or nothing.

``python -m training.table_things FOLDER --minutes 10`` learns from photos and their truth (see
`simulation.blox.spread`) and writes ``brikks_vision/detect/models/table_things.onnx``. Every tenth
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
from torch.nn import functional

from brikks_vision.detect.placement import Image
from brikks_vision.detect.things import FACE_REACH, thing_face
from brikks_vision.games.blox.points import CLASSES, FACE_PIXELS, NOTHING
from training.board_chips import BoardChips
from training.board_locator import MODELS

Pixels = NDArray[np.uint8]
KEPT = 80  # px of the pictures that are kept, which show twice as much as those that are read
NONE = CLASSES.index(NOTHING)
LEAST = 8.0  # px in the photo, half the width of a thing that people can tell
EMPTY = 8  # places a photo where nothing lies
CENTRED = 0.35  # of a thing's reach beside its middle that is still the thing
BESIDE = 0.9  # and from which it is not


def faces_of(path: Path, rng: np.random.Generator) -> list[tuple[Pixels, int]]:
    """The things in a photo and places with nothing, with their classes."""
    image = np.asarray(cv2.imread(str(path.with_suffix(".jpg"))), np.uint8)
    things = json.loads(path.read_text("utf-8"))["things"]
    faces = []
    for kind, x, y, reach in things:
        if reach < LEAST:
            continue
        number = CLASSES.index(kind) if kind in CLASSES else NONE
        faces.append((_wide(image, x, y, reach), number))
    usual = max(LEAST, float(np.median([thing[3] for thing in things]))) if things else 20.0
    middles = np.array([thing[1:3] for thing in things]).reshape(-1, 2)
    for _ in range(EMPTY):
        reach = usual * float(np.exp(rng.normal(0, 0.3)))
        if things and rng.random() < 0.5:  # beside a thing
            _, x, y, _ = things[int(rng.integers(len(things)))]
            angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(BESIDE, 2.2) * reach
            x, y = x + away * np.cos(angle), y + away * np.sin(angle)
        else:
            x, y = rng.uniform(0, image.shape[1]), rng.uniform(0, image.shape[0])
        if not (np.linalg.norm(middles - [x, y], axis=1) < BESIDE * reach).any():
            faces.append((_wide(image, x, y, reach), NONE))
    return faces


def _wide(image: Image, x: float, y: float, reach: float) -> Pixels:
    """What is there, twice as wide as it is read, so that it can be moved and turned."""
    return thing_face(image, x, y, 2 * reach, KEPT)


def augmented(face: Pixels, rng: np.random.Generator | None) -> Pixels:
    """A face as it is read; with ``rng`` turned, moved, scaled and coloured."""
    angle, scale, move = 0.0, 1.0, np.zeros(2)
    if rng is not None:
        angle, scale = rng.uniform(0, 360), float(np.exp(rng.normal(0, 0.12)))
        # A thing's reach in px of the face, and how far off the locator may be.
        reach = FACE_PIXELS / (2 * FACE_REACH)
        move = np.clip(rng.normal(0, 0.14, 2), -CENTRED, CENTRED) * reach
    matrix = cv2.getRotationMatrix2D(((KEPT - 1) / 2, (KEPT - 1) / 2), angle, scale)
    matrix[:, 2] += (FACE_PIXELS - KEPT) / 2 + move
    seen = cv2.warpAffine(face, matrix, (FACE_PIXELS,) * 2, borderMode=cv2.BORDER_REPLICATE)
    if rng is None:
        return np.asarray(seen, np.uint8)
    if rng.random() < 0.3:
        seen = cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.4, 1.1)))
    if rng.random() < 0.3:  # from a small photo
        small = cv2.resize(seen, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
        seen = cv2.resize(small, (FACE_PIXELS,) * 2, interpolation=cv2.INTER_LINEAR)
    light = seen.astype(np.float32) * np.exp(rng.normal(0, 0.12)) * np.exp(rng.normal(0, 0.06, 3))
    light += rng.normal(0, float(rng.uniform(0, 9)), light.shape)
    return np.clip(light, 0, 255).astype(np.uint8)


def batch_of(
    faces: list[tuple[Pixels, int]], picked: NDArray[np.int64], rng: np.random.Generator | None
) -> tuple[torch.Tensor, torch.Tensor]:
    pixels = np.stack([augmented(faces[place][0], rng) for place in picked])
    kinds = np.array([faces[place][1] for place in picked])
    planes = pixels.transpose(0, 3, 1, 2).astype(np.float32) / 255
    return torch.from_numpy(planes), torch.from_numpy(kinds)


def told(network: BoardChips, faces: list[tuple[Pixels, int]]) -> str:
    network.eval()
    with torch.no_grad():
        pixels, kinds = batch_of(faces, np.arange(len(faces)), None)
        logits = network(pixels)
    network.train()
    loss = functional.cross_entropy(logits, kinds).item()
    right = logits.argmax(1) == kinds
    each = " ".join(
        f"{100 * right[kinds == kind].float().mean().item():.1f}" for kind in range(len(CLASSES))
    )
    return f"{100 * right.float().mean().item():.2f} % ({each}), loss {loss:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--out", type=Path, default=MODELS / "table_things.onnx")
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    parts: tuple[list[tuple[Pixels, int]], list[tuple[Pixels, int]]] = ([], [])
    for path in sorted(args.folder.glob("*.json")):
        parts[int(path.stem.split("-")[-1]) % 10 == 0].extend(faces_of(path, rng))
    learnt, held = parts
    print(f"{len(learnt)} faces, {len(held)} held out", flush=True)
    counts = np.bincount([kind for _, kind in learnt], minlength=len(CLASSES))
    shares = np.full(len(CLASSES), 0.72 / (len(CLASSES) - 1))
    shares[NONE] = 0.28
    chances = np.array([shares[kind] / counts[kind] for _, kind in learnt])
    chances /= chances.sum()
    network = BoardChips(len(CLASSES)).to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-3)
    begin, step, total = time.time(), 0, 60 * args.minutes
    while (spent := time.time() - begin) < total:
        fading = 0.5 + 0.5 * np.cos(np.pi * spent / total)
        for group in optimizer.param_groups:
            group["lr"] = 3e-3 * min(1.0, step / 100 + 0.02) * fading
        picked = rng.choice(len(learnt), size=args.batch, p=chances)
        pixels, kinds = batch_of(learnt, picked, rng)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = network(pixels.to(memory_format=torch.channels_last))
        loss = functional.cross_entropy(logits.float(), kinds, label_smoothing=0.01)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        if step % 250 == 0:
            print(f"{spent:.0f} s, step {step}, held out {told(network, held)}", flush=True)
            export(network, args.out)
    export(network, args.out)
    print("held out", told(network, held))


def export(network: BoardChips, path: Path) -> None:
    network.eval()
    example = torch.zeros(1, 3, FACE_PIXELS, FACE_PIXELS)
    torch.onnx.export(
        network, (example,), str(path), dynamo=False, input_names=["faces"],
        output_names=["logits"], dynamic_axes={"faces": {0: "n"}, "logits": {0: "n"}},
    )  # fmt: skip
    network.train()


if __name__ == "__main__":
    main()
