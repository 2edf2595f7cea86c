"""Each photo is located and observed once a test process, for files that name this plugin.

Where the sheets lie and what is observed there depends on the picture alone. All that follows
(answers, rules, settings, texts, pictures, records) is done anew in each test.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from brikks_vision import pipeline
from brikks_vision.detect.photo import Photo
from brikks_vision.errors import BrikksError
from brikks_vision.pipeline import finders
from brikks_vision.reading import NO_SETTINGS, GameSettings

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
    see, see_again = pipeline.evidence_of, pipeline.augmented_pass

    def found_in(nameless: Photo, *sought: Any) -> tuple[bool, Any]:
        photo, found = locate(nameless, *sought)
        return photo is not nameless, found  # not the picture, of which each test has its own

    def located(photo: Photo, *sought: Any) -> tuple[Photo, Any]:
        is_other, found = _once(found_in, replace(photo, name=""), *sought)
        return photo.flipped() if is_other else photo, found

    def evidence_of(photo: Photo, placed: Any, read: Any, known: GameSettings) -> Any:
        evidence, image = _once(see, replace(photo, name=""), placed, read, NO_SETTINGS)
        return replace(evidence, known=known), image

    def placed_in(photo: Photo, boards: Any) -> Any:
        return _once(place, replace(photo, name=""), boards)

    monkeypatch.setattr(finders, "located", located)
    monkeypatch.setattr(finders, "try_to_place", placed_in)
    monkeypatch.setattr(pipeline, "evidence_of", evidence_of)
    monkeypatch.setattr(pipeline, "augmented_pass", partial(_once, see_again))
