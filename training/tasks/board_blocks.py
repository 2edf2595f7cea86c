"""The colours of the blocks of all towers of a photo, and which of them show; of pawns the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from brikks_vision.detect import pieces
from brikks_vision.detect.ground import Light
from brikks_vision.detect.placement import Pose
from brikks_vision.games.blox import colors_of_pieces
from brikks_vision.games.blox.see import MIN_PAWN, OF_PAWNS, PAWN_HEIGHT, PAWN_WIDTH, read_views
from brikks_vision.rules.blox.material import MAX_HEIGHT, Color, PawnColor
from brikks_vision.rules.blox.position import FIELDS, SIDE, Position, Tower, index
from training.place_networks import BlockColors
from training.tasks import board_pieces
from training.tasks.board_locator import draw_boards
from training.tasks.task import Batch, Measures, Task, evenly

Floats = NDArray[np.float32]
MOST = 60  # blocks of a photo
CORNERS_OFF = (0.01, 0.03, 0.05)  # fields, by which corners are found aside
EXPECTED = 3 * len(Color)  # the last clues: how the fields look there
BEYOND = 0.3  # of the towers are looked at one block too high
MISTAKEN = 0.06  # of the towers are believed one block higher or lower than they are
# log: how wrong the height of a block may be that the network is told; from above it hardly shows
BLOCK_ERRORS = (0.03, 0.03, 0.25)
FALSE_TOWERS = 5  # fields without one, at most, that are taken for towers
NOT_SHOWN, BEYOND_TOP, FILLED_UP = -1, -2, -3  # instead of a colour
SHOWN_WEIGHT = 0.3
BLURRED, MIRRORED = 0.3, 0.5  # of the photos
UNTOLD = 0.15  # of the photos: what fields tell by themselves is not known
TOLD_MORE = (0.6, 1.3)  # from how much less surely to how much more surely they tell it
MISSED = 0.03  # of the towers are not believed to stand there
MAX_HIDDEN = 0.95  # of a pawn by towers, for it to be learnt from
UNIT, LEAST = 100.0, -0.5  # of a relative colour as uint8, and the least
MIN_SHOWN = 1.2  # points of a block's faces that look straight at the camera


@dataclass(frozen=True)
class Samples:
    """pixels: (N, MOST, 2, side, side, 3) uint8. hidden: (N, MOST, 2, points, points), as of
    `Looked`. clues: (N, MOST, CLUES). colors: (N, MOST), or what stands for one. empty: (N, MOST,
    2, side, side, 4) uint8, of `OnBoard` as pixels are stored, and 1 where it is known; board: (N,
    MOST, clues), of it; None where the network is not told of them.
    """

    pixels: NDArray[np.uint8]
    hidden: NDArray[np.bool_]
    clues: Floats
    colors: NDArray[np.int64]
    empty: NDArray[np.uint8] | None = None
    board: Floats | None = None

    def __len__(self) -> int:
        return len(self.colors)


def visible_blocks(
    position: Position, matrix: NDArray[np.float64], block: tuple[float, float]
) -> dict[tuple[int, int], list[bool]]:
    """Which blocks of each tower show, bottom-up, by rays to points on their faces."""
    width, height = block
    centre = -np.linalg.solve(matrix[:, :3], matrix[:, 3])
    boxes = []
    for (row, column), tower in position.towers.items():
        foot = np.array([column + 0.5, row + 0.5, 0.0])
        half = width / 2
        reach = np.array([half, half, tower.height * height])
        boxes.append((foot - [half, half, 0], foot + reach))
    low, high = (np.array([box[side] for box in boxes]) for side in (0, 1)) if boxes else ((), ())
    found: dict[tuple[int, int], list[bool]] = {}
    for (row, column), tower in position.towers.items():
        found[row, column] = []
        for level in range(tower.height):
            faces = _face_points(row, column, level, tower.height, block, centre)
            points = np.array([point for point, _ in faces])
            slants = np.array([_slant(point, normal, centre) for point, normal in faces])
            shows = slants[~pieces.hidden_points(points, centre, low, high)].sum()
            found[row, column].append(bool(shows >= MIN_SHOWN))
    return found


def _face_points(
    row: int, column: int, level: int, height: int, block: tuple[float, float], centre: Any
) -> list[tuple[Any, Any]]:
    """Points on the sides of a block that the camera may see, with their normals."""
    middle, points = np.array([column + 0.5, row + 0.5]), []
    for axis in (0, 1):
        normal = np.zeros(3)
        normal[axis] = np.sign(centre[axis] - middle[axis])
        for along in np.linspace(-0.42, 0.42, 5) * block[0]:
            for up in (0.2, 0.5, 0.8):
                point = np.array([*middle, (level + up) * block[1]]) + normal * block[0] * 0.501
                point[1 - axis] += along
                points.append((point, normal))
    if level == height - 1:
        steps = np.array([-0.45, 0, 0.45]) * block[0]
        top = height * block[1] + 1e-3
        points += [
            (np.array([middle[0] + x, middle[1] + y, top]), np.array([0, 0, 1.0]))
            for x in steps for y in steps
        ]  # fmt: skip
    return points


def _slant(point: Any, normal: Any, centre: Any) -> float:
    """How much of a face is turned to the camera, 0 to 1."""
    ray = centre - point
    return float(max(0.0, ray @ normal) / np.linalg.norm(ray))


def believed_towers(position: Position, rng: np.random.Generator) -> NDArray[np.intp]:
    """How high a tower is believed to stand on each field, (81,), in blocks: mostly rightly."""
    heights = _heights(position)
    wrong = np.where(rng.random(len(FIELDS)) < MISTAKEN, rng.choice([-1, 1], len(FIELDS)), 0)
    missed = rng.random(len(FIELDS)) < MISSED
    return np.asarray(np.where((heights > 0) & ~missed, np.maximum(heights + wrong, 0), 0))


def blocks_of(path: Path, rng: np.random.Generator) -> tuple[Things, NDArray]:
    """What is seen of a photo's blocks, and their colours."""
    seen = board_pieces.seen_photo(path, rng, CORNERS_OFF)
    facts, position = seen.facts, seen.position
    shown = visible_blocks(position, np.array(facts["camera"]), tuple(facts["block"]))
    rows = []
    believed = believed_towers(position, rng)
    for field, tower in position.towers.items():
        height = int(believed[index(field)]) or tower.height
        for level in range(min(MAX_HEIGHT, tower.height + (rng.random() < BEYOND))):
            color = BEYOND_TOP
            if level < tower.height:
                name = tower.blocks[level]
                color = list(Color).index(name) if shown[field][level] and name else NOT_SHOWN
            rows.append((index(field), level, height - 1 - level, color))
    without = [index(field) for field in FIELDS if field not in position.towers]
    fewest = int(not rows)
    for place in rng.permutation(without)[: rng.integers(fewest, FALSE_TOWERS + 1)]:
        height = int(rng.integers(1, 4))
        rows += [(place, level, height - 1 - level, BEYOND_TOP) for level in range(height)]
    table = np.array(rows, np.intp).reshape(-1, 4)
    table = table[rng.permutation(len(table))[:MOST]]
    block = facts["block"][1] * np.exp(rng.normal(0, rng.choice(BLOCK_ERRORS)))
    blocks, above = (table[:, 0], table[:, 1]), table[:, 2]
    towers = believed * block
    looked = colors_of_pieces.look_at_blocks(
        seen.image, seen.pose, seen.light, blocks, above, block, towers
    )
    return _stored(looked, seen.light), table[:, 3]


def pawns_of(path: Path, rng: np.random.Generator) -> tuple[Things, NDArray]:
    """What is seen of a photo's pawns, and of some other fields, and their colours."""
    seen = board_pieces.seen_photo(path, rng, CORNERS_OFF)
    things, heights = [seen.position.at(field) for field in FIELDS], _heights(seen.position)
    reference = board_pieces.learnt_reference(path.parent, seen, rng)
    ground = pieces.Ground(seen.kinds, len(Color), reference)
    kinds = kept_kinds(path, seen, ground)
    block = seen.facts["block"][1] * np.exp(rng.normal(0, rng.choice(BLOCK_ERRORS)))
    hidden = _hidden_pawns(seen)
    colors = np.array([
        list(PawnColor).index(thing) if isinstance(thing, PawnColor) else NOT_SHOWN
        for thing in things
    ])  # fmt: skip
    pawns = np.flatnonzero((colors >= 0) & (hidden < MAX_HIDDEN))
    towers, empty = np.flatnonzero(heights), np.flatnonzero((colors < 0) & (heights == 0))
    # those of which something else may look like a pawn: with towers before them
    near = empty[(hidden[empty] > 0) & (hidden[empty] < MAX_HIDDEN)]
    some = [rng.permutation(each)[:count] for each, count in ((towers, 3), (near, 10), (empty, 8))]
    likely = np.logaddexp.reduce(kinds[:, OF_PAWNS], axis=1) > MIN_PAWN
    mistaken = np.flatnonzero((colors < 0) & likely & (hidden < MAX_HIDDEN))
    some += [mistaken, np.intersect1d(_behind(pawns, seen.pose), empty)]
    places = np.unique(np.concatenate([pawns, *some])).astype(np.intp)
    standing = believed_towers(seen.position, rng) * block
    looked = colors_of_pieces.look_at_pawns(
        seen.image, seen.pose, seen.light, seen.kinds, places, standing
    )
    board = colors_of_pieces.pawns_on_board(seen.pose, seen.light, ground, kinds, places)
    flat = np.clip((board.empty[..., :3] - LEAST) * UNIT, 0, 255)
    stored = np.concatenate([flat, board.empty[..., 3:] > 0.99], axis=-1).astype(np.uint8)
    return (*_stored(looked, seen.light), stored, board.clues), colors[places]


def _hidden_pawns(seen: board_pieces.Seen) -> NDArray[np.float64]:
    """Which share of a pawn on each field, (81,), towers hide."""
    boxes = PAWN_WIDTH, np.full(len(FIELDS), PAWN_HEIGHT)
    heights = _heights(seen.position) * seen.facts["block"][1]
    return pieces.hidden_shares(
        seen.pose, np.array(FIELDS, np.float64), boxes, heights, heights > 0
    )


def _behind(places: NDArray[np.intp], pose: Pose) -> NDArray[np.intp]:
    """The fields behind some, as the camera sees them: before those their pawns' bodies are."""
    feet = colors_of_pieces.middles(places)
    away = feet - pose.centre[:2]
    beyond = feet + away / np.maximum(np.linalg.norm(away, axis=1), 1e-6)[:, None]
    columns, rows = np.floor(beyond).astype(np.intp).T
    is_field = (np.minimum(columns, rows) >= 0) & (np.maximum(columns, rows) < SIDE)
    return np.asarray((rows * SIDE + columns)[is_field])


def kept_kinds(path: Path, seen: board_pieces.Seen, ground: pieces.Ground) -> NDArray[np.float64]:
    """What each field of a photo tells by itself, (81, kinds), kept in a file beside it."""
    kept = path.with_suffix(".first.npy")
    if not kept.exists():
        views = pieces.look_at_cells(
            seen.image, seen.homography, seen.pose, ground, seen.light, list(FIELDS)
        )
        np.save(kept, read_views(views, 0.0).kinds.astype(np.float32))
    return np.asarray(np.load(kept), np.float64)


def _heights(position: Position) -> NDArray[np.intp]:
    """How high a tower stands on each field, (81,), in blocks."""
    things = [position.at(field) for field in FIELDS]
    return np.array([thing.height if isinstance(thing, Tower) else 0 for thing in things])


Things = tuple[NDArray[Any], ...]  # as `Samples` holds them: pixels, hidden, clues; empty, board


def _stored(looked: colors_of_pieces.Looked, light: Light) -> Things:
    """Faces as relative colours of one byte each."""
    colors = pieces.relative_colors(looked.faces, *pieces.extremes(light))
    faces = np.clip((colors - LEAST) * UNIT, 0, 255).astype(np.uint8)
    return faces, looked.hidden, looked.clues


ThingsOf = Callable[[Path, np.random.Generator], tuple[Things, NDArray]]


def load_things(things_of: ThingsOf, parts: list[Path]) -> Samples:
    """The things of all photos; ``things_of``: of one, by the path of its truth."""
    rng = np.random.default_rng(0)
    paths = [path for part in parts for path in sorted(part.glob("*.json"))]
    found = [(*each, truth) for each, truth in (things_of(path, rng) for path in paths)]
    pixels, hidden, clues, *board, colors = _stacked([each for each in found if len(each[-1])])
    return Samples(pixels, hidden, clues, colors, *board)


def _stacked(found: list[tuple[NDArray, ...]]) -> list[NDArray]:
    """Things of several photos, filled up to be as many of each; last, their colours."""
    most = max(len(truth) for *_, truth in found)
    values = [0] * (len(found[0]) - 1) + [FILLED_UP]
    return [
        np.stack([_filled_up(each[at], most, value) for each in found])
        for at, value in enumerate(values)
    ]


def _filled_up(things: NDArray, most: int, value: int) -> NDArray:
    """So many things, the last ones with a value."""
    beyond = [(0, most - len(things))] + [(0, 0)] * (things.ndim - 1)
    return np.pad(things, beyond, constant_values=value)


def batch_of(samples: Samples, chosen: NDArray, rng: np.random.Generator, training: bool) -> Batch:
    """Things of photos, in training in other inks and light."""
    inputs = _inputs(samples, chosen, rng, training)
    truth = samples.colors[chosen]
    inputs[..., -1] = truth == FILLED_UP
    return {"images": torch.from_numpy(inputs), "colors": torch.from_numpy(truth)}


def _inputs(samples: Samples, chosen: NDArray, rng: np.random.Generator, training: bool) -> Floats:
    """The network's input of some photos; in training in other inks and light, or mirrored."""
    colors = samples.pixels[chosen].astype(np.float32) / UNIT + LEAST
    hidden, clues = samples.hidden[chosen].copy(), samples.clues[chosen].copy()
    board = _on_board(samples, chosen)
    for at in range(len(chosen) * training):
        mixed = (np.eye(3) + rng.normal(0, board_pieces.MIXED_COLORS, (3, 3))).astype(np.float32)
        colors[at], clues[at, :, -EXPECTED:] = _otherwise(
            colors[at], clues[at, :, -EXPECTED:], mixed, rng
        )
        if board is not None:
            board.empty[at, ..., :3] @= mixed
            told = 0.0 if rng.random() < UNTOLD else rng.uniform(*TOLD_MORE)
            board.clues[at, :, colors_of_pieces.POSITION :] *= told
        faces = colors[at].reshape(-1, *colors.shape[-3:])
        board_pieces.shaded(faces, rng)
        empty = [] if board is None else [board.empty[at].reshape(-1, *board.empty.shape[-3:])]
        middle = (colors.shape[-2] - 1) / 2
        board_pieces.bent(
            [(each, cv2.INTER_LINEAR) for each in (faces, *empty)], (middle, middle), rng
        )
        if rng.random() < MIRRORED:
            colors[at], hidden[at] = colors[at, :, :, :, ::-1], hidden[at, ..., ::-1]
            if board is not None:
                board.empty[at] = board.empty[at, :, :, :, ::-1]
                board.clues[at, :, [0, 2]] *= -1  # x, and that of the direction to the camera
    return colors_of_pieces.as_inputs(colors, hidden, clues, board)


def _on_board(samples: Samples, chosen: NDArray) -> colors_of_pieces.OnBoard | None:
    if samples.empty is None or samples.board is None:
        return None
    empty = samples.empty[chosen].astype(np.float32)
    empty[..., :3] = empty[..., :3] / UNIT + LEAST
    return colors_of_pieces.OnBoard(empty, samples.board[chosen].copy())


def _otherwise(
    colors: Floats, expected: Floats, mixed: Floats, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """The blocks of a photo in other inks and light."""
    expected = (expected.reshape(-1, 3) @ mixed).reshape(expected.shape)
    shape, side = colors.shape, colors.shape[2]
    # one light for all: rows of one picture
    whole = (colors @ mixed).reshape(1, -1, side, 3)
    colors = board_pieces.photographed_otherwise(whole, rng)[0].reshape(shape)
    if rng.random() < BLURRED:
        sigma = float(rng.uniform(0.5, 1.5))
        for faces in colors:
            for face in faces:
                cv2.GaussianBlur(face, (0, 0), sigma, dst=face)
    return colors, expected


def loss_of(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    told, colors = net(batch["images"]).float(), batch["colors"]
    is_shown, is_block = colors >= 0, colors >= BEYOND_TOP
    of_colors = cross_entropy(told[is_shown][:, :-1], colors[is_shown], label_smoothing=0.01)
    of_shown = binary_cross_entropy_with_logits(told[is_block][:, -1], is_shown[is_block].float())
    wrong = (told[is_shown][:, :-1].argmax(1) != colors[is_shown]).float().mean()
    apart = (told[is_block][:, -1] > 0) != is_shown[is_block]
    figures = {"wrong": 100 * wrong.item(), "shown wrong": 100 * apart.float().mean().item()}
    return of_colors + SHOWN_WEIGHT * of_shown, figures


def _beside_others(network: Callable[[], nn.Module], things_of: ThingsOf) -> Task:
    """A network that tells the colours of all things of a kind of a photo beside each other."""
    return Task(
        network, draw_boards, partial(load_things, things_of), batch_of, loss_of,
        size=12, chances=evenly, decay=1e-2, averaged=0.998,
    )  # fmt: skip


BLOCKS = _beside_others(
    partial(
        BlockColors, colors_of_pieces.PIXELS, colors_of_pieces.CLUES + colors_of_pieces.UNUSED,
        colors_of_pieces.OUTPUTS,
    ),
    blocks_of,
)  # fmt: skip
PAWN_FEATURES = colors_of_pieces.PAWN_CLUES + colors_of_pieces.POSITION + colors_of_pieces.KINDS
PAWNS = _beside_others(
    partial(
        BlockColors, colors_of_pieces.PIXELS, PAWN_FEATURES + colors_of_pieces.UNUSED,
        colors_of_pieces.PAWN_OUTPUTS, channels=8, position=colors_of_pieces.PAWN_CLUES,
    ),
    pawns_of,
)  # fmt: skip
