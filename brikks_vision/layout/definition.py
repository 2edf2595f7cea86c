"""Definitions: a printing as a JSON file, checked wholly, as users keep, send and edit it.

A sheet's has the format of the files in ``layouts/``, its version, what the print means beside
the geometry ("colored_rows", "numbers"), and the picture of the empty sheet. The types here say
what can be right in one; `brikks_vision.layout` makes layouts of them.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Annotated, TypeVar
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from brikks_vision.codec import JsonObject, Length, Matching, Within
from brikks_vision.errors import DefinitionDamaged, DefinitionMissing, DefinitionVersion

VERSION = 1
MAX_SIDE = 50  # rows or columns of the grid
# Far more than any sheet on paper has; what goes beyond would only fill memory. Set by hand, as
# the limits of the types below.
MAX_DEFINITION_BYTES = 20_000_000
PACKED = ".brikks"
"""How the name of a printing that travels ends: a zip of the two parts below."""
ZIP_SIGN = b"PK"
PRINTING_PART, PICTURE_PART = "printing.json", "picture.jpg"

SHEET_NAME = r"[a-z0-9][a-z0-9_-]{0,63}"

Entry = TypeVar("Entry")
Word = Annotated[str, Length(1, 200)]
Few = Annotated[Mapping[Word, Entry], Length(0, 100)]
Many = Annotated[tuple[Entry, ...], Length(0, 1000)]  # as of the places of a field
Count = Annotated[int, Within(0, MAX_SIDE)]
Value = Annotated[int, Within(0, 1_000_000)]
Number = Annotated[float, Within(-1000, 1000)]  # cells
Side = Annotated[float, Within(5e-324, 1000)]  # more than 0
Share = Annotated[float, Within(0, 1)]
SheetName = Annotated[str, Matching(SHEET_NAME)]
Color = Annotated[str, Matching("#[0-9a-fA-F]{6}")]
Finder = Annotated[str, Matching("network|markers|reference|lattice")]
"""How a printing is found in a photo: by networks that know its print, by its markers, by the
picture of its empty sheet, or by the lines of a board."""


def is_sheet_name(name: str) -> bool:
    """Whether a layout can be called so, on every file system."""
    return re.fullmatch(SHEET_NAME, name) is not None


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

    Raises DefinitionDamaged: it is no such zip, has other parts, or unpacks to more than any
    definition has.
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

    Raises DefinitionMissing, DefinitionDamaged.
    """
    try:
        is_too_large = path.stat().st_size > MAX_DEFINITION_BYTES
        text = b"" if is_too_large else path.read_bytes()
    except (OSError, ValueError):  # ValueError: a name with a null character
        raise DefinitionMissing(path) from None
    if is_too_large:
        raise DefinitionDamaged(path, "size")
    return unpacked(text, path) if text.startswith(ZIP_SIGN) else text


def finder_of(data: Mapping[str, object]) -> str:
    """How a sheet of that definition is found; earlier versions say "trained" of the networks."""
    if data.get("trained"):
        return "network"
    by_blank = "markers" if data.get("markers") else "reference"
    return str(data.get("finder", by_blank))


def definition_data(text: str | bytes, source: object) -> JsonObject:
    """The data of a definition of this version, of a sheet or of a board; not checked further.

    Raises DefinitionDamaged, DefinitionVersion.
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
