"""Things laid on photos hide what is said to be hidden, and outcomes are counted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import surfaces, things_on_sheets
from benchmarks.outcomes import Outcome, compared, table_of
from benchmarks.robustness import KINDS, group_of, is_bad
from benchmarks.things_on_sheets import (
    COVERING,
    HARMLESS,
    Scene,
    covered_photo,
    hidden_places,
    on,
    places_of,
    scene_of,
)
from brikks_vision import scan
from brikks_vision.layout import load_layout
from brikks_vision.reading import Reading
from simulation.brikks.art import render_blank
from simulation.photos import take_photo

LAYOUT = load_layout("brikks-light")
ALLOWED = frozenset({"written-row"})
HIDDEN = frozenset({"cell 3,4", "cell 3,5"})
TOUCHED = HIDDEN | {"cell 4,4"}


@pytest.fixture(scope="module")
def scene() -> Scene:
    rng = np.random.default_rng(4)
    blank = render_blank(LAYOUT, rng, 20)
    photo = take_photo(blank.image, blank, LAYOUT.page, rng, "good", 800, LAYOUT.page)
    return scene_of(photo, LAYOUT, rng)


def test_a_coin_hides_the_place_under_it_and_none_far_from_it(scene: Scene) -> None:
    rng = np.random.default_rng(1)
    places = places_of(LAYOUT, scene.cell_mm)
    middle = next(place.centre for place in places if place.name == "cell 5,5")
    image, alpha = things_on_sheets.laid(scene, surfaces.coin(rng), np.array(middle), 0.3, rng)
    hidden, touched = hidden_places(scene, places, alpha)
    assert "cell 5,5" in hidden
    assert set(hidden) <= set(touched) < {f"cell {row},{at}" for row in (3, 4, 5, 6, 7)
                                          for at in (3, 4, 5, 6, 7)}  # fmt: skip
    far = np.hypot(*np.moveaxis(scene.points - np.float32(middle), -1, 0)) > 60
    assert np.array_equal(image[far], scene.image[far])


@pytest.mark.parametrize("kind", [*COVERING, *HARMLESS])
def test_each_kind_hides_places_or_none(scene: Scene, kind: str) -> None:
    lay, hides = (COVERING | HARMLESS)[kind], kind in COVERING
    found = next(
        found
        for seed in range(9)
        if (found := covered_photo(scene, LAYOUT, lay, hides, np.random.default_rng(seed)))
    )
    assert bool(found.hidden) is hides
    assert set(found.hidden) <= set(found.touched)
    changed = np.abs(found.image - scene.image).max(axis=2) > 3
    assert changed.any() and not changed.all()
    if kind == "beside":
        assert not (found.alpha[on(scene.marked, scene.points)] > 0.05).any()


def test_a_thing_is_always_the_same_of_a_seed(scene: Scene) -> None:
    one, other = (
        covered_photo(scene, LAYOUT, COVERING["die"], True, np.random.default_rng(6))
        for _ in range(2)
    )
    assert one and other and np.array_equal(one.image, other.image)


def reading(**facts: object) -> Reading:
    """What is told of a sheet that is read surely as 102 points, with other facts."""
    told = scan("samples/arcade.jpg").to_dict()
    return Reading.from_dict(told | facts)


def laid(total: int = 102, kind: str = "die", **facts: object) -> Outcome:
    """A photo whose sheet truly has this total, read as `reading` says."""
    start = Outcome(kind, true=total, hidden=HIDDEN, touched=TOUCHED)
    return compared(start, reading(**facts), {}, {}, ALLOWED)


def test_a_wrong_total_is_silent_only_under_status_ok() -> None:
    assert not laid().is_wrong
    sure = laid(90)
    assert sure.silent and sure.outside and sure.is_wrong
    unsure = laid(90, status="uncertain", total_range=[80, 102])
    assert not unsure.silent and not unsure.outside


def test_only_rules_that_the_sheet_keeps_are_accusations() -> None:
    violations = [
        {"rule": rule, "where": [], "message": "", "confidence": 1.0, "part": "grid"}
        for rule in ("written-row", "floating")
    ]
    assert laid(violations=violations).accused == ("floating",)


def test_what_hides_nothing_must_leave_the_reading_sure() -> None:
    stain, die = laid(kind="stain", status="uncertain"), laid(kind="die", status="uncertain")
    assert is_bad(stain) and not is_bad(die)
    assert (group_of(stain), group_of(die)) == ("all harmless", "all that hide")


def test_places_that_are_called_covered_are_counted_where_something_hides_any() -> None:
    listed = frozenset({"cell 3,4", "cell 4,4", "cell 9,9", "bomb 1"})
    stained = replace(laid(kind="stain"), hidden=frozenset(), touched=frozenset())
    head, die, stain = table_of([replace(laid(), listed=listed), stained], "thing")
    at = head.index("hidden listed")
    assert (die[0], die[at : at + 2]) == ("die", ("50 %", "50 %"))
    assert (stain[0], stain[at : at + 2]) == ("stain", ("-", "-"))


def test_every_kind_is_in_one_table() -> None:
    assert len(set(KINDS)) == len(KINDS) == len(COVERING) + len(HARMLESS) + 1
