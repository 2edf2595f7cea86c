"""Everything that one finished sheet can prove about the game played on it.

What the paper cannot say (players, level, variant) is tried in every way that is still open. A
rule is broken only where it is broken in all of them; where one sheet can be read as different
faults, the reading with the fewest faults is told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from brikks_vision.rules.blocks import MINI_SHAPE, shape_of
from brikks_vision.rules.counts import (
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
from brikks_vision.rules.energy import pink_points, struck_at_setup
from brikks_vision.rules.placement import Placed, judge_placement
from brikks_vision.rules.scoring import score
from brikks_vision.rules.settings import (
    PLAYERS,
    ImpossibleGameError,
    Setting,
    Variant,
    settings,
)
from brikks_vision.rules.state import Energy, SheetState, Written
from brikks_vision.rules.violations import Rule, Violation, counted, listed
from brikks_vision.sheet import SheetDefinition

__all__ = ["Assumed", "ImpossibleGameError", "Verdict", "referee", "settings"]

PINK_X = ("pink X is", "pink X's are")


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
    judged = {
        setting: _Judged(state, definition, setting, dueling)
        if setting.variant is Variant.DUEL
        else _Judged(state, definition, setting, plain)
        for setting in open_settings
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


class _Judged:
    """The counts of one sheet at one setting, and which of them are wrong."""

    def __init__(
        self, state: SheetState, definition: SheetDefinition, setting: Setting, placed: Placed
    ) -> None:
        self.state, self.definition, self.setting, self.placed = state, definition, setting, placed
        self.energy: EnergyCounts = energy_counts(state, definition, placed, setting)
        rows = row_crosses(state, definition, placed)
        pinks = pink_readings(state, definition)
        self.crosses = allowed_crosses(definition, pinks, rows, setting.variant)
        # With a wrong number of rings, the pink X's of the right one are no fault of their own.
        right_pinks = {pink_points(definition, count) for count in self.energy.activated}
        forgiving = allowed_crosses(definition, pinks | right_pinks, rows, setting.variant)
        out = crossed_out_points(state)
        crosses = bonus_readings(state)
        wrong_total = not self.energy.activated & activated_readings(state, definition)
        wrong_crosses = not self.crosses & crosses
        checks = (
            (_energy_total, wrong_total),
            (_not_struck, not self.energy.struck <= out),
            (_not_lost, len(out - self.energy.struck) < self.energy.fewest_lost),
            (_bonus_total, wrong_crosses and not (wrong_total and forgiving & crosses)),
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
    return Violation(
        Rule.ENERGY_COUNT,
        where,
        f"{counted(sum(rings), 'energy point')} are activated, but the circles that the blocks "
        f"cover allow {listed(allowed)}.",
    )


def _not_struck(alike: list[_Judged]) -> Violation:
    first = alike[0]
    missing = sorted(first.energy.struck - crossed_out_points(first.state))
    labels = listed((f"'{first.definition.energy.labels[p]}'" for p in missing), "and")
    point, verb = ("point", "is") if len(missing) == 1 else ("points", "are")
    return Violation(
        Rule.ENERGY_COUNT,
        tuple(missing),
        f"With {first.setting.players} players the energy {point} {labels} must be crossed out at "
        f"setup, but {verb} not.",
    )


def _not_lost(alike: list[_Judged]) -> Violation:
    first = alike[0]
    fewest = min(each.energy.fewest_lost for each in alike)
    out = len(crossed_out_points(first.state) - first.energy.struck)
    levels = listed(sorted({each.setting.level for each in alike}))
    return Violation(
        Rule.ENERGY_COUNT,
        tuple(p for p, point in enumerate(first.state.energy) if point is Energy.CIRCLED),
        f"At level {levels} the circles of other colours cost at least "
        f"{counted(fewest, 'energy point')}, but {out} of the activated points are crossed out.",
    )


def _bonus_total(alike: list[_Judged]) -> Violation:
    first = alike[0]
    crosses = sum(first.state.bonus)
    boxes = tuple(box for box, crossed in enumerate(first.state.bonus) if crossed)
    if first.setting.variant is Variant.DUEL:
        marks = counted(crosses, "cross", "crosses")
        message = f"A duel leaves the extra-points bar unused, but it has {marks}."
        return Violation(Rule.BONUS_COUNT, boxes, message)
    allowed = sorted(frozenset().union(*(each.crosses for each in alike)))
    rings = ringed_points(first.state, first.definition)
    pinks = sum(rings[point] for point in first.definition.energy.bonus_points)
    where = boxes[allowed[-1] :] or boxes[-1:]
    return Violation(
        Rule.BONUS_COUNT,
        where,
        f"The extra-points bar has {counted(crosses, 'cross', 'crosses')}, but "
        f"{counted(pinks, *PINK_X)} circled, and with the rows finished "
        f"together that makes {listed(allowed)}.",
    )


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
        named = listed((p + 1 for p in never), "and")
        message = f"Energy point {named} of the bar was never activated, yet it is crossed out."
        return Violation(Rule.ENERGY_ORDER, never, message)
    gaps = _gaps(rings)
    if gaps:
        message = (
            f"Energy points are activated one after the other, but point "
            f"{listed((p + 1 for p in gaps), 'and')} of the bar is left out."
        )
        return Violation(Rule.ENERGY_ORDER, gaps, message)
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
    values = listed((definition.bonus.values[box] for box in gaps), "and")
    message = f"Extra points are crossed from the left, but the box of {values} is left out."
    return Violation(Rule.BONUS_ORDER, gaps, message)


def _judge_bomb_order(state: SheetState, definition: SheetDefinition) -> Violation | None:
    gaps = _gaps(state.bombs)
    if not gaps:
        return None
    points = listed((definition.bombs.points[bomb] for bomb in gaps), "and")
    message = f"Bombs are used from the top, but the bomb of {points} above a used one is not."
    return Violation(Rule.BOMB_ORDER, gaps, message)


def _judge_written(
    state: SheetState, definition: SheetDefinition, written: Written
) -> list[Violation]:
    points = score(state, definition)
    found = [
        Violation(
            Rule.WRITTEN_ROW,
            (row,),
            f"Row {definition.grid.rows - row} from the bottom is worth "
            f"{counted(points.rows[row], 'point')}, but {figure} is written beside it.",
        )
        for row, figure in enumerate(written.rows)
        if figure is not None and figure != points.rows[row]
    ]
    if written.total is not None and written.total != points.total:
        found.append(
            Violation(
                Rule.WRITTEN_TOTAL,
                (),
                f"The sheet is worth {counted(points.total, 'point')}, but {written.total} is "
                "written as the total.",
            )
        )
    return found
