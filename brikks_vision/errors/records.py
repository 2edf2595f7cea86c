"""Failures of the record."""

from __future__ import annotations

from brikks_vision.errors.base import WrongUse


class RecordFailure(WrongUse):
    """Base of the failures of the record. What was recorded before stays safe."""


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
    sentence = "There is no result {number} in the record. The history lists them all."

    def __init__(self, number: int) -> None:
        super().__init__(number=number)


class GameMissing(RecordFailure):
    sentence = "There is no game {number} in the record. The history shows which there are."

    def __init__(self, number: int) -> None:
        super().__init__(number=number)


class BoardWithoutPhoto(RecordFailure):
    sentence = (
        "Result {number} is a board: to correct it, its photo is needed. Give the photo with "
        "--answer, or send it to the page again."
    )

    def __init__(self, number: int) -> None:
        super().__init__(number=number)


class BoardOfSeveralPhotos(RecordFailure):
    sentence = (
        "Result {number} was read from {photos} together. To correct it, give all of these photos, "
        "with --together, or on the page one after the other."
    )

    def __init__(self, number: int, photos: str) -> None:
        super().__init__(number=number, photos=photos)


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


class NameTooLong(WrongUse):
    sentence = (
        "{name} has {count} characters; a player's name has {limit} at most. Give a shorter one."
    )

    def __init__(self, name: str, count: int, limit: int) -> None:
        super().__init__(name=name, count=count, limit=limit)


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
        "The last change, to number {number}, can no longer be undone: what was recorded since "
        "stands in its place and stays. The next undo takes back the change before it."
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


# --- photos that teach ----------------------------------------------------------------------------


class PhotoNotHere(RecordFailure):
    sentence = (
        "The photo of result {number} is not here any more. Send it again, or read it again with "
        "brikks-scan PHOTO --keep; what was said of it still holds."
    )

    def __init__(self, number: int) -> None:
        super().__init__(number=number)


class NothingKept(RecordFailure):
    sentence = (
        "No photo is kept to teach. Keep one with brikks-scan PHOTO --keep, or on the page of "
        "brikks-scan serve."
    )


class ResultNotKept(RecordFailure):
    sentence = (
        "No photo of result {number} is kept to teach. brikks-scan report lists those that are; "
        "brikks-scan PHOTO --keep keeps one."
    )

    def __init__(self, number: int) -> None:
        super().__init__(number=number)
