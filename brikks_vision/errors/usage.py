"""Failures in how the program was called."""

from __future__ import annotations

from typing import ClassVar

from brikks_vision.errors.base import BrikksError, ExitCode, PartsMissing, WrongUse
from brikks_vision.text.phrases import Phrase, Told


class PhotoMissing(WrongUse):
    path: object
    sentence = "There is no file {path}. Check the name and the folder."


class CommandUnknown(WrongUse):
    word: str
    command: str
    sentence = "There is no command {word}, and no file of that name. Did you mean {command}?"


class OptionUnknown(WrongUse):
    """``more``: the command that explains what there is, here and below."""

    option: str
    more: str
    sentence = "There is no option {option}. {more} shows those there are."


class ValueMissing(WrongUse):
    option: str
    more: str
    sentence = "Something is missing after {option}. {more} shows what stands there."


class ArgumentMissing(WrongUse):
    argument: object
    more: str
    sentence = "{argument} is missing. {more} shows what the command needs."


class WordsLeftOver(WrongUse):
    words: str
    more: str
    sentence = "{words} does not belong here. {more} shows what the command needs."


class PhotoNotPermitted(WrongUse):
    path: object
    sentence = "The file {path} may not be opened. Check its permissions, or copy it elsewhere."


class PhotoIsNoFile(WrongUse):
    path: object
    sentence = "{path} is no file that can be read as a photo. Give the photo file itself."


class SourceUnknown(WrongUse):
    """``kind``: the name of the class of what was given in place of a photo."""

    kind: str
    sentence = (
        "A photo cannot be taken from {kind}. Give a path, a file's bytes, a binary file object, a "
        "BGR image array or an image of Pillow."
    )


class ReadingDamaged(WrongUse):
    """``where``: the field that no reading has so."""

    where: str
    sentence = (
        "This is no reading that brikks-scan wrote ({where} is wrong). Give what to_dict returned, "
        "or a whole line of --json, as it was."
    )


class FolderWithoutPictures(WrongUse):
    path: object
    sentence = (
        "There are no pictures in the folder {path}. Put JPEG, PNG, WebP or HEIC files in it, "
        "or give another folder."
    )


class UnknownValue(WrongUse):
    option: object
    value: object
    choices: object
    sentence = "{option} cannot be {value}. Choose one of: {choices}."


class SheetsOfDifferentGames(WrongUse):
    games: str
    sentence = "These are sheets of different games: {games}. Give the sheets of one game."


class OtherGameAtTable(WrongUse):
    name: str
    game: str
    played: str
    sentence = (
        "{name} is a sheet of {game}, but {played} is played at this table. It stays in the "
        "history, and another table can have it."
    )


class TurnsNotJudged(WrongUse):
    game: str
    sentence = "Turns of {game} cannot be judged. Give photos of whole sheets, each for itself."


class TurnsNotAdvised(WrongUse):
    game: str
    sentence = (
        "There is no advice for a turn of {game}. Leave out the roll: where the points of the "
        "sheet went is told without it."
    )


class RollMissing(WrongUse):
    sentence = "Advice on a turn needs the dice. Say what was rolled, such as --roll red 3."


class RulesForbid(Told, WrongUse):
    """The rules of the game exclude what is said; ``told`` says why."""

    told: Phrase
    sentence = "{told}"


class GameImpossible(WrongUse):
    said: str
    rule: Phrase
    sentence = "There is no game with {said}. {rule} Correct it, or leave it out."


class SettingUnknown(WrongUse):
    setting: str
    games: str
    choices: str
    sentence = "{setting} cannot be said of {games}. Leave it out, or say what can: {choices}."


class GameWithoutSettings(SettingUnknown):
    sentence = "{setting} cannot be said of {games}: its photo shows all. Leave it out."


class SheetsNotOneGame(WrongUse):
    count: int
    sentence = (
        "{count} cannot be the number of sheets of one game. Give the photos of all its players, "
        "each sheet once: 2 to 4, or 2 of a duel."
    )


class SamePhotoTwice(WrongUse):
    path: object
    other: object
    sentence = (
        "{path} and {other} are the same photo, but each sheet of a game counts once. Give the "
        "photo of the other sheet instead."
    )


class PhotoGivenTwice(WrongUse):
    photo: str
    first: str
    sentence = (
        "{photo} is the same photo as {first}, which shows nothing more. Give another photo of the "
        "same sheet or board, from another side."
    )


class TooFewToFollow(WrongUse):
    count: int
    sentence = (
        "A game is followed over at least two photos that can be read, not {count}. Take one after "
        "each turn, and give them in that order."
    )


class PhotoFollowedTwice(WrongUse):
    photo: str
    first: str
    sentence = (
        "{photo} is the same photo as {first}. Give each photo of the game once, in the order in "
        "which they were taken."
    )


class PhotosOutOfOrder(WrongUse):
    order: str
    sentence = (
        "These photos cannot have been taken in this order. They fit in this one: {order}. Give "
        "them so, or leave out the one that belongs to another game."
    )


class PlayersUnclear(WrongUse):
    value: str
    count: int
    sentence = (
        "--player {value} does not go with {count} sheets. Give one name for each sheet, with "
        "commas between: in the order of the photos, in one photo from left to right."
    )


class PlayerTwice(WrongUse):
    name: str
    sentence = (
        "--player names {name} for two sheets of one game. Give each sheet a player of its own; "
        "names that differ only in capitals are one player's."
    )


class AnswerNamesNoSheet(WrongUse):
    answer: object
    sentence = (
        "{answer} names no sheet of this game. Write the number of the sheet before the answer, "
        'such as --answer "2: cell 3,4=X"; sheets count from 1, in the order of the photos.'
    )


class SettingsUnclear(WrongUse):
    setting: str
    value: str
    count: int
    sentence = (
        "--{setting} {value} does not go with {count} sheets. Give one for all, or one for each "
        "sheet in the order of the photos, with commas between."
    )


class PhotosNotOneTurn(WrongUse):
    count: int
    sentence = (
        "A turn needs two photos of one sheet, before and after it, not {count}. Give both; or "
        "one photo with --out, of a player who says there was no place left."
    )


class RollUnknown(WrongUse):
    color: str
    number: object
    colors: str
    highest: int
    sentence = (
        "There is no roll {color} {number}. Give the colour and the number of the dice, such as "
        "--roll red 3. Colours: {colors}; numbers: 1 to {highest}."
    )


class RollUnclear(WrongUse):
    roll: object
    sentence = "{roll} is no roll. Give the colour and the number of the dice, such as red and 3."


class AnswerUnclear(WrongUse):
    answer: str
    allowed: object
    sentence = '"{answer}" answers nothing. Write the place and what stands there: {allowed}.'


class AnswerOffSheet(WrongUse):
    place: str
    allowed: object
    sentence = "This sheet has no {place}. It has: {allowed}."


class AnswersNeedOnePhoto(WrongUse):
    count: int
    sentence = (
        "There are answers, but {count} photos, and an answer belongs to one sheet. Read that "
        "photo on its own."
    )


class AnswersNeedOneSheet(WrongUse):
    count: int
    sentence = (
        "There are answers, but the photo shows {count} sheets, and an answer belongs to one. "
        "Cut that sheet out of the photo, or photograph it on its own."
    )


class OutputNotWritable(WrongUse):
    path: object
    reason: object
    sentence = (
        "{path} cannot be written ({reason}). Give another place, or check the folder's "
        "permissions and the space on the disk."
    )


class OutputExists(WrongUse):
    path: object
    sentence = "{path} is there already and stays as it is. Give another name, or add --replace."


class OutputFormatUnknown(WrongUse):
    path: object
    suffixes: object
    sentence = "{path} is no kind of file that can be written here. End the name in {suffixes}."


class OutputNeedsFolder(WrongUse):
    path: object
    sentence = (
        "{path} is the name of one file, but there are several photos. Give a folder; each "
        "picture is named after its photo."
    )


class OutputIsInput(WrongUse):
    path: object
    sentence = "{path} is one of the photos to read and is never overwritten. Give another name."


# --- a cluster ------------------------------------------------------------------------------------


class ClusterPartsMissing(PartsMissing):
    sentence = (
        "--scheduler and --parquet need the package {package}, which is not installed. Install it:"
        " pip install 'brikks-vision[cluster]'"
    )


class SchedulerUnreachable(WrongUse):
    address: str
    reason: object
    sentence = (
        "No Dask scheduler answers at {address} ({reason}). Check the address, such as "
        "tcp://HOST:8786, and that the scheduler runs."
    )


class WorkersAwaited(BrikksError):  # noqa: N818
    """A note: nothing failed."""

    address: str
    exit_code: ClassVar[ExitCode] = ExitCode.CERTAIN
    sentence = "The cluster at {address} has no workers now. This goes on as soon as there are any."


class SchedulerGone(WrongUse):
    address: str
    sentence = (
        "The scheduler at {address} no longer answers. Start it and its workers again, then give "
        "the same command."
    )


class WorkersUnfit(WrongUse):
    reason: object
    version: str
    sentence = (
        "The workers of the cluster cannot read photos ({reason}). Install brikks-vision {version} "
        "there, the version that runs here."
    )


class PhotoNotOnWorkers(WrongUse):
    path: object
    sentence = (
        "A worker of the cluster cannot open {path}. Put the photos on storage that all workers "
        "share, or send them with --send."
    )


class StoreUnreadable(WrongUse):
    url: str
    reason: object
    sentence = (
        "{url} cannot be read ({reason}). Check the address and the access, and that the package "
        "for this kind of store is installed, such as s3fs for s3://."
    )


# --- printings ------------------------------------------------------------------------------------


class LayoutUnknown(WrongUse):
    name: object
    sentence = (
        "There is no sheet layout called {name}. brikks-scan sheet list shows those there are."
    )


class SheetOfOtherGame(WrongUse):
    sheet: object
    game: str
    sentence = "{sheet} is no definition for the game {game}. Name another one, or another game."


class PiecesNotLearnt(WrongUse):
    game: str
    sentence = (
        "{game} has no pieces that stand on a board, so there are none to learn. Leave the second "
        "photo out."
    )


class DefinitionMissing(WrongUse):
    path: object
    sentence = (
        "There is no sheet definition {path} that can be opened. Check the name, the folder and "
        "its permissions."
    )


class DefinitionDamaged(WrongUse):
    """``where``: the part of the definition that cannot be right."""

    path: object
    where: str
    sentence = (
        "{path} is no sheet definition that can be used ({where} is wrong). Copy it again, or "
        "learn the sheet anew from a photo."
    )


class DefinitionVersion(WrongUse):
    path: object
    version: object
    known: int
    sentence = (
        "The sheet definition {path} is of version {version}, known is {known}. Update "
        "brikks-scan, or learn the sheet anew from a photo."
    )


class SheetNameUnfit(WrongUse):
    name: str
    example: str
    sentence = (
        "A sheet cannot be called {name}. Take small letters, digits, - and _, such as --name "
        "{example}."
    )


class SheetNameTaken(WrongUse):
    name: str
    sentence = (
        "There is a sheet called {name} already. Take another one with --name, or first take that "
        "one away with brikks-scan sheet remove."
    )


class SheetIsPackaged(WrongUse):
    name: str
    sentence = (
        "The sheet {name} belongs to brikks-scan and stays. brikks-scan sheet list shows those "
        "that can be removed."
    )
