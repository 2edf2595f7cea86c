"""Renders a scene by tracing the paths of light with Mitsuba: slowly, with light as it is."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.blox.cameras import Camera
from simulation.blox.meshes import write_ply
from simulation.blox.scene import Scene, Surface, reflectance
from simulation.paper.canvas import Image

try:
    import drjit as dr
    import mitsuba as mi
except ImportError as error:
    raise SystemExit(
        "The photos of boards are rendered by Mitsuba, which is not installed. Install the extra: "
        "pip install -e '.[simulation]'"
    ) from error

mi.set_variant("scalar_rgb")
dr.set_thread_count(1)
mi.set_log_level(mi.LogLevel.Error)
_Part = dict[str, Any]
PATHS = 16  # for each px
NOISE = 0.35  # in the light's logarithm, of the few paths


def rendered(scene: Scene, camera: Camera, rng: np.random.Generator) -> NDArray[np.float32]:
    """Linear BGR light, (height, width, 3)."""
    with TemporaryDirectory() as folder:
        light = np.array(mi.render(_loaded(scene, camera, rng, Path(folder))), np.float32)
    return denoised(np.ascontiguousarray(light[..., ::-1]), NOISE)


def _loaded(scene: Scene, camera: Camera, rng: np.random.Generator, folder: Path) -> Any:
    parts: _Part = {
        "type": "scene",
        "ambient": {"type": "constant", "radiance": rgb(scene.ambient)},
    }
    files: dict[int, str] = {}
    for number, part in enumerate(scene.parts):
        material = f"surface_{id(part.surface)}"
        if material not in parts:
            parts[material] = {**_material(part.surface), "id": material}
        if id(part.mesh) not in files:
            files[id(part.mesh)] = str(folder / f"{len(files)}.ply")
            write_ply(Path(files[id(part.mesh)]), *part.mesh)
        parts[f"part_{number}"] = {
            "type": "ply", "filename": files[id(part.mesh)], "face_normals": True,
            "to_world": mi.ScalarTransform4f(part.placement),
            "bsdf": {"type": "ref", "id": material},
        }  # fmt: skip
    for number, lamp in enumerate(scene.lamps):
        aim = mi.ScalarTransform4f().look_at(
            lamp.position.tolist(), lamp.target.tolist(), [0.1, 0.2, 1]
        )
        parts[f"lamp_{number}"] = {
            "type": "rectangle", "to_world": aim.scale([lamp.half, lamp.half, 1]),
            "emitter": {"type": "area", "radiance": rgb(lamp.radiance)},
        }  # fmt: skip
    parts["sensor"] = _sensor(camera, int(rng.integers(1 << 30)))
    parts["integrator"] = {"type": "path", "max_depth": 4}
    return mi.load_dict(parts)


def _sensor(camera: Camera, seed: int) -> _Part:
    width, height = camera.size
    aim = [
        [float(point[0]), -float(point[1]), float(point[2])]
        for point in (camera.position, camera.target, camera.up)
    ]
    return {
        "type": "perspective", "fov_axis": "larger",
        "fov": float(np.degrees(2 * np.arctan(max(camera.size) / 2 / camera.focal))),
        "to_world": mi.ScalarTransform4f().look_at(*aim),
        "film": {"type": "hdrfilm", "width": width, "height": height, "pixel_format": "rgb",
                 "rfilter": {"type": "box"}},
        "sampler": {"type": "independent", "sample_count": PATHS, "seed": seed},
    }  # fmt: skip


def rgb(light: NDArray[np.float64]) -> _Part:
    return {"type": "rgb", "value": [float(value) for value in light[::-1]]}


def _texture(image: Image) -> _Part:
    pixels = np.ascontiguousarray(image[::-1, :, ::-1])
    return {"type": "bitmap", "bitmap": mi.Bitmap(pixels), "wrap_mode": "clamp"}


def _material(surface: Surface) -> _Part:
    paint = surface.paint
    shown = rgb(reflectance(paint)) if isinstance(paint, tuple) else _texture(paint)
    material: _Part = {"type": "diffuse", "reflectance": shown}
    if surface.roughness is not None:
        material = {
            "type": "roughplastic", "diffuse_reflectance": shown, "alpha": surface.roughness,
            "distribution": "ggx",
        }  # fmt: skip
    material = {"type": "twosided", "bsdf": material}
    if surface.opacity < 1:
        material = {"type": "mask", "opacity": surface.opacity, "bsdf": material}
    return material


def denoised(light: NDArray[np.float32], sigma: float) -> NDArray[np.float32]:
    """Less of the renderer's own noise: an edge-preserving filter of the light's logarithm."""
    logs = np.log1p(np.minimum(light, 40.0) * 8).astype(np.float32)
    for _ in range(2):
        logs = cv2.bilateralFilter(logs, 5, sigma, 1.5)
    return np.asarray(np.expm1(logs) / 8, np.float32)
