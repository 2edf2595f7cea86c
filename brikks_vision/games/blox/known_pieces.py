"""What is known of a set's pieces, from a photo of its set-up, and how definitions hold it."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.headers import read_header
from brikks_vision.errors import DefinitionDamaged, PhotoUnreadable
from brikks_vision.games.blox.block_colors import CLUES as BLOCK_CLUES
from brikks_vision.games.blox.block_colors import KNOWN, MASK, PIXELS, Examples
from brikks_vision.games.blox.pawns import CLUES as PAWN_CLUES

MIN_BLOCK, MAX_BLOCK = 0.1, 1.2  # height, fields
QUALITY = 95  # of the JPEG picture of all faces
MAX_EXAMPLES = 40  # of a kind: no box holds more
MAX_CLUE = 1000.0  # those of photos are below 10
DIGITS = 4  # of the clues


@dataclass(frozen=True)
class Pieces:
    """block: how high one is, fields. pawns, blocks: some of them, with their colours."""

    block: float
    pawns: Examples | None = None
    blocks: Examples | None = None

    @property
    def data(self) -> dict[str, Any]:
        """As definitions hold it."""
        kinds = {"pawns": self.pawns, "blocks": self.blocks}
        shown = {kind: _data(each) for kind, each in kinds.items() if each is not None}
        return {"block": self.block, **shown}


def parse_pieces(data: Any, source: object) -> Pieces | None:
    """The pieces of a definition; raises DefinitionDamaged."""
    if data is None:
        return None
    height = data.get("block") if isinstance(data, dict) else None
    if not isinstance(height, int | float) or not MIN_BLOCK <= height <= MAX_BLOCK:
        raise DefinitionDamaged(source, "pieces.block")
    pawns, blocks = (
        _parse(data.get(kind), clues, f"pieces.{kind}", source)
        for kind, clues in (("pawns", PAWN_CLUES), ("blocks", BLOCK_CLUES))
    )
    return Pieces(float(height), pawns, blocks)


def _data(examples: Examples) -> dict[str, Any]:
    return {
        "colors": examples.colors.tolist(),
        "clues": [[round(float(value), DIGITS) for value in each] for each in examples.clues],
        "hidden": b64encode(np.packbits(examples.hidden).tobytes()).decode("ascii"),
        "faces": b64encode(examples.picture or _encoded(examples.faces)).decode("ascii"),
    }


def _encoded(faces: NDArray[np.uint8]) -> bytes:
    """One picture of all faces, a piece below the other."""
    picture = faces.swapaxes(1, 2).reshape(-1, 2 * PIXELS, 3)
    options = [
        cv2.IMWRITE_JPEG_QUALITY, QUALITY,
        cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
    ]  # fmt: skip
    _, encoded = cv2.imencode(".jpg", picture, options)
    return encoded.tobytes()


def _parse(data: Any, clues: int, part: str, source: object) -> Examples | None:
    if data is None:
        return None
    if not isinstance(data, Mapping):
        raise DefinitionDamaged(source, part)
    try:
        colors = np.asarray(data["colors"], np.intp)
        precise = np.asarray(data["clues"], np.float64)
        bits = np.frombuffer(b64decode(data["hidden"], validate=True), np.uint8)
        picture = b64decode(data["faces"], validate=True)
        size = read_header(picture).size
    except (KeyError, TypeError, ValueError, OverflowError, Error, PhotoUnreadable):
        raise DefinitionDamaged(source, part) from None
    count = len(colors) if colors.ndim == 1 else 0
    points = count * 2 * MASK * MASK
    fits = precise.shape == (count, clues) and size == (2 * PIXELS, count * PIXELS)
    fits = fits and len(bits) == -(-points // 8)
    are_colors = bool(((colors >= 0) & (colors < KNOWN)).all())
    is_known = bool((np.abs(precise) <= MAX_CLUE).all())
    if not (0 < count <= MAX_EXAMPLES and fits and are_colors and is_known):
        raise DefinitionDamaged(source, part)
    flat = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    if flat is None or flat.shape != (count * PIXELS, 2 * PIXELS, 3):
        raise DefinitionDamaged(source, part)
    faces = flat.reshape(count, PIXELS, 2, PIXELS, 3).swapaxes(1, 2)
    hidden = np.unpackbits(bits, count=points).astype(np.bool_).reshape(count, 2, MASK, MASK)
    known = precise.astype(np.float32)
    return Examples(np.ascontiguousarray(faces, np.uint8), hidden, known, colors, picture)
