"""Learning a printing from one photo of it without any marks: a sheet or a board.

What is printed is proposed, and a person confirms: `learn_sheet` gives a
`brikks_vision.games.learning.Proposal`, whose ``given`` takes what a person says. What is learnt
travels as a definition (`brikks_vision.layout.definition`), with the picture of an empty sheet, so
that marks can be told from print.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from brikks_vision.detect.locator import marker_matches
from brikks_vision.detect.photo import Source, Stored, load_photo, stored
from brikks_vision.detect.placement import Image
from brikks_vision.errors import (
    AnswerOffSheet,
    AnswerUnclear,
    BlankOfOtherGame,
    BoardOfOtherGame,
    BrikksError,
    GridNotFound,
    NoBoardFound,
    PhotoUnreadable,
    PiecesNotLearnt,
)
from brikks_vision.games import check_named, game_named, games_with
from brikks_vision.games.learning import Given, Proposal, Value, given_of
from brikks_vision.games.printings import check_name, name_after
from brikks_vision.infer.protocol import Learner
from brikks_vision.layout import Layout, Printing


def learn_sheet(
    source: Source,
    game: str | None = None,
    name: str | None = None,
    settings: Mapping[str, object] | None = None,
    pieces: Source | None = None,
) -> Proposal:
    """Propose a printing from one photo of its empty sheet, or a board from one of it, empty.

    Whatever the photo shows there is a proposal; its ``remark`` says why it is hardly an empty
    sheet of the game. With the corners and the size of the grid said it is what it shows there.

    Parameters
    ----------
    source : as of `brikks_vision.scan`.
    game : by its name; None tries all that can be learnt.
    name : of the learnt printing: small letters, digits, "-" and "_"; None: made from the photo's
        name.
    settings : what the user says of the print, such as {"cell 3,4": "2", "row 5": "violet"}, of a
        board {"field 3,4": "white"}; of a grid {"size": "10x7"} and its four corners, px of the
        photo: {"grid": [[40, 60], [900, 66], [890, 990], [52, 980]]}; of other regions likewise.
    pieces : a photo of the board set up for a game, towers on its printed squares, with pawns on
        other fields: it shows what the pieces of this set look like.

    Raises
    ------
    PhotoUnreadable
        The photo is no picture.
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
    given = Given() if settings is None else given_of(settings)
    photo = stored(source)
    names = [each.NAME for each in games_with("learner")] if game is None else [game]
    if pieces is not None:
        names = [each for each in names if _learner(each).with_pieces]
        if not names:
            raise PiecesNotLearnt(game_named(str(game)).TITLE)
    found: list[Proposal] = []
    problem: AnswerUnclear | AnswerOffSheet | None = None
    for _, alike in groupby(names, lambda each: _learner(each).kind):
        try:
            found += _proposals([*alike], photo, game, name, given)
        except (AnswerUnclear, AnswerOffSheet) as error:
            problem = problem or error  # a setting may be one of another game
        if any(each.remark is None for each in found):
            break
    if not found:
        assert problem is not None
        raise problem
    proposal = min(found, key=lambda each: _likeness(each.remark))
    return proposal if pieces is None or proposal.remark else with_pieces(proposal, pieces)


def _likeness(remark: BrikksError | None) -> int:
    """0 of an empty sheet, 1 of one of the game that is marked, say, 2 of what is none."""
    none = (BlankOfOtherGame, GridNotFound, NoBoardFound, BoardOfOtherGame)
    return 0 if remark is None else 1 + isinstance(remark, none)


def with_pieces(proposal: Proposal, pieces: Source) -> Proposal:
    """A board with what a photo of it, set up for a game, shows of its pieces.

    Raises
    ------
    PhotoUnreadable
    """
    learner = _learner(proposal.layout.game)
    assert learner.with_pieces is not None
    try:
        photo = load_photo(stored(pieces), learner.long_side)
        found: Proposal = learner.with_pieces(proposal, photo)
    except PhotoUnreadable as error:
        error.of_pieces = True
        raise
    return found


def values_of(printing: Printing) -> Sequence[Value]:
    """The places of a printing whose print can be said."""
    found: Sequence[Value] = _learner(printing.game).values(printing)
    return found


def _learner(game: str) -> Learner:
    learner = game_named(game).learner
    assert learner is not None
    return learner()


def _proposals(
    names: Sequence[str], source: Stored, said: str | None, name: str | None, given: Given
) -> list[Proposal]:
    """What a photo proposes for these games, whose prints are of one kind; said: the game named.

    The first that is an empty sheet of its game is the last one that is tried.

    Raises
    ------
    PhotoUnreadable, AnswerUnclear, AnswerOffSheet
    """
    photo = load_photo(source, _learner(names[0]).long_side)
    marked = _game_by_markers(photo.image)
    found: list[Proposal] = []
    problem: AnswerUnclear | AnswerOffSheet | None = None
    for game in [marked] if marked in names else names:
        try:
            proposal: Proposal = _learner(str(game)).propose(
                photo, name or name_after(photo.name, said), given
            )
        except (AnswerUnclear, AnswerOffSheet) as error:
            problem = error
            continue
        found.append(proposal)
        if proposal.remark is None:
            break
    if said is not None and marked not in (None, said):
        other = BlankOfOtherGame(game_named(said).TITLE)
        return [replace(each, remark=other) for each in found]
    if not found and problem is not None:
        raise problem
    return found


def _game_by_markers(image: Image) -> str | None:
    """The game whose printed sheet has the markers that the photo shows."""
    for game in games_with("learner"):
        for layout in game.packaged():
            markers = layout.markers if isinstance(layout, Layout) else None
            if markers and marker_matches(image, markers) is not None:
                return game.NAME
    return None
