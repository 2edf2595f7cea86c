"""Are readings of bad photos right, or at least not called sure?

    python -m benchmarks.robustness tables --game brikks --sheets 24 --seed 5101
    python -m benchmarks.robustness distortions --game brikks --sheets 10 --seed 6101
    python -m benchmarks.robustness situations --sheets 30 --seed 5001
    python -m benchmarks.robustness files --sheets 10000 --seed 1

``tables`` (`benchmarks.table_top`) photographs a sheet plain, then with objects, light and
corrections on it, by another hand than the one that networks learn from: is the total right, and
how many of the hidden places does the reading call covered? ``distortions`` mirrors photos, takes
their colours, spoils them, joins two of them: of two sheets in one picture no total is right.
``situations`` takes hard light, hands and sheets of Brikks one by one: the games, hands and art are
the same in each. ``files`` breaks files (`benchmarks.mutations`): each must be answered, within 2 s
and 1 GB; ``--number N`` writes the file of that number instead. Of the first three a first table
shows only what is wrong.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks import harness, mutations
from benchmarks.cases import SHEETS, Case, brikks_case, brikks_shot, case_of
from benchmarks.distortions import DISTORTIONS, JOINTS, as_large, laid_upon
from benchmarks.outcomes import Outcome, keep, read_case, with_sums
from benchmarks.table_top import HARMLESS, kinds_of, table_case
from brikks_vision.layout import load_layout
from brikks_vision.reading import Status
from simulation.brikks.marking import visible_hand
from simulation.brikks.photos import any_blank
from simulation.camera import GOOD, Conditions
from simulation.hand import Hand
from simulation.paper.blank import BlankSheet
from simulation.paper.wear import photocopied, worn
from simulation.strokes import PEN_COLORS, Pen

Image = NDArray[np.uint8]  # BGR

# --- what lies on sheets, and what players mend ---------------------------------------------------


def on_tables(options: Namespace, number: int) -> Iterator[Case]:
    """Each kind of table with the same sheet."""
    for kind in kinds_of(options.game):
        if options.only in kind:
            yield table_case(options.game, kind, options.seed, number, options.tier)


# --- photos made worse ---------------------------------------------------------------------------


def distort(options: Namespace, number: int) -> Iterator[Case]:
    """Each distortion of a photo; of two in one no total is right."""
    case, other = (
        case_of(options.game, ("good", "hard")[at % 2], options.seed, at)
        for at in (number, number + 2)
    )
    for name, picture, total in distorted(case, other):
        if options.only in name:
            yield replace(case, tier=name, data=picture, total=total, marks={}, blocks=None,
                          figures=())  # fmt: skip


def distorted(case: Case, other: Case) -> Iterator[tuple[str, Image | bytes, int | None]]:
    """Each distortion, the photo, and the true total; None where no total is true."""
    image, beside = case.image, other.image
    for name, make_worse in DISTORTIONS.items():
        yield name, make_worse(image), case.total
    for name, join in JOINTS.items():
        yield name, join(image, as_large(image, beside)), None
        if case.placement is not None and other.placement is not None:
            in_place = laid_upon(image, case.placement, beside, other.placement)
            yield f"{name}, in place", join(image, in_place), None


# --- hard light, hands and sheets ----------------------------------------------------------------


def lit(**light: Any) -> Callable[[Conditions], Conditions]:
    plain = {"shadow": 0.0, "glare": 0.0, "light": (0.02, 0.1)}
    return lambda good: replace(good, **(plain | light))


EVEN = lit()


def _with_pen(color: str, width: float) -> Callable[[Hand], Hand]:
    pen = Pen(PEN_COLORS[color], width, opacity=0.9, grain=0.0, multiplies=True)
    return lambda hand: replace(hand, pen=pen)


def _on(spoil: Callable[[Image, np.random.Generator], Image]) -> Any:
    return lambda blank, rng: replace(blank, image=spoil(blank.image, rng))


@dataclass(frozen=True)
class Situation:
    """What is done to an evenly lit good photo, its player's hand, its sheet before the game."""

    conditions: Callable[[Conditions], Conditions] = EVEN
    hand: Callable[[Hand], Hand] = lambda hand: hand
    sheet: Callable[[BlankSheet, np.random.Generator], BlankSheet] = lambda blank, _: blank
    long_side: int = harness.LONG_SIDE


SITUATIONS = {
    "evenly lit": Situation(),
    "shadow": Situation(lit(shadow=1.0)),
    "lamp glare": Situation(lit(glare=1.0)),
    "light falling off": Situation(lit(light=(0.8, 0.9))),
    "screen (moire)": Situation(lit(moire=1.0)),
    "pencil": Situation(
        hand=lambda hand: replace(hand, pen=Pen((80, 80, 80), 0.07, 0.9, 0.6, multiplies=True))
    ),
    "red pen": Situation(hand=_with_pen("red", 0.07)),
    "thick felt-tip": Situation(hand=_with_pen("blue", 0.27)),
    "crossed twice": Situation(hand=lambda hand: replace(hand, doubled_strokes=0.9)),
    "stains, folds": Situation(sheet=_on(worn)),
    "grey copy": Situation(sheet=_on(photocopied)),
    "500 px high": Situation(long_side=620),
}


def in_situations(options: Namespace, number: int) -> Iterator[Case]:
    layout = load_layout("brikks-light")
    for name, chosen in SITUATIONS.items():
        shot = brikks_shot(
            "good", options.seed, number,
            print_of=lambda rng, of=chosen: of.sheet(any_blank(layout, rng), rng),
            hand_of=lambda blank, rng, of=chosen: of.hand(
                visible_hand(layout, blank, rng, held_out=True)
            ),
            conditions=chosen.conditions(GOOD), long_side=chosen.long_side,
        )  # fmt: skip
        yield replace(brikks_case(shot, number), tier=name)


# --- the program ---------------------------------------------------------------------------------

DISTURBANCES: dict[str, Callable[[Namespace, int], Iterator[Case]]] = {
    "tables": on_tables, "distortions": distort, "situations": in_situations,
}  # fmt: skip


def read_disturbed(task: tuple[Namespace, int]) -> list[Outcome]:
    options, number = task
    outcomes = []
    for case in DISTURBANCES[options.what](options, number):
        cv2.setRNGSeed(1)
        outcome, result = read_case(case, case.tier)
        if outcome.is_wrong or options.what == "situations":
            keep(options.failures, case, outcome, result)
        outcomes.append(outcome)
    return outcomes


def parser() -> ArgumentParser:
    found = harness.add_sheets(harness.parser_of(__doc__, (*DISTURBANCES, "files")), 10, 1, SHEETS)
    found.add_argument("--tier", choices=("good", "hard"), default="good", help="of tables")
    found.add_argument("--only", default="", help="kinds whose names contain this")
    found.add_argument("--number", type=int, help="of a broken file to be written")
    return found


def measure(options: Namespace) -> list[harness.Table]:
    what, count = options.what, options.sheets
    if what == "files":
        if options.number is not None:
            name, data = mutations.mutant(options.seed, options.number)
            path = Path(f"mutation-{options.seed}-{options.number}.bin")
            path.write_bytes(data)
            return [[("file", "what was done"), (str(path), name)]]
        return mutations.tables(options.seed, count)
    tasks = [(options, at) for at in range(count)]
    outcomes = [*chain(*harness.in_processes(read_disturbed, tasks, options.processes))]
    heading, group = what[:-1], group_of if what == "tables" else lambda _: "all"
    return [with_sums(outcomes, heading, is_bad, group), with_sums(outcomes, heading, group=group)]


def group_of(outcome: Outcome) -> str:
    return "all harmless" if outcome.row in HARMLESS else "all others"


def is_bad(outcome: Outcome) -> bool:
    """Whether something is wrong that must be right: what hides nothing must change nothing."""
    is_fine = outcome.status == Status.OK and outcome.all_right and not outcome.listed
    return outcome.is_wrong or (outcome.row in HARMLESS and not is_fine)


if __name__ == "__main__":
    harness.main(parser(), measure)
