"""Puts a reading together: what was found, how sure it is, and what to ask about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import exp, log

import numpy as np

from brikks_vision.decode.confidence import how_surely, judging
from brikks_vision.decode.posterior import (
    BarState,
    GridPart,
    InkAlone,
    Posterior,
    less_sure_of_bars,
    neighbours,
    with_bar_state,
)
from brikks_vision.detect.figures import Figure, Figures
from brikks_vision.layout import Cell
from brikks_vision.reading import BlockReading, Doubt, ReadSheet, Status, ViolationReading
from brikks_vision.rules.brikks.blocks import kinds_of
from brikks_vision.rules.brikks.energy import struck_at_setup
from brikks_vision.rules.brikks.referee import Verdict, referee
from brikks_vision.rules.brikks.scoring import Score, level_of_rank, rank, score
from brikks_vision.rules.brikks.state import Energy, SheetState, Written
from brikks_vision.rules.brikks.violations import Part, Rule, Violation

UNSURE = 0.02  # probability of another total from which on a reading is not called sure
DOUBTED_TOTAL = 0.002  # probability from which on another total is named
DOUBTED_MARK = 0.05  # probability of another state of a mark that leaves the total as it is
MOST_DOUBTS = 5
CANNOT_TELL = 0.2  # probability of the other state from which on a cell is shown as "?"
SURE_FAULT = 0.9  # probability from which on a fault is reported
SURE_BLOCKS = 0.7  # probability of a part's blocks from which on rows are counted by them
SURE_COLORS = 0.9  # the same for energy, which the blocks' colours decide
SURE_SLIP = 0.98  # the same for a player's figure, of which a sheet has a dozen
FIRST_DIGIT_BESIDE = 0.05  # probability that a figure has its first digit beside its field
SURE_FIGURE = 0.8  # probability from which on a written figure is told
SLIP = 0.003  # how probable a certain wrong figure is, by the right one
LOOKS_OTHERWISE = 0.25  # of what speaks against a figure as read, the least that is for the right

BAR_RULES = (
    Rule.ENERGY_ORDER, Rule.ENERGY_COUNT, Rule.BONUS_ORDER, Rule.BONUS_COUNT, Rule.BOMB_ORDER,
)  # fmt: skip
GROUP_RULES = (Rule.NOT_A_BLOCK, Rule.STRAY_MARK)  # of cells that are no block
PLACE_RULES = (Rule.FLOATING, Rule.UNREACHABLE, Rule.WRITTEN_ROW)  # of this block or row
BLOCK_RULES = (
    Rule.FLOATING, Rule.UNREACHABLE, Rule.START_BLOCK, Rule.ENERGY_COUNT, Rule.BONUS_COUNT,
)  # fmt: skip
FAR_BEHIND = 3  # places left out before a mark
LEAST_SURE = 1e-6  # probability that a mark is taken to be read rightly with at the least
SURE_ORDER = 1 - UNSURE  # probability, by its own ink, of each mark that proves an order broken
SURE_MARK = 0.99  # probability from which on a mark is not thought to be misread

WrittenFigures = tuple[tuple[Figure, ...], Figure]
"""The figures beside the rows, top first, and the total."""


def written_figures(figures: Figures) -> WrittenFigures:
    """The figures by what they are; nothing is written as the total where there is no field."""
    total = figures.get("total") or (Figure(None, 1.0),)
    return figures["rows"], total[0]


def with_points_off(state: SheetState, players: int | None) -> SheetState:
    """Points that so many players strike at setup are off; the same ink as used ones."""
    if players is None:
        return state
    struck = struck_at_setup(state.sheet, players)
    energy = tuple(
        Energy.OFF if point in struck and mark is Energy.USED else mark
        for point, mark in enumerate(state.energy)
    )
    return replace(state, energy=energy)


def build_reading(
    name: str,
    posterior: Posterior,
    figures: WrittenFigures,
    players: int | None = None,
    level: int | None = None,
    variant: str | None = None,
    language: str = "en",
    answered: Collection[str] = (),
) -> ReadSheet:
    """The reading that the most probable sheet and the player's own figures come to.

    ``answered``: places that need not be asked about, such as "cell 3,4".

    Raises
    ------
    ImpossibleGameError
        No game has these players, this level and this variant.
    """
    figures = beside_the_score(figures, score(posterior.state))
    written = told_figures(figures)

    def judge(state: SheetState) -> Verdict:
        return _verdict_on(state, players, level, variant, written)

    state = with_points_off(posterior.state, players)
    verdict = judge(posterior.state)
    points = score(state)
    misread = tuple(
        cell for cell in misread_cells(verdict, state, written) if _name(cell) not in answered
    )
    kept = _without(verdict, misread, state)
    violations = _sure_violations(kept, posterior, judge, figures, points, language)
    if any(violation.rule in BAR_RULES for violation in verdict.violations):
        posterior = less_sure_of_bars(posterior)
    is_sure = not misread and 1 - posterior.totals.get(points.total, 0.0) <= UNSURE
    doubts = _first_asked(misread, state)
    asked = {doubt.where for doubt in doubts}
    others = (each for each in find_doubts(posterior) if each.where not in asked)
    doubts = (*doubts, *others)[:MOST_DOUBTS]
    if is_sure:
        doubts = tuple(doubt for doubt in doubts if doubt.total_otherwise == points.total)
    open_totals = [
        total for total, p in posterior.totals.items() if not is_sure and p >= DOUBTED_TOTAL
    ]
    if misread:
        totals = (doubt.total_otherwise for doubt in doubts)
        open_totals += [total for total in totals if total is not None]
    if not is_sure:
        rows = _doubtful_rows(posterior) | {row for row, _ in misread}
        open_totals.append(_total_by_figures(points, written, rows))
    levels = (level,) if level is not None else verdict.assumed.level
    ranks = {each: rank(points.total, each, language) for each in levels}
    undecided = verdict.undecided | ({"level"} if len(set(ranks.values())) > 1 else set())
    return ReadSheet(
        photo=name,
        status=Status.OK if is_sure else Status.UNCERTAIN,
        grid=_grid_strings(posterior),
        blocks=tuple(_block_reading(block, posterior) for block in state.blocks),
        energy=tuple(str(mark) for mark in state.energy),
        bonus_crosses=sum(state.bonus),
        bombs_used=sum(state.bombs),
        written=written,
        score=points,
        total_range=(min([points.total, *open_totals]), max([points.total, *open_totals])),
        rank=ranks[level_of_rank(levels)],
        doubts=doubts,
        violations=violations,
        assumed={
            "players": verdict.assumed.players,
            "level": verdict.assumed.level,
            "variant": verdict.assumed.variant,
        },
        undecided=tuple(name for name in ("players", "level", "variant") if name in undecided),
    )


def misread_cells(verdict: Verdict, state: SheetState, written: Written) -> tuple[Cell, ...]:
    """Cells by which a rule of the grid is broken and a row's points are not the player's own.

    They are those of the broken rules, and empty ones beside them, whose other state gives the
    row the player's figure. One misread mark explains both better than a fault and a slip of the
    player's in one row do.
    """
    points = score(state).rows
    broken = [
        place
        for violation in verdict.violations
        if violation.part is Part.GRID
        for place in violation.where
        if isinstance(place, tuple)
    ]
    beside = {other for cell in broken for other in neighbours(cell, state.sheet)}
    found = []
    for cell in dict.fromkeys((*broken, *sorted(beside - state.crossed))):
        figure = written.rows[cell[0]]
        otherwise = replace(state, crossed=state.crossed ^ {cell})
        if points[cell[0]] != figure == score(otherwise).rows[cell[0]]:
            found.append(cell)
    return tuple(found)


def _without(verdict: Verdict, misread: tuple[Cell, ...], state: SheetState) -> Verdict:
    """The verdict without what hangs on misread cells, and on the points of their rows.

    One that is read empty is in no block: what it is missing in lies beside it.
    """
    beside = (
        other
        for cell in misread
        if cell not in state.crossed
        for other in neighbours(cell, state.sheet)
    )
    hanging = {*misread, *beside, *(row for row, _ in misread)}
    kept = tuple(
        violation
        for violation in verdict.violations
        if violation.part not in (Part.GRID, Part.ROWS) or not {*violation.where} & hanging
        if not (misread and violation.rule is Rule.WRITTEN_TOTAL)
    )
    return replace(verdict, violations=kept)


def _name(cell: Cell) -> str:
    """A cell as doubts and answers call it."""
    return f"cell {cell[0]},{cell[1]}"


def _first_asked(misread: tuple[Cell, ...], state: SheetState) -> tuple[Doubt, ...]:
    """What is asked about cells that may be either."""
    return tuple(
        Doubt(
            _name(cell),
            "X" if cell in state.crossed else ".",
            0.5,
            score(replace(state, crossed=state.crossed ^ {cell})).total,
        )
        for cell in misread
    )


def _doubtful_rows(posterior: Posterior) -> set[int]:
    """Rows with a cell that may be otherwise."""
    otherwise = np.minimum(posterior.cells, 1 - posterior.cells)
    return {int(row) for row in np.flatnonzero((otherwise >= DOUBTED_TOTAL).any(axis=1))}


def _total_by_figures(points: Score, written: Written, rows: Collection[int]) -> int:
    """The total if the player counted these rows rightly, where figures are read."""
    figures = [(row, figure) for row in rows if (figure := written.rows[row]) is not None]
    return points.total + sum(figure - points.rows[row] for row, figure in figures)


def _grid_strings(posterior: Posterior) -> tuple[str, ...]:
    def letter(cell: Cell) -> str:
        probability = posterior.cells[cell]
        if CANNOT_TELL < probability < 1 - CANNOT_TELL:
            return "?"
        return "X" if cell in posterior.state.crossed else "."

    sheet = posterior.state.sheet
    return tuple(
        "".join(letter((row, column)) for column in range(sheet.columns))
        for row in range(sheet.rows)
    )


def _block_reading(block: frozenset[Cell], posterior: Posterior) -> BlockReading:
    found = kinds_of(block, posterior.state.sheet)
    confidence = min(
        (
            part.states[0][1]
            for part in posterior.parts
            if not block.isdisjoint(part.cells) or block in part.states[0][0].blocks
        ),
        default=1.0,
    )
    return BlockReading(
        color=found[0].color if found else None,
        columns=found[0].columns if found else (),
        cells=tuple(sorted(block)),
        confidence=confidence,
    )


def find_doubts(posterior: Posterior) -> tuple[Doubt, ...]:
    """Marks that might be otherwise, those that change the total first."""
    state, total = posterior.state, score(posterior.state).total
    found: dict[str, tuple[float, Doubt]] = {}

    def add(where: str, read: str, probability: float, other_total: int) -> None:
        limit = DOUBTED_MARK if other_total == total else DOUBTED_TOTAL
        if probability >= limit and probability > found.get(where, (0.0, None))[0]:
            found[where] = (probability, Doubt(where, read, 1 - probability, other_total))

    for part in posterior.parts:
        best = part.states[0][0].crossed
        for other, probability in part.states[1:]:
            crossed = (state.crossed - best) | other.crossed
            other_total = score(replace(state, crossed=crossed)).total
            for row, column in sorted(best ^ other.crossed)[:1]:
                read = "X" if (row, column) in best else "."
                add(_name((row, column)), read, probability, other_total)
    now = posterior.bars[0][0]
    for bar, probability in posterior.bars[1:]:
        otherwise = with_bar_state(state, bar)
        for where, read in _bar_difference(now, bar)[:1]:
            add(where, read, probability, score(otherwise).total)
    ranked = sorted(
        found.values(), key=lambda entry: (entry[1].total_otherwise == total, -entry[0])
    )
    return tuple(doubt for _, doubt in ranked[:MOST_DOUBTS])


def _bar_difference(now: BarState, other: BarState) -> list[tuple[str, str]]:
    """Marks that differ: where, and how they are read now."""
    energy = [
        (f"energy {at}", str(mark))
        for at, (mark, another) in enumerate(zip(now.energy, other.energy, strict=True))
        if mark is not another
    ]
    crosses = [
        (f"{kind} {at}", "X" if mark else ".")
        for kind, marks, others in (
            ("box", now.bonus, other.bonus),
            ("bomb", now.bombs, other.bombs),
        )
        for at, (mark, another) in enumerate(zip(marks, others, strict=True))
        if mark != another
    ]
    return crosses + energy


def beside_the_score(figures: WrittenFigures, points: Score) -> WrittenFigures:
    """The figures' probabilities, given that most players add up rightly.

    What looks as much like the right figure as like another is the right one; another is told,
    and held against the player, only where its ink is clear.
    """
    rows, total = figures
    return (
        tuple(_expected(figure, value) for figure, value in zip(rows, points.rows, strict=True)),
        _expected(total, points.total),
    )


def _expected(figure: Figure, right: int) -> Figure:
    chances = dict([(figure.value, figure.probability), *figure.others])
    # a figure that looks like no digit at all may be any
    chances[right] = max(chances.get(right, 0.0), LOOKS_OTHERWISE * (1 - figure.probability))
    weights = {
        value: chance * (1.0 if value is None or value == right else SLIP)
        for value, chance in chances.items()
    }
    whole = sum(weights.values())
    if whole == 0:
        return figure
    value = max(weights, key=lambda each: weights[each])
    others = tuple(
        (each, weight / whole) for each, weight in weights.items() if each != value and weight
    )
    return Figure(value, weights[value] / whole, others)


def told_figures(figures: WrittenFigures) -> Written:
    """The player's own figures, as far as they are read surely."""

    def told(figure: Figure) -> int | None:
        return figure.value if figure.probability >= SURE_FIGURE else None

    rows, total = figures
    return Written(tuple(told(figure) for figure in rows), told(total))


def _sure_violations(
    verdict: Verdict,
    posterior: Posterior,
    judge: Callable[[SheetState], Verdict],
    figures: WrittenFigures,
    points: Score,
    language: str,
) -> tuple[ViolationReading, ...]:
    """The violations that stand however the doubtful marks are read."""
    readable = [
        (violation, clear, figures_read)
        for violation in verdict.violations
        if not _is_contradicted(violation, posterior)
        for clear in [_ink_read(violation, posterior, judge)]
        for figures_read in [_figures_read(violation, figures, points)]
        if min(clear, figures_read) >= _sure(violation)
    ]
    if not readable:  # what else the sheet could be need not be judged
        return ()
    for judged in judging([posterior], lambda states: judge(states[0] or posterior.state)):
        if all(
            violation.confidence * judged.at_most(_claims(violation)) * figures_read
            < _sure(violation)
            for violation, _, figures_read in readable
        ):
            return ()
    found = []
    for violation, clear, figures_read in readable:
        stands = violation.confidence * judged.probability(_claims(violation)) * figures_read
        confidence = min(stands, clear)
        if confidence >= _sure(violation):
            found.append(ViolationReading.of(violation, confidence, language))
    return tuple(found)


def _is_contradicted(violation: Violation, posterior: Posterior) -> bool:
    """Whether it hangs on blocks that are not what the ink shows, or of which it shows too little.

    Where very many states are alike, those that are found need not be all kinds of them.
    """
    contradicted = [part for part in posterior.parts if part.is_contradicted]
    if violation.rule in GROUP_RULES:
        unclear = [part for part in posterior.parts if part.is_unclear]
        return any({*violation.where} & {*part.cells} for part in (*contradicted, *unclear))
    return bool(contradicted) and violation.rule in BLOCK_RULES


def _sure(violation: Violation) -> float:
    """Probability from which on a violation is told."""
    written = violation.rule in (Rule.WRITTEN_ROW, Rule.WRITTEN_TOTAL)
    return SURE_SLIP if written else SURE_FAULT


def _ink_read(
    violation: Violation, posterior: Posterior, judge: Callable[[SheetState], Verdict]
) -> float:
    """How clear the ink is, mark by mark, that proves a violation; 1 where others weigh it."""
    if violation.rule is Rule.WRITTEN_ROW:
        return _row_read(violation, posterior.ink)
    if violation.rule in BAR_RULES:
        return _bars_read(violation, posterior, judge)
    return 1.0


def _claims(violation: Violation) -> Callable[[Verdict], float]:
    """How surely a verdict says the same, 0 to 1: of the same row or block, of a group's cells.

    Blocks that are hardly seen would else prove a fault that every guess has somewhere. Whether
    cells are no block, or one and a stray cross beside it, hangs on a line: it is one fault.
    """

    def is_same(other: Violation) -> bool:
        if violation.rule in GROUP_RULES:
            return other.rule in GROUP_RULES and bool({*violation.where} & {*other.where})
        if other.rule is not violation.rule:
            return False
        if violation.rule is Rule.ENERGY_COUNT and other.told.key != violation.told.key:
            return False  # too many points, and points that were not struck, are two faults
        return violation.rule not in PLACE_RULES or other.where == violation.where

    return lambda verdict: how_surely(violation, filter(is_same, verdict.violations))


def has_something_to_judge(
    posterior: Posterior,
    figures: WrittenFigures,
    players: int | None,
    level: int | None,
    variant: str | None,
) -> bool:
    """Whether the most probable sheet breaks a rule, told or not, or bears a figure not told."""
    figures = beside_the_score(figures, score(posterior.state))
    if min(figure.probability for figure in (*figures[0], figures[1])) < SURE_FIGURE:
        return True
    written = told_figures(figures)
    verdict = _verdict_on(posterior.state, players, level, variant, written)
    return bool(verdict.violations)


@lru_cache(maxsize=16)  # a reading asks about the same sheet several times
def _verdict_on(
    state: SheetState, players: int | None, level: int | None, variant: str | None, written: Written
) -> Verdict:
    """What the referee says of a sheet on which used points may be off."""
    known = with_points_off(state, players)
    return referee(known, players, level, variant, written)


Flip = Callable[[SheetState, int], SheetState]


def _bars_read(
    violation: Violation, posterior: Posterior, judge: Callable[[SheetState], Verdict]
) -> float:
    """How clear the ink is by which a rule of the bars is broken.

    A broken order: see `_order_read`. A count stands as long as so few marks are misread, all one
    way, that it stays broken, with the blocks as read and without those that are hardly known; and
    not at all where crosses are hardly known.
    """
    state, ink, rule = posterior.state, posterior.ink, violation.rule
    activated = tuple(mark is not Energy.OPEN for mark in state.energy)
    if rule is Rule.ENERGY_ORDER:
        return _order_read(activated, ink.points)
    if rule is Rule.BONUS_ORDER:
        return _order_read(state.bonus, ink.boxes)
    if rule is Rule.BOMB_ORDER:
        return _order_read(state.bombs, ink.bombs)
    least = SURE_COLORS if rule is Rule.ENERGY_COUNT else SURE_BLOCKS
    if any(_crosses_known(part) < least for part in posterior.parts):
        return 0.0
    return min(
        _count_read(violation, sheet, ink, judge)
        for sheet in {state, _with_known_blocks(posterior, least)}
    )


def _count_read(
    violation: Violation, state: SheetState, ink: InkAlone, judge: Callable[[SheetState], Verdict]
) -> float:
    """How clear the marks are that make a count wrong on a sheet; 0 where it is right.

    Marks that look alike are misread together: that several are costs the mean of their log-odds.
    """
    if _claims(violation)(judge(state)) == 0:
        return 0.0
    activated = tuple(mark is not Energy.OPEN for mark in state.energy)
    bars: list[tuple[tuple[bool, ...], tuple[float, ...], Flip]] = [
        (activated, ink.points, _with_point_flipped)
    ]
    if violation.rule is Rule.BONUS_COUNT:
        bars.append((state.bonus, ink.boxes, _with_box_flipped))
    stands = 1.0
    for (marks, sureness, flipped), marked in product(bars, (True, False)):
        alike = [place for place, mark in enumerate(marks) if mark is marked]
        otherwise = state
        clear: list[float] = []
        for place in sorted(alike, key=lambda place: sureness[place]):
            if sureness[place] >= SURE_MARK:
                break
            otherwise = flipped(otherwise, place)
            clear.append(log(max(sureness[place], LEAST_SURE) / (1 - sureness[place])))
            if _claims(violation)(judge(otherwise)) == 0:
                stands = min(stands, 1 / (1 + exp(-sum(clear) / len(clear))))
                break
    return stands


def _crosses_known(part: GridPart) -> float:
    """Probability of a part's crosses, however the lines run; 0 where its states are too many."""
    best, _ = part.states[0]
    if part.is_unclear:
        return 0.0
    return sum(p for state, p in part.states if state.crossed == best.crossed)


def _with_known_blocks(posterior: Posterior, least: float) -> SheetState:
    """The sheet as read, without the outlines of parts that are less probable than ``least``.

    The crosses stay: such as lie in no block allow whatever any outlines around them would.
    """
    unclear = {cell for part in posterior.parts if part.states[0][1] < least for cell in part.cells}
    blocks = tuple(block for block in posterior.state.blocks if not block & unclear)
    return replace(posterior.state, blocks=blocks)


def _order_read(marks: Sequence[bool], sureness: Sequence[float]) -> float:
    """How clear it is that some place of a bar is left out before one that is marked.

    One such pair proves it, if the ink of both is as clear as that of a total that is called sure.
    But what is hard to see is often misread in a row: of all other places only one may be less
    clear than that. And a single mark far behind the others proves nothing, however dark it is: it
    is rather a stain than a player's slip.
    """
    beyond = [place for place, mark in enumerate(marks) if mark and not all(marks[:place])]
    if len(beyond) == 1 and marks[: beyond[0]].count(False) >= FAR_BEHIND:
        return 0.0
    pairs = [
        (min(sureness[left_out], sureness[place]), left_out, place)
        for place in range(len(marks))
        for left_out in range(place)
        if marks[place] and not marks[left_out]
    ]
    clearest, *pair = max(pairs, default=(1.0, 0, 0))
    if clearest < SURE_ORDER:
        return 0.0
    others = sorted(sure for place, sure in enumerate(sureness) if place not in pair)
    return min([clearest, *others[1:]])


def _with_point_flipped(state: SheetState, point: int) -> SheetState:
    """The point circled where it is open, and open where it is not."""
    now = Energy.CIRCLED if state.energy[point] is Energy.OPEN else Energy.OPEN
    return replace(state, energy=(*state.energy[:point], now, *state.energy[point + 1 :]))


def _with_box_flipped(state: SheetState, box: int) -> SheetState:
    return replace(state, bonus=(*state.bonus[:box], not state.bonus[box], *state.bonus[box + 1 :]))


def _row_read(violation: Violation, ink: InkAlone) -> float:
    """How clear each cross is of the rows whose figures a violation names: they are counted."""
    named = {row for row in violation.where if isinstance(row, int)}
    return min((sure for row, sure in enumerate(ink.rows) if row in named), default=1.0)


def _figures_read(violation: Violation, figures: WrittenFigures, points: Score) -> float:
    """Probability that the written figures which a violation names are read rightly.

    One that is right but for its first digit, such as 0 for 10, may have that beside its field.
    And what stands beside more rows that are worth the same is rather this hand's way to write it:
    a 2 with a straight back beside each row of nine is no 1.
    """
    rows, total = figures
    if violation.rule is Rule.WRITTEN_TOTAL:
        read = [(total, points.total, 0.0)]
    elif violation.rule is Rule.WRITTEN_ROW:
        named = [at for at in violation.where if isinstance(at, int)]
        read = [(rows[at], points.rows[at], _written_so(at, rows, points)) for at in named]
    else:
        return 1.0
    return min(
        figure.probability
        * (1 - FIRST_DIGIT_BESIDE * _lacks_first_digit(figure.value, due))
        * (1 - elsewhere)
        for figure, due, elsewhere in read
    )


def _written_so(at: int, rows: tuple[Figure, ...], points: Score) -> float:
    """Probability that a row's figure stands beside another row, too, that is worth the same."""
    value = rows[at].value
    return max(
        (
            figure.probability if figure.value == value else dict(figure.others).get(value, 0.0)
            for row, figure in enumerate(rows)
            if row != at and points.rows[row] == points.rows[at]
        ),
        default=0.0,
    )


def _lacks_first_digit(figure: int | None, due: int) -> bool:
    return figure is not None and figure != due and str(due)[1:] == str(figure)
