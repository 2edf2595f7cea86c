"""How right are readings? Simulates sheets by writers that were never trained on, and reads them.

``python -m benchmarks.accuracy --sheets 100 --seed 1001`` prints a row a tier, then a row a pen of
all tiers together; ``--failures FOLDER`` keeps the photos that went wrong, with the reading drawn
on them.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from brikks_vision.errors import PhotoUnreadable
from brikks_vision.layout import load_layout
from brikks_vision.pipeline import ScanResult, scan_photo
from brikks_vision.rules.brikks.scoring import Score, score
from brikks_vision.rules.brikks.state import as_inked
from brikks_vision.show.overlay import annotate
from simulation.brikks.photos import Shot, random_shot

TIERS = ("scan", "good", "hard")
LONG_SIDE = 2000


@dataclass(frozen=True)
class Outcome:
    """What became of one photo; shares and errors count this photo's marks."""

    tier: str
    number: int
    problem: str  # what kept it from being read, or ""
    total_right: bool
    status: str
    in_range: bool
    cells_wrong: int
    energy_wrong: int
    boxes_wrong: int
    bombs_wrong: int
    blocks_right: bool | None  # None: the player drew no outlines
    accused: tuple[str, ...]  # rules that the sheet does not break
    written: int  # figures beside the rows
    written_wrong: int
    milliseconds: float
    pen: tuple[str, str]  # its kind, its colour's name

    @property
    def silent(self) -> bool:
        """A wrong total under status ok."""
        return self.status == "ok" and not self.total_right


def slips(shot: Shot, truth: Score) -> set[str]:
    """The rules that this player's figures and outlines truly break."""
    rows = zip(shot.drawn.figures["rows"], truth.rows, strict=True)
    wrong = {"written-row"} if any(t not in ("", "-") and int(t) != v for t, v in rows) else set()
    if shot.hand.outlines == "some":  # crosses that no outline holds beside blocks that have one
        wrong.add("stray-mark")
    total = shot.drawn.figures["total"][0]
    return wrong | ({"written-total"} if total and int(total) != truth.total else set())


def differences(marks: Sequence[object], others: Sequence[object]) -> int:
    return sum(mark != other for mark, other in zip(marks, others, strict=True))


def judge(shot: Shot, tier: str, number: int) -> tuple[Outcome, ScanResult | None]:
    layout = load_layout("brikks-light")
    state = as_inked(shot.played.state)
    cells, points = len(layout.grid.cells), len(state.energy)
    try:
        result = scan_photo(shot.data)
    except PhotoUnreadable as error:
        outcome = Outcome(
            tier, number, type(error).__name__,
            total_right=False, status="unreadable", in_range=False,
            cells_wrong=cells, energy_wrong=points,
            boxes_wrong=len(state.bonus), bombs_wrong=len(state.bombs),
            blocks_right=None, accused=(), written=0, written_wrong=0, milliseconds=0.0,
            pen=(shot.hand.pen.kind, shot.hand.pen.color_name),
        )  # fmt: skip
        return outcome, None
    reading, read = result.reading, result.posterior.state
    truth = score(state)
    outlined = shot.hand.outlines in ("all", "inner")
    assert reading.score and reading.total_range and reading.written
    outcome = Outcome(
        tier, number, "",
        total_right=reading.score.total == truth.total,
        status=str(reading.status),
        in_range=reading.total_range[0] <= truth.total <= reading.total_range[1],
        cells_wrong=len(read.crossed ^ state.crossed),
        energy_wrong=differences(read.energy, state.energy),
        boxes_wrong=differences(read.bonus, state.bonus),
        bombs_wrong=differences(read.bombs, state.bombs),
        blocks_right=set(read.blocks) == set(state.blocks) if outlined else None,
        accused=tuple(
            violation.rule
            for violation in reading.violations
            if violation.rule not in slips(shot, truth)
        ),
        written=sum(text != "" for text in shot.drawn.figures["rows"]),
        written_wrong=sum(
            figure != (0 if text == "-" else int(text))
            for figure, text in zip(reading.written.rows, shot.drawn.figures["rows"], strict=True)
            if text
        ),
        milliseconds=sum(reading.timing_ms.values()),
        pen=(shot.hand.pen.kind, shot.hand.pen.color_name),
    )  # fmt: skip
    return outcome, result


def nth_shot(tier: str, seed: int, number: int) -> Shot:
    """A legal sheet by a writer that was never trained on; always the same of a seed and number."""
    rng = np.random.default_rng([seed, TIERS.index(tier), number])
    dice = random.Random(int(rng.integers(2**31)))
    return random_shot(load_layout("brikks-light"), rng, dice, tier, LONG_SIDE, held_out=True)


def measure_one(task: tuple[str, int, int, Path | None]) -> Outcome:
    tier, seed, number, folder = task
    cv2.setNumThreads(1)
    shot = nth_shot(tier, seed, number)
    outcome, result = judge(shot, tier, number)
    wrong = (
        outcome.cells_wrong, outcome.energy_wrong, outcome.boxes_wrong, outcome.bombs_wrong,
    )  # fmt: skip
    if folder and (not outcome.total_right or any(wrong) or outcome.accused):
        name = f"{tier}-{number}" + ("-SILENT" if outcome.silent else "") + f"-{outcome.problem}"
        (folder / f"{name}.jpg").write_bytes(shot.data)
        if result:
            drawn = annotate(
                result.photo.image,
                result.placement,
                result.reading,
                result.layout,
                "en",
                result.view,
            )
            cv2.imwrite(str(folder / f"{name}.png"), drawn)
    return outcome


HEADINGS = (
    "tier", "sheets", "total right", "cells right", "energy right", "blocks right", "status ok",
    "silent wrong", "in range", "accused", "rows read", "unread", "ms",
)  # fmt: skip


def table_row(tier: str, outcomes: list[Outcome]) -> tuple[str, ...]:
    layout = load_layout("brikks-light")
    count = len(outcomes)
    cells, points = len(layout.grid.cells), len(layout.fields["energy"].centres)
    outlined = [outcome.blocks_right for outcome in outcomes if outcome.blocks_right is not None]

    def share(part: float) -> str:
        return f"{100 * part:.2f} %"

    return (
        tier,
        str(count),
        share(sum(o.total_right for o in outcomes) / count),
        share(1 - sum(o.cells_wrong for o in outcomes) / (count * cells)),
        share(1 - sum(o.energy_wrong for o in outcomes) / (count * points)),
        share(sum(outlined) / max(1, len(outlined))),
        share(sum(o.status == "ok" for o in outcomes) / count),
        str(sum(o.silent for o in outcomes)),
        share(sum(o.in_range for o in outcomes) / count),
        str(sum(bool(o.accused) for o in outcomes)),
        share(
            1 - sum(o.written_wrong for o in outcomes) / max(1, sum(o.written for o in outcomes))
        ),
        str(sum(bool(o.problem) for o in outcomes)),
        f"{np.median([o.milliseconds for o in outcomes]):.0f}",
    )


PEN_HEADINGS = (
    "pen", "sheets", "total right", "wrong in 1000: cells", "energy points", "boxes", "bombs",
)  # fmt: skip


def in_thousand(wrong: int, marks: int) -> str:
    return f"{1000 * wrong / marks:.1f}"


def pen_rows(outcomes: list[Outcome]) -> list[tuple[str, ...]]:
    """A row for each kind of pen, then for each colour."""
    layout = load_layout("brikks-light")
    kinds, colors = (sorted({outcome.pen[at] for outcome in outcomes} - {""}) for at in (0, 1))
    rows = []
    for name in (*kinds, *colors):
        chosen = [outcome for outcome in outcomes if name in outcome.pen]
        count = len(chosen)
        rows.append(
            (
                name,
                str(count),
                f"{100 * sum(o.total_right for o in chosen) / count:.0f} %",
                in_thousand(sum(o.cells_wrong for o in chosen), count * len(layout.grid.cells)),
                in_thousand(
                    sum(o.energy_wrong for o in chosen),
                    count * len(layout.fields["energy"].centres),
                ),
                in_thousand(
                    sum(o.boxes_wrong for o in chosen), count * len(layout.fields["box"].centres)
                ),
                in_thousand(
                    sum(o.bombs_wrong for o in chosen), count * len(layout.fields["bomb"].centres)
                ),
            )
        )
    return rows


def print_table(rows: list[tuple[str, ...]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=int, default=100, help="a tier")
    parser.add_argument("--seed", type=int, default=1001)
    parser.add_argument("--tiers", nargs="+", choices=TIERS, default=TIERS)
    parser.add_argument("--failures", type=Path)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    if options.failures:
        options.failures.mkdir(parents=True, exist_ok=True)
    rows = [HEADINGS]
    all_outcomes: list[Outcome] = []
    # fresh processes: OpenCV's threads do not survive a fork
    context = get_context("spawn")
    with ProcessPoolExecutor(options.processes, mp_context=context) as pool:
        for tier in options.tiers:
            tasks = [
                (tier, options.seed, number, options.failures) for number in range(options.sheets)
            ]
            outcomes = list(pool.map(measure_one, tasks, chunksize=4))
            rows.append(table_row(tier, outcomes))
            all_outcomes += outcomes
            for outcome in outcomes:
                if outcome.silent or outcome.problem or outcome.accused:
                    print(outcome, flush=True)
    print_table(rows)
    print_table([PEN_HEADINGS, *pen_rows(all_outcomes)])


if __name__ == "__main__":
    main()
