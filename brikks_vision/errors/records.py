"""Failures of the record."""

from __future__ import annotations

from brikks_vision.errors.base import WrongUse


class RecordFailure(WrongUse):
    """Base of the failures of the record. What was recorded before stays safe."""


class RecordNotWritable(RecordFailure):
    path: object
    reason: object
    sentence = (
        "The record {path} cannot be written ({reason}). Check the permissions and the space on "
        "the disk, or give another place with --db."
    )


class RecordDiskFull(RecordFailure):
    path: object
    sentence = (
        "The disk of the record {path} is full. What was recorded is safe; make room and try again."
    )


class NotARecord(RecordFailure):
    path: object
    sentence = "{path} is no record of brikks-scan and stays as it is. Give another file with --db."


class RecordTooNew(RecordFailure):
    path: object
    version: int
    known: int
    sentence = (
        "The record {path} was made by a newer brikks-scan (version {version}, known is {known}). "
        "Update brikks-scan, or give another one with --db."
    )


class RecordBusy(RecordFailure):
    path: object
    sentence = (
        "Another program has been writing to the record {path} for long. Wait a moment and try "
        "again; nothing is lost."
    )


class RecordDamaged(RecordFailure):
    path: object
    reason: object
    sentence = (
        "The record {path} is damaged ({reason}). Restore it from a backup, or give a new one "
        "with --db."
    )


class RecordMissing(RecordFailure):
    path: object
    sentence = "There is no record {path}. Check what stands after --db."


class BackupMissing(RecordFailure):
    path: object
    sentence = (
        "There is no backup {path}. Give the file that brikks-scan history backup wrote, or the "
        "record that was kept before the last one was restored."
    )


class ResultMissing(RecordFailure):
    number: int
    sentence = "There is no result {number} in the record. The history lists them all."


class GameMissing(RecordFailure):
    number: int
    sentence = "There is no game {number} in the record. The history shows which there are."


class BoardWithoutPhoto(RecordFailure):
    number: int
    sentence = (
        "Result {number} is a board: to correct it, its photo is needed. Give the photo with "
        "--answer, or send it to the page again."
    )


class BoardOfSeveralPhotos(RecordFailure):
    number: int
    photos: str
    sentence = (
        "Result {number} was read from {photos} together. To correct it, give all of these photos, "
        "with --together, or on the page one after the other."
    )


class TableMissing(RecordFailure):
    number: int
    sentence = "There is no table {number}. Choose one on the first page, or set a new one."


class SeatMissing(RecordFailure):
    sentence = (
        "That seat is no longer at the table: somebody has changed it meanwhile. Load the page of "
        "the table again."
    )


class NameTwice(WrongUse):
    name: str
    sentence = (
        "{name} has a seat at this table already. Give each player a name of their own, or move "
        "the sheet to the other seat."
    )


class NameTooLong(WrongUse):
    name: str
    count: int
    limit: int
    sentence = (
        "{name} has {count} characters; a player's name has {limit} at most. Give a shorter one."
    )


class SheetsInOtherGame(RecordFailure):
    results: object
    game: int
    sentence = (
        "Result {results} is in game {game} already. With --leave it leaves that game for the new "
        "one; without, all stays as it is."
    )


class NothingSaid(RecordFailure):
    number: int
    sentence = (
        "Nothing is said of result {number}. Give what is to change, for example --player NAME or "
        '--answer "bomb 2=crossed".'
    )


class NothingToUndo(RecordFailure):
    sentence = "There is no change that could be undone. brikks-scan history shows what there is."


class ChangeNotUndoable(RecordFailure):
    number: int
    sentence = (
        "The last change, to number {number}, can no longer be undone: what was recorded since "
        "stands in its place and stays. The next undo takes back the change before it."
    )


class QuestionGone(RecordFailure):
    key: str
    sentence = (
        "Nothing is open about {key}: it was answered, or the result was removed. brikks-scan "
        "review lists what is open."
    )


class AnswerNotOffered(RecordFailure):
    answer: str
    choices: str
    sentence = "{answer} is no answer to that. Choose one of: {choices}."


class AnswerWithoutKey(RecordFailure):
    answer: str
    sentence = (
        "{answer} names no question. Write the key of the question before the answer, as in "
        '--answer "owner 3 Ben=keep"; brikks-scan review --json lists all keys.'
    )


# --- photos that teach ----------------------------------------------------------------------------


class PhotoNotHere(RecordFailure):
    number: int
    sentence = (
        "The photo of result {number} is not here any more. Send it again, or read it again with "
        "brikks-scan PHOTO --keep; what was said of it still holds."
    )


class NothingKept(RecordFailure):
    sentence = (
        "No photo is kept to teach. Keep one with brikks-scan PHOTO --keep, or on the page of "
        "brikks-scan serve."
    )


class ResultNotKept(RecordFailure):
    number: int
    sentence = (
        "No photo of result {number} is kept to teach. brikks-scan report lists those that are; "
        "brikks-scan PHOTO --keep keeps one."
    )
