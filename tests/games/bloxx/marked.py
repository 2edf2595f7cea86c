"""Sheets as they come out of a photo, from drawings: only the pixels are left out."""

import json
from dataclasses import replace

import numpy as np

from brikks_vision.detect.figures import Figure
from brikks_vision.detect.marks import Key, Marks
from brikks_vision.games.bloxx import places
from brikks_vision.games.bloxx.game import DEFINITION
from brikks_vision.games.bloxx.posterior import Posterior
from brikks_vision.games.bloxx.reading import BloxxReading
from brikks_vision.infer.evidence import Evidence
from brikks_vision.layout import Layout, load_layout, parse_layout
from brikks_vision.rules.bloxx.sheet import Sheet
from brikks_vision.rules.bloxx.state import BonusMark, Mark, SheetState, Written

CLEAR = 9.0
"""Log-odds of evidence that leaves no doubt."""

SHEET = """
    XXX.... EEE....
    O##.... E......
    XXOXOXX AAABBBB
    XXOXOXX CCCCDDD
    bonus .. .. .. o.
"""
"""Coloured rows are rows 1, 4, 6 and 8: only the last is complete. 8,2 is circled."""

CELLS = {Mark.CROSS: places.CROSSES, Mark.CIRCLE: places.RINGS, Mark.GAP: places.FILLS}
BONUSES = {BonusMark.CIRCLED: places.BONUS_RINGS, BonusMark.STRUCK: places.BONUS_STRIKES}


def clear_marks(state: SheetState) -> Marks:
    """Clear evidence of a sheet, with its outlines."""
    grid = np.array([[str(mark) for mark in line] for line in state.grid])
    bonuses = np.array([str(mark) for figures in state.bonuses for mark in figures])
    rows, columns = grid.shape
    owners = np.full((rows + 2, columns + 2), -1)
    for owner, shape in enumerate(state.shapes):
        for row, column in shape:
            owners[row + 1, column + 1] = owner
    signs = {key: grid == mark for mark, key in CELLS.items()}
    signs |= {key: bonuses == mark for mark, key in BONUSES.items()}
    signs[places.VERTICALS] = owners[1:-1, :-1] != owners[1:-1, 1:]
    signs[places.HORIZONTALS] = owners[:-1, 1:-1] != owners[1:, 1:-1]
    return Marks({key: np.where(marked, CLEAR, -CLEAR) for key, marked in signs.items()})


def noisy(marks: Marks, seed: int, mean: float, spread: float) -> Marks:
    """The same marks seen less clearly: each with log-odds of its own around ``mean``."""
    rng = np.random.default_rng(seed)
    return Marks(
        {
            key: np.sign(logits) * rng.normal(mean, spread, logits.shape)
            for key, logits in marks.logits.items()
        }
    )


def with_cell(marks: Marks, cell: tuple[int, int], **logits: float) -> Marks:
    """The marks with other log-odds in one cell: ``cross``, ``ring`` and ``fill``."""
    changed = {}
    for name, logit in logits.items():
        key: Key = ("cell", name)
        changed[key] = marks[key].copy()
        changed[key][cell] = logit
    return marks.with_logits(changed)


def with_edge(marks: Marks, kind: Key, place: tuple[int, int], logit: float) -> Marks:
    """The marks with other log-odds of one edge."""
    edges = marks[kind].copy()
    edges[place] = logit
    return marks.with_logits({kind: edges})


def with_bonus(marks: Marks, place: int, ring: float, strike: float = -CLEAR) -> Marks:
    """The marks with other log-odds of one bonus."""
    rings, strikes = marks[places.BONUS_RINGS].copy(), marks[places.BONUS_STRIKES].copy()
    rings[place], strikes[place] = ring, strike
    return marks.with_logits({places.BONUS_RINGS: rings, places.BONUS_STRIKES: strikes})


def figures(written: Written, probability: float = 1.0) -> dict[str, Figure]:
    """What the player wrote, read as surely as ``probability``."""
    return {
        name: Figure(getattr(written, name), probability)
        for name in ("rows", "numbers", "penalty", "total")
    }


LAYOUT = load_layout("bloxx")
"""The project's own sheet."""

DICELESS_LAYOUT = replace(
    LAYOUT,
    name="no-dice",
    printed={name: data for name, data in LAYOUT.printed.items() if name != "dice"},
)
"""The same print, where the dice are not known."""


def layout_of(sheet: Sheet) -> Layout:
    """A printing of a sheet of any size."""
    data = json.loads(LAYOUT.to_json())
    count = sum(len(row.bonuses) for row in sheet.colored_rows)
    at = {"centres": [[0.5, sheet.rows + 1]] * count, "prints": [0] * count}
    printed = {
        "colored_rows": [vars(each) for each in sheet.colored_rows],
        "numbers": [vars(each) for each in sheet.numbers],
        "dice": sheet.dice and data["dice"],
    }
    fields = {"cell": {"marks": data["fields"]["cell"]["marks"]}}
    if count:
        fields["bonus"] = {**data["fields"]["bonus"], **at}
    grid = {**data["grid"], "rows": sheet.rows, "columns": sheet.columns}
    return parse_layout({**data, **printed, "grid": grid, "fields": fields})


def reading_of(
    marks: Marks,
    written: Written | None = None,
    layout: Layout = LAYOUT,
    answers: dict[str, str] | None = None,
    is_clear: bool = True,
) -> BloxxReading:
    """The reading of a sheet's evidence. written: the player's figures, surely read."""
    reading, _ = posterior_of(marks, written, layout, answers, is_clear)
    return reading


def posterior_of(
    marks: Marks,
    written: Written | None = None,
    layout: Layout = LAYOUT,
    answers: dict[str, str] | None = None,
    is_clear: bool = True,
) -> tuple[BloxxReading, Posterior]:
    """The reading of a sheet's evidence, and the posterior that it follows from."""
    told = {name: (figure,) for name, figure in figures(written or Written()).items()}
    return DEFINITION.read("photo.jpg", Evidence(marks, told, is_clear), layout, answers or {})


def codes(reading: BloxxReading) -> list[str]:
    """The rules that a reading says are broken."""
    return [violation.rule for violation in reading.violations]
