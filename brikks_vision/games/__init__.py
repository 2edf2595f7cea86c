"""The games, each in a package of its own name: the one table of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from brikks_vision.errors import GameImpossible, LayoutUnknown, SheetsOfDifferentGames
from brikks_vision.layout import (
    Layout,
    kept_layouts,
    layout_read_with,
    layouts_of,
    packaged_layouts,
)
from brikks_vision.reading import GameSettings, ReadBoard, Reading, Status, UnreadableSheet

if TYPE_CHECKING:
    from brikks_vision.decode.game import BoardGame, Game
    from brikks_vision.games.blox import game as blox
    from brikks_vision.games.bloxx import game as bloxx
    from brikks_vision.games.brikks import game as brikks

    _have_all_of_a_game: tuple[Game, ...] = (brikks, bloxx)
    _have_all_of_a_board_game: tuple[BoardGame, ...] = (blox,)

GAMES = {"brikks": "brikks_vision.games.brikks.game", "bloxx": "brikks_vision.games.bloxx.game"}
"""The games that can be read from a photo, and the module of each (`brikks_vision.decode.game`).

What no photo and no person says is of the first one.
"""

FIRST_GAME = next(iter(GAMES))

BOARDS = {"blox": "brikks_vision.games.blox.game"}
"""The games that are played on a board, and the module of each (`decode.game.BoardGame`)."""


def game_named(name: str) -> Game:
    """The game of that name, one of `GAMES`; raises KeyError."""
    return cast("Game", import_module(GAMES[name]))


def board_game_named(name: str) -> BoardGame:
    """The game of that name, one of `BOARDS`; raises KeyError."""
    return cast("BoardGame", import_module(BOARDS[name]))


def check_settings(known: GameSettings, said: str) -> None:
    """Raises GameImpossible, which names what was ``said``, where no game can be as is known."""
    if not any(game_named(name).is_possible(known) for name in GAMES):
        raise GameImpossible(said)


def game_of(reading: Reading) -> Game:
    """The game that a reading is of."""
    return game_named(reading.game or FIRST_GAME)


def game_of_all(layouts: Iterable[Layout]) -> Game:
    """The game that all sheets are of, the first one where there are none.

    Raises
    ------
    SheetsOfDifferentGames
    """
    titles = {layout.game: layout.title for layout in layouts}
    if len(titles) > 1:
        raise SheetsOfDifferentGames(", ".join(titles.values()))
    return game_named(next(iter(titles), FIRST_GAME))


def readable_layouts(game: str | None = None) -> tuple[Layout, ...]:
    """The layouts of a game, or of all games that can be read from a photo.

    The package's come first, then those that the user keeps.
    """
    names = tuple(GAMES) if game is None else (game,)
    packaged = tuple(layout for name in names for layout in packaged_layouts(name))
    kept = (layout for layout in kept_layouts() if layout.game in names)
    return (*packaged, *(layout for layout in kept if _has_all_fields(layout)))


def check_fields(layout: Layout) -> None:
    """Raises ValueError where a layout that is no packaged one lacks something of its game."""
    try:
        import_module(f"{__name__}.{layout.game}.learn").check(layout)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"{layout.name}: {error}") from error


def _has_all_fields(layout: Layout) -> bool:
    try:
        check_fields(layout)
    except ValueError:  # the list of learnt sheets tells it
        return False
    return True


def default_layout() -> Layout:
    """The first layout of the first game."""
    return packaged_layouts(FIRST_GAME)[0]


def layout_of(reading: Reading) -> Layout:
    """The layout that a sheet was read with, or another of its game where that is not kept.

    Raises
    ------
    LayoutUnknown
        It is not kept any more, and other printings of the game have their places elsewhere.
    """
    game = reading.game or FIRST_GAME
    if reading.sheet is None:
        return layouts_of(game)[0]
    try:
        layout = layout_read_with(game, reading.sheet, reading.printing)
    except LayoutUnknown:
        layout = layouts_of(game)[0]
        if not layout.trained:
            raise
    grid = layout.grid
    if reading.grid and [len(row) for row in reading.grid] != [grid.columns] * grid.rows:
        raise LayoutUnknown(reading.sheet)
    return layout


def game_title(name: str) -> str:
    """What a game is called: "BLOXX!" of "bloxx"."""
    if name in BOARDS:
        return board_game_named(name).TITLE
    return next((layout.title for layout in packaged_layouts(name)), name)


def has_layout(reading: Reading) -> bool:
    """Whether the printing that a sheet was read with is still known: else it cannot be shown."""
    try:
        layout_of(reading)
    except LayoutUnknown:
        return False
    return True


def reading_from(data: Mapping[str, Any]) -> Reading:
    """The reading that `Reading.to_dict` wrote, with the class of its game.

    Raises
    ------
    KeyError, ValueError
        As of `Reading.from_dict`.
    """
    is_read = data["status"] != Status.UNREADABLE
    known = data.get("game") or (FIRST_GAME if is_read else None)
    if known in GAMES:
        game_named(known)
    elif known in BOARDS:
        board_game_named(known)
    reading = Reading.from_dict({**data, "game": known})
    if isinstance(reading, ReadBoard):  # its broken rules are phrases, which JSON lacks
        reading = board_game_named(reading.game or "").judged(reading)
    return reading


def unreadable(photo: str, error: str, index: int = 0, game: str | None = None) -> UnreadableSheet:
    """The reading of what cannot be read; ``error``: why, and what to do.

    game : the board game that it is said to be of; None: not said.
    """
    if game is None:
        game_named(FIRST_GAME)
    else:
        board_game_named(game)
    nothing = Reading.classes[game or FIRST_GAME].no_content()
    return UnreadableSheet(
        photo=photo,
        status=Status.UNREADABLE,
        index=index,
        game=game,
        error=error,
        nothing=nothing,
    )


LEARNABLE = ("brikks", "bloxx")
"""The games of which a printing can be learnt by their module ``learn``, in the order of trying."""
