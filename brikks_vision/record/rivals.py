"""How a player did against others: games won, head to head, in a row.

Pure functions over recorded games. A place is by the total and shared in a tie. Duels count
nowhere: they are won by rounds, which totals do not tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from brikks_vision.record.entries import Game, Result
from brikks_vision.record.statistics import finished_sheets, rank_of
from brikks_vision.text.display import compared
from brikks_vision.text.phrases import Phrase


@dataclass(frozen=True)
class HeadToHead:
    """The games of a player against one opponent, by which of the two made more points."""

    opponent: str
    won: int
    tied: int
    lost: int

    @property
    def games(self) -> int:
        return self.won + self.tied + self.lost


@dataclass(frozen=True)
class Wins:
    """First places of a player. ``row``: the last games won in a row; ``longest_row``: ever."""

    games: int
    won: int
    row: int
    longest_row: int


def head_to_head(games: Sequence[Game], player: str) -> tuple[HeadToHead, ...]:
    """The opponents of a player, those of most games first."""
    counts: dict[str, Counter[str]] = {}
    names: dict[str, str] = {}
    for own, others in _contests(games, player):
        for name, total in others.items():
            key = compared(name)
            names[key] = name
            outcome = "won" if own > total else "lost" if own < total else "tied"
            counts.setdefault(key, Counter())[outcome] += 1
    found = [
        HeadToHead(names[key], each["won"], each["tied"], each["lost"])
        for key, each in counts.items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.games, compared(each.opponent))))


def wins(games: Sequence[Game], player: str) -> Wins:
    """The first places of a player; games count in the order of their photos."""
    outcomes = [own >= max(others.values()) for own, others in _contests(games, player)]
    row = longest = 0
    for is_won in outcomes:
        row = row + 1 if is_won else 0
        longest = max(longest, row)
    return Wins(len(outcomes), sum(outcomes), row, longest)


def rank_counts(results: Sequence[Result]) -> tuple[tuple[Phrase, int], ...]:
    """The publisher's ranks of finished sheets with how often each was reached, best first."""
    ordered = sorted(finished_sheets(results), key=lambda result: -(result.total or 0))
    ranks = Counter(rank_of(result.reading) for result in ordered)
    return tuple((rank, count) for rank, count in ranks.items() if rank is not None)


def _contests(games: Sequence[Game], player: str) -> list[tuple[int, dict[str, int]]]:
    """A player's total in each game, and those of the others by name, oldest first."""
    key = compared(player)
    found = []
    for game in games:
        sheets = [each for each in game.results if each.total is not None and each.player]
        own = [each for each in sheets if compared(each.player or "") == key]
        others = {
            each.player or "": each.total or 0
            for each in sheets
            if compared(each.player or "") != key
        }
        if len(own) == 1 and others and game.settings.get("variant") != "duel":
            found.append((own[0].photo.taken, own[0].total or 0, others))
    return [(own, others) for _, own, others in sorted(found, key=lambda each: each[0])]
