"""The evidence of a sheet: everything that a reading follows from, without the photo.

The evidence of one sheet is some 500 numbers, a few kilobytes. It is kept, so that a reading can be
corrected after the photo is gone: what a person says of single marks replaces their evidence, and
the sheet is decoded anew, with its score, doubts and verdict.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from brikks_vision.detect.figures import Figure, Figures
from brikks_vision.detect.marks import Covered, Key, Marks
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
