"""A report: kept photos packed to give away, with what was read and said, and without any name.

The file is a ZIP archive of `INDEX`, which shows to a person all that is in it, `DATA`, which tells
it to programs, the photos, and the definitions of printings that the package does not have.
`docs/give-photos.md` describes the fields of `DATA`.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import cv2
import numpy as np

from brikks_vision.errors import LayoutUnknown, NothingKept, ResultNotKept
from brikks_vision.games import game_named, layout_of, on_board, settings_of, view_of
from brikks_vision.games.printings import printing_read_with
from brikks_vision.intake.photos import small_jpeg
from brikks_vision.layout import Printing
from brikks_vision.reading import Reading
from brikks_vision.record.database import Record, snapshot
from brikks_vision.record.entries import Correction, KeptPhoto
from brikks_vision.record.kept import kept_photos, kept_picture
from brikks_vision.record.results import corrections
from brikks_vision.show.given import GivenPhoto, given_page

INDEX, DATA = "index.html", "report.json"
FORMAT = 1  # of `DATA`


def report_of(record: Record, results: Sequence[int], language: str) -> tuple[bytes, int]:
    """The report of some results, or of all whose photos are kept, and how many photos are in it.

    Raises
    ------
    NothingKept, ResultNotKept
    ResultMissing, RecordBusy, RecordDamaged
    """
    with snapshot(record):
        kept = kept_photos(record, results)
        for number in results:
            if number not in {each.result.id for each in kept}:
                raise ResultNotKept(number)
        if not kept:
            raise NothingKept
        pictures = [kept_picture(record, each) for each in kept]
        made = [corrections(record, each.result.id) for each in kept]
    files: dict[str, bytes] = {}
    told: list[dict[str, Any]] = []
    shown: list[GivenPhoto] = []
    for number, (each, picture, said) in enumerate(zip(kept, pictures, made, strict=True), 1):
        name = f"photo-{number}.jpg"
        files[name] = picture
        facts = facts_of(each, said, name)
        printing = _own_printing(each.read)
        if printing is not None:
            facts["printing"] = f"printing-{number}.json"
            files[facts["printing"]] = _unnamed(printing, f"printing-{number}")
        told.append(facts)
        shown.append(GivenPhoto(name, _small(picture), each, said, facts["total"]))
    data = {"format": FORMAT, "program": version("brikks-vision"), "photos": told}
    files[DATA] = json.dumps(data, ensure_ascii=False, indent=1).encode()
    files[INDEX] = given_page(shown, DATA, language).encode()
    return _packed(files), len(kept)


def facts_of(kept: KeptPhoto, made: Sequence[Correction], name: str) -> dict[str, Any]:
    """What a report tells of a photo in it. name: of the photo there.

    Nothing in it says who played, when, or what the photo or the printing was called.
    """
    stands = kept.result.reading
    changes = {place: change for each in made for place, change in each.changes.items()}
    settings = {place for place in changes if place in settings_of()}
    return {
        "photo": name,
        "game": kept.result.played,
        "printing": None,
        "total": right_total(kept, made),
        "marks": dict(marks_of(stands)),
        "corrections": {
            place: list(change) for place, change in changes.items() if place not in settings
        },
        "settings": {place: changes[place][1] for place in sorted(settings)},
        "read": _unnamed_reading(kept.read, name),
        "stands": _unnamed_reading(stands, name),
    }


def right_total(kept: KeptPhoto, made: Sequence[Correction]) -> int | None:
    """The total that a person said, or that followed from corrections; None: nobody said any."""
    return kept.total if kept.total is not None or not made else kept.result.total


def marks_of(reading: Reading) -> dict[str, str]:
    """By place, what stands there; "?": cannot be told. Empty where the printing is not known."""
    board = on_board(reading)
    if board is not None:
        return {place.where: place.thing for place in board.places(reading)}
    try:
        return dict(view_of(reading).marks)
    except LayoutUnknown:
        return {}


def _unnamed_reading(reading: Reading, name: str) -> dict[str, Any]:
    """As JSON, without the names of photos and printings; where it lay in the photo is left out."""
    return replace(
        reading,
        photo=name,
        photos=(),
        index=0,
        corners=None,
        timing_ms={},
        sheet=reading.sheet if _is_packaged(reading) else None,
        printing=None,
    ).to_dict()


def _is_packaged(reading: Reading) -> bool:
    """Whether the printing is the package's, whose name tells nothing of anybody."""
    packaged = game_named(str(reading.game)).packaged()
    return reading.printing is None and reading.sheet in {each.name for each in packaged}


def _own_printing(reading: Reading) -> Printing | None:
    """The printing of a reading where the package does not have it."""
    if _is_packaged(reading):
        return None
    try:
        return printing_read_with(str(reading.game), str(reading.sheet), reading.printing)
    except LayoutUnknown:
        return layout_of(reading)  # type: ignore[no-any-return]


def _unnamed(printing: Printing, name: str) -> bytes:
    """A definition under a name that tells nothing."""
    return json.dumps({**json.loads(printing.to_json()), "name": name}).encode()


def _small(picture: bytes) -> bytes:
    return small_jpeg(
        np.asarray(cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    )


def _packed(files: dict[str, bytes]) -> bytes:
    """A ZIP archive of the files, which tells no dates and nothing of this computer."""
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        for name, content in files.items():
            kind = ZIP_STORED if name.endswith(".jpg") else ZIP_DEFLATED
            archive.writestr(ZipInfo(name), content, kind)
    return packed.getvalue()
