"""Corrects a placement by the keypoints seen through it: first as a plane, then bent.

Refuses sheets that cannot be read where they lie: cut off, too small or blurred.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect import lattice
from brikks_vision.detect.fit import STIFFNESS, fit, keypoints
from brikks_vision.detect.placement import Image, Placement, halved, max_shift, rectify
from brikks_vision.errors import (
    NoSheetFound,
    PhotoUnreadable,
    SheetCutOff,
    SheetTooBlurred,
    SheetTooSmall,
    Side,
)
from brikks_vision.layout import Box, Layout

# Set by hand where no source is named.
MIN_EVIDENCE = -0.2  # evidence below which it is another sheet or none, or the sheet cannot be read
MAX_FITS = 3  # fits of one bent placement
MAX_BENDING_LOSS = 0.05  # evidence lost by bending; beyond it the matches were ink and not print
MAX_SETTLED_SHIFT = 0.2  # cells; a placement that moves no farther has converged
MIN_SLIP = 0.7  # cells; markers locate a sheet more closely, so a placement by them cannot slip


@dataclass(frozen=True)
class Proposal:
    """Where a sheet of a layout may lie, as a plane.

    support: how many matches say so. agreeing: their share of all matches, 0 to 1. is_coarse: it
    counts only where the place is clear; else it is sought more finely.
    """

    layout: Layout
    placement: Placement
    support: int = 0
    agreeing: float = 1.0
    is_coarse: bool = False


@dataclass(frozen=True)
class Alignment:
    """A corrected placement of a layout, and the evidence for it, at most 0: `keypoint_evidence`,
    or as of `brikks_vision.detect.by_blank.settled`.

    is_clear: the keypoints or the markers rule out that the placement slipped by a cell. flaw: why
    a sheet that lies there cannot be read.
    """

    layout: Layout
    placement: Placement
    evidence: float
    is_clear: bool
    flaw: PhotoUnreadable | None = None

    def scaled(self, factor: float) -> Alignment:
        """The alignment in a photo that is ``factor`` times as large."""
        return replace(self, placement=self.placement.scaled(factor))


def align(
    image: Image, placement: Placement, layout: Layout, rounds: int | None = None
) -> Alignment:
    """Correct a placement by the keypoints seen through it: first plane, then bent.

    Tries wider and wider slips of the lattice until a placement explains all keypoints, or until
    nothing nearby looks like the sheet.

    Parameters
    ----------
    image : uint8 BGR (height, width, 3).
    placement : plane, in that image, within about two cells.
    rounds : of slips, and of displacements of the bars in each, that are tried; None: all.

    Raises
    ------
    NoSheetFound
    """
    image, scale = halved(image, lattice.ALIGNER_PIXELS / placement.cell_size())
    first = placement.scaled(scale)
    best: tuple[bool, Bent] | None = None
    for start, seen in islice(lattice.plane_placements(image, first, layout), rounds):
        with suppress(NoSheetFound):
            found = settle(image, start, seen, layout, rounds)
            best = _better(best, (lattice.lies_where_seen(seen, found.placement, layout), found))
            if _is_clear(best):
                break
    if best is None:
        raise NoSheetFound
    if _is_clear(best) and not _bars_in_place(best[1], layout):
        with suppress(NoSheetFound):
            followed = _with_bars_followed(image, best[1].placement, layout, rounds)
            best = _better(best, followed)
    placed = best[1].placement
    is_clear = _is_clear(best) or (
        first.method == "markers" and max_shift(keypoints(layout), first, placed) < MIN_SLIP
    )
    return Alignment(layout, placed.scaled(1 / scale), best[1].evidence, is_clear)


@dataclass(frozen=True)
class Bent:
    """A bent placement, the evidence for it, and the keypoints that it was fitted to."""

    placement: Placement
    evidence: float
    seen: lattice.Keypoints


def _better(known: tuple[bool, Bent] | None, found: tuple[bool, Bent]) -> tuple[bool, Bent]:
    """The placement that lies where the sheet is seen; of two such the one with more evidence."""
    if known is None or (found[0], found[1].evidence) > (known[0], known[1].evidence):
        return found
    return known


def _is_clear(found: tuple[bool, Bent]) -> bool:
    """Whether the sheet is seen there and nowhere else."""
    in_place, bent = found
    return in_place and bent.evidence > lattice.MIN_CLEAR_EVIDENCE


def _bars_in_place(bent: Bent, layout: Layout) -> bool:
    """Whether the bars are seen where a placement whose lattice is clear puts them.

    They have not been searched for if the lattice became clear only in the last fit.
    """
    first, *others = lattice.bar_displacements(bent.seen, bent.placement, layout)
    return not others and not first.any()


def _with_bars_followed(
    image: Image, placement: Placement, layout: Layout, rounds: int | None
) -> tuple[bool, Bent]:
    """The placement bent to the displaced bars, and whether the keypoints are seen in its places.

    Raises
    ------
    NoSheetFound
    """
    seen = lattice.see_keypoints(image, placement)
    asides = lattice.bar_displacements(seen, placement, layout)[:rounds]
    found = _best_bent(image, seen, placement, asides, layout)
    return lattice.lies_where_seen(found.seen, found.placement, layout), found


def settle(
    image: Image, placement: Placement, seen: lattice.Keypoints, layout: Layout, rounds: int | None
) -> Bent:
    """Bend a placement until the keypoints ``seen`` near it lie in their places.

    ``rounds`` : see `align`.

    Returns the plane placement if bending loses evidence.

    Raises
    ------
    NoSheetFound
    """
    plane_evidence = lattice.evidence_for(seen, placement, layout)
    asides = _bars_aside_if_near(seen, placement, plane_evidence, layout)[:rounds]
    best = _best_bent(image, seen, placement, asides, layout)
    if plane_evidence > best.evidence + MAX_BENDING_LOSS:
        return Bent(placement, plane_evidence, seen)
    return best


def _best_bent(
    image: Image,
    seen: lattice.Keypoints,
    placement: Placement,
    asides: list[NDArray[np.float64]],
    layout: Layout,
) -> Bent:
    """The bent placement with the most evidence over several initial displacements of the bars.

    The first, likeliest one where it is clear and shows the bars in their places.

    Raises
    ------
    NoSheetFound
    """
    found = []
    for aside in asides:
        with suppress(NoSheetFound):
            found.append(_bent(image, seen, placement, aside, layout))
            if found[-1].evidence > lattice.MIN_CLEAR_EVIDENCE and _bars_in_place(
                found[-1], layout
            ):
                return found[-1]
    if not found:
        raise NoSheetFound
    return max(found, key=lambda bent: bent.evidence)


def _bars_aside_if_near(
    seen: lattice.Keypoints, placement: Placement, evidence: float, layout: Layout
) -> list[NDArray[np.float64]]:
    """Search for the bars only once the lattice fits; the search is expensive."""
    if evidence < MIN_EVIDENCE:
        return [np.zeros_like(keypoints(layout))]
    return lattice.bar_displacements(seen, placement, layout)


def _bent(
    image: Image,
    seen: lattice.Keypoints,
    placement: Placement,
    aside: NDArray[np.float64],
    layout: Layout,
) -> Bent:
    """Alternate between fitting a bent placement and looking through it.

    ``aside`` : (N, 2) cells, the initial displacements of the keypoints.

    Raises
    ------
    NoSheetFound
    """
    evidence = lattice.NO_EVIDENCE
    for look in range(MAX_FITS):
        if look:
            seen = lattice.see_keypoints(image, placement)
            aside = _bars_aside_if_near(seen, placement, evidence, layout)[0]
        matches = lattice.match_keypoints(seen, placement, layout, aside)
        found = fit(matches, placement.area, placement.method, STIFFNESS)
        settled = max_shift(keypoints(layout), placement, found) < MAX_SETTLED_SHIFT
        evidence = lattice.evidence_for(seen, found, layout)
        placement = found
        if settled:
            break
    return Bent(placement, evidence, seen)


# Set by hand where no source is named.
MIN_CELL = 8.0  # px, side of a cell; the print of a smaller sheet cannot be read
# contrast at `FINE_BLUR` over that at `COARSE_BLUR`; readable simulated photos had 0.3 or more
MIN_SHARPNESS = 0.15
# cells, the standard deviations of the two blurs that the sharpness compares
FINE_BLUR, COARSE_BLUR = 0.1, 0.5
MIN_CONTRAST = 1.0  # grey levels added to the coarse contrast, so that blank paper is not sharp
# evidence below which there is no lattice at all, not even a blurred one
MIN_LATTICE_EVIDENCE = -0.8
MAX_OVERRUN = 0.35  # cells beyond the photo's edge, of an aligned placement; more is cut off
MAX_FIRST_OVERRUN = 1.5  # the same for a first placement, which is less exact


def unseen(alignment: Alignment, first: Placement, image: Image) -> PhotoUnreadable:
    """Why an alignment has too little evidence.

    ``first`` : the placement that was aligned; alignment may have moved it away from an edge.
    """
    placement = alignment.placement
    beyond = cut_off(first, image, alignment.layout.marked_area, MAX_FIRST_OVERRUN)
    if beyond:
        return beyond
    if placement.cell_size() < MIN_CELL:
        return SheetTooSmall()
    if alignment.evidence > MIN_LATTICE_EVIDENCE and is_blurred(placement, image):
        return SheetTooBlurred()
    return NoSheetFound()


def flaw_of(found: Alignment, image: Image) -> PhotoUnreadable | None:
    """Why a sheet that is seen there cannot be read: what shows of it is blurred, cut or small."""
    placement, layout = found.placement, found.layout
    if layout.finder == "network" and is_blurred(placement, image):
        return SheetTooBlurred()
    is_small = placement.cell_size() < MIN_CELL
    beyond = cut_off(placement, image, layout.marked_area, MAX_OVERRUN)
    return beyond or (SheetTooSmall() if is_small else None)


def is_blurred(placement: Placement, image: Image) -> bool:
    """Whether the sheet is too blurred to be read."""
    return sharpness(image, placement) < MIN_SHARPNESS


def sharpness(image: Image, placement: Placement) -> float:
    """Contrast of the rectified sheet at a tenth of a cell over that at half a cell; at least 0."""
    flat = rectify(image, placement, placement.area, lattice.ALIGNER_PIXELS)
    flat = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.uint8)
    fine = cv2.GaussianBlur(flat, (0, 0), FINE_BLUR * lattice.ALIGNER_PIXELS)
    coarse = cv2.GaussianBlur(flat, (0, 0), COARSE_BLUR * lattice.ALIGNER_PIXELS)
    finer, coarser = cv2.absdiff(flat, fine).mean(), cv2.absdiff(fine, coarse).mean()
    return float(finer / (coarser + MIN_CONTRAST))


def is_out_of_sight(placement: Placement, image: Image, layout: Layout) -> bool:
    """Whether a sheet would run beyond the photo's edge by more than its own length."""
    area = layout.marked_area
    return max(overruns(placement, image, area).values()) > max(area.width, area.height)


def cut_off(placement: Placement, image: Image, area: Box, most: float) -> SheetCutOff | None:
    """The failure of a sheet of which a part runs beyond the photo by more than so many cells."""
    beyond = overruns(placement, image, area)
    side = max(beyond, key=beyond.__getitem__)
    if beyond[side] <= most:
        return None
    pairs = (beyond["left"], beyond["right"]), (beyond["top"], beyond["bottom"])
    error = SheetCutOff(side)
    error.is_larger = any(min(pair) > most for pair in pairs)
    return error


def overruns(placement: Placement, image: Image, area: Box) -> dict[Side, float]:
    """By how many cells (may be < 0) a part of the sheet overruns each edge of the photo."""
    height, width = image.shape[:2]
    at = np.linspace(0, 1, 9)[:, None]
    corners = np.asarray(area.corners)
    rim = np.concatenate(
        [a * (1 - at) + b * at for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
    )
    seen = placement.to_photo(rim)
    beyond: dict[Side, float] = {
        "left": float(-seen[:, 0].min()),
        "right": float(seen[:, 0].max() - (width - 1)),
        "top": float(-seen[:, 1].min()),
        "bottom": float(seen[:, 1].max() - (height - 1)),
    }
    cell = placement.cell_size()
    return {side: pixels / cell for side, pixels in beyond.items()}
