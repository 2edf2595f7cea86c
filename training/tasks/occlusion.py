"""Which parts of a sheet something hides (`brikks_vision.detect.occlusion`).

The samples are sheets of all games as photos show them, straightened, each with the print of its
empty sheet. Things (`simulation.occluders`) are laid on them anew for every batch; pictures with an
alpha channel in a folder ``cutouts`` of the samples' folder are laid on them, too.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from brikks_vision.detect.marks import READER_PIXELS
from brikks_vision.detect.occlusion import OCCLUSION_PIXELS, OCCLUSION_STRIDE
from brikks_vision.detect.placement import Placement, rectify
from brikks_vision.detect.template import draw_template
from brikks_vision.layout import Layout, load_layout
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.bloxx import photos as bloxx
from simulation.bloxx.art import sheet_of
from simulation.bloxx.games import any_game
from simulation.bloxx.hands import visible_hand as bloxx_hand
from simulation.brikks import photos as brikks
from simulation.brikks.games import play_sheet
from simulation.brikks.marking import visible_hand as brikks_hand
from simulation.occluders import Cutout, cutouts_in, random_cutout
from simulation.paper.blank import BlankSheet
from simulation.paper.wear import worn
from simulation.photos import Photo
from training.tasks.task import Batch, Measures

HEIGHT, WIDTH = 256, 192  # px of a sample: the reading area of Brikks
BRIKKS_SHARE, SCRAMBLED_SHARE, WORN_SHARE = 0.6, 0.4, 0.25  # of the samples
LONG_SIDES = 700, 1700  # px, of the photos
TIERS = ("scan", "good", "hard")
CUTOUTS = 6000  # things drawn for one training
HIDDEN = 0.4  # the chance from which a cell counts as hidden

Canvas = NDArray[np.uint8]


# --- samples ---------------------------------------------------------------------------------


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


def _brikks_photo(rng: np.random.Generator) -> tuple[Layout, BlankSheet, Photo]:
    layout, dice = load_layout("brikks-light"), random.Random(int(rng.integers(2**31)))
    blank = brikks.any_blank(layout, rng)
    players, level = int(rng.integers(1, 5)), int(rng.integers(1, 5))
    variant = "solo" if players == 1 else "standard"
    played = play_sheet(load_sheet(layout.name), dice, players, level, variant)
    if rng.random() < SCRAMBLED_SHARE:
        played = replace(played, state=brikks.scrambled(played.state, rng, layout))
    hand = brikks_hand(layout, blank, rng, False)
    tier, long_side = TIERS[int(rng.integers(3))], int(rng.integers(*LONG_SIDES))
    copy, seen = _copy(blank, rng), layout.marked_area
    return layout, blank, brikks.shoot(layout, copy, played, hand, rng, tier, long_side, seen)


def _bloxx_photo(rng: np.random.Generator) -> tuple[Layout, BlankSheet, Photo]:
    dice = random.Random(int(rng.integers(2**31)))
    layout, blank = bloxx.any_sheet(rng)
    played = any_game(sheet_of(layout), dice)
    if rng.random() < SCRAMBLED_SHARE:
        played = replace(played, state=bloxx.scrambled(played.state, rng))
    hand = bloxx_hand(layout, blank, rng, False)
    tier, long_side = TIERS[int(rng.integers(3))], int(rng.integers(*LONG_SIDES))
    copy, seen = _copy(blank, rng), layout.marked_area
    return layout, blank, bloxx.shoot(layout, copy, played, hand, rng, tier, long_side, seen)


def _sample(seed: int, number: int) -> Canvas:
    """uint8 (HEIGHT, WIDTH, 8): photo BGR, empty sheet BGR, template."""
    rng = np.random.default_rng([seed, number])
    draw = _brikks_photo if rng.random() < BRIKKS_SHARE else _bloxx_photo
    layout, blank, shot = draw(rng)
    flat = rectify(shot.image, shot.placement, layout.reading_area, READER_PIXELS)
    step = OCCLUSION_PIXELS / READER_PIXELS
    photo = cv2.resize(flat, None, fx=step, fy=step, interpolation=cv2.INTER_AREA)
    template = draw_template(layout, layout.reading_area, OCCLUSION_PIXELS)
    parts = (photo, _empty_sheet(blank, layout), template)
    return np.concatenate([_on_canvas(part) for part in parts], axis=-1)


def write_sheets(folder: Path, numbers: range, seed: int) -> None:
    np.save(folder / "sheets.npy", np.stack([_sample(seed, number) for number in numbers]))


# --- what lies on a sheet ------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Things:
    """Cutouts on the training's device: pictures uint8 (N, 4, SIDE, SIDE), small ones a quarter as
    large, lengths (N, 2) in cells."""

    pictures: Tensor
    small: Tensor
    lengths: Tensor


def things_of(cutouts: list[Cutout], device: torch.device) -> Things:
    pictures = torch.from_numpy(np.stack([each.picture for each in cutouts])).permute(0, 3, 1, 2)
    pictures = pictures.contiguous().to(device)
    small = torch.cat([_premultiplied(part) for part in pictures.split(500)])
    lengths = torch.tensor([each.length for each in cutouts], device=device)
    return Things(pictures, small, lengths)


def _premultiplied(pictures: Tensor) -> Tensor:
    """A quarter as large, without the colour of what is clear."""
    alpha = pictures[:, 3:].float()
    colors = functional.avg_pool2d(pictures[:, :3].float() * alpha, 4)
    share = functional.avg_pool2d(alpha, 4)
    return torch.cat([colors / share.clamp(min=1), share], 1).round().to(torch.uint8)


def _uniform(low: float, high: float, *shape: int, device: torch.device) -> Tensor:
    return low + (high - low) * torch.rand(*shape, device=device)


def _frame(count: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """x and y of every pixel, px: (1, 1, HEIGHT, WIDTH)."""
    x = torch.arange(WIDTH, device=device).float().expand(1, 1, HEIGHT, WIDTH)
    y = torch.arange(HEIGHT, device=device).float()[:, None].expand(1, 1, HEIGHT, WIDTH)
    return x, y


def _seen_from(angle: Tensor, centre: Tensor, length: Tensor, device: torch.device) -> Tensor:
    """Where a turned square of some length shows each pixel: (N, HEIGHT, WIDTH, 2), -1 to 1."""
    x, y = _frame(len(angle), device)
    across, down = x - centre[:, :1, None, None], y - centre[:, 1:, None, None]
    cos, sin = torch.cos(angle)[:, None, None, None], torch.sin(angle)[:, None, None, None]
    half = length[:, None, None, None] / 2
    turned = torch.cat([across * cos + down * sin, down * cos - across * sin], 1) / half
    return turned.permute(0, 2, 3, 1)


def _a_thing(things: Things, count: int) -> tuple[Tensor, Tensor]:
    """Colours (N, 3, H, W) and coverage (N, 1, H, W) of a thing somewhere on each sheet."""
    device = things.pictures.device
    chosen = torch.randint(len(things.pictures), (count,), device=device)
    span = things.lengths[chosen]
    share = torch.rand(count, device=device)
    cells = span[:, 0] * (span[:, 1] / span[:, 0]) ** share
    length = cells * OCCLUSION_PIXELS * _uniform(0.7, 1.3, count, device=device)
    frame = torch.tensor([WIDTH, HEIGHT], device=device)
    centre = (_uniform(-0.05, 1.05, count, 2, device=device)) * frame
    angle = _uniform(0, 2 * np.pi, count, device=device)
    grid = _seen_from(angle, centre, length, device)
    grid = grid * torch.exp(0.12 * torch.randn(count, 1, 1, 2, device=device))
    flip = torch.where(torch.rand(count, 1, 1, device=device) < 0.5, -1.0, 1.0)
    grid = torch.stack([grid[..., 0], grid[..., 1] * flip], -1)
    fine = functional.grid_sample(things.pictures[chosen].float(), grid, align_corners=False)
    low = functional.grid_sample(things.small[chosen].float(), grid, align_corners=False)
    is_small = (length < 64)[:, None, None, None]
    picture = torch.where(is_small, low, fine) / 255
    tint = torch.exp(0.08 * torch.randn(count, 3, 1, 1, device=device))
    gain = _uniform(0.5, 1.2, count, 1, 1, 1, device=device) * tint
    return (picture[:, :3] * gain).clamp(0, 1), picture[:, 3:]


def _beyond_a_line(count: int, device: torch.device, soft: Tensor) -> Tensor:
    """0 to 1: what lies beyond a line that cuts into the sheet from one side: (N, 1, H, W)."""
    x, y = _frame(count, device)
    angle = torch.randint(4, (count,), device=device) * (np.pi / 2)
    angle = angle + 0.25 * torch.randn(count, device=device)
    cos, sin = torch.cos(angle)[:, None, None, None], torch.sin(angle)[:, None, None, None]
    along = (x - WIDTH / 2) * cos + (y - HEIGHT / 2) * sin
    reach = (WIDTH / 2) * cos.abs() + (HEIGHT / 2) * sin.abs()
    edge = reach * _uniform(0.1, 1.0, count, 1, 1, 1, device=device)
    return ((along - edge) / soft).clamp(-0.5, 0.5) + 0.5


def _spot(count: int, device: torch.device) -> Tensor:
    """0 to 1: an ellipse somewhere, with any softness: (N, 1, H, W)."""
    frame = torch.tensor([WIDTH, HEIGHT], device=device)
    centre = torch.rand(count, 2, device=device) * frame
    size = _uniform(15, 130, count, device=device)
    grid = _seen_from(_uniform(0, np.pi, count, device=device), centre, size, device)
    far = torch.hypot(grid[..., 0], grid[..., 1] * _uniform(1, 3, count, 1, 1, device=device))
    soft = _uniform(0.03, 1.2, count, 1, 1, device=device)
    return ((1 - far) / soft).clamp(0, 1)[:, None]


def _where(count: int, share: float, device: torch.device) -> Tensor:
    """1 for a share of the sheets: (N, 1, 1, 1)."""
    return (torch.rand(count, 1, 1, 1, device=device) < share).float()


def _shadow_of(cover: Tensor) -> Tensor:
    """The soft shadow beside what covers a sheet."""
    size = (5, 9, 15, 25)[int(torch.randint(4, ()))]
    soft = functional.avg_pool2d(cover, size, 1, size // 2)
    return torch.roll(soft, torch.randint(-5, 6, (2,)).tolist(), (2, 3))


def covered(photo: Tensor, things: Things) -> tuple[Tensor, Tensor, Tensor]:
    """Sheets with things on them, and how they lie.

    photo: (N, 3, HEIGHT, WIDTH), 0 to 1. Returns the same with things, shadows and gleams; how
    much of each pixel is hidden, 0 to 1; and whether that is certain (0 where a gleam half hides).
    """
    count, device = len(photo), photo.device
    hidden = torch.zeros(count, 1, HEIGHT, WIDTH, device=device)
    certain = torch.ones_like(hidden)
    bare = _where(count, 0.25, device)  # nothing lies on these
    # stains of drinks: what is printed shows through
    ring = _spot(count, device)
    ring = torch.where(torch.rand(count, 1, 1, 1, device=device) < 0.5, ring, 4 * ring * (1 - ring))
    tint = 1 - _uniform(0.05, 0.45, count, 3, 1, 1, device=device)
    photo = photo * (1 - _where(count, 0.15, device) * ring * (1 - tint))
    # another sheet, the table, a fold of the paper from one side
    beyond = _beyond_a_line(count, device, _uniform(0.5, 2, count, 1, 1, 1, device=device))
    other = torch.flip(photo, (2, 3) if torch.rand(()) < 0.5 else (2,)).roll(1, 0)
    plain = torch.rand(count, 3, 1, 1, device=device) ** 0.6 * torch.ones_like(photo)
    pale = _uniform(0.75, 1, count, 1, 1, 1, device=device) * torch.ones_like(photo)
    kind = torch.rand(count, 1, 1, 1, device=device)
    sheet = torch.where(kind < 0.4, other, torch.where(kind < 0.7, pale, plain))
    alpha = beyond * _where(count, 0.13, device) * (1 - bare)
    photo = photo * (1 - 0.4 * _shadow_of(alpha)) * (1 - alpha) + sheet * alpha
    hidden = torch.maximum(hidden, alpha)
    for share in (0.75, 0.35, 0.15):
        color, alpha = _a_thing(things, count)
        there = _where(count, share, device) * (1 - bare)
        alpha = alpha * there
        depth = _uniform(0, 0.65, count, 1, 1, 1, device=device)
        photo = photo * (1 - depth * _shadow_of(alpha))
        opaque = torch.where(
            torch.rand(count, 1, 1, 1, device=device) < 0.93, 1.0,
            _uniform(0.65, 1, count, 1, 1, 1, device=device),
        )  # fmt: skip
        photo = photo * (1 - alpha * opaque) + color * alpha * opaque
        hidden = torch.maximum(hidden, alpha)
    # shadows hide nothing
    for share in (0.4, 0.25):
        edge = _uniform(0.5, 30, count, 1, 1, 1, device=device)
        shade = torch.where(
            torch.rand(count, 1, 1, 1, device=device) < 0.5,
            _spot(count, device), _beyond_a_line(count, device, edge),
        )  # fmt: skip
        depth = _uniform(0.1, 0.7, count, 1, 1, 1, device=device)
        photo = photo * (1 - shade * depth * _where(count, share, device))
    # a gleam hides where it is white
    gleam = _spot(count, device) * _uniform(0.2, 1.6, count, 1, 1, 1, device=device)
    gleam = (gleam * _where(count, 0.15, device) * (1 - bare)).clamp(0, 1)
    photo = photo + (1 - photo) * gleam
    hidden = torch.maximum(hidden, (gleam > 0.93).float())
    certain = certain * (1 - ((gleam > 0.55) & (gleam <= 0.93)).float())
    return photo, hidden, certain


# --- light and camera ----------------------------------------------------------------------------


def _moved(pictures: Tensor, size: float) -> Tensor:
    """Each picture a little aside, turned and stretched, by about ``size`` px."""
    count, device = len(pictures), pictures.device
    theta = torch.eye(2, 3, device=device).repeat(count, 1, 1)
    theta = theta + torch.randn(count, 2, 3, device=device) * size * 2 / WIDTH * 0.5
    grid = functional.affine_grid(theta, list(pictures.shape), align_corners=False)
    return functional.grid_sample(pictures, grid, padding_mode="border", align_corners=False)


def _developed(pictures: Tensor, strength: float) -> Tensor:
    """Another light, white balance, contrast, blur and noise."""
    count, device = len(pictures), pictures.device
    gain = torch.exp(strength * 0.2 * torch.randn(count, 1, 1, 1, device=device))
    gain = gain * torch.exp(strength * 0.1 * torch.randn(count, 3, 1, 1, device=device))
    gamma = torch.exp(strength * 0.25 * torch.randn(count, 1, 1, 1, device=device))
    x, y = _frame(count, device)
    slope = strength * 0.15 * torch.randn(count, 2, 1, 1, device=device)
    light = 1 + slope[:, :1] * (2 * x / WIDTH - 1) + slope[:, 1:] * (2 * y / HEIGHT - 1)
    pictures = (pictures.clamp(0, 1) ** gamma * gain * light).clamp(0, 1)
    soft = functional.avg_pool2d(pictures, 3, 1, 1, count_include_pad=False)
    share = _uniform(0, 1, count, 1, 1, 1, device=device) * _where(count, 0.4, device)
    pictures = pictures * (1 - share) + soft * share
    grey = _where(count, 0.06, device)
    pictures = pictures * (1 - grey) + pictures.mean(1, keepdim=True) * grey
    noise = _uniform(0, 0.035, count, 1, 1, 1, device=device) * _where(count, 0.6, device)
    return (pictures + noise * torch.randn_like(pictures)).clamp(0, 1)


# --- training ------------------------------------------------------------------------------------

NO_REFERENCE_SHARE = 0.5  # of the sheets: as those whose empty sheet nobody knows


@dataclass(frozen=True, eq=False)
class Samples:
    """sheets: uint8 (N, HEIGHT, WIDTH, 8). Things lie on the training's device."""

    sheets: NDArray[np.uint8]
    things: Things
    held_out: Things  # lie on the sheets that only measure

    def __len__(self) -> int:
        return len(self.sheets)


def load_sheets(parts: list[Path], device: torch.device) -> Samples:
    rng = np.random.default_rng(len(parts))
    drawn = [random_cutout(rng) for _ in range(CUTOUTS)]
    held_out = things_of([random_cutout(rng) for _ in range(CUTOUTS // 15)], device)
    given = [each for folder in sorted({part.parent for part in parts})
             for each in cutouts_in(folder / "cutouts")]  # fmt: skip
    things = things_of(drawn + given * max(1, CUTOUTS // (4 * max(1, len(given)))), device)
    sheets = np.concatenate([np.load(part / "sheets.npy") for part in parts])
    return Samples(sheets, things, held_out)


def sheets_batch(
    samples: Samples, chosen: NDArray, rng: np.random.Generator, training: bool
) -> Batch:
    """Inputs (N, 8, H, W), hidden shares and weights (N, 1, H / stride, W / stride)."""
    torch.manual_seed(int(rng.integers(2**62)))
    things = samples.things if training else samples.held_out
    sheets = torch.from_numpy(samples.sheets[chosen]).to(things.pictures.device)
    pictures = sheets.permute(0, 3, 1, 2).float() / 255
    photo, empty, template = pictures.split((3, 3, 2), 1)
    if training:
        photo = _moved(photo, 1.0)
        empty = _moved(empty, 0.7)
        turn = _where(len(photo), 0.15, photo.device)  # other colours of the print
        photo = photo * (1 - turn) + photo.roll(1, 1) * turn
        empty = empty * (1 - turn) + empty.roll(1, 1) * turn
    photo, hidden, certain = covered(photo, things)
    photo = _developed(photo, 1.0)
    empty = _developed(empty, 0.8)
    unknown = _where(len(photo), NO_REFERENCE_SHARE, photo.device)
    empty = empty * (1 - unknown) + 0.5 * unknown
    # what lies around the places is no matter: there may be no sheet
    reach = OCCLUSION_PIXELS
    near = functional.max_pool2d(template.amax(1, keepdim=True), 2 * reach + 1, 1, reach)
    certain = certain * (near > 0.1)
    return {
        "images": torch.cat([photo, empty, template], 1),
        "hidden": functional.avg_pool2d(hidden, OCCLUSION_STRIDE),
        "known": (functional.avg_pool2d(certain, OCCLUSION_STRIDE) > 0.99).float(),
    }


def occlusion_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    losses = functional.binary_cross_entropy_with_logits(
        net(batch["images"]).float(), batch["hidden"], batch["known"], reduction="none"
    )
    return losses.mean((1, 2, 3)), {}


def cells_told(net: nn.Module, batch: Batch) -> Measures:
    """Of squares of one cell: wholly hidden ones missed, bare ones taken for hidden, in percent."""
    step = OCCLUSION_PIXELS // OCCLUSION_STRIDE
    told, target, known = (
        functional.avg_pool2d(each, step)
        for each in (torch.sigmoid(net(batch["images"])), batch["hidden"], batch["known"])
    )
    hidden, bare = (target > 0.6) & (known == 1), (target == 0) & (known == 1)
    return {
        "missed": 100 * (told[hidden] < HIDDEN).float().mean().item(),
        "false": 100 * (told[bare] > HIDDEN).float().mean().item(),
    }
