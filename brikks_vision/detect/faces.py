"""Level faces above the cells of a board, as seen from straight above each."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.placement import Image
from brikks_vision.detect.pose import Pose

Array = NDArray[np.float64]

MAX_ALIASING = 1.5  # px of the photo for each px of a face, beyond which it is scaled down first


def face_at(
    image: Image, pose: Pose, middle: tuple[float, float, float], reach: float, pixels: int
) -> Image:
    """A level square around a point above the board, (pixels, pixels, 3).

    middle: (x, y, z) in cells. reach: from the middle to each side, cells. Its rows go as the
    board's do.
    """
    x, y, z = middle
    step = 2 * reach / pixels
    to_world = np.array(
        [[step, 0, x - reach + step / 2], [0, step, y - reach + step / 2], [0, 0, z], [0, 0, 1.0]]
    )
    matrix = pose.matrix @ to_world
    face = cv2.warpPerspective(
        image, matrix, (pixels, pixels), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(face, np.uint8)


def scaled_for_faces(
    image: Image, pose: Pose, middle: tuple[float, float, float], reach: float, pixels: int
) -> tuple[Image, Pose]:
    """The photo scaled down, and its pose, so that no face near that point is aliased."""
    distance = float(np.linalg.norm(np.array(middle) - pose.centre))
    a_face = 2 * reach * pose.intrinsic[0, 0] / distance  # px of the photo
    factor = pixels * MAX_ALIASING / a_face
    if factor >= 1:
        return image, pose
    small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), pose.scaled(factor)
