"""How accurate are readings of any game? Simulates photos by held-out writers and reads them.

    python -m benchmarks.accuracy --game brikks --sheets 100 --seed 1001
    python -m benchmarks.accuracy --game bloxx --printing learnt --sheets 40 --seed 8001
    python -m benchmarks.accuracy --game blox --sheets 20 --seed 771 --renderer "path tracer"

A row a tier (of boards, a view). ``--printing learnt``: each sheet, of BLOXX! in a layout and art
of its own, learnt from one good photo of the empty sheet. ``--faults`` plants one broken rule on
each sheet. ``--blank PICTURE`` lays the ink of Brikks on a picture of an empty sheet, which stays
where it is; it shows the sheet straight, its grid where ``--origin`` and ``--cell`` say;
``--ink real`` takes that of a real pen, where there is some. Further tables: ``--pens`` a row a
pen, ``--doubts`` what is asked about, ``--faults`` a row a rule, ``--alone`` what each mark by
itself would give.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks import alone, cases, pictures
from benchmarks.cases import (
    GAMES,
    Case,
    Outcome,
    brikks_case,
    brikks_shot,
    case_of,
    learnt_case,
    read_case,
)
from benchmarks.harness import TIERS, Table, in_processes, main, parser_of, share
from brikks_vision.errors import PhotoUnreadable
from simulation.blox.cameras import VIEWS
from simulation.blox.samples import RENDERERS

WAYS = ("right", "unsure", "wrong", "wrong, unsaid")  # of learning a printing


@dataclass(frozen=True)
class Wanted:
    """Which photos: see the options."""

    game: str
    seed: int
    printing: str
    faulty: bool
    renderer: str
    printed: pictures.Print | None
    ink: str
    failures: Path | None

    def case(self, tier: str, number: int) -> Case:
        if self.printed is None and self.ink == "any":
            case = case_of(
                self.game, tier, self.seed, number,
                printing=self.printing, faulty=self.faulty, renderer=self.renderer,
            )  # fmt: skip
        else:
            shot = brikks_shot(
                tier, self.seed, number,
                print_of=partial(pictures.print_of, self.printed),
                hand_of=partial(pictures.hand_for, self.ink),
            )  # fmt: skip
            case = brikks_case(shot, number)
        is_learnt = self.game == "brikks" and self.printing == "learnt"
        return learnt_case(case, self.seed) if is_learnt else case


def measure_one(task: tuple[Wanted, str, int]) -> tuple[Outcome, alone.Compared | None]:
    wanted, tier, number = task
    try:
        case = wanted.case(tier, number)
    except PhotoUnreadable as error:
        refused = type(error).__name__
        return Outcome(tier, number, refused, learnt=refused, marks={}), None
    outcome, result = read_case(case, tier)
    cases.keep(wanted.failures, case, outcome, result)
    if result is None or case.game != "brikks":
        return outcome, None
    return outcome, alone.compared(result, case)


# --- tables --------------------------------------------------------------------------------------


def table_of(outcomes: Sequence[Outcome], heading: str = "tier") -> Table:
    """A row for each ``row`` of the outcomes; columns that the game lacks are left out."""
    has_total = any(each.true is not None for each in outcomes)
    names = dict.fromkeys(each.row for each in outcomes)
    rows = {name: _row([o for o in outcomes if o.row == name], has_total) for name in names}
    columns = dict.fromkeys(c for row in rows.values() for c, told in row.items() if told != "-")
    table = [(name, *(row.get(c, "-") for c in columns)) for name, row in rows.items()]
    return [(heading, *columns), *table]


def _row(outcomes: Sequence[Outcome], has_total: bool) -> dict[str, str]:
    count = len(outcomes)
    read = [each for each in outcomes if not each.problem]
    kinds = dict.fromkeys(kind for each in outcomes for kind in each.marks or ())
    blocks = [each.blocks_right for each in read if each.blocks_right is not None]
    planted = [each for each in outcomes if each.planted]
    written, misread = (sum(each.figures[at] for each in read) for at in (0, 1))
    learnt = Counter(each.learnt for each in outcomes)
    row = {"photos": str(count)}
    if not learnt.keys() <= {""}:
        row |= {f"learnt {way}": str(learnt.pop(way, 0)) for way in WAYS}
        row["not learnt"] = str(sum(learnt.values()))
    all_right = sum(each.all_right for each in outcomes)
    row["total right" if has_total else "all right"] = share(all_right, count)
    for kind in kinds:
        of, wrong = (sum((each.marks or {}).get(kind, (0, 0))[at] for each in outcomes)
                     for at in (0, 1))  # fmt: skip
        row[f"{kind} right"] = share(of - wrong, of, 2)
    return row | {
        "blocks right": share(sum(blocks), len(blocks)) if blocks else "-",
        "status ok": share(sum(each.status == "ok" for each in outcomes), count),
        "silent wrong": str(sum(each.silent for each in outcomes)),
        "in range": share(sum(not each.outside for each in read), len(read)) if has_total else "-",
        "accused": str(sum(bool(each.accused) for each in outcomes)),
        "named": share(sum(each.named for each in planted), len(planted)),
        "rows read": share(written - misread, written),
        "unread": str(sum(bool(each.problem) for each in outcomes)),
        "ms": f"{np.median([each.milliseconds for each in read]):.0f}" if read else "-",
    }


def pens_table(outcomes: Iterable[Outcome]) -> Table:
    """A row for each kind of pen, then for each colour: marks wrong in a thousand."""
    every = list(outcomes)
    kinds = list(dict.fromkeys(kind for each in every for kind in each.marks or ()))
    rows: Table = [("pen", "photos", "total right", *(f"{kind} wrong in 1000" for kind in kinds))]
    for at in (0, 1):
        for pen in sorted({each.pen[at] for each in every} - {""}):
            chosen = [each for each in every if each.pen[at] == pen]
            counts = [[each.marks[kind] for each in chosen if each.marks] for kind in kinds]
            rows.append(
                (
                    pen,
                    str(len(chosen)),
                    share(sum(each.all_right for each in chosen), len(chosen), 0),
                    *(f"{1000 * sum(w for _, w in c) / sum(n for n, _ in c):.1f}" for c in counts),
                )
            )
    return rows


def doubts_table(outcomes: Iterable[Outcome]) -> Table:
    """What is asked about on photos that are not ``ok``: the number of photos and of marks."""
    marks, photos = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
    for each in outcomes:
        if each.status == "ok":
            continue
        marks.update(each.doubted)
        photos.update(set(each.doubted) or {(each.problem or each.status, "", "")})
    return [
        ("doubted", "told as", "is", "photos", "marks"),
        *((*cause, str(count), str(marks[cause])) for cause, count in photos.most_common()),
    ]


def faults_table(outcomes: Iterable[Outcome]) -> Table:
    """How many broken rules of each kind are named."""
    planted, named = Counter[str](), Counter[str]()
    for each in outcomes:
        planted[each.planted] += 1
        named[each.planted] += each.named
    return [("rule", "photos", "named"),
            *((rule, str(planted[rule]), str(named[rule])) for rule in planted)]  # fmt: skip


# --- the program ---------------------------------------------------------------------------------


def parser() -> ArgumentParser:
    found = parser_of(__doc__, 100, 1001, GAMES, (*TIERS, *VIEWS))
    found.set_defaults(tiers=None)
    found.add_argument("--printing", choices=("own", "learnt"), default="own", help="of sheets")
    found.add_argument("--renderer", choices=RENDERERS, default=RENDERERS[0], help="of boards")
    found.add_argument("--faults", action="store_true")
    found.add_argument("--ink", choices=("any", *pictures.INKS), default="any")
    found.add_argument("--pens", action="store_true")
    found.add_argument("--doubts", action="store_true")
    found.add_argument("--alone", action="store_true")
    pictures.add_options(found)
    return found


def measure(options: Namespace) -> list[Table]:
    tiers = options.tiers or (tuple(VIEWS) if options.game == "blox" else TIERS)
    wanted = Wanted(
        options.game, options.seed, options.printing, options.faults, options.renderer,
        pictures.print_in(options), options.ink, options.failures,
    )  # fmt: skip
    tasks = [(wanted, tier, number) for tier in tiers for number in range(options.sheets)]
    found = in_processes(measure_one, tasks, options.processes)
    outcomes = [outcome for outcome, _ in found]
    for outcome in outcomes:
        if outcome.silent or outcome.problem or outcome.accused:
            print(outcome, flush=True)
    tables = [table_of(outcomes, "view" if options.game == "blox" else "tier")]
    tables += [pens_table(outcomes)] if options.pens else []
    tables += [doubts_table(outcomes)] if options.doubts else []
    tables += [faults_table(outcomes)] if options.faults else []
    if options.alone:
        tables.append(alone.table_of([(o.row, compared) for o, compared in found if compared]))
    return tables


if __name__ == "__main__":
    main(parser(), measure)
