"""Are readings of bad photos right, or at least not called sure?

    python -m benchmarks.robustness things --game brikks --sheets 25 --seed 1
    python -m benchmarks.robustness distortions --game brikks --sheets 10 --seed 6101
    python -m benchmarks.robustness situations --sheets 30 --seed 5001
    python -m benchmarks.robustness several --sheets 10 --seed 4001

``things`` lays things (`benchmarks.things_on_sheets`) on photos that are read surely and right, and
reads them again: a row a kind of thing, how many are wrong under status ok, how well the reading's
``covered`` names the places that are hidden. Kinds that hide nothing must stay ok and right.
``distortions`` mirrors photos (with ``--fixtures`` the test photos), takes their colours, spoils
them, joins two of them: of two sheets in one picture no total is right. ``situations`` takes hard
light, hands and sheets of Brikks one by one: the games, hands and art are the same in each.
``several`` lays two or three sheets of Brikks side by side: how many are found, in the right order?
"""

from __future__ import annotations

import random
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks import accuracy, cases
from benchmarks.cases import (
    SHEETS,
    Case,
    Outcome,
    brikks_case,
    brikks_shot,
    case_of,
    fixtures,
    read_case,
)
from benchmarks.distortions import DISTORTIONS, JOINTS, as_large, laid_upon
from benchmarks.harness import LONG_SIDE, TIERS, Row, Table, in_processes, main, parser_of, share
from benchmarks.things_on_sheets import COVERING, HARMLESS, Lay, covered_photo, scene_of, sheet_over
from brikks_vision import Reading, scan, scan_all
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.layout import Box, Layout, load_layout
from brikks_vision.reading import AnyReading, Status
from brikks_vision.rules.brikks.scoring import score as brikks_score
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.rules.brikks.state import as_photographed
from simulation.bloxx.art import sheet_of
from simulation.bloxx.games import any_game
from simulation.bloxx.hands import visible_hand as visible_bloxx_hand
from simulation.bloxx.marking import mark_sheet
from simulation.bloxx.photos import OWN, printed_blank
from simulation.brikks.games import play_sheet
from simulation.brikks.marking import draw_state, visible_hand
from simulation.brikks.photos import any_blank
from simulation.brikks.several_sheets import random_several_shot
from simulation.camera import GOOD, Conditions, compress
from simulation.hand import Hand
from simulation.paper.blank import BlankSheet
from simulation.paper.wear import photocopied, worn
from simulation.several_sheets import SeveralShot
from simulation.strokes import PEN_COLORS, Pen

Image = NDArray[np.uint8]  # BGR

# --- things on sheets ----------------------------------------------------------------------------

KINDS = (*COVERING, "other sheet", *HARMLESS)
KINDS_A_SHEET = 4  # things that are laid on one photo, one after the other
TIER_CHANCES = (0.2, 0.4, 0.4)


@dataclass(frozen=True)
class Laid:
    """A reading of a photo with a thing on it.

    hidden: places whose middle is hidden; touched: those of which any part is; listed: those that
    the reading calls covered, no edges.
    """

    kind: str
    status: str
    is_right: bool
    is_outside: bool
    accused: tuple[str, ...]
    hidden: frozenset[str]
    touched: frozenset[str]
    listed: frozenset[str]

    @property
    def is_silent(self) -> bool:
        return self.status == Status.OK and not self.is_right

    @property
    def is_wrong(self) -> bool:
        """Whether something is wrong that must be right."""
        still = self.status == Status.OK and self.is_right and not self.listed
        spoilt = self.kind in HARMLESS and not still
        return self.is_silent or self.is_outside or bool(self.accused) or spoilt


def laid_of(
    kind: str,
    reading: AnyReading,
    total: int | None,
    allowed: frozenset[str],
    hidden: Iterable[str] = (),
    touched: Iterable[str] = (),
) -> Laid:
    """Compare a reading with the truth. allowed: rules that may be called broken."""
    score: Any = reading.score
    low, high = reading.total_range or (total or 0, total or 0)
    names = [str(name) for name in getattr(reading, "covered", ())]
    told = {str(each.rule) for each in reading.violations}
    return Laid(
        kind,
        str(reading.status),
        bool(score) and score.total == total,
        not low <= (total or 0) <= high,
        tuple(sorted(told - allowed)),
        frozenset(hidden),
        frozenset(touched),
        frozenset(name for name in names if not name.startswith(("vertical", "horizontal"))),
    )


def lay_things(task: tuple[str, int, int, Path | None]) -> list[Laid]:
    """A photo with one thing of some kinds in turn on it, read.

    No result if the photo is not read surely and right without the things; none for a kind that
    would hide too much or too little.
    """
    game, seed, number, folder = task
    rng = np.random.default_rng([seed, SHEETS.index(game), number, 77])
    tier = TIERS[int(rng.choice(3, p=TIER_CHANCES))]
    cv2.setRNGSeed(number)
    case = case_of(game, tier, seed, number)
    before = scan(case.data)
    if before.status is not Status.OK or not before.score or before.score.total != case.total:
        return []
    allowed = case.allowed | {str(violation.rule) for violation in before.violations}
    layout = load_layout("brikks-light" if game == "brikks" else OWN)
    scene, found = scene_of(case.shot, layout, rng), []
    for at in range(KINDS_A_SHEET):
        kind = KINDS[(number * KINDS_A_SHEET + at) % len(KINDS)]
        covered = covered_photo(scene, layout, lay_of(kind, game), kind not in HARMLESS, rng)
        if covered is None:
            continue
        data = compress(covered.image, int(rng.integers(72, 95)))
        laid = laid_of(kind, scan(data), case.total, allowed, covered.hidden, covered.touched)
        if folder and laid.is_wrong:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{game}-{kind.replace(' ', '-')}-{seed}-{number}.jpg").write_bytes(data)
        found.append(laid)
    return found


def lay_of(kind: str, game: str) -> Lay:
    if kind == "other sheet":
        return partial(sheet_over, partial(other_sheet, game))
    return (COVERING | HARMLESS)[kind]


def other_sheet(game: str, rng: np.random.Generator) -> tuple[Image, Box]:
    """A marked sheet of the game as it lies flat, and its page."""
    dice = random.Random(int(rng.integers(2**31)))
    if game == "bloxx":
        layout, blank = load_layout(OWN), printed_blank()
        hand = visible_bloxx_hand(layout, blank, rng, held_out=True)
        played = any_game(sheet_of(layout), dice)
        return _page_of(mark_sheet(blank, layout, played, hand, rng).picture, blank, layout)
    layout = load_layout("brikks-light")
    blank = any_blank(layout, rng)
    marked = play_sheet(load_sheet(layout.name), dice, 2, 1, "standard")
    hand = visible_hand(layout, blank, rng, held_out=True)
    return _page_of(draw_state(blank, layout, marked.state, hand, rng)[0], blank, layout)


def _page_of(picture: Image, blank: BlankSheet, layout: Layout) -> tuple[Image, Box]:
    height, width = picture.shape[:2]
    (x, y), scale, page = blank.origin, blank.pixels_per_cell, layout.page
    rows = slice(max(0, round(y + page.top * scale)), min(height, round(y + page.bottom * scale)))
    columns = slice(max(0, round(x + page.left * scale)), min(width, round(x + page.right * scale)))
    return picture[rows, columns], page


def things_table(found: Sequence[Laid]) -> Table:
    """A row for each kind that hides places, then for each harmless one, both with a sum."""
    rows: Table = [
        ("kind", "photos", "silent wrong", "not in range", "accused", "ok and right", "unread",
         "places hidden", "of them listed", "places listed", "of them hidden", "of them touched")
    ]  # fmt: skip
    for name, kinds in (
        ("all that hide", (*COVERING, "other sheet")),
        ("all harmless", tuple(HARMLESS)),
    ):
        chosen = [each for each in found if each.kind in kinds]
        for kind in kinds:
            of_kind = [each for each in chosen if each.kind == kind]
            rows += [_things_row(kind, of_kind)] if of_kind else []
        rows += [_things_row(name, chosen)] if chosen else []
    return rows


def _things_row(name: str, found: Sequence[Laid]) -> Row:
    hidden, listed = (sum(len(each) for each in sets) for sets in zip(
        *((each.hidden, each.listed) for each in found), strict=True))  # fmt: skip
    told = sum(len(each.listed & each.hidden) for each in found)
    touched = sum(len(each.listed & each.touched) for each in found)
    fine = sum(each.status == Status.OK and each.is_right for each in found)
    return (
        name,
        str(len(found)),
        str(sum(each.is_silent for each in found)),
        str(sum(each.is_outside for each in found)),
        str(sum(bool(each.accused) for each in found)),
        share(fine, len(found), 0),
        str(sum(each.status == Status.UNREADABLE for each in found)),
        str(hidden),
        share(told, hidden, 0),
        str(listed),
        share(told, listed, 0),
        share(touched, listed, 0),
    )


# --- photos made worse ---------------------------------------------------------------------------


def distorted(case: Case, other: Case) -> Iterator[tuple[str, Image | bytes, int | None]]:
    """Each distortion, the photo, and the true total; None where no total is true."""
    image, beside = case.image, other.image
    for name, distort in DISTORTIONS.items():
        yield name, distort(image), case.total
    for name, join in JOINTS.items():
        yield name, join(image, as_large(image, beside)), None
        if case.placement is not None and other.placement is not None:
            in_place = laid_upon(image, case.placement, beside, other.placement)
            yield f"{name}, in place", join(image, in_place), None


def distort_simulated(task: tuple[Namespace, int]) -> list[Outcome]:
    options, number = task
    try:
        case, other = (
            case_of(options.game, ("good", "hard")[at % 2], options.seed, at,
                    printing=options.printing)
            for at in (number, number + 2)
        )  # fmt: skip
    except PhotoUnreadable:  # a printing that could not be learnt
        return []
    if case.layouts:
        known = (load_layout("brikks"), load_layout("bloxx"))
        case = replace(case, layouts=(*known, *case.layouts))
    return [] if case.learnt.startswith("wrong") else read_distorted(case, other, options)


def distort_fixture(task: tuple[Namespace, int]) -> list[Outcome]:
    options, number = task
    photos = fixtures(options.game)
    return read_distorted(photos[number], photos[number - 1], options)


def read_distorted(case: Case, other: Case, options: Namespace) -> list[Outcome]:
    outcomes = []
    for name, picture, total in distorted(case, other):
        if options.only in name:
            cv2.setRNGSeed(1)
            worse = replace(case, data=picture, total=total, marks={})
            outcome, result = read_case(worse, name)
            if is_silent(outcome) or outcome.outside:
                cases.keep(options.failures, worse, outcome, result)
            outcomes.append(outcome)
    return outcomes


def is_silent(outcome: Outcome) -> bool:
    """Whether it is sure of a wrong total, or of any where there is no true one."""
    return outcome.status == "ok" and outcome.total != outcome.true


def distortions_table(outcomes: Sequence[Outcome]) -> Table:
    rows: Table = [
        ("distortion", "photos", "as meant", "sure", "refused", "silent wrong", "not in range")
    ]
    names = dict.fromkeys(each.row for each in outcomes)
    groups = [(name, [each for each in outcomes if each.row == name]) for name in names]
    for name, chosen in (*groups, ("all", list(outcomes))):
        counts = (
            (each.total == each.true and not each.problem for each in chosen),
            (each.status == "ok" for each in chosen),
            (bool(each.problem) for each in chosen),
            (is_silent(each) for each in chosen),
            (each.outside for each in chosen),
        )
        rows.append((name, str(len(chosen)), *(str(sum(count)) for count in counts)))
    return rows


# --- hard light, hands and sheets ----------------------------------------------------------------

SMALL_SIDE = 620  # px: a sheet in it is about 500 px high


def _plainly_lit(conditions: Conditions) -> Conditions:
    return replace(conditions, shadow=0.0, glare=0.0, light=(0.02, 0.1))


def _same_hand(hand: Hand) -> Hand:
    return hand


def _same_sheet(blank: BlankSheet, rng: np.random.Generator) -> BlankSheet:
    return blank


def _with_pen(color: tuple[int, int, int], width: float, grain: float) -> Callable[[Hand], Hand]:
    pen = Pen(color, width, opacity=0.9, grain=grain, multiplies=True)
    return lambda hand: replace(hand, pen=pen)


@dataclass(frozen=True)
class Situation:
    """What is done to an evenly lit good photo, its player's hand, its sheet before the game."""

    name: str
    conditions: Callable[[Conditions], Conditions] = _plainly_lit
    hand: Callable[[Hand], Hand] = _same_hand
    sheet: Callable[[BlankSheet, np.random.Generator], BlankSheet] = _same_sheet
    long_side: int = LONG_SIDE


SITUATIONS = (
    Situation("evenly lit"),
    Situation("shadow", lambda good: replace(_plainly_lit(good), shadow=1.0)),
    Situation("lamp glare", lambda good: replace(_plainly_lit(good), glare=1.0)),
    Situation("light falling off", lambda good: replace(_plainly_lit(good), light=(0.8, 0.9))),
    Situation("screen (moire)", lambda good: replace(_plainly_lit(good), moire=1.0)),
    Situation("pencil", hand=_with_pen((80, 80, 80), 0.07, grain=0.6)),
    Situation("red pen", hand=_with_pen(PEN_COLORS["red"], 0.07, grain=0.0)),
    Situation("thick felt-tip", hand=_with_pen(PEN_COLORS["blue"], 0.27, grain=0.0)),
    Situation("crossed twice", hand=lambda hand: replace(hand, doubled_strokes=0.9)),
    Situation(
        "stains, folds", sheet=lambda blank, rng: replace(blank, image=worn(blank.image, rng))
    ),
    Situation(
        "grey copy", sheet=lambda blank, rng: replace(blank, image=photocopied(blank.image, rng))
    ),
    Situation("500 px high", long_side=SMALL_SIDE),
)


def read_situation(task: tuple[int, int, int, Path | None]) -> Outcome:
    index, seed, number, folder = task
    layout, chosen = load_layout("brikks-light"), SITUATIONS[index]
    shot = brikks_shot(
        "good", seed, number,
        print_of=lambda rng: chosen.sheet(any_blank(layout, rng), rng),
        hand_of=lambda blank, rng: chosen.hand(visible_hand(layout, blank, rng, held_out=True)),
        conditions=chosen.conditions(GOOD), long_side=chosen.long_side,
    )  # fmt: skip
    case = brikks_case(shot, number)
    outcome, result = read_case(case, chosen.name)
    cases.keep(folder, case, outcome, result)
    return outcome


# --- several sheets in one photo -----------------------------------------------------------------

SEVERAL_SIDE = 2600  # px
NEAR = 0.5  # cells by which a corner may be off


@dataclass(frozen=True)
class Several:
    """Of one photo. placed: sheets told in their place from left to right; totals: right ones."""

    sheets: int
    found: int
    placed: int
    totals: int
    silent: int


def read_several(task: tuple[int, int, str]) -> Several:
    seed, number, tier = task
    layout, count = load_layout("brikks-light"), 2 + number % 2
    rng = np.random.default_rng([seed, number])
    cv2.setRNGSeed(seed + number)
    dice = random.Random(int(rng.integers(2**31)))
    shot = random_several_shot(layout, rng, dice, tier, count, SEVERAL_SIDE)
    readings = scan_all(shot.data)
    placed, totals, silent = _placed(shot, readings), 0, 0
    if placed == count == len(readings):
        played: Any = [shot.sheets[at].marked for at in shot.left_to_right(layout)]
        for reading, sheet in zip(readings, played, strict=True):
            told: Any = reading.score
            is_right = (
                bool(told) and told.total == brikks_score(as_photographed(sheet.played.state)).total
            )
            totals += is_right
            silent += reading.status is Status.OK and not is_right
    return Several(count, len(readings), placed, totals, silent)


def _placed(shot: SeveralShot, readings: Sequence[Reading]) -> int:
    """How many readings lie on the sheet that has their place, from left to right."""
    layout = load_layout("brikks-light")
    corners = np.asarray(layout.grid.box.corners, float)
    right = 0
    for at, reading in zip(shot.left_to_right(layout), readings, strict=False):
        if reading.corners is not None:
            place = shot.places[at]
            off = np.asarray(reading.corners) - place.to_photo(corners)
            right += bool(np.hypot(*off.T).max() < NEAR * place.cell_size())
    return right


def several_table(found: Sequence[Several]) -> Table:
    columns = ("sheets", "found", "placed", "totals", "silent")
    sums = (str(sum(getattr(each, name) for each in found)) for name in columns)
    return [("photos", "sheets", "told", "in their place", "total right", "silent wrong"),
            (str(len(found)), *sums)]  # fmt: skip


def with_wrongs(table: Table, first: int, end: int) -> Table:
    """The headings, the sums, and the rows that count something wrong in those columns."""
    head, *rows = table
    return [head, *(r for r in rows if r[0].startswith("all") or set(r[first:end]) != {"0"})]


# --- the program ---------------------------------------------------------------------------------


def parser() -> ArgumentParser:
    found = parser_of(__doc__, 10, 1, SHEETS)
    found.add_argument("what", choices=("things", "distortions", "situations", "several"))
    found.add_argument("--printing", choices=("own", "learnt"), default="own", help="of BLOXX!")
    found.add_argument("--fixtures", action="store_true", help="distort the test photos")
    found.add_argument("--only", default="", help="distortions whose names contain this")
    return found


def measure(options: Namespace) -> list[Table]:
    game, seed, numbers = options.game, options.seed, range(options.sheets)
    if options.what == "things":
        sheets = [(game, seed, number, options.failures) for number in numbers]
        table = things_table([*chain(*in_processes(lay_things, sheets, options.processes))])
        return [with_wrongs(table, 2, 5), table]
    if options.what == "distortions":
        work = distort_fixture if options.fixtures else distort_simulated
        numbers = range(len(fixtures(game))) if options.fixtures else numbers
        photos = [(options, number) for number in numbers]
        table = distortions_table([*chain(*in_processes(work, photos, options.processes))])
        return [with_wrongs(table, 5, 7), table]
    if options.what == "several":
        tasks = [(seed, number, "good") for number in numbers]
        return [several_table(in_processes(read_several, tasks, options.processes))]
    shots = [
        (index, seed, number, options.failures)
        for index in range(len(SITUATIONS))
        for number in numbers
    ]
    outcomes = in_processes(read_situation, shots, options.processes)
    return [accuracy.table_of(outcomes, "situation")]


if __name__ == "__main__":
    main(parser(), measure)
