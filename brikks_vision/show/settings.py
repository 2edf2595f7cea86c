"""What a person can say of a game that the paper cannot, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from brikks_vision.games import game_title, settings_of
from brikks_vision.text.phrases import phrase


class SettingChoice(NamedTuple):
    """A setting to choose a value of. choices: each value as it is sent, and in words."""

    name: str
    label: str
    choices: tuple[tuple[str, str], ...]


def setting_label(name: str, language: str) -> str:
    """What a setting is called within a sentence: "level"."""
    game, _ = settings_of()[name]
    return phrase(f"{game}.setting-{name}").text(language)


def setting_choices(games: Sequence[str], language: str) -> tuple[SettingChoice, ...]:
    """The settings of these games; the label says of which, where not all of them have it."""
    found = []
    for first, setting in settings_of(games).values():
        label = phrase(f"{first}.setting-{setting.name}").text(language)
        titles = [game_title(game) for game in games if setting.name in settings_of([game])]
        of_games = "" if len(titles) == len(games) else f" ({', '.join(titles)})"
        choices = [(str(each), _told(first, setting.name, each, language))
                   for each in setting.values]  # fmt: skip
        label = f"{label[0].upper()}{label[1:]}{of_games}"
        found.append(SettingChoice(setting.name, label, tuple(choices)))
    return tuple(found)


def _told(game: str, name: str, value: int | str, language: str) -> str:
    if isinstance(value, int):
        return str(value)
    return phrase(f"{game}.{name}-{value}").text(language)
