"""Which parts of a sheet tell nothing or otherwise (`brikks_vision.detect.occlusion`).

Something hides them, their marks were cancelled, or they are filled in by a player who makes no
crosses. The samples are sheets of all games as photos show them, straightened, each with the print
of its empty sheet and with the places whose marks are cancelled or filled in. Things
(`simulation.occluders`) are laid on them anew for every batch; pictures with an alpha channel in a
folder ``cutouts`` of the samples' folder are laid on them, too.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from brikks_vision.detect.marks import READER_PIXELS
from brikks_vision.detect.occlusion import EDGE_WIDTH, OCCLUSION_PIXELS, OCCLUSION_STRIDE
from brikks_vision.detect.placement import Placement, rectify
from brikks_vision.detect.template import draw_template
from brikks_vision.layout import CELL, Layout, Mark, load_layout
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.bloxx import photos as bloxx
from simulation.bloxx.art import sheet_of
from simulation.bloxx.games import any_game
from simulation.bloxx.hands import visible_hand as bloxx_hand
from simulation.brikks import photos as brikks
from simulation.brikks.games import play_sheet
from simulation.brikks.marking import visible_hand as brikks_hand
from simulation.marks import Drawn
from simulation.occluders import SIDE, Cutout, chip, cutouts_in, hair, random_cutout
from simulation.paper.blank import BlankSheet
from simulation.paper.wear import worn
from training.networks import Occlusion
from training.tasks.task import Batch, Measures, Task, evenly

HEIGHT, WIDTH = 352, 256  # px of a sample: the reading area of Brikks
BRIKKS_SHARE, SCRAMBLED_SHARE, WORN_SHARE = 0.6, 0.4, 0.25  # of the samples
LONG_SIDES = 700, 1700  # px, of the photos
TIERS = ("scan", "good", "hard")
MISTAKEN_SHARE, FILLED_SHARE = 0.5, 0.05  # of the samples: with cancelled marks, filled cells
CUTOUTS, CHIPS, HAIRS = 6000, 3000, 300  # drawn for one training: things, small ones, hairs
HIDDEN = 0.4  # the chance from which a cell counts as hidden
UNTOLD = 128  # of a map: no reader can tell
OUTPUTS = ("hidden", "cancelled", "filled")
WEIGHTS = (1.0, 8.0, 2.0)  # of their losses: few marks are cancelled

Canvas = NDArray[np.uint8]


def _on_canvas(picture: NDArray[np.uint8]) -> Canvas:
    """Cut or filled up to HEIGHT x WIDTH, at the top left."""
    cut = picture[:HEIGHT, :WIDTH]
    down, across = HEIGHT - cut.shape[0], WIDTH - cut.shape[1]
    filled = cv2.copyMakeBorder(cut, 0, down, 0, across, cv2.BORDER_REPLICATE)
    return np.asarray(filled, np.uint8)


def _empty_sheet(blank: BlankSheet, layout: Layout) -> NDArray[np.uint8]:
    """What the empty sheet shows of the reading area."""
    scale, (x, y) = blank.pixels_per_cell, blank.origin
    matrix = np.array([[scale, 0, x], [0, scale, y], [0, 0, 1.0]])
    placement = Placement(matrix, np.zeros((12, 2)), layout.reading_area, "lattice", 0.0)
    return rectify(blank.image, placement, layout.reading_area, OCCLUSION_PIXELS)


def _copy(blank: BlankSheet, rng: np.random.Generator) -> BlankSheet:
    """The sheet that is played on: worn now and then."""
    return replace(blank, image=worn(blank.image, rng)) if rng.random() < WORN_SHARE else blank


def any_brikks_photo(
    rng: np.random.Generator, sides: tuple[int, int] = LONG_SIDES, mistaken: float = MISTAKEN_SHARE
) -> tuple[Layout, BlankSheet, brikks.Shot | bloxx.Shot]:
    layout, dice = load_layout("brikks-light"), random.Random(int(rng.integers(2**31)))
    blank = brikks.any_blank(layout, rng)
    players, level = int(rng.integers(1, 5)), int(rng.integers(1, 5))
    variant = "solo" if players == 1 else "standard"
    played = play_sheet(load_sheet(layout.name), dice, players, level, variant)
    if rng.random() < SCRAMBLED_SHARE:
        played = replace(played, state=brikks.scrambled(played.state, rng, layout))
    hand = brikks_hand(layout, blank, rng, False)
    tier, long_side = TIERS[int(rng.integers(3))], int(rng.integers(*sides))
    copy, seen = _copy(blank, rng), layout.marked_area
    return layout, blank, brikks.shoot(
        layout, copy, played, hand, rng, tier, long_side, seen,
        mistaken=mistaken, filled=FILLED_SHARE,
    )  # fmt: skip


def any_bloxx_photo(
    rng: np.random.Generator, sides: tuple[int, int] = LONG_SIDES, mistaken: float = MISTAKEN_SHARE
) -> tuple[Layout, BlankSheet, brikks.Shot | bloxx.Shot]:
    dice = random.Random(int(rng.integers(2**31)))
    layout, blank = bloxx.any_sheet(rng)
    played = any_game(sheet_of(layout), dice)
    if rng.random() < SCRAMBLED_SHARE:
        played = replace(played, state=bloxx.scrambled(played.state, rng))
    hand = bloxx_hand(layout, blank, rng, False)
    tier, long_side = TIERS[int(rng.integers(3))], int(rng.integers(*sides))
    copy, seen = _copy(blank, rng), layout.marked_area
    return (
        layout,
        blank,
        bloxx.shoot(layout, copy, played, hand, rng, tier, long_side, seen, mistaken=mistaken),
    )


def _map_of(layout: Layout, chosen: Mapping[str, NDArray[np.bool_]]) -> NDArray[np.uint8]:
    """255 where some places lie, by field: uint8, of the reading area at OCCLUSION_PIXELS."""
    area = layout.reading_area
    shape = round(area.height * OCCLUSION_PIXELS), round(area.width * OCCLUSION_PIXELS)
    result = np.zeros(shape, np.uint8)
    for name, places in chosen.items():
        field = {**layout.fields, **layout.figures}[name]
        half = np.maximum(field.size, EDGE_WIDTH) / 2
        for place in np.flatnonzero(places):
            centre = np.array(field.centres[place]) - (area.left, area.top)
            left, top = np.round((centre - half) * OCCLUSION_PIXELS).astype(int)
            right, bottom = np.round((centre + half) * OCCLUSION_PIXELS).astype(int)
            result[max(top, 0) : bottom, max(left, 0) : right] = 255
    return result


def drawn_on(shot: brikks.Shot | bloxx.Shot) -> Drawn:
    """What a player drew on a photographed sheet."""
    return shot.drawn if isinstance(shot, brikks.Shot) else shot.marked.drawn


def _told_maps(layout: Layout, drawn: Drawn) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Where marks are cancelled (UNTOLD where no one can tell) and where cells are filled in."""
    cancelled = _map_of(layout, drawn.cancelled)
    if Mark.FILL in layout.fields[CELL].marks:  # crossed by mistake, and coloured in over it
        crossed = drawn[CELL, Mark.CROSS] == 0.5
        filled = drawn[CELL, Mark.FILL] == 1
        unclear = _map_of(layout, {CELL: crossed & filled})
        cancelled = np.where(unclear > 0, UNTOLD, cancelled).astype(np.uint8)
    crosses = drawn[CELL, Mark.CROSS] == 1
    return cancelled, _map_of(layout, {CELL: crosses} if drawn.is_filled else {})


def _sample(seed: int, number: int) -> Canvas:
    """uint8 (HEIGHT, WIDTH, 10): photo BGR, empty sheet BGR, template, cancelled and filled."""
    rng = np.random.default_rng([seed, number])
    draw = any_brikks_photo if rng.random() < BRIKKS_SHARE else any_bloxx_photo
    layout, blank, shot = draw(rng)
    flat = rectify(shot.image, shot.placement, layout.reading_area, READER_PIXELS)
    step = OCCLUSION_PIXELS / READER_PIXELS
    photo = cv2.resize(flat, None, fx=step, fy=step, interpolation=cv2.INTER_AREA)
    template = draw_template(layout, layout.reading_area, OCCLUSION_PIXELS)
    told = np.stack(_told_maps(layout, drawn_on(shot)), axis=-1)
    parts = (photo, _empty_sheet(blank, layout), template, told)
    return np.concatenate([_on_canvas(part) for part in parts], axis=-1)


def draw(folder: Path, numbers: range, seed: int) -> None:
    np.save(folder / "sheets.npy", np.stack([_sample(seed, number) for number in numbers]))


# --- what lies on a sheet ------------------------------------------------------------------------

Floats = NDArray[np.float32]

BARE_SHARE = 0.25  # of the sheets: nothing lies on them
MAX_CHIPS = 9  # small things on the sheets that have many
CHIPS_SHARE, MANY_SHARE, HAIR_SHARE = 0.75, 0.5, 0.1  # sheets with small things; many; with a hair
CHIP_WEIGHT = 4.0  # of the patches of small things in the loss: they are few
IN_COLORS_BELOW = 0.35  # of the small things: in about the colour of what they lie on


@dataclass(frozen=True, eq=False)
class Things:
    """What is laid on sheets: large things, small ones and hairs."""

    large: Sequence[Cutout]
    chips: Sequence[Cutout]
    hairs: Sequence[Cutout]


def drawn_things(rng: np.random.Generator, share: float, given: list[Cutout]) -> Things:
    """A share of the things that are drawn for a training, and given ones."""
    return Things(
        [random_cutout(rng) for _ in range(round(CUTOUTS * share))] + given,
        [chip(rng) for _ in range(round(CHIPS * share))],
        [hair(rng) for _ in range(round(HAIRS * share))],
    )


class Table:
    """A sheet on which things are laid. photo: (H, W, 3), 0 to 1; hidden, certain: (H, W).

    certain: the weight of each pixel in the loss. print: pixels (N, 2), x and y, near which
    something is printed.
    """

    def __init__(self, photo: Floats, template: Canvas, rng: np.random.Generator) -> None:
        self.photo, self.rng = photo.copy(), rng
        self.print = np.argwhere(template.max(axis=-1) > 25)[:, ::-1]
        self.hidden = np.zeros(photo.shape[:2], np.float32)
        self.certain = np.ones(photo.shape[:2], np.float32)

    def lay(self, cutout: Cutout, has_color_below: bool, is_hair: bool, is_chip: bool) -> None:
        """A thing somewhere, in any direction, with its shadow; small ones mostly on the print."""
        rng = self.rng
        low, high = cutout.length
        length = low * (high / low) ** rng.random() * OCCLUSION_PIXELS * rng.uniform(0.7, 1.3)
        stretch = np.exp(0.12 * rng.normal(size=2)) * (rng.choice([-1, 1]), 1)
        turn = rng.uniform(0, 2 * np.pi)
        if is_chip and rng.random() < 0.4:  # as the cells lie
            turn = rng.integers(4) * np.pi / 2 + rng.normal(0, 0.03)
        turning = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        step = turning * stretch * length / SIDE
        centre = rng.uniform(-0.05, 1.05, 2) * (WIDTH, HEIGHT)
        if is_chip and len(self.print) and rng.random() < 0.8:
            aside = rng.choice([0.0, 0.5], 2) * OCCLUSION_PIXELS + rng.normal(0, 1.5, 2)
            centre = self.print[int(rng.integers(len(self.print)))] + aside
        reach = int(np.ceil(np.abs(step).sum(axis=1).max() * SIDE / 2)) + 12
        x, y = np.floor(centre).astype(int) - reach
        picture = cutout.picture
        while SIDE * length / SIDE < 0.5 * picture.shape[0] and picture.shape[0] > 10:
            picture = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        side = picture.shape[0]
        step = step * SIDE / side
        shift = centre - (x, y) - step @ np.full(2, side / 2 - 0.5)
        matrix = np.column_stack([step, shift])
        patch = cv2.warpAffine(picture, matrix, (2 * reach, 2 * reach)).astype(np.float32) / 255
        window = (
            slice(max(y, 0), min(y + 2 * reach, HEIGHT)),
            slice(max(x, 0), min(x + 2 * reach, WIDTH)),
        )
        own = (
            slice(window[0].start - y, window[0].stop - y),
            slice(window[1].start - x, window[1].stop - x),
        )
        if min(each.stop - each.start for each in window) <= 0:
            return
        shadow = np.roll(cv2.blur(patch[..., 3], (int(rng.choice([5, 9, 15, 25])),) * 2),
                         rng.integers(-5, 6, 2), (0, 1))  # fmt: skip
        color, alpha = patch[own][..., :3], patch[own][..., 3:]
        below = self.photo[window]
        if has_color_below and alpha.sum() > 1:
            mean = (below * alpha).sum((0, 1)) / alpha.sum()
            plain = (color * alpha).sum((0, 1)) / alpha.sum()
            alike = mean * np.exp(0.08 * rng.normal(size=3))
            color = np.clip(color * np.clip(alike / np.maximum(plain, 0.02), 0, 8), 0, 1)
        gain = rng.uniform(0.5, 1.2) if not has_color_below else rng.uniform(0.85, 1.15)
        color = np.clip(color * gain * np.exp(0.08 * rng.normal(size=3)), 0, 1)
        opaque = alpha * (1.0 if rng.random() < 0.93 else rng.uniform(0.65, 1))
        depth = 0.0 if is_hair else rng.uniform(0, 0.65)
        lit = below * (1 - depth * shadow[own][..., None])
        self.photo[window] = lit * (1 - opaque) + color * opaque
        cover = alpha[..., 0]
        if is_hair:  # a wider strip, or no patch would be hidden
            cover = cv2.dilate((cover > 0.1).astype(np.float32), np.ones((3, 3), np.uint8))
        self.hidden[window] = np.maximum(self.hidden[window], cover)
        if is_chip:
            self.certain[window] = np.maximum(self.certain[window], 1 + CHIP_WEIGHT * cover)

    def spot(self) -> Floats:
        """0 to 1: an ellipse somewhere, with any softness."""
        rng = self.rng
        x, y = self._frame()
        turn, size = rng.uniform(0, np.pi), rng.uniform(15, 130)
        across, down = x - rng.random() * WIDTH, y - rng.random() * HEIGHT
        far = np.hypot(
            across * np.cos(turn) + down * np.sin(turn),
            (down * np.cos(turn) - across * np.sin(turn)) * rng.uniform(1, 3),
        )
        return np.clip((1 - far * 2 / size) / rng.uniform(0.03, 1.2), 0, 1).astype(np.float32)

    def beyond_a_line(self, soft: float) -> Floats:
        """0 to 1: what lies beyond a line that cuts into the sheet from one side."""
        rng = self.rng
        x, y = self._frame()
        turn = rng.integers(4) * np.pi / 2 + 0.25 * rng.normal()
        cos, sin = np.cos(turn), np.sin(turn)
        along = (x - WIDTH / 2) * cos + (y - HEIGHT / 2) * sin
        edge = (WIDTH / 2 * abs(cos) + HEIGHT / 2 * abs(sin)) * rng.uniform(0.1, 1)
        return (np.clip((along - edge) / soft, -0.5, 0.5) + 0.5).astype(np.float32)

    def stripes(self) -> Floats:
        """0 to 1: light through blinds."""
        rng = self.rng
        x, y = self._frame()
        turn = rng.uniform(0, np.pi)
        phase = (x * np.cos(turn) + y * np.sin(turn)) / rng.uniform(2, 20) + rng.uniform(0, 6)
        return (1 / (1 + np.exp(-np.sin(phase) * rng.uniform(1, 14)))).astype(np.float32)

    def _frame(self) -> tuple[Floats, Floats]:
        return np.arange(WIDTH, dtype=np.float32)[None], np.arange(HEIGHT, dtype=np.float32)[
            :, None
        ]


def covered(
    photo: Floats, other: Floats, template: Canvas, things: Things, rng: np.random.Generator
) -> Table:
    """A sheet with things on it, shadows and gleams, and how they lie.

    photo, other: (HEIGHT, WIDTH, 3), 0 to 1: the sheet, and another one. ``hidden`` of the result:
    how much of each pixel is hidden; ``certain``: 0 where a gleam half hides.
    """
    table = Table(photo, template, rng)

    def any_of(cutouts: Sequence[Cutout]) -> Cutout:
        return cutouts[int(rng.integers(len(cutouts)))]

    if rng.random() < 0.15:  # a stain of a drink: what is printed shows through
        ring = table.spot()
        ring = ring if rng.random() < 0.5 else 4 * ring * (1 - ring)
        table.photo *= 1 - ring[..., None] * rng.uniform(0.05, 0.45, 3).astype(np.float32)
    if rng.random() > BARE_SHARE:
        if rng.random() < 0.13:  # another sheet, the table, a fold of the paper from one side
            alpha = table.beyond_a_line(rng.uniform(0.5, 2))[..., None]
            kind = rng.random()
            plain = rng.uniform(0.75, 1) if kind < 0.7 else rng.random(3) ** 0.6
            sheet = other[:: rng.choice([1, -1]), :: rng.choice([1, -1])] if kind < 0.4 else plain
            shadow = cv2.blur(alpha, (9, 9))[..., None]
            table.photo = table.photo * (1 - 0.4 * shadow) * (1 - alpha) + sheet * alpha
            table.hidden = np.maximum(table.hidden, alpha[..., 0])
        for share in (0.35, 0.2, 0.1):
            if rng.random() < share:
                table.lay(any_of(things.large), False, False, False)
        if rng.random() < CHIPS_SHARE:
            most = MAX_CHIPS if rng.random() < MANY_SHARE else 2
            for _ in range(int(rng.integers(1, most + 1))):
                table.lay(any_of(things.chips), rng.random() < IN_COLORS_BELOW, False, True)
        while rng.random() < HAIR_SHARE:
            table.lay(any_of(things.hairs), False, True, False)
    # shadows and stripes of light hide nothing
    for share in (0.4, 0.25):
        if rng.random() < share:
            soft = rng.uniform(0.5, 30)
            shade = table.spot() if rng.random() < 0.5 else table.beyond_a_line(soft)
            table.photo *= 1 - shade[..., None] * rng.uniform(0.1, 0.7)
    if rng.random() < 0.08:
        table.photo *= 1 - table.stripes()[..., None] * rng.uniform(0.1, 0.7)
    if rng.random() < 0.12:  # a gleam hides where it is white
        gleam = np.clip(table.spot() * rng.uniform(0.2, 1.6), 0, 1)
        table.photo += (1 - table.photo) * gleam[..., None]
        table.hidden = np.maximum(table.hidden, gleam > 0.93)
        table.certain[(gleam > 0.55) & (gleam <= 0.93)] = 0
    return table


# --- light and camera ----------------------------------------------------------------------------


def _moved(pictures: Tensor, size: float) -> Tensor:
    """Each picture a little aside, turned and stretched, by about ``size`` px."""
    count = len(pictures)
    theta = torch.eye(2, 3).repeat(count, 1, 1)
    theta = theta + torch.randn(count, 2, 3) * size * 2 / WIDTH * 0.5
    grid = functional.affine_grid(theta, list(pictures.shape), align_corners=False)
    return functional.grid_sample(pictures, grid, padding_mode="border", align_corners=False)


def _uniform(low: float, high: float, count: int) -> Tensor:
    return low + (high - low) * torch.rand(count, 1, 1, 1)


def _where(count: int, share: float) -> Tensor:
    """1 for a share of the sheets: (N, 1, 1, 1)."""
    return (torch.rand(count, 1, 1, 1) < share).float()


def _developed(pictures: Tensor, strength: float) -> Tensor:
    """Another light, white balance, contrast, blur and noise."""
    count = len(pictures)
    gain = torch.exp(strength * 0.2 * torch.randn(count, 1, 1, 1))
    gain = gain * torch.exp(strength * 0.1 * torch.randn(count, 3, 1, 1))
    gamma = torch.exp(strength * 0.25 * torch.randn(count, 1, 1, 1))
    x = torch.arange(WIDTH).float()
    y = torch.arange(HEIGHT).float()[:, None]
    slope = strength * 0.15 * torch.randn(count, 2, 1, 1)
    light = 1 + slope[:, :1] * (2 * x / WIDTH - 1) + slope[:, 1:] * (2 * y / HEIGHT - 1)
    pictures = (pictures.clamp(0, 1) ** gamma * gain * light).clamp(0, 1)
    soft = functional.avg_pool2d(pictures, 3, 1, 1, count_include_pad=False)
    share = _uniform(0, 1, count) * _where(count, 0.4)
    pictures = pictures * (1 - share) + soft * share
    grey = _where(count, 0.06)
    pictures = pictures * (1 - grey) + pictures.mean(1, keepdim=True) * grey
    noise = _uniform(0, 0.035, count) * _where(count, 0.6)
    return (pictures + noise * torch.randn_like(pictures)).clamp(0, 1)


# --- training ------------------------------------------------------------------------------------

NO_REFERENCE_SHARE = 0.5  # of the sheets: as those whose empty sheet nobody knows


@dataclass(frozen=True, eq=False)
class Samples:
    """sheets: uint8 (N, HEIGHT, WIDTH, 10). held_out: lie on the sheets that only measure."""

    sheets: NDArray[np.uint8]
    things: Things
    held_out: Things

    def __len__(self) -> int:
        return len(self.sheets)


def load(parts: list[Path]) -> Samples:
    rng = np.random.default_rng(len(parts))
    given = [each for folder in sorted({part.parent for part in parts})
             for each in cutouts_in(folder / "cutouts")]  # fmt: skip
    given = given * max(1, CUTOUTS // (4 * max(1, len(given))))
    things = drawn_things(rng, 1.0, given)
    held_out = drawn_things(rng, 1 / 15, [])
    sheets = np.concatenate([np.load(part / "sheets.npy") for part in parts])
    return Samples(sheets, things, held_out)


def batch_of(samples: Samples, chosen: NDArray, rng: np.random.Generator, training: bool) -> Batch:
    """Inputs (N, 8, H, W), shares and weights (N, 3, H / stride, W / stride): `OUTPUTS`."""
    torch.manual_seed(int(rng.integers(2**62)))
    things = samples.things if training else samples.held_out
    sheets = samples.sheets[chosen]
    tables = [
        covered(
            sheet[..., :3].astype(np.float32) / 255,
            other[..., :3].astype(np.float32) / 255,
            sheet[..., 6:8],
            things,
            rng,
        )
        for sheet, other in zip(sheets, np.roll(sheets, 1, axis=0), strict=True)
    ]
    pictures = torch.from_numpy(sheets[..., 3:]).permute(0, 3, 1, 2).float() / 255
    photo, hidden, certain = (
        torch.from_numpy(np.stack(each).astype(np.float32))
        for each in zip(*((t.photo, t.hidden, t.certain) for t in tables), strict=True)
    )
    photo = photo.permute(0, 3, 1, 2)
    empty, template, told = pictures.split((3, 2, 2), 1)
    count = len(photo)
    if training:
        truth = torch.cat([photo, told, hidden[:, None], certain[:, None]], 1)
        photo, told, hidden, certain = _moved(truth, 1.0).split((3, 2, 1, 1), 1)
        empty = _moved(empty, 0.7)
        turn = _where(count, 0.15)  # other colours of the print
        photo = photo * (1 - turn) + photo.roll(1, 1) * turn
        empty = empty * (1 - turn) + empty.roll(1, 1) * turn
    else:
        hidden, certain = hidden[:, None], certain[:, None]
    photo = _developed(photo, 1.0)
    empty = _developed(empty, 0.8)
    unknown = _where(count, NO_REFERENCE_SHARE)
    empty = empty * (1 - unknown) + 0.5 * unknown
    # what lies around the places is no matter: there may be no sheet
    reach = OCCLUSION_PIXELS
    square = np.ones((2 * reach + 1,) * 2, np.uint8)
    near = np.stack([cv2.dilate(each, square) for each in sheets[..., 6:8].max(axis=-1)])
    is_near = torch.from_numpy(near > 25)[:, None].float()
    certain = certain * is_near
    is_told = ((told < 0.1) | (told > 0.9)).float() * (hidden < 0.1).float() * is_near
    share = functional.avg_pool2d(torch.cat([hidden, told], 1), OCCLUSION_STRIDE)
    weights = functional.avg_pool2d(torch.cat([certain, is_told], 1), OCCLUSION_STRIDE)
    return {
        "images": torch.cat([photo, empty, template], 1),
        "told": share,
        "known": torch.where(weights > 0.99, weights, 0.0),
    }


def loss_of(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    losses = functional.binary_cross_entropy_with_logits(
        net(batch["images"]).float(), batch["told"], batch["known"], reduction="none"
    )
    weights = torch.tensor(WEIGHTS, device=losses.device)[:, None, None]
    return (losses * weights).mean((1, 2, 3)), {}


def cells_told(net: nn.Module, batch: Batch) -> Measures:
    """Of squares of one cell: those wholly so missed, others taken for such, in percent."""
    step = OCCLUSION_PIXELS // OCCLUSION_STRIDE
    told, target, known = (
        functional.avg_pool2d(each, step)
        for each in (torch.sigmoid(net(batch["images"])), batch["told"], batch["known"])
    )
    measures = {}
    for number, name in enumerate(OUTPUTS):
        each, truth, sure = told[:, number], target[:, number], known[:, number] > 0.99
        is_so, is_not = (truth > 0.6) & sure, (truth == 0) & sure
        measures[f"{name} missed"] = 100 * (each[is_so] < HIDDEN).float().mean().item()
        measures[f"{name} false"] = 100 * (each[is_not] > HIDDEN).float().mean().item()
    return measures


TASK = Task(
    Occlusion, draw, load, batch_of, loss_of, cells_told, size=16, chances=evenly, averaged=0.998
)
