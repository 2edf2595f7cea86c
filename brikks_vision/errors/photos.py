"""Failures that lie in one photo: in its file, in what it shows, or in reading it."""

from __future__ import annotations

from typing import ClassVar

from brikks_vision.errors.base import BrikksError, ExitCode, PhotoUnreadable, Side


class PhotoEmpty(PhotoUnreadable):
    sentence = "The file is empty. Copy the photo again from the phone or camera."


class PhotoTruncated(PhotoUnreadable):
    sentence = (
        "The file ends in the middle of the picture. Copy the photo again from the phone or "
        "camera, and wait until it is complete."
    )


class PhotoDamaged(PhotoUnreadable):
    sentence = "The picture in the file is damaged. Copy it again, or take another photo."


class NotAnImage(PhotoUnreadable):
    sentence = "This is no picture that can be read. Give a photo as JPEG, PNG, WebP or HEIC."


class FileTooLarge(PhotoUnreadable):
    megabytes: int
    limit: int
    sentence = (
        "The file has {megabytes} MB; at most {limit} can be read. Save the photo smaller, "
        "or as a JPEG."
    )


class TooManyPixels(PhotoUnreadable):
    megapixels: int
    limit: int
    sentence = (
        "The picture has {megapixels} megapixels; at most {limit} can be read. "
        "Save the photo smaller."
    )


class TooManyScans(PhotoUnreadable):
    limit: int
    sentence = (
        "The JPEG builds its picture up in more than {limit} steps, which no camera does. Open it "
        "in another program and save it anew."
    )


class CameraDateAhead(BrikksError):  # noqa: N818
    """A note beside a valid reading: nothing failed."""

    camera: object
    taken: object
    exit_code: ClassVar[ExitCode] = ExitCode.CERTAIN
    sentence = (
        "The camera says that this photo was taken on {camera}, which is in the future, so the "
        "file's date counts: {taken}. Check the camera's clock."
    )


# --- what the photo shows ------------------------------------------------------------------------


class NoSheetFound(PhotoUnreadable):
    sentence = (
        "No game sheet was found in the photo. Lay the sheet flat in good light and take the "
        "photo from above, with the whole sheet in it."
    )


class PrintingUnknown(NoSheetFound):
    sentence = (
        "The photo shows a sheet of a printing that is not known. Learn it from one photo of an "
        "empty sheet: on the page, under Printings, or with brikks-scan sheet learn BLANK.jpg."
    )


class SheetCutOff(PhotoUnreadable):
    """``is_larger``: it reaches beyond opposite edges of the photo."""

    side: Side
    is_larger = False  # no fact that is told
    sentence = (
        "The sheet is cut off at the {side} edge of the photo. Take the photo again with the "
        "whole sheet in it."
    )


class NoBoardFound(PhotoUnreadable):
    sentence = (
        "No board was found in the photo. Photograph the whole board in good light, from above or "
        "at a slant."
    )


class NoPiecesFound(PhotoUnreadable):
    sentence = (
        "No chips or blocks were found in the photo. Lay them out side by side on a plain table, "
        "the chips face up, and photograph them from above so that they fill the picture."
    )


class BoardCutOff(PhotoUnreadable):
    sentence = "Part of the board lies outside the photo. Photograph it so that all of it shows."


class BoardIsAnother(PhotoUnreadable):
    sentence = (
        "The board in the photo is none that is known: its fields have other colours. Learn this "
        "board from a photo of it, empty."
    )


class BoardOfOtherGame(PhotoUnreadable):
    game: str
    sentence = (
        "The photo shows no board of {game}: its fields do not have the colours of one. Photograph "
        "the board of {game}, empty and in even light."
    )


class BoardAtTable(PhotoUnreadable):
    game: str
    played: str
    sentence = (
        "The photo shows a board of {game}, but this table is for sheets ({played}). Send it from "
        "the start page to read the board."
    )


class BoardNotEmpty(PhotoUnreadable):
    sentence = (
        "Something stands on the board, and a board is learnt from a photo of it, empty. Clear it "
        "and photograph it again."
    )


class BoardNotSetUp(PhotoUnreadable):
    sentence = (
        "The second photo does not show the board set up for a game, with a tower on each printed "
        "square. Set it up and photograph it, or learn the board without its pieces."
    )


class SetUpOfAnother(PhotoUnreadable):
    sentence = (
        "The second photo shows another board than the first: its fields have other colours. "
        "Photograph the same board, set up, in even light."
    )


class SheetBackShown(PhotoUnreadable):
    sentence = (
        "The photo shows the block overview, the back of the sheet. Turn the sheet over and "
        "photograph the side with the grid."
    )


class SheetTooBlurred(PhotoUnreadable):
    sentence = (
        "The photo is too blurred to read. Hold the phone still, wait until it has focused, "
        "and take it again."
    )


class SheetTooSmall(PhotoUnreadable):
    sentence = (
        "The sheet is too small in the photo to be read. Go closer, so that the sheet fills "
        "the picture."
    )


class PhotoMirrored(PhotoUnreadable):
    sentence = (
        "The photo shows the sheet as in a mirror, and it cannot be read that way. Use the back "
        "camera, or flip the photo left to right."
    )


class OneOfPhotosUnreadable(PhotoUnreadable):
    """``photo``: the name of one of several photos that were to be read as one."""

    photo: str
    why: PhotoUnreadable
    sentence = "{photo}: {why}"


class PhotoOfAnother(PhotoUnreadable):
    photo: str
    first: str
    sentence = (
        "{photo} shows another sheet or board than {first}. Give photos of one sheet or of one "
        "board, or read them one by one."
    )


class PhotoOfAnotherState(PhotoUnreadable):
    photo: str
    first: str
    sentence = (
        "In {photo} something stands otherwise than in {first}. Give photos between which nothing "
        "was changed, or read them one by one."
    )


class BlankIsMarked(PhotoUnreadable):
    """``count``: how many places look marked; ``setting``: the plainest, set to be empty."""

    count: int
    setting: str
    sentence = (
        "The sheet is not empty: {count} places look marked. Photograph a sheet on which nothing "
        'is written, or say with --set "{setting}" and the like what is print.'
    )


class BlankOfOtherGame(PhotoUnreadable):
    game: str
    sentence = (
        "The photo shows no empty sheet of {game}. Name the game that is printed on it with "
        "--game, or photograph the other sheet."
    )


class TooFewSheets(PhotoUnreadable):
    """``count``: of the sheets that are kept and count; ``least``: how many are needed."""

    count: int
    least: int
    sentence = (
        "To tell print from marks, {least} sheets of one printing are needed, read without a photo "
        "of the empty sheet; kept are {count}. Keep more with brikks-scan PHOTO --keep, or learn "
        "the printing from an empty sheet: brikks-scan sheet learn BLANK.jpg."
    )


class PrintHidden(PhotoUnreadable):
    """``count``: how many places look marked on all sheets together."""

    count: object
    sentence = (
        "The same places are marked on most of these sheets ({count} of them), so that their print "
        "does not show. Keep photos of more sheets, less full ones above all, or photograph an "
        "empty one: brikks-scan sheet learn BLANK.jpg."
    )


class PrintsDiffer(PhotoUnreadable):
    """``number``: of the result whose photo shows another printing."""

    number: str
    sentence = (
        "The sheet of result {number} is printed differently from the others. Name the results of "
        "one printing: brikks-scan report 1 2 3 --keep-print NAME."
    )


class BonusesNotFound(PhotoUnreadable):
    sentence = (
        "The bonuses that belong to the coloured rows were not found on the sheet. Photograph it "
        "sharply, flat and in even light, with all that is printed beside the grid in the picture; "
        "if that does not help, this printing cannot be learnt."
    )


class GridNotFound(PhotoUnreadable):
    sentence = (
        "No grid was found in the photo. Lay the empty sheet flat in good light and take the photo "
        "from above, with the whole sheet in it."
    )


# --- reading it ----------------------------------------------------------------------------------


class ReaderStopped(PhotoUnreadable):
    sentence = (
        "The process that read this photo was ended from outside, perhaps for want of memory. "
        "Read the photo again, with fewer photos at once."
    )


class OrderUnknown(PhotoUnreadable):
    sentence = (
        "The blocks on this sheet tell no order in which they can have been entered, so there is "
        "nothing to replay. Outline every block, answer what is asked, and try again."
    )


class PhotoEndsReaders(PhotoUnreadable):
    sentence = (
        "Twice the process that read this photo was ended, by the photo or for want of memory, so "
        "it was left out. Give the workers more memory, or take another photo."
    )


class ReadingTooSlow(PhotoUnreadable):
    seconds: int
    sentence = (
        "After {seconds} seconds the photo was not read, and it was given up. Read it again when "
        "the machine is less busy, or take another photo."
    )


class ReadingFailed(PhotoUnreadable):
    reason: object
    sentence = (
        "The program failed on this photo ({reason}). Take another photo, and please report "
        "this one."
    )
