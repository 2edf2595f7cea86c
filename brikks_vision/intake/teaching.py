"""What people teach: photos that are kept and given away, and answers to open questions.

Of a photo the part that shows one sheet or board is kept. A report is a ZIP archive of `INDEX`,
which shows to a person all that is in it, `DATA`, which tells it to programs, the photos, and the
definitions of printings that the package does not have, without any name. `docs/give-photos.md`
describes the fields of `DATA`.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import cv2
import numpy as np

from brikks_vision import errors
from brikks_vision.codec import JsonObject
from brikks_vision.detect.photo import Stored, load_photo, read_file
from brikks_vision.detect.placement import Points, apply_homography
from brikks_vision.games import game_named, layout_of, learning, on_board, settings_of, view_of
from brikks_vision.games.printings import check_name, printing_read_with
from brikks_vision.intake.corrections import Said, correct_sheet
from brikks_vision.intake.photos import content_hash, jpeg_of, small_jpeg
from brikks_vision.layout import Box, Printing
from brikks_vision.reading import Reading
from brikks_vision.record import questions, rows
from brikks_vision.record.database import Record, snapshot
from brikks_vision.record.entries import Correction, KeptPhoto
from brikks_vision.record.results import (
    corrections,
    keep_photo,
    kept_photos,
    kept_picture,
    paths_of_photo,
    readings_of,
    wants_corrected,
)
from brikks_vision.show.history import GivenPhoto, given_page

SHEET_MARGIN = 0.25  # cells around the paper: its edge can be seen, hardly anything beside it
BOARD_MARGIN = 1.0  # fields around those of a board: its rim, and what stands at the far edge
HIDDEN = (128, 128, 128)  # BGR, over all that is not of the sheet
WORD_MARGIN = 0.25  # cells around a line for words: letters rise above it and hang below
MIN_SHEETS = 3  # of which a printing is learnt: of fewer, most places are marked on all
_WHOLE = 1 << 30  # px, longer than any photo: decoded as large as it is
_QUALITY = 92  # of the JPEG: marks are read in it as in the photo


def picture_to_keep(photo: Stored, reading: Reading) -> bytes:
    """The photo cut to the sheet or board of a reading, as a JPEG without any data of the camera.

    What lies outside of its outline is grey, and so are the lines on which a player writes words: a
    name and a date.

    Raises PhotoUnreadable.
    """
    image = load_photo(photo, _WHOLE).image
    layout = layout_of(reading)
    to_photo = cv2.getPerspectiveTransform(
        np.array(layout.outline.corners, np.float32), np.array(reading.corners, np.float32)
    )
    paper = getattr(layout, "page", None)  # boards have no paper
    area = paper.grown(SHEET_MARGIN) if paper else layout.outline.grown(BOARD_MARGIN)
    outline = _corners(area, to_photo)
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, outline, 255)
    for box in getattr(layout, "words", {}).values():
        cv2.fillConvexPoly(mask, _corners(box.grown(WORD_MARGIN), to_photo), 0)
    left, top, width, height = cv2.boundingRect(outline)
    part = np.s_[max(0, top) : top + height, max(0, left) : left + width]
    shown = image[part].copy()
    shown[mask[part] == 0] = HIDDEN
    return jpeg_of(shown, _QUALITY)


def keep_shown(
    record: Record, result: int, photos: Mapping[str, bytes], total: int | None = None
) -> None:
    """Keep those photos of a result that are at hand.

    photos : by the SHA-256 of the file. total : the right one, as a person says.

    Raises PhotoNotHere: none of the photos of the result is at hand; ResultMissing, RecordFailure.
    """
    is_kept = False
    for facts, reading in readings_of(record, result):
        photo = photos.get(facts.sha256) or _seen_again(record, facts.sha256)
        if photo is not None and reading.corners:
            keep_photo(record, result, facts.sha256, picture_to_keep(photo, reading), total)
            is_kept = True
    if not is_kept:
        raise errors.PhotoNotHere(result)


def keep_corrected(record: Record, result: int, photos: Mapping[str, bytes] | None = None) -> None:
    """Keep the photos of a result that was corrected, where that is wanted of all and possible.

    Raises ResultMissing, RecordFailure.
    """
    if wants_corrected(record):
        with suppress(errors.PhotoNotHere):
            keep_shown(record, result, photos or {})


def learn_kept(record: Record, results: Sequence[int], name: str) -> learning.Proposal:
    """A printing from kept photos of marked sheets of it: of some results, or of all.

    Raises TooFewSheets: sheets whose print must be known before they can be read do not count;
    SheetNameUnfit, SheetNameTaken, ResultMissing; PhotoUnreadable: the sheets show no print, see
    `Learner.from_marked`.
    """
    check_name(name)
    kept = [each for each in kept_photos(record, results) if each.read.printing is None]
    games = Counter(str(each.read.game) for each in kept)
    counts = [(count, game) for game, count in games.items() if _from_marked(game)]
    count, game = max(counts, default=(0, ""))
    if count < MIN_SHEETS:
        raise errors.TooFewSheets(count, MIN_SHEETS)
    sheets = []
    for each in kept:
        if each.read.game == game:
            photo = load_photo(kept_picture(record, each), _WHOLE)
            marks = view_of(each.result.reading).marks
            sheets.append((replace(photo, name=str(each.result.id)), marks))
    learnt: learning.Proposal = _from_marked(game)(sheets, name)
    return learnt


def _from_marked(game: str) -> Any:
    """How the game learns a printing from marked sheets; None where it cannot."""
    learner = game_named(game).learner
    return None if learner is None else learner().from_marked


def _corners(box: Box, to_photo: cv2.typing.MatLike) -> cv2.typing.MatLike:
    """The corners of a box of the sheet in the photo, px, as OpenCV draws them."""
    corners: Points = apply_homography(to_photo, np.array(box.corners, np.float64))
    return np.round(corners).astype(np.int32)


def _seen_again(record: Record, sha256: str) -> bytes | None:
    """The photo from where a folder was watched, if it still lies there unchanged."""
    for path in paths_of_photo(record, sha256):
        with suppress(errors.BrikksError):
            data = read_file(Path(path))
            if content_hash(data) == sha256:
                return data
    return None


INDEX, DATA = "index.html", "report.json"
FORMAT = 1  # of `DATA`


def report_of(record: Record, results: Sequence[int], language: str) -> tuple[bytes, int]:
    """The report of some results, or of all whose photos are kept, and how many photos are in it.

    Raises NothingKept, ResultNotKept, ResultMissing, RecordBusy, RecordDamaged.
    """
    with snapshot(record):
        kept = kept_photos(record, results)
        for number in results:
            if number not in {each.result.id for each in kept}:
                raise errors.ResultNotKept(number)
        if not kept:
            raise errors.NothingKept
        pictures = [kept_picture(record, each) for each in kept]
        made = [corrections(record, each.result.id) for each in kept]
    files: dict[str, bytes] = {}
    told: list[dict[str, object]] = []
    shown: list[GivenPhoto] = []
    for number, (each, picture, said) in enumerate(zip(kept, pictures, made, strict=True), 1):
        name = f"photo-{number}.jpg"
        files[name] = picture
        facts = facts_of(each, said, name)
        printing = _own_printing(each.read)
        if printing is not None:
            facts["printing"] = f"printing-{number}.json"
            unnamed = {**json.loads(printing.to_json()), "name": f"printing-{number}"}
            files[facts["printing"]] = json.dumps(unnamed).encode()
        told.append(facts)
        small = small_jpeg(load_photo(picture, _WHOLE).image)
        shown.append(GivenPhoto(name, small, each, said, facts["total"]))
    data = {"format": FORMAT, "program": version("brikks-vision"), "photos": told}
    files[DATA] = json.dumps(data, ensure_ascii=False, indent=1).encode()
    files[INDEX] = given_page(shown, DATA, language).encode()
    return _packed(files), len(kept)


def facts_of(kept: KeptPhoto, made: Sequence[Correction], name: str) -> JsonObject:
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
    except errors.LayoutUnknown:
        return {}


def _unnamed_reading(reading: Reading, name: str) -> JsonObject:
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
    except errors.LayoutUnknown:
        return layout_of(reading)  # type: ignore[no-any-return]


def _packed(files: dict[str, bytes]) -> bytes:
    """A ZIP archive of the files, which tells no dates and nothing of this computer."""
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        for name, content in files.items():
            kind = ZIP_STORED if name.endswith(".jpg") else ZIP_DEFLATED
            archive.writestr(ZipInfo(name), content, kind)
    return packed.getvalue()


def answer_question(record: Record, key: str, answer: str, language: str, who: str = "") -> None:
    """Answer the open question of that key (see `brikks_vision.record.questions`).

    ``language``: of the reading that follows from an answer about a mark. ``who``: who says so; a
    correction of a mark bears the name of the sheet's owner.

    Raises QuestionGone: it is not open any more; AnswerNotOffered: it takes other answers;
    ResultMissing, RecordFailure.
    """
    question = questions.find_question(record, key)
    questions.check_answer(question, answer)
    if not isinstance(question, questions.MarkQuestion):
        questions.answer_about_results(record, question, answer, who)
    else:
        said = Said({question.doubt.where: answer})
        correct_sheet(record, question.result.id, said, language, who or rows.UNNAMED)
        keep_corrected(record, question.result.id)
