"""Several photos of one sheet or board in one state, read as one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from brikks_vision.detect.photo import Source, Stored, read_file, stored
from brikks_vision.errors import (
    OneOfPhotosUnreadable,
    PhotoGivenTwice,
    PhotoOfAnother,
    PhotoOfAnotherState,
    PhotoUnreadable,
)
from brikks_vision.games import game_named
from brikks_vision.layout import Printing
from brikks_vision.pipeline import NO_ANSWERS, ScanResult, name_of, names_of, read_again, scan_photo
from brikks_vision.reading import NO_SETTINGS, GameSettings, Reading


def scan_together(
    sources: Sequence[Source],
    known: GameSettings = NO_SETTINGS,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
    printings: Sequence[Printing] | None = None,
) -> ScanResult:
    """Read several photos as one, see `combined`; parameters as of `scan_photo`.

    Raises
    ------
    PhotoGivenTwice
    OneOfPhotosUnreadable, PhotoOfAnother, PhotoOfAnotherState
    AnswerUnclear, AnswerOffSheet
    """
    contents: dict[bytes, Source] = {}
    photos: list[tuple[str, Stored]] = []
    alone: list[ScanResult] = []
    for source in sources:
        name = name_of(source)
        with _named(name):
            photos.append((name, stored(source)))
            content = content_of(photos[-1][1])
        if content in contents:
            raise PhotoGivenTwice(*names_of(source, contents[content]))
        contents[content] = source
    for name, photo in photos:
        with _named(name):
            shown = scan_photo(photo, known, language, None, printings)
        alone.append(replace(shown, reading=replace(shown.reading, photo=name)))
    return combined(alone, answers, language)


@contextmanager
def _named(photo: str) -> Iterator[None]:
    """Raises OneOfPhotosUnreadable where the photo of that name cannot be read."""
    try:
        yield
    except PhotoUnreadable as error:
        raise OneOfPhotosUnreadable(photo, error) from None


def combined(
    alone: Sequence[ScanResult],
    answers: Mapping[str, str] | None = None,
    language: str = "en",
) -> ScanResult:
    """The reading of several photos, or of some that were combined before; it lies as in the first.

    Raises
    ------
    PhotoOfAnother
        They show sheets or boards of different printings.
    PhotoOfAnotherState
        Something stands otherwise in one of them than in an earlier one.
    AnswerUnclear, AnswerOffSheet
    """
    first = alone[0]
    for one, other in combinations(alone, 2):
        check_one_state(
            (one.reading.photo, one.layout, one.evidence),
            (other.reading.photo, other.layout, other.evidence),
        )
    photos = tuple(name for each in alone for name in photo_names(each.reading))
    steps = dict.fromkeys(step for each in alone for step in each.reading.timing_ms)
    spent = {step: sum(each.reading.timing_ms.get(step, 0.0) for each in alone) for step in steps}
    together = replace(
        first,
        evidence=game_named(first.layout.game).combined(
            [each.evidence for each in alone], first.layout
        ),
        reading=replace(first.reading, photos=photos, timing_ms=spent),
        alone=tuple(photo for each in alone for photo in each.alone or (each,)),
    )
    return read_again(together, answers or NO_ANSWERS, language)


def photo_names(reading: Reading) -> tuple[str, ...]:
    """The photos that a reading is of."""
    return reading.photos or (reading.photo,)


View = tuple[str, Any, Any]
"""The name of a photo, the printing that it shows, and its evidence."""


def check_one_state(first: View, other: View) -> None:
    """Raises PhotoOfAnother or PhotoOfAnotherState where two photos cannot be read as one."""
    (first_name, layout, evidence), (name, other_layout, other_evidence) = first, other
    if not is_one_printing(layout, other_layout):
        raise PhotoOfAnother(name, first_name)
    if game_named(layout.game).contradicts(evidence, other_evidence):
        raise PhotoOfAnotherState(name, first_name)


def is_one_printing(one: Printing, other: Printing) -> bool:
    """Whether one sheet or board can be taken for both.

    Printings that the networks find differ by little, so that a sheet may be taken for another.
    """
    if (one.game, one.printing) != (other.game, other.printing):
        return False
    return one.name == other.name or one.finder == other.finder == "network"


def content_of(photo: Stored) -> bytes:
    """What tells whether two photos are the same one."""
    if isinstance(photo, np.ndarray):
        return photo.tobytes()
    return photo if isinstance(photo, bytes) else read_file(Path(photo))
