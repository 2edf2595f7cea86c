"""Printings that are learnt: what a person must say until they are right, and known all at once.

    python -m benchmarks.printings words --sheets 40 --seed 511207
    python -m benchmarks.printings always --sheets 50 --seed 511208

``words``: photos of empty sheets of BLOXX! of any layout and art. A program says what is wrong as
a person does who looks at the proposal: one region or one value at a time. ``always``: a row a
game, blurred photos at 35 degrees, half in shadow; the corners of the regions and the size are
said, and what is learnt is just that, and reads back.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.cases import GAMES, BloxxSheet, Case, brikks_case, brikks_shot
from benchmarks.harness import LONG_SIDE, Table, add_sheets, in_processes, main, parser_of, tally
from brikks_vision import learn_sheet
from brikks_vision.games.bloxx.learn import values_of
from brikks_vision.games.bloxx.print_reading import color_choices
from brikks_vision.games.learning import Proposal, boxes_of
from brikks_vision.games.printings import parse_printing
from brikks_vision.layout import GRID, Box, Layout, bounds, load_layout, packaged_layouts
from simulation.blox.photos import random_shot as random_board_shot
from simulation.blox.samples import POSITIONS, renderer
from simulation.bloxx.photos import random_sheet, shoot_blank
from simulation.brikks.art import render_blank
from simulation.brikks.marking import visible_hand
from simulation.brikks.photos import Shot
from simulation.camera import TIERS
from simulation.paper.blank import BlankSheet
from simulation.photos import TruePlacement, take_photo
from simulation.qwixx.photos import printed_blank as qwixx_blank

MAX_ACROSS, MAX_DOWN = 0.3, 0.2  # cells by which a field is displaced
PREFIX = "print-"  # of the names of learnt printings
MAX_TRIES = 4  # photos of an empty sheet until one can be learnt
NEAR = 0.35  # cells by which a region that is right may lie aside
MOST_WORDS = 40

Word = tuple[str, object]
"""What a person says: of a region its corners, of a place what is printed there."""


def wrong(proposal: Proposal, true: Layout, camera: TruePlacement) -> Iterator[Word]:
    """What a person who looks at a proposal of BLOXX! says, the most important first."""
    corners = camera.to_photo(np.array(true.grid.box.corners))
    cell = float(np.linalg.norm(corners[1] - corners[0])) / true.grid.columns
    if proposal.size != (true.grid.rows, true.grid.columns):
        yield "size", f"{true.grid.rows}x{true.grid.columns}"
    if np.abs(proposal.regions[GRID] - corners).max() > NEAR * cell:
        yield GRID, corners
    if proposal.size != (true.grid.rows, true.grid.columns):
        return
    learnt, told = proposal.template(), {each.where: each.read for each in proposal.values}
    assert isinstance(learnt, Layout)
    there = {each.where: each.read for each in values_of(true)}
    for place, read in there.items():
        if place.startswith("row") and (told[place] == "plain") != (read == "plain"):
            free = [each for each in color_choices() if each not in told.values()]
            yield place, read if read == "plain" or read in free else free[0]
        elif place.startswith("cell") and told[place] != read:
            yield place, read
    rows = {told[place]: place for place in told if place.startswith("row")}
    alike = Counter(told[place] for place in told if place.startswith("row"))
    of_rows = {there[place]: place for place in there if place.startswith("row")}
    for value in values_of(true):
        if not value.where.startswith("bonus "):
            continue
        seen = proposal.regions[value.where]
        lies = camera.to_photo(np.array(value.box.corners))
        if np.abs(seen.mean(axis=0) - lies.mean(axis=0)).max() > NEAR * cell:
            yield value.where, lies
        own, now = of_rows[value.read], told[value.where]
        if rows.get(now, now) != own:
            yield value.where, told[own] if alike[told[own]] == 1 else own
    if told["first bonus"] != there["first bonus"]:
        yield "first bonus", there["first bonus"]
    for name, field in true.figures.items():
        lies = camera.to_photo(np.array(field.box.corners))
        region = proposal.regions.get(name)
        if region is None or np.abs(region.mean(axis=0) - lies.mean(axis=0)).max() > NEAR * cell:
            yield name, lies


@dataclass(frozen=True)
class Corrected:
    """A proposal as a person has left it.

    words: what was said. left: what is wrong anyway. seconds: of processor, of each proposal.
    """

    proposal: Proposal
    words: Sequence[str]
    left: Sequence[str]
    seconds: Sequence[float]


def corrected(proposal: Proposal, true: Layout, camera: TruePlacement) -> Corrected:
    words: list[str] = []
    seconds: list[float] = []
    while len(words) < MOST_WORDS:
        word = next(wrong(proposal, true, camera), None)
        if word is None:
            break
        began = time.process_time()
        proposal = proposal.given({word[0]: word[1]})
        seconds.append(time.process_time() - began)
        words.append(word[0])
    left = [place for place, _ in wrong(proposal, true, camera)]
    return Corrected(proposal, words, left, seconds)


def confirmed_bloxx(rng: np.random.Generator) -> BloxxSheet:
    """Any printing, learnt from a good photo of its empty sheet, with all that a person says."""
    layout, blank = random_sheet(rng)
    empty = shoot_blank(layout, blank, rng, "good", LONG_SIDE)
    found = corrected(learn_sheet(empty.data, "bloxx", "learnt"), layout, empty.placement)
    known = found.proposal.confirmed().template()
    assert isinstance(known, Layout)
    return BloxxSheet(layout, blank, (known,), "wrong, unsaid" if found.left else "right")


def words_of(task: tuple[int, int]) -> tuple[int, float, bool, Corrected]:
    """Of a photo: its number, the processor's seconds of its proposal, whether that is wholly
    right, what was said of it."""
    seed, number = task
    rng = np.random.default_rng([seed, number])
    cv2.setRNGSeed(number)
    layout, blank = random_sheet(rng)
    photo = shoot_blank(layout, blank, rng, "good", LONG_SIDE)
    began = time.process_time()
    proposal = learn_sheet(photo.data, "bloxx", "learnt")
    seconds = time.process_time() - began
    found = corrected(proposal, layout, photo.placement)
    print(number, f"{seconds:.1f} s", proposal.remark and type(proposal.remark).__name__,
          found.words, found.left, flush=True)  # fmt: skip
    return number, seconds, not found.words, found


def words_table(seed: int, sheets: int, processes: int) -> Table:
    found = in_processes(words_of, [(seed, number) for number in range(sheets)], processes)
    again = [each for *_, one in found for each in one.seconds]
    return [
        ("layouts", "right as proposed", "words, most", "words, all", "wrong at the end",
         "proposal s", "most", "correction s", "most"),
        (
            str(len(found)), str(sum(right for _, _, right, _ in found)),
            str(max(len(one.words) for *_, one in found)),
            str(sum(len(one.words) for *_, one in found)),
            str(sum(bool(one.left) for *_, one in found)),
            f"{np.mean([each for _, each, _, _ in found]):.2f}",
            f"{max(each for _, each, _, _ in found):.2f}",
            f"{np.mean(again or [0.0]):.2f}", f"{max(again, default=0.0):.2f}",
        ),
    ]  # fmt: skip


# --- always possible ------------------------------------------------------------------------------

HARSH = replace(TIERS["hard"], tilt=(35.0, 35.0), blur=(2.6, 4.0))
SHADE = 0.35  # of the light, that is left in the half in shadow
SMALL_SIDE = 1200  # px, longer side of these photos


def regions_of(layout: Layout) -> dict[str, Box]:
    """The regions of a sheet as its game names them."""
    if layout.game == "bloxx":
        bonuses = {v.where: v.box for v in values_of(layout) if v.where.startswith("bonus ")}
        return {**bonuses, **{name: each.box for name, each in layout.figures.items()}}
    if layout.game == "qwixx":
        figures = bounds([each.box for each in layout.figures.values()])
        parts = {part: layout.fields[part].box for part in ("lock", "failed")}
        return {**parts, "figures": figures}
    return {name: box for name, box in boxes_of(layout).items() if name != GRID}


def harsh(game: str, rng: np.random.Generator) -> tuple[NDArray[np.uint8], dict[str, object]]:
    """A harsh photo of an empty sheet or board, and where a person says that its regions are."""
    said: dict[str, object] = {}
    if game == "blox":
        shot = random_board_shot("slant", rng, POSITIONS["games"], long_side=SMALL_SIDE,
                                 render=renderer("rasterizer"))  # fmt: skip
        image, said[GRID] = shot.image.copy(), shot.corners
    else:
        layout, blank = {
            "bloxx": random_sheet,
            "brikks": lambda rng: nth_print(int(rng.integers(2**31)), 0),
            "qwixx": lambda rng: (load_layout("qwixx"), qwixx_blank()),
        }[game](rng)
        photo = take_photo(
            blank.image, blank, layout.page, rng, "hard", SMALL_SIDE, layout.page, HARSH
        )
        image, to_photo = photo.image.copy(), photo.placement.to_photo
        frame = layout.fields["row"] if game == "qwixx" else layout.grid
        said = {name: to_photo(np.array(box.corners)) for name, box in regions_of(layout).items()}
        said[GRID] = to_photo(np.array(frame.box.corners))
        if game == "bloxx":
            said["size"] = f"{layout.grid.rows}x{layout.grid.columns}"
    half = image[:, : image.shape[1] // 2]
    half[:] = (half * SHADE).astype(np.uint8)
    return image, said


def always_of(task: tuple[str, int, int]) -> tuple[str, dict[str, float]]:
    """Whether what a person says of a harsh photo is what is learnt."""
    game, seed, number = task
    image, said = harsh(game, np.random.default_rng([seed, number]))
    began = time.process_time()
    proposal = learn_sheet(image, game, "said", said)
    seconds = time.process_time() - began
    held = all(
        np.allclose(proposal.regions[name], corners, atol=0.5)
        for name, corners in said.items()
        if name != "size"
    )
    again = parse_printing(proposal.confirmed().to_json(), "said")
    return game, {"photos": 1, "as said": held, "read back": again.game == game, "s": seconds}


ALWAYS = {"photos": "photos", "as said": "as said", "read back": "read back", "s, all": "s"}


# --- editions of Brikks ---------------------------------------------------------------------------


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
        found = learn_sheet(photo.data, "brikks", name_of(number))
        if found.remark is None:
            return found.to_json()
    return None


def nth_shot(seed: int, number: int, tier: str, sheet: int) -> Shot:
    """A photo of a marked sheet of a printing."""
    layout, blank = nth_print(seed, number)
    return brikks_shot(
        tier, seed + sheet, number, layout=layout, print_of=lambda _: blank,
        hand_of=lambda blank, rng: visible_hand(layout, blank, rng, held_out=True),
    )  # fmt: skip


def case_of(seed: int, number: int, tier: str, definitions: Sequence[str | None]) -> Case:
    """A photo of a printing, to be read with the packaged and all learnt ones."""
    learnt = [parse_printing(each, "learnt") for each in definitions if each]
    case = brikks_case(nth_shot(seed, number, tier, 0), number)
    return replace(case, layouts=(*packaged_layouts("brikks"), *learnt))


def parser() -> ArgumentParser:
    return add_sheets(parser_of(__doc__, ("words", "always")), 40, 511207)


def measure(options: Namespace) -> list[Table]:
    if options.what == "words":
        return [words_table(options.seed, options.sheets, options.processes)]
    tasks = [(game, options.seed, number)
             for game in (*GAMES, "qwixx") for number in range(options.sheets)]  # fmt: skip
    return [tally("game", in_processes(always_of, tasks, options.processes), ALWAYS)]


if __name__ == "__main__":
    main(parser(), measure)
