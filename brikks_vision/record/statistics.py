"""What the record says of its players: totals, ranks, cells left empty, games against others.

Pure functions over results and games; a result without a score counts nowhere. A place is by the
total and shared in a tie. Duels count nowhere: they are won by rounds, which totals do not tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile

from brikks_vision.games import game_of, has_layout, layout_of
from brikks_vision.infer.sameness import MAX_GAME, Sameness
from brikks_vision.layout import Grid
from brikks_vision.reading import Reading, Status
from brikks_vision.record.entries import Game, Result, grown_state
from brikks_vision.text.phrases import Phrase, compared


@dataclass(frozen=True)
class PlayerStats:
    """One player's games. ``place``: from 1, by the mean, shared in a tie.

    ``player``: None of sheets without a name. ``unsure``: games whose total is not certain.
    ``rank``: what the publisher calls the best result.
    """

    place: int
    player: str | None
    games: int
    unsure: int
    best: int
    mean: float
    rank: Phrase | None


@dataclass(frozen=True)
class Scores:
    """Points or percents over time, oldest first. ``name``: of the player (None of sheets without
    one), or of what the points were lost for."""

    name: str | None
    points: tuple[tuple[datetime, int], ...]

    @property
    def mean(self) -> float:
        """Of all points."""
        return sum(points for _, points in self.points) / len(self.points)


def games_played(results: Sequence[Result]) -> tuple[str, ...]:
    """The names of the games that results have points of, the one that was played last first."""
    scored = [result for result in results if result.total is not None]
    ordered = sorted(scored, key=lambda result: result.photo.taken, reverse=True)
    return tuple(dict.fromkeys(result.played for result in ordered))


def of_last_game(results: Sequence[Result]) -> tuple[Result, ...]:
    """The results of the game that was played last: points of several games do not compare."""
    last = games_played(results)[:1]
    return tuple(result for result in results if result.played in last)


def finished_sheets(results: Sequence[Result]) -> tuple[Result, ...]:
    """The results without those whose sheet went on: photos between the turns of a game.

    A sheet goes on only as one of the same player, or both have no name. Where it is doubtful it
    counts, until a person says otherwise (see `brikks_vision.record.questions`).
    """
    ordered = sorted(
        (result for result in results if result.total is not None),
        key=lambda result: result.photo.taken,
    )
    return tuple(
        result
        for index, result in enumerate(ordered)
        if not result.is_continued
        if not any(_goes_on(result, later) for later in _soon_after(result, ordered[index + 1 :]))
    )


def player_stats(results: Sequence[Result]) -> tuple[PlayerStats, ...]:
    """The players of finished sheets, by the mean of their totals, best first."""
    found = []
    for player, sheets in _by_player(results).items():
        best = max(sheets, key=lambda sheet: sheet.total or 0)
        unsure = sum(sheet.reading.status is not Status.OK for sheet in sheets)
        mean = sum(sheet.total or 0 for sheet in sheets) / len(sheets)
        rank = rank_of(best.reading)
        found.append(PlayerStats(1, player, len(sheets), unsure, best.total or 0, mean, rank))
    found.sort(key=lambda each: (-each.mean, -each.best))
    return tuple(
        replace(each, place=1 + sum(other.mean > each.mean for other in found)) for each in found
    )


def scores_over_time(results: Sequence[Result]) -> tuple[Scores, ...]:
    """One line of totals a player; the order of the players is that of `player_stats`."""
    return _over_time(results, lambda sheet: sheet.total)


def _over_time(
    results: Sequence[Result], figure: Callable[[Result], int | None]
) -> tuple[Scores, ...]:
    """One line a player of what each sheet has of a figure, the highest mean first."""
    lines = []
    for player, sheets in _by_player(results).items():
        told = [(sheet.photo.taken, figure(sheet)) for sheet in sheets]
        points = tuple((taken, each) for taken, each in told if each is not None)
        lines += [Scores(player, points)] if points else []
    return tuple(sorted(lines, key=lambda line: -line.mean))


def empty_shares(results: Sequence[Result], grid: Grid) -> tuple[tuple[float, ...], ...]:
    """For each cell, top row first, the share (0-1) of the sheets on which it stayed empty.

    Cells that could not be told count as filled; sheets with another grid do not count; no sheets
    give no rows.
    """
    grids = [result.reading.grid for result in results]
    sheets = [cells for cells in grids if [len(row) for row in cells] == [grid.columns] * grid.rows]
    if not sheets:
        return ()
    return tuple(
        tuple(
            sum(sheet[row][column] == "." for sheet in sheets) / len(sheets)
            for column in range(grid.columns)
        )
        for row in range(grid.rows)
    )


def lost_by_cause(reading: Reading) -> Mapping[str, int]:
    """The points that a sheet lost, by each cause of its game's coach.

    Empty where that is not told: there is no coach, the total is not sure, or the printing is no
    longer kept.
    """
    coach = game_of(reading).coach
    if coach is None or reading.status is not Status.OK or not has_layout(reading):
        return {}
    points = dict.fromkeys(coach.causes, 0)
    for each in coach.lost(reading, layout_of(reading)):
        points[each.cause] += each.points
    return points


def lost_over_time(results: Sequence[Result]) -> Mapping[str, tuple[tuple[datetime, int], ...]]:
    """By cause, the points that finished sheets of one game lost, oldest first."""
    told = [(sheet.photo.taken, lost_by_cause(sheet.reading)) for sheet in results]
    causes = dict.fromkeys(cause for _, points in told for cause in points)
    return {
        cause: tuple((taken, points[cause]) for taken, points in told if points) for cause in causes
    }


def accuracy(reading: Reading) -> int | None:
    """How many percent of the points within reach a sheet has; None where that is not told."""
    lost = lost_by_cause(reading)
    total = 0 if reading.score is None else reading.score.total
    within_reach = total + sum(lost.values())
    return round(100 * max(0, total) / within_reach) if lost and within_reach > 0 else None


def accuracy_over_time(results: Sequence[Result]) -> tuple[Scores, ...]:
    """One line of percents a player; players without any are left out."""
    return _over_time(results, lambda sheet: accuracy(sheet.reading))


def rank_of(reading: Reading) -> Phrase | None:
    """What the publisher calls a result; None where it has no name."""
    return None if reading.score is None else game_of(reading).rank_of(reading)


def _by_player(results: Sequence[Result]) -> dict[str | None, list[Result]]:
    found: dict[str | None, list[Result]] = {}
    for result in finished_sheets(results):
        found.setdefault(result.player, []).append(result)
    return found


def _soon_after(result: Result, later: Sequence[Result]) -> list[Result]:
    latest = result.photo.taken + MAX_GAME
    return list(takewhile(lambda other: other.photo.taken <= latest, later))


def _goes_on(result: Result, later: Result) -> bool:
    # A sheet without a name may be anybody's: to take it for another's would hide a game.
    if result.player != later.player or later.id in result.apart:
        return False
    grown = grown_state(result.reading, result.photo.taken, later.reading, later.photo.taken)
    return grown is Sameness.SAME


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
