"""Level and upright faces above the cells of a board, each as seen from straight before it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.placement import Image, shrunk
from brikks_vision.detect.pose import Pose

Array = NDArray[np.float64]
Point = tuple[float, float, float]

MAX_ALIASING = 1.5  # px of the photo for each px of a face, beyond which it is scaled down first


def faces_at(
    image: Image, pose: Pose, middles: Sequence[Point], reach: float, pixels: int
) -> NDArray[np.uint8]:
    """Level squares around points above the board, (N, pixels, pixels, 3).

    middles: (x, y, z) in cells. reach: from the middle to each side, cells. Their rows go as the
    board's do.
    """
    step, matrix = 2 * reach / pixels, pose.matrix
    faces = np.empty((len(middles), pixels, pixels, 3), np.uint8)
    for at, (x, y, z) in enumerate(middles):
        to_world = np.array([
            [step, 0, x - reach + step / 2], [0, step, y - reach + step / 2], [0, 0, z],
            [0, 0, 1.0],
        ])  # fmt: skip
        cv2.warpPerspective(
            image, matrix @ to_world, (pixels, pixels), dst=faces[at],
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
    return faces


def frames_to_camera(
    pose: Pose, feet: Array, spans: Array, before: float, reach: float, pixels: int
) -> Array:
    """Upright rectangles that face the camera, and level squares, (N, 2, 4, 3).

    Each maps px of a face of so many px a side to homogeneous points above the board, cells.

    feet: (N, 2), x and y of points of the board, cells. spans: (N, 3), from which height to which
    the rectangles stand, and the height of the squares, cells. before: how far nearer to the camera
    than its foot each rectangle stands, cells. reach: from the middle to each side, cells. Up is
    up, and away from the camera.
    """
    frames = np.zeros((len(feet), 2, 4, 3))
    towards = pose.centre[:2] - feet
    towards /= np.maximum(np.linalg.norm(towards, axis=1), 1e-6)[:, None]
    step = 2 * reach / pixels
    for at, ((x, y), (low, high, level)) in enumerate(zip(feet, spans, strict=True)):
        east, south = towards[at]
        start, rise = step / 2 - reach, (high - low) / pixels
        frames[at, 0] = [
            [-step * south, 0, x + before * east - start * south],
            [step * east, 0, y + before * south + start * east],
            [0, -rise, high - rise / 2], [0, 0, 1.0],
        ]  # fmt: skip
        frames[at, 1] = [
            [-step * south, step * east, x + start * (east - south)],
            [step * east, step * south, y + start * (east + south)],
            [0, 0, level], [0, 0, 1.0],
        ]  # fmt: skip
    return frames


def faces_in(image: Image, pose: Pose, frames: Array, pixels: int) -> NDArray[np.uint8]:
    """The faces of frames (N, 2, 4, 3), as of `frames_to_camera`: (N, 2, pixels, pixels, 3)."""
    faces = np.empty((*frames.shape[:2], pixels, pixels, 3), np.uint8)
    for at in np.ndindex(*frames.shape[:2]):
        cv2.warpPerspective(
            image, pose.matrix @ frames[at], (pixels, pixels), dst=faces[at],
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
    return faces


def flat_in(
    flat: NDArray[np.float32], to_flat: Array, pose: Pose, frames: Array, pixels: int
) -> NDArray[np.float32]:
    """What a flat picture of the board would show in the faces of frames, if nothing stood on it.

    flat: (H, W, channels). to_flat: (3, 3), from cells to its px. Returns (N, 2, pixels, pixels,
    channels); 0 beyond the picture.
    """
    from_photo = to_flat @ np.linalg.inv(pose.matrix[:, [0, 1, 3]])
    shown = np.empty((*frames.shape[:2], pixels, pixels, flat.shape[2]), np.float32)
    for at in np.ndindex(*frames.shape[:2]):
        cv2.warpPerspective(
            flat, from_photo @ pose.matrix @ frames[at], (pixels, pixels), dst=shown[at],
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        )  # fmt: skip
    return shown


def points_in(frames: Array, pixels: int, count: int) -> Array:
    """Evenly spread points of the faces of frames, (N, 2, count, count, 3), cells."""
    at = (np.arange(count) + 0.5) * pixels / count - 0.5
    across, down = np.meshgrid(at, at)
    grid = np.stack([across, down, np.ones_like(down)], axis=-1)
    return np.asarray(np.einsum("nfij,abj->nfabi", frames[:, :, :3], grid))


def scaled_for_faces(
    image: Image, pose: Pose, middle: Point, reach: float, pixels: int
) -> tuple[Image, Pose]:
    """The photo scaled down, and its pose, so that no face near that point is aliased."""
    distance = float(np.linalg.norm(np.array(middle) - pose.centre))
    a_face = 2 * reach * pose.intrinsic[0, 0] / distance  # px of the photo
    factor = pixels * MAX_ALIASING / a_face
    small, factor = shrunk(image, factor)
    return small, pose.scaled(factor)
