"""Printings of all games: opened, kept, listed and removed, sheets and boards alike.

A definition names its game, which parses it. What a user keeps lies as files in `kept_folder`.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from brikks_vision import games
from brikks_vision.errors import (
    BrikksError,
    DefinitionDamaged,
    LayoutUnknown,
    OutputNotWritable,
    SheetIsPackaged,
    SheetNameTaken,
    SheetNameUnfit,
    SheetOfOtherGame,
)
from brikks_vision.files import write_whole
from brikks_vision.layout import Printing, packaged_finders, packaged_layouts, packaged_names
from brikks_vision.layout.definition import PACKED, definition_data, definition_text, is_sheet_name


def kept_folder() -> Path:
    """Where the user's definitions are kept; it may not exist."""
    from platformdirs import user_data_path

    return user_data_path("brikks-vision", appauthor=False) / "sheets"


def kept_files() -> tuple[Path, ...]:
    """The user's definitions, by name; none where the folder cannot be read."""
    try:
        files = sorted(kept_folder().iterdir())
    except OSError:
        return ()
    return tuple(file for file in files if file.suffix == ".json" and is_sheet_name(file.stem))


def known_printings(game: str | None = None) -> tuple[Printing, ...]:
    """The printings of a game, or of all: the package's first, then those that a user keeps."""
    names = tuple(games.GAMES) if game is None else (game,)
    packaged = (each for name in names for each in _packaged(name))
    return (*packaged, *(each for each in kept_printings() if each.game in names))


def printings_found_by(finders: Collection[str]) -> tuple[Printing, ...]:
    """The known printings of all games that one of these finders finds.

    Games whose printings other finders find are not imported: that takes long.
    """
    names = [
        name for name in games.GAMES if not (told := packaged_finders(name)) or told & {*finders}
    ]
    known = (*(each for name in names for each in _packaged(name)), *kept_printings())
    return tuple(each for each in known if each.finder in finders)


def _packaged(game: str) -> Sequence[Printing]:
    """The packaged printings; layouts are read without importing their game."""
    return packaged_layouts(game) or games.game_named(game).packaged()


def kept_printings() -> tuple[Printing, ...]:
    """The printings that the user keeps, by name; those that cannot be read are left out.

    ``brikks-scan sheet list`` names them.
    """
    found = []
    for file in kept_files():
        with suppress(BrikksError):
            found.append(_kept(file.stem))
    return tuple(found)


def _kept(name: str) -> Printing:
    path = kept_folder() / f"{name}.json"
    if not is_sheet_name(name):
        raise LayoutUnknown(name)
    try:
        status = path.stat()
    except OSError:
        raise LayoutUnknown(name) from None
    return _read_kept(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=64)  # one printing a file, until the file changes
def _read_kept(path: Path, changed_ns: int, size: int) -> Printing:
    data = definition_data(definition_text(path), path.stem)
    return _parsed({**data, "name": path.stem}, path.stem)


def parse_printing(text: str | bytes, source: object) -> Printing:
    """The printing of a definition. ``source``: where it is from, for messages.

    Raises
    ------
    DefinitionDamaged, DefinitionVersion
    """
    return _parsed(definition_data(text, source), source)


_opened = lru_cache(maxsize=16)(parse_printing)  # with what is derived from each printing


def _parsed(data: dict[str, Any], source: object) -> Printing:
    game = data.get("game")
    if not isinstance(game, str) or game not in games.GAMES:
        raise DefinitionDamaged(source, "game")
    return games.game_named(game).parse_printing(data, source)


def open_printing(sheet: object) -> Printing:
    """The printing that ``sheet`` of a scan means.

    sheet: a printing, one that was learnt, a definition's path, or a name. A text that ends in
    ".json" or ".brikks", or has a folder in it, is a path.

    Raises
    ------
    LayoutUnknown, DefinitionMissing, DefinitionDamaged, DefinitionVersion
    """
    if isinstance(sheet, str | Path):
        is_path = (
            isinstance(sheet, Path)
            or sheet.endswith((".json", PACKED))
            or Path(sheet).name != sheet
        )
        if is_path:
            return _opened(definition_text(Path(sheet)), Path(sheet))
        packaged = (each for name in games.GAMES for each in _packaged(name))
        return next((each for each in packaged if each.name == sheet), None) or _kept(str(sheet))
    found = getattr(sheet, "layout", sheet)
    if not hasattr(found, "finder"):
        raise LayoutUnknown(sheet)
    return cast(Printing, found)


def printings_sought(game: str | None = None, sheet: object = None) -> tuple[Printing, ...]:
    """The printings to search for: one, those of a game, or all that are known.

    Raises
    ------
    UnknownValue, LayoutUnknown, DefinitionMissing, DefinitionDamaged, DefinitionVersion
    SheetOfOtherGame
    """
    if game is not None:
        games.check_named(game)
    if sheet is None:
        return known_printings(game)
    found = open_printing(sheet)
    if game not in (None, found.game):
        raise SheetOfOtherGame(found.name, str(game))
    return (found,)


def printings_with(facet: str, sheet: object = None) -> tuple[Printing, ...]:
    """As of `printings_sought`, only of games that have this part of `Game`.

    Raises
    ------
    As of `printings_sought`
    """
    names = [game.NAME for game in games.games_with(facet)]
    found = printings_sought(None, sheet)
    if sheet is not None and found[0].game not in names:
        raise SheetOfOtherGame(found[0].name, ", ".join(names))
    return tuple(each for each in found if each.game in names)


# --- what readings name --------------------------------------------------------------------------

_in_use: dict[tuple[str, str], Printing] = {}


def use(printing: Printing) -> None:
    """Make a printing known by its content, so that readings with it can be shown."""
    if printing.printing is not None:
        _in_use[printing.game, printing.printing] = printing


def is_in_use(game: str, printing: str) -> bool:
    """Whether a printing of that game and content is known already."""
    return (game, printing) in _in_use


def printing_read_with(game: str, name: str, printing: str | None) -> Printing:
    """The printing that a reading names: the package's, one that is kept, or one that is in use.

    printing : `Printing.printing`; None of the package's, and in readings of older versions, which
        know a printing by its name alone

    Raises
    ------
    LayoutUnknown
    """
    if printing is None:
        for packaged in games.game_named(game).packaged():
            if packaged.name == name:
                return packaged
    for each in _all_but_packaged(name):
        if each.game == game and (each.name if printing is None else each.printing) == (
            printing or name
        ):
            return each
    raise LayoutUnknown(name)


def _all_but_packaged(name: str) -> Iterator[Printing]:
    """Those that the user keeps are opened one by one, that name first."""
    yield from _in_use.values()
    with suppress(BrikksError):
        yield _kept(name)
    yield from kept_printings()


# --- keeping -------------------------------------------------------------------------------------


def sheet_name(title: str) -> str:
    """The name of a printing as files bear it; empty where the title gives none, or is a path.

    >>> sheet_name("Mein Brett (größer)"), sheet_name("..")
    ('mein-brett-grosser', '')
    """
    if re.search(r"[/\\]", title):
        return ""
    letters = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9_-]+", "-", letters).strip("-_")[:40]


def name_after(photo: str, game: str | None) -> str:
    """The name for a printing that was learnt from a photo.

    >>> name_after("IMG 0042.JPG", None), name_after("-.png", None)
    ('img-0042', 'learnt')
    """
    name = sheet_name(Path(photo).stem) or "learnt"
    return f"{game or 'my'}-{name}" if name in packaged_names() else name


def check_name(name: object) -> None:
    """Raises SheetNameUnfit or SheetNameTaken if no new printing can have this name."""
    if not isinstance(name, str) or not is_sheet_name(name):
        raise SheetNameUnfit(str(name), name_after(str(name), None))
    if name in packaged_names():
        raise SheetNameTaken(name)


def keep_printing(definition: str, name: str) -> Path:
    """Keep a definition (its JSON) in the user's data folder under a name.

    Raises
    ------
    SheetNameUnfit, SheetNameTaken, DefinitionDamaged, DefinitionVersion, OutputNotWritable
    """
    check_name(name)
    parse_printing(definition, name)
    path = kept_folder() / f"{name}.json"
    if path.exists():
        raise SheetNameTaken(name)
    with suppress(OSError):  # the write below fails then, too, and says why
        path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, definition.encode("utf-8"))
    return path


def add_printing(definition: bytes, source: object, name: str | None = None) -> Path:
    """Keep a definition in the user's data folder; under its own name, if no other is given.

    source: what errors call it; they are DefinitionDamaged, DefinitionVersion, SheetNameUnfit,
    SheetNameTaken and OutputNotWritable.
    """
    parse_printing(definition, source)
    data = definition_data(definition, source)
    return keep_printing(json.dumps(data, ensure_ascii=False), name or data["name"])


def remove_printing(name: str) -> None:
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
