"""The photos of BLOXX! in ``tests/fixtures/bloxx`` and ``samples``, with their truth.

A truth file has the marks and points as drawn, in the words of a reading: ``grid``, ``shapes``
(empty where the player drew no outlines), ``row_bonus``, ``written``, ``score``, ``violations``
(codes), ``corners`` (of the grid, px) and how the photo was made; for a printing that is not
packaged also its ``layout``, the decoded JSON.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import cv2
import numpy as np

from brikks_vision.layout import Layout, load_layout, parse_layout
from brikks_vision.rules.bloxx.state import BonusMark, SheetState, score
from simulation.bloxx.art import render_blank, sheet_of
from simulation.bloxx.faults import broken_rules
from simulation.bloxx.hands import marked_spots
from simulation.bloxx.layouts import random_printing
from simulation.bloxx.photos import OWN, Shot, printed_blank, shoot
from simulation.bloxx.scenes import OTHER, OWN_PRINT, SAMPLES, SCENES, Scene
from simulation.camera import facing
from simulation.files import MAX_BYTES, as_jpeg
from simulation.hand import shows_at
from simulation.paper.blank import BlankSheet

Truth = dict[str, Any]
Take = Callable[[], tuple[bytes, Truth | None]]
MAX_TRIES = 200
PIXELS_PER_CELL = 40
PRINTED_SCORE = ("rows", "numbers", "penalty", "total")


def fixtures() -> dict[str, Take]:
    """What makes each photo file and its truth, by the path of the file in the repository."""
    of_tests: dict[str, Take] = {
        f"tests/fixtures/bloxx/{scene.file}": partial(take, scene) for scene in SCENES
    }
    return {
        **of_tests,
        **{f"samples/{scene.file}": partial(_take_sample, scene) for scene in SAMPLES},
    }


def _take_sample(scene: Scene) -> tuple[bytes, None]:
    return take(scene)[0], None


def take(scene: Scene) -> tuple[bytes, Truth]:
    """The photo file of a scene and its truth."""
    layout, printing = _layout_of(scene)
    played = scene.game(sheet_of(layout), random.Random(scene.seed))
    for attempt in range(MAX_TRIES):
        rng = np.random.default_rng([scene.seed, attempt])
        cv2.setRNGSeed(scene.seed)
        blank, hand = _blank_of(scene, layout, rng), scene.hand(rng)
        if not shows_at(hand, blank, marked_spots(layout)):
            continue
        shot = shoot(
            layout, blank, played, hand, rng, scene.tier, scene.long_side, layout.page
        )  # fmt: skip
        is_confident = all((marks != 0.5).all() for marks in shot.marked.drawn.marks.values())
        if (
            is_confident
            and scene.facing in (None, facing(shot.placement.pose))
            and len(data := as_jpeg(shot)) <= MAX_BYTES
        ):
            return data, _truth(scene, shot, printing)
    raise RuntimeError(f"no photo for {scene.file}")


def _layout_of(scene: Scene) -> tuple[Layout, dict[str, Any] | None]:
    """The layout of a scene, and its decoded JSON where it is not packaged."""
    if scene.sheet != OTHER:
        return load_layout(OWN), None
    printing = random_printing(np.random.default_rng(scene.printing))
    return parse_layout(printing), printing


def _blank_of(scene: Scene, layout: Layout, rng: np.random.Generator) -> BlankSheet:
    """The same art for all scenes of one printing."""
    if scene.sheet == OWN_PRINT:
        return printed_blank()
    if scene.sheet == OTHER:
        rng = np.random.default_rng(scene.printing)
    return render_blank(layout, rng, PIXELS_PER_CELL)


def _truth(scene: Scene, shot: Shot, printing: dict[str, Any] | None) -> Truth:
    """All that is true of a photo, in the words of a reading."""
    played, state, layout = shot.marked.played, shot.marked.seen, shot.layout
    corners = shot.placement.to_photo(np.asarray(layout.grid.box.corners))
    points = asdict(score(state))
    truth: Truth = {
        "shows": scene.shows,
        "tier": scene.tier,
        "sheet": scene.sheet,
        "writers": "held out",
        "pen": shot.marked.hand.pen.kind,
        "players": played.players,
        "grid": ["".join(row) for row in state.grid],
        "shapes": [
            {"cells": [list(cell) for cell in sorted(shape)], "circle": _circle(state, shape)}
            for shape in state.shapes
        ],
        "row_bonus": _row_bonuses(state),
        "written": asdict(played.written),
        "score": {name: points[name] for name in PRINTED_SCORE},
        "violations": broken_rules(replace(played, state=state)),
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in corners],
        "cell_size": round(shot.placement.cell_size(), 1),
    }
    if printing is not None:
        truth["layout"] = printing
    return truth


def _circle(state: SheetState, shape: frozenset[tuple[int, int]]) -> list[int] | None:
    circle = state.circle_of(shape)
    return None if circle is None else list(circle)


def _row_bonuses(state: SheetState) -> list[Truth]:
    """What is circled and struck for each coloured row, top first."""
    found = []
    for row, marks in zip(state.sheet.colored_rows, state.bonuses, strict=True):
        by_mark: dict[BonusMark, list[int]] = {mark: [] for mark in BonusMark}
        for bonus, mark in zip(row.bonuses, marks, strict=True):
            by_mark[mark].append(bonus)
        circled = by_mark[BonusMark.CIRCLED]
        found.append(
            {
                "row": row.row,
                "color": row.color,
                "circled": max(circled, default=None),
                "struck": by_mark[BonusMark.STRUCK],
            }
        )
    return found
