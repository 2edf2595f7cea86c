"""Each photo is located and observed once a test process, for tests that use this fixture.

Where sheets and boards lie, what is observed there and what is printed on an empty sheet depends
on the picture alone. All that follows (answers, rules, settings, texts, pictures, records) is done
anew in each test.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from brikks_vision import learn, pipeline
from brikks_vision.detect.photo import Photo
from brikks_vision.errors import BrikksError
from brikks_vision.games.blox import game as boards
from brikks_vision.games.blox import learn as boards_learnt
from brikks_vision.games.bloxx import learn as sheets_learnt
from brikks_vision.pipeline import finders
from brikks_vision.reading import NO_SETTINGS, GameSettings

OF_THE_PICTURE = (
    (pipeline, "augmented_pass"),
    (boards, "see_fields"),
    (boards_learnt, "find_lattices"),
    (boards_learnt, "see_fields"),
    (sheets_learnt, "find_grids"),
    (sheets_learnt, "read_print"),
    (sheets_learnt, "find_digits"),
    (learn, "_game_by_markers"),
)
"""Functions of a picture and of where in it they look, by the module that calls them."""

_seen: dict[bytes, Any] = {}
_failed: dict[bytes, BrikksError] = {}


def _once(function: Callable[..., Any], *arguments: Any) -> Any:
    """The function's result for arguments with the same content; raises what it raised."""
    content = pickle.dumps((function.__name__, arguments))
    key = hashlib.blake2b(content).digest()
    if key in _failed:
        raise _failed[key].with_traceback(None)
    if key not in _seen:
        try:
            _seen[key] = function(*arguments)
        except BrikksError as error:
            _failed[key] = error
            raise
    return _seen[key]


@pytest.fixture
def observed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was located and observed in the same picture before is kept."""
    locate, place = finders.located, finders.try_to_place
    see = pipeline.evidence_of

    def found_in(nameless: Photo, *sought: Any) -> tuple[bool, Any]:
        photo, found = locate(nameless, *sought)
        return photo is not nameless, found  # not the picture, of which each test has its own

    def located(photo: Photo, *sought: Any) -> tuple[Photo, Any]:
        is_other, found = _once(found_in, replace(photo, name=""), *sought)
        return photo.flipped() if is_other else photo, found

    def evidence_of(photo: Photo, placed: Any, read: Any, known: GameSettings) -> Any:
        evidence, *read_there = _once(see, replace(photo, name=""), placed, read, NO_SETTINGS)
        return (replace(evidence, known=known), *read_there)

    def placed_in(photo: Photo, boards: Any) -> Any:
        return _once(place, replace(photo, name=""), boards)

    monkeypatch.setattr(finders, "located", located)
    monkeypatch.setattr(finders, "try_to_place", placed_in)
    monkeypatch.setattr(pipeline, "evidence_of", evidence_of)
    for module, name in OF_THE_PICTURE:
        monkeypatch.setattr(module, name, partial(_once, getattr(module, name)))
