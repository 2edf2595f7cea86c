"""What becomes of readings when something lies on the sheet: a hand, a die, a pen, a gleam?

``python -m benchmarks.covered --photos 100 --seed 1`` simulates photos by writers that were never
trained on, lays one thing on each of them that are read surely and right (`things_on_sheets`), and
reads them again. Prints a row a kind of thing: how many were read wrong under status ok, in how
many the truth is outside the range, how many broke a rule only in the reading, and how well the
reading's ``covered`` names the places that are hidden. Kinds that hide nothing must stay ok and
right. ``--write FOLDER`` keeps the photos with their truth, ``--from FOLDER`` reads such a folder
again. ``--keep FOLDER`` keeps the photos that went wrong, with a line that says how.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy import LONG_SIDE, TIERS, print_table, slips
from benchmarks.accuracy import nth_shot as nth_brikks_shot
from benchmarks.things_on_sheets import COVERING, HARMLESS, Lay, covered_photo, scene_of, sheet_over
from brikks_vision import scan
from brikks_vision.layout import Box, Layout, load_layout
from brikks_vision.reading import AnyReading, Status
from brikks_vision.rules.bloxx.scoring import score as bloxx_score
from brikks_vision.rules.brikks.scoring import score as brikks_score
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.rules.brikks.state import as_inked
from simulation.bloxx.art import sheet_of
from simulation.bloxx.faults import broken_rules
from simulation.bloxx.games import any_game
from simulation.bloxx.hands import visible_hand as visible_bloxx_hand
from simulation.bloxx.marking import mark_sheet
from simulation.bloxx.photos import OWN, printed_blank
from simulation.bloxx.photos import shoot as shoot_bloxx
from simulation.brikks.games import play_sheet
from simulation.brikks.marking import draw_state, visible_hand
from simulation.brikks.photos import any_blank
from simulation.camera import compress
from simulation.photos import Photo

GAMES = ("brikks", "bloxx")
KINDS = (*COVERING, "other sheet", *HARMLESS)
KINDS_A_SHEET = 4  # things that are laid on one photo, one after the other


@dataclass(frozen=True)
class Truth:
    """A photo with something on it and what is true of it.

    file, base: of the photo and of the same photo without the thing. allowed: rules that the sheet
    truly breaks, or that were called broken without the thing. hidden: places whose middle is
    hidden; touched: those of which any part is.
    """

    file: str
    base: str
    game: str
    tier: str
    kind: str
    total: int
    allowed: tuple[str, ...]
    hidden: tuple[str, ...]
    touched: tuple[str, ...]

    @property
    def harmless(self) -> bool:
        return self.kind in HARMLESS


@dataclass(frozen=True)
class Outcome:
    """What became of one photo. listed: the places that the reading calls covered, no edges."""

    truth: Truth
    status: str
    total: int | None
    total_range: tuple[int, int] | None
    accused: tuple[str, ...]
    listed: tuple[str, ...]

    @property
    def right(self) -> bool:
        return self.total == self.truth.total

    @property
    def silent(self) -> bool:
        """A wrong total under status ok."""
        return self.status == Status.OK and not self.right

    @property
    def outside(self) -> bool:
        """The true total is none of those that the reading leaves open."""
        if self.total_range is None:
            return False
        return not self.total_range[0] <= self.truth.total <= self.total_range[1]

    @property
    def wrong(self) -> str:
        """What went wrong, in words; empty where nothing did."""
        faults = [
            f"read {self.total} surely" if self.silent else "",
            f"range {self.total_range}" if self.outside else "",
            f"accused: {', '.join(self.accused)}" if self.accused else "",
        ]
        if self.truth.harmless:
            still = self.status == Status.OK and self.right
            faults.append("" if still else f"status {self.status}")
            faults.append(f"called covered: {', '.join(self.listed)}" if self.listed else "")
        return "; ".join(fault for fault in faults if fault)


def outcome_of(truth: Truth, reading: AnyReading) -> Outcome:
    names = [str(name) for name in getattr(reading, "covered", ())]
    return Outcome(
        truth,
        str(reading.status),
        reading.score.total if reading.score else None,
        reading.total_range,
        tuple(each.rule for each in reading.violations if each.rule not in truth.allowed),
        tuple(name for name in names if not name.startswith(("vertical", "horizontal"))),
    )


# ---------------------------------------------------------------- photos


def brikks_base(tier: str, seed: int, number: int) -> tuple[Photo, Layout, int, set[str]]:
    """A photo, its layout, the true total, the rules that the sheet truly breaks."""
    shot = nth_brikks_shot(tier, seed, number)
    truth = brikks_score(as_inked(shot.played.state))
    return shot, load_layout("brikks-light"), truth.total, slips(shot, truth)


def bloxx_base(tier: str, seed: int, number: int) -> tuple[Photo, Layout, int, set[str]]:
    """The same of the project's own printing of BLOXX!."""
    rng = np.random.default_rng([seed, TIERS.index(tier), number])
    dice = random.Random(int(rng.integers(2**31)))
    layout, blank = load_layout(OWN), printed_blank()
    played = any_game(sheet_of(layout), dice)
    hand = visible_bloxx_hand(layout, blank, rng, held_out=True)
    shot = shoot_bloxx(layout, blank, played, hand, rng, tier, LONG_SIDE, layout.marked_area)
    return shot, layout, bloxx_score(played.state).total, set(map(str, broken_rules(played)))


def other_sheet(game: str, rng: np.random.Generator) -> tuple[NDArray[np.uint8], Box]:
    """A marked sheet of the game as it lies flat, and its page."""
    dice = random.Random(int(rng.integers(2**31)))
    if game == "bloxx":
        layout, blank = load_layout(OWN), printed_blank()
        hand = visible_bloxx_hand(layout, blank, rng, held_out=True)
        played = any_game(sheet_of(layout), dice)
        return page_of(mark_sheet(blank, layout, played, hand, rng).picture, blank, layout)
    layout = load_layout("brikks-light")
    blank = any_blank(layout, rng)
    marked = play_sheet(load_sheet(layout.name), dice, 2, 1, "standard")
    hand = visible_hand(layout, blank, rng, held_out=True)
    return page_of(draw_state(blank, layout, marked.state, hand, rng)[0], blank, layout)


def page_of(
    picture: NDArray[np.uint8], blank: Any, layout: Layout
) -> tuple[NDArray[np.uint8], Box]:
    height, width = picture.shape[:2]
    (x, y), scale, page = blank.origin, blank.pixels_per_cell, layout.page
    rows = slice(max(0, round(y + page.top * scale)), min(height, round(y + page.bottom * scale)))
    columns = slice(max(0, round(x + page.left * scale)), min(width, round(x + page.right * scale)))
    return picture[rows, columns], page


def lay_of(kind: str, game: str) -> Lay:
    if kind == "other sheet":
        return partial(sheet_over, partial(other_sheet, game))
    return (COVERING | HARMLESS)[kind]


def make_some(task: tuple[str, int, int, tuple[str, ...], Path]) -> list[Truth]:
    """Write the photo of a number, and it with one thing of each kind on it.

    None where it is not read surely and right without the thing; none of a kind that would hide too
    much or too little.
    """
    game, seed, number, kinds, folder = task
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, GAMES.index(game), number, 77])
    tier = TIERS[int(rng.choice(3, p=(0.2, 0.4, 0.4)))]
    cv2.setRNGSeed(number)
    base_of = brikks_base if game == "brikks" else bloxx_base
    photo, layout, total, broken = base_of(tier, seed, number)
    before = scan(photo.data)
    if before.status is not Status.OK or before.score is None or before.score.total != total:
        return []
    base = f"base-{game}-{seed}-{number:04}.jpg"
    (folder / base).write_bytes(photo.data)
    allowed = tuple(sorted(broken | {violation.rule for violation in before.violations}))
    scene, truths = scene_of(photo, layout, rng), []
    for kind in kinds:
        found = covered_photo(scene, layout, lay_of(kind, game), kind not in HARMLESS, rng)
        if found is None:
            continue
        name = f"{game}-{kind.replace(' ', '-')}-{seed}-{number:04}"
        (folder / f"{name}.jpg").write_bytes(compress(found.image, int(rng.integers(72, 95))))
        truth = Truth(
            f"{name}.jpg", base, game, tier, kind, total, allowed, found.hidden, found.touched
        )
        (folder / f"{name}.json").write_text(json.dumps(asdict(truth), indent=1))
        truths.append(truth)
    return truths


def truths_in(folder: Path) -> list[Truth]:
    """All photos of a folder that `make_some` filled."""
    found = []
    for path in sorted(folder.glob("*.json")):
        facts = json.loads(path.read_text())
        lists = {name: tuple(facts[name]) for name in ("allowed", "hidden", "touched")}
        found.append(Truth(**{**facts, **lists}))
    return found


def read_one(task: tuple[Truth, Path, Path | None]) -> Outcome:
    truth, folder, keep = task
    cv2.setNumThreads(1)
    data = (folder / truth.file).read_bytes()
    outcome = outcome_of(truth, scan(data))
    if keep and outcome.wrong:
        (keep / truth.file).write_bytes(data)
        line = f"{truth.file}: truly {truth.total}; {outcome.wrong}\n"
        (keep / f"{Path(truth.file).stem}.txt").write_text(line)
    return outcome


# ---------------------------------------------------------------- tables

HEADINGS = (
    "kind", "photos", "silent wrong", "not in range", "accused", "ok and right", "unread",
    "hidden", "of them listed", "listed", "of them hidden", "of them touched",
)  # fmt: skip


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


def row_of(name: str, outcomes: list[Outcome]) -> tuple[str, ...]:
    hidden = sum(len(each.truth.hidden) for each in outcomes)
    listed = sum(len(each.listed) for each in outcomes)
    found, touched = (
        sum(len(set(each.listed) & set(getattr(each.truth, kind))) for each in outcomes)
        for kind in ("hidden", "touched")
    )
    fine = sum(each.status == Status.OK and each.right for each in outcomes)
    return (
        name,
        str(len(outcomes)),
        str(sum(each.silent for each in outcomes)),
        str(sum(each.outside for each in outcomes)),
        str(sum(bool(each.accused) for each in outcomes)),
        share(fine, len(outcomes)),
        str(sum(each.status == Status.UNREADABLE for each in outcomes)),
        str(hidden),
        share(found, hidden),
        str(listed),
        share(found, listed),
        share(touched, listed),
    )


def tables(outcomes: Iterable[Outcome]) -> list[list[tuple[str, ...]]]:
    """One for the kinds that hide places and one for the harmless ones, each with its sum."""
    every, found = list(outcomes), []
    for title, harmless in (("all that hide", False), ("all harmless", True)):
        chosen = [each for each in every if each.truth.harmless is harmless]
        rows: list[tuple[str, ...]] = [HEADINGS]
        for kind in KINDS:
            of_kind = [each for each in chosen if each.truth.kind == kind]
            if of_kind:
                rows.append(row_of(kind, of_kind))
        if chosen:
            found.append([*rows, row_of(title, chosen)])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=100, help="to simulate; some are not kept")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=GAMES, default="brikks")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, metavar="KIND")
    parser.add_argument("--write", type=Path, default=Path("cache/covered"), metavar="FOLDER")
    parser.add_argument("--from", type=Path, dest="source", metavar="FOLDER")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    for folder in (options.write, options.keep):
        if folder and not (folder is options.write and options.source):
            folder.mkdir(parents=True, exist_ok=True)
    folder = options.source or options.write
    # fresh processes: OpenCV's threads do not survive a fork
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        if options.source:
            truths = truths_in(folder)
        else:
            kinds = [options.kinds[at % len(options.kinds)] for at in range(options.photos)]
            tasks = [
                (options.game, options.seed, at, tuple(kinds[at : at + KINDS_A_SHEET]), folder)
                for at in range(0, options.photos, KINDS_A_SHEET)
            ]
            truths = [truth for each in pool.map(make_some, tasks) for truth in each]
        reads = [(truth, folder, options.keep) for truth in truths]
        outcomes = list(pool.map(read_one, reads, chunksize=2))
    for outcome in outcomes:
        if outcome.wrong:
            print(f"{outcome.truth.file}: truly {outcome.truth.total}; {outcome.wrong}")
    for rows in tables(outcomes):
        print()
        print_table(rows)


if __name__ == "__main__":
    main()
