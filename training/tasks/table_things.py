"""What lies at a place of a table: which chip, which block, or nothing."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from brikks_vision.detect.placement import Image
from brikks_vision.detect.things import FACE_REACH, thing_face
from brikks_vision.games.blox.points import CLASSES, FACE_PIXELS, NOTHING
from training.tasks.faces import Face, Faces, Pixels
from training.tasks.task import Batch, as_input, by_class

KEPT = 80  # px of the pictures that are kept, which show twice as much as those that are read
NONE = CLASSES.index(NOTHING)
SHARES = tuple(0.28 if name == NOTHING else 0.72 / (len(CLASSES) - 1) for name in CLASSES)
LEAST = 8.0  # px in the photo, half the width of a thing that people can tell
EMPTY = 8  # places a photo where nothing lies
CENTRED = 0.35  # of a thing's reach beside its middle that is still the thing
BESIDE = 0.9  # and from which it is not


def faces_of(path: Path, rng: np.random.Generator) -> list[Face]:
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


def things_batch(
    samples: Faces, chosen: NDArray, rng: np.random.Generator, training: bool
) -> Batch:
    faces = [augmented(samples.pixels[at], rng if training else None) for at in chosen]
    return {"images": as_input(faces), "classes": torch.from_numpy(samples.classes[chosen])}


def things_chances(samples: Faces) -> NDArray[np.float64]:
    return by_class(samples.classes, SHARES)
