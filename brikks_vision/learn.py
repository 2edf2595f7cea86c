"""A printing learnt from one photo of its empty sheet.

``learn_sheet`` finds out where the fields of the printing stand and keeps the picture of the empty
sheet, so that marks can be told from print. What is learnt travels as a sheet definition
(`brikks_vision.definition`).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import cast

from brikks_vision.definition import definition_data, definition_text, is_sheet_name, kept_folder
from brikks_vision.detect.blank import blank_picture
from brikks_vision.detect.markers import marker_matches
from brikks_vision.detect.photo import Source, load_photo, stored
from brikks_vision.detect.placement import Image
from brikks_vision.errors import (
    AnswerOffSheet,
    AnswerUnclear,
    BlankOfOtherGame,
    BrikksError,
    DefinitionDamaged,
    GridNotFound,
    LayoutUnknown,
    OutputNotWritable,
    SheetBackShown,
    SheetIsPackaged,
    SheetNameTaken,
    SheetNameUnfit,
    UnknownValue,
)
from brikks_vision.files import write_whole
from brikks_vision.games import BOARDS, LEARNABLE, board_game_named, check_fields
from brikks_vision.games.learning import Learn, Learnt, Settable
from brikks_vision.layout import (
    Layout,
    layout_from_file,
    layout_from_json,
    load_layout,
    packaged_layouts,
    packaged_names,
)

LONG_SIDE = 2600  # px of the photo that is looked at; then a page has about what its blank keeps


def learn_sheet(
    source: Source,
    game: str | None = None,
    name: str | None = None,
    settings: Mapping[str, str] | None = None,
) -> Learnt:
    """Learn a printing from one photo of its empty sheet.

    Parameters
    ----------
    source : as of `brikks_vision.scan`.
    game : by its name; None tries all that can be learnt.
    name : of the learnt layout: small letters, digits, "-" and "_"; else one after the photo.
    settings : what the user says of the print, such as {"cell 3,4": "2", "row 5": "violet"}.

    Returns
    -------
    Learnt
        With ``doubts``, which ``settings`` of another call settle.

    Raises
    ------
    PhotoUnreadable
        The photo is no picture, or shows no empty sheet of the game, or not well enough.
    SourceUnknown, UnknownValue, SheetNameUnfit
        The source holds no photo, there is no such game, or a sheet cannot be called so.
    AnswerUnclear, AnswerOffSheet
        A setting is none, or the sheet has no such place.
    """
    if game is not None and game not in LEARNABLE:
        raise UnknownValue("--game", game, ", ".join(LEARNABLE))
    if name is not None:
        check_name(name)
    photo = load_photo(stored(source), LONG_SIDE)
    called = name or name_after(photo.name, game)
    settings = settings or {}
    marked = _game_by_markers(photo.image)
    if game is not None:
        if marked not in (None, game):
            raise BlankOfOtherGame(packaged_layouts(game)[0].title)
        return _learner(game)(photo, called, settings)
    problem: BrikksError = GridNotFound()
    for each in LEARNABLE if marked is None else (marked,):
        try:
            return _learner(each)(photo, called, settings)
        except (BlankOfOtherGame, GridNotFound):
            continue
        except (SheetBackShown, AnswerUnclear, AnswerOffSheet) as error:
            problem = error  # a setting may be one of another game
    raise problem


def _game_by_markers(image: Image) -> str | None:
    """The game whose printed sheet has the markers that the photo shows."""
    for game in LEARNABLE:
        for layout in packaged_layouts(game):
            if layout.markers and marker_matches(image, layout.markers) is not None:
                return game
    return None


def _learner(game: str) -> Learn:
    return cast(Learn, import_module(f"brikks_vision.games.{game}.learn").learn)


def settable(learnt: Learnt) -> tuple[Settable, ...]:
    """The places of whose print ``settings`` of `learn_sheet` can say what it is."""
    module = import_module(f"brikks_vision.games.{learnt.layout.game}.learn")
    return cast("tuple[Settable, ...]", module.settable(learnt))


def sheet_name(title: str) -> str:
    """The name of a sheet as files bear it; empty where the title gives none, or is a path.

    >>> sheet_name("Mein Brett (größer)"), sheet_name("..")
    ('mein-brett-grosser', '')
    """
    if re.search(r"[/\\]", title):
        return ""
    letters = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9_-]+", "-", letters).strip("-_")[:40]


def name_after(photo: str, game: str | None) -> str:
    """What to call a sheet that was learnt from a photo.

    >>> name_after("IMG 0042.JPG", None), name_after("-.png", None)
    ('img-0042', 'learnt')
    """
    name = sheet_name(Path(photo).stem) or "learnt"
    return f"{game or 'my'}-{name}" if name in packaged_names() else name


def open_sheet(sheet: Layout | Learnt | str | Path) -> Layout:
    """The layout that ``--sheet`` names: itself, a definition's path, or a name.

    A text that ends in ".json" or has a folder in it is a path.

    Raises
    ------
    LayoutUnknown, DefinitionMissing, DefinitionDamaged, DefinitionVersion
    """
    if isinstance(sheet, Learnt):
        return sheet.layout
    if isinstance(sheet, Layout):
        return sheet
    is_path = isinstance(sheet, Path) or sheet.endswith(".json") or Path(sheet).name != sheet
    return checked(layout_from_file(Path(sheet))) if is_path else checked(load_layout(str(sheet)))


def checked(layout: Layout) -> Layout:
    """The layout, if its game can read it and its blank can be decoded.

    Raises
    ------
    DefinitionDamaged
    """
    if layout.game not in LEARNABLE:
        raise DefinitionDamaged(layout.name, "game")
    try:
        check_fields(layout)
    except ValueError as error:
        raise DefinitionDamaged(layout.name, "printed") from error
    blank_picture(layout)
    return layout


def check_name(name: str) -> None:
    """Refuse what no sheet can be called; raises SheetNameUnfit, SheetNameTaken."""
    if not is_sheet_name(name):
        raise SheetNameUnfit(name, name_after(name, None))
    if name in packaged_names():
        raise SheetNameTaken(name)


def keep_sheet(content: str, name: str) -> Path:
    """Keep a definition (its JSON) in the user's data folder under a name.

    Raises
    ------
    SheetNameUnfit, SheetNameTaken, DefinitionDamaged, DefinitionVersion, OutputNotWritable
    """
    check_name(name)
    check_definition(content, name)
    path = kept_folder() / f"{name}.json"
    if path.exists():
        raise SheetNameTaken(name)
    with suppress(OSError):  # what cannot be made cannot be written in, either
        path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content.encode("utf-8"))
    return path


def add_sheet(path: Path, name: str | None = None) -> Path:
    """Keep a definition's file in the user's data folder; under its own name, if no other is given.

    Raises
    ------
    DefinitionMissing, DefinitionDamaged, DefinitionVersion
    SheetNameUnfit, SheetNameTaken, OutputNotWritable
    """
    content = definition_text(path)
    check_definition(content, path)
    data = definition_data(content, path)
    return keep_sheet(json.dumps(data, ensure_ascii=False), name or data["name"])


def check_definition(content: str | bytes, source: object) -> str:
    """The title of a definition, of a sheet or of a board, that can be read.

    ``source`` : where it is from, for messages.

    Raises
    ------
    DefinitionDamaged, DefinitionVersion
    """
    data = definition_data(content, source)
    if data.get("game") in BOARDS:
        return str(board_game_named(data["game"]).parse_definition(data, source).title)
    return checked(layout_from_json(content, source)).title


def remove_sheet(name: str) -> None:
    """Remove a definition from the user's data folder.

    Raises
    ------
    LayoutUnknown, SheetIsPackaged, OutputNotWritable
    """
    if name in packaged_names():
        raise SheetIsPackaged(name)
    path = kept_folder() / f"{name}.json"
    if not is_sheet_name(name) or not path.is_file():
        raise LayoutUnknown(name)
    try:
        path.unlink()
    except OSError as error:
        raise OutputNotWritable(path, error.strerror or error) from error
