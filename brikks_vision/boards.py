"""From a photo of a game board to its reading, as `brikks_vision.pipeline` does for sheets."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from brikks_vision.decode.game import BoardGame, BoardLearnt, BoardSeen
from brikks_vision.definition import (
    definition_data,
    definition_text,
    is_sheet_name,
    kept_files,
    kept_folder,
)
from brikks_vision.detect.photo import Source, Stored, load_photo, stored
from brikks_vision.errors import (
    AnswerOffSheet,
    AnswerUnclear,
    BrikksError,
    DefinitionDamaged,
    LayoutUnknown,
    NoBoardFound,
    PhotoUnreadable,
    SheetOfOtherGame,
    UnknownValue,
)
from brikks_vision.games import BOARDS, GAMES, board_game_named
from brikks_vision.games.learning import Learnt
from brikks_vision.layout import Layout, packaged_layouts
from brikks_vision.learn import check_name, learn_sheet, name_after
from brikks_vision.show.words import localize

LONG_SIDE = 1000  # px of the photo that is looked at first: the networks learnt from such photos
FINE_SIDE = 2000  # px of the photo that is looked at where the board is small in it, or not found
MIN_BOARD = 420  # px: side of a board that is read well; its fields are then 40 px wide and more
LEARNING_SIDE = 2000  # px of the photo of an empty board
POINTS_SIDE = 1600  # px of the photo of chips and blocks: thirty of them are some 100 px wide
NO_ANSWERS: Mapping[str, str] = {}

AnySheet = Layout | Learnt | BoardLearnt | str | Path
"""What ``sheet`` of a scan may be: learnt, a path of a definition, or a name."""


def board_game(name: str | None = None) -> BoardGame:
    """The board game of that name, or the only one; raises UnknownValue."""
    if name is not None and name not in BOARDS:
        raise UnknownValue("game", name, ", ".join(BOARDS))
    return board_game_named(name or next(iter(BOARDS)))


def board_sought(game: str | None, sheet: AnySheet | None = None) -> str | None:
    """The board game that the arguments mean, or None; raises what `is_board` raises."""
    if not is_board(game, sheet):
        return None
    return board_game(game).NAME


def is_board(game: str | None, sheet: AnySheet | None = None) -> bool:
    """Whether a board is meant: by the game's name, or by a definition that is one of a board.

    A definition that cannot be read is none of a board.

    Raises
    ------
    SheetOfOtherGame
        The game is one of sheets, and the definition one of a board, or the other way round.
    """
    if sheet is None or isinstance(sheet, Layout | Learnt):
        return game in BOARDS
    defined = _game_of(sheet)
    if defined is not None and game is not None and (game in BOARDS) != (defined in BOARDS):
        raise SheetOfOtherGame(sheet if isinstance(sheet, str | Path) else sheet.name, game)
    return (defined if game is None else game) in BOARDS


def _game_of(sheet: BoardLearnt | str | Path) -> str | None:
    """The game that a definition says; None where it cannot be read."""
    if not isinstance(sheet, str | Path):
        if not hasattr(sheet, "to_json"):
            raise LayoutUnknown(sheet)
        return str(json.loads(sheet.to_json())["game"])
    packaged = {layout.name: name for name in GAMES for layout in packaged_layouts(name)}
    packaged |= {board_game_named(name).packaged_board().name: name for name in BOARDS}
    if sheet in packaged:
        return packaged[str(sheet)]
    with suppress(BrikksError):
        game = _data_of(sheet).get("game")
        return game if isinstance(game, str) else None
    return None


def open_boards(game: BoardGame, sheet: AnySheet | None = None) -> tuple[Any, ...]:
    """The board that is named, or all that are known: the packaged one and those that are kept.

    sheet: a learnt board, a definition's path, or a name that is kept. A text that ends in ".json"
    or has a folder in it is a path.

    Raises
    ------
    LayoutUnknown, DefinitionMissing, DefinitionDamaged, DefinitionVersion, SheetOfOtherGame
    """
    is_board(game.NAME, sheet)
    if sheet is None:
        return (game.packaged_board(), *kept_boards(game))
    if isinstance(sheet, Layout | Learnt):
        layout = sheet if isinstance(sheet, Layout) else sheet.layout
        raise SheetOfOtherGame(layout.name, game.NAME)
    if not isinstance(sheet, str | Path):
        return (parsed_board(sheet.to_json(), sheet.name),)
    if str(sheet) == game.packaged_board().name:
        return (game.packaged_board(),)
    data = _data_of(sheet)
    if data.get("game") != game.NAME:
        raise DefinitionDamaged(sheet, "game")
    return (game.parse_definition(data, sheet),)


def kept_boards(game: BoardGame) -> Iterator[Any]:
    """The boards of a game that the user keeps; those that cannot be read are left out."""
    for file in kept_files():
        with suppress(BrikksError):
            data = _data_of(file.stem)
            if data.get("game") == game.NAME:
                yield game.parse_definition(data, file)


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
    data = definition_data(definition_text(path), sheet)
    return data if is_path else {**data, "name": sheet}


def learn_sheet_or_board(
    source: Source,
    game: str | None = None,
    name: str | None = None,
    settings: Mapping[str, str] | None = None,
) -> Learnt | BoardLearnt:
    """Learn a printing from a photo of its empty sheet, or a board from one of it, empty.

    Parameters
    ----------
    source, name, settings : as of `brikks_vision.learn.learn_sheet`; of a board, settings are such
        as {"field 3,4": "white"}.
    game : by its name; None tries all sheets, then all boards.

    Raises
    ------
    PhotoUnreadable
        Nothing empty is found, or not well enough.
    SourceUnknown, UnknownValue, SheetNameUnfit, AnswerUnclear, AnswerOffSheet
        As of `brikks_vision.learn.learn_sheet`.
    """
    if game is not None and game not in (*GAMES, *BOARDS):
        raise UnknownValue("--game", game, ", ".join((*GAMES, *BOARDS)))
    photo = stored(source)
    if game in GAMES:
        return learn_sheet(photo, game, name, settings)
    if game in BOARDS:
        return _learn_board(photo, board_game_named(game), name, settings or {})
    try:
        return learn_sheet(photo, None, name, settings)
    except (PhotoUnreadable, AnswerUnclear, AnswerOffSheet) as error:
        for each in BOARDS:
            with suppress(PhotoUnreadable, AnswerUnclear, AnswerOffSheet):
                return _learn_board(photo, board_game_named(each), name, settings or {})
        raise error


def _learn_board(
    source: Stored, game: BoardGame, name: str | None, settings: Mapping[str, str]
) -> BoardLearnt:
    if name is not None:
        check_name(name)
    photo = load_photo(source, LEARNING_SIDE)
    return game.learn(photo, name or name_after(photo.name, game.NAME), settings)


def read_board(
    source: Source,
    game: BoardGame,
    boards: Sequence[Any],
    language: str,
    answers: Mapping[str, str] = NO_ANSWERS,
) -> BoardSeen:
    """Read what stands on the board in a photo, one of those given; raises PhotoUnreadable."""
    seen = see_board(stored(source), name_of(source), game, boards, answers)
    return replace(seen, reading=localize(seen.reading, language))  # type: ignore[type-var]


def read_any_board(
    source: Stored, name: str, language: str, answers: Mapping[str, str]
) -> BoardSeen:
    """Read what stands on any board that is known; ``name``: what the reading calls the photo.

    Raises
    ------
    PhotoUnreadable
        NoBoardFound where there is none.
    AnswerUnclear, AnswerOffSheet
        There is a board, and no such place on it.
    """
    failure: PhotoUnreadable = NoBoardFound()
    for game in map(board_game_named, BOARDS):
        try:
            seen = see_board(source, name, game, open_boards(game))
        except PhotoUnreadable as error:
            failure = failure if isinstance(error, NoBoardFound) else error
            continue
        seen = read_again(seen, answers) if answers else seen
        return replace(seen, reading=localize(seen.reading, language))  # type: ignore[type-var]
    raise failure


def see_board(
    source: Stored,
    name: str,
    game: BoardGame,
    boards: Sequence[Any],
    answers: Mapping[str, str] = NO_ANSWERS,
) -> BoardSeen:
    """Like `read_board`, before texts are put into a language.

    Where the board is small in the photo, or is not found, a finer photo is decoded and read.
    ``name`` : what the reading calls the photo.

    Raises
    ------
    PhotoUnreadable, AnswerUnclear, AnswerOffSheet
    """
    start = time.perf_counter()
    photo = load_photo(source, LONG_SIDE)
    if photo.is_strip:
        raise NoBoardFound
    photo = replace(photo.at_most(LONG_SIDE), name=name)
    load = time.perf_counter() - start
    seen: BoardSeen | PhotoUnreadable
    try:
        seen = game.read(photo, boards, answers)
    except PhotoUnreadable as error:
        seen = error
    if photo.scale < 1 and (isinstance(seen, PhotoUnreadable) or _side(seen) < MIN_BOARD):
        begin = time.perf_counter()
        finer = replace(load_photo(source, FINE_SIDE).at_most(FINE_SIDE), name=name)
        load += time.perf_counter() - begin
        with suppress(PhotoUnreadable):
            seen = game.read(finer, boards, answers)
    if isinstance(seen, PhotoUnreadable):
        raise seen
    spent = 1000 * (time.perf_counter() - start - load)
    timed = replace(seen.reading, timing_ms={"load": 1000 * load, "read": spent})
    return replace(seen, reading=timed)  # type: ignore[type-var]


def _side(seen: BoardSeen) -> float:
    """The side of a square as large as the board in the photo that was looked at, px."""
    corners = np.array(seen.reading.corners, np.float32)
    return seen.photo.scale * float(np.sqrt(cv2.contourArea(corners)))


def read_again(seen: BoardSeen, answers: Mapping[str, str]) -> BoardSeen:
    """Read the photo of a board that was found anew, with what a person says of its fields.

    Raises
    ------
    PhotoUnreadable, AnswerUnclear, AnswerOffSheet
    """
    return board_game(seen.reading.game).read(seen.photo, (seen.board,), answers)


def name_of(source: Source) -> str:
    """What a reading calls the photo: the name of its file, if it has one."""
    path = source if isinstance(source, str | os.PathLike) else getattr(source, "name", None)
    return Path(path).name if isinstance(path, str | os.PathLike) else "photo"
