"""What can go wrong, one class a failure, each with the sentence that the user reads.

A sentence says what is wrong and what to do next. The English one stands in the class; the other
languages are data (``text/*/errors.json``, by class name).

The classes::

    BrikksError
      WrongUse
        PhotoMissing
        CommandUnknown
        PhotoNotPermitted
        PhotoIsNoFile
        FolderWithoutPictures
        UnknownValue
        GameImpossible
        SheetsNotOneGame
        SamePhotoTwice
        PlayersUnclear
        AnswerNamesNoSheet
        LevelsUnclear
        PhotosNotOneTurn
        RollUnknown
        AnswerUnclear
        AnswerOffSheet
        AnswersNeedOnePhoto
        AnswersNeedOneSheet
        OutputNotWritable
        OutputFormatUnknown
        OutputNeedsFolder
        OutputIsInput
        LayoutUnknown
        RecordFailure
          RecordNotWritable
          RecordDiskFull
          NotARecord
          RecordTooNew
          RecordBusy
          RecordDamaged
          RecordMissing
          BackupMissing
          ResultMissing
          GameMissing
          TableMissing
          SeatMissing
          SheetsInOtherGame
          NothingSaid
          NothingToUndo
          ChangeNotUndoable
          QuestionGone
          AnswerNotOffered
          AnswerWithoutKey
        NameTwice
        FolderMissing
        FolderGone
        AnotherWatcher
        NotifierMissing
        WebPartsMissing
        PlotPartsMissing
        AddressNotFree
        ServerBusy
        UploadNotStored
        KeyRefused
        OtherSite
        HostUnknown
        PageMissing
        FieldUnclear
        PageFailed
      PhotoUnreadable
        UploadWithoutPhoto
        UploadBroken
        UploadTooSlow
        PhotoEmpty
        PhotoTruncated
        PhotoDamaged
        NotAnImage
        FileTooLarge
        TooManyPixels
        NoSheetFound
        SheetCutOff
        NoBoardFound
        BoardCutOff
        BoardIsAnother
        BoardNotEmpty
        SheetBackShown
        SheetTooBlurred
        SheetTooSmall
        PhotoMirrored
        ReaderStopped
        ReadingTooSlow
        ReadingFailed
      CameraDateAhead
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar, Literal

Side = Literal["left", "right", "top", "bottom"]


class ExitCode(IntEnum):
    """How ``brikks-scan`` ends; the numbers are fixed."""

    CERTAIN = 0
    UNREADABLE = 1
    WRONG_USE = 2
    UNCERTAIN = 3
    VIOLATIONS = 4


class BrikksError(Exception):
    """Base of all failures that a user can cause and can mend.

    ``str(error)`` is the English sentence; ``error.text("de")`` the German one.
    """

    sentence: ClassVar[str] = "Something went wrong."
    exit_code: ClassVar[ExitCode] = ExitCode.WRONG_USE

    def __init__(self, **facts: object) -> None:
        # The values, in the order of the subclass's parameters, so that errors can be pickled.
        super().__init__(*facts.values())
        self.facts = facts

    def __str__(self) -> str:
        return self.text("en")

    def text(self, language: str) -> str:
        """The sentence in ``language`` ("de", "en", "fr" or "es"; any other: English)."""
        from brikks_vision.text.languages import texts_in
        from brikks_vision.text.phrases import Phrase

        texts = texts_in(language)
        sentence = texts.errors.get(type(self).__name__, self.sentence)
        return sentence.format(
            **{
                name: fact.text(language)
                if isinstance(fact, Phrase)
                else texts.words.get(f"{name} {fact}", str(fact))
                for name, fact in self.facts.items()
            }
        )


class WrongUse(BrikksError):  # noqa: N818 (named by what happened, as all of them are)
    """Base of the failures in how the program was called, before any photo is looked at."""


class PhotoUnreadable(BrikksError):  # noqa: N818
    """Base of the failures that lie in one photo: others of the same call can still be read."""

    exit_code: ClassVar[ExitCode] = ExitCode.UNREADABLE


# --- wrong use -----------------------------------------------------------------------------------


class PhotoMissing(WrongUse):
    sentence = "There is no file {path}. Check the name and the folder."

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class CommandUnknown(WrongUse):
    sentence = "There is no command {word}, and no file of that name. Did you mean {command}?"

    def __init__(self, word: str, command: str) -> None:
        super().__init__(word=word, command=command)


class PhotoNotPermitted(WrongUse):
    sentence = "The file {path} may not be opened. Check its permissions, or copy it elsewhere."

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class PhotoIsNoFile(WrongUse):
    sentence = "{path} is no file that can be read as a photo. Give the photo file itself."

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class FolderWithoutPictures(WrongUse):
    sentence = (
        "There are no pictures in the folder {path}. Put JPEG, PNG, WebP or HEIC files in it, "
        "or give another folder."
    )

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class UnknownValue(WrongUse):
    sentence = "{option} cannot be {value}. Choose one of: {choices}."

    def __init__(self, option: object, value: object, choices: object) -> None:
        super().__init__(option=option, value=value, choices=choices)


class GameImpossible(WrongUse):
    sentence = (
        "There is no game with {game}. A standard game has 2 to 4 players, a solo game 1, a duel "
        "2. Correct it, or leave it out."
    )

    def __init__(self, game: object) -> None:
        super().__init__(game=game)


class SheetsNotOneGame(WrongUse):
    sentence = (
        "{count} cannot be the number of sheets of one game. Give the photos of all its players, "
        "each sheet once: 2 to 4, or 2 of a duel."
    )

    def __init__(self, count: int) -> None:
        super().__init__(count=count)


class SamePhotoTwice(WrongUse):
    sentence = (
        "{path} and {other} are the same photo, but each sheet of a game counts once. Give the "
        "photo of the other sheet instead."
    )

    def __init__(self, path: object, other: object) -> None:
        super().__init__(path=path, other=other)


class PlayersUnclear(WrongUse):
    sentence = (
        "--player {value} does not go with {count} sheets. Give one name for each sheet, with "
        "commas between: in the order of the photos, in one photo from left to right."
    )

    def __init__(self, value: str, count: int) -> None:
        super().__init__(value=value, count=count)


class AnswerNamesNoSheet(WrongUse):
    sentence = (
        "{answer} names no sheet of this game. Write the number of the sheet before the answer, "
        'such as --answer "2: cell 3,4=X"; sheets count from 1, in the order of the photos.'
    )

    def __init__(self, answer: object) -> None:
        super().__init__(answer=answer)


class LevelsUnclear(WrongUse):
    sentence = (
        "--level {value} does not go with {count} sheets. Give one level from 1 to 4 for all, or "
        "one for each sheet in the order of the photos, with commas between."
    )

    def __init__(self, value: str, count: int) -> None:
        super().__init__(value=value, count=count)


class PhotosNotOneTurn(WrongUse):
    sentence = (
        "A turn needs two photos of one sheet, before and after it, not {count}. Give both; or "
        "one photo with --out, of a player who says there was no place left."
    )

    def __init__(self, count: int) -> None:
        super().__init__(count=count)


class RollUnknown(WrongUse):
    sentence = (
        "There is no roll {color} {number}. Give the colour and the number of the dice, such as "
        "--roll red 3. Colours: {colors}; numbers: 1 to {highest}."
    )

    def __init__(self, color: str, number: object, colors: str, highest: int) -> None:
        super().__init__(color=color, number=number, colors=colors, highest=highest)


class AnswerUnclear(WrongUse):
    sentence = '"{answer}" answers nothing. Write the place and what stands there: {allowed}.'

    def __init__(self, answer: str, allowed: object) -> None:
        super().__init__(answer=answer, allowed=allowed)


class AnswerOffSheet(WrongUse):
    sentence = "This sheet has no {place}. It has: {allowed}."

    def __init__(self, place: str, allowed: object) -> None:
        super().__init__(place=place, allowed=allowed)


class AnswersNeedOnePhoto(WrongUse):
    sentence = (
        "There are answers, but {count} photos, and an answer belongs to one sheet. Read that "
        "photo on its own."
    )

    def __init__(self, count: int) -> None:
        super().__init__(count=count)


class AnswersNeedOneSheet(WrongUse):
    sentence = (
        "There are answers, but the photo shows {count} sheets, and an answer belongs to one. "
        "Cut that sheet out of the photo, or photograph it on its own."
    )

    def __init__(self, count: int) -> None:
        super().__init__(count=count)


class OutputNotWritable(WrongUse):
    sentence = (
        "{path} cannot be written ({reason}). Give another place, or check the folder's "
        "permissions and the space on the disk."
    )

    def __init__(self, path: object, reason: object) -> None:
        super().__init__(path=path, reason=reason)


class OutputFormatUnknown(WrongUse):
    sentence = "{path} is no kind of file that can be written here. End the name in {suffixes}."

    def __init__(self, path: object, suffixes: object) -> None:
        super().__init__(path=path, suffixes=suffixes)


class OutputNeedsFolder(WrongUse):
    sentence = (
        "{path} is the name of one file, but there are several photos. Give a folder; each "
        "picture is named after its photo."
    )

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class OutputIsInput(WrongUse):
    sentence = "{path} is one of the photos to read and is never overwritten. Give another name."

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class LayoutUnknown(WrongUse):
    sentence = "There is no sheet layout called {name}."

    def __init__(self, name: object) -> None:
        super().__init__(name=name)


# --- the record ----------------------------------------------------------------------------------


class RecordFailure(WrongUse):
    """Base of the failures of the record: what was recorded before is safe."""


class RecordNotWritable(RecordFailure):
    sentence = (
        "The record {path} cannot be written ({reason}). Check the permissions and the space on "
        "the disk, or give another place with --db."
    )

    def __init__(self, path: object, reason: object) -> None:
        super().__init__(path=path, reason=reason)


class RecordDiskFull(RecordFailure):
    sentence = (
        "The disk of the record {path} is full. What was recorded is safe; make room and try again."
    )

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class NotARecord(RecordFailure):
    sentence = "{path} is no record of brikks-scan and stays as it is. Give another file with --db."

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class RecordTooNew(RecordFailure):
    sentence = (
        "The record {path} was made by a newer brikks-scan (version {version}, known is {known}). "
        "Update brikks-scan, or give another one with --db."
    )

    def __init__(self, path: object, version: int, known: int) -> None:
        super().__init__(path=path, version=version, known=known)


class RecordBusy(RecordFailure):
    sentence = (
        "Another program has been writing to the record {path} for long. Wait a moment and try "
        "again; nothing is lost."
    )

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class RecordDamaged(RecordFailure):
    sentence = (
        "The record {path} is damaged ({reason}). Restore it from a backup, or give a new one "
        "with --db."
    )

    def __init__(self, path: object, reason: object) -> None:
        super().__init__(path=path, reason=reason)


class RecordMissing(RecordFailure):
    sentence = "There is no record {path}. Check what stands after --db."

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class BackupMissing(RecordFailure):
    sentence = (
        "There is no backup {path}. Give the file that brikks-scan history backup wrote, or the "
        "record that was kept before the last one was restored."
    )

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class ResultMissing(RecordFailure):
    sentence = "There is no result {number} in the record. brikks-scan history lists them all."

    def __init__(self, number: int) -> None:
        super().__init__(number=number)


class GameMissing(RecordFailure):
    sentence = "There is no game {number} in the record. brikks-scan history shows which there are."

    def __init__(self, number: int) -> None:
        super().__init__(number=number)


class TableMissing(RecordFailure):
    sentence = "There is no table {number}. Choose one on the first page, or set a new one."

    def __init__(self, number: int) -> None:
        super().__init__(number=number)


class SeatMissing(RecordFailure):
    sentence = (
        "That seat is no longer at the table: somebody has changed it meanwhile. Load the page of "
        "the table again."
    )


class NameTwice(WrongUse):
    sentence = (
        "{name} has a seat at this table already. Give each player a name of their own, or move "
        "the sheet to the other seat."
    )

    def __init__(self, name: str) -> None:
        super().__init__(name=name)


class SheetsInOtherGame(RecordFailure):
    sentence = (
        "Result {results} is in game {game} already. With --leave it leaves that game for the new "
        "one; without, all stays as it is."
    )

    def __init__(self, results: object, game: int) -> None:
        super().__init__(results=results, game=game)


class NothingSaid(RecordFailure):
    sentence = (
        "Nothing is said of result {number}. Give what is to change, for example --player NAME or "
        '--answer "bomb 2=crossed".'
    )

    def __init__(self, number: int) -> None:
        super().__init__(number=number)


class NothingToUndo(RecordFailure):
    sentence = "There is no change that could be undone. brikks-scan history shows what there is."


class ChangeNotUndoable(RecordFailure):
    sentence = (
        "The last change, to number {number}, cannot be undone: something was recorded since that "
        "stands in its place. Remove that first, or leave it as it is."
    )

    def __init__(self, number: int) -> None:
        super().__init__(number=number)


class QuestionGone(RecordFailure):
    sentence = (
        "Nothing is open about {key}: it was answered, or the result was removed. brikks-scan "
        "review lists what is open."
    )

    def __init__(self, key: str) -> None:
        super().__init__(key=key)


class AnswerNotOffered(RecordFailure):
    sentence = "{answer} is no answer to that. Choose one of: {choices}."

    def __init__(self, answer: str, choices: str) -> None:
        super().__init__(answer=answer, choices=choices)


class AnswerWithoutKey(RecordFailure):
    sentence = (
        "{answer} names no question. Write the key of the question before the answer, as in "
        '--answer "owner 3 Ben=keep"; brikks-scan review --json lists all keys.'
    )

    def __init__(self, answer: str) -> None:
        super().__init__(answer=answer)


# --- the watched folder --------------------------------------------------------------------------


class FolderMissing(WrongUse):
    sentence = "There is no folder {path}. Make it, or give another one."

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class FolderGone(WrongUse):
    sentence = (
        "The folder {path} is gone, or can no longer be read. Nothing that was recorded is lost; "
        "as soon as it is there again, this goes on."
    )

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class AnotherWatcher(WrongUse):
    sentence = (
        "Another brikks-scan watch writes to the record {path} already. End it, give it this "
        "folder as well, or give another record here with --db."
    )

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class NotifierMissing(WrongUse):
    sentence = (
        "This computer has no notifications that brikks-scan knows (notify-send or osascript). "
        "Scores are told here only."
    )


# --- the page -------------------------------------------------------------------------------------


class WebPartsMissing(WrongUse):
    sentence = (
        "The page needs the package {package}, which is not installed. Install what it needs:"
        " pip install 'brikks-vision[web]'"
    )

    def __init__(self, package: str) -> None:
        super().__init__(package=package)


class PlotPartsMissing(WrongUse):
    sentence = (
        "Plots need the package {package}, which is not installed. Install it:"
        " pip install 'brikks-vision[plots]'"
    )

    def __init__(self, package: str) -> None:
        super().__init__(package=package)


class AddressNotFree(WrongUse):
    sentence = (
        "The page cannot be opened at {address} ({reason}). End the program that uses it, or "
        "give another --port or --host."
    )

    def __init__(self, address: object, reason: object) -> None:
        super().__init__(address=address, reason=reason)


class ServerBusy(WrongUse):
    sentence = (
        "Too many photos are being read right now. Wait a few seconds and send the photo again."
    )


class UploadWithoutPhoto(PhotoUnreadable):
    sentence = "No photo was sent. Take one or choose one, then send it."


class UploadBroken(PhotoUnreadable):
    sentence = "The photo did not arrive whole. Send it again."


class UploadTooSlow(PhotoUnreadable):
    sentence = (
        "After {seconds} seconds the photo had not arrived. Go closer to the wireless "
        "network, or send a smaller photo."
    )

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds=seconds)


class UploadNotStored(WrongUse):
    sentence = (
        "The photo could not be stored while it is read ({reason}). Make room on the disk of "
        "the computer that runs brikks-scan, and send it again."
    )

    def __init__(self, reason: object) -> None:
        super().__init__(reason=reason)


class KeyRefused(WrongUse):
    sentence = (
        "This page opens only with its key. Scan the QR code that brikks-scan serve shows, or"
        " open the whole address below it."
    )


class OtherSite(WrongUse):
    sentence = "Another page sent this, so nothing was done. Open this page itself and do it here."


class HostUnknown(WrongUse):
    sentence = (
        "This page does not answer to the name in that address. Open the address that brikks-"
        "scan serve shows."
    )


class PageMissing(WrongUse):
    sentence = "There is no such page. Go back to the start."


class FieldUnclear(WrongUse):
    sentence = "What was sent as {field} cannot be. Go back and choose it again."

    def __init__(self, field: str) -> None:
        super().__init__(field=field)


class PageFailed(WrongUse):
    sentence = (
        "The program failed here ({reason}). Nothing that was recorded is lost. Go back to "
        "the start, and please report this."
    )

    def __init__(self, reason: object) -> None:
        super().__init__(reason=reason)


# --- the file ------------------------------------------------------------------------------------


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
    sentence = (
        "The file has {megabytes} MB; at most {limit} can be read. Save the photo smaller, "
        "or as a JPEG."
    )

    def __init__(self, megabytes: int, limit: int) -> None:
        super().__init__(megabytes=megabytes, limit=limit)


class TooManyPixels(PhotoUnreadable):
    sentence = (
        "The picture has {megapixels} megapixels; at most {limit} can be read. "
        "Save the photo smaller."
    )

    def __init__(self, megapixels: int, limit: int) -> None:
        super().__init__(megapixels=megapixels, limit=limit)


class CameraDateAhead(BrikksError):  # noqa: N818
    """Nothing failed: it is told, and the reading stands."""

    exit_code: ClassVar[ExitCode] = ExitCode.CERTAIN
    sentence = (
        "The camera says that this photo was taken on {camera}, which is in the future, so the "
        "file's date counts: {taken}. Check the camera's clock."
    )

    def __init__(self, camera: object, taken: object) -> None:
        super().__init__(camera=camera, taken=taken)


# --- what the photo shows ------------------------------------------------------------------------


class NoSheetFound(PhotoUnreadable):
    sentence = (
        "No Brikks sheet was found in the photo. Lay the sheet flat in good light and take the "
        "photo from above, with the whole sheet in it."
    )


class SheetCutOff(PhotoUnreadable):
    sentence = (
        "The sheet is cut off at the {side} edge of the photo. Take the photo again with the "
        "whole sheet in it."
    )

    def __init__(self, side: Side) -> None:
        super().__init__(side=side)


class NoBoardFound(PhotoUnreadable):
    sentence = (
        "No board was found in the photo. Photograph the whole board in good light, from above or "
        "at a slant."
    )

    def __init__(self) -> None:
        super().__init__()


class BoardCutOff(PhotoUnreadable):
    sentence = "Part of the board lies outside the photo. Photograph it so that all of it shows."

    def __init__(self) -> None:
        super().__init__()


class BoardIsAnother(PhotoUnreadable):
    sentence = (
        "The board in the photo is another one: its fields have other colours than the board that "
        "was learnt. Learn this board from a photo of it, empty."
    )

    def __init__(self) -> None:
        super().__init__()


class BoardNotEmpty(PhotoUnreadable):
    sentence = (
        "Something stands on the board, and a board is learnt from a photo of it, empty. Clear it "
        "and photograph it again."
    )

    def __init__(self) -> None:
        super().__init__()


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


# --- the program ---------------------------------------------------------------------------------


class ReaderStopped(PhotoUnreadable):
    sentence = (
        "The process that read this photo was ended from outside, perhaps for want of memory. "
        "Read the photo again, with fewer --jobs."
    )


class ReadingTooSlow(PhotoUnreadable):
    sentence = (
        "After {seconds} seconds the photo was not read, and it was given up. Read it again when "
        "the machine is less busy, or take another photo."
    )

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds=seconds)


class ReadingFailed(PhotoUnreadable):
    sentence = (
        "The program failed on this photo ({reason}). Take another photo, and please report "
        "this one."
    )

    def __init__(self, reason: object) -> None:
        super().__init__(reason=reason)
