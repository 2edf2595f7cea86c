"""Everything that one finished sheet can prove about the game played on it.

What the sheet does not say (players, level, variant) is tried in every way that is still possible.
A rule counts as broken only if it is broken in all of them. If a sheet can be explained by
different faults, the explanation with the fewest faults is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from brikks_vision.rules.brikks import blocks, placement
from brikks_vision.rules.brikks.counts import (
    EnergyCounts,
    activated_readings,
    allowed_crosses,
    bonus_readings,
    crossed_out_points,
    energy_counts,
    pink_readings,
    ringed_points,
    row_crosses,
)
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import (
    PLAYERS,
    ImpossibleGameError,
    Setting,
    Sheet,
    Variant,
    phrase,
    settings,
)
from brikks_vision.rules.shapes import Violation, shape_of
from brikks_vision.text.phrases import all_of, one_of

__all__ = ["Assumed", "ImpossibleGameError", "Verdict", "referee", "settings"]


@dataclass(frozen=True)
class Assumed:
    """What remains possible, given the sheet."""

    players: tuple[int, ...]
    level: tuple[int, ...]
    variant: tuple[str, ...]


@dataclass(frozen=True)
class Verdict:
    """violations: in the order of the rule codes. assumed: the games that they leave possible.
    undecided: those of "players", "level" and "variant" whose remaining values lead to different
    violations.
    """

    violations: tuple[Violation, ...]
    assumed: Assumed
    undecided: frozenset[str] = frozenset()

    @property
    def is_legal(self) -> bool:
        return not self.violations


def referee(
    state: blocks.SheetState,
    players: int | None = None,
    level: int | None = None,
    variant: str | None = None,
    written: blocks.Written | None = None,
) -> Verdict:
    """Judge one sheet.

    players, level, variant: what is known of the game; None where it is not. written: the player's
    own figures. Placement rules are silent where no outlines are drawn.

    Raises
    ------
    ImpossibleGameError
        No game has these players, this level and this variant.
    """
    open_settings = settings(players, level, variant)
    marks = tuple(_judge_marks(state))
    figures = _judge_written(state, written or blocks.Written())
    has_minis = any(block and shape_of(block) == blocks.MINI_SHAPE for block in state.blocks)
    plain = placement.judge_placement(state, minis=False)
    dueling = placement.judge_placement(state, minis=True) if has_minis else plain
    duels = tuple(setting for setting in open_settings if setting.variant is Variant.DUEL)
    others = tuple(setting for setting in open_settings if setting.variant is not Variant.DUEL)
    bars = _Bars(
        activated_readings(state),
        pink_readings(state),
        bonus_readings(state),
        crossed_out_points(state),
    )
    judged = {
        **_judge_settings(state, bars, plain, others, False),
        **_judge_settings(state, bars, dueling, duels, has_minis),
    }
    fewest = min(each.faults for each in judged.values())
    best = {setting: each for setting, each in judged.items() if each.faults == fewest}
    first = min(best.values(), key=lambda each: len(each.broken))
    alike = [
        each
        for each in best.values()
        if each.broken == first.broken and each.setting.variant is first.setting.variant
    ]
    found = (*first.placed.violations, *marks, *_judge_counts(alike), *figures)
    order = list[str](placement.Rule)
    assumed = Assumed(
        players=tuple(sorted({setting.players for setting in best})),
        level=tuple(sorted({setting.level for setting in best})),
        variant=tuple(str(game) for game in Variant if game in {s.variant for s in best}),
    )
    return Verdict(
        tuple(sorted(found, key=lambda violation: order.index(violation.rule))),
        assumed,
        _undecided(judged, assumed),
    )


def _undecided(judged: Mapping[Setting, _Judged], assumed: Assumed) -> frozenset[str]:
    """Those of the three of which one value alone changes which rules are broken."""
    left = [
        (setting, each)
        for setting, each in judged.items()
        if setting.players in assumed.players
        and setting.level in assumed.level
        and setting.variant in assumed.variant
    ]
    if len({(each.broken, each.faults) for _, each in left}) < 2:
        return frozenset()
    names = ("players", "level", "variant")
    told = [
        ([getattr(setting, name) for name in names], (each.broken, each.faults))
        for setting, each in left
    ]
    found: set[str] = set()
    for (one, faults), (other, other_faults) in combinations(told, 2):
        if faults != other_faults:
            apart = [name for name, a, b in zip(names, one, other, strict=True) if a != b]
            found.update(apart if len(apart) == 1 else ())
    return frozenset(found)


class _Bars(NamedTuple):
    """What a sheet's bars can mean in any setting.

    Every number of activated points, of circled pink X's and of extra crosses; and the points that
    are crossed out.
    """

    activated: frozenset[int]
    pinks: frozenset[int]
    crosses: frozenset[int]
    crossed_out: frozenset[int]


def _judge_settings(
    state: blocks.SheetState,
    bars: _Bars,
    placed: placement.Placed,
    games: tuple[Setting, ...],
    minis: bool,
) -> dict[Setting, _Judged]:
    rows, counts = _counts_of_grid(blocks.grid_alone(state), state.sheet, minis, games)
    return {
        setting: _Judged(state, bars, setting, placed, energy, rows)
        for setting, energy in counts.items()
    }


@lru_cache(placement.GRIDS_KEPT)
def _counts_of_grid(
    grid: blocks.SheetState, sheet: Sheet, minis: bool, games: tuple[Setting, ...]
) -> tuple[frozenset[int], Mapping[Setting, EnergyCounts]]:
    """The crosses for rows, and the counts of energy, that a grid gives whatever the bars say.

    sheet: that of the grid, whose hash does not hold it. minis: as of `judge_placement`.
    """
    placed = placement.judge_placement(grid, minis)
    return row_crosses(grid, placed), energy_counts(grid, placed, games)


class _Judged:
    """The counts of one sheet at one setting, and which of them are wrong."""

    def __init__(
        self,
        state: blocks.SheetState,
        bars: _Bars,
        setting: Setting,
        placed: placement.Placed,
        energy: EnergyCounts,
        rows: frozenset[int],
    ) -> None:
        self.state, self.setting, self.placed, self.energy = state, setting, placed, energy
        sheet = state.sheet
        is_duel = setting.variant is Variant.DUEL
        self.crosses = allowed_crosses(sheet, bars.pinks, rows, is_duel)
        # With a wrong number of rings, the pink X's of the right one are no fault of their own.
        right_pinks = {blocks.pink_points(sheet, count) for count in self.energy.activated}
        forgiving = allowed_crosses(sheet, bars.pinks | right_pinks, rows, is_duel)
        out = bars.crossed_out
        wrong_total = not self.energy.activated & bars.activated
        wrong_crosses = not self.crosses & bars.crosses
        checks = (
            (_energy_total, wrong_total),
            (_not_struck, not self.energy.struck <= out),
            (_not_lost, len(out - self.energy.struck) < self.energy.min_lost),
            (_bonus_total, wrong_crosses and not (wrong_total and forgiving & bars.crosses)),
        )
        self.broken = frozenset(tell for tell, is_wrong in checks if is_wrong)
        self.faults = (
            len(placed.violations) + sum(is_wrong for _, is_wrong in checks[:-1]) + wrong_crosses
        )


def _judge_counts(alike: list[_Judged]) -> list[Violation]:
    """One violation a wrong count; the settings are those that break the same counts."""
    return [
        tell(alike)
        for tell in (_energy_total, _not_struck, _not_lost, _bonus_total)
        if tell in alike[0].broken
    ]


def _energy_total(alike: list[_Judged]) -> Violation:
    state = alike[0].state
    allowed = sorted(frozenset().union(*(each.energy.activated for each in alike)))
    rings = ringed_points(state)
    where = tuple(p for p, ringed in enumerate(rings) if ringed and p >= allowed[-1])
    found = sum(rings)
    wrong = placement.off_by("activated", found, allowed)
    told = phrase(
        "energy-total", wrong=wrong, found=found, allowed=placement.one_of_counts(allowed, found)
    )
    return Violation(placement.Rule.ENERGY_COUNT, placement.Part.ENERGY, where, told)


def _not_struck(alike: list[_Judged]) -> Violation:
    first = alike[0]
    missing = sorted(first.energy.struck - crossed_out_points(first.state))
    told = phrase(
        "not-struck",
        count=len(missing),
        players=first.setting.players,
        labels=all_of(first.state.sheet.labels[p] for p in missing),
    )
    return Violation(placement.Rule.ENERGY_COUNT, placement.Part.ENERGY, tuple(missing), told)


def _not_lost(alike: list[_Judged]) -> Violation:
    first = alike[0]
    found = len(crossed_out_points(first.state) - first.energy.struck)
    due = min(each.energy.min_lost for each in alike)
    told = phrase(
        "not-lost",
        wrong=placement.off_by("struck", found, [due]),
        found=found,
        levels=one_of(sorted({each.setting.level for each in alike})),
        due=placement.energy_points(due),
    )
    where = tuple(p for p, point in enumerate(first.state.energy) if point is blocks.Energy.CIRCLED)
    return Violation(placement.Rule.ENERGY_COUNT, placement.Part.ENERGY, where, told)


def _bonus_total(alike: list[_Judged]) -> Violation:
    first = alike[0]
    found = sum(first.state.bonus)
    crosses = phrase("crosses", count=found)
    boxes = tuple(box for box, crossed in enumerate(first.state.bonus) if crossed)
    if first.setting.variant is Variant.DUEL:
        told = phrase("bonus-in-a-duel", crosses=crosses)
        return Violation(placement.Rule.BONUS_COUNT, placement.Part.BONUS, boxes, told)
    allowed = sorted(frozenset().union(*(each.crosses for each in alike)))
    rings = ringed_points(first.state)
    pinks = sum(rings[point] for point in first.state.sheet.pink_points)
    told = phrase(
        "bonus-total",
        wrong=placement.off_by("extra", found, allowed),
        crosses=crosses,
        pinks=phrase("pink-xs", count=pinks),
        allowed=placement.one_of_counts(allowed, found),
    )
    where = boxes[allowed[-1] :] or boxes[-1:]
    return Violation(placement.Rule.BONUS_COUNT, placement.Part.BONUS, where, told)


def _judge_marks(state: blocks.SheetState) -> Iterator[Violation]:
    """Rules of order within the bars, which no setting changes."""
    sheet, rings = state.sheet, ringed_points(state)
    struck = blocks.struck_at_setup(sheet, min(PLAYERS[Variant.STANDARD]))
    never = tuple(
        p
        for p, point in enumerate(state.energy)
        if point is blocks.Energy.OFF and not rings[p] and p not in struck
    )
    rule, part, points = placement.Rule, placement.Part, range(1, 1 + len(rings))
    if never:
        told = phrase("never-activated", count=len(never), points=all_of(points[p] for p in never))
        yield Violation(rule.ENERGY_ORDER, part.ENERGY, never, told)
    bars: tuple[tuple[placement.Rule, placement.Part, str, tuple[bool, ...], Sequence[int]], ...]
    bars = (
        (rule.ENERGY_ORDER, part.ENERGY, "energy-gap", () if never else rings, points),
        (rule.BONUS_ORDER, part.BONUS, "bonus-gap", state.bonus, sheet.bonus_values),
        (rule.BOMB_ORDER, part.BOMBS, "bomb-gap", state.bombs, sheet.bomb_points),
    )
    for broken, where, key, marks, figures in bars:
        last = max((at for at, mark in enumerate(marks) if mark), default=0)
        gaps = tuple(at for at in range(last) if not marks[at])
        if gaps:
            named = all_of(figures[at] for at in gaps)
            told = phrase(key, count=len(gaps), points=named, values=named)
            yield Violation(broken, where, gaps, told)


def _judge_written(state: blocks.SheetState, written: blocks.Written) -> list[Violation]:
    points = score(state)
    found = [
        Violation(
            placement.Rule.WRITTEN_ROW,
            placement.Part.ROWS,
            (row,),
            phrase(
                "written-row",
                row=state.sheet.rows - row,
                points=phrase("points", count=points.rows[row]),
                figure=figure,
            ),
        )
        for row, figure in enumerate(written.rows)
        if figure is not None and figure != points.rows[row]
    ]
    if written.total is not None and written.total != points.total:
        total = phrase("points", count=points.total)
        told = phrase("written-total", points=total, figure=written.total)
        found.append(Violation(placement.Rule.WRITTEN_TOTAL, placement.Part.TOTAL, (), told))
    return found
