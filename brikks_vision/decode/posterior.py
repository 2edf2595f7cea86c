"""Where ink and rules meet: the most probable sheet, and how probable others are.

The ink gives log-odds for every mark on its own; the game says how marks hang together: crosses
come in outlined blocks of the overview, energy is circled from the left and crossed out only
where circled, bars fill from the left and bombs from the top, and the blocks on the grid tell how
many points and extra crosses there can be. A sheet's probability is the product of both, with a
fixed price for each way of breaking a rule, so that weak ink is settled by the rules and clear ink
against them stands, as a fault that the referee then names.

The sheet falls into parts that depend on each other only weakly: groups of cells between edges
and cells that are certain, and the bars. A group is covered with blocks, crosses and empty cells
(see `brikks_vision.decode.tiling`) by their regret: the log-odds given up against reading every
mark for itself. Where even the best of that gives up very much, lines and blocks have little to do
with each other, and each cell is read for itself. The parts' posteriors together give that of the
total. What the player wrote weighs them: a row's figure its crosses, the total the bars.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from math import exp, inf, log1p, prod

import numpy as np
from numpy.typing import NDArray

from brikks_vision.decode.tiling import LEAST, Label, Laying, Piece, Pieces, Way, lay
from brikks_vision.detect.figures import Figure
from brikks_vision.detect.marks import Marks
from brikks_vision.games.brikks.keys import (
    BOMBS,
    BOXES,
    CELLS,
    HORIZONTALS,
    RINGS,
    STRIKES,
    VERTICALS,
)
from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.blocks import by_shape
from brikks_vision.rules.brikks.counts import allowed_bars, mark_readings
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.settings import Setting, Variant, settings
from brikks_vision.rules.brikks.sheet import Sheet
from brikks_vision.rules.brikks.state import Block, Energy, SheetState, blank_sheet, bottom_up
from brikks_vision.rules.shapes import shape_of

CERTAIN = 7.0  # log-odds from which a cell separates the parts of the grid
CERTAIN_EDGE = 4.2  # the same for an edge, as weighted
LARGEST = 10.0  # log-odds are cut off here: no single mark is surer than that
FIXED = 100.0  # log-odds of a mark that is not to be read otherwise
EDGE_WEIGHT = 0.6  # lines drawn in one go are misread together: each edge counts for less than one
BROKEN_RULE = 5.0  # log-odds that a rule is broken at one place of the grid
AGAINST_HABIT = 3.5  # log-odds that a player does not cross out energy from the left
BROKEN_ORDER = 3.5  # log-odds that boxes or bombs are not crossed in their order
BROKEN_ENERGY = 2.5  # the same for energy, which is marked more often, so that a slip is likelier
BROKEN_COUNT = 4.0  # log-odds that a bar bears another number of marks than the grid allows
CONTRADICTED, RULED_OUT = 0.4, 0.002
SETTLED = 0.9999  # probability from which on a part of the grid is not weighed again
SURELY_READ = 0.9  # probability from which on a figure tells how well the player counts
FEWEST_SLIPS, MOST_SLIPS = 0.03, 0.7  # of a player's figures
SLIP_IN_TOTAL, OTHER_TOTALS = 0.1, 40  # how often the total is wrong, and how many it then may be
MOST_REGRET = 18.0  # log-odds given up for the crosses of one block: more is not looked at
# the same for a whole part of the grid: more, and hardly a line is read rightly
MOST_REGRET_OF_PART = 18.0
FEW_UNSOUND = 2  # parts that break a rule; of more only small ones are searched with others
FEW_CELLS, MOST_CELLS = 16, 40  # of two parts that are searched together
MOST_BESIDE = 4  # parts with which one that breaks a rule is searched
MOST_BARS = 64  # states of the bars
MOST_COUNTS, LEAST_LIKELY = 1000, 1e-7  # of crosses in the rows, and probability of any
LEAST_TOLD = 0.1  # probability of a part's best state from which on its states tell of all
UNSURE_CELL = 4.0  # log-odds up to which a cell of such a part may be turned
MOST_TURNED, MOST_OF_TURNED = 3, 6  # cells that are turned, and states kept of each
BEYOND = -1  # the place of an empty cell that is not in the group


@dataclass(frozen=True)
class GridState:
    """One state of a group of cells."""

    crossed: frozenset[Cell]
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class BarState:
    """One state of everything beside the grid."""

    energy: tuple[Energy, ...]
    bonus: tuple[bool, ...]
    bombs: tuple[bool, ...]


@dataclass(frozen=True)
class InkAlone:
    """Probability 0.5 to 1 of the likelier state of each mark, by its own ink and no rule.

    points: (points,) activated, circled or crossed out, or not; 1 where the ring is printed.
    boxes: (boxes,). bombs: (bombs,). rows: (rows,) of the least sure cross, top first.
    """

    points: tuple[float, ...]
    boxes: tuple[float, ...]
    bombs: tuple[float, ...]
    rows: tuple[float, ...]


@dataclass(frozen=True)
class GridPart:
    """A group of cells and its states with their probabilities, most probable first.

    One without cells bears the blocks of a group whose cells are read each for itself.

    regret: log-odds given up by the one found most probable against reading every mark for itself,
    the price of broken rules left out; much, where all that the rules allow contradicts the ink.
    is_vague: by its ink alone the states are few of very many that are about as good.
    log_mass: logarithm of how good all ways to lay its blocks are together (see `laying.Laid`).
    """

    cells: tuple[Cell, ...]
    states: tuple[tuple[GridState, float], ...]
    regret: float = 0.0
    is_vague: bool = False
    log_mass: float = 0.0

    @property
    def is_contradicted(self) -> bool:
        """Whether hardly a line can have been read rightly here: then its blocks prove nothing."""
        return self.regret > MOST_REGRET_OF_PART

    @property
    def is_unclear(self) -> bool:
        """Whether its states are not known to be all kinds of them, or none is likely."""
        return self.is_vague or self.states[0][1] < LEAST_TOLD


@dataclass(frozen=True)
class Posterior:
    """The most probable sheet and what else it could be.

    parts, bars: states with their probabilities, most probable first. totals: probability of
    each total. cells: probability 0 to 1 that each cell is crossed, (rows, columns).
    ink: how clear it is.
    """

    state: SheetState
    parts: tuple[GridPart, ...]
    bars: tuple[tuple[BarState, float], ...]
    totals: Mapping[int, float]
    cells: NDArray[np.float64]
    ink: InkAlone


def decode(
    marks: Marks,
    sheet: Sheet,
    answers: Mapping[str, str],
    games: Sequence[Setting] = settings(),
    figures: Sequence[Figure] = (),
    total: Figure | None = None,
) -> Posterior:
    """The most probable sheet under the ink and the rules.

    ``answers`` fix single marks: "cell 3,4", "energy 12", "box 5" or "bomb 1" to "X", ".", or an
    energy state. ``games``: those that it may be a sheet of. ``figures``: the player's own beside
    the rows, top first, where there are any; ``total``: the one in the field for it.
    """
    marks = _answered(_tempered(marks), answers, sheet)
    parts = tuple(
        each
        for part in _grid_parts(marks, sheet)
        for each in _believed(_with_turned_cells(part, marks, sheet), marks)
    )
    parts = _agreeing_with_figures(parts, figures, sheet)
    crossed = frozenset[Cell]().union(*(part.states[0][0].crossed for part in parts))
    blocks = bottom_up([block for part in parts for block in part.states[0][0].blocks])
    grid = replace(blank_sheet(sheet), crossed=crossed, blocks=blocks)
    bars = _bar_states(marks, sheet, _count_prices(grid, parts, games))
    bars = _agreeing_with_total(bars, grid, _sureness(parts), total)
    best = bars[0][0]
    state = with_bar_state(grid, best)
    return Posterior(
        state,
        parts,
        bars,
        _totals(state, parts, bars),
        _cell_probabilities(parts, marks),
        _ink_alone(marks, sheet),
    )


def less_sure_of_bars(posterior: Posterior) -> Posterior:
    """The posterior where the bars contradict the rest of the sheet.

    Then a misreading is as likely as a player's slip, and the odds between the bars' states are
    taken to the power `CONTRADICTED`, but for states that the ink all but rules out. (The states'
    own odds are what a fault is judged by.)
    """
    own = np.array([probability for _, probability in posterior.bars])
    weights = np.where(own > RULED_OUT, own**CONTRADICTED, own)
    weights /= weights.sum()
    bars = tuple(
        (state, float(weight)) for (state, _), weight in zip(posterior.bars, weights, strict=True)
    )
    totals = _totals(posterior.state, posterior.parts, bars)
    return replace(posterior, bars=bars, totals=totals)


# --- the ink, with what the player answered ------------------------------------------------------


def _tempered(marks: Marks) -> Marks:
    """The marks with no log-odds beyond `LARGEST`, and edges counting as `EDGE_WEIGHT` says."""
    clipped = {key: np.clip(array, -LARGEST, LARGEST) for key, array in marks.logits.items()}
    for edges in (VERTICALS, HORIZONTALS):
        clipped[edges] = EDGE_WEIGHT * clipped[edges]
    return Marks(clipped)


def _answered(marks: Marks, answers: Mapping[str, str], sheet: Sheet) -> Marks:
    """The marks with the answered ones made sure."""
    if not answers:
        return marks
    arrays = {key: array.copy() for key, array in marks.logits.items()}
    for where, read in answers.items():
        kind, _, place = where.partition(" ")
        logit = FIXED if read in ("X", "used", "off") else -FIXED
        if kind == "cell":
            row, column = (int(number) for number in place.split(","))
            arrays[CELLS][row, column] = logit
        elif kind == "energy":
            arrays[STRIKES][int(place)] = logit
            arrays[RINGS][int(place)] = -FIXED if read == "open" else FIXED
        elif kind == "box":
            arrays[BOXES][int(place)] = logit
        else:
            arrays[BOMBS][int(place)] = logit
    return Marks(arrays)


def _is_outlined(marks: Marks) -> bool:
    """Did this player outline blocks? Judged by the edges between crossed cells."""
    crossed = marks[CELLS] > 0
    beside = crossed[:, :-1] & crossed[:, 1:]
    above = crossed[:-1] & crossed[1:]
    between = np.concatenate([marks[VERTICALS][:, 1:-1][beside], marks[HORIZONTALS][1:-1][above]])
    rim = np.concatenate(
        [
            marks[VERTICALS][:, 1:-1][crossed[:, :-1] ^ crossed[:, 1:]],
            marks[HORIZONTALS][1:-1][crossed[:-1] ^ crossed[1:]],
        ]
    )
    edges = np.concatenate([between, rim])
    return bool(len(edges) and np.mean(edges > 0) > 0.15)


# --- the grid -------------------------------------------------------------------------------------


def _edge(marks: Marks, a: Cell, b: Cell) -> float:
    """Log-odds that the edge between two neighbouring cells is inked."""
    if a[0] == b[0]:
        return float(marks[VERTICALS][a[0], max(a[1], b[1])])
    return float(marks[HORIZONTALS][max(a[0], b[0]), a[1]])


def neighbours(cell: Cell, sheet: Sheet) -> Iterator[Cell]:
    """The cells above, left, right and below, as far as there are."""
    row, column = cell
    if row > 0:
        yield row - 1, column
    if column > 0:
        yield row, column - 1
    if column < sheet.columns - 1:
        yield row, column + 1
    if row < sheet.rows - 1:
        yield row + 1, column


def _grid_parts(marks: Marks, sheet: Sheet) -> list[GridPart]:
    if not _is_outlined(marks):
        return [_lone_cell(cell, float(marks[CELLS][cell])) for cell in sheet.cells]
    parts = []
    left = set(sheet.cells)
    while left:
        group = _group(min(left), marks, sheet)
        left -= group
        parts.append(_solve(tuple(sorted(group)), marks, sheet))
    return _without_misread_lines(parts, marks, sheet)


def _without_misread_lines(parts: list[GridPart], marks: Marks, sheet: Sheet) -> list[GridPart]:
    """The parts, of which those that break a rule are joined with one beside them.

    A line that looks certain may still be print: it is dearer than an uncertain one, but cheaper
    than the rules that a block breaks which it cuts in two. (Of a part that contradicts its ink no
    block is proven, nor would be with another.)
    """
    unsound = [
        part
        for part in parts
        if not part.is_contradicted and not _is_sound(part.states[0][0], sheet)
    ]
    most_cells = MOST_CELLS if len(unsound) <= FEW_UNSOUND else FEW_CELLS
    for part in sorted(unsound, key=lambda part: len(part.cells)):
        others = [each for each in parts if each is not part]
        if len(others) == len(parts):  # joined with another one meanwhile
            continue
        alone = _soundness(part, sheet)
        joined = [
            (
                _soundness(both, sheet) - alone * _soundness(beside, sheet),
                beside,
                both,
            )
            for beside in _beside(part, others, most_cells, marks, sheet)
            for both in [_solve(tuple(sorted(part.cells + beside.cells)), marks, sheet)]
        ]
        gained, beside, both = max(joined, key=lambda each: each[0], default=(0.0, part, part))
        if gained > 0:
            parts = [each for each in others if each is not beside] + [both]
    return parts


def _beside(
    part: GridPart,
    others: Sequence[GridPart],
    most_cells: int,
    marks: Marks,
    sheet: Sheet,
) -> list[GridPart]:
    """Parts beside one, with so many cells together at most: those behind the least sure lines."""

    def line(other: GridPart) -> float:
        between = [
            _edge(marks, cell, beyond)
            for cell in part.cells
            for beyond in neighbours(cell, sheet)
            if beyond in other.cells and marks[CELLS][beyond] >= -CERTAIN
        ]
        return min(between, default=inf)

    small = (each for each in others if len(part.cells) + len(each.cells) <= most_cells)
    near = sorted(((line(each), each) for each in small), key=lambda entry: entry[0])
    return [each for weakest, each in near[:MOST_BESIDE] if weakest < inf]


def _is_sound(state: GridState, sheet: Sheet) -> bool:
    """Whether every cross lies in an outlined block of the overview."""
    shapes = by_shape(sheet)
    return all(shape_of(block) in shapes for block in state.blocks) and (
        state.crossed == frozenset().union(*state.blocks)
    )


def _soundness(part: GridPart, sheet: Sheet) -> float:
    """Probability 0 to 1 that a part breaks no rule."""
    return sum(probability for state, probability in part.states if _is_sound(state, sheet))


def _believed(part: GridPart, marks: Marks) -> list[GridPart]:
    """The part; where its blocks contradict the ink, its cells, each by its own ink.

    Such a part's best states are few of very many that are about as good, and of crosses that
    blocks moved: sure of the wrong ones. Blocks that move none are kept.
    """
    if not part.is_contradicted:
        return [part]
    cells = [_lone_cell(cell, float(marks[CELLS][cell])) for cell in part.cells]
    crossed = frozenset[Cell]().union(*(cell.states[0][0].crossed for cell in cells))
    best, probability = part.states[0]
    blocks = tuple(block for block in best.blocks if block <= crossed)
    lines = GridPart((), ((GridState(frozenset(), blocks), probability),))
    return [replace(each, regret=part.regret) for each in (*cells, lines)]


def _lone_cell(cell: Cell, logit: float) -> GridPart:
    crossed = GridState(frozenset([cell]), ())
    empty = GridState(frozenset(), ())
    probability = 1 / (1 + np.exp(-logit))
    states = [(crossed, float(probability)), (empty, float(1 - probability))]
    states.sort(key=lambda entry: -entry[1])
    return GridPart((cell,), tuple(states))


def _group(first: Cell, marks: Marks, sheet: Sheet) -> set[Cell]:
    """Cells that may hang together with ``first``: no certain edge and no certain gap between."""
    if marks[CELLS][first] < -CERTAIN:
        return {first}
    group, queue = {first}, [first]
    while queue:
        cell = queue.pop()
        for other in neighbours(cell, sheet):
            if other in group or marks[CELLS][other] < -CERTAIN:
                continue
            if _edge(marks, cell, other) < CERTAIN_EDGE:
                group.add(other)
                queue.append(other)
    return group


def _solve(cells: tuple[Cell, ...], marks: Marks, sheet: Sheet) -> GridPart:
    """The best states of a group of cells, and their share of the probability of all."""
    if len(cells) == 1 and marks[CELLS][cells[0]] < -CERTAIN:
        return GridPart(cells, ((GridState(frozenset(), ()), 1.0),))
    if _is_certain_block(cells, marks, sheet):
        return _certain_block(cells, marks, sheet)
    laid = lay(_pieces(cells, marks, sheet))
    states = _by_state(laid.ways, cells)
    ranked = [(state, sum(each.probability for each in alike)) for state, alike in states.items()]
    ranked.sort(key=lambda entry: -entry[1])
    likeliest = states[ranked[0][0]][0]
    of_rules = sum(piece.rule_price for piece in likeliest.way)
    is_vague = ranked[0][1] < LEAST_TOLD
    regret = likeliest.regret - of_rules
    return GridPart(cells, tuple(ranked), regret, is_vague, laid.log_mass)


def _is_certain_block(cells: tuple[Cell, ...], marks: Marks, sheet: Sheet) -> bool:
    """Whether all marks of them, but on the grid's rim, certainly are those of a block."""
    if shape_of(cells) not in by_shape(sheet):
        return False
    if any(marks[CELLS][cell] < CERTAIN for cell in cells):
        return False
    return all(
        -edge >= CERTAIN_EDGE if other in cells else edge >= CERTAIN_EDGE
        for cell in cells
        for other in neighbours(cell, sheet)
        for edge in [_edge(marks, cell, other)]
    )


def _certain_block(cells: tuple[Cell, ...], marks: Marks, sheet: Sheet) -> GridPart:
    """The part of a certain block: what `lay` would find, without laying.

    A block of the overview is no two of them together. So all but one of the other ways break two
    rules, or one against a certain mark, and have more regret than `lay` looks at: that the lines
    around it, as far as they are not other blocks' own, are not its outline.
    """
    block = frozenset(cells)
    lines = sum(
        _edge(marks, cell, other)
        for cell in cells
        for other in neighbours(cell, sheet)
        if marks[CELLS][other] < -CERTAIN
    )
    outlined, loose = GridState(block, (block,)), GridState(block, ())
    odds = exp(-BROKEN_RULE - lines)
    if odds < exp(-LEAST):
        return GridPart(cells, ((outlined, 1.0),))
    return GridPart(
        cells,
        ((outlined, 1 / (1 + odds)), (loose, odds / (1 + odds))),
        log_mass=log1p(odds),
    )


def _by_state(layings: Iterable[Laying], cells: tuple[Cell, ...]) -> dict[GridState, list[Laying]]:
    """The layings of each state: crosses without outlines are laid in several ways."""
    states: dict[GridState, list[Laying]] = {}
    for laying in layings:
        states.setdefault(_grid_state(laying.way, cells), []).append(laying)
    return states


def _with_turned_cells(part: GridPart, marks: Marks, sheet: Sheet) -> GridPart:
    """A vague part with states, too, in which cells are otherwise than in all that were found.

    Where lines are hardly seen, very many states differ only by them, and those found need not
    show that a faint cross may be none. Of the cells that are not sure, the `MOST_TURNED` least
    sure are turned, one at a time; the likeliest states of each stand for all with that cell.
    """
    if part.is_contradicted or not part.is_vague:
        return part
    inked = {cell: float(marks[CELLS][cell]) for cell in part.cells}
    crossed = [state.crossed for state, _ in part.states]
    always = frozenset.intersection(*crossed)
    ever = frozenset[Cell]().union(*crossed)
    unsure = [
        cell
        for cell, logit in inked.items()
        if abs(logit) < UNSURE_CELL and (cell in always or cell not in ever)
    ]
    if not unsure:
        return part
    weights = list(part.states)
    turned: list[Cell] = []
    for cell in sorted(unsure, key=lambda cell: abs(inked[cell]))[:MOST_TURNED]:
        cells = marks[CELLS].copy()
        cells[cell] = -FIXED if cell in always else FIXED
        laid = lay(_pieces(part.cells, marks.with_logits({CELLS: cells}), sheet))
        against_ink = max(0.0, inked[cell] if cell in always else -inked[cell])
        mass = exp(min(LEAST, laid.log_mass - against_ink - part.log_mass))
        # a state in which a cell before is turned, too, has been counted with that one
        new = {
            state: sum(each.probability for each in alike)
            for state, alike in _by_state(laid.ways, part.cells).items()
            if all((before in state.crossed) == (before in always) for before in turned)
        }
        likeliest = heapq.nlargest(MOST_OF_TURNED, new.items(), key=lambda entry: entry[1])
        shown = sum(share for _, share in likeliest)
        weights += [(state, mass * sum(new.values()) * p / shown) for state, p in likeliest]
        turned.append(cell)
    total = sum(weight for _, weight in weights)
    states = [(state, weight / total) for state, weight in weights]
    return replace(part, states=tuple(sorted(states, key=lambda entry: -entry[1])))


def _grid_state(way: Way, cells: tuple[Cell, ...]) -> GridState:
    blocks = [
        (piece.label, frozenset(cells[place] for place in piece.places))
        for piece in way
        if piece.label is not Label.EMPTY
    ]
    return GridState(
        frozenset().union(*(block for _, block in blocks)),
        tuple(block for label, block in blocks if label is Label.OUTLINED),
    )


def _pieces(cells: tuple[Cell, ...], marks: Marks, sheet: Sheet) -> Pieces:
    """For each cell the pieces whose first cell (in reading order) it is: first itself, left empty.

    Outlined blocks of the overview break no rule. At the price of a broken rule: a block whose
    outline was forgotten, a cross on its own, and the outlined group that the ink shows where it
    is no block.
    """
    at = {cell: place for place, cell in enumerate(cells)}
    crossing = [max(0.0, -float(marks[CELLS][cell])) for cell in cells]
    shapes = by_shape(sheet)
    edges = [
        [
            (at.get(other, BEYOND), max(0.0, -logit), max(0.0, logit))
            for other in neighbours(cell, sheet)
            # edges to crossed cells of other groups are certain; the grid's rim tells nothing
            if other in at or marks[CELLS][other] <= -CERTAIN
            for logit in [_edge(marks, cell, other)]
        ]
        for cell in cells
    ]
    pieces: tuple[list[Piece], ...] = tuple([] for _ in cells)

    def add(
        places: tuple[int, ...], own: float, rule_prices: Iterable[tuple[Label, float]]
    ) -> None:
        """Add the cells under each of the labels, for a broken rule's price and the ink's."""
        borders = []
        between = missing_beyond = extra_beyond = 0.0
        for place in places:
            for other, missing, extra in edges[place]:
                if other == BEYOND:
                    missing_beyond += missing
                    extra_beyond += extra
                elif other not in places:
                    borders.append((1 << other, missing, extra))
                elif other > place:
                    between += extra
        bits = sum(1 << place for place in places)
        for label, rule_price in rule_prices:
            price = own + between + rule_price
            price += missing_beyond if label is Label.OUTLINED else extra_beyond
            pieces[places[0]].append(Piece(places, bits, label, price, rule_price, tuple(borders)))

    def add_crossed(places: tuple[int, ...], outlined: float, loose: float) -> None:
        """Add the cells as a block and as crosses without an outline, for a price each."""
        crossed = sum([crossing[place] for place in places])
        rule_prices = ((Label.OUTLINED, outlined), (Label.LOOSE, loose))
        if likely := [each for each in rule_prices if crossed + each[1] < MOST_REGRET]:
            add(places, crossed, likely)

    in_grid = {_place_in_grid(cell, sheet): place for place, cell in enumerate(cells)}
    there = sum(1 << number for number in in_grid)
    for number, place in in_grid.items():
        add((place,), max(0.0, float(marks[CELLS][cells[place]])), [(Label.EMPTY, 0.0)])
        for bits, after in _shapes_from_first(sheet):
            if there >> number & bits == bits:
                add_crossed(tuple(in_grid[number + each] for each in after), 0.0, BROKEN_RULE)
        add_crossed((place,), BROKEN_RULE, BROKEN_RULE)
    for group in _inked_groups(cells, marks, sheet):
        if shape_of(group) not in shapes and len(group) > 1:
            add_crossed(tuple(at[cell] for cell in group), BROKEN_RULE, inf)
    return pieces


@cache
def _shapes_from_first(sheet: Sheet) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Each shape of the overview as offsets of `_place_in_grid` from its first cell on.

    As bits, and as numbers.
    """
    found = []
    for shape in by_shape(sheet):
        first, *_ = places = [_place_in_grid(cell, sheet) for cell in shape]
        after = tuple(place - first for place in places)
        found.append((sum(1 << place for place in after), after))
    return tuple(found)


def _place_in_grid(cell: Cell, sheet: Sheet) -> int:
    """A number for each cell, in reading order, with room beside the grid for what juts out."""
    return cell[0] * 2 * sheet.columns + cell[1]


def _inked_groups(
    cells: tuple[Cell, ...], marks: Marks, sheet: Sheet
) -> Iterator[tuple[Cell, ...]]:
    """Groups of crossed cells with no inked edge between, each mark read for itself."""
    left = {cell for cell in cells if marks[CELLS][cell] > 0}
    while left:
        first = min(left)
        group, queue = {first}, [first]
        while queue:
            cell = queue.pop()
            for other in neighbours(cell, sheet):
                if other in left and other not in group and _edge(marks, cell, other) < 0:
                    group.add(other)
                    queue.append(other)
        left -= group
        yield tuple(sorted(group))


# --- the player's own figures ---------------------------------------------------------------------


def _agreeing_with_figures(
    parts: tuple[GridPart, ...], figures: Sequence[Figure], sheet: Sheet
) -> tuple[GridPart, ...]:
    """The parts' probabilities given the points that the player wrote beside the rows.

    A figure is evidence about a row's doubtful crosses, as good as the player's other figures are.
    Part by part, the others as they most probably are (iterated conditional modes, Besag 1986).
    """
    told = {row: figure for row, figure in enumerate(figures) if figure.value is not None}
    if not told:
        return parts
    slip = _slip_rate(told, _row_counts(parts, sheet), sheet)
    open_parts = [at for at, part in enumerate(parts) if part.states[0][1] < SETTLED]
    weighed = list(parts)
    for at in open_parts * 2:
        others = _row_counts([*weighed[:at], *weighed[at + 1 :]], sheet)
        weighed[at] = _weigh(parts[at], others, told, slip, sheet)
    return tuple(weighed)


def _row_counts(parts: Iterable[GridPart], sheet: Sheet) -> NDArray[np.int64]:
    """Crosses in each row, every part as it most probably is."""
    rows = [row for part in parts for row, _ in part.states[0][0].crossed]
    return np.bincount(np.array(rows, np.int64), minlength=sheet.rows)


def _row_points(row: int, crosses: int, sheet: Sheet) -> int:
    return sheet.row_points.get(crosses, 0) * sheet.row_factors[row]


def _slip_rate(told: Mapping[int, Figure], crosses: NDArray[np.int64], sheet: Sheet) -> float:
    """How often this player's figures differ from the rows, judged by those read surely."""
    sure = [row for row, figure in told.items() if figure.probability > SURELY_READ]
    wrong = sum(told[row].value != _row_points(row, int(crosses[row]), sheet) for row in sure)
    return float(np.clip((wrong + 0.5) / (len(sure) + 1), FEWEST_SLIPS, MOST_SLIPS))


def _weigh(
    part: GridPart,
    others: NDArray[np.int64],
    told: Mapping[int, Figure],
    slip: float,
    sheet: Sheet,
) -> GridPart:
    points = sorted(set(sheet.row_points.values()) | {0})
    weights = []
    for state, probability in part.states:
        crosses = others.copy()
        for row, _ in state.crossed:
            crosses[row] += 1
        for row in {row for row, _ in part.cells} & told.keys():
            agreeing = told[row].probability * (1 - slip)
            agrees = told[row].value == _row_points(row, int(crosses[row]), sheet)
            probability *= agreeing if agrees else (1 - agreeing) / (len(points) - 1)
        weights.append(probability)
    whole = sum(weights)
    weighed = [
        (state, weight / whole) for (state, _), weight in zip(part.states, weights, strict=True)
    ]
    weighed.sort(key=lambda entry: -entry[1])
    return replace(part, states=tuple(weighed))


def _agreeing_with_total(
    bars: tuple[tuple[BarState, float], ...], grid: SheetState, sure: float, total: Figure | None
) -> tuple[tuple[BarState, float], ...]:
    """The bars' probabilities given the total that the player wrote: most add up rightly.

    ``sure`` : probability 0 to 1 of the grid, without which the total tells nothing of the bars.
    """
    if total is None or total.value is None:
        return bars
    chances = {total.value: total.probability, **dict(total.others)}
    agrees = (1 - SLIP_IN_TOTAL) * sure
    weights = []
    for bar, probability in bars:
        points = score(with_bar_state(grid, bar)).total
        by_chance = (1 - agrees) / OTHER_TOTALS
        weights.append(probability * (agrees * chances.get(points, 0.0) + by_chance))
    whole = sum(weights)
    weighed = [(bar, weight / whole) for (bar, _), weight in zip(bars, weights, strict=True)]
    return tuple(sorted(weighed, key=lambda entry: -entry[1]))


def with_bar_state(grid: SheetState, bar: BarState) -> SheetState:
    """The sheet with other bars."""
    return replace(grid, energy=bar.energy, bonus=bar.bonus, bombs=bar.bombs)


# --- the bars -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CountPrices:
    """What numbers of activated points and extra crosses cost that the grid does not allow."""

    allowed: Mapping[int, frozenset[int]]
    price: float

    def of(self, activated: Iterable[int], crosses: int) -> float:
        """``activated``: every number of points that the bar can mean."""
        fits = any(crosses in self.allowed.get(count, frozenset()) for count in activated)
        return 0.0 if fits else self.price


def _count_prices(
    grid: SheetState, parts: tuple[GridPart, ...], games: Sequence[Setting]
) -> CountPrices:
    """Prices by the most probable grid, as far as it is sure."""
    boxes = len(grid.sheet.bonus_values)
    plain = [game for game in games if game.variant is not Variant.DUEL]
    allowed = allowed_bars(grid, plain)
    if len(plain) < len(games) and (not plain or _has_mini(grid)):
        duels = [game for game in games if game.variant is Variant.DUEL]
        for activated in allowed_bars(grid, duels):
            allowed[activated] = frozenset(range(boxes + 1))
    sure = _sureness(parts)
    return CountPrices(allowed, -float(np.log(1 - sure + sure * np.exp(-BROKEN_COUNT))))


def _sureness(parts: Iterable[GridPart]) -> float:
    """Probability 0 to 1 that the grid is as it most probably is."""
    return prod(part.states[0][1] for part in parts)


def _has_mini(grid: SheetState) -> bool:
    return any(len(block) == 1 for block in grid.blocks)


def _bar_states(
    marks: Marks, sheet: Sheet, prices: CountPrices
) -> tuple[tuple[BarState, float], ...]:
    """States of energy, extra points and bombs together, most probable first."""
    energy = _energy_states(marks, sheet)
    boxes = _filled_states(marks[BOXES], len(sheet.bonus_values) - 1)
    bombs = _filled_states(marks[BOMBS], len(sheet.bomb_points))
    activated = {
        points: mark_readings(tuple(mark is not Energy.OPEN for mark in points))
        for points, _ in energy
    }
    counted = [
        (
            points_loss + crosses_loss + prices.of(activated[points], sum(crosses)),
            points,
            crosses,
        )
        for (points, points_loss), (crosses, crosses_loss) in product(energy, boxes)
    ]
    counted.sort(key=lambda entry: entry[0])
    joined = [
        (loss + used_loss, BarState(points, crosses, used))
        for (loss, points, crosses), (used, used_loss) in product(counted[:MOST_BARS], bombs)
    ]
    joined.sort(key=lambda entry: entry[0])
    joined = [entry for entry in joined[:MOST_BARS] if entry[0] < joined[0][0] + LEAST]
    weights = np.exp([joined[0][0] - loss for loss, _ in joined])
    weights /= weights.sum()
    return tuple((state, float(weight)) for (_, state), weight in zip(joined, weights, strict=True))


def _loss(logit: float, marked: bool) -> float:
    """Negative log probability of a mark's state."""
    against = -logit if marked else logit
    return max(0.0, against) + log1p(exp(-abs(against)))


def _filled_states(logits: NDArray[np.float64], most: int) -> list[tuple[tuple[bool, ...], float]]:
    """A bar crossed from its start: every length, and the ink as it stands where it has gaps."""
    states = []
    for length in range(most + 1):
        marked = tuple(at < length for at in range(len(logits)))
        states.append((marked, sum(map(_loss, logits.tolist(), marked))))
    as_inked = tuple(bool(logit > 0) for logit in logits)
    if all(as_inked != marked for marked, _ in states):
        states.append((as_inked, sum(map(_loss, logits.tolist(), as_inked)) + BROKEN_ORDER))
    states.sort(key=lambda entry: entry[1])
    return [entry for entry in states if entry[1] < states[0][1] + LEAST]


IMPOSSIBLE = 1000.0  # a loss
OPEN, CIRCLED, USED = range(3)  # columns of the losses
POINT_STATES = (Energy.OPEN, Energy.CIRCLED, Energy.USED)


def _energy_states(marks: Marks, sheet: Sheet) -> list[tuple[tuple[Energy, ...], float]]:
    """States of the energy bar, most probable first.

    Energy circled from the left and crossed out from the left; then crossed out anywhere; then the
    ink as it stands. One hand's strokes are misread together: where none is clear, that all circled
    points are struck, or no struck one is, costs what turning one of them does on average. (On 480
    simulated photos it was so 9 times; the mean gave 4 times, the sum 0.4.)
    """
    losses = _point_losses(marks, sheet)
    printed = len(sheet.preprinted)
    found: dict[tuple[int, ...], float] = {}

    each_loss = losses.tolist()

    def add(points: NDArray[np.int64], price: float) -> None:
        key = tuple(points.tolist())
        loss = price + sum([of[mark] for of, mark in zip(each_loss, key, strict=True)])
        found[key] = min(loss, found.get(key, np.inf))

    place = np.arange(len(losses))
    until = np.concatenate([np.zeros((1, 3)), losses.cumsum(axis=0)])  # the first points' losses
    used = until[:, None, USED]
    both = used + until[None, :, CIRCLED] - until[:, None, CIRCLED]
    in_order = both + until[-1, OPEN] - until[None, :, OPEN]  # by the points used and activated
    in_order[np.tri(len(in_order), k=-1, dtype=bool)] = IMPOSSIBLE  # more used than activated
    in_order[:, :printed] = IMPOSSIBLE
    lowest = in_order.min()
    for spent, activated in np.argwhere(in_order < lowest + LEAST):
        add(np.select([place < spent, place < activated], [USED, CIRCLED], OPEN), 0.0)
    either = np.where(losses[:, USED] < losses[:, CIRCLED], USED, CIRCLED)
    for activated in range(printed, len(losses) + 1):
        add(np.where(place < activated, either, OPEN), _habit_price(either[:activated]))
    best = np.array(min(found, key=found.__getitem__))
    for point in np.flatnonzero(best != OPEN):  # single points read otherwise
        other = best.copy()
        other[point] = USED if best[point] == CIRCLED else CIRCLED
        add(other, _habit_price(other[best != OPEN]))
    as_inked = losses.argmin(axis=1)
    if tuple(as_inked) not in found:
        add(as_inked, BROKEN_ENERGY + _habit_price(as_inked[as_inked != OPEN]))
    for turned, into in (
        (best == CIRCLED, USED),
        ((best == USED) & (place >= printed), CIRCLED),
    ):
        dearer = losses[turned, into] - losses[turned, best[turned]]
        # all of a hand's strokes taken for what they are not, where none of them is clear
        if turned.any() and dearer.max() < CERTAIN:
            key = tuple(np.where(turned, into, best).tolist())
            loss = found[tuple(best.tolist())] + max(0.0, float(dearer.mean()))
            found[key] = min(loss, found.get(key, np.inf))
    ranked = sorted(found.items(), key=lambda entry: entry[1])[:MOST_BARS]
    return [
        (tuple(POINT_STATES[mark] for mark in points), loss)
        for points, loss in ranked
        if loss < ranked[0][1] + LEAST
    ]


def _point_losses(marks: Marks, sheet: Sheet) -> NDArray[np.float64]:
    """Negative log probability of each point's states: (points, 3)."""
    rows = []
    for point, (ring, strike) in enumerate(
        zip(marks[RINGS].tolist(), marks[STRIKES].tolist(), strict=True)
    ):
        # players who cross out do not always circle first: under a strike a ring tells nothing
        struck, not_struck = _loss(strike, True), _loss(strike, False)
        if point in sheet.preprinted:
            rows.append([IMPOSSIBLE, not_struck, struck])
        else:
            ringed, blank = _loss(ring, True), _loss(ring, False)
            rows.append([not_struck + blank, not_struck + ringed, struck])
    return np.array(rows)


def _ink_alone(marks: Marks, sheet: Sheet) -> InkAlone:
    def sureness(logits: NDArray[np.float64]) -> tuple[float, ...]:
        return tuple(float(p) for p in 1 / (1 + np.exp(-np.abs(logits))))

    activated = np.maximum(marks[RINGS], marks[STRIKES])
    activated[list(sheet.preprinted)] = np.inf
    rows = tuple(min(sureness(row)) for row in marks[CELLS])
    return InkAlone(sureness(activated), sureness(marks[BOXES]), sureness(marks[BOMBS]), rows)


def _habit_price(activated: NDArray[np.int64]) -> float:
    """The price of crossing out another point than the first that is left."""
    left_over = (activated[:-1] == CIRCLED) & (activated[1:] == USED)
    return AGAINST_HABIT if left_over.any() else 0.0


# --- what follows for the total -------------------------------------------------------------------


def _apart_by_rows(
    parts: Iterable[GridPart], rows: int
) -> list[tuple[frozenset[int], list[GridPart]]]:
    """Groups of rows that share no part of the grid, and the parts of each."""
    groups: list[tuple[frozenset[int], list[GridPart]]] = [
        (frozenset({row}), []) for row in range(rows)
    ]
    for part in parts:
        touched = {row for grid_state, _ in part.states for row, _ in grid_state.crossed}
        joined = [group for group in groups if group[0] & touched]
        if joined:
            groups = [group for group in groups if not group[0] & touched]
            together = [each for _, others in joined for each in others]
            groups.append((frozenset().union(*(of for of, _ in joined)), [*together, part]))
    return groups


def _points_of_rows(
    rows: frozenset[int], parts: Iterable[GridPart], sheet: Sheet
) -> dict[int, float]:
    """The posterior of the points of some rows, over the states of all parts that touch them.

    Where very much is doubtful, the most probable numbers of crosses in the rows must do.
    """
    places = sorted(rows)
    counts: dict[tuple[int, ...], float] = {(0,) * len(places): 1.0}
    for part in parts:
        changes: dict[tuple[int, ...], float] = {}
        for grid_state, probability in part.states:
            crossed = [row for row, _ in grid_state.crossed]
            change = tuple(crossed.count(row) for row in places)
            changes[change] = changes.get(change, 0.0) + probability
        merged: dict[tuple[int, ...], float] = {}
        for (have, p), (change, q) in product(counts.items(), changes.items()):
            key = tuple(a + b for a, b in zip(have, change, strict=True))
            merged[key] = merged.get(key, 0.0) + p * q
        likely = [entry for entry in merged.items() if entry[1] > LEAST_LIKELY]
        counts = dict(heapq.nlargest(MOST_COUNTS, likely, key=lambda entry: entry[1]))
    factors = [sheet.row_factors[row] for row in places]
    points: dict[int, float] = {}
    for numbers, p in counts.items():
        total = sum(
            sheet.row_points.get(number, 0) * factor
            for number, factor in zip(numbers, factors, strict=True)
        )
        points[total] = points.get(total, 0.0) + p
    return points


def _totals(
    state: SheetState, parts: tuple[GridPart, ...], bars: tuple[tuple[BarState, float], ...]
) -> dict[int, float]:
    """The posterior of the total, over the states kept of each part."""
    lines = {0: 1.0}
    for rows, together in _apart_by_rows(parts, state.sheet.rows):
        of_rows = _points_of_rows(rows, together, state.sheet)
        merged: dict[int, float] = {}
        for (have, p), (more, q) in product(lines.items(), of_rows.items()):
            merged[have + more] = merged.get(have + more, 0.0) + p * q
        lines = merged
    beside: dict[int, float] = {}
    for bar, p in bars:
        points = score(with_bar_state(replace(state, crossed=frozenset()), bar))
        beside[points.total] = beside.get(points.total, 0.0) + p
    totals: dict[int, float] = {}
    for (a, p), (b, q) in product(lines.items(), beside.items()):
        totals[a + b] = totals.get(a + b, 0.0) + p * q
    whole = sum(totals.values())
    return {total: p / whole for total, p in totals.items()}


def _cell_probabilities(parts: tuple[GridPart, ...], marks: Marks) -> NDArray[np.float64]:
    probabilities = np.zeros(marks[CELLS].shape)
    for part in parts:
        for state, probability in part.states:
            for cell in state.crossed:
                probabilities[cell] += probability
    return np.clip(probabilities, 0.0, 1.0)
