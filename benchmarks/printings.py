"""Other editions of the Brikks sheet: learnt, and known all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from benchmarks.cases import Case, brikks_case, brikks_shot
from brikks_vision import learn_sheet
from brikks_vision.games.printings import parse_printing
from brikks_vision.layout import Layout, load_layout, packaged_layouts
from simulation.brikks.art import render_blank
from simulation.brikks.marking import visible_hand
from simulation.brikks.photos import Shot
from simulation.paper.blank import BlankSheet
from simulation.photos import take_photo

MAX_ACROSS, MAX_DOWN = 0.3, 0.2  # cells by which a field is displaced
PREFIX = "print-"  # of the names of learnt printings
MAX_TRIES = 4  # photos of an empty sheet until one can be learnt


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
