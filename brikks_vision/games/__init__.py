"""The games, each in a package of its own name: the one table of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from brikks_vision.errors import (
    GameImpossible,
    GameWithoutSettings,
    LayoutUnknown,
    ReadingDamaged,
    SettingUnknown,
    SheetsOfDifferentGames,
    UnknownValue,
)
from brikks_vision.games import printings
from brikks_vision.layout import Layout, packaged_layouts
from brikks_vision.reading import GameSettings, Reading, Setting, Status, UnreadableSheet
from brikks_vision.text.phrases import Phrase

if TYPE_CHECKING:
    from brikks_vision.infer.protocol import Game, OnBoard

GAMES = {
    "brikks": "brikks_vision.games.brikks.game",
    "bloxx": "brikks_vision.games.bloxx.game",
    "blox": "brikks_vision.games.blox.game",
    "qwixx": "brikks_vision.games.qwixx.game",
}
"""The games that can be read from a photo, and the module of each, whose ``DEFINITION`` is a
`brikks_vision.infer.protocol.Game`."""

ONLY_ONE = next(iter(GAMES))
"""The game of readings that name none: there was one at first. An unreadable photo has its keys."""


def game_named(name: str) -> Game:
    """The game of that name, one of `GAMES`; raises KeyError."""
    return cast("Game", import_module(GAMES[name]).DEFINITION)


def games_with(*facets: str) -> tuple[Game, ...]:
    """The games that have this part of `brikks_vision.infer.protocol.Game`, such as "moves"."""
    every = map(game_named, GAMES)
    return tuple(game for game in every if all(getattr(game, each) is not None for each in facets))


def games_meant(game: object) -> Iterable[str]:
    """The game of that name; all where it names none."""
    return [game] if isinstance(game, str) and game in GAMES else GAMES


def titles_with(facet: str) -> str:
    """The titles of the games that have it: "BLOX"."""
    return ", ".join(game.TITLE for game in games_with(facet))


def check_named(name: object, facet: str = "NAME", option: str = "game") -> None:
    """Raises UnknownValue, which names the games that have it, for any other name."""
    names = [game.NAME for game in games_with(facet)]
    if not isinstance(name, str) or name not in names:
        raise UnknownValue(option, name, ", ".join(names))


def on_board(reading: Reading) -> OnBoard | None:
    """What can stand on the board that was read; None for a sheet, and where nothing was read."""
    return None if reading.status is Status.UNREADABLE else game_of(reading).board


def board_of(reading: Reading) -> OnBoard:
    """What can stand on the board of a reading; raises UnknownValue if its game has no board."""
    board = game_of(reading).board
    if board is None:
        check_named(reading.game, "board")
    assert board is not None
    return board


def settings_of(names: Iterable[str] = GAMES) -> dict[str, tuple[str, Setting]]:
    """By name, the settings of some games, and the first game that has each.

    The values are those of all of them. No game is imported, only what it says of its settings.
    """
    found: dict[str, tuple[str, Setting]] = {}
    for game in names:
        for setting in import_module(GAMES[game].rpartition(".")[0]).SETTINGS:
            first, other = found.get(setting.name, (game, setting))
            values = tuple(dict.fromkeys((*other.values, *setting.values)))
            found[setting.name] = first, other._replace(values=values)
    return found


def checked_settings(
    said: Mapping[str, object], names: Iterable[str] = GAMES, written: str = "{}"
) -> GameSettings:
    """What is said of a game that is one of these; None and "" say nothing.

    A value is given as it is or as text: 2 or "2".
    written: how the name of a setting was written, such as "--{}".

    Raises
    ------
    SettingUnknown
        None of the games has a setting of that name.
    UnknownValue
        None of them has it with that value.
    GameImpossible
        The settings do not go together in any of them.
    """
    games = tuple(names)
    possible = settings_of(games)
    known: dict[str, Any] = {}
    for name, value in said.items():
        if value is None or (isinstance(value, str) and not value):
            continue
        if name not in possible:
            raise _unknown(written.format(name), games)
        values = {str(each): each for each in possible[name][1].values}
        if str(value) not in values:
            raise UnknownValue(written.format(name), value, ", ".join(values))
        known[name] = values[str(value)]
    fitting = [name for name in games if known == own_settings(name, known)]
    if not fitting:  # each is of another game
        return checked_settings(said, [possible[next(iter(known))][0]], written)
    if known and not any(game_named(name).is_possible(known) for name in fitting):
        words = ", ".join(f"{name} {value}" for name, value in known.items())
        raise GameImpossible(words, Phrase(f"{fitting[0]}.settings-rule"))
    return known


def own_settings(game: str, known: GameSettings) -> GameSettings:
    """Those of the settings that a game has, with values that it has."""
    own = settings_of([game])
    return {
        name: value for name, value in known.items() if name in own and value in own[name][1].values
    }


def check_played(game: str, known: GameSettings) -> None:
    """Raises SettingUnknown, GameImpossible if the game that a photo shows has no such settings."""
    own = own_settings(game, known)
    for name, value in known.items():
        if name not in own:
            raise _unknown(f"{name} {value}", [game])
    checked_settings(known, [game])


def _unknown(said: str, games: Sequence[str]) -> SettingUnknown:
    choices = ", ".join(
        f"{name} {'|'.join(map(str, setting.values))}"
        for name, (_, setting) in settings_of(games).items()
    )
    kind = SettingUnknown if choices else GameWithoutSettings
    return kind(said, ", ".join(map(game_title, games)), choices)


def can_be_table(game: Game, known: GameSettings, sheets: int) -> bool:
    """Whether so many sheets can be those of one game with these settings."""
    return (
        game.table is not None
        and known == own_settings(game.NAME, known)
        and game.table.is_table(known, sheets)
    )


def game_of(reading: Reading) -> Game:
    """The game that a reading is of."""
    return game_named(reading.game or ONLY_ONE)


def game_of_all(layouts: Iterable[Layout]) -> Game:
    """The game that all sheets are of, the first one where there are none.

    Raises
    ------
    SheetsOfDifferentGames
    """
    titles = {layout.game: layout.title for layout in layouts}
    if len(titles) > 1:
        raise SheetsOfDifferentGames(", ".join(titles.values()))
    return game_named(next(iter(titles), ONLY_ONE))


def default_layout() -> Layout:
    """The first layout of the first game."""
    return packaged_layouts(ONLY_ONE)[0]


def layout_of(reading: Reading) -> Any:
    """The printing that a reading is of, or another of its game where that is not kept.

    Raises
    ------
    LayoutUnknown
        It is no longer kept, and the other printings of the game have other places.
    """
    game = game_of(reading)
    in_itself = game.printing_of(reading)
    if in_itself is not None:
        return in_itself
    first: Any = printings.known_printings(game.NAME)[0]
    if reading.sheet is None:
        return first
    layout: Any
    try:
        layout = printings.printing_read_with(game.NAME, reading.sheet, reading.printing)
    except LayoutUnknown:
        if first.finder != "network":
            raise
        layout = first
    grid = layout.grid
    if reading.grid and [len(row) for row in reading.grid] != [grid.columns] * grid.rows:
        raise LayoutUnknown(reading.sheet)
    return layout


def view_of(reading: Reading, layout: Any = None, state: Any = None) -> Any:
    """What is shown of a reading. layout: if None it is searched for; raises LayoutUnknown."""
    return game_of(reading).view(reading, layout or layout_of(reading), state)


def game_title(name: str) -> str:
    """What a game is called: "BLOXX!" of "bloxx"."""
    return game_named(name).TITLE if name in GAMES else name


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
    ReadingDamaged
    """
    is_read = data.get("status") != Status.UNREADABLE
    known = data.get("game") or (ONLY_ONE if is_read else None)
    if isinstance(known, str) and known in GAMES:
        game_named(known)
    elif is_read:
        raise ReadingDamaged("game")
    reading = Reading.from_dict({**data, "game": known})
    board = on_board(reading)  # its broken rules are phrases, which JSON lacks
    try:
        return reading if board is None else cast("Reading", board.judged(reading))
    except (LookupError, ValueError):
        raise ReadingDamaged("fields") from None


def unreadable(
    photo: str,
    error: str,
    index: int = 0,
    game: str | None = None,
    photos: tuple[str, ...] = (),
) -> UnreadableSheet:
    """The reading of what cannot be read; ``error``: why, and what to do.

    game : as the user named it; None: not named. photos : as of `Reading`.
    """
    game_named(game or ONLY_ONE)
    nothing = Reading.classes[game or ONLY_ONE].no_content()
    return UnreadableSheet(
        photo=photo,
        status=Status.UNREADABLE,
        index=index,
        game=game,
        error=error,
        photos=photos,
        nothing=nothing,
    )
