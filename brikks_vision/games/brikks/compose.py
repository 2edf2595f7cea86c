"""How a posterior becomes a reading: what was found, how sure it is, and what to ask about.

What a reading asks about: marks that may be misread.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import Marks
from brikks_vision.games.brikks.decode import decode, less_sure_of_bars, range_of_totals, row_points
from brikks_vision.games.brikks.posterior import Posterior
from brikks_vision.games.brikks.proofs import (
    FAULTS,
    WrittenFigures,
    figures_given_score,
    sure_violations,
    told_figures,
    written_figures,
)
from brikks_vision.games.brikks.reading import (
    BOMBS,
    BOXES,
    CELLS,
    MARKS,
    RINGS,
    STRIKES,
    BlockReading,
    BrikksReading,
    game_of,
)
from brikks_vision.games.brikks.reading import marks as marks_of
from brikks_vision.infer import misread
from brikks_vision.infer.answers import cell_name
from brikks_vision.infer.certainty import OtherMark, certainty_of, drawn_rows, of_evidence
from brikks_vision.infer.costs import MIN_UNREADABLE_CELL, ways_to_fill
from brikks_vision.infer.evidence import Evidence
from brikks_vision.infer.grid import Hidden
from brikks_vision.layout import Cell, Layout
from brikks_vision.reading import NO_SETTINGS, GameSettings, ViolationReading
from brikks_vision.rules.brikks.blocks import (
    Energy,
    SheetState,
    Written,
    kinds_of,
    struck_at_setup,
    with_point_flipped,
)
from brikks_vision.rules.brikks.placement import BAR_RULES, Rule, Violation
from brikks_vision.rules.brikks.referee import Verdict, referee
from brikks_vision.rules.brikks.scoring import Score, level_of_rank, rank, score
from brikks_vision.rules.brikks.sheet import (
    PLAYERS,
    ImpossibleGameError,
    Variant,
    phrase,
    settings,
    sheet_of,
)
from brikks_vision.rules.shapes import bottom_up
from brikks_vision.text.phrases import Phrase

Changes = Iterator[misread.Change[SheetState]]


def margins(marks: Marks) -> tuple[dict[str, NDArray[np.float64]], dict[str, NDArray[np.generic]]]:
    """By field, how clear each mark is by its own evidence, in log-odds, and whether it is there.

    Of energy points, whether they are activated: rings and strikes are rarely taken for each other.
    """
    logits = {key[0]: marks[key] for key in (CELLS, BOXES, BOMBS)}
    logits["energy"] = np.maximum(marks[RINGS], marks[STRIKES])
    return (
        {field: np.abs(of) for field, of in logits.items()},
        {field: of > 0 for field, of in logits.items()},
    )


def summed(violation: Violation, state: SheetState, written: Written) -> tuple[Iterable[str], int]:
    """The places that a wrong figure sums, and the total if it is right."""
    points = score(state)
    if violation.rule is Rule.WRITTEN_TOTAL:
        return marks_of(state), written.total or 0
    (row,) = (at for at in violation.where if isinstance(at, int))
    places = (cell_name((row, column)) for column in range(state.sheet.columns))
    return places, points.total + (written.rows[row] or 0) - points.rows[row]


def broken_bars(verdict: Verdict) -> tuple[Violation, ...]:
    """The violations of rules of the bars."""
    return tuple(violation for violation in verdict.violations if violation.rule in BAR_RULES)


def changes(state: SheetState, cells: Iterable[Cell]) -> Changes:
    """The sheet with one of these cells, or one place of the bars, marked otherwise."""
    yield from _cells_changed(state, cells)
    yield from _bars_changed(state)


def _cells_changed(state: SheetState, cells: Iterable[Cell]) -> Changes:
    grid = {*state.sheet.cells}
    for cell in (each for each in cells if each in grid):
        for blocks in misread.blocks_otherwise(cell, state.crossed, state.blocks):
            otherwise = replace(state, crossed=state.crossed ^ {cell}, blocks=bottom_up(blocks))
            yield misread.Change(cell_name(cell), otherwise)


def _bars_changed(state: SheetState) -> Changes:
    for point in range(len(state.energy)):
        if point not in state.sheet.preprinted:
            yield misread.Change(f"energy {point}", with_point_flipped(state, point))
    for field, name, marks in (("box", "bonus", state.bonus), ("bomb", "bombs", state.bombs)):
        for at, is_marked in enumerate(marks):
            otherwise: Any = {name: (*marks[:at], not is_marked, *marks[at + 1 :])}
            yield misread.Change(f"{field} {at}", replace(state, **otherwise))


def _others(posterior: Posterior) -> Iterator[OtherMark]:
    """Marks that may be others; points of energy last, as many of them are misread together."""
    return misread.other_marks(
        posterior,
        marks_of,
        lambda state: score(state).total,
        lambda where, _: (where.startswith("energy"), 0.0),
    )


NO_ANSWERS: Mapping[str, str] = {}
ALL_PLAIN: Mapping[str, misread.Contrast] = {}


def with_points_off(state: SheetState, players: int | None) -> SheetState:
    """The sheet with those used points off that so many players strike at setup.

    Their evidence is the same.
    """
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
    known: GameSettings = NO_SETTINGS,
    answered: Collection[str] = (),
    plain: Mapping[str, misread.Contrast] = ALL_PLAIN,
) -> BrikksReading:
    """The reading of the most probable sheet and of the player's own figures.

    ``answered``: places that need not be asked about, such as "cell 3,4". ``plain``: by place, see
    `brikks_vision.infer.misread.contrast`.

    Raises
    ------
    ImpossibleGameError
        No game has these players, this level and this variant.
    """
    hidden = posterior.hidden
    as_read = told_figures(figures)
    figures = figures_given_score(figures, score(posterior.state), hidden.rows)
    written = told_figures(figures)

    def judge(state: SheetState, figures: Written = written) -> Verdict:
        return _verdict_on(state, tuple(known.items()), figures, hidden)

    state = with_points_off(posterior.state, known.get("players"))
    verdict = judge(posterior.state)
    points = score(state)
    found = sure_violations(verdict, posterior, judge, figures)
    if broken_bars(verdict):
        posterior = less_sure_of_bars(posterior)
    others = list(_others(posterior))
    questions, standing = misread.explained(
        found,
        verdict,
        misread.Sheet(
            posterior.state,
            marks_of(posterior.state),
            plain,
            {*answered, *hidden.places},
            others,
            lambda cells: changes(posterior.state, cells),
            lambda otherwise: score(otherwise).total,
        ),
        lambda otherwise: judge(otherwise, as_read),
        FAULTS,
        lambda violation: summed(violation, posterior.state, written),
    )
    sure = certainty_of(
        points.total,
        posterior.totals,
        others,
        questions,
        range_of_totals(posterior) if hidden else (),
        unread=unread_points(posterior, points),
    )
    levels = (known["level"],) if "level" in known else verdict.assumed.level
    ranks = {each: rank(points.total, each) for each in levels}
    undecided = verdict.undecided | ({"level"} if len(set(ranks.values())) > 1 else set())
    return BrikksReading(
        photo=name,
        grid=_grid_strings(posterior),
        blocks=tuple(_block_reading(block, posterior) for block in state.blocks),
        energy=tuple(
            "?" if at in hidden.of("energy") else str(mark) for at, mark in enumerate(state.energy)
        ),
        bonus_crosses=_count(state.bonus, hidden.of("box")),
        bombs_used=_count(state.bombs, hidden.of("bomb")),
        written=written,
        score=points,
        rank=ranks[level_of_rank(levels)].text() if state.crossed else None,
        **sure._asdict(),
        violations=tuple(ViolationReading.of(*each) for each in standing),
        assumed={
            "players": verdict.assumed.players,
            "level": verdict.assumed.level,
            "variant": verdict.assumed.variant,
        },
        undecided=tuple(name for name in ("players", "level", "variant") if name in undecided),
    )


def _count(marks: tuple[bool, ...], hidden: frozenset[int]) -> int | None:
    """How many places of a bar are marked; None where what is hidden leaves that open."""
    (least, *others) = ways_to_fill(marks, hidden)
    return None if others else sum(least)


def unread_points(posterior: Posterior, points: Score) -> tuple[int, int]:
    """By how much the points of rows change if few, or many, of the cells that show "?" are
    crossed."""
    changes = [
        [row_points(posterior.state.sheet)(row, crosses) - points.rows[row] for crosses in counts]
        for row, cells in enumerate(posterior.cells)
        for least in [int((cells >= 1 - MIN_UNREADABLE_CELL).sum())]
        for counts in [range(least, least + sum(map(is_unread, cells)) + 1)]
        if len(counts) > 1
    ]
    return sum(min(0, *each) for each in changes), sum(max(0, *each) for each in changes)


def is_unread(probability: float) -> bool:
    """Whether a cell that is crossed so probably cannot be told."""
    return MIN_UNREADABLE_CELL < probability < 1 - MIN_UNREADABLE_CELL


def _grid_strings(posterior: Posterior) -> tuple[str, ...]:
    def letter(cell: Cell) -> str:
        probability = posterior.cells[cell]
        if cell in posterior.hidden.cells:
            return "?"
        if is_unread(probability):
            return "?"
        return "X" if cell in posterior.state.crossed else "."

    sheet = posterior.state.sheet
    return drawn_rows(sheet.rows, sheet.columns, letter)


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


@lru_cache(maxsize=128)  # the passes over one photo judge the same sheets
def _verdict_on(
    state: SheetState, said: tuple[tuple[str, Any], ...], written: Written, hidden: Hidden
) -> Verdict:
    """The verdict on a sheet on which used points may be points that are off.

    Without what hidden places may mend.
    """
    known = dict(said)
    told = with_points_off(state, known.get("players"))
    verdict = referee(told, written=written, **known)
    stands = [each for each in verdict.violations if not FAULTS.may_mend(each, hidden)]
    return replace(verdict, violations=tuple(stands))


def read(
    name: str, evidence: Evidence, layout: Layout, answers: Mapping[str, str] = NO_ANSWERS
) -> tuple[BrikksReading, Posterior]:
    """The reading of a sheet's evidence, and the posterior that it follows from.

    ``name``: of the photo. ``layout``: of the sheet. ``answers``: as in
    `brikks_vision.pipeline.scan`. The reading has no corners and no times.

    Raises
    ------
    ImpossibleGameError
        No game has these players, this level and this variant.
    """
    known = game_of(evidence)
    games = settings(**known)
    figures = written_figures(evidence.figures)
    posterior = decode(evidence.marks, sheet_of(layout), answers, games, *figures)
    plain = misread.contrast(*margins(evidence.marks), evidence.marks.covered, layout)
    reading = build_reading(name, posterior, figures, known, answers, plain)
    return of_evidence(reading, evidence, layout, answers, MARKS), posterior


def needs_full_pass(posterior: Posterior, evidence: Evidence) -> bool:
    """Whether the most probable sheet breaks a rule that would be reported if the marks were sure.

    Others are never reported: the rules alone do not tell whether they are broken, as where a line
    may have been forgotten. 12 of 300 simulated photos (seeds 4820 and 4821) went through the full
    pass for such a rule alone, and nothing was reported of them.
    """
    hidden = posterior.hidden
    figures = written_figures(evidence.figures)
    written = told_figures(figures_given_score(figures, score(posterior.state), hidden.rows))
    verdict = _verdict_on(posterior.state, tuple(game_of(evidence).items()), written, hidden)
    return any(each.confidence >= FAULTS.min_probability(each) for each in verdict.violations)


def is_possible(known: GameSettings) -> bool:
    """Whether there is a game with these players, this level and this variant."""
    try:
        settings(**known)
    except ImpossibleGameError:
        return False
    return True


def is_table(known: GameSettings, sheets: int) -> bool:
    """Whether so many sheets can be those of one game with these players and this variant."""
    players = PLAYERS[Variant(known.get("variant", Variant.STANDARD))]
    count = known.get("players", sheets)
    return 2 <= sheets <= count and count in players


def rank_of(reading: BrikksReading) -> Phrase | None:
    """The publisher's word for the total, at the level that the game was or may have been."""
    return None if reading.rank is None else rank(reading.score.total, _level_of(reading))


def rank_told(reading: BrikksReading) -> Phrase | None:
    """The rank as one, with its level: "Rank: Well done! (level 2)"."""
    named = rank_of(reading)
    return named and phrase("rank-told", rank=named, level=_level_of(reading))


def _level_of(reading: BrikksReading) -> int:
    """The level that a reading's rank is told for."""
    levels = [level for level in reading.assumed.get("level", ()) if isinstance(level, int)]
    return level_of_rank(levels)
