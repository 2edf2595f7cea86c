"""What is learnt of a printing from one photo of its empty sheet; each game learns its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from brikks_vision.detect.photo import Photo
from brikks_vision.layout import Box, Layout, Point
from brikks_vision.reading import PrintDoubt
from brikks_vision.text.phrases import Phrase


@dataclass(frozen=True)
class Learnt:
    """A learnt printing.

    layout: with the picture of the empty sheet. doubts: least sure first. labels: places (x, y) in
    cells with what was read there, for a picture.
    """

    layout: Layout
    doubts: tuple[PrintDoubt, ...] = ()
    labels: tuple[tuple[Point, str], ...] = ()

    def to_json(self) -> str:
        """The sheet definition, which `brikks_vision.layout.layout_from_json` reads.

        The doubts stand in it, for whoever edits it.
        """
        data: dict[str, Any] = json.loads(self.layout.to_json())
        data["doubts"] = [vars(doubt) for doubt in self.doubts]
        return json.dumps(data, ensure_ascii=False)


@dataclass(frozen=True)
class Settable:
    """A place of whose print a person can say what it is.

    where: as it is set, "cell 3,4" or "row 5". box: of the sheet, in cells, to point at. choices:
    in the words in which it is set. told: what the place is called.
    """

    where: str
    box: Box
    choices: tuple[str, ...]
    told: Phrase


class Learn(Protocol):
    """What the module ``games/<game>/learn.py`` offers under the name ``learn``.

    Beside it stand ``check(layout)``, which raises KeyError, TypeError or ValueError where a sheet
    definition is none of the game, and ``settable(learnt)``, all `Settable` places.
    """

    def __call__(self, photo: Photo, name: str, settings: Mapping[str, str]) -> Learnt:
        """Learn a printing.

        Parameters
        ----------
        photo : of an empty sheet.
        name : of the layout.
        settings : what the user says of the print, by place as `PrintDoubt.where`.

        Raises
        ------
        BlankOfOtherGame, BlankIsMarked, SheetCutOff, SheetTooBlurred, SheetTooSmall, PhotoMirrored
        AnswerUnclear, AnswerOffSheet
            A setting is none, or the sheet has no such place.
        """
