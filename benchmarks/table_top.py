"""Sheets on which objects lie, or on which players mended what they drew.

Each sheet is that of a legal game, in the project's own art or any; photo N shows the same game by
the same hand and camera in every kind of table. This is another hand than the one that networks are
trained with: it shares no object, light or correction with `simulation.things`,
`simulation.occluders` and `training`, so what was learnt from those is not what is measured here.
Every object is a relief (a shape, a rounded edge, an embossing) under one lamp, with sides, gloss
and a cast shadow. Frame: sheet points in cells; BGR.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from benchmarks.cases import Case, bloxx_truth, brikks_case
from benchmarks.harness import LONG_SIDE
from brikks_vision.layout import Layout, Point, load_layout
from brikks_vision.rules.bloxx.state import BonusMark, Mark
from brikks_vision.rules.brikks.blocks import Energy, as_photographed
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.bloxx import art as bloxx_art
from simulation.bloxx import hands as bloxx_hands
from simulation.bloxx import photos as bloxx_photos
from simulation.bloxx.faults import broken_rules
from simulation.bloxx.games import any_game
from simulation.bloxx.marking import mark_sheet
from simulation.brikks import marking as brikks_marking
from simulation.brikks import photos as brikks_photos
from simulation.brikks.games import play_sheet
from simulation.camera import TIERS, Pose, cell_size, compress, develop, random_pose, sheet_map
from simulation.hand import Hand
from simulation.handwriting import turning
from simulation.marks import Ink, draw_cell_cross, draw_digits
from simulation.paper.blank import BlankSheet
from simulation.paper.surfaces import smooth_noise
from simulation.photos import table_for
from simulation.strokes import Pen, inked

Array = NDArray[Any]
Random = np.random.Generator
Color = Sequence[float] | Callable[[Sequence[int]], Array]
Place = tuple[str, Point, bool]
Habit = Callable[[Hand, BlankSheet, Sequence[Point], Random], Hand]

SCALE = 56  # px of a cell in which all is drawn
MARGIN = 6  # cells of the table around the page on which things may lie
WHITE, BLACK, GREY, WOOD = (238, 240, 240), (34, 32, 33), (140, 142, 143), (120, 172, 212)
BRIGHT = (45, 45, 205), (170, 85, 25), (70, 145, 45), (40, 200, 245), (30, 120, 240), (160, 90, 230)
METALS = (62, 108, 176), (85, 168, 204), (172, 176, 178)  # copper, brass, nickel
CLOTHS = (92, 58, 38), (45, 45, 48), (150, 148, 146), (60, 60, 140), (76, 96, 68)
SKINS = ((168, 196, 236), (144, 178, 224), (80, 114, 166), (34, 44, 66))
HAIRS = (28, 36, 46), (40, 66, 96), (120, 150, 170), (170, 172, 175)


# --- a sheet, played on --------------------------------------------------------------------------


@dataclass(frozen=True)
class Sheet:
    """A marked sheet, drawn at `SCALE`. case: the truth, without a photo. places: kind, middle,
    whether it bears a mark."""

    layout: Layout
    blank: BlankSheet
    hand: Hand
    picture: Array
    case: Case
    places: list[Place]

    def where(self, marked: bool) -> dict[str, list[Point]]:
        """The places with a mark, or those without, by kind."""
        found: dict[str, list[Point]] = {}
        for kind, at, is_marked in self.places:
            if is_marked == marked:
                found.setdefault(kind, []).append(at)
        return found

    def is_beside(self, x: float, y: float, room: float) -> bool:
        """Whether a point of the page is that far from all that is marked or written."""
        layout, page = self.layout, self.layout.page
        fields = *layout.fields.values(), *layout.figures.values(), *layout.settings.values()
        asides = np.abs(np.concatenate([f.centres for f in fields]) - (x, y)) - (0.75, 0.5)
        on_page = min(x - page.left, page.right - x, y - page.top, page.bottom - y) > 0.6
        return on_page and bool((asides > room).any(axis=1).all())

    def anywhere(self, rng: Random) -> Array:
        """A point of the part that is marked."""
        area = self.layout.marked_area
        return rng.uniform((area.left, area.top), (area.right, area.bottom))


def enlarged(blank: BlankSheet) -> BlankSheet:
    factor = SCALE / blank.pixels_per_cell
    x, y = ((at + 0.5) * factor - 0.5 for at in blank.origin)
    image: Any = cv2.resize(blank.image, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
    return replace(blank, image=image, origin=(x, y), pixels_per_cell=float(SCALE))


def brikks_sheet(rng: Random, habit: Habit | None) -> Sheet:
    """In the art of this project's own prints, or in any."""
    layout, dice = load_layout("brikks-light"), random.Random(int(rng.integers(2**31)))
    style, is_own = str(rng.choice(["light", "arcade"])), rng.random() < 0.5
    blank = enlarged(
        brikks_photos.printed_blank(layout.name, style, 130) if is_own
        else brikks_photos.render_blank(layout, rng, pixels_per_cell=int(rng.integers(36, 48)))
    )  # fmt: skip
    players, variant = dice.choice([(1, "solo"), (2, "standard"), (3, "standard"), (4, "standard")])
    game = play_sheet(load_sheet(layout.name), dice, players, dice.randint(1, 4), variant)
    state = as_photographed(game.state)
    hand = brikks_marking.visible_hand(layout, blank, rng, held_out=True)
    hand = replace(hand, outlines="all") if hand.outlines == "some" else hand
    hand = habit(hand, blank, brikks_marking.marked_spots(layout), rng) if habit else hand
    while True:  # until no figure is wrong and no cell blackened: the sheet is legal and plain
        picture, drawn = brikks_marking.draw_state(blank, layout, state, hand, rng)
        shot: Any = SimpleNamespace(played=game, hand=hand, drawn=drawn, data=b"", tier="")
        case = brikks_case(shot, 0)
        if not case.allowed and not (drawn[brikks_marking.CELLS] == 0.5).any():
            break
    energy = [mark is not Energy.OPEN and at not in state.sheet.preprinted
              for at, mark in enumerate(state.energy)]  # fmt: skip
    cells = [cell in state.crossed for cell in layout.grid.cells]
    marked = {"cell": cells, "box": state.bonus, "energy": energy, "bomb": state.bombs}
    return Sheet(layout, blank, hand, picture, case, _places(layout, marked))


def bloxx_sheet(rng: Random, habit: Habit | None) -> Sheet:
    """Of the print of this project: another is read only once it was learnt."""
    layout, dice = load_layout(bloxx_photos.OWN), random.Random(int(rng.integers(2**31)))
    blank = enlarged(bloxx_photos.printed_blank(130))
    hand = bloxx_hands.visible_hand(layout, blank, rng, held_out=True)
    hand = habit(hand, blank, bloxx_hands.marked_spots(layout), rng) if habit else hand
    while broken_rules(played := any_game(bloxx_art.sheet_of(layout), dice)):
        pass
    marked, state = mark_sheet(blank, layout, played, hand, rng), played.state
    shot: Any = SimpleNamespace(marked=marked, data=b"", tier="")
    bonuses = [mark is not BonusMark.OPEN for row in state.bonuses for mark in row]
    names, centres = {Mark.CIRCLE: "ring", Mark.GAP: "gap"}, layout.fields["cell"].centres
    marks = zip(map(state.mark, layout.grid.cells), centres, strict=True)
    cells = [(names.get(mark, "cell"), at, mark is not Mark.EMPTY) for mark, at in marks]
    places = [*_places(layout, {"bonus": bonuses}), *cells]
    return Sheet(layout, blank, hand, marked.picture, bloxx_truth(shot, 0, hand), places)


def _places(layout: Layout, marked: dict[str, Sequence[bool]]) -> list[Place]:
    fields = [(kind, layout.fields[kind].centres, marks) for kind, marks in marked.items()]
    return [(kind, *each) for kind, *both in fields for each in zip(*both, strict=True)]


# --- objects --------------------------------------------------------------------------------------


class Scene:
    """The sheet and what lies on it from above: BGR, and how much of the table shows through.

    lean: by how many cells the camera sees shifted what is one cell high. hidden: 0 to 1, how much
    of what is printed and written there no camera sees.
    """

    def __init__(self, sheet: Sheet, rng: Random, lean: Array, margin: int = MARGIN) -> None:
        self.rng, self.lean, pad = rng, lean, margin * SCALE
        self.origin = np.asarray(sheet.blank.origin) + pad
        height, width = sheet.picture.shape[:2]
        page = np.zeros((height + 2 * pad, width + 2 * pad), np.uint8)
        page[pad : pad + height, pad : pad + width] = 255
        self.canvas = np.zeros((*page.shape, 4), np.float32)
        self.canvas[..., 3] = 1 - 0.4 / 255 * cv2.blur(page, (SCALE // 3, SCALE // 3))
        self.canvas[page > 0] = cv2.cvtColor(sheet.picture, cv2.COLOR_BGR2BGRA).reshape(-1, 4)
        self.canvas[page > 0, 3] = 0
        self.hidden = np.zeros(page.shape, np.float32)
        side, rise = rng.uniform(0, 2 * np.pi), rng.uniform(0.7, 1.2)
        self.lamp = np.array([*_heading(side) * np.cos(rise), np.sin(rise)])
        self.softness, self.depth = rng.uniform(0.15, 0.6), rng.uniform(0.3, 0.6)

    def shape(self, points: ArrayLike, line: float = 0) -> Array:
        """The mask of a polygon, or with ``line`` of a path of that width."""
        mask = np.zeros(self.canvas.shape[:2], np.uint8)
        at = np.round((np.asarray(points) * SCALE + self.origin) * 16).astype(np.int32)[:, None]
        if line:
            cv2.polylines(mask, [at], False, 255, max(1, round(line * SCALE)), cv2.LINE_AA, 4)
        else:
            cv2.fillPoly(mask, [at], 255, cv2.LINE_AA, 4)
        return mask

    def lay(
        self,
        mask: Array,
        color: Color,
        height: float,
        bevel: float,
        gloss: float,
        emboss: Array | None = None,
        cover: float = 1.0,
    ) -> None:
        """Lay an object of that shape down; ``bevel``: the radius of its edge, cells.

        ``emboss``: heights on its face, cells, over the whole canvas; ``cover``: 1 is opaque.
        """
        x, y, w, h = cv2.boundingRect(mask)
        reach, px = round(SCALE * height * 1.6) + 10, height * SCALE
        part = slice(max(0, y - reach), y + h + reach), slice(max(0, x - reach), x + w + reach)
        shape = mask[part]
        if not w or not shape.size:
            return
        cast = -self.lamp[:2] / self.lamp[2] * px
        shadow = np.max([_moved(shape, cast * t) for t in (0, 0.33, 0.67, 1)], axis=0)
        shadow = cv2.GaussianBlur(shadow, (0, 0), 1.5 + self.softness * px).astype(np.float32)
        self.canvas[part] *= 1 - (self.depth * cover / 255) * shadow[..., None]
        face = color(shape.shape) if callable(color) else np.ones((*shape.shape, 3)) * color
        lean, side = self.lean * px, shape
        for t in np.linspace(0, 1, int(np.hypot(*lean) / 2) + 2):
            side = np.maximum(side, _moved(shape, lean * t))
        self._over(part, side, face * 0.55, cover)
        edge = max(1.0, bevel * SCALE)
        inside = cv2.distanceTransform((shape > 127).astype(np.uint8), cv2.DIST_L2, 5)
        relief = edge * np.sqrt(1 - np.clip(1 - inside / edge, 0, 1) ** 2)
        relief = relief if emboss is None else relief + emboss[part] * SCALE
        down, along = np.gradient(cv2.GaussianBlur(relief.astype(np.float32), (0, 0), 1.2))
        normal = np.dstack([-along, -down, np.ones_like(down)])
        normal /= np.linalg.norm(normal, axis=2, keepdims=True)
        between = np.add(self.lamp, (0, 0, 1))
        light = 0.45 + 0.55 * np.clip(normal @ self.lamp, 0, None) / self.lamp[2]
        shine = 255 * gloss * np.clip(normal @ between / np.linalg.norm(between), 0, None) ** 40
        if gloss > 0.4 and bevel < 0.2:  # a flat face mirrors the room a little
            shine = shine + 40 * gloss * smooth(self.rng, shape.shape, 3)
        face = face * np.minimum(light, 1.3)[..., None] + shine[..., None]
        self._over(part, _moved(shape, lean), _moved(face.astype(np.float32), lean), cover)

    def _over(self, part: tuple[slice, slice], mask: Array, color: Array, cover: float) -> None:
        alpha = np.float32(cover / 255) * mask[..., None]
        self.canvas[part] *= 1 - alpha
        self.canvas[part][..., :3] += alpha * np.clip(color, 0, 255)
        np.maximum(self.hidden[part], alpha[..., 0], out=self.hidden[part])

    def hidden_places(self, layout: Layout) -> tuple[frozenset[str], frozenset[str]]:
        """The places, as answers name them, whose middle is hidden, and those of any part."""
        hidden, touched = set(), set()
        for name, field in layout.fields.items():
            if name in ("vertical", "horizontal"):
                continue
            for at, centre in enumerate(field.centres):
                place = f"{name} {','.join(map(str, np.unravel_index(at, field.shape)))}"
                x, y = np.round(np.array(centre) * SCALE + self.origin).astype(int)
                middle, whole = (
                    self.hidden[y - reach : y + reach, x - reach : x + reach]
                    for reach in (round(share * min(field.size) * SCALE) for share in (0.25, 0.45))
                )
                if middle.mean() > 0.5:
                    hidden.add(place)
                if whole.max() > 0.15:
                    touched.add(place)
        return frozenset(hidden), frozenset(touched)


def _moved(image: Array, by: Array) -> Array:
    matrix = np.array([[1, 0, by[0]], [0, 1, by[1]]])
    return cv2.warpAffine(image, matrix, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)


def _heading(angle: Any) -> Array:
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def smooth(rng: Random, shape: Sequence[int], knots: int | tuple[int, int]) -> Array:
    """Smooth noise of that height and width, of about unit variance."""
    return smooth_noise(rng, shape, knots if isinstance(knots, tuple) else (knots, knots))


def of(kind: str, rng: Random, color: Sequence[float], turn: float = 0.0) -> Color:
    """The colours of "wood", "cloth" or "ruled" paper whose lines run along ``turn``."""

    def texture(shape: Sequence[int]) -> Array:
        y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32) / SCALE
        across, fine = y * np.cos(turn) - x * np.sin(turn), smooth(rng, shape, max(shape) // 3)
        if kind == "wood":
            tone = 1 + 0.09 * np.sin(32 * across + 2.5 * smooth(rng, shape, 4)) + 0.05 * fine
        elif kind == "cloth":
            weave = 0.08 * np.sin(70 * x) * np.sin(70 * y)
            tone = 1 + weave + 0.07 * fine + 0.1 * smooth(rng, shape, 9)
        else:
            tone = 1 - 0.3 * (across % 0.8 < 0.04) + 0.01 * fine
        return tone[..., None] * np.float32(color)

    return texture


def outline(at: Any, radius: float, corners: int = 72, turn: float = 0.0, rough: Any = ()) -> Array:
    """A disc, or a polygon of so many corners; ``rough``: waves along its rim, as shares."""
    angle = np.linspace(0, 2 * np.pi, corners, endpoint=False) + turn
    waves = sum(wave * np.cos(k * angle) for k, wave in enumerate(rough, 2))
    return np.asarray(at) + _heading(angle) * (radius + radius * np.asarray(waves))[..., None]


def wandering(rng: Random, start: ArrayLike, turn: float, length: float, curl: float) -> Array:
    """A smooth path, (N, 2); ``curl``: radians a cell."""
    count = max(12, int(length * 10))
    turns = np.interp(np.linspace(0, 6, count), range(7), rng.normal(0, curl, 7))
    angle = turn + np.cumsum(turns) * length / count
    return np.asarray(start) + np.cumsum(_heading(angle), axis=0) * length / count


def any_of(rng: Random, choices: Sequence[Any]) -> Any:
    return choices[int(rng.integers(len(choices)))]


def lay_chip(scene: Scene, sheet: Sheet, at: ArrayLike, rng: Random) -> None:
    """Something as large as a cell: a chip, a disc, a cube, a sticker, a coin, a bead, a drop."""
    size, at = rng.uniform(0.7, 1.2), np.asarray(at) + rng.normal(0, 0.06, 2)
    radius, turn = size / 2, rng.uniform(0, 1.5)
    (x, y), bright = np.round(at * SCALE + sheet.blank.origin).astype(int), any_of(rng, BRIGHT)
    near = sheet.blank.image[max(0, y - 16) : y + 16, max(0, x - 16) : x + 16].reshape(-1, 3)
    color = any_of(rng, (WHITE, BLACK, GREY, WOOD, bright, bright, tuple(np.median(near, axis=0))))
    whole, rim = scene.shape(outline(at, radius)), outline(at, 0.78 * radius)[[*range(72), 0]]
    relief = scene.shape(rim, 0.06 * size)
    kind = any_of(rng, ("plastic", "disc", "cube", "sticker", "coin", "bead", "drop"))
    if kind == "plastic":
        scene.lay(whole, color, rng.uniform(0.12, 0.28), 0.07, 0.5, relief / 4000)
    elif kind == "disc":
        scene.lay(whole, of("wood", rng, color, turn), rng.uniform(0.25, 0.45), 0.06, 0.08)
    elif kind == "cube":
        face = scene.shape(outline(at, 0.6 * size, 4, turn))
        scene.lay(face, of("wood", rng, color, turn), 0.85 * size, 0.05, 0.12)
    elif kind == "sticker":
        shape = any_of(rng, (whole, scene.shape(outline(at, 0.64 * size, 4, turn))))
        scene.lay(shape, color, 0.015, 0.02, any_of(rng, (0.02, 0.2)))
    elif kind == "coin":
        text, large = any_of(rng, ("1", "2", "5", "10", "20")), 1.5 * radius
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, large, 3)
        corner = np.round(at * SCALE + scene.origin + (-w / 2, h / 2)).astype(int).tolist()
        cv2.putText(relief, text, corner, cv2.FONT_HERSHEY_DUPLEX, large, 255, 3, cv2.LINE_AA)
        scene.lay(whole, of("wood", rng, any_of(rng, METALS)), 0.09, 0.05, 0.7, relief / 5000)
    elif kind == "bead":
        hole = scene.shape(outline(at, 0.25 * radius)) / -400
        scene.lay(whole, color, 0.3, radius, 0.9, hole)
    else:
        shape = scene.shape(outline(at, radius, rough=rng.normal(0, 0.02, 3)))
        scene.lay(shape, bright, 0.2, radius, 1.0, cover=rng.uniform(0.7, 0.9))


def chips_on(scene: Scene, sheet: Sheet, rng: Random, marked: bool) -> None:
    """One to three chips on places of all kinds alike; where no mark is hidden, one beside them."""
    places, page = sheet.where(marked), sheet.layout.page
    for _ in range(int(rng.integers(1, 4))):
        if kinds := [kind for kind, at in places.items() if at]:
            at = places[any_of(rng, kinds)]
            lay_chip(scene, sheet, at.pop(int(rng.integers(len(at)))), rng)
    for _ in range(0 if marked else 40):
        x, y = rng.uniform((page.left, page.top), (page.right, page.bottom))
        if sheet.is_beside(x, y, 0.6):
            lay_chip(scene, sheet, (x, y), rng)
            return


def dirt(scene: Scene, sheet: Sheet, rng: Random) -> None:
    """Hairs, a thread, crumbs, or what an eraser leaves."""
    at, kind = sheet.anywhere(rng), any_of(rng, ("hair", "thread", "crumbs", "rubber"))
    for _ in range(int({"hair": rng.integers(1, 4), "thread": 1}.get(kind, rng.integers(6, 24)))):
        spot, turn = at + rng.normal(0, 1.6, 2), rng.uniform(0, 6.3)
        if kind == "hair":
            path = wandering(rng, sheet.anywhere(rng), turn, rng.uniform(4, 11), 0.5)
            hair = scene.shape(path, rng.uniform(0.03, 0.045))
            scene.lay(hair, any_of(rng, HAIRS), 0.03, 0.02, 0.3)
        elif kind == "thread":
            path, color = wandering(rng, at, turn, rng.uniform(3, 9), 1.2), any_of(rng, BRIGHT)
            thread = scene.shape(path, rng.uniform(0.06, 0.1))
            scene.lay(thread, of("cloth", rng, color), 0.06, 0.05, 0)
        elif kind == "crumbs":
            size, crust = rng.uniform(0.04, 0.16), np.array([70, 125, 180]) * rng.uniform(0.6, 1.25)
            shape = scene.shape(outline(spot, size, turn=turn, rough=rng.normal(0, 0.1, 5)))
            scene.lay(shape, of("cloth", rng, crust), size, size, 0.05)
        else:
            path = wandering(rng, spot, turn, rng.uniform(0.15, 0.6), 3)
            color = any_of(rng, ((120, 122, 128), (95, 96, 100), (150, 140, 200)))
            scene.lay(scene.shape(path, rng.uniform(0.05, 0.12)), color, 0.08, 0.06, 0)


def a_side(sheet: Sheet, rng: Random) -> tuple[Array, Array]:
    """A point near a side of the marked part, and the direction out of the sheet there."""
    area, outward = (
        sheet.layout.marked_area,
        any_of(rng, np.array([(1.0, 0), (0, 1), (-1, 0), (0, -1)])),
    )
    corner, size = np.array([area.left, area.top]), np.array([area.width, area.height])
    return corner + size * (1 + outward) / 2 - outward * rng.uniform(0.5, 3.0), outward


def hand(scene: Scene, sheet: Sheet, rng: Random) -> None:
    """A thumb, some fingers or a whole hand, from a side."""
    (rim, outward), skin = a_side(sheet, rng), np.array(any_of(rng, SKINS))
    wide, along = rng.uniform(1.7, 2.4), outward[::-1]
    palm, count = (
        rim + outward * rng.uniform(2, 8) + along * rng.normal(0, 4),
        any_of(rng, (1, 2, 4)),
    )
    wrist = scene.shape([palm + outward * 2 * wide, palm + outward * 24], 4 * wide)
    scene.lay(wrist, of("cloth", rng, skin), 2.0, 2 * wide, 0.03)
    for at in range(count):
        root = palm + along * wide * (at - (count - 1) / 2)
        tip = root - outward * rng.uniform(6, 9) + along * rng.normal(0, 0.6)
        finger = scene.shape(shaky(rng, [root + outward * 3 * wide, root, tip], 0.1), wide)
        scene.lay(finger, of("cloth", rng, skin), 1.2, wide / 2, 0.08)
        nail = scene.shape(outline(tip + outward * 0.2 * wide, 0.28 * wide))
        scene.lay(nail, np.minimum(1.12 * skin, 250), 1.25, 0.1, 0.5)


def folded(scene: Scene, sheet: Sheet, rng: Random) -> None:
    """A corner folded over: the back of the paper, and the table where the corner was."""
    page = sheet.layout.page
    corner = np.array(any_of(rng, page.corners))
    ways = np.sign(corner - np.array(page.middle))
    across, down = corner - np.diag(ways * rng.uniform(0.3, 0.6, 2) * page.width)
    crease = (down - across) / np.hypot(*(down - across))
    tip = 2 * (across + crease * ((corner - across) @ crease)) - corner
    gone = scene.shape([corner, across, down])
    scene.canvas[gone > 0] = (0, 0, 0, 1)
    scene.hidden = np.maximum(scene.hidden, np.float32(gone / 255))
    scene.lay(scene.shape([across, down, tip]), WHITE, rng.uniform(0.1, 0.4), 0.05, 0.02)


def stain(scene: Scene, sheet: Sheet, rng: Random) -> None:
    """What a cup or a drop has left; the print shows through."""
    at, radius = sheet.anywhere(rng), any_of(rng, (rng.uniform(1, 3), rng.uniform(3.5, 5)))
    rim = outline(at, radius, rough=rng.normal(0, 0.02, 4))
    inner = scene.shape(rim) * (0.5 if radius < 3.5 else 0.15)
    depth = np.maximum(inner, scene.shape(rim[[*range(72), 0]], rng.uniform(0.1, 0.3)))
    depth = cv2.GaussianBlur(depth.astype(np.float32) / 255, (0, 0), 4)[..., None]
    taken = np.float32(any_of(rng, ((0.6, 0.4, 0.25), (0.45, 0.25, 0.12), (0.25, 0.5, 0.4))))
    scene.canvas[..., :3] *= 1 - rng.uniform(0.3, 0.7) * depth * taken


def across(scene: Scene, sheet: Sheet, rng: Random) -> None:
    """A sleeve, a cable, a pen, a cup, or another sheet over a part of this one."""
    kind = any_of(rng, ("sleeve", "cable", "pen", "cup", "paper"))
    rim, outward = a_side(sheet, rng)
    turn = float(np.arctan2(outward[0], -outward[1]) + rng.normal(0, 0.2))
    along, aside = _heading(turn), _heading(turn + np.pi / 2)
    if kind == "sleeve":
        wide = rng.uniform(5, 7)
        start = rim + outward * wide / 2 - along * 24
        mask = scene.shape(wandering(rng, start, turn, 48, 0.008), wide)
        folds = 0.3 * smooth(rng, mask.shape, (5, 30) if outward[1] else (30, 5))
        scene.lay(mask, of("cloth", rng, any_of(rng, CLOTHS)), 0.8, wide / 2.4, 0, folds)
    elif kind == "cable":
        path = wandering(rng, sheet.anywhere(rng) - along * 18, turn, 38, 0.15)
        wide = rng.uniform(0.3, 0.5)
        scene.lay(scene.shape(path, wide), any_of(rng, (BLACK, WHITE, GREY)), 0.3, wide / 2, 0.35)
    elif kind == "pen":
        tip, half = sheet.anywhere(rng), rng.uniform(0.35, 0.5)
        neck, end, flank = tip + along * 1.6, tip + along * rng.uniform(14, 18), aside * half
        cone = [tip + flank / 6, neck + flank, neck - flank, tip - flank / 6]
        scene.lay(scene.shape(cone), METALS[2], 0.35, half, 0.5)
        body = scene.shape([neck + flank, end + flank, end - flank, neck - flank])
        scene.lay(body, any_of(rng, (*BRIGHT, BLACK, WHITE)), 0.4, half, 0.6)
        scene.lay(scene.shape([end - along * 4, end], 0.22), METALS[2], 0.6, 0.1, 0.8)
    elif kind == "cup":
        radius, drink = rng.uniform(3.5, 5.5), any_of(rng, ((18, 30, 52), (30, 108, 176), WHITE))
        middle = rim + outward * rng.uniform(0.3, 0.8) * radius
        scene.lay(scene.shape(outline(middle, radius)), any_of(rng, (WHITE, *BRIGHT)), 4, 0.3, 0.5)
        scene.lay(scene.shape(outline(middle, 0.9 * radius)), drink, 3, 0.05, 0.6)
    else:
        half = along * rng.uniform(7, 12)
        ends, far = [rim - half, rim + half], outward * rng.uniform(6, 8)
        paper = of("ruled", rng, np.array([236, 244, 247]) * rng.uniform(0.9, 1), turn)
        scene.lay(scene.shape([*ends, ends[1] + far, ends[0] + far]), paper, 0.05, 0.01, 0)


def lit(scene: Array, points: Array, sheet: Sheet, rng: Random) -> Array:
    """The scene in stripes of light through blinds, under a hard shadow, or with a gleam."""
    kind, turn = any_of(rng, ("stripes", "shadow", "gleam")), rng.uniform(0, 6.3)
    at = points - sheet.anywhere(rng).astype(np.float32)
    u, v = (at @ _heading(turn + quarter).astype(np.float32) for quarter in (0, np.pi / 2))
    if kind == "gleam":
        veil = np.zeros_like(u)
        for _ in range(int(rng.integers(1, 4))):
            x, y, a, b = *rng.normal(0, 1.2, 2), rng.uniform(1.2, 3.5), rng.uniform(0.5, 1.5)
            reach = ((u - x) / a) ** 2 + ((v - y) / b) ** 2
            veil += rng.uniform(60, 130) * np.exp(-(reach**1.4))
        return scene + np.minimum(veil, 170)[..., None]
    if kind == "stripes":
        pitch = rng.uniform(1.4, 4.0)
        distance = np.abs((u + 0.02 * v) / pitch % 1 - 0.5) * pitch - pitch * rng.uniform(0.2, 0.3)
    else:
        distance = u + 0.15 * np.sin(v * rng.uniform(0.1, 0.6))
        if rng.random() < 0.5:  # a bar of the window
            distance = np.maximum(distance, 0.6 - np.abs(v + rng.uniform(-3, 3)))
    shade = 1 / (1 + np.exp(-np.clip(distance / rng.uniform(0.03, 0.12), -30, 30)))[..., None]
    dark = rng.uniform(0.35, 0.65) * np.float32([1.08, 1.0, 0.94])
    bright = rng.uniform(1.0, 1.15) * np.float32([0.96, 1.0, 1.03])
    return scene * (bright + (dark - bright) * shade)


# --- what players do -----------------------------------------------------------------------------


def shaky(rng: Random, points: ArrayLike, spread: float = 0.02) -> Array:
    """A path as a hand draws it, (N, 2)."""
    path = np.asarray(points, float)
    if len(path) < 12:
        at = np.linspace(0, len(path) - 1, 24)
        path = np.stack([np.interp(at, range(len(path)), axis) for axis in path.T], axis=1)
    knots = rng.normal(0, spread, (max(4, len(path) // 6), 2))
    at = np.linspace(0, len(knots) - 1, len(path))
    return path + np.stack([np.interp(at, range(len(knots)), axis) for axis in knots.T], axis=1)


def scrawl(rng: Random, wide: float) -> Array:
    """One stroke to and fro that blackens a cell, (N, 2) around 0; ``wide``: of the pen."""
    turns = int(np.clip(0.9 / wide, 7, 22))
    x = np.linspace(-0.42, 0.42, turns) + rng.normal(0, 0.02, turns)
    y = np.where(np.arange(turns) % 2, 0.42, -0.42) * rng.uniform(0.8, 1.1, turns)
    turn = any_of(rng, (0.2, 0.8, 1.6, 2.4)) + rng.normal(0, 0.1)
    return np.stack([x, y], axis=1) @ turning(turn)


def struck_out(sheet: Sheet, rng: Random) -> Array:
    """Wrong crosses in empty cells, cancelled in the same pen or with correction fluid."""
    picture, hand, wide = sheet.picture, sheet.hand, sheet.hand.pen.width
    crossed, empty = (set(sheet.where(marked).get("cell", ())) for marked in (True, False))
    kinds: tuple[str, ...] = (
        "two lines", "line", "wave", "scribble", "star", "fluid", "new mark", "arrow",
    )  # fmt: skip
    if "bonus" in sheet.layout.fields:  # BLOXX!, where a blackened cell is a gap
        kinds = tuple(kind for kind in kinds if kind not in ("scribble", "star"))
    for kind in rng.choice(kinds, int(rng.integers(1, 4))):
        longs = {"two lines": 2, "line": rng.integers(2, 5), "wave": rng.integers(2, 4)}
        long, free = int(longs.get(kind, 1)), crossed if kind == "new mark" else empty
        runs = [[(x + i, y) for i in range(long)] for x, y in sorted(free)]
        runs = [run for run in runs if set(run) <= free]
        near = [run for run in runs
                if any({(x, y + 1), (x - 1, y), (x + 1, y)} & crossed for x, y in run)]  # fmt: skip
        if not (runs := near or runs):
            continue
        run = any_of(rng, runs)
        (left, y), right = run[0], run[-1][0]
        crossed, empty = crossed - set(run), empty - set(run)
        ink, spot = Ink(replace(sheet.blank, image=picture), hand.pen, rng), np.array(run[0])
        paths: list[Any] = []
        if kind != "new mark":
            for at in run:
                draw_cell_cross(ink, hand, at)
        start, end = left - rng.uniform(0.5, 0.75), right + rng.uniform(0.5, 0.75)
        if kind in ("two lines", "line"):
            for aside in (-0.16, 0.16) if kind == "two lines" else (0.0, 0.05):
                paths.append([(start, y + aside + rng.normal(0, 0.04)), (end, y + aside)])
        elif kind == "wave":
            x = np.linspace(start, end, 30 * long)
            wave = rng.uniform(0.16, 0.28) * np.sin(2 * np.pi * x / rng.uniform(0.3, 0.45))
            paths.append(np.stack([x, y + wave], axis=1))
        elif kind in ("scribble", "star"):
            paths.append(scrawl(rng, wide) + spot)
            tips = 0.48 * _heading(rng.uniform(0, np.pi, 6 if kind == "star" else 0))
            paths += [[spot - tip, spot + tip] for tip in tips]
        elif kind == "arrow":  # a stroke through the cross, then to a place that is crossed
            away = sorted(crossed, key=lambda at: abs(np.hypot(*(spot - at)) - 2.2))[:4]
            goal = np.array(any_of(rng, away)) if away else spot + np.array((0, 2))
            along = (goal - spot) / np.hypot(*(goal - spot))
            tip, bow = goal - 0.25 * along, 0.3 * along @ turning(np.pi / 2)
            barbs = [tip - 0.35 * along @ turning(turn) for turn in (-0.55, 0.55)]
            slant = np.array((0.45, -0.3))
            paths += [[spot - slant, spot + slant], [spot, (spot + tip) / 2 + bow, tip]]
            paths += [[tip, barb] for barb in barbs]
        for path in paths:
            ink.stroke(shaky(rng, path), wide * 1.1)
        picture = ink.on(replace(sheet.blank, image=picture))
        if kind in ("fluid", "new mark"):
            picture = painted_over(replace(sheet, picture=picture), spot, rng)
        if kind == "new mark":
            ink = Ink(sheet.blank, hand.pen, rng)
            draw_cell_cross(ink, hand, run[0])
            picture = ink.on(replace(sheet.blank, image=picture))
    return picture


def painted_over(sheet: Sheet, at: Array, rng: Random) -> Array:
    """The picture with a few dabs of correction fluid."""
    scene, turn = Scene(sheet, rng, np.zeros(2), margin=0), rng.uniform(0, np.pi)
    along, wide = 0.38 * _heading(turn), rng.uniform(0.3, 0.36)
    middles = at + np.linspace(-0.36, 0.36, 4)[:, None] * _heading(turn + np.pi / 2)
    dabs = [scene.shape(shaky(rng, [m - along, m + along], 0.05), wide) for m in middles]
    tone = tuple(np.array([246, 250, 250]) * rng.uniform(0.92, 1.0))
    lumps = 0.002 * smooth(rng, sheet.picture.shape, 120)
    scene.lay(np.max(dabs, axis=0), tone, 0.015, 0.015, 0.03, lumps)
    return np.clip(scene.canvas[..., :3], 0, 255).astype(np.uint8)


def notes(sheet: Sheet, rng: Random) -> Array:
    """Sums and tallies beside all places."""
    ink, page, wide = Ink(sheet.blank, sheet.hand.pen, rng), sheet.layout.page, sheet.hand.pen.width
    for _ in range(600):
        tall, values = rng.uniform(0.55, 0.9), rng.integers(1, 30, int(rng.integers(1, 4)))
        x, y = rng.uniform((page.left, page.top), (page.right, page.bottom))
        w, h = 1.6 * tall, (len(values) + 1.3 if len(values) > 1 else 1) * tall
        w = w if len(values) > 1 else 3.5 * tall
        if not all(sheet.is_beside(a, b, 0.1) for a in (x, x + w / 2, x + w)
                   for b in np.linspace(y, y + h, 6)):  # fmt: skip
            continue
        if len(values) == 1:  # a tally
            for at in range(int(rng.integers(3, 11))):
                left = x + (1.5 * (at // 5) + 0.25 * (at % 5)) * tall
                steep = [(left, y), (left + 0.05, y + tall)]
                flat = [(left - 1.15 * tall, y + 0.75 * tall), (left, y + 0.25 * tall)]
                ink.stroke(shaky(rng, flat if at % 5 == 4 else steep), wide)
        else:
            for line, value in enumerate((*values, values.sum())):
                below = 0.3 * tall if line == len(values) else 0
                centre = x + w / 2, y + (line + 0.5) * tall + below
                draw_digits(ink, sheet.hand, str(value), centre, 0.85 * tall)
            under = y + (len(values) + 0.1) * tall
            ink.stroke(shaky(rng, [(x, under), (x + w, under)]), wide)
        if rng.random() < 0.3:
            break
    return ink.on(replace(sheet.blank, image=sheet.picture))


def fills(hand: Hand, blank: BlankSheet, spots: Sequence[Point], rng: Random) -> Hand:
    """The same player filling cells in instead of crossing them."""
    style, glyphs = any_of(rng, ("zigzag", "loops", "solid")), []
    for _ in range(4):
        at = np.linspace(0, 1, 160)
        turn = 2 * np.pi * at * np.clip(0.5 / hand.pen.width, 5, 9)
        loops = np.stack([0.62 * (at - 0.5) + 0.16 * np.cos(turn), 0.4 * np.sin(turn)], axis=1)
        lines = scrawl(rng, hand.pen.width * (0.7 if style == "solid" else 1.3))
        glyphs.append((shaky(rng, loops if style == "loops" else lines),))
    strikes = {name: replace(getattr(hand, name), kind="slash")
               for name in ("circle_strike", "box_strike", "figure_strike")}  # fmt: skip
    return replace(
        hand, crosses=tuple(glyphs), slashes=hand.crosses, mattes=None, cross_size=0.88, apart=0.0,
        cross_spread=0.03, wobble=0.3, skips=0.0, doubled_strokes=0.0, **strikes,
    )  # fmt: skip


def faint(hand: Hand, blank: BlankSheet, spots: Sequence[Point], rng: Random) -> Hand:
    """The same player with a highlighter, a hard pencil or an orange pen that can just be seen."""

    def shows(pen: Pen) -> float:
        """Grey levels of a colour channel, where the pen shows least; what is plain is alike."""
        least = 30.0
        for x, y in np.round(np.array(spots) * SCALE + blank.origin).astype(int):
            ground = blank.image[y - 20 : y + 20, x - 20 : x + 20].astype(np.float32)
            seen = np.abs(inked(ground, np.float32([1.0]), pen) - ground).max(axis=-1)
            least = min(least, float(np.percentile(seen, 30)))
        return least

    pens = []
    for _ in range(4):
        marker = any_of(rng, ((70, 245, 250), (205, 130, 250), (130, 245, 150), (90, 185, 255)))
        pens += [
            Pen(marker, rng.uniform(0.2, 0.3), 0.85, 0.0, True, "felt", bleed=0.01),
            Pen((125, 122, 120), rng.uniform(0.05, 0.09), rng.uniform(0.5, 0.7), 0.4, True,
                "pencil", rough=0.6),
            Pen((35, 115, 240), rng.uniform(0.05, 0.11), 0.9, 0.1, True, "gel", "orange"),
        ]  # fmt: skip
    pens = [pens[at] for at in rng.permutation(len(pens))]
    return replace(bloxx_hands.with_pen(hand, max(pens, key=shows)), mattes=None)


# --- photos --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kind:
    """What is special about a table: the player's habit, more ink, objects, light."""

    habit: Habit | None = None
    ink: Callable[[Sheet, Random], Array] | None = None
    objects: Callable[[Scene, Sheet, Random], None] | None = None
    light: Callable[[Array, Array, Sheet, Random], Array] | None = None


KINDS = {
    "plain": Kind(),
    "chip-on-mark": Kind(objects=lambda *all_of_it: chips_on(*all_of_it, marked=True)),
    "chip-on-empty": Kind(objects=lambda *all_of_it: chips_on(*all_of_it, marked=False)),
    "hand": Kind(objects=hand),
    "across": Kind(objects=across),
    "folded": Kind(objects=folded),
    "struck-out": Kind(ink=struck_out),
    "dirt": Kind(objects=dirt),
    "stain": Kind(objects=stain),
    "light": Kind(light=lit),
    "notes": Kind(ink=notes),
    "filled": Kind(habit=fills),  # in Brikks; in BLOXX! a filled cell is a gap
    "faint": Kind(habit=faint),
}
HARMLESS = ("plain", "dirt", "stain", "notes")
"""Kinds that hide no place and add no mark."""
SHEETS = {"brikks": brikks_sheet, "bloxx": bloxx_sheet}


def kinds_of(game: str) -> list[str]:
    return [kind for kind in KINDS if (game, kind) != ("bloxx", "filled")]


@lru_cache(1)
def _scenery(game: str, seed: int, number: int, tier: str) -> tuple[Sheet, Pose, Array, Array]:
    """What photo N has in all kinds: the sheet, the camera, the table and the points it sees."""
    cv2.setRNGSeed(number)
    rng = np.random.default_rng([seed, number])
    sheet = SHEETS[game](rng, None)
    page, needed = sheet.layout.page, sheet.layout.marked_area
    pose = random_pose(rng, page, needed, TIERS[tier], LONG_SIDE)
    table = cv2.resize(table_for(rng, pose.size, tier), pose.size)
    return sheet, pose, table, sheet_map(pose)


def table_case(game: str, kind: str, seed: int, number: int, tier: str = "good") -> Case:
    """A photo of a table of that kind. What lies under an object is not compared, the total is."""
    special, conditions = KINDS[kind], TIERS[tier]
    rng = np.random.default_rng([seed, number, list(KINDS).index(kind)])
    sheet, pose, table, points = _scenery(game, seed, number, tier)
    if special.habit:
        sheet = SHEETS[game](np.random.default_rng([seed, number]), special.habit)
    sheet = replace(sheet, picture=special.ink(sheet, rng)) if special.ink else sheet
    scene = Scene(sheet, rng, pose.rotation[2, :2] / pose.rotation[2, 2])
    if special.objects:
        special.objects(scene, sheet, rng)
    shrink = SCALE / cell_size(pose)
    canvas = cv2.GaussianBlur(scene.canvas, (0, 0), 0.4 * shrink) if shrink > 1 else scene.canvas
    seen = points * np.float32(SCALE) + scene.origin.astype(np.float32)
    layer = cv2.remap(canvas, seen, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    whole = layer[..., :3] + layer[..., 3:] * table.astype(np.float32)
    whole = special.light(whole, points, sheet, rng) if special.light else whole
    camera = np.random.default_rng([seed, number, len(KINDS)])
    image = develop(np.clip(whole, 0, 255).astype(np.uint8), camera, conditions)
    data = compress(image, int(camera.integers(*conditions.quality)))
    hidden, touched = scene.hidden_places(sheet.layout)
    return replace(
        sheet.case, tier=kind, number=number, data=data, hidden=hidden, touched=touched, marks={},
        blocks=None, figures=(),
    )  # fmt: skip
