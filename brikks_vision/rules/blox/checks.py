"""What each action requires of the board and of the cards; the first broken rule is raised.

All of it holds for a position from a photo, too: a hidden block breaks a rule only if it would
whatever its colour.
"""

from __future__ import annotations

from brikks_vision.rules.blox.board import is_on_board
from brikks_vision.rules.blox.errors import (
    EveryColorOnTheWayError,
    FieldTakenError,
    NoPawnError,
    NoPawnLeftError,
    NoTowerError,
    NotStraightError,
    NotTheFirstFieldError,
    NotYourPawnError,
    NoWayInError,
    OffBoardError,
    OwnPawnError,
    PawnColorOnTheWayError,
    TowerColorOnTheWayError,
    TowerTooHighError,
    TowerWalledInError,
    WayBlockedError,
    WrongHeightError,
)
from brikks_vision.rules.blox.material import Color, Field, PawnColor
from brikks_vision.rules.blox.phases import height_to_build
from brikks_vision.rules.blox.position import Position, Tower
from brikks_vision.rules.blox.ways import Way, entries, walled_in, way_to


def check_enter(position: Position, pawn: PawnColor, target: Field) -> None:
    """Whether a pawn of that colour can enter on a field.

    Raises
    ------
    OffBoardError, NoPawnLeftError, FieldTakenError, NoWayInError
    """
    _check_on_board(target)
    if not position.pawns_left(pawn):
        raise NoPawnLeftError(pawn)
    if position.at(target) is not None:
        raise FieldTakenError(target)
    if target not in entries(position):
        raise NoWayInError(target)


def check_move(position: Position, pawn: PawnColor, start: Field, target: Field) -> None:
    """Whether the pawn of that colour on ``start`` can move to ``target``.

    Raises
    ------
    OffBoardError, NotYourPawnError, NotStraightError, FieldTakenError, WayBlockedError,
    NotTheFirstFieldError
    """
    _check_own_pawn(position, pawn, start)
    _check_on_board(target)
    way = _straight_way(start, target)
    if position.at(target) is not None:
        raise FieldTakenError(target)
    _check_free(position, way)
    for field in way[:-1]:
        if position.board.color(field) == position.board.color(target):
            raise NotTheFirstFieldError(field, target)


def check_clear(
    position: Position, pawn: PawnColor, start: Field, target: Field, phase: int
) -> Tower:
    """The tower on ``target``, if the pawn of that colour on ``start`` can clear it.

    Raises
    ------
    OffBoardError, NotYourPawnError, NoTowerError, NotStraightError, WayBlockedError,
    TowerTooHighError, TowerColorOnTheWayError, EveryColorOnTheWayError
    """
    _check_own_pawn(position, pawn, start)
    _check_on_board(target)
    tower = position.at(target)
    if not isinstance(tower, Tower):
        raise NoTowerError(target)
    way = _straight_way(start, target)
    _check_free(position, way)
    if tower.height > phase:
        raise TowerTooHighError(target, tower.height, phase)
    for field in way[:-1]:
        if position.board.color(field) in tower.seen:
            raise TowerColorOnTheWayError(position.board.color(field), field)
    if tower.hidden and colors_on(position, way) == set(Color):
        raise EveryColorOnTheWayError(target)
    return tower


def check_build(position: Position, pawn: PawnColor, field: Field, height: int, phase: int) -> None:
    """Whether a tower of that height can be built where a pawn of that colour stands.

    Raises
    ------
    OffBoardError, NotYourPawnError, WrongHeightError, TowerWalledInError
    """
    _check_own_pawn(position, pawn, field)
    due = height_to_build(phase)
    if height != due:
        raise WrongHeightError(height, phase, due)
    closed = walled_in(position, field)
    if closed is not None:
        raise TowerWalledInError(closed)


def check_capture(position: Position, pawn: PawnColor, start: Field, target: Field) -> None:
    """Whether the pawn of that colour on ``start`` can capture the one on ``target``.

    Raises
    ------
    OffBoardError, NotYourPawnError, NoPawnError, OwnPawnError, NotStraightError, WayBlockedError,
    PawnColorOnTheWayError
    """
    _check_own_pawn(position, pawn, start)
    _check_on_board(target)
    captured = position.at(target)
    if not isinstance(captured, PawnColor):
        raise NoPawnError(target)
    if captured == pawn:
        raise OwnPawnError(target)
    way = _straight_way(start, target)
    _check_free(position, way)
    color = position.board.color(target)
    for field in way[:-1]:
        if position.board.color(field) == color:
            raise PawnColorOnTheWayError(color, field)


def colors_on(position: Position, way: Way) -> set[Color]:
    """The colours of the fields that a way goes over before its last one."""
    return {position.board.color(field) for field in way[:-1]}


def _check_on_board(field: Field) -> None:
    if not is_on_board(field):
        raise OffBoardError(field)


def _check_own_pawn(position: Position, pawn: PawnColor, field: Field) -> None:
    _check_on_board(field)
    if position.at(field) != pawn:
        raise NotYourPawnError(pawn, field)


def _straight_way(start: Field, target: Field) -> Way:
    way = way_to(start, target)
    if way is None:
        raise NotStraightError(start, target)
    return way


def _check_free(position: Position, way: Way) -> None:
    for field in way[:-1]:
        if position.at(field) is not None:
            raise WayBlockedError(field)
