"""Photos with the truth about them: of sheets and boards of any game, simulated or the tests' own.

All hands are of writers that no network was trained on. The same arguments give the same photo.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import LONG_SIDE, TIERS, dice_of
from brikks_vision import learn_sheet
from brikks_vision.detect.board import flatten, quad_homography
from brikks_vision.detect.photo import load_photo
from brikks_vision.detect.pieces import REFERENCE_MARGIN
from brikks_vision.detect.template import BLANK_PIXELS, encoded
from brikks_vision.games.blox.learn import NamedBoard
from brikks_vision.games.blox.reading import thing_text
from brikks_vision.games.learning import Proposal
from brikks_vision.infer.answers import places_of
from brikks_vision.layout import Layout, load_layout
from brikks_vision.rules.blox.position import FIELDS, SIDE, Position
from brikks_vision.rules.bloxx.referee import Rule as BloxxRule
from brikks_vision.rules.bloxx.state import score as bloxx_score
from brikks_vision.rules.brikks.blocks import as_photographed
from brikks_vision.rules.brikks.placement import Rule as BrikksRule
from brikks_vision.rules.brikks.scoring import Score
from brikks_vision.rules.brikks.scoring import score as brikks_score
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.rules.qwixx.sheet import Rule as QwixxRule
from brikks_vision.rules.qwixx.sheet import score as qwixx_score
from simulation.blox.cameras import VIEWS
from simulation.blox.photos import Renderer, Set
from simulation.blox.photos import random_shot as random_board_shot
from simulation.blox.photos import shoot as shoot_board
from simulation.blox.samples import renderer
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
from simulation.photos import Photo, TruePlacement, take_photo
from simulation.qwixx import faults as qwixx_faults
from simulation.qwixx import photos as qwixx_photos
from simulation.qwixx.art import random_sheet as random_qwixx
from simulation.qwixx.games import any_game as any_qwixx

GAMES = ("brikks", "bloxx", "blox", "qwixx")
SHEETS = ("brikks", "bloxx")
BOARD_SIDE = 1000  # px of photos of boards
LEARNT_TIER = "good"  # a player learns a printing once, with care
FAULTS: Mapping[str, Sequence[str]] = {
    "brikks": ("floating", "not-a-block", "energy-count", "energy-order", "bonus-count"),
    # the rules that one sheet alone can break
    "bloxx": tuple(str(rule) for rule in BloxxRule
                   if rule not in (BloxxRule.BONUS_SHARED, BloxxRule.SHAPES_DIFFER)),
    "qwixx": tuple(map(str, qwixx_faults.ONE_SHEET)),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Case:
    """A photo and the truth about it.

    total: None where no total is true. marks: what stands in each place, as answers write both.
    blocks: those that are outlined; None where the player outlines none. allowed: rules that the
    sheet really breaks; planted: the one that was broken on purpose. figures: the player's own, a
    row each. layouts: the printings to look for, None for all that are known. learnt: how well the
    printing was learnt, see `how_learnt`. pen: its kind. shot: the simulated photo. hidden,
    touched: places whose middle, or any part, something hides.
    """

    game: str
    tier: str
    number: int
    data: bytes | NDArray[np.uint8]
    total: int | None = None
    marks: Mapping[str, str] = field(default_factory=dict)
    blocks: frozenset[Any] | None = None
    allowed: frozenset[str] = frozenset()
    figures: tuple[str, ...] = ()
    planted: str = ""
    layouts: tuple[Any, ...] | None = None
    learnt: str = ""
    pen: str = ""
    shot: Any = None
    hidden: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()

    @property
    def image(self) -> NDArray[np.uint8]:
        return load_photo(self.data, 100_000).image

    @property
    def placement(self) -> TruePlacement | None:
        """Where the sheet lies, where that is known."""
        return getattr(self.shot, "placement", None)


def case_of(
    game: str,
    tier: str,
    seed: int,
    number: int,
    is_learnt: bool = False,
    is_faulty: bool = False,
) -> Case:
    """A legal sheet, or one with a fault, or a moment of a game on a board.

    ``is_learnt``: its printing is learnt from a photo of its empty sheet or board; of BLOXX! and
    Qwixx any, else the one that this project prints.

    Raises
    ------
    PhotoUnreadable
        A printing that could not be learnt.
    """
    fault = FAULTS[game][number % len(FAULTS[game])] if is_faulty else ""
    if game == "brikks":
        case = brikks_case(brikks_shot(tier, seed, number, fault=fault), number, fault)
        return learnt_case(case, seed) if is_learnt else case
    if game == "bloxx":
        sheet_of_any = learnt_bloxx if is_learnt else own_bloxx
        return bloxx_case(tier, seed, number, sheet_of_any, fault)
    if game == "qwixx":
        return qwixx_case(tier, seed, number, is_learnt, fault)
    return blox_case(tier, seed, number, is_learnt)


def marks_of(game: str, state: Any) -> dict[str, str]:
    """By place, as answers write it, what stands there in the state of a sheet or a position."""
    if game == "blox":
        return {f"field {row},{column}": thing_text(state.at((row, column)))
                for row, column in FIELDS}  # fmt: skip
    if game == "bloxx":
        return {f"cell {row},{column}": str(mark) for row, line in enumerate(state.grid)
                for column, mark in enumerate(line)}  # fmt: skip
    if game == "qwixx":
        return dict(state)
    cells = load_layout("brikks-light").grid.cells
    return {
        **{f"cell {row},{column}": ".X"[(row, column) in state.crossed] for row, column in cells},
        **{f"energy {at}": str(point) for at, point in enumerate(state.energy)},
        **{f"box {at}": ".X"[box] for at, box in enumerate(state.bonus)},
        **{f"bomb {at}": ".X"[bomb] for at, bomb in enumerate(state.bombs)},
    }


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
    layout: Layout | None = None,
) -> Shot:
    """A photo of a sheet of Brikks, with any print, hand and light, or with what is given."""
    layout = layout or load_layout("brikks-light")
    rng = np.random.default_rng([seed, TIERS.index(tier), number])
    dice = dice_of(rng)
    blank = print_of(rng)
    hand = hand_of(blank, rng)
    if fault:
        hand = replace(hand, outlines="all", strays=0.0)
    played = _brikks_game(dice, fault)
    return shoot(
        layout, blank, played, hand, rng, tier, long_side, layout.marked_area, conditions
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
        pen=shot.hand.pen.kind,
        shot=shot,
    )  # fmt: skip


def slips(shot: Shot, truth: Score) -> set[str]:
    """The rules that this player's figures and outlines truly break."""
    rows = zip(shot.drawn.figures["rows"], truth.rows, strict=True)
    wrong = {"written-row"} if any(t not in ("", "-") and int(t) != v for t, v in rows) else set()
    if shot.hand.outlines == "some":  # crosses that no outline holds beside blocks that have one
        wrong.add("stray-mark")
    total = shot.drawn.figures["total"][0]
    return wrong | ({"written-total"} if total and int(total) != truth.total else set())


def learnt_case(case: Case, seed: int) -> Case:
    """The case of Brikks, its printing learnt from a good photo of the empty sheet that it shows.

    Raises
    ------
    PhotoUnreadable
        The printing could not be learnt.
    """
    rng = np.random.default_rng([seed, TIERS.index(case.tier), case.number, 1])
    page, blank = load_layout("brikks-light").page, case.shot.blank
    empty = take_photo(blank.image, blank, page, rng, LEARNT_TIER, LONG_SIDE, page)
    learnt = proposed(empty.data, case.game)
    return replace(case, layouts=(learnt.layout,), learnt=how_learnt(learnt, True))


def proposed(photo: bytes, game: str) -> Proposal:
    """What a photo proposes and nobody corrects; raises PhotoUnreadable where it is hardly one."""
    found = learn_sheet(photo, game, "learnt")
    if found.remark is not None:
        raise found.remark
    return found


def how_learnt(learnt: Any, is_right: bool) -> str:
    """ "right", "unsure" (right, with doubts), "wrong" (with doubts) or "wrong, unsaid"."""
    if is_right:
        return "unsure" if learnt.doubts else "right"
    return "wrong" if learnt.doubts else "wrong, unsaid"


# --- BLOXX! --------------------------------------------------------------------------------------

MAX_ASIDE = 0.4  # cells by which a bonus that was learnt rightly may lie aside


class BloxxSheet(NamedTuple):
    """A printing and its empty sheet. known: the printings to look for, None for all that are
    known. how: it was learnt, see `how_learnt`."""

    layout: Layout
    blank: BlankSheet
    known: tuple[Layout, ...] | None = None
    how: str = ""


def own_bloxx(rng: np.random.Generator) -> BloxxSheet:
    """The printing that this project prints."""
    return BloxxSheet(load_layout(bloxx_photos.OWN), bloxx_photos.printed_blank())


def learnt_bloxx(rng: np.random.Generator) -> BloxxSheet:
    """Any printing, learnt from a good photo of its empty sheet; raises PhotoUnreadable."""
    layout, blank = bloxx_photos.random_sheet(rng)
    empty = bloxx_photos.shoot_blank(layout, blank, rng, LEARNT_TIER, LONG_SIDE)
    learnt = proposed(empty.data, "bloxx")
    how = how_learnt(learnt, _is_alike(learnt.layout, layout))
    return BloxxSheet(layout, blank, (learnt.layout,), how)


def bloxx_case(
    tier: str,
    seed: int,
    number: int,
    sheet_of_any: Callable[[np.random.Generator], BloxxSheet] = own_bloxx,
    fault: str = "",
) -> Case:
    rng = np.random.default_rng([seed, TIERS.index(tier), number])
    dice = dice_of(rng)
    cv2.setRNGSeed(number)
    layout, blank, known, how = sheet_of_any(rng)
    if fault in (BloxxRule.NOT_A_SHAPE, BloxxRule.WRONG_CIRCLE) and "dice" not in layout.printed:
        fault = str(BloxxRule.ORDER)  # without its dice a printing does not show the others
    game = bloxx_faults.one_fault(BloxxRule(fault)) if fault else any_game
    hand = visible_bloxx_hand(layout, blank, rng, held_out=True)
    if fault:  # which hardly ever shows where no shape is outlined
        hand = replace(hand, outlines="all", strays=0.0)
    played = game(sheet_of(layout), dice)
    shot = bloxx_photos.shoot(layout, blank, played, hand, rng, tier, LONG_SIDE, layout.marked_area)
    return replace(bloxx_truth(shot, number, hand), planted=fault, layouts=known, learnt=how)


def bloxx_truth(shot: bloxx_photos.Shot, number: int, hand: Hand) -> Case:
    state, played = shot.marked.seen, shot.marked.played
    return Case(
        "bloxx", shot.tier, number, shot.data, bloxx_score(played.state).total,
        marks_of("bloxx", state),
        blocks=frozenset(state.shapes) or None,
        allowed=frozenset(bloxx_faults.broken_rules(played)),
        pen=hand.pen.kind,
        shot=shot,
    )  # fmt: skip


def _is_alike(learnt: Layout, true: Layout) -> bool:
    """Whether all that decides the score was learnt: size, numbers, coloured rows, bonuses."""
    seen, there = (
        (
            (layout.grid.rows, layout.grid.columns),
            {(each["row"], each["column"], each["value"]) for each in layout.printed["numbers"]},
            {each["row"] for each in layout.printed["colored_rows"]},
        )
        for layout in (learnt, true)
    )
    if seen != there:
        return False
    centres = (np.array(each.fields["bonus"].centres) for each in (learnt, true))
    return bool(np.abs(np.subtract(*centres)).max() <= MAX_ASIDE)


# --- Qwixx ---------------------------------------------------------------------------------------


def qwixx_case(tier: str, seed: int, number: int, learnt: bool = False, fault: str = "") -> Case:
    """A sheet that this project prints, or any other one, learnt; raises PhotoUnreadable."""
    rng = np.random.default_rng([seed, TIERS.index(tier), number])
    dice = dice_of(rng)
    layout, blank = load_layout(qwixx_photos.OWN), qwixx_photos.printed_blank()
    known, how = None, ""
    if learnt:
        layout, blank = random_qwixx(rng)
        empty = take_photo(
            blank.image, blank, layout.page, rng, LEARNT_TIER, LONG_SIDE, layout.page
        )
        found = proposed(empty.data, "qwixx")
        known, how = (found.layout,), how_learnt(found, _lies_there(found, layout, empty))
    played = qwixx_faults.one_fault(QwixxRule(fault), dice) if fault else any_qwixx(dice)
    shot = qwixx_photos.shoot(layout, blank, played, rng, tier, LONG_SIDE, held_out=True)
    state = played.state
    letters = {"row": "".join(state.rows), "lock": state.locks,
               "failed": ("X" * state.failed).ljust(4, ".")}  # fmt: skip
    marks = {where: letter for name, of_field in letters.items()
             for where, letter in zip(places_of(name, layout), of_field, strict=True)}  # fmt: skip
    return Case(
        "qwixx", tier, number, shot.data, qwixx_score(state).total, marks,
        allowed=qwixx_faults.broken_rules(played), planted=fault, layouts=known, learnt=how,
        shot=shot,
    )  # fmt: skip


def _lies_there(found: Proposal, layout: Layout, empty: Photo) -> bool:
    """Whether all places were learnt where they are in the photo of the empty sheet."""
    if found.doubts:
        return False
    for name, there in layout.fields.items():
        seen = found.placement.to_photo(np.array(found.layout.fields[name].centres))
        true = empty.placement.to_photo(np.array(there.centres))
        if np.abs(seen - true).max() > MAX_ASIDE * empty.placement.cell_size():
            return False
    return True


# --- BLOX ----------------------------------------------------------------------------------------


def learnt_board(box: Set, rng: np.random.Generator, render: Renderer) -> NamedBoard:
    """The board of a set, learnt rightly from a photo of it, empty, at a slant."""
    empty = shoot_board(box, Position(box.board), VIEWS["slant"], rng, render, BOARD_SIDE)
    homography = quad_homography(empty.corners, SIDE)
    picture = flatten(empty.image, homography, SIDE, BLANK_PIXELS, REFERENCE_MARGIN)
    return NamedBoard("true", box.board, blank=encoded(picture))


def blox_case(
    view: str, seed: int, number: int, is_learnt: bool = False, light: str = "rasterizer"
) -> Case:
    """A moment of a game on a board, by a renderer of `simulation.blox.samples`.

    The board is known from another photo of it, empty: rightly and at a slant, or where it is
    learnt, as it is in the same view.
    """
    rng = np.random.default_rng([seed, list(VIEWS).index(view), number])
    render = renderer(light)
    shot = random_board_shot(view, rng, render=render, long_side=BOARD_SIDE)
    how, board, marks = "", None, marks_of("blox", shot.position)
    if is_learnt:
        empty = Position(shot.set.board)
        photo = shoot_board(shot.set, empty, VIEWS[view], rng, render, BOARD_SIDE)
        learnt = proposed(photo.data, "blox")
        board = learnt.layout
        turned = _seen_from(marks, shot.set.board.field_colors, board.board.field_colors)
        how, marks = how_learnt(learnt, turned is not None), turned or marks
    board = board or learnt_board(shot.set, rng, render)
    return Case(
        "blox", view, number, shot.data, None, marks, layouts=(board,), learnt=how, shot=shot
    )


def _seen_from(
    marks: Mapping[str, str], true: Sequence[str], learnt: Sequence[str]
) -> Mapping[str, str] | None:
    """The marks as a board calls their places that was learnt from another of its four sides."""
    letters, numbers = np.array([list(row) for row in true]), np.arange(SIDE**2).reshape(SIDE, SIDE)
    for turn in range(4):
        if ["".join(row) for row in np.rot90(letters, turn)] == list(learnt):
            there = np.rot90(numbers, turn).ravel()
            names = [f"field {at // SIDE},{at % SIDE}" for at in range(SIDE**2)]
            return {names[at]: marks[names[there[at]]] for at in range(SIDE**2)}
    return None
