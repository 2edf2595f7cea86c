"""Simulated photos of any game with the truth about them, and what became of each.

All hands are of writers that no network was trained on. The same arguments give the same photo.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import LONG_SIDE, TIERS
from brikks_vision import learn_sheet, scan
from brikks_vision.detect.blank import BLANK_PIXELS, encoded
from brikks_vision.detect.board import flatten, quad_homography
from brikks_vision.detect.photo import load_photo
from brikks_vision.detect.pieces import REFERENCE_MARGIN
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.games.blox.learn import NamedBoard
from brikks_vision.games.learning import Learnt
from brikks_vision.layout import Layout, load_layout
from brikks_vision.pipeline import ScanResult, scan_photo
from brikks_vision.reading import Doubt
from brikks_vision.rules.blox.board import FIELDS, SIDE
from brikks_vision.rules.blox.position import Position
from brikks_vision.rules.bloxx.scoring import score as bloxx_score
from brikks_vision.rules.bloxx.violations import Rule as BloxxRule
from brikks_vision.rules.brikks.scoring import Score
from brikks_vision.rules.brikks.scoring import score as brikks_score
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.rules.brikks.state import SheetState, as_photographed
from brikks_vision.rules.brikks.violations import Rule as BrikksRule
from brikks_vision.show.overlay import annotate
from simulation.blox.cameras import VIEWS
from simulation.blox.photos import Renderer, Set
from simulation.blox.photos import random_shot as random_board_shot
from simulation.blox.photos import shoot as shoot_board
from simulation.blox.samples import POSITIONS, renderer
from simulation.bloxx import faults as bloxx_faults
from simulation.bloxx import photos as bloxx_photos
from simulation.bloxx.art import sheet_of
from simulation.bloxx.games import any_game
from simulation.bloxx.hands import visible_hand as visible_bloxx_hand
from simulation.brikks import faults as brikks_faults
from simulation.brikks.games import PlayedSheet, play_sheet
from simulation.brikks.marking import visible_hand
from simulation.brikks.photos import Shot, any_blank, shoot
from simulation.camera import Conditions
from simulation.hand import Hand
from simulation.paper.blank import BlankSheet
from simulation.photos import TruePlacement, take_photo

GAMES = ("brikks", "bloxx", "blox")
SHEETS = ("brikks", "bloxx")
BOARD_SIDE = 1000  # px of photos of boards
LEARNT_TIER = "good"  # a player learns a printing once, with care
FAULTS: Mapping[str, Sequence[str]] = {
    "brikks": tuple(
        map(str, (BrikksRule.FLOATING, BrikksRule.NOT_A_BLOCK, BrikksRule.ENERGY_COUNT,
                  BrikksRule.ENERGY_ORDER, BrikksRule.BONUS_COUNT))
    ),
    # the rules that one sheet alone can break
    "bloxx": tuple(
        str(rule)
        for rule in BloxxRule
        if rule not in (BloxxRule.BONUS_SHARED, BloxxRule.SHAPES_DIFFER)
    ),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Case:
    """A photo and the truth about it.

    total: None where a game has no total. marks: what stands in each place, by kind of place.
    blocks: those that are outlined; None where the player outlines none. allowed: rules that the
    sheet really breaks; planted: the one that was broken on purpose. figures: the player's own, a
    row each. layouts: the printings to look for, None for all that are known; board: the definition
    of a board. learnt: how well the printing was learnt, see `how_learnt`. pen: its kind and
    colour. placement: where the sheet lies, where that is known.
    """

    game: str
    tier: str
    number: int
    data: bytes | NDArray[np.uint8]
    total: int | None
    marks: Mapping[str, Sequence[object]]
    blocks: frozenset[Any] | None = None
    allowed: frozenset[str] = frozenset()
    figures: tuple[str, ...] = ()
    planted: str = ""
    layouts: tuple[Layout, ...] | None = None
    board: Mapping[str, Any] | None = None
    learnt: str = ""
    pen: tuple[str, str] = ("", "")
    placement: TruePlacement | None = None
    shot: Any = None

    @property
    def image(self) -> NDArray[np.uint8]:
        return load_photo(self.data, 100_000).image


def case_of(
    game: str,
    tier: str,
    seed: int,
    number: int,
    *,
    printing: str = "own",
    faulty: bool = False,
    renderer: str = "rasterizer",
) -> Case:
    """A legal sheet, or one with a fault, or a moment of a game on a board.

    ``printing``: of BLOXX!, "own" is the one that this project prints, "learnt" any, learnt from a
    photo of its empty sheet. ``renderer``: of boards.

    Raises
    ------
    PhotoUnreadable
        A printing that could not be learnt.
    """
    fault = FAULTS[game][number % len(FAULTS[game])] if faulty else ""
    if game == "brikks":
        return brikks_case(brikks_shot(tier, seed, number, fault=fault), number, fault)
    if game == "bloxx":
        of_printing = own_bloxx if printing == "own" else learnt_bloxx
        return bloxx_case(tier, seed, number, of_printing, fault)
    return blox_case(tier, seed, number, renderer)


# --- Brikks --------------------------------------------------------------------------------------


def _any_hand(blank: BlankSheet, rng: np.random.Generator) -> Hand:
    return visible_hand(load_layout("brikks-light"), blank, rng, held_out=True)


def _any_print(rng: np.random.Generator) -> BlankSheet:
    return any_blank(load_layout("brikks-light"), rng)


def brikks_shot(
    tier: str,
    seed: int,
    number: int,
    *,
    fault: str = "",
    print_of: Callable[[np.random.Generator], BlankSheet] = _any_print,
    hand_of: Callable[[BlankSheet, np.random.Generator], Hand] = _any_hand,
    conditions: Conditions | None = None,
    long_side: int = LONG_SIDE,
) -> Shot:
    """A photo of a sheet of Brikks, with any print, hand and light, or with what is given."""
    layout = load_layout("brikks-light")
    rng = np.random.default_rng([seed, TIERS.index(tier), number])
    dice = random.Random(int(rng.integers(2**31)))
    blank = print_of(rng)
    hand = hand_of(blank, rng)
    if fault:
        hand = replace(hand, outlines="all", strays=0.0)
    return shoot(
        layout, blank, _brikks_game(dice, fault), hand, rng, tier, long_side, layout.marked_area,
        conditions,
    )  # fmt: skip


def _brikks_game(dice: random.Random, fault: str) -> PlayedSheet:
    sheet = load_sheet("brikks-light")
    if fault:
        return brikks_faults.one_fault(BrikksRule(fault))(sheet, dice)
    players, level = dice.randint(1, 4), dice.randint(1, 4)
    return play_sheet(sheet, dice, players, level, "solo" if players == 1 else "standard")


def brikks_case(shot: Shot, number: int, fault: str = "") -> Case:
    state = as_photographed(shot.played.state)
    truth = brikks_score(state)
    return Case(
        "brikks", shot.tier, number, shot.data, truth.total, marks_of("brikks", state),
        blocks=frozenset(state.blocks) if shot.hand.outlines in ("all", "inner") else None,
        allowed=frozenset({fault} - {""} | slips(shot, truth)),
        figures=tuple(shot.drawn.figures["rows"]),
        planted=fault,
        pen=(shot.hand.pen.kind, shot.hand.pen.color_name),
        placement=shot.placement,
        shot=shot,
    )  # fmt: skip


def learnt_case(case: Case, seed: int) -> Case:
    """The case, its printing learnt from a good photo of the empty sheet that it shows.

    Raises
    ------
    PhotoUnreadable
        The printing could not be learnt.
    """
    rng = np.random.default_rng([seed, TIERS.index(case.tier), case.number, 1])
    page = load_layout("brikks-light").page
    blank = case.shot.blank
    empty = take_photo(blank.image, blank, page, rng, LEARNT_TIER, LONG_SIDE, page)
    learnt: Any = learn_sheet(empty.data, case.game, "learnt")
    return replace(case, layouts=(learnt.layout,), learnt="unsure" if learnt.doubts else "right")


def slips(shot: Shot, truth: Score) -> set[str]:
    """The rules that this player's figures and outlines truly break."""
    rows = zip(shot.drawn.figures["rows"], truth.rows, strict=True)
    wrong = {"written-row"} if any(t not in ("", "-") and int(t) != v for t, v in rows) else set()
    if shot.hand.outlines == "some":  # crosses that no outline holds beside blocks that have one
        wrong.add("stray-mark")
    total = shot.drawn.figures["total"][0]
    return wrong | ({"written-total"} if total and int(total) != truth.total else set())


# --- BLOXX! --------------------------------------------------------------------------------------


class BloxxSheet(NamedTuple):
    """A printing and its empty sheet. known: the printings to look for, None for all that are
    known. how: it was learnt, see `how_learnt`."""

    layout: Layout
    blank: BlankSheet
    known: tuple[Layout, ...] | None = None
    how: str = ""


def learnt_bloxx(rng: np.random.Generator) -> BloxxSheet:
    """Any printing, learnt from a good photo of its empty sheet; raises PhotoUnreadable."""
    layout, blank = bloxx_photos.random_sheet(rng)
    empty = bloxx_photos.shoot_blank(layout, blank, rng, LEARNT_TIER, LONG_SIDE)
    learnt: Any = learn_sheet(empty.data, "bloxx", "learnt")
    return BloxxSheet(layout, blank, (learnt.layout,), how_learnt(learnt, layout))


def own_bloxx(rng: np.random.Generator) -> BloxxSheet:
    """The printing that this project prints."""
    return BloxxSheet(load_layout(bloxx_photos.OWN), bloxx_photos.printed_blank())


def bloxx_case(
    tier: str,
    seed: int,
    number: int,
    sheet_of_any: Callable[[np.random.Generator], BloxxSheet] = own_bloxx,
    fault: str = "",
    long_side: int = LONG_SIDE,
) -> Case:
    rng = np.random.default_rng([seed, TIERS.index(tier), number])
    dice = random.Random(int(rng.integers(2**31)))
    cv2.setRNGSeed(number)
    layout, blank, layouts, how = sheet_of_any(rng)
    if fault in (BloxxRule.NOT_A_SHAPE, BloxxRule.WRONG_CIRCLE) and "dice" not in layout.printed:
        fault = str(BloxxRule.ORDER)  # without its dice a printing does not show the others
    game = bloxx_faults.one_fault(BloxxRule(fault)) if fault else any_game
    hand = visible_bloxx_hand(layout, blank, rng, held_out=True)
    if fault:  # which hardly ever shows where no shape is outlined
        hand = replace(hand, outlines="all", strays=0.0)
    played = game(sheet_of(layout), dice)
    shot = bloxx_photos.shoot(layout, blank, played, hand, rng, tier, long_side, layout.marked_area)
    state = shot.marked.seen
    return Case(
        "bloxx", tier, number, shot.data, bloxx_score(shot.marked.played.state).total,
        marks_of("bloxx", state),
        blocks=frozenset(state.shapes) if state.shapes else None,
        allowed=frozenset(bloxx_faults.broken_rules(shot.marked.played)),
        planted=fault,
        layouts=layouts,
        learnt=how,
        pen=(hand.pen.kind, hand.pen.color_name),
        placement=shot.placement,
        shot=shot,
    )  # fmt: skip


MAX_ASIDE = 0.4  # cells by which a bonus that was learnt rightly may lie aside


def how_learnt(learnt: Learnt, truth: Layout) -> str:
    """ "right", "unsure" (right, with doubts), "wrong" (with doubts) or "wrong, unsaid".

    What decides the score counts: the grid's size, numbers, which rows are coloured, and where
    their bonuses are.
    """
    found, true = (
        (
            (layout.grid.rows, layout.grid.columns),
            {(each["row"], each["column"], each["value"]) for each in layout.printed["numbers"]},
            {each["row"] for each in layout.printed["colored_rows"]},
        )
        for layout in (learnt.layout, truth)
    )
    right = found == true
    if right:
        centres = (np.array(each.fields["bonus"].centres) for each in (learnt.layout, truth))
        right = bool(np.abs(np.subtract(*centres)).max() <= MAX_ASIDE)
    if right:
        return "unsure" if learnt.doubts else "right"
    return "wrong" if learnt.doubts else "wrong, unsaid"


# --- BLOX ----------------------------------------------------------------------------------------


def learnt_board(box: Set, rng: np.random.Generator, render: Renderer) -> NamedBoard:
    """The board of a set, learnt rightly from a photo of it, empty, at a slant."""
    empty = shoot_board(box, Position(box.board), VIEWS["slant"], rng, render, BOARD_SIDE)
    homography = quad_homography(empty.corners, SIDE)
    picture = flatten(empty.image, homography, SIDE, BLANK_PIXELS, REFERENCE_MARGIN)
    return NamedBoard("true", box.board, blank=encoded(picture))


def blox_case(view: str, seed: int, number: int, renderer_name: str) -> Case:
    """A moment of a game on a board that was learnt rightly, by a renderer of `simulation.blox`.

    The picture of the empty board is from another photo, at a slant.
    """
    rng = np.random.default_rng([seed, list(VIEWS).index(view), number])
    render = renderer(renderer_name)
    shot = random_board_shot(view, rng, POSITIONS["games"], render=render, long_side=BOARD_SIDE)
    printing = learnt_board(shot.set, rng, render)
    board = json.loads(printing.to_json())
    return Case(
        "blox", view, number, shot.data, None, marks_of("blox", shot.position), board=board,
        shot=shot,
    )  # fmt: skip


# --- test photos ---------------------------------------------------------------------------------

FOLDERS = {"brikks": Path("tests/fixtures"), "bloxx": Path("tests/fixtures/bloxx")}
SUFFIXES = (".jpg", ".png", ".webp", ".heic")


def fixtures(game: str) -> list[Case]:
    """The test photos of one sheet each, of printings that are known."""
    found: list[Case] = []
    for path in sorted(each for each in FOLDERS[game].iterdir() if each.suffix in SUFFIXES):
        truth = json.loads(Path(f"{path}.json").read_text("utf-8"))
        if "grid" in truth and not path.name.startswith("other-"):
            total = truth["score"]["total"]
            found.append(Case(game, path.stem, len(found), path.read_bytes(), total, {}))
    return found


# --- what became of a photo ----------------------------------------------------------------------


def marks_of(game: str, state: Any) -> dict[str, Sequence[object]]:
    """What stands in each place, by kind of place, of the state of a sheet or a board."""
    if game == "brikks":
        cells = load_layout("brikks-light").grid.cells
        return {
            "cells": [cell in state.crossed for cell in cells],
            "energy": state.energy,
            "boxes": state.bonus,
            "bombs": state.bombs,
        }
    if game == "bloxx":
        return {"cells": "".join(map("".join, state.grid))}
    if isinstance(state, Position):
        stands: dict[Any, object] = {at: tower.height for at, tower in state.towers.items()}
        stands |= {place: str(pawn) for place, pawn in state.pawns.items()}
    else:
        stands = {each.field: each.height for each in state.towers}
        stands |= {each.field: each.color for each in state.pawns}
    return {"fields": [stands.get(place) for place in FIELDS]}


@dataclass(frozen=True)
class Outcome:
    """What became of one photo.

    row: of the table that it counts for. problem: what kept it from being read, or "". marks: by
    kind of place how many, and how many are wrong. accused: rules that are called broken but are
    kept; named: whether the planted one is reported. figures: written ones, and how many were read
    wrong. doubted: what is asked about, by the reading's words for the place.
    """

    row: str
    number: int
    problem: str = ""
    true: int | None = None
    total: int | None = None
    total_range: tuple[int, int] | None = None
    status: str = "unreadable"
    marks: Mapping[str, tuple[int, int]] | None = None
    blocks_right: bool | None = None
    accused: tuple[str, ...] = ()
    planted: str = ""
    named: bool = False
    figures: tuple[int, int] = (0, 0)
    learnt: str = ""
    pen: tuple[str, str] = ("", "")
    doubted: tuple[tuple[str, str, str], ...] = ()
    milliseconds: float = 0.0

    @property
    def all_right(self) -> bool:
        """Whether the total is right; without a total, whether all marks are."""
        if self.problem:
            return False
        if self.true is None:
            return self.marks is not None and not any(wrong for _, wrong in self.marks.values())
        return self.total == self.true

    @property
    def silent(self) -> bool:
        """Whether it is wrong under status ok."""
        return self.status == "ok" and not self.all_right

    @property
    def outside(self) -> bool:
        """Whether the true total lies outside of the range that the reading gives."""
        if self.true is None or self.total_range is None:
            return False
        return not self.total_range[0] <= self.true <= self.total_range[1]


def read_case(case: Case, row: str) -> tuple[Outcome, ScanResult | None]:
    """Read a photo and compare it; of a sheet the whole result, too."""
    counts = {kind: (len(true), len(true)) for kind, true in case.marks.items()}
    start = Outcome(
        row, case.number, true=case.total, marks=counts, planted=case.planted, learnt=case.learnt,
        pen=case.pen,
    )  # fmt: skip
    if case.board is not None:
        return _read_board(case, start), None
    try:
        result = scan_photo(case.data, printings=case.layouts)
    except PhotoUnreadable as error:
        return replace(start, problem=type(error).__name__), None
    reading, state = result.reading, result.posterior.state
    outcome = _compared(case, start, reading, marks_of(case.game, state))
    blocks = state.blocks if case.game == "brikks" else state.shapes
    outcome = replace(
        outcome,
        blocks_right=None if case.blocks is None else set(blocks) == case.blocks,
        figures=_figures(case, reading),
    )
    return outcome, result


def _figures(case: Case, reading: Any) -> tuple[int, int]:
    """How many the player wrote, and how many of them were read wrong."""
    written = [(at, text) for at, text in enumerate(case.figures) if text]
    wrong = [at for at, text in written if reading.written.rows[at] != int(text.replace("-", "0"))]
    return len(written), len(wrong)


def _doubted(case: Case, doubt: Doubt) -> tuple[str, str, str]:
    """The kind of place that is asked about, how it was read and, for Brikks, the truth."""
    kind, _, place = doubt.where.partition(" ")
    if case.game != "brikks":
        return kind, str(doubt.read), ""
    state: SheetState = as_photographed(case.shot.played.state)
    if kind == "cell":
        row, column = map(int, place.split(","))
        spot = next((c for c in state.sheet.circles if c.cell == (row, column)), None)
        kind = f"cell with a {spot.color} circle" if spot else "cell"
        return kind, doubt.read, "X" if (row, column) in state.crossed else "."
    if kind == "energy":
        point = int(place)
        if point in state.sheet.preprinted:
            kind = "energy, printed ring"
        elif point in state.sheet.pink_points:
            kind = "energy with an X"
        return kind, doubt.read, str(state.energy[point])
    marks = {"box": state.bonus, "bomb": state.bombs}.get(kind)
    return kind, doubt.read, "" if marks is None else ("X" if marks[int(place)] else ".")


def _read_board(case: Case, start: Outcome) -> Outcome:
    with TemporaryDirectory() as folder:
        board = Path(folder) / "board.json"
        board.write_text(json.dumps(case.board), "utf-8")
        reading: Any = scan(case.data, sheet=board)
    if not hasattr(reading, "towers"):
        return replace(start, problem=str(reading.error))
    return _compared(case, start, reading, marks_of(case.game, reading))


def _compared(
    case: Case, start: Outcome, reading: Any, read: Mapping[str, Sequence[object]]
) -> Outcome:
    """The reading compared with the truth, for what all games have."""
    told = {str(violation.rule) for violation in reading.violations}
    score = getattr(reading, "score", None)
    return replace(
        start,
        total=score.total if score else None,
        total_range=getattr(reading, "total_range", None),
        status=str(reading.status),
        marks={
            kind: (len(true), sum(one != other for one, other in zip_longest(true, read[kind])))
            for kind, true in case.marks.items()
        },
        accused=tuple(sorted(told - case.allowed)),
        named=case.planted in told,
        doubted=tuple(_doubted(case, doubt) for doubt in reading.doubts),
        milliseconds=sum(reading.timing_ms.values()),
    )


def keep(folder: Path | None, case: Case, outcome: Outcome, result: ScanResult | None) -> None:
    """The photo and the reading drawn on it, where it went wrong and a folder is given."""
    wrong = outcome.accused or outcome.outside or (outcome.planted and not outcome.named)
    if folder is None or (outcome.all_right and outcome.status == "ok" and not wrong):
        return
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{outcome.row}-{case.number}" + ("-SILENT" if outcome.silent else "") + outcome.problem
    path = folder / name.replace(" ", "-")
    if isinstance(case.data, bytes):
        path.with_suffix(".jpg").write_bytes(case.data)
    else:
        cv2.imwrite(str(path.with_suffix(".photo.png")), case.data)
    path.with_suffix(".txt").write_text(f"{outcome}\n", "utf-8")
    if result:
        drawn = annotate(
            result.photo.image, result.placement, result.reading, result.layout, "en", result.view
        )
        cv2.imwrite(str(path.with_suffix(".png")), drawn)
