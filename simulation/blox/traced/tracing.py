"""Traces the paths of light through a scene with Mitsuba, few a pixel, and smooths what they tell.

It computes on one core. Where the variable ``DRJIT_LIBLLVM_PATH`` of Mitsuba names an LLVM of
version 17 or later, that compiles it and it is six times as fast; older ones end the process.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.blox.cameras import Camera
from simulation.blox.meshes import Mesh, write_ply
from simulation.blox.traced.style import Rgb
from simulation.blox.traced.textures import Floats

try:
    import drjit as dr
    import mitsuba as mi
except ImportError as error:
    raise SystemExit(
        "The traced photos of boards are rendered by Mitsuba, which is not installed. Install the "
        "extra: pip install -e '.[simulation]'"
    ) from error

Part = dict[str, Any]
PATHS = 4  # for each px


def set_up() -> None:
    """Chooses how Mitsuba computes; before anything is loaded."""
    mi.set_variant("llvm_ad_rgb" if os.environ.get("DRJIT_LIBLLVM_PATH") else "scalar_rgb")
    mi.set_log_level(mi.LogLevel.Error)
    dr.set_thread_count(1)


def rgb(color: Rgb) -> Part:
    """An sRGB colour as a linear one."""
    linear = np.where(color < 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
    return {"type": "rgb", "value": linear.tolist()}


def picture(image: Floats) -> Part:
    """An sRGB picture, 0 to 1."""
    pixels = np.rint(np.clip(image[::-1], 0, 1) * 255).astype(np.uint8)
    return {"type": "bitmap", "bitmap": mi.Bitmap(np.ascontiguousarray(pixels))}


def scaled(by: float) -> Any:
    """How a picture is repeated so many times on its thing."""
    return mi.ScalarTransform3f().scale([by, by])


def matte(color: Part) -> Part:
    return {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": color}}


def glossy(color: Part, roughness: float, density: float = 1.45) -> Part:
    """Something lacquered or of plastic; density: optical, of its coat."""
    coat = {"type": "roughplastic", "distribution": "ggx", "alpha": roughness, "int_ior": density}
    return {"type": "twosided", "bsdf": {**coat, "diffuse_reflectance": color}}


def clear() -> Part:
    body = glossy(rgb(np.array([0.93, 0.94, 0.95])), 0.05, 1.5)
    return {"type": "mask", "opacity": 0.28, "bsdf": body}


def rectangle(
    middle: tuple[float, float, float], half: tuple[float, float], turn: float, bsdf: Part
) -> Part:
    """A flat thing that looks up; middle: in the frame of the scene. turn: degrees."""
    frame = mi.ScalarTransform4f().translate(list(middle)).rotate([0, 0, 1], turn)
    return {"type": "rectangle", "to_world": frame.scale([*half, 1.0]), "bsdf": bsdf}


def traced(
    meshes: Mapping[str, Mesh], surfaces: Mapping[str, Part], flat: Mapping[str, Part],
    lights: Mapping[str, Part], camera: Camera, rng: np.random.Generator,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Linear light (height, width, 3), red first, and that which falls on things, (3,).

    surfaces: by the names of the meshes. flat: rectangles. lights: emitters.
    """
    scene: Part = {"type": "scene", **lights, **flat, "sensor": _sensor(camera, rng)}
    path = {"type": "path", "max_depth": 4, "rr_depth": 9}
    layers = "albedo:albedo,normal:sh_normal,depth:depth"
    scene["integrator"] = {"type": "aov", "aovs": layers, "image": path}
    with TemporaryDirectory() as folder:
        for number, (name, mesh) in enumerate(meshes.items()):
            file = Path(folder, f"{number}.ply")
            write_ply(file, *mesh)
            scene[f"mesh {number}"] = {"type": "ply", "filename": str(file), "bsdf": surfaces[name]}
        loaded = mi.load_dict(scene)
    seed: Any = int(rng.integers(1 << 30))
    seen = np.array(mi.render(loaded, spp=PATHS, seed=seed), np.float32)
    return denoised(seen[..., :3], seen[..., 3:6], seen[..., 6:9], seen[..., 9])


def _sensor(camera: Camera, rng: np.random.Generator) -> Part:
    """A thin lens that is sharp somewhere near the middle of the board."""
    width, height = camera.size
    aim = [
        [float(point[0]), -float(point[1]), float(point[2])]
        for point in (camera.position, camera.target, camera.up)
    ]
    focus = float(np.linalg.norm(camera.target - camera.position) + rng.uniform(-2, 2))
    return {
        "type": "thinlens", "fov_axis": "larger", "near_clip": 0.1, "far_clip": 1000.0,
        "fov": float(np.degrees(2 * np.arctan(max(camera.size) / 2 / camera.focal))),
        "to_world": mi.ScalarTransform4f().look_at(*aim),
        "aperture_radius": float(rng.uniform(0.02, 0.055)), "focus_distance": focus,
        "film": {"type": "hdrfilm", "width": width, "height": height, "pixel_format": "rgb",
                 "rfilter": {"type": "box"}},
        "sampler": {"type": "independent", "sample_count": PATHS},
    }  # fmt: skip


def denoised(
    light: Floats, albedo: Floats, normal: Floats, depth: NDArray[np.float32]
) -> tuple[Floats, Floats]:
    """Light of few paths, smoothed within surfaces, and the median of what falls on them, (3,).

    The light is divided by the albedo, so that what is printed stays sharp, and averaged over wider
    and wider neighbourhoods (an edge-avoiding à-trous filter, Dammertz et al., 2010).
    """
    is_thing = depth > 0
    albedo = np.where(is_thing[..., None], np.clip(albedo, 0.012, 1), 1).astype(np.float32)
    fallen = np.minimum(np.nan_to_num(light), 12).astype(np.float32) / albedo
    logs: Any = _logs(fallen)
    above = logs - cv2.medianBlur(logs, 5)
    fallen *= np.exp(np.minimum(above, 1.1) - above)[..., None]  # single paths that hit a lamp
    near = depth / max(1e-6, float(np.median(depth[is_thing])))
    tone = np.sqrt(albedo.mean(2))
    for step, spread in ((1, 0.9), (2, 0.55), (4, 0.35), (8, 0.22)):
        logs = cv2.GaussianBlur(_logs(fallen), (0, 0), 1.0 if step < 4 else 0.7)
        flat = np.stack([logs / spread, tone / 0.15, near / (0.01 * step)], 2)
        fallen = _averaged(fallen, np.concatenate([flat, normal / 0.22], 2), step)
    return fallen * albedo, np.asarray(np.median(fallen[is_thing][::7], axis=0))


def _logs(light: Floats) -> Floats:
    return np.asarray(np.log(light.mean(2) + 0.02), np.float32)


def _averaged(light: Floats, guide: Floats, step: int) -> Floats:
    """The mean of each pixel and its eight neighbours so many px off, as far as they are alike."""
    total, weights = light.copy(), np.ones((*light.shape[:2], 1), np.float32)
    for by in product((-step, 0, step), repeat=2):
        if any(by):
            apart = ((np.roll(guide, by, (0, 1)) - guide) ** 2).sum(2, keepdims=True)
            weight = np.exp(-apart) * np.float32(0.6 if all(by) else 0.8)
            total += np.roll(light, by, (0, 1)) * weight
            weights += weight
    return np.asarray(total / weights, np.float32)
