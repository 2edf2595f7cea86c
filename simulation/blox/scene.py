"""A scene for the renderer: board, table, lights and all that stands about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from brikks_vision.rules.blox import Position
from brikks_vision.rules.blox.board import SIDE
from simulation.blox.cameras import Camera
from simulation.blox.looks import BoardArt, Look, wood_grain
from simulation.blox.meshes import PAWN_PROFILES, block, turned, write_ply
from simulation.paper.canvas import Image
from simulation.paper.chances import chance
from simulation.paper.colors import Color, any_color
from simulation.tables import render_table

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
_T = mi.ScalarTransform4f
_Part = dict[str, Any]

TABLE_REACH = 34.0
"""Half the table's side, in fields."""


def rgb(color: Color) -> _Part:
    """An sRGB colour as a reflectance."""
    linear = (np.array(color[::-1]) / 255) ** 2.2
    return {"type": "rgb", "value": [float(np.clip(value, 0.002, 0.93)) for value in linear]}


def texture(image: Image) -> _Part:
    pixels = np.ascontiguousarray(image[::-1, :, ::-1])
    return {"type": "bitmap", "bitmap": mi.Bitmap(pixels), "wrap_mode": "clamp"}


def _material(reflectance: _Part, roughness: float | None) -> _Part:
    """Roughness of a glossy coat; None for a matt thing."""
    if roughness is None:
        return {"type": "diffuse", "reflectance": reflectance}
    return {
        "type": "roughplastic", "diffuse_reflectance": reflectance, "alpha": roughness,
        "distribution": "ggx",
    }  # fmt: skip


def _at(x: float, y: float, z: float) -> Any:
    return _T().translate([x, -y, z])


class Builder:
    """Gathers the parts of one scene; meshes are written into ``folder``."""

    def __init__(self, look: Look, folder: Path, rng: np.random.Generator) -> None:
        self.look, self.folder, self.rng = look, folder, rng
        self.parts: _Part = {"type": "scene"}
        self._write_meshes()
        self._add_materials()

    def add(self, part: _Part) -> None:
        self.parts[f"part_{len(self.parts)}"] = part

    def _write_meshes(self) -> None:
        look = self.look
        write_ply(
            self.folder / "block.ply", *block(look.block_width, look.block_height, look.bevel)
        )
        profile = PAWN_PROFILES[look.pawn_shape]
        write_ply(self.folder / "pawn.ply", *turned(profile, look.pawn_width, look.pawn_height))

    def _add_materials(self) -> None:
        look, rng = self.look, self.rng
        rough = None if look.wood and chance(rng, 0.6) else look.roughness
        grain = float(rng.uniform(0.0, 0.09)) if look.wood else 0.0
        for name, color in {**look.block_colors, **look.pawn_colors}.items():
            surface = texture(wood_grain(rng, color, grain)) if grain else rgb(color)
            material = _material(surface, rough)
            self.parts[f"material_{name}"] = {**material, "id": f"material_{name}"}
        for value, face in look.chips.faces.items():
            material = _material(texture(face), None if chance(rng, 0.5) else 0.2)
            self.parts[f"face_{value}"] = {**material, "id": f"face_{value}"}
        rim = _material(rgb(look.chips.rim), None)
        self.parts["rim"] = {**rim, "id": "rim"}

    def block(self, color: str, x: float, y: float, z: float, turn: float) -> None:
        self.add({
            "type": "ply", "filename": str(self.folder / "block.ply"), "face_normals": True,
            "to_world": _at(x, y, z).rotate([0, 0, 1], turn),
            "bsdf": {"type": "ref", "id": f"material_{color}"},
        })  # fmt: skip

    def chip(self, value: int, x: float, y: float, z: float, turn: float) -> None:
        chips = self.look.chips
        half = chips.size / 2
        stand = _at(x, y, z + chips.thickness).rotate([0, 0, 1], turn)
        face, rim = {"type": "ref", "id": f"face_{value}"}, {"type": "ref", "id": "rim"}
        if chips.is_round:
            self.add({
                "type": "cylinder", "p0": [x, -y, z], "p1": [x, -y, z + chips.thickness],
                "radius": half,
                "bsdf": {"type": "twosided", "bsdf": _material(rgb(chips.rim), None)},
            })  # fmt: skip
            # A disc has polar texture coordinates, so the face is cut out of a rectangle.
            write = self.folder / "disc.ply"
            if not write.exists():
                angles = np.linspace(0, 2 * np.pi, 33)[:-1]
                ring = np.c_[np.cos(angles), np.sin(angles)]
                points = np.r_[[[0, 0]], ring]
                vertices = np.c_[points, np.zeros(33), points / 2 + 0.5]
                faces = [(0, 1 + step, 1 + (step + 1) % 32) for step in range(32)]
                write_ply(write, vertices, np.array(faces))
            self.add(
                {
                    "type": "ply",
                    "filename": str(write),
                    "to_world": stand.scale([half, half, 1]),
                    "face_normals": True,
                    "bsdf": face,
                }
            )
        else:
            box = _at(x, y, z + chips.thickness / 2).rotate([0, 0, 1], turn)
            self.add(
                {
                    "type": "cube",
                    "to_world": box.scale([half, half, chips.thickness / 2 - 0.002]),
                    "bsdf": rim,
                }
            )
            self.add({"type": "rectangle", "to_world": stand.scale([half, half, 1]), "bsdf": face})

    def pawn(self, color: str, x: float, y: float, z: float = 0.0) -> None:
        look = self.look
        foot = z
        if look.pawn_base:
            thick = 0.1
            clear = {
                "type": "mask", "opacity": look.base_opacity,
                "nested": {"type": "twosided", "bsdf": _material(rgb(look.base_color), 0.1)},
            }  # fmt: skip
            clear["bsdf"] = clear.pop("nested")
            half = look.pawn_base / 2
            self.add(
                {
                    "type": "cylinder",
                    "p0": [x, -y, z],
                    "p1": [x, -y, z + thick],
                    "radius": half,
                    "bsdf": clear,
                }
            )
            self.add({"type": "disk", "to_world": _at(x, y, z + thick).scale(half), "bsdf": clear})
            foot = z + thick
        self.add({
            "type": "ply", "filename": str(self.folder / "pawn.ply"), "face_normals": True,
            "to_world": _at(x, y, foot),
            "bsdf": {"type": "ref", "id": f"material_{color}"},
        })  # fmt: skip

    def position(self, position: Position) -> None:
        look, rng = self.look, self.rng

        def off() -> float:
            return float(rng.normal(0, look.jitter))

        for field, tower in position.towers.items():
            x, y = field[1] + 0.5 + off(), field[0] + 0.5 + off()
            turn = float(rng.normal(0, look.turn))
            for level, color in enumerate(tower.blocks):
                own = turn + float(rng.normal(0, look.turn / 3))
                self.block(str(color), x + off() / 2, y + off() / 2, level * look.block_height, own)
            if tower.chip:
                side = float(rng.uniform(0, 360)) if look.chips.is_round else turn
                side += 90.0 * int(rng.integers(4))
                self.chip(tower.chip, x + off(), y + off(), tower.height * look.block_height, side)
        for field, pawn in position.pawns.items():
            self.pawn(str(pawn), field[1] + 0.5 + 2 * off(), field[0] + 0.5 + 2 * off())

    def board(self, art: BoardArt) -> None:
        area, thick = art.area, float(self.rng.uniform(0.05, 0.25))
        x, y = (area.left + area.right) / 2, (area.top + area.bottom) / 2
        half = [area.width / 2, area.height / 2]
        gloss = None if chance(self.rng, 0.4) else float(self.rng.uniform(0.15, 0.5))
        self.add({
            "type": "rectangle", "to_world": _at(x, y, 0).scale([*half, 1]),
            "bsdf": _material(texture(art.image), gloss),
        })  # fmt: skip
        self.add({
            "type": "cube", "to_world": _at(x, y, -thick / 2 - 0.004).scale([*half, thick / 2]),
            "bsdf": _material(rgb(any_color(self.rng, (0, 0.5))), None),
        })  # fmt: skip
        self.thick = thick

    def table(self, middle: tuple[float, float] = (SIDE / 2, SIDE / 2), thick: float = 0.1) -> None:
        image = render_table(self.rng, 1400, 1400)
        self.add({
            "type": "rectangle",
            "to_world": _at(*middle, -thick - 0.01).scale([TABLE_REACH, TABLE_REACH, 1]),
            "bsdf": _material(texture(image), None),
        })  # fmt: skip

    def scatter(self, area_reach: float, count: int) -> None:
        """Blocks, chips and pawns that lie beside the board."""
        look, rng = self.look, self.rng
        for _ in range(count):
            angle = rng.uniform(0, 2 * np.pi)
            reach = area_reach + rng.uniform(1, 4)
            x, y = SIDE / 2 + reach * np.cos(angle), SIDE / 2 + reach * np.sin(angle)
            kind = int(rng.integers(3))
            z, turn = -self.thick, float(rng.uniform(0, 360))
            if kind == 0:
                self.block(str(rng.choice(list(look.block_colors))), x, y, z, turn)
            elif kind == 1:
                self.chip(int(rng.choice([1, 2, 3, 4, 10])), x, y, z, turn)
            else:
                self.pawn(str(rng.choice(list(look.pawn_colors))), x, y, z)

    def lights(self, is_hard: bool, away: float) -> None:
        """Lamps that are further off than the camera, which is ``away`` from the board."""
        rng = self.rng
        ambient = float(rng.uniform(0.12, 0.5) if is_hard else rng.uniform(0.3, 0.8))
        self.add({"type": "constant", "radiance": _warm(rng, ambient)})
        for _ in range(int(rng.integers(1, 3))):
            lift = np.radians(rng.uniform(28 if is_hard else 40, 88))
            turn = rng.uniform(0, 2 * np.pi)
            reach = away + float(rng.uniform(5, 20))
            way = np.array([np.cos(lift) * np.cos(turn), np.cos(lift) * np.sin(turn), np.sin(lift)])
            size = float(rng.uniform(0.03, 0.3)) * reach
            power = float(rng.uniform(0.5, 1.3)) * reach**2 / (4 * size**2) * np.pi / 1.5
            middle = np.array([SIDE / 2, -SIDE / 2, 0])
            where = _T().look_at((middle + way * reach).tolist(), middle.tolist(), [0.1, 0.2, 1])
            self.add({
                "type": "rectangle",
                "to_world": where.scale([size, size, 1]),
                "emitter": {"type": "area", "radiance": _warm(rng, power)},
            })  # fmt: skip

    def render(self, camera: Camera, samples: int) -> np.ndarray[Any, Any]:
        """Linear BGR light, float32 (height, width, 3)."""
        width, height = camera.size

        def flipped(point: Any) -> list[float]:
            return [float(point[0]), -float(point[1]), float(point[2])]

        aim = (flipped(point) for point in (camera.position, camera.target, camera.up))
        self.parts["sensor"] = {
            "type": "perspective", "fov_axis": "larger",
            "fov": float(np.degrees(2 * np.arctan(max(camera.size) / 2 / camera.focal))),
            "to_world": _T().look_at(*aim),
            "film": {"type": "hdrfilm", "width": width, "height": height, "pixel_format": "rgb",
                     "rfilter": {"type": "box"}},
            "sampler": {"type": "independent", "sample_count": samples,
                        "seed": int(self.rng.integers(1 << 30))},
        }  # fmt: skip
        self.parts["integrator"] = {"type": "path", "max_depth": 4}
        scene = mi.load_dict(self.parts)
        light = np.array(mi.render(scene), np.float32)
        return np.ascontiguousarray(light[..., ::-1])


def _warm(rng: np.random.Generator, power: float) -> _Part:
    tint = rng.normal(0, 0.08)
    return {
        "type": "rgb",
        "value": [power * float(np.exp(tint)), power, power * float(np.exp(-tint))],
    }


def exposed(light: np.ndarray[Any, Any], percentile: float, level: float) -> Image:
    """The light as an sRGB picture, uint8.

    That percentile of the middle, on which cameras set their exposure, is at that level (0 to 1).
    """
    height, width = light.shape[:2]
    middle = light[height // 5 : height - height // 5, width // 5 : width - width // 5]
    luminance = middle.mean(axis=2)
    white = float(np.percentile(luminance, percentile)) / level**2.2
    scaled = np.clip(light / max(white, 1e-6), 0, 1)
    return np.asarray(np.rint(255 * scaled ** (1 / 2.2)), np.uint8)


def denoised(light: np.ndarray[Any, Any], sigma: float) -> np.ndarray[Any, Any]:
    """Less of the renderer's own noise: an edge-preserving filter of the light's logarithm."""
    logs = np.log1p(np.minimum(light, 40.0) * 8).astype(np.float32)
    for _ in range(2):
        logs = cv2.bilateralFilter(logs, 5, sigma, 1.5)
    return np.asarray(np.expm1(logs) / 8, np.float32)
