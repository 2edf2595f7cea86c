"""What can go wrong: a class a failure, on one line each, with its facts.

What the user reads, what is wrong and what to do next, stands in ``text/*/errors.json`` by class
name; a fact is put in where the sentence names it. Facts are given in their order or by name.
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar, Literal

from brikks_vision.text.phrases import Failure, Phrase, Told

Side = Literal["left", "right", "top", "bottom"]


class ExitCode(IntEnum):
    """How ``brikks-scan`` ends; the numbers are fixed."""

    CERTAIN = 0
    UNREADABLE = 1
    WRONG_USE = 2
    UNCERTAIN = 3
    VIOLATIONS = 4


class BrikksError(Failure):
    """Base of all failures that a user can cause and correct.

    ``str(error)`` is the English sentence; ``error.text("de")`` the German one.
    """

    exit_code: ClassVar[ExitCode] = ExitCode.WRONG_USE


class WrongUse(BrikksError):
    """Base of the failures in how the program was called, found before any photo is read."""


class PartsMissing(WrongUse):
    """Base of the failures where a package that is only needed for some things is missing."""

    package: str


class RecordFailure(WrongUse):
    """Base of the failures of the record. What was recorded before stays safe."""


class PhotoUnreadable(BrikksError):
    """Base of the failures of one photo; other photos of the same call can still be read.

    of_pieces: it is that of the board set up, not that of the empty one.
    """

    exit_code: ClassVar[ExitCode] = ExitCode.UNREADABLE
    of_pieces = False


# A table: the formatter would write each class on three lines or more.
# fmt: off

# --- how the program was called -------------------------------------------------------------------
class PhotoMissing(WrongUse): path: object
class CommandUnknown(WrongUse): word: str; command: str
# more: the command that explains what there is, here and below.
class OptionUnknown(WrongUse): option: str; more: str
class ValueMissing(WrongUse): option: str; more: str
class ArgumentMissing(WrongUse): argument: object; more: str
class WordsLeftOver(WrongUse): words: str; more: str
class PhotoNotPermitted(WrongUse): path: object
class PhotoIsNoFile(WrongUse): path: object
# kind: the name of the class of what was given in place of a photo.
class SourceUnknown(WrongUse): kind: str
class ReadingDamaged(WrongUse): where: str  # where: the field that no reading has so.
class FolderWithoutPictures(WrongUse): path: object
class UnknownValue(WrongUse): option: object; value: object; choices: object
class SheetsOfDifferentGames(WrongUse): games: str
class OtherGameAtTable(WrongUse): name: str; game: str; played: str
class TurnsNotJudged(WrongUse): game: str
class TurnsNotAdvised(WrongUse): game: str
class RollMissing(WrongUse): ...
# The rules of the game exclude what is said; told says why.
class RulesForbid(Told, WrongUse): told: Phrase
class GameImpossible(WrongUse): said: str; rule: Phrase
class SettingUnknown(WrongUse): setting: str; games: str; choices: str
class GameWithoutSettings(SettingUnknown): ...
class SheetsNotOneGame(WrongUse): count: int
class SamePhotoTwice(WrongUse): path: object; other: object
class PhotoGivenTwice(WrongUse): photo: str; first: str
class TooFewToFollow(WrongUse): count: int
class PhotoFollowedTwice(WrongUse): photo: str; first: str
class PhotosOutOfOrder(WrongUse): order: str
class PlayersUnclear(WrongUse): value: str; count: int
class PlayerTwice(WrongUse): name: str
class AnswerNamesNoSheet(WrongUse): answer: object
class SettingsUnclear(WrongUse): setting: str; value: str; count: int
class PhotosNotOneTurn(WrongUse): count: int
class RollUnknown(WrongUse): color: str; number: object; colors: str; highest: int
class RollUnclear(WrongUse): roll: object
class AnswerUnclear(WrongUse): answer: str; allowed: object
class AnswerOffSheet(WrongUse): place: str; allowed: object
class AnswersNeedOnePhoto(WrongUse): count: int
class AnswersNeedOneSheet(WrongUse): count: int
class OutputNotWritable(WrongUse): path: object; reason: object
class OutputExists(WrongUse): path: object
class OutputFormatUnknown(WrongUse): path: object; suffixes: object
class OutputNeedsFolder(WrongUse): path: object
class OutputIsInput(WrongUse): path: object

# --- a cluster ------------------------------------------------------------------------------------
class ClusterPartsMissing(PartsMissing): ...
class SchedulerUnreachable(WrongUse): address: str; reason: object
# A note: nothing failed.
class WorkersAwaited(BrikksError): address: str; exit_code = ExitCode.CERTAIN
class SchedulerGone(WrongUse): address: str
class WorkersUnfit(WrongUse): reason: object; version: str
class PhotoNotOnWorkers(WrongUse): path: object
class StoreUnreadable(WrongUse): url: str; reason: object

# --- printings ------------------------------------------------------------------------------------
class LayoutUnknown(WrongUse): name: object
class SheetOfOtherGame(WrongUse): sheet: object; game: str
class PiecesNotLearnt(WrongUse): game: str
class DefinitionMissing(WrongUse): path: object
# where: the part of the definition that cannot be right.
class DefinitionDamaged(WrongUse): path: object; where: str
class DefinitionVersion(WrongUse): path: object; version: object; known: int
class SheetNameUnfit(WrongUse): name: str; example: str
class SheetNameTaken(WrongUse): name: str
class SheetIsPackaged(WrongUse): name: str

# --- the record -----------------------------------------------------------------------------------
class RecordNotWritable(RecordFailure): path: object; reason: object
class RecordDiskFull(RecordFailure): path: object
class NotARecord(RecordFailure): path: object
class RecordTooNew(RecordFailure): path: object; version: int; known: int
class RecordBusy(RecordFailure): path: object
class RecordDamaged(RecordFailure): path: object; reason: object
class RecordMissing(RecordFailure): path: object
class BackupMissing(RecordFailure): path: object
class ResultMissing(RecordFailure): number: int
class GameMissing(RecordFailure): number: int
class BoardWithoutPhoto(RecordFailure): number: int
class BoardOfSeveralPhotos(RecordFailure): number: int; photos: str
class TableMissing(RecordFailure): number: int
class SeatMissing(RecordFailure): ...
class NameTwice(WrongUse): name: str
class NameTooLong(WrongUse): name: str; count: int; limit: int
class SheetsInOtherGame(RecordFailure): results: object; game: int
class NothingSaid(RecordFailure): number: int
class NothingToUndo(RecordFailure): ...
class ChangeNotUndoable(RecordFailure): number: int
class QuestionGone(RecordFailure): key: str
class AnswerNotOffered(RecordFailure): answer: str; choices: str
class AnswerWithoutKey(RecordFailure): answer: str

# --- photos that teach ----------------------------------------------------------------------------
class PhotoNotHere(RecordFailure): number: int
class NothingKept(RecordFailure): ...
class ResultNotKept(RecordFailure): number: int

# --- the watched folder ---------------------------------------------------------------------------
class FolderMissing(WrongUse): path: object
class FolderGone(WrongUse): path: object
class AnotherWatcher(WrongUse): path: object
class NotifierMissing(WrongUse): ...

# --- the page -------------------------------------------------------------------------------------
class WebPartsMissing(PartsMissing): ...
class HttpsPartsMissing(PartsMissing): ...
class PlotPartsMissing(PartsMissing): ...
class AddressNotFree(WrongUse): address: object; reason: object
class ServerBusy(WrongUse): ...
class UploadWithoutPhoto(PhotoUnreadable): ...
class UploadBroken(PhotoUnreadable): ...
class UploadTooSlow(PhotoUnreadable): seconds: int
class UploadNotStored(WrongUse): reason: object
class KeyRefused(WrongUse): ...
class OtherSite(WrongUse): ...
class HostUnknown(WrongUse): ...
class PageMissing(WrongUse): ...
class FieldUnclear(WrongUse): field: str
class PageFailed(WrongUse): reason: object

# --- a photo's file -------------------------------------------------------------------------------
class PhotoEmpty(PhotoUnreadable): ...
class PhotoTruncated(PhotoUnreadable): ...
class PhotoDamaged(PhotoUnreadable): ...
class NotAnImage(PhotoUnreadable): ...
class FileTooLarge(PhotoUnreadable): megabytes: int; limit: int
class TooManyPixels(PhotoUnreadable): megapixels: int; limit: int
class TooManyScans(PhotoUnreadable): limit: int
# A note beside a valid reading: nothing failed.
class CameraDateAhead(BrikksError): camera: object; taken: object; exit_code = ExitCode.CERTAIN

# --- what the photo shows -------------------------------------------------------------------------
class NoSheetFound(PhotoUnreadable): ...
class PrintingUnknown(NoSheetFound): ...
# is_larger: it reaches beyond opposite edges of the photo.
class SheetCutOff(PhotoUnreadable): side: Side; is_larger = False
class NoBoardFound(PhotoUnreadable): ...
class BoardCutOff(PhotoUnreadable): ...
class BoardIsAnother(PhotoUnreadable): ...
class BoardOfOtherGame(PhotoUnreadable): game: str
class BoardAtTable(PhotoUnreadable): game: str; played: str
class BoardNotEmpty(PhotoUnreadable): ...
class BoardNotSetUp(PhotoUnreadable): ...
class SetUpOfAnother(PhotoUnreadable): ...
class SheetBackShown(PhotoUnreadable): ...
class SheetTooBlurred(PhotoUnreadable): ...
class SheetTooSmall(PhotoUnreadable): ...
class PhotoMirrored(PhotoUnreadable): ...
# photo: the name of one of several photos that were to be read as one.
class OneOfPhotosUnreadable(PhotoUnreadable): photo: str; why: PhotoUnreadable
class PhotoOfAnother(PhotoUnreadable): photo: str; first: str
class PhotoOfAnotherState(PhotoUnreadable): photo: str; first: str
# count: how many places look marked; setting: the plainest, set to be empty.
class BlankIsMarked(PhotoUnreadable): count: int; setting: str
class BlankOfOtherGame(PhotoUnreadable): game: str
# count: of the sheets that are kept and count; least: how many are needed.
class TooFewSheets(PhotoUnreadable): count: int; least: int
# count: how many places look marked on all sheets together.
class PrintHidden(PhotoUnreadable): count: object
# number: of the result whose photo shows another printing.
class PrintsDiffer(PhotoUnreadable): number: str
class BonusesNotFound(PhotoUnreadable): ...
class GridNotFound(PhotoUnreadable): ...

# --- reading it -----------------------------------------------------------------------------------
class ReaderStopped(PhotoUnreadable): ...
class OrderUnknown(PhotoUnreadable): ...
class PhotoEndsReaders(PhotoUnreadable): ...
class ReadingTooSlow(PhotoUnreadable): seconds: int
class ReadingFailed(PhotoUnreadable): reason: object
