"""Renders a scene by rasterizing it with OpenGL: fast, on a CPU too (Mesa's llvmpipe).

First what each px shows (its paint, normal and place), then the light of each point of a lamp or of
the sky there, with a shadow map of each point. Light that bounces off the board is guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.rules.blox.position import SIDE
from simulation.blox.cameras import Camera
from simulation.blox.scene import Lights, Part, Scene, Surface

try:
    import moderngl
except ImportError as error:
    raise SystemExit(
        "The photos of boards are rendered by ModernGL, which is not installed. Install the extra: "
        "pip install -e '.[simulation]'"
    ) from error

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

SUPERSAMPLING = 1.25  # px of the rendering to one of the photo, in each direction
SHADOW_REACH = 12.0  # fields around the middle of the board in which things throw shadows
USUAL_LIGHTS = Lights(of_lamp=8, of_sky=14, shadow_pixels=768)
SKY_DISTANCE = 60.0  # fields
NEAR, FAR = 1.0, 200.0
BOUNCED = 0.45  # of the light on the board, the share that its colours send back

_SEEN = """
#version 330
uniform mat3x4 camera;  // the rows of the camera's matrix
uniform vec2 size;
in vec3 place; in vec3 normal; in vec2 uv;
out vec3 at; out vec3 up; out vec2 on;
void main() {
    vec3 seen = vec4(place, 1.0) * camera;
    vec2 centred = 2.0 * (seen.xy + 0.5 * seen.z) / size - seen.z;
    float depth = seen.z * (FAR + NEAR) / (FAR - NEAR) - 2.0 * FAR * NEAR / (FAR - NEAR);
    gl_Position = vec4(centred, depth, seen.z);
    at = place; up = normal; on = uv;
}
"""
_PAINT = """
#version 330
uniform sampler2D picture;
uniform float roughness; uniform float opacity;
in vec3 at; in vec3 up; in vec2 on;
layout(location = 0) out vec4 paint;
layout(location = 1) out vec4 facing;
layout(location = 2) out vec4 standing;
void main() {
    vec3 color = pow(texture(picture, on).rgb, vec3(2.2));
    paint = vec4(clamp(color, 0.002, 0.93), opacity);
    facing = vec4(normalize(up), roughness);
    standing = vec4(at, 1.0);
}
"""
_SHADOW = """
#version 330
uniform mat4 light;
in vec3 place;
void main() { gl_Position = light * vec4(place, 1.0); }
"""
_NOTHING = """
#version 330
void main() {}
"""
_WHOLE = """
#version 330
in vec2 corner;
out vec2 spot;
void main() { gl_Position = vec4(corner, 0.0, 1.0); spot = 0.5 * corner + 0.5; }
"""
_LIGHT = """
#version 330
uniform sampler2D paints; uniform sampler2D facings; uniform sampler2D standings;
uniform sampler2DShadow shadow;
uniform mat4 light;
uniform vec3 eye; uniform vec3 lamp; uniform vec3 radiance; uniform vec3 aim; uniform float area;
in vec2 spot;
out vec4 sent;
void main() {
    vec4 facing = texture(facings, spot);
    vec4 standing = texture(standings, spot);
    if (standing.w < 0.5) { sent = vec4(0.0); return; }
    vec3 place = standing.xyz, view = normalize(eye - place), normal = normalize(facing.xyz);
    if (dot(normal, view) < 0.0) normal = -normal;
    vec3 ray = lamp - place;
    float squared = dot(ray, ray);
    vec3 way = ray / sqrt(squared);
    float slant = dot(normal, way);
    if (slant <= 0.0) { sent = vec4(0.0); return; }
    // area 0: a point of the sky, which is equally bright from everywhere.
    vec3 power = radiance;
    if (area > 0.0) power *= area * max(dot(aim, -way), 0.0) / squared;
    vec4 from = light * vec4(place + 0.02 * normal, 1.0);
    vec3 within = 0.5 * from.xyz / from.w + 0.5;
    float lit = 1.0;
    if (all(greaterThan(within.xy, vec2(0.0))) && all(lessThan(within.xy, vec2(1.0))))
        lit = texture(shadow, vec3(within.xy, within.z - 0.0004));
    vec3 shown = texture(paints, spot).rgb / 3.14159;
    float rough = facing.w;
    if (rough > 0.0) {
        vec3 middle = normalize(way + view);
        float a2 = max(rough * rough, 0.012);
        float nh = max(dot(normal, middle), 0.0), vh = max(dot(view, middle), 0.0);
        float d = nh * nh * (a2 - 1.0) + 1.0;
        float spread = a2 / (3.14159 * d * d);
        float mirror = 0.04 + 0.96 * pow(clamp(1.0 - vh, 0.0, 1.0), 5.0);
        float nv = max(dot(normal, view), 0.05);
        shown = shown * (1.0 - mirror) + vec3(mirror * spread / (4.0 * nv * max(slant, 0.05)));
    }
    sent = vec4(power * slant * lit * shown, 0.0);
}
"""
_BOUNCE = """
#version 330
uniform sampler2D paints; uniform sampler2D facings; uniform sampler2D standings;
uniform vec3 eye; uniform vec3 floor_light; uniform vec3 sky;
in vec2 spot;
out vec4 sent;
void main() {
    vec4 facing = texture(facings, spot);
    vec4 standing = texture(standings, spot);
    if (standing.w < 0.5) { sent = vec4(sky, 0.0); return; }
    vec3 view = normalize(eye - standing.xyz), normal = normalize(facing.xyz);
    if (dot(normal, view) < 0.0) normal = -normal;
    vec3 shown = texture(paints, spot).rgb;
    sent = vec4(shown * floor_light * (0.5 - 0.5 * normal.z), 0.0);
    if (facing.w > 0.0) {
        float mirror = 0.04 + 0.96 * pow(clamp(1.0 - dot(normal, view), 0.0, 1.0), 5.0);
        float above = max(reflect(-view, normal).z, 0.0);
        sent.rgb += mirror * 0.7 * mix(floor_light, sky, smoothstep(0.0, 0.3, above));
    }
}
"""


def rendered(
    scene: Scene, camera: Camera, rng: np.random.Generator, lights: Lights = USUAL_LIGHTS
) -> Floats:
    """Linear BGR light, (height, width, 3)."""
    context, programs = _context()
    width, height = (round(SUPERSAMPLING * side) for side in camera.size)
    groups = _groups(scene)
    buffer = context.buffer(np.concatenate([rows for _, rows in groups]).tobytes())
    shown = [context.texture((width, height), 4, dtype=kind) for kind in ("f2", "f2", "f4")]
    first = context.framebuffer(shown, context.depth_renderbuffer((width, height)))
    first.use()
    first.clear()
    context.enable_only(moderngl.DEPTH_TEST)
    _paint(context, programs["paint"], buffer, groups, camera)
    total = context.texture((width, height), 4, dtype="f4")
    sums = context.framebuffer([total])
    sums.clear()
    for number, texture in enumerate(shown):
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        texture.use(number)
    depth = context.depth_texture((lights.shadow_pixels, lights.shadow_pixels))
    depth.compare_func = "<="
    depths = context.framebuffer(depth_attachment=depth)
    casting = context.vertex_array(programs["shadow"], [(buffer, "3f 5x4", "place")])
    corners = context.buffer(np.array([-1, -1, 1, -1, -1, 1, 1, 1], "f4").tobytes())
    whole = {
        name: context.vertex_array(programs[name], [(corners, "2f", "corner")])
        for name in ("light", "bounce")
    }
    eye = tuple(_flipped(camera.position))
    for program in (programs["light"], programs["bounce"]):
        for number, name in enumerate(("paints", "facings", "standings")):
            if name in program:
                program[name] = number
        program["eye"] = eye
    light = programs["light"]
    light["shadow"] = 3
    for point in _points(scene, lights, rng):
        matrix = _light_matrix(point.position)
        depths.use()
        depths.clear()
        context.enable(moderngl.DEPTH_TEST)
        context.disable(moderngl.BLEND)
        programs["shadow"]["light"].write(matrix.T.astype("f4").tobytes())
        casting.render()
        sums.use()
        context.disable(moderngl.DEPTH_TEST)
        context.enable(moderngl.BLEND)
        context.blend_func = moderngl.ONE, moderngl.ONE
        depth.use(3)
        light["light"].write(matrix.T.astype("f4").tobytes())
        light["lamp"], light["aim"] = tuple(point.position), tuple(point.aim)
        light["radiance"], light["area"] = tuple(point.radiance[::-1]), point.area
        whole["light"].render(moderngl.TRIANGLE_STRIP)
    programs["bounce"]["sky"] = tuple(scene.ambient[::-1])
    programs["bounce"]["floor_light"] = tuple(_floor_light(scene)[::-1])
    whole["bounce"].render(moderngl.TRIANGLE_STRIP)
    sent = np.frombuffer(total.read(), np.float32).reshape(height, width, 4)[..., 2::-1]
    return np.asarray(
        cv2.resize(np.ascontiguousarray(sent), camera.size, interpolation=cv2.INTER_AREA),
        np.float32,
    )


@cache
def _context() -> Any:
    """OpenGL without a window, and the programs in it."""
    context = moderngl.create_standalone_context(backend="egl")
    context.gc_mode = "auto"
    seen = _SEEN.replace("FAR", str(FAR)).replace("NEAR", str(NEAR))
    return context, {
        "paint": context.program(vertex_shader=seen, fragment_shader=_PAINT),
        "shadow": context.program(vertex_shader=_SHADOW, fragment_shader=_NOTHING),
        "light": context.program(vertex_shader=_WHOLE, fragment_shader=_LIGHT),
        "bounce": context.program(vertex_shader=_WHOLE, fragment_shader=_BOUNCE),
    }


def _groups(scene: Scene) -> list[tuple[Surface, Floats]]:
    """The corners of all triangles by surface, those that something shines through last.

    Each row: place (3), normal (3), place in the picture (2).
    """
    by_surface: dict[Surface, list[Floats]] = {}
    for part in scene.parts:
        by_surface.setdefault(part.surface, []).append(_corners(part))
    groups = [(surface, np.concatenate(rows)) for surface, rows in by_surface.items()]
    return sorted(groups, key=lambda group: group[0].opacity < 1)


def _corners(part: Part) -> Floats:
    vertices, faces = part.mesh
    places = np.c_[vertices[:, :3], np.ones(len(vertices))] @ part.placement[:3].T
    triangles = places[faces]  # (M, 3, 3)
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    length = np.linalg.norm(normals, axis=1)
    kept = length > 1e-9
    normals = normals[kept] / length[kept, None]
    rows = np.concatenate(
        [triangles[kept], np.repeat(normals[:, None], 3, axis=1), vertices[faces[kept], 3:]], axis=2
    )
    return np.asarray(rows.reshape(-1, 8), np.float32)


def _paint(
    context: Any,
    program: Any,
    buffer: Any,
    groups: list[tuple[Surface, Floats]],
    camera: Camera,
) -> None:
    """Draw what each px shows into the framebuffer in use."""
    mirror = np.diag([1.0, -1.0, 1.0, 1.0])  # the camera's frame has y down the board
    program["camera"].write((camera.matrix @ mirror).astype("f4").tobytes())
    program["size"] = camera.size
    program["picture"] = 0
    drawn = context.vertex_array(program, [(buffer, "3f 3f 2f", "place", "normal", "uv")])
    start = 0
    for surface, rows in groups:
        paint = surface.paint
        image = np.full((1, 1, 3), paint, np.uint8) if isinstance(paint, tuple) else paint
        pixels = np.ascontiguousarray(image[::-1, :, ::-1])
        texture = context.texture(pixels.shape[1::-1], 3, pixels.tobytes(), alignment=1)
        texture.repeat_x = texture.repeat_y = False
        texture.build_mipmaps()
        texture.anisotropy = 4.0
        texture.use(0)
        program["roughness"] = surface.roughness or 0.0
        program["opacity"] = surface.opacity
        if surface.opacity < 1:
            context.enable(moderngl.BLEND)
            context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        drawn.render(moderngl.TRIANGLES, vertices=len(rows), first=start)
        start += len(rows)
    context.disable(moderngl.BLEND)


@dataclass(frozen=True, eq=False)
class _Point:
    """A point of a lamp or of the sky; area: of the lamp that it stands for, 0 for the sky."""

    position: Array
    aim: Array
    radiance: Array
    area: float


def _points(scene: Scene, lights: Lights, rng: np.random.Generator) -> list[_Point]:
    points = []
    for lamp in scene.lamps:
        aim = lamp.target - lamp.position
        aim /= np.linalg.norm(aim)
        side = np.cross(aim, [0.1, 0.2, 1.0])
        side /= np.linalg.norm(side)
        up = np.cross(side, aim)
        count = lights.of_lamp // 2
        across = (rng.permutation(2 * count) + rng.random(2 * count)) / count - 1
        along = (np.arange(2 * count) + rng.random(2 * count)) / count - 1
        for x, y in zip(across, along, strict=True):
            place = lamp.position + lamp.half * (x * side + y * up)
            points.append(_Point(place, aim, lamp.radiance, 4 * lamp.half**2 / (2 * count)))
    # Directions of the sky that share its light on the board: cosine-weighted, on a spiral.
    middle = np.array([SIDE / 2, -SIDE / 2, 0.0])
    start = rng.uniform(0, 2 * np.pi)
    for step in range(lights.of_sky):
        share = (step + rng.random()) / lights.of_sky
        rise, out = np.sqrt(1 - share), np.sqrt(share)
        turn = start + step * np.pi * (3 - np.sqrt(5))
        way = np.array([out * np.cos(turn), out * np.sin(turn), max(rise, 0.05)])
        # A flat thing gets pi of the sky's radiance; each point sends its share of that.
        power = scene.ambient * np.pi / (lights.of_sky * way[2])
        points.append(_Point(middle + SKY_DISTANCE * way, -way, power, 0.0))
    return points


def _light_matrix(position: Array) -> Array:
    """(4, 4), the scene to the clip space of a shadow map that a point of light sees."""
    middle = np.array([SIDE / 2, -SIDE / 2, 0.0])
    forward = middle - position
    distance = float(np.linalg.norm(forward))
    forward /= distance
    right = np.cross(forward, [0.3, 0.1, 1.0])
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    rotation = np.stack([right, up, -forward])
    view = np.eye(4)
    view[:3, :3], view[:3, 3] = rotation, -rotation @ position
    reach = 1 / np.tan(np.arcsin(min(0.95, SHADOW_REACH / distance)))
    near, far = max(0.5, distance - 16), distance + 16
    lens = np.zeros((4, 4))
    lens[0, 0] = lens[1, 1] = reach
    lens[2, 2:] = -(far + near) / (far - near), -2 * far * near / (far - near)
    lens[3, 2] = -1
    return np.asarray(lens @ view)


def _floor_light(scene: Scene) -> Array:
    """The radiance that a board of middling colours sends up, (3,)."""
    middle = np.array([SIDE / 2, -SIDE / 2, 0.0])
    power = np.pi * scene.ambient
    for lamp in scene.lamps:
        ray = lamp.position - middle
        squared = float(ray @ ray)
        slant = ray[2] / np.sqrt(squared)
        power = power + lamp.radiance * 4 * lamp.half**2 * slant / squared
    return np.asarray(BOUNCED * power / np.pi)


def _flipped(point: Array) -> list[float]:
    return [float(point[0]), -float(point[1]), float(point[2])]
