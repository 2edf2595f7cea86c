"""What became of photos of which the truth is known, and the tables that count it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.cases import Case, marks_of
from benchmarks.harness import Table, share
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.games import game_of
from brikks_vision.pipeline import ScanResult, read_again, scan_photo
from brikks_vision.show.overlay import annotate

WAYS = ("right", "unsure", "wrong", "wrong, unsaid")  # of learning a printing


@dataclass(frozen=True)
class Outcome:
    """What became of one photo.

    row: of the table that it counts for. problem: what kept it from being read, or "". marks: by
    kind of place how many, and how many are wrong; None where no reading is right. accused: rules
    that are called broken but are kept; named: whether the planted one is reported. figures:
    written ones, and how many were read wrong. doubted: what is asked: the kind of place, how it
    was read, what is there. hidden, touched, listed: places of which something hides the middle, or
    any part, and those that the reading calls covered. printing: that it was read as. taps: until a
    board is right and sure. shown: how many fields are read wrong, and are asked about or hatched.
    """

    row: str
    number: int = 0
    problem: str = ""
    true: int | None = None
    total: int | None = None
    total_range: tuple[int, int] | None = None
    status: str = "unreadable"
    marks: Mapping[str, tuple[int, int]] | None = None
    blocks_right: bool | None = None
    accused: tuple[str, ...] = ()
    planted: str = ""
    named: bool = False
    figures: tuple[int, int] = (0, 0)
    learnt: str = ""
    pen: str = ""
    doubted: tuple[tuple[str, str, str], ...] = ()
    hidden: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()
    listed: frozenset[str] = frozenset()
    printing: str = ""
    milliseconds: float = 0.0
    taps: int | None = None
    shown: tuple[int, int] = (0, 0)

    @property
    def all_right(self) -> bool:
        """Whether the total is right; without a total, whether all marks are."""
        if self.problem:
            return False
        if self.true is None:
            return self.marks is not None and not any(wrong for _, wrong in self.marks.values())
        return self.total == self.true

    @property
    def silent(self) -> bool:
        """Whether it is wrong under status ok."""
        return self.status == "ok" and not self.all_right

    @property
    def outside(self) -> bool:
        """Whether the true total lies outside of the range that the reading gives."""
        if self.true is None or self.total_range is None:
            return False
        return not self.total_range[0] <= self.true <= self.total_range[1]

    @property
    def is_wrong(self) -> bool:
        """Whether what a reading must never tell was told."""
        return self.silent or self.outside or bool(self.accused)


def read_case(case: Case, row: str) -> tuple[Outcome, ScanResult | None]:
    """Read a photo and compare it."""
    start = Outcome(
        row, case.number, true=case.total, planted=case.planted, learnt=case.learnt, pen=case.pen,
        marks=_counts(case.marks, {}) if case.marks else None,
        hidden=case.hidden, touched=case.touched,
    )  # fmt: skip
    try:
        result = scan_photo(case.data, printings=case.layouts)
    except PhotoUnreadable as error:
        return replace(start, problem=type(error).__name__), None
    state = result.posterior.position if case.game == "blox" else result.posterior.state
    outcome = compared(start, result.reading, case.marks, marks_of(case.game, state), case.allowed)
    if case.blocks is not None:
        blocks = state.blocks if case.game == "brikks" else state.shapes
        outcome = replace(outcome, blocks_right=set(blocks) == case.blocks)
    if case.game == "blox":
        outcome = replace(outcome, taps=taps_to(case.marks, result), shown=_shown(case, result))
    figures = _figures(case, result.reading)
    return replace(outcome, figures=figures, printing=result.layout.name), result


def taps_to(true: Mapping[str, str], result: ScanResult) -> int:
    """How often a person taps until a board is right: each wrong field, then "It is so".

    A tap says the next likely thing; one more settles what is not sure then.
    """
    answers: dict[str, str] = {}
    taps, board = 0, game_of(result.reading).board
    assert board is not None
    while wrong := _wrong(true, result):
        where, now = wrong
        likely = list(board.likely(result.posterior, where))
        taps += (likely.index(true[where]) - likely.index(now)) % len(likely)
        answers[where] = true[where]
        result = read_again(result, answers)
    return taps + (result.reading.status != "ok")


def _wrong(true: Mapping[str, str], result: ScanResult) -> tuple[str, str] | None:
    """The first field that is read wrong, and as what; None where all are right."""
    read = marks_of("blox", result.posterior.position)
    return next(((where, read[where]) for where in true if true[where] != read[where]), None)


def _shown(case: Case, result: ScanResult) -> tuple[int, int]:
    read = marks_of("blox", result.posterior.position)
    wrong = {where for where, mark in case.marks.items() if mark != read[where]}
    named = {each.where for each in (*result.reading.doubts, *result.reading.shaded)}
    return len(wrong), len(wrong & named)


def compared(
    start: Outcome,
    reading: Any,
    true: Mapping[str, str],
    read: Mapping[str, str],
    allowed: frozenset[str] | None = None,
) -> Outcome:
    """``start`` with what a reading tells. allowed: rules that are truly broken; None: unknown."""
    told = {str(violation.rule) for violation in reading.violations}
    score = getattr(reading, "score", None)
    listed = map(str, getattr(reading, "covered", ()))
    return replace(
        start,
        total=score.total if score else None,
        total_range=getattr(reading, "total_range", None),
        status=str(reading.status),
        marks=start.marks and _counts(true, read),
        accused=() if allowed is None else tuple(sorted(told - allowed)),
        named=start.planted in told,
        doubted=tuple((doubt.where.split()[0], str(doubt.read), true.get(doubt.where, ""))
                      for doubt in reading.doubts),
        listed=frozenset(name for name in listed
                         if not name.startswith(("vertical", "horizontal"))),
        milliseconds=sum(reading.timing_ms.values()),
    )  # fmt: skip


def _counts(true: Mapping[str, str], read: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    """By kind of place, how many marks are known and how many of them are read wrong."""
    of = Counter(place.split()[0] for place in true)
    wrong = Counter(place.split()[0] for place, mark in true.items() if read.get(place) != mark)
    return {kind: (of[kind], wrong[kind]) for kind in of}


def _figures(case: Case, reading: Any) -> tuple[int, int]:
    """How many the player wrote, and how many of them were read wrong."""
    written = [(at, text) for at, text in enumerate(case.figures) if text]
    wrong = [at for at, text in written if reading.written.rows[at] != int(text.replace("-", "0"))]
    return len(written), len(wrong)


def keep(folder: Path | None, case: Case, outcome: Outcome, result: ScanResult | None) -> None:
    """The photo and the reading drawn on it, where it went wrong and a folder is given."""
    missed = outcome.planted and not outcome.named
    if folder is None or (outcome.all_right and outcome.status == "ok"
                          and not outcome.is_wrong and not missed):  # fmt: skip
        return
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{outcome.row}-{case.number}" + ("-SILENT" if outcome.silent else "") + outcome.problem
    path = folder / name.replace(" ", "-")
    if isinstance(case.data, bytes):
        path.with_suffix(".jpg").write_bytes(case.data)
    else:
        cv2.imwrite(str(path.with_suffix(".photo.png")), case.data)
    path.with_suffix(".txt").write_text(f"{outcome}\n", "utf-8")
    if result and case.game != "blox":
        drawn = annotate(
            result.photo.image, result.placement, result.reading, result.layout, "en", result.view
        )
        cv2.imwrite(str(path.with_suffix(".png")), drawn)


# --- tables --------------------------------------------------------------------------------------


def table_of(outcomes: Sequence[Outcome], heading: str = "tier", by: str = "row") -> Table:
    """A row for each value of ``by``; columns of which no row has anything are left out."""
    groups: dict[str, list[Outcome]] = {}
    for each in outcomes:
        groups.setdefault(getattr(each, by), []).append(each)
    rows = {name: _columns(group) for name, group in groups.items()}
    shown = {column for row in rows.values() for column, told in row.items() if told != "-"}
    columns = [c for c in dict.fromkeys(c for row in rows.values() for c in row) if c in shown]
    table = [(name, *(row.get(c, "-") for c in columns)) for name, row in rows.items()]
    return [(heading, *columns), *table]


def with_sums(
    outcomes: Sequence[Outcome],
    heading: str,
    is_shown: Callable[[Outcome], bool] = lambda _: True,
    group: Callable[[Outcome], str] = lambda _: "all",
) -> Table:
    """A row for each kind of which any outcome is to be shown, then one for each group of kinds."""
    shown = {each.row for each in outcomes if is_shown(each)}
    kinds = [each for each in outcomes if each.row in shown]
    return table_of([*kinds, *(replace(each, row=group(each)) for each in outcomes)], heading)


def _columns(outcomes: Sequence[Outcome]) -> dict[str, str]:
    count = len(outcomes)
    read = [each for each in outcomes if not each.problem]
    totals = [each for each in read if each.true is not None]
    blocks = [each.blocks_right for each in read if each.blocks_right is not None]
    planted = [each for each in outcomes if each.planted]
    written, misread = (sum(each.figures[at] for each in read) for at in (0, 1))
    learnt = Counter(each.learnt for each in outcomes)
    row = {"photos": str(count)}
    if not learnt.keys() <= {""}:
        row |= {f"learnt {way}": str(learnt.pop(way, 0)) for way in WAYS}
        row["not learnt"] = str(sum(learnt.values()))
    has_total = any(each.true is not None for each in outcomes)
    right = share(sum(each.all_right for each in outcomes), count)
    row["total right" if has_total else "all right"] = right
    row |= {
        "ok": share(sum(each.status == "ok" for each in outcomes), count),
        "silent": str(sum(each.silent for each in outcomes)),
        "accused": str(sum(bool(each.accused) for each in outcomes)),
        "in range": share(sum(not each.outside for each in totals), len(totals)),
        "questions": f"{sum(len(each.doubted) for each in read) / len(read):.1f}" if read else "-",
        "named": share(sum(each.named for each in planted), len(planted)),
    }
    for kind in dict.fromkeys(kind for each in outcomes for kind in each.marks or ()):
        of, wrong = (sum((each.marks or {}).get(kind, (0, 0))[at] for each in outcomes)
                     for at in (0, 1))  # fmt: skip
        row[f"{kind} right"] = share(of - wrong, of, 2)
    taps = [each.taps for each in read if each.taps is not None]
    wrong, shown = (sum(each.shown[at] for each in read) for at in (0, 1))
    if taps:
        row["wrong shown"] = f"{shown} of {wrong}"
        row["taps"] = f"{np.median(taps):.0f}"
        row["90 %"] = f"{np.quantile(taps, 0.9, method='higher'):.0f}"
    hidden, found, listed, touched = (
        sum(len(of(each)) for each in outcomes)
        for of in (
            lambda o: o.hidden,
            lambda o: o.hidden & o.listed,
            lambda o: o.listed if o.hidden else frozenset(),
            lambda o: o.listed & o.touched,
        )
    )
    return row | {
        "blocks right": share(sum(blocks), len(blocks)),
        "rows read": share(written - misread, written),
        "hidden listed": share(found, hidden, 0),
        "listed touched": share(touched, listed, 0),
        "unread": str(count - len(read)),
        "ms": f"{np.median([each.milliseconds for each in read]):.0f}" if read else "-",
    }


def doubts_table(outcomes: Iterable[Outcome]) -> Table:
    """What is asked about on photos that are not ``ok``: the number of photos and of marks."""
    marks, photos = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
    for each in outcomes:
        if each.status != "ok":
            marks.update(each.doubted)
            photos.update(set(each.doubted) or {(each.problem or each.status, "", "")})
    return [
        ("doubted", "told as", "is", "photos", "marks"),
        *((*cause, str(count), str(marks[cause])) for cause, count in photos.most_common()),
    ]
