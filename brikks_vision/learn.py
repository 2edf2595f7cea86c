"""Learning a printing from one photo of it without any marks: a sheet or a board.

What is learnt travels as a definition (`brikks_vision.layout.definition`), with the picture of an
empty sheet, so that marks can be told from print.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from brikks_vision.decode.game import BoardLearnt, Learner
from brikks_vision.detect.locator import marker_matches
from brikks_vision.detect.photo import Source, Stored, load_photo, stored
from brikks_vision.detect.placement import Image
from brikks_vision.errors import (
    AnswerOffSheet,
    AnswerUnclear,
    BlankOfOtherGame,
    BrikksError,
    GridNotFound,
    PhotoUnreadable,
    PiecesNotLearnt,
    SheetBackShown,
)
from brikks_vision.games import check_named, game_named, games_with
from brikks_vision.games.learning import Learnt, Settable
from brikks_vision.games.printings import check_name, name_after
from brikks_vision.layout import Layout


def learn_sheet(
    source: Source,
    game: str | None = None,
    name: str | None = None,
    settings: Mapping[str, str] | None = None,
    pieces: Source | None = None,
) -> Learnt | BoardLearnt:
    """Learn a printing from one photo of its empty sheet, or a board from one of it, empty.

    Parameters
    ----------
    source : as of `brikks_vision.scan`.
    game : by its name; None tries all that can be learnt.
    name : of the learnt printing: small letters, digits, "-" and "_"; None: made from the photo's
        name.
    settings : what the user says of the print, such as {"cell 3,4": "2", "row 5": "violet"}, of a
        board {"field 3,4": "white"}.
    pieces : a photo of the board set up for a game, towers on its printed squares, with pawns on
        other fields: it shows what the pieces of this set look like.

    Returns
    -------
    Learnt or BoardLearnt
        With ``doubts``, which ``settings`` of another call settle.

    Raises
    ------
    PhotoUnreadable
        The photo is no picture, or shows no empty sheet or board of the game well enough.
    SourceUnknown, UnknownValue, SheetNameUnfit
        The source holds no photo, there is no such game, or the name does not fit.
    PiecesNotLearnt
        The game has no pieces that stand on a board.
    AnswerUnclear, AnswerOffSheet
        A setting cannot be understood, or the printing has no such place.
    """
    if game is not None:
        check_named(game, "learner", "--game")
    if name is not None:
        check_name(name)
    said = {} if settings is None else settings
    if not isinstance(said, Mapping):
        raise AnswerUnclear(str(settings), '{"cell 3,4": "2"}')
    photo = stored(source)
    names = [each.NAME for each in games_with("learner")] if game is None else [game]
    if pieces is not None:
        names = [each for each in names if _learner(each).with_pieces]
        if not names:
            raise PiecesNotLearnt(game_named(str(game)).TITLE)
    problem: BrikksError | None = None
    for _, alike in groupby(names, lambda each: _learner(each).kind):
        try:
            learnt = _learn_one_of([*alike], photo, game, name, said)
            return learnt if pieces is None else _with_pieces(learnt, pieces)
        except (PhotoUnreadable, AnswerUnclear, AnswerOffSheet) as error:
            problem = problem or error
    assert problem is not None
    raise problem


def _with_pieces(learnt: Learnt | BoardLearnt, pieces: Source) -> Learnt | BoardLearnt:
    learner = _learner(learnt.layout.game)
    assert learner.with_pieces is not None
    try:
        photo = load_photo(stored(pieces), learner.long_side)
        found: Learnt | BoardLearnt = learner.with_pieces(learnt, photo)
    except PhotoUnreadable as error:
        error.of_pieces = True
        raise
    return found


def settable(learnt: Learnt | BoardLearnt) -> Sequence[Settable]:
    """The places whose print ``settings`` of `learn_sheet` can set."""
    return _learner(learnt.layout.game).settable(learnt)


def _learner(game: str) -> Learner:
    learner = game_named(game).learner
    assert learner is not None
    return learner()


def _learn_one_of(
    names: Sequence[str],
    source: Stored,
    said: str | None,
    name: str | None,
    settings: Mapping[str, str],
) -> Learnt | BoardLearnt:
    """The printing of one of these games, whose prints are of one kind. ``said``: the game named.

    Raises
    ------
    PhotoUnreadable, AnswerUnclear, AnswerOffSheet
    """
    photo = load_photo(source, _learner(names[0]).long_side)
    marked = _game_by_markers(photo.image)
    if said is not None and marked not in (None, said):
        raise BlankOfOtherGame(game_named(said).TITLE)
    problem: BrikksError = GridNotFound()
    for game in [marked] if marked in names else names:
        called = name or name_after(photo.name, said)
        try:
            learnt: Learnt | BoardLearnt = _learner(str(game)).learn(photo, called, settings)
            return learnt
        except (BlankOfOtherGame, GridNotFound) as error:
            problem = error if said else problem
        except (SheetBackShown, AnswerUnclear, AnswerOffSheet) as error:
            problem = error  # a setting may be one of another game
    raise problem


def _game_by_markers(image: Image) -> str | None:
    """The game whose printed sheet has the markers that the photo shows."""
    for game in games_with("learner"):
        for layout in game.packaged():
            markers = layout.markers if isinstance(layout, Layout) else None
            if markers and marker_matches(image, markers) is not None:
                return game.NAME
    return None
