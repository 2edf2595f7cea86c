"""Photos of one sheet in the course of its game: marks are only added, so all photos tell of each.

Which marks a photo shows is decided over all photos at once: of all points in a game at which a
mark can have been made, the one that they show best (maximum likelihood of one change point).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brikks_vision.decode.defaults import SURE, surely_gone
from brikks_vision.decode.evidence import Evidence
from brikks_vision.decode.followed import Shown
from brikks_vision.decode.sameness import MAX_SURE_DIFFERENCES
from brikks_vision.detect.fusion import OF_A_GAME
from brikks_vision.detect.marks import Key, Marks
from brikks_vision.errors import PhotoOfAnother, PhotosOutOfOrder
from brikks_vision.layout import CELL, HORIZONTAL, VERTICAL, Mark

MAX_GONE = 0.25
"""Share of the marks that a player may have taken back; of another sheet more are missing."""

Array = NDArray[np.float64]
Read = Callable[[str, Evidence, Any, Mapping[str, str]], tuple[Any, Any]]
"""As of `Game.read`."""


def read_in_order(shown: Sequence[Shown], read: Read) -> list[tuple[Any, Any]]:
    """The reading and the posterior of each photo, as all of them together show it.

    shown: two or more photos of one sheet, in the order in which they were taken.

    Raises
    ------
    PhotosOutOfOrder, PhotoOfAnother
    """
    names = [each.reading.photo for each in shown]
    photos = [each.evidence for each in shown]
    check_order(names, photos)
    return [
        read(name, evidence, each.layout, {})
        for name, evidence, each in zip(names, smoothed(photos), shown, strict=True)
    ]


def check_order(names: Sequence[str], photos: Sequence[Evidence]) -> None:
    """Raises PhotosOutOfOrder and PhotoOfAnother, where marks are surely gone in later photos."""
    gone = np.array(
        [[_count([*surely_gone(one, other).values()]) for other in photos] for one in photos]
    )
    if np.triu(gone).max() <= MAX_SURE_DIFFERENCES:
        return
    marks = np.array([_count([array > 0 for array in _made(each)]) for each in photos])
    order = np.argsort(marks, kind="stable")
    if np.triu(gone[np.ix_(order, order)]).max() <= MAX_SURE_DIFFERENCES:
        raise PhotosOutOfOrder(", ".join(names[number] for number in order))
    both = np.minimum(gone, gone.T)
    differs = both > np.maximum(MAX_SURE_DIFFERENCES, MAX_GONE * np.minimum.outer(marks, marks))
    if differs.any():
        number = len(names) - 1 - int(differs.sum(axis=1)[::-1].argmax())
        first = int(differs[number].argmax())
        raise PhotoOfAnother(names[number], names[first])


def are_two_sheets(one: Evidence, other: Evidence) -> bool:
    """Whether both have outlines that the other has not, around cells that are crossed in both.

    A cell is outlined with its group, and then no other way.
    """
    crossed = np.logical_and(*(photo.marks[CELL, Mark.CROSS] > SURE for photo in (one, other)))
    inner: Sequence[tuple[str, Any, Any]] = (
        (VERTICAL, np.s_[:, 1:-1], crossed[:, 1:] & crossed[:, :-1]),
        (HORIZONTAL, np.s_[1:-1], crossed[1:] & crossed[:-1]),
    )
    gone = [
        sum(
            int(np.sum(between & (was[edges] > SURE) & (now[edges] < -SURE)))
            for name, edges, between in inner
            for was, now in [[photo.marks[name, Mark.LINE] for photo in photos]]
        )
        for photos in ((one, other), (other, one))
    ]
    return bool(min(gone) > MAX_SURE_DIFFERENCES)


def smoothed(photos: Sequence[Evidence]) -> list[Evidence]:
    """What each photo shows, as all of them tell it together.

    Marks that a player seems to have taken back are left as each photo shows them: more than may be
    misread are surely in a photo and surely not in a later one, nor again after it. Of a photo that
    leaves open where the sheet lies nothing counts where others are clear. What something hides is
    known where the photos around it agree.
    """
    are_any_clear = any(photo.is_clear for photo in photos)
    shown = {
        key: np.stack([_shown(photo, key, are_any_clear) for photo in photos])
        for key in photos[0].marks.logits
    }
    gone = {key: _gone(seen) for key, seen in shown.items() if key[1] != Mark.LINE}
    counts = sum(each.reshape(len(photos), -1).sum(axis=1) for each in gone.values())
    are_back = np.asarray(counts > MAX_SURE_DIFFERENCES)
    logs: list[dict[Key, Array]] = [{} for _ in photos]
    for key, seen in shown.items():
        together = _together(seen)
        if key in gone and are_back.any():
            together = np.where(gone[key][are_back].any(axis=0), seen, together)
        for of_photo, log in zip(logs, together, strict=True):
            of_photo[key] = log
    return [
        replace(photo, marks=_uncovered(photo.marks, log))
        for photo, log in zip(photos, logs, strict=True)
    ]


def _shown(photo: Evidence, key: Key, are_any_clear: bool) -> Array:
    """The log-odds of a photo; 0 where it does not tell."""
    logits = photo.marks[key]
    if are_any_clear and not photo.is_clear:
        return np.zeros_like(logits)
    crossed = photo.marks.logits.get((key[0], Mark.CROSS))
    if key[1] == Mark.RING and crossed is not None:
        return np.where(crossed > 0, 0.0, logits)
    return logits


def _gone(seen: Array) -> NDArray[np.bool_]:
    """Where a mark is surely gone, (photos, ...): surely not there, but before, and not again."""
    was_there = np.maximum.accumulate(seen, axis=0) > SURE
    comes = np.maximum.accumulate(seen[::-1], axis=0)[::-1] > SURE
    return np.asarray(was_there & ~comes & (seen < -SURE))


def _together(seen: Array) -> Array:
    """Log-odds that a mark was made by each photo, (photos, ...), from those of each by itself.

    The best point at which it was made by then against the best later one; the photos between both
    tell which it was.
    """
    made = np.concatenate([seen[::-1].cumsum(axis=0)[::-1], np.zeros_like(seen[:1])])
    found = np.empty_like(seen)
    for photo in range(len(seen)):
        by_then = made[: photo + 1].argmax(axis=0)
        later = photo + 1 + made[photo + 1 :].argmax(axis=0)
        both = np.stack([by_then, later])
        best, other = np.take_along_axis(made, both, axis=0)
        found[photo] = (best - other) / (later - by_then) ** OF_A_GAME
    return found


def _uncovered(marks: Marks, logs: Mapping[Key, Array]) -> Marks:
    """The marks with these log-odds; a place stays covered where one of them is not sure."""
    covered = {
        name: places
        & np.logical_or.reduce(
            [np.abs(log) <= SURE for (field, mark), log in logs.items() if field == name]
            or [places]
        )
        for name, places in marks.covered.items()
    }
    return Marks(logs).with_covered(covered)


def _made(photo: Evidence) -> list[Array]:
    return [logits for (_, mark), logits in photo.marks.logits.items() if mark != Mark.LINE]


def _count(of_keys: Sequence[NDArray[np.bool_]]) -> int:
    return int(sum(each.sum() for each in of_keys))
