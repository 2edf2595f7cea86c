"""What a person must say of a printing that is learnt until it is right.

    python -m benchmarks.printings --sheets 40 --seed 511207

Photos of empty sheets of BLOXX! of any layout and art. A program says what is wrong as a person
does who looks at the proposal: one region or one value at a time.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.cases import BloxxSheet
from benchmarks.harness import LONG_SIDE, Table, add_sheets, in_processes, main, parser_of
from brikks_vision import learn_sheet
from brikks_vision.games.bloxx.learn import values_of
from brikks_vision.games.bloxx.print_reading import color_choices
from brikks_vision.games.learning import Proposal
from brikks_vision.layout import GRID, Layout
from simulation.bloxx.photos import random_sheet, shoot_blank
from simulation.photos import TruePlacement

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


def parser() -> ArgumentParser:
    return add_sheets(parser_of(__doc__), 40, 511207)


def measure(options: Namespace) -> list[Table]:
    return [words_table(options.seed, options.sheets, options.processes)]


if __name__ == "__main__":
    main(parser(), measure)
