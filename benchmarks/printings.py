"""Learnt printings: are they learnt right, told apart, and read?

    python -m benchmarks.printings told --printings 20 --unlearnt 20 --seed 7001
    python -m benchmarks.printings marks --sheets 20 --seed 3501
    python -m benchmarks.printings boards --sheets 20 --seed 781

``told`` draws printings of Brikks in any art whose fields stand some tenths of a cell beside those
of the packaged layout, learns the first ones from a good photo of the empty sheet each, and
photographs marked sheets of all. All learnt printings are kept at once: for how many photos is the
right printing told, a wrong one, or none? ``marks`` reads every mark three times: by the networks
of the Brikks sheet, and by `brikks_vision.detect.patches` without and with a photo of the empty
sheet; ``--blank`` as in `benchmarks.accuracy`, ``--failures FOLDER`` keeps the places that are read
wrong, photo beside reference. ``boards`` learns empty boards of BLOX. Printings of BLOXX!
are learnt and read by ``benchmarks.accuracy --game bloxx --printing learnt``.
"""

from __future__ import annotations

import json
import random
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.cases import BOARD_SIDE, brikks_shot
from benchmarks.harness import LONG_SIDE, TIERS, Row, Table, in_processes, main, parser_of
from benchmarks.pictures import Print, add_options, blank_of, print_in
from brikks_vision import learn_sheet
from brikks_vision.detect.bars import rectify_bars
from brikks_vision.detect.fast import combine_passes, fast_marks
from brikks_vision.detect.locate import locate
from brikks_vision.detect.marks import Key, Marks, read_marks, rectify_for_reading
from brikks_vision.detect.patches import (
    Views,
    beside_alike,
    beside_blank,
    edges_of,
    logits_in_context,
    mark_logits,
    patch_features,
    readable_fields,
    readable_marks,
    see_places,
)
from brikks_vision.detect.photo import load_photo
from brikks_vision.detect.placement import Image, Placement, rectify
from brikks_vision.detect.same_print import with_printing
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.games.brikks.keys import (
    BOMBS,
    BOXES,
    CELLS,
    HORIZONTALS,
    RINGS,
    STRIKES,
    VERTICALS,
)
from brikks_vision.games.printings import parse_printing
from brikks_vision.layout import Layout, load_layout, packaged_layouts
from brikks_vision.pipeline.finders import FAST_LONG_SIDE
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.blox.cameras import VIEWS
from simulation.blox.photos import random_shot as random_board_shot
from simulation.blox.samples import POSITIONS, RENDERERS, renderer
from simulation.brikks.art import render_blank
from simulation.brikks.games import play_sheet
from simulation.brikks.marking import visible_hand
from simulation.brikks.photos import Shot, any_blank, shoot
from simulation.camera import TIERS as CONDITIONS
from simulation.camera import compress, photograph, random_pose, sheet_map
from simulation.marks import Drawn
from simulation.paper.blank import BlankSheet
from simulation.photos import TruePlacement, take_photo
from simulation.tables import render_table

# --- printings told apart ------------------------------------------------------------------------

MAX_ACROSS, MAX_DOWN = 0.3, 0.2  # cells by which a field is displaced
PREFIX = "print-"  # of the names of learnt printings
MAX_TRIES = 4  # photos of an empty sheet until one can be learnt


@dataclass(frozen=True)
class Told:
    """What became of one photo.

    own: the name of its printing; None: it is not learnt. told: the printing that it is read as.
    milliseconds: that each comparison with a printing took.
    """

    tier: str
    own: str | None
    told: str
    milliseconds: float


def displaced(layout: Layout, rng: np.random.Generator) -> Layout:
    """The layout with each field beside the grid moved a little, as editions differ."""
    fields = dict(layout.fields)
    for field in layout.places:
        x, y = rng.uniform(-MAX_ACROSS, MAX_ACROSS), rng.uniform(-MAX_DOWN, MAX_DOWN)
        centres = tuple((a + x, b + y) for a, b in field.centres)
        fields[field.name] = replace(field, centres=centres)
    return replace(layout, fields=fields)


def name_of(number: int) -> str:
    return f"{PREFIX}{number}"


@cache
def nth_print(seed: int, number: int) -> tuple[Layout, BlankSheet]:
    """The printing of a seed and number, always the same: its true layout and its empty sheet."""
    rng = np.random.default_rng([seed, number])
    layout = displaced(load_layout("brikks-light"), rng)
    return layout, render_blank(layout, rng, pixels_per_cell=int(rng.integers(30, 44)))


def learn_nth(task: tuple[int, int]) -> str | None:
    """The definition of a printing, learnt from a good photo; None if it cannot be learnt."""
    seed, number = task
    layout, blank = nth_print(seed, number)
    for attempt in range(MAX_TRIES):
        rng = np.random.default_rng([seed, number, attempt])
        photo = take_photo(blank.image, blank, layout.page, rng, "good", 2600, layout.page)
        try:
            return learn_sheet(photo.data, "brikks", name_of(number)).to_json()
        except PhotoUnreadable:
            continue
    return None


def nth_shot(seed: int, number: int, tier: str, sheet: int) -> Shot:
    """A photo of a marked sheet of a printing."""
    layout, blank = nth_print(seed, number)
    rng = np.random.default_rng([seed, number, TIERS.index(tier), sheet])
    dice = random.Random(int(rng.integers(2**31)))
    players, level = dice.randint(1, 4), dice.randint(1, 4)
    variant = "solo" if players == 1 else "standard"
    played = play_sheet(load_sheet("brikks-light"), dice, players, level, variant)
    hand = visible_hand(layout, blank, rng, held_out=True)
    return shoot(layout, blank, played, hand, rng, tier, LONG_SIDE, layout.marked_area)


def tell_printing(task: tuple[int, int, str, int, tuple[str | None, ...]]) -> Told | None:
    seed, number, tier, sheet, definitions = task
    kept = [parse_printing(each, "learnt") for each in definitions if each]
    photo = load_photo(nth_shot(seed, number, tier, sheet).data, FAST_LONG_SIDE)
    try:
        found = locate(photo.image, packaged_layouts("brikks"))
    except PhotoUnreadable:
        return None
    start = time.perf_counter()
    told = with_printing(found, photo.image, kept).layout.name
    spent = 1000 * (time.perf_counter() - start) / max(1, len(kept))
    is_learnt = number < len(definitions) and definitions[number] is not None
    return Told(tier, name_of(number) if is_learnt else None, told, spent)


def told_row(tier: str, all_told: list[Told]) -> Row:
    learnt = [each for each in all_told if each.own]
    right = sum(each.told == each.own for each in learnt)
    is_kept = [each.told.startswith(PREFIX) for each in all_told]
    wrong = sum(
        kept and each.told != each.own for kept, each in zip(is_kept, all_told, strict=True)
    )
    spent = f"{np.median([each.milliseconds for each in all_told]):.1f}"
    return tier, f"{right} of {len(learnt)}", f"{wrong} of {len(all_told)}", spent


# --- marks read without training -----------------------------------------------------------------

WAYS = ("today", "alike", "blank")
KEYS = (CELLS, VERTICALS, HORIZONTALS, RINGS, STRIKES, BOXES, BOMBS)
DOUBTFUL = 3.0  # log-odds under which a mark is in doubt
BLANK_PIXELS = 32  # per cell, of the learnt blank


@dataclass(frozen=True, eq=False)
class Read:
    """The log-odds of one photo's marks by each way, and the truth (0.5: nobody can tell)."""

    tier: str
    number: int
    logits: Mapping[str, Mapping[Key, NDArray[np.float64]]]
    truth: Mapping[Key, NDArray[np.float64]]
    views: Mapping[str, Mapping[str, Views]]  # of places read wrong, by way and field


def truth_of(drawn: Drawn) -> dict[Key, NDArray[np.float64]]:
    """What the sheet bears; rings of struck points are not asked for."""
    truth = {key: np.asarray(drawn[key], np.float64) for key in KEYS}
    truth[RINGS][truth[STRIKES] > 0.5] = 0.5
    return truth


def full_pass(image: Image, placement: Placement, layout: Layout) -> Marks:
    """All present networks, as in `brikks_vision.pipeline`."""
    flat = rectify_for_reading(image, placement, layout)
    fast = fast_marks(flat, rectify_bars(image, placement, layout), layout)
    cell = placement.cell_size()
    return combine_passes(read_marks(flat, layout), fast, cell)


def learnt_blank(blank: BlankSheet, layout: Layout, rng: np.random.Generator) -> Image:
    """The page as learnt from a good photo of the empty sheet."""
    conditions = CONDITIONS["good"]
    pose = random_pose(rng, layout.page, layout.marked_area, conditions, LONG_SIDE)
    table = render_table(rng, *pose.size)
    image = photograph(
        blank.image, blank.origin, blank.pixels_per_cell, table, pose, sheet_map(pose), rng,
        conditions,
    )  # fmt: skip
    data = compress(image, int(rng.integers(*conditions.quality)))
    photo = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    try:
        found = locate(photo, (layout,))
    except PhotoUnreadable:
        true: Placement = TruePlacement(pose)  # type: ignore[assignment]
        return rectify(photo, true, layout.page, BLANK_PIXELS)
    return rectify(photo, found.placement, layout.page, BLANK_PIXELS)


def read_marks_of(task: tuple[Print | None, str, int, int]) -> Read | None:
    printed, tier, seed, number = task
    layout = load_layout("brikks-light")
    rng = np.random.default_rng([seed, TIERS.index(tier), number, 1])
    blank = blank_of(printed) if printed else any_blank(layout, rng)
    shot = brikks_shot(tier, seed, number, print_of=lambda _: blank)
    try:
        found = locate(shot.image, (load_layout("brikks-light"), load_layout("brikks")))
    except PhotoUnreadable:
        return None
    layout, placement = found.layout, found.placement
    truth = truth_of(shot.drawn)
    fields = readable_fields(layout)
    empty = learnt_blank(blank, layout, rng)
    alone = see_places(shot.image, placement, layout, fields)
    alike = beside_alike(alone, fields)
    views = {"alike": alike, "blank": beside_blank(alone, layout, fields, empty)}
    logits: dict[str, Mapping[Key, NDArray[np.float64]]] = {}
    logits["today"] = full_pass(shot.image, placement, layout).logits
    wrong: dict[str, dict[str, Views]] = {}
    ends = np.cumsum([len(field.centres) for field in fields])[:-1]
    for way, seen in views.items():
        told = logits_in_context(patch_features(seen), edges_of(fields), seen.kinds)
        of_fields = np.split(told, ends)
        logits[way] = {
            (field.name, mark): mark_logits(field, mark, each).reshape(field.shape)
            for field, each in zip(fields, of_fields, strict=True)
            for mark in readable_marks(field)
        }
        wrong[way] = {}
        for field, start in zip(fields, (0, *ends), strict=True):
            for mark in readable_marks(field):
                key = (field.name, mark)
                if key not in truth:
                    continue
                known = truth[key].ravel() != 0.5
                bad = known & ((logits[way][key].ravel() > 0) != (truth[key].ravel() > 0.5))
                at = start + np.flatnonzero(bad)
                parts = (seen.photo, seen.reference, seen.lightest, seen.template, seen.kinds)
                wrong[way][f"{field.name} {mark}"] = Views(*(part[at] for part in parts))
    return Read(tier, number, logits, truth, wrong)


def marks_table(tier: str, reads: list[Read]) -> Table:
    """For each kind of mark: how many, and by each way wrong and in doubt, in percent."""
    rows: Table = [(f"mark ({tier})", "marks", *(f"{way}: wrong, doubtful, loss" for way in WAYS))]
    for key in KEYS:
        cells = []
        truth = np.concatenate([read.truth[key].ravel() for read in reads])
        known = truth != 0.5
        for way in WAYS:
            logits = np.concatenate([read.logits[way][key].ravel() for read in reads])[known]
            label = truth[known] > 0.5
            wrong, doubtful = (logits > 0) != label, np.abs(logits) < DOUBTFUL
            loss = 1000 * np.logaddexp(0, np.where(label, -logits, logits)).mean()
            cells.append(f"{100 * wrong.mean():.2f} {100 * doubtful.mean():.2f} {loss:.1f}")
        rows.append((" ".join(key), str(known.sum()), *cells))
    return rows


def keep_pictures(reads: list[Read], folder: Path) -> None:
    """One picture a way and kind of mark: the wrong places, photo, reference and lightest."""
    folder.mkdir(parents=True, exist_ok=True)
    strips: dict[str, list[Image]] = {}
    for read in reads:
        for way, by_mark in read.views.items():
            for mark, views in by_mark.items():
                for photo, reference, light in zip(
                    views.photo, views.reference, views.lightest, strict=True
                ):
                    strip = np.hstack([photo, reference, np.repeat(light, 3, axis=2)])
                    large = cv2.resize(strip, None, fx=3, fy=3, interpolation=cv2.INTER_NEAREST)
                    label = f"{read.tier} {read.number}"
                    cv2.putText(large, label, (3, 92), 0, 0.4, (0, 0, 255), 1)
                    strips.setdefault(f"{way} {mark}", []).append(np.asarray(large, np.uint8))
    for name, each in strips.items():
        shown = each[:60]
        shown += [np.zeros_like(each[0])] * (-len(shown) % 4)
        lines = [np.hstack(shown[at : at + 4]) for at in range(0, len(shown), 4)]
        cv2.imwrite(str(folder / f"{name.replace(' ', '-')}.png"), np.vstack(lines))


# --- boards --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LearntBoard:
    """problem: why it was not learnt, or "". doubts: whether something is asked."""

    view: str
    problem: str = ""
    is_right: bool = False
    has_doubts: bool = False


def learn_board(task: tuple[str, int, int, str]) -> LearntBoard:
    """Learn an empty board from its photo."""
    view, seed, number, render_with = task
    rng = np.random.default_rng([seed, list(VIEWS).index(view), number])
    shot = random_board_shot(
        view, rng, POSITIONS["empty"], render=renderer(render_with), long_side=BOARD_SIDE
    )
    try:
        learnt = learn_sheet(shot.data, "blox")
    except PhotoUnreadable as error:
        return LearntBoard(view, type(error).__name__)
    told = tuple(json.loads(learnt.to_json())["field_colors"])
    is_right = told in four_sides(shot.set.board.field_colors)
    return LearntBoard(view, "", is_right, bool(learnt.doubts))


def four_sides(rows: Sequence[str]) -> Iterable[tuple[str, ...]]:
    """A board from each of its four sides."""
    letters = np.array([list(row) for row in rows])
    return [tuple("".join(row) for row in np.rot90(letters, turn)) for turn in range(4)]


def boards_table(found: Sequence[LearntBoard]) -> Table:
    rows: Table = [("view", "boards", "learnt right", "asked about", "wrong, unsaid", "not learnt")]
    for view in VIEWS:
        chosen = [each for each in found if each.view == view]
        counts = (
            (each.is_right for each in chosen),
            (each.has_doubts for each in chosen),
            (not each.problem and not each.is_right and not each.has_doubts for each in chosen),
            (bool(each.problem) for each in chosen),
        )
        rows.append((view, str(len(chosen)), *(str(sum(count)) for count in counts)))
    return rows


# --- the program ---------------------------------------------------------------------------------


def parser() -> ArgumentParser:
    found = parser_of(__doc__, 20, 7001)
    found.add_argument("what", choices=("told", "marks", "boards"))
    found.add_argument("--printings", type=int, default=20, help="that are learnt")
    found.add_argument("--unlearnt", type=int, default=20)
    found.add_argument("--renderer", choices=RENDERERS, default=RENDERERS[0], help="of boards")
    add_options(found)
    return found


def measure(options: Namespace) -> list[Table]:
    seed, processes = options.seed, options.processes
    if options.what == "boards":
        boards = [
            (view, seed, number, options.renderer)
            for view in VIEWS
            for number in range(options.sheets)
        ]
        return [boards_table(in_processes(learn_board, boards, processes))]
    if options.what == "marks":
        printed = print_in(options)
        photos = [
            (printed, tier, seed, number)
            for tier in options.tiers
            for number in range(options.sheets)
        ]
        reads = [read for read in in_processes(read_marks_of, photos, processes) if read]
        print(len(photos) - len(reads), "of", len(photos), "photos without a sheet that is found")
        if options.failures:
            keep_pictures(reads, options.failures)
        by_tier = [[read for read in reads if read.tier == tier] for tier in options.tiers]
        return [
            marks_table("all", reads),
            *(marks_table(tier, of) for tier, of in zip(options.tiers, by_tier, strict=True)),
        ]
    printings = [(seed, number) for number in range(options.printings)]
    definitions = tuple(in_processes(learn_nth, printings, processes))
    tasks = [
        (seed, number, tier, 0, definitions)
        for number in range(options.printings + options.unlearnt)
        for tier in options.tiers
    ]
    told = [each for each in in_processes(tell_printing, tasks, processes) if each]
    learnt, lost = sum(map(bool, definitions)), len(tasks) - len(told)
    print(
        f"{learnt} of {len(printings)} printings learnt, {lost} of {len(tasks)} photos not placed"
    )
    rows = [told_row(tier, [each for each in told if each.tier == tier]) for tier in options.tiers]
    return [[("tier", "own printing", "a wrong one", "ms a printing"), *rows]]


if __name__ == "__main__":
    main(parser(), measure)
