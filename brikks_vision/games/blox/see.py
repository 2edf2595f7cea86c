"""Reads all fields of a placed board: each by itself, the towers once more, then pawns and blocks.

All towers together tell how high one block is. Then two things tell how high each tower is: what
the network sees, and the chip on it.

What lies on top of a tower: a chip, and its value, or nothing.

How high one block is, from where the tops of all towers are seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.ground import Light
from brikks_vision.detect.networks import run_batch, run_next
from brikks_vision.detect.pieces import (
    PAWN_HEIGHT,
    PAWN_WIDTH,
    USUAL_WIDTH,
    Floats,
    Ground,
    faces_at,
    hidden_shares,
    look_at_cells,
    reference_of,
    scaled_for_faces,
    with_levels,
)
from brikks_vision.detect.placement import Image, Pose, pose_of_plane
from brikks_vision.games.blox import colors_of_pieces, field_evidence
from brikks_vision.games.blox.board_print import PlacedBoard, kinds_of
from brikks_vision.games.blox.colors_of_pieces import NETWORK as BLOCKS_NETWORK
from brikks_vision.games.blox.colors_of_pieces import PAWN_NETWORK as PAWNS_NETWORK
from brikks_vision.rules.blox.material import Color
from brikks_vision.rules.blox.position import FIELDS, SIDE, Board

Array = NDArray[np.float64]

CHIP_NETWORK = "board_chips"
REACH = 0.5  # fields to each side of the middle of a top
PIXELS = 40
SURE = np.log(0.999)  # log-probability below which a face is read from four sides
BARE, NO_TOP = 4, 5
CLASSES = 6
"""A chip of 1 to 4, then the bare top of a higher tower, then something that is no top."""


@dataclass(frozen=True)
class Tops:
    """Where towers may end, F faces, and what is seen there.

    towers: (F,), among (N,) places. levels: (F,), from 0 for one block. faces: as of `stretched`.
    logs: (F, CLASSES), log-probabilities.
    """

    count: int
    towers: NDArray[np.intp]
    levels: NDArray[np.intp]
    faces: NDArray[np.uint8]
    logs: Array

    @property
    def odds(self) -> Array:
        """How much more a tower's top with what belongs on it is seen at each height than no top.

        (N, HEIGHTS), log-odds; -inf where none was looked for.
        """
        found = np.full((self.count, field_evidence.HEIGHTS), -np.inf)
        seen = self.logs[np.arange(len(self.levels)), self.levels]
        found[self.towers, self.levels] = seen - self.logs[:, NO_TOP]
        return found


def see_tops(
    photo: Image, pose: Pose, places: NDArray[np.intp], block: float, possible: NDArray[np.bool_]
) -> Tops:
    """The tops of towers, read from one side.

    places: among ``FIELDS``. block: height of one block, fields. possible: (N, HEIGHTS), which
    heights are looked at.
    """
    towers, levels = np.nonzero(possible)
    middle = (SIDE / 2, SIDE / 2, 0.0)
    photo, pose = scaled_for_faces(photo, pose, middle, REACH, PIXELS)
    tops = [
        (FIELDS[at][1] + 0.5, FIELDS[at][0] + 0.5, (level + 1) * block)
        for at, level in zip(places[towers], levels, strict=True)
    ]
    faces = stretched(faces_at(photo, pose, tops, REACH, PIXELS))
    return Tops(len(places), towers, levels, faces, _logs(faces))


def from_all_sides(tops: Tops, unsure: NDArray[np.bool_]) -> Tops:
    """The tops of towers (N,) that are unsure read from three more sides: chips lie any way round.

    Faces that are sure from one side are not.
    """
    chosen = unsure[tops.towers] & (tops.logs.max(axis=1) < SURE)
    if not chosen.any():
        return tops
    turned = [np.rot90(tops.faces[chosen], quarters, (1, 2)) for quarters in (1, 2, 3)]
    told = _logs(np.concatenate(turned)).reshape(3, -1, CLASSES)
    logs = tops.logs.copy()
    logs[chosen] = field_evidence.normalized((logs[chosen] + told.sum(axis=0)) / 4)
    return replace(tops, logs=logs)


def _logs(faces: NDArray[np.uint8]) -> Array:
    return field_evidence.normalized(run_batch(CHIP_NETWORK, faces).astype(np.float64))


def stretched(faces: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Each face of (N, H, W, 3) with its darkest parts black and its lightest white."""
    some = faces[:, ::2, ::2].reshape(len(faces), -1)
    low, high = np.percentile(some, (3, 97), axis=1).astype(np.float32)[..., None, None, None]
    values = (faces - low) * (255 / np.maximum(high - low, 24.0))
    return np.asarray(np.clip(values, 0, 255), np.uint8)


BLOCK_HEIGHTS = np.geomspace(0.12, 1.05, 80)  # fields
TOP_WEIGHT = 0.6  # of where a top is seen, relative to what the network sees of the stack
MAX_GUESSES = 3
MIN_GUESS = 0.03  # probability
APART = 6  # steps of the heights between two guesses
MIN_TOP = -6.0  # log-probability, so that a tower that is hidden does not decide
TELLS_OF_BLOCKS = np.log(0.3)  # log-probability from which a field tells of blocks


def block_height_chances(evidence: field_evidence.FieldEvidence) -> Array:
    """The probability of each of ``BLOCK_HEIGHTS``: all blocks are equally high."""
    is_tower = evidence.kinds[:, field_evidence.KINDS.index(field_evidence.TOWER)]
    used = is_tower > TELLS_OF_BLOCKS
    seen = _tops_at(evidence.tops[used])
    joint = evidence.heights[used][:, None] + TOP_WEIGHT * seen
    told = np.logaddexp.reduce(joint, axis=2)
    total = (told * np.exp(is_tower[used])[:, None]).sum(axis=0)
    chances = np.exp(total - total.max())
    return np.asarray(chances / chances.sum())


def block_height_of(tops: Array, heights: NDArray[np.int64]) -> float:
    """The height of a block, in fields, of towers of known heights.

    tops: (towers, `TOPS`), log-probabilities. heights: (towers,), blocks.
    """
    seen = _tops_at(tops)[np.arange(len(heights)), :, heights - 1]
    return float(BLOCK_HEIGHTS[np.maximum(seen, MIN_TOP).sum(axis=0).argmax()])


def _tops_at(tops: Array) -> Array:
    """The log-probabilities that the top of each height is where each of ``BLOCK_HEIGHTS`` puts it.

    tops: (towers, `TOPS`). Returns (towers, 80, 5).
    """
    places = (
        np.arange(1, field_evidence.HEIGHTS + 1) * BLOCK_HEIGHTS[:, None] / field_evidence.TOP_STEP
        - 0.5
    )
    low = np.clip(np.floor(places).astype(int), 0, field_evidence.TOPS - 2)
    share = np.clip(places - low, 0, 1)
    return np.asarray(tops[:, low] * (1 - share) + tops[:, low + 1] * share)


def block_height_guesses(evidence: field_evidence.FieldEvidence) -> tuple[tuple[float, float], ...]:
    """The most probable heights of a block, in fields, and their log-probabilities."""
    left = block_height_chances(evidence)
    found: list[tuple[float, float]] = []
    for _ in range(MAX_GUESSES):
        best = int(left.argmax())
        near = slice(max(0, best - APART), best + APART + 1)
        chance = float(left[near].sum())
        if found and chance < MIN_GUESS:
            break
        weights = left[near]
        middle = float(np.exp((weights * np.log(BLOCK_HEIGHTS[near])).sum() / weights.sum()))
        found.append((middle, float(np.log(max(chance, 1e-9)))))
        left = left.copy()
        left[near] = 0
        if left.max() <= 0:
            break
    return tuple(found)


NETWORK = "board_pieces"
SAME_BLOCK = 0.05  # log, of two heights of a block that are one
MIRRORED = np.log(0.995)  # log-probability below which a field is read from both views
MIN_TOWER = np.log(0.004)  # log-probability from which a field is read as a tower
# Weights of the second reading, for what kind of thing it is; of what the network sees and of the
# chips, for how high a tower is; and the bounds of the chips' log-odds: they may be hidden. Fitted
# on 225 simulated photos of games (seeds 26501 and 26702) that no network was trained on.
SECOND_WEIGHT = 0.32
NETWORK_WEIGHT, CHIP_WEIGHT = 0.4, 1.05
MIN_CHIP, MAX_CHIP = -0.4, 16.0
SURE_FIELD = np.log(0.999)  # log-probability below which tops are read from all sides
SURE_TOWER = np.log(0.8)  # log-probability from which a tower hides what is behind it
# shares of a thing that towers hide: up to the first, what its field tells by itself counts in
# full; from the second on, not at all, as two photos of one position would contradict each other
HIDDEN = (0.72, 1.0)
USUAL_KINDS = np.log([0.68, 0.03, 0.03, 0.03, 0.03, 0.2])  # of the fields of a board in a game
MIN_PAWN = np.log(0.02)  # log-probability of any pawn from which a field is looked at for one
# of what pawns tell beside each other, beside what their fields tell by themselves; fitted, with
# `HIDDEN` and the calibration, on 267 simulated photos of 77 sets (seeds 87001 to 87003, 88001,
# 88501, 88502): 176 wholly right instead of 168, each fourth of the sets told by the others
PAWN_COLOR_WEIGHT, PAWN_WEIGHT, PAWN_BIAS, FIELD_WEIGHT = 0.55, 0.34, 0.82, 0.887
MAX_LOG = -1e-9  # log-probability, so that its odds are finite
OF_PAWNS = slice(1, field_evidence.KINDS.index(field_evidence.TOWER))  # among the kinds
# log-probability of a tower whose blocks are looked at, as others tell less beside what is none;
# and of a height up to which they are
MIN_STANDING, MIN_LEVEL = np.log(0.3), np.log(0.02)
MIN_HEIGHT = np.log(0.002)  # log-probability of a height at which a chip is looked for


@dataclass(frozen=True)
class Towers:
    """The fields that may bear towers, read with one height of a block.

    places: among ``FIELDS``. sure: how surely a tower stands there, 0 to 1. second: what the
    network sees of them. tops: with the chips on them.
    """

    places: NDArray[np.intp]
    sure: Array
    block: float
    second: field_evidence.FieldEvidence
    tops: Tops

    @property
    def log_heights(self) -> Array:
        """How much more a tower of each height is seen than none, (N, 5), as unnormalised logs."""
        chips = np.clip(self.tops.odds, MIN_CHIP, MAX_CHIP)
        return np.asarray(NETWORK_WEIGHT * self.second.heights + CHIP_WEIGHT * chips)

    @property
    def fit(self) -> float:
        """How well everything goes together; comparable between heights of a block."""
        return float((self.sure * np.logaddexp.reduce(self.log_heights, axis=1)).sum())


@dataclass(frozen=True)
class SeenPawns:
    """What pawns tell beside each other. places: (N,), among ``FIELDS``, where some may stand.

    colors: (N, 4), log-probabilities of a pawn's. is_there: (N,), logits that one stands there.
    """

    places: NDArray[np.intp]
    colors: Array
    is_there: Array


@dataclass(frozen=True)
class SeenFields:
    """What is seen of the fields. hidden: (81, kinds), the share of each kind that towers hide."""

    evidence: field_evidence.FieldEvidence
    hidden: Array
    pawns: SeenPawns


def see_fields(
    photo: Image,
    placed: PlacedBoard,
    board: Board,
    picture: Image | None = None,
    pieces: colors_of_pieces.Pieces | None = None,
) -> field_evidence.FieldEvidence:
    """What is seen on each field, in the order of ``FIELDS``.

    picture: of the empty board, as of `reference_of`; None: only its colours are known. pieces:
    where the set was learnt.
    """
    return told_fields(look_at_fields(photo, placed, board, picture, pieces))


def look_at_fields(
    photo: Image,
    placed: PlacedBoard,
    board: Board,
    picture: Image | None = None,
    pieces: colors_of_pieces.Pieces | None = None,
) -> SeenFields:
    """The same before it is calibrated."""
    pose = pose_of(photo, placed)
    ground = ground_of(board, picture)
    views = views_of(photo, placed, ground)
    first = read_views(views, 0.0)
    candidates = see_towers(photo, pose, views, first, pieces.block if pieces else None)
    if not candidates:
        hidden, towers = np.zeros(first.kinds.shape), np.zeros(len(FIELDS))
        pawns = see_pawns(first, first.kinds, photo, pose, placed.light, ground, towers)
        return SeenFields(first, hidden, pawns)
    best = max(candidates, key=lambda each: each.fit)
    tops = from_all_sides(best.tops, _is_unsure(_together(first, best), best.places))
    seen = _together(first, replace(best, tops=tops))
    towers = standing_towers(seen, best.block)
    hidden = _hidden(pose, (1 + seen.heights.argmax(axis=1)) * best.block, towers)
    kinds = without_hidden(seen.kinds, hidden)
    pawns = see_pawns(first, kinds, photo, pose, placed.light, ground, towers)
    colored = with_block_colors(seen, photo, pose, placed.light, best.block, towers)
    return SeenFields(colored, hidden, pawns)


def standing_towers(seen: field_evidence.FieldEvidence, block: float) -> Array:
    """How high a tower surely stands on each field, (81,), in fields; 0 for none."""
    stands = seen.kinds[:, field_evidence.KINDS.index(field_evidence.TOWER)] > SURE_TOWER
    return np.asarray(stands * (1 + seen.heights.argmax(axis=1)) * block)


def see_pawns(
    first: field_evidence.FieldEvidence,
    kinds: Array,
    photo: Image,
    pose: Pose,
    light: Light,
    ground: Ground,
    towers: Array,
) -> SeenPawns:
    """What the pawns tell beside each other.

    first: what each field tells by itself. kinds: (81, kinds), the same without what towers hide,
    for where some may stand. towers: as of `standing_towers`.
    """
    places = np.flatnonzero(np.logaddexp.reduce(kinds[:, OF_PAWNS], axis=1) > MIN_PAWN)
    if not len(places):
        return SeenPawns(places, np.zeros((0, OF_PAWNS.stop - 1)), np.zeros(0))
    looked = colors_of_pieces.look_at_pawns(photo, pose, light, ground.kinds, places, towers)
    on_board = colors_of_pieces.pawns_on_board(pose, light, ground, first.kinds, places)
    told = colors_of_pieces.told_beside_others(PAWNS_NETWORK, looked, light, on_board)
    return SeenPawns(places, *told)


def with_pawns(kinds: Array, pawns: SeenPawns) -> Array:
    """The log-probabilities of kinds (81, kinds) with what the pawns tell of each other."""
    with_them, places = kinds.copy(), pawns.places
    pawn = np.minimum(np.logaddexp.reduce(kinds[places, OF_PAWNS], axis=1), MAX_LOG)
    first, none = kinds[places, OF_PAWNS] - pawn[:, None], np.log1p(-np.exp(pawn))
    of_colors = field_evidence.normalized(
        (1 - PAWN_COLOR_WEIGHT) * first + PAWN_COLOR_WEIGHT * pawns.colors
    )
    odds = FIELD_WEIGHT * (pawn - none) + PAWN_WEIGHT * pawns.is_there + PAWN_BIAS
    with_them[places, OF_PAWNS] = of_colors + (none + odds)[:, None]
    return field_evidence.normalized(with_them)


def with_block_colors(
    seen: field_evidence.FieldEvidence,
    photo: Image,
    pose: Pose,
    light: Light,
    block: float,
    towers: Array,
) -> field_evidence.FieldEvidence:
    """The evidence with the colours of all blocks that probably stand there.

    block: its height. towers: as of `standing_towers`.
    """
    is_tower = seen.kinds[:, field_evidence.KINDS.index(field_evidence.TOWER), None] > MIN_STANDING
    possible = is_tower & (seen.heights > MIN_LEVEL)
    highest = (possible * np.arange(1, field_evidence.HEIGHTS + 1)).max(axis=1)
    places, levels = np.nonzero(np.arange(field_evidence.HEIGHTS) < highest[:, None])
    if not len(places):
        return seen
    above = seen.heights.argmax(axis=1)[places] - levels
    looked = colors_of_pieces.look_at_blocks(
        photo, pose, light, (places, levels), above, block, towers
    )
    colors, shows = colors_of_pieces.told_beside_others(BLOCKS_NETWORK, looked, light)
    block_colors, shown = seen.block_colors.copy(), seen.shown.copy()
    block_colors[places, levels], shown[places, levels] = colors, shows
    return replace(seen, block_colors=block_colors, shown=shown)


def told_fields(
    seen: SeenFields, calibration: field_evidence.Calibration = field_evidence.CALIBRATION
) -> field_evidence.FieldEvidence:
    """What is seen on each field, calibrated."""
    evidence = field_evidence.calibrated(seen.evidence, calibration)
    kinds = with_pawns(without_hidden(evidence.kinds, seen.hidden), seen.pawns)
    return replace(evidence, kinds=kinds)


def without_hidden(kinds: Array, hidden: Array) -> Array:
    """The log-probabilities of kinds (81, kinds) without what is seen of what towers hide.

    It is the towers'. hidden: as of `SeenFields`.
    """
    share = np.clip((hidden - HIDDEN[0]) / (HIDDEN[1] - HIDDEN[0]), 0, 1)
    return field_evidence.normalized((1 - share) * kinds + share * USUAL_KINDS)


def pose_of(photo: Image, placed: PlacedBoard) -> Pose:
    height, width = photo.shape[:2]
    return pose_of_plane(placed.homography, (width, height))


def ground_of(board: Board, picture: Image | None) -> Ground:
    """picture: of the empty board, as of `reference_of`; None: only its colours are known."""
    kinds, count = kinds_of(board), len(Color)
    return Ground(kinds, count, None if picture is None else reference_of(picture, kinds, count))


def views_of(photo: Image, placed: PlacedBoard, ground: Ground) -> Floats:
    """The network's input for each field, in the order of ``FIELDS``."""
    pose = pose_of(photo, placed)
    return look_at_cells(photo, placed.homography, pose, ground, placed.light, list(FIELDS))


def see_towers(
    photo: Image,
    pose: Pose,
    views: Floats,
    first: field_evidence.FieldEvidence,
    block: float | None = None,
) -> list[Towers]:
    """The towers, with each height that a block may have. block: one that was learnt."""
    is_tower = first.kinds[:, field_evidence.KINDS.index(field_evidence.TOWER)]
    places = np.flatnonzero(is_tower > MIN_TOWER)
    if not len(places):
        return []
    sure = np.exp(is_tower[places])
    blocks = [height for height, _ in block_height_guesses(first)]
    if block is not None:
        blocks.insert(0, block)
    found: list[Towers] = []
    for height in blocks:
        if any(abs(np.log(height / other.block)) < SAME_BLOCK for other in found):
            continue
        second = read_views(views[places], height)
        possible = second.heights > MIN_HEIGHT
        tops = see_tops(photo, pose, places, height, possible)
        found.append(Towers(places, sure, height, second, tops))
    return found


def read_views(views: Floats, block: float) -> field_evidence.FieldEvidence:
    """The evidence of the network. block: how high one is, in fields; 0 for unknown.

    Fields that are not sure are read once more from mirrored views, and the log-odds averaged.
    """
    told = with_levels(views, block)
    outputs = np.array(run_next(NETWORK, told), np.float32)
    unsure = field_evidence.parse_outputs(outputs).kinds.max(axis=1) < MIRRORED
    if unsure.any():
        mirrored = np.ascontiguousarray(told[unsure, :, :, ::-1])
        outputs[unsure] = (outputs[unsure] + run_next(NETWORK, mirrored)) / 2
    return field_evidence.parse_outputs(outputs)


def _hidden(pose: Pose, heights: Array, towers: Array) -> Array:
    """Which share of each kind of thing nearer towers would hide on each field, (81, kinds).

    heights: (81,), of a tower on each field, if there is one, in fields. towers: as of
    `standing_towers`.
    """
    cells, pawn_heights = np.array(FIELDS, np.float64), np.full(len(FIELDS), PAWN_HEIGHT)
    of_towers, of_pawns = (
        hidden_shares(pose, cells, box, towers, towers > 0)
        for box in ((USUAL_WIDTH, heights), (PAWN_WIDTH, pawn_heights))
    )
    pawns = np.repeat(of_pawns[:, None], len(field_evidence.KINDS) - 2, axis=1)
    return np.column_stack([of_towers, pawns, of_towers])


def _is_unsure(seen: field_evidence.FieldEvidence, places: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether it is not sure what stands on each place (N,), or how high a tower there is."""
    kinds, heights = seen.kinds[places], seen.heights[places]
    is_tower = kinds.argmax(axis=1) == field_evidence.KINDS.index(field_evidence.TOWER)
    known = np.where(
        is_tower, np.minimum(kinds.max(axis=1), heights.max(axis=1)), kinds.max(axis=1)
    )
    return np.asarray(known < SURE_FIELD)


def _together(first: field_evidence.FieldEvidence, towers: Towers) -> field_evidence.FieldEvidence:
    """The first reading, updated with what the second one tells about the towers."""
    kinds, heights = first.kinds.copy(), first.heights.copy()
    second, places = towers.second, towers.places
    mixed = (1 - SECOND_WEIGHT) * kinds[places] + SECOND_WEIGHT * second.kinds
    mixed[:, field_evidence.KINDS.index(field_evidence.TOWER)] += np.logaddexp.reduce(
        towers.log_heights, axis=1
    )
    kinds[places], heights[places] = (
        field_evidence.normalized(mixed),
        field_evidence.normalized(towers.log_heights),
    )
    return replace(first, kinds=kinds, heights=heights)
