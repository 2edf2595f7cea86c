"""The chip on top of a tower, or that there is none."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from brikks_vision.detect.board import lattice_corners, quad_homography
from brikks_vision.detect.faces import faces_at, scaled_for_faces
from brikks_vision.detect.placement import apply_homography
from brikks_vision.detect.pose import pose_of_plane
from brikks_vision.games.blox.chips import BARE, NO_TOP, PIXELS, REACH, stretched
from brikks_vision.rules.blox.board import SIDE, parse_board
from simulation.blox.notation import read_position
from training.tasks.faces import Face, Faces, Pixels
from training.tasks.task import Batch, by_class

KEPT_REACH = 0.8  # fields, so that a face can be turned and moved
KEPT = round(PIXELS * KEPT_REACH / REACH)
SHARES = (0.2, 0.2, 0.2, 0.2, 0.1, 0.1)  # of the classes in a batch
MIN_APART = 0.5  # fields beside a top at which it is none
MAX_BESIDE = 0.2


def faces_of(path: Path, rng: np.random.Generator) -> list[Face]:
    """Tops of the towers in a photo, and places that are none, with their classes."""
    facts = json.loads(path.read_text("utf-8"))
    position = read_position(facts["position"], parse_board(facts))
    if not position.towers:
        return []
    image = np.asarray(cv2.imread(str(path.with_suffix(".jpg"))), np.uint8)
    homography = np.array(facts["camera"])[:, [0, 1, 3]]
    off = lattice_corners(SIDE) + rng.normal(0, 0.02, (4, 2))
    found = quad_homography(apply_homography(homography, off), SIDE)
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


def chips_batch(samples: Faces, chosen: NDArray, rng: np.random.Generator, training: bool) -> Batch:
    faces = [augmented(samples.pixels[at], rng if training else None) for at in chosen]
    pixels = np.stack(faces).astype(np.float32) / 255
    if training:
        pixels += rng.normal(0, 0.03, pixels.shape).astype(np.float32)
    images = torch.from_numpy(pixels.transpose(0, 3, 1, 2).copy())
    return {"images": images, "classes": torch.from_numpy(samples.classes[chosen])}


def chips_chances(samples: Faces) -> NDArray[np.float64]:
    return by_class(samples.classes, SHARES)
