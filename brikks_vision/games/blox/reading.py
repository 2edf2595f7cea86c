"""What a photo of a board is read as, with its doubts and its status."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.board import lattice_corners
from brikks_vision.detect.placement import apply_homography
from brikks_vision.games.blox.decode import FIRST_TOWER, PAWNS, Decoded
from brikks_vision.games.blox.field_evidence import CALIBRATION
from brikks_vision.rules.blox.board import FIELDS, SIDE, index
from brikks_vision.rules.blox.material import Field
from brikks_vision.rules.blox.phases import phases_of
from brikks_vision.rules.blox.position import Position, Thing, Tower, tower_of
from brikks_vision.rules.blox.referee import referee

Array = NDArray[np.float64]

SURE, DOUBT = CALIBRATION.sure, CALIBRATION.doubt
NOTHING = "nothing"
"""What answers call a field on which nothing stands."""


@dataclass(frozen=True)
class Doubt:
    """A field that may bear something else. otherwise: the second most probable; None: nothing."""

    field: Field
    read: Thing | None
    confidence: float
    otherwise: Thing | None


@dataclass(frozen=True)
class BoardReading:
    """What stands on the board.

    confidences: by field, the probability of what is read there. chance: that all fields, heights
    and pawns are right. block_confidences: by field of a tower, of each block's colour, bottom-up,
    0 for one that does not show. corners: of the fields in the photo, clockwise from the board's
    first one, (4, 2) px. log_chances, expected, block_colors, shown: as of
    `Decoded`.
    """

    position: Position
    status: Literal["ok", "uncertain"]
    chance: float
    confidences: Mapping[Field, float]
    block_confidences: Mapping[Field, tuple[float, ...]]
    doubts: tuple[Doubt, ...]
    corners: Array
    log_chances: Array
    expected: Array
    block_colors: Array
    shown: Array
    homography: Array

    @property
    def phases(self) -> tuple[int, ...]:
        return phases_of(self.position)

    def to_dict(self) -> dict[str, Any]:
        """The board's part of the reading's JSON."""
        position = self.position
        return {
            "status": self.status,
            "fields": list(position.board.field_colors),
            "towers": [
                {
                    "field": list(field),
                    "height": tower.height,
                    "blocks": [None if color is None else str(color) for color in tower.blocks],
                    "confidence": round(self.confidences[field], 4),
                }
                for field, tower in position.towers.items()
            ],
            "pawns": [
                {
                    "field": list(field),
                    "color": str(pawn),
                    "confidence": round(self.confidences[field], 4),
                }
                for field, pawn in position.pawns.items()
            ],
            "phase": list(self.phases),
            "score": None,
            "doubts": [
                {
                    "where": place_of(doubt.field),
                    "read": thing_text(doubt.read),
                    "confidence": round(doubt.confidence, 4),
                    "otherwise": thing_text(doubt.otherwise),
                }
                for doubt in self.doubts
            ],
            "corners": [[round(x, 1), round(y, 1)] for x, y in self.corners.tolist()],
        }


def place_of(field: Field) -> str:
    """A field as doubts and answers name it: "field 3,4", its row and column."""
    return f"field {field[0]},{field[1]}"


def thing_text(thing: Thing | None) -> str:
    """A thing as doubts and answers write it: "nothing", a pawn's colour, "tower 3"."""
    if thing is None:
        return NOTHING
    return f"tower {thing.height}" if isinstance(thing, Tower) else str(thing)


def compose(decoded: Decoded, homography: Array) -> BoardReading:
    """The reading of a decoded position."""
    confidences = decoded.confidences
    is_sure = decoded.chance >= SURE and not referee(decoded.position)
    unsure = [field for field in FIELDS if confidences[index(field)] < DOUBT and not is_sure]
    doubts = [_doubt(decoded, field) for field in unsure]
    doubts.sort(key=lambda doubt: doubt.confidence)
    return BoardReading(
        position=decoded.position,
        status="ok" if is_sure else "uncertain",
        chance=decoded.chance,
        confidences={field: float(confidences[index(field)]) for field in FIELDS},
        block_confidences=decoded.color_chances,
        doubts=tuple(doubts),
        corners=apply_homography(homography, lattice_corners(SIDE)),
        log_chances=decoded.log_chances,
        expected=decoded.expected,
        block_colors=decoded.block_colors,
        shown=decoded.shown,
        homography=homography,
    )


def _doubt(decoded: Decoded, field: Field) -> Doubt:
    row = decoded.log_chances[index(field)].copy()
    chosen = int(decoded.chosen[index(field)])
    confidence = float(np.exp(row[chosen]))
    row[chosen] = -np.inf
    return Doubt(field, decoded.position.at(field), confidence, thing_at(int(row.argmax())))


def thing_at(place: int) -> Thing | None:
    """The thing of that place among `THINGS`; of a tower no block's colour is known."""
    if place >= FIRST_TOWER:
        return tower_of((None,) * (place - FIRST_TOWER + 1))
    return PAWNS[place - 1] if place else None
