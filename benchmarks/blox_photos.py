"""How right are boards of BLOX read? ``python -m benchmarks.blox_photos FOLDER [FOLDER ...]``.

The folders are those that ``python -m simulation.blox.samples FOLDER --positions games`` or
``--positions empty`` writes: photos, and what is true of each beside it. A position is read on its
true board; an empty board is learnt. It prints a line for each view, and the reading's time as a
multiple of that of ``cv2.imread`` of the same photo, a median.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from brikks_vision import learn_sheet, scan
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.games.blox.told import BloxReading
from brikks_vision.reading import Status
from brikks_vision.rules.blox.board import FIELDS, parse_board
from simulation.blox.notation import read_position

Standing = Mapping[tuple[int, int], object]
"""By field, the height of a tower or the colour of a pawn."""


@dataclass
class Counts:
    """What came of the photos of one view; ``ratios``: times as multiples of a plain decode."""

    of: Counter[str] = field(default_factory=Counter)
    ratios: list[float] = field(default_factory=list)

    def share(self, what: str, whole: str) -> str:
        return f"{100 * self.of[what] / self.of[whole]:.1f} %" if self.of[whole] else "-"


def true_standing(facts: Mapping[str, Any]) -> Standing:
    position = read_position(facts["position"], parse_board(facts))
    towers = {place: tower.height for place, tower in position.towers.items()}
    return {**towers, **{place: str(pawn) for place, pawn in position.pawns.items()}}


def read_standing(reading: BloxReading) -> Standing:
    towers: dict[tuple[int, int], object] = {each.field: each.height for each in reading.towers}
    return {**towers, **{each.field: each.color for each in reading.pawns}}


def turns_of(rows: Sequence[str]) -> Iterable[tuple[str, ...]]:
    """A board from each of its four sides."""
    letters = np.array([list(row) for row in rows])
    return [tuple("".join(row) for row in np.rot90(letters, turn)) for turn in range(4)]


def count_position(photo: Path, facts: Mapping[str, Any], board: Path, counts: Counts) -> None:
    """Read a position on its board and compare it."""
    reading = scan(photo, sheet=board)
    counts.of["photos"] += 1
    if not isinstance(reading, BloxReading):
        counts.of["unread"] += 1
        return
    true, read = true_standing(facts), read_standing(reading)
    wrong = [place for place in FIELDS if true.get(place) != read.get(place)]
    doubted = {doubt.where for doubt in reading.doubts}
    is_sure = reading.status is Status.OK
    counts.of["right"] += not wrong
    counts.of["ok"] += is_sure
    counts.of["silent wrong"] += is_sure and bool(wrong)
    counts.of["fields"] += len(FIELDS)
    counts.of["fields right"] += len(FIELDS) - len(wrong)
    counts.of["wrong"] += len(wrong)
    counts.of["wrong and doubted"] += sum(f"field {row},{column}" in doubted
                                          for row, column in wrong)  # fmt: skip
    counts.of["doubts"] += len(doubted)
    counts.of["accused"] += bool(reading.violations)


def count_empty(photo: Path, facts: Mapping[str, Any], counts: Counts) -> None:
    """Learn an empty board and compare it."""
    counts.of["boards"] += 1
    try:
        learnt = learn_sheet(photo, "blox")
    except PhotoUnreadable:
        counts.of["not learnt"] += 1
        return
    is_right = tuple(json.loads(learnt.to_json())["field_colors"]) in turns_of(
        facts["field_colors"]
    )
    counts.of["colours right"] += is_right
    counts.of["without doubt"] += not learnt.doubts
    counts.of["silent wrong"] += not is_right and not learnt.doubts


def seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def count(photo: Path, board: Path, by_view: Mapping[str, Counts]) -> None:
    """Read or learn a photo. ``board``: a file to write its true board to."""
    facts = json.loads(photo.with_suffix(".json").read_text("utf-8"))
    counts = by_view[facts["view"]]
    definition = {"version": 1, "name": "true", "title": "BLOX", "game": "blox"}
    board.write_text(json.dumps({**definition, "field_colors": facts["field_colors"]}), "utf-8")
    if not true_standing(facts):
        count_empty(photo, facts, counts)
        return
    count_position(photo, facts, board, counts)
    ours = min(seconds(lambda: scan(photo, sheet=board)) for _ in range(2))
    counts.ratios.append(ours / min(seconds(lambda: cv2.imread(str(photo))) for _ in range(2)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    photos = [
        photo for folder in parser.parse_args().folders for photo in sorted(folder.glob("*.jpg"))
    ]
    by_view: dict[str, Counts] = defaultdict(Counts)
    with TemporaryDirectory() as folder:
        for photo in photos:
            count(photo, Path(folder) / "board.json", by_view)
    for view, counts in by_view.items():
        print(f"{view}: {dict(counts.of)}")
        if counts.ratios:
            print(f"  fields right {counts.share('fields right', 'fields')}")
            print(f"  of the wrong ones doubted {counts.share('wrong and doubted', 'wrong')}")
            print(f"  time: {statistics.median(counts.ratios):.1f} plain decodes")


if __name__ == "__main__":
    main()
