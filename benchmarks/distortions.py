"""Photos that are mirrored, robbed of colours or spoilt: are readings right, or at least not sure?

``python -m benchmarks.distortions --sheets 10 --seed 6101`` simulates photos of sheets by writers
that were never trained on, distorts each in every way, and reads it. Prints a row a kind of sheet
and distortion: how many are read as they are meant, sure, refused; wrong totals that are told as
sure; ranges that miss the truth. Of two sheets in one picture no total is right. ``--fixtures``
takes the test photos instead. ``--failures FOLDER`` keeps the photos that went wrong.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks import accuracy, bloxx_accuracy
from benchmarks.accuracy import print_table
from brikks_vision.detect.photo import load_photo
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.layout import Layout, load_layout
from brikks_vision.pipeline import scan_photo
from brikks_vision.rules.bloxx.scoring import score as bloxx_score
from brikks_vision.rules.brikks import scoring
from brikks_vision.rules.brikks.state import as_inked
from simulation.photos import TruePlacement

Image = NDArray[np.uint8]  # BGR
FOLDERS = tuple(Path(name) for name in ("tests/fixtures", "tests/fixtures/bloxx"))
SUFFIXES = (".jpg", ".png", ".webp", ".heic")
KINDS = ("brikks", "bloxx", "learnt bloxx")
TIERS = ("good", "hard")
BLURRED_LIGHT = 0.25  # of the photo's longer side: the softness of a drawn shadow


@dataclass(frozen=True)
class Sheet:
    """A photo and its true total. layouts: the printings to look for, None for all that are known.

    placement: where the sheet lies, where that is known.
    """

    name: str
    image: Image
    total: int
    layouts: tuple[Layout, ...] | None = None
    placement: TruePlacement | None = None


# --- one photo made worse ------------------------------------------------------------------------


def as_it_is(image: Image) -> Image:
    return image


def flipped(image: Image) -> Image:
    return np.ascontiguousarray(image[:, ::-1])


def transposed(image: Image) -> Image:
    return np.ascontiguousarray(image.transpose(1, 0, 2))


def grey(image: Image) -> Image:
    return _in_three(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))


def shaded(image: Image) -> Image:
    """A soft shadow over the left half."""
    height, width = image.shape[:2]
    light = np.where(np.arange(width) < width / 2, 0.35, 1.0).astype(np.float32)
    softness = BLURRED_LIGHT * max(height, width) / 3
    light = cv2.GaussianBlur(light[None], (0, 0), softness, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(image * light.reshape(1, width, 1), np.uint8)


def black_and_white(image: Image) -> Image:
    """By one threshold (Otsu's)."""
    level = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return _in_three(cv2.threshold(level, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1])


def scanned(image: Image) -> Image:
    """Black and white by each pixel's neighbourhood, as apps for documents do."""
    level = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    side = max(image.shape[:2]) // 40 * 2 + 1
    return _in_three(
        cv2.adaptiveThreshold(
            level, 255, cv2.ADAPTIVE_THRESH_GAUSSIAN_C, cv2.THRESH_BINARY, side, 12
        )
    )


def coarse_jpeg(quality: int, long_side: int, image: Image) -> bytes:
    """As a file, whose header tells how coarse it is."""
    small = cv2.resize(image, None, fx=(scale := long_side / max(image.shape[:2])), fy=scale,
                       interpolation=cv2.INTER_AREA)  # fmt: skip
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes()


def posterized(levels: int, image: Image) -> Image:
    step = 255 / (levels - 1)
    return np.asarray(np.round(np.round(image / step) * step), np.uint8)


def doubled(cells: float, image: Image) -> Image:
    """Two exposures, between which the camera moved. ``cells``: by about so many."""
    by = cells * max(image.shape[:2]) / 30
    moved = cv2.warpAffine(
        image, np.array([[1, 0, by], [0, 1, 0.4 * by]]), image.shape[1::-1],
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return cv2.addWeighted(image, 0.5, moved, 0.5, 0)


def _in_three(level: Image) -> Image:
    return np.repeat(np.asarray(level, np.uint8)[..., None], 3, axis=2)


def _then(*steps: Callable[[Image], Image]) -> Callable[[Image], Image]:
    def all_steps(image: Image) -> Image:
        for step in steps:
            image = step(image)
        return image

    return all_steps


DISTORTIONS: dict[str, Callable[[Image], Image | bytes]] = {
    "none": as_it_is,
    "mirrored": flipped,
    "transposed": transposed,
    "shaded": shaded,
    "mirrored, shaded": _then(flipped, shaded),
    "grey": grey,
    "mirrored, grey": _then(flipped, grey),
    "transposed, grey": _then(transposed, grey),
    "grey, shaded": _then(grey, shaded),
    "mirrored, grey, shaded": _then(flipped, grey, shaded),
    "black and white": black_and_white,
    "mirrored, black and white": _then(flipped, black_and_white),
    "scanned": scanned,
    "mirrored, scanned": _then(flipped, scanned),
    "transposed, scanned": _then(transposed, scanned),
    "negative": lambda image: 255 - image,
    "mirrored, negative": lambda image: 255 - flipped(image),
    "JPEG 20, 900 px": partial(coarse_jpeg, 20, 900),
    "JPEG 10, 900 px": partial(coarse_jpeg, 10, 900),
    "JPEG 5, 900 px": partial(coarse_jpeg, 5, 900),
    "JPEG 5, 1600 px": partial(coarse_jpeg, 5, 1600),
    "JPEG 2, 1600 px": partial(coarse_jpeg, 2, 1600),
    "8 levels": partial(posterized, 8),
    "4 levels": partial(posterized, 4),
    "3 levels": partial(posterized, 3),
    "2 levels": partial(posterized, 2),
    "doubled by 0.1": partial(doubled, 0.1),
    "doubled by 0.3": partial(doubled, 0.3),
    "doubled by 1": partial(doubled, 1.0),
    "doubled by 3": partial(doubled, 3.0),
}

# --- two sheets in one picture -------------------------------------------------------------------


def as_large(image: Image, other: Image) -> Image:
    """The other picture in the size of the first."""
    return np.asarray(cv2.resize(other, image.shape[1::-1], interpolation=cv2.INTER_AREA), np.uint8)


def laid_upon(sheet: Sheet, other: Sheet) -> Image:
    """The photo of the other sheet, warped until that lies where the first one does."""
    if sheet.placement is None or other.placement is None:
        return as_large(sheet.image, other.image)
    corners = np.array([[-2.0, -1], [9, -1], [9, 13], [-2, 13]])  # within both games' pages
    there, here = (each.placement.to_photo(corners) for each in (other, sheet))
    matrix = cv2.getPerspectiveTransform(there.astype(np.float32), here.astype(np.float32))
    size = sheet.image.shape[1::-1]
    warped = cv2.warpPerspective(other.image, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, np.uint8)


def blended(image: Image, other: Image) -> Image:
    return cv2.addWeighted(image, 0.5, other, 0.5, 0)


def weakly_blended(image: Image, other: Image) -> Image:
    return cv2.addWeighted(image, 0.75, other, 0.25, 0)


def halves_across(image: Image, other: Image) -> Image:
    middle = image.shape[1] // 2
    return np.concatenate([image[:, :middle], other[:, middle:]], axis=1)


def halves_down(image: Image, other: Image) -> Image:
    middle = image.shape[0] // 2
    return np.concatenate([image[:middle], other[middle:]])


JOINTS: dict[str, Callable[[Image, Image], Image]] = {
    "two exposures": blended,
    "two exposures, 3 to 1": weakly_blended,
    "halves, side by side": halves_across,
    "halves, one above the other": halves_down,
}


def distorted(sheet: Sheet, other: Sheet) -> Iterator[tuple[str, Image | bytes, int | None]]:
    """Each distortion, the photo, and the true total; None where no total is true."""
    for name, distort in DISTORTIONS.items():
        yield name, distort(sheet.image), sheet.total
    for name, join in JOINTS.items():
        yield name, join(sheet.image, as_large(sheet.image, other.image)), None
        if sheet.placement is not None:
            yield f"{name}, in place", join(sheet.image, laid_upon(sheet, other)), None


# --- the sheets ----------------------------------------------------------------------------------


def nth_sheet(kind: str, seed: int, number: int) -> Sheet | None:
    """Always the same of its arguments; None where a printing could not be learnt."""
    tier = TIERS[number % len(TIERS)]
    if kind == "brikks":
        shot = accuracy.nth_shot(tier, seed, number)
        total = scoring.score(as_inked(shot.played.state)).total
        return Sheet(f"{tier}-{number}", shot.image, total, None, shot.placement)
    printing = "own" if kind == "bloxx" else "learnt"
    try:
        marked, known, learnt, _ = bloxx_accuracy.nth_shot(tier, seed, number, printing, False)
    except PhotoUnreadable:
        return None
    if learnt.startswith("wrong"):
        return None
    total = bloxx_score(marked.marked.played.state).total
    layouts = None if printing == "own" else (load_layout("brikks"), load_layout("bloxx"), known)
    return Sheet(f"{tier}-{number}", marked.image, total, layouts, marked.placement)


def fixtures(folder: Path) -> list[Sheet]:
    """The test photos of one sheet each, of printings that are known."""
    found = []
    for path in sorted(each for each in folder.iterdir() if each.suffix in SUFFIXES):
        truth = json.loads(Path(f"{path}.json").read_text("utf-8"))
        if "grid" in truth and not path.name.startswith("other-"):
            image = load_photo(path, 100_000).image
            found.append(Sheet(path.name, image, truth["score"]["total"]))
    return found


# --- measuring -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What became of one photo. problem: why it was not read, or ""."""

    kind: str
    name: str
    distortion: str
    true: int | None
    problem: str = ""
    status: str = "unreadable"
    total: int | None = None
    total_range: tuple[int, int] = (0, 0)

    @property
    def is_silent(self) -> bool:
        """A wrong total under status ok."""
        return self.status == "ok" and self.total != self.true

    @property
    def is_missed(self) -> bool:
        """The truth is outside the range."""
        low, high = self.total_range
        return not self.problem and self.true is not None and not low <= self.true <= high


def measure(kind: str, sheet: Sheet, other: Sheet, only: str, folder: Path | None) -> list[Outcome]:
    outcomes = []
    for distortion, image, true in distorted(sheet, other):
        if only not in distortion:
            continue
        cv2.setRNGSeed(1)
        try:
            reading = scan_photo(image, layouts=sheet.layouts).reading
        except PhotoUnreadable as error:
            problem = type(error).__name__
            outcomes.append(Outcome(kind, sheet.name, distortion, true, problem))
            continue
        assert reading.score and reading.total_range
        outcome = Outcome(
            kind, sheet.name, distortion, true, "", str(reading.status),
            reading.score.total, reading.total_range,
        )  # fmt: skip
        outcomes.append(outcome)
        if folder and (outcome.is_silent or outcome.is_missed):
            kept = load_photo(image, 100_000).image
            cv2.imwrite(str(folder / f"{kind}-{sheet.name}-{distortion}.png"), kept)
    return outcomes


def measure_simulated(task: tuple[str, int, int, str, Path | None]) -> list[Outcome]:
    kind, seed, number, only, folder = task
    cv2.setNumThreads(1)
    sheet, other = (nth_sheet(kind, seed, each) for each in (number, number + 2))
    if sheet is None:
        return []
    return measure(kind, sheet, other or sheet, only, folder)


def measure_fixture(task: tuple[Path, int, str, Path | None]) -> list[Outcome]:
    source, at, only, folder = task
    cv2.setNumThreads(1)
    sheets = fixtures(source)
    return measure(source.name, sheets[at], sheets[at - 1], only, folder)


HEADINGS = (
    "sheet", "distortion", "photos", "as meant", "sure", "refused", "silent wrong", "range misses",
)  # fmt: skip


def table_row(kind: str, distortion: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    return (
        kind,
        distortion,
        str(len(outcomes)),
        str(sum(each.total == each.true and not each.problem for each in outcomes)),
        str(sum(each.status == "ok" for each in outcomes)),
        str(sum(bool(each.problem) for each in outcomes)),
        str(sum(each.is_silent for each in outcomes)),
        str(sum(each.is_missed for each in outcomes)),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=int, default=10, help="a kind")
    parser.add_argument("--seed", type=int, default=6101)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--only", default="", help="distortions whose names contain this")
    parser.add_argument("--fixtures", action="store_true")
    parser.add_argument("--failures", type=Path)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    if options.failures:
        options.failures.mkdir(parents=True, exist_ok=True)
    # fresh processes: OpenCV's threads do not survive a fork
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        if options.fixtures:
            photos = [
                (folder, at, options.only, options.failures)
                for folder in FOLDERS
                for at in range(len(fixtures(folder)))
            ]
            parts = list(pool.map(measure_fixture, photos))
        else:
            tasks = [
                (kind, options.seed, number, options.only, options.failures)
                for kind in options.kinds
                for number in range(options.sheets)
            ]
            parts = list(pool.map(measure_simulated, tasks))
    outcomes = [each for part in parts for each in part]
    for each in outcomes:
        if each.is_silent or each.is_missed:
            print(each)
    rows = [HEADINGS]
    for kind, distortion in dict.fromkeys((each.kind, each.distortion) for each in outcomes):
        chosen = [e for e in outcomes if (e.kind, e.distortion) == (kind, distortion)]
        rows.append(table_row(kind, distortion, chosen))
    print_table([*rows, table_row("all", "", outcomes)])


if __name__ == "__main__":
    main()
