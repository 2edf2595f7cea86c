"""Each photo is located, observed and learnt once a run of the tests that use this fixture.

Where sheets and boards lie, what is observed there and what is printed on an empty sheet depends
on the picture alone, and what the computer player does for a roll on the sheet alone. All that
follows (answers, rules, settings, texts, pictures, records) is done anew in each test. What was
seen lies in a folder that the test processes of a run share, and each test gets a copy of its own.
"""

import hashlib
import io
import os
import pickle
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import partial
from pathlib import Path
from threading import get_ident
from typing import Any

import pytest

from brikks_vision import learn
from brikks_vision.detect.photo import Photo
from brikks_vision.errors import BrikksError
from brikks_vision.games.blox import game as boards
from brikks_vision.games.blox import learn as boards_learnt
from brikks_vision.games.bloxx import bonus_places, print_reading
from brikks_vision.games.bloxx import learn as sheets_learnt
from brikks_vision.games.bloxx import player as bloxx_player
from brikks_vision.games.brikks.player import monte_carlo
from brikks_vision.infer.protocol import Learner
from brikks_vision.pipeline import finders, passes
from brikks_vision.reading import NO_SETTINGS, GameSettings

OF_THE_PICTURE = (
    (boards, "see_fields"),
    (boards_learnt, "find_lattices"),
    (boards_learnt, "see_fields"),
    (sheets_learnt, "find_grids"),
    (print_reading, "read_print"),
    (bonus_places, "find_digits"),
    (learn, "_game_by_markers"),
    (bloxx_player, "judged"),
)
"""Functions of their arguments alone, by the module that calls them: of a picture and of where in
it they look, or of a sheet and a roll."""

RNG = 4  # the argument of `monte_carlo.judged` that it changes


class _ByContent(pickle.Pickler):
    """The same bytes for the same content, whatever was computed of it or is shared within it."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file)
        self.fast = True

    def reducer_override(self, part: Any) -> Any:
        if not is_dataclass(part) or isinstance(part, type):
            return NotImplemented
        return type(part), tuple(getattr(part, each.name) for each in fields(part))


_folder = Path()


@pytest.fixture(scope="session", autouse=True)
def seen_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The folder of the run, beside those of its test processes; pytest removes it in time."""
    global _folder
    own = tmp_path_factory.getbasetemp()
    _folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "seen"
    _folder.mkdir(exist_ok=True)


def _key(*content: Any) -> str:
    _ByContent(written := io.BytesIO()).dump(content)
    return hashlib.blake2b(written.getbuffer(), digest_size=20).hexdigest()


def _once(function: Callable[..., Any], *arguments: Any) -> Any:
    """The function's result for arguments with the same content; raises what it raised."""
    file = _folder / _key(function.__module__, function.__name__, arguments)
    if not file.exists():
        try:
            seen = function(*arguments)
        except BrikksError as error:
            seen = error
        own = file.with_suffix(f".{os.getpid()}-{get_ident()}")  # whole or not there for the others
        own.write_bytes(pickle.dumps(seen))
        own.replace(file)
    seen = pickle.loads(file.read_bytes())
    if isinstance(seen, BrikksError):
        raise seen
    return seen


def _once_nameless(function: Callable[..., Any], photo: Photo, *others: Any) -> Any:
    return _once(function, replace(photo, name=""), *others)


@pytest.fixture
def observed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was located and observed in the same picture before is kept."""
    locate, place = finders.located, finders.try_to_place
    see, judge, learner = passes.evidence_of, monte_carlo.judged, learn._learner

    def found_in(nameless: Photo, *sought: Any) -> tuple[bool, Any]:
        photo, found = locate(nameless, *sought)
        return photo is not nameless, found  # not the picture, of which each test has its own

    def located(photo: Photo, *sought: Any) -> tuple[Photo, Any]:
        is_other, found = _once_nameless(found_in, photo, *sought)
        return photo.flipped() if is_other else photo, found

    def evidence_of(photo: Photo, placed: Any, read: Any, known: GameSettings) -> Any:
        return replace(_once_nameless(see, photo, placed, read, NO_SETTINGS), known=known)

    def placed_in(photo: Photo, boards: Any) -> Any:
        return _once_nameless(place, photo, boards)

    def judged(*sheet: Any, **said: Any) -> Any:
        found, sheet[RNG].bit_generator.state = _once(judged_and_thrown, sheet, said)
        return found

    def judged_and_thrown(sheet: tuple[Any, ...], said: dict[str, Any]) -> Any:
        return judge(*sheet, **said), sheet[RNG].bit_generator.state

    def learner_once(game: str) -> Learner:
        known = learner(game)
        teach = known.with_pieces and partial(_once, known.with_pieces)
        return replace(known, propose=partial(_once_nameless, known.propose), with_pieces=teach)

    monkeypatch.setattr(monte_carlo, "judged", judged)
    monkeypatch.setattr(learn, "_learner", learner_once)
    monkeypatch.setattr(finders, "located", located)
    monkeypatch.setattr(finders, "try_to_place", placed_in)
    monkeypatch.setattr(passes, "evidence_of", evidence_of)
    for module, name in OF_THE_PICTURE:
        monkeypatch.setattr(module, name, partial(_once, getattr(module, name)))
