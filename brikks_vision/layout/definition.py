"""Definitions: a printing as a JSON file, checked wholly, as users keep, send and edit it.

A sheet's has the format of the files in ``layouts/``, its version, what the print means beside
the geometry ("colored_rows", "numbers"), and the picture of the empty sheet. `brikks_vision.layout`
makes a layout of what `check_definition` lets through.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from brikks_vision.errors import DefinitionDamaged, DefinitionMissing, DefinitionVersion

VERSION = 1
GEOMETRY = frozenset(
    {
        "version", "name", "game", "title", "about", "like", "page", "reading_area", "grid",
        "fields", "figures", "settings", "words", "markers", "colors", "printed", "finder",
        "trained", "blank", "doubts", "unsaid",
    }
)  # fmt: skip
"""Keys of a definition that do not say what the print means."""

# Far more than any sheet on paper has; what goes beyond would only fill memory. Set by hand.
MAX_DEFINITION_BYTES = 20_000_000
MAX_SIDE = 50  # rows or columns of the grid
MAX_COORDINATE = 1000.0  # cells
MAX_PLACES = 1000  # of one field
MAX_NAMES = 100  # fields, colours and the like
MAX_LETTERS = 200  # of a name or title
MIN_BLANK_PIXELS, MAX_BLANK_PIXELS = 4, 100  # px per cell
PACKED = ".brikks"
"""How the name of a printing that travels ends: a zip of the two parts below."""
ZIP_SIGN = b"PK"
PRINTING_PART, PICTURE_PART = "printing.json", "picture.jpg"
MARKS = ("cross", "line", "ring", "fill")
FINDERS = ("network", "markers", "reference", "lattice")
"""How a printing is found in a photo: by networks that know its print, by its markers, by the
picture of its empty sheet, or by the lines of a board."""


def is_sheet_name(name: str) -> bool:
    """Whether a layout can be called so, on every file system."""
    return re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", name) is not None


def is_packed(path: Path) -> bool:
    """Whether a file is a printing as it travels; False where it cannot be opened."""
    try:
        with path.open("rb") as file:
            return file.read(len(ZIP_SIGN)) == ZIP_SIGN
    except OSError:
        return False


def packed(definition: str) -> bytes:
    """A definition as it travels: a zip of its JSON and the picture of the empty sheet."""
    data = json.loads(definition)
    picture = (data.get("blank") or {}).pop("picture", None)
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as parts:
        parts.writestr(PRINTING_PART, json.dumps(data, ensure_ascii=False))
        if picture is not None:
            parts.writestr(PICTURE_PART, b64decode(picture))
    return file.getvalue()


def unpacked(data: bytes, source: object) -> bytes:
    """The definition of a printing that travelled; nothing but its two parts is looked at.

    Raises
    ------
    DefinitionDamaged
        It is no such zip, has other parts, or unpacks to more than any definition has.
    """
    try:
        with ZipFile(BytesIO(data)) as parts:
            names = [each.filename for each in parts.infolist()]
            if sorted(names) not in ([PRINTING_PART], [PICTURE_PART, PRINTING_PART]):
                raise DefinitionDamaged(source, "zip")
            found = {name: _part(parts, name, source) for name in names}
    except (BadZipFile, OSError, RuntimeError, ValueError, NotImplementedError, zlib.error):
        raise DefinitionDamaged(source, "zip") from None
    try:
        definition = json.loads(found[PRINTING_PART])
        if PICTURE_PART in found:
            definition["blank"]["picture"] = b64encode(found[PICTURE_PART]).decode("ascii")
    except (ValueError, RecursionError, TypeError, KeyError):
        raise DefinitionDamaged(source, "JSON") from None
    return json.dumps(definition, ensure_ascii=False).encode("utf-8")


def _part(parts: ZipFile, name: str, source: object) -> bytes:
    """A part of a zip, unpacked no further than a definition can be large, whatever it claims."""
    with parts.open(name) as part:
        content = part.read(MAX_DEFINITION_BYTES + 1)
    if len(content) > MAX_DEFINITION_BYTES:
        raise DefinitionDamaged(source, "size")
    return content


def definition_text(path: Path) -> bytes:
    """What stands in the file of a definition, or of one that travelled (`packed`).

    Raises
    ------
    DefinitionMissing, DefinitionDamaged
    """
    try:
        is_too_large = path.stat().st_size > MAX_DEFINITION_BYTES
        text = b"" if is_too_large else path.read_bytes()
    except (OSError, ValueError):  # ValueError: a name with a null character
        raise DefinitionMissing(path) from None
    if is_too_large:
        raise DefinitionDamaged(path, "size")
    return unpacked(text, path) if text.startswith(ZIP_SIGN) else text


def check_definition(data: Mapping[str, object], source: object) -> None:
    """Refuse the data of a sheet's definition that cannot be parsed.

    The meaning of the print is the game's to check. ``source``: where it is from, for messages.

    Raises
    ------
    DefinitionDamaged
    """
    try:
        _check(data)
    except _Wrong as error:
        raise DefinitionDamaged(source, error.where) from None


def finder_of(data: Mapping[str, object]) -> str:
    """How a sheet of that definition is found; earlier versions say "trained" of the networks."""
    if data.get("trained"):
        return "network"
    by_blank = "markers" if data.get("markers") else "reference"
    return str(data.get("finder", by_blank))


def definition_data(text: str | bytes, source: object) -> dict[str, Any]:
    """The data of a definition of this version, of a sheet or of a board; not checked further.

    Raises
    ------
    DefinitionDamaged, DefinitionVersion
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):  # ValueError: UnicodeDecodeError, JSONDecodeError too
        raise DefinitionDamaged(source, "JSON") from None
    if not isinstance(data, dict):
        raise DefinitionDamaged(source, "JSON")
    version = data.get("version")
    if version != VERSION or isinstance(version, bool):
        raise DefinitionVersion(source, _shown(version), VERSION)
    return data


def _shown(version: object) -> str:
    return str(version) if isinstance(version, int | str) and len(str(version)) < 20 else "?"


class _Wrong(Exception):  # noqa: N818
    """A value is missing or cannot be right; ``where``: its path in the data."""

    def __init__(self, where: str) -> None:
        super().__init__(where)
        self.where = where


def _check(data: Mapping[str, object]) -> None:
    if "like" in data:  # only packaged layouts are written so
        raise _Wrong("like")
    for name in ("game", "title"):
        _text(data.get(name), name)
    if not is_sheet_name(_text(data.get("name"), "name")):
        raise _Wrong("name")
    _box(data.get("page"), "page")
    _box(data.get("reading_area"), "reading_area")
    rows, columns = _check_grid(data.get("grid"))
    fields = _named(data.get("fields"), "fields")
    if rows:
        _check_cells(fields.get("cell", {}), rows, columns)
    elif not fields or "cell" in fields:
        raise _Wrong("fields")
    for name, field in fields.items():
        if name != "cell":
            _check_field(field, f"fields.{name}")
    for part, check in (("figures", _check_field), ("settings", _check_field), ("words", _box)):
        for name, value in _named(data.get(part, {}), part).items():
            check(value, f"{part}.{name}")
    for name, color in _named(data.get("colors"), "colors").items():
        if not isinstance(color, str) or not re.fullmatch("#[0-9a-fA-F]{6}", color):
            raise _Wrong(f"colors.{name}")
    if data.get("markers") is not None:
        _check_markers(data["markers"])
    if not isinstance(data.get("trained", False), bool):
        raise _Wrong("trained")
    if data.get("finder", FINDERS[0]) not in FINDERS:
        raise _Wrong("finder")
    if "printed" in data and not isinstance(data["printed"], dict):
        raise _Wrong("printed")
    if data.get("blank") is not None:
        _check_blank(data["blank"])
    for at, doubt in enumerate(_list(data.get("doubts", []), "doubts", MAX_PLACES)):
        _check_doubt(doubt, f"doubts[{at}]")
    for place, sure in _named(data.get("unsaid", {}), "unsaid", MAX_PLACES).items():
        _share(sure, f"unsaid.{place}")


def _check_grid(grid: object) -> tuple[int, int]:
    """The numbers of rows and columns."""
    if not isinstance(grid, dict):
        raise _Wrong("grid")
    rows = _whole(grid.get("rows"), "grid.rows", 0, MAX_SIDE)
    columns = _whole(grid.get("columns"), "grid.columns", min(rows, 1), MAX_SIDE)
    _number(grid.get("line_width"), "grid.line_width")
    for at, zone in enumerate(_list(grid.get("zones", []), "grid.zones", MAX_SIDE)):
        where = f"grid.zones[{at}]"
        if not isinstance(zone, dict):
            raise _Wrong(where)
        ends = _list(zone.get("rows"), where, 2)
        if len(ends) != 2:
            raise _Wrong(where)
        first = _whole(ends[0], where, 0, rows - 1)
        _whole(ends[1], where, first + 1, rows)
        _text(zone.get("color"), where)
    return rows, columns


def _check_cells(cells: object, rows: int, columns: int) -> None:
    if not isinstance(cells, dict):
        raise _Wrong("fields.cell")
    _check_marks(cells.get("marks", []), "fields.cell.marks")
    drawn = _check_drawn(cells.get("drawn", [{}]), "fields.cell.drawn")
    signs = _list(cells.get("prints", ["0" * columns] * rows), "fields.cell.prints", rows)
    known = {str(at) for at in range(min(drawn, 10))}
    lines = [sign for sign in signs if isinstance(sign, str)]
    is_whole = len(lines) == len(signs) == rows
    if not is_whole or any(len(line) != columns or not set(line) <= known for line in lines):
        raise _Wrong("fields.cell.prints")
    for at, place in enumerate(_list(cells.get("colors", []), "fields.cell.colors", MAX_PLACES)):
        where = f"fields.cell.colors[{at}]"
        if not isinstance(place, dict):
            raise _Wrong(where)
        _whole(place.get("row"), where, 0, rows - 1)
        _whole(place.get("column"), where, 0, columns - 1)
        _text(place.get("color"), where)


def _check_field(field: object, where: str) -> None:
    if not isinstance(field, dict):
        raise _Wrong(where)
    centres = _list(field.get("centres"), f"{where}.centres", MAX_PLACES)
    if not centres:
        raise _Wrong(f"{where}.centres")
    for centre in centres:
        _numbers(centre, f"{where}.centres", 2)
    shape = [
        _whole(side, f"{where}.shape", 1, MAX_PLACES)
        for side in _list(field.get("shape", [len(centres)]), f"{where}.shape", 2)
    ]
    if math.prod(shape) != len(centres):
        raise _Wrong(f"{where}.shape")
    for side in _numbers(field.get("size"), f"{where}.size", 2):
        if side <= 0:
            raise _Wrong(f"{where}.size")
    _check_marks(field.get("marks", []), f"{where}.marks")
    drawn = _check_drawn(field.get("drawn", [{}]), f"{where}.drawn")
    for name, high in (("prints", drawn - 1), ("values", 1_000_000)):
        given = _list(field.get(name, []), f"{where}.{name}", MAX_PLACES)
        if len(given) not in (0, len(centres)) or (
            name == "prints" and name in field and not given
        ):
            raise _Wrong(f"{where}.{name}")
        for value in given:
            _whole(value, f"{where}.{name}", 0, high)


def _check_marks(marks: object, where: str) -> None:
    if any(mark not in MARKS for mark in _list(marks, where, len(MARKS))):
        raise _Wrong(where)


def _check_drawn(drawn: object, where: str) -> int:
    """The number of prints."""
    prints = _list(drawn, where, MAX_NAMES)
    if not prints:
        raise _Wrong(where)
    for shapes in prints:
        for width in _named(shapes, where).values():
            _number(width, where)
    return len(prints)


def _check_markers(markers: object) -> None:
    if not isinstance(markers, dict):
        raise _Wrong("markers")
    # What OpenCV calls its dictionaries of ArUco.
    if not re.fullmatch(r"DICT_[4-7]X[4-7]_(?:50|100|250|1000)", str(markers.get("dictionary"))):
        raise _Wrong("markers.dictionary")
    if _number(markers.get("size"), "markers.size") <= 0:
        raise _Wrong("markers.size")
    _whole(markers.get("first"), "markers.first", 0, 1000)
    centres = _list(markers.get("centres"), "markers.centres", 4)
    if len(centres) != 4:
        raise _Wrong("markers.centres")
    for centre in centres:
        _numbers(centre, "markers.centres", 2)


def check_blank(blank: object, source: object) -> None:
    """Refuse a picture's data that cannot be parsed; raises DefinitionDamaged."""
    try:
        _check_blank(blank)
    except _Wrong as error:
        raise DefinitionDamaged(source, error.where) from None


def _check_blank(blank: object) -> None:
    if not isinstance(blank, dict):
        raise _Wrong("blank")
    scale = blank.get("pixels_per_cell")
    _whole(scale, "blank.pixels_per_cell", MIN_BLANK_PIXELS, MAX_BLANK_PIXELS)
    picture = blank.get("picture")
    if not isinstance(picture, str):
        raise _Wrong("blank.picture")
    try:
        b64decode(picture, validate=True)
    except (Base64Error, ValueError):  # ValueError: signs that are not ASCII
        raise _Wrong("blank.picture") from None


def _check_doubt(doubt: object, where: str) -> None:
    if not isinstance(doubt, dict):
        raise _Wrong(where)
    for name in ("where", "read"):
        _text(doubt.get(name), f"{where}.{name}")
    if not isinstance(doubt.get("otherwise", ""), str):
        raise _Wrong(f"{where}.otherwise")
    _share(doubt.get("confidence"), f"{where}.confidence")


def _share(value: object, where: str) -> None:
    if not 0 <= _number(value, where) <= 1:
        raise _Wrong(where)


def _text(value: object, where: str) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= MAX_LETTERS:
        raise _Wrong(where)
    return value


def _whole(value: object, where: str, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise _Wrong(where)
    return value


def _number(value: object, where: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise _Wrong(where)
    if not math.isfinite(value) or abs(value) > MAX_COORDINATE:
        raise _Wrong(where)
    return float(value)


def _numbers(value: object, where: str, count: int) -> tuple[float, ...]:
    entries = _list(value, where, count)
    if len(entries) != count:
        raise _Wrong(where)
    return tuple(_number(entry, where) for entry in entries)


def _list(value: object, where: str, most: int) -> Sequence[object]:
    if not isinstance(value, list) or len(value) > most:
        raise _Wrong(where)
    return value


def _named(value: object, where: str, most: int = MAX_NAMES) -> Mapping[str, object]:
    if not isinstance(value, dict) or len(value) > most:
        raise _Wrong(where)
    for name in value:
        _text(name, where)
    return value


def _box(value: object, where: str) -> None:
    if not isinstance(value, dict):
        raise _Wrong(where)
    for side in ("x", "y"):
        low, high = _numbers(value.get(side), f"{where}.{side}", 2)
        if not low < high:
            raise _Wrong(f"{where}.{side}")
