"""The photos of Brikks in ``tests/fixtures`` and ``samples``, with their truth.

A truth file has the marks and points as drawn: ``grid``, ``blocks`` (empty where the player drew
no outlines), ``energy``, ``bonus_crosses``, ``bombs_used``, ``score``, ``violations`` (codes),
``written`` (the player's own figures), ``corners`` (of the grid, px) and how the photo was made;
or the ``error`` that refuses the photo, and its ``facts``; or ``sheets``, left to right, of a photo
of several.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import cv2
import numpy as np

from brikks_vision.layout import Layout, load_layout
from brikks_vision.rules.brikks.blocks import SheetState, blank_sheet
from brikks_vision.rules.brikks.placement import color_of
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.bad_photos import BAD_SCENES, BadScene
from simulation.brikks.faults import broken_rules
from simulation.brikks.games import play_sheet
from simulation.brikks.marking import draw_state
from simulation.brikks.photos import Shot, shoot
from simulation.brikks.scenes import SAMPLES, SCENES, SEVERAL, Scene, SeveralScene, blank_of
from simulation.brikks.several_sheets import players_sheets
from simulation.camera import compress, facing
from simulation.files import MAX_BYTES
from simulation.hand import Hand
from simulation.paper.blank import BlankSheet
from simulation.several_sheets import SeveralShot, lay_side_by_side, shoot_several

Truth = dict[str, Any]
Take = Callable[[], tuple[bytes, Truth | None]]
MAX_TRIES = 200


def fixtures() -> dict[str, Take]:
    """What makes each photo file and its truth, by the path of the file in the repository."""
    layout = load_layout("brikks-light")
    of_tests: dict[str, Take] = {
        **{scene.file: partial(take, scene, layout) for scene in SCENES},
        **{scene.file: partial(take_several, scene, layout) for scene in SEVERAL},
        **{scene.file: partial(take_bad, scene, layout) for scene in BAD_SCENES},
    }
    return {
        **{f"tests/fixtures/{file}": take_it for file, take_it in of_tests.items()},
        **{f"samples/{scene.file}": partial(_take_sample, scene, layout) for scene in SAMPLES},
    }


def _take_sample(scene: Scene, layout: Layout) -> tuple[bytes, None]:
    return take(scene, layout)[0], None


# --- one sheet -----------------------------------------------------------------------------------


def take(scene: Scene, layout: Layout) -> tuple[bytes, Truth]:
    """The photo file of a scene and its truth."""
    played = scene.game(load_sheet(layout.name), random.Random(scene.seed))
    for attempt in range(MAX_TRIES):
        rng = np.random.default_rng([scene.seed, attempt])
        cv2.setRNGSeed(scene.seed)
        blank, hand = blank_of(scene.sheet, layout, rng), scene.hand(rng)
        if scene.ink_left:
            state = played.state
            blank = rubbed_out(blank, layout, state, hand, rng, scene.ink_left)
        shot = shoot(
            layout,
            blank,
            played,
            hand,
            rng,
            scene.tier,
            scene.long_side,
            layout.page,
        )
        if (
            scene.facing in (None, facing(shot.placement.pose))
            and _is_plain(shot, layout)
            and len(data := scene.save(shot)) <= MAX_BYTES
        ):
            return data, truth_of(scene, shot, layout)
    raise RuntimeError(f"no photo for {scene.file}")


def rubbed_out(
    blank: BlankSheet,
    layout: Layout,
    state: SheetState,
    hand: Hand,
    rng: np.random.Generator,
    ink_left: float,
) -> BlankSheet:
    """The paper with what is left of a cross in a cell that is empty, and would change the total.

    ``ink_left`` : share of its ink, 0 to 1. Raises `RuntimeError` where there is no such cell.
    """
    points = score(state).total
    cells = [
        cell
        for cell in sorted(set(layout.grid.cells) - state.crossed)
        if score(replace(state, crossed=state.crossed | {cell})).total != points
    ]
    if not cells:
        raise RuntimeError("no cross more would change the total")
    one_cross = replace(blank_sheet(load_sheet(layout.name)), crossed=frozenset({cells[0]}))
    tidy = replace(hand, writes_rows=False, writes_total=False)
    while True:
        drawn, bears = draw_state(blank, layout, one_cross, tidy, rng)
        if not bears.cancelled:  # nothing else is rubbed out
            break
    faint = cv2.addWeighted(drawn, ink_left, blank.image, 1 - ink_left, 0)
    return replace(blank, image=np.asarray(faint, np.uint8))


def _is_plain(shot: Shot, layout: Layout) -> bool:
    """No mark is cancelled, and the player added up rightly."""
    points = score(shot.played.state)
    rows = [_number(text) for text in shot.drawn.figures["rows"]]
    total = _number(shot.drawn.figures["total"][0])
    return (
        not shot.drawn.cancelled
        and all(own in (None, right) for own, right in zip(rows, points.rows, strict=True))
        and total in (None, points.total)
    )


def _number(text: str) -> int | None:
    return 0 if text == "-" else int(text) if text else None


def truth_of(scene: Scene, shot: Shot, layout: Layout) -> Truth:
    """All that is true of a photo, in the words of a reading."""
    state, played = shot.played.state, shot.played
    if shot.hand.outlines == "none":
        state = replace(state, blocks=())
    corners = shot.placement.to_photo(np.asarray(layout.grid.box.corners))
    return {
        "shows": scene.shows,
        "tier": scene.tier,
        "sheet": scene.sheet,
        "writers": "held out",
        "players": played.players,
        "level": played.level,
        "variant": played.variant,
        "grid": _grid_signs(state, layout),
        "blocks": [
            {"color": color_of(block, state.sheet), "cells": [list(cell) for cell in sorted(block)]}
            for block in state.blocks
        ],
        "energy": [str(mark) for mark in state.energy],
        "bonus_crosses": sum(state.bonus),
        "bombs_used": sum(state.bombs),
        "score": asdict(score(state)),
        "violations": broken_rules(state, state.sheet),
        "written": {
            "rows": [_number(text) for text in shot.drawn.figures["rows"]],
            "total": _number(shot.drawn.figures["total"][0]),
        },
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in corners],
        "cell_size": round(shot.placement.cell_size(), 1),
    }


def _grid_signs(state: SheetState, layout: Layout) -> list[str]:
    grid = layout.grid
    return [
        "".join("X" if (row, column) in state.crossed else "." for column in range(grid.columns))
        for row in range(grid.rows)
    ]


# --- several sheets ------------------------------------------------------------------------------


def take_several(scene: SeveralScene, layout: Layout) -> tuple[bytes, Truth]:
    """The photo file of a scene and its truth."""
    dice, rng = random.Random(scene.seed), np.random.default_rng(scene.seed)
    cv2.setRNGSeed(scene.seed)
    blank = blank_of(scene.sheet, layout, rng)
    players = [
        (blank, play_sheet(load_sheet(layout.name), dice, scene.sheets, 2), scene.hand(rng))
        for _ in range(scene.sheets)
    ]
    marked = players_sheets(players, layout, rng)
    sheets = lay_side_by_side(marked, layout.page, rng, scene.upside_down)
    shot = shoot_several(sheets, rng, scene.tier, scene.long_side)
    data, quality = shot.data, 92
    while len(data) > MAX_BYTES:
        quality -= 4
        data = compress(shot.image, quality)
    sheets_truth = [_sheet_truth(shot, at, layout) for at in shot.left_to_right(layout)]
    return data, {"shows": scene.shows, "sheet": scene.sheet, "sheets": sheets_truth}


def _sheet_truth(shot: SeveralShot, at: int, layout: Layout) -> Truth:
    state = shot.sheets[at].marked.played.state
    corners = shot.places[at].to_photo(np.asarray(layout.grid.box.corners, float))
    return {
        "grid": _grid_signs(state, layout),
        "score": asdict(score(state)),
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in corners],
        "cell_size": round(shot.places[at].cell_size(), 1),
    }


# --- photos that are refused ---------------------------------------------------------------------


def take_bad(scene: BadScene, layout: Layout) -> tuple[bytes, Truth]:
    """The photo file of a scene and its truth."""
    cv2.setRNGSeed(scene.seed)
    data = scene.picture(layout, np.random.default_rng(scene.seed), random.Random(scene.seed))
    return data, {"shows": scene.shows, "error": scene.error, "facts": dict(scene.facts or {})}
