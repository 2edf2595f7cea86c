"""Photographs a drawn sheet: pose, paper curl, light, lens, sensor and JPEG.

A pose maps sheet points (cells) to photo pixels, so that the truth of every mark is known.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.layout import Box
from simulation.paper.surfaces import smooth_noise

Image = NDArray[np.uint8]
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Conditions:
    """What a tier of photos is like; pairs are ranges, probabilities 0 to 1.

    tilt: degrees; curl: of the page's height; fill: of the frame; blur: px at a photo 2000 px
    long; light: strength of uneven light; noise: grey levels; quality: JPEG.
    """

    tilt: tuple[float, float]
    curl: tuple[float, float]
    fill: tuple[float, float]
    turned: bool  # any rotation, or nearly upright
    blur: tuple[float, float]
    shake: tuple[float, float]
    light: tuple[float, float]
    shadow: float
    glare: float
    noise: tuple[float, float]
    exposure: tuple[float, float]
    tint: float
    quality: tuple[int, int]
    moire: float


SCAN = Conditions(
    tilt=(0, 0), curl=(0, 0), fill=(0.7, 1.0), turned=False, blur=(0.3, 0.8), shake=(0, 0),
    light=(0, 0.03), shadow=0, glare=0, noise=(0.5, 3), exposure=(0.92, 1.06), tint=0.02,
    quality=(75, 96), moire=0,
)  # fmt: skip
GOOD = Conditions(
    tilt=(0, 15), curl=(0, 0.012), fill=(0.6, 1.0), turned=True, blur=(0.3, 1.3), shake=(0, 1.5),
    light=(0.02, 0.25), shadow=0.3, glare=0.1, noise=(1, 5), exposure=(0.75, 1.12), tint=0.08,
    quality=(70, 95), moire=0,
)  # fmt: skip
HARD = Conditions(
    tilt=(8, 35), curl=(0, 0.035), fill=(0.45, 1.0), turned=True, blur=(0.5, 2.6), shake=(0, 4),
    light=(0.1, 0.6), shadow=0.65, glare=0.35, noise=(3, 14), exposure=(0.45, 1.2), tint=0.2,
    quality=(40, 90), moire=0.04,
)  # fmt: skip
TIERS = {"scan": SCAN, "good": GOOD, "hard": HARD}


@dataclass(frozen=True)
class Pose:
    """From sheet points to photo pixels: curl in space, then a camera, then a lens."""

    page: Box
    curl_direction: float
    curl_height: float
    curl_phase: float
    curl_waves: float
    rotation: Array  # (3, 3)
    distance: float
    scale: float
    offset: tuple[float, float]
    lens: float
    size: tuple[int, int]  # photo width, height

    def project(self, points: Array) -> Array:
        """Photo pixels (N, 2) of sheet points (N, 2) in cells."""
        plane = self._space(points)
        centred = plane @ self.rotation.T
        seen = centred[:, :2] * (self.distance / (self.distance + centred[:, 2:]))
        seen = seen * (1 + self.lens * (seen**2).sum(axis=1, keepdims=True))
        return seen * self.scale + self.offset

    def _space(self, points: Array) -> Array:
        page = self.page
        unit = page.height / 2
        middle = np.array([(page.left + page.right) / 2, (page.top + page.bottom) / 2])
        flat = (points - middle) / unit
        along = np.array([np.cos(self.curl_direction), np.sin(self.curl_direction)])
        at = np.clip(flat @ along, -1.6, 1.6)
        height = 2 * self.curl_height * np.sin(self.curl_waves * at + self.curl_phase)
        slope = (
            2 * self.curl_height * self.curl_waves * np.cos(self.curl_waves * at + self.curl_phase)
        )
        shrink = -0.5 * slope**2 * at  # the paper's length stays, its shadow gets shorter
        return np.concatenate([flat + shrink[:, None] * along, height[:, None]], axis=1)


def _turn(axis: Array, angle: float) -> Array:
    matrix: Array = cv2.Rodrigues(axis / np.linalg.norm(axis) * angle)[0]
    return matrix


def random_pose(
    rng: np.random.Generator, page: Box, needed: Box, conditions: Conditions, long_side: int
) -> Pose:
    """A camera over the page such that ``needed`` (cells) lies wholly in the frame."""
    aspect = rng.choice([4 / 3, 16 / 9, 3 / 2], p=[0.7, 0.15, 0.15])
    for _ in range(100):
        tilt = np.radians(rng.uniform(*conditions.tilt))
        tilt_axis = rng.uniform(0, 2 * np.pi)
        roll = rng.normal(0, np.radians(2.0))
        if conditions.turned:
            roll += rng.choice([0, 0.5, 1, 1.5], p=[0.55, 0.15, 0.15, 0.15]) * np.pi
            roll += rng.normal(0, np.radians(7)) if rng.random() < 0.8 else rng.uniform(-0.8, 0.8)
        else:
            roll += rng.choice([0, 0.5, 1, 1.5], p=[0.7, 0.1, 0.1, 0.1]) * np.pi
        rotation = _turn(np.array([0, 0, 1.0]), roll)
        rotation = _turn(np.array([np.cos(tilt_axis), np.sin(tilt_axis), 0]), tilt) @ rotation
        pose = Pose(
            page=page,
            curl_direction=rng.uniform(0, np.pi),
            curl_height=rng.uniform(*conditions.curl) * rng.choice([-1, 1]),
            curl_phase=rng.uniform(0, 2 * np.pi),
            curl_waves=rng.uniform(0.8, 3.4),
            rotation=rotation,
            distance=rng.uniform(2.6, 7.0),
            scale=1.0,
            offset=(0.0, 0.0),
            lens=rng.normal(0, 0.008) if conditions.turned else 0.0,
            size=(1, 1),
        )
        fitted = _fit_frame(rng, pose, needed, conditions, long_side, aspect)
        if fitted is not None:
            return fitted
    raise RuntimeError("no pose keeps the needed part of the page in the frame")


def _replace(pose: Pose, **changes: object) -> Pose:
    return Pose(**{**pose.__dict__, **changes})  # type: ignore[arg-type]


def rim(box: Box) -> Array:
    """Points along a box's sides, (80, 2)."""
    at = np.linspace(0, 1, 20, endpoint=False)[:, None]
    corners = np.asarray(box.corners)
    return np.concatenate(
        [a * (1 - at) + b * at for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
    )


def _fit_frame(
    rng: np.random.Generator,
    pose: Pose,
    needed: Box,
    conditions: Conditions,
    long_side: int,
    aspect: float,
) -> Pose | None:
    shape = pose.project(rim(pose.page))
    low, high = shape.min(axis=0), shape.max(axis=0)
    extent = high - low
    upright = extent[1] >= extent[0]
    if rng.random() < 0.1:
        upright = not upright
    width, height = (long_side / aspect, long_side) if upright else (long_side, long_side / aspect)
    fill = rng.uniform(*conditions.fill)
    scale = fill * min(width / extent[0], height / extent[1])
    slack = np.array([width, height]) - extent * scale
    at = rng.uniform(0.2, 0.8, 2) if rng.random() < 0.7 else rng.uniform(0, 1, 2)
    offset = slack * at - low * scale
    fitted = _replace(
        pose,
        scale=float(scale),
        offset=(float(offset[0]), float(offset[1])),
        size=(int(width), int(height)),
    )
    inside = fitted.project(rim(needed))
    safe = (inside > 2).all() and (inside < np.array(fitted.size) - 3).all()
    return fitted if safe else None


def sheet_map(pose: Pose, step: int = 16) -> NDArray[np.float32]:
    """For every photo pixel its sheet point: float32 (height, width, 2) in cells.

    Solved by fixed-point iteration on a coarse grid, then interpolated.
    """
    width, height = pose.size
    columns, rows = width // step + 3, height // step + 3
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).astype(float)
    target = ((grid - 0.5) * step).reshape(-1, 2)
    corners = np.asarray(pose.page.corners)
    back = cv2.getPerspectiveTransform(
        pose.project(corners).astype(np.float32), corners.astype(np.float32)
    )

    def unproject(points: Array) -> Array:
        return cv2.perspectiveTransform(points[None], back)[0]

    flat = unproject(target)
    limit = 3 * pose.page.height
    points = np.clip(flat, -limit, limit)
    for _ in range(5):
        points = np.clip(points + flat - unproject(pose.project(points)), -limit, limit)
    coarse = points.reshape(rows, columns, 2).astype(np.float32)
    at = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).astype(np.float32)
    at = at / step + 0.5
    return cv2.remap(coarse, at[..., 0], at[..., 1], cv2.INTER_LINEAR)


def _light(
    rng: np.random.Generator, size: tuple[int, int], conditions: Conditions
) -> NDArray[np.float32]:
    """Light on the scene, float32 (height, width, 3) around 1, at a quarter of the size."""
    width, height = size[0] // 4 + 1, size[1] // 4 + 1
    strength = rng.uniform(*conditions.light)
    x, y = np.meshgrid(
        np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
    )
    angle = rng.uniform(0, 2 * np.pi)
    light = 1 + 0.5 * strength * (x * np.cos(angle) + y * np.sin(angle))
    light -= strength * rng.uniform(0, 0.4) * (x**2 + y**2)
    light += 0.15 * strength * smooth_noise(rng, (height, width), (4, 4))
    color = np.ones((1, 1, 3), np.float32)
    field = np.repeat(light[..., None], 3, axis=2).astype(np.float32)
    for _ in range(int(rng.random() < conditions.shadow) * int(rng.integers(1, 3))):
        shape = np.zeros((height, width), np.uint8)
        corners = int(rng.integers(3, 9))
        centre = rng.uniform(0, 1, 2) * (width, height)
        radii = rng.uniform(0.15, 0.9, corners) * max(width, height) * rng.uniform(0.3, 1)
        angles = np.sort(rng.uniform(0, 2 * np.pi, corners))
        polygon = centre + np.stack([np.cos(angles), np.sin(angles)], axis=1) * radii[:, None]
        cv2.fillPoly(shape, [polygon.astype(np.int32)], 255)
        softness = float(rng.choice([0.004, 0.015, 0.05])) * max(width, height)
        soft = cv2.GaussianBlur(shape, (0, 0), softness).astype(np.float32) / 255
        depth = rng.uniform(0.15, 0.35 + 0.5 * conditions.shadow)
        tone = 1 + rng.normal(0, 0.05, 3).astype(np.float32)
        field *= 1 - soft[..., None] * depth * tone
    if rng.random() < conditions.light[1] * 0.4:  # flash: bright in the middle, dark at the rim
        flash = np.exp(-(x**2 + y**2) / rng.uniform(0.5, 1.5))
        field *= (0.55 + 0.6 * flash)[..., None]
    return np.clip(field * color, 0.08, 1.8)


def _glare(rng: np.random.Generator, size: tuple[int, int]) -> NDArray[np.float32]:
    """Reflected lamps, grey levels to add, at a quarter of the size, (height, width)."""
    width, height = size[0] // 4 + 1, size[1] // 4 + 1
    field = np.zeros((height, width), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        centre = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        axes = (int(rng.uniform(0.02, 0.15) * width) + 2, int(rng.uniform(0.02, 0.1) * width) + 2)
        spot = np.zeros_like(field)
        cv2.ellipse(spot, centre, axes, rng.uniform(0, 180), 0, 360, rng.uniform(40, 200), -1)
        field += cv2.GaussianBlur(spot, (0, 0), rng.uniform(0.015, 0.06) * width)
    return field


def _shake(image: Image, length: float, angle: float) -> Image:
    size = int(length) * 2 + 3
    kernel = np.zeros((size, size), np.float32)
    centre = size // 2
    offset = 0.5 * length * np.array([np.cos(angle), np.sin(angle)])
    a, b = (centre - offset) * 16, (centre + offset) * 16
    cv2.line(kernel, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), 1.0, 1, cv2.LINE_AA, 4)
    if kernel.sum() == 0:
        return image
    return cv2.filter2D(image, -1, kernel / kernel.sum())


def develop(scene: Image, rng: np.random.Generator, conditions: Conditions) -> Image:
    """Light, lens, sensor and phone processing for a scene; JPEG comes last, in `compress`."""
    cv2.setRNGSeed(int(rng.integers(2**31)))
    height, width = scene.shape[:2]
    size = (width, height)
    unit = max(width, height) / 2000
    blur = rng.uniform(*conditions.blur) * unit
    image = scene
    if blur > 0.25:
        image = cv2.GaussianBlur(image, (0, 0), blur)
    shake = rng.uniform(*conditions.shake) * unit
    if shake > 0.8 and rng.random() < 0.5:
        image = _shake(image, shake, rng.uniform(0, np.pi))
    light = cv2.resize(_light(rng, size, conditions), size, interpolation=cv2.INTER_LINEAR)
    white = rng.normal(0, conditions.tint, 3) * [1, 0.5, 1]
    gain = rng.uniform(*conditions.exposure) * np.exp(white)
    light *= gain.astype(np.float32)
    pixels = cv2.multiply(image, light, dtype=cv2.CV_32F)
    if rng.random() < conditions.glare:
        pixels += cv2.resize(_glare(rng, size), size, interpolation=cv2.INTER_LINEAR)[..., None]
    if rng.random() < conditions.moire:
        x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
        period, angle = rng.uniform(2.2, 7), rng.uniform(0, np.pi)
        pixels *= (
            1
            + rng.uniform(0.02, 0.10)
            * np.sin(2 * np.pi / period * (x * np.cos(angle) + y * np.sin(angle)))[..., None]
        )
    haze = rng.uniform(0, 14) * conditions.light[1]
    if haze > 0.5:
        pixels = pixels * (1 - haze / 255) + haze
    noise = rng.uniform(*conditions.noise)
    grain = np.empty((height, width, 3), np.int16)
    cv2.randn(grain, 0, 64)
    pixels += grain.astype(np.float32) * (noise / 64)
    image = np.clip(pixels, 0, 255).astype(np.uint8)
    curve = rng.normal(0, 0.12 + 0.3 * conditions.tint)
    table = np.clip(255 * (np.arange(256) / 255) ** np.exp(curve), 0, 255).astype(np.uint8)
    image = cv2.LUT(image, table)
    if noise > 4 and rng.random() < 0.5:  # phones smooth noise away, and detail with it
        image = (
            cv2.bilateralFilter(image, 5, 4 * noise, 2)
            if rng.random() < 0.3
            else cv2.medianBlur(image, 3)
        )
    if rng.random() < 0.5:
        amount = rng.uniform(0.2, 1.0)
        image = cv2.addWeighted(
            image, 1 + amount, cv2.GaussianBlur(image, (0, 0), 1.2 * max(unit, 0.6)), -amount, 0
        )
    return image


def compress(image: Image, quality: int) -> bytes:
    """A JPEG file of the image."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise RuntimeError("the JPEG encoder failed")
    return bytes(data)


def photograph(
    sheet: Image,
    origin: tuple[float, float],
    pixels_per_cell: float,
    table: Image,
    pose: Pose,
    points: NDArray[np.float32],
    rng: np.random.Generator,
    conditions: Conditions,
) -> Image:
    """The sheet on the table as the camera at ``pose`` sees it; uint8 BGR of ``pose.size``.

    ``points`` is `sheet_map` of the pose.
    """
    width, height = pose.size
    seen = points * np.float32(pixels_per_cell)
    seen += np.asarray(origin, np.float32)
    scene = cv2.resize(table, (width, height), interpolation=cv2.INTER_LINEAR)
    source = sheet
    shrink = pixels_per_cell / cell_size(pose)
    if shrink > 1.6:  # the raster is much finer than the photo: avoid aliasing
        source = cv2.GaussianBlur(sheet, (0, 0), 0.35 * shrink)
    page = pose.page
    on_page = (
        (points[..., 0] > page.left) & (points[..., 0] < page.right)
        & (points[..., 1] > page.top) & (points[..., 1] < page.bottom)
    )  # fmt: skip
    warped = cv2.remap(
        source, seen[..., 0], seen[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    soft = cv2.blur(on_page.astype(np.float32), (3, 3))[..., None]
    if rng.random() < 0.7:  # the sheet's own shadow on the table
        around = cv2.blur(on_page.astype(np.float32), (int(width / 40) | 1, int(width / 40) | 1))[
            ..., None
        ]
        scene = (scene * (1 - 0.35 * around)).astype(np.uint8)
    scene = np.clip(warped * soft + scene * (1 - soft), 0, 255).astype(np.uint8)
    return develop(scene, rng, conditions)


def cell_size(pose: Pose) -> float:
    """A cell's size in the photo, px, in the middle of the page."""
    page = pose.page
    x, y = (page.left + page.right) / 2, (page.top + page.bottom) / 2
    a, b, c = pose.project(np.array([[x, y], [x + 1, y], [x, y + 1]]))
    return float(np.sqrt(abs(np.cross(np.append(b - a, 0), np.append(c - a, 0))[2])))


def facing(pose: Pose) -> str:
    """Where the sheet's top points in the photo: "up", "down", "left" or "right"."""
    page = pose.page
    x = (page.left + page.right) / 2
    top, bottom = pose.project(np.array([[x, page.top], [x, page.bottom]]))
    right, down = top - bottom
    if abs(right) > abs(down):
        return "right" if right > 0 else "left"
    return "down" if down > 0 else "up"
