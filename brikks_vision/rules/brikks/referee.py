"""Everything that one finished sheet can prove about the game played on it.

What the paper cannot say (players, level, variant) is tried in every way that is still open. A
rule is broken only where it is broken in all of them; where one sheet can be read as different
faults, the reading with the fewest faults is told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from brikks_vision.layout import SheetDefinition
from brikks_vision.rules.brikks.blocks import MINI_SHAPE, shape_of
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
from brikks_vision.rules.brikks.energy import pink_points, struck_at_setup
from brikks_vision.rules.brikks.placement import Placed, judge_placement
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.settings import (
    PLAYERS,
    ImpossibleGameError,
    Setting,
    Variant,
    settings,
)
from brikks_vision.rules.brikks.state import Energy, SheetState, Written
from brikks_vision.rules.brikks.violations import Part, Rule, Violation, energy_points
from brikks_vision.rules.brikks.words import phrase
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
    """violations: in the order of the rule codes. assumed: the games that they leave possible."""

    violations: tuple[Violation, ...]
    assumed: Assumed

    @property
    def is_legal(self) -> bool:
        return not self.violations


def referee(
    state: SheetState,
    definition: SheetDefinition,
    players: int | None = None,
    level: int | None = None,
    variant: str | None = None,
    written: Written | None = None,
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
    marks = _judge_marks(state, definition)
    figures = _judge_written(state, definition, written or Written())
    has_minis = any(block and shape_of(block) == MINI_SHAPE for block in state.blocks)
    plain = judge_placement(state, definition, minis=False)
    dueling = judge_placement(state, definition, minis=True) if has_minis else plain
    duels = [setting for setting in open_settings if setting.variant is Variant.DUEL]
    others = [setting for setting in open_settings if setting.variant is not Variant.DUEL]
    bars = _Bars.of(state, definition)
    judged = {
        **_judge_settings(state, bars, definition, plain, others),
        **_judge_settings(state, bars, definition, dueling, duels),
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
    order = list(Rule)
    return Verdict(
        tuple(sorted(found, key=lambda violation: order.index(violation.rule))),
        Assumed(
            players=tuple(sorted({setting.players for setting in best})),
            level=tuple(sorted({setting.level for setting in best})),
            variant=tuple(str(game) for game in Variant if game in {s.variant for s in best}),
        ),
    )


@dataclass(frozen=True)
class _Bars:
    """What a sheet's bars can mean, whatever the setting.

    Every number of activated points, of circled pink X's and of extra crosses, and the points that
    are crossed out.
    """

    activated: frozenset[int]
    pinks: frozenset[int]
    crosses: frozenset[int]
    crossed_out: frozenset[int]

    @classmethod
    def of(cls, state: SheetState, definition: SheetDefinition) -> _Bars:
        return cls(
            activated_readings(state, definition),
            pink_readings(state, definition),
            bonus_readings(state),
            crossed_out_points(state),
        )


def _judge_settings(
    state: SheetState,
    bars: _Bars,
    definition: SheetDefinition,
    placed: Placed,
    games: list[Setting],
) -> dict[Setting, _Judged]:
    rows = row_crosses(state, definition, placed)
    return {
        setting: _Judged(state, bars, definition, setting, placed, energy, rows)
        for setting, energy in energy_counts(state, definition, placed, games).items()
    }


class _Judged:
    """The counts of one sheet at one setting, and which of them are wrong."""

    def __init__(
        self,
        state: SheetState,
        bars: _Bars,
        definition: SheetDefinition,
        setting: Setting,
        placed: Placed,
        energy: EnergyCounts,
        rows: frozenset[int],
    ) -> None:
        self.state, self.definition, self.setting, self.placed = state, definition, setting, placed
        self.energy = energy
        is_duel = setting.variant is Variant.DUEL
        self.crosses = allowed_crosses(definition, bars.pinks, rows, is_duel)
        # With a wrong number of rings, the pink X's of the right one are no fault of their own.
        right_pinks = {pink_points(definition, count) for count in self.energy.activated}
        forgiving = allowed_crosses(definition, bars.pinks | right_pinks, rows, is_duel)
        out = bars.crossed_out
        wrong_total = not self.energy.activated & bars.activated
        wrong_crosses = not self.crosses & bars.crosses
        checks = (
            (_energy_total, wrong_total),
            (_not_struck, not self.energy.struck <= out),
            (_not_lost, len(out - self.energy.struck) < self.energy.fewest_lost),
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
    state, definition = alike[0].state, alike[0].definition
    allowed = sorted(frozenset().union(*(each.energy.activated for each in alike)))
    rings = ringed_points(state, definition)
    where = tuple(p for p, ringed in enumerate(rings) if ringed and p >= allowed[-1])
    told = phrase("energy-total", count=sum(rings), allowed=one_of(allowed))
    return Violation(Rule.ENERGY_COUNT, Part.ENERGY, where, told)


def _not_struck(alike: list[_Judged]) -> Violation:
    first = alike[0]
    missing = sorted(first.energy.struck - crossed_out_points(first.state))
    told = phrase(
        "not-struck",
        count=len(missing),
        players=first.setting.players,
        labels=all_of(first.definition.energy.labels[p] for p in missing),
    )
    return Violation(Rule.ENERGY_COUNT, Part.ENERGY, tuple(missing), told)


def _not_lost(alike: list[_Judged]) -> Violation:
    first = alike[0]
    told = phrase(
        "not-lost",
        count=len(crossed_out_points(first.state) - first.energy.struck),
        levels=one_of(sorted({each.setting.level for each in alike})),
        due=energy_points(min(each.energy.fewest_lost for each in alike)),
    )
    where = tuple(p for p, point in enumerate(first.state.energy) if point is Energy.CIRCLED)
    return Violation(Rule.ENERGY_COUNT, Part.ENERGY, where, told)


def _bonus_total(alike: list[_Judged]) -> Violation:
    first = alike[0]
    crosses = phrase("crosses", count=sum(first.state.bonus))
    boxes = tuple(box for box, crossed in enumerate(first.state.bonus) if crossed)
    if first.setting.variant is Variant.DUEL:
        told = phrase("bonus-in-a-duel", crosses=crosses)
        return Violation(Rule.BONUS_COUNT, Part.BONUS, boxes, told)
    allowed = sorted(frozenset().union(*(each.crosses for each in alike)))
    rings = ringed_points(first.state, first.definition)
    pinks = sum(rings[point] for point in first.definition.energy.bonus_points)
    told = phrase("bonus-total", crosses=crosses, count=pinks, allowed=one_of(allowed))
    where = boxes[allowed[-1] :] or boxes[-1:]
    return Violation(Rule.BONUS_COUNT, Part.BONUS, where, told)


def _judge_marks(state: SheetState, definition: SheetDefinition) -> list[Violation]:
    """Rules of order within the bars, which no setting changes."""
    judges: tuple[Callable[[SheetState, SheetDefinition], Violation | None], ...] = (
        _judge_energy_order,
        _judge_bonus_order,
        _judge_bomb_order,
    )
    return [found for judge in judges if (found := judge(state, definition)) is not None]


def _judge_energy_order(state: SheetState, definition: SheetDefinition) -> Violation | None:
    rings = ringed_points(state, definition)
    struck = struck_at_setup(definition, min(PLAYERS[Variant.STANDARD]))
    never = tuple(
        p
        for p, point in enumerate(state.energy)
        if point is Energy.OFF and not rings[p] and p not in struck
    )
    if never:
        told = phrase("never-activated", count=len(never), points=all_of(p + 1 for p in never))
        return Violation(Rule.ENERGY_ORDER, Part.ENERGY, never, told)
    gaps = _gaps(rings)
    if gaps:
        told = phrase("energy-gap", count=len(gaps), points=all_of(p + 1 for p in gaps))
        return Violation(Rule.ENERGY_ORDER, Part.ENERGY, gaps, told)
    return None


def _gaps(marks: tuple[bool, ...]) -> tuple[int, ...]:
    """Indices without a mark before the last mark."""
    if True not in marks:
        return ()
    last = len(marks) - 1 - marks[::-1].index(True)
    return tuple(index for index in range(last) if not marks[index])


def _judge_bonus_order(state: SheetState, definition: SheetDefinition) -> Violation | None:
    gaps = _gaps(state.bonus)
    if not gaps:
        return None
    values = all_of(definition.bonus.values[box] for box in gaps)
    told = phrase("bonus-gap", count=len(gaps), values=values)
    return Violation(Rule.BONUS_ORDER, Part.BONUS, gaps, told)


def _judge_bomb_order(state: SheetState, definition: SheetDefinition) -> Violation | None:
    gaps = _gaps(state.bombs)
    if not gaps:
        return None
    points = all_of(definition.bombs.points[bomb] for bomb in gaps)
    told = phrase("bomb-gap", count=len(gaps), points=points)
    return Violation(Rule.BOMB_ORDER, Part.BOMBS, gaps, told)


def _judge_written(
    state: SheetState, definition: SheetDefinition, written: Written
) -> list[Violation]:
    points = score(state, definition)
    found = [
        Violation(
            Rule.WRITTEN_ROW,
            Part.ROWS,
            (row,),
            phrase(
                "written-row",
                row=definition.grid.rows - row,
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
        found.append(Violation(Rule.WRITTEN_TOTAL, Part.TOTAL, (), told))
    return found
