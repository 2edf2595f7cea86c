"""Photos that tests of one process look at once; named in ``pytest_plugins`` of the files that do.

Where the sheets lie and what is seen there follows from the picture alone. Whatever is made of that
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

from brikks_vision import finders, pipeline
from brikks_vision.detect.photo import Photo
from brikks_vision.errors import BrikksError

_seen: dict[bytes, Any] = {}


def _once(function: Callable[..., Any], *arguments: Any) -> Any:
    """What the function gives for arguments of the same content; raises what it raised."""
    content = pickle.dumps((function.__name__, arguments))
    key = hashlib.blake2b(content).digest()
    if key not in _seen:
        try:
            _seen[key] = function(*arguments)
        except BrikksError as error:
            _seen[key] = error
    if isinstance(_seen[key], BrikksError):
        raise _seen[key].with_traceback(None)
    return _seen[key]


@pytest.fixture
def looks_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was located and seen in the same picture before is known."""
    locate, see, see_again = finders.located, pipeline.evidence_of, pipeline.augmented_pass

    def found_in(nameless: Photo, *sought: Any) -> tuple[bool, Any]:
        photo, found = locate(nameless, *sought)
        return photo is not nameless, found  # not the picture, of which each test has its own

    def located(photo: Photo, *sought: Any) -> tuple[Photo, Any]:
        is_other, found = _once(found_in, replace(photo, name=""), *sought)
        return photo.flipped() if is_other else photo, found

    def evidence_of(photo: Photo, *looked_for: Any) -> Any:
        return _once(see, replace(photo, name=""), *looked_for)

    monkeypatch.setattr(finders, "located", located)
    monkeypatch.setattr(pipeline, "evidence_of", evidence_of)
    monkeypatch.setattr(pipeline, "augmented_pass", partial(_once, see_again))
