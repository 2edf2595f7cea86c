"""Failures in how the program was called."""

from __future__ import annotations

from typing import ClassVar

from brikks_vision.errors.base import BrikksError, ExitCode, PartsMissing, WrongUse
from brikks_vision.text.phrases import Phrase, Told


class PhotoMissing(WrongUse):
    sentence = "There is no file {path}. Check the name and the folder."

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class CommandUnknown(WrongUse):
    sentence = "There is no command {word}, and no file of that name. Did you mean {command}?"

    def __init__(self, word: str, command: str) -> None:
        super().__init__(word=word, command=command)


class OptionUnknown(WrongUse):
    """``more``: the command that explains what there is, here and below."""

    sentence = "There is no option {option}. {more} shows those there are."

    def __init__(self, option: str, more: str) -> None:
        super().__init__(option=option, more=more)


class ValueMissing(WrongUse):
    sentence = "Something is missing after {option}. {more} shows what stands there."

    def __init__(self, option: str, more: str) -> None:
        super().__init__(option=option, more=more)


class ArgumentMissing(WrongUse):
    sentence = "{argument} is missing. {more} shows what the command needs."

    def __init__(self, argument: object, more: str) -> None:
        super().__init__(argument=argument, more=more)


class WordsLeftOver(WrongUse):
    sentence = "{words} does not belong here. {more} shows what the command needs."

    def __init__(self, words: str, more: str) -> None:
        super().__init__(words=words, more=more)


class PhotoNotPermitted(WrongUse):
    sentence = "The file {path} may not be opened. Check its permissions, or copy it elsewhere."

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class PhotoIsNoFile(WrongUse):
    sentence = "{path} is no file that can be read as a photo. Give the photo file itself."

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class SourceUnknown(WrongUse):
    """``kind``: the name of the class of what was given in place of a photo."""

    sentence = (
        "A photo cannot be taken from {kind}. Give a path, a file's bytes, a binary file object, a "
        "BGR image array or an image of Pillow."
    )

    def __init__(self, kind: str) -> None:
        super().__init__(kind=kind)


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


class SheetsOfDifferentGames(WrongUse):
    sentence = "These are sheets of different games: {games}. Give the sheets of one game."

    def __init__(self, games: str) -> None:
        super().__init__(games=games)


class OtherGameAtTable(WrongUse):
    sentence = (
        "{name} is a sheet of {game}, but {played} is played at this table. It stays in the "
        "history, and another table can have it."
    )

    def __init__(self, name: str, game: str, played: str) -> None:
        super().__init__(name=name, game=game, played=played)


class TurnsNotJudged(WrongUse):
    sentence = "Turns of {game} cannot be judged. Give photos of whole sheets, each for itself."

    def __init__(self, game: str) -> None:
        super().__init__(game=game)


class TurnsNotAdvised(WrongUse):
    sentence = (
        "There is no advice for a turn of {game}. Leave out the roll: where the points of the "
        "sheet went is told without it."
    )

    def __init__(self, game: str) -> None:
        super().__init__(game=game)


class RollMissing(WrongUse):
    sentence = "Advice on a turn needs the dice. Say what was rolled, such as --roll red 3."


class RulesForbid(Told, WrongUse):
    """The rules of the game exclude what is said; ``told`` says why."""

    sentence = "{told}"

    def __init__(self, told: Phrase) -> None:
        super().__init__(told=told)
        self.told = told


class GameImpossible(WrongUse):
    sentence = "There is no game with {said}. {rule} Correct it, or leave it out."

    def __init__(self, said: str, rule: Phrase) -> None:
        super().__init__(said=said, rule=rule)


class SettingUnknown(WrongUse):
    sentence = "{setting} cannot be said of {games}. Leave it out, or say what can: {choices}."

    def __init__(self, setting: str, games: str, choices: str) -> None:
        super().__init__(setting=setting, games=games, choices=choices)


class GameWithoutSettings(SettingUnknown):
    sentence = "{setting} cannot be said of {games}: its photo shows all. Leave it out."


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


class PhotoGivenTwice(WrongUse):
    sentence = (
        "{photo} is the same photo as {first}, which shows nothing more. Give another photo of the "
        "same sheet or board, from another side."
    )

    def __init__(self, photo: str, first: str) -> None:
        super().__init__(photo=photo, first=first)


class TooFewToFollow(WrongUse):
    sentence = (
        "A game is followed over at least two photos that can be read, not {count}. Take one after "
        "each turn, and give them in that order."
    )

    def __init__(self, count: int) -> None:
        super().__init__(count=count)


class PhotoFollowedTwice(WrongUse):
    sentence = (
        "{photo} is the same photo as {first}. Give each photo of the game once, in the order in "
        "which they were taken."
    )

    def __init__(self, photo: str, first: str) -> None:
        super().__init__(photo=photo, first=first)


class PhotosOutOfOrder(WrongUse):
    sentence = (
        "These photos cannot have been taken in this order. They fit in this one: {order}. Give "
        "them so, or leave out the one that belongs to another game."
    )

    def __init__(self, order: str) -> None:
        super().__init__(order=order)


class PlayersUnclear(WrongUse):
    sentence = (
        "--player {value} does not go with {count} sheets. Give one name for each sheet, with "
        "commas between: in the order of the photos, in one photo from left to right."
    )

    def __init__(self, value: str, count: int) -> None:
        super().__init__(value=value, count=count)


class PlayerTwice(WrongUse):
    sentence = (
        "--player names {name} for two sheets of one game. Give each sheet a player of its own; "
        "names that differ only in capitals are one player's."
    )

    def __init__(self, name: str) -> None:
        super().__init__(name=name)


class AnswerNamesNoSheet(WrongUse):
    sentence = (
        "{answer} names no sheet of this game. Write the number of the sheet before the answer, "
        'such as --answer "2: cell 3,4=X"; sheets count from 1, in the order of the photos.'
    )

    def __init__(self, answer: object) -> None:
        super().__init__(answer=answer)


class SettingsUnclear(WrongUse):
    sentence = (
        "--{setting} {value} does not go with {count} sheets. Give one for all, or one for each "
        "sheet in the order of the photos, with commas between."
    )

    def __init__(self, setting: str, value: str, count: int) -> None:
        super().__init__(setting=setting, value=value, count=count)


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


class OutputExists(WrongUse):
    sentence = "{path} is there already and stays as it is. Give another name, or add --replace."

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


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


# --- a cluster ------------------------------------------------------------------------------------


class ClusterPartsMissing(PartsMissing):
    sentence = (
        "--scheduler and --parquet need the package {package}, which is not installed. Install it:"
        " pip install 'brikks-vision[cluster]'"
    )


class SchedulerUnreachable(WrongUse):
    sentence = (
        "No Dask scheduler answers at {address} ({reason}). Check the address, such as "
        "tcp://HOST:8786, and that the scheduler runs."
    )

    def __init__(self, address: str, reason: object) -> None:
        super().__init__(address=address, reason=reason)


class WorkersAwaited(BrikksError):  # noqa: N818
    """A note: nothing failed."""

    exit_code: ClassVar[ExitCode] = ExitCode.CERTAIN
    sentence = "The cluster at {address} has no workers now. This goes on as soon as there are any."

    def __init__(self, address: str) -> None:
        super().__init__(address=address)


class SchedulerGone(WrongUse):
    sentence = (
        "The scheduler at {address} no longer answers. Start it and its workers again, then give "
        "the same command."
    )

    def __init__(self, address: str) -> None:
        super().__init__(address=address)


class WorkersUnfit(WrongUse):
    sentence = (
        "The workers of the cluster cannot read photos ({reason}). Install brikks-vision {version} "
        "there, the version that runs here."
    )

    def __init__(self, reason: object, version: str) -> None:
        super().__init__(reason=reason, version=version)


class PhotoNotOnWorkers(WrongUse):
    sentence = (
        "A worker of the cluster cannot open {path}. Put the photos on storage that all workers "
        "share, or send them with --send."
    )

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class StoreUnreadable(WrongUse):
    sentence = (
        "{url} cannot be read ({reason}). Check the address and the access, and that the package "
        "for this kind of store is installed, such as s3fs for s3://."
    )

    def __init__(self, url: str, reason: object) -> None:
        super().__init__(url=url, reason=reason)


# --- printings ------------------------------------------------------------------------------------


class LayoutUnknown(WrongUse):
    sentence = (
        "There is no sheet layout called {name}. brikks-scan sheet list shows those there are."
    )

    def __init__(self, name: object) -> None:
        super().__init__(name=name)


class SheetOfOtherGame(WrongUse):
    sentence = "{sheet} is no definition for the game {game}. Name another one, or another game."

    def __init__(self, sheet: object, game: str) -> None:
        super().__init__(sheet=sheet, game=game)


class PiecesNotLearnt(WrongUse):
    sentence = (
        "{game} has no pieces that stand on a board, so there are none to learn. Leave the second "
        "photo out."
    )

    def __init__(self, game: str) -> None:
        super().__init__(game=game)


class DefinitionMissing(WrongUse):
    sentence = (
        "There is no sheet definition {path} that can be opened. Check the name, the folder and "
        "its permissions."
    )

    def __init__(self, path: object) -> None:
        super().__init__(path=path)


class DefinitionDamaged(WrongUse):
    """``where``: the part of the definition that cannot be right."""

    sentence = (
        "{path} is no sheet definition that can be used ({where} is wrong). Copy it again, or "
        "learn the sheet anew from a photo."
    )

    def __init__(self, path: object, where: str) -> None:
        super().__init__(path=path, where=where)


class DefinitionVersion(WrongUse):
    sentence = (
        "The sheet definition {path} is of version {version}, known is {known}. Update "
        "brikks-scan, or learn the sheet anew from a photo."
    )

    def __init__(self, path: object, version: object, known: int) -> None:
        super().__init__(path=path, version=version, known=known)


class SheetNameUnfit(WrongUse):
    sentence = (
        "A sheet cannot be called {name}. Take small letters, digits, - and _, such as --name "
        "{example}."
    )

    def __init__(self, name: str, example: str) -> None:
        super().__init__(name=name, example=example)


class SheetNameTaken(WrongUse):
    sentence = (
        "There is a sheet called {name} already. Take another one with --name, or first take that "
        "one away with brikks-scan sheet remove."
    )

    def __init__(self, name: str) -> None:
        super().__init__(name=name)


class SheetIsPackaged(WrongUse):
    sentence = (
        "The sheet {name} belongs to brikks-scan and stays. brikks-scan sheet list shows those "
        "that can be removed."
    )

    def __init__(self, name: str) -> None:
        super().__init__(name=name)
