"""The evidence of a sheet: everything that a reading follows from, without the photo.

The evidence of one sheet is some 500 numbers, a few kilobytes. It is kept, so that a reading can be
corrected after the photo is gone: what a person says of single marks replaces their evidence, and
the sheet is decoded anew, with its score, doubts and verdict.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.figures import Figure, Figures, added_figures
from brikks_vision.detect.marks import (
    NO_SHARED,
    Covered,
    Key,
    Marks,
    Shared,
    added_marks,
    either_covered,
)
from brikks_vision.detect.template import blank_picture
from brikks_vision.errors import DefinitionDamaged
from brikks_vision.layout import Layout, Mark, parse_layout
from brikks_vision.reading import GameSettings

_PARTS = (
    "marks",
    "covered",
    "cancelled",
    "figures",
    "clear",
    "on_sheet",
)  # of its JSON; else settings
_DIGITS = 3
"""Decimal places of log-odds that are kept."""

_NO_KEYS: Mapping[str, Key] = {}


@dataclass(frozen=True)
class Evidence:
    """The evidence of one sheet.

    marks: of the fast pass; of the full pass, if the fast one left something open; or the mean of
    test-time augmentation, if that left a doubt. figures: what the player wrote, by field.
    is_clear: whether it is certain where the sheet lies in the photo, and the photo has kept its
    tones. known: what the user said of the game. on_sheet: the settings of the game that are
    clearly crossed on the sheet, by name; None: its print has no boxes for that.
    """

    marks: Marks
    figures: Figures
    is_clear: bool = True
    known: GameSettings = field(default_factory=dict)
    on_sheet: Mapping[str, int] | None = None


def evidence_json(evidence: Evidence) -> str:
    """The evidence as JSON; `evidence_from_json` reads it."""
    return json.dumps(
        {
            "marks": {
                " ".join(key): array.round(_DIGITS).tolist()
                for key, array in evidence.marks.logits.items()
            },
            "covered": _places_entry(evidence.marks.covered),
            "cancelled": _places_entry(evidence.marks.cancelled),
            "figures": {
                name: [_figure_entry(figure) for figure in figures]
                for name, figures in evidence.figures.items()
            },
            "clear": evidence.is_clear,
            "on_sheet": None if evidence.on_sheet is None else dict(evidence.on_sheet),
            **evidence.known,
        },
        separators=(",", ":"),
    )


def evidence_from_json(text: str, former_keys: Mapping[str, Key] = _NO_KEYS) -> Evidence:
    """The evidence that `evidence_json` wrote.

    former_keys: names of marks in evidence that an earlier version kept.

    Raises
    ------
    KeyError, ValueError
        The text is something else.
    """
    data = json.loads(text)
    marks = {
        _key(name, former_keys): np.array(values, np.float64)
        for name, values in data["marks"].items()
    }
    covered, cancelled = (
        {name: np.array(places, np.bool_) for name, places in data.get(key, {}).items()}
        for key in ("covered", "cancelled")
    )
    figures = data["figures"]
    if isinstance(figures, list):
        figures = {"rows": figures[:-1], "total": figures[-1:]}
    return Evidence(
        Marks(marks).with_covered(covered).with_cancelled(cancelled),
        {name: tuple(_figure(*entry) for entry in entries) for name, entries in figures.items()},
        data["clear"],
        {name: value for name, value in data.items() if name not in _PARTS and value is not None},
        data.get("on_sheet"),
    )


def _places_entry(places: Covered) -> dict[str, Any]:
    return {name: array.astype(int).tolist() for name, array in places.items()}


def _key(name: str, former_keys: Mapping[str, Key]) -> Key:
    if name in former_keys:
        return former_keys[name]
    field, mark = name.split()
    return field, mark


def _figure_entry(figure: Figure) -> list[Any]:
    others = [[value, float(f"{chance:.3g}")] for value, chance in figure.others]
    return [figure.value, round(figure.probability, 4), others]


def _figure(value: int | None, probability: float, others: Sequence[Any] = ()) -> Figure:
    """``others`` is missing in evidence that the first version kept."""
    return Figure(value, probability, tuple((other, chance) for other, chance in others))


SURE = 4.0
"""Log-odds beyond which a mark is sure. Measured on photos of 30 sheets in hard light: two of
one state contradict each other by 2.5 at most; where one mark is more, by 6.4 and more in 27 of 30,
and it is a doubt in the others."""
CONTRARY = 2.5
"""Log-odds for and against a mark that two photos do not tell of one state: see `SURE`."""


def parsed_sheet(
    data: Mapping[str, Any], source: object, check: Callable[[Layout], None] | None = None
) -> Layout:
    """A sheet from the data of its definition.

    check: whether it is a sheet of the game; raises KeyError, TypeError, ValueError or
        AttributeError where it is not.

    Raises
    ------
    DefinitionDamaged
    """
    try:
        layout = parse_layout(data)
    except ValueError as error:
        raise DefinitionDamaged(source, *error.args) from None
    try:
        if check is not None:
            check(layout)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise DefinitionDamaged(source, "printed") from None
    blank_picture(layout)
    return layout


def combined(
    photos: Sequence[Evidence], layout: Any, shared: Mapping[Key, Shared] = NO_SHARED
) -> Evidence:
    """The evidence of one or more photos of the same sheet in the same state, added.

    A photo that leaves open where the sheet lies counts only where all others do. Where one plainly
    shows a mark and another plainly none, something may lie in either: the place is covered.
    shared: as of `added_marks`.
    """
    clear = [photo for photo in photos if photo.is_clear] or photos
    settings = [photo.on_sheet for photo in clear if photo.on_sheet is not None]
    crossed = {name: value for each in settings for name, value in each.items()}
    marks = added_marks([photo.marks for photo in clear], shared)
    for one, other in permutations(clear, 2):
        contrary = _by_field(surely_gone(one, other, CONTRARY))
        marks = marks.with_covered(either_covered(marks.covered, contrary))
    return replace(
        clear[0],
        marks=marks,
        figures=added_figures(
            [photo.figures for photo in clear], [photo.marks.covered for photo in clear]
        ),
        on_sheet=crossed if settings else None,
    )


def contradicts(one: Evidence, other: Evidence) -> bool:
    """Whether two photos show different states: many places are surely marked in one of them only.

    On few something can lie that hides a mark or is taken for one, or they are misread.
    """
    from brikks_vision.infer.sameness import MAX_SURE_DIFFERENCES

    gone = (_by_field(surely_gone(*both)) for both in ((one, other), (other, one)))
    return max(sum(int(each.sum()) for each in of.values()) for of in gone) > MAX_SURE_DIFFERENCES


def _by_field(marked: Mapping[Key, NDArray[np.bool_]]) -> Covered:
    """The places that bear any of the marks."""
    return reduce(either_covered, ({name: places} for (name, _), places in marked.items()), {})


def surely_gone(one: Evidence, other: Evidence, sure: float = SURE) -> dict[Key, NDArray[np.bool_]]:
    """By field and mark, the places that are surely marked in one photo and surely not in another.

    Lines are left out: they count only beside marks, which are seen more surely.
    """
    gone = {}
    for (name, mark), logits in one.marks.logits.items():
        if mark == Mark.LINE:
            continue
        places = (logits > sure) & (other.marks[name, mark] < -sure)
        if mark == Mark.RING:  # which is not told in a place that is crossed
            for photo in (one, other):
                crossed = photo.marks.logits.get((name, Mark.CROSS))
                places &= True if crossed is None else crossed < 0
        gone[name, mark] = places
    return gone
