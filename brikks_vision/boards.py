"""From a photo of a game board to its reading, as `brikks_vision.pipeline` does for sheets."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from brikks_vision.decode.game import BoardGame, BoardLearnt, BoardSeen
from brikks_vision.definition import definition_data, definition_text, is_sheet_name, kept_folder
from brikks_vision.detect.photo import Photo, load_photo, read_stream
from brikks_vision.errors import (
    BrikksError,
    DefinitionDamaged,
    LayoutUnknown,
    PhotoUnreadable,
    UnknownValue,
)
from brikks_vision.games import BOARDS, board_game_named
from brikks_vision.reading import Reading, Status, UnreadableSheet
from brikks_vision.show.words import in_words

LONG_SIDE = 1400  # px of the photo that is looked at: fields are then some 100 px wide at most
LEARNING_SIDE = 2000  # px of the photo of an empty board
NO_ANSWERS: Mapping[str, str] = {}

Source = str | Path | bytes | BinaryIO | NDArray[Any]


def board_game(name: str | None = None) -> BoardGame:
    """The board game of that name, or the only one; raises UnknownValue."""
    if name is not None and name not in BOARDS:
        raise UnknownValue("game", name, ", ".join(BOARDS))
    return board_game_named(name or next(iter(BOARDS)))


def is_board(game: str | None, sheet: object = None) -> bool:
    """Whether a board is meant: by the game's name, or by a definition that is one of a board.

    A definition that cannot be read is none of a board.
    """
    if game is not None or not isinstance(sheet, str | Path):
        return game in BOARDS
    with suppress(BrikksError):
        return _data_of(sheet).get("game") in BOARDS
    return False


def open_board(game: BoardGame, sheet: str | Path | None = None) -> Any:
    """The board that is named: a definition's path, a name that is kept; None: the packaged one.

    A text that ends in ".json" or has a folder in it is a path.

    Raises
    ------
    LayoutUnknown, DefinitionMissing, DefinitionDamaged, DefinitionVersion
    """
    if sheet is None or str(sheet) == game.packaged_board().name:
        return game.packaged_board()
    data = _data_of(sheet)
    if data.get("game") != game.NAME:
        raise DefinitionDamaged(sheet, "game")
    return game.parse_definition(data, sheet)


def parsed_board(text: str | bytes, source: object) -> Any:
    """A board from its definition.

    Raises
    ------
    DefinitionDamaged, DefinitionVersion
    """
    data = definition_data(text, source)
    if data.get("game") not in BOARDS:
        raise DefinitionDamaged(source, "game")
    return board_game_named(data["game"]).parse_definition(data, source)


def _data_of(sheet: str | Path) -> dict[str, Any]:
    is_path = isinstance(sheet, Path) or sheet.endswith(".json") or Path(sheet).name != sheet
    path = Path(sheet) if is_path else kept_folder() / f"{sheet}.json"
    if not is_path and not (is_sheet_name(str(sheet)) and path.is_file()):
        raise LayoutUnknown(str(sheet))
    return definition_data(definition_text(path), sheet)


def learn_board(
    source: Source,
    game: str | None = None,
    name: str | None = None,
    settings: Mapping[str, str] | None = None,
) -> BoardLearnt:
    """Learn a board from a photo of it, empty.

    Parameters are those of `brikks_vision.learn.learn_sheet`.

    Raises
    ------
    PhotoUnreadable
        No board is found, it is cut off, or something stands on it.
    UnknownValue, AnswerUnclear, AnswerOffSheet
    """
    photo = _load(source, LEARNING_SIDE)
    return board_game(game).learn(photo, name or "board", settings or {})


def scan_board(
    source: Source,
    game: str | None = None,
    sheet: str | Path | None = None,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
) -> Reading:
    """Read what stands on a board; like `brikks_vision.scan` with ``game`` that of a board.

    Returns
    -------
    The game's own reading, without a score, or an `UnreadableSheet`.

    Raises
    ------
    As `brikks_vision.scan`.
    """
    chosen = board_game(game)
    board = open_board(chosen, sheet)
    try:
        return read_board(source, chosen, board, language, answers or NO_ANSWERS).reading
    except PhotoUnreadable as error:
        return unreadable_board(chosen, name_of(source), error.text(language))


def read_board(
    source: Source, game: BoardGame, board: Any, language: str, answers: Mapping[str, str]
) -> BoardSeen:
    """Like `scan_board`, with what a picture of it needs; raises PhotoUnreadable."""
    start = time.perf_counter()
    photo = replace(_load(source, LONG_SIDE), name=name_of(source))
    spent = {"load": 1000 * (time.perf_counter() - start)}
    seen = game.read(photo, board, answers)
    reading = in_words(seen.reading, language)
    timed = replace(reading, timing_ms={**spent, **reading.timing_ms})
    return replace(seen, reading=timed)  # type: ignore[type-var]


def unreadable_board(game: BoardGame, photo: str, error: str) -> UnreadableSheet:
    """The reading of a board that cannot be read; ``error``: why, and what to do."""
    nothing = Reading.classes[game.NAME].no_content()
    return UnreadableSheet(
        photo=photo, status=Status.UNREADABLE, game=game.NAME, error=error, nothing=nothing
    )


def name_of(source: Source) -> str:
    """What a reading calls the photo: the name of its file, if it has one."""
    path = source if isinstance(source, str | Path) else getattr(source, "name", None)
    return Path(path).name if isinstance(path, str | Path) else "photo"


def _load(source: Source, long_side: int) -> Photo:
    stored = source if isinstance(source, str | Path | bytes | np.ndarray) else read_stream(source)
    return load_photo(stored, long_side)


def board_json(board: BoardLearnt, name: str) -> str:
    """The definition of a learnt board under another name."""
    return json.dumps({**json.loads(board.to_json()), "name": name}, indent=1) + "\n"
