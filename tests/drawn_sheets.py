"""Sheets as they come out of a photo, from drawings: only the pixels are left out."""

from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.figures import Figure
from brikks_vision.detect.marks import Marks
from brikks_vision.games.brikks import reading
from brikks_vision.games.brikks.bars import BarState
from brikks_vision.games.brikks.decode import MarkEvidence, Posterior
from brikks_vision.games.brikks.game import DEFINITION
from brikks_vision.infer.answers import LETTERS
from brikks_vision.infer.evidence import Evidence
from brikks_vision.infer.grid import GridPart, GridState
from brikks_vision.layout import Cell, load_layout
from brikks_vision.pipeline import localize
from brikks_vision.rules.brikks.blocks import Energy, SheetState, as_photographed
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.notation import read_sheet
from simulation.marks import block_edges

SHEET, LAYOUT = load_sheet(), load_layout("brikks")
UNWRITTEN = Figure(None, 1.0)
NO_FIGURES = {"rows": (UNWRITTEN,) * SHEET.rows, "total": (UNWRITTEN,)}
CLEAR = 9.0  # log-odds of evidence that leaves no doubt


BLACK_START = """
    AA........
    AABBBB....
    energy xxoo
"""
RED_START = """
    .A........
    AA........
    ABBBB.....
    energy xxoo
"""
GREEN_LAST = """
    AAC.......
    AACCC.....
    energy xxoo
"""
"""After the start block."""


def drawn_posterior(drawing: str, *others: tuple[str, float]) -> Posterior:
    """A photo of the drawn sheet; ``others``: what else it could show, and how probably.

    The grid is one part, and the bars are one.
    """
    state = as_photographed(read_sheet(drawing, SHEET))
    grids = {_grid(state): 1.0}
    bars = {_bars(state): 1.0}
    for other_drawing, probability in others:
        other = as_photographed(read_sheet(other_drawing, SHEET))
        for states, now, then in (
            (grids, _grid(state), _grid(other)),
            (bars, _bars(state), _bars(other)),
        ):
            if then != now:
                states[then] = probability
                states[now] -= probability
    totals: dict[int, float] = {}
    for (grid, p), (bar, q) in product(grids.items(), bars.items()):
        total = score(_sheet(grid, bar)).total
        totals[total] = totals.get(total, 0.0) + p * q
    cells = np.zeros((SHEET.rows, SHEET.columns))
    for grid, probability in grids.items():
        for cell in grid.crossed:
            cells[cell] += probability
    part = GridPart(SHEET.cells, tuple(grids.items()))
    evidence = MarkEvidence(
        *((1.0,) * len(marks) for marks in (state.energy, state.bonus, state.bombs))
    )
    return Posterior(state, (part,), tuple(bars.items()), totals, cells, evidence)


def drawn_reading(
    name: str,
    posterior: Posterior,
    players: int | None = None,
    level: int | None = None,
    variant: str | None = None,
    language: str = "en",
) -> reading.BrikksReading:
    said = {"players": players, "level": level, "variant": variant}
    known = {name: value for name, value in said.items() if value is not None}
    evidence = Evidence(clear_marks(posterior.state), NO_FIGURES, known=known)
    return localize(DEFINITION.told(name, posterior, evidence, LAYOUT), language)


def _grid(state: SheetState) -> GridState:
    return GridState(state.crossed, state.blocks)


def _bars(state: SheetState) -> BarState:
    return BarState(state.energy, state.bonus, state.bombs)


def _sheet(grid: GridState, bars: BarState) -> SheetState:
    blank = read_sheet("", SHEET)
    return replace(blank, crossed=grid.crossed, blocks=grid.blocks, **vars(bars))


def clear_marks(state: SheetState) -> Marks:
    """What a perfect reader would say of a sheet."""
    grid = SHEET

    def signs(flags: list[bool]) -> NDArray[np.float64]:
        return np.where(flags, CLEAR, -CLEAR)

    cells = np.full((grid.rows, grid.columns), -CLEAR)
    vertical = np.full((grid.rows, grid.columns + 1), -CLEAR)
    horizontal = np.full((grid.rows + 1, grid.columns), -CLEAR)
    for cell in state.crossed:
        cells[cell] = CLEAR
    for block in state.blocks:
        for kind, row, column in block_edges(block):
            (vertical if kind == "v" else horizontal)[row, column] = CLEAR
    printed = SHEET.preprinted
    ringed = [mark is not Energy.OPEN and at not in printed for at, mark in enumerate(state.energy)]
    return Marks(
        {
            reading.CELLS: cells,
            reading.VERTICALS: vertical,
            reading.HORIZONTALS: horizontal,
            reading.RINGS: signs(ringed),
            reading.STRIKES: signs([mark in (Energy.USED, Energy.OFF) for mark in state.energy]),
            reading.BOXES: signs(list(state.bonus)),
            reading.BOMBS: signs(list(state.bombs)),
        }
    )


def with_lines(state: SheetState, seed: int, mean: float, spread: float) -> Marks:
    """The sheet's marks, where lines are seen with log-odds of this mean and spread."""
    noise = np.random.default_rng(seed)
    marks = clear_marks(state)

    def seen(edges: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.sign(edges) * noise.normal(mean, spread, edges.shape)

    lines = {key: seen(marks[key]) for key in (reading.VERTICALS, reading.HORIZONTALS)}
    return marks.with_logits(lines)


def read_replay(text: str) -> tuple[frozenset[Cell], ...]:
    """The blocks of `replay_text`, in their order."""
    blocks: dict[str, set[Cell]] = {}
    for row, line in enumerate(text.splitlines()):
        for column, letter in enumerate(line):
            blocks.setdefault(letter, set()).add((row, column))
    return tuple(frozenset(blocks[letter]) for letter in LETTERS if letter in blocks)
