"""What is learnt of a printing from one photo of its empty sheet; each game learns its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from brikks_vision.decode.game import Learner
from brikks_vision.detect.photo import Photo
from brikks_vision.layout import Box, Layout, Point, PrintDoubt
from brikks_vision.text.phrases import Phrase

LONG_SIDE = 2600  # px of the photo that is read; a page then has about the resolution of its blank


@dataclass(frozen=True)
class Learnt:
    """A learnt printing.

    layout: with the picture of the empty sheet. labels: places (x, y) in cells with what was read
    there, for a picture.
    """

    layout: Layout
    labels: tuple[tuple[Point, str], ...] = ()

    @property
    def doubts(self) -> tuple[PrintDoubt, ...]:
        """What is unsure of the print, least sure first."""
        return self.layout.doubts

    def to_json(self) -> str:
        """The sheet definition, which `brikks_vision.games.printings.parse_printing` reads."""
        return self.layout.to_json()


@dataclass(frozen=True)
class Settable:
    """A place whose print a person can set.

    where: its name in answers, "cell 3,4" or "row 5". box: on the sheet, in cells, to point at.
    choices: what it can be set to. told: what the place is called. words: names of choices, where
    they differ from the choice itself. now: the choice that was learnt, where that is told.
    """

    where: str
    box: Box
    choices: tuple[str, ...]
    told: Phrase
    words: Mapping[str, Phrase] = field(default_factory=dict)
    now: str = ""


def sheet_learner(
    learn: Callable[[Photo, str, Mapping[str, str]], Learnt],
    settable: Callable[[Learnt], Sequence[Settable]],
    from_marked: Callable[[Sequence[tuple[Photo, Mapping[str, str]]], str], Learnt] | None = None,
) -> Learner:
    """The `Learner` of a game's sheets, from functions of its module ``learn``.

    learn : of a photo of an empty sheet, the name of the layout, and what a person says of the
        print, by place as `PrintDoubt.where`; raises BlankOfOtherGame, BlankIsMarked, SheetCutOff,
        SheetTooBlurred, SheetTooSmall, PhotoMirrored, AnswerUnclear, AnswerOffSheet.
    from_marked : see `Learner`.
    """
    return Learner(learn, settable, LONG_SIDE, "sheet", from_marked=from_marked)
